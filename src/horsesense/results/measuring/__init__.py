"""Measuring: from answer sheets to every number of a performance profile. Pure."""

from horsesense.metrics.robustness import BEST
from horsesense.results.measuring.answers import Schemas
from horsesense.results.measuring.measuring import Measured, measure
from horsesense.results.measuring.standard import standard_method

__all__ = ["BEST", "Measured", "Schemas", "measure", "standard_method"]
