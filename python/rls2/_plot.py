"""Pictures of a path, of a curve of cross-validation, and of what was selected; matplotlib is
imported when one is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from ._path import PathSummary
from ._types import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Told apart by eyes of every kind (Okabe and Ito), then again with another stroke.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#B8A800")
_STROKES = ("-", "--", ":")
# Of levels that lie close to each other.
_LEVELS: tuple[Any, ...] = ("--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (1, 3)))
_GREY = "#8c8c8c"
_INK = "#333333"


def plot_path(
    path: Any,
    *,
    x: Literal["lambda", "df"] = "lambda",
    what: Literal["weights", "coef"] = "weights",
    top: int = 8,
    output: int | str = 0,
    ax: Axes | None = None,
) -> Axes:
    """Weights of the kernels, or coefficients of the columns, along the path.

    Parameters
    ----------
    path : fitted estimator or result of rls2_path
        Of an estimator its ``path_``, with the lambda it took marked.
    x : {"lambda", "df"}, default="lambda"
        Horizontal axis: lambda on a logarithmic scale, less regularisation to the right; or degrees
        of freedom.
    what : {"weights", "coef"}, default="weights"
        Weights of the kernels; or coefficients, of linear kernels only, of the columns as the
        learner sees them (after any standardising).
    top : int, default=8
        How many lines have a colour and a name: those that come to count most. The others are grey.
    output : int or str, default=0
        Of several outputs the one that is drawn, by number or name.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
    """
    if x not in ("lambda", "df"):
        raise ValueError(f"x={x!r} should be 'lambda' or 'df'")
    if what not in ("weights", "coef"):
        raise ValueError(f"what={what!r} should be 'weights' or 'coef'")
    summary = _summary(path)
    number = _output_number(summary, output)
    lines, names = _lines(summary, what, number)
    at = summary.alphas if x == "lambda" else _degrees_of_freedom(summary)
    own = ax is None
    ax = _axes(ax, (7.6, 4.4))
    _draw_lines(ax, at, lines, names, top)
    _legend(ax, beside=own)
    _path_axis(ax, x, at)
    if what == "coef":
        ax.axhline(0.0, color=_INK, linewidth=0.7, zorder=1)
    ax.set_ylabel("weight of the kernel" if what == "weights" else "coefficient")
    _mark_choices(ax, path, summary, x)
    _count_axis(ax, at, summary.n_selected, x)
    if len(summary.output_names) > 1:
        ax.set_title(summary.output_names[number], loc="left", fontsize=10, color=_INK)
    return ax


def _degrees_of_freedom(summary: PathSummary) -> Floats:
    if np.isnan(summary.df).any():
        raise ValueError("x='df': the path has no degrees of freedom; df='each' computes them")
    return summary.df


def plot_cv(estimator: Any, *, baselines: bool = True, ax: Axes | None = None) -> Axes:
    """The curve of cross-validation with its standard errors, lambda.min and lambda.1se.

    Parameters
    ----------
    estimator : fitted RLS2RegressorCV or RLS2ClassifierCV
        With ``select="cv"``.
    baselines : bool, default=True
        Also draw the scores of the baselines, where they were computed.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
    """
    check_is_fitted(estimator, "model_")
    if not hasattr(estimator, "cv_results_"):
        raise ValueError(
            "plot_cv draws what cross-validation found: fit RLS2RegressorCV or RLS2ClassifierCV "
            "with select='cv'"
        )
    curve = estimator.cv_results_
    own = ax is None
    ax = _axes(ax, (7.6, 4.4))
    alphas, mean, error = (
        curve["alphas"],
        curve["mean_test_score"],
        np.nan_to_num(curve["std_error"]),
    )
    ax.fill_between(
        alphas,
        mean - error,
        mean + error,
        color=_COLORS[0],
        alpha=0.18,
        linewidth=0,
        label="± 1 standard error",
    )
    ax.plot(
        alphas,
        mean,
        color=_COLORS[0],
        linewidth=1.6,
        marker="o",
        markersize=3.2,
        label="mean over the splits",
    )
    if baselines and hasattr(estimator, "baselines_"):
        _draw_baselines(ax, estimator.baselines_)
    _path_axis(ax, "lambda", alphas)
    splits = curve["split_test_score"].shape[1]
    ax.set_ylabel(
        f"{curve['measure']} on left-out rows ({splits} split{'s' if splits != 1 else ''})"
    )
    _mark(
        ax, estimator.alpha_min_, "λ min", _COLORS[1], estimator.alpha_min_ != estimator.alpha_1se_
    )
    if estimator.alpha_min_ != estimator.alpha_1se_:
        _mark(ax, estimator.alpha_1se_, "λ 1se", _COLORS[2], False)
    _count_axis(ax, alphas, curve["n_kernels"], "lambda")
    ax.legend(
        fontsize=8.5 if own else 7, loc="best", framealpha=0.8, edgecolor="none", labelspacing=0.3
    )
    return ax


def plot_kernels(
    estimator: Any,
    *,
    by: Literal["share", "weight"] = "share",
    top: int = 15,
    output: int | str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """The selected kernels, by how much they matter.

    Parameters
    ----------
    estimator : fitted estimator
        Of any of the four classes, or loaded.
    by : {"share", "weight"}, default="share"
        Share of the variance of y in left-out rows that a kernel explains, ``kernel_shares_``;
        where there was no cross-validation, share of the variance of the fit on training rows. It
        is negative for one that corrects others, or follows noise. Or the kernel's weight.
    top : int, default=15
        How many are drawn; the others are one grey bar.
    output : int or str, default=None
        Of several outputs the one that is drawn; None draws the mean over them.
    ax : matplotlib Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib Axes
    """
    check_is_fitted(estimator, "model_")
    if by not in ("share", "weight"):
        raise ValueError(f"by={by!r} should be 'share' or 'weight'")
    values = _importance(estimator, by, output)
    selected = np.flatnonzero(values)
    order = selected[np.argsort(-np.abs(values[selected]), kind="stable")]
    shown, rest = order[:top], order[top:]
    names = [estimator.kernel_names_[k] for k in shown]
    bars = list(values[shown])
    if len(rest):
        names.append(f"{len(rest)} other{'s' if len(rest) > 1 else ''}")
        bars.append(float(values[rest].sum()))
    ax = _axes(ax, (7.0, 0.9 + 0.27 * max(len(bars), 3)))
    _draw_bars(ax, names, np.array(bars), by, bool(len(rest)))
    ax.set_xlabel(_meaning(estimator, by))
    if len(estimator.model_.output_names) > 1:
        which = (
            "mean over the outputs"
            if output is None
            else estimator.model_.output_names[_number(estimator, output)]
        )
        ax.set_title(which, loc="left", fontsize=10, color=_INK)
    return ax


# ---- what is drawn ----


def _summary(path: Any) -> PathSummary:
    if isinstance(path, PathSummary):
        return path
    check_is_fitted(path, "model_")
    if not hasattr(path, "path_"):
        raise ValueError(
            "the estimator was loaded from a file, which holds one point of the path: fit it, or "
            "use rls2_path"
        )
    summary: PathSummary = path.path_
    return summary


def _output_number(summary: PathSummary, output: int | str) -> int:
    return _find_output(summary.output_names, output)


def _number(estimator: Any, output: int | str) -> int:
    return _find_output(list(estimator.model_.output_names), output)


def _find_output(names: list[str], output: int | str) -> int:
    number = names.index(output) if isinstance(output, str) and output in names else output
    if not isinstance(number, (int, np.integer)) or not 0 <= number < len(names):
        raise ValueError(f"output={output!r}: the outputs are {', '.join(names)}")
    return int(number)


def _lines(summary: PathSummary, what: str, output: int) -> tuple[Floats, list[str]]:
    """(n_alphas, lines) and their names."""
    if what == "weights":
        return summary.weights_of(output), summary.kernel_names
    try:
        coefficients = summary.coef
    except AttributeError as error:
        raise ValueError(f"what='coef': {error}") from None
    return (coefficients if coefficients.ndim == 2 else coefficients[output]), summary.column_names


def _meaning(estimator: Any, by: str) -> str:
    """What the bars show."""
    if by == "weight":
        return "weight (all weights sum to 1)"
    if hasattr(estimator, "kernel_shares_"):
        return "share of the variance of left-out rows"
    return "share of the variance of the fit on training rows"


def _importance(estimator: Any, by: str, output: int | str | None) -> Floats:
    """One number for each kernel of the dictionary."""
    model = estimator.model_
    outputs = range(model.outputs) if output is None else [_number(estimator, output)]
    if by == "share" and hasattr(estimator, "kernel_shares_"):
        shares: Floats = np.atleast_2d(estimator.kernel_shares_)[outputs]
        return np.asarray(shares.mean(axis=0))
    values = np.zeros(len(estimator.kernel_names_))
    for o in outputs:
        chosen = model.selected(o)
        parts = np.array(model.shares(o)) if by == "share" else [d for _, _, d, _ in chosen]
        np.add.at(values, [k for k, *_ in chosen], parts)
    return values / len(outputs)


# ---- how it is drawn ----


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            "plotting needs matplotlib: pip install matplotlib, or '.[plot]' in the clone"
        ) from error
    if ax is None:
        _, ax = pyplot.subplots(figsize=size, layout="constrained")
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(True, color="#e6e6e6", linewidth=0.6)
    ax.set_axisbelow(True)
    return ax


def _draw_lines(ax: Axes, at: Floats, lines: Floats, names: list[str], top: int) -> None:
    peaks = np.abs(lines).max(axis=0)
    order = [int(k) for k in np.argsort(-peaks, kind="stable") if peaks[k] > 0.0]
    lines = _without_zeros(lines)
    for k in order[top:]:
        ax.plot(at, lines[:, k], color="#c4c4c4", linewidth=0.9, zorder=1.5)
    for place, k in enumerate(order[:top]):
        stroke = _STROKES[place // len(_COLORS) % len(_STROKES)]
        color = _COLORS[place % len(_COLORS)]
        ax.plot(
            at, lines[:, k], color=color, linestyle=stroke, linewidth=1.7, label=names[k], zorder=2
        )
    if len(order) > top:
        rest = len(order) - top
        ax.plot(
            [], [], color="#c4c4c4", linewidth=0.9, label=f"{rest} other{'s' if rest > 1 else ''}"
        )


def _legend(ax: Axes, *, beside: bool) -> None:
    """Beside the picture where it has a figure of its own, whose layout makes room for it; else
    inside.
    """
    if not ax.get_legend_handles_labels()[0]:
        return
    if beside:
        ax.legend(frameon=False, fontsize=8.5, loc="center left", bbox_to_anchor=(1.01, 0.5))
    else:
        ax.legend(fontsize=7, loc="best", framealpha=0.8, edgecolor="none", labelspacing=0.3)


def _without_zeros(lines: Floats) -> Floats:
    """Stretches at zero are left out, so that lines do not lie on each other: a kernel comes in
    where its line begins.
    """
    nothing = np.pad(lines == 0.0, ((1, 1), (0, 0)), constant_values=True)
    return np.where(nothing[:-2] & nothing[1:-1] & nothing[2:], np.nan, lines)


def _path_axis(ax: Axes, x: str, at: Floats) -> None:
    if x == "df":
        ax.set_xlabel("degrees of freedom")
        return
    ax.set_xscale("log")
    ax.set_xlim(_wider(at.max(), at.min()))
    ax.set_xlabel("λ (log scale; less regularisation to the right)")


def _wider(first: float, last: float) -> tuple[float, float]:
    """Limits with a little room; the first and the last may be one."""
    if first == last:
        return first * 3.0, last / 3.0
    room = (first / last) ** 0.03
    return first * room, last / room


def _count_axis(ax: Axes, at: Floats, counts: Any, x: str) -> None:
    """How many kernels there are, above, as in glmnet's pictures."""
    if len(at) < 2:
        return
    above = ax.secondary_xaxis("top")
    ticks = np.unique(np.linspace(0, len(at) - 1, 7).round().astype(int))
    if x == "df":
        low, high = at.min(), at.max()
        wanted = np.linspace(low, high, 7)
        ticks = np.unique([int(np.argmin(np.abs(at - value))) for value in wanted])
    above.set_xticks(at[ticks], [f"{counts[i]:.0f}" for i in ticks], minor=False)
    above.tick_params(which="minor", length=0, labeltop=False)
    above.set_xticks([], minor=True)
    above.spines["top"].set_visible(False)
    above.tick_params(length=0, labelsize=8, colors=_GREY)
    above.set_xlabel("kernels selected", fontsize=8, color=_GREY)


def _mark_choices(ax: Axes, path: Any, summary: PathSummary, x: str) -> None:
    """Where the estimator stands on its path."""
    marks = {}
    if hasattr(path, "alpha_min_"):
        marks = {"λ min": path.alpha_min_, "λ 1se": path.alpha_1se_}
    elif hasattr(path, "alpha_") and len(summary) > 1:
        marks = {"λ": path.alpha_}
    if len(set(marks.values())) == 1:
        marks = dict(list(marks.items())[:1])
    for place, (name, alpha) in enumerate(marks.items()):
        nearest = int(np.argmin(np.abs(np.log(summary.alphas / alpha))))
        _mark(
            ax,
            alpha if x == "lambda" else summary.df[nearest],
            name,
            _INK,
            place == 0 and len(marks) > 1,
        )


def _mark(ax: Axes, at: float, name: str, color: str, after: bool) -> None:
    """A vertical line with its name beside it, to the right of the line or to the left."""
    ax.axvline(at, color=color, linewidth=1.0, linestyle=(0, (4, 3)), zorder=1.8)
    ax.annotate(
        name,
        (at, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(4 if after else -4, -3),
        textcoords="offset points",
        ha="left" if after else "right",
        va="top",
        fontsize=8.5,
        color=color,
    )


def _draw_baselines(ax: Axes, baselines: dict[str, dict[str, float]]) -> None:
    for place, (name, values) in enumerate(baselines.items()):
        stroke, color = _LEVELS[place % len(_LEVELS)], _COLORS[3 + place % 4]
        ax.axhline(
            values["mean_test_score"],
            color=color,
            linestyle=stroke,
            linewidth=1.2,
            label=name,
            zorder=1.4,
        )


def _draw_bars(ax: Axes, names: list[str], values: Floats, by: str, has_rest: bool) -> None:
    places = np.arange(len(names))
    colors = [_COLORS[0] if value >= 0.0 else _COLORS[1] for value in values]
    if has_rest:
        colors[-1] = "#c4c4c4"
    ax.barh(places, values, color=colors, height=0.72)
    ax.set_yticks(places, names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.grid(False, axis="y")
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.axvline(0.0, color=_INK, linewidth=0.8)
    for place, value in zip(places, values, strict=True):
        text = f"{100 * value:.1f}%" if by == "share" else f"{value:.3f}"
        side = 1 if value >= 0.0 else -1
        ax.annotate(
            text, (value, place), xytext=(3 * side, 0), textcoords="offset points", va="center",
            ha="left" if side > 0 else "right", fontsize=8.5, color=_INK,
        )  # fmt: skip
    if by == "share":
        ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    ax.margins(
        x=0.12 if values.min(initial=0.0) == 0.0 else 0.2
    )  # room for the numbers beside bars, on both sides
