"""Models that travel: files, pickles, joblib, clones."""

import copy
import pickle

import joblib
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

import rls2
from rls2 import KernelStack, RLS2Classifier, RLS2ClassifierCV, RLS2Regressor, RLS2RegressorCV

FITTED = [
    RLS2Regressor(kernels="linear", standardize=True),
    RLS2Regressor(alpha=0.01),
    RLS2RegressorCV(kernels="rbf(0.1|1)@all", cv=3, baselines=True),
]
ATTRIBUTES = [
    "alpha_",
    "dual_coef_",
    "kernel_weights_",
    "kernel_scales_",
    "selected_",
    "offset_",
    "dual_gap_",
    "objective_",
    "df_",
]


def same_attributes(one, other):
    for name in ATTRIBUTES:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.kernel_names_ == other.kernel_names_
    assert one.contribution_names_ == other.contribution_names_


@pytest.mark.parametrize("estimator", FITTED, ids=str)
def test_saved_and_loaded_gives_the_same_bits(smooth, tmp_path, estimator):
    X, y = smooth
    model = clone(estimator).fit(X, y)
    model.save(tmp_path / "a.model")
    loaded = rls2.load(tmp_path / "a.model")
    assert type(loaded) is RLS2Regressor
    same_attributes(model, loaded)
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    assert loaded.predict(X, return_std=True)[1].tolist() == model.predict(X, return_std=True)[1].tolist()
    assert loaded.n_features_in_ == 4 and not hasattr(loaded, "feature_names_in_")
    assert loaded.certify(X, y).relative_gap < 1e-6
    refitted = clone(loaded).fit(X, y)
    assert refitted.predict(X).tolist() == model.predict(X).tolist()


def test_loaded_classes_and_text_columns(servo, tmp_path):
    X, y = servo
    labels = np.where(y > 1.0, "slow", np.where(y > 0.5, "middling", "fast"))
    model = RLS2Classifier(alpha=0.01, class_weight={"slow": 2}).fit(X, labels)
    model.save(tmp_path / "a.model")
    loaded = rls2.load(str(tmp_path / "a.model"))
    assert loaded.classes_.tolist() == ["fast", "middling", "slow"]
    assert list(loaded.feature_names_in_) == ["motor", "screw", "pgain", "vgain"]
    assert loaded.predict(X).tolist() == model.predict(X).tolist()
    same_attributes(model, loaded)


@pytest.mark.parametrize("labels", [[0, 1], [-1, 5], [0.5, 2.5]])
def test_loaded_numbers_of_classes_are_numbers(three_classes, tmp_path, labels):
    X, y = three_classes
    file = tmp_path / "a.model"
    model = RLS2Classifier(alpha=0.1).fit(X, y == 1)
    model.save(file)
    assert rls2.load(file).classes_.tolist() == ["False", "True"]
    from rls2._targets import labels_of_file

    assert labels_of_file([str(label) for label in labels]).tolist() == labels


def test_loaded_stack_takes_new_rows(smooth, tmp_path):
    X, y = smooth
    model = RLS2Regressor(alpha=0.1).fit(KernelStack({"a": X @ X.T})[:50], y[:50])
    model.save(tmp_path / "a.model")
    loaded = rls2.load(tmp_path / "a.model")
    new = KernelStack.between({"a": X[50:] @ X[:50].T})
    assert_allclose(loaded.predict(new), model.predict(KernelStack({"a": X @ X.T})[50:]), rtol=1e-12)


@pytest.mark.parametrize("estimator", FITTED, ids=str)
def test_pickles_and_copies(smooth, tmp_path, estimator):
    X, y = smooth
    model = clone(estimator).fit(X, y)
    joblib.dump(model, tmp_path / "a.joblib")
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), joblib.load(tmp_path / "a.joblib")):
        assert type(other) is type(model) and other.get_params() == model.get_params()
        same_attributes(model, other)
        assert other.predict(X).tolist() == model.predict(X).tolist()
        assert other.path_.gaps.tolist() == model.path_.gaps.tolist()
    unfitted = pickle.loads(pickle.dumps(estimator))
    assert not hasattr(unfitted, "model_")


def test_pickled_classes(three_classes):
    X, y = three_classes
    model = RLS2ClassifierCV(kernels="linear", cv=3).fit(X, np.array(["u", "v", "w"])[y])
    assert pickle.loads(pickle.dumps(model)).predict(X).tolist() == model.predict(X).tolist()


def test_files_that_are_none(tmp_path):
    (tmp_path / "text").write_text("not a model")
    with pytest.raises(rls2.RLS2Error, match="not a model of rls2"):
        rls2.load(tmp_path / "text")
    with pytest.raises(OSError, match="no such file"):
        rls2.load(tmp_path / "absent")
    with pytest.raises(OSError, match="No such file or directory"):
        RLS2Regressor(alpha=1.0).fit([[0.0], [1.0]], [0.0, 1.0]).save(tmp_path / "absent" / "a.model")
