"""Scoring methods, which turn observations into outcomes (thesis 3.1), and sets of answers.

Pure. A method adds up log-probabilities that the model returned once, so a new method takes no
model time.
"""

from horsesense.scoring.frequencies import (
    FrequencyTable,
    count_frequencies,
    read_frequencies,
    write_frequencies,
)
from horsesense.scoring.method import (
    Method,
    Result,
    Score,
    Scores,
    Undefined,
    add_up,
    for_all,
    for_each,
    outcome_of,
    outcomes_of,
    score_problem,
)
from horsesense.scoring.outcome import (
    DRIFT,
    EQUAL_LENGTH,
    SECOND_LAST,
    Answer,
    AnswerSet,
    Outcome,
    Share,
    Verdict,
    cluster_tags,
    decide,
)
from horsesense.scoring.registry import METHODS, find_method, methods_of

__all__ = [
    "DRIFT",
    "EQUAL_LENGTH",
    "METHODS",
    "SECOND_LAST",
    "Answer",
    "FrequencyTable",
    "Method",
    "Outcome",
    "Result",
    "Score",
    "Scores",
    "Share",
    "AnswerSet",
    "Undefined",
    "Verdict",
    "add_up",
    "cluster_tags",
    "count_frequencies",
    "decide",
    "find_method",
    "for_all",
    "for_each",
    "methods_of",
    "outcome_of",
    "outcomes_of",
    "read_frequencies",
    "score_problem",
    "write_frequencies",
]
