"""Intervals that are calibrated on left-out rows, by hand and on rows of the same distribution."""

import numpy as np
import pytest

from rls2 import RLS2Error, RLS2Regressor, RLS2RegressorCV


def made(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    noise = rng.standard_t(3, size=n)
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * noise


def test_intervals_are_symmetric_and_cover():
    X, y = made(150, 0)
    fitted = RLS2RegressorCV(interval=0.8, cv=5, kernels="linear; rbf(1)@each").fit(X, y)
    fresh, truth = made(4000, 1)
    value, lower, upper = fitted.predict(fresh, return_interval=True)
    assert value.shape == lower.shape == upper.shape == (4000,)
    assert np.allclose(upper - value, value - lower)
    # the standard error of a coverage found by 150 rows is 0.033, that of 4,000 rows less
    assert abs(np.mean((lower <= truth) & (truth <= upper)) - 0.8) < 0.1
    again = fitted.predict(fresh, return_interval=0.8)
    assert np.array_equal(again[1], lower)


def test_intervals_of_quantiles_hold_them_in_order():
    X, y = made(120, 2)
    fitted = RLS2RegressorCV(
        loss="quantile(0.1,0.5,0.9)", interval=0.8, cv=4, kernels="linear; rbf(1)@each"
    ).fit(X, y)
    value, lower, upper = fitted.predict(X, return_interval=True)
    assert value.shape == (120, 3)
    assert np.all(np.diff(value, axis=1) >= 0)
    assert lower.shape == upper.shape == (120,)
    gap = value[:, 0] - lower
    assert np.allclose(gap, gap[0]) and np.allclose(upper - value[:, 2], gap[0])


def test_intervals_of_a_criterion_and_several_targets():
    X, y = made(100, 3)
    Y = np.column_stack([y, 10 * y[::-1]])
    fitted = RLS2Regressor(interval=0.9, kernels="linear").fit(X, Y)
    value, lower, upper = fitted.predict(X, return_interval=True)
    assert value.shape == lower.shape == upper.shape == (100, 2)
    half = (upper - lower)[0] / 2
    assert half[1] > 3 * half[0]


def test_intervals_at_an_alpha_of_ones_own():
    X, y = made(150, 5)
    plain = RLS2Regressor(alpha=0.1, kernels="linear; rbf(1)@each").fit(X, y)
    fitted = RLS2Regressor(alpha=0.1, kernels="linear; rbf(1)@each", interval=0.8).fit(X, y)
    assert fitted.alpha_ == 0.1 and np.array_equal(fitted.predict(X), plain.predict(X))
    fresh, truth = made(4000, 6)
    value, lower, upper = fitted.predict(fresh, return_interval=True)
    assert np.allclose(upper - value, value - lower) and np.all(upper > lower)
    assert abs(np.mean((lower <= truth) & (truth <= upper)) - 0.8) < 0.1
    with pytest.raises(RLS2Error, match="needs 9999 left-out rows, and there are 150"):
        RLS2Regressor(alpha=0.1, kernels="linear", interval=0.9999).fit(X, y)


def coverage_by_hand(y, predicted, fold, level):
    """Each fold's intervals are calibrated on the errors of the others."""
    shares, widths, sizes = [], [], []
    for part in np.unique(fold):
        others = np.sort(np.abs(y - predicted)[fold != part])
        q = others[int(np.ceil(level * (len(others) + 1) - 1e-9)) - 1]
        shares.append(np.mean(np.abs(y - predicted)[fold == part] <= q))
        widths.append(2 * q)
        sizes.append(np.sum(fold == part))
    mean = np.average(shares, weights=sizes)
    spread = np.average((shares - mean) ** 2, weights=sizes)
    return mean, np.sqrt(spread / (len(sizes) - 1)), np.average(widths, weights=sizes)


def test_coverage_is_a_score_of_the_curve():
    X, y = made(90, 7)
    fold = np.arange(90) % 4
    fitted = RLS2RegressorCV(
        interval=0.8, cv=fold, kernels="linear", plain=True, alphas=[1, 0.1]
    ).fit(X, y)
    results = fitted.cv_results_
    assert results["interval_coverage"].shape == results["interval_width"].shape == (2,)
    for i, alpha in enumerate(results["alphas"]):
        predicted = np.empty(90)
        for part in range(4):
            one = RLS2Regressor(alpha=alpha, kernels="linear").fit(X[fold != part], y[fold != part])
            predicted[fold == part] = one.predict(X[fold == part])
        share, error, width = coverage_by_hand(y, predicted, fold, 0.8)
        assert results["interval_coverage"][i] == pytest.approx(share)
        assert results["interval_coverage_std_error"][i] == pytest.approx(error)
        assert results["interval_width"][i] == pytest.approx(width, rel=1e-4)
    plain = RLS2RegressorCV(cv=fold, kernels="linear", plain=True).fit(X, y)
    assert "interval_coverage" not in plain.cv_results_


def test_coverage_of_several_targets_has_columns():
    X, y = made(80, 8)
    fitted = RLS2RegressorCV(interval=0.8, cv=4, kernels="linear", alphas=[0.1, 0.01])
    fitted.fit(X, np.column_stack([y, 10 * y[::-1]]))
    width = fitted.cv_results_["interval_width"]
    assert width.shape == (2, 2) and np.all(width[:, 1] > 3 * width[:, 0])


def test_intervals_that_were_not_asked_for_are_refused():
    X, y = made(60, 4)
    plain = RLS2Regressor(alpha=0.1, kernels="linear").fit(X, y)
    with pytest.raises(ValueError, match="needs a fit with interval=0.9"):
        plain.predict(X, return_interval=True)
    fitted = RLS2RegressorCV(interval=0.8, cv=3, kernels="linear").fit(X, y)
    with pytest.raises(ValueError, match="calibrated for 0.8"):
        fitted.predict(X, return_interval=0.9)
