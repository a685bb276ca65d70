"""What was answered. Pure; scoring makes outcomes, metrics count them."""

from horsesense.schema.share import Share
from horsesense.scoring.outcome.outcome import DRIFT, Outcome, Verdict, decide
from horsesense.scoring.outcome.sheet import EQUAL_LENGTH, SECOND_LAST, Answer, Sheet, cluster_tags

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
