"""Measuring: from answer sheets to every number of a performance profile. Pure."""

from horsesense.measuring.answers import Schemas
from horsesense.measuring.measuring import Measured, measure
from horsesense.measuring.standard import standard_method
from horsesense.robustness import BEST

__all__ = ["BEST", "Measured", "Schemas", "measure", "standard_method"]
