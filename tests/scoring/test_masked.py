"""The nth token costs n alone, 100 + n within its word, 200 + n with all of the blanks."""

from dataclasses import replace
from math import exp, log

import pytest

from horsesense.models import Family, MaskedObservation, Observation, Straddling
from horsesense.scoring import Result, Scores, Undefined, find_method, score_problem
from tests.scoring.observed import masked, placed

ONE = "Owls hunt [big mice] ."
TWO = "[Owls] eat [voles] ."


def scored(name: str, *observations: Observation) -> Result:
    return score_problem(find_method(name, Family.MASKED), observations)


def costs(name: str, *sentences: str) -> tuple[float, ...]:
    result = scored(name, *map(masked, sentences))
    assert isinstance(result, Scores), result
    return result.costs


@pytest.mark.parametrize(
    ("name", "one", "two"),
    [
        ("multi-mask", 203 + 204, 201 + 203),  # (3.20)
        ("loss", 203.5, 202),  # (3.19)
        ("statement", 1 + 2 + 3 + 4 + 5, 1 + 2 + 3 + 4),  # (3.22)
        ("mean-statement", 15 / 7, 10 / 6),  # (3.23), the special tokens among them
        ("answer", 3 + 4, 1 + 3),  # (3.24)
        ("mean-answer", 3.5, 2),  # (3.25)
        ("within-word", 515, 410),
        ("mean-within-word", 515 / 7, 410 / 6),
    ],
)
def test_what_is_added_up_with_one_blank_and_with_two(name: str, one: float, two: float) -> None:
    assert costs(name, ONE, TWO) == (one, two)


def test_abdou_takes_the_mean_of_probabilities() -> None:
    observed = replace(masked(ONE), multi=(None, None, None, log(0.3), log(0.1), None, None))
    result = scored("abdou", observed)
    assert isinstance(result, Scores)
    [score] = result.scores
    assert exp(-score.cost) == pytest.approx(0.2)
    assert score.cost == pytest.approx(-log(0.3) - log(0.1) + score.extra)


def test_abdou_survives_tiny_probabilities() -> None:
    observed = replace(masked(ONE), multi=(None, None, None, -900.0, -900.0, None, None))
    result = scored("abdou", observed)
    assert isinstance(result, Scores)
    assert result.costs == (900.0,)


def test_zero_shot_wants_a_single_token_in_a_single_blank() -> None:
    assert costs("zero-shot", "Owls hunt [mice] .") == (203,)
    refused = "a blank has more than one token"
    assert scored("zero-shot", masked(ONE)) == Undefined(refused)
    assert scored("zero-shot", masked(TWO)) == Undefined("there is more than one blank")
    assert scored("zero-shot", masked("[] Owls eat .")) == Undefined("a blank has no tokens")
    one_of_two = scored("zero-shot", masked("Owls hunt [mice] ."), masked(ONE))
    assert one_of_two == Undefined(f"option 2: {refused}")


def test_a_token_that_reaches_beyond_its_blank_is_still_a_single_one() -> None:
    tokens = placed("[owl]s hunt", straddling=Straddling.BLANK)
    result = scored("zero-shot", MaskedObservation(tokens, multi=(-4.0, None)))
    assert isinstance(result, Scores)
    assert result.costs == (4.0,)


@pytest.mark.parametrize("name", ["multi-mask", "loss", "answer", "abdou", "zero-shot"])
def test_a_method_that_needs_a_blank_is_undefined_on_minimal_pairs(name: str) -> None:
    pair = masked("Owls hunt ."), masked("Owls hunts .")
    assert scored(name, *pair) == Undefined("the problem has no blank")


@pytest.mark.parametrize("name", ["multi-mask", "answer", "abdou"])
def test_an_empty_phrase_has_nothing_to_mask(name: str) -> None:
    result = scored(name, masked("Owls do [] hunt"), masked("Owls do [not] hunt"))
    assert result == Undefined("option 1: a blank has no tokens")


def test_two_blanks_must_both_take_a_token() -> None:
    assert scored("answer", masked("[] Owls eat [voles]")) == Undefined("a blank has no tokens")


def test_whole_sentences_need_no_blank() -> None:
    assert costs("statement", "Owls hunt .") == (6,)
    assert scored("statement", masked("")) == Undefined("there are no tokens to sum")


def test_what_was_not_asked_for_is_a_mistake_of_the_program() -> None:
    with pytest.raises(ValueError, match="was not queried for"):
        scored("multi-mask", replace(masked(ONE), multi=(None,) * 7))
    with pytest.raises(ValueError, match="was not queried for"):
        scored("statement", replace(masked(ONE), single=()))
