from typing import Any

import numpy as np
import pytest

from horsesense.errors import MetricError
from horsesense.metrics import (
    Paired,
    Sample,
    Ties,
    answered,
    as_paired,
    as_sample,
    consistency,
    exact_match,
    paired,
    problem_accuracy,
    sample,
    schema_accuracy,
)
from horsesense.scoring import Share

NO_SCHEMAS = np.empty((0, 2), np.intp)


def test_rows_of_two_are_schemas_and_clusters() -> None:
    read = sample([[True, False], [None, True]])
    assert read.schemas.tolist() == [[0, 1], [2, 3]]
    assert read.clusters.tolist() == [0, 0, 1, 1]
    assert read.cluster_count == 2
    assert read.in_schemas.solved.tolist() == [[1, 0], [0, 1]]
    assert read.schema_clusters.tolist() == [0, 1]


def test_a_list_of_problems_has_no_schemas() -> None:
    read = sample([True, False, True])
    assert read.schemas.shape == (0, 2)
    assert read.clusters.tolist() == [0, 1, 2]


@pytest.mark.parametrize("values", [[], np.empty((0, 2))])
def test_an_empty_sample_has_no_clusters(values: Any) -> None:
    assert sample(values).cluster_count == 0


def test_rows_with_the_same_label_hang_together() -> None:
    dyads = sample([[True, True]] * 4, clusters=["b", "a", "b", "a"])
    assert dyads.clusters.tolist() == [1, 1, 0, 0, 1, 1, 0, 0]
    assert schema_accuracy.columns(dyads).tolist() == [[2, 2], [2, 2]]


def test_what_was_chosen_and_marks_are_laid_out_as_the_problems() -> None:
    read = sample([[True, False]], chosen=[[1, -1]], marks={"female": [[True, False]]})
    assert read.chosen is not None
    assert read.chosen.tolist() == [1, -1]
    assert read.mark("female").tolist() == [True, False]
    with pytest.raises(MetricError, match="it is not known which problems are 'male'"):
        read.mark("male")


@pytest.mark.parametrize("nobody", [None, -1])
def test_none_may_be_chosen(nobody: int | None) -> None:
    read = sample([[True, None]], chosen=[[np.int64(1), nobody]])
    assert read.chosen is not None
    assert read.chosen.tolist() == [1, -1]


def test_marks_may_be_zeros_and_ones() -> None:
    read = sample([True, True], marks={"male": [0, 1.0], "old": np.array([True, False])})
    assert {name: mark.tolist() for name, mark in read.marks.items()} == {
        "male": [False, True],
        "old": [True, False],
    }


def test_a_label_may_be_anything_that_can_be_sorted() -> None:
    for labels in ([(1, 2), (0, 2), (1, 2)], np.array([2.5, 1.0, 2.5]), ["b", "a", "b"]):
        assert sample([True] * 3, clusters=labels).clusters.tolist() == [1, 0, 1]


def test_some_problems_keep_whole_schemas_and_the_numbers_of_clusters() -> None:
    whole = sample(
        [[True, False], [True, True], [False, True]],
        chosen=[[0, 0], [0, 1], [1, 1]],
        marks={"male": [[True, True], [False, False], [True, False]]},
    )
    some = whole.among(np.array([False, True, True, True, True, True]))
    assert some.schemas.tolist() == [[1, 2], [3, 4]]
    assert some.clusters.tolist() == [0, 1, 1, 2, 2]
    assert some.cluster_count == 3
    assert some.chosen is not None
    assert some.chosen.tolist() == [0, 0, 1, 1, 1]
    assert some.mark("male").tolist() == [True, False, False, True, False]
    assert problem_accuracy(some) == Share(3, 5)
    assert schema_accuracy(some) == Share(1, 2)


def test_nothing_may_have_been_chosen_in_some_problems() -> None:
    assert sample([[True, False]]).among(np.array([True, False])).chosen is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"values": [[True] * 3]}, "a schema has two problems, and these have 3"),
        ({"values": [[True]]}, "a schema has two problems, and these have 1"),
        ({"values": [True], "clusters": [1, 2]}, "2 clusters for 1 rows"),
        ({"values": [True], "chosen": [1, 2]}, "chosen: 2 values for 1 problems"),
        ({"values": [True], "clusters": [None]}, "clusters: give each row the label of its cl"),
        ({"values": [True] * 2, "clusters": [None, 1]}, "clusters: give each row the label"),
        ({"values": [True] * 2, "clusters": ["a", 1]}, "clusters: give each row the label"),
        ({"values": [True], "clusters": [float("nan")]}, "clusters: give each row the label"),
        ({"values": [True], "clusters": [[1]]}, "clusters: give each row the label"),
        ({"values": [True], "clusters": np.array([[1, 2]])}, "clusters: give each row the label"),
        ({"values": [True], "chosen": [-2]}, "chosen: -2 is not a position; give 0, 1, …, or None"),
        ({"values": [True], "chosen": ["A"]}, "chosen: 'A' is not a position"),
        ({"values": [True], "chosen": [True]}, "chosen: True is not a position"),
        ({"values": [[True] * 2] * 2, "chosen": [[1, 0], [1]]}, "chosen: rows of different len"),
        ({"values": [True], "marks": {"male": []}}, "male: 0 values for 1 problems"),
        ({"values": [True], "marks": {"male": ["no"]}}, "male: 'no' is neither true nor false"),
        ({"values": [True], "marks": {"male": [None]}}, "male: None is neither true nor false"),
        ({"values": [True], "marks": {"male": [2]}}, "male: 2 is neither true nor false"),
    ],
)
def test_what_does_not_fit_the_values_is_said(given: dict[str, Any], message: str) -> None:
    with pytest.raises(MetricError, match=message):
        sample(**given)


@pytest.mark.parametrize(
    ("schemas", "clusters", "message"),
    [
        ([[0, 1, 2]], [0, 0, 0], "a schema is made of two problems"),
        ([[0, 3]], [0, 0, 0], "a schema has a position outside the 3 problems"),
        ([[-1, 0]], [0, 0, 0], "a schema has a position outside the 3 problems"),
        ([[0, 1]], [0, 1, 1], "belong to different clusters"),
        ([[0, 1]], [0, 0, 2], "not numbered from 0 to 1"),
        ([[0, 1]], [-1, 0, 0], "not numbered from 0 to 1"),
        ([[0, 1]], [0, 0], "clusters: 2 values for 3 problems"),
    ],
)
def test_a_sample_cannot_be_wrong(schemas: Any, clusters: list[int], message: str) -> None:
    problems = answered([True, True, False])
    with pytest.raises(MetricError, match=message):
        Sample(problems, np.array(schemas), np.array(clusters), 2)


def test_choosing_among_problems_needs_a_value_for_each() -> None:
    with pytest.raises(MetricError, match="1 values for 2 problems"):
        sample([True, True]).among(np.array([True]))


def test_samples_and_arrays_pair_problem_by_problem() -> None:
    pair = paired(sample([[True, False]]), sample([[None, True]], ties=Ties.HALF))
    assert pair.problems is not None
    assert pair.problems.tolist() == [[0, 0], [1, 1]]
    assert pair.schemas.tolist() == [[0, 0]]
    assert pair.cluster_count == 1
    assert pair.after.problems.solved.tolist() == [0.5, 1]


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ([[True, True]], [[True, True]] * 2, "2 problems in 1 schemas before, 4 in 2 after"),
        ([[True, True]], [True, True], "2 problems in 1 schemas before, 2 in 0 after"),
        (
            sample([True, True], clusters=[0, 0]),
            sample([True, True], clusters=[0, 1]),
            "are in different clusters",
        ),
        (
            Sample(answered([True] * 3), np.array([[0, 1]]), np.zeros(3, np.intp), 1),
            Sample(answered([True] * 3), np.array([[1, 2]]), np.zeros(3, np.intp), 1),
            "make different schemas",
        ),
        (
            Sample(answered([True]), NO_SCHEMAS, np.array([0]), 1),
            Sample(answered([True]), NO_SCHEMAS, np.array([0]), 2),
            "do not have the same clusters",
        ),
        (paired([True], [True]), [True], "two samples where one is expected"),
    ],
)
def test_samples_that_do_not_pair_are_an_error(before: Any, after: Any, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        paired(before, after)


def test_a_sample_is_taken_as_it_is() -> None:
    one = sample([True])
    assert as_sample(one) is one


@pytest.mark.parametrize("rule", [*Ties, "half"])
def test_a_rule_comes_too_late_for_a_sample(rule: Ties) -> None:
    one = sample([[None, True]])
    for late in (
        lambda: as_sample(one, rule),
        lambda: as_paired(paired(one, one), ties=rule),
        lambda: paired([[True, True]], one, ties=rule),
        lambda: problem_accuracy(one, ties=rule),
        lambda: consistency(one, one, ties=rule),
        lambda: exact_match(one, ties=rule),
    ):
        with pytest.raises(MetricError, match="cannot be used here: a sample already has its rule"):
            late()


def test_a_metric_takes_a_rule_by_its_name() -> None:
    assert schema_accuracy([[True, None]], ties="half") == Share(0.5, 1)
    assert schema_accuracy([[True, None]], ties="failed") == Share(0, 1)


def test_two_samples_may_be_given_in_three_ways() -> None:
    before, after = [[True, None]], [[True, True]]
    pair = as_paired(before, after, ties="half")
    assert pair.before.problems.solved.tolist() == [1, 0.5]
    assert as_paired(pair) is pair
    assert as_paired((sample(before), sample(after))).problems is not None
    assert as_paired((before, after), ties=Ties.HALF).before.problems.solved.tolist() == [1, 0.5]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "0 samples; give before and after"),
        ([[True]], "one sample where two are expected; give before and after"),
        ([sample([True])], "one sample where two are expected"),
        ([[True]] * 3, "3 samples; give before and after"),
        ([([True], [True], [True])], "3 samples; give before and after"),
        ([sample([True]), paired([True], [True])], "two samples where one is expected"),
    ],
)
def test_what_are_not_two_samples_is_said(given: list[Any], message: str) -> None:
    with pytest.raises(MetricError, match=message):
        as_paired(*given)


def test_a_metric_of_one_sample_takes_one() -> None:
    with pytest.raises(MetricError, match="problem-accuracy takes one sample, and was given 2"):
        problem_accuracy([True], [True])


def test_schemas_may_correspond_without_their_problems() -> None:
    one = sample([[True, False]])
    assert Paired(one, one, None, np.array([[0, 0]])).problems is None


MASKED = np.ma.array([True, False], mask=[True, False])


@pytest.mark.parametrize(
    "given", [{"clusters": MASKED}, {"chosen": MASKED}, {"marks": {"a": MASKED}}]
)
def test_nothing_is_read_through_a_mask(given: Any) -> None:
    with pytest.raises(MetricError, match="a masked array"):
        sample([True, False], **given)


def test_labels_of_clusters_have_an_order() -> None:
    labels: Any = {"a", "b"}
    with pytest.raises(MetricError, match="clusters: a set; give an array or a list"):
        sample([True, False], clusters=labels)


def test_columns_of_a_sample_are_not_masked() -> None:
    with pytest.raises(MetricError, match="old: a masked array"):
        Sample(answered([True, False]), NO_SCHEMAS, np.arange(2), 2, marks={"old": MASKED})


def test_a_schema_is_made_of_two_problems_and_not_of_one_twice() -> None:
    with pytest.raises(MetricError, match="a schema has the same problem twice"):
        Sample(answered([True, False]), np.array([[0, 0]]), np.zeros(2, np.intp), 1)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([[-1, 0]], "a position is outside the 2 before or the 4 after"),
        ([[0, -1]], "a position is outside the 2 before"),
        ([[2, 0]], "a position is outside the 2 before"),
        ([[0, 4]], "or the 4 after"),
        ([[0, 0], [1, 1], [0, 0]], "a pair occurs twice"),
        ([0, 1], "give pairs of positions"),
        ([[0, 1, 1]], "give pairs of positions"),
    ],
)
def test_pairs_are_of_what_there_is(pairs: Any, message: str) -> None:
    old, new, at = sample([True] * 2), sample([True] * 4, clusters=[0, 0, 1, 1]), np.array(pairs)
    with pytest.raises(MetricError, match=f"problems: .*{message}"):
        Paired(old, new, at, NO_SCHEMAS)
    old, new = sample([[True, True]] * 2), sample([[True, True]] * 4, clusters=[0, 0, 1, 1])
    for problems in (None, np.array([[0, 0], [0, 2]])):
        with pytest.raises(MetricError, match=f"schemas: .*{message}"):
            Paired(old, new, problems, at)
