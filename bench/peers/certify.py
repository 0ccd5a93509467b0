"""Objective and certified relative gap of kernel weights d that some method found: METHOD PROBLEM FOLDER < RESULT.

    P(d) = lambda/2 y'c,   c = (R(d) + lambda I)^-1 y,   gap = (max_k q_k - sum_k d_k q_k) / (y'c),   q_k = c'R^k c

For weights of the dictionary 'paper' lambda is the one that rls2 chose. A Lasso with penalty t sum |a_k| is linear RLS2
with d_k ~ |a_k| at a lambda of its own, lambda = t s / sum |a_k|, where 1/s is the columns' sum of squares.
"""
import json
import sys

import numpy as np

from common import combine, hand_back, paper_kernels, problem_and_method, rls2_point


def certificate(kernel, forms, y, d, lam):
    c = np.linalg.solve(kernel + lam * np.eye(len(y)), y)
    q = forms(c)
    return {"lambda": lam, "objective": lam / 2 * float(y @ c), "gap": float((q.max() - d @ q) / (y @ c))}


def of_dictionary(problem, d):
    kernels = paper_kernels(problem.x, problem.x)
    lam, chosen = rls2_point(problem)
    d = chosen if d is None else np.array(d) / np.sum(d)
    return certificate(combine(kernels, d), lambda c: (kernels @ c) @ c, problem.y, d, lam)


def of_columns(problem, d, lam):
    x = problem.x / np.sqrt((problem.x**2).sum(0))
    return certificate((x * d) @ x.T, lambda c: (x.T @ c) ** 2, problem.y, d, lam)


def of_rls2_columns(problem):
    with open(f"{problem.folder}/{problem.name}.rls2.json") as file:
        point = json.load(file)["path"][0]
    weights = {kernel["kernel"]: kernel["weight"] for kernel in point["selected"]}
    d = np.array([weights.get(f"linear@{column}", 0.0) for column in problem.columns])
    return of_columns(problem, d, point["lambda"])


def of_lasso(problem, coefficients, t):
    size = np.abs(coefficients)
    return of_columns(problem, size / size.sum(), t / (problem.x[:, 0] @ problem.x[:, 0]) / size.sum())


def main():
    problem, method = problem_and_method()
    result = json.load(sys.stdin)
    if problem.name in ("prostate", "sparse"):
        found = of_rls2_columns(problem) if method == "rls2" else of_lasso(problem, result["coefficients"], result["t"])
    else:
        found = of_dictionary(problem, None if method == "rls2" else result["weights"])
    hand_back(**found)


if __name__ == "__main__":
    main()
