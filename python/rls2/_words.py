"""What the library calls otherwise than scikit-learn's users do, in its messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from . import _core


@contextmanager
def in_words_of_python(targets: list[str], weight: str | None = None) -> Iterator[None]:
    """Messages of the library speak of alphas, cv, y and sample_weight; everything else is as the
    library says it.

    targets, weight: the columns of the library's table that y and sample_weight have become.
    """
    try:
        yield
    except _core.RLS2Error as error:
        error.args = (translated(str(error), targets, weight), *error.args[1:])
        raise


def translated(text: str, targets: list[str], weight: str | None) -> str:
    """One message."""
    for name in targets:
        text = _of_column(text, name, "y" if len(targets) == 1 else f"y, column '{name}'")
    if weight is not None:
        text = _of_column(text, weight, "sample_weight")
    text = re.sub(r"^lambdas\[", "alphas[", text)
    text = re.sub(r"^folds is ", "cv is ", text)
    text = re.sub(r"^the ratio of the smallest to the largest lambda is ", "eps is ", text)
    return re.sub(r"^class weights: ", "class_weight: ", text)


def _of_column(text: str, name: str, called: str) -> str:
    """ "X: row 1: column 'y': wrong" is "y: row 1: wrong"."""
    return re.sub(
        rf"^X: (row \d+: )?column '{re.escape(name)}'(:?) ",
        lambda m: f"{called}{':' if m[1] or m[2] else ''} {m[1] or ''}",
        text,
    )
