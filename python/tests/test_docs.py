"""The documents say what the code does: docstrings run, the reference is made of them, examples
print what the pages show."""

import ast
import doctest
import inspect
import re
import warnings

import numpy as np
import pytest
from command import ROOT

import rls2
from rls2 import _core, _estimators, _load, _stack, _whole_path

PAGES = ROOT / "docs" / "python"
CLASSES = [rls2.RLS2Regressor, rls2.RLS2Classifier, rls2.RLS2RegressorCV, rls2.RLS2ClassifierCV]


@pytest.mark.parametrize(
    "module", [_estimators, _load, _stack, _whole_path], ids=lambda m: m.__name__
)
def test_examples_of_docstrings_run(module):
    results = doctest.testmod(module)
    assert results.attempted > 0 and results.failed == 0


@pytest.mark.parametrize("cls", CLASSES)
def test_every_parameter_and_attribute_is_described(cls, three_classes):
    parts = re.split(r"\n([A-Z][A-Za-z ]+)\n-+\n", inspect.cleandoc(cls.__doc__))
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    described = re.findall(r"^(\w+) : ", sections["Parameters"], flags=re.MULTILINE)
    assert sorted(described) == sorted(cls().get_params())
    order = list(inspect.signature(cls).parameters)
    assert [name for name in order if name in described] == order
    entries = re.findall(r"^([\w, ]+) : ", sections["Attributes"], flags=re.MULTILINE)
    attributes = {name for entry in entries for name in entry.split(", ")}
    extra = {"cv": 3, "baselines": True} if "cv" in described else {"alpha": 1.0}
    fitted = cls(kernels="linear", **extra).fit(*three_classes)
    public = {name for name in vars(fitted) if name.endswith("_") and not name.startswith("_")} | {
        "coef_",
        "coef_names_",
        "intercept_",
        "kernel_shares_",
        "selection_frequency_",
        "kernel_selection_frequency_",
    }
    stable = {"stability_", "stability_scores_", "kernel_stability_scores_", "stable_"}
    assert public <= attributes
    assert attributes - public <= {"feature_names_in_", "mse_path_"} | stable


def docstrings(file):
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return [ast.get_docstring(node) or "" for node in nodes if isinstance(node, kinds)]


@pytest.mark.parametrize(
    "file", sorted((ROOT / "python" / "rls2").glob("*.py")), ids=lambda path: path.stem
)
def test_sections_of_docstrings_are_underlined_on_lines_of_their_own(file):
    wrong = [line for text in docstrings(file) for line in text.split("\n") if "----" in line]
    assert [line for line in wrong if set(line.strip()) != {"-"}] == []


@pytest.mark.parametrize("cls", CLASSES)
def test_no_choice_is_described_that_is_refused(cls):
    select = re.search(r"^select : .*\n((?: +.*\n)+)", cls.__doc__, flags=re.MULTILINE)
    assert select and "not at all" not in select[1]


def test_public_names_are_documented(maker):
    text = maker.reference_page()
    for name in rls2.__all__:
        assert name == "__version__" or f"`{name}" in text
    assert "{parameters}" not in text


def test_reference_is_made_of_the_docstrings(maker):
    assert (PAGES / "api.md").read_text(encoding="utf-8") == maker.reference_page(), (
        "run tools/make-python-docs.py"
    )


def without_numbers(page: str) -> list[str]:
    """Words alone: numbers, and what is aligned by them, may differ in the last digit on another
    machine.
    """
    return re.sub(r"-?\d[\d.]*(e[-+]?\d+)?", "#", page).split()


@pytest.mark.parametrize(
    "script", sorted((ROOT / "python" / "examples").glob("*.py")), ids=lambda p: p.stem
)
def test_examples_print_what_their_pages_show(maker, script, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    name = script.stem.replace("_", "-")
    page = maker.example_page(script, tmp_path)
    assert without_numbers(page) == without_numbers(
        (PAGES / f"{name}.md").read_text(encoding="utf-8")
    )
    figures = re.findall(r"\((\S+\.svg)\)", page)
    assert figures and all((PAGES / figure).is_file() for figure in figures)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(figures)


def test_guide_names_every_option_that_is_called_otherwise():
    guide = (PAGES / "guide.md").read_text(encoding="utf-8")
    table = {}
    for ours, theirs in re.findall(r"^\| (`.*) \| (.*) \|$", guide, flags=re.MULTILINE):
        options = re.findall(r"--([a-z-]+)", theirs)
        table.update(zip(re.findall(r"`(\w+)", ours), options, strict=False))
    called = {s.python: s.name for s in _core.settings() if s.python}
    others = {ours for ours, name in called.items() if ours.replace("_", "-") != name}
    assert {ours: table.get(ours) for ours in others} == {ours: called[ours] for ours in others}


def test_losses_of_the_guide_do_what_it_says():
    guide = (PAGES / "guide.md").read_text(encoding="utf-8")
    code = re.search(r"^## Probabilities.*?```python\n(.*?)```", guide, re.S | re.M)[1]
    scope = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(code, "losses", "exec"), scope)
    X, test = scope["X"], scope["test"]
    assert scope["classifier"].cv_results_["measure"] == "log-loss"
    assert abs(scope["p"][:, 1].mean() - scope["late"][test].mean()) < 0.05
    assert 0.8 < np.mean(scope["delay"][test] <= scope["high"].predict(X[test])) < 0.97
    assert scope["counts"].score(X[test], scope["calls"][test]) > 0.3
    typical = np.exp(0.5 * X[test, 0])
    assert np.mean(np.abs(scope["robust"].predict(X[test]) - typical)) < 0.2


def test_links_lead_somewhere():
    for page in [*PAGES.glob("*.md")]:
        for link in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert link.startswith("http") or (page.parent / link).exists(), f"{page.name}: {link}"


def test_code_of_the_quick_start_runs(monkeypatch):
    code = re.search(
        r"## Quick start\n\n```python\n(.*?)```",
        (PAGES / "README.md").read_text(encoding="utf-8"),
        re.S,
    )[1]
    monkeypatch.setattr(
        rls2.RLS2RegressorCV.__init__,
        "__kwdefaults__",
        {**rls2.RLS2RegressorCV.__init__.__kwdefaults__, "n_alphas": 5},
    )
    exec(compile(code, "quick start", "exec"), {})
