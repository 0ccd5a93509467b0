"""The section of docs/PERFORMANCE.md, RESULTS [DOCUMENT]: printed, or put into DOCUMENT in place of what stands between the marks."""
import json
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).parent
HEADING = "Beside other programs"
BEGIN = "<!-- bench-peers: from here to the end mark `make bench-peers` writes -->"
END = "<!-- bench-peers: end -->"

HEAD = ("| method | splits | prepare s | fit s | process s | its CPU s | peak MB | test score | lambda | objective | certified gap |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")


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


def line(method):
    rows = [row for row in method["splits"] if "failed" not in row]
    if not rows:
        return f"| {method['label']} | 0 | | no result, see above | | | | | | | |"
    first = rows[0] if rows[0]["split"] == 1 else {}
    cells = [str(len(rows)), *(cell(median(rows, key), form) for key, form in
                               (("prepare", ".2f"), ("seconds", ".3f"), ("wall", ".2f"), ("cpu", ".2f"), ("memory", ".0f"))),
             score(rows), cell(first.get("lambda"), ".4g"), cell(first.get("objective"), ".6g"),
             cell(max(values(rows, "gap"), default=None), ".1e")]
    return f"| {method['label']} | " + " | ".join(cells) + " |"


def table(problem):
    return "\n".join([f"### {problem['title']}", HEAD, *(line(method) for method in problem["methods"])])


def failures(summary):
    """A sentence for each task without a result."""
    return [f"{method['label']} on {name}, split {row['split']}: {row['failed']}" for name, problem in summary["problems"].items()
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
        sentences.append(f"On fewer than {summary['splits']} splits, to bound the time: " + ", ".join(fewer(summary)) + ".")
    if failures(summary):
        sentences.append("Without a result: " + "; ".join(failures(summary)) + ".")
    return " ".join(sentences) or "Nothing was left out."


def furthest_apart(summary):
    """Largest relative difference between the library's certificates and numpy's; None where there are none."""
    return max((row["numpy"]["apart"] for problem in summary["problems"].values() for method in problem["methods"]
                for row in method["splits"] if "numpy" in row), default=None)


def section(summary):
    apart = furthest_apart(summary)
    words = {"date": summary["date"], "machine": summary["machine"],
             "splits": "one random split of each data set (one draw of the made one)" if summary["splits"] == 1
             else f"{summary['splits']} random splits of each data set ({summary['splits']} draws of the made one)",
             "limit": f"{summary['limit']:g}",
             "versions": ", ".join(f"{name} {version}" for name, version in summary["versions"].items() if version),
             "left_out": left_out(summary), "apart": "could not be compared" if apart is None else f"agree to {apart:.0e}"}
    text = (HERE / "report.md").read_text()
    for key, value in words.items():
        text = text.replace(f"@{key}@", value)
    tables = "\n\n".join(table(problem) for problem in summary["problems"].values())
    return f"{BEGIN}\n## {HEADING}\n\n{text}\n{tables}\n{END}"


def replace_section(document, new):
    """Puts the section in its place, or at the end of a document that has none; nothing else changes."""
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
