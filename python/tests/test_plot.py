"""Pictures: what they show is what the estimator says, and they are drawn where they should be."""

import builtins
import pickle

import matplotlib.pyplot as plt
import numpy as np
import pytest
from numpy.testing import assert_allclose

from rls2 import (
    RLS2Classifier,
    RLS2Regressor,
    RLS2RegressorCV,
    load,
    plot_cv,
    plot_kernels,
    plot_path,
    rls2_path,
)

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
    level = [
        line.get_ydata()[0] for line in ax.get_lines() if line.get_label() == "ridge on the inputs"
    ]
    assert level == [model.baselines_["ridge on the inputs"]["mean_test_score"]]
    assert {"λ min", "λ 1se"} <= {text.get_text() for text in ax.texts}
    assert "rmse" in ax.get_ylabel() and "λ" in ax.get_xlabel() and ax.get_xscale() == "log"
    band = ax.collections[0].get_paths()[0].vertices
    assert_allclose(
        band[:, 1].max(),
        (model.cv_results_["mean_test_score"] + model.cv_results_["std_error"]).max(),
    )


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
    path = rls2_path(*smooth, kernels="linear", standardize=False)
    ax = plot_path(path, what="coef")
    lines = {line.get_label(): line.get_ydata() for line in ax.get_lines()}
    assert_allclose(np.nan_to_num(lines["x1"]), path.coef[:, 0])
    model = RLS2RegressorCV(kernels="linear", cv=3, standardize=False).fit(*smooth)
    for fitted in (model, pickle.loads(pickle.dumps(model))):
        lines = {
            line.get_label(): line.get_ydata()
            for line in plot_path(fitted, what="coef").get_lines()
        }
        drawn = np.nan_to_num(np.stack([lines[name] for name in fitted.coef_names_]))
        assert_allclose(drawn, fitted.path_.coef.T)
        at = int(np.argmin(np.abs(fitted.alphas_ - fitted.alpha_)))
        assert_allclose(drawn[:, at], fitted.coef_, rtol=1e-4, atol=1e-6)
    with pytest.raises(ValueError, match="what='coef': coef is there for linear kernels only"):
        plot_path(RLS2Regressor(kernels=K, alpha=1.0).fit(*smooth), what="coef")


def test_legends_stay_inside_axes_that_are_shared_out(model):
    figure, axes = plt.subplots(1, 2, figsize=(7, 3), layout="constrained")
    for draw, ax in zip((plot_path, plot_cv), axes, strict=True):
        assert draw(model, ax=ax) is ax
    figure.canvas.draw()
    for ax in axes:
        inside, legend = ax.get_window_extent(), ax.get_legend().get_window_extent()
        assert inside.x0 <= legend.x0 and legend.x1 <= inside.x1
    levels = [line for line in axes[1].get_lines() if line.get_label() in model.baselines_]
    assert (
        len(levels)
        == len({(line.get_linestyle(), line.get_color()) for line in levels})
        == len(model.baselines_)
    )


def test_the_rest_is_counted(model):
    drawn = int(np.sum(model.path_.weights.max(axis=0) > 0.0))
    for top, rest in ((drawn - 1, "1 other"), (drawn - 2, "2 others")):
        assert rest in [
            text.get_text() for text in plot_path(model, top=top).get_legend().get_texts()
        ]


@pytest.mark.parametrize("by", ["share", "weight"])
def test_bars_are_shares_or_weights(model, by):
    _, own = plt.subplots()
    ax = plot_kernels(model, by=by, ax=own)
    assert ax is own
    widths = sorted(bar.get_width() for bar in ax.patches)
    values = model.kernel_shares_ if by == "share" else model.kernel_weights_
    expected = values[values != 0.0]
    assert_allclose(widths, np.sort(np.asarray(expected)))
    assert {label.get_text() for label in ax.get_yticklabels()} == {
        model.kernel_names_[k] for k in model.selected_
    }
    short = plot_kernels(model, by=by, top=1)
    assert len(short.patches) == 2
    assert sum(bar.get_width() for bar in short.patches) == pytest.approx(values.sum())


def test_it_is_said_whose_variance_is_shared_out(model, smooth, tmp_path):
    assert "left-out rows" in plot_kernels(model).get_xlabel()
    by_criterion = RLS2Regressor(kernels=K).fit(*smooth)
    assert "training rows" in plot_kernels(by_criterion).get_xlabel()
    again = model.__class__(select="gcv", kernels=K).fit(*smooth)
    assert not hasattr(again, "kernel_shares_") and not hasattr(RLS2Regressor(), "kernel_shares_")
    model.save(tmp_path / "a.model")
    loaded = load(tmp_path / "a.model")
    assert_allclose(loaded.kernel_shares_, model.kernel_shares_)
    assert loaded.model_.left_out[:2] == ("rmse", model.best_score_)


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
    for wrong in ({"x": "foo"}, {"what": "foo"}):
        with pytest.raises(ValueError, match="='foo' should be '(lambda|weights)' or"):
            plot_path(model, **wrong)
    with pytest.raises(ValueError, match="'share' or 'weight'"):
        plot_kernels(model, by="size")


def test_without_matplotlib_the_extra_is_named(model, monkeypatch):
    real = builtins.__import__

    def refuse(name, *more, **named):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *more, **named)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        plot_cv(model)
