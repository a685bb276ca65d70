"""Tables of a report, which every writer writes in its own way, and columns that many have."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Align(StrEnum):
    """On which side a column is flush."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Column:
    """A column under its heading.

    A heading that `is_symbol` is one, such as C*, or begins with one before a comma, such as
    «a, Any Length». A column that `holds_symbols` has them for cells.
    """

    heading: str
    align: Align = Align.RIGHT
    is_symbol: bool = False
    holds_symbols: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that belong together, under a heading of their own if they have one."""

    rows: tuple[tuple[str, ...], ...]
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """A table: `name` tells it from others of the report, `thesis` is the table it is laid out as.

    Cells are text: `.605`, `+.019`, `−.117`, `< .001`, `–` for what is undefined. A cell of a left
    column that repeats the one above is empty. `notes` stand below: what is measured on what, by
    which method, what the intervals and tests are, and over which family p is adjusted. A table
    that `is_main` is shown where there is no room for all.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
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

    @property
    def heading(self) -> str:
        """The title, and the table of the thesis that it is laid out as."""
        return f"{self.title} (as Table {self.thesis})" if self.thesis else self.title


MODEL = Column("Model", Align.LEFT)
PERTURBATION = Column("Perturbation", Align.LEFT)
METRIC = Column("Metric", Align.LEFT, holds_symbols=True)
ANSWER_LENGTH = Column("Answer Length", Align.LEFT)
SUBSET = Column("Subset", Align.LEFT)
INTERVAL = Column("95 %")
P = Column("p", is_symbol=True)
ADJUSTED_P = Column("p, Adjusted", is_symbol=True)
THESIS_P = Column("p, Thesis", is_symbol=True)
# Below them stands what `tested` makes of a difference.
TESTED = (INTERVAL, P, ADJUSTED_P, THESIS_P)


def left(heading: str) -> Column:
    """A column of texts."""
    return Column(heading, Align.LEFT)


def symbol(heading: str) -> Column:
    """A column under a symbol."""
    return Column(heading, is_symbol=True)
