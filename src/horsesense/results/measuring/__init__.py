"""Compute all estimates of a run from its answers. Pure functions."""

from horsesense.metrics.robustness import BEST
from horsesense.results.measuring.answers import Answers, Schemas
from horsesense.results.measuring.measuring import (
    Measurements,
    conclude,
    measuring_steps,
    standard_method,
)

__all__ = [
    "BEST",
    "Answers",
    "Measurements",
    "Schemas",
    "conclude",
    "measuring_steps",
    "standard_method",
]
