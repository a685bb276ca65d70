from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import Outcomes, Ties, answered
from horsesense.scoring import Verdict
from tests.strategies import brisk


def table(read: Outcomes) -> list[Any]:
    return [read.solved.tolist(), read.decided.tolist(), read.undecided.tolist()]


def test_undecided_problems_are_failed_and_consistent_with_nothing() -> None:
    assert table(answered([True, False, None])) == [[1, 0, 0], [1, 1, 0], [0, 0, 1]]


def test_undecided_problems_may_count_half() -> None:
    read = answered([True, False, None], Ties.HALF)
    assert table(read) == [[1, 0, 0.5], [1, 1, 1], [0, 0, 1]]
    assert read.failed.tolist() == [0, 1, 0.5]


@pytest.mark.parametrize(
    "values",
    [
        [[True, False], [None, True]],
        [(1, 0), (None, 1)],
        [[1.0, 0.0], [None, np.True_]],
        np.array([[True, False], [None, True]]),
        [np.array([True, False]), [None, np.int64(1)]],
        [[Verdict.SOLVED, Verdict.FAILED], [Verdict.UNDECIDED, Verdict.SOLVED]],
    ],
    ids=["booleans", "numbers", "mixed", "array", "arrays", "verdicts"],
)
def test_schemas_may_be_given_in_many_ways(values: Any) -> None:
    assert table(answered(values)) == [
        [[1, 0], [0, 1]],
        [[1, 1], [0, 1]],
        [[0, 0], [1, 0]],
    ]


def test_a_rule_may_be_given_by_its_name() -> None:
    assert table(answered([True, None], "half")) == [[1, 0.5], [1, 1], [0, 1]]
    assert table(answered([True, None], "failed")) == [[1, 0], [1, 0], [0, 1]]


def test_an_unknown_rule_is_said() -> None:
    rule: Any = "third"
    with pytest.raises(MetricError, match="'third' is not a rule .*; give 'failed' or 'half'"):
        answered([True], rule)


@pytest.mark.parametrize("dtype", [bool, int, float, np.uint8])
def test_arrays_of_zeros_and_ones_are_read_as_such(dtype: type) -> None:
    assert answered(np.array([1, 0, 1], dtype=dtype)).solved.tolist() == [1, 0, 1]


@pytest.mark.parametrize("values", [[], np.empty((0, 2)), np.empty(0, dtype=object)])
def test_nothing_is_read_as_nothing(values: Any) -> None:
    assert len(answered(values)) == 0


def test_some_problems_can_be_taken_and_laid_out() -> None:
    read = answered([[True, None], [False, True]])
    assert table(read.ravel()) == [[1, 0, 0, 1], [1, 0, 1, 1], [0, 1, 0, 0]]
    assert table(read[1:]) == [[[0, 1]], [[1, 1]], [[0, 0]]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (True, "True is not an array; give True, False or None for each problem"),
        ([0.5], "0.5 is neither solved nor failed; give True, False or None"),
        (np.array([0.5, 1]), "0.5 is neither solved"),
        (np.array([2]), "2 is neither solved"),
        (np.array([np.nan]), "nan is neither solved"),
        (np.array(["yes"]), "'yes' is neither solved"),
        (["yes"], "'yes' is neither solved"),
        ([float("nan")], "nan is neither solved"),
        ([[[True, True], [True, False]]], r"\[True, True\] is neither solved"),
        ([[np.array([True, True])]], "is neither solved"),
        ([Verdict.UNLABELLED], "an unlabelled problem is neither solved nor failed; leave it out"),
        (np.zeros((1, 2, 2)), r"3 dimensions; give \(n,\) problems or \(n, 2\)"),
        (np.array(True), "0 dimensions"),
        ([[True, True], [True]], "row 2 has 1 problems, and the first 2"),
        ([True, [True, False]], "some rows are problems, and some are schemas"),
        ([[True, False], None], "some rows are problems, and some are schemas"),
    ],
)
def test_what_cannot_be_read_is_said(values: Any, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        answered(values)


@given(st.lists(st.sampled_from([True, False, None])), st.sampled_from(Ties))
@brisk
def test_reading_equals_a_loop(values: list[bool | None], ties: Ties) -> None:
    expected: list[list[float]] = [[], [], []]
    for value in values:
        half = 0.5 if ties is Ties.HALF else 0.0
        solved = half if value is None else float(value)
        expected[0].append(solved)
        expected[1].append(0.0 if value is None and ties is Ties.FAILED else 1.0)
        expected[2].append(1.0 if value is None else 0.0)
    assert table(answered(values, ties)) == expected


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.ma.array([True, False], mask=[False, True]), "a masked array; give None for what is"),
        ([np.ma.array([True, False], mask=[False, True])] * 2, "a masked array; give None"),
        ([True, np.ma.masked], "a masked array; give None"),
        ({True: 1, False: 2}, "a dict; give an array or a list"),
        ({True, False}, "a set; give an array or a list"),
        (frozenset({True}), "a frozenset; give"),
        ({1: True}.keys(), "a dict_keys; give"),
        (b"\x00\x01", "a bytes; give"),
        ("01", "a str; give"),
        (None, "None is not an array"),
        (True, "True is not an array"),
    ],
)
def test_what_hides_values_or_has_no_order_is_no_array(values: Any, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        answered(values)
