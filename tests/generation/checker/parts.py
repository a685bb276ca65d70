"""Parts and wholes, read back: machines in stories, and what things of the world are made of."""

from __future__ import annotations

import re
from functools import cache

from tests.generation.checker.nesting import Pairs, closure, is_within
from tests.generation.checker.plain_text import NAME, Undecided, clauses, decide, follows, table

# What the first is to the second: True is part of it, or in it.
_PART = {"is part of": True, "includes": False, "is not complete without": False}
_PLACE = {"is in": True, "houses": False, "is nowhere but in": True}
_CLAIMED = {
    "is part of": True,
    "includes": False,
    "belongs to": True,
    "has among its parts": False,
    "is lighter than": True,
    "is heavier than": False,
}
_REMOVED = (
    rf"if (?P<given>.+) and {NAME} takes away (?P<what>.+) and leaves the rest where it was, "
    r"then (?P<thing>.+) is (?:(?P<gone>gone)|still there)",
    rf"if (?P<given>.+) and {NAME} sells (?P<what>.+) and keeps the rest, "
    r"then (?P<thing>.+) is (?:(?P<gone>sold)|kept)",
)
_FOUND = rf"(?:(?P<thing>.+) is|{NAME} will find (?P<found>.+)) in (?P<room>.+)"
_RELATED = (
    r"(?P<high>.+) (?:has|does (?P<no>not) have) (?P<low>.+) among its parts",
    r"(?P<high>.+) (?:includes|has among its parts(?P<no>)) (?P<low>.+)",
    r"one of the parts of (?P<high>.+) is (?P<no>)(?P<low>.+)",
    r"(?P<low>.+) is (?P<no>not )?part of (?P<high>.+)",
    r"(?P<low>.+) belongs to (?P<no>)(?P<high>.+)",
)


def is_true(sentence: str) -> bool:
    """Whether a sentence about what is part of what is true."""
    return decide(sentence, (_removed, _placed, _assembled, _related))


def _assembled(body: str) -> bool | None:
    told = follows(body)
    pairs = _pairs(told[0], _PART) if told else None
    claim = _pair(told[1], _CLAIMED) if told else None
    if not pairs or not claim:
        return None
    return is_within(pairs, *claim)


def _removed(body: str) -> bool | None:
    for pattern in _REMOVED:
        found = re.fullmatch(pattern, body)
        pairs = _pairs(clauses(found["given"]), _PART) if found else None
        if found and pairs and {found["what"], found["thing"]} <= _pieces():
            return is_within(pairs, found["thing"], found["what"]) == bool(found["gone"])
    return None


def _placed(body: str) -> bool | None:
    told = follows(body)
    pairs = _pairs(told[0], _PART | _PLACE) if told else None
    found = re.fullmatch(_FOUND, told[1]) if told else None
    if not pairs or not found or found["room"] not in _rooms():
        return None
    return is_within(pairs, found["thing"] or found["found"], found["room"], apart=_rooms())


def _pairs(told: list[str], words: dict[str, bool]) -> list[tuple[str, str]] | None:
    pairs = [pair for clause in told if (pair := _pair(clause, words))]
    return pairs if len(pairs) == len(told) else None


def _pair(clause: str, words: dict[str, bool]) -> tuple[str, str] | None:
    """The two of a clause, the part first, or what is in the other."""
    longest_first = sorted(words, key=len, reverse=True)
    found = re.fullmatch(f"(the [a-z]+) ({'|'.join(longest_first)}) (the [a-z]+)", clause)
    if not found:
        return None
    low, high = (found[1], found[3]) if words[found[2]] else (found[3], found[1])
    wholes = _rooms() if found[2] in _PLACE else _pieces()
    return (low, high) if low in _pieces() and high in wholes else None


@cache
def _pieces() -> frozenset[str]:
    stories = table("parts")["stories"]
    return frozenset(f"the {one}" for one in (*stories["pieces"], *stories["machines"]))


@cache
def _rooms() -> frozenset[str]:
    return frozenset(f"the {room}" for room in table("parts")["stories"]["rooms"])


def _related(body: str) -> bool | None:
    for pattern in _RELATED:
        found = re.fullmatch(pattern, body)
        low, high = (_noun(found[name]) for name in ("low", "high")) if found else ("", "")
        if found and low and high:
            return _is_part(low, high) != bool(found["no"])
    return None


def _is_part(low: str, high: str) -> bool:
    """Whether it is, or an error where the table says too little."""
    if (low, high) in _whole_table():
        return True
    if (high, low) in _whole_table():
        return False
    if low not in table("parts")["loose"] and _domain(low) != _domain(high):
        return False
    raise Undecided(f"nobody knows whether a {low} is part of a {high}")


def _domain(noun: str) -> int:
    """The number of the domain in which something is, or is a part of something that is."""
    (place,) = {
        place
        for place, tops in enumerate(table("parts")["domains"])
        for top in tops
        if noun == top or (noun, top) in _whole_table()
    }
    return place


def _noun(phrase: str) -> str:
    """A noun of the table with its article; nothing for any other phrase."""
    article, _, noun = phrase.partition(" ")
    is_right = article == ("an" if noun[:1] in tuple("aeiou") or noun.startswith("hour") else "a")
    return noun if is_right and any(noun in pair for pair in _whole_table()) else ""


@cache
def _whole_table() -> Pairs:
    wholes = table("parts")["wholes"].items()
    return closure(frozenset((part, whole) for whole, parts in wholes for part in parts))
