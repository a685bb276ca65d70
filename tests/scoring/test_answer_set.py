import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.scoring import Answer, AnswerSet, decide
from tests.strategies import brisk

SOLVED, UNLABELLED = decide((1.0, 2.0), right=0), decide((1.0, 2.0), right=None)


def chain(length: int) -> AnswerSet:
    """Problems of one entry, each of which makes a schema with the next."""
    answers = tuple(Answer("owl", at + 1, SOLVED) for at in range(length))
    return AnswerSet(
        "full", answers, tuple((at, at + 1) for at in range(length - 1)), ("a remark",)
    )


def test_an_answer_knows_which_problem_it_answers() -> None:
    assert Answer("owl", 2, SOLVED).problem == ("owl", 2)


def test_problems_without_a_label_go_and_their_schemas_with_them() -> None:
    answers = tuple(
        Answer("owl", at, one) for at, one in enumerate([SOLVED, UNLABELLED, SOLVED, SOLVED], 1)
    )
    found = AnswerSet("full", answers, ((0, 1), (2, 3)), ("a remark",)).labelled()
    assert [one.number for one in found.answers] == [1, 3, 4]
    assert found.schemas == ((1, 2),)
    assert (found.name, found.remarks) == ("full", ("a remark",))


@given(st.lists(st.booleans()))
@brisk
def test_the_schemas_that_are_left_whole_are_still_the_same(kept: list[bool]) -> None:
    found = chain(len(kept)).among(kept)
    numbers = [at for at, is_kept in enumerate(kept, 1) if is_kept]
    assert [one.number for one in found.answers] == numbers
    neighbours = [(found.answers[a].number, found.answers[b].number) for a, b in found.schemas]
    assert neighbours == [(one, one + 1) for one in numbers if one + 1 in numbers]


def test_a_problem_is_answered_once() -> None:
    answers = Answer("owl", 1, SOLVED), Answer("owl", 2, SOLVED), Answer("owl", 1, UNLABELLED)
    with pytest.raises(MetricError, match="full: problem 1 of owl is answered twice; give one"):
        AnswerSet("full", answers, ())


def test_every_answer_is_either_kept_or_not() -> None:
    with pytest.raises(ValueError, match="zip"):
        chain(3).among([True, False])


def test_a_tag_that_names_a_cluster_is_none_for_subsets() -> None:
    tags = frozenset({"cluster:owl", "old"})
    one = Answer("owl", 1, decide((1.0, 2.0), 0), tags=tags)
    assert one.clusters == {"cluster:owl"}
    assert AnswerSet("full", (one,), (), marks=frozenset({"equal-length"})).tags == {
        "old",
        "equal-length",
    }
