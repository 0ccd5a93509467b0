#!/usr/bin/env python3
"""The table of routes of gui/server/routes.c, as it stands in gui/README.md and as the types of
gui/page/src/routes.ts.

    tools/gui-routes.py            writes both anew
    tools/gui-routes.py --check    says where they differ from the table, and fails
"""
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(ROOT, "gui", "server", "routes.c")
README = os.path.join(ROOT, "gui", "README.md")
TYPES = os.path.join(ROOT, "gui", "page", "src", "routes.ts")
BEGIN, END = "<!-- routes: tools/gui-routes.py -->", "<!-- end of routes -->"
TEXT = r'"(?:[^"\\]|\\.)*"'
ROW = re.compile(rf'\{{({TEXT}),\s*({TEXT}|PROOF_PATH),\s*BODY_(\w+),\s*(\w+),\s*({TEXT}),\s*'
                 rf'((?:{TEXT}\s*)+)\}},|/\* ([^*]+) \*/')
BODIES = {"NONE": "", "JSON": "JSON", "UPLOAD": "a table", "MODEL": "a model file"}
# what is answered where it is no type of the page
PLAIN = {"csv": "CSV", "file": "a file", "stream": "events", "page": "HTML", "ok": "`{\"ok\"}`"}


def words(literals):
    return "".join(part[1:-1].replace('\\"', '"') for part in re.findall(TEXT, literals))


def rows():
    """(section, method, path, body, answer, about) of each route."""
    with open(TABLE, encoding="utf-8") as file:
        text = file.read()
    section, found = "", []
    for row in ROW.finditer(text, text.index("ROUTES[]")):
        if row[7]:
            section = row[7]
        else:
            found.append((section, words(row[1]), path_of(row[2]), row[3], words(row[5]),
                          words(row[6])))
    if len(found) != text.count("BODY_", text.index("ROUTES[]")) - 1:
        sys.exit(f"{TABLE}: not every row is understood")
    return found


def path_of(text):
    """PROOF_PATH is a name, as others need it too."""
    if text.startswith('"'):
        return words(text)
    with open(TABLE.replace(".c", ".h"), encoding="utf-8") as file:
        return re.search(rf'#define {text} "([^"]+)"', file.read())[1]


def shown(path):
    """/api/runs/:id/point/:n as /api/runs/ID/point/N"""
    return path.replace(":id", "ID").replace(":n", "N")


def markdown(found):
    lines, section = [BEGIN], None
    for at, method, path, body, answer, about in found:
        if at != section:
            lines += ["", at, ""]
            section = at
        sent = f", {BODIES[body]}" if BODIES[body] else ""
        told = PLAIN.get(answer, f"`{answer}`")
        lines += textwrap.wrap(f"- `{method} {shown(path)}`{sent} → {told}: {about}", 100,
                               subsequent_indent="  ", break_long_words=False,
                               break_on_hyphens=False)
    return "\n".join([*lines, "", END])


def types(found):
    names = sorted({name for row in found for name in re.findall(r"\b[A-Z]\w+", row[4])})
    own = {"ModelAbout", "ModelBrief", "RowsTold"}
    lines = ["// What each route answers with JSON. Made by tools/gui-routes.py of",
             "// gui/server/routes.c.", "", "import type {",
             *(f"    {name}," for name in names if name not in own), '} from "./api";',
             "import type {", *(f"    {name}," for name in names if name in own),
             '} from "./modelapi";', "", "export interface Answers {"]
    for _, method, path, _, answer, _ in found:
        if answer == "ok" or answer not in PLAIN:
            kind = "{ ok: boolean }" if answer == "ok" else answer
            lines.append(f'    "{method} {path}": {kind};')
    return "\n".join([*lines, "}", "", "export type Route = keyof Answers;", ""])


def main():
    found = rows()
    with open(README, encoding="utf-8") as file:
        readme = file.read()
    start, end = readme.index(BEGIN), readme.index(END) + len(END)
    wanted = {README: readme[:start] + markdown(found) + readme[end:], TYPES: types(found)}
    wrong = []
    for path, text in wanted.items():
        try:
            with open(path, encoding="utf-8") as file:
                there = file.read()
        except FileNotFoundError:
            there = ""
        if there == text:
            continue
        wrong.append(os.path.relpath(path, ROOT))
        if "--check" not in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
    if "--check" in sys.argv and wrong:
        sys.exit(f"{' and '.join(wrong)} differ from gui/server/routes.c: run tools/gui-routes.py")


if __name__ == "__main__":
    main()
