"""Scoring methods of causal models (thesis 3.1.1).

BOS conditions and is never counted. The first token is the first real one, even after BOS.
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
    if not all(observation.tokens.blanks for observation in observations):
        return Undefined(NO_BLANK)
    after = max([len(observation.tokens.after_blanks) for observation in observations])
    tokens = f"{after} token{'' if after == 1 else 's'} after the last blank"
    if after > limit:
        return score_each(observations, bound(partial, mean=mean), note=f"partial: {tokens}")
    if any(observation.first is None for observation in observations):
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
    sources = [observation.first_from for observation in observations]
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


# llama.cpp leaves the options out where more tokens than this follow what they have in common.
_LLAMA_CPP_TRAILING = 3


def lm_eval(observation: CausalObservation) -> Score | Undefined:
    """Add up what lm-evaluation-harness does: what follows the option, given all before it.

    It is partial scoring, but what follows is always separated from the option by a space.
    """
    return partial(observation.seam or observation)


def lighteval(observation: CausalObservation) -> Score | Undefined:
    """Add up what lighteval does: the option and what follows it, given what comes before.

    What comes before is the same for all options, so that it ranks them as full scoring does where
    a space follows the blank. But here too one always separates the option from what follows:
    before a comma or a full stop the sentence is another one, and so may be the ranking.
    """
    read = observation.seam or observation
    if not read.tokens.blanks:
        return Undefined(NO_BLANK)
    parts, prefix = read.tokens.parts, Part.PREFIX
    return add_tokens(read, tuple([at for at in read.tokens.real if parts[at] is not prefix]))


def llama_cpp(observations: Sequence[CausalObservation]) -> Result:
    """Take the mean that llama.cpp does: of what follows the option, without the last token.

    Where at most three tokens of a sentence follow those that both begin with, it is all of
    them that do, again without the last one. There llama.cpp itself reads the logits of a wrong
    position for the first of these tokens, as its source admits; that is not repeated here.
    """
    if len(observations) != 2:
        return Undefined("llama.cpp knows problems with two options only")
    if not all(observation.tokens.blanks for observation in observations):
        return Undefined(NO_BLANK)
    common = _common_prefix(_ids(observations[0]), _ids(observations[1]))
    if _is_trailed(observations, common):
        note = "what follows the option, without the last token"
        return score_each(observations, _mean_after_blank, note=note)
    note = "what follows the tokens in common, without the last token"
    return score_each(observations, lambda one: _mean_from(one, common), note=note)


def _mean_after_blank(observation: CausalObservation) -> Score | Undefined:
    after = observation.tokens.after_blanks
    return _without_last(observation, after) if after else Undefined(NOTHING_AFTER)


def _mean_from(observation: CausalObservation, common: int) -> Score | Undefined:
    return _without_last(observation, observation.tokens.real[common:])


def _without_last(observation: CausalObservation, counted: tuple[int, ...]) -> Score | Undefined:
    kept = counted[:-1] if len(counted) > 1 else counted
    return add_tokens(observation, kept, mean=True)


def _is_trailed(observations: Sequence[CausalObservation], common: int) -> bool:
    return (
        min([len(observation.tokens.real) for observation in observations]) - common
        > _LLAMA_CPP_TRAILING
    )


def _ids(observation: CausalObservation) -> tuple[int, ...]:
    ids, real = observation.tokens.reading.ids, observation.tokens.real
    return ids if len(real) == len(ids) else tuple([ids[at] for at in real])


def _common_prefix(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """How many tokens both begin with.

    >>> _common_prefix((5, 6, 7), (5, 6, 8, 9))
    2
    """
    common = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        common += 1
    return common


def _with_seams(observations: Sequence[CausalObservation]) -> str:
    seamed = any(observation.seam for observation in observations)
    return "read with a space before what follows the blank" if seamed else ""


_CAUSAL_COMPAT = frozenset({QueryKind.CAUSAL})
COMPAT_METHODS = (
    Method(
        "compat:lm-eval",
        Family.CAUSAL,
        "WinoGrande as in lm-evaluation-harness",
        "the tokens after the last blank, which is followed by a space",
        for_all(
            CausalObservation,
            lambda found: score_each(found, lm_eval, note=_with_seams(found)),
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
            lambda found: score_each(found, lighteval, note=_with_seams(found)),
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
        divides_by="the tokens added up",
        needs=_CAUSAL_COMPAT,
    ),
)
