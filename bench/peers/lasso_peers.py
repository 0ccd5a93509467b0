"""The linear case by celer (LassoCV on the same folds)."""
import numpy as np
from celer import LassoCV

from common import Stopwatch, hand_back, problem_and_method

problem, method = problem_and_method()
watch = Stopwatch()
model = LassoCV(cv=problem.splits()).fit(np.asfortranarray(problem.x), problem.target)
seconds = watch.lap()
hand_back(seconds=seconds, score=problem.score(model.predict(problem.x_test)),
          coefficients=model.coef_, t=float(model.alpha_) * len(problem.y))
