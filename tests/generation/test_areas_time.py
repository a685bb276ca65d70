"""Order of events, stages, durations, the calendar and the clock."""

from __future__ import annotations

import re
from random import Random

import pytest

from horsesense.errors import GenerationError
from horsesense.generation import Difficulty, RequestedDifficulty
from horsesense.generation.stories.known_things import Scale, Series, all_series, scales
from horsesense.generation.theories.arithmetic import prove_place
from horsesense.generation.words import number_word, table
from tests.generation.drawn import drafts, named, true_sentences, with_drafts

TABLE = table("time")
HOURS = {number_word(hour): hour for hour in range(1, 13)}


@pytest.mark.parametrize("name", ["exchange-stages", "place-stages"])
def test_no_stage_hangs_on_more_facts_than_asked_for(name: str) -> None:
    for difficulty in RequestedDifficulty().of(named(name)):
        for seed in range(40):
            draft = named(name).make(Random(seed), difficulty)
            lengths = [len(cell.steps) for row in draft.cells for cell in row]
            assert max(lengths) == difficulty.chain


@pytest.mark.parametrize("series", all_series("time"), ids=lambda series: series.where)
def test_a_series_goes_one_way(series: Series) -> None:
    assert len(set(series.members)) == len(series.members) > 2
    first, last = series.members[0], series.members[-1]
    assert series.prove(last, first).holds
    assert not series.prove(first, last).holds
    assert len(series.prove(last, first).steps) == len(series.members) - 1
    with pytest.raises(GenerationError, match="nothing tells"):
        series.prove(first, "doomsday")


@pytest.mark.parametrize("scale", scales("time"), ids=lambda scale: scale.name)
def test_durations_that_are_compared_differ_by_a_factor_of_three(scale: Scale) -> None:
    assert scale.factor >= 3
    assert len({thing.name for thing in scale.things}) == len(scale.things)
    for thing in scale.things:
        assert 0 < thing.low <= thing.high
        assert scale.above(thing) or scale.below(thing)
        assert all(other.low >= 3 * thing.high for other in scale.above(thing))


def test_counting_goes_round() -> None:
    week = tuple(TABLE["cycles"][0]["members"])
    assert prove_place("Saturday", 3, "Tuesday", week).holds
    assert prove_place("Monday", -2, "Saturday", week).holds
    assert prove_place("Monday", -2, "Sunday", week).steps[-1] == "before Sunday comes Saturday"


@pytest.mark.parametrize("start, shift", [("Doomsday", 1), ("Monday", 0)])
def test_counting_needs_a_member_and_a_number(start: str, shift: int) -> None:
    week = tuple(TABLE["cycles"][0]["members"])
    with pytest.raises(GenerationError):
        prove_place(start, shift, "Monday", week)


@with_drafts(12, 100)
def test_days_counted_on_and_back_are_right(count: int) -> None:
    week = TABLE["cycles"][0]["members"]
    pattern = r"(\w+) days? (after|before) (\w+) comes (\w+)"
    seen = 0
    for draft in drafts(named("count-on"), count):
        for text in true_sentences(draft):
            if (found := re.fullmatch(pattern, text)) and found[3] in week:
                shift = HOURS[found[1].lower()] * (1 if found[2] == "after" else -1)
                assert (week.index(found[3]) + shift - week.index(found[4])) % 7 == 0, text
                seen += 1
    assert seen > count // 2


@with_drafts(12, 100)
def test_clock_stories_stay_within_half_a_day_and_add_up(count: int) -> None:
    seen = 0
    for draft in drafts(named("work-by-the-clock"), count):
        for text in true_sentences(draft):
            hours = [HOURS[word] for word in re.findall(r"for (\w+) hours?", text)]
            found = re.search(r"(begins|done) at (\w+) o'clock", text)
            asked = re.search(r"(stops|began) (before|after) (\w+) o'clock", text)
            assert found and asked
            end = HOURS[found[2]] + sum(hours) * (1 if found[1] == "begins" else -1)
            assert 1 <= end <= 11
            # What is asked lies on the far side of what is told.
            assert (HOURS[found[2]] < HOURS[asked[3]]) == (found[1] == "begins"), text
            assert (asked[2] == "after") == (end > HOURS[asked[3]]) and end != HOURS[asked[3]]
            seen += 1
    assert seen > 3 * count


def test_a_story_can_be_told_from_either_side_and_by_denials() -> None:
    draft = named("order-events").make(Random(1), Difficulty(4, converses=1, negations=2))
    assert draft.frame.count("did not") == 2
    assert draft.frame.count("as early as") == 2
    assert len(draft.cells[0][0].steps) == 4


def test_nothing_in_the_stories_is_listed_twice() -> None:
    for name in ("occasions", "acts"):
        assert len(set(TABLE[name])) == len(TABLE[name])
    assert len({event["verb"] for event in TABLE["events"]}) == len(TABLE["events"])
