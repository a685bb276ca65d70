"""The theory of order: what is greater than what, from a chain of comparisons."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof
from horsesense.generation.theories.paths import shortest

# Says in English that the first is greater than the second.
Told = Callable[[str, str], str]


def prove_greater(first: str, second: str, pairs: Iterable[tuple[str, str]], told: Told) -> Proof:
    """Whether `first` is greater than `second`, where each pair has the greater one first.

    >>> told = lambda a, b: f"{a} is taller than {b}"
    >>> prove_greater("Cy", "Ada", [("Ada", "Bo"), ("Bo", "Cy")], told)
    Proof(holds=False, steps=('Ada is taller than Bo', 'Bo is taller than Cy'))
    """
    known = list(pairs)

    def lessers(one: str) -> list[str]:
        return [lesser for greater, lesser in known if greater == one]

    for holds, start, end in ((True, first, second), (False, second, first)):
        if path := shortest(start, end, lessers):
            steps = tuple(told(a, b) for a, b in zip(path, path[1:], strict=False))
            return Proof(holds, steps)
    raise GenerationError(f"nothing tells whether {first} or {second} is greater")
