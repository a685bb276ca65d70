"""Parts of the data: the subsets that are measured, as far as anything is known of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from horsesense.errors import UnknownNameError
from horsesense.metrics import Paired, Sample, subset
from horsesense.results import ALL
from horsesense.scoring.outcome import EQUAL_LENGTH

ASSOCIATIVE = "associative"
# As tables with answers of any length and of equal length have them.
ANY_AND_EQUAL = (ALL, EQUAL_LENGTH)

D = TypeVar("D", Sample, Paired)


def complement_of(expression: str) -> str:
    """The expression of all other problems.

    >>> complement_of("associative"), complement_of("old and tall")
    ('not associative', 'not (old and tall)')
    """
    return f"not {expression}" if len(expression.split()) == 1 else f"not ({expression})"


def splits(own: Sequence[str]) -> list[str]:
    """By what data may be split: equal length, associativity, and expressions of the user's own.

    >>> splits(["old", "associative"])
    ['equal-length', 'associative', 'old']
    """
    listed = dict.fromkeys((EQUAL_LENGTH, ASSOCIATIVE, *own))
    return [expression for expression in listed if expression != ALL]


def all_subsets(own: Sequence[str]) -> list[str]:
    """All problems, and both sides of each split.

    >>> all_subsets([])
    ['all', 'equal-length', 'not equal-length', 'associative', 'not associative']
    """
    both = ((expression, complement_of(expression)) for expression in splits(own))
    return [ALL, *(side for sides in both for side in sides)]


def parts_of(data: D, expressions: Iterable[str]) -> dict[str, D]:
    """The subsets of the data by their expressions, but for those that name what is unknown."""
    found = {}
    for expression in expressions:
        part = part_of(data, expression)
        if part is not None:
            found[expression] = part
    return found


def part_of(data: D, expression: str) -> D | None:
    """The problems of which it holds; None where nothing says of which."""
    try:
        return data if expression == ALL else subset(data, expression)
    except UnknownNameError:
        return None
