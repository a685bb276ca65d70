"""Response bias: which options are chosen, regardless of the problem (thesis 4.7)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import wording
from horsesense.reports.lookup import Lookup, Row, by_models, finished
from horsesense.reports.sections import Part, section
from horsesense.reports.table import INTERVAL, MODEL, Column, ReportTable, left
from horsesense.reports.wording import form_name, standard, table_name
from horsesense.results import BY_BOOLEAN, DatasetSubject, ModelSubject, Results, Variant

_METRIC = "first-option-share"
_BY_TEXT = "by text: how often a truth value is chosen where it is offered (by boolean only)"


@section("responses", title="Response bias", position=80)
def responses(results: Results) -> Iterator[Part]:
    """How often the first option is chosen in each variant, and how often each truth value."""
    for dataset in results.datasets:
        yield _table(results, dataset)


def _table(profile: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(profile)

    def rows(model: ModelSubject) -> Iterator[Row]:
        for form in profile.variants_of(dataset.name):
            one = lookup.value(standard(model, dataset.name).replace(variant=form.name), _METRIC)
            if one:
                texts = ", ".join(_texts(profile, model, form)) or wording.UNDEFINED
                shown = wording.value(one), wording.interval(one)
                yield model.name, form_name(form.name), form.mode, *shown, texts

    groups = by_models(profile, rows)
    has_texts = any(row[-1] != wording.UNDEFINED for group in groups for row in group.rows)
    return finished(
        lookup,
        (MODEL, left("Variant"), left("Mode"), Column("First Option"), INTERVAL, left("By Text")),
        groups,
        name=table_name("responses", dataset.name),
        title=f"Response bias on {dataset.name}",
        notes=(
            "shares of the decided problems; without bias, the first option is chosen about as"
            " often as it is correct",
            *((_BY_TEXT,) if has_texts else ()),
        ),
    )


def _texts(profile: Results, model: ModelSubject, form: Variant) -> Iterator[str]:
    """How often each truth value was chosen; other texts do not recur in all problems."""
    if form.mode != BY_BOOLEAN:
        return
    at = standard(model, form.dataset).replace(variant=form.name)
    for option in profile.options:
        if option.key == at and not option.option.isdigit() and option.offered:
            yield f"{option.option} {wording.share(option.chosen / option.offered)}"
