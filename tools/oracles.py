#!/usr/bin/env python3
"""Solves the problems of rls2_bench_oracle by other programs and compares objectives.

    tools/oracles.py PROBLEMS.json

For each lambda: our objective, theirs, the difference over theirs, and our gap. Ours must not be
above theirs by more than the gap and 1e-6 (what they leave), nor theirs below the bound that our
gap proves. Exits with 1 where either fails. Where the l1-penalised quantile has several solutions,
the one that QuantileRegressor hands back may be worse by the squared norm. HuberRegressor estimates
a scale along with the coefficients, which is another problem: Huber's loss has no oracle here.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np
from scipy.special import entr
from sklearn import linear_model, svm

LEFT = 1e-6  # of the objective: what the others' stopping rules leave

GLMNET = """
library(glmnet)
a <- commandArgs(TRUE)
x <- as.matrix(read.csv(paste0(a[1], "/x.csv"), header = FALSE))
y <- scan(paste0(a[1], "/y.csv"), quiet = TRUE)
t <- scan(paste0(a[1], "/t.csv"), quiet = TRUE)
family <- a[2]
if (family == "binomial") y <- factor(y)
glmnet.control(fdev = 0, devmax = 1)
grid <- sort(unique(c(t, max(t) * 1.5^(1:20))), decreasing = TRUE)
fit <- glmnet(x, y, family = family, lambda = grid, standardize = FALSE,
              thresh = 1e-14, maxit = 1e7)
write.table(format(as.matrix(coef(fit, s = t, exact = FALSE)), digits = 17),
            paste0(a[1], "/coef.txt"), quote = FALSE, row.names = FALSE, col.names = FALSE)
"""


def values(loss, y, t):
    """The sum of the loss, written down once more."""
    name, _, rest = loss.partition("(")
    a = float(rest[:-1]) if rest else 0.0
    r = t - y
    if name == "logistic":
        return np.logaddexp(0, -y * t).sum()
    if name == "hinge":
        return np.maximum(0, 1 - y * t).sum()
    if name == "squared-hinge":
        return 0.5 * (np.maximum(0, 1 - y * t) ** 2).sum()
    if name == "huber":
        return np.where(np.abs(r) < a, 0.5 * r**2, a * np.abs(r) - 0.5 * a**2).sum()
    if name == "absolute":
        return np.abs(r).sum()
    if name == "quantile":
        return np.where(r > 0, (1 - a) * r, -a * r).sum()
    if name == "epsilon":
        return np.maximum(0, np.abs(r) - a).sum()
    if name == "poisson":
        return (np.exp(t) - y * t - entr(y) - y).sum()
    raise ValueError(loss)


def gaussian(x, s, gamma=0.1):
    square = ((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2)
    return s * np.exp(-gamma * square)


def features(r):
    """Columns F with FF' = R: an l2 penalty on their coefficients is the kernel's."""
    size, vectors = np.linalg.eigh(r)
    kept = size > 1e-13 * size[-1]
    return vectors[:, kept] * np.sqrt(size[kept])


def by_glmnet(problem, x, y, totals):
    """Coefficients of columns scaled by sqrt(s), a column of them for each penalty."""
    family = "binomial" if problem["loss"] == "logistic" else "poisson"
    with tempfile.TemporaryDirectory() as folder:
        np.savetxt(f"{folder}/x.csv", x, delimiter=",", fmt="%.17g")
        np.savetxt(f"{folder}/y.csv", y, fmt="%.17g")
        np.savetxt(f"{folder}/t.csv", np.array(totals) / len(y), fmt="%.17g")
        with open(f"{folder}/fit.R", "w", encoding="utf-8") as file:
            file.write(GLMNET)
        subprocess.run(["Rscript", f"{folder}/fit.R", folder, family], check=True,
                       stderr=subprocess.DEVNULL)
        found = np.loadtxt(f"{folder}/coef.txt")
    return found


def l1_oracle(problem, x, y, total, which, found):
    """(name, b, coefficients) of the regression with penalty total * sum |a|."""
    loss = problem["loss"]
    if found is not None:
        return "glmnet", found[0, which], found[1:, which]
    if loss == "logistic":
        fit = linear_model.LogisticRegression(penalty="l1", C=1 / total, solver="saga", tol=1e-10,
                                              max_iter=200000).fit(x, y)
        return "LogisticRegression(l1)", fit.intercept_[0], fit.coef_[0]
    if loss.startswith("quantile"):
        fit = linear_model.QuantileRegressor(quantile=float(loss[9:-1]), alpha=total / len(y),
                                             solver="highs").fit(x, y)
        return "QuantileRegressor", fit.intercept_, fit.coef_
    return None


def linear_points(problem, x, y):
    """Kernels of one column: sum L + lambda/2 (sum |a|)^2 in columns scaled by sqrt(s)."""
    scaled = x * np.sqrt(np.array(problem["s"]))
    # a wrong tau could only make theirs worse, never ours seem better than the minimum
    totals = [point["lambda"] * point["tau"] for point in problem["points"]]
    found = None
    if problem["loss"] in ("logistic", "poisson") and has_glmnet():
        found = by_glmnet(problem, scaled, y, totals)
    for which, point in enumerate(problem["points"]):
        answer = l1_oracle(problem, scaled, y, totals[which], which, found)
        if answer is None:
            continue
        name, b, a = answer
        theirs = values(problem["loss"], y, scaled @ a + b)
        yield point, name, theirs + 0.5 * point["lambda"] * np.abs(a).sum() ** 2


def kernel_oracle(loss, lam, r, y):
    """(name, f, b, penalty) of one kernel."""
    if loss == "hinge":
        fit = svm.SVC(C=1 / lam, kernel="precomputed", tol=1e-10, cache_size=500).fit(r, y)
        c = np.zeros(len(y))
        c[fit.support_] = fit.dual_coef_[0]
        return "SVC", r @ c, fit.intercept_[0], lam * 0.5 * c @ r @ c
    if loss.startswith("epsilon"):
        fit = svm.SVR(C=1 / lam, epsilon=float(loss[8:-1]), kernel="precomputed", tol=1e-10,
                      cache_size=500).fit(r, y)
        c = np.zeros(len(y))
        c[fit.support_] = fit.dual_coef_[0]
        return "SVR", r @ c, fit.intercept_[0], lam * 0.5 * c @ r @ c
    f = features(r)
    if loss == "logistic":
        fit = linear_model.LogisticRegression(C=1 / lam, solver="newton-cholesky", tol=1e-12,
                                              max_iter=1000).fit(f, y)
        w, b, name = fit.coef_[0], fit.intercept_[0], "LogisticRegression"
    elif loss == "squared-hinge":
        fit = svm.LinearSVC(C=0.5 / lam, dual=False, fit_intercept=False, tol=1e-10,
                            max_iter=100000).fit(f, y)
        w, b, name = fit.coef_[0], 0.0, "LinearSVC"
    else:
        fit = linear_model.PoissonRegressor(alpha=lam / len(y), solver="newton-cholesky",
                                            tol=1e-12, max_iter=1000).fit(f, y)
        w, b, name = fit.coef_, fit.intercept_, "PoissonRegressor"
    return name, f @ w, b, 0.5 * lam * w @ w


def kernel_points(problem, x, y):
    r = gaussian(x, problem["s"][0])
    for point in problem["points"]:
        name, f, b, penalty = kernel_oracle(problem["loss"], point["lambda"], r, y)
        yield point, name, values(problem["loss"], y, f + b) + penalty


def has_glmnet():
    if "glmnet" not in has_glmnet.__dict__:
        try:
            code = subprocess.run(["Rscript", "-e", "library(glmnet)"], capture_output=True,
                                  check=False).returncode
        except OSError:
            code = 1
        has_glmnet.glmnet = code == 0
    return has_glmnet.glmnet


def main():
    warnings.filterwarnings("ignore")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with open(sys.argv[1], encoding="utf-8") as file:
        problems = json.load(file)
    wrong = 0
    print(f"{'data':8} {'kernels':13} {'loss':14} {'lambda':>9} {'oracle':23} {'theirs':>14} "
          f"{'ours/theirs-1':>13} {'gap':>8}")
    for problem in problems:
        x = np.array(problem["x"]).reshape(problem["p"], problem["n"]).T
        y = np.array(problem["y"])
        solve = linear_points if problem["kernels"].startswith("linear") else kernel_points
        for point, name, theirs in solve(problem, x, y):
            apart = point["objective"] / theirs - 1
            bad = apart > point["gap"] + LEFT
            below = theirs < point["objective"] * (1 - point["gap"]) * (1 - 1e-9)
            wrong += bad or below
            print(f"{problem['set']:8} {problem['kernels']:13} {problem['loss']:14} "
                  f"{point['lambda']:9.2e} {name:23} {theirs:14.8g} {apart:13.1e} "
                  f"{point['gap']:8.1e}{'  WRONG' if bad or below else ''}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
