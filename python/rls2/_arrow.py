"""Rows of whatever exports Apache Arrow's C stream interface (pyarrow, duckdb, polars, ...), which
is not imported for it. They are read a piece at a time, as they lie in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import _core
from ._frames import ArrowRows, Categories, Cells, is_frame
from ._types import Batch, Rows

#: Of a piece at most.
_ROWS = 4096
_CELLS = 1 << 19


def is_arrow(X: Any) -> bool:
    """Something whose rows are read through Arrow; frames have ways of their own."""
    return hasattr(X, "__arrow_c_stream__") and not is_frame(X)


def pieces_of(X: Any) -> Iterator[ArrowRows]:
    """From the first row on, some thousand at a time."""
    stream = _core.Arrow(X.__arrow_c_stream__())
    names = stream.names
    twice = next((name for j, name in enumerate(names) if name in names[:j]), None)
    if twice is not None:
        raise ValueError(f"X has two columns {twice!r}: give one of them another name")
    count = int(min(_ROWS, max(64, _CELLS // max(len(names), 1))))
    before = 0
    while (table := stream.next(count)) is not None:
        columns = [_cells(table, j, stream.dictionaries[j]) for j in range(len(names))]
        yield ArrowRows(names, columns, table.rows, before)
        before += table.rows


def _cells(table: _core.Table, column: int, is_dictionary: bool) -> Cells:
    cells = table.cells(column)
    if is_dictionary:
        listed = cells if isinstance(cells, list) else [None] * table.rows
        return Categories(listed)
    return cells if isinstance(cells, list) else np.asarray(cells)


def whole_of(X: Any) -> ArrowRows:
    """All rows, in memory."""
    pieces = list(pieces_of(X))
    if not pieces:
        names = _core.Arrow(X.__arrow_c_stream__()).names
        return ArrowRows(names, [np.empty(0) for _ in names], 0)
    return _joined(pieces)


def _joined(pieces: list[ArrowRows]) -> ArrowRows:
    names = list(pieces[0].columns)
    columns = [_joined_cells([piece.cells[j] for piece in pieces]) for j in range(len(names))]
    return ArrowRows(names, columns, sum(len(piece) for piece in pieces))


def _joined_cells(parts: list[Cells]) -> Cells:
    """A piece of a column of texts in which all are missing has come as numbers."""
    if all(isinstance(part, np.ndarray) for part in parts):
        return np.concatenate(parts)  # type: ignore[arg-type]
    is_dictionary = any(isinstance(part, Categories) for part in parts)
    cells: list[str | None] = []
    for part in parts:
        cells += part if isinstance(part, list) else [None] * len(part)
    return Categories(cells) if is_dictionary else cells


# ---- with y ----


class ArrowBatches:
    """X, y and sample_weight of each piece: columns of X by their names, or arrays beside it."""

    def __init__(self, X: Any, y: Any, sample_weight: Any, begun: int = 0) -> None:
        if y is None:
            raise ValueError("y should name a column of X, or hold a value for each row")
        self._X = X
        self._y = y
        self._weights = sample_weight
        self._begun = begun  # passes

    def __iter__(self) -> Iterator[Batch]:
        self._begun += 1
        rows = 0
        for piece in pieces_of(self._X):
            yield parted(piece, self._y, self._weights, rows)
            rows += len(piece)
        if rows == 0 and self._begun > 1:
            raise ValueError(
                "the rows could be read once only, and are read twice: give a table, a dataset or "
                "a query instead of a reader, or Batches of a function that opens it"
            )


def parted(rows: ArrowRows, y: Any, weights: Any, before: int = 0) -> Batch:
    """Named columns taken out of the rows; of arrays those that belong to them."""
    targets = [y] if isinstance(y, str) else y if _are_names(y) else []
    weight = [weights] if isinstance(weights, str) else []
    absent = [name for name in (*targets, *weight) if name not in rows.columns]
    if absent:
        raise ValueError(f"X has no column {absent[0]!r}")
    inputs = [name for name in rows.columns if name not in (*targets, *weight)]
    X = rows[inputs] if targets or weight else rows
    end = before + len(rows)
    return (
        X,
        rows[y] if isinstance(y, str) else rows[list(y)] if targets else _some(y, before, end),
        rows[weights] if weight else _some(weights, before, end),
    )


def _are_names(y: Any) -> bool:
    return isinstance(y, (list, tuple)) and bool(y) and all(isinstance(name, str) for name in y)


def _some(values: Any, first: int, end: int) -> Any:
    if values is None or np.ndim(values) == 0:
        return values
    return values.iloc[first:end] if hasattr(values, "iloc") else values[first:end]


def read_arrow(
    X: Rows, y: Any, sample_weight: Any, is_large: Callable[[float], bool]
) -> tuple[Rows, Any, Any]:
    """What fit learns from: rows in memory, or batches where these take too many bytes."""
    if not is_arrow(X):
        return X, y, sample_weight
    pieces: list[ArrowRows] = []
    rows, looked = 0, 0.0
    for piece in pieces_of(X):
        pieces.append(piece)
        rows += len(piece)
        numbers = 8.0 * rows * len(piece.columns)
        if numbers > 2 * looked:
            looked = numbers
            if is_large(numbers):
                return ArrowBatches(X, y, sample_weight, begun=1), None, None
    if not pieces:
        raise ValueError("X has no rows, or they were read before: a reader can be read once")
    return parted(_joined(pieces), y, sample_weight)
