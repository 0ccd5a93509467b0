"""Engines: partitions of dask and of Spark, processes of mpirun and shards of the command give the
statistics of one process, to the bit, whatever their sizes, and whatever is killed. Fits of small
tables run on joblib's backends. Clusters, Spark and MPI are for `make engines-check`."""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.model_selection import RepeatedKFold, cross_val_score
from sklearn.multioutput import MultiOutputRegressor

from command import ROOT, run
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


@contextmanager
def cluster_of_dask():
    """Of two processes."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed")
    size = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with distributed.LocalCluster(**size, dashboard_address=None) as made:
        with distributed.Client(made) as client:
            yield client


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
    rls2_dask = engine("dask", "rls2.dask")
    frame = whole()
    with cluster_of_dask():
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


def test_statistics_that_spark_cannot_move_are_refused(monkeypatch):
    rls2_spark = engine("pyspark", "rls2.spark")
    x, y = problem()
    empty = Statistics(**ROWS).fit(x, y).clear()
    rls2_spark._check_size(empty)
    monkeypatch.setattr(rls2_spark, "_MOST", 1000)
    with pytest.raises(ValueError, match=r"take 0\.0 GB.*a smaller cv"):
        rls2_spark._check_size(empty)


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


ENDS = [0, 1, 40, 40, 2000, 3000]  # skewed, and one of them empty
COUNTED = ["-k", "rbf(1)@each", "--folds", "3"]


def shards(folder, seed):
    """Of the rows of `problem`, in any order."""
    x, y = problem()
    for k, (a, b) in enumerate(zip(ENDS, ENDS[1:])):
        frame_of_numbers(x, y)[a:b].to_csv(folder / f"{k}.csv", index=False)
    files = sorted(folder.glob("?.csv"))
    random.Random(seed).shuffle(files)
    return files


def frame_of_numbers(x, y):
    return pd.DataFrame(x, columns=["x1", "x2", "x3"]).assign(y=y)


def counted_in_shards(folder):
    """Profiles, their sum, statistics of no rows, statistics like these, and their sum."""
    files = shards(folder, 1)
    for file in files:
        run("stats", file, "-t", "y", "--profile", "-o", file.with_suffix(".profile"))
    run("merge", *(f.with_suffix(".profile") for f in files), "-o", folder / "all.profile")
    run("stats", folder / "all.profile", "-t", "y", *COUNTED, "-o", folder / "none")
    for file in files:
        run("stats", file, "--like", folder / "none", "-o", file.with_suffix(".stats"))
    random.Random(2).shuffle(files)
    run("merge", *(f.with_suffix(".stats") for f in files), "-o", folder / "all.stats")
    return folder / "all.stats"


def test_shards_of_the_command_in_any_order(tmp_path):
    files = shards(tmp_path, 1)
    run("stats", *files, "-t", "y", *COUNTED, "-o", tmp_path / "whole.stats")
    sums = counted_in_shards(tmp_path)
    assert sums.read_bytes() == (tmp_path / "whole.stats").read_bytes()


def test_profiles_of_the_command_are_those_of_frames(tmp_path):
    x, y = problem()
    np.savez(tmp_path / "rows.npz", X=x, y=y)
    run("stats", tmp_path / "rows.npz", "--profile", "-o", tmp_path / "all.profile")
    counted = Profile.load(tmp_path / "all.profile", **ROWS).statistics()
    for a, b in zip(ENDS, ENDS[1:]):
        if b > a:
            counted.partial_fit(pd.DataFrame(x[a:b], columns=["x1", "x2", "x3"]), y[a:b])
    assert arrays_of(counted.to_bytes()) == arrays_of(Statistics(**ROWS).fit(x, y).to_bytes())


# ---- MPI ----


class Mpi:
    """An rls2 that was built with Open MPI or MPICH, in build/mpi-NAME."""

    def __init__(self, name):
        self.command = ROOT / "build" / f"mpi-{name}" / "rls2"
        self.mpirun = shutil.which(f"mpirun.{name}")
        if not self.mpirun or not self.command.exists():
            pytest.skip(f"no rls2 with {name}: tools/engines-check.sh builds it")

    def words(self, processes, *words):
        return [self.mpirun, "-n", str(processes), str(self.command), *map(str, words), "-q"]

    def run(self, processes, *words):
        return subprocess.run(self.words(processes, *words), **self.settings())

    def start(self, processes, *words):
        return subprocess.Popen(self.words(processes, *words), stderr=subprocess.DEVNULL,
                                env=self.settings()["env"])  # fmt: skip

    def settings(self):
        as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        many = {"OMPI_MCA_rmaps_base_oversubscribe": "1"}
        return {"env": {**os.environ, **as_root, **many}, "capture_output": True, "text": True}


@pytest.fixture(params=["openmpi", "mpich"])
def mpi(request):
    clusters()
    return Mpi(request.param)


def test_processes_of_mpirun(mpi, tmp_path):
    files = shards(tmp_path, 3)
    run("stats", *files, "-t", "y", *COUNTED, "-o", tmp_path / "one.stats")
    for processes in (1, 2, 3, 7):  # more than there are files
        random.Random(processes).shuffle(files)
        out = tmp_path / f"{processes}.stats"
        done = mpi.run(processes, "stats", *files, "-t", "y", *COUNTED, "-o", out)
        assert done.returncode == 0, done.stderr
        assert out.read_bytes() == (tmp_path / "one.stats").read_bytes()


def test_wrong_cells_of_mpirun_are_named(mpi, tmp_path):
    files = sorted(shards(tmp_path, 1))
    rows = files[3].read_text().splitlines()
    rows[17] = "abc" + rows[17][rows[17].index(",") :]
    files[3].write_text("\n".join(rows) + "\n")
    done = mpi.run(2, "stats", *files, "-t", "y", "-o", tmp_path / "x.stats")
    assert done.returncode != 0 and not (tmp_path / "x.stats").exists()
    assert f"{files[3]}:18: column 'x1': 'abc' is not a number" in done.stderr


def children(process):
    psutil = pytest.importorskip("psutil", reason="psutil is not installed")
    known = psutil.Process(process.pid).children(recursive=True)
    return [one for one in known if one.name() == "rls2"]


def test_a_killed_process_of_mpirun_leaves_nothing(mpi, tmp_path):
    """Nothing is written, and doing it again gives what it would have given."""
    files, out = sorted(shards(tmp_path, 1)), tmp_path / "x.stats"
    os.mkfifo(tmp_path / "slow.csv")  # one of the two waits for its rows
    words = ["-t", "y", *COUNTED, "-o", out]
    started = mpi.start(2, "stats", files[0], tmp_path / "slow.csv", *words)
    for _ in range(200):
        if len(children(started)) == 2:
            break
        time.sleep(0.05)
    time.sleep(0.5)
    children(started)[-1].send_signal(signal.SIGKILL)
    assert started.wait(60) != 0 and not out.exists()
    assert mpi.run(2, "stats", *files, *words).returncode == 0
    run("stats", *files, "-t", "y", *COUNTED, "-o", tmp_path / "one.stats")
    assert out.read_bytes() == (tmp_path / "one.stats").read_bytes()


# ---- all of them ----


def hash_of(statistics):
    """Of the arrays: the description before them names where rows came from."""
    data = statistics if isinstance(statistics, bytes) else statistics.to_bytes()
    return hashlib.sha256(arrays_of(data)).hexdigest()


def test_all_engines_have_the_same_hash(spark, tmp_path):
    rls2_dask, rls2_spark = engine("dask", "rls2.dask"), engine("pyspark", "rls2.spark")
    x, y = problem()
    frame = frame_of_numbers(x, y)
    parts = [frame[a:b] for a, b in zip(ENDS, ENDS[1:])]
    hashes = {"one process": hash_of(known(frame))}
    with cluster_of_dask():
        hashes["dask"] = hash_of(rls2_dask.statistics(dask_frame(parts), target="y", **ROWS))
    counted = rls2_spark.statistics(spark.createDataFrame(frame).repartition(5), "y", **ROWS)
    hashes["spark"] = hash_of(counted)
    for k, part in enumerate(part for part in parts if len(part)):
        np.savez(tmp_path / f"{k}.npz", X=part[["x1", "x2", "x3"]], y=part["y"])
    files = sorted(tmp_path.glob("?.npz"), reverse=True)
    run("stats", *files, *COUNTED, "-o", tmp_path / "command")
    hashes["command"] = hash_of((tmp_path / "command").read_bytes())
    for name in ("openmpi", "mpich"):
        done = Mpi(name).run(2, "stats", *files, *COUNTED, "-o", tmp_path / name)
        assert done.returncode == 0, done.stderr
        hashes[name] = hash_of((tmp_path / name).read_bytes())
    assert len(set(hashes.values())) == 1, hashes


# ---- many fits of small tables: joblib's backends ----


def scores(**where):
    x, y = problem()
    splits = RepeatedKFold(n_splits=3, n_repeats=2, random_state=1)
    return cross_val_score(RLS2RegressorCV(**FEW), x[:150], y[:150], cv=splits, **where)


def outputs(**where):
    x, y = problem()
    targets = np.column_stack([y, np.cos(y), x[:, 0] * y])[:150]
    return MultiOutputRegressor(RLS2RegressorCV(**FEW), **where).fit(x[:150], targets).predict(x)


def check_backend(name, **settings):
    with parallel_config(name, **settings):
        found = scores(n_jobs=2), outputs(n_jobs=2)
    assert np.array_equal(found[0], scores()) and np.array_equal(found[1], outputs())


def test_fits_on_threads_of_joblib():
    check_backend("threading")


def test_fits_on_dask_through_joblib():
    clusters()
    with cluster_of_dask():
        check_backend("dask")


def test_fits_on_spark_through_joblib(spark):
    pytest.importorskip("joblibspark", reason="joblibspark is not installed").register_spark()
    check_backend("spark")


def test_fits_on_ray_through_joblib(monkeypatch):
    clusters()
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    ray = pytest.importorskip("ray", reason="ray is not installed: it is not tested")
    import_module("ray.util.joblib").register_ray()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        check_backend("ray")
    finally:
        ray.shutdown()
