from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.metrics import (
    Ties,
    first_given_failed,
    first_given_solved,
    first_problem_accuracy,
    problem_accuracy,
    second_given_failed,
    second_given_solved,
    second_problem_accuracy,
)
from horsesense.scoring import Share
from tests.strategies import brisk

Row: TypeAlias = tuple[bool | None, bool | None]

problem = st.sampled_from([True, False, None])
rows = st.lists(st.tuples(problem, problem))
# In the order of thesis Table 3.9.
METRICS = (
    problem_accuracy,
    second_problem_accuracy,
    second_given_solved,
    second_given_failed,
    first_problem_accuracy,
    first_given_solved,
    first_given_failed,
)


@pytest.mark.parametrize(
    ("counts", "printed"),
    [
        ((66, 26, 40, 1), ".744 .797 .717 .976 .692 .623 .963"),
        ((76, 18, 39, 0), ".786 .865 .809 1.000 .707 .661 1.000"),
        ((98, 8, 27, 0), ".868 .940 .925 1.000 .797 .784 1.000"),
    ],
    ids=["GPT-2", "RoBERTa", "T5"],
)
def test_the_statistics_of_table_3_9_come_out(counts: tuple[int, ...], printed: str) -> None:
    patterns = np.array([[True, True], [True, False], [False, True], [False, False]])
    found = np.repeat(patterns, counts, axis=0)
    assert len(found) == 133
    assert " ".join(f"{one(found).value:.3f}".lstrip("0") for one in METRICS) == printed


@given(rows)
@brisk
def test_the_shares_equal_a_loop(found: list[Row]) -> None:
    first, second = ([row[at] is True for row in found] for at in (0, 1))
    both = list(zip(first, second, strict=True))
    assert first_problem_accuracy(found) == Share.of(first)
    assert second_problem_accuracy(found) == Share.of(second)
    assert second_given_solved(found) == Share.of(two for one, two in both if one)
    assert second_given_failed(found) == Share.of(two for one, two in both if not one)
    assert first_given_solved(found) == Share.of(one for one, two in both if two)
    assert first_given_failed(found) == Share.of(one for one, two in both if not two)


def test_undecided_problems_may_count_half_on_either_side() -> None:
    rows: list[Row] = [(None, True), (True, None)]
    assert second_given_solved(rows, ties=Ties.HALF) == Share(1, 1.5)
    assert second_given_failed(rows, ties=Ties.HALF) == Share(0.5, 0.5)


def test_what_is_asked_of_nothing_is_undefined() -> None:
    assert second_given_solved([[False, True]]).value is None
    assert second_given_failed([[True, True]]).value is None
    assert first_given_solved([[True, False]]).value is None
    assert first_given_failed([[True, True]]).value is None


def test_what_is_undefined_says_of_which_problem() -> None:
    conditions = (second_given_solved, second_given_failed, first_given_solved, first_given_failed)
    assert [one.declared.undefined for one in conditions] == [
        "no schema's first problem was solved",
        "no schema's first problem was failed",
        "no schema's second problem was solved",
        "no schema's second problem was failed",
    ]
