"""Parquet and Feather files, batch by batch through pyarrow."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from ._batches import Batches

#: Of a batch at most; of a Parquet file no more than one row group is in memory, either.
_ROWS = 65536


def read_parquet(
    path: Any,
    *,
    target: str | list[str],
    sample_weight: str | None = None,
    columns: Sequence[str] | None = None,
) -> Batches:
    """Rows of Parquet or Feather files, for fit, which reads them in batches through pyarrow.

    Parameters
    ----------
    path : str or path-like, or a list of these
        Files with the same columns, one after the other. Those that end in .feather, .arrow or .ipc
        are Feather (Arrow IPC) files, others Parquet.
    target : str or list of str
        The columns that are y.
    sample_weight : str, default=None
        The column that holds the weights of the rows.
    columns : list of str, default=None
        The columns that are learned from; None: all others.

    Returns
    -------
    Batches

    Examples
    --------
    >>> import rls2
    >>> rows = rls2.read_parquet(["2024.parquet", "2025.parquet"], target="price")  # doctest: +SKIP
    >>> model = rls2.RLS2RegressorCV().fit(rows)  # doctest: +SKIP
    """
    several = isinstance(path, (list, tuple))
    paths = [os.fspath(one) for one in (path if several else [path])]
    if not paths:
        raise ValueError("path: there are no files")
    wanted = None
    if columns is not None:
        targets = [target] if isinstance(target, str) else list(target)
        wanted = [*columns, *targets, *([] if sample_weight is None else [sample_weight])]
    _pyarrow()

    def batches() -> Iterator[Any]:
        for one in paths:
            feather = str(one).lower().endswith((".feather", ".arrow", ".ipc"))
            yield from (_feather if feather else _parquet)(one, wanted)

    return Batches(batches, target=target, sample_weight=sample_weight)


def _pyarrow() -> Any:
    try:
        import pyarrow  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise ImportError(
            "Parquet and Feather files are read through pyarrow, which is not installed: "
            "python -m pip install pyarrow"
        ) from None
    return pyarrow


def _parquet(path: Any, columns: list[str] | None) -> Iterator[Any]:
    from pyarrow import parquet  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with parquet.ParquetFile(path) as file:
        _check_columns(path, file.schema_arrow.names, columns)
        yield from file.iter_batches(_ROWS, columns=columns)


def _feather(path: Any, columns: list[str] | None) -> Iterator[Any]:
    from pyarrow import ipc  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with _pyarrow().memory_map(str(path)) as mapped, ipc.open_file(mapped) as file:
        _check_columns(path, file.schema.names, columns)
        for i in range(file.num_record_batches):
            batch = file.get_batch(i)
            yield batch if columns is None else batch.select(columns)


def _check_columns(path: Any, names: list[str], columns: list[str] | None) -> None:
    absent = [name for name in columns or [] if name not in names]
    if absent:
        raise ValueError(f"{path} has no column {absent[0]!r}")
