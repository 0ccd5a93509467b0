"""Precomputed kernels, as something that can be sliced by rows like any other X."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ._types import Floats, Ints, Rows


class KernelStack:
    """Kernel matrices over one universe of rows, sliced by rows as an array is.

    A precomputed kernel is a matrix over all rows there are. A stack holds several of them and
    remembers which rows it stands for, so that ``cross_val_score``, ``GridSearchCV`` and
    ``train_test_split`` can take rows from it: ``fit`` learns from ``matrices[rows][:, rows]`` and
    ``predict`` looks up the same rows against those of the training. Taking rows copies no matrix.

    Parameters
    ----------
    matrices : sequence of array-like of shape (n_rows, n_rows), or dict of them by name
        Symmetric positive semi-definite matrices between the same rows in the same order.
    names : sequence of str, default=None
        What they are called, in ``given(name)``; by default ``k1``, ``k2``, ...

    Attributes
    ----------
    names : list of str
        Names of the matrices.
    rows : ndarray of int
        Numbers of the rows it stands for, in the universe.
    shape : tuple of int
        Rows it stands for, rows of the universe.

    See Also
    --------
    KernelStack.between : matrices between new rows and the training rows.

    Examples
    --------
    >>> import numpy as np
    >>> from rls2 import KernelStack, RLS2Regressor
    >>> x = np.linspace(0, 1, 40)[:, None]
    >>> stack = KernelStack({"line": x @ x.T, "bell": np.exp(-30 * (x - x.T) ** 2)})
    >>> model = RLS2Regressor().fit(stack[:30], np.sin(6 * x[:30, 0]))
    >>> model.predict(stack[30:]).shape
    (10,)
    """

    ndim = 2
    dtype = np.dtype(np.float64)

    def __init__(self, matrices: Any, names: Sequence[str] | None = None) -> None:
        self.names, self._matrices = _named_matrices(matrices, names)
        sizes = {matrix.shape for matrix in self._matrices}
        if len(sizes) != 1 or len({*sizes.copy().pop()}) != 1:
            raise ValueError(
                f"kernel matrices should be square and of one size, not {_shapes(self._matrices)}"
            )
        self.rows: Ints = np.arange(self._matrices[0].shape[0], dtype=np.int64)
        self._diagonals: list[Floats] | None = None
        self.is_square = True
        self._is_unnamed = False

    @classmethod
    def between(
        cls, matrices: Any, diagonals: Any = None, names: Sequence[str] | None = None
    ) -> KernelStack:
        """Values between new rows and the training rows, for predict alone.

        Parameters
        ----------
        matrices : sequence of array-like of shape (n_new, n_train), or dict of them by name
            Rows are the new ones, columns the training rows in the order they had in ``fit``: of a
            matrix K over all rows ``K[new][:, train]``. A sequence without ``names`` is in the
            order of the stack the model was trained on; a dict, or a sequence with ``names``, goes
            by name. Values against the whole universe of that stack, (n_new, n_universe), will do
            as well, unless the model was loaded from a file: the file does not know which rows of
            it were learned from.
        diagonals : sequence of array-like of shape (n_new,), default=None
            K(x, x) of the new rows for each matrix; needed for ``return_std`` only.
        names : sequence of str, default=None
            Names of the matrices, where they are not in the order of that stack.

        Returns
        -------
        KernelStack
            A stack that can be predicted, and sliced by the new rows.
        """
        stack = cls.__new__(cls)
        stack.names, stack._matrices = _named_matrices(matrices, names)
        if len({matrix.shape for matrix in stack._matrices}) != 1:
            raise ValueError(
                f"kernel matrices should be of one size, not {_shapes(stack._matrices)}"
            )
        stack.rows = np.arange(stack._matrices[0].shape[0], dtype=np.int64)
        stack._is_unnamed = names is None and not isinstance(matrices, dict)
        stack._diagonals = _diagonals(diagonals, len(stack.names), len(stack.rows))
        stack.is_square = False
        return stack

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), self._matrices[0].shape[1]

    @property
    def universe(self) -> int:
        """Number of rows of the matrices."""
        return int(self._matrices[0].shape[0])

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        what = "rows" if self.is_square else "new rows"
        names = ", ".join(repr(name)[1:-1] for name in self.names)  # control characters escaped
        return f"KernelStack({names}: {len(self)} of {self.universe} {what})"

    def __iter__(self) -> Iterator[KernelStack]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> KernelStack:
        """Some of the rows: an index, a slice, a list of numbers or a mask."""
        if isinstance(key, tuple):
            if len(key) > 2 or (len(key) == 2 and key[1] is not Ellipsis and key[1] != slice(None)):
                raise IndexError("a KernelStack is sliced by rows only")
            key = key[0]
        taken = self.rows[key if isinstance(key, slice) else np.asarray(key)]
        return self._with_rows(np.atleast_1d(taken))

    def _with_rows(self, rows: Ints) -> KernelStack:
        part = KernelStack.__new__(KernelStack)
        part.__dict__.update(self.__dict__)
        part.rows = rows
        return part

    def _square(self) -> list[tuple[str, Floats]]:
        """The matrices between its own rows by name, for the library."""
        if not self.is_square:
            raise ValueError(
                "KernelStack.between() holds new rows against training rows; fit needs the square "
                "matrices"
            )
        blocks = [_block(matrix, self.rows, self.rows) for matrix in self._matrices]
        return list(zip(self.names, blocks, strict=True))

    def _against(self, training_rows: Ints | None, universe: int | None) -> list[Floats]:
        """Its rows against the training rows, for the library.

        New rows may come with values against the whole universe or against the training rows.
        """
        if not self.is_square:
            whole = training_rows is not None and self.shape[1] == universe
            columns = training_rows if whole else np.arange(self.shape[1])
            return [_block(matrix, self.rows, columns) for matrix in self._matrices]
        if training_rows is None:
            raise ValueError(
                "the model was loaded from a file, which does not know which rows of a stack it "
                "was trained on: give "
                "the values between new rows and training rows, KernelStack.between({name: "
                "K[new][:, train], ...})"
            )
        if self.universe != universe:
            raise ValueError(
                f"a stack over {self.universe} rows is not the one the model was trained on; "
                "give values between new rows and training rows by KernelStack.between()"
            )
        return [_block(matrix, self.rows, training_rows) for matrix in self._matrices]

    def _diagonals_of_rows(self) -> list[Floats]:
        """K(x, x) of its rows, for predictive variances."""
        if self.is_square:
            return [np.ascontiguousarray(matrix[self.rows, self.rows]) for matrix in self._matrices]
        if self._diagonals is None:
            raise ValueError(
                "return_std needs K(x, x) of the new rows: KernelStack.between(matrices, diagonals)"
            )
        return [diagonal[self.rows] for diagonal in self._diagonals]

    def _ordered_as(self, names: list[str]) -> KernelStack:
        """The same matrices in the order of those names."""
        if self.names == names:
            return self
        if self._is_unnamed and len(self.names) == len(names):
            part = self._with_rows(self.rows)
            part.names = names
            return part
        if sorted(self.names) != sorted(names):
            raise ValueError(
                f"the kernel matrices are {', '.join(self.names)}, and the model knows "
                f"{', '.join(names)}"
            )
        order = [self.names.index(name) for name in names]
        part = self._with_rows(self.rows)
        part.names = names
        part._matrices = [self._matrices[i] for i in order]
        part._diagonals = self._diagonals and [self._diagonals[i] for i in order]
        return part


def is_matrix_list(X: Rows) -> bool:
    """A plain list of matrices: rows of numbers would be lists, or arrays of one dimension."""
    if isinstance(X, dict) and not hasattr(X, "shape"):
        return len(X) > 0 and all(getattr(m, "ndim", 0) == 2 for m in X.values())
    return (
        isinstance(X, (list, tuple))
        and len(X) > 0
        and all(isinstance(m, np.ndarray) and m.ndim == 2 for m in X)
    )


def _named_matrices(matrices: Any, names: Sequence[str] | None) -> tuple[list[str], list[Floats]]:
    if isinstance(matrices, dict):
        names, matrices = list(matrices), list(matrices.values())
    arrays = [np.asarray(matrix, dtype=np.float64) for matrix in matrices]
    if not arrays or any(array.ndim != 2 for array in arrays):
        raise ValueError("a KernelStack is made of one or more matrices")
    names = (
        [f"k{i + 1}" for i in range(len(arrays))]
        if names is None
        else [str(name) for name in names]
    )
    if len(names) != len(arrays) or len(set(names)) != len(names):
        raise ValueError(f"{len(arrays)} matrices need as many different names, not {names}")
    return names, arrays


def _shapes(arrays: list[Floats]) -> str:
    return ", ".join("x".join(str(size) for size in array.shape) for array in arrays)


def _block(matrix: Floats, rows: Ints, columns: Any) -> Floats:
    """Column-major, as the library reads it."""
    return np.asfortranarray(matrix[np.ix_(rows, columns)])


def _diagonals(diagonals: Any, count: int, rows: int) -> list[Floats] | None:
    if diagonals is None:
        return None
    made = [np.ascontiguousarray(diagonal, dtype=np.float64) for diagonal in diagonals]
    if len(made) != count or any(diagonal.shape != (rows,) for diagonal in made):
        raise ValueError(
            f"diagonals should be {count} lists of {rows} numbers, one for each matrix"
        )
    return made
