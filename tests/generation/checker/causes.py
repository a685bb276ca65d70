"""Second opinions on causes: pairs of what leads to what, joined on and on."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from typing import TypeAlias

from tests.generation.checker.invented import drive, influence, machine
from tests.generation.checker.plain_text import Undecided, decide, table

Pair: TypeAlias = tuple[str, str]

_MAKES = (
    "by what it does to {thing}, {x} makes {what} {word}",
    "{x} changes {thing} and so makes {what} {word}",
    "{x} makes {thing} {word}",
    "{thing} is made {word} by {x}",
    "{thing} gets {word} because of {x}",
)
_CAUSING = tuple(
    re.compile(said.format(x="(?P<x>.+)", y="(?P<y>.+)"))
    for said in (
        "{x} can cause {y}",
        "{y} can be caused by {x}",
        "{x} can lead to {y}",
        "{y} can result from {x}",
        "{x} may bring about {y}",
        "{y} may come of {x}",
        "{x} can be a cause of {y}",
        "{y} can be an effect of {x}",
    )
)
_PROTECTING = tuple(
    re.compile(said.format(by="(?P<by>.+?)", whom="(?P<whom>.+)", harm="(?P<harm>.+)"))
    for said in (
        "{by} (?P<verb>protects|does not protect) {whom} from {harm}",
        "{by} is (?P<verb>a protection|no protection) against {harm} for {whom}",
        "against {harm}, {by} (?P<verb>shields|does not shield) {whom}",
    )
)
_MORE_LESS = ("more", "less")
_PROTECTS = ("protects", "a protection", "shields")


def is_true(sentence: str) -> bool:
    """Whether a sentence about causes is true."""
    return decide(sentence, (machine, drive, influence, _protect, _cause, _make))


def _make(body: str) -> bool | None:
    """Whether something leads to a thing's getting more so, or to its opposite."""
    for pattern in _makes():
        found = pattern.fullmatch(body)
        if not found:
            continue
        made = f"{found['thing']}: {found.groupdict().get('what') or 'it is'} {found['word']}"
        if made in _opposites():
            return _one_of_two(found["x"], made, _opposites()[made], _joined_changes())
    return None


@cache
def _makes() -> list[re.Pattern[str]]:
    """The ways to say what makes a thing more so, for the things and words of the table."""
    rows = table("causes")["changes"]
    words = {row[word] for row in (*rows, *(row["then"] for row in rows)) for word in _MORE_LESS}
    named = {
        "thing": {row["thing"] for row in rows},
        "what": {row["then"]["what"] for row in rows},
        "word": words,
    }
    places = {name: f"(?P<{name}>{'|'.join(named[name])})" for name in named}
    return [re.compile(said.format(x="(?P<x>.+)", **places)) for said in _MAKES]


@cache
def _opposites() -> dict[str, str]:
    """What can become of each thing, and the contrary."""
    pairs: list[Pair] = []
    for row in table("causes")["changes"]:
        thing, then = row["thing"], row["then"]
        pairs.append((f"{thing}: it is {row['more']}", f"{thing}: it is {row['less']}"))
        words = then["more"], then["less"]
        pairs.append((f"{thing}: {then['what']} {words[0]}", f"{thing}: {then['what']} {words[1]}"))
    return dict(pairs) | {less: more for more, less in pairs}


@cache
def _joined_changes() -> frozenset[Pair]:
    """What leads to what, at once or by way of a change in the thing."""
    pairs: set[Pair] = set()
    for row in table("causes")["changes"]:
        thing, then = row["thing"], row["then"]
        more, less = f"{thing}: it is {row['more']}", f"{thing}: it is {row['less']}"
        easier, harder = (f"{thing}: {then['what']} {then[word]}" for word in _MORE_LESS)
        pairs |= set(product(row["up"], [more])) | set(product(row["down"], [less]))
        pairs |= set(zip((more, less), (easier, harder)[:: then["sign"]], strict=True))
    return _closed(pairs)


def _closed(pairs: set[Pair]) -> frozenset[Pair]:
    """All pairs that can be had by joining pairs, as long as there are new ones."""
    while new := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs = pairs | new
    return frozenset(pairs)


def _one_of_two(cause: str, effect: str, contrary: str, known: frozenset[Pair]) -> bool:
    """Whether the one is known, and not the contrary."""
    holds, fails = (cause, effect) in known, (cause, contrary) in known
    if holds == fails:
        raise Undecided(f"{cause} and {effect}")
    return holds


def _cause(body: str) -> bool | None:
    """Whether one brings about another, or is brought about by it."""
    for pattern in _CAUSING:
        found = pattern.fullmatch(body)
        if found and {found["x"], found["y"]} <= {name for pair in _effects() for name in pair}:
            pair = found["x"], found["y"]
            holds, fails = pair in _effects(), pair[::-1] in _effects()
            if holds == fails:
                raise Undecided(body)
            return holds
    return None


@cache
def _effects() -> frozenset[Pair]:
    effects = table("causes")["effects"].items()
    return _closed({(cause, effect) for cause, several in effects for effect in several})


def _protect(body: str) -> bool | None:
    """Whether something is known to help against a harm, or to be of no use at all."""
    useful, useless = (
        {
            (by, row["whom"], row["harm"])
            for row in table("causes")["protections"]
            for by in row[part]
        }
        for part in ("by", "useless")
    )
    harms = {(whom, harm) for _, whom, harm in useful}
    for pattern in _PROTECTING:
        found = pattern.fullmatch(body)
        if not found or (found["whom"], found["harm"]) not in harms:
            continue
        said = found["by"], found["whom"], found["harm"]
        if (said in useful) == (said in useless):
            raise Undecided(body)
        return (said in useful) == (found["verb"] in _PROTECTS)
    return None
