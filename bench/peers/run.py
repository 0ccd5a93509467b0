"""Runs rls2 and its peers on the files of data.py: FOLDER REPORT. Writes FOLDER/results.json and the Markdown table REPORT.

Only the standard library: a child's peak memory counts from this process's own (some 15 MB), which should be small.
"""
import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent
LIMIT = 60  # seconds for one method on one problem
RLS2 = "build/rls2"

PROBLEMS = {
    "prostate": ("lpsa", "Prostate, 67 + 30 rows, 8 columns, linear: test RMSE", ["-k", "linear"]),
    "sparse": ("y", "Made, 200 + 200 rows, 5,000 columns of which 20 count, linear: test RMSE", ["-k", "linear"]),
    "housing": ("MEDV", "Housing, 354 + 152 rows, 13 columns, regression: test RMSE", ["--task", "regression"]),
    "sonar": ("class", "Sonar, 146 + 62 rows, 60 columns, two classes: test accuracy", ["--task", "classification"]),
}
KERNEL, TWO_CLASSES, LINEAR = ["housing", "sonar"], ["sonar"], ["prostate", "sparse"]

# (what the table says, environment, script, method, problems, package whose version is told)
PEERS = [
    ("scikit-learn, kernel ridge, grid 10 x 10", "sklearn", "sklearn_peers.py", "krr", KERNEL, "scikit-learn"),
    ("scikit-learn, SVR or SVC, grid 10 x 10", "sklearn", "sklearn_peers.py", "svm", KERNEL, "scikit-learn"),
    ("himalaya, random search of 50", "himalaya", "himalaya_peers.py", "random_search", KERNEL, "himalaya"),
    ("himalaya, hyper-gradient, 5 steps", "himalaya", "himalaya_peers.py", "hyper_gradient", KERNEL, "himalaya"),
    ("MKLpy, EasyMKL, 4 parameters", "mklpy", "mklpy_peers.py", "EasyMKL", TWO_CLASSES, "MKLpy"),
    ("MKLpy, AverageMKL, 4 parameters", "mklpy", "mklpy_peers.py", "AverageMKL", TWO_CLASSES, "MKLpy"),
    ("adelie, group lasso path of 30 on factors", "adelie", "group_peers.py", "adelie", KERNEL, "adelie"),
    ("skglm, group lasso path of 30 on factors", "skglm", "group_peers.py", "skglm", KERNEL, "skglm"),
    ("scikit-learn, LassoCV", "sklearn", "sklearn_peers.py", "lasso", LINEAR, "scikit-learn"),
    ("glmnet, cv.glmnet", "R", "glmnet.R", "glmnet", LINEAR, "glmnet"),
    ("celer, LassoCV", "celer", "lasso_peers.py", "celer", LINEAR, "celer"),
]


def measured(command, given=""):
    """Runs a command; its output, exit status, and what it took: wall and processor seconds, peak MB. Past LIMIT it is ended."""
    start = time.perf_counter()
    with open("/dev/null", "wb") as silence:
        child = subprocess.Popen(["timeout", str(LIMIT), *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=silence)
    child.stdin.write(given.encode())
    child.stdin.close()
    output = child.stdout.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    cost = {"wall": time.perf_counter() - start, "cpu": usage.ru_utime + usage.ru_stime, "memory": usage.ru_maxrss / 1024}
    return output, os.waitstatus_to_exitcode(status), cost


def rls2_rows(folder, name):
    """The whole path, then the lambda chosen on the folds, which peers are certified at."""
    target, _, options = PROBLEMS[name]
    common = [f"{folder}/{name}.train.csv", "-t", target, *options, "--test", f"{folder}/{name}.test.csv",
              "--standardize", "--threads", "1", "--json", "-q"]
    output, _, cost = measured([RLS2, "path", *common, "--drop", "fold"])
    path = json.loads(output)
    yield {"method": "rls2 path, 30 values of lambda", "seconds": path["seconds"], **cost,
           "gap": max(point["gap"] for point in path["path"])}

    output, _, cost = measured([RLS2, "train", *common, "--fold-column", "fold", "--no-baselines"])
    pathlib.Path(f"{folder}/{name}.rls2.json").write_text(output)
    point = json.loads(output)["path"][0]
    yield {"method": "rls2 train, 5 folds", "seconds": cost["wall"], **cost,
           "score": next(iter(point["test"].values())), "lambda": point["lambda"], "objective": point["objective"],
           "gap": point["gap"], **certified(folder, name, "rls2", "{}")}


def certified(folder, name, method, result):
    """Objective and gap in numpy; nothing where the environment that has numpy could not be installed."""
    output, status, _ = measured([f"{folder}/env-sklearn/bin/python", HERE / "certify.py", method, name, folder], result)
    return json.loads(output) if status == 0 else {}


def version_of(folder, environment, package):
    """The installed version, or None."""
    if environment == "R":
        if not shutil.which("Rscript"):
            return None
        command = ["Rscript", "-e", f'cat(as.character(packageVersion("{package}")))']
    elif not os.path.exists(f"{folder}/env-{environment}/ready"):
        return None
    else:
        command = [f"{folder}/env-{environment}/bin/python", "-c",
                   f"import importlib.metadata as m; print(m.version('{package}'))"]
    output, status, _ = measured(command)
    return output.strip() if status == 0 else None


def peer_row(folder, name, peer):
    label, environment, script, method, _, _ = peer
    program = "Rscript" if environment == "R" else f"{folder}/env-{environment}/bin/python"
    output, status, cost = measured([program, HERE / script, method, name, folder])
    if status != 0:
        return {"method": label, "failed": f"no result within {LIMIT} s" if status == 124 else f"failed with status {status}"}
    result = json.loads(output.splitlines()[-1])
    row = {"method": label, **cost, **{key: result[key] for key in ("prepare", "seconds", "score") if key in result}}
    if "weights" in result or "coefficients" in result:
        row.update(certified(folder, name, method, output.splitlines()[-1]))
    return row


def cell(row, key, form):
    return format(row[key], form) if row.get(key) is not None else ""


def table(rows):
    lines = ["| method | prepare s | fit s | process s | its CPU s | peak MB | test score | lambda | objective | certified gap |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for row in rows:
        if "failed" in row:
            lines.append(f"| {row['method']} | | {row['failed']} | | | | | | | |")
            continue
        cells = [cell(row, key, form) for key, form in (("prepare", ".2f"), ("seconds", ".3f"), ("wall", ".2f"), ("cpu", ".2f"), ("memory", ".0f"),
                                                        ("score", ".3f"), ("lambda", ".4g"), ("objective", ".6g"), ("gap", ".1e"))]
        lines.append(f"| {row['method']} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def processor():
    for line in open("/proc/cpuinfo") if os.path.exists("/proc/cpuinfo") else []:
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def report(results):
    text = (HERE / "report.md").read_text()
    for key in ("date", "machine"):
        text = text.replace(f"@{key}@", results[key])
    text = text.replace("@versions@", ", ".join(f"{name} {version}" for name, version in results["versions"].items() if version))
    missing = [name for name, version in results["versions"].items() if not version]
    text = text.replace("@missing@", "Left out, as they could not be installed: " + ", ".join(missing) + "." if missing
                        else "All of them could be installed.")
    return text + "".join(f"\n### {PROBLEMS[name][1]}\n{table(rows)}\n" for name, rows in results["problems"].items())


def save(results, folder, target):
    pathlib.Path(f"{folder}/results.json").write_text(json.dumps(results, indent=2) + "\n")
    pathlib.Path(target).write_text(report(results))


def main(folder, target):
    versions = {"rls2": measured([RLS2, "--version"])[0].split()[-1], "Python": platform.python_version()}
    for peer in PEERS:
        versions.setdefault(peer[5], version_of(folder, peer[1], peer[5]))
    results = {"date": datetime.date.today().isoformat(), "machine": f"{processor()}, {platform.system()}, one thread",
               "versions": versions, "problems": {}}
    for name in PROBLEMS:
        rows = results["problems"][name] = list(rls2_rows(folder, name))
        for peer in PEERS:
            if name in peer[4] and versions[peer[5]]:
                print(f"{name}: {peer[0]}", file=sys.stderr)
                rows.append(peer_row(folder, name, peer))
        save(results, folder, target)
    print(pathlib.Path(target).read_text())


if __name__ == "__main__":
    main(*sys.argv[1:])
