#!/usr/bin/env python3
"""One worker beside two, on each engine: seconds to count the same rows, and their ratio.

    bench-engines.py [--rows N] [--columns N] [--shards N] [--repeats N] [--only NAME]...
                     [--command FILE] [--mpi FILE]

Run by the interpreter of build/engines-venv, which `make engines-check` makes. Rows are made once,
the same for every run: columns uniform in [0, 1], a sum of functions of three of them as y, in
shards (CSV for the command, Parquet for dask and Spark) in build/bench-engines. Counted is what
`rls2 stats SHARD...` counts, with kernels on each column: two passes, and what is decided between
them. A worker has one thread and, with all the processes it consists of, one core: else Arrow's
readers, and the JVM beside its Python, would give one worker the cores of two. It, and where there
is one its cluster, is started before the clock is. Seconds are the least of --repeats (3); rows are
all of those, whatever the number of workers. Other programs on the machine disturb them: the load
before the run is told. Processor seconds are less disturbed: those of the busiest worker, and of
what only one process does between the passes. Of mpirun they contain what a process waits for the
others, as it does not sleep; of Spark they are not known.

    loop       profiles and statistics of shards by so many commands at a time, and two mergers
    mpirun     the same by processes of mpirun (--mpi: an rls2 that was built with it)
    dask       a LocalCluster of so many processes
    spark      local-cluster: so many executors
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "bench-engines"
KERNELS = "poly(1..3)@each; rbf(1e-3:1e3:10)@each"
WAYS = ["loop", "mpirun", "dask", "spark"]


# ---- rows ----


def make_shards(rows, columns, shards):
    import numpy as np
    import pandas as pd

    folder = FOLDER / f"{rows}x{columns}x{shards}"
    if (folder / "done").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for k in range(shards):
        rng = np.random.default_rng(k)
        x = rng.random((rows // shards, columns)).round(4)
        y = np.sin(6 * x[:, 0]) + x[:, 1] ** 2 + x[:, 2] + rng.normal(size=len(x)).round(4)
        frame = pd.DataFrame(x, columns=[f"x{j + 1}" for j in range(columns)]).assign(y=y)
        frame.to_csv(folder / f"{k:02}.csv", index=False)
        frame.to_parquet(folder / f"{k:02}.parquet", index=False)
    (folder / "done").touch()
    return folder


# ---- ways: each gives a call that counts all rows, and one that ends the workers ----


def nothing():
    pass


def give_cores(workers):
    """A core of its own for each worker: all threads of its process and of those below it."""
    cores = sorted(os.sched_getaffinity(0))
    for k, worker in enumerate(workers):
        for process in (worker, *worker.children(recursive=True)):
            for thread in process.threads():
                try:
                    os.sched_setaffinity(thread.id, {cores[k % len(cores)]})
                except ProcessLookupError:  # it has ended since
                    pass


def of_loop(folder, workers, options):
    made = folder / "made"
    shards = sorted(folder.glob("*.csv"))

    def rls2(*arguments):
        """Its processor seconds."""
        words = [options.command, *map(str, arguments), "-q"]
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{words} failed")
        return used.ru_utime + used.ru_stime

    def each(pool, ending, *arguments):
        files = [made / f"{shard.stem}.{ending}" for shard in shards]
        one = ("--threads", 1, *arguments)
        used = list(pool.map(lambda s, f: rls2("stats", s, *one, "-o", f), shards, files))
        busy = [0.0] * workers  # who is free takes the next shard
        for seconds in used:
            busy[busy.index(min(busy))] += seconds
        return max(busy) + rls2("merge", *files, "-o", made / f"all.{ending}")

    def count():
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        with ThreadPoolExecutor(workers) as pool:
            first = each(pool, "profile", "-t", "y", "--profile")
            decided = rls2(
                "stats", made / "all.profile", "-t", "y", "-k", KERNELS, "-o", made / "none"
            )
            return first + decided + each(pool, "stats", "--like", made / "none")

    return count, nothing


def of_mpirun(folder, workers, options):
    shards = sorted(map(str, folder.glob("*.csv")))
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    words = ["-t", "y", "-k", KERNELS, "--threads", "1", "-q", "-o", str(folder / "mpi.stats")]
    made = folder / "made"
    shell = ["bash", "-c", f'"$@" && times >{made}/$$', "bash"]
    run = ["mpirun", "-n", str(workers), *shell, options.mpi, "stats", *shards, *words]

    def seconds_of(file):
        """The second line is of the command: 1m2.345s 0m0.012s"""
        told = [time.rstrip("s").split("m") for time in file.read_text().split("\n")[1].split()]
        return sum(60.0 * float(minutes) + float(seconds) for minutes, seconds in told)

    def count():
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        subprocess.run(run, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **allowed})
        return max(seconds_of(file) for file in made.iterdir())

    return count, nothing


def of_dask(folder, workers, options):
    import dask.dataframe as dd
    import pandas as pd
    import psutil
    from distributed import Client, LocalCluster

    import rls2.dask

    cluster = LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)
    client = Client(cluster)
    rows = dd.from_map(pd.read_parquet, sorted(map(str, folder.glob("*.parquet"))))
    rls2.dask.statistics(rows.partitions[:2], target="y", kernels=KERNELS, n_jobs=1)
    give_cores([psutil.Process(pid) for pid in client.run(os.getpid).values()])

    def clocks():
        return time.process_time(), client.run(time.process_time)

    def count():
        before = clocks()
        rls2.dask.statistics(rows, target="y", kernels=KERNELS, n_jobs=1)
        after = clocks()
        return after[0] - before[0] + max(after[1][k] - before[1][k] for k in after[1])

    def end():
        client.close()
        cluster.close()

    return count, end


def of_spark(folder, workers, options):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    import psutil
    from pyspark.sql import SparkSession

    import rls2.spark

    made = SparkSession.builder.master(f"local-cluster[{workers},1,2048]").appName("rls2")
    for name, value in {"spark.ui.enabled": "false", "spark.executor.memory": "2g",
                        "spark.driver.memory": "2g",
                        "spark.sql.files.openCostInBytes": str(1 << 30)}.items():  # fmt: skip
        made = made.config(name, value)
    session = made.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    rows = session.read.parquet(*sorted(map(str, folder.glob("*.parquet"))))
    few = session.read.parquet(*sorted(map(str, folder.glob("*.parquet")))[:2])
    rls2.spark.statistics(few, "y", kernels=KERNELS, n_jobs=1)

    def is_executor(process):
        try:
            return any("CoarseGrainedExecutor" in word for word in process.cmdline())
        except psutil.Error:  # it has ended
            return False

    executors = [one for one in psutil.Process().children(recursive=True) if is_executor(one)]
    if len(executors) != workers:
        raise SystemExit(f"{len(executors)} executors of Spark where {workers} are asked for")
    give_cores(executors)

    def count():
        rls2.spark.statistics(rows, "y", kernels=KERNELS, n_jobs=1)
        return float("nan")

    return count, session.stop


# ---- times ----


def seconds(way, folder, workers, options):
    """A process of its own for each cluster: what the last one left behind is not measured."""
    words = [sys.executable, __file__, "--measure", way, "--workers", str(workers),
             "--rows", str(options.rows), "--columns", str(options.columns),
             "--shards", str(options.shards), "--repeats", str(options.repeats),
             "--command", options.command, "--mpi", options.mpi]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{way}, {workers} workers:\n{done.stderr[-2000:]}")
    return [float(word) for word in done.stdout.split()[-2:]]


def measure(way, folder, options):
    count, end = globals()[f"of_{way}"](folder, options.workers, options)
    times, used = [], []
    for _ in range(options.repeats):
        start = time.perf_counter()
        used.append(count())
        times.append(time.perf_counter() - start)
    end()
    print(min(times), min(used))


def asked():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=lambda text: int(float(text)), default=4_000_000)
    parser.add_argument("--columns", type=int, default=20)
    parser.add_argument("--shards", type=int, default=16)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", action="append", choices=WAYS)
    parser.add_argument("--command", default=str(ROOT / "build" / "rls2"))
    parser.add_argument("--mpi", default=str(ROOT / "build" / "mpi-openmpi" / "rls2"))
    parser.add_argument("--measure", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=1, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = asked()
    folder = make_shards(options.rows, options.columns, options.shards)
    if options.measure:
        measure(options.measure, folder, options)
        return
    load = os.getloadavg()[0]
    print(f"{options.rows} rows x {options.columns} columns in {options.shards} shards, "
          f"{os.cpu_count()} cores, load {load:.1f} before\n")  # fmt: skip
    print("| engine | 1 worker, s | 2, s | ratio | processor: 1, s | 2, s | ratio |")
    print("|---|---|---|---|---|---|---|")
    for way in options.only or WAYS:
        one, two = (seconds(way, folder, workers, options) for workers in (1, 2))
        pairs = [f"{a:.1f} | {b:.1f} | {a / b:.2f}" for a, b in zip(one, two)]
        print(f"| {way} | {pairs[0]} | {pairs[1]} |", flush=True)


if __name__ == "__main__":
    main()
