"""From observations to outcomes: the scoring methods, as arithmetic (thesis 3.1), and the answers.

Pure. A method adds up log-probabilities that a model has given once; a new one costs no model
time.
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
    "cluster_tags",
    "count_frequencies",
    "decide",
    "find_method",
    "methods_of",
    "outcome_of",
    "outcomes_of",
    "read_frequencies",
    "score_problem",
    "write_frequencies",
]
