"""The theory of directions: where someone faces after some turns, and whose left is whose right."""

from __future__ import annotations

from collections.abc import Iterable

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof
from horsesense.generation.theories.cycle import shifted

POINTS = ("north", "east", "south", "west")
TURNS = {"left": -1, "right": 1, "round": 2}


def opposite(point: str) -> str:
    """What lies behind someone who faces a point.

    >>> opposite("west")
    'east'
    """
    return shifted(point, 2, POINTS)


def prove_facing(start: str, turns: Iterable[str], end: str) -> Proof:
    """Whether someone who faces `start` and turns so faces `end` after all.

    >>> prove_facing("north", ["left", "round"], "east").steps
    ('from north a turn left leads to west', 'from west a turn round leads to east')
    """
    place, steps = start, list[str]()
    for turn in turns:
        if turn not in TURNS:
            raise GenerationError(f"{turn!r} is no turn")
        following = shifted(place, TURNS[turn], POINTS)
        steps.append(f"from {place} a turn {turn} leads to {following}")
        place = following
    return Proof(place == end, tuple(steps))


def prove_side(side: str, other: str) -> Proof:
    """Whether what is on one person's side is on that side of one who sits face to face.

    >>> prove_side("left", "right").steps[-1]
    'west is on the right of one who faces south'
    """
    point = shifted("north", TURNS[side], POINTS)
    seen = next(turn for turn in TURNS if shifted("south", TURNS[turn], POINTS) == point)
    steps = (
        "say that one faces north and the other south",
        f"{point} is on the {side} of one who faces north",
        f"{point} is on the {seen} of one who faces south",
    )
    return Proof(seen == other, steps)
