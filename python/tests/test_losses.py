"""Losses in scikit-learn's terms: probabilities, rates, quantiles, what they refuse, what they
remember.
"""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import d2_tweedie_score, log_loss, mean_pinball_loss, r2_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.validation import check_is_fitted

import rls2
from rls2 import (
    Batches,
    RLS2Classifier,
    RLS2ClassifierCV,
    RLS2Error,
    RLS2Regressor,
    RLS2RegressorCV,
    Statistics,
    _core,
    _params,
    rls2_path,
)

K = "rbf(0.1|1)@all,each"
FEW = {"kernels": K, "alpha": 0.05}


@pytest.fixture(scope="module")
def two_classes():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(90, 3))
    return X, (rng.random(90) < 1 / (1 + np.exp(1 - 3 * X[:, 0]))).astype(int)


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(90, 3))
    return X, rng.poisson(np.exp(np.sin(2 * X[:, 0]) + 0.5 * X[:, 1]))


# ---- parameters ----


def test_a_loss_is_written_as_text_or_as_a_pair(smooth):
    pair = RLS2Regressor(loss=("quantile", 0.9), **FEW).fit(*smooth)
    text = RLS2Regressor(loss="quantile(0.9)", **FEW).fit(*smooth)
    assert np.array_equal(pair.predict(smooth[0]), text.predict(smooth[0]))
    assert clone(pair).loss == ("quantile", 0.9)
    assert pair.model_.loss(0).text == "quantile(0.9)"


def test_probability_is_short_for_the_logistic_loss(two_classes):
    X, y = two_classes
    short = RLS2Classifier(probability=True, **FEW).fit(X, y)
    named = RLS2Classifier(loss="logistic", **FEW).fit(X, y)
    assert np.array_equal(short.predict_proba(X), named.predict_proba(X))
    both = RLS2Classifier(probability=True, loss="logistic", **FEW).fit(X, y)
    assert np.array_equal(short.predict_proba(X), both.predict_proba(X))
    with pytest.raises(RLS2Error, match="probability needs loss logistic, and it is hinge"):
        RLS2Classifier(probability=True, loss="hinge", **FEW).fit(X, y)
    with pytest.raises(TypeError, match="probability"):
        RLS2Regressor(probability=True)


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({}, "gcv"),
        ({"intercept": "free"}, "gcv"),
        ({"probability": True}, "aic"),
        ({"loss": "logistic"}, "aic"),
        ({"loss": "hinge"}, "cv"),
        ({"loss": "logistic", "outputs": "shared"}, "cv"),
        ({"select": "bic", "loss": "logistic"}, "bic"),
        ({"loss": "nix"}, "gcv"),  # which fit refuses
    ],
)
def test_what_chooses_alpha(params, found):
    estimator = RLS2Classifier(**params)
    assert _params.criterion(estimator) == found
    asked = dict(_params.settings_of(estimator, "all"))
    assert asked.get("select", "cv") == found
    assert ("baselines" in asked) == (found == "cv")


def test_alpha_is_chosen_whatever_the_loss(two_classes, smooth, counts):
    by_aic = RLS2Classifier(probability=True, kernels=K).fit(*two_classes)
    assert by_aic.model_.left_out is None and len(by_aic.alphas_) > 10
    by_folds = RLS2Regressor(loss="huber(0.5)", kernels=K, random_state=3).fit(*smooth)
    assert by_folds.model_.left_out[0] == "mae" and by_folds.model_.left_out[3] == 10
    same = RLS2RegressorCV(loss="huber(0.5)", kernels=K, random_state=3).fit(*smooth)
    assert same.alpha_ == by_folds.alpha_ and same.model_.left_out == by_folds.model_.left_out
    assert RLS2Regressor(loss="poisson", kernels=K).fit(*counts).model_.left_out is None
    asked = RLS2Regressor(select="cv", kernels=K).fit(*smooth)
    assert asked.alpha_ == RLS2RegressorCV(kernels=K).fit(*smooth).alpha_


@pytest.mark.parametrize(
    ("loss", "measure"),
    [("logistic", "log-loss"), ("hinge", "accuracy")],
)
def test_measures_of_classes_go_with_the_loss(two_classes, loss, measure):
    alphas = [1.0, 0.1]
    model = RLS2ClassifierCV(loss=loss, kernels=K, alphas=alphas, cv=4).fit(*two_classes)
    assert model.cv_results_["measure"] == measure


def test_measures_of_cross_validation_are_those_of_scikit_learn(two_classes, counts, smooth):
    X, y = two_classes
    folds = np.arange(len(y)) % 3
    shared = {"kernels": K, "alphas": [0.1], "cv": folds}

    def left_out(estimator, X, y, score):
        found = []
        for k in range(3):
            there = np.arange(len(y)) % 3 != k
            fitted = estimator.set_params(kernels=K, alpha=0.1).fit(X[there], y[there])
            found.append(score(fitted, X[~there], y[~there]))
        return found

    for scoring, score in [
        ("log-loss", lambda m, X, y: log_loss(y, m.predict_proba(X))),
        ("brier", lambda m, X, y: np.mean((m.predict_proba(X)[:, 1] - y) ** 2)),
        ("accuracy", lambda m, X, y: m.score(X, y)),
    ]:
        model = RLS2ClassifierCV(loss="logistic", scoring=scoring, **shared).fit(X, y)
        expected = left_out(RLS2Classifier(loss="logistic"), X, y, score)
        assert_allclose(model.cv_results_["split_test_score"][0], expected, rtol=1e-4)
    X, y = smooth
    shared["cv"] = np.arange(len(y)) % 3
    model = RLS2RegressorCV(loss="quantile(0.8)", **shared).fit(X, y)
    expected = left_out(
        RLS2Regressor(loss="quantile(0.8)"),
        X,
        y,
        lambda m, X, y: mean_pinball_loss(y, m.predict(X), alpha=0.8),
    )
    assert model.cv_results_["measure"] == "pinball" and not hasattr(model, "mse_path_")
    assert_allclose(model.cv_results_["split_test_score"][0], expected, rtol=1e-3)
    X, y = counts
    shared["cv"] = np.arange(len(y)) % 3
    model = RLS2RegressorCV(loss="poisson", scoring="rmse", **shared).fit(X, y)
    rmse = lambda m, X, y: np.sqrt(np.mean((y - m.predict(X)) ** 2))  # noqa: E731
    expected = left_out(RLS2Regressor(loss="poisson"), X, y, rmse)
    assert_allclose(model.cv_results_["split_test_score"][0], expected, rtol=1e-4)


# ---- probabilities ----


@pytest.mark.parametrize("labels", [[0, 1], ["no", "yes"], ["yes", "no"], [True, False], [7, -2]])
def test_probabilities_are_in_the_order_of_the_classes(two_classes, labels):
    X, codes = two_classes
    plain = RLS2Classifier(probability=True, **FEW).fit(X, codes)
    y = np.array(labels)[codes]
    model = RLS2Classifier(probability=True, **FEW).fit(X, y)
    p = model.predict_proba(X)
    assert model.classes_.tolist() == sorted(labels) and p.shape == (len(y), 2)
    place = [sorted(labels).index(label) for label in labels]
    assert_allclose(p[:, place], plain.predict_proba(X), atol=1e-5)
    assert_allclose(p[:, 1], 1 / (1 + np.exp(-model.decision_function(X))), rtol=1e-12)
    assert np.array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    assert_allclose(np.exp(model.predict_log_proba(X)), p, rtol=1e-12)


def test_probabilities_of_several_classes_are_those_against_the_rest(three_classes):
    X, codes = three_classes
    y = np.array(["c", "a", "b"])[codes]
    model = RLS2Classifier(probability=True, **FEW).fit(X, y)
    p = model.predict_proba(X)
    each = 1 / (1 + np.exp(-model.decision_function(X)))
    assert_allclose(p, each / each.sum(axis=1, keepdims=True), rtol=1e-10)
    assert_allclose(p.sum(axis=1), 1.0, rtol=1e-12)
    assert np.array_equal(model.classes_[p.argmax(axis=1)], model.predict(X))
    alone = RLS2Classifier(probability=True, **FEW).fit(X, y == "a")
    assert_allclose(each[:, 0], alone.predict_proba(X)[:, 1], atol=1e-5)


def test_shared_classes_are_multinomial(three_classes):
    X, y = three_classes
    model = RLS2Classifier(probability=True, outputs="shared", **FEW).fit(X, y)
    f = model.decision_function(X)
    expected = np.exp(f - f.max(axis=1, keepdims=True))
    p = model.predict_proba(X)
    assert_allclose(p, expected / expected.sum(axis=1, keepdims=True), rtol=1e-10)
    assert np.all(model.kernel_weights_ == model.kernel_weights_[0])
    assert model.model_.shares_weights and model.model_.loss(0).text == "multinomial"
    assert_allclose(p.mean(axis=0), np.bincount(y) / len(y), rtol=1e-4)


@pytest.mark.parametrize("loss", ["square", "hinge", "squared-hinge"])
def test_other_losses_have_no_probabilities_and_say_so(two_classes, loss):
    model = RLS2Classifier(loss=loss, **FEW)
    for asked in (model, clone(model).fit(*two_classes)):
        for name in ("predict_proba", "predict_log_proba"):
            assert not hasattr(asked, name)
            with pytest.raises(AttributeError, match=name) as raised:
                getattr(asked, name)
            assert str(raised.value.__cause__).startswith(f"loss='{loss}' has no probabilities: ")
    model.fit(*two_classes)
    with pytest.raises(RLS2Error, match="not learned with logistic loss"):
        model.model_.probabilities(np.zeros((2, 1)))
    calibrated = CalibratedClassifierCV(RLS2Classifier(loss=loss, **FEW), cv=3).fit(*two_classes)
    assert calibrated.predict_proba(two_classes[0]).shape == (90, 2)


def test_probabilities_are_there_before_fit_where_they_will_be():
    assert hasattr(RLS2Classifier(probability=True), "predict_proba")
    assert hasattr(RLS2ClassifierCV(loss="logistic"), "predict_log_proba")
    assert not hasattr(RLS2Classifier(loss="nix"), "predict_proba")
    assert not hasattr(RLS2Regressor(), "predict_proba")


def test_scorers_of_scikit_learn_find_probabilities(two_classes):
    X, y = two_classes
    model = RLS2Classifier(probability=True, **FEW)
    scores = cross_val_score(model, X, y, scoring="neg_log_loss", cv=3)
    assert np.all(scores < 0) and np.all(np.isfinite(scores))
    search = GridSearchCV(model, {"alpha": [1.0, 0.01]}, scoring="roc_auc", cv=3).fit(X, y)
    assert search.predict_proba(X).shape == (len(y), 2)


def test_far_rows_have_finite_logarithms(two_classes):
    X, y = two_classes
    model = RLS2Classifier(probability=True, kernels="linear", alpha=1e-3).fit(X, y)
    p = model.predict_proba(1e6 * X[:5])
    assert np.all((p > 0) & (p < 1)) and np.all(np.isfinite(model.predict_log_proba(1e6 * X[:5])))


# ---- responses ----


def test_predictions_of_counts_are_rates(counts):
    X, y = counts
    model = RLS2Regressor(loss="poisson", **FEW).fit(X, y)
    rates = model.predict(X)
    assert np.all(rates > 0)
    parts = model.predict_contributions(X)
    assert_allclose(np.exp(parts.sum(axis=1) + model.offset_), rates, rtol=1e-10)
    assert_allclose(model.score(X, y), d2_tweedie_score(y, rates, power=1), rtol=1e-12)
    weight = np.arange(len(y)) % 3
    expected = d2_tweedie_score(y, rates, power=1, sample_weight=weight)
    assert_allclose(model.score(X, y, weight), expected, rtol=1e-12)
    assert RLS2Regressor(loss="poisson").__sklearn_tags__().target_tags.positive_only
    assert not RLS2Regressor().__sklearn_tags__().target_tags.positive_only


def test_several_targets_of_counts(counts):
    X, y = counts
    Y = np.column_stack([y, y[::-1]])
    model = RLS2Regressor(loss="poisson", **FEW).fit(X, Y)
    alone = [RLS2Regressor(loss="poisson", **FEW).fit(X, Y[:, o]) for o in range(2)]
    for o in range(2):
        assert np.array_equal(model.predict(X)[:, o], alone[o].predict(X))
    expected = np.mean([alone[o].score(X, Y[:, o]) for o in range(2)])
    assert_allclose(model.score(X, Y), expected, rtol=1e-12)


@pytest.mark.parametrize("loss", ["square", "huber(0.5)", "quantile(0.9)", "absolute"])
def test_score_of_other_losses_is_r2(smooth, loss):
    X, y = smooth
    model = RLS2Regressor(loss=loss, **FEW).fit(X, y)
    assert model.score(X, y) == r2_score(y, model.predict(X))


def test_a_path_speaks_of_responses_and_has_an_intercept_for_each_lambda(counts, smooth):
    X, y = counts
    alphas = [1.0, 0.1, 0.05]
    path = rls2_path(X, y, loss="poisson", kernels=K, alphas=alphas)
    assert path.intercept.shape == (3,) and np.ptp(path.intercept) > 0
    for i, alpha in enumerate(alphas):
        model = RLS2Regressor(loss="poisson", kernels=K, alphas=alphas, alpha=alpha).fit(X, y)
        assert_allclose(path.predict(X)[:, i], model.predict(X), rtol=1e-10)
        assert path.intercept[i] == model.offset_
    several = rls2_path(X, np.column_stack([y, y + 1]), loss="poisson", kernels=K, alphas=alphas)
    assert several.intercept.shape == (2, 3)
    assert np.array_equal(several.predict(X)[0], path.predict(X))
    square = rls2_path(*smooth, kernels=K, alphas=alphas)
    assert np.ndim(square.intercept) == 0
    free = rls2_path(*smooth, kernels=K, alphas=alphas, intercept="free")
    assert free.intercept.shape == (3,)
    fixed = rls2_path(*smooth, kernels=K, alphas=alphas, loss="absolute", intercept="mean")
    assert_allclose(fixed.intercept, np.median(smooth[1]), atol=0.05)


def test_path_of_probabilities_is_that_of_the_decision_function(two_classes):
    X, y = two_classes
    path = rls2_path(X, y, classification=True, loss="logistic", kernels=K, alphas=[1.0, 0.05])
    model = RLS2Classifier(loss="logistic", kernels=K, alphas=[1.0, 0.05], alpha=0.05).fit(X, y)
    assert_allclose(path.predict(X)[:, 1], model.decision_function(X), rtol=1e-10, atol=1e-12)


# ---- memory ----


@pytest.mark.parametrize(
    ("loss", "intercept"),
    [("poisson", "free"), ("quantile(0.25)", "free"), ("absolute", "auto"), ("square", "free")],
)
def test_files_and_pickles_remember_the_loss(counts, tmp_path, loss, intercept):
    X, y = counts
    model = RLS2Regressor(loss=loss, **FEW)
    model.set_params(intercept="mean" if intercept == "auto" else intercept).fit(X, y)
    model.save(tmp_path / "a.model")
    loaded = rls2.load(tmp_path / "a.model")
    pickled = pickle.loads(pickle.dumps(model))
    for other in (loaded, pickled):
        check_is_fitted(other)
        assert np.array_equal(other.predict(X), model.predict(X))
        assert other.model_.loss(0).text == loss and other.loss == loss
        assert other.score(X, y) == model.score(X, y)
    assert loaded.intercept == intercept and loaded.outputs == "separate"


def test_files_and_pickles_remember_probabilities(three_classes, tmp_path):
    X, y = three_classes
    model = RLS2Classifier(probability=True, **FEW).fit(X, y)
    model.save(tmp_path / "a.model")
    for other in (rls2.load(tmp_path / "a.model"), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(other.predict_proba(X), model.predict_proba(X))
    assert rls2.load(tmp_path / "a.model").loss == "logistic"


def test_what_was_learned_counts_not_what_is_asked_for_next(two_classes):
    X, y = two_classes
    model = RLS2Classifier(probability=True, **FEW).fit(X, y)
    model.set_params(probability=False)
    assert model.predict_proba(X).shape == (len(y), 2)


# ---- what is for the square loss ----


def test_deviations_are_refused_in_the_words_of_the_library(smooth):
    for params in ({"loss": "huber(0.5)"}, {"intercept": "free"}):
        model = RLS2Regressor(**params, **FEW).fit(*smooth)
        with pytest.raises(RLS2Error, match="the model has no variances: these are of the square"):
            model.predict(smooth[0], return_std=True)
        with pytest.raises(RLS2Error, match="the model has no variances"):
            model.predict_interval(smooth[0])


def test_rows_that_are_counted_have_the_square_loss(smooth):
    X, y = np.tile(smooth[0], (3, 1)), np.tile(smooth[1], 3)
    model = RLS2Regressor(loss="huber(1)", alpha=0.1)
    with pytest.raises(RLS2Error, match="does not go together with another loss than the square"):
        model.fit(Batches(lambda: [(X, y)]))
    with pytest.raises(RLS2Error, match="does not go together with another loss than the square"):
        model.fit(Statistics().fit(X, y))


def test_large_tables_of_another_loss_are_not_read_in_pieces():
    assert _core.prefers_pieces([], 1e10)
    for asked in (("loss", "poisson"), ("probability", "true"), ("intercept", "free")):
        assert not _core.prefers_pieces([asked], 1e10)


@pytest.mark.parametrize("loss", ["logistic", "hinge", "squared-hinge"])
def test_certificates_of_classes(two_classes, three_classes, loss):
    model = RLS2Classifier(loss=loss, **FEW).fit(*two_classes)
    found = model.certify(*two_classes)
    assert found.relative_gap < 1e-6 and found.primal == pytest.approx(model.objective_, rel=1e-9)
    several = RLS2Classifier(loss=loss, **FEW).fit(*three_classes)
    assert all(found.relative_gap < 1e-6 for found in several.certify(*three_classes))


@pytest.mark.parametrize(
    ("loss", "intercept"),
    [
        ("poisson", "auto"), ("quantile(0.2)", "auto"), ("huber(1)", "mean"),
        ("epsilon(0.1)", "none"), ("absolute", "mean"), ("square", "free"),
    ],
)  # fmt: skip
def test_certificates_of_numbers(counts, loss, intercept):
    X, y = counts
    model = RLS2Regressor(loss=loss, intercept=intercept, **FEW).fit(X, y)
    found = model.certify(X, y)
    assert found.relative_gap < 1e-6 and found.primal == pytest.approx(model.objective_, rel=1e-9)
    with pytest.raises(ValueError, match="these are not the rows the model was trained on"):
        model.certify(X, y + 1)


def log_loss_of(p, y):
    return -np.mean(np.log(p[np.arange(len(y)), y]))


def test_baselines_of_multinomial_are_those_of_other_programs(three_classes):
    """Ridge and averages of linear kernels are LogisticRegression on columns that are scaled."""
    X, y = three_classes[0], np.unique(three_classes[1], return_inverse=True)[1]
    fold, alpha = np.arange(len(y)) % 3, 0.05
    model = RLS2ClassifierCV(
        kernels="linear@each", outputs="shared", probability=True, cv=fold, alphas=[alpha],
        baselines=True, gap_tol=1e-9, features="none",
    ).fit(X, y)  # fmt: skip
    names = ["constant", "uniform average", "ridge on the inputs", "best aligned kernel"]
    wanted = {name: 0.0 for name in names}
    for part in range(3):
        train, test = fold != part, fold == part
        scales = RLS2Classifier(
            kernels="linear@each", alpha=alpha, features="none", probability=True, outputs="shared"
        ).fit(X[train], y[train])
        s = np.array(scales.kernel_scales_)[0]  # the same for every class
        centred = np.eye(3)[y[train]] * 2 - np.mean(np.eye(3)[y[train]] * 2, axis=0)
        aligned = [np.sum((x @ centred) ** 2) / np.sum(x**2) for x in X[train].T]
        best = np.arange(len(s)) == np.argmax(aligned)
        of_all = 1 / np.sum(X[train] ** 2)
        frequencies = np.tile(np.mean(np.eye(3)[y[train]], axis=0), (np.sum(test), 1))
        share = np.sum(test) / len(y)
        wanted["constant"] += share * log_loss_of(frequencies, y[test])
        factors = {
            "uniform average": s / len(s),
            "ridge on the inputs": np.full(len(s), of_all),
            "best aligned kernel": s * best,
        }
        for name, factor in factors.items():
            other = LogisticRegression(C=1 / alpha, tol=1e-12, max_iter=100000)
            other.fit(X[train] * np.sqrt(factor), y[train])
            wanted[name] += share * log_loss_of(
                other.predict_proba(X[test] * np.sqrt(factor)), y[test]
            )
    for name in names:
        found = model.baselines_[name]["mean_test_score"]
        assert found == pytest.approx(wanted[name], rel=1e-5), name
    assert np.isnan(model.baselines_["constant"]["alpha"])


@pytest.mark.parametrize("loss", ["square", "logistic", "squared-hinge"])
def test_shared_weights_have_one_certificate(three_classes, loss, tmp_path):
    X, y = three_classes
    model = RLS2Classifier(outputs="shared", loss=loss, **FEW).fit(X, y)
    found = model.certify(X, y)
    assert 0 <= found.relative_gap < 1e-6
    assert found.primal == pytest.approx(model.model_.point(0).objective, rel=1e-9)
    model.save(tmp_path / "a.model")
    assert rls2.load(tmp_path / "a.model").certify(X, y) == found
    with pytest.raises(ValueError, match="these are not the rows the model was trained on"):
        model.certify(X, np.roll(y, 1))


def test_the_certificate_of_shared_targets_is_of_their_sum(smooth):
    X, y = smooth
    Y = np.column_stack([y, y**2, -y])
    model = RLS2Regressor(outputs="shared", **FEW).fit(X, Y)
    found = model.certify(X, Y)
    alone = [RLS2Regressor(**FEW).fit(X, target).certify(X, target) for target in Y.T]
    assert found.relative_gap < 1e-6
    # one set of weights for all can only lose against one for each
    assert found.primal >= sum(one.dual for one in alone)


def test_several_quantiles_are_columns(smooth, tmp_path):
    X, y = smooth
    model = RLS2Regressor(loss="quantile(0.1,0.5,0.9)", **FEW).fit(X, y)
    values = model.predict(X)
    assert values.shape == (len(y), 3) and np.all(np.diff(values, axis=1) >= 0)
    assert_allclose(np.mean(y[:, None] <= values + 1e-6, axis=0), [0.1, 0.5, 0.9], atol=0.1)
    assert all(found.relative_gap < 1e-6 for found in model.certify(X, y))
    with pytest.raises(ValueError, match="score is of one prediction for each row"):
        model.score(X, y)
    model.save(tmp_path / "a.model")
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), values)
    loaded = rls2.load(tmp_path / "a.model")
    assert np.array_equal(loaded.predict(X), values) and loaded.loss == "quantile(0.1,0.5,0.9)"
    assert all(found.relative_gap < 1e-6 for found in loaded.certify(X, y))


def test_files_of_shared_classes(three_classes, tmp_path):
    X, y = three_classes
    model = RLS2Classifier(probability=True, outputs="shared", **FEW).fit(X, y)
    model.save(tmp_path / "a.model")
    loaded = rls2.load(tmp_path / "a.model")
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert (loaded.loss, loaded.outputs, loaded.intercept) == ("logistic", "shared", "free")


# ---- the extension ----


def test_words_for_losses():
    assert _core.loss("huber( 1.50 )").text == "huber(1.5)"
    logistic, poisson = _core.loss("logistic"), _core.loss("poisson")
    assert logistic.has_probabilities and logistic.takes_labels and not logistic.takes_counts
    assert poisson.takes_counts and not poisson.takes_labels and not poisson.has_probabilities
    with pytest.raises(RLS2Error, match="did you mean 'hinge'"):
        _core.loss("hing")
    with pytest.raises(TypeError):
        _core.loss(3)


def test_responses_and_probabilities_need_as_many_columns_as_outputs(counts, two_classes):
    model = RLS2Regressor(loss="poisson", **FEW).fit(*counts).model_
    assert np.array(model.respond(np.zeros((3, 1)))).tolist() == [[1.0], [1.0], [1.0]]
    assert np.array(model.respond(np.zeros((0, 1)))).shape == (0, 1)
    with pytest.raises(ValueError, match="f"):
        model.respond(np.zeros((3, 2)))
    with pytest.raises(IndexError):
        model.loss(1)
    logistic = RLS2Classifier(loss="logistic", **FEW).fit(*two_classes).model_
    assert np.array(logistic.probabilities(np.zeros((2, 1)))).tolist() == [[0.5, 0.5], [0.5, 0.5]]
    with pytest.raises(RLS2Error, match="nan"):
        logistic.probabilities(np.full((1, 1), np.nan))


@pytest.mark.parametrize(("loss", "share"), [("huber", 0.5), ("epsilon", 0.1)])
def test_a_distance_that_is_not_named_is_a_share_of_the_spread(smooth, loss, share):
    X, y = smooth
    spread = 1.4826 * np.median(np.abs(y - np.median(y)))
    fitted = RLS2Regressor(loss=loss, kernels=K, alpha=0.01).fit(X, y)
    named = RLS2Regressor(loss=f"{loss}({share * spread:.3g})", kernels=K, alpha=0.01).fit(X, y)
    assert np.array_equal(fitted.predict(X), named.predict(X))
