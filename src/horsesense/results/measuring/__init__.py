"""Compute all estimates of a run from its answers. Pure functions."""

from horsesense.metrics.robustness import BEST
from horsesense.results.measuring.answers import Answers, Schemas
from horsesense.results.measuring.estimates import chance_is_bound
from horsesense.results.measuring.measuring import (
    Measurements,
    conclude,
    measuring_steps,
    standard_method,
)
from horsesense.results.measuring.replies import (
    CHAT,
    FaultRule,
    OrderShares,
    Undecided,
    accuracies_by_rule,
    base_name,
    count_undecided,
    order_shares,
    same_models,
    why_undecided,
)

__all__ = [
    "BEST",
    "CHAT",
    "Answers",
    "FaultRule",
    "Measurements",
    "OrderShares",
    "Schemas",
    "Undecided",
    "accuracies_by_rule",
    "base_name",
    "chance_is_bound",
    "conclude",
    "count_undecided",
    "measuring_steps",
    "order_shares",
    "same_models",
    "standard_method",
    "why_undecided",
]
