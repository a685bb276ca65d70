"""Tables of a report, independent of the output format, and columns that many of them share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Align(StrEnum):
    """The alignment of a column."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column under its heading.

    A heading that `is_symbol` is one, such as C*, or begins with one before a comma, such as
    «a, Any Length». A column that `holds_symbols` has them for cells.
    """

    heading: str
    align: Align = Align.RIGHT
    is_symbol: bool = False
    holds_symbols: bool = False


@dataclass(frozen=True, slots=True)
class RowGroup:
    """Rows that belong together, under a heading of their own if they have one."""

    rows: tuple[tuple[str, ...], ...]
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """A table: `name` tells it from others of the report, `thesis` is the number of the table of
    Maler (2023) whose layout it follows, which no caption shows.

    Cells are text: `.605`, `+.019`, `−.117`, `< .001`, `–` for what is undefined. A cell of a left
    column that repeats the one above is empty. `notes` stand below: what is measured on what, by
    which method, what the intervals and tests are, and over which family p is adjusted. A table
    that `is_main` is shown where there is no room for all.
    """

    name: str
    title: str
    columns: tuple[TableColumn, ...]
    groups: tuple[RowGroup, ...]
    notes: tuple[str, ...] = ()
    thesis: str = ""
    is_main: bool = False

    def __post_init__(self) -> None:
        """Check that every row has a text for each column."""
        for group in self.groups:
            for row in group.rows:
                if len(row) != len(self.columns) or not all(isinstance(cell, str) for cell in row):
                    expected = f"{len(self.columns)} texts, one for each column"
                    raise ValueError(f"the table {self.name!r} needs rows of {expected}: {row}")


MODEL = TableColumn("Model", Align.LEFT)
PERTURBATION = TableColumn("Perturbation", Align.LEFT)
METRIC = TableColumn("Metric", Align.LEFT, holds_symbols=True)
ANSWER_LENGTH = TableColumn("Answer Length", Align.LEFT)
SUBSET = TableColumn("Subset", Align.LEFT)
INTERVAL = TableColumn("95 %")
P = TableColumn("p", is_symbol=True)
ADJUSTED_P = TableColumn("p, Adjusted", is_symbol=True)
THESIS_P = TableColumn("p, Unpaired", is_symbol=True)
# The columns of the cells that `tested` returns.
TESTED = (INTERVAL, P, ADJUSTED_P, THESIS_P)


def left(heading: str) -> TableColumn:
    """A column of texts."""
    return TableColumn(heading, Align.LEFT)


def beside_intervals(columns: Iterable[TableColumn]) -> tuple[TableColumn, ...]:
    """Put a column of intervals after each column."""
    return tuple(column for first in columns for column in (first, INTERVAL))


def symbol(heading: str) -> TableColumn:
    """A column under a symbol."""
    return TableColumn(heading, is_symbol=True)
