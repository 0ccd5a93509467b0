"""Support vector machines of scikit-learn on the sum of all kernels: the same splits as
rls2_bench_margins, which has written them to the folder that is named.

    margins_svc.py FOLDER

`best` is the mean accuracy at the C with the best mean, of 13 from 1e-2 to 1e6; the sum of m
kernels of trace 1 is divided by m, so that C = 100 is that of SimpleMKL's problem with equal
weights.
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.svm import SVC

SETS = ("heart", "liver", "pima", "ionosphere", "wpbc", "sonar")
GRID = np.logspace(-2, 6, 13)


def accuracy(K, y, train, C):
    model = SVC(C=C, kernel="precomputed", tol=1e-4).fit(K[np.ix_(train, train)], y[train])
    return 100 * np.mean(model.predict(K[np.ix_(~train, train)]) == y[~train])


def main(folder):
    for name in SETS:
        y = np.fromfile(folder / f"{name}.labels")
        n = len(y)
        K = np.fromfile(folder / f"{name}.kernel").reshape(n, n)
        K = K / np.trace(K)
        splits = np.fromfile(folder / f"{name}.splits").reshape(-1, n) > 0
        scores = {C: [accuracy(K, y, train, C) for train in splits] for C in (*GRID, 100.0)}
        best = max(GRID, key=lambda C: np.mean(scores[C]))
        for where, C in (("best", best), ("C = 100", 100.0)):
            print(f"{name:11s} {n:4d} SVC on the sum  {where:8s} "
                  f"{np.mean(scores[C]):6.1f} ({np.std(scores[C]):.1f})  C {C:g}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
