"""Models and data, and everything that was skipped (thesis 4.1: Tables 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import wording
from horsesense.reports.lookup import Row, without_empty, without_repeats
from horsesense.reports.sections import LAST, Part, section
from horsesense.reports.table import MODEL, ReportTable, RowGroup, TableColumn, left
from horsesense.reports.wording import (
    LENGTHS,
    PROBLEM_ACCURACY,
    standard,
    variant_label,
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
    rows_by_kind: dict[bool, list[Row]] = {True: [], False: []}
    for skipped in results.skipped:
        rows_by_kind[skipped.is_named].append((skipped.where, skipped.reason))
    groups = [
        RowGroup(tuple(rows_by_kind[True]), "Requested by name"),
        RowGroup(tuple(rows_by_kind[False]), "Included only as part of “all”"),
    ]
    return ReportTable(
        name="skipped",
        title="Skipped models and variants",
        columns=(left("Skipped"), left("Reason")),
        groups=tuple(group for group in groups if group.rows),
        is_main=True,
    )


def _left_out(results: Results) -> Iterator[ReportTable]:
    rows = [
        (variant.dataset, variant_label(variant.name), f"{count:,}", reason)
        for variant in results.variants
        for reason, count in variant.left_out
    ]
    if rows:
        yield ReportTable(
            name="left-out",
            title="Entries left out, with reasons",
            columns=(left("Dataset"), left("Variant"), TableColumn("Entries"), left("Reason")),
            groups=(RowGroup(without_repeats(rows, 2)),),
            notes=("entries to which the transformation does not apply",),
        )


def _without_score(results: Results) -> Iterator[ReportTable]:
    """Make a table with a row wherever answers to some problems of a variant are missing."""
    variants = {(variant.dataset, variant.name): variant for variant in results.variants}
    rows: list[Row] = []
    for key, answer_set in results.answer_sets.items():
        variant = variants.get((key.dataset, key.variant))
        if variant is not None and len(answer_set.answers) < variant.problems:
            names = key.model, key.dataset, variant_label(key.variant), key.method
            missing = variant.problems - len(answer_set.answers)
            rows.append((*names, f"{variant.problems:,}", f"{missing:,}"))
    if rows:
        yield ReportTable(
            name="unscored",
            title="Problems without a score",
            columns=(
                MODEL,
                left("Dataset"),
                left("Variant"),
                left("Scoring Method"),
                TableColumn("Problems"),
                TableColumn("Without Score"),
            ),
            groups=(RowGroup(without_repeats(rows, 4)),),
            notes=(
                "not every method can score every problem; numbers cover those that were scored",
            ),
        )


def _models(results: Results) -> ReportTable:
    rows = tuple(
        (
            model.name,
            model.family,
            _size(model.parameters),
            model.architecture,
            model.dtype or wording.UNDEFINED,
            model.server or wording.UNDEFINED,
            ", ".join(dict.fromkeys(method for _, method in model.standard)),
        )
        for model in results.models
    )
    columns = (
        MODEL,
        left("Family"),
        TableColumn("No. Parameters"),
        left("Implementation"),
        left("Precision"),
        left("Server"),
        left("Standard Method"),
    )
    shown, groups = without_empty(columns, (RowGroup(rows),), only=columns)
    return ReportTable(
        name="models",
        title="Models and baselines",
        columns=shown,
        groups=groups,
        notes=(
            "the standard method is chosen in advance, by model family and type of data",
            *_served(results),
        ),
        thesis="4.1",
    )


def _served(results: Results) -> Iterator[str]:
    """Say what is not known of models behind a server."""
    served = [model.name for model in results.models if model.server]
    if served:
        names, its = wording.listed(served), "its" if len(served) == 1 else "their"
        yield (
            f"{names}: behind a server, so {its} weights could not be hashed; which weights"
            " answered is the server’s word alone"
        )


def _size(parameters: int) -> str:
    """Return a number of parameters in words, as in “124 million”."""
    for unit, word in _COUNTS:
        if parameters >= unit:
            digits = 1 if parameters < 10 * unit else 0
            return f"{parameters / unit:.{digits}f} {word}"
    return f"{parameters:,}" if parameters else wording.UNDEFINED


def _data(results: Results) -> ReportTable:
    models = _with_lengths(results)
    rows = [_variant_row(results, variant, models) for variant in results.variants]
    titles = filter(None, map(_about, results.datasets))
    names = ", ".join(model.name for model in models)
    lengths = (f"equal length: share of problems with answers of equally many tokens, for {names}",)
    columns = (
        left("Dataset"),
        left("Variant"),
        left("Mode"),
        left("Purpose"),
        TableColumn("Entries"),
        TableColumn("Size"),
        TableColumn("Equal Length"),
        TableColumn("Left Out"),
    )
    shown, groups = without_empty(columns, (RowGroup(without_repeats(rows, 2)),), only=columns)
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


def _about(dataset: DatasetSubject) -> str:
    """A note with the version, title and licence of a dataset, if it has any."""
    version = f"version {dataset.version}" if dataset.version else ""
    name = ", ".join(filter(None, (dataset.name, version)))
    title = dataset.title if dataset.title != dataset.name else ""
    if not (version or title or dataset.licence):
        return ""
    titled = f"{name}: {title}" if title else name
    return f"{titled} ({dataset.licence or 'licence unknown'})"


def _variant_row(results: Results, variant: Variant, models: tuple[ModelSubject, ...]) -> Row:
    shares = [_equal_length(results, variant, model) for model in models]
    return (
        variant.dataset,
        variant_label(variant.name),
        variant.mode,
        variant.purpose or "test",
        f"{variant.entries:,}",
        f"{variant.problems:,}",
        ", ".join(map(wording.share, shares)) or wording.UNDEFINED,
        f"{sum(count for _, count in variant.left_out):,}",
    )


def _with_lengths(results: Results) -> tuple[ModelSubject, ...]:
    """Return the models that have tokens, so that answers have lengths."""
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
