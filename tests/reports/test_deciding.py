"""The sentence that says what decided a problem."""

from __future__ import annotations

import pytest

from horsesense.reports.deciding import deciding_sentence
from horsesense.scoring.deciding import CountedToken, OptionSum
from horsesense.scoring.outcome import Outcome, decide

OPTIONS = ("Ann", "Bea")


def sums(
    first: list[tuple[str, str, float]], second: list[tuple[str, str, float]], **extra: float
) -> tuple[OptionSum, OptionSum]:
    return (
        OptionSum("Ann", tuple(CountedToken(*each) for each in first), **extra),  # type: ignore[arg-type]
        OptionSum("Bea", tuple(CountedToken(*each) for each in second)),
    )


def said(added: tuple[OptionSum, ...], right: int = 0) -> str:
    return deciding_sentence(decide([each.cost for each in added], right), OPTIONS, added)


def test_it_names_a_word_that_recurs() -> None:
    added = sums([("Ann", "suffix", 1.0)], [("Ann", "suffix", 12.2)])
    assert said(added) == "It prefers “Ann” because “Ann” recurs later (11.2 nats)."


def test_it_names_another_word_after_the_blank() -> None:
    added = sums([("owes", "suffix", 1.0)], [("owes", "suffix", 3.0)])
    assert said(added) == "It prefers “Ann” because “owes” is more likely after it (2.0 nats)."


def test_it_names_a_word_before_the_blank() -> None:
    added = sums([("owes", "prefix", 1.0)], [("owes", "prefix", 3.0)])
    assert "because “owes”, before the blank, is more likely with it (2.0 nats)" in said(added)


def test_it_names_the_answer_itself() -> None:
    added = sums([("Ann", "blank", 1.0)], [("Bea", "blank", 3.0)])
    assert said(added) == "It prefers “Ann” because the answer itself is more likely (2.0 nats)."


def test_it_names_the_length_of_the_answer() -> None:
    added = sums([("Ann", "blank", 2.0)], [("B", "blank", 2.0), ("ea", "blank", 2.0)])
    assert "because it is shorter: 1 token, not 2 (2.0 nats)" in said(added)
    assert "because it is longer: 2 tokens, not 1" in said(
        (
            OptionSum("Ann", (*(CountedToken("n", "blank", 4.0) for _ in range(2)),), 4),
            OptionSum("Bea", (CountedToken("Bea", "blank", 4.0),)),
        )
    )


def test_it_names_the_division_if_the_answers_are_of_one_length() -> None:
    added = (
        OptionSum("Ann", (CountedToken("x", "suffix", 6.0),), 3),
        OptionSum("Bea", (CountedToken("x", "suffix", 6.0),), 2),
    )
    assert "because its sum is divided by 3, not by 2 (1.0 nats per token)" in said(added)


def test_it_names_a_token_across_the_edge() -> None:
    added = (
        OptionSum("Ann", (CountedToken("n’s", "suffix", 1.0, False, True),)),
        OptionSum("Bea", (CountedToken("a’s", "suffix", 3.0, False, True),)),
    )
    assert "a token across the edge of the blank is more likely: “a’s / n’s”" in said(added)


@pytest.mark.parametrize(("part", "place"), [("suffix", "after"), ("prefix", "before")])
def test_it_names_text_that_differs(part: str, place: str) -> None:
    added = sums([("is", part, 1.0)], [("are", part, 3.0)])
    assert f"because the text {place} the blank differs between the options" in said(added)


def test_it_names_what_the_method_subtracts() -> None:
    added = sums([], [], extra=-2.0)
    assert "because of the answer’s own cost, which the method subtracts (2.0 nats)" in said(added)


@pytest.mark.parametrize(
    ("first", "second", "named"),
    [
        ([("a", "suffix", 1.0), ("b", "suffix", 1.0)], [("a", "suffix", 4.0), ("b", "suffix", 4.0)],
         "“a”"),
        ([("a", "prefix", 1.0), ("c", "suffix", 1.0)], [("b", "prefix", 4.0), ("c", "suffix", 4.0)],
         "the text before the blank"),
        ([("a", "blank", 1.0), ("c", "suffix", 1.0)], [("b", "blank", 5.0), ("c", "suffix", 4.9),
         ("", "blank", 0.0)], "“c”"),
        ([("c", "suffix", 1.0), ("a", "blank", 1.0)], [("c", "suffix", 4.0), ("b", "blank", 4.0)],
         "“c”"),
    ],
)  # fmt: skip
def test_it_says_so_if_nothing_dominates(
    first: list[tuple[str, str, float]], second: list[tuple[str, str, float]], named: str
) -> None:
    found = said(sums(first, second))
    assert "It prefers “Ann”, but no single word decides: the most, " in found
    assert found.endswith(f"comes from {named}.")


def test_the_answer_may_contribute_most_without_deciding() -> None:
    added = sums(
        [("a", "blank", 1.0), ("c", "suffix", 1.0), ("d", "suffix", 1.0)],
        [("b", "blank", 4.5), ("c", "suffix", 4.0), ("d", "suffix", 4.0)],
    )
    assert "the most, 3.5 of 9.5 nats in its favour, comes from the words of the answer" in said(
        added
    )


def test_without_tokens_there_is_no_reason() -> None:
    assert deciding_sentence(decide((1.0, 2.0), 0), OPTIONS) == "It prefers “Ann”."


def test_equal_sums_give_no_reason() -> None:
    outcome = Outcome((1.0, 2.0), 0, 0, 1.0)
    assert deciding_sentence(outcome, OPTIONS, sums([], [])) == "It prefers “Ann”."


def test_the_next_option_of_three_is_the_one_that_is_compared() -> None:
    added = tuple(
        OptionSum(name, (CountedToken("x", "suffix", cost),))
        for name, cost in (("a", 1.0), ("b", 9.0), ("c", 2.5))
    )
    found = deciding_sentence(decide((1.0, 9.0, 2.5), 0), ("a", "b", "c"), added)
    assert "(1.5 nats)" in found


@pytest.mark.parametrize(
    ("costs", "twin", "ending"),
    [
        ((1.0, 2.0), (1.0, 2.0), "; it prefers “Ann” in the twin too."),
        ((1.0, 2.0), (2.0, 1.0), "; in the twin it prefers “Bea”."),
        ((1.0, 1.0), (2.0, 1.0), "the same; in the twin it prefers “Bea”."),
        ((1.0, 2.0), (2.0, 2.0), "; the twin is undecided."),
    ],
)
def test_it_says_what_is_preferred_in_the_twin(
    costs: tuple[float, ...], twin: tuple[float, ...], ending: str
) -> None:
    found = deciding_sentence(decide(costs, 0), OPTIONS, (), decide(twin, 1), OPTIONS)
    assert found.endswith(ending)


def test_a_twin_of_which_only_success_is_known_is_left_out() -> None:
    twin = Outcome((), 0, 0, 0.0, has_choice=False)
    found = deciding_sentence(decide((1.0, 2.0), 0), ("", "not"), (), twin, OPTIONS)
    assert found == "It prefers the empty option."


def test_nothing_is_said_of_an_unknown_choice() -> None:
    assert deciding_sentence(None, OPTIONS) == ""
    assert deciding_sentence(Outcome((), 0, 0, 0.0, has_choice=False), OPTIONS) == ""
