from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import first_option_share, responses, sample_of
from horsesense.scoring import Answer, AnswerSet, Share, decide
from tests.strategies import brisk

FIRST, SECOND, NEITHER = (1.0, 2.0), (2.0, 1.0), (1.0, 1.0)


def answer_set(
    *costs: tuple[float, ...],
    options: tuple[str, ...] = (),
    right: int | None = 0,
    entry: str = "owl",
) -> AnswerSet:
    answers = [Answer(entry, at, decide(one, right), options) for at, one in enumerate(costs, 1)]
    return AnswerSet("full", tuple(answers), ())


def test_a_model_that_says_true_to_everything_is_told() -> None:
    found = responses(answer_set(FIRST, FIRST, FIRST, NEITHER, options=("true", "false")))
    assert list(found.texts.items()) == [("false", Share(0, 3)), ("true", Share(3, 3))]
    assert list(found.positions.items()) == [("1", Share(3, 3)), ("2", Share(0, 3))]
    assert (found.decided, found.undecided) == (3, 1)


def test_an_option_is_counted_among_the_problems_that_offer_it() -> None:
    two, three = (
        answer_set(FIRST, SECOND, options=("can", "cannot")),
        answer_set((2.0, 3.0, 1.0), entry="elm"),
    )
    found = responses(AnswerSet("full", two.answers + three.answers, ()))
    assert list(found.positions.values()) == [Share(1, 3), Share(1, 3), Share(1, 1)]
    assert list(found.texts.values()) == [Share(1, 2), Share(1, 2)]


def test_an_option_that_is_offered_twice_in_a_problem_is_counted_once() -> None:
    found = responses(answer_set(SECOND, options=("the owl", "the owl")))
    assert found.texts == {"the owl": Share(1, 1)}


def test_the_texts_that_are_offered_most_come_first() -> None:
    rare = answer_set(FIRST, options=("a", "b"), entry="elm")
    common = answer_set(FIRST, FIRST, options=("d", "c"))
    found = responses(AnswerSet("full", rare.answers + common.answers, ()))
    assert list(found.texts) == ["c", "d", "a", "b"]


def test_no_right_option_is_needed_to_see_what_is_chosen() -> None:
    found = responses(answer_set(SECOND, right=None))
    assert found.positions["2"] == Share(1, 1)


def test_what_is_only_known_to_be_solved_tells_nothing_of_options() -> None:
    whole = answer_set(FIRST, SECOND, options=("night", "day"))
    untold = replace(whole.answers[1], outcome=replace(whole.answers[1].outcome, has_choice=False))
    found = responses(replace(whole, answers=(whole.answers[0], untold)))
    assert list(found.positions.values()) == [Share(1, 1), Share(0, 1)]
    assert list(found.texts.items()) == [("day", Share(0, 1)), ("night", Share(1, 1))]
    assert (found.decided, found.undecided) == (2, 0)


def test_nothing_is_chosen_of_nothing() -> None:
    found = responses(answer_set())
    assert (found.positions, found.texts, found.decided, found.undecided) == ({}, {}, 0, 0)


@brisk
@given(st.lists(st.sampled_from([FIRST, SECOND, NEITHER])))
def test_the_share_of_the_first_option_is_the_same_as_a_metric(
    costs: list[tuple[float, float]],
) -> None:
    answered = answer_set(*costs)
    expected = responses(answered).positions.get("1", Share(0, 0))
    assert first_option_share(sample_of(answered)) == expected


def test_without_choices_there_is_no_share_of_first_options() -> None:
    with pytest.raises(MetricError, match="which options were chosen"):
        first_option_share([[True, False]])
