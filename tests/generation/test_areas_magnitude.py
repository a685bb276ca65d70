"""Comparisons of people in stories and of known things."""

from __future__ import annotations

import re
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty, RequestedDifficulty
from horsesense.generation.stories.known_things import (
    MeasuredThing,
    Topic,
    prove_more,
    scales,
    topics,
)
from horsesense.generation.theories.order import carry_over
from horsesense.generation.words import table
from tests.generation.drawn import drafts, named, sentences, with_drafts

QUALITIES = table("magnitude")["qualities"]
NAME = r"[A-Z][a-z]+"


def ordered(text: str) -> set[tuple[str, str]]:
    """All pairs, the greater first, that follow from the comparisons in a text."""
    pairs = set[tuple[str, str]]()
    for quality in QUALITIES:
        for word, way in ((quality["more"], 1), (quality["less"], -1)):
            found = re.findall(rf"({NAME}) is {word} than ({NAME})", text)
            pairs |= {pair[::way] for pair in found}
        found = re.findall(rf"({NAME}) is not {quality['as_much']} as ({NAME})", text)
        pairs |= {pair[::-1] for pair in found}
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return pairs


def split(text: str) -> tuple[str, str]:
    """The premises and the end of a conditional."""
    for pattern in (r"If (?P<p>.+), then (?P<e>.+)", r"(?P<e>.+) if (?P<p>.+)"):
        if found := re.fullmatch(pattern, text):
            return found["p"], found["e"]
    found = re.fullmatch(r"When (?P<p>.+), (?P<e>[^,]+)", text)
    assert found, text
    return found["p"], found["e"]


@pytest.mark.parametrize("name", ["compare-people", "exchange-people"])
@with_drafts(3, 25)
def test_what_a_story_says_follows_from_its_premises(name: str, count: int) -> None:
    for draft in drafts(named(name), count):
        for text, is_true in sentences(draft):
            premises, end = split(text)
            ((asked, *_),) = [ordered(end)]
            known = ordered(premises)
            assert (asked in known) == is_true, text
            assert (asked[::-1] in known) != is_true, text


def test_a_story_has_as_many_premises_turned_and_denied_ones_as_asked_for() -> None:
    for difficulty in RequestedDifficulty().of(named("exchange-people")):
        draft = named("exchange-people").make(Random(3), difficulty)
        proof = draft.cells[0][0]
        assert len(proof.steps) == difficulty.chain
        assert draft.frame.count(" is not as ") == difficulty.negations


def test_equals_pass_a_comparison_on() -> None:
    prove = carry_over("Ada", "Bo", [("Bo", "Cy"), ("Dan", "Ada")], lambda a, b: f"{a} = {b}")
    assert prove("Dan", "Cy").holds
    assert not prove("Cy", "Dan").holds
    assert prove("Dan", "Cy").steps == ("Bo = Cy", "Dan = Ada")
    with pytest.raises(GenerationError, match="nothing tells whether Bo or Cy"):
        prove("Bo", "Cy")


def test_the_key_of_equals_stands_in_a_premise() -> None:
    rule = named("compare-equals")
    answers = set()
    for seed in range(40):
        draft = rule.make(Random(seed), Difficulty(3))
        assert draft.keys == draft.answers
        answers.add(draft.cells[0][0].holds)
    assert answers == {True, False}, "the answer is not just the key again"


@pytest.mark.parametrize("topic", topics("magnitude"), ids=lambda topic: topic.scale.name)
def test_known_things_have_a_range_and_are_not_listed_twice(topic: Topic) -> None:
    scale = topic.scale
    names = [thing.name for thing in scale.things]
    assert len(set(names)) == len(names)
    assert all(thing.low <= thing.high for thing in scale.things)
    assert all(scale.above(thing) or scale.below(thing) for thing in scale.things)
    assert all(
        wording.frame.index("{x}") < wording.frame.index("{y}") for wording in topic.wordings
    )


def test_things_that_are_too_close_are_not_compared() -> None:
    weight = scales("magnitude")[0]
    with pytest.raises(GenerationError, match="too close"):
        prove_more(MeasuredThing("a cat", 2e3, 9e3), MeasuredThing("a hen", 1e3, 5e3), weight)


def test_measures_are_told_in_the_unit_that_suits_them() -> None:
    weight, heat = scales("magnitude")[0], scales("magnitude")[3]
    assert weight.measure(0.02) == "20 milligrams"
    assert weight.measure(1e3) == "1 kilo"
    assert weight.measure(4e9) == "4,000 tonnes"
    assert heat.measure(-35) == "-35 degrees Celsius"


def test_what_is_beyond_a_limit_is_shown_in_two_steps() -> None:
    rule = named("measure-known-things")
    for seed in range(200):
        draft = rule.make(Random(seed), Difficulty(2))
        assert len(draft.cells[0][0].steps) == 4
        assert " it " in f" {draft.cells[0][0].text} ".replace(";", " ")


def test_qualities_are_different_words() -> None:
    words = [word for quality in QUALITIES for word in (quality["more"], quality["less"])]
    assert len(set(words)) == len(words)
