"""The theory of loads: what can carry what, by weights that are far apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof
from horsesense.generation.words import with_article

# A load is bearable up to this part of what the carrier can bear, and nobody doubts it …
BEARABLE = 0.5
# … and unbearable from so many times of it on.
UNBEARABLE = 10
# A ship can carry a button, and an ant no ship, but nobody would put it so.
WORTH_SAYING = 100_000
_UNITS = ((1_000_000, "tonne"), (1_000, "kilogram"), (1, "gram"), (0.001, "milligram"))


@dataclass(frozen=True, slots=True)
class Thing:
    """What something weighs, and the load it can bear with ease, in grams; 0 if it bears none.

    What is bulky may be no load even where it is light enough.
    """

    weight: float
    carries: float = 0
    is_bulky: bool = False


def prove_can_carry(carrier: str, load: str, things: Mapping[str, Thing]) -> Proof:
    """Whether the one can carry the other; an error where the weights are too near.

    >>> things = {"cat": Thing(4_000, 500), "cow": Thing(600_000), "egg": Thing(60)}
    >>> prove_can_carry("cat", "cow", things).text
    'a cat can bear about 500 grams; a cow weighs about 600 kilograms'
    """
    bearable, weight = things[carrier].carries, things[load].weight
    if bearable * BEARABLE < weight < bearable * UNBEARABLE or not bearable:
        raise GenerationError(f"nothing tells whether {carrier!r} can carry {load!r}")
    steps = (
        f"{with_article(carrier)} can bear about {amount(bearable)}",
        f"{with_article(load)} weighs about {amount(weight)}",
    )
    return Proof(weight < bearable, steps)


def can_carry(carrier: str, load: str, things: Mapping[str, Thing]) -> bool:
    """Whether the one can surely carry the other, and it is worth saying."""
    bearable, weight = things[carrier].carries, things[load].weight
    is_bearable = weight <= bearable * BEARABLE and bearable <= weight * WORTH_SAYING
    return carrier != load and is_bearable and not things[load].is_bulky


def cannot_carry(carrier: str, load: str, things: Mapping[str, Thing]) -> bool:
    """Whether the one is surely too weak for the other, and it is worth saying."""
    bearable, weight = things[carrier].carries, things[load].weight
    return bearable * UNBEARABLE <= weight <= bearable * WORTH_SAYING


def amount(grams: float) -> str:
    """A weight in the unit that suits it.

    >>> amount(0.005), amount(500), amount(60_000), amount(1_000_000)
    ('5 milligrams', '500 grams', '60 kilograms', '1 tonne')
    """
    size, unit = next(one for one in _UNITS if grams >= one[0])
    return f"{grams / size:g} {unit}{'' if grams == size else 's'}"
