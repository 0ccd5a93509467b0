"""Pictures: what they show is what the estimator says, and they are drawn where they should be."""

import builtins

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from rls2 import RLS2Classifier, RLS2Regressor, RLS2RegressorCV, load, plot_cv, plot_kernels, plot_path, rls2_path

K = "rbf(0.1|1)@all,each"


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def model(smooth):
    return RLS2RegressorCV(kernels=K, cv=4, baselines=True).fit(*smooth)


def test_curve_shows_means_errors_and_choices(model):
    ax = plot_cv(model)
    line = next(line for line in ax.get_lines() if line.get_label() == "mean over the splits")
    assert_allclose(line.get_xdata(), model.cv_results_["alphas"])
    assert_allclose(line.get_ydata(), model.cv_results_["mean_test_score"])
    upright = [line.get_xdata()[0] for line in ax.get_lines() if len(set(line.get_xdata())) == 1]
    assert model.alpha_min_ in upright and model.alpha_1se_ in upright
    level = [line.get_ydata()[0] for line in ax.get_lines() if line.get_label() == "ridge on the inputs"]
    assert level == [model.baselines_["ridge on the inputs"]["mean_test_score"]]
    assert {"λ min", "λ 1se"} <= {text.get_text() for text in ax.texts}
    assert "rmse" in ax.get_ylabel() and "λ" in ax.get_xlabel() and ax.get_xscale() == "log"
    band = ax.collections[0].get_paths()[0].vertices
    assert_allclose(band[:, 1].max(), (model.cv_results_["mean_test_score"] + model.cv_results_["std_error"]).max())


@pytest.mark.parametrize("x", ["lambda", "df"])
def test_path_shows_the_weights(model, x):
    ax = plot_path(model, x=x, top=3)
    named = {line.get_label(): line for line in ax.get_lines() if "@" in line.get_label()}
    assert len(named) == 3
    weights = dict(zip(model.kernel_names_, model.path_.weights.T, strict=True))
    for name, line in named.items():
        assert_allclose(np.nan_to_num(line.get_ydata()), weights[name])
        assert_allclose(line.get_xdata(), model.alphas_ if x == "lambda" else model.path_.df)
    assert max(weights, key=lambda name: weights[name].max()) in named


def test_path_shows_coefficients(smooth):
    path = rls2_path(*smooth, kernels="linear")
    ax = plot_path(path, what="coef")
    lines = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    assert_allclose(np.nan_to_num(lines["x1"]), path.coef[:, 0])
    with pytest.raises(ValueError, match="rls2_path with linear kernels"):
        plot_path(RLS2Regressor(kernels="linear").fit(*smooth), what="coef")


@pytest.mark.parametrize("by", ["share", "weight"])
def test_bars_are_shares_or_weights(model, by):
    _, own = plt.subplots()
    ax = plot_kernels(model, by=by, ax=own)
    assert ax is own
    widths = sorted(bar.get_width() for bar in ax.patches)
    expected = model.model_.shares(0) if by == "share" else model.kernel_weights_[model.selected_]
    assert_allclose(widths, np.sort(np.asarray(expected)))
    assert {label.get_text() for label in ax.get_yticklabels()} == {model.kernel_names_[k] for k in model.selected_}
    short = plot_kernels(model, by=by, top=1)
    assert len(short.patches) == 2
    assert sum(bar.get_width() for bar in short.patches) == pytest.approx(1.0)


def test_outputs_are_chosen_by_name_or_averaged(three_classes):
    X, y = three_classes
    model = RLS2Classifier(kernels=K).fit(X, np.array(["a", "b", "c"])[y])
    mean = plot_kernels(model, by="weight", top=100)
    assert sum(bar.get_width() for bar in mean.patches) == pytest.approx(1.0)
    assert mean.get_title(loc="left") == "mean over the outputs"
    assert plot_kernels(model, output="b").get_title(loc="left") == "b"
    assert plot_path(model, output=2).get_title(loc="left") == "c"
    with pytest.raises(ValueError, match="the outputs are a, b, c"):
        plot_path(model, output="d")


def test_what_cannot_be_drawn_is_said(smooth, tmp_path):
    model = RLS2Regressor(kernels=K, alpha=0.1).fit(*smooth)
    with pytest.raises(ValueError, match="what cross-validation found"):
        plot_cv(model)
    model.save(tmp_path / "a.model")
    with pytest.raises(ValueError, match="loaded from a file"):
        plot_path(load(tmp_path / "a.model"))
    assert len(plot_kernels(load(tmp_path / "a.model")).patches) == len(model.selected_)
    with pytest.raises(ValueError, match="'share' or 'weight'"):
        plot_kernels(model, by="size")


def test_without_matplotlib_the_extra_is_named(model, monkeypatch):
    real = builtins.__import__

    def refuse(name, *more, **named):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r"pip install rls2\[plot\]"):
        plot_cv(model)
