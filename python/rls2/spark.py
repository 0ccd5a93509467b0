"""Fits of Spark's data frames, in their partitions.

Executors read each partition twice, through Arrow: for a profile, and to be counted. Profiles and
statistics are added up in a tree, on executors too; the model is learned from their sum by the
driver. It is the model of the same rows in one process, to the bit, whatever the partitions, and
whatever fails and is done again. rls2 and pyarrow are needed where executors run.

>>> import rls2
>>> import rls2.spark
>>> model = rls2.spark.fit(rls2.RLS2RegressorCV(), frame, "price")  # doctest: +SKIP
>>> prices = rls2.spark.transform(model, other)  # doctest: +SKIP
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from importlib import import_module
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from ._arrow import pieces_of, whole_of
from ._parts import (
    add_up,
    empty_of,
    fit_counted,
    named,
    parameters_for,
    placed,
    wrong_cell,
)
from ._profile import Profile
from ._statistics import Statistics

__all__ = ["fit", "statistics", "transform"]

_E = TypeVar("_E")

#: Sums that are added up by one task.
_AT_ONCE = 8

_BYTES = "found binary"

#: Bytes that a cell of Arrow, and of Spark, can have.
_MOST = 2**31 - 1


def fit(
    estimator: _E, frame: Any, target: str | list[str], *, sample_weight: str | None = None
) -> _E:
    """Learn from the partitions of a Spark data frame.

    Parameters
    ----------
    estimator : RLS2Regressor, RLS2RegressorCV, RLS2Classifier or RLS2ClassifierCV
        What is to be learned; it is fitted. Rows are counted, as ``method="tall"`` does.
    frame : pyspark DataFrame
        Rows. It is read twice: cache what takes long to compute.
    target : str or list of str
        The columns that are y.
    sample_weight : str, default=None
        The column that holds the weights of the rows.

    Returns
    -------
    estimator
    """
    counted = statistics(
        frame, target, sample_weight=sample_weight, **parameters_for(estimator)
    )
    fitted: _E = fit_counted(estimator, counted)
    return fitted


def statistics(
    frame: Any,
    target: str | list[str],
    *,
    sample_weight: str | None = None,
    **parameters: Any,
) -> Statistics:
    """Count the rows in the partitions of a Spark data frame.

    Parameters
    ----------
    frame, target, sample_weight
        As for ``fit``.
    **parameters
        Those of Statistics.

    Returns
    -------
    Statistics
        Equal to those of ``Statistics(**parameters).fit`` of the same rows in one place.
    """
    _check(frame, target, sample_weight)
    threads = _threads(frame)
    # two sums for each thread: who is done early goes on with another
    profile = _sum(frame, _looking(target, sample_weight, parameters), 2 * threads)
    try:
        empty = empty_of(profile)
    except ValueError as error:
        _find(error, frame)
        raise
    _check_size(empty)
    # statistics are large: one for each thread
    total = _sum(frame, _counting(target, sample_weight, _shared(frame, empty)), threads)
    assert isinstance(total, Statistics)
    return total


def transform(estimator: Any, frame: Any, *, output: str = "prediction") -> Any:
    """Predict the rows of a Spark data frame, in its partitions.

    Parameters
    ----------
    estimator : fitted estimator
        A model of rows with named columns, from wherever.
    frame : pyspark DataFrame
        Rows, with the columns that were learned from among others.
    output : str, default="prediction"
        The column that is added; of several targets their names follow it.

    Returns
    -------
    pyspark DataFrame
        All columns, and the predictions.
    """
    types: Any = import_module("pyspark.sql.types")
    names = [str(name) for name in getattr(estimator, "feature_names_in_", estimator.model_.inputs)]
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise ValueError(f"the frame has no column {absent[0]!r}")
    classes = getattr(estimator, "classes_", None)
    kinds = {"i": types.LongType, "u": types.LongType, "b": types.BooleanType}
    kind = types.DoubleType
    if classes is not None:
        kind = kinds.get(classes.dtype.kind, types.StringType)
        kind = types.DoubleType if classes.dtype.kind == "f" else kind
    one = classes is not None or estimator._flat
    added = [output] if one else [f"{output}_{name}" for name in estimator.model_.output_names]
    taken = [name for name in added if name in frame.columns]
    if taken:
        raise ValueError(f"the frame has a column {taken[0]!r} already: give another output")
    fields = [types.StructField(name, kind()) for name in added]
    schema = types.StructType([*frame.schema.fields, *fields])
    return frame.mapInArrow(_predicting(_shared(frame, estimator), names, added), schema)


# ---- on executors ----


def _looking(target: Any, weight: str | None, parameters: dict[str, Any]) -> Callable[..., Any]:
    def work(batches: Iterable[Any]) -> Iterator[Any]:
        rows = _stream(batches)
        if rows is not None:
            with named(_place()):
                found = Profile(**parameters).fit(rows, target, weight)
            yield _as_row(found)

    return work


def _counting(target: Any, weight: str | None, empty: Callable[[], Any]) -> Callable[..., Any]:
    def work(batches: Iterable[Any]) -> Iterator[Any]:
        rows = _stream(batches)
        if rows is not None:
            with named(_place()):
                counted = copy(empty()).partial_fit(rows, target, weight)
            yield _as_row(counted)

    return work


def _stream(batches: Iterable[Any]) -> Any:
    """All of them in one: to begin anew with each batch takes longer than to look at its rows. None
    where there are no rows."""
    pa: Any = import_module("pyarrow")
    filled = (batch for batch in batches if batch.num_rows > 0)
    first = next(filled, None)
    if first is None:
        return None
    return pa.RecordBatchReader.from_batches(first.schema, chain([first], filled))


def _adding(batches: Iterable[Any]) -> Iterator[Any]:
    total: Any = add_up(pickle.loads(row.as_py()) for batch in batches for row in batch.column(0))
    if total is not None:
        yield _as_row(total)


def _finding(column: str, text: str) -> Callable[..., Any]:
    def work(batches: Iterable[Any]) -> Iterator[Any]:
        rows = 0
        for batch in batches:
            for piece in pieces_of(batch.select([column])):
                cells = piece.cells[0]
                if isinstance(cells, list) and text in cells:
                    row = rows + piece.before + cells.index(text) + 1
                    yield _as_row((_place(), row))
                    return
            rows += batch.num_rows

    return work


def _predicting(model: Callable[[], Any], names: list[str], added: list[str]) -> Callable[..., Any]:
    def work(batches: Iterable[Any]) -> Iterator[Any]:
        pa: Any = import_module("pyarrow")
        for batch in batches:
            if batch.num_rows == 0:
                continue
            values = np.asarray(model().predict(whole_of(batch.select(names))))
            columns = [values] if values.ndim == 1 else list(values.T)
            arrays = [pa.array(c.tolist() if c.dtype.kind in "OUT" else c) for c in columns]
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, *arrays], names=[*batch.schema.names, *added]
            )

    return work


def _as_row(found: Any) -> Any:
    pa: Any = import_module("pyarrow")
    return pa.RecordBatch.from_arrays([pa.array([pickle.dumps(found)], pa.binary())], ["found"])


def _place() -> str:
    context = import_module("pyspark").TaskContext.get()
    return f"partition {context.partitionId()}"


# ---- on the driver ----


def _check(frame: Any, target: Any, weight: str | None) -> None:
    if not hasattr(frame, "mapInArrow"):
        raise TypeError(f"a Spark DataFrame is needed, not {type(frame).__name__!r}")
    targets = [target] if isinstance(target, str) else list(target)
    wanted = [*targets, *([] if weight is None else [weight])]
    absent = [name for name in wanted if name not in frame.columns]
    if absent:
        raise ValueError(f"the frame has no column {absent[0]!r}")


def _check_size(empty: Statistics) -> None:
    """They travel as one cell; rows that are counted do not make them larger."""
    size = len(pickle.dumps(empty))
    if size > _MOST:
        raise ValueError(
            f"the statistics take {size / 1e9:.1f} GB, and Spark moves {_MOST / 1e9:.1f} GB at "
            "once: a smaller cv, or fewer columns, makes them smaller"
        )


def _sum(frame: Any, work: Callable[..., Any], most: int) -> Any:
    """What work finds in all partitions, of which each task reads several: so many at most."""
    many = _partitions(frame)
    if many <= most:
        return _added_up(frame.mapInArrow(work, _BYTES), many)
    try:
        return _added_up(frame.coalesce(most).mapInArrow(work, _BYTES), most)
    except ValueError:
        # the partition that is wrong is named as the frame counts them
        _added_up(frame.mapInArrow(work, _BYTES), many)
        raise


def _added_up(found: Any, many: int) -> Any:
    """The sum of what the partitions have found, added up on executors until it is one."""
    while many > 1:
        many = (many + _AT_ONCE - 1) // _AT_ONCE
        found = found.repartition(many).mapInArrow(_adding, _BYTES)
    with _words():
        rows = found.collect()
    return add_up(pickle.loads(bytes(row[0])) for row in rows)


class _words:
    """What an executor says of rows is a ValueError here, without the stack of its process."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        lines = [] if error is None else str(error).splitlines()
        said = [line for line in lines if "Error: partition " in line]
        if said:
            raise ValueError(said[-1].split("Error: ", 1)[1].strip()) from None


def _find(error: ValueError, frame: Any) -> None:
    """Where the cell is that the profile of all rows complains about."""
    wrong = wrong_cell(error)
    if wrong is None or wrong[0] not in frame.columns:
        return
    rows = frame.mapInArrow(_finding(*wrong), _BYTES).collect()
    found = [pickle.loads(bytes(row[0])) for row in rows]
    if found:
        placed(error, *min(found))


def _partitions(frame: Any) -> int:
    try:
        return max(int(frame.rdd.getNumPartitions()), 1)
    except Exception:  # a session of Spark Connect does not say
        return _threads(frame) * _AT_ONCE


def _threads(frame: Any) -> int:
    try:
        return max(int(frame.sparkSession.sparkContext.defaultParallelism), 1)
    except Exception:
        return _AT_ONCE


def _shared(frame: Any, thing: Any) -> Callable[[], Any]:
    """Each executor gets it once, where Spark can do that."""
    try:
        sent = frame.sparkSession.sparkContext.broadcast(pickle.dumps(thing))
    except Exception:
        return _Unpacked(pickle.dumps(thing), None)
    return _Unpacked(None, sent)


class _Unpacked:
    """Unpacked when it is needed, once in each task."""

    def __init__(self, data: bytes | None, sent: Any) -> None:
        self._data, self._sent, self._thing = data, sent, None

    def __call__(self) -> Any:
        if self._thing is None:
            self._thing = pickle.loads(self._sent.value if self._data is None else self._data)
        return self._thing
