"""Report sections as another package would bring them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from horsesense.reports import Align, DrawnFigure, ReportTable, RowGroup, TableColumn, section
from horsesense.results import Results


def table(*rows: tuple[Any, ...]) -> ReportTable:
    """A table of two columns, under a name that the report has already."""
    columns = TableColumn("Phase", Align.LEFT), TableColumn("Days")
    return ReportTable(name="models", title="Phases", columns=columns, groups=(RowGroup(rows),))


def empty_figure() -> Any:
    """A figure with nothing in it."""
    from matplotlib.figure import Figure

    return Figure()


def no_figure() -> Any:
    """Fail, as drawing may."""
    raise ValueError("the moon is behind clouds")


@section("moon", title="Phases of the moon", position=15)
def moon(results: Results) -> Iterator[str | ReportTable | DrawnFigure]:
    """A paragraph, a table and two figures, of which one cannot be drawn."""
    yield f"{len(results.models)} models were run at night."
    yield table(("full", "1"))
    yield DrawnFigure("moon", "The moon", "It is round.", "A circle", empty_figure)
    yield DrawnFigure("clouds", "Clouds", "They are not.", "Nothing", no_figure)


@section("eclipse", title="Eclipses")
def eclipse(results: Results) -> Iterator[str]:
    """Fail, as other code may."""
    yield "Before it goes dark."
    raise ValueError("no light")


@section("number", title="A number")
def number(results: Results) -> Iterator[Any]:
    """Yield what no report can show."""
    yield 42


@section("ragged", title="A row too short")
def ragged(results: Results) -> Iterator[ReportTable]:
    """Yield a table whose row does not fit its columns."""
    yield table(("full",))


@section("skipped", title="A name that is taken")
def second(results: Results) -> Iterator[str]:
    """Yield a paragraph under the name of a section that there is already."""
    yield "never shown"
