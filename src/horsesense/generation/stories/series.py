"""Known series: storeys of a house, steps of a recipe, in a fixed order, neighbours told."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random

from horsesense.generation.draft import KEY, Draft, square
from horsesense.generation.proof import Proof
from horsesense.generation.theories.order import prove_greater
from horsesense.generation.words import table


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
        """Whether the first is later, or higher, than the second.

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
