"""Measures of datasets and outcomes; shares in [0, 1]."""

from horsesense.metrics.measures import EqualLength, LeftOut, Measures, measure
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
    "Tokenizer",
    "equal_length_share",
    "has_equal_length",
    "is_second_last",
    "load_tokenizer",
    "measure",
    "second_last_share",
]
