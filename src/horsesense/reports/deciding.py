"""A sentence that says what decided a problem: the first line of an explanation."""

from __future__ import annotations

from collections.abc import Sequence

from horsesense.reports.wording import counted
from horsesense.results.measuring import Undecided, why_undecided
from horsesense.scoring.chat import ReplyFault
from horsesense.scoring.deciding import (
    Cause,
    Contribution,
    OptionSum,
    contributions,
    deciding,
)
from horsesense.scoring.outcome import Answer, Outcome

_BEFORE = "prefix"


def deciding_sentence(
    outcome: Outcome | None,
    options: Sequence[str],
    sums: Sequence[OptionSum] = (),
    twin: Outcome | None = None,
    twin_options: Sequence[str] = (),
    reason: str = "they cost the same",
) -> str:
    """Say which option is preferred, what decided that, and what is preferred in the twin.

    The preferred option is compared with the next one by the rule of `contributions` and
    `deciding`. Without sums, no reason is given. It is empty if the choice is not known. `reason`
    says why the problem is undecided, if it is.
    """
    if outcome is None or not outcome.has_choice or not outcome.costs:
        return ""
    if outcome.chosen is None:
        said = f"It prefers neither option: {reason}"
    else:
        said = f"It prefers {_quoted(options[outcome.chosen])}"
        if sums:
            said += _reason(*_compared(outcome, outcome.chosen, sums))
    return f"{said}{_of_twin(outcome, options, twin, twin_options)}."


def reason_in_words(answer: Answer) -> str:
    """Say why an answer is undecided; for a chat model, other reasons than equal costs.

    >>> from horsesense.scoring import Answer, decide
    >>> outcome = decide((0.5, 0.5), 0)
    >>> reason_in_words(Answer("owl", 1, outcome, tags=frozenset({"follows-position"})))
    'the choice follows the order of the options'
    """
    reason = why_undecided(answer)
    if reason is Undecided.NO_ANSWER:
        faults = sorted(fault.value for fault in ReplyFault if fault.value in answer.tags)
        return f"a reply is {' and one is '.join(faults)}"
    return "they cost the same" if reason in (None, Undecided.EQUAL) else str(reason)


def _compared(
    outcome: Outcome, chosen: int, sums: Sequence[OptionSum]
) -> tuple[OptionSum, OptionSum]:
    """Return the sums of the preferred option and of the next one."""
    others = [option for option in range(len(sums)) if option != chosen]
    return sums[chosen], sums[min(others, key=outcome.costs.__getitem__)]


def _reason(preferred: OptionSum, other: OptionSum) -> str:
    """Say what decided between two options."""
    parts = contributions(preferred, other)
    unit = "nats" if preferred.divisor == other.divisor == 1 else "nats per token"
    decisive = deciding(parts)
    if decisive is not None:
        return f" because {_because(decisive, preferred, other)} ({decisive.value:.1f} {unit})"
    in_favour = [each for each in parts if each.value > 0]
    if not in_favour:
        return ""
    largest = max(in_favour, key=lambda each: each.value)
    total = sum(each.value for each in in_favour)
    return (
        f", but no single word decides: the most, {largest.value:.1f} of {total:.1f} {unit} in its"
        f" favour, comes from {_named(largest)}"
    )


def _because(decisive: Contribution, preferred: OptionSum, other: OptionSum) -> str:
    text = f"“{decisive.text}”"
    match decisive.cause:
        case Cause.ANSWER:
            return "the answer itself is more likely"
        case Cause.LENGTH:
            return _by_length(preferred, other)
        case Cause.EDGE:
            return f"a token across the edge of the blank is more likely: {text}"
        case Cause.TEXT:
            return f"the text {_place(decisive)} differs between the options"
        case Cause.OWN_COST:
            return "of the answer’s own cost, which the method subtracts"
    if decisive.part == _BEFORE:
        return f"{text}, before the blank, is more likely with it"
    if decisive.text in preferred.phrase.split():
        return f"{text} recurs later"
    return f"{text} is more likely after it"


def _by_length(preferred: OptionSum, other: OptionSum) -> str:
    length, other_length = preferred.answer_length, other.answer_length
    if length == other_length:
        return f"its sum is divided by {preferred.divisor}, not by {other.divisor}"
    longer = "longer" if length > other_length else "shorter"
    return f"it is {longer}: {counted(length, 'token')}, not {other_length}"


def _named(largest: Contribution) -> str:
    match largest.cause:
        case Cause.WORD | Cause.EDGE:
            return f"“{largest.text}”"
        case Cause.TEXT:
            return f"the text {_place(largest)}"
    return str(largest.cause)


def _place(contribution: Contribution) -> str:
    return "before the blank" if contribution.part == _BEFORE else "after the blank"


def _of_twin(
    outcome: Outcome,
    options: Sequence[str],
    twin: Outcome | None,
    twin_options: Sequence[str],
) -> str:
    if twin is None or not twin.has_choice or not twin.costs:
        return ""
    if twin.chosen is None:
        return "; the twin is undecided"
    answer = twin_options[twin.chosen]
    if outcome.chosen is not None and options[outcome.chosen] == answer:
        return f"; it prefers {_quoted(answer)} in the twin too"
    return f"; in the twin it prefers {_quoted(answer)}"


def _quoted(option: str) -> str:
    return f"“{option}”" if option else "the empty option"
