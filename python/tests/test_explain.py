"""Explanations against scikit-learn's partial dependence and Friedman's H by definition."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.inspection import partial_dependence
from sklearn.model_selection import KFold

from rls2 import RLS2Classifier, RLS2Error, RLS2Regressor, RLS2RegressorCV

KERNELS = "rbf(0.03|0.3)@all; poly(2)@all; matern(3/2,2)@all; linear@each; rbf(1)@each"


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 4))
    return X, 2 * X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + 0.1 * rng.normal(size=90)


@pytest.fixture(scope="module", params=[False, True], ids=["alone", "stack"])
def model(rows, request):
    if not request.param:
        return RLS2Regressor(kernels=KERNELS, alphas=[1e-3]).fit(*rows)
    folds = list(KFold(4, shuffle=True, random_state=0).split(rows[0]))
    return RLS2RegressorCV(kernels=KERNELS, stack=True, cv=folds).fit(*rows)


def dependence(model, X, columns, others=False):
    """Mean over all rows as some columns are those of each row, or all but these; centred."""
    at = [j for j in range(X.shape[1]) if (j in columns) != others]
    told = np.empty(len(X))
    for i in range(len(X)):
        Z = X.copy()
        Z[:, at] = X[i, at]
        told[i] = model.predict(Z).mean()
    return told - told.mean()


@pytest.mark.parametrize("column", [0, 2])
def test_dependence_is_scikit_learns(rows, model, column):
    told = model.partial_dependence(column)
    brute = partial_dependence(
        model,
        rows[0],
        [column],
        kind="both",
        method="brute",
        custom_values={column: told.grid_values},
    )
    mean = np.average(brute["average"][0], weights=told.rows)
    assert_allclose(told.average, brute["average"][0] - mean, atol=1e-10)
    curves = brute["individual"][0]
    curves = curves - np.average(curves, axis=1, weights=told.rows)[:, None]
    ends = np.quantile(curves, [0.1, 0.9], axis=0, method="inverted_cdf")
    assert_allclose([told.lower, told.upper], ends, atol=1e-10)


def test_two_columns_are_scikit_learns(rows, model):
    told = model.partial_dependence(0, 1)
    brute = partial_dependence(
        model,
        rows[0],
        [0, 1],
        method="brute",
        custom_values=dict(enumerate(told.grid_values)),
    )["average"][0]
    assert told.average.shape == (21, 21)
    assert_allclose(told.average - told.average[0, 0], brute - brute[0, 0], atol=1e-10)


def test_explanation_is_as_by_definition(rows, model):
    X, names = rows[0], list(model.model_.inputs)
    told = model.explain()
    assert_allclose(told.sample, np.arange(len(X)))
    f = model.predict(X) - model.predict(X).mean()
    F = {(j,): dependence(model, X, (j,)) for j in range(4)}
    for name, share, alone, interaction in told.inputs:
        own = F[names.index(name),]
        rest = dependence(model, X, (names.index(name),), others=True)
        assert_allclose(share, own @ f / (f @ f), atol=1e-10)
        assert_allclose(alone, own @ own / (f @ f), atol=1e-10)
        assert_allclose(interaction, ((f - own - rest) ** 2).sum() / (f @ f), atol=1e-10)
    assert len(told.interactions) == 6
    for first, second, share, h2 in told.interactions:
        j, k = names.index(first), names.index(second)
        both = dependence(model, X, (j, k))
        extra = ((both - F[j,] - F[k,]) ** 2).sum()
        assert_allclose(share, extra / (f @ f), atol=1e-10)
        assert_allclose(h2, extra / (both @ both), atol=1e-10)
    assert told.interactions[0][:2] == ("x1", "x2")


def test_more_rows_are_sampled_evenly(rows):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(450, 3))
    model = RLS2Regressor(kernels="rbf(0.3)@all", alphas=[1e-2]).fit(X, X[:, 0] * X[:, 1])
    told = model.explain()
    count = len(told.sample)
    assert count == 200
    assert_allclose(told.sample, np.arange(count) * 450 // count)
    f = model.predict(X[told.sample])
    own = dependence(model, X[told.sample], (0,))
    assert_allclose(dict((i[0], i[2]) for i in told.inputs)["x1"], own.var() / f.var(), atol=1e-10)


def test_columns_by_name_and_categories():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"size": rng.normal(size=80), "kind": rng.choice(["a", "b", "c"], 80)})
    y = frame["size"] * (frame["kind"] == "a") + (frame["kind"] == "b")
    model = RLS2Regressor(kernels="rbf(0.3)@all; linear@each", alphas=[1e-3]).fit(frame, y)
    told = model.partial_dependence("kind")
    assert sorted(told.grid_values) == ["a", "b", "c"]
    for level, average in zip(told.grid_values, told.average, strict=True):
        mean = model.predict(frame.assign(kind=level)).mean()
        assert_allclose(average - told.average[0], mean - model.predict(
            frame.assign(kind=told.grid_values[0])).mean(), atol=1e-10)
    assert {model.explain().interactions[0].first, model.explain().interactions[0].second} == {
        "size",
        "kind",
    }
    assert_allclose(model.partial_dependence(1).average, told.average)
    with pytest.raises(ValueError, match="the inputs of the model are size, kind"):
        model.partial_dependence("colour")


def test_each_class_has_its_own():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 3))
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2], [-0.5, 0.5])
    model = RLS2Classifier(kernels="rbf(0.3)@all", alphas=[1e-2]).fit(X, y)
    by_name = model.partial_dependence(0, output=model.model_.output_names[2]).average
    assert_allclose(by_name, model.partial_dependence(0, output=2).average)
    assert not np.allclose(by_name, model.partial_dependence(0).average)
    with pytest.raises(ValueError, match="outputs are"):
        model.explain(output=3)


def test_kernels_of_one_column_do_nothing_together(rows):
    model = RLS2Regressor(kernels="rbf(1)@each; linear@all", alphas=[1e-3]).fit(*rows)
    told = model.explain()
    assert told.interactions == [] and told.interacting == 0
    assert_allclose(sum(i.share for i in told.inputs), 1.0)
    curve = model.partial_dependence(2)
    assert_allclose(curve.lower, curve.upper, rtol=0)


def test_counted_rows_are_not_kept():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(400, 2))
    model = RLS2Regressor(kernels="rbf(1)@each", method="tall", alphas=[1e-2])
    model.fit(X, X[:, 0] ** 2)
    assert len(model.partial_dependence(0).average) > 2
    with pytest.raises(RLS2Error, match="does not keep the 400 rows"):
        model.explain()
