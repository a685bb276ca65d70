"""Entries that hang together, of which a check may not count each by itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from horsesense.evaluation.inference import PosedEntry
from horsesense.scoring.outcome import cluster_tags


def grouped(
    entries: Sequence[PosedEntry], keys: Callable[[PosedEntry], Iterable[Hashable]]
) -> list[list[PosedEntry]]:
    """Entries in groups: those that share a key are together, also by way of others."""
    leaders = list(range(len(entries)))

    def leader(at: int) -> int:
        while leaders[at] != at:
            at = leaders[at]
        return at

    first_with: dict[Hashable, int] = {}
    for at, entry in enumerate(entries):
        for key in keys(entry):
            before = first_with.setdefault(key, at)
            leaders[leader(at)] = leader(before)
    groups: dict[int, list[PosedEntry]] = {}
    for at, entry in enumerate(entries):
        groups.setdefault(leader(at), []).append(entry)
    return list(groups.values())


def clusters_of(entry: PosedEntry) -> Iterator[tuple[str, str]]:
    """The clusters that the tags of an entry or of its problems name; no sentence is like them."""
    for tag in sorted(cluster_tags(frozenset().union(*entry.tags))):
        yield "cluster", tag


def has_known_answer(entry: PosedEntry) -> bool:
    """True where the right option of some problem is known."""
    return any(problem.right is not None for problem in entry.problems)
