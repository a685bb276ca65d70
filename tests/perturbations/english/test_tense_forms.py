"""Single verbs in the other tense."""

import pytest

from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.tense import to_past, to_present
from horsesense.perturbations.english.verbs import finite_tokens, person_of
from horsesense.perturbations.rewriting import Edit
from horsesense.perturbations.transformation import NotApplicable


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
