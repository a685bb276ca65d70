"""Quantifiers, read back: all numbers that a premise allows, in every reading of its words."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import TypeAlias

from tests.generation.checker.collected import counted
from tests.generation.checker.plain_text import (
    NAME,
    NUMBER,
    clauses,
    decide,
    in_all_or_none,
    number,
    table,
)

# Whether it is said of so many out of so many.
Reading: TypeAlias = Callable[[int, int], bool]

# Where people differ there are several readings.
_READINGS: dict[str, tuple[Reading, ...]] = {
    "all": (lambda n, m: n == m,),
    "none": (lambda n, m: n == 0,),
    "some": (lambda n, m: n > 0, lambda n, m: n > 1, lambda n, m: 1 < n < m),
    "not all": (lambda n, m: n != m, lambda n, m: n not in (0, m)),
    "most": (lambda n, m: n > m - n, lambda n, m: m - n < n < m, lambda n, m: 5 * n > 3 * m),
    "few": (lambda n, m: 0 < n < m - n, lambda n, m: n > 1 and 6 * n < m, lambda n, m: 5 * n < m),
    "more than half": (lambda n, m: n > m - n,),
    "fewer than half": (lambda n, m: n < m - n,),
    "exactly half": (lambda n, m: n == m - n,),
    "an odd number": (lambda n, m: n in range(1, 99, 2),),
    "an even number": (lambda n, m: n in range(0, 99, 2), lambda n, m: n in range(2, 99, 2)),
    "both": (lambda n, m: n == m,),
    "neither": (lambda n, m: n == 0,),
    "not both": (lambda n, m: n < m, lambda n, m: n == 1),
}
# What is denied is denied in its literal sense: «it is not true that some did» is «none did».
_DENIED: dict[str, tuple[Reading, ...]] = {
    "some": (lambda n, m: n > 0, lambda n, m: n > 1),
    "most": (lambda n, m: n > m - n, lambda n, m: 5 * n > 3 * m),
    "not all": (lambda n, m: n != m,),
}
_OF_TWO = ("both", "neither", "not both")
_Q = f"(?:at least|at most|exactly|more than|fewer than) {NUMBER}|" + "|".join(
    sorted(_READINGS, key=len, reverse=True)
)
_CERTAIN = (
    "it (?:follows|is certain|must be true|(?P<no>does not follow|is not certain|need not be true)"
    "|(?P<untrue>cannot be true|is impossible)|(?P<open>may still be true|is still possible))"
    f" that (?P<claim>(?:{_Q}) of them .+)"
)
_WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def is_true(sentence: str) -> bool:
    """Whether a sentence about how many is true."""
    return decide(sentence, (_things, _people, _certain, _members))


def _things(body: str) -> bool | None:
    """So many of a number of things did something, in one go or day by day."""
    found = re.fullmatch("if (?P<given>.+), then (?P<claim>.+)", body)
    event = _event(found["given"]) if found else None
    if not found or not event:
        return None
    counts = _counts(clauses(found["given"]), event)
    claim = _claim(found["claim"], event)
    if not counts or not claim:
        return None
    count, total = counts
    return _holds(claim[0], total - count if claim[1] else count, total)


def _counts(told: list[str], event: dict[str, str]) -> tuple[int, int] | None:
    """How many did it in the end, and how many there were."""
    did = event["did"]
    some = rf"({NUMBER}) of the ({NUMBER}) {event['things']} {did}"
    if len(told) == 1:
        once = re.fullmatch(f"exactly {some}", told[0])
        return (number(once[1]), number(once[2])) if once else None
    first, *others, end = told
    days = [re.fullmatch(f"{some} on Monday", first)]
    for clause, day in zip(others, _WEEK[1:], strict=False):
        days.append(re.fullmatch(f"({NUMBER}) more {did} on {day}", clause))
    known = [day for day in days if day]
    if len(known) < len(told) - 1 or end != f"no others {did}":
        return None
    count, total = sum(number(day[1]) for day in known), number(known[0][2])
    return (count, total) if count <= total else None


def _people(body: str) -> bool | None:
    """People of whom each did something or did not."""
    found = re.fullmatch(f"if (?P<given>.+), then (?P<q>{_Q}) of them (?P<verb>.+)", body)
    if not found:
        return None
    told = [one.split(" ", 1) for one in clauses(found["given"])]
    for deed in table("quantifiers")["deeds"]:
        done = {deed["did"]: True, deed["denied_not"]: True}
        done |= {deed["not"]: False, deed["denied_did"]: False}
        if found["verb"] not in (deed["did"], deed["not"]):
            continue
        people = {one[0]: done[one[1]] for one in told if len(one) == 2 and one[1] in done}
        is_right = len(people) == 2 or found["q"] not in _OF_TWO
        if len(people) == len(told) and is_right and all(re.fullmatch(NAME, one) for one in people):
            wanted = done[found["verb"]]
            return _holds(found["q"], list(people.values()).count(wanted), len(people))
    return None


def _certain(body: str) -> bool | None:
    """What follows from how many did something."""
    found = re.fullmatch(f"if (?P<given>.+), then {_CERTAIN}", body)
    event = _event(found["given"]) if found else None
    claim = _claim(found["claim"], event) if found and event else None
    if not found or not event or not claim:
        return None
    given, totals = [], []
    for clause in clauses(found["given"]):
        some = re.fullmatch(
            rf"(?P<untrue>it is not true that )?(?P<q>{_Q}) of "
            rf"(?:them|the (?P<total>{NUMBER}) {event['things']}) {event['did']}",
            clause,
        )
        if not some:
            return None
        given.append((some["q"], not some["untrue"]))
        totals += [number(some["total"])] if some["total"] else []
    if len(totals) != 1:
        return None
    # What may still be true is not certain to be false.
    end = claim[0], claim[1], not (found["untrue"] or found["open"])
    return _is_certain(tuple(given), end, totals[0]) != bool(found["no"] or found["open"])


@cache
def _is_certain(
    given: tuple[tuple[str, bool], ...], end: tuple[str, bool, bool], total: int
) -> bool:
    """Whether the end is true in all cases in which the given is, in whichever readings."""
    verdicts = []
    told = (*given, (end[0], end[2]))
    for *readings, last in product(*(_readings(word, is_so=is_so) for word, is_so in told)):
        cases = [
            count
            for count in range(total + 1)
            if all(
                reading(count, total) == is_so
                for reading, (_, is_so) in zip(readings, given, strict=True)
            )
        ]
        # Nobody takes a premise in a reading that makes nonsense of the others.
        if cases:
            ends = (last(total - n if end[1] else n, total) == end[2] for n in cases)
            verdicts.append(all(ends))
    return in_all_or_none(verdicts, f"{given} {end} {total}")


def _members(body: str) -> bool | None:
    """How many of a collection of the world have a property."""
    found = re.fullmatch(f"(?P<q>{_Q}) of (?P<rest>the .+)", body)
    counts = counted(found["rest"]) if found else None
    return _holds(found["q"], *counts) if found and counts else None


def _event(given: str) -> dict[str, str] | None:
    """What happened to which things."""
    events: list[dict[str, str]] = table("quantifiers")["events"]
    first = re.search(rf"of the {NUMBER} (?P<rest>.+)", given)
    for event in events if first else ():
        if first and first["rest"].startswith(f"{event['things']} {event['did']}"):
            return event
    return None


def _claim(told: str, event: dict[str, str]) -> tuple[str, bool] | None:
    """How many are said to have done it, or (True) not to have done it."""
    verbs = {event["did"]: False, event["not"]: True}
    found = re.fullmatch(rf"({_Q}) of (?:them|the {event['things']}) ({'|'.join(verbs)})", told)
    return (found[1], verbs[found[2]]) if found else None


def _holds(words: str, count: int, total: int) -> bool:
    about = f"{words!r} of {count} out of {total}"
    return in_all_or_none((reading(count, total) for reading in _readings(words)), about)


@cache
def _readings(words: str, *, is_so: bool = True) -> tuple[Reading, ...]:
    if words in _DENIED and not is_so:
        return _DENIED[words]
    if words in _READINGS:
        return _READINGS[words]
    manner, _, amount = words.rpartition(" ")
    known = number(amount)
    among: dict[str, Reading] = {
        "at least": lambda n, m: n in range(known, m + 1),
        "at most": lambda n, m: n in range(known + 1),
        "exactly": lambda n, m: n == known,
        "more than": lambda n, m: n in range(known + 1, m + 1),
        "fewer than": lambda n, m: n in range(known),
    }
    return (among[manner],)
