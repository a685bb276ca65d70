"""Dyads by answer, by key and by boolean (thesis Table 4.38)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import cells
from horsesense.reports.table import Column, ReportTable
from horsesense.reports.tables.columns import (
    INTERVAL,
    METRIC,
    MODEL,
    PERTURBATION,
    TESTED,
    P,
    tested,
)
from horsesense.reports.tables.lookup import Lookup, Row, by_models, finished
from horsesense.reports.tables.naming import SYMBOLS, dyads, standard, table_name
from horsesense.results import DatasetSubject, Kind, ModelSubject, Results


def dyad_tables(profile: Results, dataset: DatasetSubject) -> Iterator[ReportTable | None]:
    """The dyads of a dataset in each mode."""
    lookup, forms = Lookup(profile), dyads(profile, dataset.name)

    def rows(model: ModelSubject) -> Iterator[Row]:
        for form in forms:
            of = standard(model, dataset.name).replace(variant=form.name)
            for metric, symbol in SYMBOLS.items():
                one = lookup.value(of, metric)
                compared = of.replace(variant=form.compared)
                difference = lookup.difference(of, compared, metric) if form.compared else None
                if one or difference:
                    values = cells.value(one), cells.interval(one), cells.p(one)
                    yield model.name, form.mode, symbol, *values, *tested(difference)

    yield finished(
        lookup,
        (MODEL, PERTURBATION, METRIC, Column("Value"), INTERVAL, P,
         Column("Perturbation – Original"), *TESTED),
        by_models(profile, rows),
        name=table_name("dyads", dataset.name),
        title=f"Accuracy on {dataset.name}×2 in all three modes",
        thesis="4.38",
        is_main=True,
        tests=(Kind.VALUE, Kind.DIFFERENCE),
        notes=(
            f"the wrapper is «{profile.record.plan.wrapper}»; the original are the dyads by answer",
            "beside by boolean, the schemas by answer are regrouped at a fixed key (3.5.6)",
            "p against chance takes the two schemas of a dyad as independent",
        ),
    )  # fmt: skip
