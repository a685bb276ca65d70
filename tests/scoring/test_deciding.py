"""What decides between two options."""

from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.scoring.deciding import (
    Cause,
    Contribution,
    CountedToken,
    OptionSum,
    contributions,
    deciding,
)
from tests.strategies import brisk

TOKENS = st.builds(
    CountedToken,
    st.sampled_from(["Ann", "owes", "Bea", "s"]),
    st.sampled_from(["prefix", "blank", "suffix"]),
    st.floats(0, 20),
    st.booleans(),
    st.booleans(),
)
SUMS = st.builds(
    OptionSum,
    st.sampled_from(["Ann", "Bea"]),
    st.lists(TOKENS, max_size=6).map(tuple),
    st.integers(1, 9),
    st.floats(-9, 9),
)


def option(phrase: str, *tokens: tuple[str, str, float], divisor: int = 1) -> OptionSum:
    return OptionSum(phrase, tuple(CountedToken(*token) for token in tokens), divisor)


def causes(first: OptionSum, second: OptionSum) -> dict[tuple[str, str], float]:
    return {(each.cause.name, each.text): each.value for each in contributions(first, second)}


@brisk
@given(SUMS, SUMS)
def test_contributions_add_up_to_the_margin(first: OptionSum, second: OptionSum) -> None:
    total = fsum(each.value for each in contributions(first, second))
    assert total == pytest.approx(second.cost - first.cost, abs=1e-9)


@brisk
@given(SUMS, SUMS)
def test_exchanging_the_options_changes_only_the_sign(first: OptionSum, second: OptionSum) -> None:
    def summed(parts: tuple[Contribution, ...], sign: int) -> dict[object, float]:
        found: dict[object, float] = {}
        for each in parts:
            at = each.cause, each.text, each.part
            found[at] = found.get(at, 0.0) + sign * each.value
        return found

    there, back = summed(contributions(first, second), 1), summed(contributions(second, first), -1)
    # A value of 0, up to rounding, may be left out in one order only.
    for at in there | back:
        assert there.get(at, 0.0) == pytest.approx(back.get(at, 0.0), abs=1e-9)


@brisk
@given(SUMS)
def test_an_option_has_no_advantage_over_itself(first: OptionSum) -> None:
    assert contributions(first, first) == ()
    assert deciding(contributions(first, first)) is None


@brisk
@given(st.lists(st.floats(-9, 9), max_size=6))
def test_what_decides_outweighs_everything_else_in_favour(values: list[float]) -> None:
    parts = [Contribution(Cause.WORD, value, str(at)) for at, value in enumerate(values)]
    found = deciding(parts)
    in_favour = [value for value in values if value > 0]
    if found is None:
        assert all(2 * value <= fsum(in_favour) for value in in_favour)
    else:
        assert found.value > fsum(in_favour) - found.value


def test_a_word_after_the_blank_decides_if_only_its_cost_differs() -> None:
    first = option("Bea", ("owes", "suffix", 2.0), ("Bea", "suffix", 1.0))
    second = option("Ann", ("owes", "suffix", 2.5), ("Bea", "suffix", 9.0))
    assert causes(first, second) == {("WORD", "owes"): 0.5, ("WORD", "Bea"): 8.0}
    assert deciding(contributions(first, second)) == Contribution(Cause.WORD, 8.0, "Bea", "suffix")


def test_tokens_of_one_word_count_together() -> None:
    first = OptionSum(
        "Bea", (CountedToken("pa", "suffix", 1.0), CountedToken("irs", "suffix", 1.0, True))
    )
    second = OptionSum(
        "Ann", (CountedToken("pa", "suffix", 2.0), CountedToken("irs", "suffix", 4.0, True))
    )
    assert causes(first, second) == {("WORD", "pairs"): 4.0}


def test_an_answer_of_the_same_length_decides_by_its_words() -> None:
    first, second = option("can", ("can", "blank", 4.0)), option("may", ("may", "blank", 9.0))
    assert causes(first, second) == {("ANSWER", ""): 5.0}


def test_an_answer_whose_tokens_cost_the_same_decides_by_its_length() -> None:
    first = option("a", ("a", "blank", 4.0))
    second = option("b c", ("b", "blank", 4.0), ("c", "blank", 4.0))
    assert causes(first, second) == {("LENGTH", ""): 4.0}


def test_an_answer_without_tokens_differs_by_its_length() -> None:
    first, second = option(""), option("not", ("not", "blank", 3.0))
    assert causes(first, second) == {("LENGTH", ""): 3.0}


def test_a_mean_over_more_tokens_is_an_effect_of_length() -> None:
    first, second = (
        option("a", ("x", "suffix", 6.0), divisor=3),
        option("b", ("x", "suffix", 6.0), divisor=2),
    )
    assert causes(first, second) == {("LENGTH", ""): pytest.approx(1.0)}


def test_texts_that_differ_are_compared_as_a_whole() -> None:
    first = option("a", ("x", "suffix", 1.0), ("y", "suffix", 1.0))
    second = option("b", ("z", "suffix", 5.0))
    assert contributions(first, second) == (Contribution(Cause.TEXT, 3.0, part="suffix"),)


def test_a_token_across_the_edge_is_named() -> None:
    token = CountedToken("Bea’s", "suffix", 1.0, is_across_edge=True)
    other = CountedToken("Ann’s", "suffix", 4.0, is_across_edge=True)
    first, second = OptionSum("Bea", (token,)), OptionSum("Ann", (other,))
    assert causes(first, second) == {("EDGE", "Ann’s / Bea’s"): 3.0}


def test_what_a_method_subtracts_is_named() -> None:
    first, second = OptionSum("a", (), extra=-5.0), OptionSum("b", (), extra=-2.0)
    assert causes(first, second) == {("OWN_COST", ""): 3.0}


def test_the_length_of_an_answer_is_that_of_its_counted_tokens() -> None:
    assert option("b", ("b", "blank", 1.0), ("x", "suffix", 1.0)).answer_length == 1
