"""The plan of requests for single tokens is complete, without repetition, and easy to cache."""

from collections.abc import Iterator
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from horsesense.models.server.token_paths import (
    Assembly,
    Ids,
    TokenPath,
    group_paths,
    plan_paths,
)

SEQUENCES = st.lists(st.lists(st.integers(0, 2), max_size=7).map(tuple), max_size=24)


def nodes_of(ids: Ids) -> list[tuple[Ids, int]]:
    """The reference: each token but the first, with all tokens before it."""
    return [(ids[:at], ids[at]) for at in range(1, len(ids))]


def asked(paths: list[TokenPath], numbers: range) -> Iterator[tuple[Ids, int]]:
    for number in numbers:
        path = paths[number]
        yield from ((path.ids[:at], path.ids[at]) for at in path.own_positions(number))


def made_up(prompt: Ids, token: int) -> float:
    """A number of its own for each token after a prompt."""
    return -sum((own + 1) * 4.0**at for at, own in enumerate((*prompt, token)))


@given(SEQUENCES)
def test_each_token_is_asked_for_once_per_prompt(sequences: list[Ids]) -> None:
    paths = plan_paths(sequences)
    requests = list(asked(paths, range(len(paths))))
    assert len(requests) == len(set(requests))
    assert set(requests) == {node for ids in sequences for node in nodes_of(ids)}


@given(SEQUENCES, st.randoms(use_true_random=False))
def test_each_text_is_answered_in_full_as_soon_as_its_last_token_is_known(
    sequences: list[Ids], random: Random
) -> None:
    paths = plan_paths(sequences)
    order = list(range(len(paths)))
    random.shuffle(order)
    assembly, known = Assembly(paths), set[tuple[Ids, int]]()
    answered: dict[Ids, tuple[float, ...]] = {}
    for number in order:
        requests = list(asked(paths, range(number, number + 1)))
        made = [made_up(*request) for request in requests]
        known.update(requests)
        positions = paths[number].own_positions(number)
        for complete in assembly.add(number, dict(zip(positions, made, strict=True))):
            answered[paths[complete].ids] = assembly.log_probs(complete)
        expected = {ids for ids in sequences if len(ids) > 1 and known.issuperset(nodes_of(ids))}
        assert answered.keys() == expected
    for ids, values in answered.items():
        assert values == tuple(made_up(*node) for node in nodes_of(ids))


@given(SEQUENCES, st.integers(1, 8))
def test_groups_hold_each_path_once_and_in_order(sequences: list[Ids], slots: int) -> None:
    paths = plan_paths(sequences)
    numbers = [number for group in group_paths(paths, slots) for number in group]
    assert numbers == list(range(len(paths)))


@given(SEQUENCES, st.integers(1, 8))
def test_within_a_group_only_the_last_token_of_a_prompt_is_new(
    sequences: list[Ids], slots: int
) -> None:
    paths = plan_paths(sequences)
    for group in group_paths(paths, slots):
        prompts = [prompt for prompt, _ in asked(paths, group)]
        for cached, prompt in zip(prompts, prompts[1:], strict=False):
            assert prompt[:-1] == cached[: len(prompt) - 1]


def test_texts_that_begin_alike_go_to_the_same_slot() -> None:
    first, second = (1, 2, 3, 4, 5), (9, 8, 7, 6, 5)
    texts = [(*start, *range(end, end + 9)) for start in (first, second) for end in range(3)]
    assert [len(group) for group in group_paths(plan_paths(texts), 1)] == [3, 3]


def test_no_slot_waits_while_another_has_all_texts() -> None:
    texts = [(*range(10), number) for number in range(10, 30)]
    assert len(group_paths(plan_paths(texts), 4)) >= 4


def test_nothing_is_planned_without_texts() -> None:
    assert plan_paths([]) == []
    assert group_paths([], 4) == []
