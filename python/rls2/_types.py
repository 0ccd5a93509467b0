"""Names for the types that appear in many signatures."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

#: Rows in any of the shapes fit and predict take; what is accepted is decided at run time.
Rows: TypeAlias = Any

#: X, y and sample_weight of some rows.
Batch: TypeAlias = tuple[Any, Any, Any]

Texts: TypeAlias = str | Sequence[str] | None
Groups: TypeAlias = Mapping[str, str | Sequence[str]] | None
Columns: TypeAlias = Iterable[str | int] | None
ClassWeight: TypeAlias = Mapping[Any, float] | Literal["balanced"] | None
