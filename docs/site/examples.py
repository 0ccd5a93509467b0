"""Runs the programs of docs/examples and makes a page of them, with a tab for each language.

docs/examples/NN-TASK has a README.md, whose first line is the heading of the task, and a program
for each language: command.sh, python.py, r.R, octave.m, c.c. Each runs in a folder of its own in
which `data` is that of the repository. What it prints and the pictures it leaves are shown.

Programs that write predicted.csv must agree: numbers of all languages are compared. R and Octave
find their packages by R_LIBS and OCTAVE_PATH.
"""

import csv
import math
import pathlib
import shutil
import subprocess

# file, what the tab is called, name of the lexer
LANGUAGES = {
    "command.sh": ("Command", "console"),
    "python.py": ("Python", "python"),
    "r.R": ("R", "r"),
    "octave.m": ("Octave", "octave"),
    "c.c": ("C", "c"),
}
COMPILE = "cc -Wall -Werror c.c $(pkg-config --cflags --libs rls2) -lm -o example && ./example"
TOLERANCE = 1e-6  # of predictions, relative to their size: they may come from another BLAS


class Failure(Exception):
    """A program that failed, or that says something else than another."""


def run(command, folder, environment, what):
    done = subprocess.run(command, cwd=folder, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise Failure(f"{what} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout.rstrip()


def commands(script):
    """The commands of a shell script, each as its lines."""
    lines = []
    for line in script.split("\n"):
        if not lines and not line.strip():
            continue
        lines.append(line)
        if not line.endswith("\\"):
            yield lines
            lines = []


def run_command(script, folder, environment, what):
    """A session: each command with what it prints below it."""
    session = []
    for lines in commands(script):
        session += [f"$ {lines[0]}", *lines[1:]]
        printed = run(["bash", "-ec", "\n".join(lines)], folder, environment, what)
        if printed:
            session.append(printed)
    return "\n".join(session), ""


def run_program(language, folder, environment, tools, what):
    """What it prints."""
    if language == "python.py":
        return run([tools["python"], language], folder, environment, what)
    if language == "r.R":
        return run(["Rscript", "--no-init-file", language], folder, environment, what)
    if language == "octave.m":
        return run(["octave-cli", "--quiet", "--norc", language], folder, environment, what)
    return run(["bash", "-ec", COMPILE], folder, environment, what)


def numbers(path):
    """The numeric columns of a table without its header."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    return [[float(cell) for cell in row] for row in rows]


def compare(task, results):
    """All tables against the first."""
    (first, wanted), *others = results.items()
    for name, found in others:
        if [len(row) for row in wanted] != [len(row) for row in found]:
            raise Failure(f"{task}: the tables of {first} and {name} differ in their sizes")
        for line, (a, b) in enumerate(zip(wanted, found), 2):
            for x, y in zip(a, b):
                if not math.isclose(x, y, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
                    raise Failure(f"{task}: predicted.csv:{line}: {first} says {x}, {name} {y}")
    return [first, *(name for name, _ in others)]


def fence(kind, text):
    return [f"```{kind}", text, "```", ""]


def tab(title, body, fit=""):
    return [f":::{{tab-item}} {title}", f":sync: {title.lower()}{fit}", "", *body, ":::", ""]


def figures(work, name, title, folder):
    """Pictures that a program left, moved to the site."""
    shown = []
    for picture in sorted([*work.glob("*.svg"), *work.glob("*.png")]):
        target = folder / f"{name}-{picture.name}"
        shutil.copy(picture, target)
        shown += [f"![{title}](examples/{target.name})", ""]
    return shown


def one_tab(source, work, tools, environment, folder):
    language = source.name
    title, lexer = LANGUAGES[language]
    what = f"{source.parent.name}/{language}"
    work.mkdir(parents=True)
    (work / "data").symlink_to(tools["root"] / "data")
    code = source.read_text(encoding="utf-8").rstrip()
    if language == "command.sh":
        session, printed = run_command(code, work, environment, what)
        body = fence(lexer, session)
    else:
        shutil.copy(source, work)
        printed = run_program(language, work, environment, tools, what)
        body = fence(lexer, code)
        if language == "c.c":
            body += fence("console", f"$ {COMPILE}\n{printed}".rstrip())
            printed = ""
    if printed:
        body += fence("text", printed)
    heading = (source.parent / "README.md").read_text(encoding="utf-8").split("\n")[0].strip("# ")
    return tab(title, body + figures(work, f"{source.parent.name}-{source.stem}",
                                     f"{heading}: {title}", folder))


def section(task, tools, environment, work, folder):
    """Heading, text and tabs of one task."""
    page = [(task / "README.md").read_text(encoding="utf-8").replace("# ", "## ", 1), ""]
    page += ["::::{tab-set}", ":sync-group: language", ""]
    results = {}
    for language, (title, _) in LANGUAGES.items():
        source = task / language
        if not source.exists():
            continue
        place = work / task.name / source.stem
        page += one_tab(source, place, tools, environment, folder)
        if (place / "predicted.csv").exists():
            results[title] = numbers(place / "predicted.csv")
    page += ["::::", ""]
    if len(results) > 1:
        names = compare(task.name, results)
        page += [f"The predictions of {', '.join(names[:-1])} and {names[-1]} were compared when",
                 f"this page was made: they agree within {TOLERANCE:g}.", ""]
    return page


HEAD = """# Examples

The same tasks in several languages; a tab that is chosen once is chosen everywhere. Programs were
run when this page was made, in a folder in which `data` is that of the repository, and what they
printed stands below them. Their sources are in `docs/examples`.
"""


def write(tools, environment, work, folder):
    """examples.md and its pictures."""
    tasks = sorted(path.parent for path in (tools["root"] / "docs/examples").glob("*/README.md"))
    pictures = folder / "examples"
    pictures.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(work, ignore_errors=True)
    page = [HEAD]
    for task in tasks:
        page += section(pathlib.Path(task), tools, environment, work, pictures)
    (folder / "examples.md").write_text("\n".join(page), encoding="utf-8")
