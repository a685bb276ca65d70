"""From answer sheets to all measurements of a profile, in one order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from horsesense.metrics import Ties, condition
from horsesense.metrics.statistics import RESAMPLES, SEED
from horsesense.results import (
    ORIGINAL,
    DatasetSubject,
    Estimate,
    ModelSubject,
    OptionCount,
    ResultKey,
    Skipped,
    Variant,
)
from horsesense.results.measuring import families
from horsesense.results.measuring.answers import Answers, Schemas
from horsesense.results.measuring.best import best
from horsesense.results.measuring.changes import changes
from horsesense.results.measuring.datasets import datasets_compared
from horsesense.results.measuring.forms import forms_compared
from horsesense.results.measuring.gaps import gaps
from horsesense.results.measuring.methods import methods
from horsesense.results.measuring.models import models_compared
from horsesense.results.measuring.options import options
from horsesense.results.measuring.subsets import subsets_compared
from horsesense.results.measuring.values import values
from horsesense.scoring.outcome import Sheet


@dataclass(frozen=True, slots=True)
class Measured:
    """All that was measured, and what could not be."""

    estimates: tuple[Estimate, ...]
    options: tuple[OptionCount, ...]
    gaps: tuple[Skipped, ...]


def measure(
    sheets: Mapping[ResultKey, Sheet],
    models: Sequence[ModelSubject],
    datasets: Sequence[DatasetSubject],
    forms: Sequence[Variant],
    *,
    subsets: Sequence[str] = (),
    regrouped: Mapping[tuple[str, str], Schemas] = MappingProxyType({}),
    ties: Ties = Ties.FAILED,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    on_progress: Callable[[int, int], None] | None = None,
) -> Measured:
    """All measurements of some sheets, the options chosen on them, and what is lacking.

    `subsets` are expressions besides the usual ones. `regrouped` says how the schemas of the form
    that a form is compared with are grouped beside it, by dataset and form. `on_progress` is told
    how many steps are done, and of how many.
    """
    for expression in subsets:
        condition(expression)  # an error that points at what cannot be read
    answers = Answers(
        sheets=sheets,
        models=models,
        datasets=datasets,
        forms=forms,
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
    chosen = tuple(one for form in forms for one in options(answers, form))
    return Measured(families.adjusted(found), chosen, tuple(gaps(answers)))


def _steps(answers: Answers) -> Iterator[Iterator[Estimate]]:
    """All that is measured, form by form; nothing is before its turn."""
    for form in answers.forms:
        yield values(answers, form)
        if form.name == ORIGINAL:
            yield best(answers, form)
            yield methods(answers, form)
        yield changes(answers, form)
        yield subsets_compared(answers, form)
        yield models_compared(answers, form)
    for dataset in answers.datasets:
        yield forms_compared(answers, dataset)
    for model in answers.models:
        yield datasets_compared(answers, model)
