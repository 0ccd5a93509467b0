#!/usr/bin/env python3
"""Mutation testing by a list: each small change in tests/mutants/*.txt must make a test fail.

    tools/mutants.py              tries them all: a table, then 'N of M killed'; 1 if one survives
    MUTANTS=regex tools/mutants.py    those whose name or file matches
    NAMED=1 tools/mutants.py      only by the tests that entries name: quicker where many survive
    tools/mutants.py --check      whether every entry fits the tree (seconds; part of the tests)
    tools/mutants.py --self-test  whether --check notices entries that do not

An entry is

    mutant NAME
    file   src/room/file.c
    tests  unit.test_one cli.two   those expected to notice, as ctest names them; of the server's,
                                   which are slow, a single case: gui.test_life:Life.test_port
    under  asan                    where only a sanitizer can (leaks); otherwise left out
    why    what would be wrong
    -a line of the file
    +what it becomes

The lines below `why` are a hunk as in a diff: ' ' stays, '-' goes, '+' comes. They are compared
without their indentation, and those that stay or go must be found, one after the other, exactly
once in the file.

Work is done in copies of the tree, build-mutants/1 and /2 (WORKERS: how many), which are kept: the
next run builds what has changed. A mutant is killed when one of its tests fails or runs out of
time, or, where none of them does, any other of the suite; one that does not compile is a mistake
in the list.
"""
import contextlib
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / "build-mutants"
LISTS = "tests/mutants"
CORES = os.cpu_count() or 1
WORKERS = int(os.environ.get("WORKERS", min(2, CORES)))
AT_LEAST = 60
TEST_SECONDS = 300  # the slowest of the tests named takes ten on an idle machine
FIELDS = ("mutant", "file", "tests", "under", "why")
# Slow, about the tree, or about an installation: nothing a change of a line could be told by alone.
NOT_ASKED = r"^(layers|mutants|consumer|guard)\.|^gui\.test_load$"


class Mistake(Exception):
    """Something is wrong with the list, not with the suite."""


@dataclass
class Mutant:
    name: str
    place: str  # file and line of the list
    file: str = ""
    tests: list = field(default_factory=list)
    under: str = ""
    why: str = ""
    hunk: list = field(default_factory=list)  # (mark, text)

    def lines(self, marks):
        return [text for mark, text in self.hunk if mark in marks]


# ---- the list ----


def take_line(mutants, line, place):
    if line[:1] in " -+":
        if not mutants:
            raise Mistake(f"{place}: a line of a hunk before the first 'mutant'")
        mutants[-1].hunk.append((line[0], line[1:]))
        return
    word, _, text = line.partition(" ")
    text = text.strip()
    if word not in FIELDS or not text or (word != "mutant" and not mutants):
        raise Mistake(f"{place}: '{line}' is neither a field nor a line of a hunk")
    if word == "mutant":
        mutants.append(Mutant(text, place))
    else:
        setattr(mutants[-1], word, text.split() if word == "tests" else text)


def read_list(root):
    mutants = []
    for path in sorted((root / LISTS).glob("*.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                take_line(mutants, line, f"{path.relative_to(root)}:{number}")
    return mutants


def mutate(mutant, text):
    """The text of the file with the hunk applied."""
    old = [line.strip() for line in mutant.lines(" -")]
    lines = text.split("\n")
    bare = [line.strip() for line in lines]
    places = range(len(bare) - len(old) + 1) if old else ()
    found = [i for i in places if bare[i : i + len(old)] == old]
    if len(found) != 1:
        times = "is not there" if not found else f"is there {len(found)} times"
        raise Mistake(f"{mutant.place}: {mutant.name}: its text {times} in {mutant.file}")
    return "\n".join(lines[: found[0]] + mutant.lines(" +") + lines[found[0] + len(old) :])


def source_of(test):
    """Where a test is written, as tests/CMakeLists.txt finds it."""
    tier, _, name = test.partition(":")[0].partition(".")
    if tier == "gui":
        return f"gui/tests/{name}.py"
    if tier == "cli" and not name.startswith("test_"):
        return f"tests/cli/{name}.sh"
    return f"tests/{tier}/{name}.c"


def check(mutant, root):
    where = f"{mutant.place}: {mutant.name}"
    if not (mutant.file and mutant.tests and mutant.why):
        raise Mistake(f"{where}: file, tests and why are all needed")
    if mutant.under not in ("", "asan"):
        raise Mistake(f"{where}: '{mutant.under}' is no sanitizer known here")
    if not (root / mutant.file).is_file():
        raise Mistake(f"{where}: there is no {mutant.file}")
    for test in mutant.tests:
        if not (root / source_of(test)).is_file():
            raise Mistake(f"{where}: there is no test {test} ({source_of(test)})")
        case = test.partition(":")[2].partition(".")[2]
        if f"def {case}(" not in (root / source_of(test)).read_text() and case:
            raise Mistake(f"{where}: there is no {case} in {source_of(test)}")
    text = (root / mutant.file).read_text()
    if mutate(mutant, text) == text or mutant.lines(" -") == mutant.lines(" +"):
        raise Mistake(f"{where}: changes nothing")


def check_all(root):
    """The mutants, and what is wrong with them."""
    wrong = []
    try:
        mutants = read_list(root)
    except Mistake as mistake:
        return [], [str(mistake)]
    seen = set()
    for mutant in mutants:
        if mutant.name in seen:
            wrong.append(f"{mutant.place}: there is another {mutant.name}")
        seen.add(mutant.name)
        try:
            check(mutant, root)
        except Mistake as mistake:
            wrong.append(str(mistake))
    return mutants, wrong


# ---- a copy of the tree ----


def tracked_files():
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    names = listed.stdout.decode().split("\0")
    return [name for name in names if name and (ROOT / name).is_file()]


def copy_tree(to):
    """Makes `to` what the tree is; files that are the same keep their time: no compiling."""
    names = set(tracked_files())
    for path in [p for p in to.rglob("*") if p.is_file()]:
        if str(path.relative_to(to)) not in names:
            path.unlink()
    for name in names:
        source, copy = ROOT / name, to / name
        if copy.is_file() and copy.read_bytes() == source.read_bytes():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)


def target_of(test):
    tier, _, name = test.partition(":")[0].partition(".")
    if tier == "fuzz":
        return {f"replay_{name}"}
    targets = {"rls2_command"} if tier in ("cli", "gui") else set()
    return targets | ({f"{tier}_{name}"} if source_of(test).endswith(".c") else set())


def targets_of(tests):
    return {target for test in tests for target in target_of(test)}


@dataclass
class Outcome:
    failed: list  # tests, in the order in which ctest reports them
    skipped: list


class Worker:
    """A copy of the tree, with a build folder for each way of building it."""

    def __init__(self, number, jobs):
        self.tree = SCRATCH / str(number) / "tree"
        self.jobs = jobs
        self.tree.mkdir(parents=True, exist_ok=True)
        copy_tree(self.tree)

    def folder(self, under):
        return self.tree.parent / (under or "plain")

    def call(self, *command, more=None):
        """In a group of its own, of which nothing is left: no server that a failing test forgot."""
        # a file: a pipe would end only with the last that has it
        with tempfile.TemporaryFile("w+", errors="replace") as said:
            process = subprocess.Popen(
                [str(word) for word in command], cwd=self.tree, env={**os.environ, **(more or {})},
                stdout=said, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            process.wait()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            said.seek(0)
            return subprocess.CompletedProcess(command, process.returncode, said.read())

    def configure(self, under):
        made = self.call(
            "cmake", "-S", self.tree, "-B", self.folder(under), "-G", "Ninja",
            "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1", "-DRLS2_TESTS=ON",
            "-DRLS2_GUI=ON", "-DRLS2_BENCH=OFF", f"-DRLS2_TEST_TIMEOUT={TEST_SECONDS}",
            f"-DRLS2_SANITIZE={'address,undefined' if under == 'asan' else ''}",
        )  # fmt: skip
        if made.returncode:
            raise Mistake(made.stdout)

    def build(self, under, targets):
        """What went wrong, or nothing."""
        command = ["cmake", "--build", self.folder(under), "-j", self.jobs, "--target"]
        made = self.call(*command, *sorted(targets))
        return made.stdout if made.returncode else ""

    def run(self, under, pattern, *more):
        ran = self.call(
            "ctest", "--test-dir", self.folder(under), "-R", pattern, "-j", self.jobs,
            "--no-tests=error", "--output-on-failure", *more,
        )  # fmt: skip
        listed = re.findall(r"^\s+\d+ - (\S+) \(([^)]*)\)", ran.stdout, re.M)
        failed = [name for name, how in listed if how != "Skipped"]
        if ran.returncode and not failed:
            raise Mistake(ran.stdout)
        return Outcome(failed, [name for name, how in listed if how == "Skipped"])

    def case_fails(self, under, test):
        """A single case of the server's tests, with the surroundings that ctest gives them."""
        slow = {"RLS2_PATIENCE": "5", "RLS2_SANITIZED": "1"} if under else {}
        ran = self.call(
            "timeout", TEST_SECONDS, sys.executable, "-B", source_of(test), test.partition(":")[2],
            more={**slow, "RLS2_COMMAND": str(self.folder(under) / "rls2")},
        )  # fmt: skip
        return ran.returncode != 0

    def run_named(self, under, tests):
        cases = [test for test in tests if ":" in test]
        whole = [re.escape(test) for test in tests if ":" not in test]
        failed = [case for case in cases if self.case_fails(under, case)]
        if not whole:
            return Outcome(failed, [])
        outcome = self.run(under, f"^({'|'.join(whole)})$")
        return Outcome(failed + outcome.failed, outcome.skipped)

    def first_to_fail(self, under, tests):
        """In a list; the others are not run."""
        for test in tests:
            if self.run_named(under, [test]).failed:
                return [test]
        return []


# ---- the work ----


def prepare(worker, mutants, under, share):
    """Builds the tree as it is; which of a share of the tests named fail there, or are skipped."""
    tests = sorted({test for mutant in mutants if mutant.under == under for test in mutant.tests})
    if not tests:
        return []
    worker.configure(under)
    wrong = worker.build(under, targets_of(tests))
    if wrong:
        raise Mistake(f"the tree as it is does not build:\n{wrong[-4000:]}")
    if not tests[share]:
        return []
    outcome = worker.run_named(under, tests[share])
    return outcome.failed + outcome.skipped


def try_suite(worker, mutant):
    """The whole suite, where the tests named did not notice."""
    if worker.build(mutant.under, {"all"}):
        raise Mistake(f"{mutant.place}: {mutant.name} does not build as a whole")
    return worker.run(mutant.under, ".", "-E", NOT_ASKED, "--stop-on-failure").failed


def attempt(worker, mutant):
    """The tests that noticed: (named ones, others)."""
    path = worker.tree / mutant.file
    original = path.read_text()
    path.write_text(mutate(mutant, original))
    others = []
    try:
        wrong = worker.build(mutant.under, targets_of(mutant.tests))
        if wrong:
            raise Mistake(f"{mutant.place}: {mutant.name} does not build:\n{wrong[-4000:]}")
        named = worker.first_to_fail(mutant.under, mutant.tests)
        if not named and not os.environ.get("NAMED"):
            others = try_suite(worker, mutant)
    finally:
        path.write_text(original)
    if others:  # what fails without the mutant, too, proves nothing
        worker.build(mutant.under, {"all"})
        anyway = worker.run_named(mutant.under, others).failed
        others = [test for test in others if test not in anyway]
    return named, others


class Table:
    def __init__(self):
        self.lock = threading.Lock()
        self.killed, self.survived, self.mistakes = [], [], []

    def line(self, verdict, mutant, seconds, text):
        print(f"{verdict:9} {mutant.name:44} {mutant.file:34} {seconds:5.1f} s  {text}", flush=True)

    def enter(self, mutant, seconds, named, others):
        with self.lock:
            if named or others:
                self.killed.append(mutant)
                text = " ".join(named) if named else f"{' '.join(others)} (not among those named)"
                self.line("killed", mutant, seconds, text)
            else:
                self.survived.append(mutant)
                self.line("SURVIVED", mutant, seconds, mutant.why)

    def enter_mistake(self, mutant, seconds, mistake):
        with self.lock:
            self.mistakes.append(mutant)
            self.line("MISTAKE", mutant, seconds, str(mistake))


def work_off(worker, waiting, table):
    while True:
        try:
            mutant = waiting.get_nowait()
        except queue.Empty:
            return
        began = time.monotonic()
        try:
            named, others = attempt(worker, mutant)
            table.enter(mutant, time.monotonic() - began, named, others)
        except Mistake as mistake:
            table.enter_mistake(mutant, time.monotonic() - began, mistake)


def one_worker(number, jobs, chosen, own, shared, table):
    """First its own, then what is left of those for everybody."""
    try:
        worker = Worker(number, jobs)
        wrong = []
        for kind in sorted({""} | {mutant.under for mutant in own}):
            share = slice(None) if kind else slice(number - 1, None, WORKERS)
            wrong += prepare(worker, chosen, kind, share)
        if wrong:
            raise Mistake(f"without any mutant these fail or are skipped: {' '.join(wrong)}")
    except Mistake as mistake:
        table.mistakes.append(str(mistake))
        print(mistake, flush=True)
        return
    mine = queue.Queue()
    for mutant in own:
        mine.put(mutant)
    work_off(worker, mine, table)
    work_off(worker, shared, table)


def try_all(chosen):
    jobs = max(1, CORES // WORKERS)
    special = [mutant for mutant in chosen if mutant.under]  # for one worker: a build of their own
    shared, table, began = queue.Queue(), Table(), time.monotonic()
    for mutant in chosen:
        if not mutant.under:
            shared.put(mutant)
    threads = []
    for i in range(WORKERS):
        arguments = (i + 1, jobs, chosen, [] if i else special, shared, table)
        threads.append(threading.Thread(target=one_worker, args=arguments, daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    minutes = (time.monotonic() - began) / 60
    killed = len(table.killed)
    print(f"{killed} of {len(chosen)} killed in {minutes:.1f} minutes, {WORKERS} at a time")
    return 0 if killed == len(chosen) and not table.mistakes else 1


# ---- the tool itself ----

SOUND = """mutant sound
file a.c
tests unit.test_a
why of no account
 int b;
-int c = 1;
+int c = 2;
"""
# What is changed in a sound entry, and a word of what must be said about it.
UNSOUND = (
    ("int c = 1;", "int c = 3;", "not there"),
    (" int b;\n-int c = 1;", "-int a;", "2 times"),
    ("unit.test_a", "unit.test_b", "no test"),
    ("unit.test_a", "unit.test_a:A.test_b", "no test_b"),
    ("file a.c", "file b.c", "no b.c"),
    ("+int c = 2;", "+int c = 1;", "changes nothing"),
    ("why of no account\n", "", "needed"),
    ("mutant sound", "mutation sound", "neither"),
)


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in (LISTS, "tests/unit"):
            (root / name).mkdir(parents=True)
        (root / "a.c").write_text("int a;\nint a;\n    int b;\nint c = 1;\n")
        (root / "tests/unit/test_a.c").write_text("")
        entry = root / LISTS / "a.txt"
        for old, new, said in (("", "", ""), *UNSOUND):
            entry.write_text(SOUND.replace(old, new) if old else SOUND)
            _, wrong = check_all(root)
            if bool(wrong) != bool(said) or said not in "".join(wrong):
                print(f"'{new}' for '{old}': {wrong}")
                return 1
        entry.write_text(SOUND + SOUND)
        if "another" not in "".join(check_all(root)[1]):
            print("two entries of one name are not noticed")
            return 1
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    mutants, wrong = check_all(ROOT)
    if len(mutants) < AT_LEAST:
        wrong.append(f"{LISTS}: {len(mutants)} mutants, and there should be {AT_LEAST}")
    if wrong:
        print("\n".join(wrong))
        return 1
    if arguments == ["--check"]:
        print(f"{len(mutants)} mutants fit the tree")
        return 0
    wanted = re.compile(os.environ.get("MUTANTS", ""))
    chosen = [m for m in mutants if wanted.search(m.name) or wanted.search(m.file)]
    if not chosen:
        print(f"no mutant is called '{wanted.pattern}'")
        return 1
    return try_all(chosen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
