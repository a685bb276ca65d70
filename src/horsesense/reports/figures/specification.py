"""Specification curves: every accuracy that could have been reported for a model on a dataset.

Values are sorted; the board below shows the method and the subset of each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from horsesense.reports.figures.accuracy import ACCURACIES, on_chance, shown_models
from horsesense.reports.figures.drawing import (
    FAINT,
    HOLLOW,
    INK,
    LINE,
    MARGIN,
    SMALL,
    WIDTH,
    DrawnFigure,
    Key,
    Style,
    add_legend,
    dots,
    empty_figure,
    segments,
    slug,
    styles,
    tick_text,
    wrapped,
)
from horsesense.reports.wording import CHANCE, SYMBOLS, is_bound_of_guessing, share, standard
from horsesense.results import (
    ALL,
    ORIGINAL,
    DatasetSubject,
    Estimate,
    EstimateKind,
    ModelSubject,
    ResultKey,
    Results,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FEWEST = 3  # one or two values are better shown in a table
_TITLES = dict(zip(ACCURACIES, ("Problem accuracy a", "Schema accuracy A"), strict=True))
_TICKS = (0, 0.25, 0.5, 0.75, 1)
_LABEL_CHARACTERS = 24
_CURVE, _ABOVE, _BELOW, _BETWEEN, _GAP = 1.7, 0.28, 0.08, 0.38, 0.12
_STANDARD_SIZE, _SIZE, _DOT_SIZE = 7.0, 4.0, 3.0
_SPOT = Style(INK, "o", "")


def specification_figures(results: Results) -> Iterator[DrawnFigure]:
    """A figure for each model and each dataset that was measured in several ways."""
    for model in shown_models(results):
        for dataset in results.datasets:
            curves = {
                metric: sorted_estimates(results, model, dataset, metric) for metric in ACCURACIES
            }
            if min(len(curve) for curve in curves.values()) >= _FEWEST:
                yield _figure(results, model, dataset, curves)


def sorted_estimates(
    results: Results, model: ModelSubject, dataset: DatasetSubject, metric: str
) -> list[Estimate]:
    """Every defined value of a metric on the original, for all methods and subsets, sorted."""
    defined = [
        estimate
        for estimate in _accuracies(results, model, dataset)
        if estimate.metric == metric and estimate.value is not None
    ]
    return sorted(
        defined,
        key=lambda estimate: (estimate.value or 0.0, estimate.key.method, estimate.key.subset),
    )


def _accuracies(
    results: Results, model: ModelSubject, dataset: DatasetSubject
) -> Iterator[Estimate]:
    """All accuracies on the original, except that of the method picked by its accuracy."""
    for estimate in results.estimates:
        is_here = (estimate.key.model, estimate.key.dataset, estimate.key.variant) == (
            model.name,
            dataset.name,
            ORIGINAL,
        )
        is_accuracy = estimate.kind is EstimateKind.VALUE and estimate.metric in ACCURACIES
        if is_here and is_accuracy and estimate.key.method in model.methods:
            yield estimate


def _figure(
    results: Results,
    model: ModelSubject,
    dataset: DatasetSubject,
    curves: dict[str, list[Estimate]],
) -> DrawnFigure:
    keys = [estimate.key for curve in curves.values() for estimate in curve]
    used_methods, used_subsets = {key.method for key in keys}, {key.subset for key in keys}
    methods = [method for method in model.methods if method in used_methods]
    measured = dict.fromkeys([ALL, *(estimate.key.subset for estimate in results.estimates)])
    subsets = [subset for subset in measured if subset in used_subsets]
    spoken = ", ".join(
        f"{SYMBOLS[metric]} from {share(curve[0].value)} to {share(curve[-1].value)}"
        for metric, curve in curves.items()
    )
    missing = sum(estimate.value is None for estimate in _accuracies(results, model, dataset))
    undefined = f" Not shown: {missing} undefined values." if missing else ""
    bound = frozenset(
        estimate.key
        for curve in curves.values()
        for estimate in curve
        if is_bound_of_guessing(results, estimate)
    )
    if bound:
        undefined += f"{on_chance(results)} So what is below chance is not filled."
    return DrawnFigure(
        name=slug("specification", model.name, dataset.name),
        family="Every way to report the accuracy",
        facet=f"{model.name} on {dataset.name}",
        symbols=("a", "A"),
        title=f"Every way to report the accuracy of {model.name} on {dataset.name}",
        caption="All scoring methods on all subsets, sorted; the board below shows which is which. "
        "Filled where the 95 % interval excludes chance; the square is the standard method on "
        f"all problems, which was chosen in advance.{undefined}",
        alt=f"Sorted dots with intervals, {len(keys)} in all: {spoken}",
        draw=partial(_draw, curves, [*methods, "", *subsets], standard(model, dataset.name), bound),
    )


def _draw(
    curves: dict[str, list[Estimate]],
    lines: Sequence[str],
    standard_key: ResultKey,
    bound: frozenset[ResultKey],
) -> Figure:
    """Draw the curve of each metric above a board, whose lines name methods and subsets."""
    board = len(lines) * LINE + 0.06
    height = MARGIN + LINE + _ABOVE + _CURVE + _GAP + board + _BELOW
    labels = max(len(wrapped(line, _LABEL_CHARACTERS)) for line in lines) * 0.064 + 0.2
    width = (WIDTH - labels - _BETWEEN - 2 * MARGIN) / len(curves)
    figure = empty_figure(height)
    for number, (metric, curve) in enumerate(curves.items()):
        left = (labels + number * (width + _BETWEEN)) / WIDTH
        box = (left, (_BELOW + board + _GAP) / height, width / WIDTH, _CURVE / height)
        _draw_curve(figure.add_axes(box), metric, curve, standard_key, bound)
        box = (left, _BELOW / height, width / WIDTH, board / height)
        _draw_board(figure.add_axes(box), lines, curve, has_labels=number == 0)
    blue = styles(1)[0].colour
    keys = [
        Key("interval excludes chance", Style(blue, "o", "")),
        Key("interval includes chance", HOLLOW),
        Key("standard method, all problems", Style("none", "s", "")),
    ]
    add_legend(figure, keys, labels / WIDTH - 0.01, 1 - MARGIN / height)
    return figure


def _draw_curve(
    axes: Axes,
    metric: str,
    curve: Sequence[Estimate],
    standard_key: ResultKey,
    bound: frozenset[ResultKey],
) -> None:
    chance = CHANCE[metric]
    axes.patch.set_visible(False)
    axes.set_xlim(-1, len(curve))
    axes.set_ylim(0, 1)
    axes.set_xticks([])
    axes.set_yticks(_TICKS, [tick_text(tick) for tick in _TICKS])
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
    segments(axes, [((-1, y), (len(curve), y)) for y in _TICKS], alpha=FAINT, width=0.4)
    axes.set_title(_TITLES[metric], fontsize="medium", fontweight="bold", loc="left")
    axes.axhline(chance, color=INK, linewidth=0.8, linestyle=(0, (4, 2)))
    # The lowest value is on the left: keep the label clear of it.
    is_above = (curve[0].value or 0.0) < chance
    side, off = ("bottom", 0.012) if is_above else ("top", -0.012)
    axes.text(-0.8, chance + off, "chance", fontsize=SMALL, va=side)
    known = [(x, estimate.low, estimate.high) for x, estimate in enumerate(curve)]
    ends = [((x, low), (x, high)) for x, low, high in known if low is not None and high is not None]
    segments(axes, ends, width=0.8)
    blue = styles(1)[0].colour
    for is_standard in (False, True):
        for is_beyond in (False, True):
            points = [
                (float(x), estimate.value or 0.0)
                for x, estimate in enumerate(curve)
                if (estimate.key == standard_key) is is_standard
                and excludes(estimate, chance, is_bound=estimate.key in bound) is is_beyond
            ]
            look = Style(blue if is_beyond else "none", "s" if is_standard else "o", "")
            dots(axes, points, look, size=_STANDARD_SIZE if is_standard else _SIZE)


def excludes(estimate: Estimate, chance: float, *, is_bound: bool = False) -> bool:
    """True if the estimate has an interval that does not include chance, or any value below it."""
    low, high = estimate.low, estimate.high
    if low is None or high is None:
        return False
    return low > chance if is_bound else not low <= chance <= high


def _draw_board(
    axes: Axes, board: Sequence[str], curve: Sequence[Estimate], *, has_labels: bool
) -> None:
    axes.patch.set_visible(False)
    axes.set_xlim(-1, len(curve))
    axes.set_ylim(len(board) - 0.4, -0.6)
    axes.set_xticks([])
    labels = [wrapped(text, _LABEL_CHARACTERS) for text in board] if has_labels else []
    axes.set_yticks(range(len(labels)), labels)
    axes.tick_params(length=0)
    for side in ("top", "right", "bottom", "left"):
        axes.spines[side].set_visible(False)
    lines = [((-1.0, y), (float(len(curve)), y)) for y, label in enumerate(board) if label]
    segments(axes, lines, alpha=FAINT, width=0.4)
    spots = [
        (float(x), float(board.index(choice)))
        for x, estimate in enumerate(curve)
        for choice in (estimate.key.method, estimate.key.subset)
    ]
    dots(axes, spots, _SPOT, size=_DOT_SIZE)
