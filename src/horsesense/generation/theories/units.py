"""The theory of units: so many of one against so many of another, by the factors between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import prod

from horsesense.generation.theories.arithmetic import Amount
from horsesense.generation.words import Noun, nouns, number_word, table


@dataclass(frozen=True, slots=True)
class Dimension:
    """Units from small to large, with the factors between neighbours."""

    units: tuple[Noun, ...]
    factors: tuple[int, ...]

    def factor(self, small: int, large: int) -> int:
        """How many of the small unit make one of the large one."""
        return prod(self.factors[small:large])

    def worth(self, count: int, unit: int, small: int) -> Amount:
        """So many of a unit in a smaller one, unit by unit.

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
        """So many of a unit, in words."""
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
