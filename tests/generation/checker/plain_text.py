"""Reading sentences back: their bodies, numbers in words, and what is said to follow from what."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

# Gives the truth of a body that it can read, and nothing of any other.
Reader: TypeAlias = Callable[[str], bool | None]

_SMALL = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: value for value, word in enumerate(_SMALL, 1)} | {
    word: 10 * value for value, word in enumerate(_TENS, 2)
}
_DIGIT = f"(?:{'|'.join(_SMALL[:9])})"
_TO_99 = f"(?:(?:{'|'.join(_TENS)})(?:-{_DIGIT})?|{'|'.join(reversed(_SMALL))})"
_HUNDREDS = f"(?:{_DIGIT} hundred(?: and {_TO_99})?)"
_TO_999 = f"(?:{_HUNDREDS}|{_TO_99})"

NUMBER = f"(?:{_TO_999} thousand(?: and {_TO_99}| {_HUNDREDS})?|{_TO_999}|\\d+)"
NAME = "[A-Z][a-z]+"


class Unreadable(ValueError):
    """A sentence that no reader can make sense of."""


class Undecided(ValueError):
    """A sentence whose truth is left open, or whose premises contradict each other."""


@cache
def table(name: str) -> dict[str, Any]:
    """The facts of a knowledge table."""
    file = files("horsesense") / "generation" / "tables" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def number(words: str) -> int:
    """The number that is written in words.

    >>> number("seven"), number("ninety-six thousand"), number("five thousand and sixteen")
    (7, 96000, 5016)
    """
    if words.isdigit():
        return int(words)
    total = part = 0
    for word in re.split("[- ]", words):
        if word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + 1000 * part, 0
        elif word != "and":
            part += _VALUES[word]
    return total + part


def decide(sentence: str, readers: Sequence[Reader]) -> bool:
    """What the first reader says that can read the sentence, from its capital to its full stop."""
    if not (sentence[:1].isupper() and sentence.endswith(".")):
        raise Unreadable(sentence)
    body = sentence[:-1]
    # A capital letter may be that of a name, or of the first word.
    for told in (body[0].lower() + body[1:], body):
        for reader in readers:
            truth = reader(told)
            if truth is not None:
                return truth
    raise Unreadable(sentence)


def follows(body: str) -> tuple[list[str], str] | None:
    """The premises of a conditional, and its conclusion.

    >>> follows("when it rains, it blows and it freezes, roads are slippery")
    (['it rains', 'it blows', 'it freezes'], 'roads are slippery')
    """
    for pattern in ("if (?P<given>.+), then (?P<end>.+)", "when (?P<given>.+), (?P<end>.+)"):
        if found := re.fullmatch(pattern, body):
            return clauses(found["given"]), found["end"]
    if found := re.fullmatch("(?P<end>.+) if (?P<given>.+)", body):
        return clauses(found["given"]), found["end"]
    return None


def clauses(told: str) -> list[str]:
    """Clauses in a row, one by one."""
    return re.split(", | and ", told)


def in_all_or_none(results: Iterable[bool], about: str) -> bool:
    """Whether something holds in all cases; an error where it holds in some of them only."""
    seen = set(results)
    if len(seen) != 1:
        raise Undecided(about)
    return seen.pop()
