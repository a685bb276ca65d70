from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from horsesense.models.huggingface.engines.packing import LONGEST_ROW, Tree, fill_rows, plan_trees

tokens = st.integers(0, 3)
sequences = st.lists(st.lists(tokens, min_size=1, max_size=9).map(tuple), max_size=25, unique=True)


def read_back(tree: Tree) -> dict[int, tuple[tuple[tuple[int, ...], int], ...]]:
    """For each sequence the tokens that are read before each one that is asked for."""

    def way_to(node: int) -> tuple[int, ...]:
        return () if node < 0 else (*way_to(tree.parents[node]), tree.tokens[node])

    return {
        number: tuple((way_to(tree.targets[at][0]), tree.targets[at][1]) for at in path)
        for number, path in tree.paths
    }


@given(sequences, st.integers(2, 12))
def test_every_token_is_asked_for_after_those_before_it(
    given_sequences: list[tuple[int, ...]], longest_row: int
) -> None:
    found: dict[int, tuple[tuple[tuple[int, ...], int], ...]] = {}
    for tree in plan_trees(given_sequences, longest_row):
        found |= read_back(tree)
    assert found == {
        number: tuple((ids[:at], ids[at]) for at in range(1, len(ids)))
        for number, ids in enumerate(given_sequences)
    }


@given(sequences, st.integers(2, 12))
def test_rows_are_no_longer_than_allowed_unless_one_sequence_is(
    given_sequences: list[tuple[int, ...]], longest_row: int
) -> None:
    for tree in plan_trees(given_sequences, longest_row):
        assert len(tree.tokens) <= longest_row or len(tree.paths) == 1


@given(sequences)
def test_nothing_is_read_or_asked_for_twice_in_a_row(
    given_sequences: list[tuple[int, ...]],
) -> None:
    for tree in plan_trees(given_sequences):
        assert len(set(zip(tree.parents, tree.tokens, strict=True))) == len(tree.tokens)
        assert len(set(tree.targets)) == len(tree.targets)
        assert all(depth == len(tree_way(tree, node)) - 1 for node, depth in enumerate(tree.depths))


def tree_way(tree: Tree, node: int) -> list[int]:
    return [] if node < 0 else [*tree_way(tree, tree.parents[node]), node]


def test_sentences_that_share_their_beginning_share_its_nodes() -> None:
    [tree] = plan_trees([(1, 2, 3, 4, 9), (1, 2, 3, 5, 9)])
    assert len(tree.tokens) == 5
    assert len(tree.targets) == 6


def test_sentences_that_share_nothing_go_apart() -> None:
    made = [tuple(range(start, start + 40)) for start in range(0, 4000, 40)]
    assert len(plan_trees(made)) == len(made)


def test_a_long_common_beginning_is_cut_as_seldom_as_rows_allow() -> None:
    made = [(*range(100), 200 + last, 0) for last in range(400)]
    trees = plan_trees(made)
    assert len(trees) == 3
    assert all(len(tree.tokens) <= LONGEST_ROW for tree in trees)


@given(st.lists(st.integers(1, 9), max_size=30), st.integers(1, 12))
def test_rows_hold_every_item_once_and_no_more_than_fits(lengths: list[int], capacity: int) -> None:
    rows = fill_rows(lengths, capacity)
    assert sorted(item for row in rows for item in row) == list(range(len(lengths)))
    for row in rows:
        assert sum(lengths[item] for item in row) <= capacity or len(row) == 1


@given(st.lists(st.integers(1, 5), min_size=2, max_size=30))
def test_no_two_rows_would_fit_into_one(lengths: list[int]) -> None:
    filled = sorted(sum(lengths[item] for item in row) for row in fill_rows(lengths, 10))
    assert all(one + other > 10 for one, other in pairwise(filled))
