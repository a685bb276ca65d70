"""Measures of datasets that need no language model: their kinds, tokens and blanks."""

from horsesense.schema.measures.measures import (
    EqualLength,
    Measures,
    measure,
)
from horsesense.schema.measures.tokenization import (
    equal_length_share,
    has_equal_length,
    is_second_last,
    second_last_share,
)
from horsesense.schema.measures.tokenizer import Offsets, Tokenizer, load_tokenizer

__all__ = [
    "EqualLength",
    "Measures",
    "Offsets",
    "Tokenizer",
    "equal_length_share",
    "has_equal_length",
    "is_second_last",
    "load_tokenizer",
    "measure",
    "second_last_share",
]
