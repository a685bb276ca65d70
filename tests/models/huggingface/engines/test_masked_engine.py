from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch

from horsesense.errors import ModelError
from horsesense.models import (
    Family,
    Query,
    causal_query,
    multi_mask_query,
    single_mask_query,
    within_word_query,
)
from horsesense.models.huggingface.engines import heads, packed_weights
from horsesense.models.huggingface.engines.masked import MaskedEngine
from horsesense.models.huggingface.engines.packed_weights import PackedLinear
from tests.models.huggingface.engines.engine_of import (
    MASK,
    answers_of,
    assert_answers_like_single,
    declare,
    made_up,
    make_network,
    needs_onednn,
)
from tests.models.tiny import MASKED, Tiny

_MPNET = Tiny(
    "MPNetConfig",
    "MPNetForMaskedLM",
    "bert",
    {
        "vocab_size": 30527, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 3,
        "num_attention_heads": 4, "max_position_embeddings": 130, "initializer_range": 0.3,
    },
)  # fmt: skip
_FNET = Tiny(
    "FNetConfig",
    "FNetForMaskedLM",
    "bert",
    {
        "vocab_size": 20_000, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2,
        "max_position_embeddings": 130,
    },
)  # fmt: skip
_PACKED = {name: tiny for name, tiny in MASKED.items() if name != "deberta-v2"} | {"mpnet": _MPNET}


def _engine(tiny: Tiny | str, **options: Any) -> MaskedEngine:
    network = make_network(tiny)
    return MaskedEngine(network, declare(network, Family.MASKED), **options)


def _asked_in_every_way(ids: tuple[int, ...], blank: tuple[int, ...]) -> list[Query]:
    real = range(1, len(ids) - 1)
    words = (None, *(at // 2 for at in real), None)
    return [
        single_mask_query(ids, tuple(real)),
        within_word_query(ids, words),
        multi_mask_query(ids, blank),
    ]


def _queries() -> list[Query]:
    """Sentences of many lengths, the longest beyond the windows of the small models."""
    return [
        query
        for length in (5, 9, 9, 12, 30, 3)
        for query in _asked_in_every_way(made_up(length, seed=length), (2, 3))
    ]


def _a_few() -> list[Query]:
    return [multi_mask_query(made_up(length), (1, 2)) for length in (5, 9, 9, 14)]


@contextmanager
def _reading(network: Any) -> Iterator[list[tuple[int, ...]]]:
    """The rows of tokens that a network gets to read."""
    rows: list[tuple[int, ...]] = []
    embeddings = network.get_input_embeddings()
    hook = embeddings.register_forward_hook(
        lambda _module, inputs, _output: rows.extend(map(tuple, inputs[0].tolist()))
    )
    yield rows
    hook.remove()


@pytest.mark.parametrize("name", _PACKED)
def test_packed_copies_give_the_numbers_of_single_ones(name: str) -> None:
    engine = _engine(_PACKED[name])
    assert (engine.batching, engine.fallback_reason) == ("packed", "")
    assert_answers_like_single(engine, _queries())


@pytest.mark.parametrize("name", _PACKED)
def test_copies_of_many_lengths_share_rows(name: str) -> None:
    engine = _engine(_PACKED[name])
    assert_answers_like_single(
        engine, [multi_mask_query(made_up(length), (1, 2)) for length in range(3, 40)]
    )


def test_an_architecture_that_refuses_packed_rows_is_read_plainly() -> None:
    engine = _engine("deberta-v2")
    assert engine.batching == "plain"
    assert engine.fallback_reason.startswith("it rejects packed rows (")
    assert_answers_like_single(engine, _queries())


def test_an_architecture_that_looks_beyond_masks_is_read_in_even_batches() -> None:
    engine = _engine(_FNET)
    assert engine.batching == "plain"
    assert_answers_like_single(engine, _queries())


def test_an_architecture_that_is_wrong_in_packed_rows_says_by_how_much() -> None:
    network = make_network("bert")
    network.bert.embeddings.forward = _without_positions(network.bert.embeddings.forward)
    engine = MaskedEngine(network, declare(network, Family.MASKED))
    assert "differ from single sentences (by " in engine.fallback_reason
    assert_answers_like_single(engine, _queries())


def _without_positions(forward: Any) -> Any:
    return lambda *args, position_ids=None, **rest: forward(*args, **rest)


def test_a_head_of_an_unknown_name_is_found_through_the_whole_model() -> None:
    network = make_network("roberta")
    network.strange = network.lm_head
    del network.lm_head
    network.forward = lambda **inputs: _Output(network.strange(network.roberta(**inputs)[0]))
    engine = MaskedEngine(network, declare(network, Family.MASKED))
    assert (engine.batching, engine.fallback_reason) == (
        "plain",
        "its head is of an unknown kind",
    )
    assert_answers_like_single(engine, _queries())


class _Output:
    def __init__(self, logits: torch.Tensor) -> None:
        self.logits = logits


def test_options_of_equal_length_share_what_is_masked_at_once() -> None:
    engine = _engine("roberta")
    one, other = (2, 50, 60, 61, 70, 3), (2, 50, 80, 81, 70, 3)
    with _reading(engine.network) as rows:
        found = answers_of(engine, [multi_mask_query(ids, (2, 3)) for ids in (one, other)])
    assert rows == [(2, 50, MASK, MASK, 70, 3)]
    assert len(set(found.values())) == 2


def test_copies_that_several_methods_need_are_read_once() -> None:
    engine = _engine("bert")
    ids = (2, 50, 60, 70, 3)
    with _reading(engine.network) as rows:
        found = answers_of(
            engine,
            [
                single_mask_query(ids, (1, 2, 3)),
                within_word_query(ids, (None, 0, 1, 2, None)),
                multi_mask_query(ids, (2,)),
            ],
        )
    assert len(rows) == 3
    assert len(found) == 3


def test_sentences_that_differ_in_the_masked_token_share_a_copy() -> None:
    engine = _engine("bert")
    one, other = (2, 50, 60, 3), (2, 50, 61, 3)
    with _reading(engine.network) as rows:
        answers_of(engine, [single_mask_query(ids, (1, 2)) for ids in (one, other)])
    assert sorted(rows) == sorted([(2, 50, MASK, 3), (2, MASK, 60, 3), (2, MASK, 61, 3)])


def test_nothing_is_filled_up_where_sentences_are_of_one_length() -> None:
    engine = _engine("roberta")
    with _reading(engine.network) as rows:
        answers_of(engine, [single_mask_query(made_up(60, seed), (1, 2, 3)) for seed in range(9)])
    assert {len(row) for row in rows} == {62}


def test_after_the_last_attention_only_masked_positions_are_computed() -> None:
    engine = _engine("roberta")
    computed: list[int] = []
    engine._parts.body.encoder.layer[-1].intermediate.register_forward_pre_hook(
        lambda _module, inputs: computed.append(inputs[0].shape[:-1].numel())
    )
    answers_of(engine, [multi_mask_query(made_up(20, seed), (1, 2, 3)) for seed in range(5)])
    assert sum(computed) == 3 * 5


@pytest.mark.parametrize("name", ["roberta", "bert", "electra"])
def test_where_the_ends_cannot_be_shortened_positions_are_dropped_after_the_last_attention(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heads, "optimize_encoder", lambda body: None)
    engine = _engine(name)
    assert isinstance(engine._parts.selection, heads.PositionFilter)
    assert_answers_like_single(engine, _a_few())


def test_what_comes_out_wrong_of_shortened_ends_is_not_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wrong(self: Any, states: torch.Tensor) -> torch.Tensor:
        return once(self, states) + 0.1

    once = heads.DeduplicatedLinear.forward
    monkeypatch.setattr(heads.DeduplicatedLinear, "forward", wrong)
    engine = _engine("roberta")
    assert isinstance(engine._parts.selection, heads.PositionFilter)
    assert_answers_like_single(engine, _a_few())


@needs_onednn
@pytest.mark.parametrize("name", ["roberta", "albert", "modernbert"])
def test_matrices_that_are_laid_out_give_the_same_numbers(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_weights, "_cpu_vendor", lambda: "AuthenticAMD")
    engine = _engine(name)
    assert any(isinstance(part, PackedLinear) for part in engine._parts.body.modules())
    assert_answers_like_single(engine, _a_few())


@needs_onednn
def test_matrices_that_come_out_wrong_are_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: Any, states: torch.Tensor) -> torch.Tensor:
        return right(self, states) * 1.1

    right = PackedLinear.forward
    monkeypatch.setattr(packed_weights, "_cpu_vendor", lambda: "AuthenticAMD")
    monkeypatch.setattr(PackedLinear, "forward", wrong)
    engine = _engine("roberta")
    assert not any(isinstance(part, PackedLinear) for part in engine._parts.body.modules())
    assert_answers_like_single(engine, _a_few())


def test_a_network_that_cannot_be_copied_is_used_as_it_is() -> None:
    network = make_network("roberta")
    network.roberta.lock = threading.Lock()
    engine = MaskedEngine(network, declare(network, Family.MASKED))
    assert engine._parts.body is network.roberta and engine.batching == "packed"
    assert_answers_like_single(engine, _a_few())


def test_answers_come_before_all_has_been_read() -> None:
    engine = _engine("bert")
    queries = [single_mask_query(made_up(60, seed), tuple(range(1, 61))) for seed in range(4)]
    with _reading(engine.network) as rows:
        first = next(engine.answer(queries))
    assert len(first) == 1
    assert len(rows) < 2 * 60


def test_a_query_for_no_token_is_answered_with_nothing() -> None:
    engine = _engine("bert")
    query = single_mask_query((2, 50, 3), ())
    assert answers_of(engine, [query]) == {query: ()}
    assert engine.answer_singly(query) == ()


def test_a_query_for_another_family_is_not_answered() -> None:
    with pytest.raises(ValueError, match="a masked model cannot answer a query of causal"):
        answers_of(_engine("bert"), [causal_query((2, 50, 3))])


def test_a_model_without_a_mask_token_is_refused() -> None:
    network = make_network("bert")
    with pytest.raises(ModelError, match="has no mask token"):
        MaskedEngine(network, declare(network, Family.MASKED, mask=None))


def test_weights_that_are_no_numbers_are_refused() -> None:
    network = make_network("roberta")
    with torch.no_grad():
        network.lm_head.dense.weight[0, 0] = torch.nan
    with pytest.raises(ModelError, match="NaN"):
        MaskedEngine(network, declare(network, Family.MASKED))


def test_nothing_is_answered_from_numbers_that_turn_bad_later() -> None:
    engine = _engine("roberta")
    with torch.no_grad():
        engine.network.lm_head.bias[123] = torch.nan
    with pytest.raises(ModelError, match="NaN"):
        next(engine.answer(_queries()))


def test_a_small_budget_gives_the_same_numbers() -> None:
    engine = _engine("roberta", budget_bytes=64 * 1024)
    assert_answers_like_single(engine, _queries())


def test_after_a_lack_of_memory_batches_are_smaller() -> None:
    engine = _engine("bert")
    sizes: list[int] = []

    def too_much(_module: Any, inputs: tuple[torch.Tensor, ...]) -> None:
        sizes.append(inputs[0].numel())
        if inputs[0].numel() > 100:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory")

    engine.network.get_input_embeddings().register_forward_pre_hook(too_much)
    assert_answers_like_single(engine, _queries())
    # Those that were planned before it was known are halved until they fit.
    assert max(sizes[-20:]) <= 100


def test_other_errors_of_torch_are_not_taken_for_a_lack_of_memory() -> None:
    engine = _engine("bert")
    with pytest.raises(IndexError):
        answers_of(engine, [single_mask_query((2, 10**6, 50, 3), (2,))])
