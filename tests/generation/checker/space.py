"""Second opinions on space: lines of things, storeys, cities, and turns worked out in the plane."""

from __future__ import annotations

import re
from functools import cache

from tests.generation.checker.all_orders import Compared, follows_as_told
from tests.generation.checker.known_things import Way, compare_known, compare_placed
from tests.generation.checker.plain_text import NAME, clauses, decide, follows, table

# The axis that a word belongs to, and which way along it.
DIRECTIONS = {
    "to the right of": ("side", 1),
    "to the left of": ("side", -1),
    "above": ("height", 1),
    "higher than": ("height", 1),
    "as high as": ("height", 1),
    "below": ("height", -1),
    "lower than": ("height", -1),
    "in front of": ("file", 1),
    "ahead of": ("file", 1),
    "behind": ("file", -1),
    "nearer the front than": ("train", 1),
    "as near the front as": ("train", 1),
    "nearer the back than": ("train", -1),
    "north of": ("latitude", 1),
    "as far north as": ("latitude", 1),
    "south of": ("latitude", -1),
    "east of": ("longitude", 1),
    "as far east as": ("longitude", 1),
    "west of": ("longitude", -1),
    "upstream of": ("river", 1),
    "as far upstream as": ("river", 1),
    "downstream of": ("river", -1),
}
# Two villages may lie opposite each other; elsewhere everything has a place of its own.
SHARED = ("on the banks of one river",)
LEVELS = (
    Way("", "{x} (?:is|are) {word} {y}", "above", "below"),
    Way("", "{x} (?:is|are) {word} than {y}", "higher up", "lower down"),
    Way("", "one goes {word} to get to {x} from {y}", "up", "down"),
)
CITIES = (
    Way("latitude", "{x} lies further {word} than {y}", "north", "south"),
    Way(
        "latitude",
        "any place that lies further {limit} than {x} lies further {word} than {y}",
        "north",
        "south",
    ),
    Way("latitude", "{x} is further to the {word} than {y}", "north", "south"),
    Way(
        "latitude",
        "any place that is further to the {limit} than {x} is further to the {word} than {y}",
        "north",
        "south",
    ),
    Way(
        "latitude",
        "on a map with north at the top, {x} is {word} than {y}",
        "higher up",
        "lower down",
    ),
    Way(
        "latitude",
        "on a map with north at the top, anything that is {limit} than {x} is {word} than {y}",
        "higher up",
        "lower down",
    ),
    # Where one ends up is compared with where one came from.
    Way("latitude", "someone who goes from {y} to {x} ends up further {word}", "north", "south"),
)
POINTS = {"north": 1j, "east": 1 + 0j, "south": -1j, "west": -1 + 0j}
TURNS = {"left": 1j, "right": -1j, "round": -1 + 0j}
_POINT = "(?:north|east|south|west)"
_PLACED = f"{NAME}|the [a-z]+ [a-z]+"
_CLAUSE = re.compile(
    f"(?P<first>{_PLACED}) (?:is|stands|lies|lives|walks|drives|"
    f"(?P<no>is not|does not (?:stand|lie|live|walk|drive))) "
    f"(?P<word>{'|'.join(DIRECTIONS)}) (?P<second>{_PLACED})"
)
_GOES = re.compile(
    f"(?:(?P<first>{NAME}) (?P<verb>[a-z]+) (?P<ahead>{_POINT})|"
    f"the (?P<back>{_POINT}) is behind (?P<behind>{NAME})) "
    f"and (?P<name>{NAME}) (?P<turns>turns .+)"
)
_ENDS = re.compile(f"(?P<name>{NAME}) (?P<verb>[a-z]+) (?P<point>{_POINT}) in the end")
_SIT = f"(?P<a>{NAME}) and (?P<b>{NAME}) (?:sit|stand) face to face"
_FACING = [
    re.compile(said)
    for said in (
        f"if {_SIT} and (?P<thing>the [a-z]+) is on (?P<one>{NAME})'s (?P<side>left|right), "
        f"then (?P=thing) is on (?P<other>{NAME})'s (?P<end>left|right)",
        f"(?P<thing>the [a-z]+) is on (?P<other>{NAME})'s (?P<end>left|right) if {_SIT} "
        f"and (?P=thing) is on (?P<one>{NAME})'s (?P<side>left|right)",
        f"when {_SIT}, the [a-z]+ is on (?P<other>{NAME})'s (?P<end>left|right) "
        f"if it is on (?P<one>{NAME})'s (?P<side>left|right)",
    )
]


def is_true(sentence: str) -> bool:
    """Whether the sentence is true; an error where it cannot be read or is left open."""
    return decide(sentence, (_levels, _cities, _facing, _turned, _story))


def _levels(body: str) -> bool | None:
    return compare_placed(body, LEVELS, "space")


def _cities(body: str) -> bool | None:
    return compare_known(body, CITIES, "space")


def _story(body: str) -> bool | None:
    """Things on one line."""
    setting, _, said = body.partition(", ")
    told = follows(said) if setting in _settings() else None
    return follows_as_told(told, _compared, with_ties=setting in SHARED)


@cache
def _settings() -> frozenset[str]:
    return frozenset(entry["setting"] for entry in table("space")["settings"])


def _compared(clause: str) -> tuple[str, Compared] | None:
    """The axis along which two are compared, and the comparison."""
    found = _CLAUSE.fullmatch(clause)
    if not found or (found["word"].startswith("as ") and not found["no"]):
        return None
    axis, sign = DIRECTIONS[found["word"]]
    # One of them is on this side or on the other; what is not as far as another is not level.
    return axis, Compared(found["first"], found["second"], -sign if found["no"] else sign)


def _turned(body: str) -> bool | None:
    """Turns of a quarter or of half a circle, as factors in the plane."""
    if said := re.fullmatch("if (.+), then (.+)", body):
        told, asked = said.groups()
    elif said := re.fullmatch("(.+) if (.+)", body):
        asked, told = said.groups()
    else:
        return None
    goes, ends = _GOES.fullmatch(told), _ENDS.fullmatch(asked)
    if not goes or not ends:
        return None
    if {goes["first"] or goes["behind"], goes["name"]} != {ends["name"]}:
        return None
    if goes["verb"] not in (None, ends["verb"]):
        return None
    ahead = POINTS[goes["ahead"]] if goes["ahead"] else -POINTS[goes["back"]]
    for turn in clauses(goes["turns"]):
        ahead *= TURNS[turn.removeprefix("turns ")]
    return ahead == POINTS[ends["point"]]


def _facing(body: str) -> bool | None:
    """Two people opposite each other, and something beside the line between them."""
    for pattern in _FACING:
        found = pattern.fullmatch(body)
        if not found or {found["one"], found["other"]} != {found["a"], found["b"]}:
            continue
        if found["a"] == found["b"]:
            continue
        here, there = 0j, 2j
        thing = 1j + TURNS[found["side"]] * (there - here) / abs(there - here)
        # Left of whoever looks from there to here is where the turn is anticlockwise.
        seen = (thing - there) / (here - there)
        return (seen.imag > 0) == (found["end"] == "left")
    return None
