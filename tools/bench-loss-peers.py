#!/usr/bin/env python3
"""Processor time of paths of every loss beside other programs that have the same objective.

    tools/bench-loss-peers.py FOLDER [--limit SECONDS] [--only PEER ...] [--docs]

FOLDER is what rls2_bench_loss_peers left: problems, the time of our path of 30 lambdas at gap 1e-6,
its solutions, and those of a path at 1e-10. Every peer solves the same problems, in the same order,
on one thread, with warm starts where it has them, at tolerances from its default downwards until
no objective is above the best known one by more than 1e-6 of it. Objectives are computed from the
solutions, ours too, as the peer has them: of l1-penalised regressions sum L + t sum |a| with the t
of our solution [MATH.md, G6], of kernels sum L + lambda/2 c'Rc. Peers begin with X or the kernel
matrix (LinearSVC with its factor), in the layout that they like; checking arguments is part of
their time, as of ours. Compilation of skglm is not.

Prints for each problem and peer: our time and error, the peer's time at its default tolerance and
its error there, its time at the first tolerance that is accurate enough, and how many times ours
that is; '>' where it did not get there, in time or at all. --docs also puts the table into
docs/PERFORMANCE.md.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

for name in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{name}_NUM_THREADS"] = "1"

import numpy as np  # noqa: E402
from oracles import features, gaussian, has_glmnet, values  # noqa: E402
from sklearn import linear_model, svm  # noqa: E402

ENOUGH = 1e-6
ROUNDS = 7  # of which the fastest counts, unless they take longer than A_WHILE together
A_WHILE = 5.0

GLMNET = """
library(glmnet)
a <- commandArgs(TRUE)
n <- as.integer(a[3]); p <- as.integer(a[4])
x <- matrix(readBin(paste0(a[1], "/scaled"), "double", n * p), n, p)
y <- readBin(paste0(a[1], "/y"), "double", n)
t <- readBin(paste0(a[1], "/t"), "double", as.integer(a[5]))
if (a[2] == "binomial") y <- factor(y)
glmnet.control(fdev = 0, devmax = 1)
rounds <- 0
start <- proc.time()
repeat {
  fit <- glmnet(x, y, family = a[2], lambda = t, standardize = FALSE, thresh = as.numeric(a[6]),
                maxit = 1e8, intercept = a[7] == "free")
  rounds <- rounds + 1
  took <- sum((proc.time() - start)[c("user.self", "sys.self")])
  if (took > 0.5) break
}
writeBin(c(took / rounds, as.vector(as.matrix(coef(fit)))), paste0(a[1], "/coef"))
"""


class TooLong(Exception):
    pass


class Watch:
    """Processor time of the stretches it is told of; TooLong where all of it is above a limit."""

    def __init__(self, limit):
        self.limit, self.took = limit, 0.0

    def __enter__(self):
        self.start = time.process_time()

    def __exit__(self, *_):
        self.took += time.process_time() - self.start
        if self.took > self.limit:
            raise TooLong


# ---- peers: generators of solutions, one for each lambda, the largest first ----
# l1: (coefficients of scaled columns, b); kernels: (c or (f, penalty), b)

def with_glmnet(problem, watch, tol):
    family = "binomial" if problem.loss == "logistic" else "poisson"
    folder = problem.folder
    np.asfortranarray(problem.scaled).T.tofile(f"{folder}/scaled")
    problem.y.tofile(f"{folder}/y")
    (problem.totals / problem.n).tofile(f"{folder}/t")
    with open(f"{folder}/fit.R", "w", encoding="utf-8") as file:
        file.write(GLMNET)
    try:
        subprocess.run(["Rscript", f"{folder}/fit.R", folder, family, str(problem.n),
                        str(problem.p), str(len(problem.totals)), str(tol),
                        "free" if problem.free else "none"], check=True,
                       stderr=subprocess.DEVNULL, timeout=20 * watch.limit)
    except subprocess.TimeoutExpired:
        raise TooLong from None
    found = np.fromfile(f"{folder}/coef")
    watch.took += found[0]
    found = found[1:].reshape(-1, problem.p + 1)
    if len(found) < len(problem.totals):  # it gave up
        raise TooLong
    return [(row[1:], row[0]) for row in found]


def with_logistic(solver):
    def solve(problem, watch, tol):
        model = linear_model.LogisticRegression(
            penalty="l1", solver=solver, tol=tol, max_iter=1000000, warm_start=True,
            fit_intercept=problem.free, random_state=0)
        found = []
        for t in problem.totals:
            model.C = 1 / t
            with watch:
                model.fit(problem.scaled, problem.y)
            found.append((model.coef_[0].copy(), float(np.ravel(model.intercept_)[0])))
        return found
    return solve


def with_quantile(problem, watch, _tol):
    level, times = (0.5, 2) if problem.loss == "absolute" else (problem.parameter, 1)
    found = []
    for t in problem.totals:
        model = linear_model.QuantileRegressor(quantile=level, alpha=t / (times * problem.n),
                                               fit_intercept=problem.free, solver="highs")
        with watch:
            model.fit(problem.scaled, problem.y)
        found.append((model.coef_, model.intercept_))
    return found


def with_skglm(problem, watch, tol):
    from skglm.datafits import Huber, Logistic, Poisson
    from skglm.penalties import L1
    from skglm.solvers import AndersonCD, ProxNewton
    from skglm.utils.jit_compilation import compiled_clone

    X = np.asfortranarray(problem.scaled)
    if problem.loss.startswith("huber"):
        fit = compiled_clone(Huber(problem.parameter))
        solver = AndersonCD(tol=tol, fit_intercept=problem.free, warm_start=True, max_iter=10000)
    else:
        fit = compiled_clone(Logistic() if problem.loss == "logistic" else Poisson())
        solver = ProxNewton(tol=tol, fit_intercept=problem.free, warm_start=True, max_iter=10000)
    if hasattr(fit, "initialize"):
        with watch:
            fit.initialize(X, problem.y)
    penalty = compiled_clone(L1(1.0))
    w = np.zeros(problem.p + problem.free)
    found = []
    for t in problem.totals:
        penalty = compiled_clone(L1(t / problem.n))
        with watch:
            start = X @ w[:problem.p] + (w[-1] if problem.free else 0.0)
            w = solver.solve(X, problem.y, fit, penalty, w, start, run_checks=False)[0]
        found.append((w[:problem.p].copy(), w[-1] if problem.free else 0.0))
    return found


def with_machine(kind):
    def solve(problem, watch, tol):
        r, found = problem.kernels[0], []
        for lam in problem.lambdas:
            options = {"epsilon": problem.parameter} if kind is svm.SVR else {}
            model = kind(C=1 / lam, kernel="precomputed", tol=tol, cache_size=500, **options)
            with watch:
                model.fit(r, problem.y)
            c = np.zeros(problem.n)
            c[model.support_] = model.dual_coef_[0]
            found.append(((r @ c, 0.5 * lam * c @ r @ c), model.intercept_[0]))
        return found
    return solve


def with_linear_machine(problem, watch, tol):
    found = []
    for lam in problem.lambdas:
        model = svm.LinearSVC(C=0.5 / lam, dual=False, fit_intercept=False, tol=tol,
                              max_iter=1000000)
        with watch:
            model.fit(problem.factor, problem.y)
        w = model.coef_[0]
        found.append(((problem.factor @ w, 0.5 * lam * w @ w), 0.0))
    return found


class Machine:
    """The support vector machine at given weights of kernels, and what SimpleMKL asks of it."""

    def __init__(self, stack, y, lam, tol):
        self.stack, self.y, self.lam, self.tol = stack, y, lam, tol

    def at(self, d):
        active = np.flatnonzero(d)
        r = np.tensordot(d[active], self.stack[active], 1)
        model = svm.SVC(C=1 / self.lam, kernel="precomputed", tol=self.tol, cache_size=500)
        model.fit(r, self.y)
        c = np.zeros(len(self.y))
        c[model.support_] = model.dual_coef_[0]
        # the value of the dual, in units of C: sum |c| - c'Rc / 2
        return {"d": d, "c": c, "b": model.intercept_[0], "r": r,
                "value": np.abs(c).sum() - 0.5 * c @ r @ c}


def reduced_gradient(d, q):
    """Downhill within the simplex, with the largest weight as the one that gives way."""
    top = np.argmax(d)
    along = q - q[top]  # minus the gradient of the value, less that of the largest weight
    along[(d <= 0) & (along < 0)] = 0
    along[top] = 0
    along[top] = -along.sum()
    return along


def longest_step(d, along):
    down = along < 0
    return np.min(-d[down] / along[down]) if down.any() else 0.0


def moved(d, along, step):
    d = np.maximum(d + step * along, 0)
    d[d < 1e-12] = 0
    return d / d.sum()


def descend(machine, point, q):
    """SimpleMKL's step: to the end of the direction while that helps, then a line search."""
    d, along = point["d"].copy(), reduced_gradient(point["d"], q)
    step, best = 0.0, point
    while True:
        step = longest_step(d, along)
        if step <= 0:
            return best
        there = machine.at(moved(d, along, step))
        if there["value"] >= best["value"]:
            break
        d, best = there["d"], there
        along = np.where((d <= 0) & (along < 0), 0, along)
        top = np.argmax(d)
        along[top] -= along.sum()
    low, high, golden = 0.0, step, (np.sqrt(5) - 1) / 2
    for _ in range(40):
        left, right = high - golden * (high - low), low + golden * (high - low)
        at_left, at_right = machine.at(moved(d, along, left)), machine.at(moved(d, along, right))
        low, high = (low, right) if at_left["value"] < at_right["value"] else (left, high)
        best = min(best, at_left, at_right, key=lambda one: one["value"])
        if high - low < 1e-3 * step and best["value"] < point["value"] or high - low < 1e-9 * step:
            break
    return best


def with_simple_mkl(problem, watch, tol):
    """The method of Rakotomamonjy et al. (2008) with libsvm inside, written for this bench."""
    m = len(problem.kernels)
    d, found = np.full(m, 1 / m), []
    flat = problem.kernels.reshape(m, -1)
    for lam in problem.lambdas:
        machine = Machine(problem.kernels, problem.y, lam, min(1e-3, 0.1 * tol))
        with watch:
            point = machine.at(d)
        for _ in range(2000):
            with watch:
                q = flat @ np.outer(point["c"], point["c"]).ravel()
                if 0.5 * (q.max() - point["d"] @ q) <= tol * abs(point["value"]):
                    break
                after = descend(machine, point, q)
            if after["value"] >= point["value"]:
                break
            point = after
        d, c = point["d"], point["c"]
        found.append(((point["r"] @ c, 0.5 * lam * c @ point["r"] @ c), point["b"]))
    return found


TIGHTER = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
PEERS = {
    "glmnet": (with_glmnet, (1e-7, 1e-9, 1e-11, 1e-13, 1e-15),
               lambda p: p.linear and p.loss in ("logistic", "poisson")),
    "skglm": (with_skglm, TIGHTER,
              lambda p: p.linear and (p.loss in ("logistic", "poisson") or "huber" in p.loss)),
    "saga": (with_logistic("saga"), TIGHTER,
                                 lambda p: p.linear and p.loss == "logistic" and p.free),
    "liblinear": (with_logistic("liblinear"), TIGHTER,
                                      lambda p: p.linear and p.loss == "logistic" and not p.free),
    "QuantileRegressor": (with_quantile, (0,), lambda p: p.linear and (
        p.loss == "absolute" or "quantile" in p.loss)),
    "SVC": (with_machine(svm.SVC), (1e-3, 1e-5, 1e-7, 1e-9),
            lambda p: p.kernel_name.startswith("rbf") and p.loss == "hinge"),
    "SVR": (with_machine(svm.SVR), (1e-3, 1e-5, 1e-7, 1e-9), lambda p: "epsilon" in p.loss),
    "LinearSVC": (with_linear_machine, TIGHTER, lambda p: p.loss == "squared-hinge"),
    "SimpleMKL": (with_simple_mkl, (1e-2, 1e-3, 1e-4, 1e-5, 1e-6),
                         lambda p: p.kernel_name == "paper"),
}


def paper_kernels(x, s):
    """poly(1..3)@all,each; rbf(1e-3:1e3:10)@all,each, scaled."""
    parts = [x] + [x[:, [j]] for j in range(x.shape[1])]
    made = [(1 + part @ part.T) ** degree for degree in (1, 2, 3) for part in parts]
    made += [gaussian(part, 1.0, gamma) for gamma in np.geomspace(1e-3, 1e3, 10) for part in parts]
    return np.array(s)[:, None, None] * np.array(made)


class Problem:
    def __init__(self, told, folder):
        self.n, self.p, self.folder, self.free = told["n"], told["p"], folder, told["free"]
        self.loss, self.kernel_name, self.set = told["loss"], told["kernels"], told["set"]
        self.seconds, self.told = told["seconds"], told
        self.parameter = float(self.loss.partition("(")[2][:-1]) if "(" in self.loss else None
        x = np.fromfile(f"{folder}/{told['number']}.x").reshape(self.p, self.n).T
        self.y = np.fromfile(f"{folder}/{told['number']}.y")
        self.linear = self.kernel_name.startswith("linear")
        self.lambdas = [point["lambda"] for point in told["tight"]]
        if self.linear:
            self.scaled = np.ascontiguousarray(x * np.sqrt(np.array(told["s"])))
            self.totals = np.array([point["lambda"] * np.abs(point["values"]).sum()
                                    for point in told["tight"]])
        else:
            self.kernels = (paper_kernels(x, told["s"]) if self.kernel_name == "paper"
                            else gaussian(x, told["s"][0])[None])
            if self.loss == "squared-hinge":
                self.factor = features(self.kernels[0])

    def our_solutions(self, which):
        for point in self.told[which]:
            if self.linear:
                a = np.zeros(self.p)
                a[point["kernels"]] = point["values"]
                yield a, point["b"]
            else:
                c = np.array(point["c"])
                r = np.tensordot(point["values"], self.kernels[point["kernels"]], 1)
                yield (r @ c, 0.5 * point["lambda"] * c @ r @ c), point["b"]

    def objectives(self, solutions):
        made = []
        for i, (solution, b) in enumerate(solutions):
            if self.linear:
                f, penalty = self.scaled @ solution, self.totals[i] * np.abs(solution).sum()
            else:
                f, penalty = solution
            made.append(values(self.loss, self.y, f + b) + penalty)
        return np.array(made)


def attempt(solve, problem, limit, tol):
    """(seconds, objectives), or None where it takes too long."""
    best, total, found = np.inf, 0.0, None
    for _ in range(ROUNDS):
        watch = Watch(limit)
        try:
            found = solve(problem, watch, tol)
        except TooLong:
            return None
        best, total = min(best, watch.took), total + watch.took
        if total > A_WHILE or solve is with_glmnet:  # which takes rounds of its own
            break
    return best, problem.objectives(found)


def climb(solve, problem, limit, tols, reference):
    """Tolerances downwards to the first that is enough: a list of (tol, seconds, error)."""
    made = []
    for tol in tols:
        got = attempt(solve, problem, limit, tol)
        if got is None:
            break
        reference[:] = np.minimum(reference, got[1])
        made.append((tol, got[0], got[1]))
        if (got[1] / reference - 1).max() <= ENOUGH:
            break
    return [(tol, took, (found / reference - 1).max()) for tol, took, found in made]


def short(value):
    """With two digits, or all that stand before the point."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def row(problem, peer, steps, ours, limit):
    if not steps:
        first = last = f"> {limit:g}"
        times = f"> {short(limit / problem.seconds)}"
    else:
        enough = steps[-1][2] <= ENOUGH
        sign = "" if enough else "> "
        first = f"{short(steps[0][1])} ({steps[0][2]:.0e})"
        last = f"{sign}{short(steps[-1][1])} ({steps[-1][2]:.0e})"
        times = f"{sign}{short(steps[-1][1] / problem.seconds)}"
    kernels = "" if problem.linear else ", " + problem.kernel_name.partition("(")[0]
    return [problem.set, problem.loss + kernels + ("" if problem.free else ", b=0"),
            f"{short(problem.seconds)} ({ours:.0e})", peer, first, last, times]


def say(cells):
    print(" ".join(f"{cell:{width}s}" for cell, width in zip(
        cells, (8, 27, 16, 16, 16, 18, 8), strict=True)), flush=True)


def write_docs(rows):
    """The table between its marks in docs/PERFORMANCE.md."""
    path = Path(__file__).resolve().parent.parent / "docs" / "PERFORMANCE.md"
    start, end = "<!-- bench-loss-peers -->", "<!-- end of bench-loss-peers -->"
    before, _, rest = path.read_text(encoding="utf-8").partition(start)
    lines = [HEAD, ["---", "---", "---:", "---", "---:", "---:", "---:"], *rows]
    table = "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
    path.write_text(f"{before}{start}\n\n{table}\n\n{end}{rest.partition(end)[2]}",
                    encoding="utf-8")


def is_there(peer):
    if peer == "glmnet":
        return has_glmnet()
    return peer != "skglm" or importlib.util.find_spec("skglm") is not None


HEAD = ("data", "loss", "rls2", "peer", "by default", "at 1e-6", "times rls2")


def main():
    warnings.filterwarnings("ignore")
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("folder")
    asked.add_argument("--limit", type=float, default=60.0)
    asked.add_argument("--docs", action="store_true")
    asked.add_argument("--only", nargs="+", choices=sorted(PEERS), default=list(PEERS))
    asked = asked.parse_args()
    with open(f"{asked.folder}/problems.json", encoding="utf-8") as file:
        problems = json.load(file)
    wrong, rows = 0, []
    say(HEAD)
    for told in problems:
        problem = Problem(told, asked.folder)
        reference = problem.objectives(problem.our_solutions("tight"))
        found = problem.objectives(problem.our_solutions("ours"))
        for peer in asked.only:
            solve, tols, suits = PEERS[peer]
            if not suits(problem) or not is_there(peer):
                continue
            if peer == "skglm":
                attempt(solve, problem, np.inf, tols[0])  # which compiles it
            steps = climb(solve, problem, asked.limit, tols, reference)
            ours = (found / reference - 1).max()
            wrong += ours > ENOUGH * 1.01
            rows.append(row(problem, peer, steps, ours, asked.limit))
            say(rows[-1])
    if asked.docs:
        write_docs(rows)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
