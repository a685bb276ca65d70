"""The sums that methods of causal models share, added up once for all of them.

Thirteen methods add up the same few stretches of tokens again and again. Here every stretch of
an option is added up once, and a method chooses its own: costs alone, without the positions that
its function gives. Unusual sentences are left to the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from math import fsum
from operator import truediv
from typing import NamedTuple, TypeAlias, cast

from horsesense.models.observation import CausalObservation, Observation, Part, Placed
from horsesense.scoring.score import EMPTY_BLANK, NO_ALONE, NO_FIRST, Undefined


class Stretch(IntEnum):
    """Tokens that are added up, by the method that they are best known from.

    Without the last is what comes after the last blank but for the last token, if there are
    more; the two seams are of the sentence with a space after its blank.
    """

    FULL = 0
    ALL_BUT_FIRST = 1
    PARTIAL = 2
    WITHOUT_LAST = 3
    NORMALIZED = 4
    SEAM_PARTIAL = 5
    SEAM_FROM_BLANK = 6

    # That of an enumeration is no match for it, and every choice is looked up.
    __hash__ = int.__hash__


class Tally(NamedTuple):
    """All stretches of a problem: for each stretch, something for each option.

    That is what it costs, by how many tokens a mean divides it, and why it has no cost.
    """

    observations: Sequence[CausalObservation]
    costs: tuple[tuple[float | None, ...], ...]
    sizes: tuple[tuple[int, ...], ...]
    reasons: tuple[tuple[Undefined | None, ...], ...]


class Choice(NamedTuple):
    """The stretch that a method adds up for all options of a problem, and whether it divides."""

    stretch: Stretch
    mean: bool = False


class Costs(NamedTuple):
    """The costs of the options, and the largest number that one was divided by."""

    costs: tuple[float, ...]
    divisor: int


# None leaves it to the method's function.
Choose: TypeAlias = Callable[[Tally], Choice | None]
# The cost of each stretch of one option, its size, and why it has no cost.
_Sums: TypeAlias = tuple[tuple[float | None, ...], tuple[int, ...], tuple[Undefined | None, ...]]

_WITHOUT_FIRST, _WITHOUT_ALONE, _EMPTY = map(Undefined, (NO_FIRST, NO_ALONE, EMPTY_BLANK))


def always(stretch: Stretch, *, mean: bool = False) -> Choose:
    """The same stretch for every problem."""
    choice = Choice(stretch, mean)
    return lambda tally: choice


def costs_of(choice: Choice, tally: Tally) -> Costs | Undefined | None:
    """The costs of the options, or why all lack them; None where only some do, or differ in why."""
    stretch, mean = choice
    costs, sizes = tally.costs[stretch], tally.sizes[stretch]
    if None in costs:
        reasons = tally.reasons[stretch]
        return reasons[0] if reasons.count(reasons[0]) == len(reasons) else None
    found = cast("tuple[float, ...]", costs)
    return Costs(tuple(map(truediv, found, sizes)), max(sizes)) if mean else Costs(found, 1)


def tally(observations: Sequence[Observation]) -> Tally | None:
    """Add up all stretches of a problem; None if one of its options is out of the ordinary."""
    options = []
    for one in observations:
        sums = _with_seam(one) if isinstance(one, CausalObservation) else None
        if sums is None:
            return None
        options.append(sums)
    by_kind = zip(*options, strict=True)
    costs, sizes, reasons = [tuple(zip(*each, strict=True)) for each in by_kind]
    return Tally(cast("Sequence[CausalObservation]", observations), costs, sizes, reasons)


def _with_seam(observation: CausalObservation) -> _Sums | None:
    sums = _sums(observation)
    if sums is None or observation.seam is None:
        return sums
    seam, at = _sums(observation.seam), Stretch.SEAM_PARTIAL
    if seam is None:
        return None
    return sums[0][:at] + seam[0][at:], sums[1][:at] + seam[1][at:], sums[2][:at] + seam[2][at:]


def _sums(observation: CausalObservation) -> _Sums | None:
    """The stretches of one sentence, which is its own seam."""
    tokens, first = observation.tokens, observation.first
    if not _is_ordinary(tokens):
        return None
    rest = observation.log_probs[tokens.real[0] + 1 : tokens.real[-1] + 1]
    if None in rest:
        return None
    known = cast("tuple[float, ...]", rest)
    size, after = len(known), len(tokens.after_blanks)
    shorter = max(after - 1, 1)
    from_blank = size + 1 - tokens.parts.count(Part.PREFIX)
    full = None if first is None else _cost((first, *known))
    partial = _cost(known[size - after :])
    normalized, why_not = _normalized(observation, full)
    costs = (
        full,
        _cost(known),
        partial,
        _cost(known[size - after : size - after + shorter]),
        normalized,
        partial,
        _cost(known[size - from_blank :]) if from_blank <= size else full,
    )
    outside = size + 1 - len(tokens.in_blanks)
    no_first = _WITHOUT_FIRST if full is None else None
    no_start = no_first if from_blank > size else None
    reasons = (no_first, None, None, None, why_not, None, no_start)
    return costs, (size + 1, size, after, shorter, outside, after, from_blank), reasons


def _is_ordinary(tokens: Placed) -> bool:
    """True if all tokens stand in the order of the parts, and something before what is after."""
    real, after = tokens.real, tokens.after_blanks
    if not after or not tokens.in_blanks or len(real) != real[-1] - real[0] + 1:
        return False
    before = tokens.parts.count(Part.PREFIX)
    return (
        real[0] < after[0] == real[-1] + 1 - len(after)
        and after[-1] == real[-1]
        and tokens.parts[real[0] : real[0] + before] == (Part.PREFIX,) * before
    )


def _cost(log_probs: tuple[float, ...]) -> float:
    return 0.0 - fsum(log_probs)


def _normalized(
    observation: CausalObservation, full: float | None
) -> tuple[float | None, Undefined | None]:
    """The cost of the whole without the phrases by themselves, or why there is none."""
    if not all(observation.tokens.by_blank):
        return None, _EMPTY
    if full is None:
        return None, _WITHOUT_FIRST
    if observation.alone is None:
        return None, _WITHOUT_ALONE
    return observation.alone + full, None
