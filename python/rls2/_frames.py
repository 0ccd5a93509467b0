"""Columns of pandas and polars frames, recognised without importing either."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._types import Floats, Ints

Cells = Floats | list[str | None]


@dataclass(frozen=True)
class FrameColumns:
    """The columns of a frame: one matrix where all are numbers, else one by one."""

    names: list[Any]
    matrix: Floats | None
    columns: list[Cells]

    @property
    def texts(self) -> list[int]:
        """Which of the columns hold text."""
        return [i for i, cells in enumerate(self.columns) if isinstance(cells, list)]


def take_cells(cells: Cells, rows: Ints) -> Cells:
    """Some of the cells of a column."""
    return cells[rows] if isinstance(cells, np.ndarray) else [cells[i] for i in rows]


def is_pandas(X: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_polars(X: Any) -> bool:
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(X, polars.DataFrame)


def is_frame(X: Any) -> bool:
    return is_pandas(X) or is_polars(X)


def frame_columns(frame: Any) -> FrameColumns:
    """Numbers as doubles (missing: NaN), texts and categories as texts (missing: None)."""
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
        return [texts[code] if code >= 0 else None for code in series.cat.codes]
    if dtype.kind not in "OTU" and dtype.name not in ("string", "str"):
        raise _no_numbers(name, dtype)
    return object_cells(series.tolist(), series.isna().tolist(), name)


def object_cells(values: list[Any], missing: list[bool], name: Any) -> Cells:
    """A column of Python objects: text, unless every cell is a number."""
    present = [value for value, gone in zip(values, missing, strict=True) if not gone]
    if present and all(isinstance(value, (int, float, np.number, np.bool_)) for value in present):
        return np.array(
            [np.nan if gone else value for value, gone in zip(values, missing, strict=True)],
            np.float64,
        )
    wrong = next(
        (
            value
            for value in present
            if not isinstance(value, (str, int, float, np.number, np.bool_))
        ),
        None,
    )
    if wrong is not None:
        raise TypeError(
            f"column {name!r}: the argument must be a string or a real number, not "
            f"{type(wrong).__name__!r}"
        )
    return [None if gone else str(value) for value, gone in zip(values, missing, strict=True)]


# ---- polars ----


def _polars_columns(frame: Any) -> FrameColumns:
    names = list(frame.columns)
    return _gathered(names, [_polars_cells(frame[name], name) for name in names], len(frame))


def _polars_cells(series: Any, name: str) -> Cells:
    dtype = series.dtype
    if dtype.is_numeric() or str(dtype) == "Boolean":
        floats = series.cast(sys.modules["polars"].Float64)
        return np.asarray(floats.fill_null(np.nan).to_numpy(), dtype=np.float64)
    if str(dtype).startswith(("String", "Utf8", "Categorical", "Enum")):
        return [None if value is None else str(value) for value in series.to_list()]
    if str(dtype) == "Object":
        values = series.to_list()
        return object_cells(values, [value is None for value in values], name)
    raise _no_numbers(name, dtype)


def _no_numbers(name: Any, dtype: Any) -> TypeError:
    return TypeError(
        f"column {name!r} holds {dtype}, which is neither numbers nor text: make numbers of it, "
        "or leave it out"
    )
