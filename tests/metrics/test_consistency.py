from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import (
    Metric,
    Paired,
    Ties,
    consistency,
    consistent_accuracy,
    consistent_schema_accuracy,
    inversely_preserved_accuracy,
    inversely_preserved_schema_accuracy,
    paired,
    preserved_accuracy,
    preserved_schema_accuracy,
    problem_accuracy,
    sample,
    schema_consistency,
    strict_schema_consistency,
    weak_schema_consistency,
)
from horsesense.scoring import Share
from tests.strategies import brisk

Row: TypeAlias = tuple[bool | None, bool | None]
Change: TypeAlias = tuple[Row, Row]

problem = st.sampled_from([True, False, None])
row = st.tuples(problem, problem)
changes = st.lists(st.tuples(row, row), max_size=8)

OF_SCHEMAS: dict[Metric, Callable[[Row, Row], bool]] = {
    weak_schema_consistency: lambda old, new: all(old) == all(new),
    schema_consistency: lambda old, new: sum(map(bool, old)) == sum(map(bool, new)),
    strict_schema_consistency: lambda old, new: list(map(bool, old)) == list(map(bool, new)),
    consistent_schema_accuracy: lambda old, new: all(old) and all(new),
}


def before(found: list[Change]) -> list[Row]:
    return [old for old, _ in found]


def after(found: list[Change]) -> list[Row]:
    return [new for _, new in found]


def values(rows: Any, rows_after: Any) -> list[float | None]:
    """c, C*, C and C̃."""
    metrics = (
        consistency,
        strict_schema_consistency,
        schema_consistency,
        weak_schema_consistency,
    )
    return [metric(rows, rows_after).value for metric in metrics]


def test_exchanging_the_solved_one_of_half_solved_schemas_is_consistent_for_schemas_only() -> None:
    assert values([[True, False]] * 3, [[False, True]] * 3) == [0, 0, 1, 1]


def test_half_solving_what_was_solved_is_half_consistent_for_problems_only() -> None:
    assert values([[True, True]] * 3, [[True, False]] * 3) == [0.5, 0, 0, 0]


def test_failing_everything_twice_is_consistent_and_never_accurate() -> None:
    """Where the thesis says after (3.92) that C_a is at least C*."""
    failing = [[False, False]] * 3
    assert values(failing, failing) == [1, 1, 1, 1]
    assert consistent_schema_accuracy(failing, failing) == Share(0, 3)


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=1))
@brisk
def test_stability_is_consistency(found: list[tuple[int, int, int]]) -> None:
    """Abdou et al. count where the same of two options is chosen before and after."""
    right, old, new = np.array(found).T
    assert consistency(old == right, new == right).value == np.mean(old == new)


@pytest.mark.parametrize("metric", OF_SCHEMAS, ids=lambda one: one.name)
@given(found=changes)
@brisk
def test_shares_of_schemas_equal_a_loop(metric: Metric, found: list[Change]) -> None:
    holds = OF_SCHEMAS[metric]
    count = sum(holds(old, new) for old, new in found)
    assert metric(before(found), after(found)) == Share(count, len(found))


@given(changes)
@brisk
def test_shares_of_problems_equal_a_loop(found: list[Change]) -> None:
    pairs = [pair for old, new in found for pair in zip(old, new, strict=True)]
    alike = sum(old is new and old is not None for old, new in pairs)
    both = sum(old is True and new is True for old, new in pairs)
    solved = [sum(pair[side] is True for pair in pairs) for side in (0, 1)]
    given_ = before(found), after(found)
    assert consistency(*given_) == Share(alike, len(pairs))
    assert consistent_accuracy(*given_) == Share(both, len(pairs))
    assert preserved_accuracy(*given_) == Share(both, solved[0])
    assert inversely_preserved_accuracy(*given_) == Share(both, solved[1])


@given(changes)
@brisk
def test_preserved_schema_accuracies_equal_a_loop(found: list[Change]) -> None:
    both = sum(all(old) and all(new) for old, new in found)
    given_ = before(found), after(found)
    assert preserved_schema_accuracy(*given_) == Share(both, sum(map(all, given_[0])))
    assert inversely_preserved_schema_accuracy(*given_) == Share(both, sum(map(all, given_[1])))


def test_two_undecided_problems_are_not_consistent() -> None:
    assert consistency([[None, None]], [[None, None]]).value == 0
    assert consistency([[None, False]], [[False, None]]).value == 0


@pytest.mark.parametrize(
    ("row", "row_after", "expected"),
    [
        ((False, None), (False, False), [1, 1, 1]),
        ((None, None), (None, None), [1, 1, 1]),
        ((True, None), (True, False), [1, 1, 1]),
        ((True, None), (None, True), [0, 1, 1]),
        ((True, None), (None, None), [0, 0, 1]),
        ((True, None), (True, True), [0, 0, 0]),
    ],
)
def test_a_schema_with_an_undecided_problem_is_unsolved_before_and_after(
    row: Row, row_after: Row, expected: list[float]
) -> None:
    """C*, C and C̃ ask what is solved, and an undecided problem is not."""
    assert values([row], [row_after])[1:] == expected


def test_with_undecided_problems_strict_consistency_may_exceed_that_of_problems() -> None:
    """Thesis 3.7.3 has c at least C*, and no undecided problems."""
    assert values([[None, None]], [[None, None]])[:2] == [0, 1]


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        (consistency, 0.5),
        (consistent_accuracy, 0.25),
        (schema_consistency, 0.375),
        (strict_schema_consistency, 0.25),
        (weak_schema_consistency, 0.625),
        (consistent_schema_accuracy, 0.0625),
    ],
    ids=lambda one: getattr(one, "name", None),
)
def test_undecided_problems_that_count_half_are_as_consistent_as_guesses(
    metric: Metric, value: float
) -> None:
    assert metric([[None, None]], [[None, None]], ties=Ties.HALF).value == value
    assert metric.declared.chance == value


def test_what_is_preserved_of_nothing_is_undefined() -> None:
    assert preserved_accuracy([[False, False]], [[True, True]]).value is None
    assert inversely_preserved_accuracy([[True, True]], [[False, False]]).value is None
    assert preserved_schema_accuracy([[True, False]], [[True, True]]).value is None


def test_under_a_schema_transformation_only_schemas_are_compared() -> None:
    one = sample([[True, False]])
    inverted = Paired(one, sample([[False, True]]), None, np.array([[0, 0]]))
    assert schema_consistency(inverted) == Share(1, 1)
    for metric in (consistency, strict_schema_consistency):
        with pytest.raises(MetricError, match="no problem corresponds to another"):
            metric(inverted)


def test_problems_pair_as_the_pairs_say() -> None:
    old, new = sample([True, False], clusters=[0, 0]), sample([True, False], clusters=[0, 0])
    crossed = Paired(old, new, np.array([[0, 1], [1, 0]]), np.empty((0, 2), np.intp))
    assert consistency(crossed) == Share(0, 2)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ([[True]], r"one sample where two are expected; give before and after, \(before, after\)"),
        (
            [[True]] * 3,
            r"3 samples; give before and after, \(before, after\) or paired\(before, after\)",
        ),
        ([[True], [True, False]], "they do not pair"),
    ],
)
def test_before_and_after_must_be_given_and_fit(given_: list[Any], message: str) -> None:
    with pytest.raises(MetricError, match=message):
        consistency(*given_)


def test_two_samples_may_be_given_in_a_tuple() -> None:
    assert consistency(([True, False], [True, True])) == Share(1, 2)


def test_what_is_undefined_is_said_of_schemas_where_schemas_are_counted() -> None:
    halves = [[True, False]] * 2
    for metric in (preserved_schema_accuracy, inversely_preserved_schema_accuracy):
        assert metric(halves, halves).value is None
        assert metric.declared.undefined.startswith("no schema was solved ")
    for metric in (preserved_accuracy, inversely_preserved_accuracy):
        assert metric.declared.undefined.startswith("no problem was solved ")


def test_a_plain_array_has_no_columns() -> None:
    plain: Any = [True]
    with pytest.raises(MetricError, match="a plain array where two are expected; give paired"):
        consistency.columns(plain)
    with pytest.raises(MetricError, match="a plain array where one sample is expected; give sa"):
        problem_accuracy.columns(plain)


def test_one_sample_has_no_columns_of_a_comparison() -> None:
    with pytest.raises(MetricError, match="one sample where two are expected"):
        consistency.columns(sample([True]))


def test_counts_are_kept_by_cluster() -> None:
    pair = paired([[True, True], [True, False]], [[True, False], [True, False]])
    assert consistency.columns(pair).tolist() == [[1, 2], [2, 2]]
