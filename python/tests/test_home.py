"""At home in scikit-learn: pipelines, searches, frames out, threads, interrupts."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rls2 import RLS2Classifier, RLS2ClassifierCV, RLS2Regressor, RLS2RegressorCV, rls2_path
from rls2._progress import ProgressLine

K = "rbf(0.1|1)@all,each"


def test_pipeline_does_what_standardize_does(housing):
    X, y = housing
    scaled = make_pipeline(
        StandardScaler(), RLS2Regressor(kernels="rbf(0.1)@all,each", alpha=0.01)
    ).fit(X, y)
    inside = RLS2Regressor(kernels="rbf(0.1)@all,each", alpha=0.01, standardize=True).fit(X, y)
    # scikit-learn divides by n, the library by n - 1
    assert_allclose(scaled.predict(X), inside.predict(X), atol=0.05)
    assert scaled.score(X, y) > 0.7


def test_column_transformer_and_indicators(servo):
    X, y = servo
    encode = make_column_transformer(
        (OneHotEncoder(sparse_output=False), ["motor", "screw"]), remainder="passthrough"
    )
    outside = make_pipeline(encode, RLS2Regressor(kernels="rbf(1)@all", alpha=0.01)).fit(X, y)
    assert_allclose(
        outside.predict(X),
        RLS2Regressor(kernels="rbf(1)@all", alpha=0.01).fit(X, y).predict(X),
        rtol=1e-6,
    )


def test_grid_search_and_cross_validation_in_parallel(three_classes):
    X, y = three_classes
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(
        RLS2Classifier(), {"kernels": ["linear", K], "alpha": [1.0, 0.01]}, cv=folds, n_jobs=2
    ).fit(X, y)
    alone = cross_val_score(clone(search.best_estimator_), X, y, cv=folds)
    assert_allclose(search.best_score_, alone.mean())
    pipe = make_pipeline(StandardScaler(), RLS2Classifier(kernels=K))
    assert (
        cross_val_score(pipe, X, y, cv=folds, n_jobs=2).tolist()
        == cross_val_score(pipe, X, y, cv=folds).tolist()
    )
    assert (
        cross_val_score(RLS2Classifier(kernels=K), X, y == 1, cv=folds, scoring="roc_auc").min()
        > 0.8
    )


def test_cross_val_predict_agrees_with_own_folds(smooth):
    X, y = smooth
    folds = KFold(5, shuffle=True, random_state=2)
    ours = RLS2RegressorCV(kernels=K, cv=folds, alphas=[0.05], scoring="mse").fit(X, y)
    predicted = cross_val_predict(RLS2Regressor(kernels=K, alpha=0.05), X, y, cv=folds)
    assert_allclose(ours.best_score_, np.mean((predicted - y) ** 2), rtol=1e-6)


def test_other_meta_estimators(smooth):
    X, y = smooth
    kept = SelectFromModel(RLS2Regressor(kernels="linear", alpha=1.0)).fit(X, y).get_support()
    assert 0 < kept.sum() < 4
    logged = TransformedTargetRegressor(
        RLS2Regressor(kernels=K), func=np.log1p, inverse_func=np.expm1
    )
    assert logged.fit(X, np.exp(y)).predict(X).shape == (60,)


def test_metadata_routing_of_weights(smooth):
    X, y = smooth
    w = np.arange(60) % 3 + 1.0
    with sklearn.config_context(enable_metadata_routing=True):
        model = RLS2Regressor(kernels=K, alpha=0.1).set_fit_request(sample_weight=True)
        pipe = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), model).fit(
            X, y, sample_weight=w
        )
    alone = RLS2Regressor(kernels=K, alpha=0.1).fit(pipe[0].transform(X), y, sample_weight=w)
    assert np.array_equal(pipe.predict(X), alone.predict(pipe[0].transform(X)))


def test_contributions_as_frames(prostate):
    X, y = prostate
    model = RLS2Regressor(kernels="linear", alpha=0.5).fit(X, y)
    plain = model.predict_contributions(X)
    shuffled = X.sample(frac=1.0, random_state=0)
    framed = clone(model).set_output(transform="pandas").fit(X, y).predict_contributions(shuffled)
    assert isinstance(framed, pd.DataFrame) and list(framed.columns) == model.contribution_names_
    assert framed.index.equals(shuffled.index)
    assert np.array_equal(framed.loc[X.index].to_numpy(), plain)
    with sklearn.config_context(transform_output="polars"):
        assert isinstance(model.predict_contributions(X), pl.DataFrame)
    with pytest.raises(ValueError, match="'default', 'pandas' or 'polars'"):
        model.set_output(transform="arrow")


def test_parameters_are_kept_untouched_and_shown():
    kernels, groups = ["linear"], {"g": ["a"]}
    model = RLS2ClassifierCV(kernels=kernels, groups=groups, alphas=(1, 2))
    assert (
        model.get_params()["kernels"] is kernels
        and model.groups is groups
        and model.alphas == (1, 2)
    )
    assert (
        repr(model.set_params(kernels="linear", groups=None, alphas=None, cv=3))
        == "RLS2ClassifierCV(cv=3, kernels='linear')"
    )
    assert "RLS2ClassifierCV" in model._repr_html_()
    with pytest.raises(ValueError, match="Invalid parameter 'lamda'"):
        model.set_params(lamda=1)
    with pytest.raises(TypeError):
        RLS2Regressor(1.0)


def test_parameters_bear_the_names_of_the_command():
    both = set(RLS2RegressorCV().get_params()) & set(RLS2Regressor().get_params())
    assert {
        "kernels",
        "scaling",
        "center",
        "features",
        "examples",
        "solver",
        "gap_tol",
        "delta",
        "max_iter",
        "memory",
    } <= both
    assert set(RLS2Classifier().get_params()) - set(RLS2Regressor().get_params()) == {
        "class_weight",
        "probability",
    }
    assert set(RLS2ClassifierCV().get_params()) - set(RLS2RegressorCV().get_params()) == {
        "class_weight",
        "probability",
    }


def test_refitting_forgets(smooth, three_classes):
    X, y = smooth
    model = RLS2RegressorCV(kernels="linear", cv=3, baselines=True).fit(
        pd.DataFrame(X, columns=list("abcd")), y
    )
    assert hasattr(model, "baselines_") and hasattr(model, "feature_names_in_")
    model.set_params(select="gcv", baselines=False).fit(X[:, :2], y)
    left = (
        "baselines_",
        "cv_results_",
        "mse_path_",
        "alpha_min_",
        "best_score_",
        "feature_names_in_",
    )
    assert not any(hasattr(model, name) for name in left)
    assert model.n_features_in_ == 2 and model.predict(X[:, :2]).shape == (60,)


def test_attributes_have_the_shapes_they_should(smooth, three_classes):
    X, y = smooth
    model = RLS2Regressor(kernels=K, n_alphas=30).fit(X, y)
    m = len(model.kernel_names_)
    assert m == 10 and model.kernel_weights_.shape == model.kernel_scales_.shape == (m,)
    assert model.kernel_weights_.sum() == pytest.approx(1.0) and np.all(model.kernel_weights_ >= 0)
    assert model.selected_.tolist() == np.flatnonzero(model.kernel_weights_).tolist()
    assert (
        model.alphas_.shape == (30,)
        and np.all(np.diff(model.alphas_) < 0)
        and model.alpha_ in model.alphas_
    )
    assert model.path_.weights.shape == (30, m) and len(model.path_) == 30
    assert_allclose(model.path_.weights.sum(axis=1), 1.0)
    assert model.path_.n_selected.tolist() == (model.path_.weights > 0).sum(axis=1).tolist()
    assert model.path_.gaps.max() < 1e-6 and set(model.path_.outcomes) == {"converged"}
    assert (
        isinstance(model.dual_gap_, float)
        and isinstance(model.n_iter_, int)
        and model.outcome_ == "converged"
    )
    X, y = three_classes
    several = RLS2ClassifierCV(kernels=K, cv=3, n_alphas=7, repeats=2).fit(X, y)
    assert (
        several.kernel_weights_.shape == (3, m - 2)
        and several.dual_coef_.shape == (3, 90)
        and several.df_.shape == (3,)
    )
    assert (
        several.cv_results_["split_test_score"].shape == (7, 6)
        and several.cv_results_["measure"] == "accuracy"
    )
    assert several.cv_results_["greater_is_better"] is True and not hasattr(several, "mse_path_")
    assert several.path_.weights.shape == (3, 7, m - 2)
    assert several.alpha_ == several.alpha_min_ <= several.alpha_1se_
    linear = RLS2Classifier(kernels="linear", alpha=0.1).fit(X, y)
    assert linear.coef_.shape == (3, 3) and linear.intercept_.shape == (3,)
    assert_allclose(X @ linear.coef_.T + linear.intercept_, linear.decision_function(X), rtol=1e-9)


def test_rules_and_criteria_of_cross_validation(smooth):
    X, y = smooth
    least = RLS2RegressorCV(kernels=K, cv=4, random_state=1).fit(X, y)
    simple = RLS2RegressorCV(kernels=K, cv=4, random_state=1, rule="1se").fit(X, y)
    assert simple.alpha_ == least.alpha_1se_ > least.alpha_
    curve = least.cv_results_
    best = curve["mean_test_score"].argmin()
    assert least.best_score_ == curve["mean_test_score"][best]
    within = curve["mean_test_score"] <= curve["mean_test_score"][best] + curve["std_error"][best]
    assert least.alpha_1se_ == curve["alphas"][within].max()
    other = RLS2RegressorCV(kernels=K, cv=4, random_state=2).fit(X, y)
    assert other.cv_results_["mean_test_score"].tolist() != curve["mean_test_score"].tolist()
    by_gcv = RLS2RegressorCV(kernels=K, select="gcv").fit(X, y)
    assert by_gcv.alpha_ == RLS2Regressor(kernels=K).fit(X, y).alpha_


def test_any_number_of_threads_gives_the_same_bits(three_classes):
    X, y = three_classes
    one = RLS2ClassifierCV(cv=4, n_alphas=8, n_jobs=None).fit(X, y)
    two = RLS2ClassifierCV(cv=4, n_alphas=8, n_jobs=2).fit(X, y)
    every = RLS2ClassifierCV(cv=4, n_alphas=8, n_jobs=-1).fit(X, y)
    for other in (two, every):
        assert np.array_equal(one.dual_coef_, other.dual_coef_)
        assert np.array_equal(
            one.cv_results_["split_test_score"], other.cv_results_["split_test_score"]
        )
        assert np.array_equal(one.decision_function(X), other.decision_function(X))


def test_python_threads_may_fit_and_predict_at_once(smooth):
    X, y = smooth
    expected = RLS2Regressor(kernels=K).fit(X, y).predict(X)
    shared = RLS2Regressor(kernels=K).fit(X, y)
    answers: list[np.ndarray] = []

    def work():
        answers.append(RLS2Regressor(kernels=K).fit(X, y).predict(X))
        answers.append(shared.predict(X))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(answers) == 8 and all(np.array_equal(answer, expected) for answer in answers)


def test_progress_is_shown_on_the_standard_error(smooth, capfd, monkeypatch):
    """Of a fit that would take minutes and is ended by the first word it says: how soon that comes
    depends on the machine."""
    X, y = smooth
    told = ProgressLine.__call__

    def tell_and_stop(line, *word):
        told(line, *word)
        raise StopFit

    monkeypatch.setattr(ProgressLine, "__call__", tell_and_stop)
    with pytest.raises(StopFit):
        RLS2RegressorCV(kernels="paper", cv=5, repeats=1000, verbose=1).fit(X, y)
    out, err = capfd.readouterr()
    assert out == "" and re.search(r"\[rls2\] \w+: \d+ of \d+", err) and err.endswith("\n")
    RLS2Regressor(kernels=K, alpha=1.0).fit(X, y)
    assert capfd.readouterr() == ("", "")


class StopFit(Exception):
    pass


def test_what_was_inferred_is_said_on_the_standard_error(smooth, capfd):
    X, y = smooth
    RLS2RegressorCV(cv=3, alphas=[10.0, 1.0], verbose=1).fit(X, X[:, 0])
    note = "[rls2] kernels: those of the paper, the default, two with learned widths\n"
    before, _, after = capfd.readouterr().err.partition(note)
    assert before == "[rls2] columns: standardised, the default\n"
    assert "[rls2] the best lambda is the smallest of the grid" in after


def test_interrupt_stops_a_long_fit():
    """In a process of its own, which is sent what Ctrl-C sends."""
    program = textwrap.dedent(
        """
        import signal, numpy as np, rls2
        signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell ignores it
        rng = np.random.default_rng(0)
        X = rng.normal(size=(1500, 20)); y = rng.normal(size=1500)
        print("go", flush=True)
        try:
            rls2.RLS2RegressorCV(cv=10, repeats=10).fit(X, y)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert child.stdout.readline() == "go\n"
        time.sleep(1.0)
        assert child.poll() is None
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=30)
        assert out == "interrupted\n"
    finally:
        child.kill()


def test_path_object(smooth, three_classes):
    X, y = smooth
    path = rls2_path(X, y, kernels=K, n_alphas=12)
    assert (
        path.predict(X).shape == (60, 12)
        and path.dual_coef.shape == (12, 60)
        and "12 values of lambda" in repr(path)
    )
    model = RLS2Regressor(kernels=K, alpha=path.alphas[5], gap_tol=1e-9).fit(X, y)
    assert_allclose(path.predict(X)[:, 5], model.predict(X), atol=1e-3)
    labels = np.array(["a", "b", "c"])[three_classes[1]]
    classes = rls2_path(
        three_classes[0],
        labels,
        classification=True,
        kernels="linear",
        alphas=[1.0, 0.1],
        standardize=True,
    )
    assert classes.output_names == ["a", "b", "c"] and classes.predict(three_classes[0]).shape == (
        3,
        90,
        2,
    )
    assert classes.coef.shape == (3, 2, 3)
    with pytest.raises(AttributeError, match="linear kernels only"):
        _ = path.coef


def test_fewer_rows_than_folds_are_left_out_one_by_one(smooth):
    X, y = smooth
    model = RLS2RegressorCV(kernels=K).fit(X[:6], y[:6])
    assert model.cv_results_["split_test_score"].shape[1] == 6


def test_path_of_several_outputs_sums_up(three_classes):
    model = RLS2Classifier(kernels=K, alpha=0.1).fit(*three_classes)
    assert len(set(model.dual_gap_.tolist())) == 3
    assert model.path_.gaps.tolist() == [model.dual_gap_.max()]
    assert_allclose(model.path_.objectives, [model.objective_.sum()])
    assert_allclose(model.path_.df, [model.df_.sum()])
    assert model.path_.n_iter.tolist() == [model.n_iter_.sum()]
    chosen = model.kernel_weights_ > 0
    assert chosen.any(axis=0).sum() > chosen.all(axis=0).sum()
    assert model.selected_.tolist() == np.flatnonzero(chosen.any(axis=0)).tolist()
    assert model.path_.n_selected.tolist() == [len(model.selected_)]


def test_rows_of_a_frame_without_weight_are_as_if_they_were_not_there(servo):
    X, y = servo
    kept = np.arange(len(X)) % 3 != 0
    model = RLS2Regressor(kernels=K, alpha=0.1).fit(X, y, sample_weight=kept * 1.0)
    other = RLS2Regressor(kernels=K, alpha=0.1).fit(
        X[kept], y[kept], sample_weight=np.ones(kept.sum())
    )
    assert model.predict(X[kept]).tolist() == other.predict(X[kept]).tolist()
    assert np.flatnonzero(model.dual_coef_[~kept]).size == 0


@pytest.mark.parametrize("kernels", ["linear", "rbf(0.1)@each"])
def test_every_point_of_a_path_predicts_as_a_model_of_its_own(kernels, housing):
    X, y = housing
    path = rls2_path(X, y, kernels=kernels, alphas=[100.0, 1.0, 0.001], standardize=True)
    assert path.n_selected[0] < path.n_selected[2]
    for i, alpha in enumerate(path.alphas):
        one = RLS2Regressor(alpha=alpha, alphas=path.alphas, kernels=kernels, standardize=True).fit(
            X, y
        )
        assert_allclose(path.predict(X.iloc[5:25])[:, i], one.predict(X.iloc[5:25]), rtol=1e-9)
