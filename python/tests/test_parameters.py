"""Parameters are the library's settings: a new one appears by itself; the stub knows them all."""

import inspect
from types import SimpleNamespace

import pytest
from sklearn.base import clone

import rls2
from rls2 import (
    RLS2Classifier,
    RLS2ClassifierCV,
    RLS2Regressor,
    RLS2RegressorCV,
    _core,
    _docs,
    _params,
)

CLASSES = [RLS2Regressor, RLS2Classifier, RLS2RegressorCV, RLS2ClassifierCV]
DATA = [
    "kernels",
    "plain",
    "groups",
    "scaling",
    "center",
    "features",
    "examples",
    "standardize",
    "categorical",
    "reference",
    "missing",
    "rare",
]
FITTING = [
    "method", "solver", "gap_tol", "delta", "max_iter", "df", "intercept", "rank_tol", "memory",
]  # fmt: skip
LAST = ["n_jobs", "random_state", "verbose"]
REST = [*DATA, "loss", "outputs", "stack", "interval", *FITTING, *LAST]
CLASSES_REST = [*DATA, "loss", "probability", "outputs", "stack", *FITTING, *LAST]
SINGLE = ["alpha", "alphas", "n_alphas", "eps", "select"]
CV = [
    *["alphas", "n_alphas", "eps", "cv", "repeats", "rule", "scoring", "select", "baselines"],
    *["stability", "stability_errors"],
]


@pytest.mark.parametrize(
    ("cls", "names"),
    [
        (RLS2Regressor, [*SINGLE, *REST]),
        (RLS2Classifier, [*SINGLE, "class_weight", *CLASSES_REST]),
        (RLS2RegressorCV, [*CV, *REST]),
        (RLS2ClassifierCV, [*CV, "class_weight", *CLASSES_REST]),
    ],
)
def test_signatures_are_what_they_have_been(cls, names):
    found = inspect.signature(cls).parameters
    assert list(found) == names
    assert {p.kind for p in found.values()} == {inspect.Parameter.KEYWORD_ONLY}
    defaults = {name: p.default for name, p in found.items()}
    expected = {
        "n_alphas": None,
        "eps": None,
        "scaling": "trace",
        "center": False,
        "features": "auto",
        "standardize": "auto",
        "missing": "auto",
        "delta": 1e-2,
    }
    expected |= {
        "gap_tol": 1e-6,
        "max_iter": 200,
        "df": "auto",
        "method": "auto",
        "intercept": "auto",
        "rank_tol": 1e-14,
        "memory": None,
    }
    expected |= {
        "n_jobs": None,
        "random_state": None,
        "verbose": 0,
        "alphas": None,
        "kernels": None,
        "groups": None,
    }
    expected |= {
        "categorical": None,
        "solver": "newton",
        "select": "cv" if "cv" in names else "auto",
        "loss": "square",
        "outputs": "separate",
        "stack": "auto",
        "plain": False,
    }
    expected |= {"probability": False} if "probability" in names else {}
    expected |= (
        {"cv": None, "repeats": 1, "rule": "min", "scoring": None, "baselines": False}
        if "cv" in names
        else {}
    )
    assert {name: defaults[name] for name in expected} == expected
    assert all(type(defaults[name]) is type(value) for name, value in expected.items())
    assert clone(cls(kernels="linear")).get_params() == cls(kernels="linear").get_params()


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_a_keyword_there_is_not_is_refused_by_the_name_of_the_class(cls):
    with pytest.raises(TypeError, match=rf"^{cls.__name__}\.__init__\(\) got an unexpected"):
        cls(splits=3)


def test_every_setting_with_a_name_for_python_is_a_parameter():
    named = {setting.python for setting in _core.settings()} - {""}
    assert named == {name for cls in CLASSES for name in cls().get_params()} - {"n_jobs", "verbose"}


@pytest.fixture
def shout(monkeypatch):
    """A setting that nobody has heard of."""
    made = _core.Setting(
        "shout-at", "shout", "choice", "fitting", ["no", "yes"], "no", "Shouts.", "So loud."
    )
    monkeypatch.setitem(_params._TABLE, "shout", made)
    return made


@pytest.mark.parametrize("cv", [False, True])
def test_a_new_setting_is_a_parameter_with_default_text_check_and_effect(shout, cv):
    made = _params.parameters(cv=cv, classes=False)
    names = [parameter.name for parameter in made]
    assert names[names.index("memory") + 1] == "shout"
    parameter = made[names.index("shout")]
    assert parameter.default == "no" and parameter.annotation == 'Literal["no", "yes"]'
    assert _docs._entry(parameter) == 'shout : {"no", "yes"}, default="no"\n    Shouts. So loud.'
    estimator = SimpleNamespace(_parameters=made, **{p.name: p.default for p in made})
    assert ("shout-at", "yes") not in _params.settings_of(estimator, "all")
    estimator.shout = "yes"
    assert ("shout-at", "yes") in _params.settings_of(estimator, "all")
    estimator.shout = 5
    with pytest.raises(ValueError, match="shout=5 should be a text"):
        _params.settings_of(estimator, "all")


def test_parameters_become_settings():
    model = RLS2ClassifierCV(
        alphas="1:2:3", cv=4, rule="1se", scoring="roc_auc", baselines=True, random_state=7,
        class_weight={"a": 2, "b": 1}, kernels=["linear", "rbf(1)"], groups={"g": ["x", "y*"]},
        intercept=False, memory=10**6,
        center=True, gap_tol=1e-7, max_iter=300, n_alphas=5,
    )  # fmt: skip
    assert sorted(_params.settings_of(model, "all")) == sorted(
        [
            ("lambdas", "1:2:3"), ("folds", "4"), ("rule", "1se"), ("measure", "auc"),
            ("baselines", "true"), ("class-weights", "a=2.0,b=1.0"), ("kernels", "linear"),
            ("kernels", "rbf(1)"), ("group", "g=x,y*"), ("intercept", "none"),
            ("memory", "1000000"), ("seed", "7"), ("center", "true"), ("gap-tol", "1e-07"),
            ("max-iter", "300"),
        ]
    )  # fmt: skip
    assert _params.settings_of(RLS2Regressor(), "all") == [("select", "gcv")]
    assert _params.settings_of(RLS2Regressor(alpha=0.1, n_alphas=4), "path") == [("lambda", "0.1")]


def test_stub_of_the_constructors_is_made_of_the_table(maker):
    stub = rls2.__path__[0] + "/_parameters.pyi"
    with open(stub, encoding="utf-8") as file:
        assert file.read() == maker.stub(), "run tools/make-python-docs.py"
