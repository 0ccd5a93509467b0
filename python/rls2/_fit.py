"""The life of a fit: a table, a plan of the library for it, and what the plan led to.

Bit for bit what `rls2 train` does with the same cells, settings and seed: both are the library's
rls2_plan_complete and rls2_plan_fit.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped]
from sklearn.utils import assert_all_finite  # type: ignore[import-untyped]

from . import _core
from ._cv import split
from ._frames import Cells, series_name
from ._inputs import Inputs, categorical_names, check_sparse, read_rows
from ._params import lambda_values, settings_of, thread_count
from ._progress import ProgressLine, shown
from ._targets import Targets, free_names, read_classes, read_numbers, require_target
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
            fit = self.plan.fit(self.threads, progress)
        self._tell_notes(told)
        return fit

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
    """Everything up to the kernels. goal: "path" (down to alpha where it is given) or "all" (a path
    of which one point is chosen)."""
    require_target(estimator, y)
    settings, lambdas = settings_of(estimator, goal), lambda_values(estimator.alphas)
    threads = thread_count(estimator.n_jobs)
    inputs = read_rows(estimator, X, reset=True, least=2 if goal == "all" else 1)
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
    if goal == "all" and estimator.select == "cv":
        with problem.words():
            split(plan, estimator.cv, estimator.repeats, y, kept, inputs.rows)
    return problem


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
