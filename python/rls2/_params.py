"""From the parameters of an estimator, in scikit-learn's spelling, to the recipe of the library.

Each function translates one parameter and knows nothing of the others. What a value means, and
whether it is allowed, is left to the library wherever it has an opinion: its sentence is the one
the user reads.
"""

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from sklearn.utils import check_random_state  # type: ignore[import-untyped]

from . import _core
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
        check_kernels(kernels)
        return "; ".join(kernels)
    terms = [] if columns == 0 else ["linear" if columns > MANY_COLUMNS else "paper"]
    return "; ".join(terms + [f'given("{name}")' for name in given])


def check_kernels(kernels: Any) -> None:
    """A text, several of them, or None."""
    if kernels is None or isinstance(kernels, str):
        return
    if not isinstance(kernels, Sequence) and not isinstance(kernels, np.ndarray):
        raise ValueError(f"kernels={kernels!r} should be a text such as 'linear' or 'paper', a list of texts, or None")
    wrong = next((term for term in kernels if not isinstance(term, str)), None)
    if wrong is not None or len(kernels) == 0:
        raise ValueError(
            f"kernels={kernels!r} should be a list of texts" + ("" if wrong is None else f", not {wrong!r}")
        )


def check_simple(estimator: Any) -> None:
    """Parameters whose kind alone can be wrong here; what their values may be the library says."""
    params = estimator.get_params(deep=False)
    for name in ("standardize", "center", "reference", "baselines"):
        if name in params and not isinstance(params[name], (bool, np.bool_)):
            raise ValueError(f"{name}={params[name]!r} should be True or False")
    for name in ("n_alphas", "max_iter", "repeats"):
        if name in params and not _is_number(params[name], (int, np.integer)):
            raise ValueError(f"{name}={params[name]!r} should be a whole number")
    for name in ("eps", "gap_tol", "delta", "rank_tol"):
        if not _is_number(params[name], (int, float, np.integer, np.floating)):
            raise ValueError(f"{name}={params[name]!r} should be a number")
    for name in ("scaling", "features", "examples", "solver"):
        if not isinstance(params[name], str):
            raise ValueError(f"{name}={params[name]!r} should be a text")
    check_kernels(params["kernels"])
    check_seed(params["random_state"])


def _is_number(value: Any, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and not isinstance(value, (bool, np.bool_))


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


def group_texts(groups: Groups, columns: list[str]) -> dict[str, str]:
    """Columns of each group as one text, "a,b,gene_*"; each is there, whether a kernel uses the group or not."""
    if groups is None:
        return {}
    if not isinstance(groups, Mapping):
        raise ValueError(f"groups={groups!r} should be a dict of names and columns, or None")
    known = set(columns)
    for name, group in groups.items():
        for column in group.split(",") if isinstance(group, str) else group:
            if not isinstance(name, str) or column not in known:
                _check_group(name, column, columns)
    return {name: g if isinstance(g, str) else ",".join(g) for name, g in groups.items()}


def _check_group(name: Any, column: Any, columns: list[str]) -> None:
    if not isinstance(name, str) or not isinstance(column, str):
        raise ValueError(f"groups: {name!r}: {column!r} should be names, as texts")
    try:
        _core.dictionary_names('linear@group:"g"', columns, {"g": column.strip()}, [])
    except _core.RLS2Error:
        raise ValueError(
            f"groups: group '{name}' has no columns by '{column.strip()}': there is none of that name"
        ) from None


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


def check_seed(random_state: Any) -> None:
    """Something folds can be drawn with."""
    if isinstance(random_state, (int, np.integer)) and not 0 <= random_state < 2**64:
        raise ValueError(f"random_state={random_state} should not be negative, and below 2**64")
    if not isinstance(random_state, (int, np.integer, np.random.RandomState, np.random.Generator, type(None))):
        raise ValueError(f"random_state={random_state!r} should be a whole number, a RandomState or None")


def seed_of(random_state: Any) -> int:
    """The seed the folds are drawn with; None is the command's."""
    if random_state is None:
        return 0
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    return int(check_random_state(random_state).randint(2**31 - 1))


def lambda_values(alphas: Any) -> Floats:
    """The values of `alphas` as numbers; whether they are positive the library says."""
    if isinstance(alphas, str):
        return _lambda_range(alphas)
    try:
        values = np.ascontiguousarray(np.atleast_1d(np.asarray(alphas, dtype=np.float64)))
    except (TypeError, ValueError):
        raise ValueError(_what_alphas_may_be(alphas)) from None
    if values.ndim != 1 or values.size == 0:
        raise ValueError("alphas should be a list of one or more positive numbers")
    return values


def _what_alphas_may_be(alphas: Any) -> str:
    return f"alphas={alphas!r} should be a list of one or more positive numbers, or a text 'LO:HI:N'"


#: As many as the command takes.
_MOST_LAMBDAS = 100_000


def _lambda_range(text: str) -> Floats:
    """N values from HI down to LO, those of the command's --lambdas."""
    try:
        lo, hi, count = text.split(":")
        ends, number = (float(lo), float(hi)), int(count)
    except ValueError:
        raise ValueError(_what_alphas_may_be(text)) from None
    if not 1 <= number <= _MOST_LAMBDAS:
        raise ValueError(_what_alphas_may_be(text))
    return np.array(_core.lambda_grid(*ends, number))


#: Relative: what printing six digits may change.
_SIX_DIGITS = 5.1e-6


def lambdas_down_to(alpha: float, values: Floats) -> Floats:
    """The values down to alpha, descending: to one that reads like it in six digits, or to itself in its place."""
    for i, value in enumerate(values):  # those below alpha are not seen by the library
        if not (value > 0 and np.isfinite(value)):
            raise ValueError(f"alphas[{i}] is {value:g}; it must be a positive finite number")
    values = np.sort(values)[::-1]
    distance = np.abs(values - alpha)
    nearest = int(np.argmin(distance))
    if distance[nearest] <= _SIX_DIGITS * alpha:
        return np.ascontiguousarray(values[: nearest + 1])
    return np.append(values[values > alpha], alpha)
