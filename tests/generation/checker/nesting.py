"""What is within what: pairs are joined until nothing new comes, and contradictions are looked for.

What is claimed is true if it is among the pairs in the end, and false if the pairs contradict
each other as soon as it is added.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from typing import TypeAlias

from tests.generation.checker.plain_text import Undecided

# The inner one, or the smaller, comes first.
Pairs: TypeAlias = frozenset[tuple[str, str]]


@cache
def closure(pairs: Pairs) -> Pairs:
    """The pairs with all that follow when two of them are joined, again and again.

    >>> sorted(closure(frozenset({("cog", "pump"), ("pump", "mill")})))
    [('cog', 'mill'), ('cog', 'pump'), ('pump', 'mill')]
    """
    known = set(pairs)
    while True:
        above: dict[str, set[str]] = {}
        for low, high in known:
            above.setdefault(low, set()).add(high)
        new = {(low, top) for low, high in known for top in above.get(high, ())} - known
        if not new:
            return frozenset(known)
        known |= new


def is_within(
    given: Iterable[tuple[str, str]], low: str, high: str, *, apart: Collection[str] = ()
) -> bool:
    """Whether one is within the other, if nothing is within itself or within two that are apart."""
    pairs = frozenset(given)
    if not pairs or _is_contradictory(pairs, apart):
        raise Undecided(f"no premises, or none that go together: {sorted(pairs)}")
    if (low, high) in closure(pairs):
        return True
    if low == high or _is_contradictory(pairs | {(low, high)}, apart):
        return False
    raise Undecided(f"{sorted(pairs)} leave open whether {low} is within {high}")


def _is_contradictory(pairs: Pairs, apart: Collection[str]) -> bool:
    whole = closure(pairs)
    if any(low == high for low, high in whole):
        return True
    seats = [low for low, high in whole if high in apart]
    return len(set(seats)) < len(seats) or any(low in apart for low in seats)
