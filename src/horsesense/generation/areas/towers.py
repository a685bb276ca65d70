"""Towers of animals: who carries whom, and who falls when another leaves."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from random import Random

from horsesense.generation.rule import ANSWER, KEY, Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.telling import (
    END_FIRST,
    GREATEST,
    IF,
    LEAST,
    Marked,
    conditional,
    tell,
)
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.words import table


def stands_on(lower: str, upper: str) -> str:
    """One link of a stack, told from above."""
    return f"{upper} stands on {lower}"


def prove_carries(lower: str, upper: str, pairs: Iterable[tuple[str, str]]) -> Proof:
    """Return whether the one carries the other, directly or not; each pair has the lower one first.

    >>> prove_carries("the cow", "the hen", [("the cow", "the pig"), ("the pig", "the hen")])
    Proof(holds=True, steps=('the pig stands on the cow', 'the hen stands on the pig'))
    """
    return prove_greater(lower, upper, pairs, stands_on)


def prove_falls(animal: str, leaver: str, pairs: Iterable[tuple[str, str]]) -> Proof:
    """Return whether one falls when another leaves the stack.

    >>> prove_falls("the cow", "the hen", [("the cow", "the hen")]).steps
    ('the hen stands on the cow', 'the hen carries nobody that far down')
    """
    below = prove_carries(leaver, animal, pairs)
    reason = "falls with what carries it" if below.holds else "carries nobody that far down"
    return Proof(below.holds, (*below.steps, f"{animal if below.holds else leaver} {reason}"))


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
    premises = _premises(rng, [GREATEST, *inner, LEAST], difficulty)
    is_asked = rng.random() < 0.5
    asked = rng.sample(ends, 2)
    end = f"{KEY} {ANSWER} {KEY}" if is_asked else f"{asked[0]} {ANSWER} {asked[1]}"
    marked = Marked(conditional(rng, premises, end, FRAMES), ends)

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
    premises = _premises(rng, named, difficulty)
    frame = conditional(rng, premises, end, FRAMES)

    def prove(key: int, answer: int) -> Proof:
        falls = prove_falls(named[at], keys[key], pairwise(named))
        return falls.denied() if answer else falls

    return Draft(frame, keys, answers, square(prove))


def _tower(rng: Random, height: int) -> list[str]:
    """Draw `height` different animals, the lowest first."""
    return [f"the {animal}" for animal in rng.sample(table("animals")["tower"], height)]


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
