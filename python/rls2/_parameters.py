"""The constructors of the estimators, made from their parameters as dataclasses makes them.

For type checkers _parameters.pyi says what they are; tools/make-python-docs.py writes it.
"""

from typing import Any

from ._params import Parameter, parameters, parameters_of_rows


def _constructor(params: list[Parameter]) -> Any:
    """__init__ with a keyword for each, which keeps them as they are."""
    names = {f"default_{p.name}": p.default for p in params}
    signature = ", ".join(f"{p.name}=default_{p.name}" for p in params)
    body = "\n".join(f"    self.{p.name} = {p.name}" for p in params)
    scope: dict[str, Any] = {}
    exec(f"def __init__(self, *, {signature}):\n{body}", names, scope)
    return scope["__init__"]


def _made(estimator: str, params: list[Parameter]) -> type:
    """A base of the estimator, by whose name Python refuses a keyword there is not."""
    init = _constructor(params)
    init.__qualname__ = f"{estimator}.__init__"
    init.__module__ = __name__
    name = f"{estimator.removeprefix('RLS2')}Parameters"
    return type(name, (), {"__init__": init, "_parameters": params, "__module__": __name__})


RegressorParameters = _made("RLS2Regressor", parameters(cv=False, classes=False))
ClassifierParameters = _made("RLS2Classifier", parameters(cv=False, classes=True))
RegressorCVParameters = _made("RLS2RegressorCV", parameters(cv=True, classes=False))
ClassifierCVParameters = _made("RLS2ClassifierCV", parameters(cv=True, classes=True))
StatisticsParameters = _made("Statistics", parameters_of_rows())
ProfileParameters = _made("Profile", parameters_of_rows())
