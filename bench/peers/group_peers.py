"""Group lasso on the kernels' factors, R^k = G_k G_k' (adelie or skglm): the same minimiser as
RLS2.

RLS2 at lambda is min 1/2 |y - sum G_k b_k|^2 + t sum |b_k| with t = lambda sqrt(max_k q_k) at the
solution, and d_k = |b_k| / sum |b_j| (docs/MATH.md, G6). t is taken from rls2's answer, as these
solvers know t and not lambda.
"""
import numpy as np

from common import Stopwatch, combine, hand_back, paper_kernels, problem_and_method, rls2_point

REST = 1e-10  # of the trace, 1, that the factors of a kernel may leave out
PENALTIES = 30


def factors(kernels):
    parts = []
    for kernel in kernels:
        values, vectors = np.linalg.eigh(kernel)
        keep = np.cumsum(np.maximum(values, 0)) > REST
        parts.append(vectors[:, keep] * np.sqrt(values[keep]))
    return parts


def with_adelie(g, sizes, y, penalties):
    import adelie
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    state = adelie.grpnet(X=np.asfortranarray(g), glm=adelie.glm.gaussian(y), groups=starts,
                          penalty=np.ones(len(sizes)), lmda_path=penalties / len(y),
                          intercept=False, early_exit=False, progress_bar=False)
    return state.betas[-1].toarray().ravel()


def with_skglm(g, sizes, y, penalties):
    from skglm import GroupLasso
    model = GroupLasso(groups=[int(size) for size in sizes], alpha=1.0, fit_intercept=False,
                       tol=1e-6, warm_start=True)
    for t in penalties:
        model.alpha = t / len(y)
        model.fit(g, y)
    return model.coef_


problem, method = problem_and_method()
solve = {"adelie": with_adelie, "skglm": with_skglm}[method]
solve(np.eye(4), np.array([2, 2]), np.arange(4.0),
      np.array([1.0]))  # imported and compiled before the clock runs

watch = Stopwatch()
kernels = paper_kernels(problem.x, problem.x)
parts = factors(kernels)
sizes = np.array([part.shape[1] for part in parts])
g = np.asfortranarray(np.hstack(parts))
prepare = watch.lap()

lam, d = rls2_point(problem)
c = np.linalg.solve(combine(kernels, d) + lam * np.eye(len(problem.y)), problem.y)
last = lam * np.sqrt(((kernels @ c) @ c).max())
first = max(np.linalg.norm(part.T @ problem.y) for part in parts)
penalties = np.geomspace(first, last, PENALTIES)

watch = Stopwatch()
b = solve(g, sizes, problem.y, penalties)
seconds = watch.lap()
norms = np.sqrt(np.add.reduceat(b**2, np.concatenate([[0], np.cumsum(sizes)[:-1]])))
weights = norms / norms.sum()
c = np.linalg.solve(combine(kernels, weights) + lam * np.eye(len(problem.y)), problem.y)
prediction = combine(paper_kernels(problem.x, problem.x_test), weights) @ c
hand_back(prepare=prepare, seconds=seconds, score=problem.score(prediction + problem.intercept),
          weights=weights)
