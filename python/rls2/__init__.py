"""Sparse multiple kernel learning with certificates, for scikit-learn.

RLS2 learns a predictor and its kernel together: from a dictionary of kernels it finds the few that
matter, how much each counts, and the predictor built on them, and proves each answer with a duality
gap.
"""

from ._batches import Batches
from ._core import RLS2Error, __version__
from ._estimators import RLS2Classifier, RLS2ClassifierCV, RLS2Regressor, RLS2RegressorCV
from ._load import load
from ._parquet import read_parquet
from ._plot import plot_cv, plot_kernels, plot_path
from ._profile import Profile
from ._stack import KernelStack
from ._statistics import Statistics
from ._whole_path import rls2_path

__all__ = [
    "Batches",
    "KernelStack",
    "Profile",
    "RLS2Classifier",
    "RLS2ClassifierCV",
    "RLS2Error",
    "RLS2Regressor",
    "RLS2RegressorCV",
    "Statistics",
    "__version__",
    "load",
    "plot_cv",
    "plot_kernels",
    "plot_path",
    "read_parquet",
    "rls2_path",
]
