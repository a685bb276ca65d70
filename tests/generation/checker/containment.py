"""Containment, read back: boxes in boxes and in rooms, and things of the world by size."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise, product

from tests.generation.checker.nesting import Pairs, closure, is_within
from tests.generation.checker.plain_text import NAME, Undecided, clauses, decide, follows, table

# What the first is to the second: True is within it, or smaller.
_TOLD = {"is inside": True, "contains": False, "is not outside": True}
_CLAIMED = {
    "is inside": True,
    "contains": False,
    "is smaller than": True,
    "is larger than": False,
    "has less room than": True,
    "has more room than": False,
    "lies in": True,
    "holds": False,
}
_CARRIED = (
    rf"if (?P<given>.+) and {NAME} carries off (?P<box>.+) with its contents and nothing else, "
    r"then (?P<thing>.+) is (?P<end>taken along|left behind)",
    rf"if (?P<given>.+) and {NAME} takes only (?P<box>.+) and what is in it away, "
    r"then (?P<thing>.+) is (?P<end>taken along|left behind)",
)
_FOUND = rf"(?:(?P<thing>.+) is|{NAME} will find (?P<found>.+)) in (?P<room>.+)"
_FITTING = (
    r"(?P<low>.+) would (?P<no>not )?fit into (?P<high>.+)",
    r"(?P<low>.+) is (?:small enough|(?P<no>too large)) to fit into (?P<high>.+)",
    r"there is (?P<no>no )?room in (?P<high>.+) for (?P<low>.+)",
    r"in (?P<high>.+) there is (?P<no>no )?room for (?P<low>.+)",
    r"(?P<high>.+) could (?P<no>not )?hold (?P<low>.+)",
    r"(?P<high>.+) is (?:large enough|(?P<no>too small)) for (?P<low>.+) to go in",
    r"(?P<low>.+) would (?:easily|(?P<no>never)) go into (?P<high>.+)",
)


def is_true(sentence: str) -> bool:
    """Whether a sentence about what is inside what is true."""
    return decide(sentence, (_carried, _found, _nested, _fitting))


def _nested(body: str) -> bool | None:
    told = follows(body)
    pairs = _pairs(told[0]) if told else None
    claim = _pair(told[1], _CLAIMED) if told else None
    if not pairs or not claim:
        return None
    return is_within(pairs, *claim)


def _carried(body: str) -> bool | None:
    for pattern in _CARRIED:
        found = re.fullmatch(pattern, body)
        pairs = _pairs(clauses(found["given"])) if found else None
        if found and pairs and _is_box(found["box"]) and _is_box(found["thing"]):
            is_taken = is_within(pairs, found["thing"], found["box"])
            return is_taken == (found["end"] == "taken along")
    return None


def _found(body: str) -> bool | None:
    told = follows(body)
    pairs = _pairs(told[0]) if told else None
    found = re.fullmatch(_FOUND, told[1]) if told else None
    if not pairs or not found or found["room"] not in _rooms():
        return None
    return is_within(pairs, found["thing"] or found["found"], found["room"], apart=_rooms())


def _pairs(told: list[str]) -> list[tuple[str, str]] | None:
    pairs = [pair for clause in told if (pair := _pair(clause, _TOLD))]
    return pairs if len(pairs) == len(told) else None


def _pair(clause: str, words: dict[str, bool]) -> tuple[str, str] | None:
    """The two of a clause, the one inside first."""
    found = re.fullmatch(f"(the .+) ({'|'.join(words)}) (the .+)", clause)
    if not found or not all(_is_known(found[at]) for at in (1, 3)):
        return None
    return (found[1], found[3]) if words[found[2]] else (found[3], found[1])


def _is_known(thing: str) -> bool:
    small = {f"the {one}" for one in table("containment")["keepsakes"]}
    return _is_box(thing) or thing in _rooms() or thing in small


def _is_box(thing: str) -> bool:
    return thing in _boxes()


@cache
def _boxes() -> frozenset[str]:
    facts = table("containment")
    return frozenset(
        " ".join(("the", *box)) for box in product(facts["colours"], facts["containers"])
    )


@cache
def _rooms() -> frozenset[str]:
    return frozenset(f"the {room}" for room in table("containment")["rooms"])


def _fitting(body: str) -> bool | None:
    for pattern in _FITTING:
        found = re.fullmatch(pattern, body)
        low, high = (_thing(found[name]) for name in ("low", "high")) if found else ("", "")
        if found and low and high:
            return _would_fit(low, high) != bool(found["no"])
    return None


def _would_fit(low: str, high: str) -> bool:
    if (high, low) in _much_smaller():
        return False
    hollow = {one for level in table("containment")["levels"] for one in level["holders"]}
    if (low, high) in _much_smaller() and high in hollow:
        return True
    raise Undecided(f"nobody knows whether a {low} goes into a {high}")


def _thing(phrase: str) -> str:
    """A thing of the table with its article; nothing for any other phrase."""
    article, _, thing = phrase.partition(" ")
    is_right = article == ("an" if thing[:1] in tuple("aeiou") else "a")
    return thing if is_right and any(thing in pair for pair in _much_smaller()) else ""


@cache
def _much_smaller() -> Pairs:
    """All of one level against all of the next, and what follows."""
    levels = [[*level["things"], *level["holders"]] for level in table("containment")["levels"]]
    return closure(frozenset(pair for two in pairwise(levels) for pair in product(*two)))
