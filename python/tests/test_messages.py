"""What is wrong is said in a sentence, where the library has one in the library's."""

import pickle
import traceback

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import rls2
from rls2 import RLS2Classifier, RLS2ClassifierCV, RLS2Regressor, RLS2RegressorCV

WRONG = [
    ({"alpha": 0}, "alpha=0 should be a positive number"),
    ({"alpha": "auto"}, "alpha='auto' should be a positive number"),
    ({"alphas": [1.0, -1.0]}, "is -1; it must be a positive finite number"),
    ({"alphas": []}, "one or more positive numbers"),
    ({"n_alphas": 0}, "n_alphas=0"),
    ({"eps": 2.0}, "must be above 0 and at most 1"),
    ({"select": "cv"}, "one of gcv, cp, aic, bic, loo"),
    ({"kernels": "rbff(1)"}, r"unknown kernel 'rbff' \(did you mean 'rbf'\?\)"),
    ({"kernels": "rbf(1)@x9"}, "unknown column 'x9'"),
    ({"kernels": ["linear", "poly(99)"]}, "degree"),
    ({"scaling": "traces"}, "none, trace, fisher or fisher-sqrt"),
    ({"scaling": "fisher"}, "scaling='fisher' needs classes"),
    ({"scaling": "none", "center": True}, "center goes with the trace rule"),
    ({"features": "std"}, "none, center, standardize or unit"),
    ({"features": "unit", "standardize": True}, "exclude each other"),
    ({"examples": "std"}, "none, center, standardize or unit"),
    ({"solver": "sag"}, "newton or alternate"),
    ({"gap_tol": 0.0}, "gap_tol is 0"),
    ({"max_iter": 0}, "max_iter is 0"),
    ({"intercept": "yes"}, "True, False, 'auto', 'mean' or 'none'"),
    ({"memory": "lots"}, "'500M', '2G'"),
    ({"n_jobs": 0}, "n_jobs=0"),
    ({"categorical": ["nix"]}, "no column 'nix'"),
    ({"categorical": [9]}, "no column number 9"),
    ({"kernels": "rbf(1)@group:g", "groups": {"g": "nix*"}}, "group 'g' has no columns"),
]


@pytest.mark.parametrize("params, message", WRONG, ids=[str(params) for params, _ in WRONG])
def test_wrong_parameters(smooth, params, message):
    with pytest.raises(ValueError, match=message):
        RLS2Regressor(**params).fit(*smooth)


WRONG_CV = [
    ({"cv": 1}, "folds is 1; it must be at least 2"),
    ({"cv": "five"}, "a number of folds, a splitter"),
    ({"cv": 2.5}, "a number of folds, a splitter"),
    ({"cv": [0, 1, 2]}, "3 fold numbers for 60 rows"),
    ({"cv": [([0, 1, 2, 3], [3, 4])]}, "row 3 is among the training rows and the validation rows"),
    ({"cv": [([0, 1, 2, 3], [99])]}, "names a row 99, and there are 60"),
    ({"repeats": 0}, "repeats is 0"),
    ({"cv": np.arange(60) % 3, "repeats": 2}, "repeats goes with"),
    ({"rule": "best"}, "'min' or '1se'"),
    ({"scoring": "neg_mean_squared_error"}, "say 'mse'"),
    ({"scoring": "rmsee"}, "did you mean 'rmse'"),
    ({"scoring": "accuracy"}, "'accuracy' is for classification"),
    ({"scoring": len}, "name of a measure"),
    ({"select": "nix"}, "should be one of"),
    ({"cv": np.linspace(0, 3, 60)}, "a number of folds, a splitter"),
    ({"cv": [([0, 1, 2, 3], [-61])]}, "names a row -61, and there are 60"),
    ({"cv": [([0, 1, 2, 3], [4.5])]}, "whole numbers, not by float64"),
    ({"random_state": -1}, "should not be negative"),
    ({"random_state": 2**64}, "below 2\\*\\*64"),
]


@pytest.mark.parametrize("params, message", WRONG_CV, ids=[str(params) for params, _ in WRONG_CV])
def test_wrong_parameters_of_cross_validation(smooth, params, message):
    with pytest.raises(ValueError, match=message):
        RLS2RegressorCV(kernels="linear", **params).fit(*smooth)


WRONG_CLASSES = [
    ({"class_weight": {"nix": 2.0}}, "no class 'nix'"),
    ({"class_weight": {0: -1.0}}, "not positive|must be positive|positive"),
    ({"class_weight": "Balanced"}, "'balanced', a dict or None"),
]


@pytest.mark.parametrize("params, message", WRONG_CLASSES, ids=[str(params) for params, _ in WRONG_CLASSES])
def test_wrong_parameters_of_classes(three_classes, params, message):
    with pytest.raises(ValueError, match=message):
        RLS2Classifier(kernels="linear", alpha=0.1, **params).fit(*three_classes)


def test_wrong_targets(smooth):
    X, y = smooth
    with pytest.raises(ValueError, match="2 classes are needed, not 1"):
        RLS2Classifier().fit(X, np.ones(60, dtype=int))
    with pytest.raises(ValueError, match="too many to be classes"):
        RLS2Classifier().fit(X, np.arange(60))
    with pytest.raises(ValueError, match="Unknown label type"):
        RLS2Classifier().fit(X, y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        RLS2Regressor().fit(X, y[:-1])
    with pytest.raises(ValueError, match="could not convert"):
        RLS2Regressor().fit(X, np.repeat(["a", "b"], 30))
    with pytest.raises(ValueError, match="minimum of 2"):
        RLS2Regressor().fit(X[:1], y[:1])
    assert RLS2Regressor(alpha=1.0).fit(X[:1], y[:1]).predict(X[:2]).tolist() == [y[0], y[0]]


def test_wrong_weights(smooth):
    X, y = smooth
    with pytest.raises(ValueError, match="the weight '-1' is negative"):
        RLS2Regressor().fit(X, y, sample_weight=-np.ones(60))
    with pytest.raises(ValueError, match="sample_weight contains NaN"):
        RLS2Regressor().fit(X, y, sample_weight=np.full(60, np.nan))
    with pytest.raises(ValueError, match="is zero"):
        RLS2Regressor().fit(X, y, sample_weight=np.zeros(60))


def test_errors_of_the_library_are_its_own_class(smooth):
    with pytest.raises(rls2.RLS2Error) as caught:
        RLS2Regressor(kernels="linear; rbff(1)").fit(*smooth)
    assert isinstance(caught.value, ValueError)
    assert caught.value.position == 8
    assert traceback.format_exception_only(caught.value)[0].startswith("rls2.RLS2Error: kernels: unknown kernel 'rbff'")
    assert type(pickle.loads(pickle.dumps(caught.value))) is rls2.RLS2Error


def test_memory_has_a_limit(smooth):
    with pytest.raises(MemoryError, match="more than the 1.024 kB allowed"):
        RLS2Regressor(memory="1K").fit(*smooth)
    assert RLS2Regressor(memory=10**9, alpha=1.0).fit(*smooth).alpha_ == 1.0


def test_what_is_not_there_before_fitting_or_without_linear_kernels(smooth):
    for ask in ("predict", "predict_contributions"):
        with pytest.raises(NotFittedError):
            getattr(RLS2Regressor(), ask)(smooth[0])
    with pytest.raises(NotFittedError):
        RLS2Regressor().save("nowhere")
    curved = RLS2Regressor(kernels="rbf(1)", alpha=1.0).fit(*smooth)
    assert not hasattr(curved, "coef_")
    with pytest.raises(AttributeError, match=r"linear kernels only, and the dictionary is 'rbf\(1\)'"):
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
    with pytest.raises(ValueError, match="trained on 60 rows, and these are 59"):
        RLS2Regressor(alpha=1.0).fit(X, y).certify(X[:-1], y[:-1])
    with pytest.raises(ValueError, match="none of the classes"):
        RLS2ClassifierCV(kernels="linear", cv=3).fit(*three_classes).certify(three_classes[0], three_classes[1] + 1)


def test_threads_are_counted_as_joblib_does(monkeypatch):
    from rls2._params import thread_count

    monkeypatch.setattr("os.cpu_count", lambda: 8)
    jobs = [None, 1, 3, -2, -8, -20]
    assert [thread_count(n) for n in jobs] == [1, 1, 3, 7, 1, 1]
    assert thread_count(-1) == 0  # the library's word for all
