"""Stories that count, told with things that are laid out, put in and taken out one by one."""

from __future__ import annotations

import re

from tests.generation.checker.plain_text import (
    NAME,
    NUMBER,
    Undecided,
    clauses,
    follows,
    in_all_or_none,
    number,
)

# A number that a plural can follow.
MANY = f"(?!one (?!hundred|thousand)){NUMBER}"
_WORD = "(?P<word>fewer|more)"
_PACK = f"{MANY} [a-z]+ of {MANY} [a-z]+ each"
_PACKS = f"{_PACK}(?:(?:, | and ){_PACK})*"
_NUMBERS_OF_PACK = re.compile(f"({MANY}) [a-z]+ of ({MANY}) ([a-z]+) each")
_FILLED = [
    re.compile(
        said.format(
            left=f"(?P<left>{_PACKS})",
            packs=f"{_WORD} (?P<things>[a-z]+) than",
            right=f"(?P<right>{_PACK})",
            loose=f"{_WORD} than (?P<number>{MANY}) (?P<things>[a-z]+)",
        )
    )
    for said in (
        "{left} hold {packs} {right}",
        "{left} hold {loose}",
        "someone who empties {left} finds {packs} there are in {right}",
        "someone who empties {left} finds {loose}",
        "someone who buys {left} gets {packs} there are in {right}",
        "someone who buys {left} gets {loose}",
    )
]
_START = f"(?P<start>{MANY})"
_CHANGED = [
    re.compile(said)
    for said in (
        f"if (?P<name>{NAME}) has {_START} (?P<things>[a-z]+)(?:,| and) (?P<story>.+), then "
        f"(?P=name) ends up with {_WORD} than (?P<limit>{MANY}) (?P=things)",
        f"if (?P<name>{NAME}) has {_START} (?P<things>[a-z]+)(?:,| and) (?P<story>.+), then "
        f"(?P=name) has {_WORD} than (?P<limit>{MANY}) (?P=things) in the end",
        f"(?P<name>{NAME}) ends up with {_WORD} than (?P<limit>{MANY}) (?P<things>[a-z]+) if "
        f"(?P=name) has {_START} (?P=things)(?:,| and) (?P<story>.+)",
    )
]
_CHANGE = re.compile(
    f"(?:buys|finds|gets|borrows|wins) (?P<gain>{MANY}) more(?: as a present| in a game)?|"
    f"(?:loses|gives away|sells|throws away|drops) (?P<loss>{MANY}) of them(?: into a river)?"
)
_DIFFERENCE = re.compile(
    f"(?P<first>{NAME}) has (?:(?P<number>{MANY}) )?{_WORD} (?P<things>[a-z]+) than "
    f"(?P<second>{NAME})"
)


def fill(body: str) -> bool | None:
    """Bags of so many each, against others or against a plain number."""
    for pattern in _FILLED:
        if found := pattern.fullmatch(body):
            left = _unpacked(found["left"])
            right = (
                _unpacked(found["right"])
                if "right" in found.groupdict()
                else [found["things"]] * number(found["number"])
            )
            if {*left, *right} != {found["things"]}:
                return None
            return _is(found["word"], len(left), len(right))
    return None


def _unpacked(packs: str) -> list[str]:
    """All that is in the packs, laid out."""
    laid_out = []
    for outer, inner, thing in _NUMBERS_OF_PACK.findall(packs):
        for _ in range(number(outer)):
            laid_out.extend([thing] * number(inner))
    return laid_out


def change(body: str) -> bool | None:
    """What is left of a heap to which some are added and from which some are taken."""
    for pattern in _CHANGED:
        found = pattern.fullmatch(body)
        changes = [_CHANGE.fullmatch(told) for told in clauses(found["story"])] if found else []
        if not found or None in changes:
            continue
        heap = [found["things"]] * number(found["start"])
        for told in filter(None, changes):
            if told["gain"]:
                heap.extend([found["things"]] * number(told["gain"]))
                continue
            for _ in range(number(told["loss"])):
                if not heap:
                    raise Undecided(f"nothing is left to take away: {body}")
                heap.pop()
        return _is(found["word"], len(heap), number(found["limit"]))
    return None


def differ(body: str) -> bool | None:
    """What people have if one of them has so many, for some such numbers."""
    told = follows(body)
    given = [_DIFFERENCE.fullmatch(clause) for clause in told[0]] if told else []
    end = _DIFFERENCE.fullmatch(told[1]) if told else None
    if not end or end["number"] or not all(one and one["number"] for one in given):
        return None
    links = [one for one in given if one]
    if {one["things"] for one in links} != {end["things"]}:
        return None
    results = []
    for start in (100, 200, 1000):
        purse = _purses(end["first"], start, links)
        if end["second"] not in purse or not all(_fits(one, purse) for one in links):
            raise Undecided(body)
        results.append(_is(end["word"], purse[end["first"]], purse[end["second"]]))
    return in_all_or_none(results, body)


def _purses(name: str, start: int, links: list[re.Match[str]]) -> dict[str, int]:
    """What everyone has who can be reached from the one who has so many."""
    purse = {name: start}
    for _ in links:
        for one in links:
            more = number(one["number"]) if one["word"] == "more" else -number(one["number"])
            if one["second"] in purse:
                purse.setdefault(one["first"], purse[one["second"]] + more)
            if one["first"] in purse:
                purse.setdefault(one["second"], purse[one["first"]] - more)
    return purse


def _fits(one: re.Match[str], purse: dict[str, int]) -> bool:
    first, second = purse.get(one["first"]), purse.get(one["second"])
    if first is None or second is None:
        return False
    apart = first - second if one["word"] == "more" else second - first
    return apart == number(one["number"])


def _is(word: str, one: int, other: int) -> bool:
    return one > other if word == "more" else one < other
