"""Objective and certified relative gap of kernel weights d that methods found: PROBLEM SPLIT FOLDER
PROGRAM < RESULTS.

RESULTS is a JSON object {method: what the method handed back}. PROGRAM, rls2_bench_certify, asks
the library (rls2_certify); a second opinion in numpy stands beside it:

    P(d) = lambda/2 y'c,   c = (R(d) + lambda I)^-1 y,   gap = (max_k q_k - sum_k d_k q_k) / (y'c),
    q_k = c'R^k c

For weights of the dictionary 'paper' lambda is the one that rls2 chose. A Lasso with penalty t sum
|a_k| is linear RLS2 with d_k ~ |a_k| at a lambda of its own, lambda = t s / sum |a_k|, where 1/s is
the columns' sum of squares.
"""
import json
import subprocess
import sys

import numpy as np

from common import TARGET, Problem, combine, hand_back, kernel_names, paper_kernels, rls2_point


def by_library(problem, program, d, lam):
    task = "classification" if problem.classes else "regression"
    spec = "linear" if problem.linear else "paper"
    lines = "".join(
        f"{name}\t{float(weight)!r}\n" for name, weight in zip(kernel_names(problem), d)
        if weight > 0)
    command = [
        program, f"{problem.files}.train.csv", TARGET[problem.name], task, spec,
        repr(float(lam)), "fold"]
    return json.loads(
        subprocess.run(command, input=lines, text=True, check=True, stdout=subprocess.PIPE).stdout)


class Numpy:
    """The same from the definitions; kernels are made once for all methods."""

    def __init__(self, problem):
        self.y = problem.y
        if problem.linear:
            self.columns = problem.x / np.sqrt((problem.x**2).sum(0))
        else:
            self.kernels = paper_kernels(problem.x, problem.x)
        self.linear = problem.linear

    def certificate(self, d, lam):
        kernel = (self.columns * d) @ self.columns.T if self.linear else combine(self.kernels, d)
        c = np.linalg.solve(kernel + lam * np.eye(len(self.y)), self.y)
        q = (self.columns.T @ c) ** 2 if self.linear else (self.kernels @ c) @ c
        return lam / 2 * float(self.y @ c), float((q.max() - d @ q) / (self.y @ c))


def point_of(problem, method, result):
    """(lambda, d) of a method; a Lasso's own, see above."""
    lam, d = rls2_point(problem)
    if method == "rls2-train":
        return lam, d
    if "weights" in result:
        return lam, np.array(result["weights"]) / np.sum(result["weights"])
    size = np.abs(result["coefficients"])
    return result["t"] / (problem.x[:, 0] @ problem.x[:, 0]) / size.sum(), size / size.sum()


def main(name, split, folder, program):
    problem = Problem(name, split, folder)
    second, found = Numpy(problem), {}
    for method, result in json.load(sys.stdin).items():
        lam, d = point_of(problem, method, result)
        first = by_library(problem, program, d, lam)
        objective, gap = second.certificate(d, lam)
        apart = max(
            abs(objective - first["objective"]) / objective,
            abs(gap - first["gap"]) / max(1, gap))
        found[method] = {key: first[key] for key in ("lambda", "objective", "gap")}
        found[method]["numpy"] = {"objective": objective, "gap": gap, "apart": apart}
    hand_back(**found)


if __name__ == "__main__":
    main(*sys.argv[1:])
