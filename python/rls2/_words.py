"""What the library calls otherwise than scikit-learn's users do, in its messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from . import _core


@contextmanager
def in_words_of_python(targets: list[str], weight: str | None = None) -> Iterator[None]:
    """Messages of the library speak of y and sample_weight instead of columns of its table.

    targets, weight: the columns that they have become.
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
        text = text.replace(f"in column '{weight}'", "in sample_weight")
    return text


def _of_column(text: str, name: str, called: str) -> str:
    """ "X: row 1: column 'y': wrong" is "y: row 1: wrong"."""
    return re.sub(
        rf"^X: (row \d+: )?column '{re.escape(name)}'(:?) ",
        lambda m: f"{called}{':' if m[1] or m[2] else ''} {m[1] or ''}",
        text,
    )
