"""How often columns and kernels are selected: over splits, and over halves of the rows."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import rls2
from rls2 import RLS2ClassifierCV, RLS2Regressor, RLS2RegressorCV

GENES = Path(os.environ.get("RLS2_ORIGINALS") or "../shared/data") / "golub.csv.gz"


def of_the_first_three(seed, rows=60, columns=24):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    return X, 2 * X[:, 0] - 1.5 * X[:, 1] + 1.5 * X[:, 2] + rng.normal(size=rows)


def test_frequencies_over_splits_are_those_of_a_model_of_each_fold(smooth):
    X, y = smooth
    fold = np.arange(60) % 4
    shared = {"kernels": "linear; rbf(1)@each; rbf(0.3)@x1,x2", "gap_tol": 1e-10}
    model = RLS2RegressorCV(cv=fold, alphas=[2.0, 0.5, 0.1, 0.02], **shared).fit(X, y)
    kernels, columns = np.zeros(len(model.kernel_names_)), np.zeros(X.shape[1])
    for k in range(4):
        one = RLS2Regressor(alpha=model.alpha_, **shared).fit(X[fold != k], y[fold != k])
        kernels += one.kernel_weights_ > 0
        seen = {name.split("@")[1] for name in np.array(one.kernel_names_)[one.selected_]}
        alone = {part for name in seen for part in name.replace("+", ",").split(",")}
        columns += [f"x{j + 1}" in alone for j in range(X.shape[1])]
    assert 0 < kernels.sum() < 4 * len(kernels)
    assert_allclose(model.kernel_selection_frequency_, kernels / 4)
    assert_allclose(model.selection_frequency_, columns / 4)


def test_frequencies_are_known_after_cross_validation_alone(smooth, tmp_path):
    X, y = smooth
    assert not hasattr(RLS2Regressor(alpha=0.1).fit(X, y), "selection_frequency_")
    assert not hasattr(RLS2Regressor(), "selection_frequency_")
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])]).assign(same=1.0)
    model = RLS2RegressorCV(kernels="linear", cv=5).fit(frame, y)
    assert model.selection_frequency_.shape == (X.shape[1] + 1,)
    assert model.selection_frequency_[-1] == 0  # one value: it was left out
    assert not hasattr(model, "stability_scores_") and not hasattr(model, "stable_")
    model.save(tmp_path / "m.model")
    again = rls2.load(tmp_path / "m.model")
    assert_array_equal(again.kernel_selection_frequency_, model.kernel_selection_frequency_)


def test_columns_that_matter_are_stable_and_others_are_not(tmp_path):
    X, y = of_the_first_three(0)
    model = RLS2RegressorCV(kernels="linear", stability=25).fit(X, y)
    assert_array_equal(model.stable_, [0, 1, 2])
    about = model.stability_
    assert about["halves"] == 50 and about["rows"] == 30 and about["least"] == 38
    assert about["limit"] == 3 and about["inputs"] == 24  # 3^2 / (0.5 * 24) <= 1
    assert_allclose(about["errors"], 0.75)
    assert 0 < about["likely_errors"] < about["errors"]
    assert_allclose(about["mean"], model.stability_scores_.sum())
    assert_array_equal(model.stability_scores_, model.kernel_stability_scores_)
    same = RLS2RegressorCV(kernels="linear", stability=25, n_jobs=3).fit(X, y)
    assert_array_equal(same.stability_scores_, model.stability_scores_)
    other = RLS2RegressorCV(kernels="linear", stability=25, random_state=5).fit(X, y)
    assert not np.array_equal(other.stability_scores_, model.stability_scores_)
    model.save(tmp_path / "m.model")
    again = rls2.load(tmp_path / "m.model")
    assert again.stability_ == about
    assert_array_equal(again.stability_scores_, model.stability_scores_)
    plain = RLS2RegressorCV(kernels="linear").fit(X, y)
    assert_array_equal(plain.kernel_weights_, model.kernel_weights_)


def test_wrong_columns_are_within_the_bound_on_average():
    """Twenty data sets in which the response is noise, or three columns of 24."""
    wrong, found = [], []
    for seed in range(20):
        X, y = of_the_first_three(seed)
        settings = {"kernels": "linear", "stability": 20, "stability_errors": 2, "cv": 2}
        stable = RLS2RegressorCV(**settings).fit(X, y).stable_
        wrong.append((stable > 2).sum())
        found.append((stable <= 2).sum())
        noise = np.random.default_rng(100 + seed).normal(size=len(y))
        wrong.append(len(RLS2RegressorCV(**settings).fit(X, noise).stable_))
    assert np.mean(wrong) <= 2 / 4  # the bound is not sharp
    assert np.mean(found) > 2.5


def test_several_classes_and_targets_select_together():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 12))
    labels = np.array(["a", "b", "c"])[np.argmax(X[:, :3] + 0.2 * rng.normal(size=(90, 3)), axis=1)]
    classes = RLS2ClassifierCV(kernels="linear", stability=10, stability_errors=3, cv=3)
    classes.fit(X, labels)
    assert set(classes.stable_) == {0, 1, 2}
    assert classes.kernel_stability_scores_.shape == (12,)
    Y = np.column_stack([X[:, 4], X[:, 5]]) + 0.1 * rng.normal(size=(90, 2))
    both = RLS2RegressorCV(kernels="linear", stability=10, cv=3).fit(X, Y)
    assert set(both.stable_) == {4, 5}


def test_it_works_where_lambda_is_chosen_by_a_criterion():
    X, y = of_the_first_three(1)
    model = RLS2RegressorCV(kernels="linear", stability=10, select="gcv").fit(X, y)
    by_folds = RLS2RegressorCV(kernels="linear", stability=10, cv=2).fit(X, y)
    assert_array_equal(model.stability_scores_, by_folds.stability_scores_)
    assert not hasattr(model, "selection_frequency_")


def test_what_cannot_be_had_is_refused(smooth):
    X, y = smooth
    with pytest.raises(ValueError, match="no kernel looks at one to three"):
        RLS2RegressorCV(kernels="rbf(1)@all", stability=5).fit(np.hstack([X, X**2]), y)
    with pytest.raises(ValueError, match="stability"):
        RLS2RegressorCV(stability=-1).fit(X, y)
    with pytest.raises(ValueError, match="stability_errors"):
        RLS2RegressorCV(stability_errors=0.0).fit(X, y)


@pytest.mark.skipif(not GENES.exists(), reason="the data are not here")
def test_leukaemia_has_genes_that_are_known_for_it():
    """Zyxin (X95735) leads the list of Golub et al. (1999)."""
    table = pd.read_csv(GENES)
    genes = table.drop(columns="class").select_dtypes("number")
    model = RLS2ClassifierCV(kernels="linear", stability=50, cv=3).fit(genes, table["class"])
    assert genes.columns[model.stability_scores_.argmax()] == "X95735_at"
    assert 1 <= len(model.stable_) <= 10 and model.stability_["errors"] <= 1
    json.dumps(model.stability_)
