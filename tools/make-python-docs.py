#!/usr/bin/env python3
"""Writes what is made from the Python package: docs/python and rls2/_parameters.pyi.

    tools/make-python-docs.py [FOLDER]

docs/python/api.md comes from the docstrings, the pages of the examples from running them, and
_parameters.pyi, the constructors of the estimators for type checkers, from the table of settings.
With a FOLDER all of it is written there.

A script of python/examples is made of cells, which `# %%` separates. The comment a cell begins with
is text; the rest is code, which is run, with what it prints below it and the figures it leaves open
beside it.
"""

import contextlib
import inspect
import io
import os
import re
import sys
import textwrap
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# ---- examples ----


def cells(script):
    """Text and code of each cell."""
    for cell in re.split(r"^# %%\n", script, flags=re.MULTILINE):
        lines = cell.strip("\n").split("\n")
        count = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
        text = "\n".join(re.sub(r"^# ?", "", line) for line in lines[:count])
        yield text.strip(), "\n".join(lines[count:]).strip("\n")


def run_cell(code, scope):
    """What it prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(code, "<example>", "exec"), scope)
    return out.getvalue().rstrip()


def save_figures(folder, name, count):
    """Figures that are open, as files; how they are shown."""
    from matplotlib import pyplot

    shown = []
    for number in pyplot.get_fignums():
        count += 1
        file = f"{name}-{count}.svg"
        pyplot.figure(number).savefig(folder / file, metadata={"Date": None, "Creator": None})
        shown.append(f"![{name.replace('-', ' ')}]({file})")
    pyplot.close("all")
    return shown, count


def example_page(script, folder):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update(
        {"svg.fonttype": "none", "svg.hashsalt": "rls2", "font.family": "sans-serif"}
    )
    name, scope, count, page = script.stem.replace("_", "-"), {"__name__": "__main__"}, 0, []
    for place, (text, code) in enumerate(cells(script.read_text(encoding="utf-8"))):
        if text:
            page.append(f"# {text}" if place == 0 else text)
        if not code:
            continue
        page.append(f"```python\n{code}\n```")
        printed = run_cell(code, scope)
        if printed:
            page.append(f"```text\n{printed}\n```")
        shown, count = save_figures(folder, name, count)
        page += shown
    return "\n\n".join(page) + "\n"


# ---- reference ----


def signature(thing):
    """Parameters and their defaults; what types they have stands in the text."""
    if isinstance(thing, type) and issubclass(thing, Exception):
        return ""
    plain = [
        p.replace(annotation=inspect.Parameter.empty)
        for p in inspect.signature(thing).parameters.values()
        if p.name != "self"
    ]
    return str(inspect.Signature(plain)).replace("'", '"')


def folded(text, indent):
    """Lines of at most 98 characters, which leaves room for the two blanks of a line break."""
    return textwrap.fill(
        text, 98, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def section_lines(text):
    """Numpydoc sections as Markdown: headings in bold, entries as a list, examples as code."""
    name, page = "", []
    lines = inspect.cleandoc(text or "").split("\n")
    for i, line in enumerate(lines):
        if i + 1 < len(lines) and set(lines[i + 1]) == {"-"} and len(lines[i + 1]) > 3:
            name = line
            page += ["", f"**{line}**", ""]
        elif line and set(line) == {"-"} and len(line) > 3:
            continue
        elif name == "Examples":
            page.append(f"    {line}" if line else "")
        elif name and line and not line.startswith(" "):
            entry, _, kind = line.partition(" : ")
            page.append(folded(f"- `{entry}`" + (f": {kind}" if kind else ""), "  ") + "  ")
        elif name and line:
            page.append(f"  {line.strip()}")
        else:
            page.append(line)
    return page


def describe(title, thing, level):
    call = f"{title}{signature(thing)}"
    if len(call) < 90:
        head = [f"{'#' * level} `{call}`"]
    else:
        head = [f"{'#' * level} `{title}`", "", "```python", folded(call, "    "), "```"]
    return [*head, "", *section_lines(thing.__doc__), ""]


def members(cls):
    """Public methods that a docstring of ours explains."""
    names = [name for name in dir(cls) if not name.startswith("_")]
    for name in sorted(names, key=lambda n: (n != "fit", n)):
        member = getattr(cls, name)
        if (
            inspect.isroutine(member)
            and (getattr(member, "__module__", "") or "").startswith("rls2")
            and member.__doc__
        ):
            yield name, member


def reference_page():
    import rls2
    from rls2._path import PathSummary
    from rls2._whole_path import RLS2Path

    page = ["# Reference", "", "Made from the docstrings by `tools/make-python-docs.py`.", ""]
    for name in [n for n in rls2.__all__ if n[0].isupper()] + [
        "load",
        "read_parquet",
        "rls2_path",
        "plot_cv",
        "plot_kernels",
        "plot_path",
    ]:
        thing = getattr(rls2, name)
        if thing is rls2.RLS2Error:
            page += [
                "## `RLS2Error`",
                "",
                "An error reported by the library, with its message; a ValueError with `status`,",
                "`status_text` and `position`.",
                "",
            ]
            continue
        page += describe(name, thing, 2)
        if isinstance(thing, type):
            for method, member in members(thing):
                page += describe(f"{name}.{method}", member, 3)
    for thing in (PathSummary, RLS2Path):
        page += [f"## `{thing.__name__}`", "", *section_lines(thing.__doc__), ""]
    text = re.sub(
        r" +$", lambda m: "  " if len(m[0]) == 2 else "", "\n".join(page), flags=re.MULTILINE
    )
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


# ---- constructors for type checkers ----


def constructor_lines(name, parameters):
    yield from ("", f"class {name}:", "    _parameters: ClassVar[list[Parameter]]")
    yield from (f"    {p.name}: {p.annotation}" for p in parameters)
    yield "    def __init__(\n        self,\n        *,"
    yield from (f"        {p.name}: {p.annotation} = ...," for p in parameters)
    yield "    ) -> None: ..."


def stub():
    from rls2 import _parameters

    lines = [
        "# Made from the library's table of settings by tools/make-python-docs.py.",
        "from typing import Any, ClassVar, Literal",
        "",
        "from ._params import Parameter",
        "from ._types import ClassWeight, Columns, Groups, Texts",
    ]
    for name, kind in vars(_parameters).items():
        if isinstance(kind, type) and hasattr(kind, "_parameters"):
            lines += constructor_lines(name, kind._parameters)
    return "\n".join(lines) + "\n"


def main():
    os.chdir(ROOT)
    own = len(sys.argv) == 1
    folder = ROOT / "docs" / "python" if own else Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    beside = ROOT / "python" / "rls2" if own else folder
    (beside / "_parameters.pyi").write_text(stub(), encoding="utf-8")
    (folder / "api.md").write_text(reference_page(), encoding="utf-8")
    for script in sorted((ROOT / "python" / "examples").glob("*.py")):
        page = example_page(script, folder)
        (folder / f"{script.stem.replace('_', '-')}.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
