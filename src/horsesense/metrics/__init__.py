"""Measures of datasets and outcomes; shares in [0, 1]."""

from horsesense.metrics.accuracy import (
    Ties,
    problem_accuracy,
    schema_accuracy,
    undecided_share,
)
from horsesense.metrics.measures import EqualLength, LeftOut, Measures, grid_to_solve, measure
from horsesense.metrics.share import Share
from horsesense.metrics.tokenization import (
    equal_length_share,
    has_equal_length,
    is_second_last,
    second_last_share,
)
from horsesense.metrics.tokenizer import Offsets, Tokenizer, load_tokenizer

__all__ = [
    "EqualLength",
    "LeftOut",
    "Measures",
    "Offsets",
    "Share",
    "Ties",
    "Tokenizer",
    "equal_length_share",
    "grid_to_solve",
    "has_equal_length",
    "is_second_last",
    "load_tokenizer",
    "measure",
    "problem_accuracy",
    "schema_accuracy",
    "second_last_share",
    "undecided_share",
]
