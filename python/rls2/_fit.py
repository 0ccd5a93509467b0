"""The life of a fit, in the command's order: table, data, path, choice of lambda, model.

Bit for bit what `rls2 train` does with the same cells, options and seed: lambda is chosen on a path or by
cross-validation, and the model is the point of the path over all rows at that lambda.
"""

from __future__ import annotations

import warnings
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped]
from sklearn.utils import assert_all_finite  # type: ignore[import-untyped]

from . import _core
from ._cv import make_splits, measure_name
from ._frames import Cells, series_name
from ._inputs import Inputs, categorical_names, check_sparse, read_rows
from ._params import (
    check_alpha,
    check_simple,
    class_weight_text,
    feature_preparation,
    group_texts,
    intercept_rule,
    kernel_text,
    lambda_values,
    lambdas_down_to,
    memory_bytes,
    scaling_rule,
    seed_of,
    thread_count,
)
from ._path import least_index, worst_point
from ._progress import ProgressLine, shown
from ._targets import Targets, free_names, read_classes, read_numbers, require_target
from ._types import Floats, Ints, Rows
from ._words import in_words_of_python


@dataclass
class Problem:
    """A data set with all that is asked about it."""

    table: _core.Table
    data: _core.Data
    recipe: _core.Recipe
    inputs: Inputs
    targets: Targets
    kept: Ints | None
    rows: int
    y: Any
    threads: int
    progress: ProgressLine | None

    def path(self, recipe: _core.Recipe) -> _core.Path:
        with shown(self.progress), self.words():
            return _core.Path(self.data, recipe, True, self.threads, self.progress)

    def words(self) -> AbstractContextManager[None]:
        """Messages of the library about this problem, in the words of who stated it."""
        return in_words_of_python(self.targets.names, self.recipe.get("weight"))


@dataclass
class Fitted:
    """What a fit leaves behind: a path, and the point of it that is the model."""

    path: _core.Path
    index: int
    cv: _core.CV | None = None

    @property
    def alpha(self) -> float:
        return float(self.path.lambdas[self.index])

    @property
    def points(self) -> list[_core.Point]:
        return [self.path.point(o, self.index) for o in range(self.path.outputs)]


# ---- the problem ----


def state_problem(estimator: Any, X: Rows, y: Rows, sample_weight: Any, *, classes: bool, least: int) -> Problem:
    """Everything up to the data set, and the recipe for what follows."""
    require_target(estimator, y)
    check_simple(estimator)
    inputs = read_rows(estimator, X, reset=True, least=least)
    targets = read_classes(y, inputs.names) if classes else read_numbers(y, inputs.names)
    weights = read_weights(sample_weight, inputs.rows)
    _check_lengths(inputs.rows, targets, weights)
    rows, kept = inputs.rows, _kept_rows(weights)
    if kept is not None and weights is not None:
        inputs, targets, weights = inputs.take(kept), targets.take(kept), weights[kept]
    further: list[tuple[str, Cells]] = list(targets.columns)
    recipe = data_recipe(estimator, inputs, targets)
    if weights is not None:
        recipe["weight"] = free_names([series_name(sample_weight) or "weight"], inputs.names + targets.names)[0]
        further.append((recipe["weight"], weights))
    table = inputs.table(further)
    with in_words_of_python(targets.names, recipe.get("weight")):
        data = _core.Data(table, recipe)
    add_kernels(estimator, recipe, data, inputs)
    threads, progress = thread_count(estimator.n_jobs), ProgressLine() if estimator.verbose else None
    return Problem(table, data, recipe, inputs, targets, kept, rows, y, threads, progress)


def data_recipe(estimator: Any, inputs: Inputs, targets: Targets) -> _core.Recipe:
    """The part of the recipe that makes a data set of a table."""
    recipe: _core.Recipe = {
        "targets": targets.names,
        "drop_missing": False,
        "classify": 0 if targets.classes is None else 1,
        "reference": bool(estimator.reference),
        "categorical": categorical_names(inputs, estimator.categorical),
        "examples": estimator.examples,
        "features": feature_preparation(estimator.features, estimator.standardize),
    }
    if inputs.stack is not None:
        recipe["given_names"] = inputs.stack.names
        recipe["given"] = inputs.stack._square()
    return recipe


def add_kernels(estimator: Any, recipe: _core.Recipe, data: _core.Data, inputs: Inputs) -> None:
    """The part that makes kernels and a path of a data set."""
    class_weight = getattr(estimator, "class_weight", None)
    spec = kernel_text(estimator.kernels, len(data.names), [] if inputs.stack is None else inputs.stack.names)
    check_sparse(inputs, spec)
    recipe["kernels"] = spec
    recipe["groups"] = group_texts(estimator.groups, list(data.names))
    recipe["scaling"] = scaling_rule(estimator.scaling, len(data.class_labels))
    recipe["center"] = bool(estimator.center)
    recipe["skip_degenerate"] = True
    recipe["rank_tol"] = float(estimator.rank_tol)
    recipe["solver"] = estimator.solver
    recipe["intercept"] = intercept_rule(estimator.intercept, len(data.class_labels), spec, class_weight)
    recipe["gap_tol"] = float(estimator.gap_tol)
    recipe["delta"] = float(estimator.delta)
    recipe["max_iter"] = int(estimator.max_iter)
    weights, memory = class_weight_text(class_weight), memory_bytes(estimator.memory)
    if weights is not None:
        recipe["class_weights"] = weights
    if memory is not None:
        recipe["memory"] = recipe["solver_memory"] = memory


def grid(recipe: _core.Recipe, alphas: Any, n_alphas: int, eps: float) -> _core.Recipe:
    """The recipe with values of lambda: those given, or how many the library is to choose."""
    if alphas is not None:
        return {**recipe, "lambdas": lambda_values(alphas)}
    if n_alphas < 1:
        raise ValueError(f"n_alphas={n_alphas} should be at least 1")
    return {**recipe, "lambda_count": int(n_alphas), "ratio": float(eps)}


def read_weights(sample_weight: Any, rows: int) -> Floats | None:
    """Weights as numbers; whether they are allowed the library says."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(rows, float(weights))
    if weights.ndim != 1:
        raise ValueError("Sample weights must be 1D array or scalar")
    assert_all_finite(weights, input_name="sample_weight")
    return np.ascontiguousarray(weights)


def _check_lengths(rows: int, targets: Targets, weights: Floats | None) -> None:
    found = [len(cells) for _, cells in targets.columns] + ([] if weights is None else [len(weights)])
    if any(length != rows for length in found):
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {rows} rows, y "
            f"{found[0]}{'' if weights is None else f', sample_weight {len(weights)}'}"
        )


def _kept_rows(weights: Floats | None) -> Ints | None:
    """Rows of weight 0 are as if they were not there; None where there is no such row."""
    if weights is None or np.all(weights != 0.0):
        return None
    kept = np.flatnonzero(weights != 0.0).astype(np.int64)
    if not len(kept):
        raise ValueError("every weight in sample_weight is zero: there is nothing to learn from")
    return kept


# ---- fitting ----


def fit_single(estimator: Any, problem: Problem) -> Fitted:
    """At alpha, or at the value a criterion chooses."""
    if estimator.alpha is None:
        return fit_by_criterion(estimator, problem)
    alpha = check_alpha(estimator.alpha)
    way = np.array([alpha]) if estimator.alphas is None else lambdas_down_to(alpha, lambda_values(estimator.alphas))
    return Fitted(problem.path({**problem.recipe, "lambdas": way}), len(way) - 1)


def fit_by_criterion(estimator: Any, problem: Problem) -> Fitted:
    if estimator.select not in _core.Criteria._fields[2:]:
        raise ValueError(f"select={estimator.select!r} should be one of {', '.join(_core.Criteria._fields[2:])}")
    path = problem.path(grid(problem.recipe, estimator.alphas, estimator.n_alphas, estimator.eps))
    best, _ = least_index(path, estimator.select)
    return Fitted(path, best)


def fit_cv(estimator: Any, problem: Problem) -> Fitted:
    """At the value that predicts left-out rows best, or at the largest within one standard error of it."""
    if estimator.select != "cv":
        return fit_by_criterion(estimator, problem)
    if estimator.rule not in ("min", "1se"):
        raise ValueError(f"rule={estimator.rule!r} should be 'min' or '1se'")
    recipe = grid(problem.recipe, estimator.alphas, estimator.n_alphas, estimator.eps)
    seed = seed_of(estimator.random_state)
    with problem.words():
        splits = make_splits(estimator.cv, estimator.repeats, seed, problem.data, problem.y, problem.kept, problem.rows)
    measure, baselines = measure_name(estimator.scoring), bool(estimator.baselines)
    with shown(problem.progress), problem.words():
        cv = _core.CV(problem.table, recipe, splits, measure, baselines, problem.threads, problem.progress)
    if cv.min < 0:
        raise ValueError(f"the measure '{cv.measure}' is not defined on any of the splits")
    path = problem.path({**problem.recipe, "lambdas": np.array(cv.lambdas)})
    return Fitted(path, cv.one_se if estimator.rule == "1se" else cv.min, cv)


def warn_unless_converged(fitted: Fitted, estimator: Any) -> None:
    """Of the model that is kept; points of a path that is only looked at may stop where they like."""
    worst = worst_point(fitted.points)
    if worst.outcome == "converged":
        return
    why = {
        "stalled": "rounding stops further progress",
        "max_iter": f"max_iter={estimator.max_iter} iterations were not enough",
    }[worst.outcome]
    warnings.warn(
        f"lambda {worst.lambda_:.6g}: {why}; the relative gap is {worst.gap:.1e}, and gap_tol is {estimator.gap_tol:.1e}",
        ConvergenceWarning,
        stacklevel=4,
    )


#: Above this share of the rows the degrees of freedom are as good as one for each row.
_INTERPOLATES = 0.95


def warn_if_it_interpolates(fitted: Fitted, estimator: Any, rows: float) -> None:
    """Of a model that has followed its rows as far as it was let: what it says about them says little."""
    chosen = getattr(estimator, "alpha", None) is None and len(fitted.path.lambdas) > 1
    smallest = chosen and fitted.alpha <= min(fitted.path.lambdas)
    df = max(point.df for point in fitted.points)
    if df > _INTERPOLATES * rows:
        why = f"alpha {fitted.alpha:.3g} leaves {df:.4g} degrees of freedom on {rows:.15g} rows: the fit follows its training"
    elif smallest:
        why = (
            f"alpha {fitted.alpha:.3g}, which was chosen, is the smallest that was tried: if a smaller one is not better "
            "still, the fit follows its training"
        )
    else:
        return
    advice = "rule='1se'" if getattr(estimator, "rule", "1se") == "min" else "cross-validation with rule='1se'"
    warnings.warn(
        f"{why} rows closely, so that its residuals, shares and noise estimate say little; try {advice} or a larger alpha",
        UserWarning,
        stacklevel=4,
    )
