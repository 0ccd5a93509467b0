"""Fits of rows that an engine holds in parts: what each part is asked for, and what is made of the
answers. How parts get their work, and answers come together, is the engine's affair.

    each part    look        a profile                added up by `together`
    once         empty_of    statistics of no rows
    each part    count       statistics               added up by `together`
    once         fit_counted the model
"""

from __future__ import annotations

import pickle
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any, TypeVar

from sklearn.base import clone  # type: ignore[import-untyped]

from ._frames import is_pandas
from ._params import parameters_of_rows
from ._profile import Profile
from ._statistics import Statistics
from ._types import Batch

_Sum = TypeVar("_Sum", Profile, Statistics)

#: Parameters of statistics that the estimators that learn from them may have as well.
_OF_BOTH = {"task", "kernels", "groups", "memory", "n_jobs", "verbose"}


# ---- in a part ----


def look(batch: Batch, place: str, parameters: dict[str, Any]) -> Profile | None:
    """The profile of a part; None where it has no rows."""
    if _is_empty(batch):
        return None
    with named(place):
        return Profile(**parameters).fit(*batch)


def count(empty: Statistics | None, batch: Batch, place: str) -> Statistics | None:
    """Statistics with the rows of a part. What is given does not change: an engine may do a task
    twice."""
    if empty is None or _is_empty(batch):
        return empty
    with named(place):
        return copy(empty).partial_fit(*batch)


def together(found: list[_Sum | None]) -> _Sum | None:
    """The sum of what some parts found. What is given does not change."""
    sums: list[_Sum] = [one for one in found if one is not None]
    if len(sums) > 1:
        sums[0] = copy(sums[0])
    return add_up(sums)


def add_up(sums: Iterable[_Sum]) -> _Sum | None:
    """The same, in the first of them."""
    total: _Sum | None = None
    for one in sums:
        total = one if total is None else total.merge(one)
    return total


def find_cell(batch: Batch, column: str, text: str) -> int | None:
    """The first row of a part, from 1, that has that text in a column."""
    X = batch[0]
    if not is_pandas(X) or column not in X.columns:
        return None
    for row, cell in enumerate(X[column].tolist(), 1):
        if isinstance(cell, str) and cell == text:
            return row
    return None


def _is_empty(batch: Batch) -> bool:
    return len(batch[0]) == 0


@contextmanager
def named(place: str) -> Iterator[None]:
    """Errors say in which part they are; its rows are counted from its first."""
    try:
        yield
    except (TypeError, ValueError) as error:
        error.args = (f"{place}: {error}", *error.args[1:])
        raise


# ---- once ----


def empty_of(profile: Profile | None) -> Statistics:
    """Statistics of no rows, to be filled in each part."""
    if profile is None:
        raise ValueError("there are no rows: each partition is empty, or there is none")
    return profile.statistics()


def packed(empty: Statistics) -> bytes:
    """Small: nearly all counts are zero."""
    return zlib.compress(pickle.dumps(empty), 1)


def unpacked(data: bytes) -> Statistics:
    made = pickle.loads(zlib.decompress(data))
    assert isinstance(made, Statistics)
    return made


_WRONG_CELL = re.compile(r"column '(?P<column>[^']*)': '(?P<text>[^']*)' is not a")


def wrong_cell(error: ValueError) -> tuple[str, str] | None:
    """Column and text of a cell that the profile of all rows found, without its place."""
    found = _WRONG_CELL.search(str(error))
    return None if found is None else (found["column"], found["text"])


def placed(error: ValueError, place: str, row: int) -> None:
    """Says where that cell is."""
    text = re.sub(r"^[^:]*(:\d+|: row \d+)?:", "", str(error), count=1).strip()
    error.args = (f"{place}: X: row {row}: {text}", *error.args[1:])


def parameters_for(estimator: Any) -> dict[str, Any]:
    """What an estimator says about rows, as parameters of statistics."""
    own = estimator.get_params(deep=False)
    task = "classification" if estimator._is_classifier else "regression"
    names = {parameter.name for parameter in parameters_of_rows()} - {"task", "verbose"}
    return {"task": task, **{name: own[name] for name in names if name in own}}


def fit_counted(estimator: Any, statistics: Statistics) -> Any:
    """An estimator that is fitted to statistics which its own parameters have decided."""
    plain = type(estimator)().get_params(deep=False)
    decided = set(parameters_for(estimator)) - _OF_BOTH
    learned = clone(estimator).set_params(**{name: plain[name] for name in decided})
    learned.fit(statistics)
    parameters = set(plain)
    for name in [name for name in vars(estimator) if name not in parameters]:
        delattr(estimator, name)
    vars(estimator).update({k: v for k, v in vars(learned).items() if k not in parameters})
    return estimator
