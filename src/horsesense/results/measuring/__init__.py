"""Measuring: from answers to every estimate of a run. Pure."""

from horsesense.metrics.robustness import BEST
from horsesense.results.measuring.answers import Schemas
from horsesense.results.measuring.measuring import Measured, measure, standard_method

__all__ = ["BEST", "Measured", "Schemas", "measure", "standard_method"]
