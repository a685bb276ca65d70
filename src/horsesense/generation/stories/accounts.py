"""Stories of counts: packs, gains and losses, and who has how many more than whom.

Each draws numbers and gives nothing where they do not decide the matter both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate, pairwise
from random import Random

from horsesense.generation.rule import ANSWER, KEY, Difficulty, Draft, Proof, square
from horsesense.generation.stories.telling import conditional
from horsesense.generation.theories.arithmetic import Amount, Balance, added, product, prove_above
from horsesense.generation.words import joined, nouns, number_word, people, table

FEW_MORE = ("fewer", "more")
PACK = "{outer} {containers} of {inner} {things} each"
PACKED = (
    "{left} hold <> {things} than {right}",
    "someone who empties {left} finds <> {things} than there are in {right}",
    "someone who buys {left} gets <> {things} than there are in {right}",
)
LOOSE = (
    "{left} hold <> than {right}",
    "someone who empties {left} finds <> than {right}",
    "someone who buys {left} gets <> than {right}",
)
CHANGED = (
    "if {name} has {story}, then {name} ends up with <> than {limit} {things}",
    "if {name} has {story}, then {name} has <> than {limit} {things} in the end",
    "{name} ends up with <> than {limit} {things} if {name} has {story}",
)


def tipping(
    rng: Random, left: Callable[[int], Amount], right: Amount, choices: Iterable[int]
) -> Balance | None:
    """A balance that two of the numbers tip, one to each side; None if there are no such two.

    >>> tipping(Random(0), Amount, Amount(5), [3, 5, 8]).numbers
    (3, 8)
    """
    known = [(number, left(number).value) for number in choices]
    low = [number for number, value in known if value < right.value]
    high = [number for number, value in known if value > right.value]
    if not low or not high:
        return None
    return Balance(left, right, (rng.choice(low), rng.choice(high)))


def draw_packs(rng: Random, terms: int, *, is_packed: bool) -> Draft | None:
    """Packs on the left, and on the right a pack too or a plain number; one number is the key."""
    things = _things(rng)
    sizes = [(rng.randint(2, 9), rng.randint(2, 9)) for _ in range(terms)]
    at, is_outer = rng.randrange(terms), rng.random() < 0.5
    outside, inside = rng.randint(2, 9), rng.randint(2, 9)

    def left(number: int) -> Amount:
        changed = (number, sizes[at][1]) if is_outer else (sizes[at][0], number)
        return added(product(*(changed if n == at else size)) for n, size in enumerate(sizes))

    right = product(outside, inside) if is_packed else Amount(rng.randint(5, 60))
    balance = tipping(rng, left, right, range(2, 13))
    if balance is None:
        return None
    containers = _containers(rng)
    words = [[number_word(outer), number_word(inner)] for outer, inner in sizes]
    words[at][0 if is_outer else 1] = KEY
    clauses = [_pack(outer, next(containers), inner, things) for outer, inner in words]
    if is_packed:
        pack = _pack(number_word(outside), next(containers), number_word(inside), things)
        frame = rng.choice(PACKED).format(left=joined(clauses), things=things, right=pack)
    else:
        loose = f"{number_word(right.value)} {things}"
        frame = rng.choice(LOOSE).format(left=joined(clauses), right=loose)
    return Draft(frame, balance.words, FEW_MORE, square(balance.prove))


def draw_changes(rng: Random, count: int) -> Draft | None:
    """Someone has so many, then gains or loses some, so many times; one number is the key."""
    (name,) = people(rng, 1)
    things, limit = _things(rng), rng.randint(3, 30)
    changes = rng.sample(table("quantity")["changes"], count)
    signs = [1, *(change["sign"] for change in changes)]
    drawn = [rng.randint(2, 20), *(rng.randint(2, 9) for _ in changes)]
    at = rng.randrange(count + 1)

    def signed(number: int) -> list[int]:
        filled = [*drawn[:at], number, *drawn[at + 1 :]]
        return [sign * size for sign, size in zip(signs, filled, strict=True)]

    # Nobody can give away what is not there.
    possible = [number for number in range(2, 25) if min(accumulate(signed(number))) > 0]
    balance = tipping(
        rng, lambda number: added(map(Amount, signed(number))), Amount(limit), possible
    )
    if balance is None:
        return None
    words = [number_word(number) for number in drawn]
    words[at] = KEY
    story = [f"{words[0]} {things}"]
    story += [c["told"].format(n=word) for c, word in zip(changes, words[1:], strict=True)]
    frame = rng.choice(CHANGED).format(
        name=name, story=joined(story), limit=number_word(limit), things=things
    )
    return Draft(frame, balance.words, FEW_MORE, square(balance.prove))


def draw_differences(rng: Random, difficulty: Difficulty) -> Draft | None:
    """A chain of people, each with so many more or fewer than the next; one number is the key."""
    named, things = people(rng, difficulty.chain + 1), _things(rng)
    signed = [rng.choice((-1, 1)) * rng.randint(2, 12) for _ in range(difficulty.chain)]
    at = rng.randrange(difficulty.chain)

    def with_key(number: int) -> list[int]:
        changed = number if signed[at] > 0 else -number
        return [*signed[:at], changed, *signed[at + 1 :]]

    balance = tipping(
        rng, lambda number: added(map(Amount, with_key(number))), Amount(0), range(2, 25)
    )
    if balance is None:
        return None
    turned, _ = difficulty.places(rng)
    pairs = list(pairwise(named))
    premises = []
    for n, ((first, second), difference) in enumerate(zip(pairs, signed, strict=True)):
        size = KEY if n == at else number_word(abs(difference))
        word = FEW_MORE[difference > 0]
        if n in turned:
            first, second, word = second, first, FEW_MORE[difference < 0]
        premises.append(f"{first} has {size} {word} {things} than {second}")
    rng.shuffle(premises)

    def prove(key: int, answer: int) -> Proof:
        differences = with_key(balance.numbers[key])
        given = [
            f"{first} has {abs(size)} {FEW_MORE[size > 0]} than {second}"
            for (first, second), size in zip(pairs, differences, strict=True)
        ]
        total = added(map(Amount, differences))
        proof = prove_above(total, Amount(0)) if answer else prove_above(Amount(0), total)
        so = f"so {named[0]} has {abs(total.value)} {FEW_MORE[total.value > 0]} than {named[-1]}"
        return Proof(proof.holds, (*given, *total.steps, so))

    end = f"{named[0]} has {ANSWER} {things} than {named[-1]}"
    return Draft(conditional(rng, premises, end), balance.words, FEW_MORE, square(prove))


def _things(rng: Random) -> str:
    return nouns("quantity")[rng.choice(table("quantity")["packed"])].plural


def _containers(rng: Random) -> Iterator[str]:
    """Different containers, in any order."""
    words: list[str] = table("quantity")["containers"]
    return (nouns("quantity")[word].plural for word in rng.sample(words, len(words)))


def _pack(outer: str, containers: str, inner: str, things: str) -> str:
    return PACK.format(outer=outer, containers=containers, inner=inner, things=things)
