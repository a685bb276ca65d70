import pytest

from horsesense.errors import MetricError
from horsesense.metrics import (
    Applies,
    Metric,
    Ties,
    equal_length_share,
    sample,
    second_last_share,
    undecided_share,
)
from horsesense.schema import problems
from horsesense.schema.measures import has_equal_length, is_second_last
from horsesense.schema.notation import parse_grid
from horsesense.scoring import EQUAL_LENGTH, SECOND_LAST, Share


def test_undecided_problems_are_shown_whatever_they_count_for() -> None:
    for ties in Ties:
        assert undecided_share([[True, None], [None, False]], ties=ties) == Share(2, 4)


@pytest.mark.parametrize(
    ("metric", "name"), [(equal_length_share, EQUAL_LENGTH), (second_last_share, SECOND_LAST)]
)
def test_a_property_of_a_dataset_does_not_ask_what_was_answered(metric: Metric, name: str) -> None:
    marks = {name: [[True, False], [True, True]]}
    for solved in ([[True, True]] * 2, [[None, False]] * 2):
        assert metric(sample(solved, marks=marks)) == Share(3, 4)
    assert metric.declared.applies is Applies.DATASET
    with pytest.raises(MetricError, match=f"it is not known which problems are '{name}'"):
        metric([[True, True]])


class Letters:
    """A tokenizer with one token for each letter."""

    def offsets(self, text: str, /) -> list[tuple[int, int]]:
        return [(at, at + 1) for at, character in enumerate(text) if character.isalpha()]


def test_the_marks_are_those_that_measures_make() -> None:
    lines = "in water {stones, boats} <sink, swim>.", "{owls, rocks} <can, cannot> fly far."
    found = [problem for line in lines for problem in problems(parse_grid(line))]
    marks = {
        EQUAL_LENGTH: [has_equal_length(one, Letters(), inside=True) for one in found],
        SECOND_LAST: [is_second_last(one) for one in found],
    }
    answered = sample([True] * 4, marks=marks)
    assert equal_length_share(answered) == Share(2, 4)
    assert second_last_share(answered) == Share(2, 4)
