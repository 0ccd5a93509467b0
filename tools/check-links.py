#!/usr/bin/env python3
"""Fails, with the place, on every link that leads nowhere.

    tools/check-links.py               links between the Markdown files of the repository
    tools/check-links.py --site FOLDER links of a built site, anchors too
    tools/check-links.py --self-test   checks that the check notices what it should

Addresses elsewhere are not tried. Exit status: 0 all lead somewhere, 1 some do not, 77 (skipped)
not a git work tree.
"""

import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$")


# ---- Markdown ----


def markdown_links(text):
    """(line, target) of each link outside code."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        if fenced or line.startswith("    "):
            continue
        for match in LINK.finditer(re.sub(r"`[^`]*`", "", line)):
            yield number, match.group(1) or match.group(2)


def anchors(text):
    """Headings as Markdown viewers name them."""
    found, fenced = set(), False
    for line in text.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
        if not fenced and re.match(r"#+ ", line):
            words = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            found.add(words.replace(" ", "-"))
    return found


def is_elsewhere(target):
    return re.match(r"[a-z]+:", target) is not None


def markdown_faults(root, names):
    for name in names:
        text = (root / name).read_text(encoding="utf-8")
        for number, target in markdown_links(text):
            if is_elsewhere(target):
                continue
            path, _, anchor = target.partition("#")
            place = (root / name).parent / path if path else root / name
            if not place.exists():
                yield f"{name}:{number}: there is no {path}"
            elif anchor and place.suffix == ".md":
                if anchor not in anchors(place.read_text(encoding="utf-8")):
                    yield f"{name}:{number}: {path or name} has no heading '{anchor}'"


def markdown_names(root):
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    names = sorted(set(done.stdout.decode("utf-8").split("\0")) - {""})
    # templates become pages of other folders, where their links are meant to lead
    templates = ("docs/site/", "bench/")
    return [n for n in names if (root / n).exists() and not n.startswith(templates)]


# ---- a site ----


class Page(html.parser.HTMLParser):
    """Targets of links and sources, and anchors."""

    def __init__(self):
        super().__init__()
        self.links, self.anchors = [], {""}

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or name == "name" and tag == "a":
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append((self.getpos()[0], value))


def site_faults(folder):
    pages = {}
    for path in sorted(folder.rglob("*.html")):
        pages[path.resolve()] = page = Page()
        page.feed(path.read_text(encoding="utf-8"))
    for path, page in pages.items():
        for number, link in page.links:
            if is_elsewhere(link) or link.startswith("//"):
                continue
            parts = urllib.parse.urlsplit(link)
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve()
            target = path if not parts.path else target
            target = target / "index.html" if target.is_dir() else target
            name = path.relative_to(folder.resolve())
            if not target.exists():
                yield f"{name}:{number}: there is no {link}"
            elif target in pages and urllib.parse.unquote(parts.fragment) not in \
                    pages[target].anchors:
                yield f"{name}:{number}: {link} has no such anchor"
    if not pages:
        yield f"{folder}: no pages"


# ---- the check, checked ----

CASES = [  # text of a.md, number of faults; b.md has the heading "Two words"
    ("[x](b.md)", 0), ("[x](b.md#two-words)", 0), ("[x](https://example.org/)", 0),
    ("[x](c.md)", 1), ("[x](b.md#three)", 1), ("![x](x.svg)", 1), ("[x]: c.md", 1),
    ("`[x](c.md)`", 0), ("```\n[x](c.md)\n```", 0), ("# One\n[x](#one)", 0), ("[x](#two)", 1),
]
PAGES = [  # body of a.html, number of faults; b.html has the anchor "two"
    ("<a href='b.html#two'>", 0), ("<a href='b.html#three'>", 1), ("<img src='x.svg'>", 1),
    ("<a href='c.html'>", 1), ("<p id='one'><a href='#one'>", 0),
]


def self_test():
    failures = 0
    for text, expected in CASES:
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "a.md").write_text(text, encoding="utf-8")
            (root / "b.md").write_text("# Two words\n", encoding="utf-8")
            if len(list(markdown_faults(root, ["a.md"]))) != expected:
                print(f"{text!r}: expected {expected}")
                failures += 1
    for text, expected in PAGES:
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            (root / "a.html").write_text(text, encoding="utf-8")
            (root / "b.html").write_text("<p id='two'>", encoding="utf-8")
            if len(list(site_faults(root))) != expected:
                print(f"{text!r}: expected {expected}")
                failures += 1
    return failures > 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if len(arguments) == 2 and arguments[0] == "--site":
        faults = list(site_faults(pathlib.Path(arguments[1])))
    elif not arguments:
        names = markdown_names(ROOT)
        if names is None:
            print("not a git work tree: there is no list of files to check")
            return 77
        faults = list(markdown_faults(ROOT, names))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    print("\n".join(faults), end="\n" if faults else "")
    return faults != []


if __name__ == "__main__":
    sys.exit(int(main(sys.argv[1:])))
