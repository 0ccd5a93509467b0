"""The section of docs/PERFORMANCE.md: RESULTS [DOCUMENT].

It is printed, or put into DOCUMENT in place of what stands between the marks.
"""
import json
import pathlib
import re
import statistics
import sys
import textwrap

HERE = pathlib.Path(__file__).parent
HEADING = "Beside other programs"
BEGIN = "<!-- bench-peers: from here to the end mark `make bench-peers` writes -->"
END = "<!-- bench-peers: end -->"

COST = ("| method | splits | prepare s | fit s | process s | CPU s | peak MB |\n"
        "|---|---:|---:|---:|---:|---:|---:|")
RESULT = ("| method | test score | lambda | objective | certified gap |\n"
          "|---|---:|---:|---:|---:|")
MEDIANS = (("prepare", ".2f"), ("seconds", ".3f"), ("wall", ".2f"), ("cpu", ".2f"),
           ("memory", ".0f"))


def values(rows, key):
    return [row[key] for row in rows if row.get(key) is not None]


def cell(number, form):
    return "" if number is None else format(number, form)


def median(rows, key):
    found = values(rows, key)
    return statistics.median(found) if found else None


def score(rows):
    """Mean and standard deviation over the splits."""
    found = values(rows, "score")
    if len(found) < 2:
        return cell(found[0] if found else None, ".3f")
    return f"{statistics.mean(found):.3f} ({statistics.stdev(found):.3f})"


def measured(method):
    """The splits that gave a result."""
    return [row for row in method["splits"] if "failed" not in row]


def table_row(method, cells):
    return f"| {method['label']} | " + " | ".join(cells) + " |"


def cost_row(method):
    rows = measured(method)
    if not rows:
        return table_row(method, ["0", "", "no result, see above", "", "", ""])
    medians = (cell(median(rows, key), form) for key, form in MEDIANS)
    return table_row(method, [str(len(rows)), *medians])


def result_row(method):
    rows = measured(method)
    first = rows[0] if rows[0]["split"] == 1 else {}
    return table_row(method, [score(rows), cell(first.get("lambda"), ".4g"),
                              cell(first.get("objective"), ".6g"),
                              cell(max(values(rows, "gap"), default=None), ".1e")])


def tables(problem):
    """What each method costs, and what it finds."""
    methods = problem["methods"]
    return "\n".join([f"### {problem['title']}", "", COST, *map(cost_row, methods), "",
                      RESULT, *map(result_row, filter(measured, methods))])


def failures(summary):
    """A sentence for each task without a result."""
    return [f"{method['label']} on {name}, split {row['split']}: {row['failed']}"
            for name, problem in summary["problems"].items()
            for method in problem["methods"] for row in method["splits"] if "failed" in row]


def fewer(summary):
    """Labels of what ran on fewer splits than there are, with their number."""
    found = {}
    for problem in summary["problems"].values():
        for method in problem["methods"]:
            if len(method["splits"]) < summary["splits"]:
                found[method["label"]] = len(method["splits"])
    return [f"{label} ({count})" for label, count in found.items()]


def left_out(summary):
    missing = [name for name, version in summary["versions"].items() if not version]
    sentences = []
    if missing:
        sentences.append("Not installed, and so not measured: " + ", ".join(missing) + ".")
    if fewer(summary):
        sentences.append(f"On fewer than {summary['splits']} splits, to bound the time: "
                         + ", ".join(fewer(summary)) + ".")
    if failures(summary):
        sentences.append("Without a result: " + "; ".join(failures(summary)) + ".")
    return " ".join(sentences) or "Nothing was left out."


def furthest_apart(summary):
    """Largest relative difference between the library's certificates and numpy's, or None."""
    return max((row["numpy"]["apart"] for problem in summary["problems"].values()
                for method in problem["methods"] for row in method["splits"] if "numpy" in row),
               default=None)


def fill(item):
    indent = "  " if item.startswith("- ") else ""
    return textwrap.fill(" ".join(item.split()), 100, subsequent_indent=indent,
                         break_long_words=False, break_on_hyphens=False)


def refill(text):
    """Paragraphs and list items, wrapped again after words were filled in."""
    blocks = (re.split(r"\n(?=- )", block) for block in text.strip("\n").split("\n\n"))
    return "\n\n".join("\n".join(map(fill, items)) for items in blocks)


def split_words(count):
    if count == 1:
        return "one random split of each data set (one draw of the synthetic one)"
    return f"{count} random splits of each data set ({count} draws of the synthetic one)"


def section(summary):
    apart = furthest_apart(summary)
    versions = (f"{name} {version}" for name, version in summary["versions"].items() if version)
    words = {"date": summary["date"], "machine": summary["machine"],
             "splits": split_words(summary["splits"]), "limit": f"{summary['limit']:g}",
             "versions": ", ".join(versions), "left_out": left_out(summary),
             "apart": "could not be compared" if apart is None else f"agree to {apart:.0e}"}
    text = (HERE / "report.md").read_text()
    for key, value in words.items():
        text = text.replace(f"@{key}@", value)
    parts = "\n\n".join(tables(problem) for problem in summary["problems"].values())
    return f"{BEGIN}\n## {HEADING}\n\n{refill(text)}\n\n{parts}\n\n{END}"


def replace_section(document, new):
    """Puts the section in its place, or at the end of a document that has none."""
    text = document.read_text()
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 and end < 0:
        text = text.rstrip("\n") + "\n\n" + new + "\n"
    elif 0 <= start < end:
        text = text[:start] + new + text[end + len(END):]
    else:
        sys.exit(f"{document}: one of the two marks of the section is missing; nothing was written")
    document.write_text(text)


def main(results, document=None):
    new = section(json.loads(pathlib.Path(results).read_text()))
    if document:
        replace_section(pathlib.Path(document), new)
    else:
        print(new)


if __name__ == "__main__":
    main(*sys.argv[1:])
