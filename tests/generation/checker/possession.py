"""Second opinions on possession: all states of owner and holder, all orders of gifts, each coin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import TypeAlias

from tests.generation.checker.changing_hands import hands
from tests.generation.checker.plain_text import (
    NAME,
    NUMBER,
    Undecided,
    decide,
    follows,
    in_all_or_none,
    number,
    table,
)

# From whom to whom how many go.
Gift: TypeAlias = tuple[str, str, int]

_TRADES = tuple(
    re.compile(said.format(x="(?P<x>.+)", y="(?P<y>.+)", goods="(?P<goods>.+)"))
    for said in (
        "{x} sell {goods} to {y}",
        "{y} buy {goods} from {x}",
        "{x} get money for {goods} from {y}",
        "{y} get {goods} for money from {x}",
        "{x} hand over {goods} for money to {y}",
        "{y} hand over money for {goods} to {x}",
    )
)
_ACT = "(?:someone|a person|a man|a woman) who (?P<verb>{verbs}) an? (?:{things}) (?P<end>.+)"
# What is true of the one who does it, and what is not; the rest is not decided by it.
_HAS, _IS_WITHOUT = "has it afterwards", "is without it afterwards"
_OWNS, _OWNS_NOT = "is the owner of it afterwards", "is not the owner of it afterwards"
_PAYS, _IS_PAID = "pays for it", "is paid for it"
_OUGHT, _NEED_NOT = "ought to give it back", "does not have to give it back"
_CONTRARIES = ((_HAS, _IS_WITHOUT), (_OWNS, _OWNS_NOT), (_PAYS, _IS_PAID), (_OUGHT, _NEED_NOT))
_ACTS = {
    "buys": {_HAS, _OWNS, _PAYS, _NEED_NOT},
    "sells": {_IS_WITHOUT, _OWNS_NOT, _IS_PAID},
    "borrows": {_HAS, _OWNS_NOT, _OUGHT},
    "lends out": {_IS_WITHOUT},
    "steals": {_HAS, _OWNS_NOT, _OUGHT},
    "gives away": {_IS_WITHOUT, _OWNS_NOT},
    "is given": {_HAS, _OWNS, _NEED_NOT},
    "returns": {_IS_WITHOUT, _OWNS_NOT},
    "gets back": {_HAS},
}
_HAD = re.compile(f"(?P<who>{NAME}) had (?P<count>{NUMBER}) (?P<noun>[a-z]+)")
_COUNT = f"(?:not (?P<no>{NUMBER}) but )?(?P<count>{NUMBER}) (?P<noun>[a-z]+)"
_GIFTS = (
    re.compile(f"(?P<giver>{NAME}) gave (?P<taker>{NAME}) {_COUNT}"),
    re.compile(f"(?P<taker>{NAME}) got {_COUNT} from (?P<giver>{NAME})"),
)
_MORE = re.compile(f"(?P<x>{NAME}) had (?P<word>more|fewer) (?P<noun>[a-z]+) than (?P<y>{NAME})")
_HAS_THING = re.compile(f"(?P<who>{NAME}) had the (?P<thing>[a-z ]+)")
_SWAP = re.compile(f"(?P<x>{NAME}) (?P<then>then )?swapped with (?P<y>{NAME})")


def is_true(sentence: str) -> bool:
    """Whether a sentence about possession is true."""
    return decide(sentence, (hands, _purses, _swaps, _act, _trade))


def _trade(body: str) -> bool | None:
    """Whether the seller and the buyer are known as such, or the other way round."""
    sales = {
        (row["from"], row["goods"], buyer)
        for row in table("possession")["trades"]
        for buyer in row["to"]
    }
    for pattern in _TRADES:
        found = pattern.fullmatch(body)
        if not found or found["goods"] not in {goods for _, goods, _ in sales}:
            continue
        sold = found["x"], found["goods"], found["y"]
        if (sold in sales) == (sold[::-1] in sales):
            raise Undecided(body)
        return sold in sales
    return None


def _act(body: str) -> bool | None:
    """Whether something is true of all who do a thing, or its contrary."""
    found = _acting().fullmatch(body)
    contraries = {end: pair for pair in _CONTRARIES for end in pair}
    if not found or found["end"] not in contraries:
        return None
    decided = _ACTS[found["verb"]].intersection(contraries[found["end"]])
    if not decided:
        raise Undecided(body)
    return found["end"] in decided


@cache
def _acting() -> re.Pattern[str]:
    things = "|".join(table("possession")["things"])
    return re.compile(_ACT.format(verbs="|".join(_ACTS), things=things))


def _story(body: str) -> tuple[list[str], str] | None:
    """What was told, and what was so in the end."""
    if told := re.fullmatch("if (?P<rest>.+) in the end|in the end (?P<end>.+ if .+)", body):
        return follows(told["end"] or f"if {told['rest']}")
    return None


def _purses(body: str) -> bool | None:
    """Whether one has more in the end, whatever the order of the gifts."""
    if not (story := _story(body)) or not (asked := _MORE.fullmatch(story[1])):
        return None
    start: dict[str, int] = {}
    gifts: list[Gift] = []
    for clause in story[0]:
        given = next((found for one in _GIFTS if (found := one.fullmatch(clause))), None)
        told = given or _HAD.fullmatch(clause)
        if not told or told["noun"] != asked["noun"]:
            return None
        if not given:
            start[told["who"]] = number(told["count"])
        elif given["no"] == given["count"]:
            raise Undecided(body)
        else:
            gifts.append((given["giver"], given["taker"], number(given["count"])))
    sign = 1 if asked["word"] == "more" else -1
    leads = _leads(start, gifts, (asked["x"], asked["y"]))
    return in_all_or_none((sign * lead > 0 for lead in leads), body)


def _leads(start: dict[str, int], gifts: Sequence[Gift], asked: tuple[str, str]) -> Iterator[int]:
    """How many more the first has than the second, after the gifts in each order."""
    people = {*asked, *(name for giver, taker, _ in gifts for name in (giver, taker))}
    if not people <= set(start):
        raise Undecided(f"{people} have something, {set(start)} are told of")
    for order in permutations(gifts):
        # Each piece is put down, under the name of whoever has it.
        pieces = [name for name, count in start.items() for _ in range(count)]
        for giver, taker, count in order:
            if pieces.count(giver) < count:
                raise Undecided(f"{giver} cannot give {count}: {pieces}")
            for _ in range(count):
                pieces[pieces.index(giver)] = taker
        yield pieces.count(asked[0]) - pieces.count(asked[1])


def _swaps(body: str) -> bool | None:
    """Whether somebody has a thing in all endings from which one gets back to the start."""
    if not (story := _story(body)) or not (asked := _HAS_THING.fullmatch(story[1])):
        return None
    had = [found for clause in story[0] if (found := _HAS_THING.fullmatch(clause))]
    swaps = [found for clause in story[0] if (found := _SWAP.fullmatch(clause))]
    in_order = [bool(swap["then"]) for swap in swaps] == [False] + [True] * (len(swaps) - 1)
    if len(had) + len(swaps) < len(story[0]) or not in_order:
        return None
    start = {one["who"]: one["thing"] for one in had}
    people = {asked["who"], *(swap[one] for swap in swaps for one in "xy")}
    if not people <= set(start) or len(set(start.values())) < len(had):
        raise Undecided(body)
    pairs = [(swap["x"], swap["y"]) for swap in swaps]
    ends = _ends(start, pairs)
    return in_all_or_none((end[asked["who"]] == asked["thing"] for end in ends), body)


def _ends(start: dict[str, str], swaps: Sequence[tuple[str, str]]) -> Iterator[dict[str, str]]:
    """Each way to have the things that, all swaps undone from the last one on, is the start."""
    for things in permutations(start.values()):
        end = dict(zip(start, things, strict=True))
        before = dict(end)
        for first, second in reversed(swaps):
            before |= {first: before[second], second: before[first]}
        if before == start:
            yield end
