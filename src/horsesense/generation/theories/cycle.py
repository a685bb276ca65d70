"""The theory of cycles: what comes so many places after, or before, a member of a round."""

from __future__ import annotations

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof


def prove_place(start: str, shift: int, end: str, cycle: tuple[str, ...]) -> Proof:
    """Whether counting on from `start`, or back if `shift` is negative, arrives at `end`.

    >>> prove_place("Sunday", 2, "Monday", ("Monday", "Tuesday", "Sunday"))
    Proof(holds=False, steps=('after Sunday comes Monday', 'after Monday comes Tuesday'))
    """
    for member in (start, end):
        if member not in cycle:
            raise GenerationError(f"{member!r} is not in the round of {', '.join(cycle)}")
    if shift == 0:
        raise GenerationError("there is nothing to count")
    step, word = (1, "after") if shift > 0 else (-1, "before")
    steps: list[str] = []
    place = cycle.index(start)
    for _ in range(abs(shift)):
        following = (place + step) % len(cycle)
        steps.append(f"{word} {cycle[place]} comes {cycle[following]}")
        place = following
    return Proof(cycle[place] == end, tuple(steps))


def shifted(start: str, shift: int, cycle: tuple[str, ...]) -> str:
    """What stands so many places on.

    >>> shifted("winter", 1, ("spring", "summer", "autumn", "winter"))
    'spring'
    """
    return cycle[(cycle.index(start) + shift) % len(cycle)]
