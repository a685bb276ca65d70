"""What a model said about a sentence, token by token, and which tokens belong to which part.

Pure. Models give log-probabilities in answer to queries; scoring methods add them up.
"""

from horsesense.models.observation.family import Family
from horsesense.models.observation.observation import (
    CausalObservation,
    FirstToken,
    Label,
    LabelPart,
    LogProbs,
    MaskedObservation,
    Observation,
    PreferenceObservation,
    SpansObservation,
)
from horsesense.models.observation.query import (
    Asking,
    Query,
    causal_query,
    key_of,
    multi_mask_query,
    single_mask_query,
    spans_query,
    within_word_query,
)
from horsesense.models.observation.reading import Part, Placed, Reading, Straddling, Token, place

__all__ = [
    "Asking",
    "CausalObservation",
    "Family",
    "FirstToken",
    "Label",
    "LabelPart",
    "LogProbs",
    "MaskedObservation",
    "Observation",
    "Part",
    "Placed",
    "PreferenceObservation",
    "Query",
    "Reading",
    "SpansObservation",
    "Straddling",
    "Token",
    "causal_query",
    "key_of",
    "multi_mask_query",
    "place",
    "single_mask_query",
    "spans_query",
    "within_word_query",
]
