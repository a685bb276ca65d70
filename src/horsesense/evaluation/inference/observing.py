"""From answers to observations: the numbers put beside the tokens that they belong to. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import fsum
from typing import NamedTuple, TypeAlias

from horsesense.evaluation.inference.queries import CausalPlan, MaskedPlan, Plan
from horsesense.evaluation.inference.spans import SpansPlan
from horsesense.models import (
    CausalObservation,
    FirstToken,
    Label,
    LabelPart,
    LogProbs,
    MaskedObservation,
    Observation,
    Query,
    SpansObservation,
)

Given: TypeAlias = Mapping[Query, tuple[float, ...]]


class First(NamedTuple):
    """The log-probability of a first token that nothing comes before, and where it is from."""

    log_prob: float | None = None
    source: FirstToken = FirstToken.UNDEFINED


FirstOf: TypeAlias = Callable[[int], First]


def observe_option(plan: Plan, answers: Given, first_of: FirstOf) -> Observation:
    """What the model said about one option."""
    match plan:
        case CausalPlan():
            return _causal(plan, answers, first_of)
        case MaskedPlan():
            return _masked(plan, answers)
        case SpansPlan():
            return SpansObservation(
                _label(plan.parts, plan.plain, answers), _label(plan.parts, plan.prefixed, answers)
            )


def _causal(plan: CausalPlan, answers: Given, first_of: FirstOf) -> CausalObservation:
    real, reading = plan.tokens.real, plan.tokens.reading
    # The first token that is read has no log-probability; the second has the first of them.
    said = (None, *(answers[plan.query] if plan.query else ()))
    log_probs: LogProbs = said
    if len(real) < len(reading.ids):
        log_probs = tuple(
            [said[at] if word is not None else None for at, word in enumerate(reading.words)]
        )
    first = First()
    if real:
        after_bos = First(said[real[0]], FirstToken.BOS)
        first = after_bos if real[0] > 0 else first_of(reading.ids[real[0]])
    return CausalObservation(
        plan.tokens,
        log_probs,
        first.log_prob,
        first.source,
        _alone(plan, answers, first_of),
        _causal(plan.seam, answers, first_of) if plan.seam else None,
    )


def _alone(plan: CausalPlan, answers: Given, first_of: FirstOf) -> float | None:
    """The log-probability of the phrases in the blanks, each read by itself."""
    if plan.phrases is None:
        return None
    terms: list[float] = []
    for phrase, query in zip(plan.phrases, plan.alone, strict=True):
        said = answers[query] if query else ()
        terms += said[-len(phrase) :]
        if len(said) < len(phrase):  # nothing comes before it
            first = first_of(phrase[0]).log_prob
            if first is None:
                return None
            terms.append(first)
    return fsum(terms)


def _masked(plan: MaskedPlan, answers: Given) -> MaskedObservation:
    size = len(plan.tokens.reading.ids)
    return MaskedObservation(
        plan.tokens,
        single=_spread(plan.single, answers, size),
        within_word=_spread(plan.within_word, answers, size),
        multi=_spread(plan.multi, answers, size),
    )


def _spread(query: Query | None, answers: Given, size: int) -> LogProbs:
    """The numbers at the positions that they were asked for."""
    if query is None:
        return ()
    log_probs: list[float | None] = [None] * size
    for mask, log_prob in zip(query.masks, answers[query], strict=True):
        log_probs[mask[0]] = log_prob
    return tuple(log_probs)


def _label(parts: tuple[LabelPart, ...], query: Query | None, answers: Given) -> Label:
    if query is None:
        return Label((), (), (), ())
    return Label(query.ids, query.label, parts, answers[query])
