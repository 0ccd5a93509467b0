"""Rows in batches: what hands them out can be asked again, so that two passes can be made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ._arrow import is_arrow, pieces_of, whole_of
from ._frames import is_frame
from ._types import Batch, Rows

_READ_TWICE = "rows are read twice, first to find columns, categories and knots, then to count"


class Batches:
    """Rows that come in batches, for tables that do not fit in memory.

    ``fit`` reads them twice: first to find columns, categories and means, then to count the rows.
    No more than one batch is in memory at a time. Results do not depend on how the rows are cut
    into batches.

    Parameters
    ----------
    source : callable or iterable
        A function without arguments that is called for each pass and begins anew, such as a
        generator function; something that can be iterated over again, such as a list of batches;
        or, with `target`, what hands out Arrow streams: a table of pyarrow, a query of duckdb.
        Each batch is a pair (X, y) or (X, y, sample_weight) of arrays or frames, or with `target` a
        frame of pandas or polars, or a table or record batch of Arrow. All have the same columns.
    target : str or list of str, default=None
        The columns of a frame that are y.
    sample_weight : str, default=None
        The column of a frame that holds the weights of the rows.

    See Also
    --------
    Statistics : counts of rows, to which batches can be added one by one.

    Examples
    --------
    >>> import numpy as np
    >>> import rls2
    >>> def batches():
    ...     for day in range(20):
    ...         rng = np.random.default_rng(day)
    ...         X = rng.normal(size=(500, 3))
    ...         yield X, np.sin(2 * X[:, 0]) + X[:, 1] ** 2 + 0.1 * rng.normal(size=500)
    >>> model = rls2.RLS2Regressor().fit(rls2.Batches(batches))
    >>> model.model_.rows
    10000
    """

    def __init__(
        self,
        source: Callable[[], Iterable[Any]] | Iterable[Any],
        *,
        target: str | list[str] | None = None,
        sample_weight: str | None = None,
    ) -> None:
        if is_arrow(source):
            table, source = source, lambda: pieces_of(table)
        if not callable(source) and not isinstance(source, Iterable):
            raise TypeError(
                f"batches come from a function or from an iterable, not from {source!r:.80}"
            )
        if isinstance(source, Iterator):
            raise TypeError(
                f"{_READ_TWICE}, and an iterator can be read once: give the function that makes "
                "it, such as a generator function that is not called yet, or a list of batches; "
                "Statistics.partial_fit learns from batches in one pass"
            )
        if target is None and sample_weight is not None:
            raise TypeError("sample_weight names a column of frames, whose target is to be named")
        self.source = source
        self.target = target
        self.sample_weight = sample_weight

    def __repr__(self) -> str:
        name = getattr(self.source, "__name__", None) or type(self.source).__name__
        named = "" if self.target is None else f", target={self.target!r}"
        weight = "" if self.sample_weight is None else f", sample_weight={self.sample_weight!r}"
        return f"Batches({name}{named}{weight})"

    def __iter__(self) -> Iterator[Batch]:
        """From the first batch on, as (X, y, sample_weight)."""
        for number, batch in enumerate(self._begun(), 1):
            yield self._parted(batch, number)

    def _begun(self) -> Iterator[Any]:
        begun = self.source() if callable(self.source) else self.source
        if not isinstance(begun, Iterable):
            raise TypeError(
                f"{self!r}: the function should return an iterator over batches, not {begun!r:.80}"
            )
        return iter(begun)

    def _parted(self, batch: Any, number: int) -> Batch:
        if self.target is not None:
            return self._of_frame(batch, number)
        if is_frame(batch) or is_arrow(batch):
            raise TypeError(
                f"batch {number} is a frame: Batches(..., target=...) says which of its columns is "
                "the target"
            )
        if not isinstance(batch, (tuple, list)) or len(batch) not in (2, 3):
            raise TypeError(
                f"batch {number} should be a pair (X, y), or (X, y, sample_weight), not "
                f"{type(batch).__name__!r}"
            )
        return batch[0], batch[1], batch[2] if len(batch) == 3 else None

    def _of_frame(self, frame: Rows, number: int) -> Batch:
        if is_arrow(frame):
            frame = whole_of(frame)
        if not is_frame(frame):
            raise TypeError(
                f"batch {number} should be a frame with the target {self.target!r}, not "
                f"{type(frame).__name__!r}"
            )
        targets = [self.target] if isinstance(self.target, str) else list(self.target or [])
        weights = [] if self.sample_weight is None else [self.sample_weight]
        absent = [name for name in (*targets, *weights) if name not in frame.columns]
        if absent:
            raise ValueError(f"batch {number} has no column {absent[0]!r}")
        inputs = [name for name in frame.columns if name not in (*targets, *weights)]
        y = frame[self.target] if isinstance(self.target, str) else frame[targets]
        return frame[inputs], y, frame[weights[0]] if weights else None
