"""Columns that many tables have, and the cells below them."""

from __future__ import annotations

from horsesense.reports import cells
from horsesense.reports.table import Align, Column
from horsesense.results import Estimate

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


def tested(one: Estimate | None) -> tuple[str, ...]:
    """The cells of a difference: itself, and those below `TESTED`."""
    return (
        cells.difference(one),
        cells.interval(one),
        cells.p(one),
        cells.adjusted_p(one),
        cells.thesis_p(one),
    )
