"""Rows and stacks, levels, latitudes, turns, and left and right."""

from __future__ import annotations

import re
from itertools import permutations
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty
from horsesense.generation.stories.known_things import Series, all_series, scales
from horsesense.generation.theories.arithmetic import opposite, prove_facing, prove_side
from horsesense.generation.words import table
from tests.generation.drawn import drafts, named, sentences, with_drafts

TABLE = table("space")
DEGREES = {"north": 0, "east": 90, "south": 180, "west": 270}
TURNS = {"left": -90, "right": 90, "round": 180}
QUEUE = next(entry for entry in TABLE["settings"] if entry["setting"] == "in a queue")


@pytest.mark.parametrize("name", ["order-places", "exchange-places"])
@with_drafts(12, 40)
def test_queues_stand_as_every_order_that_fits_them_has_it(name: str, count: int) -> None:
    """Try all orders of the people: those that fit all premises agree about the end."""
    said = r"([A-Z]\w+) (?:does not )?stands? (?:in front of|behind) ([A-Z]\w+)"
    seen = 0
    for draft in drafts(named(name), count):
        if not draft.frame.startswith("in a queue") or draft.frame.count(" stand") > 5:
            continue
        for text, is_true in sentences(draft):
            clauses = [found.group() for found in re.finditer(said, text)]
            at = -1 if re.search(r", (if|when) ", text) else 0
            end = clauses.pop(at)
            people = sorted(set(re.findall(r"[A-Z]\w+", " ".join(clauses))))
            fitting = [
                line for line in permutations(people) if all(holds(c, line) for c in clauses)
            ]
            assert fitting and {holds(end, line) for line in fitting} == {is_true}, text
            seen += 1
    assert seen > count // 2


def holds(clause: str, line: tuple[str, ...]) -> bool:
    first, second = re.findall(r"[A-Z]\w+", clause)
    is_ahead = line.index(first) < line.index(second)
    return is_ahead == (("in front of" in clause) != ("not" in clause))


@pytest.mark.parametrize("series", all_series("space"), ids=lambda series: series.where)
def test_a_series_goes_from_the_bottom_to_the_top(series: Series) -> None:
    assert len(set(series.members)) == len(series.members) > 2
    bottom, top = series.members[0], series.members[-1]
    assert series.prove(top, bottom).holds
    assert series.prove(bottom, top).steps[-1].endswith(f"above {bottom}")
    assert series.verb in ("is", "are")
    for saying in series.sayings:
        assert saying.frame.index("{x}") < saying.frame.index("{y}")


def test_where_something_is_names_one_series() -> None:
    places = [series.where for series in all_series("space")]
    assert len(set(places)) == len(places)


def test_cities_that_are_compared_are_far_apart() -> None:
    (latitude,) = scales("space")
    assert len({city.name for city in latitude.things}) == len(latitude.things)
    for city in latitude.things:
        assert -90 < city.low == city.high < 90
        assert all(other.low - city.low >= 8 for other in latitude.above(city))
    assert latitude.measure(-34) == "34 degrees south"
    assert latitude.measure(1) == "1 degree north"


@with_drafts(7, 60)
def test_turns_lead_where_degrees_say(count: int) -> None:
    for draft in drafts(named("turn-about"), count):
        for text, is_true in sentences(draft):
            turns = [TURNS[turn] for turn in re.findall(r"turns (\w+)", text)]
            points = re.findall(r"north|east|south|west", text)
            start, end = points if text.startswith("If") else points[::-1]
            start = opposite(start) if "behind" in text else start
            assert ((DEGREES[start] + sum(turns)) % 360 == DEGREES[end]) == is_true, text


def test_turns_that_nobody_makes_are_refused() -> None:
    with pytest.raises(GenerationError, match="'upwards' is not a turn"):
        prove_facing("north", ["upwards"], "south")


def test_left_and_right_change_for_those_who_face_each_other() -> None:
    for side, other in (("left", "right"), ("right", "left")):
        assert prove_side(side, other).holds
        assert not prove_side(side, side).holds


def test_a_setting_has_two_words_and_denies_the_first() -> None:
    for entry in TABLE["settings"]:
        assert entry["more"] != entry["less"]
        assert "not" in entry["denial"]
        stem = entry["more"].removesuffix("er")
        assert stem in entry["denial"], entry


def test_a_longer_queue_has_more_premises() -> None:
    for chain in named("order-places").chain:
        draft = named("order-places").make(Random(2), Difficulty(chain))
        assert len(draft.cells[0][0].steps) == chain


def test_nothing_in_the_stories_is_listed_twice() -> None:
    for name in ("colours", "villages", "ways", "seen"):
        assert len(set(TABLE[name])) == len(TABLE[name])
    assert QUEUE["of"] == "people"
