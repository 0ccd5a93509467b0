"""The extension rls2._core: what goes in comes out to the bit, what is wrong is said in the
library's words, signals and threads are heard, and nothing leaks."""

import csv
import gc
import hashlib
import os
import pathlib
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from rls2 import _core

from command import DATA, run


def problem(n=60, p=4, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, p))
    return x, x[:, 0] + np.sin(2 * x[:, 1]) + 0.1 * random.normal(size=n)


def table_of(x, y, name="frame"):
    return _core.Table(name, len(x), x, [f"x{j + 1}" for j in range(x.shape[1])], [("y", y)])


SETTINGS = {"target": "y", "task": "regression", "features": "standardize", "kernels": "paper"}
SETTINGS |= {"lambda-count": "8", "baselines": "false"}


def plan_of(table, goal="path", given=(), lambdas=None, **settings):
    """A plan; settings are written with '_', and those of None are left out."""
    named = SETTINGS | {name.replace("_", "-"): value for name, value in settings.items()}
    pairs = [(name, value) for name, value in named.items() if value is not None]
    return _core.Plan(table, goal, pairs, given, lambdas)


def fitted(n=60, p=4, seed=0, **more):
    return plan_of(table_of(*problem(n, p, seed)), **more).fit(1, None)


def plain(table, **settings):
    """The data of a plan that does nothing to them."""
    return plan_of(table, **({"features": "none", "kernels": None} | settings)).data


def same_bits(a, b):
    a, b = np.asarray(a), np.asarray(b)
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


# ---- arrays ----


def test_array_is_a_readonly_view_by_columns_that_keeps_its_owner():
    x, y = problem(30, 3)
    data = plain(table_of(x, y))
    view = np.asarray(data.x)
    assert view.shape == (30, 3) and view.flags.f_contiguous and not view.flags.writeable
    assert view.__array_interface__["data"] == np.asarray(data.x).__array_interface__["data"]
    del data
    gc.collect()
    assert (view == x).all()
    with pytest.raises(BufferError, match="by columns"):
        hashlib.sha256(plain(table_of(x, y)).x)  # wants one run of bytes


def test_array_with_nothing_in_it():
    table = _core.Table("t", 3, None, [], [("y", np.arange(3.0))])
    data = plain(table, given=[("k", np.eye(3))])
    assert np.asarray(data.x).shape == (3, 0) and data.names == []
    with pytest.raises(_core.RLS2Error, match="there are 0 rows, at least 1 is needed"):
        fitted().model(0).predict(np.empty((0, 4)), 0, [], 1)


# ---- tables ----


@pytest.mark.parametrize("layout", ["C", "F", "steps", "backwards", "unaligned"])
def test_table_takes_numbers_of_any_strides(layout):
    x, y = problem(20, 3)
    other = {
        "C": x.copy("C"),
        "F": x.copy("F"),
        "steps": np.repeat(np.repeat(x, 2, axis=0), 3, axis=1)[::2, ::3],
        "backwards": x[::-1, ::-1].copy()[::-1, ::-1],
        "unaligned": np.frombuffer(b"x" + x.tobytes(), dtype=np.uint8)[1:]
        .view(float)
        .reshape(x.shape),
    }[layout]
    assert other.flags.aligned == (layout != "unaligned")
    assert same_bits(plain(table_of(other, y)).x, x.copy("F"))


def test_table_of_texts_numbers_and_missing_cells():
    columns = [
        ("colour", ["red", None, "blue", "red"]),
        ("both", ["a", 1.5, None, "1.5"]),
        ("y", np.array([1.0, 2.0, np.nan, 4.0])),
    ]
    table = _core.Table("frame", 4, None, [], columns)
    assert table.rows == 4 and table.names == ["colour", "both", "y"]
    assert table.kinds == ["text", "text", "numbers"]
    data = plain(table, drop="both", missing="drop")
    assert data.names == ["colour=red"] and data.rows == 2
    data = plain(table, drop="both", missing="impute")
    assert data.names == ["colour=red", "colour=missing"] and data.rows == 3 and data.imputed == 1
    with pytest.raises(_core.RLS2Error, match=r"frame: row 2"):
        plain(table, drop="both", missing="error")


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (
            lambda: _core.Table("t", 2, None, [], [("a", np.array([1, np.inf]))]),
            _core.RLS2Error,
            "t: row 2, column 'a': infinite",
        ),
        (
            lambda: _core.Table("t", 1, None, [], [("a", ["x"]), ("a", ["y"])]),
            _core.RLS2Error,
            "columns 1 and 2 have the same name 'a'",
        ),
        (
            lambda: _core.Table("t", 1, None, [], [("", ["x"])]),
            _core.RLS2Error,
            "column 1 has no name",
        ),
        (
            lambda: _core.Table("t", 2, None, [], [("a", ["x"])]),
            _core.RLS2Error,
            "column 'a' has 1 cells where there are 2 rows",
        ),
        (
            lambda: _core.Table("t", 2, None, [], [("a", np.zeros(3))]),
            _core.RLS2Error,
            "column 'a' has 3 values where there are 2 rows",
        ),
        (
            lambda: _core.Table("t", 2, np.zeros((2, 2)), ["a"], []),
            _core.RLS2Error,
            "the matrix is 2 x 2 where there are 2 rows and 1 names",
        ),
        (
            lambda: _core.Table("t", 1, None, [], [("a", ["x\0y"])]),
            _core.RLS2Error,
            "row 1, column 'a': the text has a NUL",
        ),
        (
            lambda: _core.Table("t", 1, None, [], [("a", ["\ud800"])]),
            _core.RLS2Error,
            "row 1, column 'a': the text cannot be written as UTF-8",
        ),
        (
            lambda: _core.Table("t", 1, None, [], [("a", [object()])]),
            TypeError,
            "row 1, column 'a': neither",
        ),
        (
            lambda: _core.Table("t", 1, None, [], [("a", np.zeros(1, dtype=np.float32))]),
            TypeError,
            "doubles are needed, not elements of format 'f'",
        ),
        (lambda: _core.Table("t", 1, None, [], ["a"]), TypeError, "pairs of a name and its cells"),
        (lambda: _core.Table("t", 1, None, [], []), _core.RLS2Error, "there are no columns"),
        (lambda: _core.Table("t", 1, np.zeros(1), "a", []), TypeError, "not one str"),
        (
            lambda: _core.Table.read("/does/not/exist.csv"),
            OSError,
            "/does/not/exist.csv: no such file",
        ),
    ],
)
def test_table_refuses(make, error, words):
    with pytest.raises(error, match=words):
        make()


# ---- errors ----


def test_errors_carry_the_librarys_words_status_and_position():
    table = table_of(*problem())
    with pytest.raises(_core.RLS2Error, match="no column 'z'") as caught:
        plan_of(table, target="z")
    assert isinstance(caught.value, ValueError)
    assert (caught.value.status, caught.value.position) == (4, -1) and caught.value.status_text
    with pytest.raises(_core.RLS2Error, match="expected a number") as caught:
        plan_of(table, kernels="rbf(@all")
    assert (caught.value.status, caught.value.position) == (3, 4)
    with pytest.raises(_core.RLS2Error, match="alphas"):
        fitted(lambdas=np.array([1.0, -1.0]))
    for settings, words in [
        ({"scaling": "fish"}, "scaling: 'fish' is not one of none, trace, fisher, fisher-sqrt"),
        ({"scaling": "fishr"}, "did you mean 'fisher'?"),
        ({"gap_tol": "small"}, "gap_tol: 'small' is not a number"),
        ({"lambda_ratio": "2"}, "eps is 2; it must be above 0 and below 1"),
        ({"measure": "rsme"}, "scoring: 'rsme' is not one of .* did you mean 'rmse'"),
        ({"lambada": "1"}, "lambada"),
    ]:
        with pytest.raises(_core.RLS2Error, match=words):
            plan_of(table, **settings)
    with pytest.raises(_core.RLS2Error, match="there is no goal 'win'"):
        plan_of(table, goal="win")
    with pytest.raises(TypeError, match="gap-tol: a str is needed"):
        plan_of(table, gap_tol=1)
    with pytest.raises(TypeError, match="settings: pairs of a name and a value are needed"):
        _core.Plan(table, "path", ["target"], [], None)
    with pytest.raises(IndexError, match="lambda 8 is out of range: there are 8"):
        fitted().point(8)
    with pytest.raises(IndexError, match="output 1"):
        fitted().c(1, 0)
    with pytest.raises(_core.RLS2Error, match="x is 3 x 4; it should be 5 x 4"):
        fitted().model(0).predict(np.zeros((3, 4)), 5, [], 1)
    with pytest.raises(_core.RLS2Error, match="the model is not linear: it uses kernel"):
        fitted().model(7).coefficients(0)


def test_objects_cannot_be_made_of_nothing():
    for kind in (_core.Model, _core.Array, _core.Data, _core.Fit, _core.CV):
        with pytest.raises(TypeError):
            kind()
    with pytest.raises(TypeError):
        _core.Plan(None, "path", [], [], None)
    with pytest.raises(TypeError):
        type("Sub", (_core.Model,), {})


# ---- settings ----


def test_settings_are_the_librarys_table_in_the_words_of_python():
    table = {setting.name: setting for setting in _core.settings()}
    assert len(table) == len(_core.settings())
    select, folds = table["select"], table["folds"]
    assert (select.python, select.kind, select.scope, select.default) == (
        "select",
        "choice",
        "choice",
        "cv",
    )
    assert {"cv", "gcv", "loo"} <= set(select.choices)
    assert (folds.python, folds.kind, folds.scope, folds.default, folds.choices) == (
        "cv",
        "count",
        "splits",
        "10",
        [],
    )
    assert table["drop"].python == "" and table["class-weights"].python == "class_weight"
    assert "alphas" in table["lambda"].help and "{" not in table["lambda"].help
    assert all(setting.sentence.endswith(".") for setting in table.values())


@pytest.mark.parametrize(
    ("kernels", "linear"),
    [
        ("linear", True),
        ("linear@all; linear", True),
        ("linear; rbf(1)", False),
        ("paper", False),
        ("nonsense(", False),
    ],
)
def test_is_linear(kernels, linear):
    assert _core.is_linear(kernels) is linear


# ---- plans ----


def test_plan_says_what_it_inferred():
    plan = plan_of(table_of(*problem()), kernels=None)
    assert plan.kernels == "paper; rbf(learn)@all; matern(2.5,learn)@all" and not plan.is_linear
    assert len(plan.kernel_names) == 13 * 5 + 2
    assert any("paper" in note for note in plan.notes)
    assert plan_of(table_of(*problem()), kernels="linear").is_linear


def test_plan_is_for_one_thread_at_a_time():
    plan = plan_of(table_of(*problem(300)), kernels="rbf(1e-3:1e3:6)@all,each", gap_tol="1e-9")
    heard = []

    def progress(*where):
        with pytest.raises(RuntimeError, match="another thread is using the plan"):
            plan.fit(1, None)
        with pytest.raises(RuntimeError, match="another thread is using the plan"):
            plan.split_by(np.zeros(300, dtype=np.int64))
        heard.append(where)

    while not heard:
        plan.fit(1, progress)
    assert len(plan.fit(1, None).lambdas) == 8


# ---- models ----


def test_model_packs_and_unpacks_to_the_same_bits(tmp_path):
    path = fitted()
    model = path.model(5)
    bytes_ = model.pack()
    x = np.random.default_rng(1).normal(size=(11, 4))
    model.save(tmp_path / "a model")
    for other in (
        _core.Model.unpack(bytes_),
        _core.Model.load(tmp_path / "a model"),
        _core.Model.load(str(tmp_path / "a model")),
    ):
        assert other.pack() == bytes_
        assert same_bits(other.predict(x, 11, [], 1), model.predict(x, 11, [], 1))
        assert same_bits(other.c(0), model.c(0)) and other.selected(0) == model.selected(0)
    assert (tmp_path / "a model").read_bytes() == bytes_
    with pytest.raises(_core.RLS2Error, match="the model"):
        _core.Model.unpack(bytes_[:-1])
    with pytest.raises(OSError, match="no such file|cannot"):
        model.save(tmp_path / "no" / "such" / "folder")


def test_model_agrees_with_its_path():
    path = fitted()
    for i in range(len(path.lambdas)):
        model = path.model(i)
        kernels, d = map(np.asarray, path.weights(0, i))
        assert [k for k, *_ in model.selected(0)] == kernels.tolist()
        assert [w for _, _, w, _ in model.selected(0)] == d.tolist()
        assert [model.dictionary[k] for k in kernels] == [
            name for _, name, _, _ in model.selected(0)
        ]
        assert same_bits(model.c(0), path.c(0, i)) and model.point(0) == path.point(i)
        assert model.lambda_ == path.lambdas[i] and model.intercept(0) == path.intercept(0, i)


def test_contributions_and_intercept_sum_to_the_prediction():
    model = fitted().model(6)
    x = np.random.default_rng(3).normal(size=(9, 4))
    parts = np.asarray(model.contributions(0, x, 9, []))
    assert parts.shape == (9, len(model.selected(0)))
    np.testing.assert_allclose(
        parts.sum(axis=1) + model.intercept(0),
        np.asarray(model.predict(x, 9, [], 1))[:, 0],
        rtol=1e-12,
    )
    assert np.asarray(model.variance(0, x, 9, [], [])).min() > 0
    assert np.isclose(np.asarray(model.shares(0)).sum(), 1)
    assert np.isclose(model.degrees_of_freedom(0), model.point(0).df)


def test_certificate_of_the_model_is_that_of_the_path():
    x, y = problem()
    table = table_of(x, y)
    path = plan_of(table).fit(1, None)
    data = path.model(3).encode(table, True)
    found = path.model(3).certify(0, data.x, data.rows, [], y)
    assert np.isclose(found.primal, path.point(3).objective) and found.relative_gap < 1e-5


def test_order_of_memory_changes_no_bit():
    model = fitted().model(5)
    x = np.random.default_rng(2).normal(size=(50, 4))
    expected = model.predict(x.copy("F"), 50, [], 1)
    assert same_bits(model.predict(x, 50, [], 1), expected)
    assert same_bits(model.predict(x[::-1][::-1], 50, [], 2), expected)


def test_given_matrices_of_any_order_and_their_predictions():
    x, y = problem(40, 3)
    k = x @ x.T
    k = (k + k.T) / 2
    table = _core.Table("frame", 40, None, [], [("y", y)])
    fits = []
    for matrix in (k.copy("C"), k.copy("F"), np.repeat(k, 2, axis=0)[::2]):
        path = plan_of(table, given=[("k", matrix)], features=None, kernels="given(k)").fit(1, None)
        fits.append(np.asarray(path.c(0, 4)))
        model = path.model(4)
        new = np.ascontiguousarray(k[:7])
        f = np.asarray(model.predict(None, 7, [new], 1))
        np.testing.assert_allclose(
            f[:, 0], np.asarray(path.predict(0, None, 40, [k]))[:7, 4], rtol=1e-9
        )
        assert model.given_names == ["k"]
        with pytest.raises(_core.RLS2Error, match="there are 0 given matrices where 1 are needed"):
            model.predict(None, 7, [], 1)
        with pytest.raises(_core.RLS2Error, match="7 x 39; it should be 7 x 40"):
            model.predict(None, 7, [new[:, :39]], 1)
    assert same_bits(fits[0], fits[1]) and same_bits(fits[0], fits[2])
    with pytest.raises(_core.RLS2Error, match="symmetric"):
        k[0, 1] += 1
        plan_of(table, given=[("k", k)], features=None, kernels="given(k)").fit(1, None)
    for wrong, words in [
        (np.eye(3), "a given matrix is 3 x 3; it should be 40 x 40"),
        ("k", "an array is needed"),
    ]:
        with pytest.raises((_core.RLS2Error, TypeError), match=words):
            plan_of(table, given=[("k", wrong)], features=None, kernels="given(k)")


def test_given_matrices_live_as_long_as_the_fit():
    x, y = problem(40, 3)
    matrix = x @ x.T
    matrix = (matrix + matrix.T) / 2
    before = sys.getrefcount(matrix)
    table = _core.Table("t", 40, None, [], [("y", y)])
    path = plan_of(table, given=[("k", matrix)], features=None, kernels="given(k)").fit(1, None)
    del table
    assert sys.getrefcount(matrix) > before
    with pytest.raises(ValueError, match="resize|referenc"):
        matrix.resize((2, 2))  # a borrowed array stays where it is
    assert np.isfinite(np.asarray(path.predict(0, None, 40, [matrix]))).all()
    del path
    assert sys.getrefcount(matrix) == before


# ---- several outputs, classes, weights ----


def three_classes(n=90):
    x, _ = problem(n, 3, 5)
    labels = np.array(["red", "green", "blue"])[np.digitize(x[:, 0] + 0.2 * x[:, 1], [-0.5, 0.5])]
    return x, labels.tolist()


def test_classes_and_their_decisions():
    x, labels = three_classes()
    table = _core.Table(
        "frame", len(x), x, ["a", "b", "c"], [("colour", labels), ("w", np.ones(len(x)))]
    )
    plan = plan_of(
        table, target="colour", task="auto", row_weights="w", class_weights="balanced",
        features=None, kernels="rbf(1)@each; linear", intercept="none", scaling="fisher",
        lambda_count="6",
    )  # fmt: skip
    data, path = plan.data, plan.fit(2, None)
    assert data.class_labels == ["blue", "green", "red"] == data.output_names and path.outputs == 3
    points = [model.point(o) for model in [path.model(5)] for o in range(3)]
    assert np.isclose(path.point(5).objective, sum(point.objective for point in points))
    assert path.point(5).gap == max(point.gap for point in points)
    scales = [np.asarray(s) for s in path.scales]
    assert len(scales) == 3 and (scales[0] != scales[1]).any()
    model = path.model(5)
    f = np.asarray(model.predict(model.encode(table).x, len(x), [], 1))
    decided = np.asarray(_core.decide(f, 3))
    assert (decided == f.argmax(axis=1)).all() and decided.dtype == np.int64
    assert np.mean([data.class_labels[k] == label for k, label in zip(decided, labels)]) > 0.9
    assert (
        model.is_classification
        and model.weight_column == "w"
        and len(np.asarray(model.weights)) == len(x)
    )


# ---- cross-validation ----


def test_cv_of_listed_folds_is_that_of_fold_numbers():
    table, fold = table_of(*problem()), np.arange(60) % 5
    by_number, listed = (plan_of(table, goal="all", baselines="true") for _ in range(2))
    by_number.split_by(fold)
    parts = [np.flatnonzero(fold == k) for k in range(5)]
    listed.split_into([np.setdiff1d(np.arange(60), part) for part in parts], parts)
    fits = [plan.fit(2, None) for plan in (by_number, listed)]
    a, b = (fit.cv for fit in fits)
    for name in ("lambdas", "cvm", "cvsd", "nzero", "scores"):
        assert same_bits(getattr(a, name), getattr(b, name)), name
    assert (a.min, a.one_se, a.measure, a.rises, a.baselines) == (
        b.min,
        b.one_se,
        "rmse",
        False,
        b.baselines,
    )
    assert np.asarray(a.scores).shape == (8, 5) and np.asarray(a.predictions(2)).shape == (60, 1)
    assert not np.isnan(np.asarray(a.predictions(2))).any() and a.unconverged == 0
    assert (
        len(a.baselines) > 0
        and fits[0].chosen == a.min
        and fits[0].lambdas == np.asarray(a.lambdas).tolist()
    )


def test_a_curve_alone_has_no_path():
    fit = plan_of(table_of(*problem()), goal="curve", kernels="linear").fit(1, None)
    assert fit.lambdas == [] and fit.chosen == fit.cv.min
    for ask in (lambda: fit.scales, lambda: fit.intercept(0, 0), lambda: fit.c(0, 0)):
        with pytest.raises(_core.RLS2Error, match="the fit has no path"):
            ask()
    with pytest.raises(IndexError, match="lambda 0"):
        fit.model(0)


def test_splits_of_every_kind():
    plan = plan_of(table_of(*problem(6)), goal="all", kernels="linear")
    plan.split_by(np.array([0, 1, -1, 0, 1, 0]))
    assert np.asarray(plan.fit(1, None).cv.scores).shape == (8, 2)
    with pytest.raises(
        _core.RLS2Error, match="split 1: row 1 is among the training rows and the validation rows"
    ):
        plan.split_into([np.array([0, 1])], [np.array([1])])
    with pytest.raises(_core.RLS2Error, match="1 lists of training rows and 0"):
        plan.split_into([np.array([0, 1])], [])
    with pytest.raises(TypeError, match="64-bit integers"):
        plan.split_by(np.array([0.0, 1.0]))
    with pytest.raises(_core.RLS2Error, match="rows"):
        plan.split_by(np.array([0, 1]))
    with pytest.raises(_core.RLS2Error, match="cv is 1; it must be at least 2"):
        plan_of(table_of(*problem()), goal="all", folds="1")


# ---- the same bits as the command ----


def columns_of(name):
    """Numbers where all cells of a column are, else texts: a file's columns as an array library
    would have them.
    """
    with open(DATA / name, newline="") as file:
        header, *rows = csv.reader(file)
    columns = []
    for j, title in enumerate(header):
        cells = [row[j] for row in rows]
        try:
            columns.append((title, np.array([float(cell) if cell else np.nan for cell in cells])))
        except ValueError:
            columns.append((title, [cell or None for cell in cells]))
    return len(rows), columns


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("prostate.csv", {"target": "lpsa", "drop": "train", "standardize": "true"}),
        ("servo.csv", {"target": "rise_time", "kernels": "rbf(0.1|1)@all,each"}),
        ("servo.csv", {"target": "motor", "task": "classification", "categorical": "vgain",
                       "kernels": "poly(2); linear@pgain", "class-weights": "balanced"}),
        ("liver.csv", {"target": "drinks", "row-weights": "selector", "center": "true",
                       "kernels": "spline; delta@sgpt"}),
    ],
    ids=["numbers", "texts", "classes", "weights"],
)  # fmt: skip
def test_bits_are_those_of_the_command(tmp_path, name, settings):
    file = tmp_path / "model"
    options = [
        f"--{key}" + ("" if value == "true" else f"={value}") for key, value in settings.items()
    ]
    run("train", DATA / name, *options, "--lambda", "0.05", "-o", file, "--quiet")
    rows, columns = columns_of(name)
    memory = _core.Table(name, rows, None, [], columns)
    theirs = _core.Model.load(file)
    for table in (memory, _core.Table.read(DATA / name)):
        fit = _core.Plan(table, "model", [*settings.items(), ("lambda", "0.05")], [], None).fit(
            2, None
        )
        model = fit.model(fit.chosen)
        for o in range(model.outputs):
            assert same_bits(model.c(o), theirs.c(o))
            assert model.selected(o) == theirs.selected(o) and model.point(o) == theirs.point(o)
        rows_ = model.encode(memory)
        assert same_bits(rows_.x, theirs.encode(memory).x)
        assert same_bits(
            model.predict(rows_.x, rows_.rows, [], 1), theirs.predict(rows_.x, rows_.rows, [], 1)
        )
        assert model.pack() == file.read_bytes()


def test_predictions_are_those_of_the_command(tmp_path):
    file = tmp_path / "model"
    run(
        "train",
        DATA / "prostate.csv",
        "-t",
        "lpsa",
        "--drop",
        "train",
        "--lambda",
        "0.1",
        "-o",
        file,
        "--quiet",
    )
    header, *lines = run("predict", file, DATA / "prostate.csv", "--quiet").split()
    model = _core.Model.load(file)
    rows = model.encode(_core.Table.read(DATA / "prostate.csv"))
    ours = np.asarray(model.predict(rows.x, rows.rows, [], 1))[:, 0]
    assert header == "prediction" and [float(line) for line in lines] == ours.tolist()


# ---- threads and signals ----


def long_problem(stage):
    """Minutes of work for one thread if nobody stops it."""
    n = 700
    settings, lambdas = (
        {"kernels": "rbf(1e-3:1e3:6)@all,each", "gap_tol": "1e-9"},
        np.geomspace(1e-9, 1, 20000),
    )
    goal = {"splits": "curve", "criteria": "all"}.get(stage, "path")
    if stage == "kernels":
        settings, lambdas = (
            {"kernels": "rbf(1e-3:1e3:3000)@all", "rank_tol": "0"},
            np.array([0.1, 1.0]),
        )
    if stage == "criteria":
        settings, lambdas = (
            {"kernels": "rbf(10)@all", "rank_tol": "0", "select": "gcv"},
            np.geomspace(1e-3, 1, 200),
        )
    plan = plan_of(table_of(*problem(n, 6)), goal=goal, lambdas=lambdas, **settings)
    return lambda progress=None, threads=1: plan.fit(threads, progress)


@pytest.mark.parametrize(
    ("stage", "threads"),
    [
        ("kernels", 1),
        ("kernels", 2),
        ("path", 1),
        ("path", 2),
        ("splits", 1),
        ("splits", 2),
        ("criteria", 1),
    ],
)
def test_keyboard_interrupt_stops_a_long_call(stage, threads):
    call, sent = long_problem(stage), []

    def interrupt():
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.7, interrupt)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            call(threads=threads)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    # processor time: others may be using the machine
    assert time.process_time() - sent[0] < 1.0 * threads
    assert len(fitted().lambdas) == 8


def test_keyboard_interrupt_stops_predictions():
    x, y = problem(300, 6)
    plan = plan_of(table_of(x, y), goal="path", kernels="rbf(1)@all", lambdas=np.array([0.1]))
    model = plan.fit(1, None).model(0)
    rows = np.zeros((400_000, 6))
    sent = []

    def interrupt():
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, interrupt)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                model.predict(rows, len(rows), [], 1)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert time.process_time() - sent[0] < 0.5


def test_progress_is_told_at_most_ten_times_a_second():
    told = []

    def progress(*where):
        told.append((time.monotonic(), where))
        return len(told) == 6

    with pytest.raises(_core.RLS2Error, match="cross-validation was stopped") as caught:
        long_problem("splits")(progress)
    assert caught.value.status == 7 and len(told) == 6
    times = [at for at, _ in told]
    assert min(b - a for a, b in zip(times, times[1:])) > 0.05
    stages, done, total, lambda_, gap = zip(*(where for _, where in told))
    assert all(isinstance(s, str) for s in stages) and all(0 <= d <= t for d, t in zip(done, total))


def test_progress_that_stops_a_path_leaves_what_is_finished():
    path = long_problem("path")(
        lambda stage, done, total, lambda_, gap: total == 20000 and done >= 3
    )
    count = len(path.lambdas)
    assert 3 <= count < 20000
    assert path.model(count - 1).point(0).gap < 1e-3
    assert np.asarray(path.predict(0, np.zeros((2, 6)), 2, [])).shape == (2, count)


def test_exception_of_progress_comes_out():
    def progress(*where):
        raise LookupError("enough")

    for stage in ("kernels", "path", "splits"):
        with pytest.raises(LookupError, match="enough"):
            long_problem(stage)(progress)


def test_other_threads_run_during_long_calls():
    """The GIL is free: a thread that looks at the clock all the time is never kept from it for the
    length of the call.
    """
    model = fitted(n=400, kernels="rbf(1e-2:1e2:8)@all", lambdas=np.array([1e-4])).model(0)
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(60000, 4)))
    longest, started, stop = [0.0], threading.Event(), threading.Event()

    def looking():
        last = time.monotonic()
        while not stop.is_set():
            now = time.monotonic()
            longest[0], last = max(longest[0], now - last), now
            started.set()

    thread = threading.Thread(target=looking)
    thread.start()
    try:
        started.wait()
        began = time.monotonic()
        model.predict(x, len(x), [], 1)
        lasted = time.monotonic() - began
    finally:
        stop.set()
        thread.join()
    assert longest[0] < lasted / 2


def test_one_model_used_by_many_threads_says_the_same():
    model = fitted(n=200).model(6)
    parts = [np.random.default_rng(k).normal(size=(500, 4)) for k in range(16)]
    expected = [np.asarray(model.predict(x, 500, [], 1)) for x in parts]
    with ThreadPoolExecutor(4) as pool:
        found = list(
            pool.map(lambda k: np.asarray(model.predict(parts[k], 500, [], 1 + k % 3)), range(16))
        )
        packed = set(pool.map(lambda _: model.pack(), range(8)))
    assert all(same_bits(a, b) for a, b in zip(expected, found)) and len(packed) == 1


def test_fits_of_many_threads_are_those_of_one():
    expected = [np.asarray(fitted(seed=k).c(0, 7)) for k in range(6)]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda k: np.asarray(fitted(seed=k).c(0, 7)), range(6)))
    assert all(same_bits(a, b) for a, b in zip(expected, found))


# ---- memory ----


def resident_bytes():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def everything():
    """A fit with all that is around it, and calls that fail on the way."""
    x, y = problem(50, 3)
    table = table_of(x, y)
    texts = _core.Table(
        "t", 50, None, [], [("c", ["a", "b"] * 25), ("y", y), ("m", [1.0, "x"] * 25)]
    )
    asked = {"kernels": "rbf(1)@each; given(k)", "group": "g=x1,x2", "given": [("k", np.eye(50))]}
    plan = plan_of(table, **asked)
    path = plan.fit(1, lambda *a: None)
    model = _core.Model.unpack(path.model(7).pack())
    rows = model.encode(table)
    for k in (np.eye(50), np.asfortranarray(np.eye(50))):
        model.predict(rows.x, 50, [k], 1), model.variance(0, rows.x, 50, [k], [np.ones(50)])
    (
        path.scales,
        path.weights(0, 3),
        plan.kernel_names,
        plan.notes,
        model.selected(0),
        model.dictionary,
    )
    cv = plan_of(
        texts, goal="all", drop="m", kernels="linear", measure="mae", baselines="true", folds="3"
    )
    cv.split_by(np.arange(50) % 3), cv.fit(1, None).cv.baselines
    for wrong in (
        {"kernels": "rbf("}, {"given": [()]}, {"given": [("k", np.eye(3))]}, {"lambdas": "x"},
        {"group": "g"},
        {"scaling": "x"}, {"scaling": 1}, {"lambdas": np.array([-1.0])}, {"goal": "x"},
    ):  # fmt: skip
        with pytest.raises((_core.RLS2Error, TypeError)):
            plan_of(table, **(asked | wrong))
    with pytest.raises(_core.RLS2Error):
        _core.Model.unpack(b"x" * 100)
    with pytest.raises(TypeError):
        _core.Table("t", 2, None, [], [("a", ["x", "y"]), ("b", ["x", object()])])


@pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="needs /proc")
def test_memory_is_stable_over_many_fits():
    for _ in range(50):
        everything()
    gc.collect()
    before = resident_bytes()
    for _ in range(200):
        everything()
    gc.collect()
    assert resident_bytes() - before < 2 << 20


def test_references_are_given_back():
    x, y = problem(50, 3)
    names, cells = [f"column {j}" for j in range(3)], ["a text", None] * 25
    target, kernels, dropped = "".join(["y", "!"]), "".join(["lin", "ear"]), "".join(["cel", "ls"])
    objects = [x, y, names, cells, names[0], cells[0], target, kernels, dropped]
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(10):
        table = _core.Table("t", 50, x, names, [(target, y), (dropped, cells)])
        with pytest.raises(_core.RLS2Error):
            _core.Table("t", 49, x, names, [("y", y), ("cells", cells)])
        plan_of(table, target=target, drop=dropped, kernels=kernels, lambdas=y * y + 1).fit(
            1, None
        ).model(0)
    del table
    assert [sys.getrefcount(o) for o in objects] == before


@pytest.mark.parametrize(
    "swapped", [np.dtype("f8").newbyteorder(), np.dtype("i8").newbyteorder()], ids=str
)
def test_numbers_of_the_other_byte_order_are_refused(swapped):
    """The estimators turn them round; here their bytes would be other numbers."""
    x, y = problem(10, 4)
    model = fitted().model(0)
    for use in (
        lambda a: _core.Table("t", 10, None, [], [("a", a)]),
        lambda a: model.predict(a.reshape(10, 1).repeat(4, 1), 10, [], 1),
        lambda a: plan_of(table_of(x, y[:10]), goal="all", kernels="linear").split_by(a),
    ):
        with pytest.raises(TypeError, match="are needed, not elements of format '[<>].'"):
            use(y.astype(swapped))


def test_matrices_that_are_nearly_symmetric_count_as_the_mean_with_their_transpose():
    """The library allows for rounding; no answer depends on a triangle, or on the memory order."""
    x, y = problem(30, 3)
    matrix = x @ x.T + np.eye(30)
    matrix[np.tril_indices(30, -1)] *= 1 + 1e-13
    assert (matrix != matrix.T).any()
    by_rows, by_columns, transposed = (
        np.asarray(
            fitted(30, 3, kernels="given(a)", given=[("a", m)], lambdas=np.array([0.1])).c(0, 0)
        ).tolist()
        for m in (matrix.copy("C"), matrix.copy("F"), matrix.T.copy("F"))
    )
    assert by_rows == by_columns == transposed
