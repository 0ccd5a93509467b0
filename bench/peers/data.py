"""Writes the rows that every method sees, SOURCE FOLDER SPLITS: FOLDER/NAME-SPLIT.train.csv and
FOLDER/NAME-SPLIT.test.csv.

All columns are numbers (classes are -1 and 1, the later name is 1). The column `fold` says in which
of five folds a training row is, so that all methods choose their parameters on the same folds. The
number of a split is its seed.
"""
import csv
import os
import pathlib
import random
import sys

FOLDS = 5


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def folds_of(rows, target, draw):
    order = list(range(len(rows)))
    draw.shuffle(order)
    if len({row[target] for row in rows}) == 2:  # every fold gets its share of both classes
        order.sort(key=lambda i: rows[i][target])
    return {row: place % FOLDS + 1 for place, row in enumerate(order)}


def write(path, header, rows, fold):
    unfinished = path.with_suffix(".part")
    with open(unfinished, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(header + ["fold"])
        out.writerows(row + [fold[i]] for i, row in enumerate(rows))
    os.replace(unfinished, path)


def divide(folder, name, split, header, rows, target, tested):
    """`tested` rows, drawn by the split's number, are the test rows."""
    draw = random.Random(split)
    chosen = set(draw.sample(range(len(rows)), tested))
    for part, wanted in (("test", True), ("train", False)):
        some = [row for i, row in enumerate(rows) if (i in chosen) == wanted]
        write(folder / f"{name}-{split}.{part}.csv", header, some,
              folds_of(some, header.index(target), draw))


def classes_to_signs(rows, column):
    names = sorted({row[column] for row in rows})
    for row in rows:
        row[column] = "1" if row[column] == names[1] else "-1"


def sparse_linear(seed, rows=400, columns=5000, used=20):
    """y = x'a + noise of variance 1; 20 of 5,000 normal columns count, with coefficients 1 and -1.
    """
    draw = random.Random(seed)
    header = [f"x{j + 1}" for j in range(columns)] + ["y"]
    table = []
    for _ in range(rows):
        x = [round(draw.gauss(0, 1), 4) for _ in range(columns)]
        y = sum(value * (-1) ** j for j, value in enumerate(x[:used])) + draw.gauss(0, 1)
        table.append(x + [round(y, 6)])
    return header, table


def prostate(source):
    header, rows = read(source / "prostate.csv")
    mark = header.index("train")
    return header[:mark] + header[mark + 1:], [row[:mark] + row[mark + 1:] for row in rows]


def sonar(source):
    header, rows = read(source / "sonar.csv")
    classes_to_signs(rows, header.index("class"))
    return header, rows


def main(source, folder, splits):
    source, folder = pathlib.Path(source), pathlib.Path(folder)
    given = [("housing", "MEDV", read(source / "housing.csv"), 152),
             ("sonar", "class", sonar(source), 62), ("prostate", "lpsa", prostate(source), 30)]
    for split in range(1, int(splits) + 1):
        for name, target, (header, rows), tested in given:
            divide(folder, name, split, header, rows, target, tested)
        if not (folder / f"sparse-{split}.train.csv").exists():  # written last: the longest to make
            divide(folder, "sparse", split, *sparse_linear(split), "y", 200)


if __name__ == "__main__":
    main(*sys.argv[1:])
