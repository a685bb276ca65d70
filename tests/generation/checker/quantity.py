"""Second opinions on quantity: counts, facts about numbers, units, and stories that count."""

from __future__ import annotations

import re

from tests.generation.checker.counting_out import MANY, change, differ, fill
from tests.generation.checker.plain_text import decide, number, table

# More and less of a kind, and what one unit is of the smallest of that kind.
UNITS: tuple[tuple[str, str, dict[str, int]], ...] = (
    (
        "longer",
        "shorter",
        {"millimetres": 1, "centimetres": 10, "metres": 1000, "kilometres": 1_000_000},
    ),
    (
        "longer",
        "shorter",
        {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400, "weeks": 604_800},
    ),
    ("longer", "shorter", {"months": 1, "years": 12}),
    ("heavier", "lighter", {"grams": 1, "kilos": 1000, "tonnes": 1_000_000}),
    ("bigger", "smaller", {"millilitres": 1, "litres": 1000}),
    ("higher", "lower", {"cents": 1, "euros": 100}),
    ("higher", "lower", {"pence": 1, "pounds": 100}),
)
_UNITS = re.compile(
    f"a (?P<what>[a-z]+) (?P<of>of|for) (?P<n>{MANY}) (?P<x>[a-z]+) (?:is|takes) "
    f"(?P<word>[a-z]+) than (?:a (?P=what)|one) (?P=of) (?P<m>{MANY}) (?P<y>[a-z]+)"
)
# The word for more, the word for less, and the sentence.
_COUNTED = (
    ("more", "fewer", "{n} [a-z]+ are {word} than {m} [a-z]+"),
    (
        "majority",
        "minority",
        "in a group of {n} (?P<a>[a-z]+) and {m} [a-z]+, the (?P=a) are in the {word}",
    ),
    ("longer", "shorter", "a list of {n} [a-z]+ is {word} than a list of {m} [a-z]+"),
    (
        "more",
        "fewer",
        "someone who sees {n} (?P<a>[a-z]+) and {m} (?P<b>[a-z]+) sees {word} (?P=a) than (?P=b)",
    ),
)
_KNOWN = (
    ("more", "fewer", "there are {word} {n} than {m}"),
    ("larger", "smaller", "the number of {n} is {word} than the number of {m}"),
)


def _patterns(
    said: tuple[tuple[str, str, str], ...], counted: str
) -> list[tuple[str, re.Pattern[str]]]:
    """The word for more of each sentence, and what matches it."""
    return [
        (
            more,
            re.compile(
                sentence.format(
                    n=f"(?P<n>{counted})", m=f"(?P<m>{counted})", word=f"(?P<word>{more}|{less})"
                )
            ),
        )
        for more, less, sentence in said
    ]


_COUNTED_PATTERNS = _patterns(_COUNTED, MANY)
_KNOWN_PATTERNS = _patterns(_KNOWN, ".+")


def is_true(sentence: str) -> bool:
    """Whether the sentence is true; an error where it cannot be read or is left open."""
    return decide(sentence, (_counted, _known, _measured, fill, change, differ))


def _counted(body: str) -> bool | None:
    for more, pattern in _COUNTED_PATTERNS:
        if found := pattern.fullmatch(body):
            n, m = number(found["n"]), number(found["m"])
            return n > m if found["word"] == more else n < m
    return None


def _known(body: str) -> bool | None:
    counts = table("quantity")["counts"]
    for more, pattern in _KNOWN_PATTERNS:
        found = pattern.fullmatch(body)
        if found and {found["n"], found["m"]} <= set(counts):
            difference: int = counts[found["n"]] - counts[found["m"]]
            return difference > 0 if found["word"] == more else difference < 0
    return None


def _measured(body: str) -> bool | None:
    found = _UNITS.fullmatch(body)
    for more, less, sizes in UNITS:
        if found and {found["x"], found["y"]} <= set(sizes) and found["word"] in (more, less):
            difference = number(found["n"]) * sizes[found["x"]]
            difference -= number(found["m"]) * sizes[found["y"]]
            return difference > 0 if found["word"] == more else difference < 0
    return None
