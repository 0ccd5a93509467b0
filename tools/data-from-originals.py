#!/usr/bin/env python3
"""Derives the tables of data/ from the files in which they were first published.

    tools/data-from-originals.py FOLDER OUT      writes OUT/*.csv
    tools/data-from-originals.py --check FOLDER  holds the tables of data/ against them

FOLDER has the files of the UCI repository (auto-mpg.data, machine.data, ...) and prostate.data of
the web site of The Elements of Statistical Learning; a file of another checksum is refused. No
package of software takes part: what licence its copy is under has no bearing on these tables
(data/README.md). Exit status: 0 all tables are the same, 1 some are not, 77 (skipped) no FOLDER.
"""

import csv
import hashlib
import pathlib
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
SKIPPED = 77

ORIGINALS = {
    "auto-mpg.data": "48b830e11feee5572525f8f1691ddb9d38d3d7b7063edcd8fca672c2a5e17d8d",
    "bupa.data": "a166a3e7a6f4dc41aaaedc59a107e57d8adcaeb8821f0873d756982f1ea74c92",
    "heart.dat": "f5f3b4204c285bafadd85cb735f38b47689f2be7047feb172dcbeab648110bf9",
    "housing.data": "baadf72995725d76efe787b664e1f083388c79ba21ef9a7990d87f774184735a",
    "ionosphere.data": "46d52186b84e20be52918adb93e8fb9926b34795ff7504c24350ae0616a04bbd",
    "machine.data": "c95f0e52fb8381a14a24aa7e9f4b50f72a08639ecfd8cc619ab779919dbd448b",
    "pima-indians-diabetes.data":
        "06f5b7c2cd7bca686fda4f92eab5f61e7ff6426a9acefa2e3dda04fc54293cf5",
    "prostate.data": "65e3c8581c1a140aa4ad27d857df18e024d3ea7560f6a653417740e783daad71",
    "servo.data": "7f22f352e7f86f2bd043c934878a5a7b5673f893e6315509c7c9190a1d4aa00f",
    "sonar.all-data": "e90434cdbf00fcf93ffa911fe447ae25606979658e60f1d32e155c3b5240234d",
    "wpbc.data": "f2bd5ccdb6086fa832370dc043319907430cf6bfcfd3b96a3961a357be345c8e",
}

# Five names of auto-mpg.csv are those of its source (data/README.md), by row from 1.
OTHER_NAMES = {217, 280, 338, 348, 382}


def original(folder, name):
    """The text of an original file, if it is the one that is meant."""
    data = (folder / name).read_bytes()
    if hashlib.sha256(data).hexdigest() != ORIGINALS[name]:
        sys.exit(f"{folder / name}: not the file that was published: its checksum differs")
    return data.decode("ascii").replace("\r", "")


def comma_rows(text):
    return [[cell.strip() for cell in line.split(",")] for line in text.split("\n") if line.strip()]


def blank_rows(text):
    return [line.split() for line in text.split("\n") if line.strip()]


def auto_mpg(text):
    rows = []
    for line in text.strip().split("\n"):
        numbers, name = line.split("\t")
        cells = numbers.split()
        cells[3] = "" if cells[3] == "?" else cells[3]
        cells[4] = cells[4].rstrip(".")
        cells[5] = f"{float(cells[5]):.1f}"
        rows.append([*cells, name.strip('"')])
    return rows


def prostate(text):
    return [row[1:] for row in blank_rows(text)[1:]]


def wpbc(text):
    """Without the patients' numbers; a number has the digits it needs."""
    rows = []
    for row in comma_rows(text):
        cells = ["" if cell == "?" else f"{float(cell):.15g}" for cell in row[2:]]
        rows.append([row[1], *cells])
    return rows


# Each table: the original, and how its rows are read.
TABLES = {
    "auto-mpg": ("auto-mpg.data", auto_mpg),
    "cpu": ("machine.data", comma_rows),
    "heart": ("heart.dat", blank_rows),
    "housing": ("housing.data", blank_rows),
    "ionosphere": ("ionosphere.data", comma_rows),
    "liver": ("bupa.data", comma_rows),
    "pima": ("pima-indians-diabetes.data", comma_rows),
    "prostate": ("prostate.data", prostate),
    "servo": ("servo.data", comma_rows),
    "sonar": ("sonar.all-data", comma_rows),
    "wpbc": ("wpbc.data", wpbc),
}


def stored(name):
    """Header and rows of a table of data/."""
    with open(DATA / f"{name}.csv", newline="", encoding="ascii") as file:
        header, *rows = csv.reader(file)
    return header, rows


def derived(folder, name):
    """The table as its original has it, with the column names of data/."""
    file, read = TABLES[name]
    return [stored(name)[0], *read(original(folder, file))]


def faults(folder, name):
    """(row, what) of each row of data/ that is not that of the original."""
    header, rows = stored(name)
    _, *wanted = derived(folder, name)
    if len(rows) != len(wanted):
        yield 0, f"{len(rows)} rows, not {len(wanted)}"
    for number, (row, known) in enumerate(zip(rows, wanted), 1):
        if name == "auto-mpg" and number in OTHER_NAMES:
            row, known = row[:-1], known[:-1]
        if row != known:
            yield number, next(f"{column}: '{a}', not '{b}'"
                               for column, a, b in zip(header, row, known) if a != b)


def check(folder):
    found = 0
    for name in TABLES:
        for row, what in faults(folder, name):
            print(f"data/{name}.csv, row {row}: {what}")
            found += 1
    return found


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--check":
        folder = pathlib.Path(arguments[1])
        if not (folder / "prostate.data").exists():
            print(f"{folder}: no original files there")
            return SKIPPED
        return 1 if check(folder) else 0
    if len(arguments) != 2 or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    folder, out = map(pathlib.Path, arguments)
    out.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        text = "".join(",".join(row) + "\n" for row in derived(folder, name))
        (out / f"{name}.csv").write_text(text, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
