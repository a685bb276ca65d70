"""Marks: a number as a bar or a dot, with its interval and what it is compared with.

Whatever looks alike in a panel is drawn at once, which keeps files small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from horsesense.reports.figures.drawing import INK, Style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Point: TypeAlias = tuple[float, float]
# Looks of marks that are no series: what a number is compared with, and what chance would give.
HOLLOW, UPRIGHT = Style("none", "o", ""), Style(INK, "|", "")
_SIZES = {"|": 8.0}
_SIZE, _HOLLOW_SIZE = 5.0, 4.2
_CAP = 0.025  # inches


@dataclass(frozen=True, slots=True)
class Cell:
    """A number with its interval; None is undefined.

    `before` is what it is compared with, `expected` what mere chance would give.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    before: float | None = None
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell at its height, in inches from the top."""

    y: float
    cell: Cell


@dataclass(frozen=True, slots=True)
class Key:
    """What a legend explains."""

    label: str
    style: Style
    is_bar: bool = False


def draw_series(
    axes: Axes, placed: Sequence[Placed], style: Style, *, bar: float | None = None
) -> None:
    """The numbers of a series as dots, or as bars of that height, with all that belongs to them."""
    defined = [(one.cell.value, one) for one in placed if one.cell.value is not None]
    if bar is not None:
        axes.barh(
            [one.y for _, one in defined],
            [value for value, _ in defined],
            height=bar,
            facecolor=style.colour,
            edgecolor=INK,
            hatch=style.hatch,
            linewidth=0.6,
            zorder=2,
            clip_on=False,
        )
    olds = [(one.cell.before, value, one.y) for value, one in defined]
    ways = [((old, y), (new, y)) for old, new, y in olds if old is not None]
    if bar is None:
        segments(axes, ways, alpha=0.35, width=2.6)
    dots(axes, [start for start, _ in ways], Style("none", style.marker, ""), size=_HOLLOW_SIZE)
    expected = [(one.cell.expected, one.y) for _, one in defined]
    dots(axes, [(x, y) for x, y in expected if x is not None], UPRIGHT)
    _draw_intervals(axes, [one for _, one in defined], has_caps=bar is not None)
    if bar is None:
        dots(axes, [(value, one.y) for value, one in defined], style)


def dots(axes: Axes, points: Sequence[Point], style: Style, *, size: float | None = None) -> None:
    """Markers of one look."""
    if points:
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            linestyle="none",
            marker=style.marker,
            markersize=size or _SIZES.get(style.marker, _SIZE),
            markerfacecolor=style.colour,
            markeredgecolor=INK,
            markeredgewidth=0.8,
            clip_on=False,
            zorder=4,
        )


def segments(
    axes: Axes, ends: Iterable[tuple[Point, Point]], *, width: float, alpha: float = 1.0
) -> None:
    """Straight lines of one look, as a single path with gaps."""
    nowhere = (float("nan"), float("nan"))
    points = [point for start, end in ends for point in (start, end, nowhere)]
    if points:
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            color=INK,
            alpha=alpha,
            linewidth=width,
            solid_capstyle="butt",
            clip_on=False,
            zorder=0 if alpha < 1 else 3,
        )


def _draw_intervals(axes: Axes, placed: Sequence[Placed], *, has_caps: bool) -> None:
    ends = [(one.cell.low, one.cell.high, one.y) for one in placed]
    known = [(low, high, y) for low, high, y in ends if low is not None and high is not None]
    lines = [((low, y), (high, y)) for low, high, y in known]
    if has_caps:
        lines += [((x, y - _CAP), (x, y + _CAP)) for low, high, y in known for x in (low, high)]
    segments(axes, lines, width=0.9)


def add_legend(figure: Figure, keys: Sequence[Key], left: float, top: float) -> None:
    """Keys in lines of three, above everything else."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Line2D | Patch] = []
    for key in keys:
        style = key.style
        if key.is_bar:
            bar = Patch(facecolor=style.colour, edgecolor=INK, linewidth=0.6, label=key.label)
            bar.set_hatch(style.hatch)
            handles.append(bar)
            continue
        handles.append(
            Line2D(
                [],
                [],
                linestyle="none",
                label=key.label,
                marker=style.marker,
                markersize=_SIZES.get(style.marker, _SIZE),
                markerfacecolor=style.colour,
                markeredgecolor=INK,
                markeredgewidth=0.8,
            )
        )
    figure.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(left, top),
        ncols=3,
        frameon=False,
        borderpad=0,
        borderaxespad=0,
        labelspacing=0.25,
        columnspacing=1.4,
        handletextpad=0.5,
        handlelength=1.4,
        handleheight=0.9,
    )
