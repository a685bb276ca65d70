"""How twins were found, and how many."""

import pytest

from horsesense.datasets.recovery import (
    BY_ID,
    LIKENESS,
    NEIGHBOURS,
    SINGLES,
    TWINS,
    PairingSummary,
    RawEntry,
    RawProblem,
    Twins,
    paired,
)

STEMS = Twins(BY_ID, "the stem of their ids")


def group(size: int, twins: Twins | None = None, *, is_dyad: bool = False) -> RawEntry:
    found = RawProblem("1", 1, ("Owls ", "."), (("hunt",), ("hide",)), 0)
    return RawEntry("1", [found] * size, twins=twins, is_dyad=is_dyad)


def only(*sizes: int) -> PairingSummary:
    (one,) = paired(map(group, sizes), STEMS)
    return one


@pytest.mark.parametrize(
    "sizes, counts",
    [
        ((2,), "1 pair"),
        ((2, 2, 1), "2 pairs, 1 alone"),
        ((3, 2, 1, 1), "1 pair, 1 triple, 2 alone"),
        ((3, 3, 5), "2 triples, 1 group of 5"),
        ((4, 4), "2 groups of 4"),
        ((1,), "1 alone"),
    ],
)
def test_groups_are_counted_by_their_size(sizes: tuple[int, ...], counts: str) -> None:
    assert only(*sizes).counts == counts
    assert only(*sizes).message == f"twins by the stem of their ids: {counts}"


def test_programs_get_the_numbers() -> None:
    one = only(2, 2, 3, 4, 1)
    assert (one.pairs, one.larger, one.alone) == (2, 2, 1)
    assert one.done == "paired by the stem of their ids"


def test_dyads_are_called_so() -> None:
    (one,) = paired([group(4, is_dyad=True), group(4, is_dyad=True), group(4)], STEMS)
    assert one.counts == "1 group of 4, 2 dyads"


def test_each_way_in_a_file_is_told_by_itself() -> None:
    groups = [group(2), group(1, NEIGHBOURS), group(1), group(2, NEIGHBOURS)]
    assert [one.message for one in paired(groups, STEMS)] == [
        "twins by the stem of their ids: 1 pair, 1 alone",
        "twins by position and similarity: 1 pair, 1 alone",
    ]


def test_problems_that_can_have_no_twins_are_told_why() -> None:
    (one,) = paired([group(1)], SINGLES)
    assert one.message == "no twins: problems of this format have none"
    assert one.done == "problems of this format have none"


def test_of_nothing_nothing_is_told() -> None:
    assert paired([], LIKENESS) == []


def test_every_way_is_described() -> None:
    assert {one.issue for one in (STEMS, NEIGHBOURS, LIKENESS, SINGLES)} <= set(TWINS)
