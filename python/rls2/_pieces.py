"""Rows in pieces: arrays, frames and batches, which the library reads some thousand rows at a time.

Nothing is made of all rows at once, whatever their type: a memory-mapped array of single precision
is read from its file, converted and looked through piece by piece, once in each pass.
"""

from __future__ import annotations

import queue
import re
import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._batches import Batches
from ._frames import Cells, frame_names, is_frame, is_pandas, series_name
from ._inputs import Inputs, array_inputs, categorical_names, frame_inputs
from ._params import label_text
from ._targets import Targets, free_names, refuse_texts
from ._types import Batch, Columns, Floats, Rows
from ._words import in_words_of_python, translated

_T = TypeVar("_T")

#: Of a piece at most; each thread holds one.
_ROWS = 4096
_CELLS = 1 << 19

_OF_ROW = re.compile(r"^((?:X|y|sample_weight)\b[^:]*): row (\d+)")

# ---- some of the rows ----


def _as_rows(X: Rows) -> Any:
    """A frame, or an array of two dimensions."""
    if is_frame(X):
        return X
    if hasattr(X, "toarray"):
        raise TypeError("sparse X cannot be read in pieces: give batches of X.toarray()")
    array = np.asarray(X)
    if array.ndim != 2:
        raise ValueError(
            f"X has {array.ndim} dimension{'' if array.ndim == 1 else 's'}, and needs two: rows "
            "and columns"
        )
    if array.dtype.kind not in "biufOUT":
        raise TypeError(f"X holds {array.dtype}, which is neither numbers nor text")
    return array


def _taken(rows: Any, first: int, end: int) -> Any:
    """Without a copy, where that can be."""
    return rows.iloc[first:end] if is_pandas(rows) else rows[first:end]


def _row_count(rows: Any) -> int:
    return int(rows.shape[0]) if hasattr(rows, "shape") else len(rows)


# ---- what all pieces have in common ----


@dataclass
class Form:
    """How rows become a piece of a table. Columns, names and the kind of labels are those of the
    first rows, or of what was counted before, and later ones have to have them."""

    classes: bool
    may_miss: bool
    categorical: Columns = None
    names: list[str] | None = None
    needed: list[str] | None = None  # columns that X must have; None: those it has
    targets: list[str] = field(default_factory=list)
    weight: str | None = None
    flat: bool = True
    labels: np.dtype[Any] | None = None  # of the classes; None: not known

    def learn(self, batch: Batch) -> None:
        """Names, and the kind of labels, from the first rows."""
        X, y, weights = batch
        values = np.asarray(y)
        if values.ndim not in (1, 2) or (self.classes and values.size != len(values)):
            raise ValueError(f"y should be a column, not an array of shape {values.shape}")
        self.flat = self.classes or values.ndim == 1
        self.labels = values.dtype if self.classes else None
        names = frame_names(y) or [series_name(y) or "y"]
        if len(names) != (1 if self.flat else values.shape[1]):
            names = [f"y{o + 1}" for o in range(values.shape[1])]
        taken = frame_names(X) or []
        self.targets = free_names(names, taken)
        if weights is not None:
            names = [series_name(weights) or "weight"]
            self.weight = free_names(names, taken + self.targets)[0]

    def read(self, batch: Batch, before: int) -> tuple[Inputs, list[tuple[str, Cells]]]:
        """X, and the columns that follow it."""
        X, y, weights = batch
        if is_frame(X):
            inputs = frame_inputs(X, self.may_miss, before)
        else:
            inputs = array_inputs(X, self.categorical, self.may_miss, before)
        if self.names is not None and inputs.names != self.names:
            raise ValueError(_other_columns(inputs.names, self.names))
        columns: list[tuple[str, Cells]] = list(zip(self.targets, self._cells(y, before)))
        if self.weight is not None:
            columns.append((self.weight, _numbers(weights, "sample_weight", before)))
        return inputs, columns

    def _cells(self, y: NDArray[Any], before: int) -> list[Cells]:
        if self.classes:
            return [self._label_cells(y.reshape(len(y)), before)]
        values = _numbers(y, "y", before)
        return [np.ascontiguousarray(column) for column in np.atleast_2d(values.T)]

    def _label_cells(self, y: NDArray[Any], before: int) -> Cells:
        kind, numbers = y.dtype.kind, "iuf"
        if self.labels is not None and (kind in numbers) != (self.labels.kind in numbers):
            first, other = ("numbers", "texts") if kind not in numbers else ("texts", "numbers")
            raise ValueError(f"y: row {before + 1}: labels are {other}, and were {first} before")
        if kind not in numbers:
            return [_label(label, before + i) for i, label in enumerate(y.tolist())]
        cells = _numbers(y, "y", before)
        wrong = np.flatnonzero(cells != np.round(cells))
        if len(wrong):
            raise ValueError(
                f"y: row {before + wrong[0] + 1}: {cells[wrong[0]]:.10g} is continuous: a "
                "classifier learns classes; for numbers use RLS2Regressor or RLS2RegressorCV"
            )
        return cells


def _label(label: Any, row: int) -> str:
    if label is None or label != label:
        raise ValueError(f"y: row {row + 1}: the value is missing (NaN)")
    return label_text(label)


def _numbers(values: NDArray[Any], called: str, before: int) -> Floats:
    """All of them finite."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        if called == "y":
            refuse_texts(values)
        raise ValueError(f"{called} should hold numbers: {error}") from None
    wrong = np.argwhere(~np.isfinite(numbers))
    if len(wrong):
        value = "missing (NaN)" if np.isnan(numbers[tuple(wrong[0])]) else "infinite (inf)"
        raise ValueError(f"{called}: row {before + wrong[0][0] + 1}: the value is {value}")
    return numbers


def _check_needed(inputs: Inputs, needed: list[str] | None) -> None:
    """Frames may have others beside them."""
    absent = [name for name in needed or [] if name not in inputs.names]
    if absent and inputs.named:
        raise ValueError(f"X has no column '{absent[0]}', which rows had before")
    if needed is not None and not inputs.named and len(inputs.names) != len(needed):
        raise ValueError(_other_columns(inputs.names, needed))


def _other_columns(found: list[str], known: list[str]) -> str:
    if len(found) != len(known):
        return f"X has {len(found)} columns, and {len(known)} before"
    other = next((a, b) for a, b in zip(found, known, strict=True) if a != b)
    return f"X has a column '{other[0]}' where '{other[1]}' was before"


# ---- the rows ----


class Pieces:
    """Rows that can be read from the first on as often as one likes, as a source of the library.

    batches: what hands them out, asked for an iterator in each pass. It is asked by the thread that
    reads, not by those of the library: Ctrl-C is heard there, and what belongs to that thread alone
    (a connection, say) may be used.
    """

    def __init__(self, batches: Iterable[Batch], form: Form) -> None:
        self._batches = batches
        self._numbered = isinstance(batches, Batches)
        self._starts = [0]  # the first row of each batch
        self._rows = 0  # of the last pass
        self._cut: Iterator[Any] = iter(())
        self._service: _Service | None = None
        self.form = form
        begun, seen = iter(batches), []
        for batch in begun:
            seen.append(batch)
            if _row_count(batch[0]) > 0:
                break
        else:
            raise ValueError("there are no rows: each batch is empty, or there is none")
        self._begun: Iterator[Batch] | None = chain(seen, begun)
        with self.in_words(), self._of_batch(len(seen)):
            self._read_first(seen[-1])

    def _read_first(self, batch: Batch) -> None:
        """What the first rows tell: columns, and how cells are written."""
        if not self.form.targets:
            self.form.learn(batch)
        X, y, weights = self._checked(batch)
        count = _piece_rows(X)
        piece = (_taken(X, 0, count), y[:count], _some(weights, 0, count))
        self.inputs, further = self.form.read(piece, 0)
        self.form.names = self.inputs.names
        _check_needed(self.inputs, self.form.needed)
        self._table = self.inputs.table(further)
        self.categorical = categorical_names(self.inputs, self.form.categorical, self._table)

    @property
    def source(self) -> _core.Source:
        """Which keeps the pieces, and not the other way round: rows go when nobody needs them."""
        return _core.Source(self._table, self._again, self._next)

    def release(self) -> None:
        """The rows will not be read again; who keeps a plan need not keep them."""
        self._batches, self._begun = (), None
        self.inputs = Inputs(0, self.inputs.names)

    @property
    def targets(self) -> Targets:
        """Names alone: the cells are never together."""
        return Targets([(name, []) for name in self.form.targets], self.form.flat)

    def settings(self) -> list[tuple[str, str]]:
        """What X, y and sample_weight have become in the table."""
        return [
            ("task", "classification" if self.form.classes else "regression"),
            *(("target", name) for name in self.form.targets),
            *(("categorical", name) for name in self.categorical),
            *([] if self.form.weight is None else [("row-weights", self.form.weight)]),
        ]

    # ---- a pass ----

    def plan(
        self,
        goal: str,
        settings: list[tuple[str, str]],
        lambdas: Floats | None,
        threads: int,
        progress: _core.Progress | None,
    ) -> _core.Plan:
        """The first one."""
        return self.reading(
            threads,
            progress,
            lambda told: _core.Plan.of_rows(self.source, goal, settings, lambdas, threads, told),
        )

    def reading(
        self, threads: int, progress: _core.Progress | None, call: Callable[[Any], _T]
    ) -> _T:
        """Makes a call of the library that reads the rows and tells its progress."""
        with self.in_words():
            try:
                if threads == 1 or not self._numbered:
                    return call(progress)
                self._service = _Service(progress)
                return self._service.run(call)
            finally:
                self._service = None
                self._cut = iter(())

    def _again(self) -> None:
        self._serve(self._begin)

    def _next(self) -> Any:
        return self._serve(lambda: next(self._cut, None))

    def _serve(self, call: Callable[[], _T]) -> _T:
        return call() if self._service is None else self._service.ask(call)

    def _begin(self) -> None:
        """The first pass goes on where the first rows were looked at."""
        begun, self._begun = self._begun, None
        self._cut = self._pieces(iter(self._batches) if begun is None else begun)

    def _pieces(self, batches: Iterator[Batch]) -> Iterator[Any]:
        self._starts, rows = [], 0
        for number, batch in enumerate(batches, 1):
            self._starts.append(rows)
            with self._of_batch(number):
                X, y, weights = self._checked(batch)
            step = _piece_rows(X)
            for first in range(0, _row_count(X), step):
                end = min(first + step, _row_count(X))
                piece = (_taken(X, first, end), y[first:end], _some(weights, first, end))
                with self._of_batch(number):
                    parts = self._parts(piece, rows + first)
                yield parts
            rows += _row_count(X)
        if rows == 0 and self._rows > 0:
            raise ValueError(
                "the batches could be read once only, and rows are read twice: the function that "
                "Batches is given should begin anew each time it is called"
            )
        self._rows = rows

    def _parts(self, piece: Batch, before: int) -> tuple[int, Floats | None, list[str], Any]:
        """The arguments of a table."""
        inputs, further = self.form.read(piece, before)
        if inputs.matrix is not None:
            return inputs.rows, inputs.matrix, inputs.names, further
        own = list(zip(inputs.names, inputs.columns, strict=True))
        return inputs.rows, None, [], [*own, *further]

    def _checked(self, batch: Batch) -> Batch:
        X, y, weights = _arrays(batch)
        rows, called = _row_count(X), {"y": y, "sample_weight": weights}
        for name, values in called.items():
            if values is not None and len(values) != rows:
                raise ValueError(f"X has {rows} rows, and {name} has {len(values)}")
        if (weights is None) != (self.form.weight is None):
            had = "no sample_weight, and others have" if weights is None else "sample_weight, alone"
            raise ValueError(f"there is {had}")
        width = 1 if y.ndim == 1 else y.shape[1]
        if width != len(self.form.targets):
            raise ValueError(f"y has {width} columns, and {len(self.form.targets)} before")
        return X, y, weights

    # ---- words ----

    @contextmanager
    def _of_batch(self, number: int) -> Iterator[None]:
        """Messages about a batch as a whole; those about a row find theirs later."""
        try:
            yield
        except (TypeError, ValueError) as error:
            if self._numbered and not _OF_ROW.match(str(error)):
                error.args = (f"batch {number}: {error}", *error.args[1:])
            raise

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Messages name y, sample_weight, and the batch that a row is in."""
        with in_words_of_python(self.form.targets, self.form.weight):
            try:
                yield
            except ValueError as error:
                error.args = (self._placed(str(error)), *error.args[1:])
                raise

    def _placed(self, text: str) -> str:
        text = translated(text, self.form.targets, self.form.weight)
        text = text.replace("a file that is read in pieces", "rows that are read in pieces")
        text = text.replace("X has changed while it was read", "the rows have changed")
        if not self._numbered:
            return text
        return _OF_ROW.sub(self._in_batch, text)

    def _in_batch(self, found: re.Match[str]) -> str:
        row = int(found[2]) - 1
        batch = max(bisect_right(self._starts, row) - 1, 0)
        return f"batch {batch + 1}: {found[1]}: row {row - self._starts[batch] + 1}"


def _arrays(batch: Batch) -> Batch:
    X, y, weights = _as_rows(batch[0]), np.asarray(batch[1]), batch[2]
    if weights is not None:
        weights = np.asarray(weights)
        if weights.ndim == 0:
            weights = np.broadcast_to(weights, (_row_count(X),))
        if weights.ndim != 1:
            raise ValueError("Sample weights must be 1D array or scalar")
    return X, y, weights


def _some(weights: NDArray[Any] | None, first: int, end: int) -> NDArray[Any] | None:
    return None if weights is None else weights[first:end]


def _piece_rows(X: Any) -> int:
    return int(min(_ROWS, max(64, _CELLS // max(X.shape[1], 1))))


# ---- threads ----


class _Stopped(Exception):
    """Nobody waits for the rows any more."""


class _Service:
    """A call of the library goes on in a thread of its own, while this one hands out the rows."""

    def __init__(self, progress: _core.Progress | None) -> None:
        self._progress = progress
        self._asked: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._stopped = False

    def ask(self, call: Callable[[], _T]) -> _T:
        """From a thread of the library."""
        if self._stopped:
            raise _Stopped
        self._asked.put(call)
        answer, error = self._answers.get()
        if error is not None:
            raise error
        return answer  # type: ignore[no-any-return]

    def run(self, call: Callable[[Any], _T]) -> _T:
        results: list[_T] = []
        errors: list[BaseException] = []

        def work() -> None:
            try:
                results.append(call(self._tell))
            except BaseException as error:
                errors.append(error)
            finally:
                self._asked.put(None)

        thread = threading.Thread(target=work, name="rls2")
        thread.start()
        try:
            self._answer_all()
        except BaseException:
            self._stopped = True
            self._answers.put((None, _Stopped()))
            thread.join()
            raise
        thread.join()
        if errors:
            raise errors[0]
        return results[0]

    def _answer_all(self) -> None:
        while (call := self._asked.get()) is not None:
            try:
                answer: tuple[Any, BaseException | None] = (call(), None)
            except Exception as error:
                answer = (None, error)
            self._answers.put(answer)

    def _tell(self, *at: Any) -> Any:
        return self._stopped or (self._progress is not None and self._progress(*at))
