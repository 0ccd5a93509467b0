"""y as columns of the table: numbers, or labels of classes and the way back from what the library
calls them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import (  # type: ignore[import-untyped]
    assert_all_finite,
    check_array,
    column_or_1d,
)
from sklearn.utils.multiclass import check_classification_targets  # type: ignore[import-untyped]

from ._frames import Cells, frame_names, series_name
from ._params import label_text
from ._types import Floats, Ints, Rows


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True)
class Targets:
    """Columns of the response, and whether the caller had one column or a matrix."""

    columns: list[tuple[str, Cells]]
    flat: bool
    classes: NDArray[Any] | None = None

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.columns]


def require_target(estimator: Any, y: Rows) -> None:
    if y is None:
        name = type(estimator).__name__
        raise ValueError(f"{name} requires y to be passed, but the target y is None.")


def read_numbers(y: Rows, taken: list[str]) -> Targets:
    """One response or several. taken: names that columns of X have."""
    names = frame_names(y)
    values = _plain_numbers(y)
    flat = values.ndim == 1
    if flat:
        values = values[:, None]
    if names is None or len(names) != values.shape[1]:
        one = series_name(y) or "y"
        names = [one] if values.shape[1] == 1 else [f"y{o + 1}" for o in range(values.shape[1])]
    names = free_names(names, taken)
    return Targets(
        [(name, np.ascontiguousarray(values[:, o])) for o, name in enumerate(names)], flat
    )


def _plain_numbers(y: Rows) -> Floats:
    """As check_array has them, which takes its time over what is an array of doubles already."""
    if type(y) is np.ndarray and y.dtype == np.float64 and y.ndim in (1, 2) and y.size:
        assert_all_finite(y, input_name="y")
        return y
    refuse_texts(y)
    values: Floats = check_array(y, input_name="y", ensure_2d=False, dtype=np.float64)
    return values


def refuse_texts(y: Rows) -> None:
    """Classes that were given to a regressor. (Texts that are numbers become numbers, as everywhere
    in scikit-learn.)
    """
    for value in np.ravel(np.asarray(y, dtype=object)) if not hasattr(y, "toarray") else ():
        if not isinstance(value, str):
            continue
        try:
            float(value)
        except ValueError:
            raise ValueError(
                f"y holds the text {value!r}, and a regressor learns numbers: for classes use "
                "RLS2Classifier or "
                "RLS2ClassifierCV"
            ) from None


def refuse_mixture(y: Rows) -> None:
    """Texts and numbers side by side, of which numpy would make texts, or nothing."""
    if not isinstance(y, (list, tuple)) and getattr(y, "dtype", None) != object:
        return
    values = [
        value
        for value in np.ravel(np.asarray(y, dtype=object))
        if value is not None and value == value
    ]
    text = next((value for value in values if isinstance(value, str)), None)
    other = next((value for value in values if not isinstance(value, str)), None)
    if text is not None and other is not None:
        raise ValueError(
            f"y mixes labels of several kinds, {text!r} and {other!r}: make all texts, or all "
            "numbers"
        )


def read_classes(y: Rows, taken: list[str]) -> Targets:
    """Labels: numbers as numbers, everything else as text."""
    name = (frame_names(y) or [series_name(y) or "y"])[0]
    refuse_mixture(y)
    labels = y if type(y) is np.ndarray and y.ndim == 1 and len(y) else column_or_1d(y, warn=True)
    if labels.dtype.kind not in "biuU":  # those are labels whatever they hold
        assert_all_finite(labels, input_name="y")
        check_classification_targets(labels)
    classes, codes = np.unique(labels, return_inverse=True)
    if labels.dtype.kind in "iuf":
        cells: Cells = np.ascontiguousarray(labels, dtype=np.float64)
    else:
        texts = [label_text(label) for label in classes]
        cells = [texts[code] for code in codes.tolist()]
    return Targets([(free_names([name], taken)[0], cells)], True, classes)


def free_names(names: list[str], taken: list[str]) -> list[str]:
    """Names that no column of X has."""
    used, free = set(taken), []
    for name in names:
        while name in used:
            name += "_"
        used.add(name)
        free.append(name)
    return free


def match_classes(labels: list[str], classes: NDArray[Any]) -> tuple[NDArray[Any], Ints]:
    """The classes the library found, in numpy's order, and the number the library gives to each."""
    if classes.dtype.kind in "iuf":
        found = {float(label): k for k, label in enumerate(labels)}
        numbers = [found.get(float(value), -1) for value in classes]
    else:
        texts = {label: k for k, label in enumerate(labels)}
        numbers = [texts.get(label_text(value), -1) for value in classes]
    order = np.array(numbers, dtype=np.int64)
    if (order >= 0).sum() != len(labels):
        raise ValueError(
            f"two of the labels {', '.join(labels)} mean the same number: labels should differ by "
            "value"
        )
    return classes[order >= 0], order[order >= 0]


def labels_of_file(labels: list[str]) -> NDArray[Any]:
    """Labels of a model file as numpy would have them: whole numbers, numbers, or texts.

    What Python takes for a number and the library does not ("nan", "1_000") is text.
    """
    if not all(_NUMBER.fullmatch(label) for label in labels):
        return np.array(labels)
    values = np.array([float(label) for label in labels])
    return values.astype(np.int64) if np.all(values == np.round(values)) else values


def labels_like(labels: list[str], kind: np.dtype[Any] | None) -> NDArray[Any]:
    """Labels of the library as an array like one that y was; None: as of a file."""
    if kind is None:
        return labels_of_file(labels)
    if kind.kind == "b":
        return np.unique([label == "True" for label in labels])
    if kind.kind in "iuf":
        return np.unique(np.array([float(label) for label in labels]).astype(kind))
    return np.unique(np.array(labels, dtype=kind if kind.kind == "O" else None))


def signs(codes: Ints, outputs: int) -> Floats:
    """The responses of classes: -1 and +1 of two, one column against the others of more."""
    if outputs == 1:
        return np.asfortranarray(np.where(codes == 1, 1.0, -1.0)[:, None])
    return np.asfortranarray(np.where(codes[:, None] == np.arange(outputs), 1.0, -1.0))
