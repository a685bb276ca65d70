"""Arithmetic in steps: counts, units, and positions on a cycle or a compass."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from math import prod

from horsesense.errors import GenerationError
from horsesense.generation.rule import Proof
from horsesense.generation.words import Noun, nouns, number_word, table


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and how it was worked out."""

    value: int
    steps: tuple[str, ...] = ()


def product(first: int, second: int) -> Amount:
    """The product of two amounts.

    >>> product(3, 4)
    Amount(value=12, steps=('3 times 4 is 12',))
    """
    return Amount(first * second, (f"{first} times {second} is {first * second}",))


def added(amounts: Iterable[Amount]) -> Amount:
    """The sum of amounts.

    >>> added([Amount(8), Amount(5), Amount(-2)]).steps
    ('8 plus 5 is 13', '13 minus 2 is 11')
    """
    first, *others = amounts
    value, steps = first.value, first.steps
    for other in others:
        word = "plus" if other.value >= 0 else "minus"
        step = f"{value} {word} {abs(other.value)} is {value + other.value}"
        value, steps = value + other.value, (*steps, *other.steps, step)
    return Amount(value, steps)


def prove_above(first: Amount, second: Amount) -> Proof:
    """Return whether the first is more than the second.

    >>> prove_above(product(2, 3), Amount(9)).steps
    ('2 times 3 is 6', '6 is less than 9')
    """
    if first.value == second.value:
        raise GenerationError(f"{first.value} is neither more nor less than itself")
    word = "more" if first.value > second.value else "less"
    step = f"{first.value} is {word} than {second.value}"
    return Proof(first.value > second.value, (*first.steps, *second.steps, step))


@dataclass(frozen=True, slots=True)
class Balance:
    """Two sides, the first with a number left open; one number makes it less, one makes it more."""

    left: Callable[[int], Amount]
    right: Amount
    numbers: tuple[int, int]

    def prove(self, key: int, answer: int) -> Proof:
        """Return whether the first side is less (the first answer) or more (the second)."""
        left = self.left(self.numbers[key])
        return prove_above(left, self.right) if answer else prove_above(self.right, left)

    @property
    def words(self) -> tuple[str, str]:
        """The two numbers in words."""
        return number_word(self.numbers[0]), number_word(self.numbers[1])


@dataclass(frozen=True, slots=True)
class Dimension:
    """Units from small to large, with the factors between neighbours."""

    units: tuple[Noun, ...]
    factors: tuple[int, ...]

    def factor(self, small: int, large: int) -> int:
        """The number of small units in one large unit."""
        return prod(self.factors[small:large])

    def worth(self, count: int, unit: int, small: int) -> Amount:
        """Convert an amount to a smaller unit, step by step.

        >>> length = dimensions()[0]
        >>> length.worth(3, 2, 1).steps
        ('1 metre is 100 centimetres', '3 metres are 300 centimetres')
        """
        steps: list[str] = []
        for at in range(unit, small, -1):
            factor, noun, part = self.factors[at - 1], self.units[at], self.units[at - 1]
            steps.append(f"1 {noun.singular} is {factor} {part.plural}")
            steps.append(f"{count} {noun.plural} are {count * factor} {part.plural}")
            count *= factor
        return Amount(count, tuple(steps))

    def told(self, count: int, unit: int) -> str:
        """An amount of a unit, in words."""
        return f"{number_word(count)} {self.units[unit].plural}"


@cache
def dimensions() -> tuple[Dimension, ...]:
    """The dimensions in the table of quantities."""
    known = nouns("quantity")
    return tuple(
        Dimension(
            units=tuple(known[unit] for unit in entry["units"]),
            factors=tuple(entry["factors"]),
        )
        for entry in table("quantity")["dimensions"]
    )


def prove_place(start: str, shift: int, end: str, cycle: tuple[str, ...]) -> Proof:
    """Return whether counting on from `start`, or back if `shift` is negative, arrives at `end`.

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
    """The member `shift` places further on.

    >>> shifted("winter", 1, ("spring", "summer", "autumn", "winter"))
    'spring'
    """
    return cycle[(cycle.index(start) + shift) % len(cycle)]


POINTS = ("north", "east", "south", "west")
TURNS = {"left": -1, "right": 1, "round": 2}


def opposite(point: str) -> str:
    """The compass point opposite to another.

    >>> opposite("west")
    'east'
    """
    return shifted(point, 2, POINTS)


def prove_facing(start: str, turns: Iterable[str], end: str) -> Proof:
    """Return whether someone who faces `start` and turns so faces `end` after all.

    >>> prove_facing("north", ["left", "round"], "east").steps
    ('from north a turn left leads to west', 'from west a turn round leads to east')
    """
    place, steps = start, list[str]()
    for turn in turns:
        if turn not in TURNS:
            raise GenerationError(f"{turn!r} is not a turn")
        following = shifted(place, TURNS[turn], POINTS)
        steps.append(f"from {place} a turn {turn} leads to {following}")
        place = following
    return Proof(place == end, tuple(steps))


def prove_side(side: str, other: str) -> Proof:
    """Return whether what is on one person's side is on that side of one who sits face to face.

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
