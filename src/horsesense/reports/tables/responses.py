"""Response bias: which options were chosen, whatever was asked (thesis 4.7)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import cells
from horsesense.reports.table import Column, ReportTable
from horsesense.reports.tables.columns import INTERVAL, MODEL, left
from horsesense.reports.tables.lookup import Lookup, Row, by_models, finished
from horsesense.reports.tables.naming import form_name, standard, table_name
from horsesense.results import BY_BOOLEAN, DatasetSubject, ModelSubject, Results, Variant

_METRIC = "first-option-share"
_BY_TEXT = "by text: the share of the problems that offer it, of problems by boolean"


def response_tables(profile: Results, dataset: DatasetSubject) -> Iterator[ReportTable | None]:
    """The share of first options by form, and of truth values where these are guessed."""
    lookup = Lookup(profile)

    def rows(model: ModelSubject) -> Iterator[Row]:
        for form in profile.variants_of(dataset.name):
            one = lookup.value(standard(model, dataset.name).replace(variant=form.name), _METRIC)
            if one:
                texts = ", ".join(_texts(profile, model, form)) or cells.UNDEFINED
                shown = cells.value(one), cells.interval(one)
                yield model.name, form_name(form.name), form.mode, *shown, texts

    groups = by_models(profile, rows)
    has_texts = any(row[-1] != cells.UNDEFINED for group in groups for row in group.rows)
    yield finished(
        lookup,
        (MODEL, left("Form"), left("Mode"), Column("First Option"), INTERVAL, left("By Text")),
        groups,
        name=table_name("responses", dataset.name),
        title=f"Response bias on {dataset.name}",
        notes=(
            "shares of the decided problems; without bias the first option is chosen about as often"
            " as it is right",
            *((_BY_TEXT,) if has_texts else ()),
        ),
    )


def _texts(profile: Results, model: ModelSubject, form: Variant) -> Iterator[str]:
    """How often each truth value was chosen; other texts do not recur in all problems."""
    if form.mode != BY_BOOLEAN:
        return
    at = standard(model, form.dataset).replace(variant=form.name)
    for one in profile.options:
        if one.key == at and not one.option.isdigit() and one.offered:
            yield f"{one.option} {cells.share(one.chosen / one.offered)}"
