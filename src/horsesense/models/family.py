"""The families of models, which observations, scoring methods and models have in common."""

from __future__ import annotations

from enum import StrEnum


class Family(StrEnum):
    """The kinds of models, by what they can be asked."""

    CAUSAL = "causal"
    MASKED = "masked"
    SEQ2SEQ = "seq2seq"
    BASELINE = "baseline"
