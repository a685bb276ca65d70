"""Scoring methods of causal models (thesis 3.1.1).

BOS conditions and is never counted. The first token is the first real one, even after BOS.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial as bound
from typing import Protocol

from horsesense.models import (
    CausalObservation,
    Family,
    FirstToken,
    QueryKind,
)
from horsesense.scoring.method import Function, Method, for_all, for_each, loss_of, mean_of
from horsesense.scoring.score import (
    EMPTY_BLANK,
    NO_ALONE,
    NO_BLANK,
    NO_FIRST,
    NO_TOKENS,
    Result,
    Score,
    Undefined,
    add_up,
    score_each,
)

NOTHING_AFTER = "no token follows the last blank"
_FIRST_NOTES = {
    FirstToken.TABLE: "the first token by its frequency",
    FirstToken.FLOOR: "the first token occurs nowhere in the table of frequencies: its floor",
}


class Rule(Protocol):
    """How one option is scored, by itself."""

    def __call__(self, observation: CausalObservation, *, mean: bool) -> Score | Undefined: ...


def full(observation: CausalObservation, *, mean: bool = False) -> Score | Undefined:
    """All tokens (3.10); the mean divides by their number (3.12)."""
    return add_tokens(observation, observation.tokens.real, mean=mean)


def all_but_first(observation: CausalObservation, *, mean: bool = False) -> Score | Undefined:
    """All tokens but the first (3.15); the mean is the model's loss (3.8)."""
    return add_tokens(observation, observation.tokens.real[1:], mean=mean)


def partial(observation: CausalObservation, *, mean: bool = False) -> Score | Undefined:
    """The tokens after the last blank (3.9); the mean divides by their number (3.13)."""
    if not observation.tokens.blanks:
        return Undefined(NO_BLANK)
    after = observation.tokens.after_blanks
    return add_tokens(observation, after, mean=mean) if after else Undefined(NOTHING_AFTER)


def normalized_full(observation: CausalObservation, *, mean: bool = False) -> Score | Undefined:
    """All tokens, without what the phrases in the blanks cost by themselves (3.11).

    The mean divides by the number of tokens outside the blanks (3.14). With two blanks each
    phrase stands alone, and their costs are added, on which the thesis is silent.
    """
    if not observation.tokens.blanks:
        return Undefined(NO_BLANK)
    if not all(observation.tokens.by_blank):
        return Undefined(EMPTY_BLANK)
    if observation.first is None:
        return Undefined(NO_FIRST)
    if observation.alone is None:
        return Undefined(NO_ALONE)
    counted = observation.tokens.real
    outside = len(counted) - len(observation.tokens.in_blanks)
    if mean and not outside:
        return Undefined("no token stands outside the blanks")
    divisor = outside if mean else 1
    return add_up(observation.known, counted, divisor=divisor, extra=observation.alone)


def smart(
    observations: Sequence[CausalObservation], limit: int = 1, *, mean: bool = False
) -> Result:
    """Full where at most `limit` tokens follow the last blank, else partial (thesis 3.1.1).

    That is decided once for the problem, by the option that is followed by most tokens. Where
    the first token has no probability, all-but-first takes the place of full.
    """
    if not all(one.tokens.blanks for one in observations):
        return Undefined(NO_BLANK)
    after = max([len(one.tokens.after_blanks) for one in observations])
    tokens = f"{after} token{'' if after == 1 else 's'} after the last blank"
    if after > limit:
        return score_each(observations, bound(partial, mean=mean), note=f"partial: {tokens}")
    if any(one.first is None for one in observations):
        note = f"all-but-first in place of full: {tokens}, and {NO_FIRST}"
        return score_each(observations, bound(all_but_first, mean=mean), note=note)
    note = "; ".join(filter(None, (f"full: {tokens}", first_note(observations))))
    return score_each(observations, bound(full, mean=mean), note=note)


def add_tokens(
    observation: CausalObservation, counted: tuple[int, ...], *, mean: bool = False
) -> Score | Undefined:
    """Add up those tokens, or take their mean; undefined where the first lacks a probability.

    They are counted in the order of the sentence.
    """
    if not counted:
        return Undefined(NO_TOKENS)
    if observation.first is None and observation.tokens.real[0] == counted[0]:
        return Undefined(NO_FIRST)
    return add_up(observation.known, counted, divisor=len(counted) if mean else 1)


def first_note(observations: Sequence[CausalObservation]) -> str:
    """Where the probabilities of the first tokens come from, if not from the model."""
    sources = [one.first_from for one in observations]
    return "; ".join([note for source, note in _FIRST_NOTES.items() if source in sources])


def smart_method(limit: int, *, mean: bool = False) -> Method:
    """Smart scoring at that limit.

    >>> smart_method(2, mean=True).name
    'mean-smart@2'
    """
    summed = Method(
        name=f"smart@{limit}",
        family=Family.CAUSAL,
        title=f"smart at limit {limit}",
        adds_up=f"as full where at most {limit} tokens follow the last blank, else as partial",
        function=for_all(CausalObservation, bound(smart, limit=limit, mean=mean)),
        equation="3.1.1",
        needs=_CAUSAL,
    )
    if not mean:
        return summed
    return mean_of(summed, summed.function, divides_by="the number of tokens added up")


def _function(rule: Rule, *, mean: bool = False) -> Function:
    return for_each(CausalObservation, bound(rule, mean=mean))


def _noting_first(rule: Rule, *, mean: bool = False) -> Function:
    """Each option by that rule, with a note on where the first token's probability is from."""
    scored = bound(rule, mean=mean)
    return for_all(
        CausalObservation, lambda found: score_each(found, scored, note=first_note(found))
    )


_CAUSAL = frozenset({QueryKind.CAUSAL})
_FULL = Method(
    "full",
    Family.CAUSAL,
    "full",
    "all tokens, the first by BOS or by its frequency",
    _noting_first(full),
    equation="3.10",
    needs=_CAUSAL,
    needs_first=True,
)
_ALL_BUT_FIRST = Method(
    "all-but-first",
    Family.CAUSAL,
    "all-but-first",
    "all tokens but the first",
    _function(all_but_first),
    equation="3.15",
    needs=_CAUSAL,
)
_PARTIAL = Method(
    "partial",
    Family.CAUSAL,
    "partial",
    "the tokens after the last blank",
    _function(partial),
    equation="3.9",
    needs=_CAUSAL,
)
_NORMALIZED_FULL = Method(
    "normalized-full",
    Family.CAUSAL,
    "normalized full",
    "as full, minus what the phrase in the blank costs by itself",
    _noting_first(normalized_full),
    equation="3.11",
    needs=_CAUSAL,
    needs_first=True,
    needs_alone=True,
)
CAUSAL_METHODS = (
    _FULL,
    mean_of(
        _FULL,
        _noting_first(full, mean=True),
        divides_by="all tokens",
        equation="3.12",
    ),
    _ALL_BUT_FIRST,
    loss_of(
        _ALL_BUT_FIRST,
        _function(all_but_first, mean=True),
        divides_by="all tokens but the first",
        equation="3.8",
    ),
    _PARTIAL,
    mean_of(
        _PARTIAL,
        _function(partial, mean=True),
        divides_by="the tokens after the last blank",
        equation="3.13",
    ),
    _NORMALIZED_FULL,
    mean_of(
        _NORMALIZED_FULL,
        _noting_first(normalized_full, mean=True),
        divides_by="the tokens outside the blanks",
        equation="3.14",
    ),
    smart_method(1),
    smart_method(1, mean=True),
)
