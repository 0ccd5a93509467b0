"""The estimators: parameters, fit, predict, and nothing that has a better place."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin  # type: ignore[import-untyped]
from sklearn.utils import column_or_1d  # type: ignore[import-untyped]

from . import _core
from ._base import Estimator
from ._cv import baseline_table, curve, squared_errors
from ._docs import described
from ._fit import Fitted, Problem, fit_cv
from ._frames import Cells
from ._targets import match_classes, read_classes, read_numbers, signs
from ._types import (
    ClassWeight,
    Columns,
    Criterion,
    Floats,
    Groups,
    Intercept,
    Ints,
    KernelText,
    Preparation,
    Rows,
    Scaling,
    Solver,
)


class _Regression(RegressorMixin, Estimator):  # type: ignore[misc]
    """Numbers, one or several for each row."""

    def fit(self, X: Rows, y: Rows, sample_weight: Any = None) -> Self:
        """Learn from rows and their targets.

        Parameters ---------- X : array-like or frame of shape (n_samples, n_features), sparse
        matrix, KernelStack or list of matrices
            Training rows. Sparse ones are for linear kernels.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets; several are learned each on its own, with one lambda for all.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for; one of weight 0 is as if it were not there.

        Returns
        -------
        self
        """
        self._learn(X, y, sample_weight)
        return self

    def predict(self, X: Rows, return_std: bool = False) -> Any:
        """Predict targets.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Rows with the columns of the training rows.
        return_std : bool, default=False
            Also the standard deviation of each prediction, read as that of a Gaussian process with
            the learned kernel and a noise estimated from the training rows. It is that of the
            function: the noise of a new observation is left out.

        Returns
        -------
        y : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        std : ndarray of the same shape
            With ``return_std`` only.
        """
        values = self._shaped(self._raw(X))
        return (values, self._shaped(self._deviations(X))) if return_std else values

    def _shaped(self, values: Floats) -> Floats:
        return values[:, 0] if self._flat else values

    def _responses(self, y: Rows) -> Floats:
        return np.column_stack([np.asarray(cells) for cells in self._target_cells(y)])

    def _target_cells(self, y: Rows) -> list[Cells]:
        return [cells for _, cells in read_numbers(y, []).columns]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags


class _Classification(ClassifierMixin, Estimator):  # type: ignore[misc]
    """Two classes as -1 and +1; of more each against all others."""

    _is_classifier = True
    classes_: NDArray[Any]

    def fit(self, X: Rows, y: Rows, sample_weight: Any = None) -> Self:
        """Learn from rows and their classes.

        Parameters ---------- X : array-like or frame of shape (n_samples, n_features), sparse
        matrix, KernelStack or list of matrices
            Training rows. Sparse ones are for linear kernels.
        y : array-like of shape (n_samples,)
            Labels: numbers, texts or truth values.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for; one of weight 0 is as if it were not there.

        Returns
        -------
        self
        """
        problem = self._learn(X, y, sample_weight)
        assert problem.targets.classes is not None
        self._set_classes(problem.targets.classes)
        return self

    def _set_classes(self, classes: NDArray[Any]) -> None:
        self.classes_, self._class_order = match_classes(list(self.model_.class_labels), classes)

    def decision_function(self, X: Rows) -> Floats:
        """How strongly the model speaks for each class.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Of two classes: positive for ``classes_[1]``. Of more: the largest wins.
        """
        values = self._raw(X)
        if self.model_.outputs > 1:
            return values[:, self._class_order]
        return values[:, 0] if self._class_order[0] == 0 else -values[:, 0]

    def predict(self, X: Rows) -> NDArray[Any]:
        """Predict classes.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels, as they were in y.
        """
        values = np.asfortranarray(self._raw(X))
        decided = np.asarray(_core.decide(values, self.model_.outputs))
        labels: NDArray[Any] = self.classes_[np.argsort(self._class_order)[decided]]
        return labels

    def _responses(self, y: Rows) -> Floats:
        labels = column_or_1d(y, warn=True)
        codes: Ints = np.searchsorted(self.classes_, labels).clip(0, len(self.classes_) - 1)
        if not np.array_equal(self.classes_[codes], labels):
            raise ValueError("y holds labels that are none of the classes of the model")
        return signs(self._class_order[codes], self.model_.outputs)

    def _target_cells(self, y: Rows) -> list[Cells]:
        return [cells for _, cells in read_classes(y, []).columns]


class _ByCrossValidation(Estimator):
    """What cross-validation leaves behind."""

    rule: str
    cv_results_: dict[str, Any]
    alpha_min_: float
    alpha_1se_: float
    best_score_: float
    mse_path_: Floats
    baselines_: dict[str, dict[str, float]]

    def _choose(self, problem: Problem) -> Fitted:
        return fit_cv(self, problem)

    def _remember_choice(self, fitted: Fitted) -> None:
        for name in (
            "cv_results_",
            "alpha_min_",
            "alpha_1se_",
            "best_score_",
            "mse_path_",
            "baselines_",
        ):
            self.__dict__.pop(name, None)
        if fitted.cv is None:
            return
        self.cv_results_ = curve(fitted.cv)
        alphas, means = self.cv_results_["alphas"], self.cv_results_["mean_test_score"]
        self.alpha_min_, self.alpha_1se_ = (
            float(alphas[fitted.cv.min]),
            float(alphas[fitted.cv.one_se]),
        )
        self.best_score_ = float(means[fitted.cv.one_se if self.rule == "1se" else fitted.cv.min])
        squares = squared_errors(self.cv_results_)
        if squares is not None:
            self.mse_path_ = squares
        if fitted.cv.baselines:
            self.baselines_ = baseline_table(fitted.cv)


@described
class RLS2Regressor(_Regression):
    """Regression that learns its kernel: a few of a dictionary, with weights, and the predictor
    built on them.

    Minimises the objective of regularised least squares with two layers over the weights of the
    kernels and the predictor together, and proves how close to the optimum it came.

    Parameters
    ----------
    {single}
    {common}

    Attributes
    ----------
    {fitted}

    See Also
    --------
    RLS2RegressorCV : lambda by cross-validation.
    RLS2Classifier : classes.
    rls2_path : the whole path.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rls2 import RLS2Regressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = RLS2Regressor(kernels="linear", alpha=0.3).fit(X, y)
    >>> [X.columns[j] for j in model.selected_]
    ['bmi', 'bp', 's3', 's5']
    """

    def __init__(
        self,
        *,
        alpha: float | None = None,
        alphas: Any = None,
        n_alphas: int = 30,
        eps: float = 1e-6,
        select: Criterion = "gcv",
        kernels: KernelText = None,
        groups: Groups = None,
        scaling: Scaling = "trace",
        center: bool = False,
        features: Preparation = "none",
        examples: Preparation = "none",
        standardize: bool = False,
        categorical: Columns = None,
        reference: bool = False,
        solver: Solver = "newton",
        gap_tol: float = 1e-6,
        delta: float = 1e-2,
        max_iter: int = 200,
        intercept: Intercept = "auto",
        rank_tol: float = 1e-14,
        memory: str | int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.alpha = alpha
        self.alphas = alphas
        self.n_alphas = n_alphas
        self.eps = eps
        self.select = select
        self.kernels = kernels
        self.groups = groups
        self.scaling = scaling
        self.center = center
        self.features = features
        self.examples = examples
        self.standardize = standardize
        self.categorical = categorical
        self.reference = reference
        self.solver = solver
        self.gap_tol = gap_tol
        self.delta = delta
        self.max_iter = max_iter
        self.intercept = intercept
        self.rank_tol = rank_tol
        self.memory = memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


@described
class RLS2Classifier(_Classification):
    """Classification that learns its kernel: a few of a dictionary, with weights, and the predictor
    built on them.

    Two classes are learned as -1 and +1; of more each is learned against all others, with kernel
    weights of its own and one lambda for all, and a row is taken for the class that speaks loudest.

    Parameters
    ----------
    {single}
    {classes}
    {common}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted.
    {fitted}

    See Also
    --------
    RLS2ClassifierCV : lambda by cross-validation.
    RLS2Regressor : numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from rls2 import RLS2Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RLS2Classifier(alpha=0.01).fit(X, y)
    >>> bool(model.score(X, y) > 0.95)
    True
    """

    def __init__(
        self,
        *,
        alpha: float | None = None,
        alphas: Any = None,
        n_alphas: int = 30,
        eps: float = 1e-6,
        select: Criterion = "gcv",
        class_weight: ClassWeight = None,
        kernels: KernelText = None,
        groups: Groups = None,
        scaling: Scaling = "trace",
        center: bool = False,
        features: Preparation = "none",
        examples: Preparation = "none",
        standardize: bool = False,
        categorical: Columns = None,
        reference: bool = False,
        solver: Solver = "newton",
        gap_tol: float = 1e-6,
        delta: float = 1e-2,
        max_iter: int = 200,
        intercept: Intercept = "auto",
        rank_tol: float = 1e-14,
        memory: str | int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.alpha = alpha
        self.alphas = alphas
        self.n_alphas = n_alphas
        self.eps = eps
        self.select = select
        self.class_weight = class_weight
        self.kernels = kernels
        self.groups = groups
        self.scaling = scaling
        self.center = center
        self.features = features
        self.examples = examples
        self.standardize = standardize
        self.categorical = categorical
        self.reference = reference
        self.solver = solver
        self.gap_tol = gap_tol
        self.delta = delta
        self.max_iter = max_iter
        self.intercept = intercept
        self.rank_tol = rank_tol
        self.memory = memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


@described
class RLS2RegressorCV(_ByCrossValidation, _Regression):
    """RLS2Regressor with lambda chosen by cross-validation, as ``rls2 train`` does.

    A path is fitted on the training rows of every fold, with all that is learned from data
    (indicators, means, scalings) learned from those rows alone; the model is the point at the
    lambda chosen of the path on all rows.

    Parameters
    ----------
    {cv}
    {common}

    Attributes
    ----------
    {curve}
    {fitted}

    See Also
    --------
    RLS2Regressor : a given lambda, or one chosen without folds.
    plot_cv : the curve.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from rls2 import RLS2RegressorCV
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = RLS2RegressorCV(kernels="linear", cv=5, rule="1se").fit(X, y)
    >>> bool(model.alpha_ == model.alpha_1se_ >= model.alpha_min_)
    True
    """

    def __init__(
        self,
        *,
        alphas: Any = None,
        n_alphas: int = 30,
        eps: float = 1e-6,
        cv: Any = None,
        repeats: int = 1,
        rule: Literal["min", "1se"] = "min",
        scoring: str | None = None,
        select: Criterion | Literal["cv"] = "cv",
        baselines: bool = False,
        kernels: KernelText = None,
        groups: Groups = None,
        scaling: Scaling = "trace",
        center: bool = False,
        features: Preparation = "none",
        examples: Preparation = "none",
        standardize: bool = False,
        categorical: Columns = None,
        reference: bool = False,
        solver: Solver = "newton",
        gap_tol: float = 1e-6,
        delta: float = 1e-2,
        max_iter: int = 200,
        intercept: Intercept = "auto",
        rank_tol: float = 1e-14,
        memory: str | int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.alphas = alphas
        self.n_alphas = n_alphas
        self.eps = eps
        self.cv = cv
        self.repeats = repeats
        self.rule = rule
        self.scoring = scoring
        self.select = select
        self.baselines = baselines
        self.kernels = kernels
        self.groups = groups
        self.scaling = scaling
        self.center = center
        self.features = features
        self.examples = examples
        self.standardize = standardize
        self.categorical = categorical
        self.reference = reference
        self.solver = solver
        self.gap_tol = gap_tol
        self.delta = delta
        self.max_iter = max_iter
        self.intercept = intercept
        self.rank_tol = rank_tol
        self.memory = memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


@described
class RLS2ClassifierCV(_ByCrossValidation, _Classification):
    """RLS2Classifier with lambda chosen by cross-validation, as ``rls2 train`` does.

    A path is fitted on the training rows of every fold, with all that is learned from data
    (indicators, means, scalings, weights of classes) learned from those rows alone; the model is
    the point at the lambda chosen of the path on all rows.

    Parameters
    ----------
    {cv}
    {classes}
    {common}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted.
    {curve}
    {fitted}

    See Also
    --------
    RLS2Classifier : a given lambda, or one chosen without folds.
    plot_cv : the curve.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from rls2 import RLS2ClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RLS2ClassifierCV(kernels="rbf(0.01:10:4)@all,each", cv=5).fit(X, y)
    >>> bool(model.best_score_ > 0.9)
    True
    """

    def __init__(
        self,
        *,
        alphas: Any = None,
        n_alphas: int = 30,
        eps: float = 1e-6,
        cv: Any = None,
        repeats: int = 1,
        rule: Literal["min", "1se"] = "min",
        scoring: str | None = None,
        select: Criterion | Literal["cv"] = "cv",
        baselines: bool = False,
        class_weight: ClassWeight = None,
        kernels: KernelText = None,
        groups: Groups = None,
        scaling: Scaling = "trace",
        center: bool = False,
        features: Preparation = "none",
        examples: Preparation = "none",
        standardize: bool = False,
        categorical: Columns = None,
        reference: bool = False,
        solver: Solver = "newton",
        gap_tol: float = 1e-6,
        delta: float = 1e-2,
        max_iter: int = 200,
        intercept: Intercept = "auto",
        rank_tol: float = 1e-14,
        memory: str | int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.alphas = alphas
        self.n_alphas = n_alphas
        self.eps = eps
        self.cv = cv
        self.repeats = repeats
        self.rule = rule
        self.scoring = scoring
        self.select = select
        self.baselines = baselines
        self.class_weight = class_weight
        self.kernels = kernels
        self.groups = groups
        self.scaling = scaling
        self.center = center
        self.features = features
        self.examples = examples
        self.standardize = standardize
        self.categorical = categorical
        self.reference = reference
        self.solver = solver
        self.gap_tol = gap_tol
        self.delta = delta
        self.max_iter = max_iter
        self.intercept = intercept
        self.rank_tol = rank_tol
        self.memory = memory
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
