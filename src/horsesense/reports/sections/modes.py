"""Other modes: solving by key, and dyads (thesis Tables 4.21 to 4.24, 4.34 to 4.38)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.metrics import METRICS
from horsesense.reports import wording
from horsesense.reports.figures.accuracy import dyad_figures
from horsesense.reports.lookup import (
    CHANCE_ROW,
    Lookup,
    Row,
    by_models,
    finished,
    for_guessing,
    tested,
    with_intervals,
)
from horsesense.reports.sections import Part, section
from horsesense.reports.sections.methods import CONSISTENCIES, method_cells, method_columns
from horsesense.reports.table import (
    ADJUSTED_P,
    INTERVAL,
    METRIC,
    MODEL,
    PERTURBATION,
    TESTED,
    P,
    ReportTable,
    RowGroup,
    TableColumn,
    beside_intervals,
    left,
    symbol,
)
from horsesense.reports.wording import (
    INVERTED,
    SYMBOLS,
    dyads,
    methods_in_order,
    standard,
    table_name,
)
from horsesense.results import DatasetSubject, EstimateKind, ModelSubject, ResultKey, Results

_METRICS = ("schema-consistency", "consistent-schema-accuracy", "preserved-schema-accuracy")
_THESIS = {
    ("causal", True): "4.21",
    ("masked", True): "4.22",
    ("seq2seq", True): "4.23",
    ("causal", False): "4.34",
    ("masked", False): "4.35",
    ("seq2seq", False): "4.36",
}


@section("inversion", title="Solving by key", position=50)
def inversion(results: Results) -> Iterator[Part]:
    """Accuracy and consistency when problems are solved by key, by every scoring method."""
    for dataset in results.datasets:
        if not dataset.is_winograd:
            yield _standard_consistency(results, dataset)
        for model in results.evaluated:
            yield _accuracy(results, dataset, model)
        yield _consistency(results, dataset)


@section("dyads", title="Dyads", position=70)
def dyad_section(results: Results) -> Iterator[Part]:
    """Accuracy on the dyads in each mode."""
    for dataset in results.datasets:
        yield _dyads(results, dataset)
    yield from dyad_figures(results)


def _accuracy(results: Results, dataset: DatasetSubject, model: ModelSubject) -> ReportTable | None:
    lookup = Lookup(results)
    rows = []
    for method in methods_in_order(model):
        original = ResultKey(model.name, dataset.name, method=method)
        of = original.replace(variant=INVERTED)
        cells_of: list[str] = []
        for metric in SYMBOLS:
            estimate = lookup.value(of, metric)
            difference = lookup.difference(of, original, metric)
            cells_of += [
                wording.value(estimate),
                wording.difference(difference),
                wording.p(difference),
                wording.adjusted_p(difference),
            ]
        rows.append((*method_cells(model, method), *cells_of))
    columns = (
        column
        for metric in SYMBOLS.values()
        for column in (symbol(metric), TableColumn("Inverted – Original"), P, ADJUSTED_P)
    )
    return finished(
        lookup,
        (*method_columns(model), *columns),
        (RowGroup(tuple(rows)),),
        name=table_name("inverted", dataset.name, model.name),
        title=f"Accuracy of scoring methods for {model.name} on {dataset.name} inverted",
        thesis=_THESIS.get((model.family, dataset.is_winograd), ""),
    )


def _consistency(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    rows = []
    for model in results.evaluated:
        for method in methods_in_order(model):
            against = ResultKey(model.name, dataset.name, method=method)
            of = against.replace(variant=INVERTED)
            estimates = [lookup.change(of, against, metric) for metric in _METRICS]
            if any(estimates):
                rows.append((model.name, method, *map(wording.value, estimates)))
    symbols = [symbol(CONSISTENCIES[metric]) for metric in _METRICS]
    return finished(
        lookup,
        (MODEL, left("Scoring Method"), *symbols),
        (RowGroup(tuple(rows)),),
        name=table_name("inverted-methods", dataset.name),
        title=f"Consistency on {dataset.name} inverted, for every scoring method",
        thesis="4.24",
        notes=(f"{for_guessing(lookup)}: C .375, C_a .062, C_p .250",),
    )


def _standard_consistency(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    """The consistency on the inverted perturbation alone, as in Table 4.37."""
    lookup = Lookup(results)

    def rows(model: ModelSubject) -> Iterator[Row]:
        against = standard(model, dataset.name)
        of = against.replace(variant=INVERTED)
        estimates = [lookup.change(of, against, metric) for metric in _METRICS]
        if any(estimates):
            yield model.name, *with_intervals(estimates)

    columns = beside_intervals(symbol(CONSISTENCIES[metric]) for metric in _METRICS)
    chance = (
        cell
        for metric in _METRICS
        for cell in (wording.share(METRICS[metric].declared.chance), wording.UNDEFINED)
    )
    return finished(
        lookup,
        (MODEL, *columns),
        (*by_models(results, rows), RowGroup(((CHANCE_ROW, *chance),))),
        name=table_name("inverted-consistency", dataset.name),
        title=f"Consistency on the inverted perturbation of {dataset.name}",
        thesis="4.37",
    )


def _dyads(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup, variants = Lookup(results), dyads(results, dataset.name)

    def rows(model: ModelSubject) -> Iterator[Row]:
        for variant in variants:
            of = standard(model, dataset.name).replace(variant=variant.name)
            for metric, symbol_ in SYMBOLS.items():
                estimate = lookup.value(of, metric)
                compared = of.replace(variant=variant.compared)
                difference = lookup.difference(of, compared, metric) if variant.compared else None
                if estimate or difference:
                    values = *with_intervals([estimate]), wording.p(estimate)
                    yield model.name, variant.mode, symbol_, *values, *tested(difference)

    return finished(
        lookup,
        (MODEL, PERTURBATION, METRIC, TableColumn("Value"), INTERVAL, P,
         TableColumn("Perturbation – Original"), *TESTED),
        by_models(results, rows),
        name=table_name("dyads", dataset.name),
        title=f"Accuracy on {dataset.name}×2 in all three modes",
        thesis="4.38",
        is_main=True,
        tests=(EstimateKind.VALUE, EstimateKind.DIFFERENCE),
        notes=(
            f"the wrapper is “{results.record.plan.wrapper}”; the original is the dyads by answer",
            "for by boolean, the schemas by answer are regrouped at a fixed key (3.5.6)",
            "p against chance treats the two schemas of a dyad as independent",
        ),
    )  # fmt: skip
