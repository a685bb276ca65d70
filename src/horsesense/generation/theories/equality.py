"""The theory of equals: what differs from one thing differs in the same way from its equals."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof


def carry_over(
    greater: str, lesser: str, equals: Iterable[tuple[str, str]], told: Callable[[str, str], str]
) -> Callable[[str, str], Proof]:
    """From a comparison of two and a list of equals, what proves or refutes another comparison.

    >>> told = lambda a, b: f"{a} = {b}"
    >>> carry_over("Ada", "Bo", [("Bo", "Cy"), ("Cy", "Di")], told)("Di", "Ada")
    Proof(holds=False, steps=('Bo = Cy', 'Cy = Di'))
    """
    known = list(equals)
    high, low = _equals_of(greater, known), _equals_of(lesser, known)

    def prove(first: str, second: str) -> Proof:
        for holds, upper, under in ((True, first, second), (False, second, first)):
            if upper in high and under in low:
                used = [pair for pair in known if pair[0] in high + low]
                return Proof(holds, tuple(told(a, b) for a, b in used))
        raise GenerationError(f"nothing tells whether {first} or {second} is greater")

    return prove


def _equals_of(one: str, pairs: list[tuple[str, str]]) -> list[str]:
    """All that equals one thing, itself included, in the order in which it is found."""
    found = [one]
    for member in found:
        for pair in pairs:
            if member in pair:
                found.extend(other for other in pair if other not in found)
    return found
