"""Masked copies: what a masked model reads in order to answer queries.

Every set of positions masked together makes a copy of the sentence. Copies of different queries
are often the same: options of equal length that are hidden whole, a single token of an answer
by any method of observation. Each is read once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from horsesense.models.query import Query

Ids = tuple[int, ...]


@dataclass(slots=True)
class Copy:
    """A sentence with some tokens masked, and the tokens that are asked for in their place.

    `asked` has a position and a token, and what was answered once the copy has been read;
    `queries` are the numbers of those that wait for it.
    """

    ids: Ids
    asked: dict[tuple[int, int], float | None] = field(default_factory=dict)
    queries: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Copies:
    """All that is read for some queries, and what is still missing to answer each."""

    queries: Sequence[Query]
    mask: int
    distinct: list[Copy]
    missing: list[int]
    _of_ids: dict[Ids, Copy]

    def answered(self, read: Sequence[Copy]) -> list[tuple[Query, tuple[float, ...]]]:
        """The queries that nothing is missing for now that these copies have been read."""
        answers = []
        for copy in read:
            for number in copy.queries:
                self.missing[number] -= 1
                if not self.missing[number]:
                    answers.append((self.queries[number], self._values(self.queries[number])))
        return answers

    def _values(self, query: Query) -> tuple[float, ...]:
        values = (
            self._of_ids[masked(query.ids, positions, self.mask)].asked[
                positions[0], query.ids[positions[0]]
            ]
            for positions in query.masks
        )
        return tuple(value for value in values if value is not None)


def masked(ids: Ids, positions: Ids, mask: int) -> Ids:
    """The tokens with those positions masked.

    >>> masked((5, 6, 7), (2, 0), 99)
    (99, 6, 99)
    """
    return tuple(mask if at in positions else token for at, token in enumerate(ids))


def make_copies(queries: Sequence[Query], mask: int) -> Copies:
    """The distinct masked copies of some queries, in the order in which they are first needed."""
    copies: dict[Ids, Copy] = {}
    missing = []
    for number, query in enumerate(queries):
        needed = set()
        for positions in query.masks:
            ids = masked(query.ids, positions, mask)
            copy = copies.setdefault(ids, Copy(ids))
            copy.asked[positions[0], query.ids[positions[0]]] = None
            copy.queries.add(number)
            needed.add(ids)
        missing.append(len(needed))
    return Copies(queries, mask, list(copies.values()), missing, copies)


def windows(queries: Sequence[Query], most: int) -> Iterator[list[Query]]:
    """Queries in portions of so many masks, those that may share copies side by side.

    The longest come first: if memory is too short, it shows at once.
    """
    ordered = sorted(queries, key=lambda query: (-len(query.ids), query.ids))
    window: list[Query] = []
    masks = 0
    for _, same in groupby(ordered, key=lambda query: query.ids):
        for query in same:
            window.append(query)
            masks += len(query.masks)
        if masks >= most:
            yield window
            window, masks = [], 0
    if window:
        yield window
