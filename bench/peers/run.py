"""Runs rls2 and its peers on the same rows, FOLDER DOCUMENT [--splits N] [--quick] [--limit
SECONDS] [--fresh].

Every result is kept in FOLDER/tasks as soon as it is there. After each split of the data
FOLDER/results.json is written; at the end the section of DOCUMENT between its marks (see
report.py), which --quick, one split, leaves as it is and prints instead. Only the standard library:
a child's peak memory counts from this process's own (some 15 MB), which should be small.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import sys
import time

import report
import tasks
from methods import PEERS, PROBLEMS, SPLITS

HERE = pathlib.Path(__file__).parent
RLS2, CERTIFY = "build/rls2", "build/rls2_bench_certify"
AGREE = 1e-9  # the library's certificate and numpy's, relative
RLS2_METHODS = [("rls2-path", "rls2 path, 30 values of lambda"),
                ("rls2-train", "rls2 train, 5 folds")]


class Progress:
    """One line for each task on stderr, with the time left by what the same tasks took before."""

    def __init__(self, expected):
        self.expected, self.done = expected, 0
        self.total = len(expected)

    def begin(self, what):
        """What takes a while is named before it is done, where somebody looks on."""
        if sys.stderr.isatty():
            print(f"[{self.done + 1:3}/{self.total}] {what} ...", end="\r", file=sys.stderr,
                  flush=True)

    def say(self, key, what, seconds):
        self.done += 1
        self.expected.pop(key, None)
        left = sum(self.expected.values())
        took = "kept" if seconds is None else f"{seconds:.1f} s"
        rest = f"{left / 60:.0f} min" if left > 90 else f"{left:.0f} s"
        print(f"[{self.done:3}/{self.total}] {what:72} {took:>8}   about {rest} left",
              file=sys.stderr, flush=True)


class Run:
    def __init__(self, arguments):
        self.folder, self.limit = arguments.folder, arguments.limit
        self.splits = arguments.splits
        self.kept = pathlib.Path(self.folder) / "tasks"
        if arguments.fresh:
            shutil.rmtree(self.kept, ignore_errors=True)
        self.kept.mkdir(parents=True, exist_ok=True)
        self.versions = self.find_versions()
        self.rows = {}  # (problem, method) -> {split: result}
        self.progress = Progress({task: self.expected_seconds(*task) for task in self.all_tasks()})

    # ---- what there is to do ----

    def peers_of(self, name, split):
        return [
            peer for peer in PEERS
            if name in peer.problems and self.versions[peer.package] and split <= peer.splits]

    def all_tasks(self):
        for split in range(1, self.splits + 1):
            for name in PROBLEMS:
                methods = [method for method, _ in RLS2_METHODS] + [
                    peer.method for peer in self.peers_of(name, split)]
                yield from ((name, split, method) for method in [*methods, "certificates"])

    def file(self, name, split, method):
        return self.kept / f"{name}-{split}-{method}.json"

    def expected_seconds(self, name, split, method):
        """0 where a result is kept, else what another split took, else a guess."""
        if self.file(name, split, method).exists():
            return 0.0
        for other in range(1, SPLITS + 1):
            try:
                return json.loads(self.file(name, other, method).read_text())["result"]["wall"]
            except (OSError, ValueError, KeyError):
                pass
        return next((peer.guess for peer in PEERS if peer.method == method), 2.0)

    def find_versions(self):
        versions = {
            "rls2": self.version_from([RLS2, "--version"]), "Python": platform.python_version()}
        for peer in PEERS:
            if peer.package not in versions:
                versions[peer.package] = self.version_of(peer)
        return versions

    def version_of(self, peer):
        """The installed version, or None."""
        if peer.environment == "R":
            return shutil.which("Rscript") and self.version_from(
                ["Rscript", "-e", f'cat(as.character(packageVersion("{peer.package}")))'])
        python = f"{self.folder}/env-{peer.environment}/bin/python"
        if not os.path.exists(f"{self.folder}/env-{peer.environment}/ready"):
            return None
        return self.version_from([
            python, "-c", f"import importlib.metadata as m; print(m.version('{peer.package}'))"])

    def version_from(self, command):
        outcome = tasks.measured(command, self.limit)
        words = outcome.output.split() if outcome.status == 0 else []
        return words[-1] if words else None

    # ---- one task ----

    def once(self, name, split, method, label, mark, compute):
        """The kept result of a task, or a new one, kept."""
        path = self.file(name, split, method)
        result, seconds = tasks.recall(path, mark, self.limit), None
        if result is None:
            self.progress.begin(f"{name}, split {split}: {label}")
            start = time.perf_counter()
            result = compute()
            result["measured"] = datetime.date.today().isoformat()
            seconds = time.perf_counter() - start
            tasks.keep(path, mark, result)
        self.progress.say((name, split, method), f"{name}, split {split}: {label}" +
                          (": " + result["failed"] if "failed" in result else ""), seconds)
        return result

    def data_files(self, name, split):
        return [f"{self.folder}/{name}-{split}.{part}.csv" for part in ("train", "test")]

    def read_json(self, command, log, given=""):
        """(what a program printed in its last line, what it cost); of a program that failed:
        ({"failed": ...}, ...).
        """
        outcome = tasks.measured(command, self.limit, given, log)
        if outcome.status != 0:
            return tasks.failure(outcome, self.limit, log), outcome.cost
        return outcome.output, outcome.cost

    def log(self, name, split, method):
        return self.kept / f"{name}-{split}-{method}.log"

    def rls2(self, name, split, command, *options):
        """(JSON of a command of rls2, cost), or ({"failed": ...}, cost)."""
        data, (train, test) = PROBLEMS[name], self.data_files(name, split)
        output, cost = self.read_json([
            RLS2, command, train, "-t", data.target, *data.options, "--test", test, "--standardize",
            "--threads", "1", "--json", "-q", *options], self.log(name, split, f"rls2-{command}"))
        return (json.loads(output) if isinstance(output, str) else output), cost

    def rls2_path(self, name, split):
        found, cost = self.rls2(name, split, "path", "--drop", "fold")
        if "failed" in found:
            return found
        return {
            "seconds": found["seconds"],
            **cost, "gap": max(point["gap"] for point in found["path"])}

    def rls2_train(self, name, split):
        """The lambda chosen on the folds, which peers are certified at."""
        found, cost = self.rls2(name, split, "train", "--fold-column", "fold", "--no-baselines")
        if "failed" in found:
            return found
        point = found["path"][0]
        return {"seconds": cost["wall"], **cost, "score": next(iter(point["test"].values())),
                "point": {key: point[key] for key in ("lambda", "objective", "gap", "selected")}}

    def peer(self, name, split, peer):
        python = f"{self.folder}/env-{peer.environment}/bin/python"
        program = "Rscript" if peer.environment == "R" else python
        output, cost = self.read_json(
            [program, HERE / peer.script, peer.method, name, split, self.folder],
            self.log(name, split, peer.method))
        if not isinstance(output, str):
            return output
        return {**cost, **json.loads(output.splitlines()[-1])}

    def certificates(self, name, split, results):
        """{"found": {method: certificate}} of all methods of a split together."""
        command = [
            f"{self.folder}/env-sklearn/bin/python", HERE / "certify.py", name, split, self.folder,
            CERTIFY]
        output, cost = self.read_json(command, self.log(name, split, "certificates"),
                                      json.dumps(results))
        return {"found": json.loads(output), **cost} if isinstance(output, str) else output

    # ---- one split of one problem ----

    def run_split(self, name, split):
        common, data = [HERE / "common.py"], self.data_files(name, split)
        results = {}
        for (method, label), compute in zip(RLS2_METHODS, (self.rls2_path, self.rls2_train)):
            mark = tasks.fingerprint([RLS2, *data], *PROBLEMS[name].options)
            results[method] = self.once(name, split, method, label, mark,
                                        lambda: compute(name, split))
        if "failed" not in results["rls2-train"]:
            point = json.dumps(results["rls2-train"]["point"])
            tasks.write_whole(f"{self.folder}/{name}-{split}.rls2.json", point + "\n")
            for peer in self.peers_of(name, split):
                words = [
                    self.versions[peer.package], point if peer.script == "group_peers.py" else ""]
                mark = tasks.fingerprint([HERE / peer.script, *common, *data], *words)
                results[peer.method] = self.once(name, split, peer.method, peer.label, mark,
                                                 lambda: self.peer(name, split, peer))
            self.certify(name, split, point, results)
        for method, result in results.items():
            self.rows.setdefault((name, method), {})[split] = result

    def certify(self, name, split, point, results):
        """Adds lambda, objective and gap to the results that define a point."""
        kept = ("weights", "coefficients", "t")
        asked = {method: {key: result[key] for key in kept if key in result}
                 for method, result in results.items()
                 if method == "rls2-train" or "weights" in result or "coefficients" in result}
        mark = tasks.fingerprint(
            [HERE / "certify.py", HERE / "common.py", CERTIFY, *self.data_files(name, split)],
            point, json.dumps(asked))
        found = self.once(name, split, "certificates", "certificates", mark,
                          lambda: self.certificates(name, split, asked))
        for method, certificate in found.get("found", {}).items():
            results[method].update(certificate)

    # ---- all ----

    def summary(self):
        label_of = dict(RLS2_METHODS) | {peer.method: peer.label for peer in PEERS}
        problems = {name: {"title": PROBLEMS[name].title, "methods": []} for name in PROBLEMS}
        for (name, method), splits in self.rows.items():
            large = ("weights", "coefficients", "point")
            short = [{key: value for key, value in result.items() if key not in large}
                     | {"split": split} for split, result in splits.items()]
            problems[name]["methods"].append({
                "method": method, "label": label_of[method], "splits": short})
        dates = sorted({row["measured"] for splits in self.rows.values()
                        for row in splits.values()})
        begun = max(split for splits in self.rows.values() for split in splits)
        return {
            "date": " to ".join(sorted({dates[0], dates[-1]})), "versions": self.versions,
            "splits": begun, "machine": f"{tasks.processor()}, {platform.system()}, one thread",
            "limit": self.limit, "problems": problems}

    def save(self):
        tasks.write_whole(f"{self.folder}/results.json",
                          json.dumps(self.summary(), indent=2) + "\n")

    def all(self):
        for split in range(1, self.splits + 1):
            for name in PROBLEMS:
                self.run_split(name, split)
            self.save()
        return self.summary()


def say_agreement(summary):
    """The library's certificates against numpy's; False where they differ."""
    apart = report.furthest_apart(summary)
    if apart is None:
        print("certificates: none could be computed (see the logs in build/peers/tasks)",
              file=sys.stderr)
        return True
    print(f"certificates: rls2_certify and numpy agree to {apart:.1e}" if apart <= AGREE
          else f"certificates: rls2_certify and numpy DIFFER by {apart:.1e}, more than {AGREE:g}",
          file=sys.stderr)
    return apart <= AGREE


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("document")
    parser.add_argument("--splits", type=int, default=SPLITS)
    parser.add_argument("--quick", action="store_true", help="one split; DOCUMENT stays as it is")
    parser.add_argument("--limit", type=float, default=90.0,
                        help="seconds for one method on one split")
    parser.add_argument("--fresh", action="store_true", help="forget results that were kept")
    found = parser.parse_args()
    found.splits = 1 if found.quick else found.splits
    return found


def stop(*_):
    raise KeyboardInterrupt


def main():
    given = arguments()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)  # the program that is being measured ends too
    try:
        subprocess.run([sys.executable, HERE / "data.py", "data", given.folder,
                        str(given.splits)], check=True)
        summary = Run(given).all()
    except KeyboardInterrupt:
        sys.exit("stopped: what is finished is kept, and the same command goes on from there")
    if given.quick:
        print(report.section(summary))
    else:
        report.replace_section(pathlib.Path(given.document), report.section(summary))
        print(f"written: {given.document}, section '{report.HEADING}', "
              f"and {given.folder}/results.json")
    sys.exit(0 if say_agreement(summary) else 1)


if __name__ == "__main__":
    main()
