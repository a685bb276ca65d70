"""Relative clauses after the first candidate."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings
from horsesense.perturbations.english.relative_clause import propose_relative_clause
from horsesense.schema import Entry, Grid
from horsesense.schema.notation import parse_grid, print_grid
from tests.strategies import brisk, grids, tame

WOLF = "[The wolf] chased [the hare] because <it = the wolf, the hare> was {hungry, slow}."
NORA = "[Nora] thanked [the nurse] because <she = Nora, the nurse> {felt better, had helped}."


def with_clause(line: str, *, seed: int = 0) -> str:
    entry = Entry("one", parse_grid(line))
    return print_grid(propose_relative_clause(entry, Settings(seed=seed)).grid)


def clauses(line: str) -> set[str]:
    """All clauses that any of fifty seeds draws."""
    found = (re.search(r"\], (wh.*?),", with_clause(line, seed=seed)) for seed in range(50))
    return {match[1] for match in found if match}


def test_a_clause_with_its_commas_follows_the_first_candidate_and_all_else_stays() -> None:
    found = with_clause(WOLF)
    match = re.search(r", which [\w ]+,", found)
    assert match is not None
    assert found.replace(match[0], "") == WOLF
    assert found.startswith("[The wolf], which")


def test_it_is_who_for_people_and_which_for_things() -> None:
    assert all(clause.startswith("who ") for clause in clauses(NORA))
    assert all(clause.startswith("which ") for clause in clauses(WOLF))


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("[Ida] met [Ann] because <_ = Ida, Ann> was {early, late}.", "who"),
        ("[Ida and Tom] met [the boys], as <they = Ida and Tom, the boys> {left, came}.", "who"),
        ("[The fireman] met [the boy] when <_ = the fireman, the boy> {left, came}.", "who"),
        ("[The cup] hit [the jug] because <_ = the cup, the jug> was {hard, big}.", "which"),
    ],
)
def test_the_noun_tells_where_the_pronoun_does_not(line: str, word: str) -> None:
    assert all(clause.startswith(f"{word} ") for clause in clauses(line))
    assert clauses(line)


def test_a_modal_tells_the_tense() -> None:
    could = "[The boy] could see [the man] because <he = the boy, the man> {was tall, was near}."
    assert "who had relatives in Canada" in clauses(could)
    assert "who has relatives in Canada" in clauses(could.replace("could", "must"))


def test_the_same_seed_draws_the_same_clause_and_others_draw_others() -> None:
    assert with_clause(NORA, seed=3) == with_clause(NORA, seed=3)
    assert len(clauses(NORA)) > 3


def test_the_clause_is_the_how_of_the_proposal() -> None:
    done = propose_relative_clause(Entry("one", parse_grid(WOLF)), Settings())
    assert done.how.removeprefix("+ ") in print_grid(done.grid)


def test_no_clause_has_a_word_or_the_topic_of_the_sentence() -> None:
    plain = clauses(NORA)
    line = NORA.replace("thanked", "wrote about Norway and about autumn to")
    near = {one for one in plain if re.search("Norway|October", one)}
    assert len(near) == 2 and clauses(line) == plain - near


def test_the_verb_of_the_clause_has_the_number_and_the_tense_of_the_sentence() -> None:
    many = NORA.replace("Nora", "Nora and Ida").replace("<she", "<they")
    assert {"who were born in Bristol", "who spoke a little Italian"} <= clauses(many)
    assert {"who was born in Bristol", "who spoke a little Italian"} <= clauses(NORA)
    now = NORA.replace("thanked", "meets")
    assert {"who was born in Bristol", "who speaks a little Italian"} <= clauses(now)
    now = many.replace("thanked", "meet")
    assert {"who were born in Bristol", "who speak a little Italian"} <= clauses(now)


def test_a_mark_without_its_article_is_as_good() -> None:
    line = "The [cup] hit the [jug] because the <_ = cup, jug> was {hard, big}."
    assert with_clause(line).startswith("The [cup], which")


def test_no_clause_holds_a_pronoun_that_could_be_taken_for_the_target() -> None:
    pronouns = {"he", "she", "it", "they", "him", "her", "them", "his", "its", "their", "this"}
    for clause in clauses(NORA) | clauses(WOLF):
        assert not pronouns & set(clause.split())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            "I met [Nora], and then [Lena], when <she = Nora, Lena> was {first, last}.",
            "punctuation",
        ),
        (
            "[Nora]'s dog bit [Lena] because <she = Nora, Lena> {shouted, fell}.",
            "possessive|larger",
        ),
        ("[The lid] of the jar hit [the cup], so <it = the lid, the cup> {bent, broke}.", "larger"),
        ("[Nora] and Ida met [Lena] when <she = Nora, Lena> {left, came}.", "larger"),
        ("We put [the cup] away with [the jar] as <it = the cup, the jar> was {old, big}.", "part"),
        ("[Every boy] saw [the man] before <he = every boy, the man> {hid, spoke}.", "definite"),
        ("[A cup] hit [the jug] because <it = the cup, the jug> was {hard, big}.", "definite"),
        ("[The old] cup hit [the jug], so <it = the old cup, the jug> {fell, broke}.", "larger"),
        ("Tom hid [the cup] in [the jug] because <it = the cup, the jug> was {old, big}.", "cut"),
        ("We saw [the bus] at noon near [the van], as <it = the bus, the van> {fell, hid}.", "cut"),
        (
            "Tom hid [the cup] because [the jug] broke when <it = the cup, the jug> {fell, hid}.",
            "thing",
        ),
        ("The jug hit [the cup] because <it = the jug, the cup> was {old, big}.", "not marked"),
        ("Seeing <her = Nora, Lena> {sing, sit}, [Nora] called [Lena].", "target comes"),
        (
            "[Nora] met [Lena], who was ill, when <she = Nora, Lena> {sang, sat}.",
            "already a relative clause",
        ),
        (
            "The hat that [Nora] wore hurt [Lena] as <she = Nora, Lena> {sang, sat}.",
            "already a relative clause",
        ),
        (
            "[The sun] warmed [the wall] because <it = the sun, the wall> was {hot, cold}.",
            "no clause",
        ),
        (
            "[Her hand] hit [the wall] because <it = the hand, the wall> was {big, near}.",
            "no clause",
        ),
        ("[The boys] met [the men] as <they = the boys, the men> {left, came}.", "group"),
        (
            "[The cup] hit my jug and [the pot] as <it = the cup, the pot> {fell, stood}.",
            "first or",
        ),
        ("[Xanthippos] met [Lena] when <they = Xanthippos, Lena> {sang, sat}.", "person"),
        ("[The glorps] met [the zims] as <they = the glorps, the zims> {left, came}.", "person"),
        ("[Peru] beat [Chile] although <they = Peru, Chile> were {weak, strong}.", "person"),
        ("a lorry <can, cannot> pass under a {high, low} bridge", "no target"),
        ("Nora saw Lena when <she = Nora, Lena> {looked, waved}.", "no candidate"),
        ("[Water] reached [the hut], as <it = the water, the hut> was {high, low}.", "no article"),
        ("[The mixer] hit [the jug], as <_ = the mixer, the jug> was {hard, big}.", "person"),
        ("Seeing [the boy] because [the man] hid as <he = the boy, the man> {ran, sat}.", "tense"),
        (
            "[Nora] spoke in a foreign country about the birthday and the birth of a cousin to "
            "[Lena] when <she = Nora, Lena> {sang, sat}.",
            "every available clause",
        ),
    ],
)
def test_where_a_clause_has_no_place_none_is_put(line: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        with_clause(line)


@brisk
@given(grids(tame))
def test_no_text_is_too_odd_to_be_refused_properly(grid: Grid) -> None:
    with suppress(NotApplicable, SchemaError):
        done = propose_relative_clause(Entry("x", grid), Settings())
        assert type(done.grid) is type(grid) and done.grid.cells == grid.cells
