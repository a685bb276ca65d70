"""Schemas in the other voice."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Rewriting, Settings, Voucher
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.voice import (
    check_nothing_leans_on,
    check_pronouns,
    propose_voice,
)
from horsesense.perturbations.rewriting import renderings
from horsesense.schema import Cell, Entry, Grid, Schema, problems
from horsesense.schema.notation import parse_grid, print_grid
from tests.strategies import brisk, grids, tame


def proposal(line: str) -> Rewriting:
    return propose_voice(Entry("one", parse_grid(line)), Settings())


def turned(line: str) -> str:
    return print_grid(proposal(line).grid)


def test_subject_and_object_change_places_and_the_candidates_keep_their_numbers() -> None:
    line = "[The wolf] chased [the hare]. <It = the wolf, the hare> was {hungry, terrified}."
    assert turned(line) == (
        "[2: The hare] was chased by [1: the wolf]. "
        "<It = the wolf, the hare> was {hungry, terrified}."
    )


def test_the_answers_go_with_the_key_phrases_as_before() -> None:
    line = "[The wolf] chased [the hare]. <It = the wolf, the hare> was {hungry, terrified}."
    grid = proposal(line).grid
    assert grid.sentence(Cell(1, 1)).text == (
        "The hare was chased by the wolf. The hare was terrified."
    )
    assert [one.right for one in problems(grid)] == [
        one.right for one in problems(parse_grid(line))
    ]


def test_a_proposal_says_how_the_verb_changed_and_nobody_vouches_for_it() -> None:
    found = proposal(
        "[The porter] couldn't lift [the trunk] because <it = the porter, the trunk> was too "
        "{weak, heavy}."
    )
    assert found.how == "couldn't lift → couldn't be lifted"
    assert found.voucher is Voucher.NOBODY


def test_a_name_keeps_its_capital_where_a_common_noun_loses_it() -> None:
    line = "[Nora] thanked [the nurse] because <she = Nora, the nurse> {felt better, had helped}."
    assert turned(line).startswith("[2: The nurse] was thanked by [1: Nora] because")


def test_a_bare_schema_stays_bare() -> None:
    line = "[the wolf] chased [the hare] because <it = the wolf, the hare> was {hungry, slow}"
    assert turned(line).startswith("[2: the hare] was chased by [1: the wolf] because")


@pytest.mark.parametrize(
    ("line", "start"),
    [
        (
            "[Rosa] wiped the cup with [the rag] until <it = the jug, the rag> was {clean, dirty}.",
            "The cup was wiped by [Rosa] with [the rag] until",
        ),
        (
            "[The teacher] punished us because <she = the teacher, the girl> was {strict, late}.",
            "We were punished by [the teacher] because",
        ),
        (
            "[The baker] threw the bread away because <he = the baker, Al> {burnt, hated} it.",
            "The bread was thrown away by [the baker] because",
        ),
        (
            "[Lena] sold the boat to [Nora] when <she = Lena, Nora> {was poor, moved to a lake}.",
            "The boat was sold to [2: Nora] by [1: Lena] when",
        ),
        (
            "[The clerk] asked [the guests] a riddle because <they = the clerk, the guests> "
            "{wanted to tease, liked puzzles}.",
            "[2: The guests] were asked a riddle by [1: the clerk] because",
        ),
        (
            "[The boys] shouted at [the girls] because <they = the boys, the girls> were "
            "{angry, late}.",
            "[2: The girls] were shouted at by [1: the boys] because",
        ),
        (
            "[The boys] have nearly caught [the thief], so <he = a boy, the thief> {runs, hides}.",
            "[2: The thief] has nearly been caught by [1: the boys], so",
        ),
        (
            "[Nora] already has cleaned [the lamp] because <it = the lamp, a jug> was {dim, old}.",
            "[2: The lamp] already has been cleaned by [1: Nora] because",
        ),
        (
            "[The lamp] has never been cleaned by [Nora] because <it = the lamp, a jug> {a, b}.",
            "[2: Nora] has never cleaned [1: the lamp] because",
        ),
        (
            "Somebody pushed [Ivo] near [Otto] because <he = Ivo, Otto> was {weak, cruel}.",
            "[Ivo] was pushed by somebody near [Otto] because",
        ),
    ],
)
def test_pronouns_particles_and_second_objects_come_out_right(line: str, start: str) -> None:
    assert turned(line).startswith(start)


def test_a_key_phrase_may_move_with_the_object() -> None:
    line = "[The porter] lifted [the trunk] of {Ann, Bea}, so <it = the trunk, the porter> fell."
    assert turned(line).startswith("[2: The trunk] of {Ann, Bea} was lifted by [1: the porter], so")


def test_a_passive_that_says_by_whom_becomes_active() -> None:
    line = "[The hare] was chased by [the wolf], so <it = the hare, the wolf> {hid, panted}."
    assert turned(line).startswith("[2: The wolf] chased [1: the hare], so")


def test_a_clause_with_the_candidates_will_do_where_the_main_clause_will_not() -> None:
    line = "When [Ivo] pushed [Otto], <his = Ivo, Otto> {hand, chest} ached."
    assert turned(line).startswith("When [2: Otto] was pushed by [1: Ivo],")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("[The jar] fell on [the cup] because <it = the jar, the cup> was {on top, below}.", "not"),
        (
            "[The shoe] doesn't fit [the foot] because <it = the shoe, the foot> is {small, big}.",
            "no common passive",
        ),
        (
            "[The man] lifted [the boy] and ran because <he = the man, the boy> was {mad, ill}.",
            "same subject",
        ),
        (
            "[The clerk] refused [the hikers] a lamp because <they = the clerk, the hikers> were "
            "{rude, tired}.",
            "two objects",
        ),
        ("[Ivo] {pushed, thanked} [Otto] because <he = Ivo, Otto> was kind.", "key phrase"),
        (
            "[Ivo] hurt himself because [Otto] was near and <he = Ivo, Otto> was {wild, sad}.",
            "reflexive",
        ),
        (
            "[Ivo] pushed [Otto], laughing loudly, because <he = Ivo, Otto> was {wild, late}.",
            "participle",
        ),
        (
            "[The boy] closed his eyes before [the man] left because <he = the boy, the man> was "
            "{sleepy, late}.",
            "come before",
        ),
        (
            "[Ivo] saw the film before [Otto] did because <he = Ivo, Otto> was {keen, busy}.",
            "ellipsis",
        ),
        ("a lorry <can, cannot> pass under a {high, low} bridge", "no target"),
        ("[Ivo] sees me near [Otto] because <he = Ivo, Otto> is {early, late}.", "would be “I”"),
        (
            "[Ivo] pushed the cart and [Otto] fell because <he = Ivo, Otto> was {rough, weak}.",
            "the agent would seem to continue into the next words",
        ),
        (
            "[The lamp] was put by [the door] because <it = the lamp, the door> was {old, red}.",
            "without an agent",
        ),
        (
            "[The lamp] was broken when [Ivo] came because <it = the lamp, Ivo> was {old, red}.",
            "without an agent",
        ),
        (
            "Rain soaked [Ivo] near [Otto] because <he = Ivo, Otto> was {outside, dry}.",
            "whether the subject is a name",
        ),
        (
            "[Ivo] lifted {the cup, the cups} for [Otto] because <he = Ivo, Otto> was ill.",
            "the two problems would differ",
        ),
        ("[Ivo] lended [Otto] because <he = Ivo, Otto> was {ill, mad}.", "form of the verb"),
        ("I pushed [Ivo] near [Otto] because <he = Ivo, Otto> was {ill, mad}.", "be a pronoun"),
        (
            "[Ivo] was pushed by us near [Otto] because <he = Ivo, Otto> was {ill, mad}.",
            "be a pronoun",
        ),
        ("[Ivo] didn't push [Otto] because <he = Ivo, Otto> was {ill, mad}.", "about the agent"),
        ("[Ivo] never pushed [Otto] because <he = Ivo, Otto> was {ill, mad}.", "about the agent"),
        ("[Ivo] just pushed [Otto], as <he = Ivo, Otto> was {ill, mad}.", "about the agent"),
        ("[Ivo] wouldn't push [Otto], as <he = Ivo, Otto> was {ill, mad}.", "about the agent"),
        (
            "[The boy in the hall] pushed [Otto] because <he = the boy, Otto> was {ill, mad}.",
            "seem to continue",
        ),
        (
            "[Ivo] pushed [Otto] although he knew that <he = Ivo, Otto> was {ill, mad}.",
            "seem to refer to another",
        ),
        ("[Ivo] seen [Otto] because <he = Ivo, Otto> was {ill, mad}.", "form of the verb"),
        (
            "[Ivo] pushed the cart, the sledge and [Otto] because <he = Ivo, Otto> was {ill, mad}.",
            "where the object ends",
        ),
        (
            "[Ivo] slept near [Otto], as the cook fed the dog and <he = Ivo, Otto> {sat, lay}.",
            "not transitive",
        ),
    ],
)
def test_what_would_not_be_english_is_left_alone(line: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        proposal(line)


def test_the_problems_of_a_loose_grid_are_turned_one_by_one() -> None:
    line = "[The wolf] chased [the hare] because <it = the wolf*, the hare> was hungry."
    assert turned(line) == (
        "[2: The hare] was chased by [1: the wolf] because <it = the wolf*, the hare> was hungry."
    )


def test_the_voice_changes_nothing_but_the_frame_of_a_schema() -> None:
    line = "[The wolf] chased [the hare]. <It = the wolf, the hare> was {hungry, terrified}."
    before, after = parse_grid(line), proposal(line).grid
    assert isinstance(before, Schema) and isinstance(after, Schema)
    assert (before.keys, before.answers, before.target) == (after.keys, after.answers, after.target)


@brisk
@given(grids(tame))
def test_no_text_is_too_odd_to_be_refused_properly(grid: Grid) -> None:
    with suppress(NotApplicable, SchemaError):
        done = propose_voice(Entry("x", grid), Settings())
        assert type(done.grid) is type(grid) and done.grid.cells == grid.cells


@brisk
@given(
    st.sampled_from(["pushed", "couldn't push", "has pushed", "was pushing", "could not push"]),
    st.sampled_from(["the porter", "the maid", "the old clerk"]),
    st.sampled_from(["because", "although"]),
)
def test_a_sentence_comes_back_from_the_passive(verb: str, subject: str, link: str) -> None:
    text = f"[the waiter] {verb} [{subject}] {link} <he = the waiter, a man> was {{angry, slow}}"
    there = turned(text)
    assert there != text
    assert turned(there) == text


def check(text: str) -> None:
    check_nothing_leans_on(next(token for token in parse(text) if token.dep_ == "ROOT"))


@pytest.mark.parametrize(
    "text",
    [
        "Tom pushed Ben because Ann was late.",
        "Tom pushed Ben, and Ann laughed.",
        "Tom asked Ben to leave.",
        "Tom told Ben that Ann was late.",
        "In the hall Tom pushed Ben.",
        "When Ann was late, Tom pushed Ben.",
        "Tom pushed Ben when Ann was not there.",
    ],
)
def test_a_clause_with_a_subject_of_its_own_leans_on_nothing(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Tom pushed Ben and ran.", "a second verb has the same subject"),
        ("Tom pushed Ben, laughing loudly.", "a participle depends on the subject"),
        ("Tom called Ben after eating.", "a participle depends on the subject"),
        ("Tom pushed Ben before Ann did.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben before Ann did", "an ellipsis depends on the verb"),
        ("Tom pushed Ben but Ann did not because she slept.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben but Ann didn't, so she slept.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben but Ann didn't so she slept.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben harder than Ann.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben instead of Ann.", "an ellipsis depends on the verb"),
        ("Tom pushed Ben but not Ann.", "an ellipsis depends on the verb"),
        ("Tom liked Ben as much as Ann.", "an ellipsis depends on the verb"),
        ("Tom called Ben before Ann.", "an ellipsis depends on the verb"),
        ("Feeling tired, Tom called Ben.", "a participle depends on the subject"),
        ("While at home, Tom called Ben.", "a participle depends on the subject"),
        ("Tom pushed Ben to help Ann.", "the object has a complement"),
        ("Tom wanted to push Ben.", "the object has a complement"),
        ("Tom called Ben a thief.", "the object has a complement"),
    ],
)
def test_what_leans_on_a_clause_is_found(text: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        check(text)


@pytest.mark.parametrize(
    "text", ["Ann slept, but Tom pushed Ben.", "Ann slept while Tom pushed Ben."]
)
def test_a_clause_that_is_told_beside_another_stays_like_it(text: str) -> None:
    verb = next(token for token in parse(text) if token.text == "pushed")
    with pytest.raises(NotApplicable, match="coordinated with another"):
        check_nothing_leans_on(verb)


def check_after_verb(line: str) -> None:
    shown = renderings(parse_grid(line))[0]
    check_pronouns(shown, next(token for token in parse(shown.text) if token.dep_ == "ROOT"))


def test_a_pronoun_after_the_clause_has_to_be_the_target() -> None:
    check_after_verb("[Tom] called [Ben] because <he = Tom, Ben> was {ill, near} him.")
    check_after_verb("[Tom] called [Ben] because <he = Tom, Ben> broke his {leg, lamp}.")
    check_after_verb("[Tom] asked [Ben] for <his = Tom, Ben> {map, lamp}.")


@pytest.mark.parametrize(
    "line",
    [
        "[Tom] called [Ben] as he knew <he = Tom, Ben> was {ill, near}.",
        "[Tom] asked [Ben] for his map because <he = Tom, Ben> was {ill, near}.",
        "[Tom] asked [Ben] to take his map because <he = Tom, Ben> was {ill, near}.",
    ],
)
def test_another_pronoun_would_seem_to_mean_the_new_subject(line: str) -> None:
    with pytest.raises(NotApplicable, match="seem to refer to another"):
        check_after_verb(line)
