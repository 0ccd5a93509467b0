"""rls2_path: the whole path of a problem, without an estimator."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from . import _core
from ._base import Estimator, NewRows
from ._batches import Batches
from ._estimators import RLS2Classifier, RLS2Regressor
from ._fit import Problem, state_problem
from ._inputs import read_rows
from ._path import PathSummary, dual_coefficients
from ._statistics import Statistics
from ._types import Floats, Rows


class RLS2Path(PathSummary):
    __doc__ = f"{inspect.cleandoc(PathSummary.__doc__ or '')}\n" + inspect.cleandoc(
        """
        dual_coef : ndarray of shape (n_alphas, n_samples) or (n_outputs, n_alphas, n_samples)
            Coefficients of the rows in the learned kernel.
        intercept : float, or ndarray of shape (n_outputs,), (n_alphas,) or (n_outputs, n_alphas)
            The mean of y, or 0; with another loss the best constant. A free one is another at
            each lambda.
        kernel_scales : ndarray of shape (m,) or (n_outputs, m)
            By what each kernel was multiplied.
        """
    )

    def __init__(self, problem: Problem, fit: _core.Fit, template: Estimator) -> None:
        super().__init__(problem.plan, fit)
        self._whole = fit
        self._template = template
        outputs = range(fit.outputs)
        self.dual_coef = self._by_output(np.stack([dual_coefficients(fit, o) for o in outputs]))
        self.intercept = self._by_output(np.array([self._intercept(o) for o in outputs]))
        self.kernel_scales = self._by_output(np.stack([np.array(s) for s in fit.scales]))

    def _by_output(self, values: Any) -> Any:
        return values[0] if len(values) == 1 else values

    def _intercept(self, output: int) -> Any:
        """One number, or, where it is free, one for each lambda."""
        values = [self._whole.intercept(output, i) for i in range(len(self))]
        return np.array(values) if self._template.model_.intercept_is_free else values[0]

    def predict(self, X: Rows) -> Floats:
        """Predictions of every point, (n_samples, n_alphas) or (n_outputs, n_samples, n_alphas): of
        the response, or of classes as ``decision_function`` has them."""
        inputs = read_rows(self._template, X, reset=False)
        rows = NewRows(self._template, inputs, whole=True)  # other points use other columns
        values = [
            np.array(self._whole.predict(o, rows.x, rows.count, rows.given)).reshape(
                (rows.count, -1), order="F"
            )
            for o in range(self._whole.outputs)
        ]
        answer: Floats = self._by_output(self._responses(np.stack(values)))
        return answer

    def _responses(self, values: Floats) -> Floats:
        """From the scale of the loss to that of the response, (outputs, rows, alphas)."""
        model = self._template.model_
        points = [
            np.array(model.respond(np.asfortranarray(values[:, :, i].T))).reshape(
                (values.shape[1], -1), order="F"
            )
            for i in range(values.shape[2])
        ]
        return np.stack([point.T for point in points], axis=2)


def rls2_path(
    X: Rows, y: Rows, *, classification: bool = False, sample_weight: Any = None, **params: Any
) -> RLS2Path:
    """Fit the whole path, largest lambda first, each point with its certificate.

    Parameters
    ----------
    X, y, sample_weight
        As for ``fit``.
    classification : bool, default=False
        Whether y holds classes.
    **params
        Parameters of RLS2Regressor, or RLS2Classifier: alphas, n_alphas, eps, kernels, scaling,
        standardize, ...; not alpha and select, which choose one lambda.

    Returns
    -------
    RLS2Path
        alphas, weights, objectives, gaps, df, n_selected, dual_coef, intercept, coef (linear
        kernels) and ``predict(X)``.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rls2 import rls2_path
    >>> X, y = load_diabetes(return_X_y=True)
    >>> path = rls2_path(X, y, kernels="linear", n_alphas=20)
    >>> path.weights.shape
    (20, 10)
    >>> bool(path.gaps.max() < 1e-6)
    True
    """
    if "alpha" in params or "select" in params:
        raise TypeError("rls2_path fits all of `alphas`; alpha and select are for the estimators")
    if isinstance(X, (Batches, Statistics)):
        raise TypeError("rls2_path learns from rows in memory; estimators have a path_ of others")
    template = (RLS2Classifier if classification else RLS2Regressor)(**params)
    problem = state_problem(template, X, y, sample_weight, classes=classification, goal="path")
    fit = problem.fit()
    template.model_ = fit.model(0)
    template._remember_inputs(problem.inputs, problem.kept)
    return RLS2Path(problem, fit, template)
