"""Engines: partitions of dask and of Spark give the statistics of one process, to the bit, whatever
their sizes, and whatever is killed. Clusters and Spark are for `make engines-check`."""

import os
import random
import signal
import sys
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

from command import run
from rls2 import Profile, RLS2ClassifierCV, RLS2RegressorCV, Statistics
from test_batches import FEW, KERNELS, arrays_of, frame_of, problem

pytestmark = pytest.mark.filterwarnings("ignore:.*is the smallest that was tried")

ROWS = {**KERNELS, "cv": 3}
SIZES = [0, 1, 0, 2, 700, 1297, 1000, 0]
CLUSTERS = os.environ.get("RLS2_ENGINES") == "1"


def engine(name, module):
    """rls2's module for it; the test is skipped where the engine is not installed."""
    pytest.importorskip(name, reason=f"{name} is not installed: it is not tested")
    return import_module(module)


def clusters():
    if not CLUSTERS:
        pytest.skip("clusters of several processes are for 'make engines-check'")


def whole():
    frame = frame_of().drop(columns="class")
    frame["day"] = frame["day"].dt.strftime("%Y-%m-%d")
    return frame


def known(frame):
    return Statistics(**ROWS).fit(frame.drop(columns="y"), frame["y"])


def parts_of(frame):
    """Skewed, and some of them empty."""
    ends = np.cumsum([0, *SIZES])
    assert ends[-1] == len(frame)
    return [frame[a:b] for a, b in zip(ends, ends[1:])]


def dying(frame, folder, visit):
    """The process that comes here with many rows for that time is killed. There are two parts of
    many rows, so that the third visit is one of the second pass."""
    if len(frame) <= 900:
        return frame
    os.makedirs(folder, exist_ok=True)
    for k in range(1, 99):
        try:
            os.close(os.open(os.path.join(folder, str(k)), os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        if k == visit:
            os.kill(os.getpid(), signal.SIGKILL)
        return frame
    return frame


# ---- dask ----


def dask_frame(parts):
    dd = pytest.importorskip("dask.dataframe", reason="dask's frames are not installed")
    meta = parts[-2][:0]
    return dd.from_map(lambda part: part, parts, meta=meta)


@pytest.fixture
def threads():
    dask = pytest.importorskip("dask", reason="dask is not installed: it is not tested")
    with dask.config.set({"scheduler": "threads", "dataframe.convert-string": False}):
        yield engine("dask", "rls2.dask")


def test_frames_of_dask(threads):
    frame = whole()
    rows = dask_frame(parts_of(frame))
    counted = threads.statistics(rows, target="y", **ROWS)
    assert counted == known(frame)
    expected = RLS2RegressorCV(**FEW).fit(counted)
    model = threads.fit(RLS2RegressorCV(**FEW, cv=3, missing="auto"), rows, target="y")
    assert model.model_.pack() == expected.model_.pack() and model.cv == 3
    found = threads.predict(model, rows)
    assert np.array_equal(found.compute(), model.predict(frame.drop(columns="y")))
    beside = threads.statistics(rows[["number", "colour", "day"]], rows["y"], **ROWS)
    assert beside == counted


def test_classes_of_dask():
    rls2_dask = engine("dask", "rls2.dask")
    frame = frame_of()[["number", "colour", "class"]]
    rows = dask_frame(parts_of(frame))
    model = rls2_dask.fit(RLS2ClassifierCV(**FEW, cv=3), rows, target="class")
    assert list(model.classes_) == ["high", "low", "middle"]
    found = rls2_dask.predict(model, rows).compute()
    assert np.array_equal(found, model.predict(frame[["number", "colour"]]))


def test_arrays_of_dask(threads):
    da = pytest.importorskip("dask.array", reason="dask's arrays are not installed")
    x, y = problem()
    weights = 1.0 + np.arange(len(y)) % 3
    X, Y = da.from_array(x, chunks=(700, 3)), da.from_array(y, chunks=700)
    counted = threads.statistics(X, Y, sample_weight=da.from_array(weights, chunks=700), **ROWS)
    assert counted == Statistics(**ROWS).fit(x, y, weights)
    model = threads.fit(RLS2RegressorCV(**FEW), X, Y)
    assert np.array_equal(threads.predict(model, X).compute(), model.predict(x))
    with pytest.raises(ValueError, match="3 chunks"):
        threads.statistics(X.rechunk((700, 1)), Y)


def test_wrong_cells_of_dask_are_named(threads):
    parts = parts_of(whole())
    parts[5] = parts[5].astype({"number": object}).copy()
    parts[5].iloc[16, 0] = "abc"
    with pytest.raises(ValueError, match=r"^partition 5: X: row 17: column 'number': 'abc' is"):
        threads.statistics(dask_frame(parts), target="y", **ROWS)
    parts = parts_of(whole())
    parts[4] = parts[4].assign(y=np.where(np.arange(700) == 8, np.inf, parts[4]["y"]))
    with pytest.raises(ValueError, match=r"^partition 4: y: row 9: the value is infinite"):
        threads.statistics(dask_frame(parts), target="y", **ROWS)
    with pytest.raises(ValueError, match="no rows"):
        threads.statistics(dask_frame([part[:0] for part in parts]), target="y")
    with pytest.raises(ValueError, match="no column 'z'"):
        threads.statistics(dask_frame(parts), target="z")
    with pytest.raises(TypeError, match="either y or target"):
        threads.statistics(dask_frame(parts))


def test_a_killed_worker_of_dask_changes_nothing(tmp_path):
    clusters()
    rls2_dask, distributed = engine("dask", "rls2.dask"), pytest.importorskip("distributed")
    frame = whole()
    cluster = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with distributed.LocalCluster(**cluster, dashboard_address=None) as made:
        with distributed.Client(made):
            rows = dask_frame(parts_of(frame))
            assert rls2_dask.statistics(rows, target="y", **ROWS) == known(frame)
            for visit in (1, 3):  # while rows are looked at, and while they are counted
                folder = tmp_path / str(visit)
                mortal = rows.map_partitions(dying, str(folder), visit, meta=rows._meta)
                assert rls2_dask.statistics(mortal, target="y", **ROWS) == known(frame)
                assert len(list(folder.iterdir())) > 4  # some were visited again


# ---- Spark ----


@pytest.fixture(scope="module")
def spark():
    clusters()
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed: it is not tested")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    master = os.environ.get("RLS2_SPARK_MASTER", "local-cluster[2,1,1024]")
    made = sql.SparkSession.builder.master(master).appName("rls2")
    settings = {"spark.ui.enabled": "false", "spark.executor.memory": "1g",
                "spark.sql.execution.arrow.maxRecordsPerBatch": "500",
                "spark.task.maxFailures": "4",
                "spark.executorEnv.PYTHONPATH": os.path.dirname(__file__)}  # fmt: skip
    for name, value in settings.items():
        made = made.config(name, value)
    session = made.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def spark_frame(session, parts):
    """With exactly these partitions."""
    rows = session.createDataFrame(whole()[:10])
    listed = [part.to_dict("records") for part in parts]
    row = import_module("pyspark.sql").Row
    spread = session.sparkContext.parallelize(range(len(parts)), len(parts))
    made = spread.flatMap(lambda k: [row(**one) for one in listed[k]])
    return session.createDataFrame(made, rows.schema)


def test_frames_of_spark(spark):
    rls2_spark = engine("pyspark", "rls2.spark")
    frame = whole()
    rows = spark_frame(spark, parts_of(frame))
    assert rows.rdd.getNumPartitions() == len(SIZES)
    counted = rls2_spark.statistics(rows, "y", **ROWS)
    assert counted == known(frame)
    model = rls2_spark.fit(RLS2RegressorCV(**FEW, cv=3), rows.repartition(3), "y")
    assert model.model_.pack() == RLS2RegressorCV(**FEW).fit(counted).model_.pack()
    found = rls2_spark.transform(model, rows).toPandas()
    assert np.array_equal(found["prediction"], model.predict(found[["number", "colour", "day"]]))


def test_wrong_cells_of_spark_are_named(spark):
    rls2_spark = engine("pyspark", "rls2.spark")
    parts = parts_of(whole())
    parts[5] = parts[5].assign(y=np.where(np.arange(1297) == 700, np.inf, parts[5]["y"]))
    with pytest.raises(ValueError, match=r"^partition 5: .*row 701.*'y'.*infinite"):
        rls2_spark.statistics(spark_frame(spark, parts), "y", **ROWS)
    with pytest.raises(ValueError, match="no column 'z'"):
        rls2_spark.statistics(spark_frame(spark, parts), "z", **ROWS)


def test_a_killed_worker_of_spark_changes_nothing(spark, tmp_path):
    rls2_spark = engine("pyspark", "rls2.spark")
    frame, flag = whole(), str(tmp_path / "once")
    rows = spark_frame(spark, parts_of(frame))

    def mortal(batches):
        yield from (dying(batch, flag) if batch.num_rows > 1 else batch for batch in batches)

    def dying(batch, flag):
        try:
            os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return batch
        os.kill(os.getpid(), signal.SIGKILL)

    assert rls2_spark.statistics(rows.mapInArrow(mortal, rows.schema), "y", **ROWS) == known(frame)
    assert os.path.exists(flag)


# ---- the command ----


def test_shards_of_the_command_in_any_order(tmp_path):
    clusters()
    x, y = problem()
    ends = [0, 1, 40, 2000, 3000]
    for k, (a, b) in enumerate(zip(ends, ends[1:])):
        np.savez(tmp_path / f"{k}.npz", X=x[a:b], y=y[a:b])
    files = sorted(tmp_path.glob("*.npz"))
    random.Random(1).shuffle(files)
    options = ["-k", "rbf(1)@each", "--folds", 3]
    for file in files:
        run("stats", file, "--profile", "-o", file.with_suffix(".profile"))
    run("merge", *(f.with_suffix(".profile") for f in files), "-o", tmp_path / "all.profile")
    for file in files:
        run("stats", file, "--like", tmp_path / "all.profile", "-o", file.with_suffix(".stats"),
            *options)  # fmt: skip
    random.Random(2).shuffle(files)
    run("merge", *(f.with_suffix(".stats") for f in files), "-o", tmp_path / "all.stats")
    ours = Statistics(**ROWS).fit(x, y)
    assert arrays_of((tmp_path / "all.stats").read_bytes()) == arrays_of(ours.to_bytes())
    read = Profile.load(tmp_path / "all.profile", **ROWS)
    frames = [pd.DataFrame(x, columns=["x1", "x2", "x3"])[a:b] for a, b in zip(ends, ends[1:])]
    counted = read.statistics()
    for rows, (a, b) in zip(frames, zip(ends, ends[1:])):
        counted.partial_fit(rows, y[a:b])
    assert arrays_of(counted.to_bytes()) == arrays_of(ours.to_bytes())
