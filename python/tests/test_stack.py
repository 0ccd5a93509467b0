"""Stacks: members and weights computed anew with NumPy and SciPy, and what estimators tell."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import nnls
from sklearn.model_selection import KFold

from rls2 import RLS2ClassifierCV, RLS2Error, RLS2RegressorCV, rls2_path

WIDTHS = [0.03, 0.3, 3.0]
KERNELS = "rbf(0.03|0.3|3)@all; linear@each"
GIVEN = {"kernels": KERNELS, "features": "none", "alphas": np.logspace(1, -3, 9)}


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(70, 3))
    return X, np.sin(2 * X[:, 0] * X[:, 1]) + X[:, 2] + 0.1 * rng.normal(size=70)


@pytest.fixture(scope="module")
def folds(rows):
    return list(KFold(5, shuffle=True, random_state=0).split(rows[0]))


@pytest.fixture(scope="module")
def stack(rows, folds):
    return RLS2RegressorCV(**GIVEN, stack=True, cv=folds).fit(*rows)


def matrices(A, B):
    """All kernels of the dictionary between rows, by name."""
    distance = ((B[:, None] - A[None]) ** 2).sum(-1)
    made = {f"rbf({width:g})@all": np.exp(-width * distance) for width in WIDTHS}
    return made | {f"linear@x{j + 1}": np.outer(B[:, j], A[:, j]) for j in range(A.shape[1])}


AVERAGE, ALIGNED = "average of all kernels", "average weighted by alignment"


def kernel_weights(inner, y, which):
    """Equal ones, by alignment with the response, or all for one kernel."""
    if which == ALIGNED:
        z = y - y.mean()
        found = {name: z @ K @ z / np.linalg.norm(K) for name, K in inner.items()}
    else:
        found = {name: 1.0 for name in inner if which in (AVERAGE, name)}
    return {name: weight / sum(found.values()) for name, weight in found.items()}


def member(A, y, B, which, alpha):
    """Regularised least squares with one kernel, or averages of all, scaled by their traces."""
    inner, outer = matrices(A, A), matrices(A, B)
    d = kernel_weights(inner, y, which)
    K = sum(w * inner[name] / np.trace(inner[name]) for name, w in d.items())
    K_new = sum(w * outer[name] / np.trace(inner[name]) for name, w in d.items())
    return y.mean() + K_new @ np.linalg.solve(K + alpha * np.eye(len(y)), y - y.mean())


def left_out(rows, folds, predict):
    X, y = rows
    f = np.empty(len(y))
    for train, test in folds:
        f[test] = predict(X[train], y[train], X[test])
    return f


def best_member(rows, folds, names):
    """Name, alpha and left-out predictions with the least squared error."""
    tried = [
        (name, alpha, left_out(rows, folds, lambda A, y, B, n=name, a=alpha: member(A, y, B, n, a)))
        for name in names
        for alpha in GIVEN["alphas"]
    ]
    return min(tried, key=lambda t: ((t[2] - rows[1]) ** 2).sum())


def weigh(y, predictions):
    """Non-negative least squares with a pull of a fiftieth towards equal weights."""
    F = np.stack(predictions, axis=1) - y.mean()
    pull = 0.02 * (F**2).sum(axis=0).mean()
    k = F.shape[1]
    more = np.sqrt(pull) * np.eye(k)
    return nnls(np.vstack([F, more]), np.concatenate([y - y.mean(), more.sum(axis=1) / k]))[0]


def sparse_part(rows, folds, alpha):
    alphas = GIVEN["alphas"][: np.searchsorted(-GIVEN["alphas"], -alpha) + 1]
    options = {"kernels": KERNELS, "features": "none", "alphas": alphas}
    return left_out(rows, folds, lambda A, y, B: rls2_path(A, y, **options).predict(B)[:, -1])


def test_stack__members_and_weights__are_those_of_numpy_and_scipy(rows, folds, stack):
    X, y = rows
    average = best_member(rows, folds, [AVERAGE])
    aligned = best_member(rows, folds, [ALIGNED])
    single = best_member(rows, folds, [f"rbf({width:g})@all" for width in WIDTHS])
    sparse = sparse_part(rows, folds, stack.alpha_)
    weights = weigh(y, [sparse, average[2], aligned[2], single[2]])
    told = stack.model_.members(0)
    expected = [("", weights[0], stack.alpha_)]
    expected += [
        (name, w, alpha)
        for (name, alpha, _), w in zip((average, aligned, single), weights[1:], strict=True)
        if w > 0
    ]
    assert [name for name, *_ in told] == [name for name, *_ in expected]
    assert_allclose([t[1:] for t in told], [e[1:] for e in expected], rtol=1e-4, atol=1e-6)


def test_stack__prediction__is_the_weighted_sum(rows, stack):
    X, y = rows
    new = X[:10] + 0.1
    told = stack.model_.members(0)
    plain = RLS2RegressorCV(**GIVEN, cv=5).fit(X, y)
    f = y.mean() * (1 - sum(weight for _, weight, _ in told))
    path = rls2_path(X, y, kernels=KERNELS, features="none", alphas=GIVEN["alphas"])
    place = int(np.argmin(abs(path.alphas - stack.alpha_)))
    f = f + told[0][1] * path.predict(new)[:, place]
    for name, weight, alpha in told[1:]:
        f = f + weight * member(X, y, new, name, alpha)
    assert_allclose(stack.predict(new), f, rtol=1e-6)
    assert not plain.model_.members(0)


def test_stack__contributions__sum_to_the_prediction(rows, stack):
    X, _ = rows
    parts = stack.predict_contributions(X)
    assert parts.shape[1] == len(stack.contribution_names_)
    assert any(name.startswith("stack: ") for name in stack.contribution_names_)
    assert_allclose(parts.sum(axis=1) + stack.offset_, stack.predict(X), rtol=1e-9)


def test_stack__pickled_and_saved__says_the_same(rows, stack, tmp_path):
    again = pickle.loads(pickle.dumps(stack))
    assert_allclose(again.predict(rows[0]), stack.predict(rows[0]), rtol=0)
    assert again.stack_weights_ == stack.stack_weights_
    assert list(stack.stack_weights_)[0] == "sparse part"


def test_stack__certificate__is_that_of_the_sparse_part(rows, stack):
    assert stack.certify(*rows).relative_gap < 1e-5


def test_stack__classes__are_decided_by_the_stack(rows):
    X, y = rows
    labels = np.where(y > 0, "up", "down")
    model = RLS2ClassifierCV(kernels=KERNELS, stack=True, cv=5).fit(X, labels)
    assert set(model.predict(X)) == {"up", "down"}
    assert ((model.decision_function(X) >= 0) == (model.predict(X) == "up")).all()


def test_stack__what_it_does_not_have__is_refused(rows, stack):
    X, y = rows
    with pytest.raises(RLS2Error, match="a stack has no variances"):
        stack.predict_interval(X)
    with pytest.raises(AttributeError, match="stack=True"):
        _ = RLS2RegressorCV(**GIVEN, cv=5).fit(X, y).stack_weights_
    with pytest.raises(AttributeError, match="coef_ is not there of a stack"):
        _ = RLS2RegressorCV(kernels="linear", stack=True, cv=5).fit(X, y).coef_
