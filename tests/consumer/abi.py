#!/usr/bin/env python3
"""Do headers of an earlier version still describe the library?

    abi.py FROZEN CURRENT LIBRARY CC

FROZEN and CURRENT are include folders, LIBRARY is librls2.so. Every function of the frozen headers
must be exported, every enumerator must have its value (counts, ..._COUNT, may have grown), and
every member of a struct its place and its size. Structs that are promised never to change must have
the size they had. Each breach is said on a line of its own; the exit status is 1 if there is one.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Neither begin with their size nor belong to the library: see rls2/rls2.h.
NEVER_CHANGE = ["rls2_error", "rls2_rows", "rls2_column", "rls2_columns", "rls2_group"]


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def text_of(include: Path) -> str:
    headers = sorted((include / "rls2").glob("*.h"))
    return "\n".join(without_comments(header.read_text()) for header in headers)


def functions(text: str) -> list[str]:
    return re.findall(r"RLS2_API\b[^;{]*?\b(rls2_\w+)\s*\(", text)


def enumerators(text: str) -> list[str]:
    found = []
    for body in re.findall(r"\benum\b\s*\w*\s*\{(.*?)\}", text, flags=re.S):
        found += re.findall(r"\b(RLS2_\w+)\b", body)
    return found


def member_name(declaration: str) -> str:
    """The name a declaration declares: the last word, or that of a pointer to a function."""
    pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", declaration)
    if pointer:
        return pointer[1]
    return re.findall(r"\w+", re.sub(r"\[.*?\]", "", declaration))[-1]


def members(text: str) -> list[tuple[str, str]]:
    found = []
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\}\s*(\w+);", text, flags=re.S):
        for declaration in filter(str.strip, body.split(";")):
            found.append((name, member_name(declaration)))
    return found


def probe(text: str) -> str:
    """A program that prints, line by line, what must not change."""
    lines = ["#include <rls2/rls2.h>", "#include <stdio.h>", "int main(void)", "{"]
    for name in enumerators(text):
        lines.append(f'    printf("{name} = %d\\n", (int){name});')
    for struct, member in members(text):
        lines.append(
            f'    printf("{struct}.{member} at %zu, %zu bytes\\n", offsetof({struct}, {member}),'
            f" sizeof((({struct} *)0)->{member}));"
        )
    for struct in NEVER_CHANGE:
        lines.append(f'    printf("{struct}: %zu bytes\\n", sizeof({struct}));')
    return "\n".join([*lines, "    return 0;", "}"]) + "\n"


def answers(source: str, include: Path, cc: str, folder: Path) -> set[str]:
    program = folder / "probe"
    (folder / "probe.c").write_text(source)
    made = subprocess.run(
        [cc, "-std=c11", f"-I{include}", str(folder / "probe.c"), "-o", str(program)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if made.returncode:
        gone = re.findall(r"error: (.*)", made.stderr)
        raise SystemExit("\n".join(gone) or made.stderr)
    said = subprocess.run([program], capture_output=True, text=True, check=True)
    return set(said.stdout.splitlines())


def exported(library: str) -> set[str]:
    table = subprocess.run(
        ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True
    )
    return {line.split()[-1].split("@")[0] for line in table.stdout.splitlines()}


def has_grown(line: str, now: set[str]) -> bool:
    """How many there are of a kind: a program that knows fewer asks for fewer."""
    count = re.fullmatch(r"(\w+_COUNT) = (\d+)", line)
    if count is None:
        return False
    return any(int(one.removeprefix(f"{count[1]} = ")) > int(count[2])
               for one in now if one.startswith(f"{count[1]} = "))  # fmt: skip


def main() -> int:
    if len(sys.argv) != 5:
        raise SystemExit(__doc__)
    frozen, current, library, cc = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    text = text_of(frozen)
    if len(functions(text)) < 100 or len(members(text)) < 50:
        raise SystemExit(f"{frozen}: are these headers? {len(functions(text))} functions")
    known = exported(library)
    breaches = [f"{name} is not exported" for name in functions(text) if name not in known]
    source = probe(text)
    with tempfile.TemporaryDirectory() as folder:
        before = answers(source, frozen, cc, Path(folder))
        now = answers(source, current, cc, Path(folder))
    changed = [line for line in sorted(before - now) if not has_grown(line, now)]
    breaches += [f"no longer so: {line}" for line in changed]
    print("\n".join(breaches) or f"{len(functions(text))} functions, {len(before)} promises kept")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
