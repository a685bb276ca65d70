from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import (
    Ties,
    Value,
    combined,
    consistent_accuracy,
    consistent_schema_accuracy,
    exact_match,
    exact_schema_match,
    problem_accuracy,
    sample,
    schema_accuracy,
    worst_member,
    worst_member_accuracy,
)
from horsesense.scoring import Share
from tests.strategies import brisk

WORTH = {
    Ties.FAILED: {True: 1.0, False: 0.0, None: 0.0},
    Ties.HALF: {True: 1.0, False: 0.0, None: 0.5},
}

problem = st.sampled_from([True, False, None])
rows = st.lists(st.lists(problem, min_size=2, max_size=2), min_size=3, max_size=3)
numbers = st.floats(-1e6, 1e6)


@st.composite
def grouped(draw: st.DrawFn) -> tuple[list[float], list[list[int]]]:
    scores = draw(st.lists(numbers, min_size=1, max_size=8))
    group = st.lists(st.integers(0, len(scores) - 1), min_size=1, max_size=4)
    return scores, draw(st.lists(group, min_size=1, max_size=6))


@given(grouped(), st.booleans())
@brisk
def test_the_worst_members_equal_a_loop(
    found: tuple[list[float], list[list[int]]], is_lower_better: bool
) -> None:
    scores, groups = found
    choose = max if is_lower_better else min
    worst = [choose(scores[at] for at in group) for group in groups]
    expected = pytest.approx(sum(worst) / len(worst), abs=1e-6)
    assert worst_member(scores, groups, is_lower_better=is_lower_better).value == expected


@given(st.lists(st.tuples(st.booleans(), st.booleans())))
@brisk
def test_the_worst_members_of_schemas_are_schema_accuracy(found: list[tuple[bool, bool]]) -> None:
    flat = np.array([one for row in found for one in row], dtype=bool)
    groups = [[2 * at, 2 * at + 1] for at in range(len(found))]
    assert worst_member(flat, groups) == schema_accuracy(found)


@given(st.lists(st.tuples(numbers, st.integers(0, 3)), min_size=1))
@brisk
def test_labels_say_the_same_as_positions(found: list[tuple[float, int]]) -> None:
    scores, labels = map(list, zip(*found, strict=True))
    lists = [[at for at, one in enumerate(labels) if one == label] for label in set(labels)]
    expected = pytest.approx(worst_member(scores, lists).value, abs=1e-6)
    assert worst_member(scores, labels).value == expected
    assert worst_member(scores, np.array(labels)).value == expected
    assert worst_member(scores, [f"group {label}" for label in labels]).value == expected


def test_booleans_give_shares_and_numbers_give_values() -> None:
    assert worst_member([True, False, True], ["a", "a", "b"]) == Share(1, 2)
    assert worst_member([1, 0, 1], ["a", "a", "b"]) == Value(0.5)
    assert worst_member([False, False, True], ["a", "a", "b"], is_lower_better=True) == Share(1, 2)


def test_groups_may_overlap_and_have_one_member() -> None:
    assert worst_member([3.0, 1.0, 2.0], [[0], [0, 2], np.array([0, 1, 2])]) == Value(2.0)


def test_without_groups_there_is_no_worst_member() -> None:
    assert worst_member(np.empty(0, bool), []) == Share(0, 0)
    assert worst_member([], []) == Value(None, "there are no groups")
    assert worst_member([0.5], []) == Value(None, "there are no groups")


@pytest.mark.parametrize(
    ("scores", "groups", "message"),
    [
        ([0.5, float("nan")], [[0]], "the score of problem 2 is nan"),
        ([float("inf")], [[0]], "the score of problem 1 is inf"),
        ([True, None], [[0]], "say what an undecided one counts for"),
        (["good"], [[0]], "a score is a real number or a boolean"),
        ([[0.5]], [[0]], "scores of 2 dimensions"),
        ([0.5], [[0], []], "group 2 is empty"),
        ([0.5], [[1]], "group 1 has a position that is not between 0 and 0"),
        ([0.5], [[-1]], "group 1 has a position"),
        ([0.5], [[0.0]], "group 1 is not a list of positions"),
        ([0.5], [[[0]]], "group 1 is not a list of positions"),
        ([0.5, 1.0], [[0], 1], "some groups are lists of positions, and some are labels"),
        ([0.5, 1.0], ["a"], "1 labels of groups for 2 scores"),
        ([1.5 + 2j], [[0]], "a score is a real number or a boolean"),
        ([1.5e308, 1.5e308], [[0], [1]], "the scores are too large to have a mean"),
        (np.ma.array([0.5, 1.0], mask=[True, False]), [[0]], "scores: a masked array; give None"),
        ([0.5, 1.0], np.ma.array([0, 1], mask=[True, False]), "groups: a masked array"),
        ([0.5, 1.0], [np.ma.array([0, 1], mask=[True, False])], "groups: a masked array"),
        ([0.5, 1.0], {"a": 1, "b": 2}, "groups: a dict; give an array or a list"),
        ({0.5: 1}, [[0]], "scores: a dict; give an array or a list"),
    ],
)
def test_what_is_no_score_or_no_group_is_said(scores: Any, groups: Any, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        worst_member(scores, groups)


@pytest.mark.parametrize("ties", Ties)
@given(found=st.lists(rows, min_size=1, max_size=4))
@brisk
def test_exact_match_equals_a_loop(ties: Ties, found: list[list[list[bool | None]]]) -> None:
    worth = np.array([[[WORTH[ties][one] for one in row] for row in each] for each in found])
    all_solved = np.multiply.reduce(worth, axis=0)
    assert exact_match(*found, ties=ties) == Share(all_solved.sum(), all_solved.size)
    schemas = all_solved[:, 0] * all_solved[:, 1]
    assert exact_schema_match(*found, ties=ties) == Share(schemas.sum(), len(schemas))


@pytest.mark.parametrize("ties", Ties)
@given(old=rows, new=rows)
@brisk
def test_of_two_samples_exact_match_is_consistent_accuracy(
    ties: Ties, old: list[list[bool | None]], new: list[list[bool | None]]
) -> None:
    assert exact_match(old, new, ties=ties) == consistent_accuracy(old, new, ties=ties)
    schemas = consistent_schema_accuracy(old, new, ties=ties)
    assert exact_schema_match(old, new, ties=ties) == schemas


@pytest.mark.parametrize("ties", Ties)
def test_failing_once_decides_and_else_one_undecided_leaves_undecided(ties: Ties) -> None:
    for values in product([True, False, None], repeat=3):
        problems = combined(*([value] for value in values), ties=ties).problems
        is_undecided = False not in values and None in values
        assert problems.undecided.tolist() == [is_undecided]
        assert problems.decided.tolist() == [ties is Ties.HALF or not is_undecided]


def test_a_combined_sample_can_be_resampled_as_the_original_is() -> None:
    dyad = sample(
        [[True, True], [True, False]], clusters=[0, 0], marks={"male": [[True, False]] * 2}
    )
    both = combined(dyad, sample([[True, False], [True, False]], clusters=[0, 0]))
    assert both.mark("male").tolist() == [True, False, True, False]
    assert both.chosen is None
    assert problem_accuracy.columns(both).tolist() == [[2, 4]]


def test_samples_that_do_not_fit_cannot_be_combined() -> None:
    with pytest.raises(MetricError, match="they do not pair"):
        exact_match([[True, True]], [[True, True]], [True, True])
    with pytest.raises(MetricError, match="no samples to combine"):
        exact_match()


def test_the_worst_member_of_a_cluster_counts_for_all_of_it() -> None:
    dyads = sample([[True, True], [True, True], [True, False]], clusters=["a", "a", "b"])
    assert worst_member_accuracy(dyads) == Share(1, 2)
    assert worst_member_accuracy(dyads) == worst_member(
        [True, True, True, True, True, False], ["a"] * 4 + ["b"] * 2
    )


def test_a_cluster_without_problems_is_not_counted() -> None:
    whole = sample([[True, True], [True, False]])
    kept = np.array([True, True, False, False])
    assert worst_member_accuracy(whole.among(kept)) == Share(1, 1)
