"""Models and baselines against each other (thesis Tables 4.15 and 4.32)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from horsesense.reports import cells
from horsesense.reports.table import Column, Group, ReportTable
from horsesense.reports.tables.columns import (
    ANSWER_LENGTH,
    INTERVAL,
    METRIC,
    TESTED,
    left,
    symbol,
    tested,
)
from horsesense.reports.tables.lookup import Lookup, finished
from horsesense.reports.tables.naming import LENGTHS, SYMBOLS, standard, table_name
from horsesense.results import DatasetSubject, Results

_AGREEMENT = {"consistency": "c", "schema-consistency": "C"}


def model_tables(profile: Results, dataset: DatasetSubject) -> Iterator[ReportTable | None]:
    """Their accuracies compared, and how often they solve the same problems."""
    yield _differences(profile, dataset)
    yield _agreement(profile, dataset)


def _differences(profile: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(profile)
    rows = []
    for earlier, later in combinations(profile.models, 2):
        # As in the thesis a model that comes later is compared with those before it, but a model
        # with a baseline.
        one, other = (earlier, later) if later.is_baseline else (later, earlier)
        of, against = (standard(each, dataset.name) for each in (one, other))
        rows += [
            (f"{one.name} – {other.name}", symbol_, length, *tested(found))
            for metric, symbol_ in SYMBOLS.items()
            for length, subset in LENGTHS.items()
            if (
                found := lookup.difference(
                    of.replace(subset=subset), against.replace(subset=subset), metric
                )
            )
        ]
    return finished(
        lookup,
        (left("Models"), METRIC, ANSWER_LENGTH, Column("Difference"), *TESTED),
        (Group(tuple(rows)),),
        name=table_name("model-differences", dataset.name),
        title=f"Comparison of model accuracies on {dataset.name}",
        thesis="4.15" if dataset.is_winograd else "4.32",
    )


def _agreement(profile: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(profile)
    rows = []
    for earlier, later in combinations(profile.models, 2):
        against, of = (standard(one, dataset.name) for one in (earlier, later))
        found = [lookup.change(of, against, metric) for metric in _AGREEMENT]
        if any(found):
            written = (cell for one in found for cell in (cells.value(one), cells.interval(one)))
            rows.append((earlier.name, later.name, *written))
    columns = (column for one in _AGREEMENT.values() for column in (symbol(one), INTERVAL))
    return finished(
        lookup,
        (left("Model"), left("Other"), *columns),
        (Group(tuple(rows)),),
        name=table_name("model-agreement", dataset.name),
        title=f"How often two models solve the same problems of {dataset.name}",
        notes=("by guessing: c .500, C .375",),
    )
