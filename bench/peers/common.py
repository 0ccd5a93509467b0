"""What the methods share: the problems, the kernels of rls2's dictionary 'paper', and how results
are handed back.

Written in numpy from the definitions (docs/MATH.md), not by calling rls2: it is a second opinion.
"""
import json
import sys
import time

import numpy as np

TARGET = {"housing": "MEDV", "sonar": "class", "prostate": "lpsa", "sparse": "y"}


class Problem:
    """One split of a data set: columns standardised by the training rows, response as rls2 takes it
    (centred, or -1 and 1).
    """

    def __init__(self, name, split, folder):
        self.name, self.files = name, f"{folder}/{name}-{split}"
        self.classes, self.linear = name == "sonar", name in ("prostate", "sparse")
        with open(f"{self.files}.train.csv") as file:
            header = file.readline().strip().split(",")
        train, test = (np.loadtxt(f"{self.files}.{part}.csv", delimiter=",", skiprows=1)
                       for part in ("train", "test"))
        inputs = [j for j, column in enumerate(header) if column not in (TARGET[name], "fold")]
        self.columns = [header[j] for j in inputs]
        mean, deviation = train[:, inputs].mean(0), train[:, inputs].std(0, ddof=1)
        self.x, self.x_test = ((part[:, inputs] - mean) / deviation for part in (train, test))
        self.target, self.target_test = (part[:, header.index(TARGET[name])]
                                         for part in (train, test))
        self.intercept = 0.0 if self.classes else self.target.mean()
        self.y = self.target - self.intercept
        self.folds = train[:, header.index("fold")].astype(int)

    def splits(self):
        return [(np.flatnonzero(self.folds != k), np.flatnonzero(self.folds == k))
                for k in np.unique(self.folds)]

    def score(self, prediction):
        """RMSE, or the share of right classes, of predictions of `target_test`."""
        if self.classes:
            return float(np.mean(np.where(prediction >= 0, 1, -1) == self.target_test))
        return float(np.sqrt(np.mean((prediction - self.target_test) ** 2)))


def kernel_names(problem):
    """As rls2 calls its kernels: those of `linear`, or of `paper`."""
    columns = problem.columns
    if problem.linear:
        return [f"linear@{column}" for column in columns]
    kinds = [f"poly({degree})"
             for degree in (1, 2, 3)] + [f"rbf({gamma:.4g})" for gamma in np.logspace(-3, 3, 10)]
    return [f"{kind}@{part}" for kind in kinds for part in ["all", *columns]]


def paper_kernels(x, z):
    """R^k(z, x) for poly(1..3) and rbf(1e-3:1e3:10) on all columns and on each, divided by the
    trace over x.
    """
    parts = [slice(None)] + [slice(j, j + 1) for j in range(x.shape[1])]
    result = np.empty((13 * len(parts), len(z), len(x)))
    for p, part in enumerate(parts):
        a, b = z[:, part], x[:, part]
        product, squares = a @ b.T, (b**2).sum(1)
        distance = np.maximum((a**2).sum(1)[:, None] + squares - 2 * product, 0)
        for i, degree in enumerate((1, 2, 3)):
            result[i * len(parts) + p] = (1 + product) ** degree / ((1 + squares) ** degree).sum()
        for i, gamma in enumerate(np.logspace(-3, 3, 10)):
            result[(3 + i) * len(parts) + p] = np.exp(-gamma * distance) / len(x)
    return result


def combine(kernels, d):
    """R(d), from the kernels in use alone."""
    used = np.flatnonzero(d)
    return np.tensordot(d[used], kernels[used], 1)


def rls2_point(problem):
    """(lambda, d) that `rls2 train` chose; its kernels are known by their names."""
    with open(f"{problem.files}.rls2.json") as file:
        point = json.load(file)
    weights = {kernel["kernel"]: kernel["weight"] for kernel in point["selected"]}
    return point["lambda"], np.array([weights.get(name, 0.0) for name in kernel_names(problem)])


class Stopwatch:
    def __init__(self):
        self.start = time.perf_counter()

    def lap(self):
        now = time.perf_counter()
        elapsed, self.start = now - self.start, now
        return elapsed


def hand_back(**result):
    """One line of JSON for the driver. `weights`: d of the dictionary; `coefficients` and `t`: a
    Lasso's.
    """
    json.dump(
        {
            key: value.tolist() if isinstance(value, np.ndarray) else value
            for key, value in result.items()}, sys.stdout)
    print()


def problem_and_method():
    """Arguments of every script: METHOD PROBLEM SPLIT FOLDER."""
    method, name, split, folder = sys.argv[1:]
    return Problem(name, split, folder), method
