"""Towers of animals: who carries whom, and who falls when another leaves."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from horsesense.generation.draft import ANSWER, KEY, Draft, square
from horsesense.generation.proof import Proof
from horsesense.generation.rule import Difficulty, Rule
from horsesense.generation.stories.telling import (
    END_FIRST,
    GREATEST,
    IF,
    LEAST,
    Marked,
    conditional,
    tell,
)
from horsesense.generation.theories.stacks import prove_carries, prove_falls
from horsesense.generation.words import table

AREA = "animals"
LONGEST = 5

FRAMES = (IF, "in a tower of animals in which {premises}, {end}", END_FIRST)
ENDS = (
    ("carries", "is carried by"),
    ("bears the weight of", "weighs on"),
    ("is somewhere under", "is somewhere above"),
)
FALLS = (
    ("{one} <> when {} {leaves}", ("falls", "does not fall")),
    ("{one} <> its footing when {} {leaves}", ("loses", "keeps")),
)
LEAVES = ("leaves the tower", "runs away", "vanishes")


def carry_in_tower(rng: Random, difficulty: Difficulty) -> Draft:
    """If the hen stands on the goat and the goat stands on the cow, then the cow carries the hen.

    The ends change places in the conclusion, or else in the premises.
    """
    lowest, *inner, highest = _tower(rng, difficulty.chain + 1)
    ends = lowest, highest
    answers = rng.choice(ENDS)
    told = _premises(rng, [GREATEST, *inner, LEAST], difficulty)
    is_asked = rng.random() < 0.5
    asked = rng.sample(ends, 2)
    end = f"{KEY} {ANSWER} {KEY}" if is_asked else f"{asked[0]} {ANSWER} {asked[1]}"
    marked = Marked(conditional(rng, told, end, FRAMES), ends)

    def prove_ends(key: int, answer: int) -> Proof:
        lower, upper = (ends[key], ends[1 - key])[:: -1 if answer else 1]
        return prove_carries(lower, upper, pairwise([lowest, *inner, highest]))

    def prove_exchanged(key: int, answer: int) -> Proof:
        bottom, top = marked.under(key)
        lower, upper = asked[:: -1 if answer else 1]
        return prove_carries(lower, upper, pairwise([bottom, *inner, top]))

    if is_asked:
        return Draft(marked.filled, ends, answers, square(prove_ends))
    return Draft(marked.opened, ends, answers, square(prove_exchanged))


def fall_from_tower(rng: Random, difficulty: Difficulty) -> Draft:
    """If the hen stands on the goat and the goat on the cow, the goat falls if the cow leaves."""
    named = _tower(rng, difficulty.chain + 1)
    at = rng.randrange(1, difficulty.chain)
    keys = rng.choice(named[:at]), rng.choice(named[at + 1 :])
    frame, answers = rng.choice(FALLS)
    end = frame.replace("{one}", named[at]).replace("{leaves}", rng.choice(LEAVES))
    told = _premises(rng, named, difficulty)
    frame = conditional(rng, told, end, FRAMES)

    def prove(key: int, answer: int) -> Proof:
        falls = prove_falls(named[at], keys[key], pairwise(named))
        return falls.denied() if answer else falls

    return Draft(frame, keys, answers, square(prove))


def _tower(rng: Random, height: int) -> list[str]:
    """So many different animals, the lowest one first."""
    return [f"the {one}" for one in rng.sample(table("animals")["tower"], height)]


def _premises(rng: Random, named: list[str], difficulty: Difficulty) -> list[str]:
    """Who stands on whom, in any order, some told from below and some by a denial."""
    pairs = list(pairwise(named))

    def from_below(at: int) -> str:
        lower, upper = pairs[at]
        return rng.choice((f"{lower} has {upper} on its back", f"{lower} carries {upper}"))

    premises = tell(
        difficulty.places(rng),
        [f"{upper} stands on {lower}" for lower, upper in pairs],
        from_below,
        lambda at: f"{pairs[at][0]} does not stand on {pairs[at][1]} but under it",
    )
    rng.shuffle(premises)
    return premises


RULES = (
    Rule(
        "carry-in-tower",
        AREA,
        "who carries whom in a tower of animals",
        carry_in_tower,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "fall-from-tower",
        AREA,
        "who falls when another leaves a tower of animals",
        fall_from_tower,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
)
