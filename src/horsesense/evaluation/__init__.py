"""Evaluate models: plan a run, query the models, measure what they answered.

Whatever the command line does by names can be done here with objects as well: a model in memory,
any object that answers like one, schemas in a list.
"""

from horsesense.evaluation.evaluating import evaluate

__all__ = ["evaluate"]
