import random

import pytest

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.number import renumbered_answers
from horsesense.perturbations.english.referents import SecondNames, referents_of
from horsesense.perturbations.rewriting import renderings
from horsesense.schema import Schema
from tests.perturbations.written import entry


def answers(line: str) -> list[str]:
    """The new answers to a schema."""
    grid = entry(line).grid
    assert isinstance(grid, Schema)
    shown = renderings(grid)[0]
    referents = referents_of(grid, shown, SecondNames(random.Random(0), set()))
    return [value[0] for value in renumbered_answers(grid, shown, referents).values]


@pytest.mark.parametrize(
    "line, expected",
    [
        (
            "[A jug] hit [an old bowl] and <it = a jug, the bowl> {moved, broke}.",
            ["jugs", "the bowls"],
        ),
        (
            "[The boy] met [his uncle] as <he = the boy, his uncle> was {ill, lost}.",
            ["the boys", "their uncles"],
        ),
        (
            "[The girl] hid [his bag] as <_ = the girl, his bag> was {shy, torn}.",
            ["the girls", "his bags"],
        ),
        (
            "[Old jugs] hit [my bowls] and <they = Old jugs, my bowls> {moved, broke}.",
            ["the old jug", "my bowl"],
        ),
        (
            "The [jugs] hit the [bowls] and the <_ = jugs, bowls> {moved, broke}.",
            ["jug", "bowl"],
        ),
        (
            "[The twins' kites] hit [the jugs] and <they = the twins' kites, jugs> {moved, broke}.",
            ["the twins' kite", "the jug"],
        ),
    ],
)
def test_answers_change_with_their_candidates(line: str, expected: list[str]) -> None:
    assert answers(line) == expected


def test_a_name_gets_the_same_second_one_in_every_answer() -> None:
    line = "[Diana's aunt] woke [Diana] as <she = Diana's aunt, Diana> was {bored, late}."
    first, second = answers(line)
    assert first == f"{second}'s aunts" and second.startswith("Diana and ")


def test_an_answer_in_words_that_nobody_can_match_is_refused() -> None:
    with pytest.raises(NotApplicable, match="worded in another way"):
        answers("[The jug] hit [the bowl] and <it = the pitcher, the bowl> {moved, broke}.")
