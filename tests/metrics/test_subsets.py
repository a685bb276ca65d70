from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError, NotationError, UnknownNameError
from horsesense.metrics import (
    Paired,
    Sample,
    answered,
    condition,
    consistency,
    paired,
    problem_accuracy,
    sample,
    schema_accuracy,
    schema_consistency,
    split,
    subset,
)
from horsesense.scoring import Share
from tests.metrics.replies import Case, paired_of, sets_of, with_undecided
from tests.strategies import brisk

NAMES = ("female", "male", "gotcha", "equal-length")
Holds: TypeAlias = Callable[[frozenset[str]], bool]

WHOLE = sample(
    [[True, False], [True, True], [False, False]],
    marks={
        "old": [[True, True], [True, False], [False, False]],
        "ns:a/b_c.1+2": [[True, False]] * 3,
        "nowhere": [[False, False]] * 3,
    },
)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> tuple[str, Holds]:
    """An expression, always in brackets, and what it means."""
    kind = draw(st.sampled_from(["name", "not", "and", "or"])) if depth else "name"
    if kind == "name":
        name = draw(st.sampled_from(NAMES))
        return name, lambda marks: name in marks
    text, holds = draw(expressions(depth=depth - 1))
    if kind == "not":
        return f"not ({text})", lambda marks: not holds(marks)
    other, also = draw(expressions(depth=depth - 1))
    if kind == "and":
        return f"({text}) and({other})", lambda marks: holds(marks) and also(marks)
    return f"(({text})or ({other}))", lambda marks: holds(marks) or also(marks)


@given(with_undecided, expressions())
@brisk
def test_a_subset_is_what_its_expression_says(case: Case, asked: tuple[str, Holds]) -> None:
    expression, holds = asked
    data = paired_of(case).before
    expected = [holds(one.marks) for old, _ in case for one in old]
    assert condition(expression)(data).tolist() == expected
    found = subset(data, expression)
    assert found.problems.solved.tolist() == data.problems.solved[np.array(expected, bool)].tolist()


@pytest.mark.parametrize(
    ("expression", "meaning"),
    [
        ("not male and female", "(not male) and female"),
        ("male or female and gotcha", "male or (female and gotcha)"),
        ("male and female or gotcha", "(male and female) or gotcha"),
        ("not not male", "male"),
        ("not male or female", "(not male) or female"),
    ],
)
@given(case=with_undecided)
@brisk
def test_not_binds_closer_than_and_and_and_closer_than_or(
    expression: str, meaning: str, case: Case
) -> None:
    data = paired_of(case).before
    assert condition(expression)(data).tolist() == condition(meaning)(data).tolist()


@pytest.mark.parametrize(
    ("expression", "column", "problem"),
    [
        ("", 0, "the end stands where a name is expected"),
        ("old and", 7, "the end stands where a name is expected"),
        ("old and or", 8, "'or' stands where a name is expected"),
        ("old nowhere", 4, "'nowhere' stands where and, or, or the end is expected"),
        ("old)", 3, "')' stands where and, or, or the end is expected"),
        ("not (old", 4, "this bracket is never closed"),
        ("(old nowhere)", 5, "'nowhere' stands where and, or, or ')' is expected"),
        ("old and ()", 9, "')' stands where a name is expected"),
        ("not " * 300 + "old", 800, "the expression has more than 200 words"),
    ],
)
def test_an_expression_that_cannot_be_read_says_where(
    expression: str, column: int, problem: str
) -> None:
    with pytest.raises(NotationError) as caught:
        subset(WHOLE, expression)
    assert (caught.value.column, caught.value.problem) == (column, problem)
    assert caught.value.line == expression


def test_names_may_hold_what_tags_may_hold() -> None:
    assert len(subset(WHOLE, "ns:a/b_c.1+2").problems) == 3


def test_an_unknown_mark_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="'nowere'; did you mean nowhere"):
        subset(WHOLE, "old or nowere")


def test_a_schema_left_with_one_problem_counts_among_problems_only() -> None:
    found = subset(WHOLE, "old")
    assert problem_accuracy(found) == Share(2, 3)
    assert schema_accuracy(found) == Share(0, 1)


def test_the_clusters_of_a_subset_are_only_its_own() -> None:
    found = subset(WHOLE, "not old")
    assert (found.clusters.tolist(), found.cluster_count) == ([0, 1, 1], 2)
    assert problem_accuracy.columns(found).tolist() == [[1, 1], [0, 2]]


def test_a_subset_and_its_complement_keep_the_clusters_of_the_whole() -> None:
    parts = split(WHOLE, "old")
    assert parts.subset.clusters.tolist() == [0, 0, 1]
    assert parts.complement.clusters.tolist() == [1, 2, 2]
    assert parts.subset.cluster_count == parts.complement.cluster_count == 3


def test_an_empty_subset_makes_metrics_undefined() -> None:
    found = subset(WHOLE, "nowhere")
    assert (len(found.problems), found.cluster_count) == (0, 0)
    assert problem_accuracy(found).value is schema_accuracy(found).value is None


@given(with_undecided)
@brisk
def test_a_subset_and_its_complement_make_up_all_problems(case: Case) -> None:
    data = paired_of(case)
    parts = split(data.before, "gotcha")
    sums = [problem_accuracy.columns(one) for one in (parts.subset, parts.complement)]
    assert (sums[0] + sums[1]).tolist() == problem_accuracy.columns(data.before).tolist()
    pairs = split(data, "gotcha")
    sums = [consistency.columns(one) for one in (pairs.subset, pairs.complement)]
    assert (sums[0] + sums[1]).tolist() == consistency.columns(data).tolist()


@given(with_undecided)
@brisk
def test_pairs_are_in_a_subset_where_both_sides_are(case: Case) -> None:
    old, new = sets_of(case, 0), sets_of(case, 1)
    found = subset(paired_of(case), "male")
    held = old.marked["male"] & new.marked["male"]
    inside = sorted(held)
    for side, sets in ((found.before, old), (found.after, new)):
        assert side.problems.solved.tolist() == [one in sets.solved for one in inside]
    assert found.problems is not None
    assert found.problems.tolist() == [[at, at] for at in range(len(inside))]
    whole = [w for w in old.schemas if {(w, 0), (w, 1)} <= held]
    assert len(found.schemas) == len(found.before.schemas) == len(whole)
    assert found.cluster_count == len({schema for schema, _ in inside})


@given(with_undecided, expressions())
@brisk
def test_an_expression_holds_of_a_pair_where_it_holds_on_both_sides(
    case: Case, asked: tuple[str, Holds]
) -> None:
    expression, holds = asked
    pair = paired_of(case)
    expected = [
        holds(before.marks) and holds(after.marks)
        for old, new in case
        for before, after in zip(old, new, strict=True)
    ]
    found = split(pair, expression)
    kept = np.array(expected, bool)
    for side, whole in ((found.subset.after, pair.after), (found.subset.before, pair.before)):
        assert side.problems.solved.tolist() == whole.problems.solved[kept].tolist()
    assert len(found.complement.before.problems) == len(expected) - sum(expected)


def test_a_mark_that_one_side_knows_is_that_of_the_pair() -> None:
    before = sample([True] * 4, marks={"old": [1, 1, 0, 0], "tall": [1, 0, 1, 0]})
    after = sample([True] * 4, marks={"tall": [1, 1, 0, 0], "new": [0, 1, 1, 1]})
    for both in (paired(before, after), paired(after, before)):
        for asked, count in {"old": 2, "tall": 1, "new": 3, "old and not new": 1}.items():
            assert len(subset(both, asked).before.problems) == count
        with pytest.raises(UnknownNameError, match="'ol'; did you mean old"):
            subset(both, "ol")


def test_two_samples_may_be_given_in_a_tuple() -> None:
    assert consistency(subset((WHOLE, WHOLE), "old")) == Share(3, 3)
    assert consistency(split((WHOLE, WHOLE), "old").complement) == Share(3, 3)


@pytest.mark.parametrize("plain", [[[True, False]], np.ones((2, 2), bool), ([True], [True])])
def test_a_plain_array_has_no_subsets(plain: Any) -> None:
    for function in (subset, split):
        with pytest.raises(MetricError, match=r"no marks .*; give sample\(values, marks=…\)"):
            function(plain, "old")


def test_where_only_schemas_correspond_whole_schemas_are_in_a_subset() -> None:
    # The same schemas in the opposite order, and so the same clusters.
    after = sample([[True, True], [True, False], [False, True]], clusters=[2, 1, 0])
    pairs = Paired(WHOLE, after, None, np.array([[0, 2], [1, 1], [2, 0]]))
    found = subset(pairs, "old")
    assert found.cluster_count == 1
    assert (len(found.before.problems), len(found.after.problems)) == (2, 2)
    assert found.problems is None
    assert found.schemas.tolist() == [[0, 0]]
    assert found.after.problems.solved.tolist() == [0, 1]
    assert schema_consistency(found) == Share(1, 1)


def test_what_has_no_counterpart_is_in_no_subset_of_pairs() -> None:
    after = sample([[True, True]] * 3)
    pairs = Paired(WHOLE, after, np.array([[0, 0], [1, 1], [2, 2]]), np.array([[0, 0]]))
    found = subset(pairs, "old")
    assert (len(found.before.problems), len(found.after.problems)) == (3, 3)
    parts = split(pairs, "old")
    assert len(parts.complement.before.problems) == 0
    assert consistency(parts.complement).value is None


def test_a_problem_with_two_counterparts_takes_both_into_a_subset() -> None:
    before = sample([[True, False], [True, True]], marks={"old": [[True, True], [False, False]]})
    after = sample([[True, True], [False, False], [True, True]], clusters=["a", "a", "b"])
    twice = np.array([[0, 0], [0, 2], [1, 1], [1, 3], [2, 4], [3, 5]])
    pairs = Paired(before, after, twice, np.array([[0, 0], [0, 1], [1, 2]]))
    found = subset(pairs, "old")
    assert (len(found.before.problems), len(found.after.problems), found.cluster_count) == (2, 4, 1)
    assert found.schemas.tolist() == [[0, 0], [0, 1]]
    assert consistency(found) == Share(2, 4)


def test_a_problem_in_two_schemas_stays_in_both() -> None:
    triple = Sample(
        answered([True, True, False]),
        np.array([[0, 1], [1, 2]]),
        np.zeros(3, np.intp),
        1,
        marks={"old": np.array([True, True, True]), "new": np.array([False, True, True])},
    )
    assert schema_accuracy(subset(triple, "old")) == Share(1, 2)
    assert schema_accuracy(subset(triple, "new")) == Share(0, 1)
    found = subset(paired(triple, triple), "new")
    assert found.schemas.tolist() == [[0, 0]]
