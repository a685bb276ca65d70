"""Known things by their measures: how one compares two of them, or anything with a third."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from horsesense.generation.draft import KEY, Draft, square
from horsesense.generation.proof import Proof
from horsesense.generation.theories.measures import Scale, prove_more, scales
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.words import table


@dataclass(frozen=True, slots=True)
class Wording:
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
    wordings: tuple[Wording, ...]


@cache
def topics(name: str) -> tuple[Topic, ...]:
    """The scales of a table, with their wordings.

    >>> [topic.scale.name for topic in topics("space")]
    ['latitude']
    """
    return tuple(
        Topic(scale, tuple(Wording(**wording) for wording in entry["wordings"]))
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
