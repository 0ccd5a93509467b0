"""The path: what is selected, and how well it is proved, for each value of lambda."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._types import Floats, Ints


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
        Degrees of freedom (of several outputs the sum); NaN where they were left out, see `df`.
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

    def __init__(self, plan: _core.Plan, fit: _core.Fit) -> None:
        points = [fit.point(i) for i in range(len(fit.lambdas))]
        self.alphas: Floats = np.array(fit.lambdas)
        self.kernel_names = list(plan.kernel_names)
        self.output_names = list(plan.data.output_names)
        self.column_names = list(plan.data.names)
        self._spec = plan.kernels
        self._fit = fit if plan.is_linear else None  # which has no large matrices then
        self._coef: Floats | None = None
        self.objectives: Floats = np.array([point.objective for point in points])
        self.gaps: Floats = np.array([point.gap for point in points])
        self.df: Floats = np.array([point.df for point in points])
        self.n_iter: Ints = np.array([point.iterations for point in points], dtype=np.int64)
        self.outcomes = [point.outcome for point in points]
        self.n_selected: Ints = np.array([point.selected for point in points], dtype=np.int64)
        self._selected = [
            [_selection(fit, o, i) for i in range(len(points))] for o in range(fit.outputs)
        ]

    @property
    def coef(self) -> Floats:
        """Coefficients of the columns the learner sees (after any standardising), (n_alphas,
        n_columns), or (outputs, n_alphas, n_columns) of several outputs; linear kernels only."""
        if self._coef is None:
            if self._fit is None:
                raise AttributeError(
                    f"coef is there for linear kernels only, and the dictionary is '{self._spec}'"
                )
            outputs = range(len(self.output_names))
            self._coef = np.stack([path_coefficients(self._fit, o) for o in outputs])
        return self._coef[0] if len(self._coef) == 1 else self._coef

    def __getstate__(self) -> dict[str, Any]:
        """The fit itself stays where it was made."""
        if self._fit is not None:
            _ = self.coef
        return {**self.__dict__, "_fit": None}

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
            f"{self.alphas[-1]:.4g}, {self.n_selected.min()} to {self.n_selected.max()} of "
            f"{len(self.kernel_names)} kernels, "
            f"largest gap {self.gaps.max():.1e}>"
        )


def _selection(fit: _core.Fit, output: int, i: int) -> tuple[Ints, Floats]:
    kernels, weights = fit.weights(output, i)
    return np.array(kernels, dtype=np.int64), np.array(weights, dtype=np.float64)


def dual_coefficients(fit: _core.Fit, output: int) -> Floats:
    """c at each lambda, (n_alphas, n)."""
    return np.stack([np.array(fit.c(output, i)) for i in range(len(fit.lambdas))])


def path_coefficients(fit: _core.Fit, output: int) -> Floats:
    """Coefficients of the columns the learner sees at each lambda, (n_alphas, p)."""
    models = (fit.model(i) for i in range(len(fit.lambdas)))
    return np.stack([np.array(model.coefficients(output)) for model in models])
