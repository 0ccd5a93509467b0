"""What inputs do to the predictions of a model, how much each counts, and which act together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from . import _core
from ._inputs import default_names
from ._types import Floats, Ints


class Dependence(NamedTuple):
    """What ``partial_dependence`` tells of one input.

    grid_values: numbers, days since 1970-01-01 of dates, or categories (and "missing", where cells
    were empty). average: the mean prediction there, less its mean over the values by ``rows``, the
    training rows that have each. lower and upper: 8 of 10 rows have their own curve between them.
    """

    feature: str
    grid_values: Any
    average: Floats
    lower: Floats
    upper: Floats
    rows: Floats


class JointDependence(NamedTuple):
    """What ``partial_dependence`` tells of two inputs: average[i, j] at value i of the first and j
    of the second."""

    features: tuple[str, str]
    grid_values: tuple[Any, Any]
    average: Floats


class InputShare(NamedTuple):
    """An input: shares of the variance of the predictions of training rows."""

    feature: str
    share: float
    alone: float
    interaction: float


class Interaction(NamedTuple):
    """Two inputs: of that variance what they do together and neither does alone; and Friedman's
    H², the same as a share of what the two do in all."""

    first: str
    second: str
    share: float
    h2: float


class Explanation(NamedTuple):
    """What ``explain`` tells.

    inputs: most important first. interactions: strongest first, of the ``compared`` inputs that do
    most together with others, of ``interacting`` in all. sample: training rows it is said of.
    """

    inputs: list[InputShare]
    interactions: list[Interaction]
    sample: Ints
    interacting: int
    compared: int


class Explained:
    """What estimators tell of their inputs."""

    model_: _core.Model

    def partial_dependence(
        self, feature: int | str, other: int | str | None = None, *, output: int | str = 0
    ) -> Any:
        """What an input does to predictions: their mean over training rows as it takes one value
        after another, all else being as it is in these rows.

        It is of the whole model, a stack with all its members, on the scale of
        ``decision_function`` where there is one, and with ``loss="poisson"`` of the logarithm of
        the rate; values are all there are, 21 quantiles of many, or categories. The mean is over
        at most 200 rows, evenly spaced: those of ``explain``.

        Parameters
        ----------
        feature : int or str
            Number or name of a column of X.
        other : int or str, default=None
            A second one: what both do.
        output : int or str, default=0
            Of several outputs the one that is asked, by number or name.

        Returns
        -------
        named tuple
            feature, grid_values, average, lower, upper and rows: ``average`` is less its mean over
            the values; between ``lower`` and ``upper`` lie the curves of 8 of 10 rows. That is how
            much rows differ, not an uncertainty; where no kernel looks at this column and others
            they do not. Of two columns features, grid_values and the matrix average.
        """
        check_is_fitted(self, "model_")
        o, first = _output(self.model_, output), _input(self, feature)
        if other is None:
            points = self.model_.effect(o, first)
            numbers = np.array([p[2:] for p in points], dtype=np.float64).reshape(-1, 4)
            rows, average, lower, upper = numbers.T
            name = self.model_.inputs[first]
            return Dependence(name, _values(points), average, lower, upper, rows)
        second = _input(self, other)
        ends = [self.model_.effect(o, k) for k in (first, second)]
        shape = len(ends[0]), len(ends[1])
        grid = np.zeros(shape)
        if grid.size > 0:
            told = np.array(self.model_.joint_effect(o, first, second, *shape))
            grid = told.reshape(shape, order="F")
        names = self.model_.inputs[first], self.model_.inputs[second]
        return JointDependence(names, (_values(ends[0]), _values(ends[1])), grid)

    def explain(self, output: int | str = 0) -> Explanation:
        """How much each input counts in the predictions, and which act together.

        All of it are shares of the variance of the predictions of training rows, at most 200,
        evenly spaced; of the whole model, a stack with all its members. With F_j the partial
        dependence on input j, ``share`` is cov(F_j, f) / var(f), which sums to 1 where no kernel
        looks at several columns; ``alone`` is var(F_j) / var(f); ``interaction`` what the input
        does only together with others (Friedman's H² of one input). Of two inputs ``share`` is the
        variance of F_jk - F_j - F_k. It takes about a second at most.

        Parameters
        ----------
        output : int or str, default=0
            Of several outputs the one that is asked, by number or name.

        Returns
        -------
        named tuple
            inputs: (feature, share, alone, interaction), by |share| + interaction; interactions:
            (first, second, share, h2), strongest first; sample: the rows; interacting: how many
            inputs act together with others, and compared: how many of these were compared in
            pairs.
        """
        check_is_fitted(self, "model_")
        names = self.model_.inputs
        told = self.model_.explain(_output(self.model_, output))
        inputs, pairs, rows, interacting, compared = told
        return Explanation(
            [InputShare(names[j], *numbers) for j, *numbers in inputs],
            [Interaction(names[j], names[k], *numbers) for j, k, *numbers in pairs],
            np.array(rows, dtype=np.int64),
            interacting,
            compared,
        )


def _output(model: _core.Model, output: int | str) -> int:
    names = list(model.output_names)
    number = names.index(output) if isinstance(output, str) and output in names else output
    if not isinstance(number, (int, np.integer)) or not 0 <= number < len(names):
        raise ValueError(f"output={output!r}: the outputs are {', '.join(names)}")
    return int(number)


def _input(estimator: Any, feature: int | str) -> int:
    """Number of the input that a column of X is."""
    names = list(estimator.model_.inputs)
    given = getattr(estimator, "feature_names_in_", None)
    columns = default_names(estimator.n_features_in_) if given is None else list(given)
    if isinstance(feature, (int, np.integer)) and 0 <= feature < len(columns):
        feature = str(columns[feature])
    if feature not in names:
        raise ValueError(f"feature={feature!r}: the inputs of the model are {', '.join(names)}")
    return names.index(str(feature))


def _values(points: list[tuple[float, str | None, float, float, float, float]]) -> Any:
    """Numbers, or categories where there is any."""
    if any(point[1] is not None for point in points):
        return np.array([p[0] if p[1] is None else p[1] for p in points], dtype=object)
    return np.array([point[0] for point in points])
