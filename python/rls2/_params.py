"""From the parameters of an estimator, in scikit-learn's spelling, to the recipe of the library.

Each function translates one parameter and knows nothing of the others. What a value means, and
whether it is allowed, is left to the library wherever it has an opinion: its sentence is the one
the user reads.
"""

import os
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from sklearn.utils import check_random_state  # type: ignore[import-untyped]

from ._types import ClassWeight, Floats, Groups, Intercept, KernelText

#: Above so many columns the 13 kernels for each of the paper's dictionary are too many.
MANY_COLUMNS = 200

_UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def kernel_text(kernels: KernelText, columns: int, given: list[str]) -> str:
    """The dictionary as one text: as it was given, or what the command takes where it was not."""
    if isinstance(kernels, str):
        return kernels
    if kernels is not None:
        return "; ".join(kernels)
    terms = [] if columns == 0 else ["linear" if columns > MANY_COLUMNS else "paper"]
    return "; ".join(terms + [f'given("{name}")' for name in given])


@cache
def is_linear(spec: str) -> bool:
    """Is every kernel of the dictionary linear? Then rows may be sparse, and there are coefficients."""
    terms = [term.strip() for term in _QUOTED.sub("", spec).split(";")]
    return all(re.split(r"[@(\s]", term)[0] == "linear" for term in terms if term) and any(terms)


def curved_terms(spec: str) -> str:
    """The terms of a dictionary that are not linear, for a message."""
    return "; ".join(term.strip() for term in spec.split(";") if not is_linear(term))


def feature_preparation(features: str, standardize: bool) -> str:
    """The `features` of the recipe; standardize is short for one of its values."""
    if not standardize:
        return features
    if features not in ("none", "standardize"):
        raise ValueError(f"standardize=True and features={features!r} exclude each other")
    return "standardize"


def intercept_rule(intercept: Intercept, classes: int, spec: str, class_weight: ClassWeight) -> str:
    """Whether the mean of y is taken off: "mean" or "none". classes: how many, 0 for regression.

    Linear kernels have no constant part of their own, so that something must say which class is
    the larger; where two classes are made to count alike the mean is zero, but for rounding.
    """
    if isinstance(intercept, (bool, np.bool_)):
        return "mean" if intercept else "none"
    if intercept in ("mean", "none"):
        return str(intercept)
    if intercept != "auto":
        raise ValueError(f"intercept={intercept!r} should be True, False, 'auto', 'mean' or 'none'")
    if classes == 0:
        return "mean"
    balanced = classes == 2 and isinstance(class_weight, str) and class_weight == "balanced"
    return "mean" if is_linear(spec) and not balanced else "none"


def label_text(label: Any) -> str:
    """A class label as a table of texts would have it."""
    return str(label.item() if isinstance(label, np.generic) else label)


def class_weight_text(class_weight: ClassWeight) -> str | None:
    """The library's notation, "a=2,b=1", of a dict; "balanced" as it is."""
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return class_weight
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"class_weight={class_weight!r} should be 'balanced', a dict or None")
    return ",".join(f"{label_text(k)}={float(v)!r}" for k, v in class_weight.items()) or None


def scaling_rule(scaling: str, classes: int) -> str:
    """Rules that look at classes need some."""
    if scaling in ("fisher", "fisher-sqrt") and classes == 0:
        raise ValueError(f"scaling={scaling!r} needs classes, and this is regression")
    return scaling


def check_alpha(alpha: Any) -> float:
    """One value of lambda."""
    if isinstance(alpha, (str, bytes, bool)) or not np.isscalar(alpha) or not 0.0 < float(alpha) < np.inf:  # type: ignore[arg-type]
        raise ValueError(f"alpha={alpha!r} should be a positive number, or None")
    return float(alpha)  # type: ignore[arg-type]


def group_texts(groups: Groups) -> dict[str, str]:
    """Columns of each group as one text, "a,b,gene_*"."""
    if groups is None:
        return {}
    return {name: g if isinstance(g, str) else ",".join(g) for name, g in groups.items()}


def memory_bytes(memory: str | int | None) -> int | None:
    """ "500M", "2G" or a number of bytes; None is no limit."""
    if memory is None:
        return None
    if isinstance(memory, (int, np.integer)) and memory > 0:
        return int(memory)
    match = re.fullmatch(r"([0-9.eE+-]+)\s*([KMGT]?)B?", str(memory).upper())
    try:
        size = float(match[1]) * _UNITS[match[2]] if match else 0.0
    except ValueError:
        size = 0.0
    if not 0 < size < 9e18:
        raise ValueError(f"memory={memory!r} should be a size, for instance '500M', '2G' or a number of bytes")
    return int(size)


def thread_count(n_jobs: int | None) -> int:
    """As joblib counts: None is 1, -1 all cores, -2 all but one. The library's 0 is all cores."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r} should be None or a number that is not 0")
    if n_jobs > 0:
        return int(n_jobs)
    return 0 if n_jobs == -1 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


def seed_of(random_state: Any) -> int:
    """The seed the folds are drawn with; None is the command's."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)):
        if not 0 <= random_state < 2**64:
            raise ValueError(f"random_state={random_state} should not be negative, and below 2**64")
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def lambda_values(alphas: Any) -> Floats:
    """The values of `alphas` as numbers; whether they are positive the library says."""
    values = np.ascontiguousarray(np.atleast_1d(np.asarray(alphas, dtype=np.float64)))
    if values.ndim != 1 or values.size == 0:
        raise ValueError("alphas should be a list of one or more positive numbers")
    return values
