"""Cross-validation: splits of scikit-learn's kinds for a plan, and its curve in their terms."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import Any

import numpy as np

from . import _core
from ._params import is_fold_count
from ._types import Floats, Ints


def split(plan: _core.Plan, cv: Any, repeats: int, y: Any, kept: Ints | None, n: int) -> None:
    """Hands over splits of one's own. n rows were given; the plan has those `kept` (None: all)."""
    if is_fold_count(cv):
        if cv is not None and cv > plan.data.rows:
            raise ValueError(f"cv={cv} folds are more than there are rows, {plan.data.rows}")
        return
    if isinstance(cv, str):
        raise ValueError(_what_cv_may_be(cv))
    if repeats != 1:
        raise ValueError(
            "repeats goes with cv=None or a number of folds; a splitter repeats by itself"
        )
    fold = _fold_numbers(cv)
    if fold is None:
        pairs = cv.split(np.zeros((n, 1)), y) if hasattr(cv, "split") else cv
        _split_into(plan, pairs, kept, n)
    elif len(fold) != n:
        raise ValueError(f"cv has {len(fold)} fold numbers for {n} rows")
    else:
        plan.split_by(np.ascontiguousarray(fold if kept is None else fold[kept]))


def _what_cv_may_be(cv: Any) -> str:
    return (
        f"cv={cv!r} should be a number of folds, a splitter, pairs of (training rows, validation "
        "rows) or fold numbers"
    )


def _fold_numbers(cv: Any) -> Ints | None:
    """An array of fold numbers, one for each row; None where cv is something else."""
    if not isinstance(cv, Sized) or len(cv) == 0:
        return None
    try:
        numbers = np.asarray(cv)
    except ValueError:
        return None
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu":
        return None
    return numbers.astype(np.int64)


def _split_into(plan: _core.Plan, pairs: Any, kept: Ints | None, n: int) -> None:
    """Pairs of (training, validation) rows."""
    if not isinstance(pairs, Iterable):
        raise ValueError(_what_cv_may_be(pairs))
    training, validation = [], []
    for pair in pairs:
        try:
            train, test = pair
        except (TypeError, ValueError):
            raise ValueError(_what_cv_may_be(pair)) from None
        training.append(_rows(train, kept, n))
        validation.append(_rows(test, kept, n))
    plan.split_into(training, validation)


def _rows(rows: Any, kept: Ints | None, n: int) -> Ints:
    numbers = np.asarray(rows)
    if numbers.dtype == bool:
        numbers = np.flatnonzero(numbers)
    if numbers.size and numbers.dtype.kind not in "iu":
        raise ValueError(f"cv should name rows by whole numbers, not by {numbers.dtype}")
    numbers = numbers.astype(np.int64).ravel()
    wrong = numbers[(numbers < -n) | (numbers >= n)]
    if wrong.size:
        raise ValueError(f"cv names a row {wrong[0]}, and there are {n}")
    numbers = np.where(numbers < 0, numbers + n, numbers)
    if kept is not None:
        place = np.full(n, -1, dtype=np.int64)
        place[kept] = np.arange(len(kept))
        numbers = place[numbers]
        numbers = numbers[numbers >= 0]
    return np.ascontiguousarray(numbers)


def curve(cv: _core.CV) -> dict[str, Any]:
    """cv_results_"""
    scores = np.array(cv.scores).reshape(len(np.asarray(cv.lambdas)), -1)
    results = {
        "alphas": np.array(cv.lambdas),
        "mean_test_score": np.array(cv.cvm),
        "std_error": np.array(cv.cvsd),
        "n_kernels": np.array(cv.nzero),
        "split_test_score": scores,
        "measure": cv.measure,
        "greater_is_better": bool(cv.rises),
        "n_unconverged": cv.unconverged,
    }
    return results | interval_table(cv)


_INTERVALS = {
    "coverage": "interval_coverage",
    "coverage_se": "interval_coverage_std_error",
    "width": "interval_width",
    "width_se": "interval_width_std_error",
}


def interval_table(cv: _core.CV) -> dict[str, Floats]:
    """Coverage and width of intervals at each lambda, one column for each of several targets."""
    found = {_INTERVALS[name]: np.array(values) for name, values in cv.coverage.items()}
    return {name: v[:, 0] if v.ndim > 1 and v.shape[1] == 1 else v for name, v in found.items()}


def baseline_table(cv: _core.CV) -> dict[str, dict[str, float]]:
    """baselines_: each at its own best lambda."""
    return {
        name: {"alpha": alpha, "mean_test_score": mean, "std_error": error}
        for name, (alpha, mean, error) in cv.baselines.items()
    }


def squared_errors(results: dict[str, Any]) -> Floats | None:
    """mse_path_, where the measure is one of squared errors."""
    scores: Floats = results["split_test_score"]
    return {"mse": scores, "rmse": scores**2}.get(results["measure"])
