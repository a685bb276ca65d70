"""Find what decides between two options: what each part of their costs adds to the margin.

A method adds up the costs of tokens and divides the sum; `contributions` divides the difference of
two such costs among the words, the answer, its length and what is subtracted. They add up to the
difference, and change sign if the options are exchanged. `deciding` names the one that decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum

ANSWER_PARTS = ("blank", "phrase")


class Cause(StrEnum):
    """The causes of a contribution."""

    ANSWER = "the words of the answer"
    LENGTH = "the length of the answer"
    WORD = "a word of the sentence"
    EDGE = "a token across the edge of the blank"
    TEXT = "text that differs between the options"
    OWN_COST = "the subtracted cost of the answer by itself"


@dataclass(frozen=True, slots=True)
class CountedToken:
    """A token that a method counts, its part of the sentence and its cost.

    `is_continued` says that it continues the word of the token before it.
    """

    text: str
    part: str
    cost: float
    is_continued: bool = False
    is_across_edge: bool = False


@dataclass(frozen=True, slots=True)
class OptionSum:
    """The sum behind the cost of an option: counted tokens, plus `extra`, over `divisor`."""

    phrase: str
    tokens: tuple[CountedToken, ...]
    divisor: int = 1
    extra: float = 0.0

    @property
    def total(self) -> float:
        """The sum before it is divided."""
        return fsum([*(token.cost for token in self.tokens), self.extra])

    @property
    def cost(self) -> float:
        """The cost of the option."""
        return self.total / self.divisor

    @property
    def answer_length(self) -> int:
        """The number of counted tokens in the blank."""
        return sum(token.part in ANSWER_PARTS for token in self.tokens)


@dataclass(frozen=True, slots=True)
class Contribution:
    """How much a cause adds to the margin of the first option over the second; it may be negative.

    A word has its text and its part of the sentence.
    """

    cause: Cause
    value: float
    text: str = ""
    part: str = ""


def contributions(first: OptionSum, second: OptionSum) -> tuple[Contribution, ...]:
    """Divide the cost of the second option minus that of the first among its causes.

    - A word outside the blank, or a token across its edge, contributes its difference in cost. If
      the texts of a part differ, the part contributes as a whole.
    - The answer is cheaper by its words or by its length: of two answers with m and n tokens, the
      length contributes (n − m) times the mean of their mean costs per token, the words the rest.
    - If the method divides, differences are weighted with the mean of both weights (one over the
      divisor). What different divisors add belongs to the length.
    - A cost that the method subtracts, or adds, contributes its difference.

    This is the midpoint decomposition of a product, so neither option is the reference.
    """
    weights = 1 / first.divisor, 1 / second.divisor
    weight = sum(weights) / 2
    division = (weights[1] - weights[0]) * (first.total + second.total) / 2
    words, length = _of_answers(_in_answer(first), _in_answer(second))
    made = [
        *_of_parts(first, second),
        Contribution(Cause.ANSWER, words),
        Contribution(Cause.LENGTH, length),
        Contribution(Cause.OWN_COST, second.extra - first.extra),
    ]
    weighted = [
        Contribution(
            each.cause,
            each.value * weight + (division if each.cause is Cause.LENGTH else 0.0),
            each.text,
            each.part,
        )
        for each in made
    ]
    return tuple(each for each in weighted if each.value)


def deciding(parts: Sequence[Contribution]) -> Contribution | None:
    """Return the contribution that decides for the first option, None if no single one does.

    It decides if it is more than half of all that speaks for the first option, that is of the sum
    of the positive contributions.
    """
    in_favour = [each for each in parts if each.value > 0]
    largest = max(in_favour, key=lambda each: each.value, default=None)
    if largest is None or 2 * largest.value <= fsum(each.value for each in in_favour):
        return None
    return largest


def _in_answer(option: OptionSum) -> list[float]:
    return [token.cost for token in option.tokens if token.part in ANSWER_PARTS]


def _of_answers(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    """Divide the difference of two answers into that of their words and that of their lengths."""
    sums, lengths = (fsum(first), fsum(second)), (len(first), len(second))
    if not all(lengths):  # an answer without tokens differs by its length alone
        return 0.0, sums[1] - sums[0]
    means = sums[0] / lengths[0], sums[1] / lengths[1]
    length = (lengths[1] - lengths[0]) * sum(means) / 2
    return (means[1] - means[0]) * sum(lengths) / 2, length


def _of_parts(first: OptionSum, second: OptionSum) -> Iterator[Contribution]:
    """Compare the tokens outside the blank, part by part."""
    tokens = (*first.tokens, *second.tokens)
    for part in dict.fromkeys(token.part for token in tokens if token.part not in ANSWER_PARTS):
        mine, others = _words(first, part, is_across=False), _words(second, part, is_across=False)
        across = _words(first, part, is_across=True), _words(second, part, is_across=True)
        if [text for text, _ in mine] != [text for text, _ in others]:
            value = _sum(others) + _sum(across[1]) - _sum(mine) - _sum(across[0])
            yield Contribution(Cause.TEXT, value, part=part)
            continue
        for (text, cost), (_, other_cost) in zip(mine, others, strict=True):
            yield Contribution(Cause.WORD, other_cost - cost, text, part)
        if any(across):
            # Both orders give the same text, so exchanging the options changes only the sign.
            text = " / ".join(sorted({text for side in across for text, _ in side}))
            yield Contribution(Cause.EDGE, _sum(across[1]) - _sum(across[0]), text, part)


def _words(option: OptionSum, part: str, *, is_across: bool) -> list[tuple[str, float]]:
    """Join the tokens of a part that make one word, and add up their costs."""
    words: list[tuple[str, float]] = []
    for token in option.tokens:
        if token.part != part or token.is_across_edge != is_across:
            continue
        if token.is_continued and words:
            text, cost = words.pop()
            words.append((text + token.text, cost + token.cost))
        else:
            words.append((token.text, token.cost))
    return words


def _sum(words: Sequence[tuple[str, float]]) -> float:
    return fsum(cost for _, cost in words)
