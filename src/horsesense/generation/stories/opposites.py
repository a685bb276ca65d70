"""Quantifiers drawn for a question: two that exclude each other, or any one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import TypeAlias

from horsesense.generation.theories.counting import Quantifier, counted, plain_quantifiers

Pair: TypeAlias = tuple[Quantifier, Quantifier]

# Pairs of which at most one is true, by name or by how they begin.
PLAIN_PAIRS = (
    ("all", "not all"),
    ("some", "none"),
    ("most", "fewer than half"),
    ("more than half", "fewer than half"),
    ("few", "most"),
    ("an even number", "an odd number"),
    ("exactly half", "more than half"),
    ("all", "none"),
)
DUAL_PAIRS = (("both", "exactly one"), ("neither", "exactly one"), ("both", "not both"))
FEW_PAIRS = (("all", "not all"), ("none", "at least one"), ("an even number", "an odd number"))
COUNTED_PAIRS = (("at least", "fewer than"), ("more than", "at most"))
COUNTED = ("at least", "at most", "exactly", "more than", "fewer than")
# For premises and claims, from which others may follow.
LOGICAL = ("all", "none", "some", "not all", "most", "more than half", "fewer than half")
# For one of two premises: «all» and «none» leave nothing for another to say.
PARTIAL = (
    "some",
    "not all",
    "more than half",
    "fewer than half",
    "an even number",
    "an odd number",
)
# Without those that nobody denies: «it is not true that some left».
DENIABLE = ("all", "none", "most", "more than half", "fewer than half")


def draw_pair(rng: Random, total: int) -> Pair:
    """Two quantifiers that are not both true of anything, with plural verbs.

    >>> texts(draw_pair(Random(1), 9))
    ('some', 'none')
    """
    if rng.random() < 0.5:
        first, second = rng.choice(PLAIN_PAIRS)
        return plain_quantifiers()[first], plain_quantifiers()[second]
    manner, opposite = rng.choice(COUNTED_PAIRS)
    number = rng.randint(2, total - 1)
    return counted(manner, number), counted(opposite, number)


def draw_small_pair(rng: Random, total: int) -> Pair:
    """Two quantifiers for two people, or for a few.

    >>> texts(draw_small_pair(Random(0), 2))
    ('neither', 'exactly one')
    """
    if total == 2 or rng.random() < 0.5:
        one, other = rng.choice(DUAL_PAIRS if total == 2 else FEW_PAIRS)
        return plain_quantifiers()[one], plain_quantifiers()[other]
    number = rng.randint(1, total - 1)
    return counted("exactly", number), counted("exactly", number + 1)


def draw_quantifier(rng: Random, total: int, *, is_denied: bool = False) -> Quantifier:
    """Any quantifier for a premise or a claim, or any that can well be denied.

    >>> draw_quantifier(Random(0), 9).text
    'more than two'
    """
    if rng.random() < 0.4:
        return plain_quantifiers()[rng.choice(DENIABLE if is_denied else LOGICAL)]
    return counted(rng.choice(COUNTED), rng.randint(2, total - 1))


def draw_partial(rng: Random, total: int) -> Quantifier:
    """A quantifier for one of two premises.

    >>> draw_partial(Random(0), 9).text
    'more than two'
    """
    if rng.random() < 0.5:
        return plain_quantifiers()[rng.choice(PARTIAL)]
    return counted(rng.choice(COUNTED), rng.randint(2, total - 1))


def draw_fitting(
    rng: Random, total: int, fits: Callable[[Quantifier], bool], *, is_denied: bool = False
) -> Quantifier | None:
    """Any quantifier that passes a test, with or without a number in it; None if none does.

    >>> draw_fitting(Random(0), 9, lambda one: one.text.endswith("half")).text
    'fewer than half'
    """
    plain = [plain_quantifiers()[text] for text in (DENIABLE if is_denied else LOGICAL)]
    groups = [[one for one in group if fits(one)] for group in (plain, _all_counted(total))]
    first, second = groups if rng.random() < 0.4 else groups[::-1]
    found = first or second
    return rng.choice(found) if found else None


def is_diagonal(pair: Pair, counts: list[int], total: int) -> bool:
    """Whether one is true of the first count only, and the other of the second only.

    >>> quantifiers = plain_quantifiers()
    >>> is_diagonal((quantifiers["all"], quantifiers["none"]), [9, 0], 9)
    True
    """
    held = [[one.holds(count, total) for one in pair] for count in counts]
    return held in ([[True, False], [False, True]], [[False, True], [True, False]])


def texts(pair: Pair) -> tuple[str, str]:
    """The words of two quantifiers.

    >>> texts((counted("at least", 2), counted("fewer than", 2)))
    ('at least two', 'fewer than two')
    """
    return pair[0].text, pair[1].text


@cache
def _all_counted(total: int) -> list[Quantifier]:
    """The quantifiers that have a number in them, for so many things."""
    return [counted(manner, number) for manner in COUNTED for number in range(2, total)]
