"""Subsets against their complements: answers of equal length, and the plan's own (thesis 4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import cells
from horsesense.reports.table import Column, ReportTable
from horsesense.reports.tables.columns import METRIC, MODEL, SUBSET, TESTED, left, tested
from horsesense.reports.tables.lookup import Lookup, Row, by_models, finished
from horsesense.reports.tables.naming import ASSOCIATIVE, SYMBOLS, form_name, table_name
from horsesense.results import DatasetSubject, Estimate, Kind, ModelSubject, Results


def subset_tables(profile: Results, dataset: DatasetSubject) -> Iterator[ReportTable | None]:
    """Every split of a dataset but that by associativity, which has tables of its own."""
    lookup = Lookup(profile)

    def rows(model: ModelSubject) -> Iterator[Row]:
        for one in filter(_is_split, profile.estimates):
            is_asked = (one.key.model, one.key.dataset) == (model.name, dataset.name)
            if is_asked and one.key.subset != ASSOCIATIVE and one.metric in SYMBOLS:
                lookup.found.append(one)
                sides = cells.share(one.after), cells.share(one.before)
                names = model.name, form_name(one.key.variant), one.key.subset, SYMBOLS[one.metric]
                # The thesis has no test of that kind.
                yield *names, *sides, *tested(one)[:-1]

    yield finished(
        lookup,
        (
            MODEL,
            left("Form"),
            SUBSET,
            METRIC,
            Column("In Subset"),
            Column("In Complement"),
            Column("Difference"),
            *TESTED[:-1],
        ),
        by_models(profile, rows),
        name=table_name("subsets", dataset.name),
        title=f"Subsets of {dataset.name} against their complements",
    )


def _is_split(one: Estimate) -> bool:
    """Whether it is the difference of a subset from its complement, and nothing else differs."""
    return (
        one.kind is Kind.DIFFERENCE
        and one.against is not None
        and one.key.whole == one.against.whole
    )
