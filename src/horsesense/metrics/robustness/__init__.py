"""Robustness: whether a ranking of models survives another method, subset, tie rule or metric."""

from horsesense.metrics.robustness.curves import (
    Difference,
    Estimate,
    ModelCurve,
    PairCurve,
    Spread,
)
from horsesense.metrics.robustness.robustness import (
    LeftOut,
    Ranking,
    Result,
    Robustness,
    kendall_tau,
    ranking,
    ranking_tau,
    robustness,
)
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
from horsesense.metrics.sheets import ALL, share_problems

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
