"""How many tokens a run would have models read."""

from __future__ import annotations

from horsesense.evaluation.protocol.estimate import estimate, tokens_of
from horsesense.models.observation import (
    causal_query,
    multi_mask_query,
    single_mask_query,
    spans_query,
)
from tests.evaluation.protocol.pantry import plan, source


def test_what_begins_alike_is_read_once_and_the_last_token_not_at_all() -> None:
    queries = [causal_query((1, 2, 3, 4)), causal_query((1, 2, 3, 5)), causal_query((1, 9))]
    assert tokens_of(queries) == 3
    # A tree of which anything is missing is read whole.
    assert tokens_of(queries, queries[1:]) == 3
    assert tokens_of(queries, queries) == 0


def test_every_masked_copy_is_read_whole() -> None:
    queries = [single_mask_query((0, 7, 8, 2), (1, 2)), multi_mask_query((0, 7, 8, 2), (1, 2))]
    assert tokens_of(queries) == 16
    assert tokens_of(queries, queries[:1]) == 8


def test_a_source_is_read_once_for_all_of_its_labels() -> None:
    queries = [spans_query((1, 2, 3), (9, 8)), spans_query((1, 2, 3), (9, 7, 6))]
    assert tokens_of(queries) == 8


def test_rules_take_no_time() -> None:
    found = estimate(plan(), None, data=[source()])
    assert (found.models, found.minutes, found.problems, found.sentences) == ((), 0.0, 8, 16)
