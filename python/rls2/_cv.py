"""Cross-validation: splits of the rows in the library's terms, and its curve in scikit-learn's."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import Any

import numpy as np

from . import _core
from ._types import Floats, Ints

_FOLDS = 10  # the command's

# Names scikit-learn's scorers have for measures of the same sign.
_SAME = {"balanced_accuracy": "balanced-accuracy", "roc_auc": "auc", "roc_auc_ovr": "auc"}
_NEGATED = {
    "neg_root_mean_squared_error": "rmse",
    "neg_mean_squared_error": "mse",
    "neg_mean_absolute_error": "mae",
}


def measure_name(scoring: Any) -> str:
    """The library's name of a measure; "auto" for None."""
    if scoring is None:
        return "auto"
    if not isinstance(scoring, str):
        raise ValueError(
            f"scoring={scoring!r} should be the name of a measure of the library: rmse, mse, mae, r2, accuracy, "
            "balanced-accuracy, auc or errors; for a scorer of your own use GridSearchCV over alpha"
        )
    if scoring in _NEGATED:
        raise ValueError(
            f"scoring={scoring!r}: say {_NEGATED[scoring]!r}, of which less is better and which has its own sign"
        )
    return _SAME.get(scoring, scoring)


def make_splits(cv: Any, repeats: int, seed: int, data: _core.Data, y: Any, kept: Ints | None, n: int) -> _core.Splits:
    """Splits of the rows of the data. n rows were given, of which those `kept` (None: all) have a weight."""
    if isinstance(cv, str):
        raise ValueError(_what_cv_may_be(cv))
    if cv is None or (isinstance(cv, (int, np.integer)) and not isinstance(cv, bool)):
        if cv is not None and cv > data.rows:
            raise ValueError(f"cv={cv} folds are more than there are rows, {data.rows}")
        folds = min(_FOLDS, data.rows) if cv is None else int(cv)
        return _core.Splits.folds(data.rows, _strata(data), folds, repeats, seed)
    if repeats != 1:
        raise ValueError("repeats goes with cv=None or a number of folds; a splitter repeats by itself")
    if hasattr(cv, "split"):
        return _listed(cv.split(np.zeros((n, 1)), y), kept, n)
    fold = _fold_numbers(cv)
    if fold is None:
        return _listed(cv, kept, n)
    if len(fold) != n:
        raise ValueError(f"cv has {len(fold)} fold numbers for {n} rows")
    return _core.Splits.given(np.ascontiguousarray(fold if kept is None else fold[kept]))


def _what_cv_may_be(cv: Any) -> str:
    return (
        f"cv={cv!r} should be a number of folds, a splitter, pairs of (training rows, validation rows) or fold numbers"
    )


def _strata(data: _core.Data) -> Floats | None:
    return None if data.classes is None else np.asarray(data.classes).astype(np.float64)


def _fold_numbers(cv: Any) -> Ints | None:
    """An array of fold numbers, one for each row; None where cv is something else."""
    if not isinstance(cv, Sized) or len(cv) == 0:
        return None
    try:
        numbers = np.asarray(cv)
    except ValueError:
        return None
    return numbers.astype(np.int64) if numbers.ndim == 1 and numbers.dtype.kind in "iu" else None


def _listed(pairs: Any, kept: Ints | None, n: int) -> _core.Splits:
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
    count = n if kept is None else len(kept)
    return _core.Splits.listed(count, training, validation)


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
    return {
        "alphas": np.array(cv.lambdas),
        "mean_test_score": np.array(cv.cvm),
        "std_error": np.array(cv.cvsd),
        "n_kernels": np.array(cv.nzero),
        "split_test_score": scores,
        "measure": cv.measure,
        "greater_is_better": bool(cv.rises),
        "n_unconverged": cv.unconverged,
    }


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
