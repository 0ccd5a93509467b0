"""How well rls2 predicts by the choices of its command, on the ten benchmark sets of data/: [SPLITS
[FOLDER]].

Random splits, 70 % of the rows learned from, lambda chosen by five folds of them; the same rows and
folds for each choice. Prints the mean test score (RMSE, or accuracy) of each choice, and in
brackets by how many standard errors of the paired difference it is better (+) or worse than the
first. FOLDER (build/choices) keeps what is finished. Run from the root of the tree after `make`.
"""
import csv
import json
import pathlib
import random
import statistics
import sys

import tasks

RLS2, LIMIT, FOLDS = "build/rls2", 300, 5
SETS = {  # target, columns left out, classes?
    "auto-mpg": ("mpg", ["car_name"], False), "cpu": ("ERP", ["model"], False),
    "servo": ("rise_time", [], False), "housing": ("MEDV", [], False), "heart": ("class", [], True),
    "liver": ("selector", [], True), "pima": ("diabetes", [], True), "ionosphere": ("class", [
        "V2"], True), "wpbc": ("outcome", [], True), "sonar": ("class", [], True)}
CHOICES = {
    "--standardize": ["--standardize"],
    "--standardize --center": ["--standardize", "--center"],
    "--standardize --rule 1se": ["--standardize", "--rule", "1se"],
    "columns as they are": [],
    "--standardize, no kernels of single columns": [
        "--standardize", "-k", "poly(1..3)@all; rbf(1e-3:1e3:10)@all"], }


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


def columns_of(name):
    """(names, rows): complete rows; text, the target apart, as 0/1 columns over all rows, so that a
    test row has nothing new.
    """
    target, dropped, _ = SETS[name]
    with open(f"data/{name}.csv", newline="") as file:
        header, *rows = csv.reader(file)
    rows = [row for row in rows if all(value.strip() not in ("", "NA", "?") for value in row)]
    names, columns = [], []
    for j, column in enumerate(header):
        values = [row[j] for row in rows]
        if column in dropped:
            continue
        if column == target or all(map(is_number, values)):
            names.append(column)
            columns.append(values)
        else:
            for level in sorted(set(values)):
                names.append(f"{column}_{level}")
                columns.append(["1" if value == level else "0" for value in values])
    return names, [list(row) for row in zip(*columns)]


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def divide(name, seed, folder):
    """Writes the training rows, with their folds, and the test rows."""
    target, _, classes = SETS[name]
    header, rows = columns_of(name)
    place = header.index(target)
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    learned = order[:round(0.7 * len(rows))]
    by_class = sorted(learned, key=lambda i: rows[i][place]) if classes else learned
    fold = {row: position % FOLDS + 1 for position, row in enumerate(by_class)}
    write(folder / "train.csv", header + ["fold"], [rows[i] + [fold[i]] for i in learned])
    write(folder / "test.csv", header + ["fold"], [rows[i] + [1] for i in order[len(learned):]])


def score(name, options, folder):
    target, _, classes = SETS[name]
    outcome = tasks.measured([
        RLS2, "train", folder / "train.csv", "-t", target, "--task",
        "classification" if classes else "regression", *options, "--test", folder / "test.csv",
        "--fold-column", "fold", "--no-baselines", "--threads", "1", "--json", "-q"], LIMIT,
                             log=folder / "log")
    if outcome.status != 0:
        return tasks.failure(outcome, LIMIT, folder / "log")
    return {"score": next(iter(json.loads(outcome.output)["path"][0]["test"].values()))}


def scores_of(name, splits, folder):
    """{choice: [score of each split]}"""
    found = {choice: [] for choice in CHOICES}
    for seed in range(1, splits + 1):
        divide(name, seed, folder)
        for number, (choice, options) in enumerate(CHOICES.items()):
            path = folder / f"{name}-{seed}-{number}.json"
            mark = tasks.fingerprint([RLS2, folder / "train.csv"], *options)
            result = tasks.recall(path, mark, LIMIT) or score(name, options, folder)
            if "failed" in result:
                sys.exit(f"{name}, split {seed}, {choice}: {result['failed']}")
            tasks.keep(path, mark, result)
            found[choice].append(result["score"])
        print(f"{name}: split {seed} of {splits}", file=sys.stderr)
    return found


def compared(values, base, classes):
    """Mean, and how many standard errors better than the first choice."""
    better = [(value - other) * (1 if classes else -1) for value, other in zip(values, base)]
    error = statistics.stdev(better) / len(better) ** 0.5 if len(better) > 1 else 0.0
    return f"{statistics.mean(values):.3f}" + (f" ({statistics.mean(better) / error:+.1f})"
                                               if error > 1e-12 else "")


def main(splits="9", folder="build/choices"):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    print("| data | " + " | ".join(CHOICES) + " |\n|---" + "|---:" * len(CHOICES) + "|")
    for name, (_, _, classes) in SETS.items():
        found = scores_of(name, int(splits), folder)
        base = next(iter(found.values()))
        print(
            f"| {name} | " +
            " | ".join(compared(values, base, classes)
                       for values in found.values()) + " |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
