"""Gifts and swaps: who has more after gifts, and who has what after swaps."""

from __future__ import annotations

from random import Random

from horsesense.generation.draft import ANSWER, KEY, Draft, square
from horsesense.generation.people import people
from horsesense.generation.proof import Proof
from horsesense.generation.rule import Difficulty, Rule
from horsesense.generation.stories.gifts import (
    IN_THE_END,
    draw_other_gift,
    draw_partners,
    draw_purses,
    draw_swaps,
    tell_purses,
)
from horsesense.generation.stories.telling import conditional
from horsesense.generation.theories.purses import prove_has, prove_richer, things_after
from horsesense.generation.words import number_word, table

AREA = "possession"
MOST_STEPS = 4


def count_after_gifts(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada had nine coins, Bo had four and Ada gave Bo three, then Bo had more than Ada."""
    purses = draw_purses(rng, people(rng, 3), difficulty.chain)
    counts = [number_word(gift.count) for gift in purses.gifts]

    def prove(key: int, answer: int) -> Proof:
        first, second = (purses.asked[key], purses.asked[1 - key])[:: -1 if answer else 1]
        return prove_richer(first, second, purses.start, purses.gifts)

    told = tell_purses(rng, purses, counts, difficulty)
    end = f"{KEY} had {ANSWER} {told.noun} than {KEY}"
    frame = conditional(rng, told.premises, end, IN_THE_END)
    return Draft(frame, purses.asked, ("more", "fewer"), square(prove))


def gift_decides(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada gave Bo two coins, Ada had more in the end; if she gave him five, Bo had more."""
    drawn = draw_other_gift(rng, people(rng, 3), difficulty.chain)
    purses, other = drawn.purses, drawn.gift
    keys = number_word(purses.gifts[0].count), number_word(other.count)
    counts = [KEY, *(number_word(gift.count) for gift in purses.gifts[1:])]
    asked = purses.asked if rng.random() < 0.5 else purses.asked[::-1]

    def prove(key: int, answer: int) -> Proof:
        first, second = asked[:: -1 if answer else 1]
        gifts = (other if key else purses.gifts[0], *purses.gifts[1:])
        return prove_richer(first, second, purses.start, gifts)

    told = tell_purses(rng, purses, counts, difficulty)
    end = f"{asked[0]} had {ANSWER} {told.noun} than {asked[1]}"
    frame = conditional(rng, told.premises, end, IN_THE_END)
    return Draft(frame, keys, ("more", "fewer"), square(prove))


def swap(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada had the drum, Bo had the kite and they swapped, then Ada had the kite.

    The key is who is asked about, or else with whom somebody swapped.
    """
    named = people(rng, 3 if difficulty.chain < 3 else 4)
    start = dict(zip(named, rng.sample(table("possession")["things"], len(named)), strict=True))
    swaps = draw_swaps(rng, named, difficulty.chain)
    is_asked = rng.random() < 0.5
    keyed = None if is_asked else rng.randrange(len(swaps))
    if keyed is None:
        ways = swaps, swaps
        keys = asked = tuple(rng.sample(named, 2))
    else:
        partners = draw_partners(rng, named, swaps, keyed)
        keys, ways = partners.names, partners.ways
        ends = [things_after(start, way) for way in ways]
        asked = (rng.choice([one for one in named if ends[0][one] != ends[1][one]]),) * 2
    answers = tuple(things_after(start, way)[one] for way, one in zip(ways, asked, strict=True))

    def prove(key: int, answer: int) -> Proof:
        return prove_has(asked[key], answers[answer], start, ways[key])

    told = [f"{name} had the {thing}" for name, thing in start.items()]
    for at, one in enumerate(swaps):
        then = "then " if at else ""
        told.append(f"{one.first} {then}swapped with {KEY if at == keyed else one.second}")
    end = f"{KEY if is_asked else asked[0]} had the {ANSWER}"
    frame = conditional(rng, told, end, IN_THE_END)
    return Draft(frame, (keys[0], keys[1]), (answers[0], answers[1]), square(prove))


RULES = (
    Rule(
        "count-after-gifts",
        AREA,
        "who has more after gifts",
        count_after_gifts,
        chain=range(1, MOST_STEPS + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "gift-decides",
        AREA,
        "who has more after a larger or a smaller gift",
        gift_decides,
        chain=range(1, MOST_STEPS + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "swap", AREA, "who has what after swaps", swap, chain=range(1, MOST_STEPS + 1), is_open=True
    ),
)
