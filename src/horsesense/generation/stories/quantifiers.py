"""Quantifiers: the meaning of «most», «not all» or «at least three», and what follows.

Where people differ («some» may leave room for all, or not), a statement counts as true or false
only if it is so in both readings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import TypeAlias

from horsesense.errors import GenerationError
from horsesense.generation.rule import Proof
from horsesense.generation.words import number_word


# There is one of each, so that they are told apart by being the same or not.
@dataclass(frozen=True, slots=True, eq=False)
class Quantifier:
    """Words that say how many, before «of the»: in a wide reading, and in a narrow one."""

    text: str
    wide: Callable[[int, int], bool]
    narrow: Callable[[int, int], bool]

    def holds(self, count: int, total: int) -> bool | None:
        """Return whether it is true of `count` out of `total`; None if readings differ.

        >>> some = plain_quantifiers()["some"]
        >>> some.holds(2, 5), some.holds(0, 5), some.holds(5, 5)
        (True, False, None)
        """
        readings = {self.wide(count, total), self.narrow(count, total)}
        return readings.pop() if len(readings) == 1 else None


@cache
def plain_quantifiers() -> dict[str, Quantifier]:
    """The quantifiers without numbers in them.

    >>> plain_quantifiers()["most"].holds(4, 5)
    True
    """
    simple: dict[str, Callable[[int, int], bool]] = {
        "all": lambda n, m: n == m,
        "none": lambda n, m: n == 0,
        "at least one": lambda n, m: n >= 1,
        "exactly one": lambda n, m: n == 1,
        "more than half": lambda n, m: 2 * n > m,
        "fewer than half": lambda n, m: 2 * n < m,
        "exactly half": lambda n, m: 2 * n == m,
        "an odd number": lambda n, m: n % 2 == 1,
        "both": lambda n, m: n == m == 2,
        "neither": lambda n, m: n == 0 and m == 2,
    }
    return {
        **{text: Quantifier(text, test, test) for text, test in simple.items()},
        "not all": Quantifier("not all", lambda n, m: n < m, lambda n, m: 0 < n < m),
        "not both": Quantifier("not both", lambda n, m: n < 2 == m, lambda n, m: n == 1 < m == 2),
        "an even number": Quantifier(
            "an even number", lambda n, m: n % 2 == 0, lambda n, m: n % 2 == 0 and n > 0
        ),
        "some": Quantifier("some", lambda n, m: n >= 1, lambda n, m: 1 < n < m),
        "most": Quantifier("most", lambda n, m: 2 * n > m, lambda n, m: m > n > 0.6 * m),
        "few": Quantifier("few", lambda n, m: n < 0.4 * m, lambda n, m: 1 < n < 0.15 * m),
    }


@cache
def counted(manner: str, number: int) -> Quantifier:
    """A quantifier with a number in it: at least, at most, exactly, more than, fewer than.

    >>> counted("at least", 3).text, counted("at least", 3).holds(4, 9)
    ('at least three', True)
    """
    tests: dict[str, Callable[[int, int], bool]] = {
        "at least": lambda n, m: n >= number,
        "at most": lambda n, m: n <= number,
        "exactly": lambda n, m: n == number,
        "more than": lambda n, m: n > number,
        "fewer than": lambda n, m: n < number,
    }
    if manner not in tests:
        raise GenerationError(f"no quantifier begins with {manner!r}")
    return Quantifier(f"{manner} {number_word(number)}", tests[manner], tests[manner])


def prove_count(quantifier: Quantifier, count: int, total: int, fact: str) -> Proof:
    """Return whether a quantifier is true of a count, which a fact has told.

    >>> prove_count(plain_quantifiers()["all"], 3, 5, "three of the five eggs broke").text
    'three of the five eggs broke; «all» is false of three out of five'
    """
    holds = quantifier.holds(count, total)
    if holds is None:
        raise GenerationError(f"{quantifier.text!r} can be read both ways of {count} of {total}")
    out_of = f"{number_word(count)} out of {number_word(total)}"
    return Proof(holds, (fact, f"«{quantifier.text}» is {str(holds).lower()} of {out_of}"))


@dataclass(frozen=True, slots=True)
class Claim:
    """That a quantifier is true of those to which something happened, or of the others.

    `is_denied` says that it is not true.
    """

    quantifier: Quantifier
    is_of_others: bool = False
    is_denied: bool = False


def follows(premises: Sequence[Claim], claim: Claim, total: int) -> bool | None:
    """Whether a claim is true in every case that the premises allow; None if readings differ.

    >>> none, all_ = plain_quantifiers()["none"], plain_quantifiers()["all"]
    >>> follows([Claim(none)], Claim(all_, is_of_others=True), 5)
    True
    """
    verdicts = set()
    for narrow_premises in (False, True):
        cases = _cases(premises, total, narrowly=narrow_premises)
        if not cases:
            return None
        for narrow_claim in (False, True):
            verdicts.add(cases <= _allowed(claim, total, narrow_claim))
    return verdicts.pop() if len(verdicts) == 1 else None


def prove_follows(premises: Sequence[Claim], claim: Claim, total: int) -> Proof:
    """The proof that a claim follows, or a case in which it is false and the premises true.

    >>> none, most = plain_quantifiers()["none"], plain_quantifiers()["most"]
    >>> prove_follows([Claim(most)], Claim(none), 9).text
    'six to eight of nine are possible; with six of nine it is false'
    """
    verdict = follows(premises, claim, total)
    right, wrong = ("false", "true") if claim.is_denied else ("true", "false")
    if verdict is None:
        raise GenerationError("whether it follows is a matter of reading")
    # The narrow reading has a case against the claim, if the claim does not follow in either.
    cases = _cases(premises, total, narrowly=not verdict)
    possible = f"{_listed(sorted(cases))} of {number_word(total)} are possible"
    if verdict:
        return Proof(True, (possible, f"it is {right} in each of these cases"))
    against = min(cases - _allowed(claim, total, False))
    case = f"{number_word(against)} of {number_word(total)}"
    return Proof(False, (possible, f"with {case} it is {wrong}"))


def _cases(premises: Sequence[Claim], total: int, *, narrowly: bool) -> frozenset[int]:
    """The counts that the premises allow."""
    first, *others = (_allowed(premise, total, narrowly) for premise in premises)
    return first.intersection(*others)


@cache
def _allowed(claim: Claim, total: int, narrowly: bool) -> frozenset[int]:
    """The counts of which a claim is true."""
    test = claim.quantifier.narrow if narrowly else claim.quantifier.wide
    return frozenset(
        count
        for count in range(total + 1)
        if test(total - count if claim.is_of_others else count, total) != claim.is_denied
    )


def _listed(counts: list[int]) -> str:
    """Counts in words, as a range where they are one."""
    if len(counts) > 2 and counts[-1] - counts[0] == len(counts) - 1:
        return f"{number_word(counts[0])} to {number_word(counts[-1])}"
    return " or ".join(number_word(count) for count in counts)


Pair: TypeAlias = tuple[Quantifier, Quantifier]

# Pairs of which at most one is true, by name or by how they begin.
PLAIN_PAIRS = (
    ("all", "not all"),
    ("some", "none"),
    ("most", "fewer than half"),
    ("more than half", "fewer than half"),
    ("few", "most"),
    ("an even number", "an odd number"),
    ("exactly half", "more than half"),
    ("all", "none"),
)
DUAL_PAIRS = (("both", "exactly one"), ("neither", "exactly one"), ("both", "not both"))
FEW_PAIRS = (("all", "not all"), ("none", "at least one"), ("an even number", "an odd number"))
COUNTED_PAIRS = (("at least", "fewer than"), ("more than", "at most"))
COUNTED = ("at least", "at most", "exactly", "more than", "fewer than")
# For premises and claims, from which others may follow.
LOGICAL = ("all", "none", "some", "not all", "most", "more than half", "fewer than half")
# For one of two premises: «all» and «none» leave nothing for another to say.
PARTIAL = (
    "some",
    "not all",
    "more than half",
    "fewer than half",
    "an even number",
    "an odd number",
)
# Without those that nobody denies: «it is not true that some left».
DENIABLE = ("all", "none", "most", "more than half", "fewer than half")


def draw_pair(rng: Random, total: int) -> Pair:
    """Two quantifiers that are not both true of anything, with plural verbs.

    >>> texts(draw_pair(Random(1), 9))
    ('some', 'none')
    """
    if rng.random() < 0.5:
        first, second = rng.choice(PLAIN_PAIRS)
        return plain_quantifiers()[first], plain_quantifiers()[second]
    manner, opposite = rng.choice(COUNTED_PAIRS)
    number = rng.randint(2, total - 1)
    return counted(manner, number), counted(opposite, number)


def draw_small_pair(rng: Random, total: int) -> Pair:
    """Two quantifiers for two people, or for a few.

    >>> texts(draw_small_pair(Random(0), 2))
    ('neither', 'exactly one')
    """
    if total == 2 or rng.random() < 0.5:
        first, second = rng.choice(DUAL_PAIRS if total == 2 else FEW_PAIRS)
        return plain_quantifiers()[first], plain_quantifiers()[second]
    number = rng.randint(1, total - 1)
    return counted("exactly", number), counted("exactly", number + 1)


def draw_quantifier(rng: Random, total: int, *, is_denied: bool = False) -> Quantifier:
    """Any quantifier for a premise or a claim, or any that can well be denied.

    >>> draw_quantifier(Random(0), 9).text
    'more than two'
    """
    if rng.random() < 0.4:
        return plain_quantifiers()[rng.choice(DENIABLE if is_denied else LOGICAL)]
    return counted(rng.choice(COUNTED), rng.randint(2, total - 1))


def draw_partial(rng: Random, total: int) -> Quantifier:
    """A quantifier for one of two premises.

    >>> draw_partial(Random(0), 9).text
    'more than two'
    """
    if rng.random() < 0.5:
        return plain_quantifiers()[rng.choice(PARTIAL)]
    return counted(rng.choice(COUNTED), rng.randint(2, total - 1))


def draw_fitting(
    rng: Random, total: int, fits: Callable[[Quantifier], bool], *, is_denied: bool = False
) -> Quantifier | None:
    """Any quantifier that passes a test, with or without a number in it; None if none does.

    >>> draw_fitting(Random(0), 9, lambda words: words.text.endswith("half")).text
    'fewer than half'
    """
    plain = [plain_quantifiers()[text] for text in (DENIABLE if is_denied else LOGICAL)]
    groups = [
        [quantifier for quantifier in group if fits(quantifier)]
        for group in (plain, _all_counted(total))
    ]
    first, second = groups if rng.random() < 0.4 else groups[::-1]
    fitting = first or second
    return rng.choice(fitting) if fitting else None


def is_diagonal(pair: Pair, counts: list[int], total: int) -> bool:
    """Return whether one is true of the first count only, and the other of the second only.

    >>> quantifiers = plain_quantifiers()
    >>> is_diagonal((quantifiers["all"], quantifiers["none"]), [9, 0], 9)
    True
    """
    held = [[quantifier.holds(count, total) for quantifier in pair] for count in counts]
    return held in ([[True, False], [False, True]], [[False, True], [True, False]])


def texts(pair: Pair) -> tuple[str, str]:
    """The words of two quantifiers.

    >>> texts((counted("at least", 2), counted("fewer than", 2)))
    ('at least two', 'fewer than two')
    """
    return pair[0].text, pair[1].text


@cache
def _all_counted(total: int) -> list[Quantifier]:
    """The quantifiers that have a number in them, for so many things."""
    return [counted(manner, number) for manner in COUNTED for number in range(2, total)]


@dataclass(frozen=True, slots=True)
class Question:
    """A question before the key is drawn: the number of things, and the other premises.

    `is_denied` says that the premise with the key is told by a denial, `is_of_others` that the
    claim is about those to which it did not happen.
    """

    total: int
    given: list[Claim]
    is_denied: bool
    is_of_others: bool

    def premises(self, key: Quantifier) -> list[Claim]:
        """The premise with a key, and what else is given."""
        return [Claim(key, is_denied=self.is_denied), *self.given]

    def claim(self, claimed: Quantifier) -> Claim:
        """The claim with this quantifier."""
        return Claim(claimed, self.is_of_others)

    def draw_claim(self, rng: Random, key: Quantifier) -> Quantifier | None:
        """Draw a claim that follows with the key, and not from one of two premises alone."""
        premises = self.premises(key)
        if not self._is_fresh(key):
            return None

        def fits(claimed: Quantifier) -> bool:
            claim = self.claim(claimed)
            is_known = not self.is_of_others and claimed in [
                premise.quantifier for premise in premises
            ]
            alone = premises if self.given else []
            return (
                not is_known
                and follows(premises, claim, self.total) is True
                and all(follows([premise], claim, self.total) is False for premise in alone)
            )

        return draw_fitting(rng, self.total, fits)

    def draw_other(self, rng: Random, claimed: Quantifier) -> Quantifier | None:
        """Draw a key with which the claim does not follow, but may be true."""
        claim = self.claim(claimed)
        opposite = replace(claim, is_denied=True)

        def fits(key: Quantifier) -> bool:
            is_known = not self.is_of_others and key is claimed
            verdicts = (
                follows(self.premises(key), either, self.total) for either in (claim, opposite)
            )
            return (
                not is_known
                and all(verdict is False for verdict in verdicts)
                and self._is_fresh(key)
            )

        return draw_fitting(rng, self.total, fits, is_denied=self.is_denied)

    def _is_fresh(self, key: Quantifier) -> bool:
        """Return whether the key and the other premises do not imply each other."""
        keyed = Claim(key, is_denied=self.is_denied)
        return all(
            follows([premise], other, self.total) is False
            for given in self.given
            for premise, other in ((given, keyed), (keyed, given))
        )
