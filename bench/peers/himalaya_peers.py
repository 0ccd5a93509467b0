"""himalaya: MultipleKernelRidgeCV on the same kernels (random_search or hyper_gradient), classes as
-1 and 1.
"""
import numpy as np
from himalaya.kernel_ridge import MultipleKernelRidgeCV
from sklearn.model_selection import PredefinedSplit

from common import Stopwatch, hand_back, paper_kernels, problem_and_method

OPTIONS = {
    "random_search": {"n_iter": 50, "alphas": np.logspace(-6, 1, 20), "progress_bar": False},
    "hyper_gradient": {"max_iter": 5, "progress_bar": False},
}

problem, method = problem_and_method()
watch = Stopwatch()
kernels = paper_kernels(problem.x, problem.x)
prepare = watch.lap()
model = MultipleKernelRidgeCV(kernels="precomputed", solver=method, solver_params=OPTIONS[method],
                              cv=PredefinedSplit(problem.folds), random_state=1)
model.fit(kernels, problem.y)
seconds = watch.lap()
prediction = np.asarray(model.predict(paper_kernels(problem.x, problem.x_test)))
weights = np.exp(np.asarray(model.deltas_, dtype=float))
hand_back(prepare=prepare, seconds=seconds, score=problem.score(prediction + problem.intercept),
          weights=weights / weights.sum())
