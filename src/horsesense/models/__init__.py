"""Language models and baselines: what they are, how they tokenize, and what they answer.

Everything outside knows a model by its protocol alone. Models are made by providers, which are
imported when a model is loaded; nothing else imports `models.huggingface`, the only home of torch.
"""

from horsesense.models.baselines import BASELINES, BaselineModel, make_baseline
from horsesense.models.family import Family
from horsesense.models.info import ModelInfo
from horsesense.models.loading import (
    DTYPES,
    EMBEDDED,
    PROVIDERS,
    Available,
    LoadOptions,
    ModelProvider,
    available_models,
    cache_folder,
    check_device,
    is_local,
    load_model,
    size_on_disk,
    wrap_model,
)
from horsesense.models.observation import (
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
from horsesense.models.protocol import Answers, Baseline, LanguageModel, Model
from horsesense.models.query import (
    Query,
    QueryKind,
    causal_query,
    key_of,
    multi_mask_query,
    single_mask_query,
    spans_query,
    within_word_query,
)
from horsesense.models.tokens import Part, Straddling, Token, Tokenization, TokenSpans, align

__all__ = [
    "BASELINES",
    "DTYPES",
    "EMBEDDED",
    "PROVIDERS",
    "Answers",
    "Available",
    "Baseline",
    "BaselineModel",
    "CausalObservation",
    "Family",
    "FirstToken",
    "Label",
    "LabelPart",
    "LanguageModel",
    "LoadOptions",
    "LogProbs",
    "MaskedObservation",
    "Model",
    "ModelInfo",
    "ModelProvider",
    "Observation",
    "Part",
    "PreferenceObservation",
    "Query",
    "QueryKind",
    "SpansObservation",
    "Straddling",
    "Token",
    "TokenSpans",
    "Tokenization",
    "align",
    "available_models",
    "cache_folder",
    "causal_query",
    "check_device",
    "is_local",
    "key_of",
    "load_model",
    "make_baseline",
    "multi_mask_query",
    "single_mask_query",
    "size_on_disk",
    "spans_query",
    "within_word_query",
    "wrap_model",
]
