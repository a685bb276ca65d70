"""How transfers are told: in the order of events, or by the days of a week in any order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from horsesense.generation.draft import KEY
from horsesense.generation.rule import Difficulty
from horsesense.generation.theories.transfers import RETURN, SIDES, Deed, Transfer
from horsesense.generation.words import joined, table

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
START = "the {thing} belonged to {owner} at first"
IN_ORDER = "if {events}, then {end} in the end"
BY_DAYS = "if {start} and within one week {events}, then {end} at the end of that week"
# The chance that a thing goes back to its owner before it is lent or stolen again.
RETURNING = 0.25
# Deeds by which a thing gets another owner, and those by which it does not; most people are honest.
_PASSING, _KEEPING = ("give", "sell"), ("lend", "lend", "steal")


@dataclass(frozen=True, slots=True)
class Choice:
    """Two deeds that go into the same place of a sentence: by the first the owner changes."""

    deeds: tuple[Deed, Deed]
    verbs: tuple[str, str]
    side: str


@dataclass(frozen=True, slots=True)
class Told:
    """Transfers with the side from which each is told, and its verb, or a place for the key."""

    transfers: tuple[Transfer, ...]
    manners: tuple[str, ...]
    sides: tuple[str, ...]
    verbs: tuple[str, ...]

    def with_key(self, at: int, choice: Choice) -> Told:
        """One transfer is by one of two deeds, and its verb is the key."""
        transfers, sides, verbs = list(self.transfers), list(self.sides), list(self.verbs)
        # Either deed will do: they have the same words around them.
        transfers[at] = replace(transfers[at], deed=choice.deeds[0])
        sides[at], verbs[at] = choice.side, KEY
        return replace(self, transfers=tuple(transfers), sides=tuple(sides), verbs=tuple(verbs))

    def sentence(self, rng: Random, thing: str, end: str) -> str:
        """What happened to the thing, and what came of it."""
        owner = self.transfers[0].giver
        start = START.replace("{thing}", thing).replace("{owner}", owner)
        told = list(zip(self.transfers, self.sides, self.verbs, strict=True))
        if rng.random() < 0.5:
            events = [one.told(side, _then(verb)) for one, side, verb in told]
            return IN_ORDER.replace("{events}", joined([start, *events])).replace("{end}", end)
        days = sorted(rng.sample(range(len(DAYS)), len(told)))
        events = [
            f"{one.told(side, verb)} on {DAYS[day]}"
            for (one, side, verb), day in zip(told, days, strict=True)
        ]
        rng.shuffle(events)
        frame = BY_DAYS.replace("{start}", start).replace("{events}", joined(events))
        return frame.replace("{end}", end)


@cache
def deed(name: str) -> Deed:
    """The deed of that name in the table of possession."""
    return Deed(name, **table("possession")["deeds"][name])


def draw_transfers(
    rng: Random, named: Sequence[str], *, passing: int, may_return: bool = True
) -> list[Transfer]:
    """From each to the next: the first few pass the thing on for good, the others do not.

    >>> [one.plain for one in draw_transfers(Random(1), ["Ada", "Bo", "Cy"], passing=1)]
    ['Ada gave it to Bo', 'Cy stole it from Bo']
    """
    transfers: list[Transfer] = []
    owner = holder = named[0]
    for at in range(len(named) - 1):
        is_last = at == len(named) - 2
        taker = named[at + 1]
        if at < passing:
            way, owner = rng.choice(_PASSING), taker
        elif may_return and holder != owner and not is_last and rng.random() < RETURNING:
            way, taker = RETURN, owner
        else:
            way = rng.choice(_KEEPING)
        transfers.append(Transfer(deed(way), holder, taker))
        holder = taker
    return transfers


def tell_transfers(rng: Random, transfers: Sequence[Transfer], difficulty: Difficulty) -> Told:
    """The transfers, some told from the other side and some by a denial."""
    manners = difficulty.manners(rng)
    sides, verbs = [], []
    for transfer, manner in zip(transfers, manners, strict=True):
        own = transfer.deed
        side = SIDES[1 - SIDES.index(own.natural)] if manner == "turned" else own.natural
        sides.append(side)
        verbs.append(own.denial if manner == "denied" else own.verb(side))
    return Told(tuple(transfers), tuple(manners), tuple(sides), tuple(verbs))


def choice_of_deeds(rng: Random, manner: str) -> Choice:
    """Two deeds to choose from, told plainly, from the taker's side, or by a denial.

    >>> choice_of_deeds(Random(0), "turned").verbs
    ('bought', 'borrowed')
    """
    if manner == "turned":
        pair = deed("sell"), deed(rng.choice(_KEEPING))
        return Choice(pair, (pair[0].taker, pair[1].taker), SIDES[1])
    pair = deed(rng.choice(_PASSING)), deed("lend")
    if manner == "denied":
        return Choice(pair, (pair[0].denial, pair[1].denial), SIDES[0])
    return Choice(pair, (pair[0].giver, pair[1].giver), SIDES[0])


def _then(verb: str) -> str:
    """What was done next; «then» stands after «was»."""
    return f"was then {verb[4:]}" if verb.startswith("was ") else f"then {verb}"
