"""The theory of counts: sums, products and differences of whole numbers, worked out in steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from horsesense.errors import GenerationError
from horsesense.generation.proof import Proof
from horsesense.generation.words import number_word


@dataclass(frozen=True, slots=True)
class Amount:
    """A number and how it was worked out."""

    value: int
    steps: tuple[str, ...] = ()


def product(first: int, second: int) -> Amount:
    """So many times so many.

    >>> product(3, 4)
    Amount(value=12, steps=('3 times 4 is 12',))
    """
    return Amount(first * second, (f"{first} times {second} is {first * second}",))


def added(amounts: Iterable[Amount]) -> Amount:
    """All of them together.

    >>> added([Amount(8), Amount(5), Amount(-2)]).steps
    ('8 plus 5 is 13', '13 minus 2 is 11')
    """
    first, *others = amounts
    value, steps = first.value, first.steps
    for other in others:
        word = "plus" if other.value >= 0 else "minus"
        told = f"{value} {word} {abs(other.value)} is {value + other.value}"
        value, steps = value + other.value, (*steps, *other.steps, told)
    return Amount(value, steps)


def prove_above(first: Amount, second: Amount) -> Proof:
    """Whether the first is more than the second.

    >>> prove_above(product(2, 3), Amount(9)).steps
    ('2 times 3 is 6', '6 is less than 9')
    """
    if first.value == second.value:
        raise GenerationError(f"{first.value} is neither more nor less than itself")
    word = "more" if first.value > second.value else "less"
    told = f"{first.value} is {word} than {second.value}"
    return Proof(first.value > second.value, (*first.steps, *second.steps, told))


@dataclass(frozen=True, slots=True)
class Balance:
    """Two sides, the first with a number left open; one number makes it less, one makes it more."""

    left: Callable[[int], Amount]
    right: Amount
    numbers: tuple[int, int]

    def prove(self, key: int, answer: int) -> Proof:
        """Whether the first side is less (the first answer) or more (the second)."""
        left = self.left(self.numbers[key])
        return prove_above(left, self.right) if answer else prove_above(self.right, left)

    @property
    def words(self) -> tuple[str, str]:
        """The two numbers in words."""
        return number_word(self.numbers[0]), number_word(self.numbers[1])
