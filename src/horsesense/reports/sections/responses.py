"""Response bias: which options are chosen, regardless of the problem (thesis 4.7)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import wording
from horsesense.reports.lookup import Lookup, Row, by_models, finished, with_intervals
from horsesense.reports.sections import Part, section
from horsesense.reports.table import INTERVAL, MODEL, ReportTable, TableColumn, left
from horsesense.reports.wording import standard, table_name, variant_label
from horsesense.results import BY_BOOLEAN, DatasetSubject, ModelSubject, Results, Variant

_METRIC = "first-option-share"
_BY_TEXT = "by text: how often a truth value is chosen where it is offered (by boolean only)"


@section("responses", title="Response bias", position=80)
def responses(results: Results) -> Iterator[Part]:
    """How often the first option is chosen in each variant, and how often each truth value."""
    for dataset in results.datasets:
        yield _table(results, dataset)


def _table(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)

    def rows(model: ModelSubject) -> Iterator[Row]:
        for variant in results.variants_of(dataset.name):
            key = standard(model, dataset.name).replace(variant=variant.name)
            if estimate := lookup.value(key, _METRIC):
                texts = ", ".join(_texts(results, model, variant)) or wording.UNDEFINED
                names = model.name, variant_label(variant.name), variant.mode
                yield *names, *with_intervals([estimate]), texts

    groups = by_models(results, rows)
    has_texts = any(row[-1] != wording.UNDEFINED for group in groups for row in group.rows)
    return finished(
        lookup,
        (
            MODEL,
            left("Variant"),
            left("Mode"),
            TableColumn("First Option"),
            INTERVAL,
            left("By Text"),
        ),
        groups,
        name=table_name("responses", dataset.name),
        title=f"Response bias on {dataset.name}",
        notes=(
            "shares of the decided problems; without bias, the first option is chosen about as"
            " often as it is correct",
            *((_BY_TEXT,) if has_texts else ()),
        ),
    )


def _texts(results: Results, model: ModelSubject, variant: Variant) -> Iterator[str]:
    """How often each truth value was chosen; other texts do not recur in all problems."""
    if variant.mode != BY_BOOLEAN:
        return
    at = standard(model, variant.dataset).replace(variant=variant.name)
    for option in results.options:
        if option.key == at and not option.option.isdigit() and option.offered:
            yield f"{option.option} {wording.share(option.chosen / option.offered)}"
