"""The numpydoc sections of the estimators: parameters from the table of settings, attributes here.

A class docstring names a section by ``{parameters}``, ``{fitted}`` and so on at the margin, and
``described`` puts the text there.
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, TypeVar

from ._params import Parameter

_C = TypeVar("_C", bound=type)


def _entry(parameter: Parameter) -> str:
    default: Any = parameter.default
    written = f'"{default}"' if isinstance(default, str) else repr(default)
    text = textwrap.fill(parameter.text, 96, break_long_words=False, break_on_hyphens=False)
    head = f"{parameter.name} : {parameter.kind}, default={written}"
    return head + "\n" + textwrap.indent(text, "    ")


FITTED = """\
alpha_ : float
    The lambda of the model.
alphas_ : ndarray of shape (n_alphas,)
    The values of the path, descending.
path_ : PathSummary
    The path over ``alphas_`` on all rows: alphas, weights, gaps, df, objectives, n_selected.
kernel_names_ : list of str
    The m kernels of the dictionary.
kernel_weights_ : ndarray of shape (m,) or (n_outputs, m)
    Weights of the kernels, which sum to 1. There is one output for each target, or class where
    there are more than two.
kernel_scales_ : ndarray of shape (m,) or (n_outputs, m)
    Factor each kernel was multiplied by, as ``scaling`` says.
kernel_shares_ : ndarray of shape (m,) or (n_outputs, m)
    Share of the variance of y in left-out rows that each kernel explains, where lambda was chosen
    by cross-validation; they sum to the share that the predictions explain. That of a kernel that
    follows noise is near 0, or below.
selection_frequency_ : ndarray of shape (n_features_in_,)
    Share of the splits of cross-validation that selected each column, at the chosen lambda: a
    kernel that looks at it alone, or at it and one or two others. Splits share most of their rows,
    and agree more than new data would; ``stability`` is stricter.
kernel_selection_frequency_ : ndarray of shape (m,)
    Share of the splits that selected each kernel, in any output.
selected_ : ndarray of int
    Indices of the kernels with a weight above 0 (in any output).
dual_coef_ : ndarray of shape (n_samples,) or (n_outputs, n_samples)
    Coefficients of the training rows in the learned kernel.
coef_ : ndarray of shape (n_columns,) or (n_outputs, n_columns)
    Coefficients in the units of the columns given; linear kernels only. Their names are
    ``coef_names_``.
coef_names_ : list of str
    Names of the columns the learner sees, in the order of ``coef_``. A column of text, or one in
    ``categorical``, is several of them, such as ``colour=red``; a date has its parts,
    ``when.month``; one with missing values that were imputed has ``age=missing``.
intercept_ : float or ndarray of shape (n_outputs,)
    Constant part: of linear kernels the one that goes with ``coef_``, else ``offset_``.
offset_ : float or ndarray of shape (n_outputs,)
    What is added to the contributions of the kernels: the mean of y, or 0; with another loss than
    the square one, or ``intercept="free"``, the constant that was found with the rest.
dual_gap_, objective_, df_ : float or ndarray of shape (n_outputs,)
    The certificate (relative duality gap), the objective and the degrees of freedom (NaN of losses
    with kinks: hinge, quantile, absolute, epsilon).
n_iter_, outcome_ : int and str, or ndarray of shape (n_outputs,)
    Iterations, and "converged", "stalled" or "max_iter".
contribution_names_ : list of str
    Columns of ``predict_contributions``.
n_features_in_ : int
    Columns seen during fit.
feature_names_in_ : ndarray of str
    Their names, where X was a frame.
model_ : rls2._core.Model
    The model of the library."""

CURVE = """\
alpha_min_, alpha_1se_ : float
    The best lambda and the largest within one standard error of it, whichever ``rule`` takes.
best_score_ : float
    The measure at ``alpha_``, on left-out rows.
cv_results_ : dict
    alphas, mean_test_score, std_error, n_kernels, split_test_score of shape (n_alphas, n_splits),
    measure, greater_is_better, n_unconverged. With ``interval`` also interval_coverage, the share
    of left-out rows within intervals that were calibrated on the left-out rows of other splits,
    interval_width, their mean width, and interval_coverage_std_error, interval_width_std_error, of
    shape (n_alphas,) or (n_alphas, n_targets); as all of this, of the path, not of a stack.
stability_scores_ : ndarray of shape (n_features_in_,)
    With ``stability``: share of the halves of the rows that selected each column.
kernel_stability_scores_ : ndarray of shape (m,)
    With ``stability``: share of the halves that selected each kernel, in any output.
stable_ : ndarray of int
    With ``stability``: indices of the stable columns, which at least 75 % of the halves selected.
stability_ : dict
    With ``stability``: how many ``halves`` there were and of how many ``rows``, the ``limit`` of
    columns that a half selects of all ``inputs`` and the ``mean`` it did select, the ``threshold``
    and the number of halves it stands for (``least``), and how many columns are expected to be
    stable by mistake: at most ``errors`` whatever the data are, at most ``likely_errors`` if the
    frequencies of noise are r-concave.
mse_path_ : ndarray of shape (n_alphas, n_splits)
    Mean squared errors; where the measure is rmse or mse.
baselines_ : dict
    Of each baseline alpha, mean_test_score and std_error; with ``baselines=True``."""


def described(cls: _C) -> _C:
    """Puts parameters and shared sections into the docstring of a class."""
    sections = {
        "parameters": "\n".join(_entry(p) for p in cls._parameters),  # type: ignore[attr-defined]
        "fitted": FITTED,
        "curve": CURVE,
    }
    text = inspect.cleandoc(cls.__doc__ or "")
    for name, section in sections.items():
        text = text.replace("{" + name + "}", section)
    cls.__doc__ = text
    return cls
