"""The theory of nesting: what is within what, where what is within a whole is within its whole.

It serves boxes in boxes, parts of parts and kinds of kinds alike. What is known is a list of
links, each with the lower one first («the cup», «the crate»).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof
from horsesense.generation.theories.paths import shortest

Link: TypeAlias = tuple[str, str]


class Links(tuple[Link, ...]):
    """The links of a whole table, which is asked so often that it is put in order first.

    >>> Links([("toe", "foot"), ("foot", "leg")]).above
    {'toe': ['foot'], 'foot': ['leg']}
    """

    @cached_property
    def above(self) -> dict[str, list[str]]:
        """What each is directly within."""
        found: dict[str, list[str]] = {}
        for lower, upper in self:
            found.setdefault(lower, []).append(upper)
        return found


@dataclass(frozen=True, slots=True)
class Telling:
    """How a link is told: plainly, from the upper side, by a denial; and how it is refuted.

    The templates have `{low}` and `{high}`.
    """

    plain: str
    turned: str
    denied: str
    refuted: str

    def yes(self, link: Link) -> str:
        """That the link is there."""
        return self.plain.format(low=link[0], high=link[1])

    def no(self, link: Link) -> str:
        """That the link is not there."""
        return self.refuted.format(low=link[0], high=link[1])


def prove_within(low: str, high: str, links: Sequence[Link], telling: Telling) -> Proof:
    """Whether `low` is within `high`; the links are all there are.

    >>> boxed = Telling("{low} is in {high}", "", "", "{low} is not in {high}")
    >>> prove_within("a cup", "a van", [("a cup", "a box"), ("a box", "a van")], boxed)
    Proof(holds=True, steps=('a cup is in a box', 'a box is in a van'))
    """
    if way := path(low, high, links):
        return Proof(True, _steps(way, telling))
    way = path(high, low, links) or climb(low, links)
    if len(way) == 1:
        raise GenerationError(f"nothing tells what {low} is within")
    return Proof(False, (*_steps(way, telling), telling.no((low, high))))


def path(low: str, high: str, links: Sequence[Link]) -> list[str]:
    """The shortest way up from one to the other; empty if there is none.

    >>> path("toe", "leg", [("toe", "foot"), ("foot", "leg")])
    ['toe', 'foot', 'leg']
    """
    return shortest(low, high, lambda one: uppers(one, links))


def climb(low: str, links: Sequence[Link]) -> list[str]:
    """The way from one up to its top, by the first link where there are several.

    >>> climb("toe", [("toe", "foot"), ("foot", "leg"), ("ear", "head")])
    ['toe', 'foot', 'leg']
    """
    way = [low]
    while above := uppers(way[-1], links):
        if above[0] in way:
            raise GenerationError(f"{above[0]} is within itself")
        way.append(above[0])
    return way


def uppers(low: str, links: Sequence[Link]) -> list[str]:
    """What something is directly within.

    >>> uppers("toe", [("toe", "foot"), ("foot", "leg")])
    ['foot']
    """
    if isinstance(links, Links):
        return links.above.get(low, [])
    return [upper for lower, upper in links if lower == low]


def _steps(way: list[str], telling: Telling) -> tuple[str, ...]:
    return tuple(telling.yes(link) for link in zip(way, way[1:], strict=False))
