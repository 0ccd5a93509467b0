#!/usr/bin/env python3
"""Errors of rls2 and of other programs on rows held out, over random splits of sixteen real sets.

    bench-accuracy.py [--rls2 FILE] [--before FILE] [--splits N|FIRST-LAST] [--jobs N]
                      [--sets NAME,...] [--methods NAME,...] [--variant NAME[@FILE]=OPTIONS]...
                      [--only-report] [--no-document] [--folder DIR]

Ten sets are those of data/, six come from scikit-learn and from ISLP. Of each 70 % of the rows are
learned from and the others predicted; the splits are the same for all methods, and every choice is
made inside the rows learned from: by five folds, the same for all peers, where a method needs
folds. rls2 is run as a command on raw CSV files and draws its own folds. `before` is the command of
an earlier version. Peers get indicators for texts and standardised columns. One thread each.

Every result is kept under build/accuracy, under a key made of the rows, the method and, for rls2,
the executable and its options: stopped at any moment, the same command goes on from there, and
several may run at once. All of split 0 comes first, then split 1, and so on; --splits 7-19 are
thirteen of the twenty, for a choice that the others have made.

At the end, or at once with --only-report, tables and a picture of what there is go to
docs/ACCURACY.md and docs/accuracy.svg. Installs what it needs in build/accuracy/env.
"""
import argparse
import datetime
import functools
import hashlib
import importlib.util
import io
import json
import os
import pathlib
import platform
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARE = 0.7  # of the rows is learned from
FOLDS = 5
LIMIT = 600  # seconds of a processor for one fit with its choices
PACKAGES = ["pandas", "scikit-learn", "interpret-core", "matplotlib"]
MARKS = ("<!-- bench-accuracy -->", "<!-- end of bench-accuracy -->")
NEAR = 1.03  # of the best: as good
WORSE = 1.02  # of before: not worse

# name: where the rows come from, target, columns left out, classes. Left out are names of rows and
# what is made from the target (data/README.md, Pitfalls). Rows with an empty cell are left out.
SETS = {
    "Housing": ("housing.csv", "MEDV", [], False),
    "Auto-mpg": ("auto-mpg.csv", "mpg", ["car_name"], False),
    "Servo": ("servo.csv", "rise_time", [], False),
    "Cpu": ("cpu.csv", "PRP", ["vendor", "model", "ERP"], False),
    "Heart": ("heart.csv", "class", [], True),
    "Liver": ("liver.csv", "selector", [], True),
    "Pima": ("pima.csv", "diabetes", [], True),
    "Ionosphere": ("ionosphere.csv", "class", ["V2"], True),
    "Wpbc": ("wpbc.csv", "outcome", ["time"], True),
    "Sonar": ("sonar.csv", "class", [], True),
    "Diabetes": ("sk:diabetes", "target", [], False),
    "Breast cancer": ("sk:breast_cancer", "target", [], True),
    "Hitters": ("islp:Hitters", "Salary", [], False),
    "College": ("islp:College", "Outstate", [], False),
    "Carseats": ("islp:Carseats", "Sales", [], False),
    "OJ": ("islp:OJ", "Purchase", [], True),
}
LOGARITHMS = {"Hitters"}  # of the target

# rls2: name, executable, options of `train`
VARIANTS = [
    ("before", "before", ""),
    ("plain", "rls2", "--plain"),
    ("default", "rls2", ""),
]


# ---- the environment, and tables of others ----

def load_tables(folder):
    """tools/real-tables.py, which knows where tables come from, with a folder of our own."""
    spec = importlib.util.spec_from_file_location("real_tables", ROOT / "tools" / "real-tables.py")
    tables = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tables)
    tables.FOLDER = folder
    tables.ENVIRONMENT = folder / "env"
    tables.PACKAGES = PACKAGES
    return tables


@functools.cache
def read_set(tables, name):
    """The complete rows of a set, inputs and target."""
    import numpy as np
    import pandas
    source, target, dropped, _ = SETS[name]
    if ":" in source:
        frame = tables.read_table(source)[1]
    else:
        frame = pandas.read_csv(ROOT / "data" / source)
    frame = frame.drop(columns=dropped).dropna()
    if name in LOGARITHMS:
        frame[target] = np.log(frame[target])
    return frame.reset_index(drop=True)


def split_rows(frame, name, split):
    from sklearn.model_selection import train_test_split
    _, target, _, classes = SETS[name]
    return train_test_split(frame, train_size=SHARE, random_state=split, shuffle=True,
                            stratify=frame[target] if classes else None)


def stem_of(name):
    return name.lower().replace(" ", "-")


def write_split(tables, folder, name, split):
    """Paths of both parts as CSV files, written once."""
    stem = f"{stem_of(name)}.{digest(*SETS[name], name in LOGARITHMS)[:6]}"
    paths = [folder / "splits" / f"{stem}.{split}.{part}.csv" for part in ("train", "test")]
    if not all(path.exists() for path in paths):
        paths[0].parent.mkdir(parents=True, exist_ok=True)
        for path, part in zip(paths, split_rows(read_set(tables, name), name, split)):
            write_whole(path, part.to_csv(index=False))
    return paths


def write_whole(path, text):
    """Another run of this program sees the whole file or none."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


# ---- what peers are given ----

class Problem:
    """Standardised columns, indicators of texts among them; y, as +-1 for classes; the folds."""

    def __init__(self, name, split, train, test):
        import pandas
        from sklearn.model_selection import KFold, StratifiedKFold
        _, target, _, self.classes = SETS[name]
        train, test = pandas.read_csv(train), pandas.read_csv(test)
        y, y_test = train.pop(target), test.pop(target)
        if self.classes:
            first = sorted(y.unique())[0]
            y, y_test = ((part == first) * 2.0 - 1.0 for part in (y, y_test))
        self.y, self.y_test = y.to_numpy(float), y_test.to_numpy(float)
        self.x, self.x_test = encode(train, test)
        made = StratifiedKFold if self.classes else KFold
        cut = made(FOLDS, shuffle=True, random_state=split)
        self.folds = list(cut.split(self.x, self.y))

    def error(self, told):
        return mean_error(self.y_test, told, self.classes)


def encode(train, test):
    import pandas
    x = pandas.get_dummies(train).astype(float)
    x_test = pandas.get_dummies(test).astype(float).reindex(columns=x.columns, fill_value=0.0)
    deviations = x.std(ddof=0)
    kept = deviations[deviations > 0].index
    means, deviations = x[kept].mean(), deviations[kept]
    return (((x[kept] - means) / deviations).to_numpy(),
            ((x_test[kept] - means) / deviations).to_numpy())


def mean_error(y, told, classes):
    """Root mean square, or the share of wrong signs."""
    import numpy as np
    if classes:
        return float(np.mean((np.asarray(told) > 0) != (y > 0)))
    return float(np.sqrt(np.mean((np.asarray(told) - y) ** 2)))


def search(model, grid, problem):
    """The best of a grid by the folds, fitted to all rows learned from."""
    from sklearn.model_selection import GridSearchCV
    measure = "accuracy" if problem.classes else "neg_mean_squared_error"
    return GridSearchCV(model, grid, cv=problem.folds, scoring=measure).fit(problem.x, problem.y)


# ---- peers: each tells the rows held out ----

def gaussians(x, z, width):
    import numpy as np
    from sklearn.metrics.pairwise import euclidean_distances
    return np.exp(-width * euclidean_distances(x, z, squared=True))


def ridge_path(kernel, across, y, lambdas):
    """Predictions of kernel ridge regression for every lambda, by one decomposition."""
    import numpy as np
    values, vectors = np.linalg.eigh(kernel)
    mean = y.mean()
    turned = vectors.T @ (y - mean)
    return across @ (vectors @ (turned[:, None] / (values.clip(0)[:, None] + lambdas))) + mean


def kernel_ridge(problem):
    import numpy as np
    widths = np.logspace(-2.5, 1, 8) / problem.x.shape[1]
    lambdas = np.logspace(-6, 2, 17)
    scores = []
    for width in widths:
        told = np.empty((len(problem.y), len(lambdas)))
        kernel = gaussians(problem.x, problem.x, width)
        for inside, outside in problem.folds:
            told[outside] = ridge_path(kernel[np.ix_(inside, inside)],
                                       kernel[np.ix_(outside, inside)], problem.y[inside], lambdas)
        squares = ((told - problem.y[:, None]) ** 2).mean(axis=0)
        wrong = ((told > 0) != (problem.y[:, None] > 0)).mean(axis=0)
        for j, lam in enumerate(lambdas):
            scores.append((wrong[j] if problem.classes else 0.0, squares[j], width, lam))
    _, _, width, lam = min(scores)
    return ridge_path(gaussians(problem.x, problem.x, width),
                      gaussians(problem.x_test, problem.x, width), problem.y, np.array([lam]))[:, 0]


def support_vectors(problem):
    import numpy as np
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC, SVR
    widths = np.logspace(-2, 0.5, 6) / problem.x.shape[1]
    if problem.classes:
        return search(SVC(max_iter=200000), {"C": np.logspace(-1, 3, 5), "gamma": widths},
                      problem).predict(problem.x_test)
    model = TransformedTargetRegressor(SVR(max_iter=200000), transformer=StandardScaler())
    grid = {"regressor__C": np.logspace(-1, 3, 5), "regressor__gamma": widths,
            "regressor__epsilon": [0.02, 0.2]}
    return search(model, grid, problem).predict(problem.x_test)


def forest(problem):
    """The share of columns at a split by the rows outside of each tree's sample."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    made, shares = ((RandomForestClassifier, ["sqrt", 0.5]) if problem.classes
                    else (RandomForestRegressor, [0.33, 1.0]))
    models = [made(300, max_features=share, oob_score=True, random_state=0).fit(
        problem.x, problem.y) for share in shares]
    return max(models, key=lambda model: model.oob_score_).predict(problem.x_test)


def boost(shape, steps, problem, rows):
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    made = HistGradientBoostingClassifier if problem.classes else HistGradientBoostingRegressor
    leaves, fewest = shape
    model = made(learning_rate=0.06, max_iter=steps, max_leaf_nodes=leaves,
                 min_samples_leaf=fewest, early_stopping=False, random_state=0)
    return model.fit(problem.x[rows], problem.y[rows])


def boosting(problem):
    """Size of the trees and their number."""
    import numpy as np
    most = 250
    scores = []
    for shape in ((4, 5), (12, 5), (12, 20)):
        errors = np.zeros(most)
        for inside, outside in problem.folds:
            stages = boost(shape, most, problem, inside).staged_predict(problem.x[outside])
            truth = problem.y[outside]
            errors += [np.mean((told - truth) ** 2) for told in stages]
        scores += [(value, steps + 1, shape) for steps, value in enumerate(errors)]
    _, steps, shape = min(scores)
    everything = np.arange(len(problem.y))
    return boost(shape, steps, problem, everything).predict(problem.x_test)


def explainable_boosting(problem):
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor
    made = ExplainableBoostingClassifier if problem.classes else ExplainableBoostingRegressor
    model = made(outer_bags=4, interactions=10, n_jobs=1, random_state=0)
    if problem.classes:  # it tells labels that are not whole numbers as texts
        return model.fit(problem.x, (problem.y > 0).astype(int)).predict(problem.x_test) - 0.5
    return model.fit(problem.x, problem.y).predict(problem.x_test)


def gaussian_process(problem):
    import numpy as np
    from scipy.optimize import minimize
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    def descend(objective, start, bounds):
        found = minimize(objective, start, jac=True, bounds=bounds, method="L-BFGS-B",
                         options={"maxiter": 40})
        return found.x, found.fun

    columns = problem.x.shape[1]
    kernel = (ConstantKernel(1.0, (1e-3, 1e4))
              * RBF(np.full(columns, columns ** 0.5), (0.1, 1e4)) + WhiteKernel(0.1, (1e-6, 10.0)))
    model = GaussianProcessRegressor(kernel, optimizer=descend, normalize_y=True, random_state=0)
    return model.fit(problem.x, problem.y).predict(problem.x_test)


def linear(problem):
    import numpy as np
    from sklearn.linear_model import LassoCV, LogisticRegression
    if problem.classes:
        return search(LogisticRegression(max_iter=2000), {"C": np.logspace(-3, 2, 11)},
                      problem).predict(problem.x_test)
    return LassoCV(cv=problem.folds, max_iter=20000).fit(problem.x, problem.y).predict(
        problem.x_test)


# name: function, what it is, and a number to raise when it changes: older results are then void
PEERS = {
    "KernelRidge": (kernel_ridge, "one Gaussian, as scikit-learn's KernelRidge, computed "
                    "here by eigenvalues, with a mean: 8 widths x 17 lambdas; classes as ±1", 1),
    "SVM": (support_vectors, "scikit-learn's SVR, SVC with a Gaussian: 6 widths x 5 C "
            "(x 2 epsilons)", 1),
    "forest": (forest, "scikit-learn's RandomForest of 300 trees; columns tried at a split by "
               "rows out of the bag", 1),
    "boosting": (boosting, "scikit-learn's HistGradientBoosting, rate 0.06: 3 sizes of trees x "
                 "1 to 250 of them", 1),
    "EBM": (explainable_boosting, "interpret's ExplainableBoosting, 4 outer bags, 10 pairs of "
            "columns", 1),
    "GP": (gaussian_process, "scikit-learn's GaussianProcessRegressor, a Gaussian with a width "
           "for each column, and noise, by evidence, 40 steps; classes as regression on ±1", 1),
    "linear": (linear, "scikit-learn's LassoCV; logistic regression with 11 ridge penalties for "
               "classes", 1),
}


def run_peer(name, set_name, split, train, test):
    warnings.filterwarnings("ignore")
    problem = Problem(set_name, split, train, test)
    started, clock = time.process_time(), time.monotonic()
    told = PEERS[name][0](problem)
    return {"error": problem.error(told), "processor": time.process_time() - started,
            "wall": time.monotonic() - clock}


# ---- rls2 ----

def call(words, quiet=subprocess.PIPE):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, stderr=quiet,
                          check=False)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RuntimeError(said[-1] if said else f"exit {done.returncode}")
    return done.stdout.decode()


def run_rls2(command, options, set_name, train, test):
    """Whole commands, reading included."""
    import pandas
    _, target, _, classes = SETS[set_name]
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder) / "model"
        call([command, "train", train, "-t", target, "-q", "--threads", 1, "-o", model, *options])
        wall, used = time.monotonic() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
        out = call([command, "predict", model, test, "-q", "--threads", 1])
    told = pandas.read_csv(io.StringIO(out), dtype=str if classes else None)["prediction"]
    truth = pandas.read_csv(test, dtype={target: str} if classes else None)[target]
    if len(told) != len(truth):
        raise RuntimeError(f"{len(told)} predictions for {len(truth)} rows")
    if classes:
        error = float((told != truth).mean())
    else:
        error = mean_error(truth.to_numpy(float), told.to_numpy(float), False)
    return {"error": error, "processor": used.ru_utime + used.ru_stime, "wall": wall}


# ---- work: one fit ----

def digest(*parts):
    made = hashlib.sha256()
    for part in parts:
        made.update(part if isinstance(part, bytes) else str(part).encode())
        made.update(b"\0")
    return made.hexdigest()


class Work:
    """A fit of one method on one split of one set; `path` is where its result is kept."""

    def __init__(self, bench, set_name, split, method):
        self.set, self.split, self.method = set_name, split, method
        self.train, self.test = bench.split_paths(set_name, split)
        rows = bench.split_digest(set_name, split)
        if method in PEERS:
            self.command, self.options = None, None
            program, key = method, digest(rows, PEERS[method][2], FOLDS)
        else:
            executable, options = bench.variants[method]
            self.command, self.options = bench.commands[executable], shlex.split(options)
            program, key = "rls2", digest(rows, bench.hashes[executable], options)
        self.path = (bench.folder / "results"
                     / f"{stem_of(set_name)}.{split}.{program}.{key[:16]}.json")

    def result(self):
        try:
            return json.loads(self.path.read_text())
        except FileNotFoundError:
            return None

    def run(self):
        """In a process of its own: writes the result, or why there is none."""
        try:
            if self.method in PEERS:
                done = run_peer(self.method, self.set, self.split, self.train, self.test)
            else:
                done = run_rls2(self.command, self.options, self.set, self.train, self.test)
        except Exception as failure:  # any: it is told, and the others go on
            done = {"failed": f"{type(failure).__name__}: {failure}"}
        done.update(set=self.set, split=self.split, method=self.method,
                    date=datetime.date.today().isoformat())
        write_whole(self.path, json.dumps(done))

    def start(self):
        pid = os.fork()
        if pid == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))
            self.run()
            os._exit(0)
        return pid


# ---- the bench: all of it ----

class Bench:
    def __init__(self, arguments, tables):
        self.folder, self.tables = arguments.folder, tables
        self.commands, self.hashes = {}, {}
        for name in ("rls2", "before"):
            self.keep_command(name, getattr(arguments, name))
        for _, executable, _ in arguments.variants:
            if executable not in self.commands:
                self.keep_command(executable, pathlib.Path(executable))
        self.variants = {name: (executable, options)
                         for name, executable, options in [*VARIANTS, *arguments.variants]
                         if executable in self.commands}
        known = [*self.variants, *PEERS]
        self.methods = arguments.methods or known
        self.sets = arguments.sets or list(SETS)
        for name in [*self.methods, *self.sets]:
            if name not in known and name not in SETS:
                sys.exit(f"bench-accuracy: '{name}' is not one of {', '.join([*known, *SETS])}")
        self.splits = arguments.splits
        self.digests = {}
        (self.folder / "results").mkdir(parents=True, exist_ok=True)

    def keep_command(self, name, path):
        """A copy is run: the file may be built anew meanwhile."""
        if not path:
            return
        self.hashes[name] = digest(path.read_bytes())
        kept = self.folder / "commands" / self.hashes[name][:16]
        kept.parent.mkdir(parents=True, exist_ok=True)
        if not kept.exists():
            shutil.copy(path, f"{kept}.{os.getpid()}")
            os.replace(f"{kept}.{os.getpid()}", kept)
        self.commands[name] = kept

    def split_paths(self, set_name, split):
        return write_split(self.tables, self.folder, set_name, split)

    def split_digest(self, set_name, split):
        if (set_name, split) not in self.digests:
            self.digests[set_name, split] = digest(
                *(path.read_bytes() for path in self.split_paths(set_name, split)))
        return self.digests[set_name, split]

    def all_work(self):
        return [Work(self, set_name, split, method) for split in self.splits
                for set_name in self.sets for method in self.methods]

    def results(self):
        """{(set, method): {split: result}}"""
        found = {}
        for work in self.all_work():
            done = work.result()
            if done:
                found.setdefault((work.set, work.method), {})[work.split] = done
        return found


class Costs:
    """What fits may cost, from those that are done."""

    def __init__(self):
        self.seen = {}

    def add(self, work, done):
        if "failed" in done:
            return
        for key in ((work.set, work.method), work.method, None):
            total, count = self.seen.get(key, (0.0, 0))
            self.seen[key] = (total + done["processor"], count + 1)

    def guess(self, work):
        for key in ((work.set, work.method), work.method, None):
            if key in self.seen:
                total, count = self.seen[key]
                return total / count
        return 1.0


def describe(done):
    if "failed" in done:
        return f"failed: {done['failed']}"
    return f"{done['error']:.4g} in {done['processor']:.1f} s"


def duration(seconds):
    minutes = int(seconds / 60 + 0.5)
    return f"{minutes // 60}:{minutes % 60:02d}"


def work_all(bench, jobs):
    """Runs what has no result yet, `jobs` at a time, and tells how it goes on."""
    preload()
    costs, left = Costs(), []
    for work in bench.all_work():
        done = work.result()
        if done:
            costs.add(work, done)
        if not done or "failed" in done:
            left.append(work)
    total, started, spent, running, count = len(left), time.monotonic(), 0.0, {}, 0
    while left or running:
        while left and len(running) < jobs:
            work = left.pop(0)
            done = work.result()  # of another run, meanwhile
            if not done or "failed" in done:
                running[work.start()] = work
        if not running:
            break
        pid, status = os.wait()
        work = running.pop(pid)
        done = work.result()
        if done is None or status != 0:
            done = {"failed": f"ended by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status)
                    else f"exit {status}", "set": work.set, "split": work.split,
                    "method": work.method}
            write_whole(work.path, json.dumps(done))
        costs.add(work, done)
        spent += done.get("processor", 0.0)
        count += 1
        rest = sum(map(costs.guess, left))
        pace = (time.monotonic() - started) / max(spent, 1e-9)
        print(f"{count}/{total}  split {work.split}  {work.set}  {work.method}: "
              f"{describe(done)}; left {duration(rest * pace)}", flush=True)


def preload():
    """Once, before forking: importing takes longer than many of the fits."""
    import interpret.glassbox
    import pandas
    import sklearn.ensemble
    import sklearn.gaussian_process
    import sklearn.kernel_ridge
    import sklearn.linear_model
    import sklearn.svm
    return interpret, pandas, sklearn


# ---- figures of the report ----

class Figures:
    """Errors over the splits that every method shown has, set by set."""

    def __init__(self, bench):
        import numpy as np
        results = bench.results()
        self.sets, self.methods = bench.sets, []
        for method in bench.methods:
            if any("error" in done for (_, name), by in results.items() if name == method
                   for done in by.values()):
                self.methods.append(method)
        self.errors, self.seconds, self.splits, self.failed = {}, {}, {}, []
        for name in self.sets:
            has = {method: {split: done for split, done in results.get((name, method), {}).items()
                            if "error" in done} for method in self.methods}
            self.failed += [(name, method) for method in self.methods
                            for done in results.get((name, method), {}).values()
                            if "failed" in done]
            shown = [method for method in self.methods if has[method]]
            common = sorted(set.intersection(*(set(has[m]) for m in shown))) if shown else []
            self.splits[name] = len(common)
            for method in shown if common else []:
                done = [has[method][split] for split in common]
                self.errors[name, method] = np.array([one["error"] for one in done])
                self.seconds[name, method] = float(np.mean([one["processor"] for one in done]))
        self.sets = [name for name in self.sets if self.splits[name]]
        self.dates = sorted({done["date"] for by in results.values() for done in by.values()
                             if "date" in done})

    def has(self, name, method):
        return (name, method) in self.errors

    def mean(self, name, method):
        return float(self.errors[name, method].mean())

    def standard_error(self, name, method):
        values = self.errors[name, method]
        return float(values.std(ddof=1) / len(values) ** 0.5) if len(values) > 1 else None

    def best(self, name):
        return min(self.mean(name, method) for method in self.methods if self.has(name, method))

    def winner(self, name):
        return min((method for method in self.methods if self.has(name, method)),
                   key=lambda method: self.mean(name, method))

    def to_best(self, name, method):
        return self.mean(name, method) / self.best(name)

    def ratio(self, name, method, base):
        return self.mean(name, method) / self.mean(name, base)

    def geometric(self, method, base):
        """Over the sets that both have: the ratio, and how many."""
        import numpy as np
        shared = [name for name in self.sets if self.has(name, method) and self.has(name, base)]
        if not shared:
            return None, 0
        logs = [np.log(self.ratio(name, method, base)) for name in shared]
        return float(np.exp(np.mean(logs))), len(shared)

    def excess(self, name, method, base):
        """How much the error is above WORSE times that of `base`, in paired standard errors; None
        where it is not above, or there is one split."""
        import numpy as np
        above = self.errors[name, method] - WORSE * self.errors[name, base]
        if above.mean() <= 0 or len(above) < 2:
            return None
        deviation = above.std(ddof=1) / np.sqrt(len(above))
        return float(above.mean() / deviation) if deviation > 0 else float("inf")


# ---- tables ----

def table(head, rows):
    return "\n".join(["| " + " | ".join(head) + " |", "|---" * len(head) + "|",
                      *("| " + " | ".join(row) + " |" for row in rows)])


def short(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def error_cell(figures, name, method):
    if not figures.has(name, method):
        return "–"
    text = short(figures.mean(name, method))
    noise = figures.standard_error(name, method)
    text += f" ± {noise:.2g}" if noise is not None else ""
    return f"**{text}**" if figures.to_best(name, method) <= NEAR else text


def error_table(figures):
    rows = [[name, str(figures.splits[name]),
             *(error_cell(figures, name, method) for method in figures.methods)]
            for name in figures.sets]
    return table(["set", "splits", *figures.methods], rows)


def best_table(figures):
    def cell(name, method):
        return f"{figures.to_best(name, method):.2f}" if figures.has(name, method) else "–"
    return table(["set", "best", *figures.methods],
                 [[name, figures.winner(name), *(cell(name, m) for m in figures.methods)]
                  for name in figures.sets])


def seconds_table(figures):
    def cell(name, method):
        return f"{figures.seconds[name, method]:.2g}" if figures.has(name, method) else "–"
    return table(["set", *figures.methods],
                 [[name, *(cell(name, m) for m in figures.methods)] for name in figures.sets])


def bases(figures):
    return [name for name in ("before", "before-std") if name in figures.methods]


def worse_text(figures, method, base):
    """Sets that are worse than WORSE of `base`; in brackets those where it may be noise."""
    words = []
    for name in figures.sets:
        if not figures.has(name, method) or not figures.has(name, base):
            continue
        ratio = figures.ratio(name, method, base)
        if ratio <= WORSE:
            continue
        sigma = figures.excess(name, method, base)
        text = f"{name} {ratio:.2f}"
        words.append(text if sigma is not None and sigma > 2 else f"({text})")
    return ", ".join(words) or "none"


def summary_table(figures):
    head, rows = ["method"], []
    for base in bases(figures):
        head.append(f"error / {base}")
    head += [f"within {NEAR} of the best", "error / best", "seconds"]
    for method in figures.methods:
        row = [method]
        for base in bases(figures):
            value, count = figures.geometric(method, base)
            partly = f" ({count} sets)" if count < len(figures.sets) else ""
            row.append(f"{value:.3f}{partly}" if value else "–")
        mine = [name for name in figures.sets if figures.has(name, method)]
        near = sum(figures.to_best(name, method) <= NEAR for name in mine)
        row += [f"{near} of {len(mine)}", f"{mean_to_best(figures, method, mine):.3f}",
                f"{sum(figures.seconds[name, method] for name in mine) / len(mine):.2f}"]
        rows.append(row)
    return table(head, rows)


def mean_to_best(figures, method, names):
    import numpy as np
    return float(np.exp(np.mean([np.log(figures.to_best(name, method)) for name in names])))


def ours(figures, variants):
    return [name for name in figures.methods if name in variants and name not in bases(figures)]


def worse_list(figures, variants):
    return "\n".join(f"- `{method}` than `{base}`: {worse_text(figures, method, base)}"
                     for method in ours(figures, variants) for base in bases(figures))


def losses_list(figures, variants):
    lines = []
    for method in ours(figures, variants):
        ratios = sorted(((figures.to_best(name, method), name) for name in figures.sets
                         if figures.has(name, method)), reverse=True)
        lost = [f"{name} {ratio:.2f} ({figures.winner(name)})" for ratio, name in ratios
                if ratio > NEAR]
        lines.append(f"- `{method}`: {', '.join(lost) or 'none'}")
    return "\n".join(lines)


def processor_name():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def version(command):
    return call([command, "--version"]).strip()


def methods_text(bench, figures):
    lines = []
    for method in figures.methods:
        if method in PEERS:
            lines.append(f"- **{method}**: {PEERS[method][1]}")
        else:
            executable, options = bench.variants[method]
            what = f"`rls2 train FILE -t TARGET {options}".strip() + "`"
            lines.append(f"- **{method}**: {version(bench.commands[executable])}, {what}")
    return "\n".join(lines)


def lists(bench, figures):
    """Where rls2 loses, and what failed."""
    parts = []
    if ours(figures, bench.variants):
        parts = [f"Sets on which rls2 is not within {NEAR} of the best, worst first, with the "
                 "method that is:", losses_list(figures, bench.variants)]
        if bases(figures):
            parts += [f"Sets on which its mean error is more than {WORSE} of that of the earlier "
                      "version; in brackets where what is above is less than two paired standard "
                      "errors:", worse_list(figures, bench.variants)]
    failures = sorted({f"{name}: {method}" for name, method in figures.failed})
    if failures:
        parts.append("Splits without result (failed): " + ", ".join(failures) + ".")
    return parts


def wrap(text):
    """Paragraphs and lists within 100 columns; tables as they are."""
    if text.startswith("|"):
        return text
    return "\n".join(textwrap.fill(line, 100, break_long_words=False, break_on_hyphens=False,
                                   subsequent_indent="  " if line.startswith("- ") else "")
                     for line in text.split("\n"))


def report(bench, figures):
    import sklearn
    dates = sorted({figures.dates[0], figures.dates[-1]}) if figures.dates else []
    counts = sorted(set(figures.splits.values()) - {0})
    parts = [
        f"Measured {' to '.join(dates)} on {processor_name()}, one thread for each fit; "
        f"scikit-learn {sklearn.__version__}. {len(figures.sets)} sets, "
        f"{' to '.join(map(str, sorted({counts[0], counts[-1]})))} random splits of each: those "
        "that all methods have finished.",
        "![errors relative to the best](accuracy.svg)",
        "## All sets together",
        "`error / X`: geometric mean over the sets of mean test errors relative to X, or to the "
        "best of all methods shown. Seconds: of a processor for one fit with all its choices, mean "
        "over the sets.",
        summary_table(figures),
        *lists(bench, figures),
        "## Errors",
        "Test error, mean over the splits ± standard error: root mean square, or share of wrong "
        f"classes. Bold: within {NEAR} of the best.",
        error_table(figures),
        "## Relative to the best",
        best_table(figures),
        "## Seconds",
        "Of a processor for one fit with all its choices; for rls2 the whole command.",
        seconds_table(figures),
        "## The methods",
        methods_text(bench, figures),
    ]
    return "\n\n".join(wrap(part) for part in parts if part) + "\n"


# ---- the picture ----

COLOURS = {"before": "#9aa5b1", "plain": "#edae49", "default": "#d1495b"}
MORE_COLOURS = ["#a4133c", "#7b2cbf", "#ff7d00", "#2b9348"]
PEER_STYLES = {"KernelRidge": ("s", "#1f77b4"), "SVM": ("D", "#17a2b8"), "forest": ("^", "#2f855a"),
               "boosting": ("v", "#7cb342"), "EBM": ("P", "#8d6e63"), "GP": ("*", "#6a4c93"),
               "linear": ("X", "#b0bec5")}
FARTHEST = 2.0  # what is beyond is drawn there, with its figure


def draw(figures, variants, path):
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "rls2", "font.size": 10,
                                "font.family": "DejaVu Sans"})
    from matplotlib import pyplot
    names = list(reversed(figures.sets))
    picture, axes = pyplot.subplots(figsize=(9.5, 1.4 + 0.42 * len(names)))
    axes.axvspan(1, NEAR, color="#e3f2e1", zorder=0)
    more = iter(MORE_COLOURS)
    for method in figures.methods:
        if method in variants:
            style = {"marker": "o", "s": 70, "color": COLOURS.get(method) or next(more, "black"),
                     "zorder": 4, "edgecolors": "black", "linewidths": 0.7}
        else:
            mark, colour = PEER_STYLES[method]
            style = {"marker": mark, "s": 75 if mark == "*" else 40, "color": colour, "zorder": 3,
                     "alpha": 0.85, "linewidths": 0}
        points = [(figures.to_best(name, method), row) for row, name in enumerate(names)
                  if figures.has(name, method)]
        axes.scatter([min(x, FARTHEST) for x, _ in points], [row for _, row in points],
                     label=method, **style)
    for row, name in enumerate(names):
        far = sorted((figures.to_best(name, m), m) for m in figures.methods
                     if figures.has(name, m) and figures.to_best(name, m) > FARTHEST)
        if far:
            axes.text(FARTHEST * 1.012, row, ", ".join(f"{m} {x:.1f}" for x, m in far),
                      va="center", fontsize=7, color="#444")
    axes.set_xscale("log")
    ticks = [1, 1.1, 1.2, 1.3, 1.5, 1.75, 2]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlim(0.985, FARTHEST * 1.03)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.7, len(names) - 0.3)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(f"mean test error relative to the best method (green: within {NEAR})")
    axes.legend(loc="lower center", bbox_to_anchor=(0.45, 1.0), ncols=6, frameon=False, fontsize=9,
                handletextpad=0.2, columnspacing=1.2)
    picture.savefig(path, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg"
                    else None, dpi=110)
    pyplot.close(picture)


def put_into(document, text):
    old = document.read_text(encoding="utf-8")
    before, _, rest = old.partition(MARKS[0])
    document.write_text(f"{before}{MARKS[0]}\n\n{text}\n{MARKS[1]}{rest.partition(MARKS[1])[2]}",
                        encoding="utf-8")


def report_all(bench, document):
    figures = Figures(bench)
    if not figures.sets:
        sys.exit("bench-accuracy: no split that all these methods have finished")
    text = report(bench, figures)
    print(text)
    (bench.folder / "report.md").write_text(text, encoding="utf-8")
    draw(figures, bench.variants, bench.folder / "accuracy.png")
    if document:
        put_into(ROOT / "docs" / "ACCURACY.md", text)
        draw(figures, bench.variants, ROOT / "docs" / "accuracy.svg")


# ---- the command ----

def names(text):
    return [word.strip() for word in text.split(",") if word.strip()]


def splits(text):
    """N: the first N; FIRST-LAST: these, counted from 0."""
    first, dash, last = text.partition("-")
    return range(int(first), int(last) + 1) if dash else range(int(first))


def variant(text):
    """NAME=OPTIONS, or NAME@FILE=OPTIONS for another executable than that of --rls2."""
    name, _, options = text.partition("=")
    name, _, executable = name.partition("@")
    return name, executable or "rls2", options


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rls2", default=ROOT / "build" / "rls2", type=pathlib.Path)
    parser.add_argument("--before", type=pathlib.Path, help="the command of an earlier version")
    parser.add_argument("--splits", default="20", type=splits, metavar="N|FIRST-LAST")
    parser.add_argument("--jobs", default=os.cpu_count(), type=int)
    parser.add_argument("--sets", type=names)
    parser.add_argument("--methods", type=names, help="default: all")
    parser.add_argument("--variant", dest="variants", action="append", default=[], type=variant,
                        metavar="NAME[@FILE]=OPTIONS", help="one more way to call rls2")
    parser.add_argument("--only-report", action="store_true")
    parser.add_argument("--no-document", dest="document", action="store_false",
                        help="print the report, leave docs/ as it is")
    parser.add_argument("--folder", default=ROOT / "build" / "accuracy", type=pathlib.Path,
                        help="of results and environment")
    arguments = parser.parse_args()
    for field in ("rls2", "before", "folder"):
        path = getattr(arguments, field)
        if path and field != "folder" and not path.exists():
            if field == "before" or arguments.rls2 != ROOT / "build" / "rls2":
                parser.error(f"{path}: no such file")
            path = None
        setattr(arguments, field, path.resolve() if path else None)
    return arguments


def main():
    arguments = parse()
    for count in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[count] = "1"
    arguments.folder.mkdir(parents=True, exist_ok=True)
    tables = load_tables(arguments.folder)
    tables.enter_environment()
    bench = Bench(arguments, tables)
    if not arguments.only_report:
        work_all(bench, max(1, arguments.jobs))
    report_all(bench, arguments.document)
    return 0


if __name__ == "__main__":
    sys.exit(main())
