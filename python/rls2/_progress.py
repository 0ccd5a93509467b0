"""A line of progress on the standard error, written over as the work goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


class ProgressLine:
    """Called by the library a few times a second."""

    def __init__(self) -> None:
        self._width = 0

    def __call__(self, stage: str, done: int, total: int, alpha: float, gap: float) -> None:
        detail = f", lambda {alpha:.3g}, gap {gap:.1e}" if alpha > 0.0 else ""
        self._write(f"[rls2] {stage}: {done} of {total}{detail}")

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)

    def close(self) -> None:
        """Leaves the line behind, if there is one."""
        if self._width:
            sys.stderr.write("\n")
        self._width = 0


@contextmanager
def shown(line: ProgressLine | None) -> Iterator[None]:
    """A step of the work; its line ends with it."""
    try:
        yield
    finally:
        if line is not None:
            line.close()
