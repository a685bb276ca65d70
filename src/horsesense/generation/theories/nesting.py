"""The theory of nesting: things, parts and kinds within others, at any depth.

It serves boxes in boxes, parts of parts and kinds of kinds alike. What is known is a list of
links, each with the lower one first («the cup», «the crate»).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from horsesense.errors import GenerationError
from horsesense.generation.rule import Proof
from horsesense.generation.theories.order import shortest

Link: TypeAlias = tuple[str, str]


class Links(tuple[Link, ...]):
    """The links of a whole table, indexed because they are looked up often.

    >>> Links([("toe", "foot"), ("foot", "leg")]).above
    {'toe': ['foot'], 'foot': ['leg']}
    """

    @cached_property
    def above(self) -> dict[str, list[str]]:
        """The wholes that each thing is directly within."""
        above: dict[str, list[str]] = {}
        for lower, upper in self:
            above.setdefault(lower, []).append(upper)
        return above


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
        """The clause that states a link."""
        return self.plain.format(low=link[0], high=link[1])

    def no(self, link: Link) -> str:
        """The clause that denies a link."""
        return self.refuted.format(low=link[0], high=link[1])


def prove_within(low: str, high: str, links: Sequence[Link], telling: Telling) -> Proof:
    """Return whether `low` is within `high`; the links are all there are.

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
    return shortest(low, high, lambda low: uppers(low, links))


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
    """The wholes that a thing is directly within.

    >>> uppers("toe", [("toe", "foot"), ("foot", "leg")])
    ['foot']
    """
    if isinstance(links, Links):
        return links.above.get(low, [])
    return [upper for lower, upper in links if lower == low]


def _steps(way: list[str], telling: Telling) -> tuple[str, ...]:
    return tuple(telling.yes(link) for link in zip(way, way[1:], strict=False))


# Kinds of the world are told in the plural.
ALL = Telling(
    plain="all {low} are {high}",
    turned="only {high} are {low}",
    denied="there are no {low} that are not {high}",
    refuted="not all {low} are {high}",
)
# Kinds in stories may be anything, so that what has not been said does not follow.
EVERY = Telling(
    plain="every {low} is a {high}",
    turned="only {high}s are {low}s",
    denied="there is no {low} that is not a {high}",
    refuted="nothing says that every {low} is a {high}",
)


def prove_all(low: str, high: str, links: Sequence[Link]) -> Proof:
    """Return whether all of one kind are of another, where no kind fills a wider one.

    >>> prove_all("dogs", "poodles", [("poodles", "dogs")]).text
    'all poodles are dogs; not all dogs are poodles'
    """
    if path(low, high, links) or path(high, low, links):
        return prove_within(low, high, links, ALL)
    return Proof(False, prove_none(low, high, links).steps)


def prove_none(member: str, other: str, links: Sequence[Link]) -> Proof:
    """Return whether none of one kind are of another, where kinds side by side are apart.

    >>> prove_none("poodles", "cats", [("poodles", "dogs"), ("dogs", "pets"), ("cats", "pets")])
    Proof(holds=True, steps=('all poodles are dogs', 'no dogs are cats'))
    """
    for low, high in ((member, other), (other, member)):
        if path(low, high, links):
            return Proof(False, prove_within(low, high, links, ALL).steps)
    ways = climb(member, links), climb(other, links)
    shared = [kind for kind in ways[0] if kind in ways[1]]
    if not shared:
        raise GenerationError(f"nothing tells whether any {member} are {other}")
    parted = [way[way.index(shared[0]) - 1] for way in ways]
    steps = [
        ALL.yes(link)
        for way in ways
        for link in zip(way, way[1 : way.index(shared[0])], strict=False)
    ]
    return Proof(True, (*steps, f"no {parted[0]} are {parted[1]}"))


def prove_member(start: str, kind: str, links: Sequence[Link], apart: Sequence[Link]) -> Proof:
    """Whether what is of the kind `start` is of another, where some kinds are told to be apart.

    >>> prove_member("dax", "fep", [("dax", "wop")], [("wop", "fep")])
    Proof(holds=False, steps=('every dax is a wop', 'no wop is a fep'))
    """
    if start == kind:
        return Proof(True, ())
    if path(start, kind, links):
        return prove_within(start, kind, links, EVERY)
    way = climb(start, links)
    for first, other in (*apart, *(pair[::-1] for pair in apart)):
        if first in way and other == kind:
            upward = way[: way.index(first) + 1]
            steps = [EVERY.yes(link) for link in zip(upward, upward[1:], strict=False)]
            return Proof(False, (*steps, f"no {first} is a {other}"))
    raise GenerationError(f"nothing tells whether a {start} is a {kind}")
