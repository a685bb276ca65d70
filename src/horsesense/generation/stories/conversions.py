"""So many of one unit against so many of another: how one speaks of ropes, jugs and waits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from horsesense.generation.draft import KEY, Draft, square
from horsesense.generation.drawing import first_made
from horsesense.generation.proof import Proof
from horsesense.generation.theories.arithmetic import Amount, Balance, prove_above
from horsesense.generation.theories.units import Dimension, dimensions
from horsesense.generation.words import table

MOST = 500_000
# Amounts that are compared differ by a quarter or more.
CLOSE = 1.25
# How often both amounts have the same number, so that only the units tell.
SAME = 0.1


@dataclass(frozen=True, slots=True)
class Quantity:
    """A dimension, and how one speaks of what is larger or smaller in it."""

    dimension: Dimension
    frames: tuple[str, ...]
    more: str
    less: str


@cache
def quantities() -> tuple[Quantity, ...]:
    """The dimensions in the table of quantities, with their frames.

    >>> quantities()[0].more
    'longer'
    """
    return tuple(
        Quantity(dimension, tuple(entry["frames"]), entry["more"], entry["less"])
        for dimension, entry in zip(dimensions(), table("quantity")["dimensions"], strict=True)
    )


@dataclass(frozen=True, slots=True)
class UnitPair:
    """Two units of a dimension, and how one speaks of so much of them."""

    quantity: Quantity
    small: int
    large: int

    @property
    def factor(self) -> int:
        """How many of the small unit make one of the large one."""
        return self.quantity.dimension.factor(self.small, self.large)

    def worth(self, count: int, unit: int) -> Amount:
        """So many of either unit, in the small one."""
        return self.quantity.dimension.worth(count, unit, self.small)


def exchange_numbers(rng: Random, distance: int) -> Draft:
    """A substitution: fewer or more of one unit than make so many of another."""
    pair = _pair(rng, distance)
    asked, fixed = rng.sample((pair.small, pair.large), 2)
    return first_made(lambda: _numbers(rng, pair, asked, fixed))


def exchange_amounts(rng: Random, distance: int) -> Draft:
    """A transposition: two amounts, each in its own unit, change places."""
    pair = _pair(rng, distance)
    return first_made(lambda: _amounts(rng, pair))


def _pair(rng: Random, distance: int) -> UnitPair:
    """Two units so many steps apart, of which one is not too many of the other."""
    pairs = [
        UnitPair(quantity, small, small + distance)
        for quantity in quantities()
        for small in range(len(quantity.dimension.units) - distance)
    ]
    return rng.choice([pair for pair in pairs if pair.factor * 5 < MOST])


def _numbers(rng: Random, pair: UnitPair, asked: int, fixed: int) -> Draft | None:
    """Numbers of the unit that is asked about, around an amount in the one that is fixed."""
    is_large = fixed == pair.large
    count = _round(rng.randint(2, 20) * (1 if is_large else pair.factor))
    even = count * pair.factor if is_large else count / pair.factor
    low, high = _round(even / rng.uniform(CLOSE, 8)), _round(even * rng.uniform(CLOSE, 8))
    if low < 2 or not low * CLOSE < even < high / CLOSE or max(count, high) > MOST:
        return None
    quantity, right = pair.quantity, pair.worth(count, fixed)
    dimension = quantity.dimension
    balance = Balance(lambda number: pair.worth(number, asked), right, (low, high))
    frame = rng.choice(quantity.frames).format(
        x=f"{KEY} {dimension.units[asked].plural}", y=dimension.told(count, fixed)
    )
    return Draft(frame, balance.words, (quantity.less, quantity.more), square(balance.prove))


def _amounts(rng: Random, pair: UnitPair) -> Draft | None:
    quantity, few = pair.quantity, rng.randint(2, 20)
    is_same = rng.random() < SAME
    many = few if is_same else _round(few * pair.factor * rng.uniform(0.1, 4))
    ratio = many / (few * pair.factor)
    if many < 2 or many > MOST or max(ratio, 1 / ratio) < CLOSE:
        return None
    worths = pair.worth(few, pair.large), pair.worth(many, pair.small)

    def prove(key: int, answer: int) -> Proof:
        first, second = (worths[key], worths[1 - key])[:: -1 if answer else 1]
        return prove_above(first, second)

    told = quantity.dimension.told
    keys = told(few, pair.large), told(many, pair.small)
    frame = rng.choice(quantity.frames).format(x=KEY, y=KEY)
    return Draft(frame, keys, (quantity.more, quantity.less), square(prove))


def _round(number: float) -> int:
    """The number with two digits that count: nobody measures 4,718 metres of ribbon."""
    return int(float(f"{number:.2g}"))
