"""What follows of invented machines and creatures: all states of a machine, powers of a matrix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from operator import add, mul
from typing import TypeAlias

from tests.generation.checker.all_orders import Compared, follows_as_told
from tests.generation.checker.plain_text import (
    NAME,
    Undecided,
    clauses,
    follows,
    in_all_or_none,
    table,
)

# Which part is in its first state, or else in its second.
State: TypeAlias = tuple[str, bool]

_PART = "the [a-z]+ [a-z]+"
_EXACTLY = re.compile("(?P<first>.+) exactly when (?P<last>.+)")
_ENDS = tuple(
    re.compile(said)
    for said in ("(?P<last>.+) while (?P<first>.+)", "whenever (?P<first>.+), (?P<last>.+)")
)


def machine(body: str) -> bool | None:
    """Whether the last part is as said in all states of the machine that are possible."""
    if told := re.fullmatch(
        "in a machine in which (?P<given>[^,]+(?:, [^,]+ exactly when [^,]+)*), (?P<end>.+)", body
    ):
        parts: tuple[list[str], str] | None = (clauses(told["given"]), told["end"])
    else:
        parts = follows(body)
    if not parts:
        return None
    wires = [_both(_EXACTLY, clause) for clause in parts[0]]
    ends = [both for pattern in _ENDS if (both := _both(pattern, parts[1]))]
    pairs = [wire for wire in wires if wire]
    if len(ends) != 1 or len(pairs) < len(wires):
        return None
    return in_all_or_none(_last_states(pairs, *ends[0]), body)


def _both(pattern: re.Pattern[str], clause: str) -> tuple[State, State] | None:
    """The states of the two parts that a clause is about."""
    if not (found := pattern.fullmatch(clause)):
        return None
    first, last = _state(found["first"]), _state(found["last"])
    return (first, last) if first and last else None


def _last_states(wires: Sequence[tuple[State, State]], first: State, last: State) -> Iterable[bool]:
    """Whether the last is as said, in each possible state in which the first is as said."""
    names = sorted({part for wire in (*wires, (first, last)) for part, _ in wire})
    for states in product((True, False), repeat=len(names)):
        now = dict(zip(names, states, strict=True))
        if now[first[0]] == first[1] and all(
            (now[a] == is_a) == (now[b] == is_b) for (a, is_a), (b, is_b) in wires
        ):
            yield now[last[0]] == last[1]


@cache
def _state(clause: str) -> State | None:
    """A part of a machine and whether it is in the first of its two states."""
    found = re.fullmatch(f"(?P<part>{_PART}) (?P<state>.+)", clause)
    if not found:
        return None
    _, colour, noun = found["part"].split()
    for part in table("causes")["parts"]:
        if part["noun"] == noun and colour in table("causes")["colours"]:
            states = {part["yes"]: True, part["not_no"]: True, part["no"]: False}
            is_first = (states | {part["not_yes"]: False}).get(found["state"])
            return None if is_first is None else (found["part"], is_first)
    return None


def drive(body: str) -> bool | None:
    """Whether one drives another in all orders in which what drives stands before the driven."""
    found = re.fullmatch("in a machine, (?P<story>.+)", body)
    return follows_as_told(follows(found["story"]), _driving, with_ties=False) if found else None


def _driving(clause: str) -> tuple[str, Compared] | None:
    for verb in table("causes")["driving"]:
        for said, sign in ((verb["active"], 1), (verb["passive"], -1), (verb["denial"], -1)):
            if found := re.fullmatch(f"({_PART}) {said} ({_PART})", clause):
                return verb["active"], Compared(found[1], found[2], sign)
    return None


def influence(body: str) -> bool | None:
    """Whether one helps or hinders another over all ways from it, of any length."""
    if not (parts := follows(body)):
        return None
    end = parts[1].replace(" indirectly ", " ", 1)
    acts = [_acting(clause) for clause in (*parts[0], end)]
    known = [act for act in acts if act]
    if end == parts[1] or None in acts or len({verb for verb, _ in known}) != 1:
        return None
    *given, asked = (act for _, act in known)
    helped, hindered = _ways(given, asked.first, asked.second)
    if bool(helped) == bool(hindered):
        raise Undecided(body)
    return bool(helped) == (asked.sign > 0)


def _acting(clause: str) -> tuple[str, Compared] | None:
    """The verb of helping, and who acts on whom; `sign` is 1 for help and -1 for the contrary."""
    found = re.fullmatch("(?P<x>[A-Za-z]+) (?P<said>.+) (?P<y>[A-Za-z]+)", clause)
    if not found:
        return None
    are_people = {bool(re.fullmatch(NAME, found[one])) for one in "xy"}
    are_creatures = {found[one] in table("causes")["creatures"] for one in "xy"}
    meant = _phrases(is_one=are_people == {True}).get(found["said"])
    if not meant or are_people == are_creatures:
        return None
    verb, is_turned, sign = meant
    first, second = (found["x"], found["y"])[:: -1 if is_turned else 1]
    return verb, Compared(first, second, sign)


@cache
def _phrases(*, is_one: bool) -> dict[str, tuple[str, bool, int]]:
    """What may stand between two: its verb, whether the second acts on the first, and how."""
    do, be, s = ("does", "is", "s") if is_one else ("do", "are", "")
    phrases = {}
    for row in table("causes")["influences"]:
        for good, bad, sign in (("help", "hinder", 1), ("hinder", "help", -1)):
            acts = row[f"{good}{s}"]
            phrases[acts] = row["help"], False, sign
            phrases[f"{do} not {row[bad]} but {acts}"] = row["help"], False, sign
            phrases[f"{be} {row[f'{good}ed']} by"] = row["help"], True, sign
    return phrases


def _ways(given: Sequence[Compared], first: str, last: str) -> tuple[int, int]:
    """The ways from first to last that help, and those that hinder.

    A creature stands twice in the matrix: as better off and as worse off. The first row of the
    powers of the matrix is all that is needed of them.
    """
    names = sorted({name for one in given for name in (one.first, one.second)} | {first, last})
    places = {place: at for at, place in enumerate(product(names, (1, -1)))}
    step = [[0] * len(places) for _ in places]
    for one, sign in product(given, (1, -1)):
        step[places[one.first, sign]][places[one.second, sign * one.sign]] += 1
    columns = list(zip(*step, strict=True))
    row = [int(place == (first, 1)) for place in places]
    total = [0] * len(places)
    for _ in names:
        row = [sum(map(mul, row, column)) for column in columns]
        total = list(map(add, total, row))
    if any(row):
        raise Undecided(f"{given} run in a circle")
    return total[places[last, 1]], total[places[last, -1]]
