#!/usr/bin/env python3
"""Lays out the sources of the site for Sphinx.

    assemble.py COMMAND PREFIX PYTHON OUT

COMMAND is the rls2 that was built, PREFIX where library and headers are installed, PYTHON an
interpreter with the package; R and Octave find theirs by R_LIBS and OCTAVE_PATH. OUT is made anew.
The Markdown files keep their places, so that links between them lead where they do in the
repository; pages of the headers, of the manual, of examples and pictures are made. tools/docs.sh
calls it.
"""

import os
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import examples  # noqa: E402
import headers  # noqa: E402
import manual  # noqa: E402

PAGES = ["*.md", "docs/*.md", "docs/guide/*.md", "docs/python/*.md", "data/*.md", "gui/*.md",
         "r/*.md", "matlab/*.md"]
PICTURES = ["docs/*.svg", "docs/*/*.svg", "docs/*/*.png"]
# what is no page of the site leads to the page on it
ELSEWHERE = {"include/rls2": "api/index.rst"}
NO_PAGES = {"r/cran-comments.md", "r/NEWS.md"}


def copy(name, out):
    target = out / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / name, target)
    return target


def redirected(text, page):
    """Links to folders of the repository lead to their pages."""
    def link(match):
        path = os.path.normpath(os.path.join(os.path.dirname(page), match.group(1)))
        if path not in ELSEWHERE:
            return match.group()
        return f"]({os.path.relpath(ELSEWHERE[path], os.path.dirname(page) or '.')})"

    return re.sub(r"\]\(([^)#:]+)\)", link, text)


def copy_pages(out):
    names = sorted({str(path.relative_to(ROOT)) for pattern in PAGES
                    for path in ROOT.glob(pattern)} - NO_PAGES)
    for name in names:
        target = copy(name, out)
        target.write_text(redirected(target.read_text(encoding="utf-8"), name), encoding="utf-8")
    for pattern in PICTURES:
        for path in ROOT.glob(pattern):
            copy(str(path.relative_to(ROOT)), out)
    copy("LICENSE", out)
    return {name.removesuffix(".md") for name in names}


def table_of_contents(out, pages):
    """index.md, without what is not there, and with what it does not list under 'More'."""
    lines, listed, inside = [], set(), False
    for line in (HERE / "index.md").read_text(encoding="utf-8").split("\n"):
        if line.startswith("```"):
            inside = line.startswith("```{toctree}")
        elif inside and line and not line.startswith(":"):
            if not any((out / f"{line}{end}").exists() for end in (".md", ".rst")):
                continue
            listed.add(line)
        lines.append(line)
    rest = sorted(pages - listed - {"index"})
    if rest:
        lines += ["```{toctree}", ":caption: More", ":hidden:", "", *rest, "```", ""]
    (out / "index.md").write_text("\n".join(lines), encoding="utf-8")


def gallery(out):
    """Pictures in the pages, with what is said below them, beside each other."""
    page = [(HERE / "gallery.md").read_text(encoding="utf-8"), "::::{grid} 1 2 2 2",
            ":gutter: 3", ":class-container: gallery", ""]
    seen = set()
    sources = ["docs/guide/README.md", "README.md", "docs/PAGE.md", "examples.md",
               *sorted(str(p.relative_to(out)) for p in out.glob("docs/python/*.md")),
               *sorted(str(p.relative_to(out)) for p in out.glob("docs/*.md"))]
    for source in sources:
        text = (out / source).read_text(encoding="utf-8")
        named = dict(re.findall(r"^\[([^\]]+)\]: (\S+)$", text, re.MULTILINE))
        for words, path, label in re.findall(r"!\[([^\]]*)\](?:\(([^)]+)\)|\[([^\]]+)\])", text):
            place = os.path.normpath(os.path.join(os.path.dirname(source), path or named[label]))
            if place in seen:
                continue
            seen.add(place)
            words = " ".join(words.split())
            page += [":::{grid-item-card}", f":link: {source.removesuffix('.md')}",
                     ":link-type: doc", f":img-top: {place}", "", words, ":::", ""]
    (out / "gallery.md").write_text("\n".join([*page, "::::", ""]), encoding="utf-8")


def names_of_commands():
    text = (ROOT / "cli/command.h").read_text(encoding="utf-8")
    return [name.lower() for name in re.findall(r"^ *FOR_([A-Z]+) = 1 << ", text, re.MULTILINE)]


def main():
    command, prefix, python, out = (os.path.abspath(path) for path in sys.argv[1:])
    out = pathlib.Path(out)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    shutil.copy(HERE / "conf.py", out)
    shutil.copy(ROOT / "include/rls2/version.h", out)
    shutil.copytree(HERE / "static", out / "static")
    pages = copy_pages(out)

    headers.write(sorted((ROOT / "include/rls2").glob("*.h")), out / "api")
    manual.write(command, names_of_commands(), out / "manual")

    environment = {**os.environ, "COLUMNS": "100", "MPLBACKEND": "svg", "LC_ALL": "C.UTF-8",
                   "PATH": f"{prefix}/bin:{os.environ['PATH']}",
                   "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig",
                   "LD_LIBRARY_PATH": f"{prefix}/lib"}
    tools = {"root": ROOT, "python": python}
    try:
        examples.write(tools, environment, out.parent / "site-examples", out)
    except examples.Failure as failure:
        sys.exit(f"docs/examples: {failure}")
    gallery(out)
    table_of_contents(out, pages)


if __name__ == "__main__":
    main()
