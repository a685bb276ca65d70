"""Trees in rows and end to end, and attention that stays within them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch

from horsesense.models.huggingface.engines.layouts import (
    ConcatenatedTrees,
    PaddedTrees,
    TreeLayout,
    tree_mask,
    use_tree_attention,
)
from horsesense.models.huggingface.engines.packed_weights import copy_body
from horsesense.models.huggingface.engines.packing import Tree, plan_trees
from tests.models.huggingface.engines.engine_of import make_network

SENTENCES: list[list[tuple[int, ...]]] = [
    [(5, 6, 7, 8, 9), (5, 6, 10, 11), (5, 12, 13, 14, 15, 16)],
    [(20, 21, 22), (20, 23, 24)],
    [(30, 31)],
]


def trees() -> list[Tree]:
    return [tree for sentences in SENTENCES for tree in plan_trees(sentences)]


def made_to_stay(network: Any) -> Any:
    body = copy_body(network)
    assert use_tree_attention(body)
    return body


def ancestors(tree: Tree, node: int) -> set[int]:
    return {node} | (ancestors(tree, tree.parents[node]) if tree.parents[node] >= 0 else set())


def states_of(body: Any, layout: TreeLayout, network: Any, read: list[Tree]) -> list[torch.Tensor]:
    """The hidden states of each tree's nodes."""
    with layout.inputs(read, 0, network) as laid, torch.inference_mode():
        states = torch.flatten(body(**laid.inputs, use_cache=False).last_hidden_state, 0, 1)
    return [
        states[start : start + len(tree.tokens)]
        for tree, start in zip(read, laid.starts, strict=True)
    ]


@pytest.mark.parametrize("filled_up", [0, 3])
def test_a_node_sees_itself_and_its_ancestors(filled_up: int) -> None:
    for tree in trees():
        length = len(tree.tokens) + filled_up
        sees = tree_mask(tree, length, torch.float32)[0] == 0
        for node in range(length):
            wanted = ancestors(tree, node) if node < len(tree.tokens) else {node}
            assert set(sees[node].nonzero().flatten().tolist()) == wanted


def test_rows_are_filled_up_and_trees_end_to_end_are_not() -> None:
    read = sorted(trees(), key=lambda tree: -len(tree.tokens))
    sizes = [len(tree.tokens) for tree in read]
    assert PaddedTrees().size(read) == len(sizes) * sizes[0]
    assert ConcatenatedTrees().size(read) == sum(sizes) < PaddedTrees().size(read)


@pytest.mark.parametrize("name", ["gpt2", "llama", "opt", "gpt-neox", "qwen2"])
def test_trees_end_to_end_give_what_rows_give(name: str) -> None:
    network = make_network(name)
    body = made_to_stay(network)
    wanted = states_of(network.base_model, PaddedTrees(), network, trees())
    found = states_of(body, ConcatenatedTrees(), network, trees())
    for one, other in zip(found, wanted, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)


def test_threads_do_not_mix_up_their_trees() -> None:
    network = make_network("llama")
    body = made_to_stay(network)
    several = [trees()[at:] + trees()[:at] for at in range(3)] * 8
    wanted = [states_of(body, ConcatenatedTrees(), network, read) for read in several]
    with ThreadPoolExecutor(4) as pool:
        found = list(
            pool.map(lambda read: states_of(body, ConcatenatedTrees(), network, read), several)
        )
    for one, other in zip(found, wanted, strict=True):
        for a, b in zip(one, other, strict=True):
            torch.testing.assert_close(a, b, atol=1e-6, rtol=1e-6)


def test_a_tree_without_nodes_takes_no_room() -> None:
    network = make_network("llama")
    body = made_to_stay(network)
    [empty] = plan_trees([(7,)])
    first, nothing, last = states_of(
        body, ConcatenatedTrees(), network, [trees()[0], empty, trees()[1]]
    )
    wanted = states_of(body, ConcatenatedTrees(), network, trees()[:2])
    assert len(nothing) == 0
    torch.testing.assert_close(first, wanted[0])
    torch.testing.assert_close(last, wanted[1])


def test_attention_of_another_kind_is_left_alone() -> None:
    network = make_network("llama")
    network.set_attn_implementation("eager")
    body = copy_body(network)
    assert not use_tree_attention(body)
    assert body.config._attn_implementation == "eager"


def test_the_network_as_loaded_attends_as_before() -> None:
    network = make_network("llama")
    made_to_stay(network)
    assert network.config._attn_implementation == "sdpa"


def test_narrow_numbers_are_left_to_torch() -> None:
    body = copy_body(make_network("llama").to(torch.bfloat16))
    assert not use_tree_attention(body)
    assert body.config._attn_implementation == "sdpa"
