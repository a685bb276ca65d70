"""Which stored tokens a method added up."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

import pytest

from horsesense.results import TokenCosts
from horsesense.results.measuring.sums import counted_ranges, option_sums

PARTS = ("prefix", "blank", "suffix", "suffix")
COSTS = (3.0, 1.5, 0.25, 0.5), (3.0, 2.5, 1.25, 0.75)


def stored(
    parts: Sequence[str] = PARTS, costs: Sequence[Sequence[float | None]] = COSTS
) -> list[TokenCosts]:
    texts = (" The", " an", "t", " ran", ".")[: len(parts)]
    return [
        TokenCosts("ant", "quay", "original", "rope", 1, option, texts, tuple(parts), tuple(values))
        for option, values in enumerate(costs)
    ]


@pytest.mark.parametrize("counted", [(0, 4), (1, 4), (2, 4), (2, 3), (1, 2)])
@pytest.mark.parametrize("is_mean", [False, True])
def test_a_selection_is_known_by_its_costs(counted: tuple[int, int], is_mean: bool) -> None:
    start, end = counted
    length = end - start if is_mean else 1
    costs = [fsum(values[start:end]) / length for values in COSTS]
    assert counted_ranges(stored(), costs) == (counted, counted)
    sums = option_sums(stored(), costs, ("an", "the"))
    assert [each.cost for each in sums] == pytest.approx(costs)
    assert [each.phrase for each in sums] == ["an", "the"]
    assert {each.divisor for each in sums} == {length}


def test_all_tokens_from_the_blank_on_may_be_counted() -> None:
    parts, costs = ("prefix", "prefix", "blank", "suffix"), [2.0, 5.0]
    tokens = stored(parts, [(9.0, 9.0, 1.5, 0.5), (9.0, 9.0, 2.5, 2.5)])
    assert counted_ranges(tokens, costs) == ((2, 4), (2, 4))


def test_nothing_is_believed_that_does_not_add_up() -> None:
    assert counted_ranges(stored(), (99.0, 98.0)) is None
    assert option_sums(stored(), (99.0, 98.0), ("an", "the")) == ()


def test_options_without_tokens_are_not_explained() -> None:
    assert counted_ranges(stored()[:1], (5.25, 7.5)) is None
    assert counted_ranges((), ()) is None


def test_an_unknown_cost_is_not_counted() -> None:
    tokens = stored(costs=[(None, 1.5, 0.25, 0.5), (None, 2.5, 1.25, 0.75)])
    assert counted_ranges(tokens, (2.25, 4.5)) == ((1, 4), (1, 4))
    words = [token.text for token in option_sums(tokens, (2.25, 4.5), ("an", "the"))[0].tokens]
    assert words == ["an", "t", "ran"]


def test_without_a_blank_what_follows_one_is_not_counted() -> None:
    tokens = stored(("prefix", "prefix"), [(1.0, 2.0), (1.0, 4.0)])
    assert counted_ranges(tokens, (3.0, 5.0)) == ((0, 2), (0, 2))
    assert counted_ranges(tokens, (7.0, 9.0)) is None


def test_two_blanks_are_not_one_range() -> None:
    tokens = stored(("blank", "prefix", "blank", "suffix"))
    assert counted_ranges(tokens, (1.75 + 1.5, 99.0)) is None


def test_a_token_that_goes_on_with_a_word_is_known_by_its_text() -> None:
    sums = option_sums(stored(), [fsum(values) for values in COSTS], ("an", "the"))
    assert [token.is_continued for token in sums[0].tokens] == [False, False, True, False]
