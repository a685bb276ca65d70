"""From observations to outcomes: the scoring methods, as arithmetic (thesis 3.1).

Pure. A method adds up log-probabilities that a model has given once; a new one costs no model
time.
"""

from horsesense.scoring.frequencies import (
    FrequencyTable,
    count_frequencies,
    read_frequencies,
    write_frequencies,
)
from horsesense.scoring.method import Method
from horsesense.scoring.problem import outcome_of, outcomes_of, score_problem
from horsesense.scoring.registry import METHODS, find_method, methods_of
from horsesense.scoring.score import Result, Score, Scores, Undefined

__all__ = [
    "METHODS",
    "FrequencyTable",
    "Method",
    "Result",
    "Score",
    "Scores",
    "Undefined",
    "count_frequencies",
    "find_method",
    "methods_of",
    "outcome_of",
    "outcomes_of",
    "read_frequencies",
    "score_problem",
    "write_frequencies",
]
