"""Models that travel: files, pickles, joblib, clones."""

import copy
import json
import os
import pickle

import joblib
import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

import rls2
from rls2 import (
    KernelStack,
    RLS2Classifier,
    RLS2ClassifierCV,
    RLS2Regressor,
    RLS2RegressorCV,
    _core,
)

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
    assert (
        loaded.predict(X, return_std=True)[1].tolist()
        == model.predict(X, return_std=True)[1].tolist()
    )
    assert loaded.n_features_in_ == 4 and not hasattr(loaded, "feature_names_in_")
    assert loaded.certify(X, y).relative_gap < 1e-6
    # alone, not at the end of a path: the file does not tell of its other values
    assert_allclose(clone(loaded).fit(X, y).predict(X), model.predict(X), rtol=1e-5)


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


@pytest.mark.parametrize(
    "labels", [[0, 1], [-1, 5], [0.5, 2.5], ["nan", "inf"], ["1_000", "2"], [" 1", "2"], ["a", "1"]]
)
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
    assert_allclose(
        loaded.predict(new), model.predict(KernelStack({"a": X @ X.T})[50:]), rtol=1e-12
    )


@pytest.mark.parametrize("estimator", FITTED, ids=str)
def test_pickles_and_copies(smooth, tmp_path, estimator):
    X, y = smooth
    model = clone(estimator).fit(X, y)
    joblib.dump(model, tmp_path / "a.joblib")
    for other in (
        pickle.loads(pickle.dumps(model)),
        copy.deepcopy(model),
        joblib.load(tmp_path / "a.joblib"),
    ):
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


def header(model):
    """The description and the arrays of a packed model, read as docs/FORMAT.md says."""
    packed = model.pack()
    start = 8 + int.from_bytes(packed[:8], "little")
    entries = json.loads(packed[8:start])

    def array(name):
        first, last = entries[name]["data_offsets"]
        return np.frombuffer(
            packed[start + first : start + last],
            {"F64": "<f8", "I64": "<i8"}[entries[name]["dtype"]],
        )

    return json.loads(entries["__metadata__"]["rls2"]), array


@pytest.mark.parametrize(
    "params",
    [
        {
            "kernels": "linear@group:g; linear@x2",
            "groups": {"g": "x1,x3", "h": ["x2"]},
            "features": "standardize",
        },
        {"kernels": "rbf(1)@each", "scaling": "fisher", "examples": "unit", "solver": "alternate"},
        {"kernels": "rbf(1)@each", "scaling": "trace", "center": True, "features": "center"},
    ],
    ids=str,
)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_what_a_model_says_of_itself_is_in_its_file(three_classes, params, classes):
    X, y = three_classes
    model = RLS2Classifier(alpha=0.1, **params).fit(X, y % classes).model_
    about, array = header(model)
    assert model.scaling == tuple(about["scaling"][name] for name in model.scaling._fields)
    assert model.solver == about["solver"] == params.get("solver", "newton")
    how = about["data"]["preprocessing"]
    assert model.preprocessing == (how["examples"], how["features"])
    assert model.preprocessing == (params.get("examples", "none"), params.get("features", "none"))
    names = about["dictionary"]["columns"]
    assert model.groups == {
        g["name"]: [names[j] for j in g["columns"]] for g in about["dictionary"]["groups"]
    }
    for o in range(model.outputs):
        assert np.asarray(model.scales(o)).tolist() == array(f"outputs.{o}.scales").tolist()
    data = model.encode(_core.Table("new", 2, X[:2], names, []))
    if how["features"] == "none":
        assert data.means is None and data.deviations is None
    else:
        assert np.asarray(data.means).tolist() == array("features.mean").tolist()
        assert np.asarray(data.deviations).tolist() == array("features.divisor").tolist()


def test_loaded_parameters_are_those_of_the_fit(three_classes, tmp_path):
    X, y = three_classes
    params = {
        "alpha": 0.1,
        "kernels": "rbf(1)@group:g; linear@x2",
        "groups": {"g": ["x1", "x3"]},
        "scaling": "fisher-sqrt",
        "features": "center",
        "examples": "unit",
    }
    model = RLS2Classifier(**params).fit(X, y)
    model.save(tmp_path / "a.model")
    loaded = rls2.load(os.fsencode(tmp_path / "a.model"))
    assert {name: loaded.get_params()[name] for name in params} == params
    assert (
        clone(loaded).fit(X, y).decision_function(X).tolist() == model.decision_function(X).tolist()
    )


def test_coefficients_of_texts_are_in_the_units_of_the_table(servo):
    X, y = servo
    model = RLS2Regressor(kernels="linear", alpha=1e-3, standardize=True).fit(X, y)
    raw = np.column_stack(
        [X[n.split("=")[0]] == n.split("=")[1] if "=" in n else X[n] for n in model.model_.columns]
    )
    assert_allclose(raw @ model.coef_ + model.intercept_, model.predict(X), rtol=1e-10)


def test_pickles_of_another_version_say_so(smooth):
    model = RLS2Regressor(alpha=1.0).fit(*smooth)
    state = model.__getstate__()
    assert state["_rls2_version"] == rls2.__version__
    other = RLS2Regressor()
    with pytest.warns(UserWarning, match=f"pickled by rls2 0.0.1, and this is {rls2.__version__}"):
        other.__setstate__({**state, "_rls2_version": "0.0.1"})
    assert (
        not hasattr(other, "_rls2_version")
        and other.predict(smooth[0]).tolist() == model.predict(smooth[0]).tolist()
    )
    with pytest.raises(rls2.RLS2Error, match="the model"):
        other.__setstate__({**state, "model_": b"from the future"})


def test_damaged_models_are_refused(three_classes):
    """Bytes changed, cut off, put in: an error, never a crash and never another model."""
    random = np.random.default_rng(0)
    whole = RLS2Classifier(alpha=0.1, standardize=True).fit(*three_classes).model_.pack()
    for _ in range(300):
        damaged = bytearray(whole)
        at, size = (int(v) for v in random.integers([0, 0], [len(whole), 9]))
        damaged[at : at + int(random.integers(0, 9))] = random.bytes(size)
        if bytes(damaged) == whole:
            continue
        with pytest.raises(rls2.RLS2Error, match="^the model: "):
            _core.Model.unpack(damaged)


def test_files_that_are_none(tmp_path):
    (tmp_path / "text").write_text("not a model")
    with pytest.raises(rls2.RLS2Error, match="not a model of rls2"):
        rls2.load(tmp_path / "text")
    with pytest.raises(FileNotFoundError, match="absent: no such file$"):
        rls2.load(tmp_path / "absent")
    with pytest.raises(FileNotFoundError, match="no such file"):
        _core.Table.read(tmp_path / "absent")
    with pytest.raises(IsADirectoryError, match="is a directory, not a file"):
        rls2.load(tmp_path)
    with pytest.raises(TypeError):
        rls2.load(3)
    with pytest.raises(OSError, match="No such file or directory"):
        RLS2Regressor(alpha=1.0).fit([[0.0], [1.0]], [0.0, 1.0]).save(
            tmp_path / "absent" / "a.model"
        )
