"""Scoring methods of masked models (thesis 3.1.2), and three from other papers.

Tokens are masked one at a time, or those of the blanks all at once. Special tokens around a text
cost nothing, but the mean of a statement divides by the number of tokens including them, as in the
thesis.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial as bound
from math import exp, fsum, log

from horsesense.models import Family, LogProbs, MaskedObservation, QueryKind, TokenSpans
from horsesense.scoring.method import (
    EMPTY_BLANK,
    NO_BLANK,
    NO_TOKENS,
    Method,
    Score,
    Undefined,
    add_up,
    for_each,
    loss_of,
    mean_of,
)


def multi_mask(observation: MaskedObservation, *, mean: bool = False) -> Score | Undefined:
    """Add up the tokens of the blanks, masked all at once (3.20); the mean is the loss (3.19)."""
    return _of_blanks(observation.tokens, observation.multi, mean=mean)


def answer(observation: MaskedObservation, *, mean: bool = False) -> Score | Undefined:
    """Add up the tokens of the blanks, each masked alone (3.24), or take their mean (3.25)."""
    return _of_blanks(observation.tokens, observation.single, mean=mean)


def statement(observation: MaskedObservation, *, mean: bool = False) -> Score | Undefined:
    """Add up all tokens of the sentence, each masked alone (3.22).

    The mean divides by the number of tokens including special ones (3.23), as in the thesis.
    """
    return _of_sentence(observation.tokens, observation.single, mean=mean)


def within_word(observation: MaskedObservation, *, mean: bool = False) -> Score | Undefined:
    """Add up all tokens, each masked with the rest of its word (Kauf and Ivanova 2023).

    So the end of a rare word does not give its beginning away. The mean divides by the same number
    as that of `statement`, so the two differ only in what is masked.
    """
    return _of_sentence(observation.tokens, observation.within_word, mean=mean)


def abdou(observation: MaskedObservation) -> Score | Undefined:
    """Take the mean *probability* of the blanks' tokens, masked all at once (Abdou et al. 2020).

    The cost is not the sum of the tokens' costs: `extra` is the difference.
    """
    summed = multi_mask(observation)
    if isinstance(summed, Undefined):
        return summed
    log_probs = [observation.multi[position] for position in summed.counted]
    cost = _mean_probability_cost([value for value in log_probs if value is not None])
    return Score(cost, summed.counted, 1, cost - summed.cost)


def zero_shot(observation: MaskedObservation) -> Score | Undefined:
    """Score the single token of the only blank, masked (Elazar et al. 2021, section 6.1).

    A model that sees how many tokens are masked learns something about the answer, and one
    token of a word gives another away. So the rule is defined for single tokens alone.
    """
    if len(observation.tokens.blanks) > 1:
        return Undefined("there is more than one blank")
    if any(len(positions) > 1 for positions in observation.tokens.by_blank):
        return Undefined("a blank has more than one token")
    return multi_mask(observation)


def _of_blanks(tokens: TokenSpans, log_probs: LogProbs, *, mean: bool) -> Score | Undefined:
    if not tokens.blanks:
        return Undefined(NO_BLANK)
    if not all(tokens.by_blank):
        return Undefined(EMPTY_BLANK)
    counted = tokens.in_blanks
    return add_up(log_probs, counted, divisor=len(counted) if mean else 1)


def _of_sentence(tokens: TokenSpans, log_probs: LogProbs, *, mean: bool) -> Score | Undefined:
    if not tokens.real:
        return Undefined(NO_TOKENS)
    return add_up(log_probs, tokens.real, divisor=len(tokens.parts) if mean else 1)


def _mean_probability_cost(log_probs: Sequence[float]) -> float:
    """Return the negated logarithm of the mean probability, even if all of them are tiny.

    >>> round(exp(-_mean_probability_cost([log(0.25), log(0.75)])), 6)
    0.5
    """
    highest = max(log_probs)
    total = fsum(exp(log_prob - highest) for log_prob in log_probs)
    return log(len(log_probs)) - log(total) - highest


_MULTI_MASK = Method(
    "multi-mask",
    Family.MASKED,
    "multi-mask",
    "the tokens of the blanks, all masked at once",
    for_each(MaskedObservation, multi_mask),
    equation="3.20",
    needs=frozenset({QueryKind.MULTI_MASK}),
)
_STATEMENT = Method(
    "statement",
    Family.MASKED,
    "single-mask statement",
    "all tokens, each masked alone",
    for_each(MaskedObservation, statement),
    equation="3.22",
    needs=frozenset({QueryKind.SINGLE_MASK}),
)
_ANSWER = Method(
    "answer",
    Family.MASKED,
    "single-mask answer",
    "the tokens of the blanks, each masked alone",
    for_each(MaskedObservation, answer),
    equation="3.24",
    needs=frozenset({QueryKind.SINGLE_MASK}),
    of_blanks=True,
)
_ABDOU = Method(
    "abdou",
    Family.MASKED,
    "mean probability (Abdou)",
    "the probabilities of the tokens of the blanks, all masked at once",
    for_each(MaskedObservation, abdou),
    divides_by="the tokens of the blanks, before the logarithm",
    needs=frozenset({QueryKind.MULTI_MASK}),
)
_WITHIN_WORD = Method(
    "within-word",
    Family.MASKED,
    "within-word left-to-right",
    "all tokens, each masked with those that follow it in its word",
    for_each(MaskedObservation, within_word),
    needs=frozenset({QueryKind.WITHIN_WORD}),
)
_ZERO_SHOT = Method(
    "zero-shot",
    Family.MASKED,
    "zero-shot (Elazar)",
    "the token of the blank, masked; only where every option is a single token",
    for_each(MaskedObservation, zero_shot),
    needs=frozenset({QueryKind.MULTI_MASK}),
)
MASKED_METHODS = (
    _MULTI_MASK,
    loss_of(
        _MULTI_MASK,
        for_each(MaskedObservation, bound(multi_mask, mean=True)),
        divides_by="the masked tokens",
        equation="3.19",
    ),
    _STATEMENT,
    mean_of(
        _STATEMENT,
        for_each(MaskedObservation, bound(statement, mean=True)),
        divides_by="all tokens, special ones included",
        equation="3.23",
    ),
    _ANSWER,
    mean_of(
        _ANSWER,
        for_each(MaskedObservation, bound(answer, mean=True)),
        divides_by="the tokens of the blanks",
        equation="3.25",
    ),
    _ABDOU,
    _WITHIN_WORD,
    mean_of(
        _WITHIN_WORD,
        for_each(MaskedObservation, bound(within_word, mean=True)),
        divides_by="all tokens, special ones included",
    ),
    _ZERO_SHOT,
)
