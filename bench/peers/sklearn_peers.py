"""scikit-learn: one Gaussian kernel chosen on a grid (krr: kernel ridge, svm: SVR or SVC), and the
Lasso.
"""
import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LassoCV
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC, SVR

from common import Stopwatch, hand_back, kernel_names, problem_and_method

GAMMAS = np.logspace(-3, 3, 10)  # those of the dictionary
STRENGTHS = np.logspace(-3, 3, 10)


def grid_of(problem, method):
    """(estimator, grid, measure) that GridSearchCV goes through."""
    if method == "krr":
        return KernelRidge(kernel="rbf"), {"alpha": STRENGTHS,
                                           "gamma": GAMMAS}, "neg_mean_squared_error"
    if problem.classes:
        return SVC(), {"C": STRENGTHS, "gamma": GAMMAS}, "accuracy"
    return SVR(epsilon=0.1 * problem.y.std()), {"C": STRENGTHS * problem.y.std(),
                                                "gamma": GAMMAS}, "neg_mean_squared_error"


def one_kernel(problem, gamma):
    """The weights of a model with one Gaussian on all columns: all of it on that kernel."""
    return np.array([float(name == f"rbf({gamma:.4g})@all") for name in kernel_names(problem)])


def grid(problem, method):
    estimator, values, measure = grid_of(problem, method)
    watch = Stopwatch()
    model = GridSearchCV(estimator, values, scoring=measure, cv=problem.splits()).fit(
        problem.x, problem.y)
    seconds = watch.lap()
    found = {"weights": one_kernel(problem, model.best_params_["gamma"])} if method == "krr" else {}
    hand_back(seconds=seconds,
              score=problem.score(model.predict(problem.x_test) + problem.intercept), **found)


def lasso(problem):
    watch = Stopwatch()
    model = LassoCV(cv=problem.splits(), max_iter=100000).fit(problem.x, problem.target)
    seconds = watch.lap()
    hand_back(seconds=seconds, score=problem.score(model.predict(problem.x_test)),
              coefficients=model.coef_, t=model.alpha_ * len(problem.y))


problem, method = problem_and_method()
if method == "lasso":
    lasso(problem)
else:
    grid(problem, method)
