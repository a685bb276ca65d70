"""The library's front door: evaluate a model on data, and look at what was found.

Whatever the command line does by names can be done here with objects as well: a model in memory,
anything that answers like one, schemas in a list.
"""

from horsesense.evaluation.evaluated import Evaluated
from horsesense.evaluation.evaluating import evaluate

__all__ = ["Evaluated", "evaluate"]
