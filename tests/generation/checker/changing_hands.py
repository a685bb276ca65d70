"""What follows when a thing changes hands: all states of owner and holder that are possible."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from tests.generation.checker.plain_text import NAME, Undecided, clauses, in_all_or_none

# Whose the thing is, and with whom it is.
State: TypeAlias = tuple[str, str]

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# By verb and link: what was done, and whether the one who had the thing is told of first.
_VERBS = {
    "gave it to": ("give", True),
    "was given it by": ("give", False),
    "sold it to": ("sell", True),
    "bought it from": ("sell", False),
    "lent it to": ("lend", True),
    "borrowed it from": ("lend", False),
    "stole it from": ("steal", False),
    "was robbed of it by": ("steal", True),
    "returned it to": ("return", True),
    "recovered it from": ("return", False),
}
# What is denied is another deed than the one that was done.
_DENIED = {"give": "give", "lend": "lend", "sell": "sell", "buy": "sell"}
_STORIES = tuple(
    re.compile(f"if the (?P<thing>[a-z ]+) belonged to (?P<owner>{NAME}) at first{said}")
    for said in (
        "(?:,| and) (?P<events>.+), then (?P<end>.+) in the end",
        " and within one week (?P<events>.+), then (?P<end>.+) at the end of that week",
    )
)
_EVENT = re.compile(
    f"(?P<x>{NAME}) (?P<then>then )?(?:did not (?P<no>{'|'.join(_DENIED)}) but )?"
    f"(?P<verb>{'|'.join(_VERBS)}) (?P<y>{NAME})(?: on (?P<day>{'|'.join(DAYS)}))?"
)
_ENDS = tuple(
    said.format(
        owner=f"(?P<owner>{NAME})", holder=f"(?P<holder>{NAME})", thing="(?P<thing>[a-z ]+)"
    )
    for said in (
        "the {thing} belonged to {owner}",
        "the {thing} was with {holder}",
        "{owner} owned the {thing} that was with {holder}",
        "{holder} had the {thing} that belonged to {owner}",
    )
)


@dataclass(frozen=True, slots=True)
class Event:
    """What was done with the thing, by whoever had it and whoever had it then."""

    deed: str
    giver: str
    taker: str

    def allows(self, before: State, after: State) -> bool:
        """Whether this can lead from one state to another."""
        if before[1] != self.giver or after[1] != self.taker:
            return False
        if self.deed in ("give", "sell"):
            return before[0] == self.giver and after[0] == self.taker
        # Nobody borrows or steals what belongs to them, and only to the owner is it returned.
        return before[0] == after[0] and (after[0] == self.taker) == (self.deed == "return")


def hands(body: str) -> bool | None:
    """Whether the thing belongs to someone, or is with someone, in all that is possible."""
    for pattern, has_days in zip(_STORIES, (False, True), strict=True):
        story = pattern.fullmatch(body)
        told = [_told(clause) for clause in clauses(story["events"])] if story else []
        found = [one for one in told if one]
        if not story or len(found) < len(told):
            continue
        if any((has_days, not has_days) != (bool(one["day"]), bool(one["then"])) for one in found):
            continue
        if has_days:
            found.sort(key=lambda one: DAYS.index(one["day"]))
            if len({one["day"] for one in found}) < len(found):
                raise Undecided(body)
        for end in _ENDS:
            asked = re.fullmatch(end, story["end"])
            if asked and asked["thing"] == story["thing"]:
                names = asked.groupdict()
                states = _states(story["owner"], [_event(one) for one in found])
                return in_all_or_none(
                    (
                        names.get("owner", owner) == owner and names.get("holder", holder) == holder
                        for owner, holder in states
                    ),
                    body,
                )
    return None


def _told(clause: str) -> re.Match[str] | None:
    """What happened; «was then given» is read as «then was given»."""
    return _EVENT.fullmatch(clause.replace(" was then ", " then was "))


def _event(told: re.Match[str]) -> Event:
    deed, is_giver_first = _VERBS[told["verb"]]
    if _DENIED.get(told["no"] or "") == deed:
        raise Undecided(told[0])
    giver, taker = (told["x"], told["y"])[:: 1 if is_giver_first else -1]
    return Event(deed, giver, taker)


def _states(owner: str, events: Sequence[Event]) -> set[State]:
    """All states that are possible in the end, wherever the thing was at first."""
    people = sorted({owner, *(name for event in events for name in (event.giver, event.taker))})
    states = {(owner, holder) for holder in people}
    for event in events:
        states = {
            after
            for before, after in product(states, list(product(people, people)))
            if event.allows(before, after)
        }
    return states
