#!/usr/bin/env python3
"""Coverage and width of prediction intervals on rows that no model has seen.

    bench-intervals.py [--splits N] [--level X] [--sets NAME ...] [--losses LOSS ...] [--json FILE]

Each of N (20) random splits, 70/30, of the regression sets in data/ is learned by 'rls2 train
--interval 0.9' with no other option but target, columns to leave out and loss; lambda is chosen and
the intervals are calibrated inside the training rows. Printed are, over the splits, the mean share
of the other rows that lie within their interval, its standard error (splits share rows: it is a
rough one), the mean width in units of the target, and that of the middle of the training responses
that holds the same share, which knows no inputs. Run by 'make bench-intervals'.
"""

import argparse
import csv
import json
import math
import os
import random
import statistics
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMAND = Path(os.environ.get("RLS2", ROOT / "build" / "rls2"))
SETS = {"auto-mpg": ("mpg", ["car_name"]), "cpu": ("ERP", ["model"]), "housing": ("MEDV", []),
        "servo": ("rise_time", []), "prostate": ("lpsa", ["train"])}


def read(name):
    with open(ROOT / "data" / f"{name}.csv", newline="") as file:
        return list(csv.DictReader(file))


def write(path, rows):
    with open(path, "w", newline="") as file:
        out = csv.DictWriter(file, rows[0].keys())
        out.writeheader()
        out.writerows(rows)


def quantiles(level):
    tail = round((1 - level) / 2, 12)
    return f"quantile({tail:g},0.5,{round(1 - tail, 12):g})"


def plain_width(values, level):
    """Between the quantiles of the training responses that leave out as much on either side."""
    values = sorted(values)
    cut = int(math.floor((1 - level) / 2 * (len(values) + 1)))
    return values[len(values) - max(cut, 1)] - values[max(cut, 1) - 1]


def measure(name, split, loss, level):
    target, drop = SETS[name]
    rows = read(name)
    random.Random(f"{name} {split}").shuffle(rows)
    share = round(0.7 * len(rows))
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        write(folder / "train.csv", rows[:share])
        write(folder / "test.csv", rows[share:])
        subprocess.run([COMMAND, "train", folder / "train.csv", "-t", target, "--interval",
                        f"{level:g}", "--loss", loss, "--no-baselines", "--threads", "1", "-o",
                        folder / "model.rls2", *(f"--drop={column}" for column in drop)],
                       check=True, capture_output=True)
        told = subprocess.run([COMMAND, "predict", folder / "model.rls2", folder / "test.csv",
                               "--interval"], check=True, capture_output=True, text=True).stdout
    bounds = [(float(row["lower"]), float(row["upper"])) for row in csv.DictReader(
        told.splitlines())]
    truth = [float(row[target]) for row in rows[share:]]
    within = sum(lower <= y <= upper for (lower, upper), y in zip(bounds, truth, strict=True))
    return {"set": name, "split": split, "loss": loss, "rows": len(truth),
            "coverage": within / len(truth),
            "width": statistics.fmean(upper - lower for lower, upper in bounds),
            "plain_width": plain_width([float(row[target]) for row in rows[:share]], level)}


def say(found, level):
    n = len(found)
    shares = [one["coverage"] for one in found]
    error = statistics.stdev(shares) / math.sqrt(n) if n > 1 else float("nan")
    outside = "" if abs(statistics.fmean(shares) - level) <= 0.02 else "   outside 2 points"
    print(f"{found[0]['set']:10s} {found[0]['loss']:24s} {statistics.fmean(shares):9.1%} "
          f"{error:7.1%} {statistics.fmean(one['width'] for one in found):10.4g} "
          f"{statistics.fmean(one['plain_width'] for one in found):10.4g}{outside}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--splits", type=int, default=20)
    arguments.add_argument("--level", type=float, default=0.9)
    arguments.add_argument("--sets", nargs="+", default=list(SETS), choices=list(SETS))
    arguments.add_argument("--losses", nargs="+")
    arguments.add_argument("--workers", type=int, default=os.cpu_count())
    arguments.add_argument("--json", type=Path)
    asked = arguments.parse_args()
    everything = []
    print(f"{'set':10s} {'loss':24s} {'coverage':>9s} {'s.e.':>7s} {'width':>10s} "
          f"{'no inputs':>10s}")
    with ThreadPoolExecutor(asked.workers) as team:
        for loss in asked.losses or ["square", quantiles(asked.level)]:
            for name in asked.sets:
                found = list(team.map(lambda split, name=name, loss=loss: measure(
                    name, split, loss, asked.level), range(asked.splits)))
                say(found, asked.level)
                everything += found
    if asked.json:
        asked.json.write_text(json.dumps(everything, indent=1) + "\n")


if __name__ == "__main__":
    main()
