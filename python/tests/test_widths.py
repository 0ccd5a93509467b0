"""Kernels with learned widths: a Gaussian process of scikit-learn, and what estimators tell."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

from rls2 import RLS2Classifier, RLS2Regressor, RLS2RegressorCV

LEARNED = "rbf(learn*0.25|learn|learn*4)@all"


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 5)) * [1, 10, 0.1, 1, 1]
    y = np.sin(2 * X[:, 0]) + 0.05 * X[:, 1] + 0.1 * rng.normal(size=120)
    return X, y


def test_widths_are_those_of_a_process(rows):
    """What is said beforehand is weak: with many rows both find the same columns."""
    X, y = rows
    model = RLS2Regressor(kernels="rbf(learn)@all", alpha=1e-2).fit(X, y)
    Z = (X - X.mean(0)) / X.std(0)
    kernel = ConstantKernel() * RBF(np.ones(5)) + WhiteKernel(0.1)
    process = GaussianProcessRegressor(kernel, random_state=0, n_restarts_optimizer=2)
    process.fit(Z, (y - y.mean()) / y.std())
    widths = 1 / process.kernel_.k1.k2.length_scale**2
    expected = widths / widths.sum()
    shares = np.array([model.relevance_[f"x{j + 1}"] for j in range(5)])
    assert shares[0] > 0.8 and expected[0] > 0.8
    assert_allclose(shares, expected, atol=0.1)


def test_units_do_not_matter(rows):
    X, y = rows
    one = RLS2Regressor(kernels=LEARNED, alpha=1e-2, features="none").fit(X, y)
    other = RLS2Regressor(kernels=LEARNED, alpha=1e-2).fit(X * [1, 5, 2, 1e3, 1e-3], y)
    assert_allclose(list(one.relevance_.values()), list(other.relevance_.values()), rtol=1e-3)
    assert_allclose(one.predict(X), other.predict(X * [1, 5, 2, 1e3, 1e-3]), atol=1e-3)


def test_they_predict_what_one_width_does_not(rows):
    X, y = rows
    rng = np.random.default_rng(4)
    Z = rng.normal(size=(200, 5)) * [1, 10, 0.1, 1, 1]
    truth = np.sin(2 * Z[:, 0]) + 0.05 * Z[:, 1]

    def error(kernels):
        model = RLS2RegressorCV(kernels=kernels, cv=5).fit(X, y)
        return np.sqrt(np.mean((model.predict(Z) - truth) ** 2))

    assert error(LEARNED) < 0.7 * error("rbf(1e-3:1e3:10)@all")


def test_models_keep_them(rows, tmp_path):
    X, y = rows
    model = RLS2Regressor(kernels=LEARNED, alpha=1e-2).fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert again.relevance_ == model.relevance_
    assert np.array_equal(again.predict(X), model.predict(X))
    parts = model.predict_contributions(X)
    assert_allclose(np.asarray(parts).sum(axis=1) + model.intercept_, model.predict(X), rtol=1e-9)
    assert abs(sum(model.relevance_.values()) - 1) < 1e-12
    assert list(model.relevance_)[0] == "x1"
    assert clone(model).kernels == LEARNED


def test_classes(rows):
    X, _ = rows
    labels = np.where(np.abs(X[:, 0]) < 0.4, "a", np.where(X[:, 1] > 0, "b", "c"))
    model = RLS2Classifier(kernels=LEARNED, alpha=1e-2).fit(X, labels)
    assert set(list(model.relevance_)[:2]) == {"x1", "x2"}
    assert model.score(X, labels) > 0.95


def test_without_them(rows):
    model = RLS2Regressor(kernels="rbf(0.1)@all", alpha=1e-2).fit(*rows)
    with pytest.raises(AttributeError, match="rbf\\(learn\\)@all"):
        _ = model.relevance_
