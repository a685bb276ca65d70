from itertools import product
from math import exp, fsum, log

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from horsesense.models import AskedQuestion, ChatObservation, Family, Question, ReplyToken
from horsesense.scoring import DRIFT, Scores, Undefined, find_method, outcome_of, score_problem
from horsesense.scoring.chat import (
    ALL_SENSIBLE,
    FOLLOWS_POSITION,
    NONE_SENSIBLE,
    SEVERAL_SENSIBLE,
    TOO_MANY_OPTIONS,
    WRITTEN_DIFFERS,
    choice_of,
    shown_place,
)
from tests.scoring.asked import problem_of, questions_by, replied

LETTERS = questions_by("letter", problem_of())
WORDS = questions_by("word", problem_of())
JUDGED = questions_by("judge", problem_of())
THREE = problem_of("<ants, bees*, cows> are small and make honey")


def answered(questions: tuple[Question, ...], *texts: str) -> list[AskedQuestion]:
    return [replied(question, text) for question, text in zip(questions, texts, strict=True)]


def with_probabilities(question: Question, written: int, values: list[float]) -> AskedQuestion:
    """Return a reply with an answer, and with the log-probabilities of all answers."""
    text = question.answers[written]
    alternatives = tuple(zip(question.answers, values, strict=True))
    return replied(question, text, tokens=[ReplyToken(text, values[written], alternatives)])


def test_a_choice_counts_if_both_orders_agree() -> None:
    choice = choice_of(answered(LETTERS, "B", "A"))
    assert choice.chosen == 1 and choice.costs == (1.0, 0.0) and not choice.tags
    choice = choice_of(answered(WORDS, "the postman", "the postman"))
    assert choice.chosen == 0 and choice.costs == (0.0, 1.0) and not choice.tags


def test_a_choice_that_follows_the_position_is_undecided() -> None:
    choice = choice_of(answered(LETTERS, "A", "A"))
    assert choice.chosen is None and choice.costs == (0.5, 0.5)
    assert choice.tags == {FOLLOWS_POSITION}


@pytest.mark.parametrize("letter", ["A", "B", "C"])
def test_the_same_letter_in_both_orders_is_undecided_with_three_options(letter: str) -> None:
    choice = choice_of(answered(questions_by("letter", THREE), letter, letter))
    assert choice.chosen is None and choice.tags == {FOLLOWS_POSITION}


@pytest.mark.parametrize(
    ("texts", "tags"),
    [
        (("A", ""), {"unparsable"}),
        (("I cannot.", "A"), {"refused"}),
        (("I cannot.", ""), {"refused", "unparsable"}),
    ],
)
def test_a_fault_leaves_the_problem_undecided(texts: tuple[str, str], tags: set[str]) -> None:
    choice = choice_of(answered(LETTERS, *texts))
    assert choice.chosen is None and choice.tags == tags


def test_a_reply_without_answer_costs_one_half_for_every_option() -> None:
    assert choice_of(answered(LETTERS, "A", "")).costs == (0.25, 0.75)
    assert choice_of([replied(LETTERS[0], "x", "length"), replied(LETTERS[1], "")]).tags == {
        "truncated",
        "unparsable",
    }


@pytest.mark.parametrize(
    ("verdicts", "chosen", "tags"),
    [
        ("yes yes no no", 0, set()),
        ("no no yes yes", 1, set()),
        ("yes yes yes yes", None, {ALL_SENSIBLE}),
        ("no no no no", None, {NONE_SENSIBLE}),
        ("yes no no no", None, {FOLLOWS_POSITION}),
        ("yes yes no yes", None, {FOLLOWS_POSITION}),
        ("yes no yes no", None, {FOLLOWS_POSITION}),
        ("yes perhaps no no", None, {"unparsable"}),
        ("yes perhaps no yes", None, {"unparsable"}),
        ("yes no perhaps no", None, {"unparsable"}),
    ],
)
def test_the_only_sensible_sentence_is_chosen(
    verdicts: str, chosen: int | None, tags: set[str]
) -> None:
    choice = choice_of(answered(JUDGED, *verdicts.split()))
    assert choice.chosen == chosen and choice.tags == tags


def test_two_sensible_sentences_of_three_are_undecided() -> None:
    asked = answered(questions_by("judge", THREE), *["yes"] * 4, *["no"] * 2)
    assert choice_of(asked).chosen is None
    assert choice_of(asked).tags == {SEVERAL_SENSIBLE}
    assert choice_of(asked).costs == (0.0, 0.0, 1.0)


def test_the_most_likely_letter_decides_and_a_written_one_that_differs_is_noted() -> None:
    asked = [
        with_probabilities(LETTERS[0], 1, [log(0.6), log(0.4)]),
        with_probabilities(LETTERS[1], 0, [log(0.8), log(0.2)]),
    ]
    choice = choice_of(asked)
    assert choice.chosen == 0 and choice.tags == {WRITTEN_DIFFERS}
    assert choice.costs == pytest.approx((-(log(0.6) + log(0.8)) / 2, -(log(0.4) + log(0.2)) / 2))


def test_probabilities_of_one_order_alone_decide_it_but_are_no_costs() -> None:
    asked = [with_probabilities(LETTERS[0], 1, [log(0.6), log(0.4)]), replied(LETTERS[1], "B")]
    choice = choice_of(asked)
    assert choice.chosen == 0 and choice.costs == (0.0, 1.0)
    assert choice.tags == {WRITTEN_DIFFERS}


def test_the_costs_of_sentences_are_those_of_yes() -> None:
    yes, no = [log(0.9), log(0.1)], [log(0.2), log(0.8)]
    asked = [
        with_probabilities(question, question.sentence or 0, no if question.sentence else yes)
        for question in JUDGED
    ]
    choice = choice_of(asked)
    assert choice.chosen == 0 and choice.costs == pytest.approx((-log(0.9), -log(0.2)))


PROBABILITIES = st.floats(0.01, 0.99).map(lambda share: [log(share), log(1 - share)])


@given(st.data(), st.sampled_from(["letter", "judge"]))
def test_a_chosen_option_is_the_cheapest(data: st.DataObject, method: str) -> None:
    asked = []
    for question in questions_by(method, problem_of()):
        values = data.draw(PROBABILITIES)
        written = data.draw(st.sampled_from([0, 1]))
        if data.draw(st.sampled_from([True, True, True, False])):
            asked.append(with_probabilities(question, written, values))
        else:
            asked.append(replied(question, data.draw(st.sampled_from([*question.answers, "?"]))))
    choice = choice_of(asked)
    assume(abs(choice.costs[0] - choice.costs[1]) > DRIFT)
    result = score_problem(
        find_method(method, Family.CHAT), [ChatObservation({method: tuple(asked)})]
    )
    assert isinstance(result, Scores)
    outcome = outcome_of(result, right=0)
    assert outcome.chosen == choice.chosen and outcome.tags == choice.tags
    if choice.chosen is not None:
        assert choice.costs.index(min(choice.costs)) == choice.chosen


@given(st.lists(PROBABILITIES, min_size=2, max_size=2))
def test_costs_equal_the_mean_over_the_orders_written_out(values: list[list[float]]) -> None:
    assume(all(abs(first - second) > 1e-9 for first, second in values))
    asked = [
        with_probabilities(question, 0, each)
        for question, each in zip(LETTERS, values, strict=True)
    ]
    expected = tuple(-fsum(each[option] for each in values) / 2 for option in (0, 1))
    assert choice_of(asked).costs == pytest.approx(expected)


@pytest.mark.parametrize("replies", [*product(["yes", "no", "", "I cannot."], repeat=4)])
def test_all_tags_are_announced_as_marks(replies: tuple[str, ...]) -> None:
    marks = find_method("judge", Family.CHAT).marks
    assert choice_of(answered(JUDGED, *replies)).tags <= marks


def test_only_methods_with_letters_or_verdicts_compare_what_is_written() -> None:
    marks = {name: find_method(name, Family.CHAT).marks for name in ("letter", "word", "judge")}
    assert marks["letter"] == marks["word"] | {WRITTEN_DIFFERS}
    assert marks["judge"] == marks["letter"] | {ALL_SENSIBLE, NONE_SENSIBLE, SEVERAL_SENSIBLE}


def test_a_problem_with_too_many_options_is_undefined() -> None:
    result = score_problem(find_method("letter", Family.CHAT), [ChatObservation({"letter": ()})])
    assert result == Undefined(TOO_MANY_OPTIONS)


def test_a_method_that_abstains_leaves_the_problem_undecided_with_its_tags() -> None:
    observation = ChatObservation({"letter": tuple(answered(LETTERS, "A", "A"))})
    result = score_problem(find_method("letter", Family.CHAT), [observation] * 2)
    assert isinstance(result, Scores) and result.abstains
    outcome = outcome_of(result, right=0)
    assert outcome.chosen is None and outcome.tags == {FOLLOWS_POSITION}


def test_the_place_of_an_answer_is_where_it_is_shown() -> None:
    places = [shown_place(each) for each in answered(LETTERS, "A", "A")]
    assert places == [0, 0]
    assert [shown_place(each) for each in answered(WORDS, "the dog", "the dog")] == [1, 0]
    assert shown_place(replied(LETTERS[0], "")) is None


def test_probabilities_are_those_of_the_model() -> None:
    reply = choice_of([with_probabilities(each, 0, [-0.1, -3.0]) for each in LETTERS]).replies[0]
    assert fsum(map(exp, reply.log_probs)) == pytest.approx(1)
