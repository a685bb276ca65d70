"""What was answered. Pure; scoring makes outcomes, metrics count them."""

from horsesense.outcome.outcome import DRIFT, Outcome, Verdict, decide
from horsesense.outcome.share import Share
from horsesense.outcome.sheet import EQUAL_LENGTH, SECOND_LAST, Answer, Sheet, cluster_tags

__all__ = [
    "DRIFT",
    "EQUAL_LENGTH",
    "SECOND_LAST",
    "Answer",
    "Outcome",
    "Share",
    "Sheet",
    "Verdict",
    "cluster_tags",
    "decide",
]
