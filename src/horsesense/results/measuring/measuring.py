"""Measure a run: all estimates in order, the options chosen, and what was skipped.

Each model family has a standard method that is fixed in advance (thesis 4.2.4, 4.5.4), because
picking the method with the best accuracy would overstate the accuracy of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from horsesense.errors import MetricError, UnknownNameError
from horsesense.metrics import Sample, sample_of, subset
from horsesense.results import (
    ALL,
    BY_BOOLEAN,
    ORIGINAL,
    Estimate,
    OptionCount,
    Skipped,
    Variant,
)
from horsesense.results.measuring.answers import Answers
from horsesense.results.measuring.comparisons import (
    best,
    changes,
    datasets_compared,
    methods,
    models_compared,
    options,
    said_and_known,
    subsets_compared,
    values,
    variants_compared,
)
from horsesense.results.measuring.estimates import adjusted
from horsesense.scoring.outcome import EQUAL_LENGTH


@dataclass(frozen=True, slots=True)
class Measurements:
    """The estimates and option counts of a run, and what was skipped."""

    estimates: tuple[Estimate, ...]
    options: tuple[OptionCount, ...]
    skipped: tuple[Skipped, ...]


def measuring_steps(answers: Answers) -> list[Iterator[Estimate]]:
    """List all steps, variant by variant; a step computes its estimates when it is iterated."""
    return list(_steps(answers))


def conclude(answers: Answers, estimates: Sequence[Estimate]) -> Measurements:
    """Adjust the p-values of all estimates, and add the options chosen and what was skipped."""
    chosen = tuple(option for variant in answers.variants for option in options(answers, variant))
    return Measurements(adjusted(estimates), chosen, tuple(skipped(answers)))


def _steps(answers: Answers) -> Iterator[Iterator[Estimate]]:
    for variant in answers.variants:
        yield values(answers, variant)
        if variant.name == ORIGINAL:
            yield best(answers, variant)
            yield methods(answers, variant)
            yield said_and_known(answers, variant)
        yield changes(answers, variant)
        yield subsets_compared(answers, variant)
        yield models_compared(answers, variant)
    for dataset in answers.datasets:
        yield variants_compared(answers, dataset)
    for model in answers.models:
        yield datasets_compared(answers, model)


_UNSEEN = "baselines see no tokens, and chat models show none"


def skipped(answers: Answers) -> Iterator[Skipped]:
    """Yield what was skipped, variant by variant."""
    for variant in answers.variants:
        yield from _of_compared(answers, variant)
        if variant.name == ORIGINAL:
            yield from _of_subsets(answers, variant)
    yield from _not_listed(answers)


def _of_compared(answers: Answers, variant: Variant) -> Iterator[Skipped]:
    where = f"{variant.dataset}, {variant.name}"
    if not variant.compared:
        return
    compared = answers.variant(variant.dataset, variant.compared)
    if compared is None:
        yield Skipped(
            where, f"it cannot be compared with {variant.compared}, which was not evaluated"
        )
    elif (
        variant.mode == BY_BOOLEAN != compared.mode
        and (variant.dataset, variant.name) not in answers.regrouped
    ):
        message = f"the schemas of {variant.compared} are not regrouped beside it"
        yield Skipped(where, f"{message}: nothing says how, so schemas are compared as they are")


def _of_subsets(answers: Answers, variant: Variant) -> Iterator[Skipped]:
    samples = {
        key.model: sample_of(answers.answer_sets[key]) for _, key in answers.standard(variant)
    }
    for expression in answers.subsets:
        parts = {name: _size_or_reason(sample, expression) for name, sample in samples.items()}
        unknown = {name: part for name, part in parts.items() if isinstance(part, str)}
        if not any(part for part in parts.values() if not isinstance(part, str)):
            reason = next(iter(unknown.values()), "") if len(unknown) == len(parts) else ""
            message = f"no problem is in subset {expression!r}{': ' if reason else ''}{reason}"
            yield Skipped(variant.dataset, message, is_named=True)
        elif unknown:
            message = f"there is no subset {expression!r} of the answers of {', '.join(unknown)}"
            yield Skipped(
                variant.dataset, f"{message}: not everything that it names is known of them"
            )


def _size_or_reason(sample: Sample, expression: str) -> int | str:
    """Return the number of problems in a subset, or why it is unknown."""
    try:
        return len((sample if expression == ALL else subset(sample, expression)).problems)
    except UnknownNameError as error:
        return _UNSEEN if error.name == EQUAL_LENGTH else str(error)


def _not_listed(answers: Answers) -> Iterator[Skipped]:
    listed = {key for variant in answers.variants for _, key in answers.keys_of(variant)}
    for key in sorted(answers.answer_sets.keys() - listed):
        where = f"{key.model} on {key.dataset}, {key.variant}"
        yield Skipped(
            where, f"answers by {key.method} belong to no model, variant or method of the run"
        )


# The most accurate method of each of the thesis' three models. Only that of the
# sequence-to-sequence model differed between adversarial and Winograd schemas. That of chat models
# asks for a letter, which leaves the least to be read into a reply.
_ON_WINOGRAD: Mapping[str, str] = MappingProxyType(
    {
        "causal": "smart@1",
        "masked": "mean-statement",
        "seq2seq": "mean-prefix",
        "chat": "letter",
    }
)
_ELSEWHERE: Mapping[str, str] = MappingProxyType({**_ON_WINOGRAD, "seq2seq": "mean"})


def standard_method(family: str, is_winograd: bool, available: Sequence[str]) -> str:
    """Return the standard method of a family for such data, or the first available one.

    >>> standard_method("seq2seq", True, ["basic", "mean", "mean-prefix"])
    'mean-prefix'
    >>> standard_method("chat", False, ["word", "letter"])
    'letter'
    >>> standard_method("baseline", True, ["choice"])
    'choice'
    """
    if not available:
        raise MetricError(f"no method of a {family} model has scores, so none can be the standard")
    standard = (_ON_WINOGRAD if is_winograd else _ELSEWHERE).get(family, "")
    return standard if standard in available else available[0]
