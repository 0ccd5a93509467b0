#!/usr/bin/env python3
"""Log loss of left-out rows on the paper's six classification sets, beside scikit-learn.

    bench-probabilities.py [--splits N] [--sets NAME ...] [--json FILE]

Each of N (10) random splits, 70/30 and stratified, is learned by 'rls2 train --probability' with no
other option but the target (in its two ways: as it is, and with every kernel linear), and by
LogisticRegressionCV on standardised columns, with 20 values of C and ten folds, by log loss: all is
chosen inside the training rows. Printed are mean log loss of the other rows, its standard error,
Brier score, AUC, and the mean of the differences within splits. Run by 'make bench-probabilities'.
"""

import argparse
import csv
import json
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ROOT / "build" / "rls2"
TARGETS = {"heart": "class", "liver": "selector", "pima": "diabetes", "ionosphere": "class",
           "wpbc": "outcome", "sonar": "class"}


def read(name):
    with open(ROOT / "data" / f"{name}.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file)]
    return [row for row in rows if all(cell not in ("", "?", "NA") for cell in row.values())]


def write(path, rows):
    with open(path, "w", newline="") as file:
        out = csv.DictWriter(file, rows[0].keys())
        out.writeheader()
        out.writerows(rows)


def scores(truth, p):
    return log_loss(truth, p), brier_score_loss(truth, p), roc_auc_score(truth, p)


def ours(folder, train, test, target, label, options):
    write(folder / "train.csv", train)
    write(folder / "test.csv", test)
    model = folder / "model.rls2"
    subprocess.run([COMMAND, "train", folder / "train.csv", "-t", target, "--probability",
                    "--no-baselines", "-o", model, *options], check=True, capture_output=True)
    told = subprocess.run([COMMAND, "predict", model, folder / "test.csv", "--probability"],
                          check=True, capture_output=True, text=True).stdout
    return np.array([float(row[f"probability_{label}"]) for row in csv.DictReader(
        told.splitlines())])


def theirs(train, test, target, label):
    columns = [name for name in train[0] if name != target]
    X = [np.array([[float(row[name]) for name in columns] for row in rows])
         for rows in (train, test)]
    y = np.array([row[target] == label for row in train])
    model = make_pipeline(StandardScaler(), LogisticRegressionCV(
        Cs=20, cv=10, scoring="neg_log_loss", max_iter=10000))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return model.fit(X[0], y).predict_proba(X[1])[:, 1]


def run_set(name, count):
    rows, target = read(name), TARGETS[name]
    labels = np.array([row[target] for row in rows])
    label = sorted(set(labels))[-1]
    found = {"rls2": [], "rls2 -k linear": [], "LogisticRegressionCV": []}
    for train, test in StratifiedShuffleSplit(count, test_size=0.3, random_state=1).split(
            labels, labels):
        parts = [rows[i] for i in train], [rows[i] for i in test]
        truth = labels[test] == label
        with tempfile.TemporaryDirectory() as folder:
            at = Path(folder)
            found["rls2"].append(scores(truth, ours(at, *parts, target, label, [])))
            found["rls2 -k linear"].append(
                scores(truth, ours(at, *parts, target, label, ["-k", "linear"])))
        found["LogisticRegressionCV"].append(scores(truth, theirs(*parts, target, label)))
    return {method: np.array(values) for method, values in found.items()}


def error(values):
    return np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("nan")


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--splits", type=int, default=10)
    asked.add_argument("--sets", nargs="+", choices=sorted(TARGETS), default=list(TARGETS))
    asked.add_argument("--json")
    asked = asked.parse_args()
    told, ahead = {}, 0
    print(f"{'data':11s} {'method':21s} {'log loss':>9s} {'SE':>7s} {'Brier':>7s} {'AUC':>7s} "
          f"{'difference':>11s} {'SE':>7s}")
    for name in asked.sets:
        found = run_set(name, asked.splits)
        base = found["LogisticRegressionCV"][:, 0]
        for method, values in found.items():
            apart = values[:, 0] - base
            print(f"{name:11s} {method:21s} {values[:, 0].mean():9.4f} {error(values[:, 0]):7.4f} "
                  f"{values[:, 1].mean():7.4f} {values[:, 2].mean():7.4f} {apart.mean():11.4f} "
                  f"{error(apart):7.4f}", flush=True)
        ahead += found["rls2"][:, 0].mean() < base.mean()
        told[name] = {method: values.tolist() for method, values in found.items()}
    print(f"rls2 has the smaller log loss on {ahead} of {len(asked.sets)} sets")
    if asked.json:
        Path(asked.json).write_text(json.dumps(told))


if __name__ == "__main__":
    main()
