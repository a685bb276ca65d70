"""Order of numbers: counts, packs, gains and losses, differences between people, units."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from horsesense.generation.rule import KEY, Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.accounts import (
    FEW_MORE,
    draw_changes,
    draw_differences,
    draw_packs,
)
from horsesense.generation.theories.arithmetic import (
    Amount,
    Balance,
    Dimension,
    dimensions,
    prove_above,
)
from horsesense.generation.words import first_made, nouns, number_word, table

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
        """The number of small units in one large unit."""
        return self.quantity.dimension.factor(self.small, self.large)

    def worth(self, count: int, unit: int) -> Amount:
        """An amount of either unit, in the small unit."""
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

    phrase = quantity.dimension.told
    keys = phrase(few, pair.large), phrase(many, pair.small)
    frame = rng.choice(quantity.frames).format(x=KEY, y=KEY)
    return Draft(frame, keys, (quantity.more, quantity.less), square(prove))


def _round(number: float) -> int:
    """Round to two significant digits: nobody measures 4,718 metres of ribbon."""
    return int(float(f"{number:.2g}"))


AREA = "quantity"
LARGEST = (12, 100, 1000)
# What is asked, and its answers: less first.
COUNTED = (
    ("{n} {first} are <> than {m} {second}", FEW_MORE),
    (
        "in a group of {n} {first} and {m} {second}, the {first} are in the <>",
        ("minority", "majority"),
    ),
    ("a list of {n} {first} is <> than a list of {m} {second}", ("shorter", "longer")),
    ("someone who sees {n} {first} and {m} {second} sees <> {first} than {second}", FEW_MORE),
)
KNOWN = (
    ("there are <> {x} than {y}", FEW_MORE),
    ("the number of {x} is <> than the number of {y}", ("smaller", "larger")),
)
LONGEST = 5


def count_things(rng: Random, difficulty: Difficulty) -> Draft:
    """Three geese are fewer than six swans, and nine are more."""
    low, middle, high = sorted(rng.sample(range(2, rng.choice(LARGEST) + 1), 3))
    template, answers = rng.choice(COUNTED)
    first, second = _two_things(rng)
    frame = template.format(n=KEY, m=number_word(middle), first=first, second=second)
    balance = Balance(Amount, Amount(middle), (low, high))
    return Draft(frame, balance.words, answers, square(balance.prove))


def exchange_counts(rng: Random, difficulty: Difficulty) -> Draft:
    """Three geese are fewer than six swans, and six geese are more than three swans."""
    numbers = sorted(rng.sample(range(2, rng.choice(LARGEST) + 1), 2))
    template, answers = rng.choice(COUNTED)
    first, second = _two_things(rng)

    def prove(key: int, answer: int) -> Proof:
        left, right = Amount(numbers[key]), Amount(numbers[1 - key])
        return prove_above(left, right) if answer else prove_above(right, left)

    frame = template.format(n=KEY, m=KEY, first=first, second=second)
    return Draft(frame, (number_word(numbers[0]), number_word(numbers[1])), answers, square(prove))


def exchange_known_counts(rng: Random, difficulty: Difficulty) -> Draft:
    """There are fewer legs on a bee than legs on a spider."""
    counts: dict[str, int] = table("quantity")["counts"]
    first = rng.choice(list(counts))
    second = rng.choice([name for name, count in counts.items() if count != counts[first]])
    names = first, second
    template, answers = rng.choice(KNOWN)

    def prove(key: int, answer: int) -> Proof:
        left, right = _counted(names[key]), _counted(names[1 - key])
        return prove_above(left, right) if answer else prove_above(right, left)

    return Draft(template.format(x=KEY, y=KEY), names, answers, square(prove))


def place_known_counts(rng: Random, difficulty: Difficulty) -> Draft:
    """There are fewer legs on a bee, and more letters in the alphabet, than months in a year."""
    counts: dict[str, int] = table("quantity")["counts"]
    different = sorted(set(counts.values()))
    low, value, high = sorted(rng.sample(different, 3))
    lower, middle, higher = (
        rng.choice([name for name, count in counts.items() if count == number])
        for number in (low, value, high)
    )
    names = lower, higher
    template, answers = rng.choice(KNOWN)

    def prove(key: int, answer: int) -> Proof:
        left, right = _counted(names[key]), _counted(middle)
        return prove_above(left, right) if answer else prove_above(right, left)

    return Draft(template.format(x=KEY, y=middle), names, answers, square(prove))


def fill_packs(rng: Random, difficulty: Difficulty) -> Draft:
    """Two bags of four plums each hold fewer plums than three bags of five plums each."""
    return first_made(
        lambda: draw_packs(rng, max(1, difficulty.chain - 1), is_packed=difficulty.chain > 1)
    )


def gain_and_lose(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada has nine plums and loses two, then Ada ends up with more than six plums."""
    return first_made(lambda: draw_changes(rng, difficulty.chain))


def differ_by(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada has five more plums than Bo and Bo has two fewer than Cy, Ada has more than Cy."""
    return first_made(lambda: draw_differences(rng, difficulty))


def convert_units(rng: Random, difficulty: Difficulty) -> Draft:
    """A rope of ninety centimetres is shorter than a rope of two metres."""
    return exchange_numbers(rng, difficulty.chain)


def exchange_units(rng: Random, difficulty: Difficulty) -> Draft:
    """A rope of five centimetres is shorter than a rope of five metres, and the other way round."""
    return exchange_amounts(rng, difficulty.chain)


def _two_things(rng: Random) -> list[str]:
    """The plurals of two things of one sort."""
    groups: list[list[str]] = table("quantity")["groups"]
    return [nouns("quantity")[word].plural for word in rng.sample(rng.choice(groups), 2)]


def _counted(name: str) -> Amount:
    count = table("quantity")["counts"][name]
    return Amount(count, (f"the {name} are {count}",))


RULES = (
    Rule("count-things", AREA, "more or fewer of these than of those", count_things, is_open=True),
    Rule(
        "exchange-counts",
        AREA,
        "more or fewer of these than of those, when the numbers change places",
        exchange_counts,
        is_open=True,
    ),
    Rule(
        "exchange-known-counts",
        AREA,
        "legs, wheels, days and letters: which of two known numbers is larger",
        exchange_known_counts,
    ),
    Rule(
        "place-known-counts",
        AREA,
        "legs, wheels, days and letters: more or fewer than of a third thing",
        place_known_counts,
    ),
    Rule(
        "fill-packs",
        AREA,
        "how much several packs hold in all",
        fill_packs,
        chain=range(1, 4),
        is_open=True,
    ),
    Rule(
        "gain-and-lose",
        AREA,
        "how many are left after gains and losses",
        gain_and_lose,
        chain=range(1, LONGEST + 1),
        is_open=True,
    ),
    Rule(
        "differ-by",
        AREA,
        "who has more, from how many more or fewer each has than the next",
        differ_by,
        chain=range(2, LONGEST + 1),
        converses=range(3),
        is_open=True,
    ),
    Rule(
        "convert-units",
        AREA,
        "amounts in two different units",
        convert_units,
        chain=range(1, 4),
        is_open=True,
    ),
    Rule(
        "exchange-units",
        AREA,
        "two amounts in different units, when they change places",
        exchange_units,
        chain=range(1, 4),
        is_open=True,
    ),
)
