"""The axes of a grid: what varies, and how each choice fills its placeholders.

A value of an axis is a tuple of phrases, one for each placeholder of the axis. That is
the whole difference between substitution, `(("high",), ("low",))`, and
transposition, `(("owls", "voles"), ("voles", "owls"))`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import NamedTuple, TypeAlias

from horsesense.errors import SchemaError

Phrases: TypeAlias = tuple[str, ...]


class AxisName(StrEnum):
    """The parts of a sentence that vary in a grid."""

    KEY = "key"
    ANSWER = "answer"
    TRUTH = "truth"


# The other spaces and joiners (Zs, Cf) do occur in good text of other languages.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufeff]")
_TO_FOLD = re.compile(r"['’]s$|[\W_]+")
# To look a member of an enumeration up takes longer than most of what is done with it.
KEY, ANSWER, TRUTH = AxisName
# Where the coordinate of an axis stands in a cell.
_PLACES = {KEY: 0, ANSWER: 1, TRUTH: 2}


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
        """Return the phrase of a value for a placeholder."""
        return self.values[value][slot.index]

    @property
    def placeholders(self) -> int:
        """The number of placeholders that each value fills."""
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
    values = axis.values
    if len(values) < 2:
        raise SchemaError(f"a choice needs two {name} phrases or more", axis=name)
    if len(set(map(len, values))) != 1:
        raise SchemaError(f"the {name} placeholders hold different numbers of phrases", axis=name)
    if len(set(values)) < len(values):
        shown = " / ".join(next(value for value in values if values.count(value) > 1))
        raise SchemaError(f"{shown!r} occurs twice; the options must differ", axis=name)
    if is_plain(f" {' '.join(chain.from_iterable(values))} "):
        return  # every phrase is clean, which is quick to see, and none is empty
    for value in values:
        for phrase in value:
            if phrase and is_clean(phrase) or not phrase and may_be_empty:
                continue
            index = value.index(phrase)
            if not phrase:
                article = "an" if name is ANSWER else "a"
                raise SchemaError(f"{article} {name} phrase is empty", axis=name, index=index)
            raise SchemaError(
                f"{phrase!r} is not clean text: single spaces, none at the ends, "
                "no control characters",
                axis=name,
                index=index,
            )


def looks_alike(axis: Axis) -> bool:
    """Return whether values have the same letters and digits, so that filling may equate them."""
    values = axis.values
    if len(values) == 2 and _begin_differently(values[0][0], values[1][0]):
        return False  # which is quick to see
    return len({tuple(map(folded, value)) for value in values}) < len(values)


def _begin_differently(first: str, second: str) -> bool:
    """Return True for phrases that begin with letters or digits, and not with the same."""
    one, other = first[:1], second[:1]
    return one.isalnum() and other.isalnum() and one.lower() != other.lower()


def folded(phrase: str) -> str:
    """The letters and digits of a phrase, without capitals and without a possessive ending.

    >>> folded("Ann's"), folded("ann.")
    ('ann', 'ann')
    """
    bare = phrase.replace(" ", "")
    return (bare if bare.isalnum() else _TO_FOLD.sub("", phrase)).lower()


def check_distinct(sentences: list[str], name: AxisName) -> None:
    """Refuse a choice between sentences that have come out the same."""
    if len(set(sentences)) < len(sentences):
        raise SchemaError(
            f"two choices of the {name} give the same sentence: {sentences[0]!r}", axis=name
        )


def is_clean(text: str) -> bool:
    """Return True for text with single inner spaces, none at the ends, and printable characters."""
    return text == text.strip(" ") and "  " not in text and not find_unprintable(text)


def is_plain(text: str) -> bool:
    """Return True if a quick check shows single spaces and only printable characters.

    Of white space that is so of the space alone. Where it is not quick to see, False.
    """
    return "  " not in text and text.isprintable()


def find_unprintable(text: str) -> str:
    """The first character that has no place in a sentence, or nothing.

    Control characters, line and paragraph separators, lone surrogates and byte order
    marks: they are invisible, and what is invisible changes what a model reads.
    """
    if text.isprintable():
        return ""  # which is quick to see; not all that is fine is printable to Python
    found = _UNPRINTABLE.search(text)
    return found[0] if found else ""
