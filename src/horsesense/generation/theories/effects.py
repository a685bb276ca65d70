"""The theory of effects: what promotes and what hinders what, through others.

A link that promotes has the sign 1, one that hinders -1. Signs multiply along a chain: what
hinders a hindrance promotes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof


@dataclass(frozen=True, slots=True)
class Influence:
    """One thing that acts on another, for it or against it, told in a clause."""

    cause: str
    effect: str
    sign: int
    told: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a machine and its two states, each told plainly and by a denial of the other."""

    name: str
    yes: str
    no: str
    not_yes: str = ""
    not_no: str = ""

    def state(self, sign: int) -> str:
        """What the part does: the one for 1, the other for -1."""
        return self.yes if sign > 0 else self.no

    def denied(self, sign: int) -> str:
        """The same by a denial.

        >>> Part("the lamp", "is on", "is off", "is not on", "is not off").denied(1)
        'is not off'
        """
        return self.not_no if sign > 0 else self.not_yes


def prove_effect(cause: str, effect: str, sign: int, links: Sequence[Influence]) -> Proof:
    """Whether a cause promotes (1) or hinders (-1) an effect, where each acts on one other.

    >>> links = [Influence("a", "b", -1, "a harms b"), Influence("b", "c", -1, "b harms c")]
    >>> prove_effect("a", "c", 1, links).text
    'a harms b; b harms c; two hindrances on the way make a help'
    """
    by_cause = {link.cause: link for link in links}
    path: list[Influence] = []
    while cause != effect:
        if cause not in by_cause:
            raise GenerationError(f"nothing tells whether there is a way to {effect}")
        # Taken out, so that a circle comes to an end.
        path.append(by_cause.pop(cause))
        cause = path[-1].effect
    hindrances = sum(link.sign < 0 for link in path)
    steps = [link.told for link in path]
    if hindrances > 1:
        steps.append(_parity(hindrances))
    return Proof(prod(link.sign for link in path) == sign, tuple(steps))


def prove_state(parts: Sequence[Part], signs: Sequence[int], given: int, asked: int) -> Proof:
    """Whether the last part is in the state asked about when the first is in the one given.

    Each part does the same as the one before it (1), or the opposite (-1).

    >>> lamp, fan = Part("the lamp", "is on", "is off"), Part("the fan", "runs", "rests")
    >>> prove_state([lamp, fan], [-1], given=1, asked=1)
    Proof(holds=False, steps=('the lamp is on', 'the fan rests'))
    """
    state = given
    steps = [f"{parts[0].name} {parts[0].state(state)}"]
    for part, sign in zip(parts[1:], signs, strict=True):
        state *= sign
        steps.append(f"{part.name} {part.state(state)}")
    return Proof(state == asked, tuple(steps))


def _parity(hindrances: int) -> str:
    number = ("two", "three", "four", "five")[hindrances - 2]
    return f"{number} hindrances on the way make a {'hindrance' if hindrances % 2 else 'help'}"
