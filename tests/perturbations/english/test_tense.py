from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import SchemaError
from horsesense.perturbations import NotApplicable, Settings, Voucher
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.tense import propose_tense, to_past, to_present
from horsesense.perturbations.english.verbs import finite_tokens, person_of
from horsesense.perturbations.rewriting import Edit
from horsesense.schema import Entry, Grid
from horsesense.schema.notation import print_grid
from tests.perturbations.written import entry
from tests.strategies import brisk, grids, tame

NURSE = "[Rosa] hummed the tune to [Olga], but <she = Rosa, Olga> couldn't {finish, place} it."


def proposed(text: str) -> str:
    return print_grid(propose_tense(entry(text), Settings()).grid)


def refused(text: str) -> str:
    with pytest.raises(NotApplicable) as error:
        proposed(text)
    return str(error.value)


def test_a_past_becomes_a_present_and_the_proposal_says_how() -> None:
    done = propose_tense(entry(NURSE), Settings())
    assert print_grid(done.grid) == (
        "[Rosa] is humming the tune to [Olga], but <she = Rosa, Olga> can't {finish, place} it."
    )
    assert done.how == "hummed → is humming, couldn't → can't"
    assert done.voucher is Voucher.NOBODY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # states have no continuous form
            "[The nun] knew [the cook] because <she = the nun, the cook> was {curious, famous}.",
            "[The nun] knows [the cook] because <she = the nun, the cook> is {curious, famous}.",
        ),
        (  # a plural subject, and a key phrase that is a verb
            "[Boys] fed [the dogs] because <they = boys, the dogs> {had it, smelt it}.",
            "[Boys] are feeding [the dogs] because <they = boys, the dogs> {have it, smell it}.",
        ),
        (  # the past perfect becomes the present perfect, would becomes will
            "[Ann] called [Eve] from the hut that <she = Ann, Eve> had {rented, sold}.",
            "[Ann] is calling [Eve] from the hut that <she = Ann, Eve> has {rented, sold}.",
        ),
        (
            "[Ann] hid the cake from [Eve] so that <she = Ann, Eve> would {keep, miss} it.",
            "[Ann] is hiding the cake from [Eve] so that <she = Ann, Eve> will {keep, miss} it.",
        ),
        (  # negations: an event, a state, and one's own
            "[Ann] didn't answer [Eve] because <she = Ann, Eve> didn't want to {speak, listen}.",
            "[Ann] isn't answering [Eve] because <she = Ann, Eve> doesn't want to {speak, listen}.",
        ),
        (
            "I wasn't near [the ox] at [the pit] because <it = the ox, the pit> was {wild, deep}.",
            "I am not near [the ox] at [the pit] because <it = the ox, the pit> is {wild, deep}.",
        ),
        (  # an adverb stands between the auxiliary and the verb
            "[Tom] quickly washed [the cup] because <he = Tom, the cup> was {eager, dirty}.",
            "[Tom] is quickly washing [the cup] because <he = Tom, the cup> is {eager, dirty}.",
        ),
        (  # a number of its own for a pronoun that nobody has recorded
            "[The cats] feared [the dogs] because <_ = the cats, the dogs> had {sense, teeth}.",
            "[The cats] fear [the dogs] because <_ = the cats, the dogs> have {sense, teeth}.",
        ),
        (  # spelt as it was
            "[Tom] travelled with [Ben] because <he = Tom, Ben> was {lonely, amusing}.",
            "[Tom] is travelling with [Ben] because <he = Tom, Ben> is {lonely, amusing}.",
        ),
        (  # a present within a past is left
            "[Ann] painted [Eve] because <she = Ann, Eve> {loved, has} art.",
            "[Ann] is painting [Eve] because <she = Ann, Eve> {loves, has} art.",
        ),
        (  # put is past where there is no -s, or where all else is
            "[The boy] put [the cup] away because <he = the boy, the cup> was {tired, clean}.",
            "[The boy] is putting [the cup] away because <he = the boy, the cup> is "
            "{tired, clean}.",
        ),
        (
            "They put [the cup] near [the jug] because <it = the cup, the jug> was {old, big}.",
            "They are putting [the cup] near [the jug] because <it = the cup, the jug> is "
            "{old, big}.",
        ),
    ],
)
def test_what_is_told_in_the_past_comes_to_happen_now(text: str, expected: str) -> None:
    assert proposed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (  # one event after another
            "[Tom] opened the door and called [Ben], but <he = Tom, Ben> was {hoarse, deaf}.",
            "[Tom] opens the door and calls [Ben], but <he = Tom, Ben> is {hoarse, deaf}.",
        ),
        (  # in several sentences, and in one of the problems only
            "[Ann] painted [Eve]. <She = Ann, Eve> {sold the picture, was proud}.",
            "[Ann] paints [Eve]. <She = Ann, Eve> {sells the picture, is proud}.",
        ),
        (  # a clause of time
            "[Tom] waved to [Ben] when <he = Tom, Ben> left the {tower, boat}.",
            "[Tom] waves to [Ben] when <he = Tom, Ben> leaves the {tower, boat}.",
        ),
        (  # an outcome
            "[Tom] tried to wake [Ben], but <he = Tom, Ben> was {unsuccessful, drunk}.",
            "[Tom] tries to wake [Ben], but <he = Tom, Ben> is {unsuccessful, drunk}.",
        ),
        (
            "[Tom] was near [Ben], but <he = Tom, Ben> didn't {wave, answer}.",
            "[Tom] is near [Ben], but <he = Tom, Ben> doesn't {wave, answer}.",
        ),
    ],
)
def test_a_story_is_told_in_the_simple_present(text: str, expected: str) -> None:
    assert proposed(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[The hen] won't leave [the barn] because <it = the hen, the barn> is {shy, warm}.",
            "[The hen] wouldn't leave [the barn] because <it = the hen, the barn> was {shy, warm}.",
        ),
        (
            "[Tom] cannot hear [Ben] because <he = Tom, Ben> {has, makes} a cold.",
            "[Tom] could not hear [Ben] because <he = Tom, Ben> {had, made} a cold.",
        ),
        (
            "They're sure [the jar] doesn't hold [tea]; <it = the jar, tea> is {old, hot}.",
            "They were sure [the jar] didn't hold [tea]; <it = the jar, tea> was {old, hot}.",
        ),
    ],
)
def test_what_is_told_in_the_present_becomes_past(text: str, expected: str) -> None:
    assert proposed(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[Ann] called [Eve] yesterday. <She = Ann, Eve> was {chatty, out}.", "a time is named"),
        ("[Ann] fed [Eve]. <She = Ann, Eve> had {a cat, a dog} as a child.", "a time is named"),
        (
            "[Ann] was singing and danced with [Eve], as <she = Ann, Eve> was {merry, kind}.",
            "a verb form does not fit",
        ),
        ("[Ann] told [Eve]: “Go!” <She = Ann, Eve> {blushed, went}.", "direct speech"),
        ("Did [Ann] see [Eve]? <She = Ann, Eve> {looked, hid}.", "a question"),
        (
            "[Ann] must phone [Eve] because <she = Ann, Eve> is {late, ill}.",
            "'must' has no counterpart",
        ),
        (
            "[Ann] avoids [Eve] because <she = Ann, Eve> {stole, lost} a ring.",
            "past and present occur together",
        ),
        (
            "If [Ann] had seen [Eve], <she = Ann, Eve> would have {waved, hidden}.",
            "it contains a condition",
        ),
        ("Tom <can, cannot> lift {a pen, a piano}", "'can' is an answer"),
        ("[Ann] {called, calls} [Eve] because <she = Ann, Eve> was late.", "occur together"),
        ("[Ann] acted as if [Eve] were ill; <she = Ann, Eve> was {odd, pale}.", "a condition"),
        ("[Ann] used to call [Eve], as <she = Ann, Eve> was {odd, old}.", "'used to' has no"),
        ("[The cat] met [the dogs]. <_ = the cat, the dogs> had {fur, bones}.", "differ in number"),
        ("[The boys] put [the cups] away. <They = The boys, the cups> {sat, lay}.", "'put' may be"),
        ("[Ann] calls [Eve] now because <she = Ann, Eve> is {bored, ill}.", "a time is named"),
        ("[Ann] called [Eve], as <she = Ann, Eve> could have {left, come}.", "a condition"),
        ("[Ann] said that [Eve] broke a cup; <she = Ann, Eve> {cried, ran}.", "an event before"),
        ("[Ann] called [Eve] because <she = Ann, Eve> can {talk, listen}.", "occur together"),
        ("[Ann] called [Eve] if <she = Ann, Eve> was {lonely, home}.", "a condition"),
        ("Some sang to [Ann] near [Eve]; <she = Ann, Eve> {danced, slept}.", "'some' may be"),
        (
            "The cat on the mat. [Ann] called [Eve]; <she = Ann, Eve> {a, b}.",
            "the main verb of a sentence was not found",
        ),
        ("{owls, pines} are <birds, trees>", "a general truth stays in the present"),
    ],
)
def test_what_cannot_be_trusted_is_refused_with_its_reason(text: str, reason: str) -> None:
    assert reason in refused(text)


@brisk
@given(
    st.sampled_from(["knew", "feared", "loved", "needed", "could see", "had to thank"]),
    st.sampled_from(["although", "because"]),
    st.sampled_from(["was", "wasn't", "couldn't be", "had been"]),
)
def test_a_state_in_the_past_comes_back_from_the_present(verb: str, link: str, be: str) -> None:
    text = f"[Ann] {verb} [Eve] {link} <she = Ann, Eve> {be} {{lonely, famous}}."
    there = proposed(text)
    assert there != text
    assert proposed(there) == text


@brisk
@given(grids(tame))
def test_no_text_is_too_odd_to_be_refused_properly(grid: Grid) -> None:
    with suppress(NotApplicable, SchemaError):
        done = propose_tense(Entry("x", grid), Settings())
        assert type(done.grid) is type(grid) and done.grid.cells == grid.cells


def edited(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda one: one.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def present(text: str, *, in_story: bool = False) -> str:
    tokens = finite_tokens(parse(text))
    edits = [to_present(token, person_of, in_story=in_story) for token in tokens]
    return edited(text, [edit for some in edits for edit in some])


def past(text: str) -> str:
    return edited(text, [to_past(token) for token in finite_tokens(parse(text))])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was in the shed.", "I am in the shed."),
        ("I didn't paint the shed.", "I am not painting the shed."),
        ("I did not paint the shed.", "I am not painting the shed."),
        ("Tom didn't know the shed.", "Tom doesn't know the shed."),
        ("Tom could not paint it.", "Tom cannot paint it."),
        ("Tom wouldn't paint it.", "Tom won't paint it."),
        ("They'd painted it.", "They've painted it."),
        ("Quickly Tom painted it.", "Quickly Tom is painting it."),
        ("Tom was singing and danced with Ann.", "Tom is singing and dancing with Ann."),
        ("The girls painted it.", "The girls are painting it."),
    ],
)
def test_a_past_word_becomes_present(text: str, expected: str) -> None:
    assert present(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("She's sure.", "She was sure."),
        ("They've met Tom.", "They had met Tom."),
        ("We're late and Tom is early.", "We were late and Tom was early."),
        ("They'll paint it.", "They would paint it."),
        ("Tom can't paint it.", "Tom couldn't paint it."),
        ("Tom cannot paint it.", "Tom could not paint it."),
        ("Tom goes home.", "Tom went home."),
    ],
)
def test_a_present_word_becomes_past(text: str, expected: str) -> None:
    assert past(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tom painted it and Ann left.", "Tom paints it and Ann leaves."),
        ("Tom quickly painted it.", "Tom quickly paints it."),
        ("I didn't paint the shed.", "I don't paint the shed."),
        ("Tom was painting it.", "Tom is painting it."),
    ],
)
def test_in_a_story_nothing_comes_to_be_going_on(text: str, expected: str) -> None:
    assert present(text, in_story=True) == expected


def test_were_with_a_singular_is_a_condition() -> None:
    with pytest.raises(NotApplicable, match="condition"):
        present("He were late.")
