"""What the tests of the engines have in common: small networks, and what they declare."""

from __future__ import annotations

import random
import warnings
from collections.abc import Sequence
from typing import Any

import pytest

from horsesense.models import Family, ModelInfo, Query
from horsesense.models.huggingface.engines.packed_weights import has_onednn
from horsesense.models.huggingface.inspection import context_of, first_position
from tests.models.tiny import ALL, SEED, Tiny

needs_onednn = pytest.mark.skipif(not has_onednn(), reason="this torch has no oneDNN")
DRIFT = 1e-4  # between two ways of computing the same number
MASK = 4


def make_network(tiny: Tiny | str, **sizes: Any) -> Any:
    """A seeded network, ready to be asked."""
    import torch
    import transformers

    tiny = ALL[tiny] if isinstance(tiny, str) else tiny
    torch.manual_seed(SEED)
    config = getattr(transformers, tiny.config)(**tiny.sizes | sizes)
    with warnings.catch_warnings():
        # Some architectures are written with parts of torch that are on their way out.
        warnings.simplefilter("ignore", DeprecationWarning)
        network_class = getattr(transformers, tiny.network)
    return network_class(config).eval()


def declare(network: Any, family: Family, **more: Any) -> ModelInfo:
    """What a network declares, with made-up special tokens."""
    declared: dict[str, Any] = {"before": (2,), "after": (3,), "mask": MASK, "pad": 1} | more
    return ModelInfo(
        name="tiny", family=family, architecture=network.config.model_type, weights="",
        tokenizer="", revision="", dtype="float32", device="cpu", parameters=0,
        vocabulary=network.config.vocab_size, context=context_of(network.config),
        first_position=first_position(network.config), **declared,
    )  # fmt: skip


def made_up(length: int, seed: int = 0) -> tuple[int, ...]:
    """A sentence of that many tokens between its special ones."""
    return (2, *random.Random(1000 * length + seed).choices(range(10, 20_000), k=length), 3)


def answers_of(engine: Any, queries: Sequence[Query]) -> dict[Query, tuple[float, ...]]:
    """All that an engine answers."""
    return {query: values for batch in engine.answer(queries) for query, values in batch}


def assert_answers_like_single(engine: Any, queries: Sequence[Query]) -> None:
    """All at once and one by one give the same numbers."""
    found = answers_of(engine, queries)
    assert found.keys() == set(queries)
    for query in queries:
        assert found[query] == pytest.approx(engine.answer_singly(query), abs=DRIFT)
