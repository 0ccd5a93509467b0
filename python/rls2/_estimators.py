"""The estimators: parameters, fit, predict, and nothing that has a better place."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Real
from statistics import NormalDist
from typing import Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin  # type: ignore[import-untyped]
from sklearn.metrics import d2_tweedie_score  # type: ignore[import-untyped]
from sklearn.utils import column_or_1d  # type: ignore[import-untyped]
from sklearn.utils.metaestimators import available_if  # type: ignore[import-untyped]
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from . import _core
from ._base import Estimator
from ._cv import baseline_table, curve, squared_errors
from ._docs import described
from ._frames import Cells
from ._parameters import (
    ClassifierCVParameters,
    ClassifierParameters,
    RegressorCVParameters,
    RegressorParameters,
)
from ._params import loss_of
from ._targets import match_classes, read_classes, read_numbers, signs
from ._types import Floats, Ints, Rows

_Method = TypeVar("_Method", bound=Callable[..., Any])


class _Regression(RegressorMixin, Estimator):  # type: ignore[misc]
    """Numbers, one or several for each row."""

    def fit(self, X: Rows, y: Rows = None, sample_weight: Any = None) -> Self:
        """Learn from rows and their targets.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Training rows. Sparse ones are for linear kernels. What is done with missing values,
            ``missing`` says. Also Batches, or Statistics, which have their own y. An array or frame
            of more than 256 MB, memory-mapped or not, is read in pieces as batches are, if
            `method` and the other parameters allow it. Also what exports Arrow's C stream
            interface: tables of pyarrow, queries of duckdb.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets; several are learned each on its own, with one lambda for all. None with
            Batches and Statistics; of Arrow's rows it may name columns.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for; one of weight 0 is as if it were not there.

        Returns
        -------
        self
        """
        self._learn(X, y, sample_weight)
        return self

    def predict(
        self,
        X: Rows,
        return_std: bool | Literal["observation"] = False,
        return_interval: bool | float = False,
    ) -> Any:
        """Predict targets.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Rows with the columns of the training rows.
        return_std : bool or "observation", default=False
            Also a standard deviation for each row, that of a Gaussian process with the learned
            kernel and a noise estimated from the training rows. True: of the function, which says
            how well the mean of y at that row is known. "observation": of a new observation, which
            adds the noise.
        return_interval : bool or float, default=False
            Also the ends of an interval that new values of y should fall into as often as the
            parameter ``interval`` says, whatever their distribution: it was calibrated on left-out
            rows. A number is that level, and refused where it is another.

        Returns
        -------
        y : ndarray of shape (n_samples,), (n_samples, n_outputs) or (n_samples, n_quantiles)
            What the loss is about: the mean of y, a middle that outliers hardly move (huber,
            absolute, epsilon), the quantile that was asked for, or the rate of counts (poisson).
        std : ndarray of the same shape
            With ``return_std`` only, which needs the square loss.
        lower, upper : ndarrays of the shape of y, or (n_samples,) where y has quantiles
            With ``return_interval`` only.
        """
        wanted = _wanted_deviation(return_std)
        raw = self._raw(X)
        answer = [self._shaped(self._in_units_of_y(raw))]
        if wanted != "none":
            answer.append(self._shaped(self._deviations(X, wanted == "observation")))
        if return_interval is not False:
            answer.extend(self._intervals(raw, return_interval))
        return answer[0] if len(answer) == 1 else tuple(answer)

    def _intervals(self, raw: Floats, wanted: Any) -> list[Floats]:
        """Lower and upper ends, of predictions on the scale of the loss."""
        level = self.model_.interval_level()
        if level is None:
            raise ValueError("return_interval needs a fit with interval=0.9, or another level")
        if wanted is not True and wanted != level:
            raise ValueError(
                f"return_interval={wanted!r}: the intervals were calibrated for {level:g}"
            )
        ends = np.array(self.model_.intervals(np.asfortranarray(raw)))
        ends = ends.reshape(len(raw), -1, order="F")
        half = ends.shape[1] // 2
        flat = self._flat and half == 1
        return [part[:, 0] if flat else part for part in (ends[:, :half], ends[:, half:])]

    def predict_interval(self, X: Rows, coverage: float = 0.95) -> tuple[Floats, Floats]:
        """Intervals that should hold that share of new observations.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Rows as for predict.
        coverage : float, default=0.95
            Share of new observations, between 0 and 1.

        Returns
        -------
        lower, upper : ndarrays of the shape of predict's answer
            The prediction minus and plus a quantile of the normal distribution (1.96 for 0.95)
            times the standard deviation of a new observation, ``return_std="observation"``. Where
            residuals are far from normal, or the fit is close, fewer fall within:
            ``predict(return_interval=True)`` is calibrated.
        """
        if not isinstance(coverage, Real) or not 0.0 < coverage < 1.0:
            raise ValueError(f"coverage={coverage!r} should be a number between 0 and 1")
        values, deviations = self.predict(X, return_std="observation")
        half = NormalDist().inv_cdf((1.0 + float(coverage)) / 2.0) * deviations
        return values - half, values + half

    def score(self, X: Rows, y: Rows, sample_weight: Any = None) -> float:
        """How much better the predictions are than a constant: R2, or D2 of counts.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Rows with the columns of the training rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.

        Returns
        -------
        float
            1 - (sum of squared errors) / (that of the mean of y); with ``loss="poisson"`` the same
            of Poisson deviances, as PoissonRegressor has it. Of several targets the mean. Other
            losses have R2, as HuberRegressor and QuantileRegressor do; for what they minimise there
            are scikit-learn's ``d2_absolute_error_score`` and ``d2_pinball_score``.
        """
        check_is_fitted(self, "model_")
        if self._has_levels():
            raise ValueError(
                "score is of one prediction for each row, and these are several quantiles: "
                "d2_pinball_score says how good each column of predict is"
            )
        if not self._loss().takes_counts:
            return float(super().score(X, y, sample_weight))
        rates, counts = self.predict(X), np.asarray(y, dtype=np.float64)
        pairs = zip(counts.reshape(len(counts), -1).T, rates.reshape(len(rates), -1).T, strict=True)
        scores = [
            d2_tweedie_score(count, rate, sample_weight=sample_weight, power=1)
            for count, rate in pairs
        ]
        return float(np.mean(scores))

    def _in_units_of_y(self, values: Floats) -> Floats:
        """Predictions, rows x outputs, from the scale of the loss to that of y."""
        answer = np.array(self.model_.respond(np.asfortranarray(values)))
        return answer.reshape(values.shape, order="F")

    def _shaped(self, values: Floats) -> Floats:
        """Without the second dimension where y had none; several quantiles of it have one."""
        return values[:, 0] if self._flat and self.model_.outputs == 1 else values

    def _responses(self, y: Rows) -> Floats:
        found = np.column_stack([np.asarray(cells) for cells in self._target_cells(y)])
        return np.repeat(found, self.model_.outputs, axis=1) if self._has_levels() else found

    def _has_levels(self) -> bool:
        """Several quantiles of one target?"""
        return self._flat and self.model_.outputs > 1

    def _target_cells(self, y: Rows) -> list[Cells]:
        return [cells for _, cells in read_numbers(y, []).columns]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        tags.target_tags.positive_only = loss_of(self).takes_counts
        return tags


def _wanted_deviation(return_std: Any) -> str:
    """ "none", "function" or "observation"."""
    if isinstance(return_std, (bool, np.bool_)):
        return "function" if return_std else "none"
    if isinstance(return_std, str) and return_std == "observation":
        return return_std
    raise ValueError(f"return_std={return_std!r} should be True, False or 'observation'")


def _has_probabilities(estimator: Any) -> bool:
    """Does the loss have them? AttributeError with the reason where it has not."""
    loss = estimator._loss()
    if not loss.has_probabilities:
        raise AttributeError(
            f"loss='{loss.text}' has no probabilities: probability=True, or loss='logistic', learns"
            " them, and CalibratedClassifierCV makes them of scores"
        )
    return True


_if_probable: Callable[[_Method], _Method] = available_if(_has_probabilities)


class _Classification(ClassifierMixin, Estimator):  # type: ignore[misc]
    """Two classes as -1 and +1; of more each against all others."""

    _is_classifier = True
    classes_: NDArray[Any]

    def fit(self, X: Rows, y: Rows = None, sample_weight: Any = None) -> Self:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Training rows. Sparse ones are for linear kernels. What is done with missing values,
            ``missing`` says. Also Batches, or Statistics, which have their own y. An array or frame
            of more than 256 MB, memory-mapped or not, is read in pieces as batches are, if
            `method` and the other parameters allow it. Also what exports Arrow's C stream
            interface: tables of pyarrow, queries of duckdb.
        y : array-like of shape (n_samples,)
            Labels: numbers, texts or truth values. None with Batches and Statistics; of Arrow's
            rows it may name a column.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for; one of weight 0 is as if it were not there.

        Returns
        -------
        self
        """
        problem = self._learn(X, y, sample_weight)
        self._set_classes(problem.classes(list(self.model_.class_labels)))
        return self

    def _set_classes(self, classes: NDArray[Any]) -> None:
        self.classes_, self._class_order = match_classes(list(self.model_.class_labels), classes)

    def decision_function(self, X: Rows) -> Floats:
        """Score of each class.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Of two classes: positive for ``classes_[1]``. Of more: the largest wins. With
            ``loss="logistic"`` it is the logarithm of the odds, of each class against the rest;
            with "hinge" and "squared-hinge" the margin.
        """
        values = self._raw(X)
        if self.model_.outputs > 1:
            return values[:, self._class_order]
        return values[:, 0] if self._class_order[0] == 0 else -values[:, 0]

    @_if_probable
    def predict_proba(self, X: Rows) -> Floats:
        """Probabilities of the classes, where they were learned: ``probability=True``, which is
        ``loss="logistic"``.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Rows with the columns of the training rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``; rows sum to 1. Of more than two classes those of each
            against the rest, divided by their sum, or with ``outputs="shared"`` the multinomial
            ones. Rows count by ``class_weight``, and so do probabilities.
        """
        values = np.asfortranarray(self._raw(X))
        found = np.array(self.model_.probabilities(values))
        return found.reshape((len(values), -1), order="F")[:, self._class_order]

    @_if_probable
    def predict_log_proba(self, X: Rows) -> Floats:
        """Logarithms of the probabilities of the classes.

        Parameters
        ----------
        X : array-like, frame, sparse matrix, KernelStack or list of matrices of n_samples rows
            Rows as for predict_proba.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            All finite.
        """
        logarithms: Floats = np.log(self.predict_proba(X))
        return logarithms

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

    cv_results_: dict[str, Any]
    alpha_min_: float
    alpha_1se_: float
    best_score_: float
    mse_path_: Floats
    baselines_: dict[str, dict[str, float]]

    def _remember_choice(self, fit: _core.Fit) -> None:
        for name in _OF_THE_CURVE:
            self.__dict__.pop(name, None)
        if fit.cv is None:
            return
        self.cv_results_ = curve(fit.cv)
        alphas, means = self.cv_results_["alphas"], self.cv_results_["mean_test_score"]
        self.alpha_min_ = float(alphas[fit.cv.min])
        self.alpha_1se_ = float(alphas[fit.cv.one_se])
        self.best_score_ = float(means[fit.chosen])
        squares = squared_errors(self.cv_results_)
        if squares is not None:
            self.mse_path_ = squares
        if fit.cv.baselines:
            self.baselines_ = baseline_table(fit.cv)


_OF_THE_CURVE = (
    "cv_results_",
    "alpha_min_",
    "alpha_1se_",
    "best_score_",
    "mse_path_",
    "baselines_",
)


@described
class RLS2Regressor(RegressorParameters, _Regression):
    """Regression that learns its kernel: a weighted sum of a few kernels of a dictionary.

    Minimises the objective of regularised least squares with two layers, or of another ``loss``,
    over the weights of the kernels and the predictor together, and proves how close to the optimum
    it came.

    Parameters
    ----------
    {parameters}

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


@described
class RLS2Classifier(ClassifierParameters, _Classification):
    """Classification that learns its kernel: a weighted sum of a few kernels of a dictionary.

    Two classes are learned as -1 and +1; of more each is learned against all others, with kernel
    weights of its own and one lambda for all; a row gets the class with the largest score. With
    ``probability=True`` it learns their probabilities.

    Parameters
    ----------
    {parameters}

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


@described
class RLS2RegressorCV(RegressorCVParameters, _ByCrossValidation, _Regression):
    """RLS2Regressor with lambda chosen by cross-validation, as ``rls2 train`` does.

    A path is fitted on the training rows of every fold, with all that is learned from data
    (indicators, means, scalings) learned from those rows alone; the model is the point at the
    lambda chosen of the path on all rows.

    Parameters
    ----------
    {parameters}

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


@described
class RLS2ClassifierCV(ClassifierCVParameters, _ByCrossValidation, _Classification):
    """RLS2Classifier with lambda chosen by cross-validation, as ``rls2 train`` does.

    A path is fitted on the training rows of every fold, with all that is learned from data
    (indicators, means, scalings, weights of classes) learned from those rows alone; the model is
    the point at the lambda chosen of the path on all rows.

    Parameters
    ----------
    {parameters}

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
