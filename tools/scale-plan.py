#!/usr/bin/env python3
"""What it takes to count so many rows and columns on so many nodes, on paper, for docs/scale.md.

    scale-plan.py [--rows N] [--columns N] [--folds N] [--knots N] [--nodes N] [--cores N]
                  [--per-cell SECONDS] [--per-pair SECONDS]

Kernels of one column. Sizes are those of docs/FORMAT.md: for each fold a table of knots x knots
integers of 8 bytes for each two columns; a profile has 20,000 rows of the sample. Times are
processor seconds for reading and profiling a cell (0.2e-6: `make bench-tall`, 10^8 rows) and for
counting two columns of a row (0.7e-6 / 190, docs/ARCHITECTURE.md, Tall tables).
"""

import argparse
import math

SAMPLE = 20_000


def asked():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=float, default=1e10)
    parser.add_argument("--columns", type=int, default=1000)
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--knots", type=int, default=16, help="of a column")
    parser.add_argument("--nodes", type=int, default=125)
    parser.add_argument("--cores", type=int, default=8, help="of a node")
    parser.add_argument("--per-cell", type=float, default=0.2e-6)
    parser.add_argument("--per-pair", type=float, default=0.7e-6 / 190)
    return parser.parse_args()


def size(count):
    for unit, much in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if count >= much:
            return f"{count / much:.3g} {unit}"
    return f"{count:.0f} bytes"


def main():
    o = asked()
    pairs = o.columns * (o.columns - 1) // 2
    cells, cores = o.rows * o.columns, o.nodes * o.cores
    profile = SAMPLE * o.columns * 9
    part = pairs * o.knots**2 * 8
    statistics = part * max(o.folds, 1)
    reading, counting = 2 * cells * o.per_cell, o.rows * pairs * o.per_pair
    rounds = math.ceil(math.log2(o.nodes))
    rows = [
        ("rows as doubles, read twice where they are", size(8 * cells)),
        ("a profile", size(profile)),
        ("statistics without folds", size(part)),
        (f"statistics of {o.folds} folds", size(statistics)),
        ("moved: profiles, one of each node", size((o.nodes - 1) * profile)),
        ("moved: statistics of no rows, to each node", size((o.nodes - 1) * statistics)),
        ("moved: statistics, one of each node", size((o.nodes - 1) * statistics)),
        (f"the last two at 1 GB/s, in {rounds} rounds", f"{2 * rounds * statistics / 1e9:.0f} s"),
        ("memory of a node: one process; its sum, another's and its bytes", size(3 * statistics)),
        ("memory of a node: a worker for each core; its sum and a copy",
         size(2 * statistics * o.cores)),
        ("processor time: reading, twice", f"{reading / 3600:.0f} h"),
        ("processor time: counting", f"{counting / 3600:.0f} h"),
        (f"hours on {cores} cores", f"{(reading + counting) / 3600 / cores:.1f}"),
        ("points of all columns, the order of the systems that are solved", o.columns * o.knots),
        ("a triangle of that order", size(4 * (o.columns * o.knots) ** 2)),
        ("columns at which statistics reach 2 GB, the most of a cell of Arrow",
         math.floor(math.sqrt(2 * 2**31 / (8 * o.knots**2 * max(o.folds, 1))))),
    ]  # fmt: skip
    print(f"{o.rows:g} rows x {o.columns} columns, {o.nodes} nodes of {o.cores} cores\n")
    print("| what | how much |\n|---|---|")
    for what, much in rows:
        print(f"| {what} | {much} |")


if __name__ == "__main__":
    main()
