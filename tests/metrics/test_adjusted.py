from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import (
    Metric,
    Ties,
    Value,
    accuracy_difference,
    adjusted_accuracy,
    adjusted_schema_accuracy,
    adjusted_schema_lower_bound,
    consistent_schema_accuracy,
    problem_accuracy,
    relative_gain,
    relative_loss,
    relative_schema_gain,
    relative_schema_loss,
    schema_accuracy,
    schema_accuracy_difference,
)
from tests.strategies import brisk

ASSOCIATIVE, OTHERS = 25, 108

Rows = list[tuple[bool, bool]]
problem = st.sampled_from([True, False, None])
row = st.tuples(problem, problem)


@dataclass(frozen=True)
class Solved:
    """How many problems and schemas are solved, of so many schemas."""

    problems: int
    schemas: int
    total: int

    def __add__(self, other: "Solved") -> "Solved":
        return Solved(
            self.problems + other.problems, self.schemas + other.schemas, self.total + other.total
        )

    @property
    def rows(self) -> Rows:
        half = self.problems - 2 * self.schemas
        none = self.total - self.schemas - half
        return [(True, True)] * self.schemas + [(True, False)] * half + [(False, False)] * none


# The counts that thesis Table 4.26 rounds, in the original and without candidates.
COUNTS = {
    ("GPT-2", OTHERS): (Solved(155, 48, OTHERS), Solved(109, 18, OTHERS)),
    ("GPT-2", ASSOCIATIVE): (Solved(43, 18, ASSOCIATIVE), Solved(38, 13, ASSOCIATIVE)),
    ("RoBERTa", OTHERS): (Solved(165, 57, OTHERS), Solved(119, 19, OTHERS)),
    ("RoBERTa", ASSOCIATIVE): (Solved(44, 19, ASSOCIATIVE), Solved(39, 14, ASSOCIATIVE)),
    ("T5", OTHERS): (Solved(184, 76, OTHERS), Solved(118, 15, OTHERS)),
    ("T5", ASSOCIATIVE): (Solved(47, 22, ASSOCIATIVE), Solved(38, 13, ASSOCIATIVE)),
}
PROBLEMS = (adjusted_accuracy, relative_loss, relative_gain)
SCHEMAS = (adjusted_schema_accuracy, relative_schema_loss, relative_schema_gain)


def printed(metric: Metric, before: Rows, after: Rows) -> str:
    return f"{metric(before, after).value:.3f}"


@pytest.mark.parametrize(
    ("model", "total", "original", "control"),
    [
        ("GPT-2", OTHERS, ".718 .444", ".505 .167"),
        ("GPT-2", ASSOCIATIVE, ".860 .720", ".760 .520"),
        ("RoBERTa", OTHERS, ".764 .528", ".551 .176"),
        ("RoBERTa", ASSOCIATIVE, ".880 .760", ".780 .560"),
        ("T5", OTHERS, ".852 .704", ".546 .139"),
        ("T5", ASSOCIATIVE, ".940 .880", ".760 .520"),
    ],
)
def test_the_counts_are_those_of_table_4_26(
    model: str, total: int, original: str, control: str
) -> None:
    for solved, expected in zip(COUNTS[model, total], (original, control), strict=True):
        found = [metric(solved.rows).value for metric in (problem_accuracy, schema_accuracy)]
        assert [f"{value:.3f}" for value in found] == [f"0{one}" for one in expected.split()]


@pytest.mark.parametrize(
    ("model", "total", "problems", "schemas"),
    [
        ("GPT-2", OTHERS, ".213 .297 .430", ".278 .625 .333"),
        # Here the thesis has .278 for the relative gain of a, and .417 for the relative loss of A:
        # the two stand in each other's place.
        ("GPT-2", ASSOCIATIVE, ".100 .116 .417", ".200 .278 .417"),
        ("RoBERTa", OTHERS, ".213 .279 .474", ".352 .667 .427"),
        ("RoBERTa", ASSOCIATIVE, ".100 .114 .455", ".200 .263 .455"),
        ("T5", OTHERS, ".306 .359 .673", ".565 .803 .656"),
        # Here it has .409 for the relative gain of a, which is the relative loss of A.
        ("T5", ASSOCIATIVE, ".180 .191 .750", ".360 .409 .750"),
    ],
)
def test_relative_losses_and_gains_are_those_of_table_4_27(
    model: str, total: int, problems: str, schemas: str
) -> None:
    before, after = (solved.rows for solved in COUNTS[model, total])
    for metrics, expected in ((PROBLEMS, problems), (SCHEMAS, schemas)):
        found = [printed(metric, before, after) for metric in metrics]
        assert found == [f"0{one}" for one in expected.split()]


@pytest.mark.parametrize(
    ("model", "problems", "schemas"),
    [
        ("GPT-2", ".744 .192 .429", ".496 .263 .343"),
        ("RoBERTa", ".786 .192 .472", ".571 .323 .430"),
        ("T5", ".868 .282 .682", ".737 .526 .667"),
    ],
)
def test_adjusted_accuracies_are_those_of_table_4_28(
    model: str, problems: str, schemas: str
) -> None:
    pairs = zip(COUNTS[model, OTHERS], COUNTS[model, ASSOCIATIVE], strict=True)
    before, after = ((one + other).rows for one, other in pairs)
    columns = (
        (problem_accuracy, adjusted_accuracy, relative_gain, problems),
        (schema_accuracy, adjusted_schema_accuracy, relative_schema_gain, schemas),
    )
    for accuracy, adjusted, gain, expected in columns:
        found = f"{accuracy(before).value:.3f}"
        found += f" {printed(adjusted, before, after)} {printed(gain, before, after)}"
        assert found == " ".join(f"0{one}" for one in expected.split())


def test_a_difference_is_what_comes_after_without_what_was_before() -> None:
    before, after = (solved.rows for solved in COUNTS["GPT-2", OTHERS])
    assert printed(accuracy_difference, before, after) == "-0.213"
    assert printed(schema_accuracy_difference, before, after) == "-0.278"
    assert printed(accuracy_difference, after, before) == "0.213"


def test_relative_values_are_undefined_where_they_would_divide_by_zero() -> None:
    none, half, all_ = [(False, False)], [(True, False)], [(True, True)]
    assert relative_loss(none, all_).value is None
    assert relative_schema_loss(half, all_).value is None
    assert relative_gain(half, all_).value is None
    assert relative_schema_gain(half, all_).value is None
    assert relative_gain(all_, half).value == 1
    found = relative_loss(none, none)
    assert isinstance(found, Value)
    assert found.reason.startswith("no problem was solved before")


def test_what_is_undefined_is_said_of_schemas_where_schemas_are_counted() -> None:
    halves, all_solved = [(True, False)] * 2, [(True, True)] * 2
    loss, gain = relative_schema_loss(halves, halves), relative_schema_gain(halves, all_solved)
    assert isinstance(loss, Value)
    assert isinstance(gain, Value)
    assert loss.reason.startswith("no schema was solved before, or there are no schemas")
    assert gain.reason.startswith("every schema was solved in the control, or")


def test_a_relative_loss_is_no_share() -> None:
    with pytest.raises(MetricError, match="relative-loss is not a share"):
        relative_loss.share([(True, True)], [(True, False)])


def test_a_relative_loss_may_be_any_gain() -> None:
    assert relative_loss([(True, False)], [(True, True)]).value == -1
    assert relative_gain([(False, False)] * 4, [(True, True)] * 3 + [(True, False)]).value == -7


@pytest.mark.parametrize("ties", Ties)
@given(found=st.lists(st.tuples(row, row), min_size=1))
@brisk
def test_the_lower_bound_is_schema_accuracy_without_consistent_schema_accuracy(
    ties: Ties, found: list[tuple[tuple[bool, bool], tuple[bool, bool]]]
) -> None:
    before, after = map(list, zip(*found, strict=True))
    whole = schema_accuracy.share(before, ties=ties)
    both = consistent_schema_accuracy.share(before, after, ties=ties)
    bound = adjusted_schema_lower_bound.share(before, after, ties=ties)
    assert (bound.count, bound.total) == (whole.count - both.count, whole.total)
    adjusted = adjusted_schema_accuracy(before, after, ties=ties).value
    assert bound.value is not None
    assert adjusted is not None
    assert bound.value >= adjusted - 1e-12
