from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.metrics import (
    Metric,
    Ties,
    anti_solved_share,
    half_solved_share,
    problem_accuracy,
    sample,
    schema_accuracy,
    undecided_share,
)
from horsesense.scoring import Share
from tests.strategies import brisk

Row: TypeAlias = tuple[bool | None, bool | None]

problem = st.sampled_from([True, False, None])
rows = st.lists(st.tuples(problem, problem), min_size=1)
decided_rows = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1)


@pytest.mark.parametrize(
    ("row", "solved", "half_solved", "anti_solved"),
    [
        ((True, True), 1, 0, 0),
        ((True, False), 0, 1, 0),
        ((False, True), 0, 1, 0),
        ((False, False), 0, 0, 1),
        ((True, None), 0, 1, 0),
        ((None, None), 0, 0, 1),
    ],
)
def test_a_schema_is_solved_half_solved_or_anti_solved(
    row: Row, solved: int, half_solved: int, anti_solved: int
) -> None:
    assert schema_accuracy([row]) == Share(solved, 1)
    assert half_solved_share([row]) == Share(half_solved, 1)
    assert anti_solved_share([row]) == Share(anti_solved, 1)


@pytest.mark.parametrize(
    ("row", "solved"),
    [((True, None), 0.5), ((None, None), 0.25), ((None, False), 0)],
)
def test_an_undecided_problem_may_count_half(row: Row, solved: float) -> None:
    assert schema_accuracy([row], ties=Ties.HALF) == Share(solved, 1)


def test_the_accuracy_on_nothing_is_undefined() -> None:
    assert problem_accuracy([]).value is None
    assert schema_accuracy([True, False]).value is None


def test_whole_counts_are_whole_numbers() -> None:
    assert str(problem_accuracy([True, None])) == "Share(count=1, total=2)"
    assert str(problem_accuracy([True, None], ties=Ties.HALF)) == "Share(count=1.5, total=2)"


def test_a_problem_in_two_schemas_counts_once_among_problems() -> None:
    """As the triple of WSC273 does, which makes two schemas."""
    alone = sample([True, True, False], clusters=["triple"] * 3)
    shared = replace(alone, schemas=np.array([[0, 1], [1, 2]]))
    assert problem_accuracy(shared) == Share(2, 3)
    assert schema_accuracy(shared) == Share(1, 2)
    assert schema_accuracy.columns(shared).tolist() == [[1, 2]]


@given(decided_rows)
@brisk
def test_problem_accuracy_follows_from_solved_and_half_solved_schemas(rows: list[Row]) -> None:
    """The thesis' a = A + A′/2."""
    solved, half_solved = schema_accuracy.share(rows), half_solved_share.share(rows)
    assert problem_accuracy.share(rows).count == 2 * solved.count + half_solved.count


@given(st.lists(st.sampled_from([(True, True), (True, False), (False, True)]), min_size=1))
@brisk
def test_what_never_anti_solves_has_half_of_one_and_its_schema_accuracy(rows: list[Row]) -> None:
    """The thesis' a = (1 + A)/2."""
    schemas = schema_accuracy(rows).value
    assert schemas is not None
    assert problem_accuracy(rows).value == pytest.approx((1 + schemas) / 2)


@given(st.lists(st.sampled_from([(True, False), (False, True)]), min_size=1))
@brisk
def test_always_choosing_the_first_option_solves_half_and_no_schema(rows: list[Row]) -> None:
    """The right answer flips within a schema, so one of its problems is solved."""
    assert problem_accuracy(rows).value == 0.5
    assert schema_accuracy(rows).value == 0


@pytest.mark.parametrize("ties", Ties)
@given(rows=rows)
@brisk
def test_solved_half_solved_and_anti_solved_are_all(ties: Ties, rows: list[Row]) -> None:
    parts = (schema_accuracy, half_solved_share, anti_solved_share)
    assert sum(part.share(rows, ties=ties).count for part in parts) == len(rows)


@given(rows)
@brisk
def test_half_lies_between_failing_and_solving_what_is_undecided(rows: list[Row]) -> None:
    failed, half = (problem_accuracy.share(rows, ties=ties) for ties in Ties)
    assert half.count == failed.count + undecided_share.share(rows).count / 2


@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize("metric", [problem_accuracy, schema_accuracy], ids=lambda one: one.name)
@given(rows=rows)
@brisk
def test_accuracies_equal_a_loop(metric: Metric, ties: Ties, rows: list[Row]) -> None:
    worth = {True: 1.0, False: 0.0, None: 0.5 if ties is Ties.HALF else 0.0}
    if metric is problem_accuracy:
        expected = Share(sum(worth[one] for row in rows for one in row), 2 * len(rows))
    else:
        expected = Share(sum(worth[first] * worth[second] for first, second in rows), len(rows))
    assert metric(rows, ties=ties) == expected
