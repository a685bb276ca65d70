"""The theory of purses: how many everyone has after gifts, and who has what after swaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof
from horsesense.generation.words import number_word


@dataclass(frozen=True, slots=True)
class Gift:
    """So many pieces go from one to another."""

    giver: str
    taker: str
    count: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Two exchange what they have."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Purses:
    """How many everyone has at first, the gifts that follow, and the two who are compared."""

    start: Mapping[str, int]
    gifts: tuple[Gift, ...]
    asked: tuple[str, str]


def counts_after(start: Mapping[str, int], gifts: Sequence[Gift]) -> dict[str, int]:
    """How many everyone has in the end, whatever the order of the gifts.

    >>> counts_after({"Ada": 9, "Bo": 4}, [Gift("Ada", "Bo", 3)])
    {'Ada': 6, 'Bo': 7}
    """
    counts = dict(start)
    for gift in gifts:
        counts[gift.giver] -= gift.count
        counts[gift.taker] += gift.count
        # In any order of telling there must be enough to give.
        if sum(one.count for one in gifts if one.giver == gift.giver) > start[gift.giver]:
            raise GenerationError(f"{gift.giver} has not enough to give")
    return counts


def prove_richer(first: str, second: str, start: Mapping[str, int], gifts: Sequence[Gift]) -> Proof:
    """Whether the first has more than the second in the end; an error if they have as many.

    >>> prove_richer("Ada", "Bo", {"Ada": 9, "Bo": 4}, [Gift("Ada", "Bo", 3)]).text
    'Ada has nine - three = six; Bo has four + three = seven'
    """
    counts = counts_after(start, gifts)
    if counts[first] == counts[second]:
        raise GenerationError(f"{first} and {second} have as many")
    steps = []
    for person in (first, second):
        sum_ = number_word(start[person])
        for gift in gifts:
            if person in (gift.giver, gift.taker):
                sum_ += f" {'-' if person == gift.giver else '+'} {number_word(gift.count)}"
        steps.append(f"{person} has {sum_} = {number_word(counts[person])}")
    return Proof(counts[first] > counts[second], tuple(steps))


def things_after(start: Mapping[str, str], swaps: Sequence[Swap]) -> dict[str, str]:
    """Who has what after the swaps.

    >>> things_after({"Ada": "drum", "Bo": "kite"}, [Swap("Ada", "Bo")])
    {'Ada': 'kite', 'Bo': 'drum'}
    """
    things = dict(start)
    for swap in swaps:
        things[swap.first], things[swap.second] = things[swap.second], things[swap.first]
    return things


def prove_has(person: str, thing: str, start: Mapping[str, str], swaps: Sequence[Swap]) -> Proof:
    """Whether somebody has a thing after the swaps.

    >>> prove_has("Ada", "drum", {"Ada": "drum", "Bo": "kite"}, [Swap("Ada", "Bo")])
    Proof(holds=False, steps=('Ada gets the kite and Bo the drum', 'Ada has the kite'))
    """
    steps = []
    for at, swap in enumerate(swaps):
        now = things_after(start, swaps[: at + 1])
        told = f"{swap.first} gets the {now[swap.first]} and {swap.second} the {now[swap.second]}"
        steps.append(told)
    has = things_after(start, swaps)[person]
    return Proof(has == thing, (*steps, f"{person} has the {has}"))
