"""Rows that are not in memory: batches, memory-mapped arrays and statistics give the models of the
command, in bounded memory, and say what is wrong with which row of which batch."""

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

import rls2
from command import run
from rls2 import (
    Batches,
    RLS2Classifier,
    RLS2ClassifierCV,
    RLS2Regressor,
    RLS2RegressorCV,
    Statistics,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*is the smallest that was tried")

KERNELS = {"kernels": "rbf(1)@each"}
FEW = {**KERNELS, "alphas": "0.01:10:6"}


def problem(n=3000, p=3, seed=0):
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, p))
    return x, np.sin(2 * x[:, 0]) + x[:, 1] + 0.1 * random.normal(size=n)


def cut(*arrays, size=700):
    """A function that hands out batches of that size."""
    return lambda: (
        tuple(array[i : i + size] for array in arrays) for i in range(0, len(arrays[0]), size)
    )


def frame_of(n=3000, seed=1):
    """Numbers with gaps, texts, a category that is rare, dates; y and a class."""
    random = np.random.default_rng(seed)
    number = random.normal(size=n)
    colour = random.choice(["red", "green", "blue"], size=n, p=[0.5, 0.4, 0.1])
    day = np.datetime64("2024-01-01") + random.integers(0, 700, size=n).astype("timedelta64[D]")
    y = number + (colour == "red") + 0.1 * random.normal(size=n)
    number[::17] = np.nan
    frame = pd.DataFrame({"number": number, "colour": colour, "day": day, "y": y})
    frame["class"] = np.where(y > 1, "high", np.where(y > 0, "middle", "low"))
    return frame


def arrays_of(data: bytes) -> bytes:
    """The bytes of a file behind its description, which names where rows came from."""
    return data[8 + int.from_bytes(data[:8], "little") :]


# ---- the command's bits ----


def test_statistics_of_arrays_are_those_of_the_command(tmp_path):
    x, y = problem()
    np.savez(tmp_path / "a.npz", X=x, y=y)
    run("stats", tmp_path / "a.npz", "-o", tmp_path / "a.stats", "-k", "rbf(1)@each")
    counted = Statistics(**KERNELS).fit(x, y)
    assert arrays_of(counted.to_bytes()) == arrays_of((tmp_path / "a.stats").read_bytes())
    assert Statistics(**KERNELS).fit(Batches(cut(x, y))) == counted
    assert Statistics(**KERNELS, n_jobs=2).fit(Batches(cut(x, y, size=90))) == counted


@pytest.mark.parametrize("case", ["numbers", "classes", "several"])
def test_models_of_statistics_are_those_of_the_command(tmp_path, case):
    frame = frame_of()
    target = {"numbers": "y", "classes": "class", "several": ["y", "number"]}[case]
    inputs = {"numbers": ["number", "colour", "day"], "classes": ["number", "colour"]}
    batches = Batches(
        lambda: (
            frame.loc[i : i + 799, [*inputs.get(case, ["colour", "day"]), *np.atleast_1d(target)]]
            .fillna({"number": 0.0} if case == "several" else {})
            for i in range(0, len(frame), 800)
        ),
        target=target,
    )
    task = "classification" if case == "classes" else "regression"
    counted = Statistics(**KERNELS, task=task, cv=4, random_state=3).fit(batches)
    assert counted.n_rows_ == len(frame) and counted.n_folds_ == 4
    counted.save(tmp_path / "a.stats")
    kernels = ["-k", "rbf(1)@each"]
    run("train", tmp_path / "a.stats", "-o", tmp_path / "a.model", "--lambda", 0.1, *kernels)
    run("train", tmp_path / "a.stats", *kernels, "--lambdas", "0.01:10:6", "--rule", "1se",
        "-o", tmp_path / "b.model")  # fmt: skip
    estimator = RLS2ClassifierCV if case == "classes" else RLS2RegressorCV
    model = estimator(**FEW, rule="1se").fit(Statistics.load(tmp_path / "a.stats"))
    assert model.model_.pack() == estimator(**FEW, rule="1se").fit(counted).model_.pack()
    assert model.model_.pack() == (tmp_path / "b.model").read_bytes()
    one = RLS2Classifier if case == "classes" else RLS2Regressor
    given = one(**KERNELS, alpha=0.1).fit(counted)
    assert given.model_.pack() == (tmp_path / "a.model").read_bytes()
    rows = frame[list(model.feature_names_in_)][:50]
    if case == "classes":
        assert list(model.classes_) == ["high", "low", "middle"]
        assert model.score(rows, frame["class"][:50]) > 0.7
    else:
        assert model.predict(rows).shape == ((50,) if case == "numbers" else (50, 2))


def test_command_learns_from_the_same_frame(tmp_path):
    """Cells are written otherwise in a file, so that folds differ: what is counted does not."""
    frame = frame_of().drop(columns="class")
    frame.to_csv(tmp_path / "a.csv", index=False)
    run("stats", tmp_path / "a.csv", "-t", "y", "--columns", "all", "-o", tmp_path / "a.stats",
        "-k", "rbf(1)@each")  # fmt: skip
    theirs = Statistics.load(tmp_path / "a.stats")
    columns = {name: frame[name].tolist() for name in frame}
    for make in (frame, pl.DataFrame(columns | {"number": frame["number"].to_numpy()})):
        ours = Statistics(**KERNELS).fit(Batches(lambda make=make: [make], target="y"))
        assert (ours.n_rows_, ours.n_left_out_) == (theirs.n_rows_, theirs.n_left_out_)
        assert ours._stats.axes == theirs._stats.axes
        assert ours.feature_names_ == theirs.feature_names_


# ---- the same rows in other ways ----


@pytest.mark.parametrize("kind", ["float64", "float32", "int16", "bool", "frame", "lists"])
def test_batches_of_any_kind_are_their_numbers(kind):
    x, y = problem()
    if kind in ("int16", "bool"):
        x = np.round(3 * x) if kind == "int16" else x > 0
        x = x.astype(kind)
    elif kind == "float32":
        x = x.astype(kind)
    made = {"frame": pd.DataFrame(x), "lists": x.tolist()}.get(kind, x)
    batches = Batches([(made[:1000], list(y[:1000])), (made[1000:], pd.Series(y[1000:]))])
    expected = Statistics(**KERNELS).fit(np.asarray(x, dtype=float), y)
    assert Statistics(**KERNELS).fit(batches) == expected


def test_weights_are_of_the_batch():
    x, y = problem()
    weights = np.arange(len(y)) % 3
    one = Statistics(**KERNELS).fit(x, y, weights)
    assert one.n_left_out_ == 1000 and one.n_rows_ == 2000
    assert Statistics(**KERNELS).fit(Batches(cut(x, y, weights))) == one
    frame = pd.DataFrame(x, columns=["x1", "x2", "x3"]).assign(y=y, weight=weights)
    named = Batches(lambda: [frame[:800], frame[800:]], target="y", sample_weight="weight")
    assert Statistics(**KERNELS).fit(named) == one
    assert Statistics(**KERNELS).fit(x, y, 1.0) != Statistics(**KERNELS).fit(x, y)


def test_fit_of_batches_is_that_of_a_large_array():
    x, y = problem()
    model = RLS2RegressorCV(**FEW, cv=4).fit(Batches(cut(x, y)))
    whole = RLS2RegressorCV(**FEW, cv=4, method="tall", memory="1k").fit(x, y)
    assert whole.model_.pack() == model.model_.pack()
    assert model.model_.rows == 3000 and model.n_features_in_ == 3
    assert model.predict(x[:4]).shape == (4,) and model.model_.is_compact
    # which is not the way of a table that fits in memory, but near it
    near = RLS2RegressorCV(**FEW, cv=4, method="tall").fit(x, y)
    assert np.std(near.predict(x) - model.predict(x)) < 0.02 * np.std(y)


@pytest.mark.parametrize("kind", ["int", "float", "bool", "text", "object", "column"])
def test_labels_are_as_in_y(kind):
    x, y = problem()
    labels = {
        "int": (y > 0) * 3 - 5,
        "float": np.where(y > 1, 10.0, np.where(y > 0, 9.0, -1.0)),
        "bool": y > 0,
        "text": np.where(y > 0, "yes", "no"),
        "object": np.where(y > 0, "yes", "no").astype(object),
        "column": ((y > 0) * 1)[:, None],
    }[kind]
    model = RLS2Classifier(**FEW).fit(Batches(cut(x, labels)))
    expected = np.unique(labels)
    assert model.classes_.dtype == expected.dtype and list(model.classes_) == list(expected)
    assert model.score(x, np.ravel(labels)) > 0.8


def test_memory_mapped_arrays_are_like_others(tmp_path):
    x, y = problem()
    mapped = np.memmap(tmp_path / "x", dtype="f4", mode="w+", shape=x.shape)
    mapped[:] = x
    mapped.flush()
    mapped = np.memmap(tmp_path / "x", dtype="f4", mode="r", shape=x.shape)
    for more in ({}, {"method": "tall", "memory": "1k"}):
        one = RLS2Regressor(**FEW, **more).fit(mapped, y)
        other = RLS2Regressor(**FEW, **more).fit(x.astype("f4"), y)
        assert one.model_.pack() == other.model_.pack()


# ---- memory ----

LIMITED = """
import resource, sys
import numpy as np, rls2
rows, columns = 300_000, 80
x = np.memmap(sys.argv[1], dtype="f4", mode="r", shape=(rows, columns))
y = np.memmap(sys.argv[2], dtype="f4", mode="r", shape=rows)
warm = rls2.RLS2Regressor(kernels="linear", alpha=1.0).fit(np.eye(5), np.arange(5.0))
data = int(open("/proc/self/statm").read().split()[5]) * resource.getpagesize()
limit = data + 120_000_000  # bytes of its own; all numbers as doubles would be 192 MB
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
how = {"alpha": 1.0, "kernels": "linear", "method": sys.argv[3], "memory": "30M"}
model = rls2.RLS2Regressor(**how).fit(x, y)
print(model.model_.rows)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits and files of Linux")
@pytest.mark.parametrize(("method", "fits"), [("tall", True), ("exact", False)])
def test_large_mapped_array_is_never_copied(tmp_path, method, fits):
    random = np.random.default_rng(0)
    column = random.integers(0, 4, size=300_000).astype("f4")
    with open(tmp_path / "x", "wb") as file:
        for i in range(0, 300_000, 10_000):
            block = np.stack([np.roll(column, 7 * j)[i : i + 10_000] for j in range(80)], axis=1)
            file.write(block.tobytes())
    column.tofile(tmp_path / "y")
    arguments = [tmp_path / "x", tmp_path / "y", method]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert (done.returncode == 0) == fits, done.stderr
    assert done.stdout.strip() == "300000" if fits else "MemoryError" in done.stderr


# ---- what is wrong ----


def wrong(place, value):
    """Batches of which the fourth has a wrong cell in its eighth row."""
    x, y = problem()
    weights = np.ones(len(y))
    {"x": x[:, 1], "y": y, "weight": weights}[place][3 * 700 + 7] = value
    return Batches(cut(x, y, weights))


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("x", np.inf, "batch 4: X: row 8: column 'x2': the value is infinite"),
        ("y", np.nan, "batch 4: y: row 8: the value is missing"),
        ("weight", -1.5, "batch 4: sample_weight: row 8: the weight -1.5 is negative"),
        ("weight", np.nan, "batch 4: sample_weight: row 8: the value is missing"),
    ],
)
def test_wrong_cells_are_named(jobs, place, value, words):
    with pytest.raises(ValueError, match=words):
        RLS2Regressor(**FEW, n_jobs=jobs).fit(wrong(place, value))


def test_missing_cells_are_named_where_they_are_errors():
    with pytest.raises(ValueError, match="batch 4: X: row 8: column 'x2': the value is missing"):
        RLS2Regressor(**FEW, missing="error").fit(wrong("x", np.nan))
    assert RLS2Regressor(**FEW).fit(wrong("x", np.nan)).model_.rows == 3000


def test_texts_among_numbers_are_named():
    x, y = problem()
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(y=y)
    later = frame[1500:].astype({"b": object})
    later.iloc[41, 1] = "wet"
    with pytest.raises(ValueError, match=r"batch 2: X: row 42: column 'b': 'wet' is not a number"):
        RLS2Regressor(**FEW).fit(Batches(lambda: [frame[:1500], later], target="y"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda x, y: (x[:, :2], y), "batch 2: X has 2 columns, and 3 before"),
        (lambda x, y: (x, y[:-1]), "batch 2: X has 1500 rows, and y has 1499"),
        (lambda x, y: (x, y, y), "batch 2: there is sample_weight, alone"),
        (lambda x, y: (x, np.stack([y, y], 1)), "batch 2: y has 2 columns, and 1 before"),
        (lambda x, y: (x[0], y), "batch 2: X has 1 dimension"),
        (lambda x, y: x, "batch 2 should be a pair"),
        (lambda x, y: pd.DataFrame(x), "batch 2 is a frame: Batches"),
        (lambda x, y: (pd.DataFrame(x, columns=list("abc")), y), "batch 2: X has a column 'a' "),
        (lambda x, y: (x, y.astype("U9") + "a"), "y holds the text"),
        (lambda x, y: (x.astype("M8[s]"), y), "batch 2: X holds datetime64"),
    ],
)
def test_batches_that_do_not_belong_together(change, words):
    x, y = problem()
    with pytest.raises((ValueError, TypeError), match=words):
        RLS2Regressor(**FEW).fit(Batches([(x[:1500], y[:1500]), change(x[1500:], y[1500:])]))


def test_labels_that_do_not_belong_together():
    x, y = problem()
    sign = np.sign(y)
    with pytest.raises(ValueError, match="batch 2: y: row 1: labels are texts, and were numbers"):
        RLS2Classifier(**FEW).fit(Batches([(x[:9], sign[:9]), (x[9:], sign[9:].astype("U"))]))
    with pytest.raises(ValueError, match="batch 2: y: row 3: .* is continuous"):
        sign[11] = 0.25
        RLS2Classifier(**FEW).fit(Batches([(x[:9], sign[:9]), (x[9:], sign[9:])]))


def test_what_can_be_read_once_says_what_to_do():
    x, y = problem()
    for once in (iter([(x, y)]), cut(x, y)(), map(tuple, [(x, y)])):
        with pytest.raises(TypeError, match="an iterator can be read once: give the function"):
            Batches(once)
        with pytest.raises(TypeError, match=r"given as rls2.Batches\(function\)"):
            RLS2Regressor().fit(once)
    with pytest.raises(TypeError, match=r"given as rls2.Batches\(function\)"):
        RLS2Regressor().fit(cut(x, y))
    begun = iter([(x, y)])
    with pytest.raises(ValueError, match="could be read once only"):
        RLS2Regressor(**FEW).fit(Batches(lambda: begun))
    with pytest.raises(TypeError, match="should return an iterator"):
        RLS2Regressor(**FEW).fit(Batches(lambda: 3))
    with pytest.raises(TypeError, match="come from a function or from an iterable, not from 3"):
        Batches(3)


def test_rows_that_change_between_passes_are_noticed():
    x, y = problem()
    passes = []

    def fewer():
        passes.append(0)
        return [(x, y), (x[len(passes) :], y[len(passes) :])]

    with pytest.raises(ValueError, match="the rows have changed: 5999 rows first, then 5998"):
        RLS2Regressor(**FEW).fit(Batches(fewer))


def test_what_does_not_go_with_batches():
    x, y = problem()
    batches = Batches(cut(x, y))
    with pytest.raises(TypeError, match="batches have their own y"):
        RLS2Regressor().fit(batches, y)
    with pytest.raises(ValueError, match="exact does not go together with rows that are read in"):
        RLS2Regressor(method="exact").fit(batches)
    with pytest.raises(ValueError, match="cv should be a number of folds"):
        RLS2RegressorCV(cv=[(np.arange(9), np.arange(9, 18))]).fit(batches)
    with pytest.raises(ValueError, match="there are no rows"):
        RLS2Regressor().fit(Batches([(x[:0], y[:0])]))
    with pytest.raises(ValueError, match="there are no rows"):
        RLS2Regressor().fit(Batches([]))
    with pytest.raises(TypeError, match="rls2_path learns from rows in memory"):
        rls2.rls2_path(batches, None)
    with pytest.raises(TypeError, match="sparse X cannot be read in pieces"):
        from scipy.sparse import csr_matrix

        RLS2Regressor().fit(Batches([(csr_matrix(x), y)]))
    with pytest.raises(ValueError, match="batch 1 has no column 'z'"):
        RLS2Regressor().fit(Batches([pd.DataFrame(x)], target="z"))


def test_exceptions_of_the_source_are_raised_as_they_are():
    x, y = problem()

    class Broken(Exception):
        pass

    def breaks():
        yield x, y
        raise Broken("no connection")

    for jobs in (1, 2):
        with pytest.raises(Broken, match="no connection"):
            RLS2Regressor(**FEW, n_jobs=jobs).fit(Batches(breaks))


@pytest.mark.parametrize("jobs", [1, 3])
def test_batches_are_made_by_the_thread_that_fits(jobs):
    x, y = problem()
    threads = set()

    def batches():
        threads.add(threading.get_ident())
        yield from cut(x, y)()

    RLS2Regressor(**FEW, n_jobs=jobs).fit(Batches(batches))
    assert threads == {threading.get_ident()}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("idle", [True, False])
def test_interruption_is_heard_in_batches_without_end(jobs, idle):
    x, y = problem()

    def for_ever():
        timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
        timer.start()
        while True:
            if idle:
                threading.Event().wait(60)
            yield x, y

    before = threading.active_count()
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may ignore it
    try:
        with pytest.raises(KeyboardInterrupt):
            RLS2Regressor(**FEW, n_jobs=jobs).fit(Batches(for_ever))
    finally:
        signal.signal(signal.SIGINT, handler)
    assert threading.active_count() <= before + 1  # the timer, which may be ending


@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_go_with_those_who_handed_them_out(jobs):
    """Nobody keeps them: no cycle of objects, no path of an estimator, no exception."""
    x, y = problem()
    wrong_cell = x.copy()
    wrong_cell[2999, 0] = np.inf
    known = [weakref.ref(array) for array in (x, y, wrong_cell)]
    models = []
    gc.collect()
    gc.disable()
    try:
        for rows in (x, wrong_cell):
            try:
                model = RLS2Regressor(kernels="linear", n_alphas=3, n_jobs=jobs)
                models.append(model.fit(Batches([(rows, y)])))
            except ValueError:
                pass
        models.append(Statistics(kernels="linear").fit(x, y))
        del x, y, wrong_cell, rows
        assert all(reference() is None for reference in known)
    finally:
        gc.enable()
    assert len(models) == 2 and models[0].path_.coef.shape == (3, 3)


# ---- statistics ----


def test_statistics_are_bytes_and_nothing_else(tmp_path):
    x, y = problem()
    counted = Statistics(**KERNELS, cv=3).fit(x, y)
    assert repr(counted) == "<Statistics: 3000 rows in 3 parts, 3 columns on 576 knots, target y>"
    again = pickle.loads(pickle.dumps(counted))
    assert again == counted and again.cv == 3 and not counted != again
    counted.save(tmp_path / "a.stats")
    loaded = Statistics.load(tmp_path / "a.stats")
    assert loaded == counted == Statistics.from_bytes(memoryview(counted.to_bytes()))
    assert loaded.to_bytes() == (tmp_path / "a.stats").read_bytes()
    assert (loaded.feature_names_, loaded.target_names_) == (["x1", "x2", "x3"], ["y"])
    assert loaded.class_labels_ == [] and loaded.n_left_out_ == 0
    with pytest.raises(TypeError):
        hash(loaded)
    assert counted != 3
    empty = Statistics()
    assert repr(empty) == "<Statistics: no rows yet>" and empty == empty and empty != Statistics()
    for look in (lambda: empty.n_rows_, empty.to_bytes, lambda: RLS2Regressor().fit(empty)):
        with pytest.raises(NotFittedError, match="of no rows yet"):
            look()
    with pytest.raises(FileNotFoundError):
        Statistics.load(tmp_path / "none")
    with pytest.raises(rls2.RLS2Error):
        Statistics.from_bytes(counted.to_bytes()[:-7])


def test_further_rows_are_counted_as_the_command_does(tmp_path):
    x, y = problem(4000)
    parts = [slice(0, 1500), slice(1500, 3100), slice(3100, 4000)]
    files = [tmp_path / f"{k}.stats" for k in range(3)]
    for k, rows in enumerate(parts):
        np.savez(tmp_path / f"{k}.npz", X=x[rows], y=y[rows])
        how = ["-k", "rbf(1)@each"] if k == 0 else ["--like", files[0]]
        run("stats", tmp_path / f"{k}.npz", "-o", files[k], *how)
    run("merge", *files, "-o", tmp_path / "all.stats")
    counted = Statistics(**KERNELS)
    for rows in parts:
        assert counted.partial_fit(x[rows], y[rows]) is counted
    assert arrays_of(counted.to_bytes()) == arrays_of((tmp_path / "all.stats").read_bytes())
    # on several threads, in other batches, in another order, added up
    like = Statistics(**KERNELS).fit(x[parts[0]], y[parts[0]]).clear()
    assert like.n_rows_ == 0 and like.n_folds_ == 10
    shards = [pickle.loads(pickle.dumps(like)) for _ in range(2)]
    shards[0].partial_fit(Batches(cut(x[3000:], y[3000:], size=333)))
    shards[1].n_jobs = 2
    shards[1].partial_fit(Batches(cut(x[:3000], y[:3000], size=100)))
    assert shards[0] + shards[1] == counted == shards[1] + shards[0]
    loaded = Statistics.load(files[0]).partial_fit(x[1500:], y[1500:])
    assert arrays_of(loaded.to_bytes()) == arrays_of(counted.to_bytes())


def test_further_rows_of_frames_with_classes_and_weights():
    frame = frame_of().assign(w=lambda f: 1.0 + (f.index % 3))
    inputs = ["number", "colour", "day"]
    counted = Statistics(**KERNELS, task="classification")
    counted.partial_fit(frame[inputs][:2000], frame["class"][:2000], frame["w"][:2000])
    later = frame[2000:].assign(extra=1)[["extra", *inputs, "class", "w"]]
    counted.partial_fit(later.drop(columns=["class", "w"]), later["class"], later["w"])
    assert counted.n_rows_ == 3000 and counted.class_labels_ == ["high", "low", "middle"]
    assert counted.feature_names_ == inputs and counted._stats.weight == "w"
    before = counted.to_bytes()
    last = frame[2990:]
    for X, y, w, words in (
        (last[inputs[:2]], last["class"], last["w"], "X has no column 'day'"),
        (last[inputs], last["class"], None, "there is no sample_weight, and others have"),
        (last[inputs], ["low"] * 9 + ["none"], last["w"], "y: row 10: 'none' was not among"),
        (last[inputs], last["class"], last["w"] * 1e9, "row 1: the weight"),
        (last[inputs].assign(number="a"), last["class"], last["w"], "row 1: column 'number': 'a'"),
    ):
        with pytest.raises(ValueError, match=words):
            counted.partial_fit(X, y, w)
        assert counted.to_bytes() == before
    unseen = last[inputs].assign(colour="violet")
    assert counted.partial_fit(unseen, last["class"], last["w"]).n_rows_ == 3010


def test_rows_are_taken_off_again():
    x, y = problem(4000)
    counted = Statistics(**KERNELS).fit(x[:3000], y[:3000])
    more = pickle.loads(pickle.dumps(counted)).partial_fit(x[3000:], y[3000:])
    last = pickle.loads(pickle.dumps(counted)).clear().partial_fit(x[3000:], y[3000:])
    assert more - last == counted and more.n_rows_ == 4000
    with pytest.raises(rls2.RLS2Error):
        counted - last
    assert counted.n_rows_ == 3000
    more -= last
    assert more == counted


def test_further_rows_are_counted_all_or_none():
    x, y = problem()
    counted = Statistics(**KERNELS).fit(x, y)
    before = counted.to_bytes()
    with pytest.raises(ValueError, match="batch 4: X: row 8: column 'x2': the value is infinite"):
        counted.partial_fit(Batches([batch[:2] for batch in wrong("x", np.inf)]))
    far = y.copy()
    far[2345] = 1e30
    with pytest.raises(ValueError, match="batch 4: y: row 246: 1e.30 lies far beyond"):
        counted.partial_fit(Batches(cut(x, far)))
    with pytest.raises(ValueError, match="X has 2 columns, and 3 before"):
        counted.partial_fit(x[:, :2], y)
    with pytest.raises(ValueError, match="y has 2 columns, and 1 before"):
        counted.partial_fit(x, np.stack([y, y], axis=1))
    with pytest.raises(ValueError, match="there is sample_weight, alone"):
        counted.partial_fit(x, y, y)
    assert counted.to_bytes() == before
    once = iter([(x, y), (x, y)])
    assert counted.partial_fit(Batches(lambda: once)).n_rows_ == 9000  # one pass is enough


@pytest.mark.parametrize("case", ["numbers", "classes", "frame"])
def test_rows_in_several_places_are_counted_as_in_one(case):
    """Whatever each place knows: of the frame a category that is in one of them alone."""
    x, y = problem()
    how = dict(KERNELS, cv=4, task="classification" if case == "classes" else "regression")
    if case == "frame":
        frame = frame_of()
        frame.loc[2500:, "colour"] = np.where(frame.index[2500:] % 2, "violet", "red")
        x, y = frame[["number", "colour", "day"]], frame["y"]
    elif case == "classes":
        y = np.where(y > 0, "up", "down")
    whole = Statistics(**how).fit(x, y)
    places = [slice(2100, 3000), slice(0, 900), slice(900, 2100)]
    profiles = [rls2.Profile(**how).partial_fit(x[rows], y[rows]) for rows in places]
    assert [profile.n_rows_ for profile in profiles] == [900, 900, 1200]
    profiles = [pickle.loads(pickle.dumps(profile)) for profile in profiles]
    profile = profiles[0] + profiles[1]
    profile += profiles[2]
    assert profile == rls2.Profile(**how).partial_fit(x, y)
    assert profile == rls2.Profile(**how).partial_fit(Batches(cut(x, y, size=777)))
    assert repr(profile).startswith("<Profile: 3000 rows, ") and profiles[0].n_rows_ == 900
    empty = profile.statistics()
    assert empty.n_rows_ == 0 and empty.n_folds_ == 4
    counted = [pickle.loads(pickle.dumps(empty)).partial_fit(x[rows], y[rows]) for rows in places]
    assert counted[0] + counted[1] + counted[2] == whole
    assert counted[2] + counted[0] + counted[1] == whole


def test_profiles_say_what_is_wrong():
    x, y = problem()
    profile = rls2.Profile(**KERNELS)
    for look in (lambda: profile.n_rows_, profile.statistics, lambda: profile + profile):
        with pytest.raises(NotFittedError, match="of no rows yet"):
            look()
    profile.partial_fit(x, y)
    with pytest.raises(ValueError, match="X has 2 columns, and 3 before"):
        profile.partial_fit(x[:, :2], y)
    with pytest.raises(ValueError, match="y: row 8: the value is missing"):
        profile.partial_fit(x[:20], np.where(np.arange(20) == 7, np.nan, y[:20]))
    assert profile.n_rows_ == 3000
    with pytest.raises(ValueError):
        profile.merge(rls2.Profile(**KERNELS).partial_fit(x[:, :2], y))
    assert profile.n_rows_ == 3000 and profile != 3 and profile != rls2.Profile()
    assert (profile + profile).n_rows_ == 6000
    with pytest.raises(TypeError):
        profile + 3


def test_sums_of_statistics():
    x, y = problem()
    counted = Statistics(**KERNELS).fit(x, y)
    twice = counted + counted
    assert twice.n_rows_ == 6000 and counted.n_rows_ == 3000
    added = pickle.loads(pickle.dumps(counted))
    added += counted
    assert added == twice
    other = Statistics(**KERNELS).fit(x[:2000], y[:2000])
    with pytest.raises(rls2.RLS2Error):
        other.merge(counted)
    assert other.n_rows_ == 2000
    with pytest.raises(TypeError):
        counted + 3


def test_estimators_say_what_statistics_they_take():
    x, y = problem()
    counted = Statistics(**KERNELS, cv=5).fit(x, y)
    with pytest.raises(ValueError, match="learns classes, and the statistics are of a y of numb"):
        RLS2Classifier(**FEW).fit(counted)
    with pytest.raises(TypeError, match="statistics have counted y"):
        RLS2Regressor(**FEW).fit(counted, y)
    with pytest.raises(ValueError, match="missing does not go together with statistics"):
        RLS2Regressor(**FEW, missing="drop").fit(counted)
    with pytest.raises(ValueError, match="the statistics have 5 folds"):
        RLS2RegressorCV(**FEW, cv=4).fit(counted)
    with pytest.raises(ValueError, match="cv should be None"):
        RLS2RegressorCV(**FEW, cv=np.arange(3000) % 5).fit(counted)
    with pytest.raises(ValueError, match="cv=.* should be a number of folds"):
        Statistics(cv=[1, 2]).fit(x, y)
    with pytest.raises(ValueError, match="learns numbers: for classes"):
        Statistics().fit(x, np.where(y > 0, "a", "b"))
    model = RLS2RegressorCV(**FEW, cv=5, rule="1se").fit(counted)
    assert model.alpha_ == model.alpha_1se_ and len(model.alphas_) == 6


def test_statistics_do_not_change_by_being_learned_from():
    x, y = problem()
    counted = Statistics(kernels="linear").fit(x, y)
    before = counted.to_bytes()
    model = RLS2Regressor(kernels="linear", n_alphas=4).fit(counted)
    assert counted.to_bytes() == before
    counted += Statistics.from_bytes(before)
    assert model.path_.coef.shape == (4, 3)  # made of what was learned from, not of what is there
    assert np.allclose(model.predict(x), y, atol=2)
