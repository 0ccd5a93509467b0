"""The parameters of the estimators: settings of the library in scikit-learn's spelling.

Which parameters there are, their defaults, what they mean and which values are allowed stands in
the library's table of settings; a setting added there appears here by itself. This file knows only
what Python writes in another way: dicts, arrays, splitters, generators of random numbers, None.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state  # type: ignore[import-untyped]

from . import _core
from ._types import Floats

# ---- values as words of the library ----


def _refuse(name: str, value: Any, wanted: str) -> ValueError:
    return ValueError(f"{name}={value!r} should be {wanted}")


def _flag(name: str, value: Any) -> list[str]:
    if not isinstance(value, (bool, np.bool_)):
        raise _refuse(name, value, "True or False")
    return ["true" if value else "false"]


def _switch(name: str, value: Any) -> list[str]:
    if isinstance(value, (bool, np.bool_)):
        return _flag(name, value)
    if not isinstance(value, str) or value != "auto":
        raise _refuse(name, value, "True, False or 'auto'")
    return [value]


def _is_number(value: Any, kinds: tuple[type, ...]) -> bool:
    return isinstance(value, kinds) and not isinstance(value, (bool, np.bool_))


def _number(name: str, value: Any) -> list[str]:
    if not _is_number(value, (int, float, np.integer, np.floating)):
        raise _refuse(name, value, "a number")
    return [repr(float(value))]


def _count(name: str, value: Any) -> list[str]:
    if not _is_number(value, (int, np.integer)):
        raise _refuse(name, value, "a whole number")
    return [str(int(value))]


def _text(name: str, value: Any) -> list[str]:
    if not isinstance(value, str):
        raise _refuse(name, value, "a text")
    return [value]


def _texts(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Sequence) and not isinstance(value, np.ndarray):
        raise _refuse(name, value, "a text, a list of texts, or None")
    wrong = next((text for text in value if not isinstance(text, str)), None)
    if wrong is not None or len(value) == 0:
        other = "" if wrong is None else f", not {wrong!r}"
        raise _refuse(name, value, f"a list of texts{other}")
    return list(value)


def kernel_text(kernels: Any) -> str:
    """Several texts are terms of one dictionary."""
    return "; ".join(_texts("kernels", kernels))


def _intercept(name: str, value: Any) -> list[str]:
    if isinstance(value, (bool, np.bool_)):
        return ["mean" if value else "none"]
    if not isinstance(value, str):
        raise _refuse(name, value, f"True, False or one of {', '.join(_TABLE[name].choices)}")
    return [value]


def _loss(name: str, value: Any) -> list[str]:
    """ "quantile(0.9)" for ("quantile", 0.9)."""
    if isinstance(value, str):
        return [value]
    wanted = "a text such as 'quantile(0.9)', or a pair such as ('quantile', 0.9)"
    if not isinstance(value, tuple) or len(value) != 2 or not isinstance(value[0], str):
        raise _refuse(name, value, wanted)
    if not _is_number(value[1], (int, float, np.integer, np.floating)):
        raise _refuse(name, value, wanted)
    return [f"{value[0]}({float(value[1])!r})"]


def _size(name: str, value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if not _is_number(value, (int, np.integer)):
        raise _refuse(name, value, "a whole number of bytes, a text such as '2G', or None")
    return [str(int(value))]


def _weights_of_classes(name: str, value: Any) -> list[str]:
    """ "a=2,b=1" for a dict."""
    if isinstance(value, str) and value == "balanced":
        return [value]
    if not isinstance(value, Mapping):
        raise _refuse(name, value, "'balanced', a dict of labels and numbers, or None")
    listed = [f"{label_text(k)}={_class_weight(name, k, v)!r}" for k, v in value.items()]
    return [",".join(listed)] if listed else []


def _class_weight(name: str, label: Any, weight: Any) -> float:
    try:
        return float(weight)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: {weight!r} of class {label!r} should be a number") from None


def label_text(label: Any) -> str:
    """A class label as a table of texts would have it."""
    return str(label.item() if isinstance(label, np.generic) else label)


def _groups(name: str, value: Any) -> list[str]:
    """ "NAME=a,b,gene_*" for each group."""
    if not isinstance(value, Mapping):
        raise _refuse(name, value, "a dict of names and columns, or None")
    return [_group(name, group, columns) for group, columns in value.items()]


def _group(name: str, group: Any, columns: Any) -> str:
    listed = [columns] if isinstance(columns, str) else list(columns)
    for text in (group, *listed):
        if not isinstance(text, str):
            raise ValueError(f"{name}: {group!r}: {text!r} should be names, as texts")
    return f"{group}={','.join(listed)}"


def _lambdas(name: str, value: Any) -> list[str]:
    """A text; numbers are handed over as they are."""
    return [value] if isinstance(value, str) else []


def lambda_values(alphas: Any) -> Floats | None:
    """`alphas` as numbers, where it is not a text; whether they are positive the library says."""
    if alphas is None or isinstance(alphas, str):
        return None
    wanted = "one or more positive numbers, or a text 'LO:HI:N'"
    try:
        values = np.ascontiguousarray(np.atleast_1d(np.asarray(alphas, dtype=np.float64)))
    except (TypeError, ValueError):
        raise _refuse("alphas", alphas, wanted) from None
    if values.ndim != 1 or values.size == 0:
        raise _refuse("alphas", alphas, wanted)
    return values


def _folds(name: str, value: Any) -> list[str]:
    """A number of folds; splits of other kinds are made by _cv.py."""
    return _count(name, value) if is_fold_count(value) else []


def is_fold_count(cv: Any) -> bool:
    """Are the folds drawn by the library?"""
    return cv is None or _is_number(cv, (int, np.integer))


# Names scikit-learn's scorers have for measures of the same sign.
_SAME = {"balanced_accuracy": "balanced-accuracy", "roc_auc": "auc", "roc_auc_ovr": "auc"}
_NEGATED = {
    "neg_root_mean_squared_error": "rmse",
    "neg_mean_squared_error": "mse",
    "neg_mean_absolute_error": "mae",
    "neg_log_loss": "log-loss",
    "neg_brier_score": "brier",
    "neg_mean_poisson_deviance": "deviance",
}


def _measure(name: str, value: Any) -> list[str]:
    if not isinstance(value, str):
        wanted = "the name of a measure; for a scorer of your own use GridSearchCV over alpha"
        raise _refuse(name, value, wanted)
    if value in _NEGATED:
        wanted = f"{_NEGATED[value]!r}, of which less is better and which has its own sign"
        raise _refuse(name, value, wanted)
    return [_SAME.get(value, value)]


def _seed(name: str, value: Any) -> list[str]:
    """A seed; generators are asked for one only where folds are drawn."""
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        return []
    if not isinstance(value, (int, np.integer)):
        raise _refuse(name, value, "a whole number, a RandomState, a Generator or None")
    return [str(int(value))]


def drawn_seed(random_state: Any) -> list[str]:
    """The seed a generator draws; nothing where there is none."""
    if isinstance(random_state, np.random.Generator):
        return [str(int(random_state.integers(2**31 - 1)))]
    if isinstance(random_state, np.random.RandomState):
        return [str(int(check_random_state(random_state).randint(2**31 - 1)))]
    return []


def _columns(name: str, value: Any) -> list[str]:
    """Columns may be given by number: _inputs.py knows their names."""
    return []


def thread_count(n_jobs: int | None) -> int:
    """As joblib counts: None is 1, -1 all cores, -2 all but one. The library's 0 is all cores."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r} should be None or a number that is not 0")
    if n_jobs > 0:
        return int(n_jobs)
    return 0 if n_jobs == -1 else max(1, (os.cpu_count() or 1) + 1 + int(n_jobs))


# ---- spellings ----


@dataclass(frozen=True)
class Spelling:
    """How values are written: as words, in docstrings, in annotations; and what docstrings add.

    "choices" in the second and third stands for those of the table.
    """

    words: Callable[[str, Any], list[str]]
    kind: str
    annotation: str
    more: str = ""


_BY_KIND = {
    "flag": Spelling(_flag, "bool", "bool"),
    "switch": Spelling(_switch, 'bool or "auto"', 'bool | Literal["auto"]'),
    "choice": Spelling(_text, "{choices}", "Literal[choices]"),
    "text": Spelling(_text, "str or None", "str | None"),
    "column": Spelling(_text, "str or None", "str | None"),
    "number": Spelling(_number, "float", "float"),
    "count": Spelling(_count, "int", "int"),
    "list": Spelling(_texts, "str, list of str or None", "Texts"),
}

_BY_NAME = {
    "alpha": Spelling(_number, "float or None", "float | None"),
    "alphas": Spelling(
        _lambdas, "array-like of float, str or None", "Any", "An array of numbers is also accepted."
    ),
    "class_weight": Spelling(
        _weights_of_classes,
        'dict, "balanced" or None',
        "ClassWeight",
        "A dict has the weights by label.",
    ),
    "kernels": Spelling(
        _texts,
        "str, list of str or None",
        "Texts",
        "Several texts are terms of one dictionary. Of a KernelStack the default is all its "
        "matrices.",
    ),
    "groups": Spelling(
        _groups, "dict of str to (str or list of str), or None", "Groups", "The keys are the names."
    ),
    "categorical": Spelling(
        _columns,
        "list of str or int, or None",
        "Columns",
        "Columns are given by name or number (from 0), of an array of objects such as "
        "``df.values`` too. Text and category columns of frames need not be named.",
    ),
    "intercept": Spelling(
        _intercept,
        "{choices} or bool",
        "bool | Literal[choices]",
        "True is mean, False is none.",
    ),
    "loss": Spelling(
        _loss,
        "str or tuple of str and float",
        "str | tuple[str, float]",
        "``('quantile', 0.9)`` is ``'quantile(0.9)'``.",
    ),
    "memory": Spelling(
        _size, "str, int or None", "str | int | None", "An int is a number of bytes."
    ),
    "cv": Spelling(
        _folds,
        "int, splitter, iterable, array or None",
        "Any",
        "None is 10, or one fold for each row where there are fewer. Also a scikit-learn splitter; "
        "pairs of (training rows, validation rows), such as "
        "``list(splitter.split(X, y, groups))``; or an array of fold numbers, one for each row "
        "(rows with a negative one are always learned from).",
    ),
    "scoring": Spelling(
        _measure,
        "{choices} or None",
        "str | None",
        "None is auto. Measures have their natural sign.",
    ),
    "random_state": Spelling(
        _seed,
        "int, RandomState, Generator or None",
        "Any",
        "None is 0, as of the command.",
    ),
}

# ---- parameters ----


@dataclass(frozen=True)
class Parameter:
    """A parameter of an estimator: a setting, or one that is Python's own."""

    name: str
    default: Any
    kind: str
    annotation: str
    text: str
    setting: _core.Setting | None = None

    def words(self, value: Any) -> list[str]:
        """The value in words of the library; none where it is None and that is allowed."""
        assert self.setting is not None
        if value is None and self.default is None:
            return []
        if self._offers_others() and not (isinstance(value, str) and value in self.setting.choices):
            raise _refuse(self.name, value, f"one of {', '.join(self.setting.choices)}")
        return _spelling(self.setting).words(self.name, value)

    def _offers_others(self) -> bool:
        """Choices than the library, whose message would name its own."""
        assert self.setting is not None
        return self.setting.choices != _TABLE[self.name].choices


_TABLE = {setting.python: setting for setting in _core.settings() if setting.python}

# Where the estimators have another default than the library's table.
_DEFAULTS: dict[str, Any] = {"cv": None, "scoring": None, "random_state": None, "baselines": False}

# The first parameters, in this order; a setting that is not among them follows.
_ORDER = (
    "alpha alphas n_alphas eps cv repeats rule scoring select baselines stability "
    "stability_errors class_weight kernels plain groups scaling center features examples "
    "standardize categorical reference missing rare loss probability outputs stack interval "
    "method solver gap_tol delta max_iter df intercept rank_tol memory"
).split()

_N_JOBS = Parameter(
    "n_jobs",
    None,
    "int or None",
    "int | None",
    "Threads: None is 1, -1 all cores. Results are the same to the last bit for any number.",
)
_VERBOSE = Parameter(
    "verbose",
    0,
    "int",
    "int",
    "Above 0: notes about what was inferred, and a line of progress, on the standard error.",
)


def _spelling(setting: _core.Setting) -> Spelling:
    return _BY_NAME.get(setting.python, _BY_KIND[setting.kind])


def _table_default(setting: _core.Setting) -> Any:
    if not setting.default:
        return None
    read: dict[str, Callable[[str], Any]] = {
        "flag": lambda text: text == "true",
        "switch": lambda text: text if text == "auto" else text == "true",
        "number": float,
        "count": int,
    }
    return read.get(setting.kind, str)(setting.default)


def _parameter(setting: _core.Setting) -> Parameter:
    spelling = _spelling(setting)
    quoted = ", ".join(f'"{choice}"' for choice in setting.choices)
    default = _DEFAULTS.get(setting.python, _table_default(setting))
    may_be_none = default is None and spelling in (_BY_KIND["number"], _BY_KIND["count"])
    return Parameter(
        setting.python,
        default,
        spelling.kind.replace("choices", quoted) + (" or None" if may_be_none else ""),
        spelling.annotation.replace("choices", quoted) + (" | None" if may_be_none else ""),
        " ".join(text for text in (setting.sentence, setting.help, spelling.more) if text),
        setting,
    )


def _offered(setting: _core.Setting, cv: bool) -> _core.Setting:
    """`select` always chooses; by default without folds, where there is a criterion for it. Other
    settings are as they are."""
    if setting.python != "select":
        return setting
    choices = [choice for choice in setting.choices if choice != "none"]
    if cv:
        return setting._replace(
            choices=choices,
            sentence="How lambda is chosen: by cross-validation, or by a criterion computed from "
            "one path on all rows.",
        )
    return setting._replace(
        choices=["auto", *choices],
        default="auto",
        sentence="How alpha is chosen where it is None: by a criterion computed from one path on "
        "all rows, or by ten folds.",
        help="auto is gcv; of the losses logistic and poisson aic; and cv where there is no "
        f"criterion, as of other losses and of shared outputs. {setting.help}",
    )


# Parameters that mean nothing for numbers.
_OF_CLASSES = {"class_weight", "probability"}

# Parameters that mean nothing for classes.
_OF_NUMBERS = {"interval"}


def parameters(*, cv: bool, classes: bool) -> list[Parameter]:
    """The parameters of an estimator, in the order of its signature."""
    scopes = {"data", "fitting", "choice", "splits" if cv else "lambda"}
    absent = (set() if cv else {"rule"}) | (_OF_NUMBERS if classes else _OF_CLASSES)
    found = [s for s in _TABLE.values() if s.scope in scopes and s.python not in absent]
    found.sort(key=lambda s: _ORDER.index(s.python) if s.python in _ORDER else len(_ORDER))
    made = [_parameter(_offered(setting, cv)) for setting in found]
    first = [p for p in made if p.name != "random_state"]
    return [*first, _N_JOBS, *(p for p in made if p.name == "random_state"), _VERBOSE]


_TASK = Parameter(
    "task",
    "regression",
    '{"regression", "classification"}',
    'Literal["regression", "classification"]',
    "Whether y holds numbers or classes.",
)

# What is decided when rows are counted, and cannot be changed afterwards.
_OF_ROWS = (
    "cv class_weight kernels groups features standardize categorical reference missing rare memory "
    "random_state"
).split()


def parameters_of_rows() -> list[Parameter]:
    """The parameters of statistics, in the order of their signature."""
    made = [_parameter(_TABLE[name]) for name in _OF_ROWS]
    made[0] = replace(
        made[0],
        kind="int or None",
        annotation="int | None",
        text="Folds of cross-validation, which rows are counted by. None is 10.",
    )
    return [_TASK, *made[:-1], _N_JOBS, made[-1], _VERBOSE]


def settings_of_rows(statistics: Any) -> list[tuple[str, str]]:
    """The parameters of statistics as settings; what is the table's default is not said."""
    asked = []
    for parameter in statistics._parameters:
        if parameter.setting is None:
            continue
        value = getattr(statistics, parameter.name)
        if parameter.name == "cv" and not is_fold_count(value):
            raise _refuse("cv", value, "a number of folds, by which rows are counted")
        if not _is_table_default(parameter, value):
            asked += [(parameter.setting.name, word) for word in parameter.words(value)]
    return asked + [("seed", word) for word in drawn_seed(statistics.random_state)]


# What is asked of the library for each of its goals.
_SCOPES = {
    "path": {"data", "fitting", "lambda"},
    "model": {"data", "fitting", "lambda"},
    "all": {"data", "fitting", "choice", "splits"},
}


def settings_of(estimator: Any, goal: str) -> list[tuple[str, str]]:
    """The parameters of an estimator as settings; what is the table's default is not said."""
    asked = []
    for parameter in estimator._parameters:
        if parameter.setting is None:
            continue
        value = getattr(estimator, parameter.name)
        words = parameter.words(value)
        if parameter.name == "select" and value == "auto":
            value = criterion(estimator)
            words = [value]
        if not _is_table_default(parameter, value) and _matters(parameter, estimator, goal):
            asked += [(parameter.setting.name, word) for word in words]
    if draws_folds(estimator, goal):
        asked += [("seed", word) for word in drawn_seed(estimator.random_state)]
    if goes_by_folds(estimator, goal) and not hasattr(estimator, "baselines"):
        asked.append(("baselines", "false"))
    return asked


# ---- what parameters mean together ----


def loss_of(estimator: Any) -> _core.Loss:
    """The loss that `loss` and `probability` ask for; the square one where they are refused later.
    """
    asked = estimator.loss
    if getattr(estimator, "probability", False) and asked == "square":
        asked = "logistic"
    try:
        return _core.loss(_loss("loss", asked)[0])
    except ValueError:
        return _core.loss("square")


def criterion(estimator: Any) -> str:
    """What chooses alpha: `select`, and what it is where that is "auto"."""
    if estimator.select != "auto":
        return str(estimator.select)
    if estimator.outputs == "shared":
        return "cv"
    return {"square": "gcv", "logistic": "aic", "poisson": "aic"}.get(loss_of(estimator).text, "cv")


def goes_by_folds(estimator: Any, goal: str) -> bool:
    """Is lambda chosen on left-out rows?"""
    return goal == "all" and criterion(estimator) == "cv"


def draws_folds(estimator: Any, goal: str) -> bool:
    """By folds that the library draws?"""
    return goes_by_folds(estimator, goal) and is_fold_count(getattr(estimator, "cv", None))


def _is_table_default(parameter: Parameter, value: Any) -> bool:
    default = _table_default(_TABLE[parameter.name])
    return type(value) is type(default) and bool(value == default)


def _matters(parameter: Parameter, estimator: Any, goal: str) -> bool:
    """As scikit-learn has it, a parameter that another makes superfluous is not looked at."""
    assert parameter.setting is not None
    if parameter.name in ("n_alphas", "eps"):
        return estimator.alphas is None and getattr(estimator, "alpha", None) is None
    if parameter.name in ("stability", "stability_errors"):
        return goal == "all"
    if parameter.name == "interval":
        return goal != "path"
    if parameter.setting.scope == "splits" or parameter.name == "rule":
        return goes_by_folds(estimator, goal)
    return parameter.setting.scope in _SCOPES[goal]
