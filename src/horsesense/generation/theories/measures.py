"""The theory of measures: what is more than what, from the least and the most that each can be.

Two things are compared only where even the least of the one is far above the most of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof
from horsesense.generation.words import table


@dataclass(frozen=True, slots=True)
class Measured:
    """Something with the least and the most that it measures."""

    name: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Unit:
    """What a measure is told in; `size` is in the scale's smallest unit or a part of it."""

    singular: str
    plural: str
    size: float


@dataclass(frozen=True, slots=True)
class Scale:
    """Things that can be compared: the greater one is `factor` times the lesser and `gap` more."""

    name: str
    least: str
    most: str
    factor: float
    gap: float
    units: tuple[Unit, ...]
    things: tuple[Measured, ...]

    def is_far_above(self, first: Measured, second: Measured) -> bool:
        """Whether nobody could doubt that the first is more."""
        return first.low >= second.high * self.factor + self.gap

    def above(self, thing: Measured) -> list[Measured]:
        """All that is far above a thing."""
        return [other for other in self.things if self.is_far_above(other, thing)]

    def below(self, thing: Measured) -> list[Measured]:
        """All that is far below a thing."""
        return [other for other in self.things if self.is_far_above(thing, other)]

    @property
    def middles(self) -> list[Measured]:
        """All that has something far above it and something far below it."""
        return [thing for thing in self.things if self.above(thing) and self.below(thing)]

    def measure(self, value: float) -> str:
        """A value in the unit that suits it; a negative one is told in the last unit."""
        positive = [unit for unit in self.units if unit.size > 0]
        fitting = [unit for unit in positive if unit.size <= value] or positive[:1]
        unit = fitting[-1] if value >= 0 else self.units[-1]
        count = value / unit.size
        shown = f"{count:,.0f}" if count >= 1000 else f"{count:.3g}"
        return f"{shown} {unit.singular if count == 1 else unit.plural}"


@cache
def scales(name: str) -> tuple[Scale, ...]:
    """The scales of a table."""
    return tuple(_scale(entry) for entry in table(name)["scales"])


def prove_more(first: Measured, second: Measured, scale: Scale) -> Proof:
    """Whether the first measures more than the second.

    >>> weight = next(scale for scale in scales("magnitude") if scale.name == "weight")
    >>> prove_more(Measured("a cat", 2500, 9000), Measured("an egg", 40, 80), weight).text
    'a cat weighs at least 2.5 kilos; an egg weighs at most 80 grams'
    """
    if scale.is_far_above(first, second):
        return Proof(True, (_told(scale, scale.least, first), _told(scale, scale.most, second)))
    if scale.is_far_above(second, first):
        return Proof(False, (_told(scale, scale.most, first), _told(scale, scale.least, second)))
    raise GenerationError(f"{first.name} and {second.name} are too close to be compared")


def _scale(entry: dict[str, Any]) -> Scale:
    units = tuple(Unit(*unit) for unit in entry["units"])
    sizes = {unit.singular: unit.size for unit in units}
    things = []
    for thing, low, high, *told_in in entry["things"]:
        size = sizes[told_in[0]] if told_in else 1
        things.append(Measured(thing, low * size, high * size))
    return Scale(
        name=entry["name"],
        least=entry["least"],
        most=entry["most"],
        factor=entry.get("factor", 1),
        gap=entry.get("gap", 0),
        units=units,
        things=tuple(things),
    )


def _told(scale: Scale, template: str, thing: Measured) -> str:
    value = thing.low if template == scale.least else thing.high
    return template.format(x=thing.name, n=scale.measure(value))
