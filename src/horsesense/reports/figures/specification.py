"""Specification curves: every accuracy that could have been reported for a model on a dataset.

Sorted, with a board below that says by which method and on which subset each was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from horsesense.reports.figures.accuracy import ACCURACIES, shown_models
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
from horsesense.reports.wording import CHANCE, share, standard
from horsesense.results import (
    ALL,
    ORIGINAL,
    DatasetSubject,
    Estimate,
    Kind,
    ModelSubject,
    Results,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FEWEST = 3  # of one or two, nothing can be said that a table does not say
_TITLES = dict(zip(ACCURACIES, ("Problem accuracy a", "Schema accuracy A"), strict=True))
_SYMBOLS = dict(zip(ACCURACIES, "aA", strict=True))
_TICKS = (0, 0.25, 0.5, 0.75, 1)
_LABEL_CHARACTERS = 24
_CURVE, _ABOVE, _BELOW, _BETWEEN, _GAP = 1.7, 0.28, 0.08, 0.38, 0.12
_STANDARD_SIZE, _SIZE, _DOT_SIZE = 7.0, 4.0, 3.0
_SPOT = Style(INK, "o", "")


@dataclass(frozen=True, slots=True)
class Found:
    """An accuracy as it could have been reported."""

    method: str
    subset: str
    value: float
    low: float | None
    high: float | None
    is_standard: bool

    def is_beyond(self, chance: float) -> bool:
        """True where the interval does not hold chance."""
        return (
            self.low is not None and self.high is not None and not (self.low <= chance <= self.high)
        )


@dataclass(frozen=True, slots=True)
class _Curves:
    """Data to draw: a curve for each metric, and the lines of the board."""

    by_metric: dict[str, list[Found]]
    methods: tuple[str, ...]
    subsets: tuple[str, ...]

    @property
    def board(self) -> tuple[str, ...]:
        """The lines of the board, with an empty one between methods and subsets."""
        return (*self.methods, "", *self.subsets)


def specification_figures(results: Results) -> Iterator[DrawnFigure]:
    """A figure for each model and each dataset that was measured in several ways."""
    for model in shown_models(results):
        for dataset in results.datasets:
            curves = {metric: found(results, model, dataset, metric) for metric in ACCURACIES}
            if min(len(curve) for curve in curves.values()) >= _FEWEST:
                yield _figure(results, model, dataset, curves)


def found(
    results: Results, model: ModelSubject, dataset: DatasetSubject, metric: str
) -> list[Found]:
    """Every value of a metric for the dataset as it is, by all methods, on all subsets, sorted."""
    chosen = standard(model, dataset.name)
    values = [
        Found(one.key.method, one.key.subset, one.value, one.low, one.high, one.key == chosen)
        for one in _measured(results, model, dataset)
        if one.metric == metric and one.value is not None
    ]
    return sorted(values, key=lambda one: (one.value, one.method, one.subset))


def _measured(results: Results, model: ModelSubject, dataset: DatasetSubject) -> Iterator[Estimate]:
    """All accuracies on the dataset as it is, but for that of a method picked by its accuracy."""
    for estimate in results.estimates:
        is_here = (estimate.key.model, estimate.key.dataset, estimate.key.variant) == (
            model.name,
            dataset.name,
            ORIGINAL,
        )
        is_accuracy = estimate.kind is Kind.VALUE and estimate.metric in ACCURACIES
        if is_here and is_accuracy and estimate.key.method in model.methods:
            yield estimate


def _subsets(results: Results) -> tuple[str, ...]:
    """All subsets in the order in which they were measured."""
    return tuple(dict.fromkeys([ALL, *(estimate.key.subset for estimate in results.estimates)]))


def _figure(
    results: Results, model: ModelSubject, dataset: DatasetSubject, curves: dict[str, list[Found]]
) -> DrawnFigure:
    ways = [one for curve in curves.values() for one in curve]
    methods = [method for method in model.methods if any(way.method == method for way in ways)]
    subsets = [subset for subset in _subsets(results) if any(way.subset == subset for way in ways)]
    spoken = ", ".join(
        f"{_SYMBOLS[metric]} from {share(curve[0].value)} to {share(curve[-1].value)}"
        for metric, curve in curves.items()
    )
    missing = sum(one.value is None for one in _measured(results, model, dataset))
    undefined = f" Not shown: {missing} that are undefined." if missing else ""
    return DrawnFigure(
        name=slug("specification", model.name, dataset.name),
        title=f"Every way to report the accuracy of {model.name} on {dataset.name}",
        caption="All scoring methods on all subsets, sorted; the board below shows which is which. "
        "Filled where the 95 % interval excludes chance; the square is the standard method on "
        f"all problems, which was chosen in advance.{undefined}",
        alt=f"Sorted dots with intervals, {len(ways)} in all: {spoken}",
        draw=partial(_draw, _Curves(curves, tuple(methods), tuple(subsets))),
    )


def _draw(curves: _Curves) -> Figure:
    board = len(curves.board) * LINE + 0.06
    height = MARGIN + LINE + _ABOVE + _CURVE + _GAP + board + _BELOW
    labels = max(len(wrapped(one, _LABEL_CHARACTERS)) for one in curves.board) * 0.064 + 0.2
    width = (WIDTH - labels - _BETWEEN - 2 * MARGIN) / len(curves.by_metric)
    figure = empty_figure(height)
    for number, (metric, curve) in enumerate(curves.by_metric.items()):
        left = (labels + number * (width + _BETWEEN)) / WIDTH
        place = (left, (_BELOW + board + _GAP) / height, width / WIDTH, _CURVE / height)
        _draw_curve(figure.add_axes(place), metric, curve)
        place = (left, _BELOW / height, width / WIDTH, board / height)
        _draw_board(figure.add_axes(place), curves.board, curve, has_labels=number == 0)
    blue = styles(1)[0].colour
    keys = [
        Key("interval leaves out chance", Style(blue, "o", "")),
        Key("interval holds chance", HOLLOW),
        Key("standard method, all problems", Style("none", "s", "")),
    ]
    add_legend(figure, keys, labels / WIDTH - 0.01, 1 - MARGIN / height)
    return figure


def _draw_curve(axes: Axes, metric: str, curve: Sequence[Found]) -> None:
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
    is_above = curve[0].value < chance  # the least is on the left, and is to be seen
    side, off = ("bottom", 0.012) if is_above else ("top", -0.012)
    axes.text(-0.8, chance + off, "chance", fontsize=SMALL, va=side)
    known = [(x, found.low, found.high) for x, found in enumerate(curve)]
    ends = [((x, low), (x, high)) for x, low, high in known if low is not None and high is not None]
    segments(axes, ends, width=0.8)
    blue = styles(1)[0].colour
    for is_standard in (False, True):
        for is_beyond in (False, True):
            points = [
                (float(x), found.value)
                for x, found in enumerate(curve)
                if found.is_standard is is_standard and found.is_beyond(chance) is is_beyond
            ]
            look = Style(blue if is_beyond else "none", "s" if is_standard else "o", "")
            dots(axes, points, look, size=_STANDARD_SIZE if is_standard else _SIZE)


def _draw_board(
    axes: Axes, board: Sequence[str], curve: Sequence[Found], *, has_labels: bool
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
        for x, found in enumerate(curve)
        for choice in (found.method, found.subset)
    ]
    dots(axes, spots, _SPOT, size=_DOT_SIZE)
