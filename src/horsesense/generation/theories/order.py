"""The theory of order: comparisons, equals and effects along chains.

An effect that promotes has the sign 1, one that hinders -1. Signs multiply along a chain: what
hinders a hindrance promotes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from horsesense.errors import GenerationError
from horsesense.generation.rule import Proof


def paths(graph: Mapping[str, Sequence[str]], links: int) -> list[tuple[str, ...]]:
    """All paths with `links` links, in the order of the graph.

    >>> paths({"owls": ["mice"], "mice": ["seeds", "nuts"]}, 2)
    [('owls', 'mice', 'seeds'), ('owls', 'mice', 'nuts')]
    """
    known_paths: list[tuple[str, ...]] = [(start,) for start in graph]
    for _ in range(links):
        known_paths = [(*path, end) for path in known_paths for end in graph.get(path[-1], ())]
    return known_paths


def shortest(start: str, end: str, following: Callable[[str], Iterable[str]]) -> list[str]:
    """The shortest path from one to another; empty if there is none.

    >>> shortest("toe", "leg", {"toe": ["foot"], "foot": ["leg"], "leg": []}.__getitem__)
    ['toe', 'foot', 'leg']
    """
    waiting, seen = deque([[start]]), {start}
    while waiting:
        path = waiting.popleft()
        for following_place in following(path[-1]):
            if following_place in seen:
                continue
            if following_place == end:
                return [*path, following_place]
            seen.add(following_place)
            waiting.append([*path, following_place])
    return []


# Says in English that the first is greater than the second.
Told = Callable[[str, str], str]


def prove_greater(first: str, second: str, pairs: Iterable[tuple[str, str]], phrase: Told) -> Proof:
    """Return whether `first` is greater than `second`, where each pair has the greater one first.

    >>> told = lambda a, b: f"{a} is taller than {b}"
    >>> prove_greater("Cy", "Ada", [("Ada", "Bo"), ("Bo", "Cy")], told)
    Proof(holds=False, steps=('Ada is taller than Bo', 'Bo is taller than Cy'))
    """
    known = list(pairs)

    def lessers(greater_one: str) -> list[str]:
        return [lesser for greater, lesser in known if greater == greater_one]

    for holds, start, end in ((True, first, second), (False, second, first)):
        if path := shortest(start, end, lessers):
            steps = tuple(phrase(a, b) for a, b in zip(path, path[1:], strict=False))
            return Proof(holds, steps)
    raise GenerationError(f"nothing tells whether {first} or {second} is greater")


def carry_over(
    greater: str, lesser: str, equals: Iterable[tuple[str, str]], phrase: Callable[[str, str], str]
) -> Callable[[str, str], Proof]:
    """A prover of comparisons, from one known comparison and a list of equals.

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
                return Proof(holds, tuple(phrase(a, b) for a, b in used))
        raise GenerationError(f"nothing tells whether {first} or {second} is greater")

    return prove


def _equals_of(thing: str, pairs: list[tuple[str, str]]) -> list[str]:
    """The equals of a thing, itself first."""
    equals = [thing]
    for member in equals:
        for pair in pairs:
            if member in pair:
                equals.extend(other for other in pair if other not in equals)
    return equals


@dataclass(frozen=True, slots=True)
class Influence:
    """One thing that acts on another, for it or against it, told in a clause."""

    cause: str
    effect: str
    sign: int
    told: str


@dataclass(frozen=True, slots=True)
class MachinePart:
    """A part of a machine and its two states, each told plainly and by a denial of the other."""

    name: str
    yes: str
    no: str
    not_yes: str = ""
    not_no: str = ""

    def state(self, sign: int) -> str:
        """The clause for a state of the part, 1 or -1."""
        return self.yes if sign > 0 else self.no

    def denied(self, sign: int) -> str:
        """The same by a denial.

        >>> MachinePart("the lamp", "is on", "is off", "is not on", "is not off").denied(1)
        'is not off'
        """
        return self.not_no if sign > 0 else self.not_yes


def prove_effect(cause: str, effect: str, sign: int, links: Sequence[Influence]) -> Proof:
    """Return whether a cause promotes (1) or hinders (-1) an effect, where each acts on one other.

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


def prove_state(
    parts: Sequence[MachinePart], signs: Sequence[int], given: int, asked: int
) -> Proof:
    """Return whether the last part is in the state asked about when the first is in the one given.

    Each part does the same as the one before it (1), or the opposite (-1).

    >>> lamp = MachinePart("the lamp", "is on", "is off")
    >>> fan = MachinePart("the fan", "runs", "rests")
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
