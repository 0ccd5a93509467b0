"""Pages of the C library's reference, made from the comments of the public headers.

A header begins with a comment on the whole of it. `/* ---- title ---- */` begins a section; any
other comment is about the declarations below it, down to the next comment or empty line.
"""

import re

SECTION = re.compile(r"/\* -{2,} (.+?) -{2,}(?:\n|\s*\*/)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NAME = re.compile(r"\brls2_\w+")
FUNCTION = re.compile(r"^(.*?)\b(rls2_\w+)\((.*)\)$", re.DOTALL)


def comment_text(comment):
    """The lines of a comment without the stars before them."""
    lines = comment.removeprefix("/*").removesuffix("*/").rstrip().split("\n")
    return [re.sub(r"^ \*", "", line)[1:].rstrip() if i else line.strip()
            for i, line in enumerate(lines)]


def without_frame(text):
    """What lies between the guards: includes, guards and extern "C" are not told."""
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", "", text, flags=re.DOTALL)
    return "\n".join(line for line in text.split("\n")
                     if not re.match(r"#(include|ifndef|endif)|#define RLS2_\w+_H$", line))


def pieces(text):
    """("comment", text), ("code", lines) and ("gap", "") in turn."""
    at = 0
    code = []
    depth = 0
    while at < len(text):
        comment = COMMENT.match(text, at)
        if comment and depth == 0 and not "".join(code[-1:]).strip():
            if "".join(code).strip():
                yield "code", "\n".join(code).strip("\n")
            code = []
            yield "comment", comment.group()
            at = comment.end() + 1
            continue
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line = text[at:end]
        depth += line.count("{") - line.count("}")
        if not line.strip() and depth == 0:
            if "".join(code).strip():
                yield "code", "\n".join(code).strip("\n")
            code = []
            yield "gap", ""
        else:
            # a comment that stands behind code belongs to it, however many lines it has
            opened = line.rfind("/*")
            if opened > line.rfind("*/"):
                end = text.find("*/", at + opened) + 2
                end = text.find("\n", end) if text.find("\n", end) >= 0 else len(text)
                line = text[at:end]
            code.append(line)
        at = end + 1
    if "".join(code).strip():
        yield "code", "\n".join(code).strip("\n")


def declarations(code):
    """Single declarations, as one text each."""
    start = depth = 0
    bare = COMMENT.sub(lambda m: " " * len(m.group()), code)
    at = 0
    while at < len(bare):
        if bare[at] == "#" and not bare[start:at].strip():  # a macro ends with its line
            end = at
            while True:
                end = bare.find("\n", end + 1)
                if end < 0 or bare[end - 1] != "\\":
                    break
            end = len(bare) if end < 0 else end
            yield code[start:end].strip()
            start = at = end
            continue
        depth += (bare[at] == "{") - (bare[at] == "}")
        if bare[at] == ";" and depth == 0:
            end = code.find("\n", at)
            end = len(code) if end < 0 else end
            yield code[start:end].strip()
            start = at = end
            continue
        at += 1
    if code[start:].strip():
        yield code[start:].strip()


# ---- reStructuredText ----


def escaped(text):
    return re.sub(r"([\\`*|_])", r"\\\1", text)


def linked(text, known):
    """Names of functions and types lead to where they are told of."""
    parts = []
    at = 0
    for match in NAME.finditer(text):
        role = known.get(match.group())
        if role:
            parts += [escaped(text[at:match.start()]), rf"\ :c:{role}:`{match.group()}`\ "]
            at = match.end()
    return "".join([*parts, escaped(text[at:])])


def paragraphs(lines, known, indent=""):
    """Text as it stands; indented lines as they are written."""
    page, literal = [], False
    for line in lines:
        if line.startswith("    ") or literal and line.startswith(" "):
            if not literal:
                page += ["", f"{indent}::", ""]
                literal = True
            page.append(f"{indent}   {line}")
        else:
            if literal and line:
                page.append("")
                literal = False
            page.append(f"{indent}{linked(line.lstrip(), known)}" if line else "")
    return page


def bare_signature(declaration):
    """A function as the C domain reads it, on one line; None for anything else."""
    text = COMMENT.sub("", declaration).strip()
    if "{" in text or text.startswith(("#", "typedef")) or "(" not in text:
        return None
    text = re.sub(r"\s+", " ", text.replace("RLS2_API ", "")).rstrip("; ")
    return text if FUNCTION.match(text) else None


def type_name(declaration):
    """Of a struct, an enum or another typedef."""
    text = COMMENT.sub("", declaration).strip().rstrip(";").rstrip()
    if not text.startswith(("typedef", "struct", "enum")):
        return None
    pointer = re.search(r"\(\*\s*(rls2_\w+)\)", text)
    if pointer:
        return pointer.group(1)
    names = NAME.findall(text)
    return names[-1] if text.startswith("typedef") and names else names[0] if names else None


def macro_name(declaration):
    match = re.match(r"#define (RLS2_\w+)(\([^)]*\))?", declaration)
    return match.group(1) if match else None


def known_names(texts):
    """Names with the role that leads to them, of all headers."""
    known = {}
    for text in texts:
        for kind, content in pieces(without_frame(text)):
            if kind != "code":
                continue
            for declaration in declarations(content):
                signature = bare_signature(declaration)
                if signature:
                    known[FUNCTION.match(signature).group(2)] = "func"
                elif type_name(declaration):
                    known[type_name(declaration)] = "type"
    return known


def described(comment, found, known, told):
    """An entry: its signatures, the text on them, and definitions as they are written."""
    functions = [s for s in map(bare_signature, found) if s]
    others = [d for d in found if not bare_signature(d)]
    page = []
    if functions:
        page += [f".. c:function:: {functions[0]}"]
        page += [f"                 {signature}" for signature in functions[1:]]
        page += ["", *paragraphs(comment, known, "   "), ""]
    for place, declaration in enumerate(others):
        name, macro = type_name(declaration), macro_name(declaration)
        inner = "   " if name or macro else ""
        if (name or macro) in told:  # a forward declaration, or another branch of an #if
            name, macro, inner = None, None, ""
        told.update({name, macro} - {None})
        if name:
            page += [f".. c:type:: {name}", ""]
        elif macro:
            page += [f".. c:macro:: {macro}", ""]
        if place == 0 and not functions:
            page += [*paragraphs(comment, known, inner), ""]
        page += [f"{inner}.. code-block:: c", ""]
        page += [f"{inner}   {line}".rstrip() for line in declaration.split("\n")] + [""]
    return page


def page_of(name, text, known, told):
    title = f"rls2/{name}"
    page = [f".. _header-{name.removesuffix('.h')}:", "", title, "=" * len(title), ""]
    comment, found, first = [], [], True

    def close():
        nonlocal comment, found, page
        if found:
            page += described(comment, found, known, told)
        elif comment:
            page += [*paragraphs(comment, known), ""]
        comment, found = [], []

    for kind, content in pieces(without_frame(text)):
        if kind == "comment":
            close()
            section = SECTION.match(content)
            if section:
                head = section.group(1)
                page += [head, "-" * len(head), ""]
                comment = comment_text(content)[1:]
            else:
                comment = comment_text(content)
            if first:
                close()
                first = False
        elif kind == "code":
            found += declarations(content)
        elif found or comment:
            close()
    close()
    return "\n".join(page) + "\n"


def summary(text):
    """The first sentence of the head comment."""
    match = COMMENT.search(text)
    head = " ".join(comment_text(match.group())).split("  ")[0] if match else ""
    return re.split(r"(?<=[.:])\s", head, maxsplit=1)[0].rstrip(":.")


def write(headers, folder):
    """A page for each header, and their list."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in headers}
    known, told = known_names(texts.values()), set()
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["The C library's headers", "=======================", "",
             "``#include <rls2/rls2.h>`` includes all of them. A fit is a plan: :ref:`rls2/plan.h",
             "<header-plan>`. :doc:`/docs/LIBRARY` has a complete example.", ""]
    for name, text in texts.items():
        stem = name.removesuffix(".h")
        (folder / f"{stem}.rst").write_text(page_of(name, text, known, told), encoding="utf-8")
        lines += [f"- :doc:`rls2/{name} <{stem}>`: {linked(summary(text), known)}"]
    lines += ["", ".. toctree::", "   :hidden:", ""]
    lines += [f"   {name.removesuffix('.h')}" for name in texts]
    (folder / "index.rst").write_text("\n".join(lines) + "\n", encoding="utf-8")
