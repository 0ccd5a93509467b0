"""The life of a fit: a table, a plan of the library for it, and what the plan led to.

Bit for bit what `rls2 train` does with the same cells, settings and seed: both are the library's
rls2_plan_complete and rls2_plan_fit.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped]
from sklearn.utils import assert_all_finite  # type: ignore[import-untyped]

from . import _core
from ._arrow import ArrowBatches
from ._batches import Batches
from ._cv import split
from ._frames import Cells, is_frame, series_name
from ._inputs import (
    Inputs,
    categorical_names,
    check_sparse,
    default_names,
    read_rows,
    remember_columns,
    takes_missing,
)
from ._params import draws_folds, goes_by_folds, lambda_values, settings_of, thread_count
from ._pieces import Form, Pieces
from ._progress import ProgressLine, shown
from ._statistics import Statistics, batches_of
from ._targets import (
    Targets,
    free_names,
    labels_like,
    read_classes,
    read_numbers,
    require_target,
)
from ._types import Floats, Ints, Rows
from ._words import in_words_of_python


@dataclass
class Problem:
    """A plan, and what the estimator gave for it."""

    plan: _core.Plan
    inputs: Inputs
    targets: Targets
    weight: str | None
    kept: Ints | None  # rows that are learned from, where these are not all: others have weight 0
    threads: int
    verbose: bool
    pieces: Pieces | None = None  # where the rows are not in memory
    counted: bool = False  # the plan has statistics of the rows, or a sample

    def words(self) -> AbstractContextManager[None]:
        """Messages of the library about this problem, in the words of who stated it."""
        return in_words_of_python(self.targets.names, self.weight)

    def fit(self) -> _core.Fit:
        """Carries the plan out."""
        progress = ProgressLine() if self.verbose else None
        told = self._tell_notes(0)
        if self.verbose:
            print(f"[rls2] {self.plan.forecast(self.threads)[2]}", file=sys.stderr)
        with shown(progress), self.words():
            fit = self._carried_out(progress)
        self._tell_notes(told)
        return fit

    def _carried_out(self, progress: ProgressLine | None) -> _core.Fit:
        if self.pieces is None:
            return self.plan.fit(self.threads, progress)
        fit = self.pieces.reading(
            self.threads, progress, lambda told: self.plan.fit(self.threads, told)
        )
        self.pieces.release()
        return fit

    def row_count(self) -> float:
        """Rows by their weight, where that is known."""
        data = self.plan.data
        if self.counted:
            return float(self.plan.row_count)
        return float(data.rows if data.weights is None else np.sum(np.array(data.weights)))

    def classes(self, labels: list[str]) -> NDArray[Any]:
        """The classes as y has them; labels: as the library does."""
        if self.targets.classes is not None:
            return self.targets.classes
        return labels_like(labels, None if self.pieces is None else self.pieces.form.labels)

    def _tell_notes(self, first: int) -> int:
        """What the plan inferred, from a note on, and what it warns of; how many there are."""
        notes = self.plan.notes
        for note in notes[first:]:
            if note.startswith("warning: "):
                warnings.warn(note.removeprefix("warning: "), UserWarning, stacklevel=5)
            elif self.verbose:
                print(f"[rls2] {note}", file=sys.stderr)
        return len(notes)


# ---- the problem ----


def state_problem(
    estimator: Any, X: Rows, y: Rows, sample_weight: Any, *, classes: bool, goal: str
) -> Problem:
    """Everything up to the kernels. goal: "path" (down to alpha where it is given), "model" (the
    same, with intervals) or "all" (a path of which one point is chosen)."""
    require_target(estimator, y)
    settings, lambdas = settings_of(estimator, goal), lambda_values(estimator.alphas)
    threads = thread_count(estimator.n_jobs)
    inputs = read_rows(estimator, X, reset=True, least=1 if goal == "path" else 2)
    targets = read_classes(y, inputs.names) if classes else read_numbers(y, inputs.names)
    weights = read_weights(sample_weight, inputs.rows)
    _check_lengths(inputs.rows, targets, weights)
    further: list[tuple[str, Cells]] = list(targets.columns)
    weight = None
    if weights is not None:
        taken = inputs.names + targets.names
        weight = free_names([series_name(sample_weight) or "weight"], taken)[0]
        further.append((weight, weights))
    given = [] if inputs.stack is None else inputs.stack._square()
    with in_words_of_python(targets.names, weight):
        table = inputs.table(further)
        settings += _settings_of_data(estimator, inputs, targets, weight, table)
        plan = _core.Plan(table, goal, settings, given, lambdas)
    check_sparse(inputs, plan.is_linear, plan.kernels)
    kept = np.array(plan.data.source_rows) if plan.data.rows < inputs.rows else None
    problem = Problem(plan, inputs, targets, weight, kept, threads, bool(estimator.verbose))
    if goes_by_folds(estimator, goal) and hasattr(estimator, "cv"):
        with problem.words():
            split(plan, estimator.cv, estimator.repeats, y, kept, inputs.rows)
    return problem


# ---- rows that are counted ----


def state_counted(
    estimator: Any, X: Rows, y: Rows, sample_weight: Any, *, classes: bool, goal: str
) -> Problem | None:
    """The problem of statistics, of batches, and of arrays that are large; None of others."""
    _refuse_iterators(X)
    if not isinstance(X, (Statistics, Batches, ArrowBatches)) and not _is_large(estimator, X, goal):
        return None
    if isinstance(X, Statistics):
        return _of_statistics(estimator, X, y, sample_weight, classes=classes, goal=goal)
    if not isinstance(X, (Batches, ArrowBatches)):
        require_target(estimator, y)
    if _has_splits_of_its_own(estimator, goal):
        raise ValueError("cv should be a number of folds where rows are read in pieces")
    form = Form(classes, takes_missing(estimator), estimator.categorical)
    pieces = Pieces(batches_of(X, y, sample_weight), form)
    threads, verbose = thread_count(estimator.n_jobs), bool(estimator.verbose)
    settings = [*settings_of(estimator, goal), *pieces.settings()]
    progress = ProgressLine() if verbose else None
    with shown(progress):
        plan = pieces.plan(goal, settings, lambda_values(estimator.alphas), threads, progress)
    remember_columns(estimator, pieces.inputs.names, pieces.inputs.named)
    targets, weight = pieces.targets, pieces.form.weight
    return Problem(
        plan, pieces.inputs, targets, weight, None, threads, verbose, pieces, counted=True
    )


def _of_statistics(
    estimator: Any, statistics: Statistics, y: Rows, sample_weight: Any, *, classes: bool, goal: str
) -> Problem:
    if y is not None or sample_weight is not None:
        raise TypeError("statistics have counted y and sample_weight: fit(statistics) is enough")
    stats = statistics._counts()
    if classes != bool(stats.class_labels):
        name = type(estimator).__name__
        ours, theirs = ("classes", "numbers") if classes else ("numbers", "classes")
        raise ValueError(f"{name} learns {ours}, and the statistics are of a y of {theirs}")
    if _has_splits_of_its_own(estimator, goal):
        raise ValueError("cv should be None: the folds are those of the statistics")
    plan = _core.Plan.of_stats(
        stats, goal, settings_of(estimator, goal), lambda_values(estimator.alphas)
    )
    named = stats.inputs != default_names(len(stats.inputs))
    remember_columns(estimator, stats.inputs, named)
    targets = Targets([(name, []) for name in stats.targets], classes or len(stats.targets) == 1)
    inputs = Inputs(stats.rows, stats.inputs, named=named)
    threads, verbose = thread_count(estimator.n_jobs), bool(estimator.verbose)
    return Problem(plan, inputs, targets, stats.weight, None, threads, verbose, counted=True)


def _refuse_iterators(X: Rows) -> None:
    if isinstance(X, Iterator) or inspect.isfunction(X):
        raise TypeError(
            "rows that come in batches are given as rls2.Batches(function), where function() is "
            "called for each of two passes and makes an iterator over pairs (X, y)"
        )


def _is_large(estimator: Any, X: Rows, goal: str) -> bool:
    """An array or frame of which copies are better not made. A memory-mapped one is like others:
    joblib maps what it hands to its workers, and results should not depend on that."""
    if not (isinstance(X, np.ndarray) and X.ndim == 2) and not is_frame(X):
        return False
    return is_large(estimator, 8.0 * X.shape[0] * X.shape[1], goal)


def is_large(estimator: Any, numbers: float, goal: str) -> bool:
    """Bytes of rows, each number 8 of them, that are better read in pieces."""
    if numbers < _SMALL or _has_splits_of_its_own(estimator, goal):
        return False
    return _core.prefers_pieces(settings_of(estimator, goal), numbers)


#: Bytes below which nobody asks.
_SMALL = 1 << 16


def _has_splits_of_its_own(estimator: Any, goal: str) -> bool:
    return goes_by_folds(estimator, goal) and not draws_folds(estimator, goal)


def _settings_of_data(
    estimator: Any, inputs: Inputs, targets: Targets, weight: str | None, table: _core.Table
) -> list[tuple[str, str]]:
    """What X, y and sample_weight have become in the table."""
    categorical = categorical_names(inputs, estimator.categorical, table)
    return [
        ("task", "regression" if targets.classes is None else "classification"),
        *(("target", name) for name in targets.names),
        *(("categorical", name) for name in categorical),
        *([] if weight is None else [("row-weights", weight)]),
    ]


def read_weights(sample_weight: Any, rows: int) -> Floats | None:
    """Weights as numbers; whether they are allowed the library says."""
    if sample_weight is None:
        return None
    try:
        weights = np.asarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight should be a number for each row: {error}") from None
    if weights.ndim == 0:
        weights = np.full(rows, float(weights))
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    assert_all_finite(weights, input_name="sample_weight")
    if not np.any(weights):  # scikit-learn asks for the word
        raise ValueError("every weight in sample_weight is zero: there is nothing to learn from")
    return np.ascontiguousarray(weights)


def _check_lengths(rows: int, targets: Targets, weights: Floats | None) -> None:
    found = [len(cells) for _, cells in targets.columns]
    found += [] if weights is None else [len(weights)]
    if any(length != rows for length in found):
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {rows} rows, y "
            f"{found[0]}{'' if weights is None else f', sample_weight {len(weights)}'}"
        )


# ---- what is said about a fit ----


def warn_unless_converged(point: _core.Point, estimator: Any) -> None:
    """Of the model that is kept; other points of the path may stop where they like."""
    if point.outcome == "converged":
        return
    why = {
        "stalled": "rounding stops further progress",
        "max_iter": f"max_iter={estimator.max_iter} iterations were not enough",
    }[point.outcome]
    warnings.warn(
        f"lambda {point.lambda_:.6g}: {why}; the relative gap is {point.gap:.1e}, and gap_tol is "
        f"{estimator.gap_tol:.1e}",
        ConvergenceWarning,
        stacklevel=4,
    )


#: Above this share of the rows the degrees of freedom are as good as one for each row.
_INTERPOLATES = 0.95


def warn_if_it_interpolates(model: _core.Model, estimator: Any, rows: float) -> None:
    """Of a model that all but interpolates: what it says about its training rows says little."""
    alpha, alphas = model.lambda_, estimator.alphas_
    chosen = getattr(estimator, "alpha", None) is None and len(alphas) > 1
    df = max(model.point(o).df for o in range(model.outputs))
    if df > _INTERPOLATES * rows:
        why = f"alpha {alpha:.3g} leaves {df:.4g} degrees of freedom on {rows:.15g} rows: the fit"
    elif chosen and alpha <= min(alphas):
        why = (
            f"alpha {alpha:.3g}, which was chosen, is the smallest that was tried: if a smaller "
            "one is not better still, the fit"
        )
    else:
        return
    better = getattr(estimator, "rule", "1se") == "min"
    advice = "rule='1se'" if better else "cross-validation with rule='1se'"
    warnings.warn(
        f"{why} follows its training rows closely, so that its residuals, shares and noise "
        f"estimate say little; try {advice} or a larger alpha",
        UserWarning,
        stacklevel=4,
    )
