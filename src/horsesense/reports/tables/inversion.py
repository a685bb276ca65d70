"""The inverted perturbation under every method (thesis Tables 4.21 to 4.24, 4.34 to 4.36)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import cells
from horsesense.reports.table import Column, Group, ReportTable
from horsesense.reports.tables.accuracy import method_cells, method_columns
from horsesense.reports.tables.columns import ADJUSTED_P, MODEL, P, left, symbol
from horsesense.reports.tables.lookup import Lookup, finished
from horsesense.reports.tables.methods import CONSISTENCIES
from horsesense.reports.tables.naming import (
    INVERTED,
    SYMBOLS,
    methods_in_order,
    table_name,
)
from horsesense.results import DatasetSubject, ModelSubject, ResultKey, Results

_METRICS = ("schema-consistency", "consistent-schema-accuracy", "preserved-schema-accuracy")
_THESIS = {
    ("causal", True): "4.21",
    ("masked", True): "4.22",
    ("seq2seq", True): "4.23",
    ("causal", False): "4.34",
    ("masked", False): "4.35",
    ("seq2seq", False): "4.36",
}


def inversion_tables(profile: Results, dataset: DatasetSubject) -> Iterator[ReportTable | None]:
    """For each model its accuracy, and then the consistency of all."""
    for model in profile.evaluated:
        yield _accuracy(profile, dataset, model)
    yield _consistency(profile, dataset)


def _accuracy(profile: Results, dataset: DatasetSubject, model: ModelSubject) -> ReportTable | None:
    lookup = Lookup(profile)
    rows = []
    for method in methods_in_order(model):
        original = ResultKey(model.name, dataset.name, method=method)
        of = original.replace(variant=INVERTED)
        cells_of: list[str] = []
        for metric in SYMBOLS:
            one, difference = lookup.value(of, metric), lookup.difference(of, original, metric)
            tested = cells.difference(difference), cells.p(difference), cells.adjusted_p(difference)
            cells_of += [cells.value(one), *tested]
        rows.append((*method_cells(model, method), *cells_of))
    columns = (
        column
        for one in SYMBOLS.values()
        for column in (symbol(one), Column("Inverted – Original"), P, ADJUSTED_P)
    )
    return finished(
        lookup,
        (*method_columns(model), *columns),
        (Group(tuple(rows)),),
        name=table_name("inverted", dataset.name, model.name),
        title=f"Accuracy of scoring methods for {model.name} on {dataset.name} inverted",
        thesis=_THESIS.get((model.family, dataset.is_winograd), ""),
    )


def _consistency(profile: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(profile)
    rows = []
    for model in profile.evaluated:
        for method in methods_in_order(model):
            against = ResultKey(model.name, dataset.name, method=method)
            found = [
                lookup.change(against.replace(variant=INVERTED), against, one) for one in _METRICS
            ]
            if any(found):
                rows.append((model.name, method, *map(cells.value, found)))
    return finished(
        lookup,
        (MODEL, left("Scoring Method"), *(symbol(CONSISTENCIES[one]) for one in _METRICS)),
        (Group(tuple(rows)),),
        name=table_name("inverted-methods", dataset.name),
        title=f"Consistency on {dataset.name} inverted: by every method",
        thesis="4.24",
        notes=("by guessing: C .375, C_a .062, C_p .250",),
    )
