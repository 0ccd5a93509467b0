"""X in any shape that scikit-learn's users have it in, as columns of a table or as given matrices.

An array, a frame or a sparse matrix becomes columns; a KernelStack, or a list of matrices, becomes
matrices between rows. What estimators remember of the columns (n_features_in_, feature_names_in_)
is what scikit-learn's own validation remembers, so that wrong widths and wrong names get its
messages.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils import check_array  # type: ignore[import-untyped]
from sklearn.utils.validation import validate_data  # type: ignore[import-untyped]

from . import _core
from ._arrow import is_arrow, whole_of
from ._frames import (
    ArrowRows,
    Categories,
    Cells,
    frame_columns,
    is_frame,
    is_missing,
    object_cells,
    take_cells,
)
from ._stack import KernelStack, is_matrix_list
from ._types import Columns, Floats, Ints, Rows


@dataclass
class Inputs:
    """Rows ready for the library: a matrix, or columns of several kinds, or given matrices."""

    rows: int
    names: list[str] = field(default_factory=list)
    matrix: Floats | None = None
    columns: list[Cells] = field(default_factory=list)
    stack: KernelStack | None = None
    named: bool = False
    sparse: bool = False

    @property
    def texts(self) -> dict[str, list[str | None]]:
        """The columns that hold text, by name."""
        listed = zip(self.names, self.columns, strict=False)
        return {name: cells for name, cells in listed if isinstance(cells, list)}

    @property
    def numbers(self) -> list[str]:
        """The columns in which there are numbers."""
        if self.matrix is not None:
            known = np.atleast_1d(~np.isnan(self.matrix).all(axis=0))
            return [name for name, some in zip(self.names, known) if some]
        listed = zip(self.names, self.columns, strict=False)
        return [n for n, c in listed if isinstance(c, np.ndarray) and not np.isnan(c).all()]

    @property
    def needs_reading(self) -> bool:
        """Cells that are not numbers, or missing: only a table can be made of them."""
        return self.matrix is None or bool(np.isnan(self.matrix.sum()))

    def table(self, further: Sequence[tuple[str, Cells]] = ()) -> _core.Table:
        """The columns, and others behind them, as a table of the library."""
        own = list(zip(self.names, self.columns, strict=True)) if self.matrix is None else []
        names = self.names if self.matrix is not None else []
        return _core.Table("X", self.rows, self.matrix, names, [*own, *further])

    def take(self, rows: Ints) -> Inputs:
        """Some of the rows."""
        return Inputs(
            len(rows),
            self.names,
            None if self.matrix is None else self.matrix[rows],
            [take_cells(cells, rows) for cells in self.columns],
            None if self.stack is None else self.stack[rows],
            self.named,
            self.sparse,
        )


def read_rows(estimator: Any, X: Rows, *, reset: bool, least: int = 1) -> Inputs:
    """X for fit (reset) or for a fitted estimator. least: rows that are needed."""
    if isinstance(X, KernelStack) or is_matrix_list(X):
        return _read_matrices(estimator, X, reset=reset, least=least)
    if not reset and _was_stack(estimator):
        raise ValueError(
            "the model was trained on kernel matrices: give rows as a KernelStack or a list of "
            "matrices"
        )
    if is_arrow(X):
        X = whole_of(X)
    if is_frame(X):
        return _read_frame(estimator, X, reset=reset, least=least)
    return _read_array(estimator, X, reset=reset, least=least)


def takes_missing(estimator: Any) -> bool:
    """Are missing values allowed? Else they, and unseen categories, are an error in new rows too.
    """
    return bool(estimator.missing != "error")


def check_sparse(inputs: Inputs, is_linear: bool, kernels: str) -> None:
    """Sparse rows are for linear kernels; any other would make the zeros matter."""
    if inputs.sparse and not is_linear:
        shown = textwrap.shorten(kernels, 60, placeholder=" ...")
        raise TypeError(
            f"sparse X was passed, but kernels '{shown}' need dense rows: use X.toarray(), or "
            "kernels='linear'"
        )


def categorical_names(inputs: Inputs, categorical: Columns, table: _core.Table) -> list[str]:
    """Columns to be taken as categories: those asked for, by name or number, and those of text in
    which the table sees no dates and no numbers that were written as text."""
    asked = listed_names(inputs.names, categorical)
    kinds = dict(zip(table.names, table.kinds, strict=True))
    found = [name for name, cells in inputs.texts.items() if _are_categories(cells, kinds[name])]
    return list(dict.fromkeys([*asked, *found]))


def listed_names(names: list[str], categorical: Columns) -> list[str]:
    """The columns asked for, by name or number."""
    return [_column_name(names, column) for column in _listed(categorical)]


_PLAIN_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)


def _are_categories(cells: list[str | None], kind: str) -> bool:
    """Plain numbers that somebody keeps as text are codes; "1,232" or "5 %" is how files have them.
    """
    if kind == "text" or isinstance(cells, Categories):
        return True
    return kind == "numbers" and all(
        text is None or _PLAIN_NUMBER.fullmatch(text) for text in cells
    )


# ---- arrays ----


def default_names(count: int) -> list[str]:
    """x1, x2, ...: as the command calls the columns of a file without a header."""
    return [f"x{j + 1}" for j in range(count)]


def _read_array(estimator: Any, X: Rows, *, reset: bool, least: int) -> Inputs:
    if _has_texts(estimator, X, reset):
        return _read_objects(estimator, np.array(X, dtype=object), reset=reset, least=least)
    if not reset and getattr(estimator, "_text_inputs", None):
        raise TypeError(
            f"the model was trained on columns of text ({', '.join(estimator._text_inputs)}): "
            "give new rows as a frame, "
            "or as an array of objects"
        )
    matrix = X if _is_plain(estimator, X, reset, least) else _validated(estimator, X, reset, least)
    sparse = not isinstance(matrix, np.ndarray)
    dense: Floats = matrix.toarray(order="F") if sparse else matrix
    names = _known_names(estimator) or default_names(dense.shape[1])
    check_finite(dense, names, takes_missing(estimator))
    return Inputs(len(dense), names, dense, sparse=sparse)


def _has_texts(estimator: Any, X: Rows, reset: bool) -> bool:
    """Rows of objects, such as df.values, of which some columns are to be taken as text."""
    if reset and not _listed(estimator.categorical):
        return False
    if not reset and all(kind == "numbers" for kind in estimator.model_.input_kinds):
        return False
    if isinstance(X, np.ndarray):
        return X.ndim == 2 and X.dtype.kind in "OUT"
    return isinstance(X, (list, tuple)) and any(
        isinstance(x, str) for row in X if np.iterable(row) for x in row
    )


def _listed(categorical: Columns) -> list[str | int]:
    """The parameter as a list."""
    if categorical is None:
        return []
    if isinstance(categorical, (str, int, np.integer)):
        return [categorical]
    return list(categorical)


def _read_objects(estimator: Any, X: Any, *, reset: bool, least: int) -> Inputs:
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    if len(X) < least or X.shape[1] == 0:
        check_array(np.empty(X.shape), ensure_min_samples=least)
    names = _known_names(estimator) or default_names(X.shape[1])
    texts = set(names)  # a model knows how to read each of its columns
    if reset:
        texts = {_column_name(names, column) for column in _listed(estimator.categorical)}
    return _object_inputs(X, names, texts, takes_missing(estimator))


def _object_inputs(
    X: Any, names: list[str], texts: set[str], may_miss: bool, before: int = 0
) -> Inputs:
    columns = [_object_column(X[:, j], name, name in texts) for j, name in enumerate(names)]
    for name, cells in zip(names, columns, strict=True):
        _check_cells(name, cells, may_miss, before)
    return Inputs(len(X), names, None, columns)


def array_inputs(X: Any, categorical: Columns, may_miss: bool, before: int = 0) -> Inputs:
    """The rows of an array of numbers, or of objects of which some columns are to be taken as text;
    `before` of them have come already."""
    names = default_names(X.shape[1])
    if X.dtype.kind in "OUT" and _listed(categorical):
        texts = {_column_name(names, column) for column in _listed(categorical)}
        return _object_inputs(X.astype(object), names, texts, may_miss, before)
    try:
        matrix: Floats = np.asarray(_without_na(X), dtype=np.float64)
    except ValueError as error:
        raise ValueError(
            f"X: {error}; name columns of text in categorical, or give a frame"
        ) from None
    check_finite(matrix, names, may_miss, before)
    return Inputs(len(matrix), names, matrix)


def _object_column(values: Any, name: str, may_be_text: bool) -> Cells:
    if may_be_text:
        listed = values.tolist()
        return object_cells(listed, [is_missing(value) for value in listed], name)
    try:
        return np.ascontiguousarray(_without_na(values), dtype=np.float64)
    except ValueError as error:
        raise ValueError(
            f"X: column '{name}': {error}; name it in categorical if it holds categories"
        ) from None


def _without_na(values: Any) -> Any:
    """An array of objects in which every missing value is NaN, which numpy makes a number of."""
    if not isinstance(values, np.ndarray) or values.dtype != object:
        return values
    missing = np.frompyfunc(is_missing, 1, 1)(values).astype(bool)
    return np.where(missing, np.nan, values) if missing.any() else values


def _validated(estimator: Any, X: Rows, reset: bool, least: int) -> Any:
    try:
        return validate_data(
            estimator,
            _without_na(X),
            reset=reset,
            accept_sparse="csc",
            dtype=np.float64,
            ensure_all_finite=False,
            ensure_min_samples=least,
        )
    except ValueError as error:
        if not str(error).startswith("could not convert string"):
            raise
        raise ValueError(
            f"X: {error}; name columns of text in categorical, or give a frame"
        ) from None


def _is_plain(estimator: Any, X: Rows, reset: bool, least: int) -> bool:
    """An array that needs no validation, which takes longer than all else that is done here;
    remembers its width.
    """
    if (
        type(X) is not np.ndarray
        or X.dtype != np.float64
        or X.ndim != 2
        or X.shape[0] < least
        or X.shape[1] == 0
    ):
        return False
    if reset:
        estimator.__dict__.pop("feature_names_in_", None)
        estimator.n_features_in_ = X.shape[1]
        return True
    return not hasattr(estimator, "feature_names_in_") and X.shape[1] == estimator.n_features_in_


def remember_columns(estimator: Any, names: list[str], named: bool) -> None:
    """As scikit-learn's validation does."""
    estimator.n_features_in_ = len(names)
    estimator.__dict__.pop("feature_names_in_", None)
    if named:
        estimator.feature_names_in_ = np.array(names, dtype=object)


def _known_names(estimator: Any) -> list[str] | None:
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else list(names)


def check_finite(matrix: Floats, names: list[str], may_miss: bool, before: int = 0) -> None:
    """The first cell that is no number is named as the library names it: rows count from 1, behind
    those that came before."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(matrix.sum()):
            return
    wrong = np.argwhere(np.isinf(matrix) if may_miss else ~np.isfinite(matrix))
    if not len(wrong):
        return
    row, column = wrong[0]
    value = "missing (NaN)" if np.isnan(matrix[row, column]) else "infinite (inf)"
    more = f"; there are {len(wrong)} such cells" if len(wrong) > 1 else ""
    place = f"X: row {before + row + 1}: column '{names[column]}'"
    raise ValueError(f"{place}: the value is {value}{more}")


# ---- frames ----


def _read_frame(estimator: Any, X: Rows, *, reset: bool, least: int) -> Inputs:
    if isinstance(X, ArrowRows):
        _check_names(estimator, list(X.columns), reset=reset)
    else:
        validate_data(estimator, X, reset=reset, skip_check_array=True)
    if len(X) < least or X.shape[1] == 0:
        check_array(np.empty(X.shape), ensure_min_samples=least)
    return frame_inputs(X, takes_missing(estimator))


def _check_names(estimator: Any, names: list[str], *, reset: bool) -> None:
    """As scikit-learn's validation does with frames it knows."""
    if reset:
        remember_columns(estimator, names, True)
    known = _known_names(estimator)
    if known is None and len(names) != estimator.n_features_in_:
        raise ValueError(
            f"X has {len(names)} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input"
        )
    if known is not None and names != known:
        other = next((n for n in known if n not in names), None)
        extra = next((n for n in names if n not in known), None)
        raise ValueError(
            f"The columns of X should be those that were learned from, in their order: "
            + (f"{other!r} is missing" if other is not None else "")
            + ("; " if other is not None and extra is not None else "")
            + (f"{extra!r} was not there" if extra is not None else "")
            + ("the order is another" if other is None and extra is None else "")
        )


def frame_inputs(frame: Any, may_miss: bool, before: int = 0) -> Inputs:
    """The rows of a frame, `before` of which have come already."""
    if isinstance(frame, ArrowRows):
        before = max(before, frame.before)
    parts = frame_columns(frame)
    named = all(isinstance(name, str) for name in parts.names)
    names = parts.names if named else default_names(len(parts.names))
    if parts.matrix is not None:
        check_finite(parts.matrix, names, may_miss, before)
    for name, cells in zip(names, parts.columns, strict=False):
        _check_cells(name, cells, may_miss, before)
    return Inputs(len(frame), names, parts.matrix, parts.columns, named=named)


def _check_cells(name: str, cells: Cells, may_miss: bool, before: int = 0) -> None:
    if isinstance(cells, np.ndarray):
        check_finite(cells[:, None], [name], may_miss, before)
    elif None in cells and not may_miss:
        row = before + cells.index(None)
        raise ValueError(f"X: row {row + 1}: column '{name}': the value is missing (NaN)")


def _column_name(names: list[str], column: str | int) -> str:
    if isinstance(column, str):
        return column
    if not isinstance(column, (int, np.integer)) or isinstance(column, bool):
        raise ValueError(f"categorical: {column!r} should be the name or the number of a column")
    if not 0 <= column < len(names):
        raise ValueError(
            f"categorical: there is no column number {column}, the last of {len(names)} is "
            f"{len(names) - 1}"
        )
    return names[column]


# ---- given matrices ----


def _read_matrices(estimator: Any, X: Rows, *, reset: bool, least: int) -> Inputs:
    if reset:
        stack = X if isinstance(X, KernelStack) else KernelStack(X)
        estimator.n_features_in_ = stack.shape[1]
        estimator.__dict__.pop("feature_names_in_", None)
    else:
        stack = X if isinstance(X, KernelStack) else KernelStack.between(X)
        stack = _as_trained(estimator, stack)
    if len(stack) < least:
        check_array(np.empty((len(stack), 1)), ensure_min_samples=least)
    return Inputs(len(stack), stack=stack)


def _was_stack(estimator: Any) -> bool:
    return bool(estimator.model_.given_names) and not estimator.model_.columns


def _as_trained(estimator: Any, stack: KernelStack) -> KernelStack:
    known = list(estimator.model_.given_names)
    if not known:
        raise ValueError("the model was trained on columns, not on kernel matrices")
    if not stack.is_square and stack.shape[1] not in (estimator.model_.rows, estimator._universe):
        raise ValueError(
            f"kernel matrices have {stack.shape[1]} columns, and the model has "
            f"{estimator.model_.rows} training rows"
        )
    return stack._ordered_as(known)
