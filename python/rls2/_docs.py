"""The numpydoc sections that the estimators share, said once.

A class docstring names a section by ``{common}``, ``{single}`` and so on at the margin, and ``described`` puts
the text there.
"""

from __future__ import annotations

import inspect
from typing import TypeVar

_C = TypeVar("_C", bound=type)

COMMON = """\
kernels : str, list of str or None, default=None
    The dictionary of kernels to learn from, such as ``"linear"``, ``"paper"`` or ``"rbf(0.01:10:4)@all,each"``;
    several texts are terms of one dictionary (docs: `rls2 help dictionary`). None: ``"paper"``, polynomials and
    Gaussians of several widths on all columns together and on each alone; ``"linear"`` where there are more than
    200 columns; all matrices of a KernelStack.
groups : dict of str to (str or list of str), default=None
    Names for sets of columns, to write ``rbf(0.1)@group:NAME``. Patterns such as ``gene_*`` may be used.
scaling : {"trace", "none", "fisher", "fisher-sqrt"}, default="trace"
    How kernels are made comparable: by their trace, not at all, or by the spread within the classes
    (classification only).
center : bool, default=False
    With ``scaling="trace"``: the trace of the centred kernel, so that a constant part does not count.
features : {"none", "center", "standardize", "unit"}, default="none"
    What is done to each column, measured over the training rows.
examples : {"none", "center", "standardize", "unit"}, default="none"
    The same for each row, over its columns, before ``features``: for spectra or expression profiles.
standardize : bool, default=False
    Short for ``features="standardize"``: wise when columns are measured in different units.
categorical : list of str or int, default=None
    Columns taken as text, by name or number (from 0), and turned into 0/1 indicators; of an array of objects, such as
    ``df.values``, too. Text and category columns of frames are anyway.
reference : bool, default=False
    Leave out the last indicator of the first categorical column.
solver : {"newton", "alternate"}, default="newton"
    newton stops when the answer is proved good enough; alternate is the method of the paper, for comparison.
gap_tol : float, default=1e-6
    Precision that is proved for every answer: its objective is within this share of the best possible.
delta : float, default=1e-2
    Where ``solver="alternate"`` stops: its relative residual.
max_iter : int, default=200
    Most iterations for each lambda.
intercept : {"auto", "mean", "none"} or bool, default="auto"
    Constant part of the prediction: the mean of the target (True), or none (False). auto is the mean for
    regression; for classes it is none, as in the paper, unless every kernel is linear and so has no constant part
    of its own.
rank_tol : float, default=1e-14
    Low-rank factors leave out at most this share of a kernel's trace; what is left out is counted into every gap.
memory : str, int or None, default=None
    Store no more of the kernels than this, ``"500M"``, ``"2G"`` or a number of bytes; what does not fit is evaluated
    whenever it is needed, which takes longer and gives the same but for rounding. None: no limit.
n_jobs : int or None, default=None
    Threads: None is 1, -1 all cores. The results are the same to the last bit for any number.
random_state : int, RandomState, Generator or None, default=None
    Seed of the folds of cross-validation; None is the command's default, 0. Nothing else is random.
verbose : int, default=0
    Above 0: a line of progress on the standard error."""

SINGLE = """\
alpha : float or None, default=None
    The regularisation, called lambda in the paper and by the command: the larger, the smoother the model and the
    fewer its kernels. None: chosen along ``alphas`` by ``select``, from one path on all rows. With ``alphas``, of
    which it is one, the path over them is followed down to it; alone it is fitted by itself.
alphas : array-like of float, str or None, default=None
    Values to choose from: numbers, or "LO:HI:N" for N of them from LO to HI, each the same multiple of the one
    before. None: ``n_alphas`` values that suit the data.
n_alphas : int, default=30
    How many values, where ``alphas`` is None.
eps : float, default=1e-6
    Ratio of the smallest to the largest of them.
select : {"gcv", "cp", "aic", "bic", "loo"}, default="gcv"
    The criterion: generalised cross-validation, Mallows' Cp, Akaike's, Bayes', or leaving one row out with the kernel weights kept."""

CV = """\
alphas : array-like of float, str or None, default=None
    Values of lambda to choose from: numbers, or "LO:HI:N" for N of them from LO to HI, each the same multiple of the
    one before. None: ``n_alphas`` values that suit the data.
n_alphas : int, default=30
    How many values, where ``alphas`` is None.
eps : float, default=1e-6
    Ratio of the smallest to the largest of them.
cv : int, splitter, iterable, array or None, default=None
    None is 10 folds, a number that many, drawn as the command draws them (of classes every fold has its share); a
    scikit-learn splitter; pairs of (training rows, validation rows), of a splitter by groups
    ``list(splitter.split(X, y, groups))``; or an array of fold numbers, one for each
    row (rows with a negative one are always learned from).
repeats : int, default=1
    Do so that often with other folds.
rule : {"min", "1se"}, default="min"
    The best lambda, or the largest one (the simplest model) within one standard error of it.
scoring : str or None, default=None
    The measure on the rows left out: rmse, mse, mae, r2; accuracy, balanced-accuracy, auc, errors. None: rmse, r2
    of several targets, accuracy. They are the library's, with their natural sign.
select : {"cv", "gcv", "cp", "aic", "bic", "loo"}, default="cv"
    Cross-validation, or one of the criteria; then no folds are fitted.
baselines : bool, default=False
    Also score what is not learned on the same folds: averages of all kernels, the best aligned
    kernel, ridge regression on the inputs."""

CLASSES = """\
class_weight : dict, "balanced" or None, default=None
    Weights of the classes by label; "balanced" makes all count alike. They count in fits, not in scores."""

FITTED = """\
alpha_ : float
    The lambda of the model.
alphas_ : ndarray of shape (n_alphas,)
    The values looked at, descending.
path_ : PathSummary
    The path over ``alphas_`` on all rows: alphas, weights, gaps, df, objectives, n_selected.
kernel_names_ : list of str
    The m kernels of the dictionary.
kernel_weights_ : ndarray of shape (m,) or (n_outputs, m)
    Weights of the kernels, which sum to 1. There is one output for each target, or class where there are more
    than two.
kernel_scales_ : ndarray of shape (m,) or (n_outputs, m)
    By what each kernel was multiplied, as ``scaling`` says.
selected_ : ndarray of int
    Numbers of the kernels with a weight above 0 (in any output).
dual_coef_ : ndarray of shape (n_samples,) or (n_outputs, n_samples)
    Coefficients of the training rows in the learned kernel.
coef_ : ndarray of shape (n_columns,) or (n_outputs, n_columns)
    Coefficients in the units of the columns given; linear kernels only. Their names are ``coef_names_``.
coef_names_ : list of str
    Names of the columns the learner sees, in the order of ``coef_``: a column of text, or one in ``categorical``, is
    several of them, such as ``colour=red``.
intercept_ : float or ndarray of shape (n_outputs,)
    Constant part: of linear kernels the one that goes with ``coef_``, else ``offset_``.
offset_ : float or ndarray of shape (n_outputs,)
    What is added to the contributions of the kernels: the mean of y, or 0.
dual_gap_, objective_, df_ : float or ndarray of shape (n_outputs,)
    The certificate (relative duality gap), the objective and the degrees of freedom.
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
    alphas, mean_test_score, std_error, n_kernels, split_test_score of shape (n_alphas, n_splits), measure,
    greater_is_better, n_unconverged.
mse_path_ : ndarray of shape (n_alphas, n_splits)
    Mean squared errors; where the measure is rmse or mse.
baselines_ : dict
    Of each baseline alpha, mean_test_score and std_error; with ``baselines=True``."""

_SECTIONS = {"common": COMMON, "single": SINGLE, "cv": CV, "classes": CLASSES, "fitted": FITTED, "curve": CURVE}


def described(cls: _C) -> _C:
    """Puts the shared sections into the docstring of a class."""
    text = inspect.cleandoc(cls.__doc__ or "")
    for name, section in _SECTIONS.items():
        text = text.replace("{" + name + "}", section)
    cls.__doc__ = text
    return cls
