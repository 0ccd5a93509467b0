"""Losses against programs and formulas that are not ours: support vector machines, logistic,
quantile and Poisson regression of scikit-learn, and the definition of the gap.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression, PoissonRegressor, QuantileRegressor
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
from sklearn.svm import SVC, SVR

from rls2 import KernelStack, RLS2Classifier, RLS2Regressor

ONE = {"kernels": "rbf(0.3)@all", "standardize": False}  # one kernel, so that its weight is 1
LINEAR = {"kernels": "linear@all", "scaling": "none", "standardize": False}

# ---- the losses and their conjugates, as rls2/loss.h defines them ----


def entropy(a):
    a = np.clip(a, 0.0, None)
    return np.where(a > 0, a * np.log(np.where(a > 0, a, 1.0)), 0.0)


LOSSES = {
    "square": lambda y, t: (y - t) ** 2 / 2,
    "logistic": lambda y, t: np.logaddexp(0.0, -y * t),
    "hinge": lambda y, t: np.maximum(0.0, 1 - y * t),
    "squared-hinge": lambda y, t: np.maximum(0.0, 1 - y * t) ** 2 / 2,
    "huber(0.3)": lambda y, t: np.where(
        np.abs(y - t) <= 0.3, (y - t) ** 2 / 2, 0.3 * np.abs(y - t) - 0.045
    ),
    "quantile(0.8)": lambda y, t: np.maximum(0.8 * (y - t), 0.2 * (t - y)),
    "epsilon(0.1)": lambda y, t: np.maximum(0.0, np.abs(y - t) - 0.1),
    "absolute": lambda y, t: np.abs(y - t),
    "poisson": lambda y, t: np.exp(t) - y * t + entropy(y) - y,
}
CONJUGATES = {
    "square": lambda y, u: u**2 / 2 + u * y,
    "logistic": lambda y, u: entropy(-y * u) + entropy(1 + y * u),
    "hinge": lambda y, u: u * y,
    "squared-hinge": lambda y, u: u**2 / 2 + u * y,
    "huber(0.3)": lambda y, u: u**2 / 2 + u * y,
    "quantile(0.8)": lambda y, u: u * y,
    "epsilon(0.1)": lambda y, u: u * y + 0.1 * np.abs(u),
    "absolute": lambda y, u: u * y,
    "poisson": lambda y, u: entropy(u + y) - u - entropy(y),
}
OF_CLASSES = ("logistic", "hinge", "squared-hinge")


def domain(loss, y):
    """Where the conjugate is finite."""
    lower, upper = {
        "logistic": (np.minimum(-y, 0.0), np.maximum(-y, 0.0)),
        "hinge": (np.minimum(-y, 0.0), np.maximum(-y, 0.0)),
        "squared-hinge": (np.where(y > 0, -np.inf, 0.0), np.where(y > 0, 0.0, np.inf)),
        "huber(0.3)": (-0.3, 0.3),
        "quantile(0.8)": (-0.8, 0.2),
        "epsilon(0.1)": (-1.0, 1.0),
        "absolute": (-1.0, 1.0),
        "poisson": (-y, np.inf),
    }.get(loss, (-np.inf, np.inf))
    return lower, upper


def objective(loss, y, R, c, b, lam):
    return np.sum(LOSSES[loss](y, R @ c + b)) + lam / 2 * c @ R @ c


@pytest.fixture(scope="module")
def classes():
    """80 rows of two classes that overlap, a quarter of them in one."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 3))
    odds = 2.5 * np.sin(1.5 * X[:, 0]) + X[:, 1] - 1.5
    return X, np.where(rng.random(80) < 1 / (1 + np.exp(-odds)), 1.0, -1.0)


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(80, 3))
    return X, rng.poisson(np.exp(0.5 + 0.6 * X[:, 0] - 0.3 * X[:, 2])).astype(float)


@pytest.fixture
def problem(classes, counts, smooth):
    """Rows and responses for a loss, and the estimator that learns them."""

    def made(loss):
        if loss in OF_CLASSES:
            return (*classes, RLS2Classifier)
        return (*(counts if loss == "poisson" else smooth), RLS2Regressor)

    return made


# ---- by definition ----


@pytest.mark.parametrize("intercept", ["auto", "none", "mean"])
@pytest.mark.parametrize("loss", LOSSES)
def test_gap_of_every_loss_recomputed_from_the_kernels(problem, loss, intercept):
    X, y, estimator = problem(loss)
    spec = "poly(1..2)@all; rbf(0.1|1)@all"
    model = estimator(
        loss=loss, alpha=0.05, kernels=spec, standardize=False, intercept=intercept
    ).fit(X, y)
    matrices = [polynomial_kernel(X, degree=d, gamma=1, coef0=1) for d in (1, 2)]
    matrices += [rbf_kernel(X, gamma=g) for g in (0.1, 1.0)]
    scaled = [s * K for s, K in zip(model.kernel_scales_, matrices, strict=True)]
    c, lam, b = model.dual_coef_, model.alpha_, model.offset_
    R = sum(d * K for d, K in zip(model.kernel_weights_, scaled, strict=True))
    primal = objective(loss, y, R, c, b, lam)
    if not model.model_.intercept_is_free:  # a constant that is given is part of the response
        y, b = (y - b, 0.0) if loss == "square" else (y, b)
    lower, upper = domain(loss, y)
    u = np.clip(-lam * c, lower, upper)
    largest = max(u @ K @ u for K in scaled) / lam**2
    dual = -np.sum(CONJUGATES[loss](y, u)) - lam / 2 * largest
    if not model.model_.intercept_is_free:
        dual += b * np.sum(u)
    assert_allclose(model.objective_, primal, rtol=1e-8)
    assert_allclose(u, -lam * c, atol=1e-9)
    assert (primal - dual) / primal < max(1e-6, 1.01 * model.dual_gap_) + 1e-9
    assert dual <= primal * (1 + 1e-9)
    assert model.dual_gap_ < 1e-6
    if model.model_.intercept_is_free:
        assert abs(np.sum(c)) < 1e-8 * np.sum(np.abs(c))


def test_best_constant_of_each_loss(smooth, classes, counts):
    """What is left where lambda is very large."""
    X, y = smooth
    huge = {"alpha": 1e6, "kernels": "rbf(1)@all"}
    for loss, constant in [
        ("square", y.mean()),
        ("absolute", np.median(y)),
        ("quantile(0.81)", np.quantile(y, 0.81, method="inverted_cdf")),
    ]:
        for intercept in ("mean", "free"):
            model = RLS2Regressor(loss=loss, intercept=intercept, **huge).fit(X, y)
            assert_allclose(model.predict(X[:3]), constant, atol=2e-2, err_msg=loss)
    rates = RLS2Regressor(loss="poisson", **huge).fit(*counts).predict(counts[0])
    assert_allclose(rates, counts[1].mean(), rtol=1e-3)
    shares = RLS2Classifier(loss="logistic", **huge).fit(*classes).predict_proba(classes[0])
    assert_allclose(shares[:, 1], np.mean(classes[1] > 0), rtol=1e-3)


# ---- support vectors ----


@pytest.mark.parametrize("alpha", [0.003, 0.05, 1.0])
def test_hinge_is_the_support_vector_machine(classes, alpha):
    """C = 1/lambda, of the kernel times its scale."""
    X, y = classes
    model = RLS2Classifier(loss="hinge", alpha=alpha, **ONE).fit(X, y)
    R = model.kernel_scales_[0] * rbf_kernel(X, gamma=0.3)
    theirs = SVC(C=1 / alpha, kernel="precomputed", tol=1e-8).fit(R, y)
    c = np.zeros(len(y))
    c[theirs.support_] = theirs.dual_coef_[0]
    reached = objective("hinge", y, R, c, theirs.intercept_[0], alpha)
    assert model.objective_ <= reached * (1 + model.dual_gap_ + 1e-9)
    assert_allclose(model.objective_, reached, rtol=1e-5)
    sure = np.abs(theirs.decision_function(R)) > 0.05
    assert np.array_equal(model.predict(X)[sure], theirs.predict(R)[sure])


@pytest.mark.parametrize("alpha", [0.003, 0.05, 1.0])
def test_epsilon_is_support_vector_regression(smooth, alpha):
    X, y = smooth
    model = RLS2Regressor(loss="epsilon(0.1)", alpha=alpha, **ONE).fit(X, y)
    R = model.kernel_scales_[0] * rbf_kernel(X, gamma=0.3)
    theirs = SVR(C=1 / alpha, epsilon=0.1, kernel="precomputed", tol=1e-8).fit(R, y)
    c = np.zeros(len(y))
    c[theirs.support_] = theirs.dual_coef_[0]
    reached = objective("epsilon(0.1)", y, R, c, theirs.intercept_[0], alpha)
    assert model.objective_ <= reached * (1 + model.dual_gap_ + 1e-9)
    assert_allclose(model.objective_, reached, rtol=1e-5)
    assert_allclose(model.predict(X), theirs.predict(R), atol=0.02 * np.ptp(y))


# ---- linear models ----


def test_one_linear_kernel_is_logistic_regression(classes):
    X, y = classes
    X = X + [3.0, 0.0, -1.0]
    model = RLS2Classifier(loss="logistic", alpha=2.0, gap_tol=1e-12, **LINEAR).fit(X, y)
    theirs = LogisticRegression(C=0.5, tol=1e-12, max_iter=10_000).fit(X, y)
    assert_allclose(model.coef_, theirs.coef_[0], rtol=1e-4)
    assert_allclose(model.intercept_, theirs.intercept_[0], rtol=1e-4)
    assert_allclose(model.decision_function(X), theirs.decision_function(X), atol=1e-4)
    assert_allclose(model.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    assert_allclose(model.predict_log_proba(X), theirs.predict_log_proba(X), atol=1e-4)


def test_weights_of_logistic_regression(classes):
    X, y = classes
    weight = np.arange(len(y)) % 3 + 0.5
    model = RLS2Classifier(loss="logistic", alpha=2.0, gap_tol=1e-12, **LINEAR).fit(X, y, weight)
    theirs = LogisticRegression(C=0.5, tol=1e-12, max_iter=10_000).fit(X, y, weight)
    assert_allclose(model.predict_proba(X), theirs.predict_proba(X), atol=1e-5)
    balanced = RLS2Classifier(
        loss="logistic", alpha=2.0, class_weight="balanced", gap_tol=1e-12, **LINEAR
    ).fit(X, y)
    theirs = LogisticRegression(C=0.5, class_weight="balanced", tol=1e-12, max_iter=10_000)
    assert_allclose(balanced.predict_proba(X), theirs.fit(X, y).predict_proba(X), atol=1e-5)


@pytest.mark.parametrize("alpha", [0.1, 10.0])
def test_poisson_is_poisson_regression(counts, alpha):
    """Which divides the loss by the number of rows."""
    X, y = counts
    model = RLS2Regressor(loss="poisson", alpha=alpha, gap_tol=1e-12, **LINEAR).fit(X, y)
    theirs = PoissonRegressor(alpha=alpha / len(y), tol=1e-12, max_iter=10_000).fit(X, y)
    assert_allclose(model.coef_, theirs.coef_, rtol=1e-4)
    assert_allclose(model.predict(X), theirs.predict(X), rtol=1e-5)
    assert_allclose(model.score(X, y), theirs.score(X, y), rtol=1e-6)


@pytest.mark.parametrize("quantile", [0.5, 0.9])
@pytest.mark.parametrize("alpha", [0.003, 0.3])
def test_linear_quantiles_are_those_of_the_lasso(smooth, quantile, alpha):
    """G6 of docs/MATH.md: with linear kernels of single columns the penalty is lambda/2 (sum
    |a|/sqrt(s))^2, whose minimum is that of t sum |a|/sqrt(s) at t = lambda sum |a|/sqrt(s)."""
    X, y = smooth
    model = RLS2Regressor(
        loss=("quantile", quantile), alpha=alpha, kernels="linear", gap_tol=1e-9, standardize=False
    ).fit(X, y)
    root = np.sqrt(model.kernel_scales_)
    size = np.sum(np.abs(model.coef_) / root)
    theirs = QuantileRegressor(quantile=quantile, alpha=alpha * size / len(y)).fit(X * root, y)
    loss = lambda f: np.sum(np.maximum(quantile * (y - f), (quantile - 1) * (y - f)))  # noqa: E731
    ours = loss(model.predict(X)) + alpha * size**2
    reached = loss(theirs.predict(X * root)) + alpha * size * np.sum(np.abs(theirs.coef_))
    assert_allclose(ours, reached, rtol=1e-5)
    assert_allclose(model.objective_, ours - alpha / 2 * size**2, rtol=1e-8)


def test_medians_with_hardly_a_penalty_are_those_of_quantile_regression(smooth):
    """Which has the least sum of errors; ours pays no more for errors and coefficients together."""
    X, y = smooth
    model = RLS2Regressor(loss="absolute", alpha=1e-4, **LINEAR).fit(X, y)
    theirs = QuantileRegressor(quantile=0.5, alpha=0.0).fit(X, y)
    least = np.abs(y - theirs.predict(X)).sum()
    reached = least + 1e-4 / 2 * theirs.coef_ @ theirs.coef_
    assert model.objective_ <= reached * (1 + model.dual_gap_ + 1e-9)
    errors = np.abs(y - model.predict(X)).sum()
    assert least * (1 - 1e-9) <= errors <= reached * (1 + model.dual_gap_ + 1e-9)


# ---- what free intercepts promise ----


def test_probabilities_of_few_are_calibrated_in_the_mean():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(300, 3))
    y = rng.random(300) < 1 / (1 + np.exp(3.0 - 2 * X[:, 0]))
    assert 0.05 < y.mean() < 0.2
    model = RLS2Classifier(probability=True, alpha=0.01, kernels="rbf(0.1|1)@each").fit(X, y)
    assert_allclose(model.predict_proba(X)[:, 1].mean(), y.mean(), rtol=1e-6)
    weight = np.arange(300) % 4
    model.fit(X, y, weight)
    share = np.average(y, weights=weight)
    assert_allclose(np.average(model.predict_proba(X)[:, 1], weights=weight), share, rtol=1e-6)


def test_rates_sum_to_the_counts(counts):
    model = RLS2Regressor(loss="poisson", alpha=0.05, kernels="rbf(0.1|1)@each").fit(*counts)
    assert_allclose(model.predict(counts[0]).sum(), counts[1].sum(), rtol=1e-6)


def test_quantiles_have_their_share_of_the_rows(smooth):
    X, y = smooth
    for quantile in (0.1, 0.5, 0.9):
        model = RLS2Regressor(loss=("quantile", quantile), alpha=0.01, kernels="rbf(1)@each")
        values = model.fit(X, y).predict(X)
        slack = 1e-4 * np.ptp(y)
        assert np.mean(y < values - slack) <= quantile <= np.mean(y <= values + slack)


def test_robust_losses_hardly_see_an_outlier(smooth):
    X, y = smooth
    wild = y.copy()
    wild[7] += 1000.0
    shared = {"alpha": 0.1, "kernels": "rbf(0.3)@each"}
    for loss in ("huber(0.5)", "absolute", "epsilon(0.1)"):
        plain = RLS2Regressor(loss=loss, **shared).fit(X, y).predict(X)
        moved = RLS2Regressor(loss=loss, **shared).fit(X, wild).predict(X)
        assert np.abs(moved - plain).max() < 0.5, loss
    plain = RLS2Regressor(**shared).fit(X, y).predict(X)
    assert np.abs(RLS2Regressor(**shared).fit(X, wild).predict(X) - plain).max() > 10


def test_given_matrices_have_losses_too(classes):
    X, y = classes
    stack = KernelStack([rbf_kernel(X, gamma=g) for g in (0.1, 1.0)])
    by_matrix = RLS2Classifier(loss="logistic", alpha=0.05, gap_tol=1e-10)
    by_matrix.fit(stack[:60], y[:60])
    by_name = RLS2Classifier(
        loss="logistic", alpha=0.05, gap_tol=1e-10, kernels="rbf(0.1|1)@all", standardize=False
    ).fit(X[:60], y[:60])
    assert_allclose(by_matrix.predict_proba(stack[60:]), by_name.predict_proba(X[60:]), atol=1e-5)
