"""What a model file tells of how the model was made (docs/FORMAT.md), beyond what the extension is asked for.

The library has checked the bytes, or written them itself, before they come here.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._types import Floats

_TYPES = {"F64": "<f8", "I64": "<i8"}


class Header:
    """The description and the arrays of a model."""

    def __init__(self, model: _core.Model) -> None:
        self._bytes = model.pack()
        self._start = 8 + int.from_bytes(self._bytes[:8], "little")
        self._entries: dict[str, Any] = json.loads(self._bytes[8 : self._start])
        self.about: dict[str, Any] = json.loads(self._entries["__metadata__"]["rls2"])

    def array(self, name: str) -> NDArray[Any]:
        entry = self._entries[name]
        first, last = entry["data_offsets"]
        stored = self._bytes[self._start + first : self._start + last]
        return np.frombuffer(stored, dtype=_TYPES[entry["dtype"]]).reshape(entry["shape"])

    def scales(self, output: int) -> Floats:
        """Scalings of all kernels of the dictionary."""
        return self.array(f"outputs.{output}.scales").astype(np.float64)

    def column_units(self) -> tuple[Floats, Floats]:
        """What is taken off each column, and by what it is then divided; 0 for a column that becomes zero."""
        return self.array("features.mean").astype(np.float64), self.array("features.divisor").astype(np.float64)

    def preparation(self) -> tuple[str, str]:
        """What was done to examples, and to features."""
        data = self.about["data"]
        if data is None:
            return "none", "none"
        return data["preprocessing"]["examples"], data["preprocessing"]["features"]

    def groups(self) -> dict[str, list[str]] | None:
        """Names of sets of columns that the dictionary may refer to."""
        dictionary = self.about["dictionary"]
        return {g["name"]: [dictionary["columns"][j] for j in g["columns"]] for g in dictionary["groups"]} or None
