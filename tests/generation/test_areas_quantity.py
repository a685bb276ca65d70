"""Counts, packs, gains and losses, differences, units."""

from __future__ import annotations

import re
from random import Random

import inflect
import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty
from horsesense.generation.areas.quantity import CLOSE, Quantity, quantities
from horsesense.generation.stories.accounts import tipping
from horsesense.generation.theories.arithmetic import (
    Amount,
    Balance,
    prove_above,
)
from horsesense.generation.words import first_made, nouns, number_word, table
from tests.generation.drawn import drafts, named, true_sentences, with_drafts

TABLE = table("quantity")
NUMBERS = {number_word(number): number for number in range(2000)}


@with_drafts(25, 200)
def test_counts_are_compared_as_their_numbers_are(count: int) -> None:
    seen = 0
    for draft in (*drafts(named("count-things"), count), *drafts(named("exchange-counts"), count)):
        for text in map(str.lower, true_sentences(draft)):
            if found := re.fullmatch(r"(.+) \w+ are (fewer|more) than (.+) \w+", text):
                seen += 1
                assert (found[2] == "more") == (NUMBERS[found[1]] > NUMBERS[found[3]]), text
    assert seen > count // 2


@with_drafts(12, 100)
def test_the_last_step_of_gains_and_losses_is_what_is_left(count: int) -> None:
    pattern = r"(\w+) has (.+?), then \1 ends up with (fewer|more) than (.+) \w+"
    signs = {change["told"].split()[0]: change["sign"] for change in TABLE["changes"]}
    seen = 0
    for draft in drafts(named("gain-and-lose"), count):
        for text in map(str.lower, true_sentences(draft)):
            if not (found := re.search(pattern, text)):
                continue
            start, *changes = re.split(r", | and (?=\w+s )", found[2])
            left = NUMBERS[start.rsplit(" ", 1)[0]]
            for change in changes:
                number = next(word for word in change.split() if word in NUMBERS)
                left += signs[change.split()[0]] * NUMBERS[number]
                assert left > 0, text
            seen += 1
            assert (found[3] == "more") == (left > NUMBERS[found[4]]), text
            assert left != NUMBERS[found[4]]
    assert seen > count


@with_drafts(3, 30)
def test_differences_add_up(count: int) -> None:
    seen = 0
    for draft in drafts(named("differ-by"), count):
        for text in map(str.lower, true_sentences(draft)):
            end, told = re.findall(r"(\w+) has (fewer|more) \w+ than (\w+)", text)[0], {}
            for a, size, word, b in re.findall(
                r"(\w+) has ([\w-]+) (fewer|more) \w+ than (\w+)", text
            ):
                told[a, b] = NUMBERS[size] * (1 if word == "more" else -1)
                told[b, a] = -told[a, b]
            standing, way = {end[0]: 0}, [end[0]]
            for person in way:
                for (a, b), difference in told.items():
                    if a == person and b not in standing:
                        standing[b] = standing[a] - difference
                        way.append(b)
            seen += 1
            assert (end[1] == "more") == (standing[end[2]] < 0), text
    assert seen > 10 * count


def test_equal_amounts_are_not_compared() -> None:
    with pytest.raises(GenerationError, match="neither more nor less"):
        prove_above(Amount(4), Amount(4))


def test_a_balance_is_tipped_by_one_number_to_each_side_or_not_at_all() -> None:
    made = tipping(Random(0), Amount, Amount(5), [3, 5, 8])
    assert isinstance(made, Balance) and made.numbers == (3, 8)
    assert tipping(Random(0), Amount, Amount(5), [3, 5]) is None


def test_numbers_that_never_fit_are_an_error_and_not_a_loop() -> None:
    with pytest.raises(GenerationError, match="nothing that fits"):
        first_made(lambda: None)


def test_a_chain_of_packs_has_so_many_products() -> None:
    for chain in named("fill-packs").chain:
        for seed in range(50):
            steps = named("fill-packs").make(Random(seed), Difficulty(chain)).cells[0][0].steps
            assert sum(" times " in step for step in steps) == chain


@pytest.mark.parametrize("quantity", quantities(), ids=lambda quantity: quantity.more)
def test_units_have_a_factor_between_each_two(quantity: Quantity) -> None:
    dimension = quantity.dimension
    assert len(dimension.factors) == len(dimension.units) - 1
    assert all(factor > 1 for factor in dimension.factors)
    assert all(frame.index("{x}") < frame.index("{y}") for frame in quantity.frames)


@with_drafts(12, 100)
def test_amounts_in_units_are_never_close(count: int) -> None:
    for draft in (*drafts(named("convert-units"), count), *drafts(named("exchange-units"), count)):
        for row in draft.cells:
            more, less = map(
                int, re.findall(r"(\d+) is more than (\d+)", f"{row[0].text}; {row[1].text}")[0]
            )
            assert more >= CLOSE * less


def test_all_nouns_of_the_table_are_listed_once_and_used() -> None:
    used = {word for group in TABLE["groups"] for word in group}
    used |= {*TABLE["packed"], *TABLE["containers"]}
    used |= {unit for entry in TABLE["dimensions"] for unit in entry["units"]}
    assert used == set(TABLE["nouns"])
    assert len(TABLE["nouns"]) == len(used)
    assert set(TABLE["plurals"]) <= used


def test_plurals_are_those_of_a_library() -> None:
    english = inflect.engine()
    for word, noun in nouns("quantity").items():
        if word not in ("penny",):
            assert noun.plural == english.plural_noun(word), word


def test_known_counts_are_of_several_things() -> None:
    assert all(count > 1 for count in TABLE["counts"].values())
    assert all(re.match(r"\w+s |\w+ \w+s ", name) for name in TABLE["counts"])
