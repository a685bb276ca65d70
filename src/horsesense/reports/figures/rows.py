"""Charts of rows: labels on the left, and beside them a panel for each metric.

Most figures are such charts, with bars or with dots. Each number stands beside what is drawn of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from horsesense.reports.figures.drawing import (
    FAINT,
    HOLLOW,
    INK,
    LINE,
    MARGIN,
    SMALL,
    UPRIGHT,
    WIDTH,
    ChartValue,
    Key,
    add_legend,
    draw_series,
    empty_figure,
    segments,
    styles,
    tick_text,
    wrapped,
)
from horsesense.reports.wording import share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Inches, but for the characters of a line.
_LABEL_CHARACTERS, _TITLE_CHARACTERS = 24, 22
_CHARACTER = 0.07
_NUMBERS = 0.42
_BETWEEN = 0.14
_BELOW = 0.3
_TITLE, _LINE_LABEL = 0.2, 0.13
_SERIES = 0.145
_ROW_GAP = 0.09
_HEADING = 0.22
_KEYS_PER_LINE = 3


# For each panel and each series a number, or None where nothing was measured.
ChartValues: TypeAlias = tuple[tuple[ChartValue | None, ...], ...]


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A line of a chart; the first one of a group has its heading."""

    label: str
    cells: ChartValues
    heading: str = ""
    is_bold: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """A metric with its scale, and a line to see it against, such as chance."""

    title: str
    line: float | None = None
    line_label: str = ""
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[float, ...] = (0, 0.25, 0.5, 0.75, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Data to draw: bars or dots, of one or several series."""

    panels: tuple[Panel, ...]
    series: tuple[str, ...]
    rows: tuple[ChartRow, ...]
    is_bars: bool = False
    before: str = ""
    expected: str = ""
    text: Callable[[float | None], str] = share


def draw_rows(chart: Chart) -> Figure:
    """The chart, as high as its rows make it."""
    tops = _tops(chart)
    labels = _labels(chart)
    above = _above(chart)
    keys = _keys(chart)
    key_lines = -(-len(keys) // _KEYS_PER_LINE)
    height = MARGIN + key_lines * LINE + above + tops[-1] + _BELOW
    figure = empty_figure(height)
    width = (WIDTH - labels - MARGIN - _BETWEEN * (len(chart.panels) - 1)) / len(chart.panels)
    for number, panel in enumerate(chart.panels):
        left = labels + number * (width + _BETWEEN)
        axes = figure.add_axes(
            (left / WIDTH, _BELOW / height, (width - _NUMBERS) / WIDTH, tops[-1] / height)
        )
        _prepare(axes, panel, tops[-1])
        _fill(axes, chart, number, tops)
        if number == 0:
            _write_labels(axes, chart, tops, labels - MARGIN)
    if keys:
        add_legend(figure, keys, labels / WIDTH, 1 - MARGIN / height)
    return figure


def _tops(chart: Chart) -> list[float]:
    """The top of each row in inches, and the end of the last one."""
    tops = [0.05]
    for row in chart.rows:
        lines = _label(row).count("\n") + 1
        inner = max(len(_measured(row)) * _SERIES, lines * LINE)
        tops.append(tops[-1] + inner + _ROW_GAP + (_HEADING if row.heading else 0))
    return tops


def _measured(row: ChartRow) -> list[int]:
    """The series that the row has anything of; the others take no room."""
    return [
        at for at, cells in enumerate(zip(*row.cells, strict=True)) if any(cell for cell in cells)
    ]


def _label(row: ChartRow) -> str:
    return wrapped(row.label, _LABEL_CHARACTERS)


def _labels(chart: Chart) -> float:
    """The width of the column of labels."""
    longest = max(len(line) for row in chart.rows for line in _label(row).split("\n"))
    return max(longest * _CHARACTER, 0.5) + MARGIN + 0.1


def _above(chart: Chart) -> float:
    """The height of the panel titles, and of the labels of their lines."""
    lines = max(wrapped(panel.title, _TITLE_CHARACTERS).count("\n") for panel in chart.panels)
    has_line = any(panel.line_label for panel in chart.panels)
    return _TITLE + lines * LINE + has_line * _LINE_LABEL + 0.04


def _prepare(axes: Axes, panel: Panel, bottom: float) -> None:
    axes.patch.set_visible(False)
    axes.set_xlim(panel.low, panel.high)
    axes.set_ylim(bottom, 0)
    axes.set_yticks([])
    axes.set_xticks(panel.ticks, [tick_text(tick) for tick in panel.ticks])
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    segments(axes, [((x, 0.0), (x, bottom)) for x in panel.ticks], alpha=FAINT, width=0.4)
    axes.text(
        panel.low,
        -0.04 - (_LINE_LABEL if panel.line_label else 0),
        wrapped(panel.title, _TITLE_CHARACTERS),
        fontweight="bold",
        va="bottom",
        linespacing=1.1,
    )
    if panel.line is not None:
        axes.axvline(
            panel.line, color=INK, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1, clip_on=False
        )
        axes.text(panel.line, -0.03, panel.line_label, fontsize=SMALL, ha="center", va="bottom")


def _write_labels(axes: Axes, chart: Chart, tops: Sequence[float], room: float) -> None:
    """Labels flush right beside the first panel, headings flush left above their rows."""
    place = axes.get_yaxis_transform()
    inch = 1 / (axes.get_position().width * WIDTH)
    for row, top, bottom in zip(chart.rows, tops, tops[1:], strict=False):
        if row.heading:
            axes.text(
                -room * inch,
                top + _HEADING / 2,
                row.heading,
                transform=place,
                fontweight="bold",
                va="center",
            )
        axes.text(
            -0.08 * inch,
            (_start(row, top) + bottom - _ROW_GAP) / 2,
            _label(row),
            transform=place,
            ha="right",
            va="center",
            linespacing=1.1,
            fontweight="bold" if row.is_bold else "normal",
        )


def _start(row: ChartRow, top: float) -> float:
    return top + (_HEADING if row.heading else 0)


def _fill(axes: Axes, chart: Chart, number: int, tops: Sequence[float]) -> None:
    """Everything that is in a panel, series by series, and the numbers beside it."""
    looks = styles(len(chart.series))
    numbers = 1 + (_NUMBERS - 0.02) / (axes.get_position().width * WIDTH)
    for at, style in enumerate(looks):
        placed: list[tuple[float, ChartValue]] = []
        for row, top, bottom in zip(chart.rows, tops, tops[1:], strict=False):
            cell = row.cells[number][at]
            if cell is None:
                continue
            start, end = _start(row, top), bottom - _ROW_GAP
            measured = _measured(row)
            y = start + (measured.index(at) + 0.5) * (end - start) / len(measured)
            placed.append((y, cell))
            axes.text(
                numbers,
                y,
                chart.text(cell.value),
                transform=axes.get_yaxis_transform(),
                fontsize=SMALL,
                ha="right",
                va="center_baseline",
            )
        draw_series(axes, placed, style, bar=_SERIES * 0.86 if chart.is_bars else None)


def _keys(chart: Chart) -> list[Key]:
    """The entries of the legend; a single series needs none."""
    looks = styles(len(chart.series))
    keys = []
    if len(looks) > 1:
        keys = [
            Key(label, style, is_bar=chart.is_bars)
            for label, style in zip(chart.series, looks, strict=True)
        ]
    if chart.before:
        keys.append(Key(chart.before, HOLLOW))
    if chart.expected:
        keys.append(Key(chart.expected, UPRIGHT))
    return keys
