"""Models and data, and everything that was skipped (thesis 4.1: Tables 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import wording
from horsesense.reports.lookup import Row, without_empty, without_repeats
from horsesense.reports.sections import LAST, Part, section
from horsesense.reports.table import MODEL, Column, Group, ReportTable, left
from horsesense.reports.wording import (
    LENGTHS,
    PROBLEM_ACCURACY,
    form_name,
    standard,
)
from horsesense.results import DatasetSubject, ModelSubject, Results, Variant

_COUNTS = ((1_000_000_000, "billion"), (1_000_000, "million"))


@section("setup", title="Models and data", position=10)
def setup(results: Results) -> Iterator[Part]:
    """The models, and the datasets with their variants."""
    if results.models:
        yield _models(results)
    if results.variants:
        yield _data(results)


@section("skipped", title="Skipped", position=LAST)
def skipped(results: Results) -> Iterator[Part]:
    """Everything that was not evaluated, and why."""
    if results.skipped:
        yield _skipped(results)
    else:
        yield "No model or variant was skipped."
    yield from _left_out(results)
    yield from _without_score(results)


def _skipped(results: Results) -> ReportTable:
    """Models and variants that were skipped: first those that were requested by name."""
    named, others = (
        tuple((gap.where, gap.reason) for gap in results.skipped if gap.is_named == is_named)
        for is_named in (True, False)
    )
    groups = (Group(named, "Requested by name"), Group(others, "Included only as part of “all”"))
    return ReportTable(
        name="skipped",
        title="Skipped models and variants",
        columns=(left("Skipped"), left("Reason")),
        groups=tuple(group for group in groups if group.rows),
        is_main=True,
    )


def _left_out(results: Results) -> Iterator[ReportTable]:
    rows = [
        (variant.dataset, form_name(variant.name), f"{count:,}", reason)
        for variant in results.variants
        for reason, count in variant.left_out
    ]
    if rows:
        yield ReportTable(
            name="left-out",
            title="Entries left out, and why",
            columns=(left("Dataset"), left("Variant"), Column("Entries"), left("Reason")),
            groups=(Group(without_repeats(rows, 2)),),
            notes=("entries to which the transformation does not apply; they are not replaced",),
        )


def _without_score(results: Results) -> Iterator[ReportTable]:
    if unscored := tuple(_unscored(results)):
        yield ReportTable(
            name="unscored",
            title="Problems without a score",
            columns=(
                MODEL,
                left("Dataset"),
                left("Variant"),
                left("Scoring Method"),
                Column("Problems"),
                Column("Without Score"),
            ),
            groups=(Group(without_repeats(unscored, 4)),),
            notes=("not every method can score every problem; numbers cover those that it can",),
        )


def _unscored(results: Results) -> Iterator[Row]:
    """A row wherever answers to some problems of a variant are missing."""
    variants = {(variant.dataset, variant.name): variant for variant in results.variants}
    for at, answer_set in results.answer_sets.items():
        form = variants.get((at.dataset, at.variant))
        if form is not None and len(answer_set.answers) < form.problems:
            sizes = f"{form.problems:,}", f"{form.problems - len(answer_set.answers):,}"
            yield at.model, at.dataset, form_name(at.variant), at.method, *sizes


def _models(results: Results) -> ReportTable:
    rows = tuple(
        (
            model.name,
            model.family,
            _size(model.parameters),
            model.architecture,
            model.dtype or wording.UNDEFINED,
            ", ".join(dict.fromkeys(method for _, method in model.standard)),
        )
        for model in results.models
    )
    columns = (
        MODEL,
        left("Family"),
        Column("No. Parameters"),
        left("Implementation"),
        left("Precision"),
        left("Standard Method"),
    )
    shown, groups = without_empty(columns, (Group(rows),), only=columns)
    return ReportTable(
        name="models",
        title="Models and baselines",
        columns=shown,
        groups=groups,
        notes=("the standard method is chosen in advance, by model family and type of data",),
        thesis="4.1",
    )


def _size(parameters: int) -> str:
    """A number of parameters as people say it."""
    for unit, word in _COUNTS:
        if parameters >= unit:
            digits = 1 if parameters < 10 * unit else 0
            return f"{parameters / unit:.{digits}f} {word}"
    return f"{parameters:,}" if parameters else wording.UNDEFINED


def _data(results: Results) -> ReportTable:
    models = _with_lengths(results)
    rows = [_form_row(results, variant, models) for variant in results.variants]
    titles = (message for dataset in results.datasets if (message := _told(dataset)))
    names = ", ".join(model.name for model in models)
    lengths = (f"equal length: share of problems with answers of equally many tokens, for {names}",)
    columns = (
        left("Dataset"),
        left("Variant"),
        left("Mode"),
        left("Purpose"),
        Column("Entries"),
        Column("Size"),
        Column("Equal Length"),
        Column("Left Out"),
    )
    shown, groups = without_empty(columns, (Group(without_repeats(rows, 2)),), only=columns)
    return ReportTable(
        name="data",
        title="Datasets and their variants",
        columns=shown,
        groups=groups,
        notes=(
            *titles,
            "size: number of problems; left out: entries to which the variant does not apply",
            *(lengths if names else ()),
        ),
        thesis="4.2",
    )


def _told(dataset: DatasetSubject) -> str:
    """A note with the version, title and licence of a dataset, if it has any."""
    version = f"version {dataset.version}" if dataset.version else ""
    name = ", ".join(filter(None, (dataset.name, version)))
    title = dataset.title if dataset.title != dataset.name else ""
    if not (version or title or dataset.licence):
        return ""
    titled = f"{name}: {title}" if title else name
    return f"{titled} ({dataset.licence or 'licence unknown'})"


def _form_row(results: Results, variant: Variant, models: tuple[ModelSubject, ...]) -> Row:
    shares = [_equal_length(results, variant, model) for model in models]
    return (
        variant.dataset,
        form_name(variant.name),
        variant.mode,
        variant.purpose or "test",
        f"{variant.entries:,}",
        f"{variant.problems:,}",
        ", ".join(map(wording.share, shares)) or wording.UNDEFINED,
        f"{sum(count for _, count in variant.left_out):,}",
    )


def _with_lengths(results: Results) -> tuple[ModelSubject, ...]:
    """The models that see tokens, so that answers have lengths."""
    return tuple(
        model
        for model in results.models
        if any(_equal_length(results, variant, model) is not None for variant in results.variants)
    )


def _equal_length(results: Results, variant: Variant, model: ModelSubject) -> float | None:
    """The share of problems whose answers are equally long for a model; None if not known."""
    at = standard(model, variant.dataset).replace(variant=variant.name)
    whole = results.value(at, PROBLEM_ACCURACY)
    equal = results.value(at.replace(subset=LENGTHS["equal"]), PROBLEM_ACCURACY)
    if whole is None or equal is None or not whole.n_problems:
        return None
    return equal.n_problems / whole.n_problems
