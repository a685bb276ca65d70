"""Across runs: models of one or several runs against each other, on what both were asked."""

from horsesense.results.measuring.across_runs.side_by_side import (
    ALPHA,
    Loss,
    SchemaFlip,
    SideBySide,
    VariantComparison,
    compare_sides,
    losses,
)
from horsesense.results.measuring.across_runs.sides import Side

__all__ = [
    "ALPHA",
    "Loss",
    "SchemaFlip",
    "Side",
    "SideBySide",
    "VariantComparison",
    "compare_sides",
    "losses",
]
