"""Robustness: whether a ranking of models survives another method, subset, tie rule or metric."""

from horsesense.metrics.robustness.curves import ModelCurve, PairCurve, Spread
from horsesense.metrics.robustness.defaults import default_choices
from horsesense.metrics.robustness.estimates import Difference, Estimate
from horsesense.metrics.robustness.ranking import Ranking, kendall_tau, ranking, ranking_tau
from horsesense.metrics.robustness.robustness import LeftOut, Result, Robustness, robustness
from horsesense.metrics.robustness.shared_problems import ALL, share_problems
from horsesense.metrics.robustness.specification import (
    BEST,
    Choices,
    Setup,
    Sheets,
    Specification,
    all_methods,
    best_methods,
    own_methods,
    same_method,
)

__all__ = [
    "ALL",
    "BEST",
    "Choices",
    "Difference",
    "Estimate",
    "LeftOut",
    "ModelCurve",
    "PairCurve",
    "Ranking",
    "Result",
    "Robustness",
    "Setup",
    "Sheets",
    "Specification",
    "Spread",
    "all_methods",
    "best_methods",
    "default_choices",
    "kendall_tau",
    "own_methods",
    "ranking",
    "ranking_tau",
    "robustness",
    "same_method",
    "share_problems",
]
