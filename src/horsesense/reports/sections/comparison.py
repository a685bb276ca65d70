"""Models, datasets and subsets compared (thesis Tables 4.5, 4.15, 4.32 and 4.33)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from horsesense.reports import wording
from horsesense.reports.figures.accuracy import dataset_figures
from horsesense.reports.figures.plane import plane_figures
from horsesense.reports.lookup import (
    Lookup,
    Row,
    by_models,
    finished,
    for_guessing,
    tested,
    with_intervals,
)
from horsesense.reports.sections import Part, section
from horsesense.reports.table import (
    ANSWER_LENGTH,
    METRIC,
    MODEL,
    SUBSET,
    TESTED,
    ReportTable,
    RowGroup,
    TableColumn,
    beside_intervals,
    left,
    symbol,
)
from horsesense.reports.wording import (
    ASSOCIATIVE,
    LENGTHS,
    SYMBOLS,
    standard,
    table_name,
    variant_label,
)
from horsesense.results import (
    ORIGINAL,
    DatasetSubject,
    Estimate,
    EstimateKind,
    ModelSubject,
    Results,
)

_AGREEMENT = {"consistency": "c", "schema-consistency": "C"}


@section("comparison", title="Comparison of models, datasets and subsets", position=30)
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
        first, second = (earlier, later) if later.is_baseline else (later, earlier)
        of, against = standard(first, dataset.name), standard(second, dataset.name)
        for metric, symbol_ in SYMBOLS.items():
            for length, subset in LENGTHS.items():
                ends = of.replace(subset=subset), against.replace(subset=subset)
                if difference := lookup.difference(*ends, metric):
                    names = f"{first.name} – {second.name}"
                    rows.append((names, symbol_, length, *tested(difference)))
    return finished(
        lookup,
        (left("Models"), METRIC, ANSWER_LENGTH, TableColumn("Difference"), *TESTED),
        (RowGroup(tuple(rows)),),
        name=table_name("model-differences", dataset.name),
        title=f"Comparison of model accuracies on {dataset.name}",
        thesis="4.15" if dataset.is_winograd else "4.32",
    )


def _agreement(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    rows = []
    for earlier, later in combinations(results.models, 2):
        of, against = standard(later, dataset.name), standard(earlier, dataset.name)
        estimates = [lookup.change(of, against, metric) for metric in _AGREEMENT]
        if any(estimates):
            rows.append((earlier.name, later.name, *with_intervals(estimates)))
    return finished(
        lookup,
        (left("Model"), left("Other"), *beside_intervals(map(symbol, _AGREEMENT.values()))),
        (RowGroup(tuple(rows)),),
        name=table_name("model-agreement", dataset.name),
        title=f"Agreement between models on {dataset.name}",
        notes=(f"{for_guessing(lookup)}: c .500, C .375",),
    )


def _datasets(
    results: Results, later: DatasetSubject, earlier: DatasetSubject
) -> ReportTable | None:
    lookup = Lookup(results)

    def rows(model: ModelSubject) -> Iterator[Row]:
        of, against = standard(model, later.name), standard(model, earlier.name)
        for metric, symbol_ in SYMBOLS.items():
            for length, subset in LENGTHS.items():
                ends = of.replace(subset=subset), against.replace(subset=subset)
                if difference := lookup.difference(*ends, metric):
                    sides = wording.share(difference.before), wording.share(difference.after)
                    yield model.name, symbol_, length, *sides, *tested(difference)

    return finished(
        lookup,
        (
            MODEL,
            METRIC,
            ANSWER_LENGTH,
            TableColumn(earlier.name),
            TableColumn(later.name),
            TableColumn(f"{later.name} – {earlier.name}"),
            *TESTED,
        ),
        by_models(results, rows),
        name=table_name("datasets", later.name, earlier.name),
        title=f"Comparison of model accuracies on {earlier.name} and {later.name}",
        thesis="4.5" if earlier.is_winograd and later.is_winograd else "4.33",
        is_main=True,
        notes=(_note_on_pairing(results, later, earlier),),
    )


def _note_on_pairing(results: Results, later: DatasetSubject, earlier: DatasetSubject) -> str:
    """Say that the datasets are not paired, and how many problems both have, word by word."""
    texts_of = {
        dataset.name: {
            (problem.statement, frozenset(problem.options))
            for problem in results.problems
            if (problem.dataset, problem.variant) == (dataset.name, ORIGINAL)
        }
        for dataset in (later, earlier)
    }
    in_both = len(texts_of[later.name] & texts_of[earlier.name])
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
            is_here = (estimate.key.model, estimate.key.dataset) == (model.name, dataset.name)
            if is_here and estimate.key.subset != ASSOCIATIVE and estimate.metric in SYMBOLS:
                lookup.found.append(estimate)
                sides = wording.share(estimate.after), wording.share(estimate.before)
                names = (
                    model.name,
                    variant_label(estimate.key.variant),
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
            TableColumn("In Subset"),
            TableColumn("In Complement"),
            TableColumn("Difference"),
            *TESTED[:-1],
        ),
        by_models(results, rows),
        name=table_name("subsets", dataset.name),
        title=f"Subsets of {dataset.name} compared with their complements",
    )


def _is_split(estimate: Estimate) -> bool:
    """True for the difference of a subset from its complement, if nothing else differs."""
    return (
        estimate.kind is EstimateKind.DIFFERENCE
        and estimate.against is not None
        and estimate.key.whole == estimate.against.whole
    )
