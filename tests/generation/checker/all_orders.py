"""What follows from comparisons: all orders of all that is compared, with ties and without.

An order gives a rank to each of up to six. The orders in which a comparison holds are the bits
of a number, so that premises are joined by taking the bits they have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product

from tests.generation.checker.plain_text import Undecided

MOST = 6


@dataclass(frozen=True, slots=True)
class Compared:
    """One against another: `sign` is 1 where the first is above, -1 below, 0 for a tie."""

    first: str
    second: str
    sign: int


def follows_as_told(
    told: tuple[list[str], str] | None,
    read: Callable[[str], tuple[str, Compared] | None],
    *,
    with_ties: bool,
) -> bool | None:
    """Whether the end follows from the premises, if all are comparisons by the same.

    `read` gives what two are compared by, and the comparison.
    """
    if told is None:
        return None
    clauses = [read(clause) for clause in (*told[0], told[1])]
    comparisons = [clause[1] for clause in clauses if clause]
    if None in clauses or len({clause[0] for clause in clauses if clause}) != 1:
        return None
    return holds_in_all_orders(comparisons[:-1], comparisons[-1], with_ties=with_ties)


def holds_in_all_orders(given: Sequence[Compared], end: Compared, *, with_ties: bool) -> bool:
    """Whether the end holds in all orders in which the given holds; an error if only in some."""
    names = sorted({name for one in (*given, end) for name in (one.first, one.second)})
    if len(names) > MOST or any(one.first == one.second for one in (*given, end)):
        raise Undecided(f"cannot compare {names}")

    def bits(one: Compared) -> int:
        first, second = names.index(one.first), names.index(one.second)
        return _orders_with(len(names), with_ties, first, second, one.sign)

    left = -1
    for one in given:
        left &= bits(one)
    if left <= 0:
        raise Undecided(f"{given} {'contradict each other' if given else 'are no premises'}")
    if left & bits(end) not in (0, left):
        raise Undecided(f"{end} is left open by {given}")
    return left & bits(end) != 0


@cache
def _orders(count: int, with_ties: bool) -> tuple[tuple[int, ...], ...]:
    """The ranks of so many, in every order."""
    if not with_ties:
        return tuple(permutations(range(count)))
    ranks = product(range(count), repeat=count)
    return tuple(order for order in ranks if len(set(order)) == max(order) + 1)


@cache
def _orders_with(count: int, with_ties: bool, first: int, second: int, sign: int) -> int:
    """The orders in which two stand to each other as said, as bits."""
    total = 0
    for place, order in enumerate(_orders(count, with_ties)):
        rise = order[first] - order[second]
        if (rise > 0) - (rise < 0) == sign:
            total |= 1 << place
    return total
