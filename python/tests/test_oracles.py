"""Against programs and formulas that are not ours: KernelRidge, Lasso, the definition of the gap,
rows repeated.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Kernel
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Lasso, Ridge, RidgeClassifier
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

import rls2
from rls2 import KernelStack, RLS2Classifier, RLS2Regressor, RLS2RegressorCV

SPEC = "poly(1..2)@all,each; rbf(0.1|1)@all,each"
RAW = {"kernels": SPEC, "standardize": False}  # on the numbers as they stand


def matrices(X, Z):
    """The kernels of SPEC on rows, by scikit-learn's own functions, in the order of the dictionary.
    """
    sets = [slice(None)] + [[j] for j in range(X.shape[1])]
    polynomials = [
        polynomial_kernel(X[:, s], Z[:, s], degree=d, gamma=1, coef0=1)
        for d in (1, 2)
        for s in sets
    ]
    gaussians = [rbf_kernel(X[:, s], Z[:, s], gamma=g) for g in (0.1, 1.0) for s in sets]
    return polynomials + gaussians


def learned_kernel(model, X, Z):
    kernels = matrices(X, Z)
    assert len(kernels) == len(model.kernel_names_)
    return sum(
        d * s * K
        for d, s, K in zip(model.kernel_weights_, model.kernel_scales_, kernels, strict=True)
    )


def test_kernel_ridge_with_the_learned_kernel_has_the_same_coefficients(smooth):
    X, y = smooth
    model = RLS2Regressor(alpha=0.02, **RAW, gap_tol=1e-10).fit(X, y)
    ridge = KernelRidge(alpha=0.02, kernel="precomputed").fit(
        learned_kernel(model, X, X), y - y.mean()
    )
    assert_allclose(
        model.dual_coef_, ridge.dual_coef_, rtol=1e-7, atol=1e-9 * np.abs(ridge.dual_coef_).max()
    )
    new = X[:7] + 0.1
    assert_allclose(
        model.predict(new), ridge.predict(learned_kernel(model, new, X)) + y.mean(), rtol=1e-8
    )


def test_scales_are_one_over_the_trace(smooth):
    X, y = smooth
    model = RLS2Regressor(alpha=0.1, **RAW).fit(X, y)
    assert_allclose(model.kernel_scales_, [1 / np.trace(K) for K in matrices(X, X)], rtol=1e-12)


def test_gap_recomputed_from_the_kernels(smooth):
    """G2 of docs/MATH.md in numpy."""
    X, y = smooth
    model = RLS2Regressor(alpha=0.05, **RAW).fit(X, y)
    scaled = [s * K for s, K in zip(model.kernel_scales_, matrices(X, X), strict=True)]
    c, d, r, lam = model.dual_coef_, model.kernel_weights_, y - y.mean(), model.alpha_
    R = sum(weight * K for weight, K in zip(d, scaled, strict=True))
    q = np.array([c @ K @ c for K in scaled])
    primal = 0.5 * np.sum((r - R @ c) ** 2) + lam / 2 * c @ R @ c
    dual = lam * r @ c - lam**2 / 2 * c @ c - lam / 2 * q.max()
    assert_allclose(model.objective_, primal, rtol=1e-10)
    assert 0 <= (primal - dual) / primal < 1e-6
    assert (primal - dual) / primal <= model.dual_gap_ + 1e-12
    certificate = model.certify(X, y)
    assert_allclose([certificate.primal, certificate.dual], [primal, dual], rtol=1e-10)
    worse = model.model_.certify(0, X, len(X), [], y + 0.1 * X[:, 1])
    assert worse.relative_gap > 1e-3


@pytest.mark.parametrize("alpha", [0.02, 0.3, 3.0])
def test_linear_is_the_weighted_lasso(smooth, alpha):
    """G6: linear RLS2 at lambda is the Lasso with penalty t sum |a|/sqrt(s) at t = lambda sum
    |a|/sqrt(s). Columns are centred for the intercept, as the Lasso centres them.
    """
    X, y = smooth
    model = RLS2Regressor(alpha=alpha, kernels="linear", gap_tol=1e-12, standardize=False)
    model.fit(X + [0.0, 5.0, -100.0, 0.0], y)
    root = np.sqrt(model.kernel_scales_)
    t = alpha * np.sum(np.abs(model.coef_) / root)
    lasso = Lasso(alpha=t / len(y), tol=1e-14, max_iter=100_000).fit(
        (X + [0.0, 5.0, -100.0, 0.0]) * root, y
    )
    assert_allclose(model.coef_, lasso.coef_ * root, atol=1e-7)
    assert_allclose(model.intercept_, lasso.intercept_, atol=1e-5)


@pytest.mark.parametrize("standardize", [False, "auto"])
def test_one_linear_kernel_of_all_columns_is_ridge_regression(smooth, standardize):
    """With the intercept, wherever the columns lie: y = 1000 + 20 (x - 50) has one."""
    X, y = smooth
    X, y = X * [1.0, 30.0, 0.1, 5.0] + [50.0, -7.0, 0.0, 1e4], 1000.0 + 20.0 * y
    shared = {"kernels": "linear@all", "scaling": "none", "standardize": standardize}
    model = RLS2Regressor(alpha=2.0, **shared).fit(X, y)
    deviation = X.std(axis=0, ddof=1) if standardize else np.ones(4)
    ridge = Ridge(alpha=2.0).fit(X / deviation, y)
    assert_allclose(model.coef_, ridge.coef_ / deviation, rtol=1e-7)
    assert_allclose(model.predict(X), ridge.predict(X / deviation), rtol=1e-9)
    weight = np.arange(60) % 3
    model = RLS2Regressor(alpha=2.0, **shared | {"standardize": False}).fit(X, y, weight)
    assert_allclose(model.predict(X), Ridge(alpha=2.0).fit(X, y, weight).predict(X), rtol=1e-9)


def test_balanced_linear_classes_are_those_of_the_ridge_classifier():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(400) < 0.08, "yes", "no")
    X = rng.normal(size=(400, 3)) + np.outer(y == "yes", [1.5, 1.0, 0.0]) + [10.0, 0.0, -3.0]
    model = RLS2Classifier(
        kernels="linear@all", scaling="none", alpha=1.0, standardize=False, class_weight="balanced"
    ).fit(X, y)
    ridge = RidgeClassifier(alpha=1.0, class_weight="balanced").fit(X, y)
    assert_allclose(model.decision_function(X), ridge.decision_function(X), atol=1e-7)
    plain = RidgeClassifier(alpha=1.0).fit(X, y)
    assert np.mean(model.predict(X) != plain.predict(X)) > 0.1


def test_coefficients_are_in_the_units_of_the_columns(prostate):
    X, y = prostate
    for features in ("auto", "none", "center", "standardize", "unit"):
        model = RLS2Regressor(alpha=0.05, kernels="linear", features=features).fit(X, y)
        assert_allclose(X.to_numpy() @ model.coef_ + model.intercept_, model.predict(X), rtol=1e-9)
    mixed = RLS2Regressor(alpha=0.05, kernels="linear", examples="unit").fit(X, y)
    with pytest.raises(AttributeError, match="examples"):
        _ = mixed.coef_


class Learned(Kernel):
    """The learned kernel for scikit-learn's Gaussian process."""

    def __init__(self, between):
        self.between = between

    def __call__(self, X, Y=None, eval_gradient=False):
        return self.between(X, X if Y is None else Y)

    def diag(self, X):
        return np.diag(self(X))

    def is_stationary(self):
        return False


def test_standard_deviations_are_those_of_a_gaussian_process(smooth):
    X, y = smooth
    model = RLS2Regressor(alpha=0.02, **RAW).fit(X, y)
    new = X[:9] * 1.3
    residuals = y - model.predict(X)
    noise = np.sum(residuals**2) / (len(y) - model.df_)
    process = GaussianProcessRegressor(
        Learned(lambda A, B: learned_kernel(model, A, B)), alpha=model.alpha_, optimizer=None
    ).fit(X, y - y.mean())
    mean, deviation = process.predict(new, return_std=True)
    values, ours = model.predict(new, return_std=True)
    assert_allclose(values, mean + y.mean(), rtol=1e-6)
    assert_allclose(ours, deviation * np.sqrt(noise / model.alpha_), rtol=1e-5)


def test_degrees_of_freedom_by_definition(smooth):
    X, y = smooth
    model = RLS2Regressor(alpha=0.02, **RAW).fit(X, y)
    R = learned_kernel(model, X, X)
    assert_allclose(
        model.df_, np.trace(R @ np.linalg.inv(R + model.alpha_ * np.eye(len(y)))), rtol=1e-8
    )


def test_weights_are_rows_repeated(smooth):
    X, y = smooth
    w = np.random.default_rng(1).integers(0, 4, len(y))
    weighted = RLS2Regressor(kernels=SPEC, gap_tol=1e-11, standardize=True).fit(
        X, y, sample_weight=w
    )
    repeated = RLS2Regressor(kernels=SPEC, gap_tol=1e-11, standardize=True).fit(
        np.repeat(X, w, 0), np.repeat(y, w)
    )
    assert_allclose(weighted.alpha_, repeated.alpha_, rtol=1e-10)
    assert_allclose(weighted.predict(X), repeated.predict(X), rtol=1e-5, atol=1e-6)
    assert_allclose(weighted.df_, repeated.df_, rtol=1e-5)
    assert np.all(weighted.dual_coef_[w == 0] == 0) and len(weighted.dual_coef_) == len(y)
    sums = [repeated.dual_coef_[np.repeat(np.arange(len(y)), w) == i].sum() for i in range(len(y))]
    assert_allclose(weighted.dual_coef_, sums, atol=1e-5 * np.abs(sums).max())
    assert weighted.certify(X, y).relative_gap < 1e-8


def test_class_weights_are_rows_repeated(three_classes):
    X, y = three_classes
    labels = np.array(["a", "b", "c"])[y]
    times = np.array([3, 1, 2])[y]
    weighted = RLS2Classifier(
        alpha=0.1, **RAW, gap_tol=1e-11, class_weight={"a": 3, "c": 2}
    ).fit(X, labels)
    repeated = RLS2Classifier(alpha=0.1, **RAW, gap_tol=1e-11).fit(
        np.repeat(X, times, 0), np.repeat(labels, times)
    )
    assert_allclose(weighted.decision_function(X), repeated.decision_function(X), atol=1e-5)
    plain = RLS2Classifier(alpha=0.1, **RAW).fit(X, labels)
    assert np.abs(weighted.decision_function(X) - plain.decision_function(X)).max() > 1e-3


def test_balanced_makes_classes_count_alike(three_classes):
    X, y = three_classes
    few = np.r_[0:30, 30:36, 60:90]
    balanced = RLS2Classifier(alpha=0.1, class_weight="balanced", gap_tol=1e-10).fit(X[few], y[few])
    by_hand = {k: len(few) / (3 * np.sum(y[few] == k)) for k in range(3)}
    given = RLS2Classifier(alpha=0.1, class_weight=by_hand, gap_tol=1e-10).fit(X[few], y[few])
    assert_allclose(balanced.decision_function(X), given.decision_function(X), atol=1e-6)


def test_several_targets_are_each_their_own(smooth):
    X, y = smooth
    Y = np.column_stack([y, X[:, 1] * y, np.cos(X[:, 3])])
    together = RLS2Regressor(alpha=0.03, kernels=SPEC).fit(X, Y)
    assert together.predict(X).shape == Y.shape and together.dual_coef_.shape == (3, len(y))
    for o in range(3):
        alone = RLS2Regressor(alpha=0.03, kernels=SPEC).fit(X, Y[:, o])
        assert np.array_equal(together.predict(X)[:, o], alone.predict(X))
        assert np.array_equal(together.kernel_weights_[o], alone.kernel_weights_)


def test_classes_are_each_against_all_others(three_classes):
    X, y = three_classes
    together = RLS2Classifier(alpha=0.1, kernels=SPEC).fit(X, y)
    for k in range(3):
        alone = RLS2Regressor(alpha=0.1, kernels=SPEC, intercept=False).fit(
            X, np.where(y == k, 1.0, -1.0)
        )
        assert np.array_equal(together.decision_function(X)[:, k], alone.predict(X))
    assert np.array_equal(together.predict(X), together.decision_function(X).argmax(1))


def test_contributions_sum_to_the_prediction(smooth, three_classes):
    model = RLS2Regressor(kernels=SPEC).fit(*smooth)
    parts = model.predict_contributions(smooth[0])
    assert parts.shape[1] == len(model.selected_) == len(model.contribution_names_)
    assert_allclose(parts.sum(axis=1) + model.offset_, model.predict(smooth[0]), rtol=1e-9)
    several = RLS2Classifier(alpha=0.1, kernels=SPEC).fit(*three_classes)
    parts = several.predict_contributions(three_classes[0])
    for o, label in enumerate(several.classes_):
        own = [name.startswith(f"{label}:") for name in several.contribution_names_]
        assert_allclose(
            parts[:, own].sum(1) + several.offset_[o],
            several.decision_function(three_classes[0])[:, o],
            rtol=1e-8,
        )


def test_given_matrices_are_the_kernels_they_hold(smooth):
    X, y = smooth
    by_name = RLS2Regressor(alpha=0.05, **RAW, gap_tol=1e-11).fit(X[:40], y[:40])
    stack = KernelStack(matrices(X, X))
    by_matrix = RLS2Regressor(alpha=0.05, gap_tol=1e-11).fit(stack[:40], y[:40])
    assert_allclose(by_matrix.kernel_weights_, by_name.kernel_weights_, atol=1e-5)
    assert_allclose(by_matrix.predict(stack[40:]), by_name.predict(X[40:]), atol=1e-5)


def test_cross_validation_by_hand(smooth):
    X, y = smooth
    folds = np.arange(len(y)) % 4
    alphas = [1.0, 0.1, 0.01]
    model = RLS2RegressorCV(alphas=alphas, cv=folds, kernels=SPEC, scoring="mse").fit(X, y)
    for i, alpha in enumerate(alphas):
        for k in range(4):
            there, left = folds != k, folds == k
            path = RLS2Regressor(alpha=alpha, kernels=SPEC, gap_tol=1e-9).fit(X[there], y[there])
            expected = np.mean((y[left] - path.predict(X[left])) ** 2)
            assert_allclose(model.cv_results_["split_test_score"][i, k], expected, rtol=1e-3)
    assert_allclose(model.mse_path_, model.cv_results_["split_test_score"])
    assert_allclose(model.cv_results_["mean_test_score"], model.mse_path_.mean(axis=1), rtol=1e-10)
    assert model.alpha_ == alphas[int(np.argmin(model.mse_path_.mean(axis=1)))]
    rooted = RLS2RegressorCV(alphas=alphas, cv=folds, kernels=SPEC).fit(X, y)
    assert rooted.cv_results_["measure"] == "rmse"
    assert_allclose(rooted.mse_path_, model.mse_path_, rtol=1e-12)
    assert_allclose(rooted.cv_results_["split_test_score"], np.sqrt(model.mse_path_), rtol=1e-12)


@pytest.mark.parametrize("examples", ["center", "standardize", "unit"])
def test_new_rows_are_prepared_as_the_training_rows_were(smooth, examples):
    X, y = smooth

    def prepared(rows):
        if examples == "unit":
            return rows / np.linalg.norm(rows, axis=1, keepdims=True)
        centred = rows - rows.mean(axis=1, keepdims=True)
        return (
            centred / rows.std(axis=1, ddof=1, keepdims=True)
            if examples == "standardize"
            else centred
        )

    model = RLS2Regressor(kernels="rbf(1)@each", alpha=0.1, examples=examples).fit(X[:40], y[:40])
    by_hand = RLS2Regressor(kernels="rbf(1)@each", alpha=0.1, standardize=False)
    by_hand.fit(prepared(X[:40]), y[:40])
    assert_allclose(model.predict(X[40:]), by_hand.predict(prepared(X[40:])), rtol=1e-9)


def test_deviations_of_weighted_rows_are_those_of_repeated_rows(smooth):
    X, y = smooth
    weight = np.arange(60) % 3 + 1
    weighted = RLS2Regressor(alpha=0.1, gap_tol=1e-12).fit(X, y, weight)
    repeated = RLS2Regressor(alpha=0.1, gap_tol=1e-12).fit(
        np.repeat(X, weight, axis=0), np.repeat(y, weight)
    )
    assert_allclose(
        weighted.predict(X, return_std=True)[1], repeated.predict(X, return_std=True)[1], rtol=1e-5
    )


def test_certificate_looks_at_kernels_that_were_not_selected(smooth):
    """Of standardised columns too, which the model itself does not keep where it does not use them.
    """
    X, y = smooth
    Z, r = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1), y - y.mean()
    model = RLS2Regressor(kernels="linear", alpha=30.0, standardize=True).fit(X, y)
    assert len(model.selected_) < 4
    c = model.dual_coef_.copy()
    q = model.kernel_scales_ * (Z.T @ c) ** 2
    dual = model.alpha_ * (r @ c) - model.alpha_**2 / 2 * (c @ c) - model.alpha_ / 2 * q.max()
    assert_allclose(model.certify(X, y).dual, dual, rtol=1e-10)
    x = np.asfortranarray(Z)
    for k in set(range(4)) - set(model.selected_):  # one that would be worth selecting is noticed
        better = x.copy(order="F")
        better[:, k] = 3 * x[:, model.selected_[0]]
        assert model.model_.certify(0, better, len(x), [], y).relative_gap > 1e-3


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("labels", ["numbers", "texts", "truth", "several"])
def test_training_rows_are_known_again(smooth, labels, weighted, tmp_path):
    X, y = smooth
    weights = np.arange(60) // 3 % 3.0 if weighted else None
    target = {
        "numbers": np.arange(60) % 3,
        "texts": np.array(["b", "a"])[(y > 1).astype(int)],
        "truth": y > 1,
        "several": np.column_stack([y, y**2]),
    }[labels]
    cls = RLS2Regressor if labels == "several" else RLS2Classifier
    more = {} if labels == "several" else {"class_weight": "balanced"}
    model = cls(kernels="linear; rbf(1)", alpha=0.5, standardize=True, **more).fit(
        X, target, sample_weight=weights
    )
    model.save(tmp_path / "a.model")
    kept = slice(None) if weights is None else weights > 0
    # A file has labels as text or as numbers: "True" is a text there.
    told = target.astype(str) if labels == "truth" else target
    for fitted, (rows, known) in (
        (model, (X, target)),
        (rls2.load(tmp_path / "a.model"), (X[kept], told[kept])),
    ):
        found = fitted.certify(rows, known)
        assert all(
            one.relative_gap < 2e-6 for one in (found if isinstance(found, list) else [found])
        )


def simulated(rows, noise, seed):
    """Rows of a smooth function of two columns, with noise that is known."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 3))
    return X, np.sin(2 * X[:, 0]) + 0.5 * X[:, 2] ** 2 + noise * rng.normal(size=rows)


@pytest.mark.parametrize("noise", [0.2, 1.0])
def test_intervals_of_observations_cover_what_they_should(noise):
    """And those of the function do not: most of the spread of new values is noise."""
    by_observation, by_function, narrow = [], [], []
    for seed in range(4):
        model = RLS2Regressor(kernels="rbf(0.01:10:4)@each").fit(*simulated(200, noise, seed))
        new, y = simulated(1000, noise, 100 + seed)
        values, of_function = model.predict(new, return_std=True)
        again, of_observation = model.predict(new, return_std="observation")
        assert np.array_equal(values, again)
        assert_allclose(np.sqrt(of_observation**2 - of_function**2), noise, rtol=0.2)
        by_observation.append(np.mean(np.abs(y - values) < 1.96 * of_observation))
        by_function.append(np.mean(np.abs(y - values) < 1.96 * of_function))
        lower, upper = model.predict_interval(new, coverage=0.5)
        narrow.append(np.mean((lower < y) & (y < upper)))
    assert 0.92 < np.mean(by_observation) < 0.975
    assert np.mean(by_function) < 0.75
    assert 0.45 < np.mean(narrow) < 0.55


def test_an_interval_is_that_of_the_normal_distribution(smooth):
    from scipy.stats import norm

    X, y = smooth
    both = RLS2Regressor(kernels=SPEC, alpha=0.02).fit(X, np.column_stack([y, 3 * y + X[:, 1]]))
    values, deviation = both.predict(X, return_std="observation")
    for coverage in (0.5, 0.95, np.float64(0.99)):
        lower, upper = both.predict_interval(X, coverage)
        expected = norm.interval(coverage, values, deviation)
        assert lower.shape == values.shape == (60, 2)
        assert_allclose([lower, upper], expected, rtol=1e-9, atol=1e-12)


def test_shares_on_left_out_rows_by_definition(smooth):
    """docs/MATH.md, V4, with a model of each fold."""
    X, y = smooth
    fold = np.arange(60) % 4
    shared = {"kernels": "linear; rbf(1)@each", "gap_tol": 1e-10}
    model = RLS2RegressorCV(cv=fold, alphas=[2.0, 0.5, 0.1], **shared).fit(X, y)
    parts, r, g = np.zeros((60, len(model.kernel_names_))), np.zeros(60), np.zeros(60)
    for k in range(4):
        train, test = fold != k, fold == k
        one = RLS2Regressor(alpha=model.alpha_, **shared).fit(X[train], y[train])
        places = [model.kernel_names_.index(name) for name in one.contribution_names_]
        parts[np.ix_(test, places)] = one.predict_contributions(X[test])
        r[test] = y[test] - y[train].mean()
        g[test] = one.predict(X[test]) - y[train].mean()
    explained = (parts - parts.mean(axis=0)).T @ (2 * r - g) / len(y) / r.var()
    assert model.kernel_shares_.shape == (8,)
    assert_allclose(model.kernel_shares_, explained, atol=1e-6)
    assert_allclose(model.kernel_shares_.sum(), 1 - (r - g).var() / r.var(), atol=1e-6)


def test_shares_of_memorised_noise_are_small():
    """On training rows the kernel that interpolates takes most; on left-out rows nothing."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 3))
    y = X[:, 0] + rng.normal(size=80)
    model = RLS2RegressorCV(kernels="linear@x1; rbf(30)@all", alphas=[1e-3], cv=8).fit(X, y)
    shares = np.asarray(model.model_.shares(0))
    on_training = dict(zip(model.contribution_names_, shares, strict=True))
    on_others = dict(zip(model.kernel_names_, model.kernel_shares_, strict=True))
    noisy = next(name for name in on_others if name.startswith("rbf"))
    assert on_training[noisy] > 0.3 and abs(on_others[noisy]) < 0.1
    several = RLS2RegressorCV(kernels="linear", cv=4).fit(X, np.column_stack([y, X[:, 1]]))
    assert several.kernel_shares_.shape == (2, 3)
    assert several.kernel_shares_[1].argmax() == 1 and several.kernel_shares_[1, 1] > 0.9
