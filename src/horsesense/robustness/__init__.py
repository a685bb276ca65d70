"""Robustness: whether a ranking of models survives another method, subset, tie rule or metric."""

from horsesense.robustness.curves import ModelCurve, PairCurve, Spread
from horsesense.robustness.estimates import Difference, Estimate
from horsesense.robustness.ranking import Ranking, kendall_tau, ranking, ranking_tau
from horsesense.robustness.robustness import LeftOut, Result, Robustness, robustness
from horsesense.robustness.shared_problems import ALL, share_problems
from horsesense.robustness.specification import (
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
    "kendall_tau",
    "own_methods",
    "ranking",
    "ranking_tau",
    "robustness",
    "same_method",
    "share_problems",
]
