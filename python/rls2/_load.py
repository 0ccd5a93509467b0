"""Model files: what the command saves is a fitted estimator here."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._estimators import RLS2Classifier, RLS2Regressor
from ._inputs import default_names
from ._targets import labels_of_file


def load(path: Any) -> RLS2Regressor | RLS2Classifier:
    """Read a model file, written by ``save`` or by ``rls2 train``, as a fitted estimator.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    RLS2Regressor or RLS2Classifier
        Fitted, with the parameters the file tells; predictions are those of the model that was
        saved, to the last bit. The path that led to it is not in the file.

    Examples
    --------
    >>> import numpy as np, os, tempfile
    >>> import rls2
    >>> X, y = np.arange(12.0).reshape(6, 2), np.arange(6.0)
    >>> model = rls2.RLS2Regressor(alpha=0.1).fit(X, y)
    >>> file = os.path.join(tempfile.mkdtemp(), "a.model")
    >>> model.save(file)
    >>> bool(np.all(rls2.load(file).predict(X) == model.predict(X)))
    True
    """
    model = _core.Model.load(path)
    made: RLS2Regressor | RLS2Classifier = (
        RLS2Classifier if model.is_classification else RLS2Regressor
    )(**_parameters(model))
    scales = [np.array(model.scales(o)) for o in range(model.outputs)]
    one = model.is_classification or model.outputs == 1 or _has_levels(model)
    made._adopt(model, list(model.dictionary), scales, flat=one, kept=None, rows=model.rows)
    made.alpha_ = model.lambda_
    made.alphas_ = np.array([model.lambda_])
    _remember_columns(made, model)
    if isinstance(made, RLS2Classifier):
        made._set_classes(labels_of_file(list(model.class_labels)))
    return made


def _parameters(model: _core.Model) -> dict[str, Any]:
    examples, features = model.preprocessing
    return {
        "alpha": model.lambda_,
        "kernels": model.spec,
        "groups": model.groups or None,
        "solver": model.solver,
        "loss": _loss_text(model),
        "outputs": "shared" if model.shares_weights else "separate",
        "intercept": "free" if model.intercept_is_free else "auto",
        "scaling": model.scaling.rule,
        "center": model.scaling.center,
        "features": features,
        "examples": examples,
    }


def _has_levels(model: _core.Model) -> bool:
    """Several quantiles of one target?"""
    return model.outputs > 1 and not model.is_classification and model.target is not None


def _loss_text(model: _core.Model) -> str:
    """As the parameter has it."""
    text = model.loss(0).text
    if not _has_levels(model):
        return "logistic" if text == "multinomial" else text
    levels = [model.loss(o).text.removeprefix("quantile(")[:-1] for o in range(model.outputs)]
    return f"quantile({','.join(levels)})"


def _remember_columns(made: RLS2Regressor | RLS2Classifier, model: _core.Model) -> None:
    """Names are those of a frame, unless they are the ones an array gets."""
    inputs = list(model.inputs)
    made.n_features_in_ = len(inputs) if inputs else model.rows
    if inputs and inputs != default_names(len(inputs)):
        made.feature_names_in_ = np.array(inputs, dtype=object)
    made._text_inputs = []  # the file does not say which were text and which numbers taken as text
    made._stack_rows = None
    made._universe = None
