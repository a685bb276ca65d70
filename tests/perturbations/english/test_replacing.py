"""The places where candidates stand."""

import pytest

from horsesense.perturbations import NotApplicable
from horsesense.perturbations.english.replacing import (
    CandidateMention,
    check_company,
    check_place,
    is_owner,
    mentions,
    noun_of_mention,
)
from horsesense.schema import Schema
from horsesense.schema.notation import parse_grid


def found(line: str) -> list[CandidateMention]:
    grid = parse_grid(line)
    assert isinstance(grid, Schema)
    return mentions(grid)


def first(line: str) -> CandidateMention:
    return found(line)[0]


def test_every_mark_is_a_mention_with_the_number_of_its_candidate() -> None:
    line = "[2: The jug] fell on [1: the cup]; [2: the jug] broke; <it = the cup, the jug> {a, b}."
    assert [(one.number, one.span.text) for one in found(line)] == [
        (2, "The jug"),
        (1, "the cup"),
        (2, "the jug"),
    ]


def test_a_candidate_may_be_the_first_part_of_a_longer_noun() -> None:
    with pytest.raises(NotApplicable, match="longer noun"):
        check_place(first("By [the dog] bed [the cat] lay, as <it = the dog, the cat> {a, b}."))
    check_place(first("[Ann] gave [Eve] sweets, as <she = Ann, Eve> {smiled, cried}."))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Dear old [Ann] met [Eve] as <she = Ann, Eve> {left, came}.", "belongs"),
        ("My brother, [Tom], met [Ben] as <he = Tom, Ben> {left, came}.", "apposition"),
        ("There is [a cup] in [the box]. <It = the cup, the box> is {a, b}.", "there is"),
    ],
)
def test_a_candidate_in_company_is_refused(line: str, reason: str) -> None:
    with pytest.raises(NotApplicable, match=reason):
        check_company(first(line))


def test_an_owner_has_its_ending_and_something_that_is_owned() -> None:
    assert is_owner(first("[Ann's] dog bit [Eve] as <she = Ann, Eve> {left, came}."))
    assert not is_owner(first("[Ann] bit [Eve] as <she = Ann, Eve> {left, came}."))


@pytest.mark.parametrize(
    ("candidate", "noun"),
    [
        ("The old cup", "cup"),
        ("One of the cups", "cups"),
        ("The younger ones", None),
        ("Ann", None),
    ],
)
def test_the_noun_of_a_candidate_is_what_it_is_one_of(candidate: str, noun: str | None) -> None:
    token = noun_of_mention(first(f"[{candidate}] hit [the jug], so <it = x, y> {{fell, broke}}."))
    assert (token and token.text) == noun
