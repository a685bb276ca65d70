"""The table of parts as links: which part belongs to which whole, step by step."""

from __future__ import annotations

from functools import cache

from horsesense.generation.theories.tree import Links, climb
from horsesense.generation.words import table, with_article


@cache
def part_links() -> Links:
    """The table as links between nouns with their articles, the part first.

    >>> ("a toe", "a foot") in part_links()
    True
    """
    return Links((with_article(part), with_article(whole)) for part, whole in _links())


@cache
def all_ways(steps: int) -> list[list[str]]:
    """All ways of so many steps from a part to a whole.

    >>> ["toe", "foot", "leg"] in all_ways(2)
    True
    """
    tops = [climb(part, _links()) for part, _ in _links()]
    return [way[: steps + 1] for way in tops if len(way) > steps]


@cache
def plain_ways(steps: int) -> list[list[str]]:
    """The ways from parts whose words name a part of one sort of thing only.

    >>> ["thumb", "hand"] in plain_ways(1), ["finger", "hand"] in plain_ways(1)
    (True, False)
    """
    return [way for way in all_ways(steps) if way[0] not in table("parts")["loose"]]


def strange_ways(whole: str, steps: int) -> list[list[str]]:
    """The ways of so many steps from parts that have no place in the domain of a whole.

    >>> [["thumb", "hand"] in strange_ways(whole, 1) for whole in ("foot", "bicycle")]
    [False, True]
    """
    return _outside(_domain(whole), steps)


@cache
def _links() -> Links:
    wholes = table("parts")["wholes"].items()
    return Links((part, whole) for whole, parts in wholes for part in parts)


@cache
def _outside(domain: int, steps: int) -> list[list[str]]:
    return [way for way in plain_ways(steps) if _domain(way[-1]) != domain]


@cache
def _domain(whole: str) -> int:
    """The number of the domain that a whole belongs to."""
    top = climb(whole, _links())[-1]
    return next(at for at, tops in enumerate(table("parts")["domains"]) if top in tops)
