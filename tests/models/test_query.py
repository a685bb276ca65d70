import json

import pytest

from horsesense.models import (
    Query,
    causal_query,
    multi_mask_query,
    single_mask_query,
    spans_query,
    within_word_query,
)


@pytest.mark.parametrize(
    ("query", "size"),
    [
        (causal_query((5, 6, 7)), 2),
        (causal_query(()), 0),
        (single_mask_query((5, 6, 7), (0, 2)), 2),
        (multi_mask_query((5, 6, 7), (1, 2)), 2),
        (within_word_query((5, 6, 7), (0, 0, None)), 2),
        (spans_query((5, 6), (8, 9, 1)), 3),
    ],
)
def test_a_query_knows_how_many_numbers_answer_it(query: Query, size: int) -> None:
    assert query.size == size


@pytest.mark.parametrize("ids", [(), (5,), (5, 60, 0), tuple(range(0, 99_999, 777))])
def test_the_content_is_what_a_writer_of_json_makes_of_it(ids: tuple[int, ...]) -> None:
    for query in (causal_query(ids), spans_query(ids, (8, 9)), multi_mask_query(ids, (0, 2))):
        whole = [query.kind, query.ids, query.masks, query.label]
        assert query.content == json.dumps(whole, separators=(",", ":"))


def test_tokens_masked_alone_are_masked_one_at_a_time() -> None:
    assert single_mask_query((5, 6, 7), (0, 2)).masks == ((0,), (2,))


def test_what_follows_in_a_word_is_masked_with_its_beginning() -> None:
    assert within_word_query((0, 7, 8, 9), (None, 3, 3, 3)).masks == ((1, 2, 3), (2, 3), (3,))


def test_queries_have_the_same_key_only_if_they_are_the_same() -> None:
    queries = [
        causal_query((5, 6)),
        causal_query((5, 6, 0)),
        spans_query((5, 6), ()),
        spans_query((5, 6), (6,)),
        single_mask_query((5, 6), (0,)),
        single_mask_query((5, 6), (0, 1)),
        multi_mask_query((5, 6), (0,)),
        multi_mask_query((5, 6), (0, 1)),
        within_word_query((5, 6), (0, 1)),
    ]
    assert len({query.key for query in queries}) == len(queries)
    assert causal_query((5, 6)).key == causal_query((5, 6)).key
