"""Scoring methods against each other (thesis Tables 4.4, 4.8, 4.12, and 4.6, 4.10, 4.14)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.metrics import (
    consistency,
    consistent_accuracy,
    consistent_schema_accuracy,
    preserved_accuracy,
    preserved_schema_accuracy,
    schema_consistency,
    strict_schema_consistency,
)
from horsesense.reports import cells
from horsesense.reports.table import Column, Group, ReportTable
from horsesense.reports.tables.columns import ANSWER_LENGTH, METRIC, TESTED, left, symbol, tested
from horsesense.reports.tables.lookup import Lookup, finished
from horsesense.reports.tables.naming import (
    LENGTHS,
    SYMBOLS,
    methods_in_order,
    standard,
    table_name,
)
from horsesense.results import DatasetSubject, ModelSubject, Results

# The symbols of the metrics of consistency, in the order of the thesis.
CONSISTENCIES = {
    metric.name: metric.declared.symbol
    for metric in (
        consistency,
        consistent_accuracy,
        preserved_accuracy,
        schema_consistency,
        strict_schema_consistency,
        consistent_schema_accuracy,
        preserved_schema_accuracy,
    )
}
_DIFFERENCE = {"causal": "4.4", "masked": "4.8", "seq2seq": "4.12"}
_CONSISTENCY = {"causal": "4.6", "masked": "4.10", "seq2seq": "4.14"}


def method_tables(profile: Results, dataset: DatasetSubject) -> Iterator[ReportTable | None]:
    """For each model the standard method against its others: accuracies, and consistency."""
    for model in profile.evaluated:
        yield _differences(profile, dataset, model)
        yield _consistency(profile, dataset, model)


def _differences(
    profile: Results, dataset: DatasetSubject, model: ModelSubject
) -> ReportTable | None:
    lookup, of = Lookup(profile), standard(model, dataset.name)
    rows = [
        (f"{of.method} – {method}", symbol_, length, *tested(one))
        for method in _others(model, of.method)
        for metric, symbol_ in SYMBOLS.items()
        for length, subset in LENGTHS.items()
        if (
            one := lookup.difference(
                of.replace(subset=subset), of.replace(subset=subset, method=method), metric
            )
        )
    ]
    return finished(
        lookup,
        (left("Methods"), METRIC, ANSWER_LENGTH, Column("Difference"), *TESTED),
        (Group(tuple(rows)),),
        name=table_name("method-differences", dataset.name, model.name),
        title=f"Difference in scoring methods for {model.name} on {dataset.name}",
        thesis=_DIFFERENCE.get(model.family, ""),
    )


def _consistency(
    profile: Results, dataset: DatasetSubject, model: ModelSubject
) -> ReportTable | None:
    lookup, of = Lookup(profile), standard(model, dataset.name)
    groups = []
    for method in _others(model, of.method):
        rows = []
        for length, subset in LENGTHS.items():
            found = [
                lookup.change(
                    of.replace(subset=subset), of.replace(subset=subset, method=method), metric
                )
                for metric in CONSISTENCIES
            ]
            if any(found):
                rows.append((dataset.name, length, *map(cells.value, found)))
        groups.append(Group(tuple(rows), f"From {method} to {of.method}"))
    return finished(
        lookup,
        (left("Dataset"), ANSWER_LENGTH, *map(symbol, CONSISTENCIES.values())),
        groups,
        name=table_name("method-consistency", dataset.name, model.name),
        title=f"Consistency of {model.name} with respect to scoring method on {dataset.name}",
        thesis=_CONSISTENCY.get(model.family, ""),
    )


def _others(model: ModelSubject, standard: str) -> tuple[str, ...]:
    return tuple(one for one in methods_in_order(model) if one != standard)
