from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings, Voucher
from horsesense.perturbations.english.converse import (
    propose_counter_associative,
    propose_moved_keys,
)
from horsesense.schema import Entry, Grid
from horsesense.schema.notation import print_grid
from tests.perturbations.written import entry, sensible
from tests.strategies import brisk, grids, tame


def moved(text: str) -> str:
    return print_grid(propose_moved_keys(entry(text), Settings()).grid)


def countered(text: str) -> str:
    return print_grid(propose_counter_associative(entry(text), Settings()).grid)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "{three, nine} geese are <fewer, more> than six swans",
            "six swans are <more, fewer> than {three, nine} geese",
        ),
        (
            "{ten, thirty} spoons are <less, more> numerous than twenty forks",
            "twenty forks are <more, less> numerous than {ten, thirty} spoons",
        ),
        (  # the verb follows its subject
            "{two mice, two oxen} are <lighter, heavier> than a goat",
            "a goat is <heavier, lighter> than {two mice, two oxen}",
        ),
        (
            "Rome is further <south, north> than {Oslo, Cairo}",
            "{Oslo, Cairo} is further <north, south> than Rome",
        ),
        ("the lid is <above, below> the {pot, knob}", "the {pot, knob} is <below, above> the lid"),
        (
            "two cats <outnumber, are outnumbered by> {one, three} dogs",
            "{one, three} dogs <are outnumbered by, outnumber> two cats",
        ),
        (
            "The kettle is <hotter, colder> than {the ice, the fire}.",
            "{the ice, the fire} is <colder, hotter> than the kettle.",
        ),
        (  # two key placeholders, counted anew
            "the lid of a {jar, pot} is <smaller, larger> than a {pot, jar}",
            "a {pot, jar} is <larger, smaller> than the lid of a {jar, pot}",
        ),
        (
            "the <upper, lower> part of a {jar, lid} is a {lid, jar}",
            "a {lid, jar} is the <upper, lower> part of a {jar, lid}",
        ),
        (
            "a {lid, jar} is the <upper, lower> part of a {jar, lid}",
            "the <upper, lower> part of a {jar, lid} is a {lid, jar}",
        ),
    ],
)
def test_the_sides_change_places_and_the_keys_with_them(text: str, expected: str) -> None:
    assert moved(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "if a shelf is {above, below} a table, the shelf is <higher, lower> than the table",
            "if a shelf is {above, below} a table, the table is <lower, higher> than the shelf",
        ),
        (
            "Ida is <older, younger> than Rita if {Ida, Rita} is the aunt of {Rita, Ida}",
            "Rita is <younger, older> than Ida if {Ida, Rita} is the aunt of {Rita, Ida}",
        ),
        (
            "if the cup holds {more, less} than the mug, then the mug has <less, more> volume "
            "than the cup",
            "if the cup holds {more, less} than the mug, then the cup has <more, less> volume "
            "than the mug",
        ),
    ],
)
def test_where_the_keys_stand_elsewhere_it_is_the_partner(text: str, expected: str) -> None:
    assert countered(text) == expected
    with pytest.raises(NotApplicable, match="outside"):
        moved(text)


def test_what_makes_sense_still_does() -> None:
    done = propose_moved_keys(entry("{ice, steam} is <colder, hotter> than water"), Settings())
    assert sensible(done.grid) == ["Water is hotter than ice.", "Water is colder than steam."]
    assert done.how == "converse: colder/hotter → hotter/colder"
    assert done.voucher is Voucher.NOBODY


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "{gold, cork} is <heavier, lighter> than {cork, gold}",
            "the sentences would stay the same",
        ),
        ("{ice, steam} is <solid, liquid> rather than hot", "not known opposites"),
        ("{six, nine} of ten pears are <fewer, more> than half of them", "pronoun"),
        ("{two, four} pears are <fewer, more> than most plums", "quantifier"),
        ("the jug holds <more, less> tea than {milk, water}", "unclear what is compared"),
        ("{a pig, two pigs} is <less, more> than a cow", "differ in number"),
        ("a lamp, beside a {candle, fire}, glows <more, less> brightly", "nothing is compared"),
        ("[Ida] met [Ann] when <she = Ida, Ann> was {older, younger}", "a Winograd schema"),
        ("Ned <saw*, heard> it", "has no key phrases"),
        ("{dogs, cats} <feed, are fed by> the girl", "the sides differ in number"),
        ("{dogs, cats} near me <colder, hotter> than a hen", "the comparison has no verb"),
        ("{dogs, cats} is <colder, hotter> than a hen", "the number of the subject is unclear"),
        ("{a dog, a cat} is <less brave, more calm> than the hens", "not known opposites"),
        ("the <upper, lower> part of a {jar, lid} is lids", "the sides differ in number"),
    ],
)
def test_what_cannot_be_trusted_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        moved(text)


@brisk
@given(
    st.sampled_from(["the jug", "four cups", "Oslo", "a goat", "six blue hats"]),
    st.sampled_from(["larger, smaller", "more, less", "better, worse", "older, younger"]),
)
def test_the_converse_of_the_converse_is_the_schema(side: str, answers: str) -> None:
    verb = "are" if side[0] in "fs" else "is"
    text = f"{side} {verb} <{answers}> than {{the mug, the pail}}"
    assert moved(moved(text)) == text


@brisk
@given(grids(tame))
def test_any_grid_is_rewritten_or_refused(grid: Grid) -> None:
    for propose in (propose_moved_keys, propose_counter_associative):
        with suppress(NotApplicable, SchemaError):
            propose(Entry("x", grid), Settings())
