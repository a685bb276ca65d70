from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch

from horsesense.errors import ModelError
from horsesense.models import Family, Query, causal_query, spans_query
from horsesense.models.huggingface.engines.seq2seq import Seq2SeqEngine
from tests.models.huggingface.engines.engine_of import (
    answers_of,
    assert_answers_like_single,
    declare,
    made_up,
    make_network,
)
from tests.models.tiny import SEQ2SEQ, Tiny

_T5_SIZES = SEQ2SEQ["t5"].sizes | {"vocab_size": 20_000}
_BART_SIZES = {
    "vocab_size": 20_000, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2,
    "encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64, "max_position_embeddings": 128, "init_std": 0.3,
}  # fmt: skip
_NETWORKS = SEQ2SEQ | {
    "mt5": Tiny("MT5Config", "MT5ForConditionalGeneration", "t5", _T5_SIZES),
    "umt5": Tiny("UMT5Config", "UMT5ForConditionalGeneration", "t5", _T5_SIZES),
    "bart": Tiny("BartConfig", "BartForConditionalGeneration", "roberta", _BART_SIZES),
}


def _engine(tiny: Tiny | str, **options: Any) -> Seq2SeqEngine:
    network = make_network(tiny)
    return Seq2SeqEngine(network, _declare(network), **options)


def _declare(network: Any) -> Any:
    return declare(network, Family.SEQ2SEQ, mask=None, before=(), pad=network.config.pad_token_id)


def _queries() -> list[Query]:
    """Sources of several lengths, each with labels of several lengths."""
    return [
        spans_query(made_up(length), made_up(label, seed))
        for length in (4, 9, 9, 25, 25, 40)
        for seed, label in enumerate((1, 2, 2, 5))
    ]


@contextmanager
def _encoding(network: Any) -> Iterator[list[int]]:
    """How many sources the encoder gets to read, call by call."""
    sources: list[int] = []
    hook = network.get_encoder().register_forward_pre_hook(
        lambda _module, _args, inputs: sources.append(len(inputs["input_ids"])), with_kwargs=True
    )
    yield sources
    hook.remove()


@pytest.mark.parametrize("name", _NETWORKS)
def test_labels_that_share_a_source_get_the_numbers_of_single_ones(name: str) -> None:
    engine = _engine(_NETWORKS[name])
    assert (engine.batching, engine.fallback_reason) == ("packed", "")
    assert_answers_like_single(engine, _queries())


def test_a_bias_of_the_logits_is_not_forgotten() -> None:
    network = make_network(_NETWORKS["bart"])
    network.final_logits_bias.normal_(generator=torch.Generator().manual_seed(1))
    engine = Seq2SeqEngine(network, _declare(network))
    assert engine.batching == "packed"
    assert_answers_like_single(engine, _queries())


def test_a_source_is_encoded_once_for_all_of_its_labels() -> None:
    engine = _engine("t5")
    labels = [made_up(length) for length in (1, 2, 3)]
    with _encoding(engine.network) as sources:
        answers_of(
            engine, [spans_query(made_up(9, seed), label) for seed in (1, 2) for label in labels]
        )
    assert sum(sources) == 2


def test_a_head_of_an_unknown_name_is_found_through_the_whole_model() -> None:
    network = make_network("t5-gated")
    network.forward = _with_strange_head(network)
    engine = Seq2SeqEngine(network, _declare(network))
    assert (engine.batching, engine.fallback_reason) == (
        "plain",
        "its head is of an unknown kind",
    )
    assert_answers_like_single(engine, _queries())


def _with_strange_head(network: Any) -> Any:
    head, forward = network.lm_head, type(network).forward
    network.lm_head = None

    def strange(**inputs: Any) -> Any:
        network.lm_head = head
        try:
            return forward(network, **inputs)
        finally:
            network.lm_head = None

    return strange


def test_an_architecture_that_is_wrong_with_shared_sources_says_by_how_much() -> None:
    network = make_network("t5")
    network.get_decoder = lambda: _Shifting(network.decoder)
    engine = Seq2SeqEngine(network, _declare(network))
    assert "differ from single ones (by " in engine.fallback_reason
    assert_answers_like_single(engine, _queries())


class _Shifting:
    """A decoder that is not what the model makes of it."""

    def __init__(self, decoder: Any) -> None:
        self.decoder = decoder

    def __call__(self, **inputs: Any) -> Any:
        return (self.decoder(**inputs)[0] + 1.0,)


def test_an_architecture_that_refuses_shared_sources_is_read_plainly() -> None:
    network = make_network("t5")
    network.get_decoder = lambda: None
    engine = Seq2SeqEngine(network, _declare(network))
    assert engine.fallback_reason.startswith("it rejects shared sources (TypeError: ")
    assert_answers_like_single(engine, _queries())


def test_a_query_for_an_empty_label_is_answered_with_nothing() -> None:
    engine = _engine("t5")
    query = spans_query((5, 6), ())
    assert answers_of(engine, [query]) == {query: ()}
    assert engine.answer_singly(query) == ()


def test_a_query_for_another_family_is_not_answered() -> None:
    with pytest.raises(ValueError, match="cannot answer a query of causal"):
        answers_of(_engine("t5"), [causal_query((5, 6))])


def test_a_decoder_without_a_first_token_is_refused() -> None:
    network = make_network("t5")
    network.config.decoder_start_token_id = None
    network.generation_config.decoder_start_token_id = None
    with pytest.raises(ModelError, match="decoder_start_token_id"):
        Seq2SeqEngine(network, _declare(network))


def test_weights_that_are_no_numbers_are_refused() -> None:
    network = make_network("t5")
    with torch.no_grad():
        network.lm_head.weight[7, 0] = torch.nan
    with pytest.raises(ModelError, match="NaN"):
        Seq2SeqEngine(network, _declare(network))


@pytest.mark.parametrize("budget", [1, 64 * 1024])
def test_a_small_budget_gives_the_same_numbers(budget: int) -> None:
    assert_answers_like_single(_engine("t5", budget_bytes=budget), _queries())


def test_a_batch_that_needs_too_much_memory_is_halved() -> None:
    engine = _engine("t5")
    sizes: list[int] = []

    def too_much(_module: Any, _args: Any, inputs: dict[str, torch.Tensor]) -> None:
        sizes.append(inputs["input_ids"].numel())
        if sizes[-1] > 60:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    engine.network.get_encoder().register_forward_pre_hook(too_much, with_kwargs=True)
    answers_of(engine, _queries())
    assert max(sizes) > 60 >= sizes[-1]


def test_labels_of_one_source_that_are_too_many_for_a_batch_are_divided() -> None:
    engine = _engine("t5")
    queries = [spans_query(made_up(20), made_up(3, seed)) for seed in range(90)]
    assert len(list(engine.answer(queries))) > 1
    assert_answers_like_single(engine, queries)
