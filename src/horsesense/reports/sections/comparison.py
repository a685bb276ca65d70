"""Models, datasets and subsets compared (thesis Tables 4.5, 4.15, 4.32 and 4.33)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from horsesense.reports import wording
from horsesense.reports.figures.accuracy import dataset_figures
from horsesense.reports.figures.plane import plane_figures
from horsesense.reports.lookup import Lookup, Row, by_models, finished, tested
from horsesense.reports.sections import Part, section
from horsesense.reports.table import (
    ANSWER_LENGTH,
    INTERVAL,
    METRIC,
    MODEL,
    SUBSET,
    TESTED,
    Column,
    Group,
    ReportTable,
    left,
    symbol,
)
from horsesense.reports.wording import (
    ASSOCIATIVE,
    LENGTHS,
    SYMBOLS,
    form_name,
    standard,
    table_name,
)
from horsesense.results import ORIGINAL, DatasetSubject, Estimate, Kind, ModelSubject, Results

_AGREEMENT = {"consistency": "c", "schema-consistency": "C"}


@section("comparison", title="Models, datasets and subsets compared", position=30)
def comparison(results: Results) -> Iterator[Part]:
    """Models compared on each dataset, subsets with the rest of it, and datasets."""
    for dataset in results.datasets:
        yield _differences(results, dataset)
        yield _agreement(results, dataset)
        yield _subsets(results, dataset)
    for earlier, later in combinations(results.datasets, 2):
        yield _datasets(results, later, earlier)
    yield from dataset_figures(results)
    yield from plane_figures(results)


def _differences(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    rows = []
    for earlier, later in combinations(results.models, 2):
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


def _agreement(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    rows = []
    for earlier, later in combinations(results.models, 2):
        against, of = (standard(one, dataset.name) for one in (earlier, later))
        found = [lookup.change(of, against, metric) for metric in _AGREEMENT]
        if any(found):
            written = (
                cell for one in found for cell in (wording.value(one), wording.interval(one))
            )
            rows.append((earlier.name, later.name, *written))
    columns = (column for one in _AGREEMENT.values() for column in (symbol(one), INTERVAL))
    return finished(
        lookup,
        (left("Model"), left("Other"), *columns),
        (Group(tuple(rows)),),
        name=table_name("model-agreement", dataset.name),
        title=f"Agreement between models on {dataset.name}",
        notes=("for guessing: c .500, C .375",),
    )


def _datasets(
    results: Results, later: DatasetSubject, earlier: DatasetSubject
) -> ReportTable | None:
    lookup = Lookup(results)

    def rows(model: ModelSubject) -> Iterator[Row]:
        of, against = (standard(model, one.name) for one in (later, earlier))
        for metric, symbol_ in SYMBOLS.items():
            for length, subset in LENGTHS.items():
                ends = of.replace(subset=subset), against.replace(subset=subset)
                if one := lookup.difference(*ends, metric):
                    sides = wording.share(one.before), wording.share(one.after)
                    yield model.name, symbol_, length, *sides, *tested(one)

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
        by_models(results, rows),
        name=table_name("datasets", later.name, earlier.name),
        title=f"Comparing model accuracies on {earlier.name} and {later.name}",
        thesis="4.5" if earlier.is_winograd and later.is_winograd else "4.33",
        is_main=True,
        notes=(_samples(_in_both(results, later, earlier)),),
    )


def _in_both(results: Results, later: DatasetSubject, earlier: DatasetSubject) -> int:
    """The number of problems that both datasets have, word by word."""
    one, other = (
        {
            (each.statement, frozenset(each.options))
            for each in results.problems
            if (each.dataset, each.variant) == (dataset.name, ORIGINAL)
        }
        for dataset in (later, earlier)
    )
    return len(one & other)


def _samples(in_both: int) -> str:
    note = "the two datasets are treated as independent samples: nothing is paired"
    if not in_both:
        return note
    message = f"{wording.counted(in_both, 'problem')} {'is' if in_both == 1 else 'are'} in both"
    return f"{note}, although {message}, so the interval is wider than necessary"


def _subsets(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    """Every split of a dataset but that by associativity, which has tables of its own."""
    lookup = Lookup(results)

    def rows(model: ModelSubject) -> Iterator[Row]:
        for estimate in filter(_is_split, results.estimates):
            is_asked = (estimate.key.model, estimate.key.dataset) == (model.name, dataset.name)
            if is_asked and estimate.key.subset != ASSOCIATIVE and estimate.metric in SYMBOLS:
                lookup.found.append(estimate)
                sides = wording.share(estimate.after), wording.share(estimate.before)
                names = (
                    model.name,
                    form_name(estimate.key.variant),
                    estimate.key.subset,
                    SYMBOLS[estimate.metric],
                )
                # The thesis has no test of that kind.
                yield *names, *sides, *tested(estimate)[:-1]

    return finished(
        lookup,
        (
            MODEL,
            left("Variant"),
            SUBSET,
            METRIC,
            Column("In Subset"),
            Column("In Complement"),
            Column("Difference"),
            *TESTED[:-1],
        ),
        by_models(results, rows),
        name=table_name("subsets", dataset.name),
        title=f"Subsets of {dataset.name} compared with their complements",
    )


def _is_split(estimate: Estimate) -> bool:
    """True for the difference of a subset from its complement, if nothing else differs."""
    return (
        estimate.kind is Kind.DIFFERENCE
        and estimate.against is not None
        and estimate.key.whole == estimate.against.whole
    )
