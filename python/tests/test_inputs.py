"""X as scikit-learn's users have it: frames, sparse matrices, stacks of kernels, and what is wrong
with it.
"""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, train_test_split

import rls2
from rls2 import KernelStack, RLS2Classifier, RLS2Regressor, RLS2RegressorCV

K = "rbf(0.1|1)@all,each"


def regressor(**more):
    return RLS2Regressor(kernels=K, alpha=0.1, **more)


def polars(frame):
    """The same cells; what pandas holds missing is null."""
    cells = {
        name: frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in frame
    }
    return pl.DataFrame(cells, strict=False)


# ---- frames ----


def test_frames_arrays_and_lists_are_the_same_rows(smooth):
    X, y = smooth
    names = list("abcd")
    expected = regressor().fit(X, y).predict(X).tolist()
    for same in (
        pd.DataFrame(X, columns=names),
        pl.DataFrame(X, schema=names),
        X.tolist(),
        np.asfortranarray(X),
    ):
        assert regressor().fit(same, y).predict(same).tolist() == expected


def test_kinds_of_number_columns_of_frames(smooth):
    X, y = smooth
    numbers = pd.DataFrame({"a": X[:, 0], "n": np.arange(60), "b": X[:, 1] > 0})
    expected = (
        regressor()
        .fit(numbers.to_numpy(dtype=float), y)
        .predict(numbers.to_numpy(dtype=float))
        .tolist()
    )
    kinds = [
        numbers,
        numbers.convert_dtypes(),
        numbers.astype({"n": "uint8"}),
        numbers.astype(object),
        polars(numbers),
    ]
    for frame in kinds:
        assert regressor().fit(frame, y).predict(frame).tolist() == expected


def test_text_and_category_columns_become_indicators(servo):
    X, y = servo
    by_text = RLS2Regressor(alpha=0.05).fit(X, y)
    assert by_text.n_features_in_ == 4 and "motor=E" in by_text.model_.columns
    categories = X.astype({"motor": "category", "screw": "category"})
    enums = polars(X).with_columns(
        pl.col("motor").cast(pl.Categorical), pl.col("screw").cast(pl.Categorical)
    )
    for frame in (categories, X.astype({"motor": "string"}), polars(X), enums):
        assert (
            RLS2Regressor(alpha=0.05).fit(frame, y).predict(frame).tolist()
            == by_text.predict(X).tolist()
        )


def test_text_that_looks_like_numbers_stays_text(smooth):
    X, y = smooth
    frame = pd.DataFrame({"a": X[:, 0], "code": (np.arange(60) % 3).astype(str)})
    for same in (
        frame,
        frame.astype({"code": "category"}),
        frame.assign(code=pd.Categorical(np.arange(60) % 3)),
    ):
        assert regressor().fit(same, y).model_.columns == ["a", "code=0", "code=1", "code=2"]
    as_number = RLS2Regressor(kernels=K, alpha=0.1).fit(frame.astype({"code": int}), y)
    assert as_number.model_.columns == ["a", "code"]
    asked = regressor(categorical=["code"]).fit(frame.astype({"code": int}), y)
    assert asked.model_.columns == ["a", "code=0", "code=1", "code=2"]
    by_number = regressor(categorical=[1]).fit(np.c_[X[:, 0], np.arange(60) % 3], y)
    assert by_number.model_.columns == ["x1", "x2=0", "x2=1", "x2=2"]


def test_reference_leaves_an_indicator_out(servo):
    X, y = servo
    assert (
        len(RLS2Regressor(alpha=1.0, reference=True).fit(X, y).model_.columns)
        == len(RLS2Regressor(alpha=1.0).fit(X, y).model_.columns) - 1
    )


def test_names_are_checked_as_scikit_learn_does(housing):
    X, y = housing
    model = RLS2Regressor(kernels="linear", alpha=1.0).fit(X, y)
    assert list(model.feature_names_in_) == list(X.columns)
    with pytest.raises(ValueError, match="same order"):
        model.predict(X[X.columns[::-1]])
    with pytest.raises(ValueError, match="now missing"):
        model.predict(X.drop(columns="RM"))
    with pytest.warns(UserWarning, match="valid feature names"):
        assert model.predict(X.to_numpy()).tolist() == model.predict(X).tolist()
    with pytest.raises(ValueError, match="expecting 13 features"):
        model.predict(X.to_numpy()[:, :5])


def test_target_may_bear_the_name_of_a_column(smooth):
    X, y = smooth
    frame = pd.DataFrame(X, columns=["y", "weight", "c", "d"])
    named = regressor().fit(frame, pd.Series(y, name="y"), sample_weight=np.ones(60))
    assert (
        named.predict(frame).tolist()
        == regressor().fit(X, y, sample_weight=np.ones(60)).predict(X).tolist()
    )


def test_numbers_alone_are_refused_where_text_was_learned(servo):
    X, y = servo
    model = RLS2Regressor(kernels="rbf(1)", alpha=0.1).fit(X, y)
    with pytest.raises(TypeError, match="columns of text"):
        model.predict(np.zeros((1, 4)))


# ---- missing and impossible values ----


@pytest.mark.parametrize("wrong, word", [(np.nan, "NaN"), (np.inf, "inf"), (-np.inf, "inf")])
def test_values_that_are_no_numbers_are_named_by_column_and_row(housing, wrong, word):
    X, y = housing
    bad = X.copy()
    bad.loc[16, "RM"] = wrong
    model = RLS2Regressor(kernels="linear", alpha=1.0, missing="error")
    for frame in (bad, polars(bad)):
        with pytest.raises(ValueError, match=f"row 17: column 'RM'.*{word}"):
            model.fit(frame, y)
    with pytest.raises(ValueError, match=f"row 17: column 'x6'.*{word}"):
        model.fit(bad.to_numpy(), y)
    with pytest.raises(ValueError, match=f"row 17: column 'RM'.*{word}"):
        model.fit(X, y).predict(bad)


def test_missing_text_is_named_too(servo):
    X, y = servo
    bad = X.copy()
    bad.loc[3, "screw"] = None
    for frame in (bad, bad.astype({"screw": "category"}), polars(bad)):
        with pytest.raises(ValueError, match="row 4: column 'screw'.*NaN"):
            regressor(missing="error").fit(frame, y)


# ---- sparse ----


@pytest.mark.parametrize(
    "container", [sp.csr_array, sp.csc_matrix, sp.coo_array, sp.dok_array, sp.lil_matrix]
)
def test_sparse_rows_for_linear_kernels(container):
    rng = np.random.default_rng(0)
    dense = np.where(rng.random((40, 12)) < 0.3, rng.normal(size=(40, 12)), 0.0)
    y = dense[:, 0] - dense[:, 3] + 0.1 * rng.normal(size=40)
    model = RLS2Regressor(kernels="linear").fit(container(dense), y)
    expected = RLS2Regressor(kernels="linear").fit(dense, y)
    assert model.predict(container(dense)).tolist() == expected.predict(dense).tolist()
    with pytest.raises(TypeError, match=r"sparse.*'linear; rbf\(1\)'"):
        RLS2Regressor(kernels="linear; rbf(1)").fit(container(dense), y)


def test_wide_sparse_rows_are_linear_by_default():
    wide = sp.random_array((30, 250), density=0.2, rng=np.random.default_rng(0), format="csr")
    y = wide.toarray()[:, 0]
    assert RLS2Regressor().fit(wide, y).model_.spec == "linear"
    with pytest.raises(TypeError, match=r"kernels '.{0,60}' need dense rows"):
        RLS2Regressor().fit(wide[:, :200], y)


# ---- stacks ----


@pytest.fixture(scope="module")
def stack(smooth):
    X, _ = smooth
    return KernelStack({"wide": rbf_kernel(X, gamma=0.1), "narrow": rbf_kernel(X, gamma=1.0)})


def test_stack_is_sliced_by_rows(stack):
    assert stack.shape == (60, 60) and len(stack[5:20]) == 15
    assert stack[[4, 2]].rows.tolist() == [4, 2]
    assert stack[np.arange(60) % 2 == 0][1:3].rows.tolist() == [2, 4]
    assert stack[-1].rows.tolist() == [59]
    assert stack[np.array([1, 2]), ...].rows.tolist() == [1, 2]
    with pytest.raises(IndexError, match="rows only"):
        stack[:, 2]
    with pytest.raises(IndexError):
        stack[60]
    assert repr(stack[:3]) == "KernelStack(wide, narrow: 3 of 60 rows)"
    assert repr(KernelStack({"a\x1b[2J\n": np.eye(2)})) == r"KernelStack(a\x1b[2J\n: 2 of 2 rows)"


def test_stack_cross_validates_as_its_kernels_do(stack, smooth):
    X, y = smooth
    folds = KFold(4, shuffle=True, random_state=0)
    by_stack = cross_val_score(RLS2Regressor(alpha=0.05), stack, y, cv=folds, n_jobs=2)
    same = RLS2Regressor(alpha=0.05, kernels="rbf(0.1|1)@all", standardize=False)
    by_name = cross_val_score(same, X, y, cv=folds)
    assert_allclose(by_stack, by_name, rtol=1e-4)
    search = GridSearchCV(
        RLS2Regressor(), {"alpha": [1.0, 0.01], "kernels": [None, "given(wide)"]}, cv=folds
    ).fit(stack, y)
    assert search.best_params_["alpha"] == 0.01
    assert search.predict(stack[:5]).shape == (5,)


def test_stack_goes_through_train_test_split_and_own_folds(stack, smooth):
    X, y = smooth
    learn, test, y_learn, y_test = train_test_split(stack, y, random_state=1)
    model = RLS2RegressorCV(cv=4).fit(learn, y_learn)
    by_name = RLS2RegressorCV(cv=4, kernels="rbf(0.1|1)@all", standardize=False)
    by_name.fit(X[learn.rows], y_learn)
    assert_allclose(model.best_score_, by_name.best_score_, rtol=1e-4)
    assert_allclose(model.predict(test), by_name.predict(X[test.rows]), atol=1e-3)
    assert model.score(test, y_test) > 0.5


def test_new_rows_against_training_rows(stack, smooth):
    X, y = smooth
    model = RLS2Regressor(alpha=0.05).fit(stack[:40], y[:40])
    expected, deviation = model.predict(stack[40:], return_std=True)
    values = {
        name: rbf_kernel(X[40:], X[:40], gamma=g) for name, g in [("narrow", 1.0), ("wide", 0.1)]
    }
    ones = [np.ones(20), np.ones(20)]
    new = KernelStack.between(values, ones)
    assert_allclose(model.predict(new), expected, rtol=1e-12)
    assert_allclose(model.predict(new, return_std=True)[1], deviation, rtol=1e-12)
    assert_allclose(model.predict(new[3:5]), expected[3:5], rtol=1e-12)
    with pytest.raises(ValueError, match="needs K"):
        model.predict(KernelStack.between(values), return_std=True)
    with pytest.raises(ValueError, match="have 30 columns.*40 training rows"):
        model.predict(KernelStack.between([m[:, :30] for m in values.values()], names=list(values)))


def test_plain_lists_of_matrices(smooth):
    X, y = smooth
    kernels = [rbf_kernel(X, gamma=g) for g in (0.1, 1.0)]
    model = RLS2Regressor(alpha=0.05).fit(kernels, y)
    assert model.kernel_names_ == ["given(k1)", "given(k2)"]
    new = [rbf_kernel(X[:3], X, gamma=g) for g in (0.1, 1.0)]
    assert_allclose(model.predict(new), model.predict(KernelStack(kernels)[:3]), rtol=1e-12)
    weights = np.arange(60) % 3
    weighted = RLS2Regressor(alpha=0.05).fit(kernels, y, sample_weight=weights)
    assert_allclose(weighted.predict(new), weighted.predict(KernelStack(kernels)[:3]), rtol=1e-12)


def test_stacks_that_cannot_be_right(stack, smooth):
    X, y = smooth
    with pytest.raises(ValueError, match="square and of one size, not 3x4"):
        KernelStack([np.ones((3, 4))])
    with pytest.raises(ValueError, match="different names"):
        KernelStack([np.eye(3), np.eye(3)], names=["a", "a"])
    with pytest.raises(ValueError, match="not positive semi-definite"):
        RLS2Regressor().fit([-np.eye(60)], y)
    with pytest.raises(ValueError, match="not symmetric"):
        RLS2Regressor().fit([np.triu(np.ones((60, 60)))], y)
    model = RLS2Regressor(alpha=0.1).fit(stack, y)
    with pytest.raises(ValueError, match="KernelStack or a list"):
        model.predict(X)
    with pytest.raises(ValueError, match="not the one the model was trained on"):
        model.predict(KernelStack([np.eye(9), np.eye(9)], names=stack.names))
    with pytest.raises(ValueError, match="trained on columns"):
        regressor().fit(X, y).predict(stack)
    with pytest.raises(ValueError, match="the model knows wide, narrow"):
        model.predict(KernelStack.between({"a": np.ones((1, 60)), "b": np.ones((1, 60))}))


# ---- labels ----


@pytest.mark.parametrize(
    "labels",
    [
        ["setosa", "versi color", "virgi=nica,x"],
        [-3, 0, 7],
        [10, 9, -1],
        ["10", "9", "1"],
        [1.0, 2.0, -4.0],
        np.array(["b", "a", "c"], dtype=object),
    ],
)
@pytest.mark.parametrize("count", [2, 3])
def test_labels_come_back_as_they_were(three_classes, labels, count):
    X, codes = three_classes
    X, codes = X[codes < count], codes[codes < count]
    y = np.asarray(labels)[codes]
    model = RLS2Classifier(kernels=K, alpha=0.01).fit(X, y)
    assert model.classes_.tolist() == np.unique(y).tolist() and model.classes_.dtype == y.dtype
    assert model.score(X, y) > 0.8
    scores = model.decision_function(X)
    by_score = (scores > 0).astype(int) if count == 2 else scores.argmax(axis=1)
    assert np.array_equal(model.classes_[by_score], model.predict(X))
    found = model.certify(X, y)
    assert max(c.relative_gap for c in (found if count > 2 else [found])) < 1e-6


def test_truth_values_are_classes(three_classes):
    X, codes = three_classes
    model = RLS2Classifier(kernels=K, alpha=0.01).fit(X, codes == 1)
    assert model.classes_.tolist() == [False, True] and model.predict(X).dtype == bool


def test_classes_of_weight_zero_are_not_there(three_classes):
    X, codes = three_classes
    model = RLS2Classifier(kernels=K, alpha=0.01).fit(X, codes, sample_weight=codes != 1)
    assert model.classes_.tolist() == [0, 2] and model.decision_function(X).shape == (90,)


def odd_address(a):
    """The same numbers, one byte beside where doubles lie."""
    return np.frombuffer(b"x" + a.tobytes(), np.uint8)[1:].view(np.float64).reshape(a.shape)


def read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


LAYOUTS = {
    "odd address": odd_address,
    "other byte order": lambda a: a.astype(a.dtype.newbyteorder()),
    "read-only": read_only,
    "by columns": np.asfortranarray,
    "backwards": lambda a: a[::-1].copy()[::-1],
    "within records": lambda a: np.rec.fromarrays(
        [np.zeros(len(a), np.int8), a], dtype=[("t", "i1"), ("a", "f8", a.shape[1:])]
    )["a"],
    "objects": lambda a: a.astype(object),
    "extended": lambda a: a.astype(np.longdouble),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_numbers_are_numbers_wherever_they_lie(smooth, layout):
    X, y = smooth
    weight = np.arange(60.0) % 3 + 1
    put = LAYOUTS[layout]
    model = RLS2Regressor(alpha=0.1).fit(X, y, weight)
    other = RLS2Regressor(alpha=0.1).fit(put(X), put(y), put(weight))
    assert other.predict(put(X)).tolist() == model.predict(X).tolist()
    assert other.certify(put(X), put(y)) == model.certify(X, y)
    stack = KernelStack([put(X @ X.T)])
    assert_array_equal(
        RLS2Regressor(alpha=0.1).fit(stack, y).predict(stack),
        RLS2Regressor(alpha=0.1).fit(KernelStack([X @ X.T]), y).predict(KernelStack([X @ X.T])),
    )


# ---- columns of text in arrays ----


def test_columns_of_objects_are_categorical_by_number(servo, tmp_path):
    frame, y = servo
    texts = [
        j for j, name in enumerate(frame.columns) if not pd.api.types.is_numeric_dtype(frame[name])
    ]
    assert texts
    expected = RLS2Regressor(kernels="linear", alpha=0.1).fit(frame, y)
    values = frame.to_numpy(dtype=object)
    for X in (values, values.tolist()):
        model = RLS2Regressor(kernels="linear", alpha=0.1, categorical=texts).fit(X, y)
        assert np.array_equal(model.predict(X), expected.predict(frame))
        assert np.array_equal(model.coef_, expected.coef_)
        assert model.n_features_in_ == frame.shape[1] and not hasattr(model, "feature_names_in_")
    named = {f"x{j + 1}": name for j, name in enumerate(frame.columns)}
    assert [
        re.sub(r"^x\d", lambda m: named[m[0]], name) for name in model.coef_names_
    ] == expected.coef_names_
    assert len(expected.coef_names_) == len(expected.coef_)
    model.save(tmp_path / "a.model")
    assert np.array_equal(rls2.load(tmp_path / "a.model").predict(values), model.predict(values))
    assert cross_val_score(model, values, y, cv=3).shape == (3,)
    with pytest.raises(TypeError, match="the model was trained on columns of text"):
        model.predict(np.zeros((2, frame.shape[1])))
    with pytest.raises(
        ValueError,
        match="X: could not convert string to float: .*; name columns of text in categorical",
    ):
        RLS2Regressor().fit(values, y)
    with pytest.raises(
        ValueError, match=r"X: column 'x\d': could not convert string .*; name it in categorical"
    ):
        RLS2Regressor(categorical=texts[:1]).fit(values, y)
    values[3, texts[0]] = None
    with pytest.raises(
        ValueError, match=rf"X: row 4: column 'x{texts[0] + 1}': the value is missing"
    ):
        RLS2Regressor(categorical=texts, missing="error").fit(values, y)
    imputed = RLS2Regressor(categorical=texts, kernels="linear", alpha=0.1, missing="impute")
    assert f"x{texts[0] + 1}=missing" in imputed.fit(values, y).coef_names_
    assert np.isfinite(imputed.predict(values)).all()


def test_numbers_taken_as_text_are_so_in_a_loaded_model(smooth, tmp_path):
    X, y = smooth
    X = np.column_stack([np.arange(60) % 3, X])
    model = RLS2Regressor(kernels="linear", alpha=0.1, categorical=[0]).fit(X, y)
    model.save(tmp_path / "a.model")
    assert np.array_equal(rls2.load(tmp_path / "a.model").predict(X), model.predict(X))
    assert model.coef_names_ == ["x1=0", "x1=1", "x1=2", "x2", "x3", "x4", "x5"]


def test_a_loaded_model_says_how_rows_of_a_stack_are_given(smooth, tmp_path):
    X, y = smooth
    K = {"a": X @ X.T, "b": np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2))}
    stack, train, test = KernelStack(K), np.arange(40), np.arange(40, 60)
    model = RLS2Regressor(alpha=0.1).fit(stack[train], y[train])
    model.save(tmp_path / "a.model")
    loaded = rls2.load(tmp_path / "a.model")
    with pytest.raises(
        ValueError, match=r"loaded from a file, .*KernelStack.between\(\{name: K\[new\]\[:, train\]"
    ):
        loaded.predict(stack[test])
    between = {name: matrix[test][:, train] for name, matrix in K.items()}
    for given in (between, list(between.values()), dict(reversed(between.items()))):
        assert np.array_equal(
            loaded.predict(KernelStack.between(given)), model.predict(stack[test])
        )
