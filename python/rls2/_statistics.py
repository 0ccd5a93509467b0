"""Statistics: all that a fit needs of rows that are too many to be kept."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable
from copy import copy
from typing import Any, Self

from sklearn.exceptions import NotFittedError  # type: ignore[import-untyped]

from . import _core
from ._arrow import ArrowBatches, is_arrow
from ._batches import Batches
from ._docs import described
from ._parameters import StatisticsParameters
from ._params import settings_of_rows, thread_count
from ._pieces import Form, Pieces
from ._progress import ProgressLine, shown
from ._types import Batch, Rows


def batches_of(X: Rows, y: Rows, sample_weight: Any) -> Iterable[Batch]:
    """Batches as they are; arrays and frames are one, and Arrow's rows come in pieces."""
    if isinstance(X, ArrowBatches):
        return X
    if is_arrow(X):
        return ArrowBatches(X, y, sample_weight)
    if not isinstance(X, Batches):
        return [(X, y, sample_weight)]
    if y is not None or sample_weight is not None:
        raise TypeError("batches have their own y and sample_weight")
    return X


@described
class Statistics(StatisticsParameters):
    """Counts of rows, from which the estimators learn as from the rows themselves.

    Rows are counted at the knots of each column: all its values where these are few, else
    quantiles, between which a row is shared. Counts are integers, so that those of parts of the
    rows, in whatever order they were made and added, have the same bits as those of all. Their size
    depends on the columns, not on the rows. ``est.fit(statistics)`` learns from them: parameters
    about rows and columns are those given here, those about kernels and lambda are the
    estimator's.

    Where the knots lie, which categories there are, means and deviations are decided once.
    ``fit`` reads all rows twice, first to find them. The first ``partial_fit`` finds them in its
    own rows, which should then be a fair sample of all, ten thousand or more: later rows are
    counted the same way, numbers beyond its range at its ends and categories it does not have as
    other ones. Where rows are in several places a ``Profile`` decides on all of them.

    Parameters
    ----------
    {parameters}

    Attributes
    ----------
    n_rows_ : int
        Rows that were counted.
    n_left_out_ : int
        Rows that were not: with missing cells where these are dropped, or of weight 0.
    n_folds_ : int
        Parts the rows were counted in.
    feature_names_ : list of str
        Columns of X; x1, x2, ... of arrays.
    target_names_ : list of str
        Columns of y.
    class_labels_ : list of str
        Classes; none of regression.

    See Also
    --------
    Batches : rows that come in batches.
    Profile : what rows in several places tell, before they are counted.

    Examples
    --------
    >>> import numpy as np
    >>> import rls2
    >>> def day(seed):
    ...     rng = np.random.default_rng(seed)
    ...     X = rng.normal(size=(5000, 3))
    ...     return X, np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.1 * rng.normal(size=5000)
    >>> week = rls2.Statistics(cv=5).partial_fit(*day(0))
    >>> for seed in range(1, 7):
    ...     week = week.partial_fit(*day(seed))
    >>> week
    <Statistics: 35000 rows in 5 parts, 3 columns on 576 knots, target y>
    >>> model = rls2.RLS2RegressorCV().fit(week)
    >>> bool(model.best_score_ < 0.2)
    True
    """

    _stats: _core.Stats | None = None

    # ---- counting ----

    def fit(self, X: Rows, y: Rows = None, sample_weight: Any = None) -> Self:
        """Count rows, which are read twice; those counted before are forgotten.

        Parameters
        ----------
        X : array-like, frame or Batches
            Rows. Nothing is made of all of them at once.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets; not with Batches, which have their own.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for.

        Returns
        -------
        self
        """
        self._stats = self._counted(batches_of(X, y, sample_weight))
        return self

    def partial_fit(self, X: Rows, y: Rows = None, sample_weight: Any = None) -> Self:
        """Count further rows. Where there are none yet, these decide how rows are counted.

        Parameters
        ----------
        X : array-like, frame or Batches
            Rows with the same columns as those before.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets; not with Batches, which have their own.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each row stands for; always or never.

        Returns
        -------
        self
            Unchanged, where an error is raised.
        """
        batches = batches_of(X, y, sample_weight)
        if self._stats is None:
            self._stats = self._counted(batches)
        else:
            self._add(self._stats, batches)
        return self

    def _counted(self, batches: Iterable[Batch]) -> _core.Stats:
        """Both passes over rows that decide how they are counted."""
        form = Form(
            classes=self.task == "classification",
            may_miss=self.missing != "error",
            categorical=self.categorical,
        )
        pieces = Pieces(batches, form)
        settings = [*settings_of_rows(self), *pieces.settings()]
        threads = thread_count(self.n_jobs)
        progress = ProgressLine() if self.verbose else None
        with shown(progress):
            plan = pieces.plan("model", settings, None, threads, progress)
            stats = pieces.reading(threads, progress, lambda told: plan.count(threads, told))
        tell_notes(plan.notes, bool(self.verbose))
        return stats

    def _add(self, stats: _core.Stats, batches: Iterable[Batch]) -> None:
        """One pass over rows that are counted as others were."""
        form = Form(
            bool(stats.class_labels),
            True,  # what is missing, and what becomes of it, was decided before
            needed=stats.inputs,
            targets=stats.targets,
            weight=stats.weight,
            flat=len(stats.targets) == 1,
        )
        pieces = Pieces(batches, form)
        threads = thread_count(self.n_jobs)
        progress = ProgressLine() if self.verbose else None
        with shown(progress):
            pieces.reading(
                threads, progress, lambda told: stats.add_rows(pieces.source, threads, told)
            )

    # ---- sums ----

    def merge(self, other: Statistics) -> Self:
        """Add the rows of other statistics, which were counted the same way.

        Parameters
        ----------
        other : Statistics
            Counts of other rows, at the same knots: nobody knows here whether rows are added
            twice.

        Returns
        -------
        self
            Unchanged, where an error is raised.
        """
        self._counts().merge(other._counts())
        return self

    def subtract(self, other: Statistics) -> Self:
        """Take off the rows of other statistics, which are among these.

        Parameters
        ----------
        other : Statistics
            Counts of rows that were counted here too, such as those of the oldest day.

        Returns
        -------
        self
            Unchanged, where an error is raised: of rows that cannot be among these, as some count
            would be below zero.
        """
        self._counts().subtract(other._counts())
        return self

    def clear(self) -> Self:
        """Forget the rows, and keep how rows are counted.

        Returns
        -------
        self
            Of no rows. Copies of it may be filled anywhere, by partial_fit, and added up.
        """
        self._counts().clear()
        return self

    def __iadd__(self, other: object) -> Self:
        return self.merge(other) if isinstance(other, Statistics) else NotImplemented

    def __add__(self, other: object) -> Self:
        return copy(self).merge(other) if isinstance(other, Statistics) else NotImplemented

    def __isub__(self, other: object) -> Self:
        return self.subtract(other) if isinstance(other, Statistics) else NotImplemented

    def __sub__(self, other: object) -> Self:
        return copy(self).subtract(other) if isinstance(other, Statistics) else NotImplemented

    # ---- files and pickles ----

    def save(self, path: Any) -> None:
        """Writes the file that ``rls2 stats`` writes: ``rls2 merge`` and ``rls2 train`` read it.

        Parameters
        ----------
        path : str or path-like
            The file; it is written whole or not at all.
        """
        self._counts().save(path)

    @classmethod
    def load(cls, path: Any) -> Self:
        """Read a file, written by ``save`` or by ``rls2 stats``.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        Statistics
        """
        return cls._of(_core.Stats.load(path))

    def to_bytes(self) -> bytes:
        """The bytes of the file. Equal statistics have equal bytes."""
        return self._counts().pack()

    @classmethod
    def from_bytes(cls, data: Any) -> Self:
        """The statistics of such bytes, which are checked.

        Parameters
        ----------
        data : bytes-like
            What ``to_bytes`` made.

        Returns
        -------
        Statistics
        """
        return cls._of(_core.Stats.unpack(data))

    @classmethod
    def _of(cls, stats: _core.Stats) -> Self:
        made = cls(task="classification" if stats.class_labels else "regression")
        made._stats = stats
        return made

    def __getstate__(self) -> dict[str, Any]:
        counts = None if self._stats is None else self._stats.pack()
        return {**self.__dict__, "_stats": counts}

    def __setstate__(self, state: dict[str, Any]) -> None:
        counts = state.get("_stats")
        self.__dict__.update(state)
        self._stats = None if counts is None else _core.Stats.unpack(counts)

    # ---- what they are of ----

    def _counts(self) -> _core.Stats:
        if self._stats is None:
            raise NotFittedError(
                "these statistics are of no rows yet: count some by fit or partial_fit"
            )
        return self._stats

    @property
    def n_rows_(self) -> int:
        return self._counts().rows

    @property
    def n_left_out_(self) -> int:
        return self._counts().left_out

    @property
    def n_folds_(self) -> int:
        return self._counts().parts

    @property
    def feature_names_(self) -> list[str]:
        return self._counts().inputs

    @property
    def target_names_(self) -> list[str]:
        return self._counts().targets

    @property
    def class_labels_(self) -> list[str]:
        return self._counts().class_labels

    def __sklearn_is_fitted__(self) -> bool:
        return self._stats is not None

    def __eq__(self, other: object) -> bool:
        """Of the same rows, counted alike, to the bit."""
        if not isinstance(other, Statistics):
            return NotImplemented
        if self._stats is None or other._stats is None:
            return self is other
        return self._stats.pack() == other._stats.pack()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self._stats is None:
            return "<Statistics: no rows yet>"
        stats = self._stats
        points = sum(count for _, count, _ in stats.axes)
        classes = f", {len(stats.class_labels)} classes" if stats.class_labels else ""
        return (
            f"<Statistics: {stats.rows} rows in {stats.parts or 1} parts, {len(stats.inputs)} "
            f"columns on {points} knots, target {', '.join(stats.targets)}{classes}>"
        )


def tell_notes(notes: list[str], verbose: bool) -> None:
    """What was inferred, where that is wanted, and what should be known."""
    for note in notes:
        if note.startswith("warning: "):
            warnings.warn(note.removeprefix("warning: "), UserWarning, stacklevel=4)
        elif verbose:
            print(f"[rls2] {note}", file=sys.stderr)
