"""Measuring: from answers to every estimate of a run. Pure."""

from horsesense.metrics.robustness import BEST
from horsesense.results.measuring.answers import Answers, Schemas
from horsesense.results.measuring.measuring import (
    Measured,
    conclude,
    measuring_steps,
    standard_method,
)

__all__ = [
    "BEST",
    "Answers",
    "Measured",
    "Schemas",
    "conclude",
    "measuring_steps",
    "standard_method",
]
