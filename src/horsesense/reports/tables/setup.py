"""What was evaluated, on what, and what was left out of it (thesis 4.1: Tables 4.1 and 4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import cells
from horsesense.reports.table import Column, Group, ReportTable
from horsesense.reports.tables.columns import MODEL, left
from horsesense.reports.tables.lookup import Row, without_empty, without_repeats
from horsesense.reports.tables.naming import (
    LENGTHS,
    PROBLEM_ACCURACY,
    form_name,
    standard,
)
from horsesense.results import DatasetSubject, ModelSubject, Results, Variant

_COUNTS = ((1_000_000_000, "billion"), (1_000_000, "million"))


def setup_tables(profile: Results) -> Iterator[ReportTable]:
    """The models, the datasets in their forms, and what was left out."""
    if profile.models:
        yield _models(profile)
    if profile.variants:
        yield _data(profile)
    rows = [
        (form.dataset, form_name(form.name), f"{count:,}", reason)
        for form in profile.variants
        for reason, count in form.left_out
    ]
    if rows:
        yield ReportTable(
            name="left-out",
            title="What was left out, and why",
            columns=(left("Dataset"), left("Form"), Column("Entries"), left("Reason")),
            groups=(Group(without_repeats(rows, 2)),),
            notes=(
                "entries to which the transformation does not apply; nothing stands in for them",
            ),
        )
    if unscored := tuple(_unscored(profile)):
        yield ReportTable(
            name="unscored",
            title="Problems without a score",
            columns=(
                MODEL,
                left("Dataset"),
                left("Form"),
                left("Scoring Method"),
                Column("Size"),
                Column("Without"),
            ),
            groups=(Group(without_repeats(unscored, 4)),),
            notes=("a method cannot score every problem; its numbers are of those that it can",),
        )


def _unscored(profile: Results) -> Iterator[Row]:
    """Where answers to some problems of a form are missing."""
    forms = {(one.dataset, one.name): one for one in profile.variants}
    for at, sheet in profile.sheets.items():
        form = forms.get((at.dataset, at.variant))
        if form is not None and len(sheet.answers) < form.problems:
            sizes = f"{form.problems:,}", f"{form.problems - len(sheet.answers):,}"
            yield at.model, at.dataset, form_name(at.variant), at.method, *sizes


def _models(profile: Results) -> ReportTable:
    rows = tuple(
        (
            one.name,
            one.family,
            _size(one.parameters),
            one.architecture,
            one.dtype or cells.UNDEFINED,
            ", ".join(dict.fromkeys(method for _, method in one.standard)),
        )
        for one in profile.models
    )
    columns = (
        MODEL,
        left("Family"),
        Column("No. Parameters"),
        left("Implementation"),
        left("Numbers"),
        left("Standard Method"),
    )
    shown, groups = without_empty(columns, (Group(rows),), only=columns)
    return ReportTable(
        name="models",
        title="Models and baselines",
        columns=shown,
        groups=groups,
        notes=("the standard method is chosen beforehand, by the family and the kind of data",),
        thesis="4.1",
    )


def _size(parameters: int) -> str:
    """A number of parameters as people say it."""
    for unit, word in _COUNTS:
        if parameters >= unit:
            digits = 1 if parameters < 10 * unit else 0
            return f"{parameters / unit:.{digits}f} {word}"
    return f"{parameters:,}" if parameters else cells.UNDEFINED


def _data(profile: Results) -> ReportTable:
    models = _with_lengths(profile)
    rows = [_form_row(profile, form, models) for form in profile.variants]
    titles = (told for one in profile.datasets if (told := _told(one)))
    names = ", ".join(one.name for one in models)
    lengths = (f"equal length: problems whose answers have equally many tokens, for {names}",)
    columns = (
        left("Dataset"),
        left("Form"),
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
        title="Datasets and the forms in which they were posed",
        columns=shown,
        groups=groups,
        notes=(
            *titles,
            "size: problems; left out: entries to which the form does not apply",
            *(lengths if names else ()),
        ),
        thesis="4.2",
    )


def _told(one: DatasetSubject) -> str:
    """What a dataset says of itself; a file says nothing, or little."""
    version = f"version {one.version}" if one.version else ""
    name = ", ".join(filter(None, (one.name, version)))
    title = one.title if one.title != one.name else ""
    if not (version or title or one.licence):
        return ""
    titled = f"{name}: {title}" if title else name
    return f"{titled} ({one.licence or 'licence unknown'})"


def _form_row(profile: Results, form: Variant, models: tuple[ModelSubject, ...]) -> Row:
    shares = [_equal_length(profile, form, model) for model in models]
    return (
        form.dataset,
        form_name(form.name),
        form.mode,
        form.purpose or "test",
        f"{form.entries:,}",
        f"{form.problems:,}",
        ", ".join(map(cells.share, shares)) or cells.UNDEFINED,
        f"{sum(count for _, count in form.left_out):,}",
    )


def _with_lengths(profile: Results) -> tuple[ModelSubject, ...]:
    """The models that see tokens, so that answers have lengths."""
    return tuple(
        model
        for model in profile.models
        if any(_equal_length(profile, form, model) is not None for form in profile.variants)
    )


def _equal_length(profile: Results, form: Variant, model: ModelSubject) -> float | None:
    """How many problems have answers that a model reads as equally long; None if not known."""
    at = standard(model, form.dataset).replace(variant=form.name)
    whole = profile.value(at, PROBLEM_ACCURACY)
    equal = profile.value(at.replace(subset=LENGTHS["equal"]), PROBLEM_ACCURACY)
    if whole is None or equal is None or not whole.n_problems:
        return None
    return equal.n_problems / whole.n_problems
