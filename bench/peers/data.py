"""Writes the rows that every method sees: FOLDER/NAME.train.csv and FOLDER/NAME.test.csv.

All columns are numbers (classes are -1 and 1, the later name is 1). The column `fold` says in which of five
folds a training row is, so that all methods choose their parameters on the same folds.
"""
import csv
import pathlib
import random
import sys

SEED = 1
FOLDS = 5


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def write(folder, name, part, header, rows, target):
    order = list(range(len(rows)))
    random.Random(SEED).shuffle(order)
    if len({row[target] for row in rows}) == 2:  # every fold gets its share of both classes
        order.sort(key=lambda i: rows[i][target])
    fold = {row: place % FOLDS + 1 for place, row in enumerate(order)}
    with open(folder / f"{name}.{part}.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(header + ["fold"])
        out.writerows(row + [fold[i]] for i, row in enumerate(rows))


def split(folder, name, header, rows, target, is_test):
    for part, wanted in (("train", False), ("test", True)):
        chosen = [row for i, row in enumerate(rows) if is_test(i, row) == wanted]
        write(folder, name, part, header, chosen, header.index(target))


def random_thirty_percent(rows):
    test = set(random.Random(SEED).sample(range(len(rows)), round(0.3 * len(rows))))
    return lambda i, row: i in test


def classes_to_signs(rows, column):
    names = sorted({row[column] for row in rows})
    for row in rows:
        row[column] = "1" if row[column] == names[1] else "-1"


def sparse_linear(rows=400, columns=5000, used=20):
    """y = x'a + noise of variance 1; 20 of 5,000 normal columns count, with coefficients 1 and -1."""
    draw = random.Random(SEED)
    header = [f"x{j + 1}" for j in range(columns)] + ["y"]
    table = []
    for _ in range(rows):
        x = [round(draw.gauss(0, 1), 4) for _ in range(columns)]
        y = sum(value * (-1) ** j for j, value in enumerate(x[:used])) + draw.gauss(0, 1)
        table.append(x + [round(y, 6)])
    return header, table


def main(source, folder):
    source, folder = pathlib.Path(source), pathlib.Path(folder)

    header, rows = read(source / "housing.csv")
    split(folder, "housing", header, rows, "MEDV", random_thirty_percent(rows))

    header, rows = read(source / "sonar.csv")
    classes_to_signs(rows, header.index("class"))
    split(folder, "sonar", header, rows, "class", random_thirty_percent(rows))

    header, rows = read(source / "prostate.csv")
    mark = header.index("train")
    is_test = [row.pop(mark) == "F" for row in rows]
    header.pop(mark)
    split(folder, "prostate", header, rows, "lpsa", lambda i, row: is_test[i])

    header, rows = sparse_linear()
    split(folder, "sparse", header, rows, "y", lambda i, row: i >= 200)


if __name__ == "__main__":
    main(*sys.argv[1:])
