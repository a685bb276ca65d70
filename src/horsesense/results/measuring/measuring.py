"""From answers to all estimates of a run, in one order, and what could not be estimated.

By which method a model is judged is settled beforehand, by its family (thesis 4.2.4, 4.5.4):
whoever picks a method by looking at its accuracy flatters the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from horsesense.errors import MetricError, UnknownNameError
from horsesense.metrics import Sample, Ties, condition, sample_of, subset
from horsesense.metrics.statistics import RESAMPLES, SEED
from horsesense.results import (
    ALL,
    BY_BOOLEAN,
    ORIGINAL,
    DatasetSubject,
    Estimate,
    ModelSubject,
    OptionCount,
    ResultKey,
    Skipped,
    Variant,
)
from horsesense.results.measuring.answers import Answers, Schemas
from horsesense.results.measuring.comparisons import (
    best,
    changes,
    datasets_compared,
    methods,
    models_compared,
    options,
    subsets_compared,
    values,
    variants_compared,
)
from horsesense.results.measuring.estimates import adjusted
from horsesense.scoring.outcome import EQUAL_LENGTH, AnswerSet


@dataclass(frozen=True, slots=True)
class Measured:
    """All that was measured, and what could not be."""

    estimates: tuple[Estimate, ...]
    options: tuple[OptionCount, ...]
    skipped: tuple[Skipped, ...]


def measure(
    answer_sets: Mapping[ResultKey, AnswerSet],
    models: Sequence[ModelSubject],
    datasets: Sequence[DatasetSubject],
    variants: Sequence[Variant],
    *,
    subsets: Sequence[str] = (),
    regrouped: Mapping[tuple[str, str], Schemas] = MappingProxyType({}),
    ties: Ties = Ties.FAILED,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    on_progress: Callable[[int, int], None] | None = None,
) -> Measured:
    """All estimates of some answer sets, the options chosen on them, and what is lacking.

    `subsets` are expressions besides the usual ones. `regrouped` says, by dataset and variant, how
    the schemas of what the variant is compared with are grouped beside it. `on_progress` is told
    how many steps are done, and of how many.
    """
    for expression in subsets:
        condition(expression)  # an error that points at what cannot be read
    answers = Answers(
        answer_sets=answer_sets,
        models=models,
        datasets=datasets,
        variants=variants,
        subsets=subsets,
        regrouped=regrouped,
        ties=ties,
        resamples=resamples,
        seed=seed,
    )
    steps = list(_steps(answers))
    found: list[Estimate] = []
    for done, step in enumerate(steps, 1):
        found += step
        if on_progress is not None:
            on_progress(done, len(steps))
    chosen = tuple(option for variant in variants for option in options(answers, variant))
    return Measured(adjusted(found), chosen, tuple(skipped(answers)))


def _steps(answers: Answers) -> Iterator[Iterator[Estimate]]:
    """All that is measured, variant by variant; nothing is before its turn."""
    for variant in answers.variants:
        yield values(answers, variant)
        if variant.name == ORIGINAL:
            yield best(answers, variant)
            yield methods(answers, variant)
        yield changes(answers, variant)
        yield subsets_compared(answers, variant)
        yield models_compared(answers, variant)
    for dataset in answers.datasets:
        yield variants_compared(answers, dataset)
    for model in answers.models:
        yield datasets_compared(answers, model)


_UNSEEN = "baselines see no tokens"


def skipped(answers: Answers) -> Iterator[Skipped]:
    """All that was skipped, variant by variant."""
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
        yield Skipped(where, f"it is to be compared with {variant.compared}, which was not posed")
    elif (
        variant.mode == BY_BOOLEAN != compared.mode
        and (variant.dataset, variant.name) not in answers.regrouped
    ):
        message = f"the schemas of {variant.compared} are not regrouped beside it"
        yield Skipped(where, f"{message}: nothing says how, so schemas are compared as they are")


def _of_subsets(answers: Answers, variant: Variant) -> Iterator[Skipped]:
    samples = {of.model: sample_of(answers.answer_sets[of]) for _, of in answers.standard(variant)}
    for expression in answers.subsets:
        parts = {name: _size_or_reason(one, expression) for name, one in samples.items()}
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
    """How many problems are in a subset, or why nobody knows."""
    try:
        return len((sample if expression == ALL else subset(sample, expression)).problems)
    except UnknownNameError as error:
        return _UNSEEN if error.name == EQUAL_LENGTH else str(error)


def _not_listed(answers: Answers) -> Iterator[Skipped]:
    listed = {address for variant in answers.variants for _, address in answers.at(variant)}
    for one in sorted(answers.answer_sets.keys() - listed):
        where = f"{one.model} on {one.dataset}, {one.variant}"
        yield Skipped(
            where, f"answers by {one.method} belong to no model, form or method of the run"
        )


# The most accurate method of each of the thesis' three models. Only the sequence-to-sequence one
# had another on adversarial schemas than on Winograd schemas.
_ON_WINOGRAD: Mapping[str, str] = MappingProxyType(
    {"causal": "smart@1", "masked": "mean-statement", "seq2seq": "mean-prefix"}
)
_ELSEWHERE: Mapping[str, str] = MappingProxyType({**_ON_WINOGRAD, "seq2seq": "mean"})


def standard_method(family: str, is_winograd: bool, available: Sequence[str]) -> str:
    """The method that is standard for a family on such data, or else the first that is available.

    >>> standard_method("seq2seq", True, ["basic", "mean", "mean-prefix"])
    'mean-prefix'
    >>> standard_method("baseline", True, ["choice"])
    'choice'
    """
    if not available:
        raise MetricError(f"no method of a {family} model has scores; there is none to be standard")
    standard = (_ON_WINOGRAD if is_winograd else _ELSEWHERE).get(family, "")
    return standard if standard in available else available[0]
