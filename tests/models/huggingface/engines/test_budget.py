from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import ModelError
from horsesense.models.huggingface.engines.budget import (
    balanced_limit,
    compute_in_batches,
    tokens_per_batch,
)


def greedy(items: Sequence[int], limit: int) -> list[int]:
    """How large batches are that take items in their order."""
    sizes: list[int] = []
    for item in items:
        if sizes and sizes[-1] + item <= limit:
            sizes[-1] += item
        else:
            sizes.append(item)
    return sizes


def done_after(sizes: Sequence[int], workers: int) -> int:
    """When all batches are done, each taken by whoever is free; one costs 16 by itself."""
    ends = [0] * workers
    for size in sizes:
        ends.sort()
        ends[0] += size + 16
    return max(ends)


def test_a_batch_is_as_large_as_memory_allows_and_no_larger_than_is_quick() -> None:
    assert tokens_per_batch(1000, 48_000 * 100) == 100
    assert tokens_per_batch(1000, 1 << 40) == tokens_per_batch(1000, 1 << 50)
    assert tokens_per_batch(1000, 0) == 1


def test_items_go_in_order_into_batches_within_the_limit() -> None:
    assert list(compute_in_batches([3, 2, 2, 9, 1], sum, 5, list)) == [[3, 2], [2], [9], [1]]


def test_after_a_lack_of_memory_all_batches_are_smaller() -> None:
    tried: list[int] = []

    def compute(items: Sequence[int]) -> list[int]:
        tried.append(len(items))
        if len(items) > 3:
            raise RuntimeError("can't allocate memory: you tried to allocate 9 bytes")
        return list(items)

    found = list(compute_in_batches([1] * 40, sum, 16, compute))
    assert sum(found, []) == [1] * 40
    assert tried[:4] == [16, 8, 4, 2] and tried[-1] <= 3
    # One batch was planned ahead before it was known.
    assert sum(size > 3 for size in tried) <= 2 * len([16, 8, 8, 4, 4, 4, 4])


def test_what_is_not_wanted_leaves_the_other_batches_as_they_are() -> None:
    items = [1, 2, 3, 4, 5, 6]
    whole = list(compute_in_batches(items, len, 2, list))
    assert whole == [[1, 2], [3, 4], [5, 6]]
    some = compute_in_batches(items, len, 2, list, is_needed=lambda item: item in (3, 5, 6))
    assert list(some) == [[3], [5, 6]]


def test_one_item_that_needs_too_much_is_an_error_with_a_remedy() -> None:
    def compute(items: Sequence[int]) -> None:
        raise MemoryError

    with pytest.raises(ModelError, match="not enough memory"):
        list(compute_in_batches([1], sum, 8, compute))


def test_other_errors_are_left_alone() -> None:
    def compute(items: Sequence[int]) -> None:
        raise RuntimeError("shapes do not fit")

    with pytest.raises(RuntimeError, match="shapes"):
        list(compute_in_batches([1], sum, 8, compute))


@given(
    st.lists(st.integers(1, 200), min_size=2, max_size=60), st.integers(200, 600), st.integers(1, 5)
)
def test_no_limit_in_view_has_the_workers_done_sooner(
    items: list[int], limit: int, workers: int
) -> None:
    chosen = balanced_limit(limit, lambda most: greedy(items, most), workers)
    in_view = {limit * step // 32 for step in range(16, 33)} if workers > 1 else {limit}
    assert chosen in in_view
    many = [most for most in in_view if len(greedy(items, most)) > 1]
    if chosen in many:
        times = {most: done_after(greedy(items, most), workers) for most in many}
        assert times[chosen] == min(times.values())
        assert all(times[most] > times[chosen] for most in many if most > chosen)


def test_two_workers_get_batches_of_a_size() -> None:
    whole = [len(batch) for batch in compute_in_batches(range(90), len, 20, list)]
    assert whole == [20, 20, 20, 20, 10]
    assert [len(batch) for batch in compute_in_batches(range(90), len, 20, list, workers=2)] == [
        15
    ] * 6


def test_a_batch_that_is_alone_is_left_whole() -> None:
    assert [len(batch) for batch in compute_in_batches(range(9), len, 20, list, workers=2)] == [9]
