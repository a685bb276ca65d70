from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
import torch

from horsesense.errors import ModelError
from horsesense.models import Family
from horsesense.models.huggingface.engines.growing import GrowingTree, layers_of, new_cache
from horsesense.models.huggingface.engines.replying import Generated, Prompt, ReplyEngine
from horsesense.models.huggingface.self_tests import SelfTests
from tests.models.huggingface.engines.engine_of import DRIFT, declare, make_network
from tests.models.tiny import CAUSAL

pytestmark = pytest.mark.usefixtures("one_thread")

# What a reply ends with: some of the tokens that tiny models choose anyway.
STOPS = frozenset(range(0, 50_000, 3))
# Their masks hold more than which tokens are visible, or they have none.
NOT_IN_TREES = {"bloom", "mamba", "mpt"}
# They see so few tokens that conversations go beyond that.
NARROW = {"gemma2", "gemma3", "gpt-neo", "mistral"}


def engine_of(network: Any, *, stops: frozenset[int] = STOPS, **more: Any) -> ReplyEngine:
    return ReplyEngine(network, declare(network, Family.CHAT), stops=stops, **more)


def some_prompts(count: int, *, limit: int = 5, top: int = 0, seed: int = 0) -> list[Prompt]:
    """Conversations of different lengths, most of which begin alike."""
    draw = random.Random(seed)
    begin = draw.choices(range(10, 20_000), k=9)
    ids = [
        (
            *begin[: draw.choice((2, 9, 9, 9))],
            *draw.choices(range(10, 20_000), k=draw.randint(1, 9)),
        )
        for _ in range(count)
    ]
    return [Prompt(each, draw.randint(1, limit), top) for each in ids]


def reply_slowly(network: Any, prompt: Prompt, stops: frozenset[int]) -> Generated:
    """Reply by computing everything anew for each token."""
    reply = Generated()
    while len(reply.ids) < prompt.limit:
        with torch.inference_mode():
            logits = network(input_ids=torch.tensor([[*prompt.ids, *reply.ids]])).logits[0, -1]
        log_probs = torch.log_softmax(logits, -1).tolist()
        token = log_probs.index(max(log_probs))
        if token in stops:
            reply.is_complete = True
            break
        ranked = sorted(range(len(log_probs)), key=lambda each: -log_probs[each])[: prompt.top]
        reply.ids.append(token)
        reply.log_probs.append(log_probs[token])
        reply.alternatives.append(tuple((each, log_probs[each]) for each in ranked))
    return reply


def replies_of(engine: ReplyEngine, prompts: Sequence[Prompt]) -> list[Generated]:
    replies = dict(pair for batch in engine.reply(prompts) for pair in batch)
    assert sorted(replies) == list(range(len(prompts)))
    return [replies[at] for at in range(len(prompts))]


def assert_equal(replies: Sequence[Generated], expected: Sequence[Generated]) -> None:
    for reply, right in zip(replies, expected, strict=True):
        assert (reply.ids, reply.is_complete) == (right.ids, right.is_complete)
        assert reply.log_probs == pytest.approx(right.log_probs, abs=DRIFT)
        for own, others in zip(reply.alternatives, right.alternatives, strict=True):
            assert [token for token, _ in own] == [token for token, _ in others]
            assert [p for _, p in own] == pytest.approx([p for _, p in others], abs=DRIFT)


@pytest.mark.parametrize("name", CAUSAL)
def test_replies_are_those_of_each_conversation_alone(name: str) -> None:
    network = make_network(name)
    engine = engine_of(network)
    prompts = some_prompts(16, top=3)
    expected = [reply_slowly(network, prompt, STOPS) for prompt in prompts]
    assert len({reply.is_complete for reply in expected}) == 2
    assert_equal(replies_of(engine, prompts), expected)


@pytest.mark.parametrize("name", CAUSAL)
def test_it_is_known_which_architectures_cannot_be_computed_in_trees(name: str) -> None:
    engine = engine_of(make_network(name))
    assert engine.batching == ("plain" if name in NOT_IN_TREES else "tree")
    assert bool(engine.fallback_reason) == (name in NOT_IN_TREES)


@pytest.mark.parametrize("name", ["llama", *sorted(NARROW)])
def test_conversations_beyond_the_window_are_computed_alone(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = engine_of(make_network(name))
    alone: list[Prompt] = []

    def reply_singly(prompt: Prompt) -> Generated:
        alone.append(prompt)
        return Generated()

    monkeypatch.setattr(engine, "reply_singly", reply_singly)
    prompts = [Prompt((11, 12), 2), Prompt((11, *range(20, 30)), 2)]
    replies_of(engine, prompts)
    assert alone == ([prompts[1]] if name in NARROW else [])


def test_no_row_is_longer_than_the_window() -> None:
    network = make_network("gpt-neo", window_size=64)
    engine = engine_of(network)
    assert engine.batching == "tree"
    prompts = some_prompts(30)
    assert sum(len(prompt.ids) for prompt in prompts) > 300
    expected = [reply_slowly(network, prompt, STOPS) for prompt in prompts]
    assert_equal(replies_of(engine, prompts), expected)


def test_the_first_of_equal_tokens_is_chosen() -> None:
    network = make_network("llama")
    engine = engine_of(network, stops=frozenset())
    logits = torch.zeros(1, 50_257)
    logits[0, [7, 70, 40_000]] = 2.0
    reply = Generated()
    engine._extend([reply], [Prompt((1,), 1)], logits)
    assert reply.ids == [7]


def test_a_reply_has_no_more_tokens_than_its_limit() -> None:
    network = make_network("llama")
    prompts = [Prompt((5, 6, 7), limit) for limit in (1, 4, 2)]
    replies = replies_of(engine_of(network, stops=frozenset()), prompts)
    assert [len(reply.ids) for reply in replies] == [1, 4, 2]
    assert not any(reply.is_complete for reply in replies)


def test_small_batches_give_the_same_replies() -> None:
    network = make_network("llama")
    prompts = some_prompts(40, seed=1)
    whole = replies_of(engine_of(network), prompts)
    assert_equal(replies_of(engine_of(network, batch=3), prompts), whole)
    assert_equal(replies_of(engine_of(network, budget_bytes=1), prompts), whole)


def test_replies_come_in_batches() -> None:
    engine = engine_of(make_network("llama"))
    assert len(list(engine.reply(some_prompts(60)))) > 2
    assert list(engine.reply([])) == []


def test_a_batch_that_does_not_fit_the_memory_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    network = make_network("llama")
    prompts = some_prompts(20)
    engine = engine_of(network)
    expected, together = replies_of(engine, prompts), ReplyEngine._reply_together

    def limited(self: ReplyEngine, prompts: Sequence[Prompt], *rest: Any) -> list[Generated]:
        if len(prompts) > 4:
            raise RuntimeError("can't allocate memory")
        return together(self, prompts, *rest)

    monkeypatch.setattr(ReplyEngine, "_reply_together", limited)
    assert_equal(replies_of(engine, prompts), expected)


def test_weights_that_give_no_numbers_are_refused() -> None:
    network = make_network("llama")
    engine = engine_of(network)
    engine._head = lambda states: torch.full((len(states), 50_257), float("nan"))
    with pytest.raises(ModelError, match="not finite"):
        list(engine.reply(some_prompts(3)))


def test_a_recorded_failure_is_believed() -> None:
    tests = SelfTests({"trees of conversations": "its numbers differ"})
    engine = engine_of(make_network("llama"), self_tests=tests)
    assert (engine.batching, engine.fallback_reason) == ("plain", "its numbers differ")


@pytest.mark.parametrize("part", ["attention in a single row", "packed weights"])
def test_a_part_that_failed_is_not_used_and_changes_no_reply(part: str) -> None:
    network = make_network("llama")
    prompts = some_prompts(12)
    engine = engine_of(network, self_tests=SelfTests({part: "its numbers differ"}))
    assert engine.batching == "tree" and engine.self_tests.dropped == ("its numbers differ",)
    assert_equal(replies_of(engine, prompts), replies_of(engine_of(network), prompts))


def test_long_replies_are_those_of_each_conversation_alone() -> None:
    network = make_network("llama")
    prompts = some_prompts(5, limit=200, seed=2)
    assert max(prompt.limit for prompt in prompts) > 100
    stops = frozenset({1})
    expected = [reply_slowly(network, prompt, stops) for prompt in prompts]
    assert_equal(replies_of(engine_of(network, stops=stops), prompts), expected)


def test_a_cache_keeps_all_keys_and_values_as_it_grows() -> None:
    parts = [torch.randn(1, 2, size, 4) for size in (3, 1, 400, 1, 300)]
    cache = new_cache([(parts[0], -parts[0])])
    for part in parts[1:]:
        keys, values = cache.update(part, -part, 0)
    assert torch.equal(keys, torch.cat(parts, 2)) and torch.equal(values, -keys)
    (kept,) = layers_of(cache)
    assert torch.equal(kept[0], keys)


def test_a_node_sees_itself_and_its_ancestors() -> None:
    tree = GrowingTree()
    root = tree.add_path(-1, (5, 6))
    left, right = tree.add_path(root, (7, 8)), tree.add_path(root, (7, 9))
    assert tree.tokens == [5, 6, 7, 8, 9] and tree.depths == [0, 1, 2, 3, 3]
    assert tree.visible([left, right]).astype(int).tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 0, 1]]
    assert tree.visible([2, left, right])[2].tolist() == [True, True, True, False, True]
    grown = tree.add(right, 7)
    assert tree.visible([grown]).astype(int).tolist() == [[1, 1, 1, 0, 1, 1]]
