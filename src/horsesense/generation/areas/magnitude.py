"""Magnitude: comparing people in stories, and things with well-known measures."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from horsesense.generation.rule import ANSWER, KEY, Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.known_things import (
    exchange_around,
    exchange_limits,
    exchange_things,
    topics,
)
from horsesense.generation.stories.telling import (
    Relation,
    ask_at_end,
    ask_with_ends_exchanged,
    conditional,
)
from horsesense.generation.theories.order import carry_over
from horsesense.generation.words import people, table

AREA = "magnitude"
LONGEST = 5
EQUALS = ("{a} is exactly {as_much} as {b}", "{a} is just {as_much} as {b}")


def compare_people(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada is taller than Bo and Bo is taller than Cy, then Ada is taller than Cy."""
    relation = _relation(_quality(rng))
    return ask_at_end(rng, people(rng, difficulty.chain + 1), relation, difficulty)


def exchange_people(rng: Random, difficulty: Difficulty) -> Draft:
    """The same, but Ada and Cy change places in the premises."""
    relation = _relation(_quality(rng))
    return ask_with_ends_exchanged(rng, people(rng, difficulty.chain + 1), relation, difficulty)


def compare_equals(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada is taller, or shorter, than Bo, and Bo is exactly as tall as Cy, so she is than Cy."""
    quality = _quality(rng)
    more, less, as_much = quality["more"], quality["less"], quality["as_much"]
    named = people(rng, difficulty.chain + 1)
    at = rng.randrange(difficulty.chain)
    first, second = named[at], named[at + 1]
    equals = [pair for pair in pairwise(named) if pair != (first, second)]
    wording = rng.choice(EQUALS).replace("{as_much}", as_much)
    premises = [wording.format(a=a, b=b) for a, b in (rng.sample(pair, 2) for pair in equals)]
    # Told from the other side: the key compares the second with the first.
    ordered = (second, first) if difficulty.converses else (first, second)
    premises.append(f"{ordered[0]} is {KEY} than {ordered[1]}")
    rng.shuffle(premises)
    asked = rng.sample((named[0], named[-1]), 2)

    def prove(key: int, answer: int) -> Proof:
        greater, lesser = ordered[:: -1 if key else 1]
        compare = carry_over(greater, lesser, equals, lambda a, b: f"{a} is {as_much} as {b}")
        above, below = asked[:: -1 if answer else 1]
        proof = compare(above, below)
        return Proof(proof.holds, (f"{greater} is {more} than {lesser}", *proof.steps))

    end = f"{asked[0]} is {ANSWER} than {asked[1]}"
    return Draft(conditional(rng, premises, end), (more, less), (more, less), square(prove))


def exchange_known(rng: Random, difficulty: Difficulty) -> Draft:
    """An ant is lighter than a horse."""
    return exchange_things(rng, rng.choice(topics("magnitude")))


def measure_known(rng: Random, difficulty: Difficulty) -> Draft:
    """An ant is lighter than a cat; anything heavier than a horse is heavier than a cat."""
    make = exchange_limits if difficulty.chain > 1 else exchange_around
    return make(rng, rng.choice(topics("magnitude")))


def _quality(rng: Random) -> dict[str, str]:
    quality: dict[str, str] = rng.choice(table("magnitude")["qualities"])
    return quality


def _relation(quality: dict[str, str]) -> Relation:
    denial = f"is not {quality['as_much']} as"
    return Relation("is", quality["more"], quality["less"], "than", denial)


RULES = (
    Rule(
        "compare-people",
        AREA,
        "who is taller, older, faster than whom",
        compare_people,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "exchange-people",
        AREA,
        "who is taller, older, faster, when two people change places in the premises",
        exchange_people,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "compare-equals",
        AREA,
        "who is taller, older, faster than people who are exactly alike",
        compare_equals,
        chain=range(2, LONGEST + 1),
        converses=range(2),
        is_open=True,
    ),
    Rule(
        "exchange-known-things",
        AREA,
        "which of two known things is heavier, taller, faster, hotter, holds more",
        exchange_known,
    ),
    Rule(
        "measure-known-things",
        AREA,
        "what is heavier, taller, faster, hotter, holds more than a known thing",
        measure_known,
        chain=range(1, 3),
    ),
)
