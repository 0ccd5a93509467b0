"""The path: what is selected, and how well it is proved, for each value of lambda."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._params import is_linear
from ._types import Floats, Ints

_OUTCOMES = ("converged", "stalled", "max_iter")


class PathSummary:
    """What became of each lambda of a path, largest first; of several outputs all together.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        Values of lambda, descending.
    kernel_names : list of str
        The m kernels of the dictionary.
    output_names : list of str
        Targets, or classes where there are more than two.
    objectives : ndarray of shape (n_alphas,)
        Objective reached (of several outputs the sum).
    gaps : ndarray of shape (n_alphas,)
        Relative duality gap: the objective is at most this share above the best possible (of
        several outputs the largest).
    df : ndarray of shape (n_alphas,)
        Degrees of freedom (of several outputs the sum).
    n_iter : ndarray of shape (n_alphas,)
        Iterations (of several outputs the sum).
    n_selected : ndarray of shape (n_alphas,)
        Kernels that any output selects.
    column_names : list of str
        The columns the learner sees: text has become indicators.
    coef : ndarray of shape (n_alphas, n_columns) or (n_outputs, n_alphas, n_columns)
        Their coefficients (of standardised columns where they were standardised); linear kernels
        only.
    outcomes : list of str
        "converged", "stalled" or "max_iter" (of several outputs the worst).
    """

    def __init__(
        self, path: _core.Path, output_names: list[str], column_names: list[str], spec: str
    ) -> None:
        outputs, count = range(path.outputs), len(path.lambdas)
        points = [[path.point(o, i) for i in range(count)] for o in outputs]
        self.alphas: Floats = np.array(path.lambdas)
        self.kernel_names = list(path.kernel_names)
        self.output_names = output_names
        self.column_names = list(column_names)
        self._spec = spec
        self._path = path if is_linear(spec) else None  # which has no large matrices then
        self._coef: Floats | None = None
        self.objectives = _over_outputs(points, "objective").sum(axis=0)
        self.gaps = _over_outputs(points, "gap").max(axis=0)
        self.df = _over_outputs(points, "df").sum(axis=0)
        self.n_iter: Ints = _over_outputs(points, "iterations").sum(axis=0).astype(np.int64)
        self.outcomes = [
            max((p[i].outcome for p in points), key=_OUTCOMES.index) for i in range(count)
        ]
        self._selected = [[_selection(path, o, i) for i in range(count)] for o in outputs]
        self.n_selected: Ints = np.array(
            [len(set().union(*(of[i][0].tolist() for of in self._selected))) for i in range(count)],
            dtype=np.int64,
        )

    @property
    def coef(self) -> Floats:
        """Coefficients of the columns the learner sees (after any standardising), (n_alphas,
        n_columns), or (outputs, n_alphas, n_columns) of several outputs; linear kernels only."""
        if not is_linear(self._spec):
            raise AttributeError(
                f"coef is there for linear kernels only, and the dictionary is '{self._spec}'"
            )
        if self._coef is None:
            assert self._path is not None
            self._coef = np.stack(
                [path_coefficients(self._path, o) for o in range(len(self.output_names))]
            )
        return self._coef[0] if len(self._coef) == 1 else self._coef

    def __getstate__(self) -> dict[str, Any]:
        """The path itself stays where it was fitted."""
        if is_linear(self._spec):
            _ = self.coef
        return {**self.__dict__, "_path": None}

    @property
    def weights(self) -> Floats:
        """Weights of the kernels, (n_alphas, m), or (outputs, n_alphas, m) of several outputs."""
        dense = np.stack([self.weights_of(o) for o in range(len(self.output_names))])
        return dense[0] if len(dense) == 1 else dense

    def weights_of(self, output: int) -> Floats:
        """Weights of the kernels for one output, (n_alphas, m)."""
        dense = np.zeros((len(self.alphas), len(self.kernel_names)))
        for i, (kernels, weights) in enumerate(self._selected[output]):
            dense[i, kernels] = weights
        return dense

    def __len__(self) -> int:
        return len(self.alphas)

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__}: {len(self)} values of lambda from {self.alphas[0]:.4g} to "
            f"{self.alphas[-1]:.4g}, "
            f"{self.n_selected.min()} to {self.n_selected.max()} of {len(self.kernel_names)} "
            "kernels, "
            f"largest gap {self.gaps.max():.1e}>"
        )


def _over_outputs(points: list[list[_core.Point]], name: str) -> Floats:
    """(outputs, n_alphas)"""
    return np.array([[getattr(point, name) for point in of] for of in points], dtype=np.float64)


def _selection(path: _core.Path, output: int, i: int) -> tuple[Ints, Floats]:
    kernels, weights = path.weights(output, i)
    return np.array(kernels, dtype=np.int64), np.array(weights, dtype=np.float64)


def least_index(path: _core.Path, criterion: str) -> tuple[int, float]:
    """The largest lambda at the least value of a criterion, summed over the outputs, each with
    noise of its own.
    """
    values = np.sum(
        [[getattr(c, criterion) for c in path.criteria(o)] for o in range(path.outputs)], axis=0
    )
    finite = np.isfinite(values)
    if not finite.any():
        raise ValueError(f"select={criterion!r}: not defined for any lambda")
    best = int(np.argmin(np.where(finite, values, np.inf)))
    return best, float(values[best])


def dual_coefficients(path: _core.Path, output: int) -> Floats:
    """c at each lambda, (n_alphas, n)."""
    return np.stack([np.array(path.c(output, i)) for i in range(len(path.lambdas))])


def path_coefficients(path: _core.Path, output: int) -> Floats:
    """Coefficients of the columns the learner sees at each lambda, (n_alphas, p)."""
    return np.stack(
        [np.array(path.model(i).coefficients(output)) for i in range(len(path.lambdas))]
    )


def worst_point(points: list[_core.Point]) -> Any:
    """Of the points of one lambda the one that came least far."""
    return max(points, key=lambda point: (_OUTCOMES.index(point.outcome), point.gap))
