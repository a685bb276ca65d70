"""The theory of stacks: who carries whom, and who falls, where each stands on the next."""

from __future__ import annotations

from collections.abc import Iterable

from horsesense.generation.proof import Proof
from horsesense.generation.theories.order import prove_greater


def stands_on(lower: str, upper: str) -> str:
    """One link of a stack, told from above."""
    return f"{upper} stands on {lower}"


def prove_carries(lower: str, upper: str, pairs: Iterable[tuple[str, str]]) -> Proof:
    """Whether the one carries the other, directly or not; each pair has the lower one first.

    >>> prove_carries("the cow", "the hen", [("the cow", "the pig"), ("the pig", "the hen")])
    Proof(holds=True, steps=('the pig stands on the cow', 'the hen stands on the pig'))
    """
    return prove_greater(lower, upper, pairs, stands_on)


def prove_falls(one: str, leaver: str, pairs: Iterable[tuple[str, str]]) -> Proof:
    """Whether one falls when another leaves the stack.

    >>> prove_falls("the cow", "the hen", [("the cow", "the hen")]).steps
    ('the hen stands on the cow', 'the hen carries nobody that far down')
    """
    below = prove_carries(leaver, one, pairs)
    reason = "falls with what carries it" if below.holds else "carries nobody that far down"
    return Proof(below.holds, (*below.steps, f"{one if below.holds else leaver} {reason}"))
