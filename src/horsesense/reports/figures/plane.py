"""Problem accuracy plotted against schema accuracy, with the region that is possible.

Of a schema's two problems, both, one or none are solved, so A ≤ a and A ≥ 2a − 1. Where
problems are solved independently of each other, A = a².
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from horsesense.reports.figures.accuracy import model_label, on_chance, shown_models
from horsesense.reports.figures.drawing import (
    INK,
    LINE,
    MARGIN,
    SMALL,
    DrawnFigure,
    Key,
    Point,
    Style,
    add_legend,
    dots,
    empty_figure,
    slug,
    styles,
    tick_text,
)
from horsesense.reports.wording import PROBLEM_ACCURACY, SCHEMA_ACCURACY, share, standard
from horsesense.results import ALL, EstimateKind, ModelSubject, ResultKey, Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIDE, _LEFT, _BELOW = 3.9, 0.5, 0.42
_WIDTH = _LEFT + _SIDE + 0.12
_MOST = 700  # points, which keep a file small and a figure legible
_TICKS = (0, 0.25, 0.5, 0.75, 1)
_STEPS = 50
_SMALL_DOT, _LARGE_DOT = 3.2, 8.0
_KEYS_PER_LINE = 3


@dataclass(frozen=True, slots=True)
class Cloud:
    """A model's accuracies on every variant with every method, and its standard point."""

    label: str
    points: tuple[Point, ...]
    standard: Point | None


def plane_figures(results: Results) -> Iterator[DrawnFigure]:
    """A figure for each dataset."""
    for dataset in results.datasets:
        everywhere = [cloud(results, model, dataset.name) for model in shown_models(results)]
        is_whole = sum(len(cloud.points) for cloud in everywhere) <= _MOST
        clouds = (
            everywhere
            if is_whole
            else [
                cloud(results, model, dataset.name, is_standard=True)
                for model in shown_models(results)
            ]
        )
        if not any(cloud.points for cloud in clouds):
            continue
        methods = "every scoring method" if is_whole else "the standard method"
        spoken = "; ".join(
            f"{cloud.label}: a {share(cloud.standard[0])}, A {share(cloud.standard[1])}"
            for cloud in clouds
            if cloud.standard
        )
        yield DrawnFigure(
            name=slug("plane", dataset.name),
            family="Problem and schema accuracy",
            facet=dataset.name,
            symbols=("a", "A"),
            title=f"Problem and schema accuracy on {dataset.name}",
            caption=f"Small marks: every variant of the dataset with {methods}. Large marks: the "
            "original with the standard method. Only the shaded region is possible. On the curve, "
            "problems of a schema are solved independently; below it, a model that solves one of "
            "them tends to fail the other, as does a model that does not see the difference."
            f"{on_chance(results)}",
            alt=f"A cloud of dots within a triangle. {spoken}",
            draw=partial(_draw, clouds),
        )


def cloud(
    results: Results, model: ModelSubject, dataset: str, *, is_standard: bool = False
) -> Cloud:
    """All accuracies of a model on a dataset, or those by its standard method."""
    chosen = standard(model, dataset)
    points = {
        of: point
        for of in dict.fromkeys(
            estimate.key for estimate in results.estimates if estimate.kind is EstimateKind.VALUE
        )
        if (of.model, of.dataset, of.subset) == (model.name, dataset, ALL)
        if of.method in ((chosen.method,) if is_standard else model.methods)
        if (point := _point(results, of)) is not None
    }
    return Cloud(model_label(model), tuple(points.values()), points.get(chosen))


def _point(results: Results, of: ResultKey) -> Point | None:
    a, schemas = results.value(of, PROBLEM_ACCURACY), results.value(of, SCHEMA_ACCURACY)
    if a is None or schemas is None or a.value is None or schemas.value is None:
        return None
    return a.value, schemas.value


def _draw(clouds: Sequence[Cloud]) -> Figure:
    keys = -(-len(clouds) // _KEYS_PER_LINE) * LINE if len(clouds) > 1 else 0
    height = MARGIN + keys + 0.1 + _SIDE + _BELOW
    figure = empty_figure(height, _WIDTH)
    place = (_LEFT / _WIDTH, _BELOW / height, _SIDE / _WIDTH, _SIDE / height)
    axes = figure.add_axes(place)
    _prepare(axes)
    looks = styles(len(clouds))
    for cloud, style in zip(clouds, looks, strict=True):
        dots(axes, cloud.points, style, size=_SMALL_DOT)
    for cloud, style in zip(clouds, looks, strict=True):
        if cloud.standard:
            dots(axes, [cloud.standard], style, size=_LARGE_DOT)
    if keys:
        named = [Key(cloud.label, style) for cloud, style in zip(clouds, looks, strict=True)]
        add_legend(figure, named, MARGIN / _WIDTH, 1 - MARGIN / height)
    return figure


def _prepare(axes: Axes) -> None:
    axes.patch.set_visible(False)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    texts = [tick_text(tick) for tick in _TICKS]
    axes.set_xticks(_TICKS, texts)
    axes.set_yticks(_TICKS, texts)
    axes.set_xlabel("Problem accuracy a", labelpad=2)
    axes.set_ylabel("Schema accuracy A", labelpad=2)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.fill([0, 0.5, 1], [0, 0, 1], color=INK, alpha=0.07, linewidth=0)
    steps = [step / _STEPS for step in range(_STEPS + 1)]
    axes.plot(steps, [a * a for a in steps], color=INK, linewidth=0.8, linestyle=(0, (4, 2)))
    dots(axes, [(0.5, 0.25)], Style(INK, "+", ""), size=9)
    _note(axes, "both or none: A = a", (0.3, 0.31), 45)
    _note(axes, "independent: A = a²", (0.665, 0.475), 54)
    _note(axes, "at least one: A = 2a − 1", (0.77, 0.5), 63.4, is_below=True)
    axes.text(0.485, 0.26, "chance", fontsize=SMALL, ha="right", va="bottom")
    axes.text(0.54, 0.015, "one of two, always: a = .5, A = 0", fontsize=SMALL, va="bottom")


def _note(axes: Axes, text: str, at: Point, angle: float, *, is_below: bool = False) -> None:
    """A few words along a line."""
    axes.text(
        *at,
        text,
        fontsize=SMALL,
        rotation=angle,
        rotation_mode="anchor",
        ha="center",
        va="top" if is_below else "bottom",
    )
