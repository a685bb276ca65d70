"""Scoring methods of causal models (thesis 3.1.1).

BOS is context only and never counted. The first token is the first real one, even after BOS.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial as bound
from typing import Protocol

from horsesense.models import CausalObservation, Family, FirstToken, Part, QueryKind
from horsesense.scoring.method import (
    EMPTY_BLANK,
    NO_ALONE,
    NO_BLANK,
    NO_FIRST,
    NO_TOKENS,
    Function,
    Method,
    Result,
    Score,
    Undefined,
    add_up,
    for_all,
    for_each,
    loss_of,
    mean_of,
    score_each,
)

NOTHING_AFTER = "no token follows the last blank"
_FIRST_NOTES = {
    FirstToken.TABLE: "the first token is scored by its frequency",
    FirstToken.FLOOR: "the first token is not in the frequency table; the lowest value is used",
}


class OptionRule(Protocol):
    """A function that scores one option by itself."""

    def __call__(self, observation: CausalObservation, *, mean: bool) -> Score | Undefined: ...


def full(observation: CausalObservation, *, mean: bool = False) -> Score | Undefined:
    """Add up all tokens (3.10); the mean divides by their number (3.12)."""
    return add_tokens(observation, observation.tokens.real, mean=mean)


def all_but_first(observation: CausalObservation, *, mean: bool = False) -> Score | Undefined:
    """Add up all tokens but the first (3.15); the mean is the model's loss (3.8)."""
    return add_tokens(observation, observation.tokens.real[1:], mean=mean)


def partial(observation: CausalObservation, *, mean: bool = False) -> Score | Undefined:
    """Add up the tokens after the last blank (3.9); the mean divides by their number (3.13)."""
    if not observation.tokens.blanks:
        return Undefined(NO_BLANK)
    after = observation.tokens.after_blanks
    return add_tokens(observation, after, mean=mean) if after else Undefined(NOTHING_AFTER)


def normalized_full(observation: CausalObservation, *, mean: bool = False) -> Score | Undefined:
    """Add up all tokens, and subtract the costs of the phrases in the blanks by themselves (3.11).

    The mean divides by the number of tokens outside the blanks (3.14). The thesis does not say what
    to do with two blanks; here the costs of both phrases by themselves are subtracted.
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
        return Undefined("there are no tokens outside the blanks")
    divisor = outside if mean else 1
    return add_up(observation.known, counted, divisor=divisor, extra=observation.alone)


def smart(
    observations: Sequence[CausalObservation], limit: int = 1, *, mean: bool = False
) -> Result:
    """Score like full if at most `limit` tokens follow the last blank, else partial (thesis 3.1.1).

    The choice is made once per problem, by the option that is followed by most tokens. If the first
    token has no probability, all-but-first is used instead of full.
    """
    if not all(observation.tokens.blanks for observation in observations):
        return Undefined(NO_BLANK)
    after = max([len(observation.tokens.after_blanks) for observation in observations])
    tokens = f"{after} token{'' if after == 1 else 's'} after the last blank"
    if after > limit:
        return score_each(observations, bound(partial, mean=mean), note=f"partial: {tokens}")
    if any(observation.first is None for observation in observations):
        note = f"all-but-first instead of full: {tokens}, and {NO_FIRST}"
        return score_each(observations, bound(all_but_first, mean=mean), note=note)
    note = "; ".join(filter(None, (f"full: {tokens}", first_note(observations))))
    return score_each(observations, bound(full, mean=mean), note=note)


def add_tokens(
    observation: CausalObservation, counted: tuple[int, ...], *, mean: bool = False
) -> Score | Undefined:
    """Add up those tokens, or take their mean; undefined if the first has no probability.

    The positions are in the order of the sentence.
    """
    if not counted:
        return Undefined(NO_TOKENS)
    if observation.first is None and observation.tokens.real[0] == counted[0]:
        return Undefined(NO_FIRST)
    return add_up(observation.known, counted, divisor=len(counted) if mean else 1)


def first_note(observations: Sequence[CausalObservation]) -> str:
    """Describe the sources of the first tokens' probabilities that are not the model."""
    sources = [observation.first_from for observation in observations]
    return "; ".join([note for source, note in _FIRST_NOTES.items() if source in sources])


def smart_method(limit: int, *, mean: bool = False) -> Method:
    """Return the smart method with that limit.

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
    return mean_of(summed, summed.function, divides_by="the number of tokens summed")


def _function(rule: OptionRule, *, mean: bool = False) -> Function:
    return for_each(CausalObservation, bound(rule, mean=mean))


def _noting_first(rule: OptionRule, *, mean: bool = False) -> Function:
    """Score each option by that rule, and note where the first token's probability comes from."""
    scorer = bound(rule, mean=mean)
    return for_all(
        CausalObservation,
        lambda observations: score_each(observations, scorer, note=first_note(observations)),
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
    "as full, minus the cost of the phrase in the blank by itself",
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


# llama.cpp does not score the options themselves if more tokens than this follow what the
# sentences have in common.
_LLAMA_CPP_TRAILING = 3


def lm_eval(observation: CausalObservation) -> Score | Undefined:
    """Score like lm-evaluation-harness: add up the tokens after the option.

    This is partial scoring, except that a space always follows the option.
    """
    return partial(observation.seam or observation)


def lighteval(observation: CausalObservation) -> Score | Undefined:
    """Score like lighteval: add up the tokens of the option and those after it.

    All options have the same text before the blank, so the ranking is that of full scoring if a
    space follows the blank. But here a space always follows the option: before a comma or a full
    stop the sentence is a different one, and the ranking may be different too.
    """
    read = observation.seam or observation
    if not read.tokens.blanks:
        return Undefined(NO_BLANK)
    parts, prefix = read.tokens.parts, Part.PREFIX
    return add_tokens(read, tuple([at for at in read.tokens.real if parts[at] is not prefix]))


def llama_cpp(observations: Sequence[CausalObservation]) -> Result:
    """Score like llama.cpp: take the mean of the tokens after the option, without the last one.

    If at most three tokens of a sentence follow the prefix that both sentences share, take the mean
    of all of them, again without the last one. In that case llama.cpp itself uses the logits of a
    wrong position for the first of these tokens, as its source admits; we use the right ones.
    """
    if len(observations) != 2:
        return Undefined("llama.cpp scores only problems with two options")
    if not all(observation.tokens.blanks for observation in observations):
        return Undefined(NO_BLANK)
    common = _common_prefix(_ids(observations[0]), _ids(observations[1]))
    if _has_long_end(observations, common):
        note = "what follows the option, without the last token"
        return score_each(observations, _mean_after_blank, note=note)
    note = "what follows the tokens in common, without the last token"
    return score_each(observations, lambda observation: _mean_from(observation, common), note=note)


def _mean_after_blank(observation: CausalObservation) -> Score | Undefined:
    after = observation.tokens.after_blanks
    return _without_last(observation, after) if after else Undefined(NOTHING_AFTER)


def _mean_from(observation: CausalObservation, common: int) -> Score | Undefined:
    return _without_last(observation, observation.tokens.real[common:])


def _without_last(observation: CausalObservation, counted: tuple[int, ...]) -> Score | Undefined:
    kept = counted[:-1] if len(counted) > 1 else counted
    return add_tokens(observation, kept, mean=True)


def _has_long_end(observations: Sequence[CausalObservation], common: int) -> bool:
    return (
        min([len(observation.tokens.real) for observation in observations]) - common
        > _LLAMA_CPP_TRAILING
    )


def _ids(observation: CausalObservation) -> tuple[int, ...]:
    ids, real = observation.tokens.tokenization.ids, observation.tokens.real
    return ids if len(real) == len(ids) else tuple([ids[at] for at in real])


def _common_prefix(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """Return how many tokens both begin with.

    >>> _common_prefix((5, 6, 7), (5, 6, 8, 9))
    2
    """
    common = 0
    for a, b in zip(first, second, strict=False):
        if a != b:
            break
        common += 1
    return common


def _seam_note(observations: Sequence[CausalObservation]) -> str:
    has_seam = any(observation.seam for observation in observations)
    return "tokenized with a space before the text after the blank" if has_seam else ""


_CAUSAL_COMPAT = frozenset({QueryKind.CAUSAL})
COMPAT_METHODS = (
    Method(
        "compat:lm-eval",
        Family.CAUSAL,
        "WinoGrande as in lm-evaluation-harness",
        "the tokens after the last blank, which is followed by a space",
        for_all(
            CausalObservation,
            lambda observations: score_each(observations, lm_eval, note=_seam_note(observations)),
        ),
        needs=_CAUSAL_COMPAT,
        needs_seam=True,
    ),
    Method(
        "compat:lighteval",
        Family.CAUSAL,
        "WinoGrande as in lighteval",
        "the tokens from the first blank to the end, the last blank followed by a space",
        for_all(
            CausalObservation,
            lambda observations: score_each(observations, lighteval, note=_seam_note(observations)),
        ),
        needs=_CAUSAL_COMPAT,
        needs_seam=True,
    ),
    Method(
        "compat:llama.cpp",
        Family.CAUSAL,
        "WinoGrande as in llama.cpp",
        "the tokens after the last blank without the last one; from where the options differ "
        "if no more than three tokens follow there",
        for_all(CausalObservation, llama_cpp),
        divides_by="the tokens summed",
        needs=_CAUSAL_COMPAT,
    ),
)
