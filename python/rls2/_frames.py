"""Columns of pandas and polars frames, recognised without importing either, and of Arrow's rows."""

from __future__ import annotations

import datetime
import sys
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from ._types import Floats, Ints

Cells = Floats | list[str | None]


class Categories(list[str | None]):
    """Texts of a column that is declared to hold categories, whatever they look like."""


@dataclass(frozen=True)
class FrameColumns:
    """The columns of a frame: one matrix where all are numbers, else one by one."""

    names: list[Any]
    matrix: Floats | None
    columns: list[Cells]


class Column(np.ndarray[Any, np.dtype[Any]]):
    """An array that knows the name of its column."""

    name: str | None = None

    def __array_finalize__(self, other: Any) -> None:
        self.name = getattr(other, "name", None)


class ArrowRows:
    """Some rows of an Arrow stream, of which others may have come before; what is asked of frames
    here can be asked of it."""

    def __init__(self, names: list[str], cells: list[Cells], rows: int, before: int = 0) -> None:
        self.columns = names
        self.cells = cells
        self.shape = (rows, len(names))
        self.before = before

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        """Rows of a slice, columns of a list, or the values of one column."""
        if isinstance(key, slice):
            first, end, _ = key.indices(len(self))
            cells = [_cut(cells, first, end) for cells in self.cells]
            return ArrowRows(self.columns, cells, max(end - first, 0), self.before + first)
        places = {name: j for j, name in enumerate(self.columns)}
        if isinstance(key, str):
            made = _values(self.cells[places[key]]).view(Column)
            made.name = key
            return made
        return ArrowRows(list(key), [self.cells[places[k]] for k in key], len(self), self.before)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Rows x columns; objects where some are texts."""
        kind = object if any(isinstance(cells, list) for cells in self.cells) else np.float64
        made = np.empty(self.shape, dtype=kind)
        for j, cells in enumerate(self.cells):
            made[:, j] = cells
        return made if dtype is None else made.astype(dtype)


def _values(cells: Cells) -> Any:
    """Whole numbers as such: labels of classes may be."""
    if isinstance(cells, list):
        return np.array(cells, dtype=object)
    with np.errstate(invalid="ignore"):
        whole = cells.astype(np.int64)
    return whole if np.array_equal(whole, cells) else cells


def _cut(cells: Cells, first: int, end: int) -> Cells:
    return type(cells)(cells[first:end]) if isinstance(cells, list) else cells[first:end]


def take_cells(cells: Cells, rows: Ints) -> Cells:
    """Some of the cells of a column."""
    return cells[rows] if isinstance(cells, np.ndarray) else type(cells)(cells[i] for i in rows)


def is_pandas(X: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_polars(X: Any) -> bool:
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(X, polars.DataFrame)


def is_frame(X: Any) -> bool:
    return is_pandas(X) or is_polars(X) or isinstance(X, ArrowRows)


def frame_columns(frame: Any) -> FrameColumns:
    """Numbers as doubles (missing: NaN); texts, categories and dates as texts (missing: None)."""
    if isinstance(frame, ArrowRows):
        return _gathered(list(frame.columns), frame.cells, len(frame))
    return _pandas_columns(frame) if is_pandas(frame) else _polars_columns(frame)


def _gathered(names: list[Any], columns: list[Cells], rows: int) -> FrameColumns:
    """Columns that are all numbers become a matrix."""
    if any(isinstance(cells, list) for cells in columns):
        return FrameColumns(names, None, columns)
    matrix = np.empty((rows, len(names)), order="F")
    for j, cells in enumerate(columns):
        matrix[:, j] = cells
    return FrameColumns(names, matrix, [])


def series_name(values: Any) -> str | None:
    """The name of a Series, where it has one that is text."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else None


def frame_names(values: Any) -> list[str] | None:
    """The names of the columns of a frame, where all are text."""
    if not is_frame(values):
        return None
    names = list(values.columns)
    return names if all(isinstance(name, str) for name in names) else None


# ---- pandas ----


def _pandas_columns(frame: Any) -> FrameColumns:
    names = list(frame.columns)
    if all(_is_pandas_number(dtype) for dtype in frame.dtypes):
        return FrameColumns(names, frame.to_numpy(dtype=np.float64, na_value=np.nan), [])
    columns = [_pandas_cells(frame.iloc[:, i], names[i]) for i in range(len(names))]
    return _gathered(names, columns, len(frame))


def _is_pandas_number(dtype: Any) -> bool:
    return dtype.kind in "biuf" and dtype.name != "category"


def _pandas_cells(series: Any, name: Any) -> Cells:
    dtype = series.dtype
    if _is_pandas_number(dtype):
        return np.asarray(series.to_numpy(dtype=np.float64, na_value=np.nan), dtype=np.float64)
    if dtype.name == "category":
        texts = [str(category) for category in series.cat.categories]
        return Categories(texts[code] if code >= 0 else None for code in series.cat.codes)
    if dtype.kind not in "OTUM" and dtype.name not in ("string", "str"):
        raise _no_numbers(name, dtype)
    return object_cells(series.tolist(), series.isna().tolist(), name)


# ---- objects ----

_NUMBERS = (int, float, np.number, np.bool_, Decimal)
_DATES = (datetime.date, datetime.time, np.datetime64)


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas calls NA and NaT."""
    if value is None or isinstance(value, (float, np.floating)):
        return value is None or bool(value != value)
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


def object_cells(values: list[Any], missing: list[bool], name: Any) -> Cells:
    """A column of Python objects: text, unless every cell is a number. Dates are ISO texts."""
    present = [value for value, gone in zip(values, missing, strict=True) if not gone]
    if all(isinstance(value, _NUMBERS) for value in present):
        return np.array(
            [np.nan if gone else value for value, gone in zip(values, missing, strict=True)],
            np.float64,
        )
    wrong = next((v for v in present if not isinstance(v, (str, *_NUMBERS, *_DATES))), None)
    if wrong is not None:
        raise TypeError(
            f"column {name!r}: the argument must be a string or a real number, not "
            f"{type(wrong).__name__!r}"
        )
    return [None if gone else _text(value) for value, gone in zip(values, missing, strict=True)]


def _text(value: Any) -> str:
    """Of each cell by itself: how rows are cut into pieces must not change how they are written."""
    if isinstance(value, datetime.datetime) and _is_midnight(value):
        value = value.date()
    return value.isoformat() if isinstance(value, (datetime.date, datetime.time)) else str(value)


def _is_midnight(value: datetime.datetime) -> bool:
    """Without a time zone: written as a date alone."""
    return value.tzinfo is None and value.time() == datetime.time()


# ---- polars ----


def _polars_columns(frame: Any) -> FrameColumns:
    names = list(frame.columns)
    return _gathered(names, [_polars_cells(frame[name], name) for name in names], len(frame))


def _polars_cells(series: Any, name: str) -> Cells:
    dtype = series.dtype
    if dtype.is_numeric() or str(dtype) == "Boolean":
        floats = series.cast(sys.modules["polars"].Float64)
        return np.asarray(floats.fill_null(np.nan).to_numpy(), dtype=np.float64)
    if str(dtype).startswith(("Categorical", "Enum")):
        return Categories(None if value is None else str(value) for value in series.to_list())
    if str(dtype).startswith(("String", "Utf8", "Object", "Date", "Time", "Null")):
        values = series.to_list()
        return object_cells(values, [is_missing(value) for value in values], name)
    raise _no_numbers(name, dtype)


def _no_numbers(name: Any, dtype: Any) -> TypeError:
    return TypeError(
        f"column {name!r} holds {dtype}, which is neither numbers nor text: make numbers of it, "
        "or leave it out"
    )
