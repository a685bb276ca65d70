"""One dataset against another (thesis Tables 4.5 and 4.33)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from horsesense.reports import cells
from horsesense.reports.table import Column, ReportTable
from horsesense.reports.tables.columns import ANSWER_LENGTH, METRIC, MODEL, TESTED, tested
from horsesense.reports.tables.lookup import Lookup, Row, by_models, finished
from horsesense.reports.tables.naming import LENGTHS, SYMBOLS, standard, table_name
from horsesense.results import ORIGINAL, DatasetSubject, ModelSubject, Results


def dataset_tables(profile: Results) -> Iterator[ReportTable | None]:
    """Each dataset against every one before it."""
    for earlier, later in combinations(profile.datasets, 2):
        yield _table(profile, later, earlier)


def _table(profile: Results, later: DatasetSubject, earlier: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(profile)

    def rows(model: ModelSubject) -> Iterator[Row]:
        of, against = (standard(model, one.name) for one in (later, earlier))
        for metric, symbol in SYMBOLS.items():
            for length, subset in LENGTHS.items():
                ends = of.replace(subset=subset), against.replace(subset=subset)
                if one := lookup.difference(*ends, metric):
                    sides = cells.share(one.before), cells.share(one.after)
                    yield model.name, symbol, length, *sides, *tested(one)

    difference = Column(f"{later.name} – {earlier.name}")
    return finished(
        lookup,
        (
            MODEL,
            METRIC,
            ANSWER_LENGTH,
            Column(earlier.name),
            Column(later.name),
            difference,
            *TESTED,
        ),
        by_models(profile, rows),
        name=table_name("datasets", later.name, earlier.name),
        title=f"Comparing model accuracies on {earlier.name} and {later.name}",
        thesis="4.5" if earlier.is_winograd and later.is_winograd else "4.33",
        is_main=True,
        notes=(_samples(_in_both(profile, later, earlier)),),
    )


def _in_both(profile: Results, later: DatasetSubject, earlier: DatasetSubject) -> int:
    """How many problems of one are in the other as well, word by word."""
    one, other = (
        {
            (each.statement, frozenset(each.options))
            for each in profile.problems
            if (each.dataset, each.variant) == (dataset.name, ORIGINAL)
        }
        for dataset in (later, earlier)
    )
    return len(one & other)


def _samples(in_both: int) -> str:
    note = "the two datasets are taken as two samples: nothing is paired"
    if not in_both:
        return note
    told = f"{cells.counted(in_both, 'problem')} {'is' if in_both == 1 else 'are'} in both"
    return f"{note}, although {told}, so that the interval is wider than it need be"
