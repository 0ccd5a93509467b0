"""What splits and halves of the rows selected, as attributes of an estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from . import _core
from ._inputs import default_names
from ._types import Floats, Ints


class Selections:
    """Attributes that are there where the model remembers trials."""

    model_: _core.Model
    n_features_in_: int

    @property
    def selection_frequency_(self) -> Floats:
        """Share of the splits of cross-validation that selected each column."""
        return self._by_column(*self._splits("selection_frequency_"))

    @property
    def kernel_selection_frequency_(self) -> Floats:
        """Share of the splits that selected each kernel, in any output."""
        trials, kernels, _ = self._splits("kernel_selection_frequency_")
        return np.asarray(kernels) / trials

    @property
    def stability_scores_(self) -> Floats:
        """Share of the halves of the rows that selected each column."""
        return self._by_column(*self._halves("stability_scores_"))

    @property
    def kernel_stability_scores_(self) -> Floats:
        """Share of the halves that selected each kernel, in any output."""
        trials, kernels, _ = self._halves("kernel_stability_scores_")
        return np.asarray(kernels) / trials

    @property
    def stable_(self) -> Ints:
        """Indices of the columns that at least 75 % of the halves selected."""
        trials, kernels, inputs = self._halves("stable_")
        scores = self._by_column(trials, kernels, inputs)
        return np.flatnonzero(np.rint(scores * trials) >= self.stability_["least"])

    @property
    def stability_(self) -> dict[str, Any]:
        """What was done, and how many columns are expected to be stable by mistake."""
        self._halves("stability_")
        return dict(self.model_.stability() or {})

    def _splits(self, name: str) -> tuple[int, _core.Array, _core.Array]:
        check_is_fitted(self, "model_")
        told = self.model_.split_selections()
        if told is None:
            raise AttributeError(f"{name} is known where lambda was chosen on left-out rows")
        return told

    def _halves(self, name: str) -> tuple[int, _core.Array, _core.Array]:
        check_is_fitted(self, "model_")
        told = self.model_.half_selections()
        if told is None:
            raise AttributeError(f"{name} is there after a fit with stability=50 or so")
        return told

    def _by_column(self, trials: int, _kernels: _core.Array, inputs: _core.Array) -> Floats:
        """Columns that were left out of the fit have 0."""
        names = getattr(self, "feature_names_in_", None)
        given = default_names(self.n_features_in_) if names is None else list(names)
        counts = dict(zip(self.model_.inputs, np.asarray(inputs) / trials, strict=True))
        return np.array([counts.get(str(name), 0.0) for name in given])
