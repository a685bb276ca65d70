"""Gifts and swaps: who has more after gifts, and who has what after swaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from random import Random

from horsesense.generation.rule import ANSWER, KEY, Difficulty, Draft, Proof, Rule, square
from horsesense.generation.stories.telling import conditional
from horsesense.generation.theories.transfers import (
    Gift,
    Purses,
    Swap,
    counts_after,
    prove_has,
    prove_richer,
    things_after,
)
from horsesense.generation.words import first_made, number_word, people, table

IN_THE_END = ("if {premises}, then {end} in the end", "in the end {end} if {premises}")
FEWEST_GIVEN, MOST_GIVEN = 2, 9
# Everyone keeps at least two, so that the plural is always right, and at most so many.
FEWEST_KEPT, MOST_KEPT = 2, 12


def draw_purses(rng: Random, named: Sequence[str], gifts: int) -> Purses:
    """Draw gifts between three people, of whom the first two are compared.

    Nobody gives to the same one twice: it would look like the same gift told twice.

    >>> purses = draw_purses(Random(0), ["Ada", "Bo", "Cy"], 2)
    >>> purses.asked, len(purses.gifts)
    (('Ada', 'Bo'), 2)
    """
    pairs = list(permutations(named, 2))

    def draw() -> Purses | None:
        drawn = tuple(_gift(rng, pair) for pair in rng.sample(pairs, gifts))
        purses = _purses(rng, drawn, (named[0], named[1]))
        return purses if _lead(purses) else None

    return first_made(draw)


def draw_other_gift(rng: Random, named: Sequence[str], gifts: int) -> tuple[Purses, Gift]:
    """Draw purses, and another first gift with which the other person would have more.

    >>> purses, other = draw_other_gift(Random(0), ["Ada", "Bo", "Cy"], 1)
    >>> other.giver, other.count == purses.gifts[0].count
    ('Ada', False)
    """
    pairs = [pair for pair in permutations(named, 2) if pair != (named[0], named[1])]

    def draw() -> tuple[Purses, Gift] | None:
        first, second = (_gift(rng, named[:2]) for _ in range(2))
        rest = tuple(_gift(rng, pair) for pair in rng.sample(pairs, gifts - 1))
        larger = first if first.count > second.count else second
        # Whoever can make the larger gift can make the smaller one.
        start = _purses(rng, (larger, *rest), (named[0], named[1]))
        leads = [_lead(replace(start, gifts=(gift, *rest))) for gift in (first, second)]
        if leads[0] * leads[1] >= 0:
            return None
        return replace(start, gifts=(first, *rest)), second

    return first_made(draw)


def tell_purses(
    rng: Random, purses: Purses, counts: list[str], difficulty: Difficulty
) -> tuple[str, list[str]]:
    """The noun of what is given, and clauses that tell the purses and the gifts in any order."""
    noun = rng.choice(table("possession")["counted"])
    manners = difficulty.manners(rng)
    # More than anybody gives, so that it is none of the numbers in the story.
    wrong = [number_word(rng.randrange(MOST_GIVEN + 1, 2 * MOST_GIVEN)) for _ in counts]
    amounts = [
        f"not {no} but {count}" if manner == "denied" else count
        for count, no, manner in zip(counts, wrong, manners, strict=True)
    ]
    gifts = tell_gifts(purses, amounts, manners, noun)
    rng.shuffle(gifts)
    clauses = [f"{name} had {number_word(count)} {noun}" for name, count in purses.start.items()]
    return noun, [*clauses, *gifts]


def tell_gifts(
    purses: Purses, counts: Sequence[str], manners: Sequence[str], noun: str
) -> list[str]:
    """Who gave how many to whom, some told from the taker's side; a count may hold a denial.

    >>> purses = Purses({"Ada": 9, "Bo": 4}, (Gift("Ada", "Bo", 3),), ("Ada", "Bo"))
    >>> tell_gifts(purses, ["three"], ["turned"], "coins")
    ['Bo got three coins from Ada']
    """
    return [
        f"{gift.taker} got {count} {noun} from {gift.giver}"
        if manner == "turned"
        else f"{gift.giver} gave {gift.taker} {count} {noun}"
        for gift, count, manner in zip(purses.gifts, counts, manners, strict=True)
    ]


def draw_swaps(rng: Random, named: Sequence[str], swaps: int) -> list[Swap]:
    """Draw swaps; nobody swaps straight back.

    >>> draw_swaps(Random(0), ["Ada", "Bo", "Cy"], 1)
    [Swap(first='Bo', second='Cy')]
    """
    drawn: list[Swap] = []

    def draw() -> Swap | None:
        first, second = rng.sample(named, 2)
        is_back = drawn and {first, second} == {drawn[-1].first, drawn[-1].second}
        return None if is_back else Swap(first, second)

    for _ in range(swaps):
        drawn.append(first_made(draw))
    return drawn


def draw_partners(
    rng: Random, named: list[str], swaps: list[Swap], at: int
) -> tuple[tuple[str, str], tuple[list[Swap], list[Swap]]]:
    """Draw another partner for one of the swaps: both partners, and all swaps with either."""
    replaced = swaps[at]
    other = rng.choice([name for name in named if name not in (replaced.first, replaced.second)])
    way = [*swaps[:at], Swap(replaced.first, other), *swaps[at + 1 :]]
    return (replaced.second, other), (swaps, way)


def _gift(rng: Random, pair: Sequence[str]) -> Gift:
    return Gift(pair[0], pair[1], rng.randint(FEWEST_GIVEN, MOST_GIVEN))


def _purses(rng: Random, gifts: tuple[Gift, ...], asked: tuple[str, str]) -> Purses:
    """Everyone has enough to give, and keeps a few; who neither gives nor gets is left out."""
    named = dict.fromkeys([*asked, *(name for gift in gifts for name in (gift.giver, gift.taker))])
    start = {
        name: sum(gift.count for gift in gifts if gift.giver == name)
        + rng.randint(FEWEST_KEPT, MOST_KEPT)
        for name in named
    }
    return Purses(start, gifts, asked)


def _lead(purses: Purses) -> int:
    """How many more the first of the two has in the end."""
    counts = counts_after(purses.start, purses.gifts)
    return counts[purses.asked[0]] - counts[purses.asked[1]]


AREA = "possession"
MOST_STEPS = 4


def count_after_gifts(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada had nine coins, Bo had four and Ada gave Bo three, then Bo had more than Ada."""
    purses = draw_purses(rng, people(rng, 3), difficulty.chain)
    counts = [number_word(gift.count) for gift in purses.gifts]

    def prove(key: int, answer: int) -> Proof:
        first, second = (purses.asked[key], purses.asked[1 - key])[:: -1 if answer else 1]
        return prove_richer(first, second, purses.start, purses.gifts)

    noun, premises = tell_purses(rng, purses, counts, difficulty)
    end = f"{KEY} had {ANSWER} {noun} than {KEY}"
    frame = conditional(rng, premises, end, IN_THE_END)
    return Draft(frame, purses.asked, ("more", "fewer"), square(prove))


def gift_decides(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada gave Bo two coins, Ada had more in the end; if she gave him five, Bo had more."""
    purses, other = draw_other_gift(rng, people(rng, 3), difficulty.chain)
    keys = number_word(purses.gifts[0].count), number_word(other.count)
    counts = [KEY, *(number_word(gift.count) for gift in purses.gifts[1:])]
    asked = purses.asked if rng.random() < 0.5 else purses.asked[::-1]

    def prove(key: int, answer: int) -> Proof:
        first, second = asked[:: -1 if answer else 1]
        gifts = (other if key else purses.gifts[0], *purses.gifts[1:])
        return prove_richer(first, second, purses.start, gifts)

    noun, premises = tell_purses(rng, purses, counts, difficulty)
    end = f"{asked[0]} had {ANSWER} {noun} than {asked[1]}"
    frame = conditional(rng, premises, end, IN_THE_END)
    return Draft(frame, keys, ("more", "fewer"), square(prove))


def swap(rng: Random, difficulty: Difficulty) -> Draft:
    """If Ada had the drum, Bo had the kite and they swapped, then Ada had the kite.

    The key is who is asked about, or else with whom somebody swapped.
    """
    named = people(rng, 3 if difficulty.chain < 3 else 4)
    start = dict(zip(named, rng.sample(table("possession")["things"], len(named)), strict=True))
    swaps = draw_swaps(rng, named, difficulty.chain)
    is_asked = rng.random() < 0.5
    keyed = None if is_asked else rng.randrange(len(swaps))
    if keyed is None:
        ways = swaps, swaps
        keys = asked = tuple(rng.sample(named, 2))
    else:
        keys, ways = draw_partners(rng, named, swaps, keyed)
        ends = [things_after(start, way) for way in ways]
        asked = (rng.choice([name for name in named if ends[0][name] != ends[1][name]]),) * 2
    answers = tuple(things_after(start, way)[name] for way, name in zip(ways, asked, strict=True))

    def prove(key: int, answer: int) -> Proof:
        return prove_has(asked[key], answers[answer], start, ways[key])

    clauses = [f"{name} had the {thing}" for name, thing in start.items()]
    for at, exchange in enumerate(swaps):
        then = "then " if at else ""
        clauses.append(
            f"{exchange.first} {then}swapped with {KEY if at == keyed else exchange.second}"
        )
    end = f"{KEY if is_asked else asked[0]} had the {ANSWER}"
    frame = conditional(rng, clauses, end, IN_THE_END)
    return Draft(frame, (keys[0], keys[1]), (answers[0], answers[1]), square(prove))


RULES = (
    Rule(
        "count-after-gifts",
        AREA,
        "who has more after gifts",
        count_after_gifts,
        chain=range(1, MOST_STEPS + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "gift-decides",
        AREA,
        "who has more after a larger or a smaller gift",
        gift_decides,
        chain=range(1, MOST_STEPS + 1),
        converses=range(3),
        negations=range(3),
        is_open=True,
    ),
    Rule(
        "swap", AREA, "who has what after swaps", swap, chain=range(1, MOST_STEPS + 1), is_open=True
    ),
)
