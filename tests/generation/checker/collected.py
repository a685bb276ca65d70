"""Collections of the world, with all their members, of which properties can be tested one by one.

A property is read from its words, so that what a table counts is counted again.
"""

from __future__ import annotations

import re
from calendar import month_name, monthrange
from collections.abc import Callable
from functools import cache
from itertools import product
from string import ascii_uppercase
from typing import TypeAlias

from tests.generation.checker.plain_text import NUMBER, number

Test: TypeAlias = Callable[[str], bool]

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SEASONS = ("spring", "summer", "autumn", "winter")
_MONTHS = tuple(month_name)[1:]
_RANKS = (*(str(rank) for rank in range(2, 11)), "jack", "queen", "king", "ace")
_SUITS = {"hearts": "red", "diamonds": "red", "spades": "black", "clubs": "black"}
_BACK_ROW = ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
_PAWNS = ("pawn",) * 8
_FINGERS = ("thumb", "index finger", "middle finger", "ring finger", "little finger")


@cache
def _collections() -> dict[str, tuple[str, ...]]:
    """The members of each, as words that tell all there is to know of them."""
    cards = (f"{_SUITS[suit]} {rank} {suit}" for suit, rank in product(_SUITS, _RANKS))
    pieces = (f"{side} {piece}" for side in ("white", "black") for piece in (*_BACK_ROW, *_PAWNS))
    return {
        "the twelve months of the year": _MONTHS,
        "the seven days of the week": _DAYS,
        "the whole numbers from one to ten": tuple(str(one) for one in range(1, 11)),
        "the fifty-two cards of a pack without jokers": tuple(cards),
        "the thirty-two pieces of a chess set": tuple(pieces),
        "the ten fingers and thumbs of a pair of hands": tuple(
            f"{side} {finger}" for side in ("left", "right") for finger in _FINGERS
        ),
        "the twenty-six letters of the English alphabet": tuple(ascii_uppercase),
        "the four seasons": _SEASONS,
    }


def counted(phrase: str) -> tuple[int, int] | None:
    """How many of a collection have a property, and how many there are.

    >>> counted("the seven days of the week begin with the letter T")
    (2, 7)
    """
    for name, members in _collections().items():
        if phrase.startswith(f"{name} ") and (test := _test(phrase[len(name) + 1 :], members)):
            return sum(test(member) for member in members), len(members)
    return None


def _test(words: str, members: tuple[str, ...]) -> Test | None:
    for pattern, make in (*_SPELT, *(_of_sort(members))):
        if found := re.fullmatch(pattern, words):
            return make(*found.groups())
    return None


def _of_sort(members: tuple[str, ...]) -> tuple[tuple[str, Callable[..., Test]], ...]:
    """The properties that only members of such a collection have or lack."""
    if members == _MONTHS:
        return _OF_MONTHS
    if members in (_DAYS, _SEASONS):
        return _OF_SPANS[members]
    if members[0].isdigit():
        return _OF_NUMBERS
    return _OF_LETTERS if members[0] == "A" else _OF_THINGS


def _place(words: str, members: tuple[str, ...], *, is_before: bool) -> Test:
    place = members.index(words)
    return lambda one: (members.index(one) < place) if is_before else members.index(one) > place


def _length(month: str) -> set[int]:
    """The numbers of days that a month can have."""
    return {monthrange(year, _MONTHS.index(month) + 1)[1] for year in (2023, 2024)}


def _days(manner: str | None, words: str) -> Test:
    least = {"at least ": number(words), "fewer than ": 0, None: number(words)}[manner]
    most = {"at least ": 99, "fewer than ": number(words) - 1, None: number(words)}[manner]
    return lambda one: all(least <= days <= most for days in _length(one))


def _is_such(words: str) -> Test:
    """One word or several, all of which are said of it, in the singular or the plural."""
    wanted = [re.sub("s$", "", word) for word in words.split()]
    return lambda one: all(re.search(rf"\b{word}s?\b", one) for word in wanted)


def _is_either(first: str, second: str) -> Test:
    return lambda one: _is_such(first)(one) or _is_such(second)(one)


def _always(*_: str) -> Test:
    return lambda one: True


def _never(*_: str) -> Test:
    return lambda one: False


_SPELT: tuple[tuple[str, Callable[..., Test]], ...] = (
    ("begin with the letter ([A-Z])", lambda letter: lambda one: one[0].upper() == letter),
    ("end (?:with|in) the letter ([A-Z])", lambda letter: lambda one: one[-1].upper() == letter),
    ("contain the letter ([A-Z])", lambda letter: lambda one: letter in one.upper()),
    (
        "begin with a letter other than ([A-Z])",
        lambda letter: lambda one: one[0].upper() != letter,
    ),
)
_OF_MONTHS: tuple[tuple[str, Callable[..., Test]], ...] = (
    (f"have (at least |fewer than )?({NUMBER}) days", _days),
    (f"come before ({'|'.join(_MONTHS)})", lambda m: _place(m, _MONTHS, is_before=True)),
    (f"come after ({'|'.join(_MONTHS)})", lambda m: _place(m, _MONTHS, is_before=False)),
)
_OF_SPANS: dict[tuple[str, ...], tuple[tuple[str, Callable[..., Test]], ...]] = {
    _DAYS: ((f"have ({NUMBER}) hours", lambda hours: lambda one: number(hours) == 24),),
    _SEASONS: (
        ("last longer than a (?:day|week|month)|are shorter than a (?:year|century)", _always),
        ("last longer than a (?:year|century)|are shorter than a (?:day|week|month)", _never),
        ("are called ([a-z]+)", lambda name: lambda one: one == name),
        ("have a name other than ([a-z]+)", lambda name: lambda one: one != name),
    ),
}
_OF_NUMBERS: tuple[tuple[str, Callable[..., Test]], ...] = (
    ("are even", lambda: lambda one: int(one) in range(0, 99, 2)),
    ("are greater than zero", lambda: lambda one: int(one) > 0),
    (f"are greater than ({NUMBER})", lambda words: lambda one: int(one) > number(words)),
    (f"are smaller than ({NUMBER})", lambda words: lambda one: int(one) < number(words)),
    (
        f"can be divided by ({NUMBER})",
        lambda words: lambda one: int(one) in range(0, 99, number(words)),
    ),
)
_OF_LETTERS: tuple[tuple[str, Callable[..., Test]], ...] = (
    ("come before ([A-Z])", lambda c: _place(c, tuple(ascii_uppercase), is_before=True)),
    ("come after ([A-Z])", lambda c: _place(c, tuple(ascii_uppercase), is_before=False)),
    ("have a place in the alphabet", _always),
)
_OF_THINGS: tuple[tuple[str, Callable[..., Test]], ...] = (
    ("have a front and a back|have a place on the board at the start", _always),
    ("are on one hand or the other", _always),
    ("are on the (left|right) hand", _is_such),
    ("are ([a-z]+) or ([a-z]+)", _is_either),
    ("are something other than ([a-z ]+)", lambda words: lambda one: not _is_such(words)(one)),
    ("are ([a-z ]+)", _is_such),
)
