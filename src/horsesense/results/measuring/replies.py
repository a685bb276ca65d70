"""Measure what chat models say: whether their choice follows the order, and replies without answer.

Every choice is asked in both orders, and the tags of an answer say why a problem stayed undecided.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from horsesense.metrics import Metric, Sample, Ties, sample_of
from horsesense.metrics.statistics import bootstrap
from horsesense.results import Estimate, ModelSubject, Plan, ResultKey, Results
from horsesense.results.measuring.estimates import ACCURACIES, KeyedSample, PValues
from horsesense.scoring.chat import (
    ALL_SENSIBLE,
    FOLLOWS_POSITION,
    NONE_SENSIBLE,
    SEVERAL_SENSIBLE,
    ReplyFault,
)
from horsesense.scoring.outcome import Answer, AnswerSet, Outcome

CHAT = "chat"
_LANGUAGE_MODELS = ("causal", "masked", "seq2seq")
_PREFIX = re.compile(r"^(?:chat|openai|vllm|sglang|llama\.cpp):")
_FAULTS = frozenset(fault.value for fault in ReplyFault)
_NOT_ONE_SENSIBLE = frozenset({ALL_SENSIBLE, NONE_SENSIBLE, SEVERAL_SENSIBLE})


class Undecided(StrEnum):
    """The reasons why a problem is undecided."""

    BY_ORDER = "the choice follows the order of the options"
    NO_ANSWER = "a reply has no answer"
    NOT_ONE = "not exactly one sentence is judged sensible"
    EQUAL = "the scores are equal"


def why_undecided(answer: Answer) -> Undecided | None:
    """Return why an answer is undecided, None if it is decided."""
    if answer.outcome.chosen is not None:
        return None
    if answer.tags & _FAULTS:
        return Undecided.NO_ANSWER
    if FOLLOWS_POSITION in answer.tags:
        return Undecided.BY_ORDER
    return Undecided.NOT_ONE if answer.tags & _NOT_ONE_SENSIBLE else Undecided.EQUAL


def count_undecided(answers: Iterable[Answer]) -> Counter[Undecided]:
    """Count the undecided answers by reason."""
    return Counter(reason for reason in map(why_undecided, answers) if reason is not None)


@dataclass(frozen=True, slots=True)
class OrderShares:
    """What the answers to some problems do when the options change places, as shares of these.

    The choice is the `same`, or it is `by_order`, staying at its place, or a reply has `no_answer`.
    """

    same: Estimate
    by_order: Estimate
    no_answer: float


def order_shares(results: Results, key: ResultKey) -> OrderShares:
    """Return what a chat model does with both orders, with intervals of the first two shares."""
    answer_set, plan = results.answer_sets[key], results.record.plan

    def share(*reasons: Undecided | None) -> Estimate:
        sample = sample_of(_marked(answer_set, lambda answer: why_undecided(answer) in reasons))
        return _measure(key, sample, ACCURACIES[:1], plan)[0]

    return OrderShares(
        share(None, Undecided.NOT_ONE, Undecided.EQUAL),
        share(Undecided.BY_ORDER),
        count_undecided(answer_set.answers)[Undecided.NO_ANSWER] / len(answer_set.answers),
    )


def _marked(answer_set: AnswerSet, holds: Callable[[Answer], bool]) -> AnswerSet:
    """Return an answer set in which those problems are solved for which something holds."""
    answers = (
        replace(answer, outcome=Outcome((), int(holds(answer)), 1, 0.0, has_choice=False))
        for answer in answer_set.answers
    )
    return replace(answer_set, answers=tuple(answers))


class FaultRule(StrEnum):
    """How problems count if a reply about them has no answer."""

    FAILED = "failed"
    HALF = "half"
    LEFT_OUT = "left out"


def accuracies_by_rule(results: Results, key: ResultKey, rule: FaultRule) -> Sequence[Estimate]:
    """Return problem and schema accuracy if problems without an answer count by a rule.

    A schema is left out if one of its problems is. Problems that are undecided for another reason
    count as the plan says.
    """
    labelled = results.answer_sets[key].labelled()
    plan, ties = results.record.plan, Ties(results.record.plan.ties)
    faulty = [why_undecided(answer) is Undecided.NO_ANSWER for answer in labelled.answers]
    if rule is FaultRule.LEFT_OUT:
        kept = labelled.among([not is_faulty for is_faulty in faulty])
        return _measure(key, sample_of(kept, ties=ties), ACCURACIES, plan)
    sample = sample_of(labelled, ties=ties)
    counted = 0.5 if rule is FaultRule.HALF else 0.0
    solved = np.where(faulty, counted, sample.problems.solved)
    problems = replace(sample.problems, solved=solved)
    return _measure(key, replace(sample, problems=problems), ACCURACIES, plan)


def _measure(
    key: ResultKey, sample: Sample, metrics: Sequence[Metric], plan: Plan
) -> Sequence[Estimate]:
    rows = bootstrap(metrics, sample, resamples=plan.resamples, seed=plan.seed)
    keyed = KeyedSample(key, sample)
    return [keyed.value(metric, row, PValues()) for metric, row in zip(metrics, rows, strict=True)]


def same_models(models: Sequence[ModelSubject]) -> Iterator[tuple[ModelSubject, ModelSubject]]:
    """Yield each chat model with each language model of the same name, apart from prefixes.

    The prefixes are those for a chat model and for a server, as in `chat:NAME` and `vllm:NAME`.
    """
    for chat in models:
        for model in models:
            is_pair = chat.family == CHAT and model.family in _LANGUAGE_MODELS
            if is_pair and base_name(chat.name) == base_name(model.name):
                yield chat, model


def base_name(name: str) -> str:
    """Return the name of a model without prefixes.

    >>> base_name("chat:smollm2-135m"), base_name("vllm:ant"), base_name("a:b")
    ('smollm2-135m', 'ant', 'a:b')
    """
    return _PREFIX.sub("", name)
