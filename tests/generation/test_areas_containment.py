"""Boxes in boxes, and what would fit into what."""

from __future__ import annotations

import re
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty, RequestedDifficulty
from horsesense.generation.areas.containment import BOXED
from horsesense.generation.theories.nesting import climb, prove_within, uppers
from horsesense.generation.words import table
from tests.generation.drawn import drafts, named, sentences, with_drafts

LEVELS = table("containment")["levels"]


def inside(text: str) -> set[tuple[str, str]]:
    """All pairs, the inner one first, that follow from what a text says of boxes."""
    box = r"the \w+(?: (?!is |contains |lies |holds )\w+)?"
    pairs = set(re.findall(rf"({box}) (?:is inside|is not outside|lies in) ({box})", text))
    pairs |= {pair[::-1] for pair in re.findall(rf"({box}) (?:contains|holds) ({box})", text)}
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs


def split(text: str) -> tuple[str, str]:
    """The premises and the end of a conditional."""
    for pattern in (
        "if (?P<p>.+), then (?P<e>.+)",
        "(?P<e>.+) if (?P<p>.+)",
        "when (?P<p>.+), (?P<e>[^,]+)",
    ):
        if found := re.fullmatch(pattern, text):
            return found["p"], found["e"]
    raise AssertionError(text)


@with_drafts(3, 15)
def test_what_is_said_of_nested_boxes_follows_from_the_premises(count: int) -> None:
    for draft in drafts(named("nest-boxes"), count):
        if draft.answers[0] not in ("is inside", "lies in"):
            continue
        for text, is_true in sentences(draft):
            premises, claim = split(text.lower())
            assert (inside(claim) <= inside(premises)) == is_true, text


def test_premises_are_turned_and_denied_as_often_as_asked_for() -> None:
    for difficulty in RequestedDifficulty().of(named("carry-off")):
        frame = named("carry-off").make(Random(1), difficulty).frame
        assert frame.count(" contains ") == difficulty.converses
        assert frame.count(" is not outside ") == difficulty.negations


def test_a_box_goes_along_with_what_it_is_in() -> None:
    draft = named("carry-off").make(Random(0), Difficulty(2))
    assert draft.answers == ("taken along", "left behind")
    assert draft.cells[0][0].holds and draft.cells[1][1].holds
    assert draft.cells[0][0].steps[0].endswith(f"is inside {draft.keys[0]}")


def test_a_thing_is_in_the_room_of_its_box_and_in_no_other() -> None:
    draft = named("find-thing").make(Random(0), Difficulty(3))
    assert len(draft.cells[0][0].steps) == 3
    assert "is not inside" in draft.cells[0][1].steps[-1]


def test_every_level_but_the_lowest_has_holders_and_nothing_is_listed_twice() -> None:
    assert all(level["holders"] for level in LEVELS[1:])
    listed = [one for level in LEVELS for one in (*level["things"], *level["holders"])]
    assert len(set(listed)) == len(listed)


@with_drafts(5, 40)
def test_things_fit_into_holders_of_higher_levels_only(count: int) -> None:
    level = {
        one: at
        for at, listed in enumerate(LEVELS)
        for one in (*listed["things"], *listed["holders"])
    }
    for draft in drafts(named("fit-things"), count):
        first, second = (key.split(" ", 1)[1] for key in draft.keys)
        assert level[first] < level[second]
        assert second in LEVELS[level[second]]["holders"]


def test_what_is_within_nothing_is_not_told() -> None:
    with pytest.raises(GenerationError, match="nothing tells what a cup is within"):
        prove_within("a cup", "a van", [("a box", "a crate")], BOXED)


def test_nothing_is_within_itself() -> None:
    with pytest.raises(GenerationError, match="a box is within itself"):
        climb("a box", [("a box", "a van"), ("a van", "a box")])


def test_a_thing_can_be_within_two_others_and_is_reached_by_the_shortest_way() -> None:
    links = [("cog", "pump"), ("cog", "loom"), ("pump", "mill"), ("loom", "mill"), ("mill", "hall")]
    assert uppers("cog", links) == ["pump", "loom"]
    assert len(prove_within("cog", "hall", links, BOXED).steps) == 3
