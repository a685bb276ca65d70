"""The defaults of the protocol, which a model of somebody's own may rely on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from horsesense.errors import ModelError
from horsesense.models import (
    ChatModel,
    ChatRequest,
    Family,
    LanguageModel,
    Message,
    ModelInfo,
    Replies,
    Reply,
    causal_query,
    multi_mask_query,
    single_mask_query,
    spans_query,
)
from tests.evaluation.inference.stand_in import StandIn


def test_a_query_is_answered_singly_as_in_a_batch_of_one() -> None:
    model = StandIn()
    query = causal_query(model.tokenize("Owls hoot.").ids)
    ((answer,),) = model.answer([query])
    assert LanguageModel.answer_singly(model, query) == answer[1]


def test_many_texts_are_tokenized_one_by_one() -> None:
    model, texts = StandIn(), ["Owls hoot.", "Goats do not."]
    assert list(model.tokenize_all(texts)) == [model.tokenize(text) for text in texts]
    assert model.token_ids("Owls hoot.") == model.tokenize("Owls hoot.", specials=False).ids


def test_every_token_of_a_missing_text_is_read() -> None:
    queries = [causal_query((1, 2, 3, 4)), causal_query((1, 2, 3, 5)), causal_query((1, 9))]
    assert StandIn().count_tokens(queries) == 10
    assert StandIn().count_tokens(queries, queries[:2]) == 2


def test_every_masked_copy_is_read_whole() -> None:
    queries = [single_mask_query((0, 7, 8, 2), (1, 2)), multi_mask_query((0, 7, 8, 2), (1, 2))]
    assert StandIn().count_tokens(queries) == 16
    assert StandIn().count_tokens(queries, queries[:1]) == 8


def test_a_source_is_read_once_for_all_of_its_labels() -> None:
    queries = [spans_query((1, 2, 3), (9, 8)), spans_query((1, 2, 3), (9, 7, 6))]
    assert StandIn().count_tokens(queries) == 8


def test_a_model_shows_what_it_is() -> None:
    assert repr(StandIn()) == "<StandIn stand-in: causal, float32 on cpu>"


def test_the_first_token_is_the_last_of_those_before_every_text() -> None:
    assert replace(StandIn().info, before=(7, 3)).bos == 3
    assert replace(StandIn().info, before=()).bos is None


def test_models_without_hashed_weights_are_told_apart_by_name_and_revision() -> None:
    info = replace(StandIn().info, weights="", name="served", revision="1")
    others = (replace(info, name="other"), replace(info, revision="2"))
    assert len({each.fingerprint for each in (info, *others)}) == 3
    hashed = replace(info, weights="abc")
    assert hashed.fingerprint == replace(hashed, name="other", revision="2").fingerprint


def test_a_model_that_lists_no_probable_tokens_or_writes_no_text_says_so() -> None:
    with pytest.raises(ModelError, match="does not list its most probable tokens"):
        StandIn().predict([causal_query((1, 2))], 3)
    with pytest.raises(ModelError, match="does not turn tokens into text"):
        LanguageModel.decode(StandIn(), [[1, 2]])


def test_models_behind_different_servers_are_told_apart() -> None:
    info = replace(StandIn().info, weights="", name="served")
    behind = [replace(info, server=server) for server in ("", "vllm 0.32.0", "vllm 0.33.0")]
    assert len({each.fingerprint for each in behind}) == 3


def test_a_model_takes_a_request_for_each_query_unless_it_says_otherwise() -> None:
    model = StandIn()
    assert model.count_requests([causal_query((1, 2)), causal_query((1, 3))]) == 2
    assert not model.tokenizes_by_request and not model.is_served


class Parrot(ChatModel):
    """Replies with the last message."""

    info = ModelInfo("parrot", Family.CHAT, "parrot")

    def ask(self, requests: Sequence[ChatRequest]) -> Iterator[Replies]:
        yield [(each, Reply(each.messages[-1].content, "stop")) for each in requests]


def test_the_tokens_of_conversations_are_estimated_from_their_characters() -> None:
    short, long = (ChatRequest((Message("user", "owl" * size),), 8) for size in (1, 100))
    parrot = Parrot()
    assert 0 < parrot.count_prompt_tokens([short]) < parrot.count_prompt_tokens([long]) < 100
    assert parrot.count_prompt_tokens([short, long]) == sum(
        parrot.count_prompt_tokens([each]) for each in (short, long)
    )
    assert [reply.text for ((_, reply),) in parrot.ask([short])] == ["owl"]
