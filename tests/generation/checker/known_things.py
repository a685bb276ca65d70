"""What is known of things: how much they measure, and what comes before or lies above what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from typing import TypeAlias

from tests.generation.checker.plain_text import in_all_or_none, table

Limits: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to compare: {x} with {y} by the {word} `up` or `down`, on the scale of that name.

    Where it has {limit}, another such word, it speaks of anything on that side of {x}.
    """

    scale: str
    said: str
    up: str
    down: str

    def read(self, body: str) -> re.Match[str] | None:
        """The two that are compared and the words, if this is the way they are."""
        return _pattern(self.said, self.up, self.down).fullmatch(body)

    def sign(self, word: str) -> int:
        """1 for up, -1 for down."""
        return 1 if word == self.up else -1


@cache
def _pattern(said: str, up: str, down: str) -> re.Pattern[str]:
    words = f"{up}|{down}"
    return re.compile(
        said.format(
            x="(?P<x>.+)", y="(?P<y>.+)", word=f"(?P<word>{words})", limit=f"(?P<limit>{words})"
        )
    )


def compare_known(body: str, ways: Sequence[Way], name: str) -> bool | None:
    """Whether a comparison holds whatever the two measure, within what each of them can."""
    for way in ways:
        found = way.read(body)
        things = measures(name)[way.scale]
        if not found or not {found["x"], found["y"]} <= set(things):
            continue
        first, second = things[found["x"]], things[found["y"]]
        if limit := found.groupdict().get("limit"):
            values = _beyond(first, second, way.sign(limit))
        else:
            values = product(first, second)
        sign = way.sign(found["word"])
        return in_all_or_none((sign * (one - other) > 0 for one, other in values), body)
    return None


def _beyond(first: Limits, second: Limits, sign: int) -> Iterator[tuple[float, float]]:
    """Values on that side of the first, wherever they lie to the second, and the second's."""
    points = sorted({*first, *second})
    between = [(low + high) / 2 for low, high in pairwise(points)]
    candidates = [points[0] - 1, *points, *between, points[-1] + 1]
    for limit, other in product(first, second):
        yield from ((one, other) for one in candidates if sign * (one - limit) > 0)


@cache
def measures(name: str) -> dict[str, dict[str, Limits]]:
    """The least and the most of each thing, by scale."""
    found = {}
    for scale in table(name)["scales"]:
        sizes = {unit: size for unit, _, size in scale["units"]}
        found[scale["name"]] = {
            thing: (low * sizes.get("".join(unit), 1), high * sizes.get("".join(unit), 1))
            for thing, low, high, *unit in scale["things"]
        }
    return found


def compare_placed(body: str, ways: Sequence[Way], name: str) -> bool | None:
    """Whether one member of a known sequence comes later, or lies higher, than another."""
    where, _, said = body.partition(", ")
    for members, later in _sequences(name).get(where, ()):
        for way in ways:
            found = way.read(said)
            if found and {found["x"], found["y"]} <= members:
                pair = found["x"], found["y"]
                return (pair if way.sign(found["word"]) > 0 else pair[::-1]) in later
    return None


@cache
def _sequences(
    name: str,
) -> dict[str, list[tuple[frozenset[str], frozenset[tuple[str, str]]]]]:
    """The members of each sequence and all its pairs, later first, by where they are found."""
    found: dict[str, list[tuple[frozenset[str], frozenset[tuple[str, str]]]]] = {}
    for entry in table(name)["sequences"]:
        neighbours = {(later, earlier) for earlier, later in pairwise(entry["members"])}
        members = frozenset(entry["members"])
        found.setdefault(entry["where"], []).append((members, _closed(neighbours)))
    return found


def _closed(pairs: set[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """All pairs that can be had by joining pairs, as long as there are new ones."""
    while True:
        new = {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs
        if not new:
            return frozenset(pairs)
        pairs = pairs | new
