"""The theory of kinds: what is of one kind is of every wider kind, and of none that is apart."""

from __future__ import annotations

from collections.abc import Sequence

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof
from horsesense.generation.theories.tree import Link, Telling, climb, path, prove_within

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
    """Whether all of one kind are of another, where no kind fills a wider one.

    >>> prove_all("dogs", "poodles", [("poodles", "dogs")]).text
    'all poodles are dogs; not all dogs are poodles'
    """
    if path(low, high, links) or path(high, low, links):
        return prove_within(low, high, links, ALL)
    return Proof(False, prove_none(low, high, links).steps)


def prove_none(one: str, other: str, links: Sequence[Link]) -> Proof:
    """Whether none of one kind are of another, where kinds side by side are apart.

    >>> prove_none("poodles", "cats", [("poodles", "dogs"), ("dogs", "pets"), ("cats", "pets")])
    Proof(holds=True, steps=('all poodles are dogs', 'no dogs are cats'))
    """
    for low, high in ((one, other), (other, one)):
        if path(low, high, links):
            return Proof(False, prove_within(low, high, links, ALL).steps)
    ways = climb(one, links), climb(other, links)
    shared = [kind for kind in ways[0] if kind in ways[1]]
    if not shared:
        raise GenerationError(f"nothing tells whether any {one} are {other}")
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
    for one, other in (*apart, *(pair[::-1] for pair in apart)):
        if one in way and other == kind:
            upward = way[: way.index(one) + 1]
            steps = [EVERY.yes(link) for link in zip(upward, upward[1:], strict=False)]
            return Proof(False, (*steps, f"no {one} is a {other}"))
    raise GenerationError(f"nothing tells whether a {start} is a {kind}")
