"""Gaps: what was asked for, and cannot be made of the answers.

Why there are no answers is told by whoever has asked for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.errors import UnknownNameError
from horsesense.metrics import Sample, sample_of, subset
from horsesense.results import ALL, BY_BOOLEAN, ORIGINAL, Skipped, Variant
from horsesense.results.measuring.answers import Answers
from horsesense.scoring.outcome import EQUAL_LENGTH

_UNSEEN = "baselines see no tokens"


def gaps(answers: Answers) -> Iterator[Skipped]:
    """All gaps, form by form."""
    for form in answers.forms:
        yield from _of_compared(answers, form)
        if form.name == ORIGINAL:
            yield from _of_subsets(answers, form)
    yield from _not_listed(answers)


def _of_compared(answers: Answers, form: Variant) -> Iterator[Skipped]:
    where = f"{form.dataset}, {form.name}"
    if not form.compared:
        return
    compared = answers.form(form.dataset, form.compared)
    if compared is None:
        yield Skipped(where, f"it is to be compared with {form.compared}, which was not posed")
    elif (
        form.mode == BY_BOOLEAN != compared.mode
        and (form.dataset, form.name) not in answers.regrouped
    ):
        told = f"the schemas of {form.compared} are not regrouped beside it"
        yield Skipped(where, f"{told}: nothing says how, so schemas are compared as they are")


def _of_subsets(answers: Answers, form: Variant) -> Iterator[Skipped]:
    samples = {of.model: sample_of(answers.sheets[of]) for _, of in answers.standard(form)}
    for expression in answers.subsets:
        parts = {name: _size_or_reason(one, expression) for name, one in samples.items()}
        unknown = {name: part for name, part in parts.items() if isinstance(part, str)}
        if not any(part for part in parts.values() if not isinstance(part, str)):
            reason = next(iter(unknown.values()), "") if len(unknown) == len(parts) else ""
            told = f"no problem is in subset {expression!r}{': ' if reason else ''}{reason}"
            yield Skipped(form.dataset, told, is_named=True)
        elif unknown:
            told = f"there is no subset {expression!r} of the answers of {', '.join(unknown)}"
            yield Skipped(form.dataset, f"{told}: not everything that it names is known of them")


def _size_or_reason(sample: Sample, expression: str) -> int | str:
    """How many problems are in a subset, or why nobody knows."""
    try:
        return len((sample if expression == ALL else subset(sample, expression)).problems)
    except UnknownNameError as error:
        return _UNSEEN if error.name == EQUAL_LENGTH else str(error)


def _not_listed(answers: Answers) -> Iterator[Skipped]:
    listed = {address for form in answers.forms for _, address in answers.at(form)}
    for one in sorted(answers.sheets.keys() - listed):
        where = f"{one.model} on {one.dataset}, {one.variant}"
        yield Skipped(
            where, f"answers by {one.method} belong to no model, form or method of the run"
        )
