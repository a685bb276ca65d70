"""Well-known things: by their measures, or by their place in a series.

Two things are compared only where even the least of the one is far above the most of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

from horsesense.errors import GenerationError
from horsesense.generation.rule import KEY, Draft, Proof, square
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.words import table


@dataclass(frozen=True, slots=True)
class MeasuredThing:
    """Something with the least and the most that it measures."""

    name: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ScaleUnit:
    """A unit of a scale; `size` is in the scale's smallest unit."""

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
    units: tuple[ScaleUnit, ...]
    things: tuple[MeasuredThing, ...]

    def is_far_above(self, first: MeasuredThing, second: MeasuredThing) -> bool:
        """Return whether nobody could doubt that the first is more."""
        return first.low >= second.high * self.factor + self.gap

    def above(self, thing: MeasuredThing) -> list[MeasuredThing]:
        """The things far above a thing."""
        return [other for other in self.things if self.is_far_above(other, thing)]

    def below(self, thing: MeasuredThing) -> list[MeasuredThing]:
        """The things far below a thing."""
        return [other for other in self.things if self.is_far_above(thing, other)]

    @property
    def middles(self) -> list[MeasuredThing]:
        """The things with others far above and far below them."""
        return [thing for thing in self.things if self.above(thing) and self.below(thing)]

    def measure(self, value: float) -> str:
        """A value in the unit that suits it; a negative one is told in the last unit."""
        positive = [unit for unit in self.units if unit.size > 0]
        fitting = [unit for unit in positive if unit.size <= value] or positive[:1]
        unit = fitting[-1] if value >= 0 else self.units[-1]
        count = value / unit.size
        number = f"{count:,.0f}" if count >= 1000 else f"{count:.3g}"
        return f"{number} {unit.singular if count == 1 else unit.plural}"


@cache
def scales(name: str) -> tuple[Scale, ...]:
    """The scales of a table."""
    return tuple(_scale(entry) for entry in table(name)["scales"])


def prove_more(first: MeasuredThing, second: MeasuredThing, scale: Scale) -> Proof:
    """Return whether the first measures more than the second.

    >>> weight = next(scale for scale in scales("magnitude") if scale.name == "weight")
    >>> prove_more(MeasuredThing("a cat", 2500, 9000), MeasuredThing("an egg", 40, 80), weight).text
    'a cat weighs at least 2.5 kilos; an egg weighs at most 80 grams'
    """
    if scale.is_far_above(first, second):
        return Proof(True, (_told(scale, scale.least, first), _told(scale, scale.most, second)))
    if scale.is_far_above(second, first):
        return Proof(False, (_told(scale, scale.most, first), _told(scale, scale.least, second)))
    raise GenerationError(f"{first.name} and {second.name} are too close to be compared")


def _scale(entry: dict[str, Any]) -> Scale:
    units = tuple(ScaleUnit(*unit) for unit in entry["units"])
    sizes = {unit.singular: unit.size for unit in units}
    things = []
    for thing, low, high, *told_in in entry["things"]:
        size = sizes[told_in[0]] if told_in else 1
        things.append(MeasuredThing(thing, low * size, high * size))
    return Scale(
        name=entry["name"],
        least=entry["least"],
        most=entry["most"],
        factor=entry.get("factor", 1),
        gap=entry.get("gap", 0),
        units=units,
        things=tuple(things),
    )


def _told(scale: Scale, template: str, thing: MeasuredThing) -> str:
    value = thing.low if template == scale.least else thing.high
    return template.format(x=thing.name, n=scale.measure(value))


@dataclass(frozen=True, slots=True)
class ComparisonWording:
    """A way to compare two things, and, if it has one, to speak of anything beyond a third."""

    frame: str
    more: str
    less: str
    beyond: str = ""
    limit: str = ""

    @property
    def words(self) -> tuple[str, str]:
        """The two answers."""
        return self.more, self.less


@dataclass(frozen=True, slots=True)
class Topic:
    """A scale, and the ways to speak of the things on it."""

    scale: Scale
    wordings: tuple[ComparisonWording, ...]


@cache
def topics(name: str) -> tuple[Topic, ...]:
    """The scales of a table, with their wordings.

    >>> [topic.scale.name for topic in topics("space")]
    ['latitude']
    """
    return tuple(
        Topic(scale, tuple(ComparisonWording(**wording) for wording in entry["wordings"]))
        for scale, entry in zip(scales(name), table(name)["scales"], strict=True)
    )


def exchange_things(rng: Random, topic: Topic) -> Draft:
    """A transposition: two things that change places."""
    first = rng.choice(topic.scale.things)
    second = rng.choice(topic.scale.above(first) + topic.scale.below(first))
    things = first, second
    wording = rng.choice(topic.wordings)

    def prove(key: int, answer: int) -> Proof:
        greater, lesser = (things[key], things[1 - key])[:: -1 if answer else 1]
        return prove_more(greater, lesser, topic.scale)

    frame = wording.frame.format(x=KEY, y=KEY)
    return Draft(frame, (first.name, second.name), wording.words, square(prove))


def exchange_around(rng: Random, topic: Topic) -> Draft:
    """A substitution: one thing below and one above a third."""
    scale = topic.scale
    middle = rng.choice(scale.middles)
    ends = rng.choice(scale.below(middle)), rng.choice(scale.above(middle))
    wording = rng.choice(topic.wordings)

    def prove(key: int, answer: int) -> Proof:
        greater, lesser = (ends[key], middle)[:: -1 if answer else 1]
        return prove_more(greater, lesser, topic.scale)

    frame = wording.frame.format(x=KEY, y=middle.name)
    return Draft(frame, (ends[0].name, ends[1].name), wording.words, square(prove))


def exchange_limits(rng: Random, topic: Topic) -> Draft:
    """A substitution in two steps: anything heavier than a horse is heavier than a cat."""
    scale = topic.scale
    middle = rng.choice(scale.middles)
    ends = rng.choice(scale.below(middle)), rng.choice(scale.above(middle))
    wording = rng.choice([wording for wording in topic.wordings if wording.beyond])
    keys = [
        wording.limit.format(word=word, x=end.name)
        for word, end in zip((wording.less, wording.more), ends, strict=True)
    ]

    def told(greater: str, lesser: str) -> str:
        return wording.frame.replace("<>", wording.more).format(x=greater, y=lesser)

    def prove(key: int, answer: int) -> Proof:
        end = ends[key]
        fact = prove_more(end, middle, topic.scale)
        pairs = [("it", end.name) if key else (end.name, "it")]
        pairs.append((end.name, middle.name) if fact.holds else (middle.name, end.name))
        asked = ("it", middle.name)[:: -1 if answer else 1]
        proof = prove_greater(asked[0], asked[1], pairs, told)
        return Proof(proof.holds, fact.steps + proof.steps)

    frame = wording.beyond.format(key=KEY, y=middle.name)
    return Draft(frame, (keys[0], keys[1]), wording.words, square(prove))


@dataclass(frozen=True, slots=True)
class Saying:
    """A way to speak of two members; `more` is said of the later or higher one."""

    frame: str
    more: str
    less: str


@dataclass(frozen=True, slots=True)
class Series:
    """Members in rising order, where they are found, and how one speaks of them."""

    where: str
    verb: str
    sayings: tuple[Saying, ...]
    members: tuple[str, ...]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Neighbours, the later one first."""
        return [(after, before) for before, after in pairwise(self.members)]

    def prove(self, first: str, second: str) -> Proof:
        """Return whether the first is later, or higher, than the second.

        >>> Series("", "is", (Saying("{x} {verb} <> {y}", "above", "below"),), ("ab", "cd")
        ... ).prove("ab", "cd")
        Proof(holds=False, steps=('cd is above ab',))
        """
        return prove_greater(first, second, self.pairs, self._told)

    def frame(self, saying: Saying, first: str, second: str) -> str:
        """A sentence about two members, or about places for them."""
        return saying.frame.format(where=self.where, verb=self.verb, x=first, y=second)

    def _told(self, greater: str, lesser: str) -> str:
        plain = self.sayings[0]
        clause = self.frame(plain, greater, lesser).replace("<>", plain.more)
        return clause.removeprefix(f"{self.where}, ")


@cache
def all_series(name: str) -> tuple[Series, ...]:
    """All series of a table."""
    sayings = {
        group: tuple(Saying(**saying) for saying in entries)
        for group, entries in table(name)["sayings"].items()
    }
    return tuple(
        Series(
            where=entry["where"],
            verb=entry.get("verb", ""),
            sayings=sayings[entry["sayings"]],
            members=tuple(entry["members"]),
        )
        for entry in table(name)["sequences"]
    )


def exchange_members(rng: Random, known: tuple[Series, ...], distance: int) -> Draft:
    """A transposition: two members, so many steps apart, change places."""
    series = rng.choice([entry for entry in known if len(entry.members) > distance])
    at = rng.randrange(len(series.members) - distance)
    ends = series.members[at], series.members[at + distance]
    saying = rng.choice(series.sayings)

    def prove(key: int, answer: int) -> Proof:
        first, second = (ends[key], ends[1 - key])[:: -1 if answer else 1]
        return series.prove(first, second)

    frame = series.frame(saying, KEY, KEY)
    return Draft(frame, ends, (saying.more, saying.less), square(prove))


def exchange_neighbours(rng: Random, known: tuple[Series, ...], distance: int) -> Draft:
    """A substitution: members before and after a third, one of them so many steps away."""
    before, after = rng.sample((distance, rng.randint(1, distance)), 2)
    series = rng.choice([entry for entry in known if len(entry.members) > before + after])
    at = rng.randrange(before, len(series.members) - after)
    middle = series.members[at]
    ends = series.members[at - before], series.members[at + after]
    saying = rng.choice(series.sayings)

    def prove(key: int, answer: int) -> Proof:
        first, second = (ends[key], middle)[:: -1 if answer else 1]
        return series.prove(first, second)

    frame = series.frame(saying, KEY, middle)
    return Draft(frame, ends, (saying.more, saying.less), square(prove))
