"""X in any shape that scikit-learn's users have it in, as columns of a table or as given matrices.

An array, a frame or a sparse matrix becomes columns; a KernelStack, or a list of matrices, becomes
matrices between rows. What estimators remember of the columns (n_features_in_, feature_names_in_)
is what scikit-learn's own validation remembers, so that wrong widths and wrong names get its
messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils import check_array  # type: ignore[import-untyped]
from sklearn.utils.validation import validate_data  # type: ignore[import-untyped]

from . import _core
from ._frames import Cells, frame_columns, is_frame, object_cells, take_cells
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
    def texts(self) -> list[str]:
        """Names of the columns that hold text."""
        return [
            name
            for name, cells in zip(self.names, self.columns, strict=False)
            if isinstance(cells, list)
        ]

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
    if is_frame(X):
        return _read_frame(estimator, X, reset=reset, least=least)
    return _read_array(estimator, X, reset=reset, least=least)


def check_sparse(inputs: Inputs, is_linear: bool, kernels: str) -> None:
    """Sparse rows are for linear kernels; any other would make the zeros matter."""
    if inputs.sparse and not is_linear:
        raise TypeError(
            f"sparse X was passed, but kernels '{kernels}' need dense rows: use X.toarray(), or "
            "kernels='linear'"
        )


def categorical_names(inputs: Inputs, categorical: Columns) -> list[str]:
    """Columns to be taken as text: those asked for, by name or number, and those that are."""
    asked = [_column_name(inputs.names, column) for column in _listed(categorical)]
    return list(dict.fromkeys([*asked, *inputs.texts]))


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
    check_finite(dense, names)
    return Inputs(len(dense), names, dense, sparse=sparse)


def _has_texts(estimator: Any, X: Rows, reset: bool) -> bool:
    """Rows of objects, such as df.values, of which some columns are to be taken as text."""
    if reset and not _listed(estimator.categorical):
        return False
    if not reset and not any(
        name not in estimator.model_.columns for name in estimator.model_.inputs
    ):
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
    if reset:
        texts = {_column_name(names, column) for column in _listed(estimator.categorical)}
    else:
        texts = set(estimator.model_.inputs) - set(estimator.model_.columns)
    columns = [_object_column(X[:, j], name, name in texts) for j, name in enumerate(names)]
    for name, cells in zip(names, columns, strict=True):
        _check_cells(name, cells)
    return Inputs(len(X), names, None, columns)


def _object_column(values: Any, name: str, is_text: bool) -> Cells:
    if is_text:
        listed = values.tolist()
        return object_cells(listed, [value is None or value != value for value in listed], name)
    try:
        return np.ascontiguousarray(values, dtype=np.float64)
    except ValueError as error:
        raise ValueError(
            f"X: column '{name}': {error}; name it in categorical if it holds categories"
        ) from None


def _validated(estimator: Any, X: Rows, reset: bool, least: int) -> Any:
    try:
        return validate_data(
            estimator,
            X,
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


def _known_names(estimator: Any) -> list[str] | None:
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else list(names)


def check_finite(matrix: Floats, names: list[str]) -> None:
    """The first cell that is no number is named as the library names it: rows count from 1."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(matrix.sum()):
            return
    wrong = np.argwhere(~np.isfinite(matrix))
    if not len(wrong):
        return
    row, column = wrong[0]
    value = "missing (NaN)" if np.isnan(matrix[row, column]) else "infinite (inf)"
    more = f"; there are {len(wrong)} such cells" if len(wrong) > 1 else ""
    raise ValueError(f"X: row {row + 1}: column '{names[column]}': the value is {value}{more}")


# ---- frames ----


def _read_frame(estimator: Any, X: Rows, *, reset: bool, least: int) -> Inputs:
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    if len(X) < least or X.shape[1] == 0:
        check_array(np.empty(X.shape), ensure_min_samples=least)
    parts = frame_columns(X)
    named = all(isinstance(name, str) for name in parts.names)
    names = parts.names if named else default_names(len(parts.names))
    if parts.matrix is not None:
        check_finite(parts.matrix, names)
    for name, cells in zip(names, parts.columns, strict=False):
        _check_cells(name, cells)
    return Inputs(len(X), names, parts.matrix, parts.columns, named=named)


def _check_cells(name: str, cells: Cells) -> None:
    if isinstance(cells, np.ndarray):
        check_finite(cells[:, None], [name])
    elif None in cells:
        row = cells.index(None)
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
