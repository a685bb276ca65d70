from collections import Counter
from itertools import permutations
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from horsesense.errors import MetricError
from horsesense.metrics import (
    Feasible,
    Paired,
    Ties,
    Value,
    chance_corrected_consistency,
    consistency,
    consistency_range,
    expected_strict_consistency,
    feasible_consistency,
    paired,
    sample,
    strict_schema_consistency,
)
from tests.strategies import brisk

Row: TypeAlias = tuple[bool | None, bool | None]

ALWAYS_FIRST: list[Row] = [(True, False), (False, True)] * 5
PATTERNS: list[Row] = [(True, True), (True, False), (False, True), (False, False)]

row = st.tuples(st.booleans(), st.booleans())
changes = st.lists(st.tuples(row, row), min_size=1, max_size=8)
problem = st.sampled_from([True, False, None])
open_row = st.tuples(problem, problem)
open_changes = st.lists(st.tuples(open_row, open_row), min_size=1, max_size=8)


def sides(found: list[tuple[Row, Row]]) -> tuple[list[Row], list[Row]]:
    return [old for old, _ in found], [new for _, new in found]


def expected_by_loop(before: list[Row], after: list[Row]) -> float:
    """Every schema before with every schema after; what is undecided is not solved."""
    agreeing = [pattern(old) == pattern(new) for old in before for new in after]
    return sum(agreeing) / len(agreeing)


def pattern(row: Row) -> tuple[bool, bool]:
    """Which problems of a schema are solved."""
    return bool(row[0]), bool(row[1])


@given(open_changes)
@brisk
def test_expected_agreement_is_that_of_every_schema_with_every_other(
    found: list[tuple[Row, Row]],
) -> None:
    expected = pytest.approx(expected_by_loop(*sides(found)))
    assert expected_strict_consistency(*sides(found)).value == expected


@given(open_changes)
@brisk
def test_correcting_equals_a_loop(found: list[tuple[Row, Row]]) -> None:
    before, after = sides(found)
    strict = sum(pattern(old) == pattern(new) for old, new in found) / len(found)
    expected = expected_by_loop(before, after)
    value = chance_corrected_consistency(before, after).value
    if expected == 1:
        assert value is None
    else:
        assert value == pytest.approx((strict - expected) / (1 - expected))


@given(changes)
@brisk
def test_it_is_cohens_kappa_of_the_four_patterns(found: list[tuple[Row, Row]]) -> None:
    counted = Counter(found)
    table = np.array([[counted[old, new] for new in PATTERNS] for old in PATTERNS], dtype=float)
    value = chance_corrected_consistency(*sides(found)).value
    if value is not None:
        assert value == pytest.approx(cohens_kappa(table, return_results=False))


@given(st.lists(st.tuples(row, row), min_size=1, max_size=4))
@brisk
def test_over_all_ways_to_pair_the_schemas_it_is_zero(found: list[tuple[Row, Row]]) -> None:
    before, after = sides(found)
    values = [chance_corrected_consistency(before, list(way)).value for way in permutations(after)]
    assert values[0] is None or np.mean(np.array(values, dtype=float)) == pytest.approx(0, abs=1e-9)


def test_always_choosing_the_first_option_is_no_reason_to_praise() -> None:
    """All schemas are half-solved; which option is right decides which pattern they have."""
    assert consistency(ALWAYS_FIRST, ALWAYS_FIRST).value == 1
    assert expected_strict_consistency(ALWAYS_FIRST, ALWAYS_FIRST).value == 0.5
    one_pattern = [(True, False)] * 10
    assert chance_corrected_consistency(one_pattern, one_pattern).value is None


def test_it_is_what_is_left_of_the_agreement_that_is_not_expected() -> None:
    before: list[Row] = [(True, True), (True, True), (True, False), (False, False)]
    after: list[Row] = [(True, True), (True, False), (True, False), (False, False)]
    expected = expected_strict_consistency(before, after).value
    assert expected == pytest.approx((2 * 1 + 1 * 2 + 1 * 1) / 16)
    corrected = chance_corrected_consistency(before, after).value
    assert corrected == pytest.approx((12 - 5) / (16 - 5))


def test_where_all_is_undecided_all_schemas_have_one_pattern_and_there_is_no_value() -> None:
    undecided: list[Row] = [(None, None)] * 2
    found = chance_corrected_consistency(undecided, undecided)
    assert isinstance(found, Value)
    assert found.value is None
    assert found.reason.startswith("all schemas have the same pattern before and after")
    assert chance_corrected_consistency(undecided, undecided, ties=Ties.HALF).value is not None


def test_an_undecided_problem_is_an_unsolved_one_of_the_pattern() -> None:
    before: list[Row] = [(True, True), (True, None)]
    after: list[Row] = [(True, True), (True, False)]
    assert expected_strict_consistency(before, after).value == 0.5
    assert chance_corrected_consistency(before, after).value == 1


def test_problems_must_correspond() -> None:
    one = sample([[True, False]])
    inverted = Paired(one, one, None, np.array([[0, 0]]))
    for metric in (expected_strict_consistency, chance_corrected_consistency):
        with pytest.raises(MetricError, match="only the schemas do"):
            metric(inverted)


def test_undecided_problems_that_count_half_have_every_pattern() -> None:
    undecided: list[Row] = [(None, None)]
    assert expected_strict_consistency(undecided, undecided).value == 1
    assert expected_strict_consistency(undecided, undecided, ties=Ties.HALF).value == 0.25
    assert strict_schema_consistency(undecided, undecided, ties=Ties.HALF).value == 0.25


problems = st.lists(st.tuples(problem, problem), min_size=1, max_size=5)


@given(problems, st.sampled_from(Ties))
@brisk
def test_the_range_is_that_of_all_ways_to_pair_the_same_outcomes(
    found: list[Row], ties: Ties
) -> None:
    before, after = [old for old, _ in found], [new for _, new in found]
    ways = [consistency(before, list(way), ties=ties).value for way in permutations(after)]
    reached = np.array(ways, dtype=float)
    feasible = consistency_range(before, after, ties=ties)
    assert feasible is not None
    assert [feasible.low, feasible.high] == pytest.approx([reached.min(), reached.max()])


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
@brisk
def test_where_all_is_decided_the_range_follows_from_the_accuracies(
    found: list[tuple[bool, bool]],
) -> None:
    before, after = [old for old, _ in found], [new for _, new in found]
    feasible = consistency_range(paired(before, after))
    expected = feasible_consistency(float(np.mean(before)), float(np.mean(after)))
    assert feasible is not None
    assert [feasible.low, feasible.high] == pytest.approx([expected.low, expected.high])


def test_what_is_undecided_twice_can_never_be_consistent() -> None:
    undecided = [[None, None]] * 3
    assert consistency_range(undecided, undecided) == Feasible(0, 0)
    assert consistency_range(undecided, undecided, ties=Ties.HALF) == Feasible(0.5, 0.5)


@pytest.mark.parametrize("value", [True, False])
def test_what_nothing_else_is_left_for_must_agree(value: bool) -> None:
    assert consistency_range([value] * 3 + [None], [value] * 4) == Feasible(0.75, 0.75)
    assert consistency_range([value] * 3 + [None], [not value] * 4) == Feasible(0, 0)


def test_there_is_no_range_of_nothing_nor_where_the_rules_differ() -> None:
    failed, half = (sample([None, True], ties=ties) for ties in Ties)
    assert consistency_range(failed, half) is None
    assert consistency_range(half, failed) is None
    assert consistency_range([], []) is None
    schemas = sample([[True, False]])
    assert consistency_range(Paired(schemas, schemas, None, np.array([[0, 0]]))) is None


@pytest.mark.parametrize(("solved", "solved_after"), [(0, 0), (1, 3), (2, 3), (4, 4), (2, 2)])
def test_both_ends_of_the_range_are_reached(solved: int, solved_after: int) -> None:
    def steady(order: int) -> float | None:
        old = [at < solved for at in range(4)]
        new = [at < solved_after for at in range(4)][::order]
        return consistency(old, new).value

    feasible = feasible_consistency(solved / 4, solved_after / 4)
    assert Feasible(steady(-1) or 0.0, steady(1) or 0.0) == feasible


@pytest.mark.parametrize("wrong", [-0.1, 1.5, float("nan")])
def test_what_is_no_accuracy_is_said(wrong: float) -> None:
    for given_ in ((wrong, 0.5), (0.5, wrong)):
        with pytest.raises(MetricError, match="is not an accuracy"):
            feasible_consistency(*given_)
