"""The axes of a grid: what varies, and how each choice fills its placeholders.

A value of an axis is a tuple of phrases, one for each placeholder of the axis. That is
the whole difference between substitution, `(("high",), ("low",))`, and
transposition, `(("owls", "voles"), ("voles", "owls"))`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from horsesense.errors import SchemaError

Phrases: TypeAlias = tuple[str, ...]


class AxisName(StrEnum):
    """What may vary from sentence to sentence."""

    KEY = "key"
    ANSWER = "answer"
    TRUTH = "truth"


_TO_FOLD = re.compile(r"['’]s$|[\W_]+")
# Where the coordinate of an axis stands in a cell.
_PLACES = {AxisName.KEY: 0, AxisName.ANSWER: 1, AxisName.TRUTH: 2}


@dataclass(frozen=True, slots=True)
class Slot:
    """A placeholder: the axis that fills it, and its place among those of that axis."""

    axis: AxisName
    index: int


class Cell(NamedTuple):
    """A place in the grid: which value each axis takes.

    In a square or cube `key` counts key phrases; in a loose grid, which has none, it
    counts the rows.
    """

    key: int
    answer: int
    truth: int = 0

    def along(self, axis: AxisName) -> int:
        """The coordinate on that axis."""
        return self[_PLACES[axis]]

    def moved(self, axis: AxisName, value: int) -> Cell:
        """The cell with another coordinate on that axis."""
        coordinates = list(self)
        coordinates[_PLACES[axis]] = value
        return Cell(*coordinates)


@dataclass(frozen=True, slots=True)
class Axis:
    """The values that an axis may take, each with a phrase for every placeholder."""

    values: tuple[Phrases, ...]

    def __len__(self) -> int:
        return len(self.values)

    def phrase(self, value: int, slot: Slot) -> str:
        """What that value puts into that placeholder."""
        return self.values[value][slot.index]

    @property
    def placeholders(self) -> int:
        """How many placeholders each value fills."""
        return len(self.values[0])


def pair(first: str, second: str) -> Axis:
    """An axis of two values with one placeholder.

    >>> pair("high", "low").values
    (('high',), ('low',))
    """
    return Axis(((first,), (second,)))


def transposed(first: str, second: str) -> Axis:
    """An axis whose two values are the two orders of the same phrases.

    >>> transposed("owls", "voles").values
    (('owls', 'voles'), ('voles', 'owls'))
    """
    return Axis(((first, second), (second, first)))


def check_axis(axis: Axis, name: AxisName, *, may_be_empty: bool) -> None:
    """Refuse an axis that leaves nothing to choose, or whose phrases are not clean text."""
    if len(axis) < 2:
        raise SchemaError(f"a choice needs two {name} phrases or more", axis=name)
    if len({len(phrases) for phrases in axis.values}) != 1:
        raise SchemaError(f"the {name} placeholders hold different numbers of phrases", axis=name)
    seen: set[Phrases] = set()
    for value in axis.values:
        if value in seen:
            shown = " / ".join(value)
            raise SchemaError(f"{shown!r} stands there twice; nothing is left to choose", axis=name)
        seen.add(value)
        for index, phrase in enumerate(value):
            if not phrase and not may_be_empty:
                article = "an" if name is AxisName.ANSWER else "a"
                raise SchemaError(f"{article} {name} phrase is empty", axis=name, index=index)
            if not is_clean(phrase):
                raise SchemaError(
                    f"{phrase!r} is not clean text: single spaces, none at the ends, "
                    "no control characters",
                    axis=name,
                    index=index,
                )


def looks_alike(axis: Axis) -> bool:
    """True where two values have the same letters and digits, so that filling may level them."""
    return len({tuple(map(folded, value)) for value in axis.values}) < len(axis)


def folded(phrase: str) -> str:
    """The letters and digits of a phrase, without capitals and without a possessive ending.

    >>> folded("Ann's"), folded("ann.")
    ('ann', 'ann')
    """
    return _TO_FOLD.sub("", phrase).lower()


def check_distinct(sentences: list[str], name: AxisName) -> None:
    """Refuse a choice between sentences that have come out the same."""
    if len(set(sentences)) < len(sentences):
        raise SchemaError(
            f"two choices of the {name} give the same sentence: {sentences[0]!r}", axis=name
        )


def is_clean(text: str) -> bool:
    """True for text with single inner spaces, none at the ends, and printable characters."""
    return text == text.strip(" ") and "  " not in text and not find_unprintable(text)


def find_unprintable(text: str) -> str:
    """The first character that has no place in a sentence, or nothing.

    Control characters, line and paragraph separators, lone surrogates and byte order
    marks: they are invisible, and what is invisible changes what a model reads.
    """
    if text.isascii() and text.isprintable():
        return ""
    return next((char for char in text if _is_unprintable(char)), "")


def _is_unprintable(char: str) -> bool:
    # The other spaces and joiners (Zs, Cf) do occur in good text of other languages.
    return (
        char < " "
        or "\x7f" <= char <= "\x9f"
        or "\ud800" <= char <= "\udfff"
        or char in "\u2028\u2029\ufeff"
    )
