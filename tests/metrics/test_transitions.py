from itertools import product
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import (
    Paired,
    Ties,
    gained_share,
    kept_with_other_answers,
    lost_share,
    paired,
    problem_accuracy,
    sample,
    schema_consistency,
    strict_schema_consistency,
    transitions,
    unsettled_share,
)
from horsesense.scoring import Share
from tests.strategies import brisk

Row: TypeAlias = tuple[bool | None, bool | None]
Change: TypeAlias = tuple[Row, Row]

problem = st.sampled_from([True, False, None])
row = st.tuples(problem, problem)
changes = st.lists(st.tuples(row, row), max_size=8)
every_tie = pytest.mark.parametrize("ties", Ties)

GAINED: Change = ((True, False), (True, True))
LOST: Change = ((True, False), (False, False))
SAME: Change = ((True, False), (True, False))
OTHER: Change = ((True, False), (False, True))


def pair_of(found: list[Change], ties: Ties = Ties.FAILED) -> Paired:
    return paired([old for old, _ in found], [new for _, new in found], ties=ties)


@pytest.mark.parametrize(
    ("counts", "total", "shares", "others_of_kept", "unchanged"),
    [
        ((36, 15, 82, 16), 133, "27.1 11.3 61.7 12.0", 19.5, 49.6),
        ((23, 16, 94, 7), 133, "17.3 12.0 70.7 5.3", 7.4, 65.4),
        ((19, 2, 112, 1), 133, "14.3 1.5 84.2 0.8", 0.9, 83.5),
        ((9, 11, 67, 2), 87, "10.3 12.6 77.0 2.3", 3.0, 74.7),
    ],
)
def test_the_shares_that_the_thesis_tells_come_out(
    counts: tuple[int, int, int, int],
    total: int,
    shares: str,
    others_of_kept: float,
    unchanged: float,
) -> None:
    """Three changes of scoring method on all schemas, and a perturbation of 87."""
    gained, lost, kept, others = counts
    found = pair_of([GAINED] * gained + [LOST] * lost + [OTHER] * others + [SAME] * (kept - others))
    told = transitions(found)
    assert told.kept_with_other_answers is not None
    listed = [told.gained, told.lost, told.kept, told.kept_with_other_answers]
    assert all(one.total == total for one in listed)
    assert " ".join(f"{100 * one.count / one.total:.1f}" for one in listed) == shares
    of_kept = told.kept_with_other_answers.count / told.kept.count
    assert round(100 * of_kept, 1) == others_of_kept
    strict = strict_schema_consistency.share(found)
    assert round(100 * strict.count / strict.total, 1) == unchanged


@every_tie
@given(found=changes)
@brisk
def test_gained_lost_and_kept_schemas_are_all(ties: Ties, found: list[Change]) -> None:
    told = transitions(pair_of(found, ties))
    parts = (told.gained, told.lost, told.kept)
    assert sum(part.count for part in parts) == len(found)


@every_tie
@given(found=changes)
@brisk
def test_unsettled_schemas_are_kept_ones(ties: Ties, found: list[Change]) -> None:
    told = transitions(pair_of(found, ties))
    assert told.unsettled.count <= told.kept.count
    is_open = any(None in old + new for old, new in found)
    assert told.unsettled.count == 0 or (is_open and ties is Ties.FAILED)


@every_tie
@given(found=changes)
@brisk
def test_what_is_kept_is_consistent_and_strictly_so_without_other_answers(
    ties: Ties, found: list[Change]
) -> None:
    pair = pair_of(found, ties)
    kept, strict = schema_consistency.share(pair), strict_schema_consistency.share(pair)
    others = kept_with_other_answers.share(pair)
    assert transitions(pair).kept == kept
    assert others == Share(kept.count - strict.count, kept.total)


def by_loop(found: list[Change]) -> list[int]:
    """How many gained, lost, are unsettled, and were kept with other answers."""
    counts = [0, 0, 0, 0]
    for old, new in found:
        solved, solved_after = old.count(True), new.count(True)
        is_open = None in old + new
        counts[0] += solved_after > solved
        counts[1] += solved_after < solved
        counts[2] += solved_after == solved and is_open
        counts[3] += solved_after == solved == 1 and old.index(True) != new.index(True)
    return counts


METRICS = (gained_share, lost_share, unsettled_share, kept_with_other_answers)


@given(changes)
@brisk
def test_transitions_equal_a_loop(found: list[Change]) -> None:
    pair = pair_of(found)
    assert [one.share(pair) for one in METRICS] == [Share(n, len(found)) for n in by_loop(found)]


@given(changes.map(lambda found: found[:1]))
@brisk
def test_half_is_the_mean_over_all_ways_to_decide(found: list[Change]) -> None:
    flat = [one for old, new in found for one in old + new]
    ways = product(*([True, False] if one is None else [one] for one in flat))
    filled: list[list[Change]] = [[((w[0], w[1]), (w[2], w[3]))] if w else [] for w in ways]
    expected = np.mean([by_loop(each) for each in filled], axis=0)
    pair = pair_of(found, Ties.HALF)
    assert [one.share(pair).count for one in METRICS] == expected.tolist()


@given(changes)
@brisk
def test_exchanging_before_and_after_exchanges_gain_and_loss(found: list[Change]) -> None:
    there, back = pair_of(found), pair_of([(new, old) for old, new in found])
    assert gained_share(there) == lost_share(back)


@given(st.lists(st.sampled_from([GAINED, LOST, SAME, OTHER])))
@brisk
def test_where_schemas_change_by_one_problem_gain_and_loss_make_the_difference(
    found: list[Change],
) -> None:
    pair = pair_of(found)
    old, new = (problem_accuracy.share(one).count for one in (pair.before, pair.after))
    assert gained_share.share(pair).count - lost_share.share(pair).count == new - old


def test_transitions_are_those_of_plain_arrays_too() -> None:
    before, after = [[True, None], [True, True]], [[True, True], [True, True]]
    found = transitions(before, after, ties="half")
    assert found == transitions((before, after), ties=Ties.HALF)
    assert (found.gained, found.unsettled) == (Share(0.5, 2), Share(0, 2))
    with pytest.raises(MetricError, match="one sample where two are expected"):
        transitions(before)


def test_of_schemas_alone_nobody_knows_which_answers_were_kept() -> None:
    one, other = sample([[True, False]]), sample([[False, True]])
    inverted = Paired(one, other, None, np.array([[0, 0]]))
    assert transitions(inverted).kept == Share(1, 1)
    assert transitions(inverted).kept_with_other_answers is None
    with pytest.raises(MetricError, match="only the schemas do"):
        kept_with_other_answers(inverted)
