"""Problems as `horsesense.schema.pose` makes them, with what became of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from horsesense.evaluation.inference.run import Scored
from horsesense.schema import Posed as Posed
from horsesense.schema import PosedEntry as PosedEntry
from horsesense.schema import pose as pose


def by_entry(
    posed: Posed, scored: Iterable[Scored]
) -> Iterator[tuple[PosedEntry, tuple[Scored, ...]]]:
    """Group what came of the problems, which is in their order, by entry."""
    source = iter(scored)
    for entry in posed.entries:
        yield entry, tuple(next(source) for _ in entry.problems)
