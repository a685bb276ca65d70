"""Scoring methods of other programs for «WinoGrande accuracy», each in its own way.

They agree with the programs that they are named after wherever those read the same tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

from horsesense.models import CausalObservation, Family, Part, QueryKind
from horsesense.scoring.causal import NOTHING_AFTER, add_tokens, partial
from horsesense.scoring.method import Method, for_all
from horsesense.scoring.score import NO_BLANK, Result, Score, Undefined, score_each

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
    if not all(one.tokens.blanks for one in observations):
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
    return min([len(one.tokens.real) for one in observations]) - common > _LLAMA_CPP_TRAILING


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
    seamed = any(one.seam for one in observations)
    return "read with a space before what follows the blank" if seamed else ""


_CAUSAL = frozenset({QueryKind.CAUSAL})
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
        needs=_CAUSAL,
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
        needs=_CAUSAL,
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
        needs=_CAUSAL,
    ),
)
