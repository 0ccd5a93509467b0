"""Fits of dask's frames and arrays, in their partitions.

Each partition is read twice where it is: for a profile, and to be counted. Profiles and statistics
are added up in a tree; the model is learned from their sum by the calling process. It is the model
of the same rows in one process, to the bit, whatever the partitions, and whatever fails and is done
again. Rows do not move.

>>> import rls2
>>> import rls2.dask
>>> model = rls2.dask.fit(rls2.RLS2RegressorCV(), frame, target="price")  # doctest: +SKIP
>>> prices = rls2.dask.predict(model, other)  # doctest: +SKIP
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

import numpy as np

try:
    dask: Any = import_module("dask")
except ImportError:
    raise ImportError(
        "rls2.dask needs dask, which is not installed: python -m pip install 'dask[dataframe]'"
    ) from None

from ._parts import (
    count,
    empty_of,
    find_cell,
    fit_counted,
    look,
    packed,
    parameters_for,
    placed,
    together,
    unpacked,
    wrong_cell,
)
from ._profile import Profile
from ._statistics import Statistics
from ._types import Batch

__all__ = ["fit", "predict", "statistics"]

_E = TypeVar("_E")

#: X, y and sample_weight, or how to make them; the columns of X that are y and weights; its name.
_Part = tuple[Any, Any, Any, tuple[Any, str | None], str]

#: Sums that are added up by one task.
_AT_ONCE = 8


def fit(
    estimator: _E,
    X: Any,
    y: Any = None,
    *,
    target: str | list[str] | None = None,
    sample_weight: Any = None,
) -> _E:
    """Learn from the partitions of a dask frame or array.

    Parameters
    ----------
    estimator : RLS2Regressor, RLS2RegressorCV, RLS2Classifier or RLS2ClassifierCV
        What is to be learned; it is fitted. Rows are counted, as ``method="tall"`` does.
    X : dask DataFrame or Array
        Rows. The columns of an array are in one chunk.
    y : dask Series, DataFrame or Array, default=None
        Targets, in the same partitions.
    target : str or list of str, default=None
        The columns of X that are y, instead of it.
    sample_weight : str, or dask Series or Array, default=None
        The column of X that holds the weights of the rows, or these.

    Returns
    -------
    estimator
    """
    counted = statistics(
        X, y, target=target, sample_weight=sample_weight, **parameters_for(estimator)
    )
    fitted: _E = fit_counted(estimator, counted)
    return fitted


def statistics(
    X: Any,
    y: Any = None,
    *,
    target: str | list[str] | None = None,
    sample_weight: Any = None,
    **parameters: Any,
) -> Statistics:
    """Count the rows in the partitions of a dask frame or array.

    Parameters
    ----------
    X, y, target, sample_weight
        As for ``fit``.
    **parameters
        Those of Statistics.

    Returns
    -------
    Statistics
        Equal to those of ``Statistics(**parameters).fit`` of the same rows in one place.
    """
    parts = _parts(X, y, target, sample_weight)
    threads = _threads()
    # two for each thread: who is done early goes on with another
    looks = _chains(_look, 2 * threads, None, parts, parameters)
    (profile,) = dask.compute(_tree(looks))
    try:
        empty = empty_of(profile)
    except ValueError as error:
        _find(error, parts)
        raise
    # statistics are large: one for each thread
    counts = _chains(_count, threads, packed(empty), parts)
    (counted,) = dask.compute(_tree(counts))
    assert isinstance(counted, Statistics)
    return counted


def predict(estimator: Any, X: Any) -> Any:
    """Predict the rows of a dask frame or array, in its partitions.

    Parameters
    ----------
    estimator : fitted estimator
        A model, from wherever.
    X : dask DataFrame or Array
        Rows; of a frame the columns that were learned from are taken.

    Returns
    -------
    dask Series, DataFrame (several targets) or Array
    """
    if not hasattr(X, "map_partitions"):
        return _predict_array(estimator, X)
    names = list(getattr(estimator, "feature_names_in_", X.columns))
    absent = [name for name in names if name not in X.columns]
    if absent:
        raise ValueError(f"X has no column {absent[0]!r}")
    meta = _predict_frame(X._meta_nonempty, estimator, names).iloc[:0]
    return X.map_partitions(_predict_frame, estimator, names, meta=meta)


# ---- partitions ----


def _parts(X: Any, y: Any, target: Any, weights: Any) -> list[_Part]:
    """Of each partition what tasks need to know."""
    if (y is None) == (target is None):
        raise TypeError("either y or target is needed: target names columns of X")
    if not dask.is_dask_collection(X):
        raise TypeError(f"X should be a dask DataFrame or Array, not {type(X).__name__!r}")
    blocks = _blocks(X, "X")
    named = weights if isinstance(weights, str) else None
    beside = [None if other is None or isinstance(other, str) else _blocks(other, called)
              for other, called in ((y, "y"), (weights, "sample_weight"))]  # fmt: skip
    for other, called in zip(beside, ("y", "sample_weight")):
        if other is not None and len(other) != len(blocks):
            raise ValueError(
                f"X has {len(blocks)} partitions, and {called} has {len(other)}: they should be "
                "partitions of the same rows"
            )
    if hasattr(X, "columns"):
        wanted = [target] if isinstance(target, str) else list(target or [])
        absent = [c for c in (*wanted, *([named] if named else [])) if c not in X.columns]
        if absent:
            raise ValueError(f"X has no column {absent[0]!r}")
    none = [None] * len(blocks)
    made = [none if each is None else _alone(each) for each in (blocks, *beside)]
    return [
        (*each, (target, named), f"partition {k}") for k, each in enumerate(zip(*made, strict=True))
    ]


def _blocks(values: Any, called: str) -> list[Any]:
    if not dask.is_dask_collection(values):
        raise TypeError(f"{called} should be of dask, in the partitions of X")
    if hasattr(values, "map_partitions"):
        return list(values.to_delayed())
    if values.ndim == 2 and values.numblocks[1] != 1:
        raise ValueError(
            f"the columns of {called} are in {values.numblocks[1]} chunks: rechunk "
            "them into one, by rechunk({1: -1})"
        )
    return list(values.to_delayed().ravel())


class _Alone:
    """A partition that is made by tasks of its own. They are done in the task that needs it, so
    that it never travels."""

    def __init__(self, key: Any, tasks: dict[Any, Any]) -> None:
        self._key, self._tasks = key, tasks

    def make(self) -> Any:
        return dask.get(self._tasks, self._key)


def _alone(blocks: list[Any]) -> list[Any]:
    """Unchanged where workers hold them already, or where they share what they are made of."""
    if not blocks or _are_held(blocks):
        return blocks
    cull = import_module("dask.optimization").cull
    graph = dict(blocks[0].__dask_graph__())
    own = [cull(graph, [block.key])[0] for block in blocks]
    if sum(map(len, own)) > len(set().union(*own)):
        return blocks
    return [_Alone(block.key, dict(tasks)) for block, tasks in zip(blocks, own, strict=True)]


def _are_held(blocks: list[Any]) -> bool:
    try:
        return bool(import_module("distributed").futures_of(blocks))
    except ImportError:
        return False


# ---- in a worker ----


def _look(
    before: Profile | None, X: Any, y: Any, w: Any, columns: Any, place: str, parameters: Any
) -> Profile | None:
    return together([before, look(_batch(X, y, w, *columns), place, parameters)])


def _count(before: Any, X: Any, y: Any, w: Any, columns: Any, place: str) -> Statistics | None:
    counted = unpacked(before) if isinstance(before, bytes) else before
    return count(counted, _batch(X, y, w, *columns), place)


def _find_in(X: Any, y: Any, w: Any, columns: Any, place: str, *wrong: str) -> int | None:
    return find_cell(_batch(X, y, w, *columns), *wrong)


def _batch(X: Any, y: Any, weights: Any, target: Any, named: str | None) -> Batch:
    """Columns taken out of a frame."""
    X, y, weights = (
        one.make() if isinstance(one, _Alone) else one for one in (X, y, weights)
    )
    if target is None and named is None:
        return X, y, weights
    targets = [] if target is None else [target] if isinstance(target, str) else list(target)
    taken = [*targets, *([] if named is None else [named])]
    inputs = X[[name for name in X.columns if name not in taken]]
    if target is not None:
        y = X[target] if isinstance(target, str) else X[targets]
    return inputs, y, weights if named is None else X[named]


# ---- sums ----


def _tree(sums: list[Any]) -> Any:
    """Their sum, by tasks of a few."""
    add = dask.delayed(together)
    while len(sums) > 1:
        sums = [add(sums[i : i + _AT_ONCE]) for i in range(0, len(sums), _AT_ONCE)]
    return sums[0] if sums else dask.delayed(together)([])


def _chains(
    step: Callable[..., Any], most: int, first: Any, parts: list[_Part], *further: Any
) -> list[Any]:
    """What is found goes from one partition to the next, in so many chains: there are as many sums
    as chains, and not as partitions."""
    chains = min(len(parts), most)
    ends = []
    for k in range(chains):
        found = first
        for part in parts[k::chains]:
            found = dask.delayed(step)(found, *part, *further)
        ends.append(found)
    return ends


def _threads() -> int:
    """Of the cluster, or of this machine; at least one."""
    try:
        client = import_module("distributed").default_client()
    except (ImportError, ValueError):  # there is none
        return os.cpu_count() or 1
    return max(int(sum(client.nthreads().values())), 1)


def _find(error: ValueError, parts: list[_Part]) -> None:
    """Where the cell is that the profile of all rows complains about."""
    wrong = wrong_cell(error)
    if wrong is None:
        return
    rows = dask.compute(*[dask.delayed(_find_in)(*part, *wrong) for part in parts])
    for part, row in zip(parts, rows, strict=True):
        if row is not None:
            placed(error, part[-1], row)
            return


# ---- predictions ----


def _predict_frame(frame: Any, estimator: Any, names: list[str]) -> Any:
    pd: Any = import_module("pandas")
    if len(frame):
        values = estimator.predict(frame[names])
    else:
        outputs = estimator.model_.outputs
        classes = getattr(estimator, "classes_", None)
        shape = (0,) if classes is not None or outputs == 1 else (0, outputs)
        values = np.empty(shape, dtype=float if classes is None else classes.dtype)
    if values.ndim == 1:
        return pd.Series(values, index=frame.index, name="prediction")
    return pd.DataFrame(values, index=frame.index, columns=list(estimator.model_.output_names))


def _predict_array(estimator: Any, X: Any) -> Any:
    if X.numblocks[1] != 1:
        X = X.rechunk({1: -1})
    classes = getattr(estimator, "classes_", None)
    kind = np.dtype(float) if classes is None else classes.dtype
    flat = classes is not None or estimator._flat
    if flat:
        return X.map_blocks(
            lambda block: estimator.predict(block) if len(block) else np.empty(0, kind),
            drop_axis=1,
            dtype=kind,
        )
    outputs = estimator.model_.outputs
    return X.map_blocks(
        lambda block: estimator.predict(block) if len(block) else np.empty((0, outputs)),
        chunks=(X.chunks[0], (outputs,)),
        dtype=kind,
    )
