"""What is compared: the problems, and one line for each peer."""
from typing import NamedTuple


class Data(NamedTuple):
    title: str
    target: str
    options: list  # of rls2


class Peer(NamedTuple):
    label: str  # in the table
    environment: str  # build/peers/env-NAME, or R
    script: str
    method: str
    problems: list
    package: str  # whose version is told
    splits: int  # at most: slow ones run on fewer
    guess: float  # seconds on one problem, for the time left


PROBLEMS = {
    "prostate": Data("Prostate, 67 + 30 rows, 8 columns, linear: test RMSE", "lpsa",
                     ["-k", "linear"]),
    "sparse": Data("Synthetic, 200 + 200 rows, 5,000 columns of which 20 count, linear: test RMSE",
                   "y", ["-k", "linear"]),
    "housing": Data("Housing, 354 + 152 rows, 13 columns, regression: test RMSE", "MEDV",
                    ["--task", "regression"]),
    "sonar": Data("Sonar, 146 + 62 rows, 60 columns, two classes: test accuracy", "class",
                  ["--task", "classification"]),
}
KERNEL, TWO_CLASSES, LINEAR = ["housing", "sonar"], ["sonar"], ["prostate", "sparse"]
SPLITS = 5

PEERS = [
    Peer("scikit-learn, kernel ridge, grid 10 x 10", "sklearn", "sklearn_peers.py", "krr", KERNEL,
         "scikit-learn", SPLITS, 3),
    Peer("scikit-learn, SVR or SVC, grid 10 x 10", "sklearn", "sklearn_peers.py", "svm", KERNEL,
         "scikit-learn", SPLITS, 4),
    Peer("himalaya, random search of 50", "himalaya", "himalaya_peers.py", "random_search", KERNEL,
         "himalaya", SPLITS, 6),
    Peer("himalaya, hyper-gradient, 5 steps", "himalaya", "himalaya_peers.py", "hyper_gradient",
         KERNEL, "himalaya", 1, 32),
    Peer("MKLpy, EasyMKL, 4 parameters", "mklpy", "mklpy_peers.py", "EasyMKL", TWO_CLASSES, "MKLpy",
         3, 9),
    Peer("MKLpy, AverageMKL, 4 parameters", "mklpy", "mklpy_peers.py", "AverageMKL", TWO_CLASSES,
         "MKLpy", 3, 8),
    Peer("adelie, group lasso path of 30 on factors", "adelie", "group_peers.py", "adelie", KERNEL,
         "adelie", SPLITS, 3),
    Peer("skglm, group lasso path of 30 on factors", "skglm", "group_peers.py", "skglm", KERNEL,
         "skglm", 2, 18),
    Peer("scikit-learn, LassoCV", "sklearn", "sklearn_peers.py", "lasso", LINEAR, "scikit-learn",
         SPLITS, 3),
    Peer("glmnet, cv.glmnet", "R", "glmnet.R", "glmnet", LINEAR, "glmnet", SPLITS, 3),
    Peer("celer, LassoCV", "celer", "lasso_peers.py", "celer", LINEAR, "celer", SPLITS, 2),
]
