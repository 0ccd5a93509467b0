"""What the Python package costs beyond the library: estimator.fit less the calls of the extension
it makes.

    python bench/bench_python.py [ROUNDS [JSON]]

The calls are timed inside the very fits they belong to, so that a busy machine slows both alike.
The aim is less than 1 ms.
"""

import json
import statistics
import sys
import time
import types
import warnings

import numpy as np

import rls2._fit
import rls2._inputs
from rls2 import RLS2Classifier, RLS2Regressor, RLS2RegressorCV

ROWS, COLUMNS, KERNELS = 300, 5, "rbf(0.1|1|10)@all"


class Clock:
    """Sums the time spent in the calls it wraps, and keeps what they make, so that freeing it is
    not counted as ours."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.spent, self.kept = 0, []

    def wrap(self, call):
        def timed(*arguments):
            start = time.process_time_ns()
            made = call(*arguments)
            self.spent += time.process_time_ns() - start
            self.kept.append(made)
            return made

        return timed


class WatchedPlan:
    """A plan whose making and fitting are timed."""

    def __init__(self, clock, *arguments):
        self._plan = clock.wrap(rls2._core.Plan)(*arguments)
        self.fit = clock.wrap(self._plan.fit)

    def __getattr__(self, name):
        return getattr(self._plan, name)


def watch_extension(clock):
    """Puts the clock between the package and the extension."""
    core = rls2._core
    names = [name for name in dir(core) if not name.startswith("__")]
    watched = types.SimpleNamespace(**{name: getattr(core, name) for name in names})
    watched.Table = clock.wrap(core.Table)
    watched.Plan = lambda *arguments: WatchedPlan(clock, *arguments)
    rls2._fit._core = rls2._inputs._core = watched


def measure(name, estimator, X, y, rounds, clock):
    total, inside, predict = [], [], []
    for _ in range(rounds):
        clock.reset()
        start = time.process_time_ns()
        estimator.fit(X, y)
        total.append((time.process_time_ns() - start) / 1e6)
        inside.append(clock.spent / 1e6)
        start = time.process_time_ns()
        estimator.predict(X[:1])
        predict.append((time.process_time_ns() - start) / 1e6)
    return {
        "case": name,
        "fit_ms": statistics.median(total),
        "extension_ms": statistics.median(inside),
        "overhead_ms": statistics.median(t - i for t, i in zip(total, inside, strict=True)),
        "predict_one_row_ms": statistics.median(predict),
    }


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    warnings.simplefilter("ignore")
    clock = Clock()
    watch_extension(clock)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS))
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=ROWS)
    cases = [
        measure("regression", RLS2Regressor(kernels=KERNELS, alpha=0.1), X, y, rounds, clock),
        measure("two classes", RLS2Classifier(kernels=KERNELS, alpha=0.1), X, y > 0, rounds, clock),
        measure(
            "three classes",
            RLS2Classifier(kernels=KERNELS, alpha=0.1),
            X,
            rng.integers(0, 3, ROWS),
            rounds,
            clock,
        ),
        measure(
            "5 folds", RLS2RegressorCV(kernels=KERNELS, cv=5), X, y, max(rounds // 20, 1), clock
        ),
    ]
    print(
        f"{ROWS} rows, {COLUMNS} columns, {KERNELS}, median of {rounds} rounds "
        "(the last: fewer), processor time in ms"
    )
    print(f"{'':16}{'fit':>10}{'extension':>12}{'overhead':>12}{'predict 1 row':>16}")
    for c in cases:
        numbers = (
            f"{c['fit_ms']:10.3f}{c['extension_ms']:12.3f}{c['overhead_ms']:12.3f}"
            f"{c['predict_one_row_ms']:16.3f}"
        )
        print(f"{c['case']:16}{numbers}")
    worst = max(c["overhead_ms"] for c in cases[:3])
    print(
        f"overhead of a fit at one lambda: at most {worst:.3f} ms, "
        f"{'below' if worst < 1.0 else 'ABOVE'} the 1 ms aimed at"
    )
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            json.dump(cases, file, indent=1)


if __name__ == "__main__":
    main()
