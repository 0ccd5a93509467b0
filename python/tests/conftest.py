"""What the tests share: the command, the data sets of the clone, problems made with a seed."""

import importlib.util
import json
import os
from collections.abc import Callable
from typing import Any

os.environ.setdefault(
    "SCIPY_ARRAY_API", "1"
)  # before scipy is imported: scikit-learn skips a check without it

import matplotlib  # noqa: E402
import numpy as np
import pandas as pd
import pytest
from command import DATA, ROOT, run

matplotlib.use("Agg")


@pytest.fixture(scope="session")
def command() -> Callable[..., str]:
    """Runs `rls2` with arguments and gives its output; skips where there is no command."""
    return run


@pytest.fixture(scope="session")
def command_json() -> Callable[..., Any]:
    return lambda *arguments: json.loads(run(*arguments, "--json", "--quiet"))


@pytest.fixture(scope="session")
def maker() -> Any:
    """tools/make-python-docs.py"""
    script = ROOT / "tools" / "make-python-docs.py"
    spec = importlib.util.spec_from_file_location("make_python_docs", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def housing() -> tuple[pd.DataFrame, pd.Series]:
    frame = pd.read_csv(DATA / "housing.csv")
    return frame.drop(columns="MEDV"), frame["MEDV"]


@pytest.fixture(scope="session")
def servo() -> tuple[pd.DataFrame, pd.Series]:
    """Two columns of text, two of numbers."""
    frame = pd.read_csv(DATA / "servo.csv")
    return frame.drop(columns="rise_time"), frame["rise_time"]


@pytest.fixture(scope="session")
def prostate() -> tuple[pd.DataFrame, pd.Series]:
    frame = pd.read_csv(DATA / "prostate.csv").drop(columns="train")
    return frame.drop(columns="lpsa"), frame["lpsa"]


@pytest.fixture(scope="session")
def smooth() -> tuple[np.ndarray, np.ndarray]:
    """60 rows, 4 columns, of which two matter."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(60, 4))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 2] ** 2 + 0.1 * rng.normal(size=60)


@pytest.fixture(scope="session")
def three_classes() -> tuple[np.ndarray, np.ndarray]:
    """90 rows in three clouds that touch."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], 30)
    centres = np.array([[0.0, 0.0, 0.0], [2.0, 0.5, 0.0], [0.0, 2.0, 0.5]])
    return centres[y] + 0.8 * rng.normal(size=(90, 3)), y
