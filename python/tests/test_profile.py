"""Profiles of parts of the rows, and statistics made from them: the bits of one process."""

import pickle
import random
from copy import copy
from functools import reduce

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from command import run
from rls2 import Batches, Profile, RLS2ClassifierCV, RLS2RegressorCV, Statistics
from test_batches import FEW, KERNELS, arrays_of, frame_of, problem

pytestmark = pytest.mark.filterwarnings("ignore:.*is the smallest that was tried")


def added(parts):
    """In an order of their own."""
    parts = list(parts)
    random.Random(0).shuffle(parts)
    return reduce(lambda a, b: a + b, parts)


def cut(n):
    """Parts of very different sizes."""
    ends = [0, 1, 2, n // 50, n // 2, n - 1, n]
    return [slice(a, b) for a, b in zip(ends, ends[1:])]


def in_parts(X, y, weights=None, **parameters):
    """What several places would count, together."""
    parts = cut(len(y))
    some = [(X[p], y[p], None if weights is None else weights[p]) for p in parts]
    whole = added(Profile(**parameters).fit(*part) for part in some)
    empty = pickle.loads(pickle.dumps(whole)).statistics()
    assert empty.n_rows_ == 0
    return whole, added(pickle.loads(pickle.dumps(empty)).partial_fit(*part) for part in some)


# ---- the bits of one process ----


@pytest.mark.parametrize("weighted", [False, True])
def test_parts_of_an_array_add_up(weighted):
    x, y = problem()
    weights = 1.0 + np.arange(len(y)) % 3 if weighted else None
    whole, counted = in_parts(x, y, weights, **KERNELS, cv=4)
    assert whole == Profile(**KERNELS, cv=4).fit(x, y, weights)
    assert counted == Statistics(**KERNELS, cv=4).fit(x, y, weights)
    assert whole.n_rows_ == counted.n_rows_ == len(y) and counted.n_folds_ == 4


@pytest.mark.parametrize("target", ["y", "class"])
def test_parts_of_a_frame_add_up(target):
    frame = frame_of()
    frame["code"] = pd.Categorical.from_codes(np.arange(len(frame)) % 3, ["10", "20", "30"])
    frame["level"] = (np.arange(len(frame)) % 4).astype(str)
    X, y = frame.drop(columns=["y", "class"]), frame[target]
    task = "classification" if target == "class" else "regression"
    parameters = {**KERNELS, "task": task, "cv": 3, "random_state": 5}
    whole, counted = in_parts(X, y, **parameters)
    expected = Statistics(**parameters).fit(X, y)
    assert counted == expected
    points = {name: points for name, points, _ in counted._stats.axes}
    assert (points["code"], points["level"]) == (3, 4)
    estimator = RLS2ClassifierCV if target == "class" else RLS2RegressorCV
    models = [estimator(**FEW).fit(s).model_.pack() for s in (counted, expected)]
    assert models[0] == models[1]


def test_times_are_written_alike_in_every_part():
    """Also where all of a part are at midnight, as pandas has dates."""
    random_state = np.random.default_rng(0)
    hours = random_state.integers(0, 2000, size=3000)
    hours[:2] = 24
    frame = pd.DataFrame({"t": pd.Timestamp("2024-01-01") + pd.to_timedelta(hours, unit="h")})
    y = hours % 24 + random_state.normal(size=3000)
    whole, counted = in_parts(frame, y, **KERNELS)
    assert counted == Statistics(**KERNELS).fit(frame, y)
    assert "t.hour" in [name for name, *_ in counted._stats.axes]


def test_parts_are_those_of_the_command(tmp_path):
    """Which names files in its descriptions, where this package has X."""
    x, y = problem()
    for k, part in enumerate(cut(len(y))[2:]):
        np.savez(tmp_path / f"{k}.npz", X=x[part], y=y[part])
    files = sorted(tmp_path.glob("*.npz"))
    for file in files:
        run("stats", file, "--profile", "-o", file.with_suffix(".profile"))
    profiles = [file.with_suffix(".profile") for file in files]
    run("merge", *reversed(profiles), "-o", tmp_path / "all.profile")
    rows = slice(2, len(y))
    ours = Profile().fit(x[rows], y[rows])
    assert arrays_of((tmp_path / "all.profile").read_bytes()) == arrays_of(ours.to_bytes())
    theirs = Profile.load(tmp_path / "all.profile", **KERNELS)
    empty = theirs.statistics()
    run("stats", files[0], "--like", tmp_path / "all.profile", "-o", tmp_path / "a.stats",
        "-k", "rbf(1)@each", "-t", "y")  # fmt: skip
    counted = copy(empty).partial_fit(x[cut(len(y))[2]], y[cut(len(y))[2]])
    assert arrays_of(counted.to_bytes()) == arrays_of((tmp_path / "a.stats").read_bytes())


def test_several_ways_to_the_same_profile(tmp_path):
    x, y = problem()
    whole = Profile(**KERNELS).fit(x, y)
    assert Profile(**KERNELS).fit(Batches([(x[:99], y[:99]), (x[99:], y[99:])])) == whole
    assert Profile(**KERNELS).partial_fit(x[:9], y[:9]).partial_fit(x[9:], y[9:]) == whole
    whole.save(tmp_path / "a.profile")
    read = Profile.load(tmp_path / "a.profile", **KERNELS)
    assert read == whole and read.statistics() == whole.statistics()
    assert Profile.from_bytes(whole.to_bytes(), **KERNELS).statistics() == whole.statistics()
    assert repr(whole) == "<Profile: 3000 rows, 4 columns>"


# ---- what is refused ----


def test_what_does_not_fit_together_is_refused():
    x, y = problem(n=400)
    one = Profile(**KERNELS).fit(x, y)
    before = one.to_bytes()
    with pytest.raises(ValueError, match="column"):
        one.merge(Profile(**KERNELS).fit(x[:, :2], y))
    with pytest.raises(ValueError, match="row 3.*missing"):
        one.partial_fit(x, np.where(np.arange(400) == 2, np.nan, y))
    assert one.to_bytes() == before
    with pytest.raises(ValueError, match="no column 'z'"):
        Profile.from_bytes(before, target="z")
    with pytest.raises(NotFittedError):
        Profile().statistics()
    with pytest.raises(ValueError):
        Profile.from_bytes(before[:-9])
    with pytest.raises(TypeError):
        one + 1


def test_a_part_says_which_of_its_rows_is_wrong():
    frame = frame_of()
    X, y = frame[["number", "colour"]], frame["y"]
    empty = Profile(**KERNELS).fit(X, y).statistics()
    wrong = X[:50].assign(number=["big" if i == 30 else "1" for i in range(50)])
    with pytest.raises(ValueError, match="row 31.*'number'.*big"):
        copy(empty).partial_fit(wrong, y[:50])
