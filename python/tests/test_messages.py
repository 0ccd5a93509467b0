"""What is wrong is said in a sentence, where the library has one in the library's."""

import pickle
import traceback
import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import rls2
from rls2 import RLS2Classifier, RLS2ClassifierCV, RLS2Regressor, RLS2RegressorCV

WRONG = [
    ({"alpha": 0}, "alpha is 0; it must be positive"),
    ({"alpha": "auto"}, "alpha='auto' should be a number"),
    ({"alphas": [1.0, -1.0]}, r"^alphas\[1\] is -1; it must be a positive finite number"),
    ({"alphas": []}, "one or more positive numbers"),
    (
        {"alphas": ["a"]},
        r"alphas=\['a'\] should be one or more positive numbers, or a text 'LO:HI:N'",
    ),
    ({"alphas": "1:2"}, "alphas '1:2' should be LO:HI:N, .*, or values separated by commas"),
    ({"alphas": "1:2:0"}, "alphas '1:2:0' should be LO:HI:N"),
    ({"alphas": "2:1:3"}, "from 2 to 1"),
    ({"alphas": "1:2:100001"}, "alphas '1:2:100001' should be LO:HI:N"),
    (
        {"alpha": 1.0, "alphas": [1.0, -1.0]},
        r"^alphas\[1\] is -1; it must be a positive finite number",
    ),
    (
        {"alpha": 1.0, "alphas": [float("nan"), 1.0]},
        r"^alphas\[0\] is nan; it must be a positive finite number",
    ),
    ({"alphas": [[1.0], [1.0, 2.0]]}, "alphas=.* should be one or more positive numbers"),
    ({"standardize": "yes"}, "standardize='yes' should be True, False or 'auto'"),
    ({"center": 2}, "center=2 should be True or False"),
    ({"reference": None}, "reference=None should be True or False"),
    (
        {"random_state": "a"},
        "random_state='a' should be a whole number, a RandomState, a Generator or None",
    ),
    ({"random_state": -3}, "random_state: '-3' is not a whole number from 0 on"),
    ({"kernels": 5}, "kernels=5 should be a text"),
    ({"kernels": ["linear", 3]}, "should be a list of texts, not 3"),
    ({"kernels": []}, r"kernels=\[\] should be a list of texts"),
    ({"n_alphas": "many"}, "n_alphas='many' should be a whole number"),
    ({"max_iter": 2.5}, "max_iter=2.5 should be a whole number"),
    ({"gap_tol": "small"}, "gap_tol='small' should be a number"),
    ({"solver": 1}, "solver=1 should be a text"),
    ({"groups": ["x1"]}, "should be a dict of names and columns"),
    ({"groups": {"g": ["x1", "nix"]}}, "groups: no input is called 'nix'"),
    ({"groups": {"g": "x1, y*"}}, r"groups: no input is called ' y\*'"),
    ({"groups": {"g": [1]}}, "groups: 'g': 1 should be names, as texts"),
    ({"categorical": [0.5]}, "categorical: 0.5 should be the name or the number of a column"),
    ({"n_alphas": 0}, "n_alphas is 0; it must be at least 1"),
    ({"eps": 2.0}, "^eps is 2; it must be above 0 and below 1"),
    ({"select": "none"}, "^select='none' should be one of auto, cv, gcv, cp, aic, bic, loo$"),
    ({"select": "x"}, "^select='x' should be one of auto, cv, gcv, cp, aic, bic, loo$"),
    ({"select": ["gcv"]}, r"^select=\['gcv'\] should be one of auto, cv, gcv, cp, aic, bic, loo$"),
    ({"loss": "hubber(1)"}, r"^loss: no loss is called 'hubber\(1\)' \(did you mean 'huber'\?\)$"),
    ({"loss": "quantile"}, "^loss: the loss quantile needs a number between 0 and 1"),
    ({"loss": ("quantile", 2)}, "^loss: the loss quantile needs"),
    ({"loss": ("quantile", "a")}, r"^loss=\('quantile', 'a'\) should be a text such as 'quant"),
    ({"loss": ["quantile", 0.5]}, r"^loss=\['quantile', 0.5\] should be a text such as 'quant"),
    ({"loss": None}, "^loss=None should be a text"),
    ({"loss": "logistic"}, "^loss logistic is for classes, and the target is a number"),
    ({"loss": "huber(1)", "select": "gcv"}, r"^select gcv is not defined for loss huber\(1\)"),
    ({"loss": "huber(1)", "solver": "alternate"}, "^solver alternate is for the square loss"),
    ({"loss": "huber(1)", "method": "tall"}, "^method tall does not go together with another loss"),
    ({"loss": "poisson"}, "the target is -[0-9.]+; counts, as loss poisson takes them"),
    ({"outputs": "some"}, "^outputs: 'some' is not one of separate, shared"),
    ({"kernels": "rbff(1)"}, r"unknown kernel 'rbff' \(did you mean 'rbf'\?\)"),
    ({"kernels": "rbf(1)@x9"}, "unknown column 'x9'"),
    ({"kernels": ["linear", "poly(99)"]}, "degree"),
    ({"scaling": "traces"}, "scaling: 'traces' is not one of .*; did you mean 'trace'?"),
    ({"scaling": "fisher"}, "scaling fisher needs classes"),
    ({"scaling": "none", "center": True}, "center goes with scaling trace"),
    ({"features": "std"}, "features: 'std' is not one of auto, none, center, standardize, unit"),
    ({"features": "unit", "standardize": True}, "exclude each other"),
    ({"examples": "std"}, "examples: 'std' is not one of none, center, standardize, unit"),
    ({"solver": "sag"}, "solver: 'sag' is not one of newton, alternate"),
    ({"gap_tol": 0.0}, "gap_tol is 0"),
    ({"max_iter": 0}, "max_iter is 0"),
    ({"intercept": "yes"}, "intercept: 'yes' is not one of auto, none, mean, free"),
    ({"intercept": 3}, "^intercept=3 should be True, False or one of auto, none, mean, free$"),
    (
        {"memory": 2.5},
        "^memory=2.5 should be a whole number of bytes, a text such as '2G', or None$",
    ),
    ({"memory": "lots"}, "memory .lots. should be a size, for instance 500M or 2G"),
    ({"n_jobs": 0}, "n_jobs=0"),
    ({"categorical": ["nix"]}, "no column 'nix'"),
    ({"categorical": [9]}, "no column number 9"),
    ({"kernels": "rbf(1)@group:g", "groups": {"g": "nix*"}}, r"groups: no input is called 'nix\*'"),
]


@pytest.mark.parametrize("params, message", WRONG, ids=[str(params) for params, _ in WRONG])
def test_wrong_parameters(smooth, params, message):
    with pytest.raises(ValueError, match=message):
        RLS2Regressor(**params).fit(*smooth)


WRONG_CV = [
    ({"cv": 1}, "^cv is 1; it must be at least 2"),
    ({"cv": 0}, "^cv is 0; it must be at least 2"),
    ({"cv": True}, "a number of folds, a splitter"),
    ({"select": "none"}, "select='none' should be one of cv, gcv, cp, aic, bic, loo"),
    ({"cv": "five"}, "a number of folds, a splitter"),
    ({"cv": 2.5}, "a number of folds, a splitter"),
    ({"cv": [0, 1, 2]}, "3 fold numbers for 60 rows"),
    ({"cv": [([0, 1, 2, 3], [3, 4])]}, "row 3 is among the training rows and the validation rows"),
    ({"cv": [([0, 1, 2, 3], [99])]}, "names a row 99, and there are 60"),
    ({"repeats": 0}, "repeats is 0"),
    ({"repeats": "three"}, "repeats='three' should be a whole number"),
    ({"baselines": 1}, "baselines=1 should be True, False or 'auto'"),
    ({"baselines": "all"}, "baselines='all' should be True, False or 'auto'"),
    ({"cv": 61}, "cv=61 folds are more than there are rows, 60"),
    ({"random_state": "a"}, "random_state='a'"),
    ({"cv": np.arange(60) % 3, "repeats": 2}, "repeats goes with"),
    ({"rule": "best"}, "rule: 'best' is not one of min, 1se"),
    ({"scoring": "neg_mean_squared_error"}, "scoring='neg_mean_squared_error' should be 'mse'"),
    ({"scoring": "neg_log_loss"}, "scoring='neg_log_loss' should be 'log-loss'"),
    ({"scoring": "pinball"}, "pinball"),
    ({"scoring": "rmsee"}, "did you mean 'rmse'"),
    ({"scoring": "accuracy"}, "scoring accuracy is for classification"),
    ({"scoring": len}, "name of a measure"),
    ({"select": "nix"}, "^select='nix' should be one of cv, gcv, cp, aic, bic, loo$"),
    ({"cv": np.linspace(0, 3, 60)}, "a number of folds, a splitter"),
    ({"cv": [([0, 1, 2, 3], [-61])]}, "names a row -61, and there are 60"),
    ({"cv": [([0, 1, 2, 3], [4.5])]}, "whole numbers, not by float64"),
    ({"random_state": -1}, "random_state: '-1' is not a whole number from 0 on"),
    ({"random_state": 2**64}, "random_state: '18446744073709551616' is not a whole number"),
]


@pytest.mark.parametrize("params, message", WRONG_CV, ids=[str(params) for params, _ in WRONG_CV])
def test_wrong_parameters_of_cross_validation(smooth, params, message):
    with pytest.raises(ValueError, match=message):
        RLS2RegressorCV(kernels="linear", **params).fit(*smooth)


WRONG_CLASSES = [
    ({"class_weight": {"nix": 2.0}, "random_state": 1}, "^class_weight: no class 'nix'"),
    ({"class_weight": {0: -1.0}}, "not positive|must be positive|positive"),
    (
        {"class_weight": "Balanced"},
        "^class_weight='Balanced' should be 'balanced', a dict of labels and numbers, or None$",
    ),
    ({"class_weight": 2}, "class_weight=2 should be 'balanced', a dict of labels and numbers, or"),
    ({"class_weight": {0: "a"}}, "^class_weight: 'a' of class 0 should be a number$"),
]


@pytest.mark.parametrize(
    "params, message", WRONG_CLASSES, ids=[str(params) for params, _ in WRONG_CLASSES]
)
def test_wrong_parameters_of_classes(three_classes, params, message):
    with pytest.raises(ValueError, match=message):
        RLS2Classifier(kernels="linear", alpha=0.1, **params).fit(*three_classes)


def test_wrong_targets(smooth):
    X, y = smooth
    with pytest.raises(ValueError, match="^y: 2 classes are needed, not 1"):
        RLS2Classifier().fit(X, np.ones(60, dtype=int))
    with pytest.raises(
        ValueError, match="^y has 60 different values in 60 rows: too many to be classes"
    ):
        RLS2Classifier().fit(X, np.arange(60))
    with pytest.raises(ValueError, match="Unknown label type"):
        RLS2Classifier().fit(X, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        RLS2Regressor().fit(X, y[:-1])
    with pytest.raises(ValueError, match="y holds the text 'a', and a regressor learns numbers"):
        RLS2Regressor().fit(X, np.repeat(["a", "b"], 30))
    for mixed in (["a", 1] * 30, np.array(["a", 1] * 30, dtype=object)):
        with pytest.raises(ValueError, match="y mixes labels of several kinds, 'a' and 1"):
            RLS2Classifier().fit(X, mixed)
    with pytest.raises(ValueError, match="random_state='a'"):
        RLS2Classifier(random_state="a").fit(X, np.arange(60) % 2)
    with pytest.raises(ValueError, match="minimum of 2"):
        RLS2Regressor().fit(X[:1], y[:1])
    assert RLS2Regressor(alpha=1.0).fit(X[:1], y[:1]).predict(X[:2]).tolist() == [y[0], y[0]]


def test_wrong_weights(smooth):
    X, y = smooth
    with pytest.raises(ValueError, match="^sample_weight: row 1: the weight '-1' is negative"):
        RLS2Regressor().fit(X, y, sample_weight=-np.ones(60))
    with pytest.raises(ValueError, match="sample_weight contains NaN"):
        RLS2Regressor().fit(X, y, sample_weight=np.full(60, np.nan))
    with pytest.raises(
        ValueError, match="^sample_weight should be a number for each row: .*string.* 'a'"
    ):
        RLS2Regressor().fit(X, y, sample_weight=["a"] * 60)
    with pytest.raises(ValueError, match="every weight in sample_weight is zero"):
        RLS2Regressor().fit(X, y, sample_weight=np.zeros(60))


def test_errors_of_the_library_are_its_own_class(smooth):
    with pytest.raises(rls2.RLS2Error) as caught:
        RLS2Regressor(kernels="linear; rbff(1)").fit(*smooth)
    assert isinstance(caught.value, ValueError)
    assert caught.value.position == 8
    assert traceback.format_exception_only(caught.value)[0].startswith(
        "rls2.RLS2Error: kernels: unknown kernel 'rbff'"
    )
    assert type(pickle.loads(pickle.dumps(caught.value))) is rls2.RLS2Error


def test_kernels_that_do_not_fit_into_memory_are_evaluated_anew(smooth):
    stored = RLS2Regressor(memory=10**9, alpha=0.1).fit(*smooth)
    anew = RLS2Regressor(memory="1K", alpha=0.1).fit(*smooth)
    assert anew.outcome_ == "converged"
    np.testing.assert_allclose(anew.kernel_weights_, stored.kernel_weights_, atol=1e-8)


def test_what_is_not_there_before_fitting_or_without_linear_kernels(smooth):
    for ask in ("predict", "predict_contributions"):
        with pytest.raises(NotFittedError):
            getattr(RLS2Regressor(), ask)(smooth[0])
    with pytest.raises(NotFittedError):
        RLS2Regressor().save("nowhere")
    curved = RLS2Regressor(kernels="rbf(1)", alpha=1.0).fit(*smooth)
    assert not hasattr(curved, "coef_")
    with pytest.raises(
        AttributeError, match=r"linear kernels only, and the dictionary is 'rbf\(1\)'"
    ):
        _ = curved.coef_


def test_unfinished_answers_are_a_warning(smooth):
    with pytest.warns(ConvergenceWarning, match=r"lambda 1e-05: max_iter=1 .* relative gap is"):
        model = RLS2Regressor(alpha=1e-5, max_iter=1).fit(*smooth)
    assert model.outcome_ == "max_iter" and model.dual_gap_ > 1e-6


def test_path_refuses_what_is_for_estimators(smooth):
    with pytest.raises(TypeError, match="alpha and select"):
        rls2.rls2_path(*smooth, alpha=1.0)
    with pytest.raises(TypeError, match="kernel"):
        rls2.rls2_path(*smooth, kernel="linear")


def test_certificate_of_other_rows_is_refused(smooth, three_classes):
    X, y = smooth
    model = RLS2Regressor(alpha=0.1).fit(X, y)
    with pytest.raises(ValueError, match="trained on 60 rows, and these are 59"):
        model.certify(X[:-1], y[:-1])
    assert model.certify(X, y).relative_gap < 1e-6
    order = np.random.default_rng(0).permutation(60)
    for others in ((X[order], y[order]), (X + 0.01, y), (X, y + 0.01)):
        with pytest.raises(
            ValueError,
            match="these are not the rows the model was trained on, or not in that order",
        ):
            model.certify(*others)
    one = RLS2Regressor(kernels="linear", alpha=30.0, standardize=True).fit(X, y)
    unused = int(np.argmin(one.kernel_weights_))
    other = X.copy()
    other[0, unused] += 1.0
    with pytest.raises(ValueError, match="these are not the rows"):
        one.certify(other, y)
    stack = rls2.KernelStack([X @ X.T])
    given = RLS2Regressor(alpha=0.1).fit(stack, y)
    assert given.certify(stack, y).relative_gap < 1e-6
    weighted = RLS2Regressor(alpha=0.1).fit(X, y, sample_weight=1.0 + np.arange(60) % 2)
    for fitted, rows in ((given, rls2.KernelStack([X @ X.T + np.eye(60)])), (weighted, X + 0.01)):
        with pytest.raises(ValueError, match="not the rows .* the objective at its answer is"):
            fitted.certify(rows, y)
    with pytest.raises(ValueError, match="none of the classes"):
        RLS2ClassifierCV(kernels="linear", cv=3).fit(*three_classes).certify(
            three_classes[0], three_classes[1] + 1
        )


def test_threads_are_counted_as_joblib_does(monkeypatch):
    from rls2._params import thread_count

    monkeypatch.setattr("os.cpu_count", lambda: 8)
    jobs = [None, 1, 3, -2, -8, -20]
    assert [thread_count(n) for n in jobs] == [1, 1, 3, 7, 1, 1]
    assert thread_count(-1) == 0  # the library's word for all


def test_a_fit_that_follows_its_rows_is_a_warning(smooth):
    X, y = smooth
    with pytest.warns(
        UserWarning, match="degrees of freedom on 60 rows: the fit follows its training rows"
    ) as caught:
        RLS2Regressor(alpha=1e-9, kernels="rbf(5)").fit(X, y)
    assert len(caught) == 1 and caught[0].filename == __file__
    with pytest.warns(
        UserWarning, match="which was chosen, is the smallest that was tried: .* try rule='1se'"
    ) as caught:
        RLS2RegressorCV(alphas=[10.0, 1.0], kernels="linear", cv=3).fit(X, X[:, 0])
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RLS2Regressor(alpha=1.0, kernels="linear").fit(X, y)
        RLS2RegressorCV(kernels="linear", cv=3, rule="1se").fit(X, y)


def test_the_names_of_columns_are_not_taken_for_those_of_others():
    from rls2._words import translated

    assert translated("X: column 'a': wrong", ["y"], None) == "X: column 'a': wrong"
    assert translated("X: row 2: column 'y': wrong", ["y"], None) == "y: row 2: wrong"
    assert (
        translated("X: row 2: column 'y2': wrong", ["y1", "y2"], None)
        == "y, column 'y2': row 2: wrong"
    )
    assert translated("X: column 'w' has wrong ones", ["y"], "w") == "sample_weight has wrong ones"


def test_a_class_that_is_never_predicted_is_said():
    rng = np.random.default_rng(3)
    X = rng.random((300, 2))
    y = np.where(rng.random(300) < 0.08 * X[:, 0], "yes", "no")
    said = rf"^every one of the 300 left-out rows is predicted as 'no', though {sum(y == 'yes')} "
    with pytest.warns(UserWarning, match=said):
        RLS2ClassifierCV(kernels="linear", cv=5).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        RLS2ClassifierCV(kernels="linear", cv=5, class_weight="balanced", rule="1se").fit(X, y)


@pytest.mark.parametrize("wrong", ["yes", "observations", "", None, 1, 0, 2.0, ["observation"]])
def test_return_std_is_true_false_or_observation(smooth, wrong):
    model = RLS2Regressor(kernels="linear", alpha=1.0).fit(*smooth)
    with pytest.raises(ValueError, match=r"return_std=.* should be True, False or 'observation'$"):
        model.predict(smooth[0], return_std=wrong)


@pytest.mark.parametrize("wrong", [0, 1, 95, -0.5, "0.95", None, float("nan"), True])
def test_coverage_is_a_share(smooth, wrong):
    model = RLS2Regressor(kernels="linear", alpha=1.0).fit(*smooth)
    with pytest.raises(ValueError, match="coverage=.* should be a number between 0 and 1$"):
        model.predict_interval(smooth[0], wrong)
