"""Paths through facts: who follows whom, link by link."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence


def paths(graph: Mapping[str, Sequence[str]], links: int) -> list[tuple[str, ...]]:
    """All paths of so many links, in the order of the graph.

    >>> paths({"owls": ["mice"], "mice": ["seeds", "nuts"]}, 2)
    [('owls', 'mice', 'seeds'), ('owls', 'mice', 'nuts')]
    """
    found: list[tuple[str, ...]] = [(start,) for start in graph]
    for _ in range(links):
        found = [(*path, end) for path in found for end in graph.get(path[-1], ())]
    return found


def shortest(start: str, end: str, following: Callable[[str], Iterable[str]]) -> list[str]:
    """The shortest path from one to another; empty if there is none.

    >>> shortest("toe", "leg", {"toe": ["foot"], "foot": ["leg"], "leg": []}.__getitem__)
    ['toe', 'foot', 'leg']
    """
    waiting, seen = deque([[start]]), {start}
    while waiting:
        path = waiting.popleft()
        for one in following(path[-1]):
            if one in seen:
                continue
            if one == end:
                return [*path, one]
            seen.add(one)
            waiting.append([*path, one])
    return []
