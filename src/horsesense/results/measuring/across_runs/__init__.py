"""Across runs: models of one or several profiles against each other, on what both were asked."""

from horsesense.results.measuring.across_runs.side_by_side import (
    ALPHA,
    FormComparison,
    Loss,
    SchemaFlip,
    SideBySide,
    compare_sides,
    losses,
)
from horsesense.results.measuring.across_runs.sides import Side

__all__ = [
    "ALPHA",
    "FormComparison",
    "Loss",
    "SchemaFlip",
    "Side",
    "SideBySide",
    "compare_sides",
    "losses",
]
