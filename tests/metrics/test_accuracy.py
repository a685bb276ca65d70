import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.metrics import Share, Ties, problem_accuracy, schema_accuracy, undecided_share
from horsesense.outcome import Outcome, decide
from tests.strategies import brisk

SOLVED, FAILED = decide((1.0, 2.0), right=0), decide((1.0, 2.0), right=1)
UNDECIDED, UNLABELLED = decide((1.0, 1.0), right=0), decide((1.0, 2.0), right=None)

outcomes = st.sampled_from([SOLVED, FAILED, UNDECIDED, UNLABELLED])
labelled = st.sampled_from([SOLVED, FAILED])


def test_problems_without_a_label_are_left_out() -> None:
    found = [SOLVED, SOLVED, FAILED, UNDECIDED, UNLABELLED]
    assert problem_accuracy(found) == Share(2, 4)
    assert problem_accuracy(found, Ties.HALF) == Share(2.5, 4)
    assert undecided_share(found) == Share(1, 4)


def test_the_accuracy_on_nothing_is_undefined() -> None:
    assert problem_accuracy([UNLABELLED]).value is None
    assert schema_accuracy([]).value is None


@pytest.mark.parametrize(
    ("pair", "failed", "half"),
    [
        ((SOLVED, SOLVED), 1, 1),
        ((SOLVED, FAILED), 0, 0),
        ((SOLVED, UNDECIDED), 0, 0.5),
        ((UNDECIDED, UNDECIDED), 0, 0.25),
        ((UNDECIDED, FAILED), 0, 0),
    ],
)
def test_a_schema_is_solved_if_both_its_problems_are(
    pair: tuple[Outcome, Outcome], failed: float, half: float
) -> None:
    assert schema_accuracy([pair]) == Share(failed, 1)
    assert schema_accuracy([pair], Ties.HALF) == Share(half, 1)


def test_a_schema_with_a_problem_without_a_label_is_left_out() -> None:
    assert schema_accuracy([(SOLVED, SOLVED), (SOLVED, UNLABELLED)]) == Share(1, 1)


def test_whole_counts_stay_whole_numbers() -> None:
    assert isinstance(problem_accuracy([SOLVED, UNDECIDED]).count, int)
    assert isinstance(schema_accuracy([(SOLVED, UNDECIDED)]).count, int)


@brisk
@given(st.lists(outcomes))
def test_half_lies_between_failing_and_solving_what_is_undecided(found: list[Outcome]) -> None:
    failed, half = problem_accuracy(found), problem_accuracy(found, Ties.HALF)
    assert half.count == failed.count + undecided_share(found).count / 2
    assert half.total == failed.total


@brisk
@given(st.lists(st.tuples(labelled, labelled), min_size=1))
def test_problem_accuracy_follows_from_solved_and_half_solved_schemas(
    pairs: list[tuple[Outcome, Outcome]],
) -> None:
    """The thesis' a = A + A'/2, where A' is the share of half-solved schemas."""
    half_solved = sum(one is not other for one, other in pairs)
    problems = problem_accuracy([outcome for pair in pairs for outcome in pair])
    assert problems.count == 2 * schema_accuracy(pairs).count + half_solved
