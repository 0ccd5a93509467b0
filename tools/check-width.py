#!/usr/bin/env python3
"""Fails, with file:line, on every line of more than 100 characters in the files of the repository.

    tools/check-width.py [ROOT]       checks the tree (default: this repository)
    tools/check-width.py --self-test  checks that the check notices what it should

Files are those git tracks, and new ones it does not ignore. Files that are not text, or not valid
UTF-8, are skipped. Exit status: 0 all lines fit, 1 some do not, 77 (skipped) not a git work tree.
"""

import fnmatch
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 100
SKIPPED = 77

# What may be wider, and why. `*` in a pattern matches `/` too.
EXCEPTIONS = {
    "*.csv": "data: a row is a line",
    "*.svg": "written by programs",
    "*package-lock.json": "written by npm",
    "docs/ACCURACY.md": "tables written by make bench-accuracy",
    "tests/fuzz/corpus/*": "inputs of the fuzzers, byte by byte",
    "tests/data/peers/*.json": "written by make bench-peers",
    "tests/mutants/*.txt": "lines of code behind a '-' or '+'",
    "packaging/debian/changelog": "its format: a signature is a line",
    "experiments/sources.txt": "a record is a line, with an address and a checksum",
}


def is_exempt(name):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in EXCEPTIONS)


def files(root):
    """Names of the files below root, or None where git does not know it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return sorted(set(done.stdout.decode("utf-8", "surrogateescape").split("\0")) - {""})


def text_lines(path):
    """The lines of a text file; none of any other."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):  # deleted, or a submodule
        return []
    try:
        return [] if b"\0" in data else data.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        return []


def wide_lines(name, lines):
    """(number, width) of each line that is too wide.

    A ```console block of Markdown shows what a program printed: only its commands are checked.
    """
    printed = False
    for number, line in enumerate(lines, 1):
        if name.endswith(".md") and line.startswith("```"):
            printed = line == "```console"
        elif len(line) > LIMIT and not (printed and not line.startswith("$ ")):
            yield number, len(line)


def check(root):
    """What is wrong, a line of text each; None where there is nothing to list the files."""
    names = files(root)
    if names is None:
        return None
    return [
        f"{name}:{number}: {width} characters, at most {LIMIT} fit"
        for name in names
        if not is_exempt(name)
        for number, width in wide_lines(name, text_lines(root / name))
    ]


# ---- the check, checked --------------------------------------------------------------------------

WIDE = b"x" * 101
CASES = [  # file, bytes, numbers of the lines that are too wide
    ("a.c", b"x" * 100 + b"\n", []),
    ("a.c", b"int x;\n" + WIDE + b"\n", [2]),
    ("b/a.py", WIDE, [1]),
    ("a.md", "ü".encode() * 100, []),  # characters count, not bytes
    ("a.md", "ü".encode() * 101, [1]),
    ("a.md", b"```console\n$ ls\n" + WIDE + b"\n```\n" + WIDE, [5]),
    ("a.md", b"```console\n$ " + WIDE + b"\n```\n", [2]),
    ("a.md", b"```\n" + WIDE + b"\n```\n", [2]),
    ("a.csv", WIDE, []),
    ("gui/page/package-lock.json", WIDE, []),
    ("tests/fuzz/corpus/t/one", WIDE, []),
    ("a.bin", b"\0" + WIDE, []),
    ("latin1.txt", b"\xe9" + WIDE, []),
]


def self_test():
    failures = 0
    for name, data, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            if check(root) is not None:
                print("a folder without git should be skipped")
                failures += 1
            subprocess.run(["git", "init", "-q"], cwd=root, check=True)
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
            found = [int(line.split(":")[1]) for line in check(root)]
        if found != expected:
            print(f"{name} with {data[:20]}...: lines {found}, expected {expected}")
            failures += 1
    return failures > 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) > 1 or arguments and arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    wrong = check(pathlib.Path(arguments[0]) if arguments else ROOT)
    if wrong is None:
        print("not a git work tree: there is no list of files to check")
        return SKIPPED
    print("\n".join(wrong), end="\n" if wrong else "")
    return wrong != []


if __name__ == "__main__":
    sys.exit(int(main(sys.argv[1:])))
