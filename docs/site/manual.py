"""Pages of the command's manual, from what `rls2 help --man` prints (cli/help/manual.c)."""

import re
import subprocess

ESCAPES = {r"\-": "-", r"\(aq": "'", r"\(ha": "^", r"\(ti": "~", r"\(ga": "`",
           r"\&": "", r"\e": "\\"}
ESCAPE = re.compile(r"\\(?:-|\(aq|\(ha|\(ti|\(ga|&|e)")
FACE = re.compile(r"\\f([BI])(.*?)\\fR")


def plain(text):
    return ESCAPE.sub(lambda m: ESCAPES[m.group()], text)


def escaped(text):
    return re.sub(r"([\\`*|_])", r"\\\1", plain(text))


def inline(text):
    """A line of troff with its faces as reStructuredText."""
    parts, at = [], 0
    for match in FACE.finditer(text):
        parts.append(escaped(text[at:match.start()]))
        mark = "``" if match.group(1) == "B" else "*"
        inner = plain(match.group(2)) if mark == "``" else escaped(match.group(2))
        parts.append(rf"{mark}{inner}{mark}\ ")
        at = match.end()
    return "".join([*parts, escaped(text[at:])])


def heading(text, mark):
    return ["", text, mark * len(text), ""]


def unquoted(text):
    return plain(text.strip().strip('"'))


def page_of(name, roff):
    lines = iter(roff.rstrip("\n").split("\n"))
    page = [name, "=" * len(name), ""]
    indent = ""
    for line in lines:
        if line.startswith(".TH"):
            continue
        if line.startswith(".SH "):
            indent = ""
            title = unquoted(line[4:])
            page += heading(title.capitalize() if title.isupper() else title, "-")
        elif line.startswith(".SS "):
            indent = ""
            page += heading(unquoted(line[4:]), "~")
        elif line == ".PP":
            indent = ""
            page.append("")
        elif line == ".EX":
            page += ["", f"{indent}.. code-block:: text", ""]
            for line in lines:
                if line == ".EE":
                    break
                page.append(f"{indent}   {plain(line)}".rstrip())
            page.append("")
        elif line == ".TP":
            term = next(lines)
            if term.startswith(".BR "):
                term = page_reference(term)
            else:
                term = inline(term)
            page += ["", term.removesuffix("\\ ")]
            indent = "   "
        elif line.startswith(".BR "):
            page.append(indent + page_reference(line))
        elif line.startswith("."):
            raise ValueError(f"{name}: a request that is not known here: {line}")
        else:
            page.append(indent + inline(line))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(page)) + "\n"


def page_reference(line):
    """.BR rls2\\-cv (1): another page."""
    target = plain(line.split()[1])
    return f":doc:`{target}`"


def write(command, names, folder):
    """The page of the whole, and those of the commands `names`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ["", *names]:
        page = f"rls2-{name}" if name else "rls2"
        roff = subprocess.run([command, "help", "--man", *([name] if name else [])], text=True,
                              check=True, capture_output=True).stdout
        text = page_of(page, roff)
        if not name:
            text += "\n".join(["", ".. toctree::", "   :hidden:", "",
                               *(f"   rls2-{other}" for other in names)]) + "\n"
        (folder / f"{page}.rst").write_text(text, encoding="utf-8")
