"""The table of kinds as links: which kinds are wider, which are side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from horsesense.generation.theories.tree import Link, Links, climb
from horsesense.generation.words import Noun, table


@dataclass(frozen=True, slots=True)
class Parting:
    """A kind with a wider one, and other such pairs that have nothing in common with them."""

    pair: Link
    others: tuple[Link, ...]


@cache
def plural(kind: str) -> str:
    """Several of a kind.

    >>> plural("deer"), plural("poodle")
    ('deer', 'poodles')
    """
    return Noun(kind, table("kinds")["plurals"].get(kind, "")).plural


@cache
def plural_links() -> Links:
    """The table as links between plurals, the narrower kind first.

    >>> ("poodles", "dogs") in plural_links()
    True
    """
    return Links((plural(kind), plural(wider)) for kind, wider in _links())


@cache
def wider_pairs(steps: int) -> list[Link]:
    """All kinds with what is so many steps wider.

    >>> ("poodle", "mammal") in wider_pairs(2)
    True
    """
    ways = [climb(kind, _links()) for kind, _ in _links()]
    return [(way[0], way[steps]) for way in ways if len(way) > steps]


@cache
def parted_pairs(steps: int) -> list[Link]:
    """All kinds with what is so many steps wider and has others beside it.

    >>> ("poodle", "dog") in parted_pairs(1), ("waltz", "dance") in parted_pairs(1)
    (True, False)
    """
    return [pair for pair in wider_pairs(steps) if beside(pair[1])]


@cache
def partings(steps: int) -> list[Parting]:
    """All pairs of so many steps that have others apart from them in the same tree.

    >>> [("sparrow", "songbird") in one.others for one in partings(1) if "collie" in one.pair]
    [True]
    """
    pairs = wider_pairs(steps)
    ways = {wider: climb(wider, _links()) for _, wider in pairs}

    def is_apart(one: str, other: str) -> bool:
        is_nested = one in ways[other] or other in ways[one]
        return not is_nested and ways[one][-1] == ways[other][-1]

    found = [
        Parting(pair, tuple(other for other in pairs if is_apart(pair[1], other[1])))
        for pair in pairs
    ]
    return [one for one in found if one.others]


@cache
def beside(kind: str) -> list[str]:
    """The kinds that stand side by side with one, under the same wider kind.

    >>> beside("oboe")
    ['bassoon', 'clarinet', 'trumpet', 'trombone']
    """
    rows = [kinds for kinds in table("kinds")["kinds"].values() if kind in kinds]
    return [other for kinds in rows for other in kinds if other != kind]


@cache
def _links() -> Links:
    return Links(
        (kind, wider) for wider, kinds in table("kinds")["kinds"].items() for kind in kinds
    )
