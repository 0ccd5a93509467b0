"""Numbers derived from a model: coefficients in the units of the columns, the variance of the
noise.
"""

from __future__ import annotations

import numpy as np

from . import _core
from ._types import Floats


def column_coefficients(model: _core.Model) -> tuple[Floats, Floats]:
    """(outputs, columns) and (outputs,): f(x) = constant + coefficients' x, with x of the table.

    The model's own coefficients a are for columns z = (x - mean) / divisor where features were
    preprocessed, a divisor of 0 standing for a column that is zero whatever it holds.
    """
    a = np.array([np.array(model.coefficients(o)) for o in range(model.outputs)])
    b = np.array([model.intercept(o) for o in range(model.outputs)])
    if model.preprocessing[1] == "none":
        return a, b
    means, divisors = _column_units(model)
    divided = np.divide(a, divisors, out=np.zeros_like(a), where=divisors != 0.0)
    return divided, b - divided @ means


def _column_units(model: _core.Model) -> tuple[Floats, Floats]:
    """What is taken off each column, and by what it is then divided: known to rows made like the
    training rows, also where none is left of them."""
    empty = _core.Table("X", 1, None, [], [(name, [None]) for name in model.inputs])
    data = model.encode(empty, False, "drop")
    assert data.means is not None and data.deviations is not None
    return np.array(data.means), np.array(data.deviations)


def noise_variance(model: _core.Model, output: int) -> float:
    """Estimated from the training rows as the command does: sum of squared residuals over n - df,
    rows by their weight.

    At the optimum the residual of row i is lambda c_i / w_i (docs/MATH.md, E09 and W1).
    """
    weights = np.ones(model.rows) if model.weights is None else np.array(model.weights)
    residuals = model.lambda_ * np.array(model.c(output)) / weights
    df = model.point(output).df
    if np.isnan(df):
        df = model.degrees_of_freedom(output)
    free = weights.sum() - df
    if not free > 0.0:
        raise ValueError(
            f"return_std: {df:g} degrees of freedom on {weights.sum():.15g} rows leave nothing to "
            "estimate the noise from"
        )
    return float(np.sum(weights * residuals**2) / free)
