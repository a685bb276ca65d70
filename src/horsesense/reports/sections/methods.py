"""Scoring methods: their accuracy, differences and consistency (thesis Tables 4.3 to 4.14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from horsesense.metrics import (
    consistency,
    consistent_accuracy,
    consistent_schema_accuracy,
    preserved_accuracy,
    preserved_schema_accuracy,
    schema_consistency,
    strict_schema_consistency,
)
from horsesense.reports import wording
from horsesense.reports.figures.accuracy import method_figures
from horsesense.reports.figures.changes import method_difference_figures
from horsesense.reports.figures.specification import specification_figures
from horsesense.reports.lookup import CHANCE_ROW, Lookup, Row, finished, tested
from horsesense.reports.sections import Part, section
from horsesense.reports.table import (
    ADJUSTED_P,
    ANSWER_LENGTH,
    INTERVAL,
    METRIC,
    TESTED,
    P,
    ReportTable,
    RowGroup,
    TableColumn,
    left,
    symbol,
)
from horsesense.reports.wording import (
    CHANCE,
    LENGTHS,
    SCHEMA_ACCURACY,
    SYMBOLS,
    baselines,
    controls,
    method_name,
    methods_in_order,
    standard,
    table_name,
)
from horsesense.results import (
    DatasetSubject,
    Estimate,
    EstimateKind,
    ModelSubject,
    ResultKey,
    Results,
)
from horsesense.results.measuring import BEST

# Marks of rows: the model's loss as in the thesis, the standard method, the best by its data, and
# what is counted on those problems alone that all methods answer.
LOSS, STANDARD_MARK, BEST_MARK, COMMON_MARK = "*", "†", "‡", "§"
_THESIS = {
    ("causal", True): "4.3",
    ("masked", True): "4.7",
    ("seq2seq", True): "4.11",
    ("causal", False): "4.29",
    ("masked", False): "4.30",
    ("seq2seq", False): "4.31",
}
Cells = Callable[[Estimate | None], tuple[str, ...]]


@section("methods", title="Scoring methods", position=20)
def methods(results: Results) -> Iterator[Part]:
    """Accuracy by every scoring method, and the standard method compared with the others."""
    for dataset in results.datasets:
        for model in results.evaluated:
            yield _accuracy(results, dataset, model)
            yield _intervals(results, dataset, model)
            yield _differences(results, dataset, model)
            yield _consistency(results, dataset, model)
    yield from method_figures(results)
    yield from method_difference_figures(results)
    yield from specification_figures(results)


def _accuracy(results: Results, dataset: DatasetSubject, model: ModelSubject) -> ReportTable | None:
    def written(estimate: Estimate | None) -> tuple[str, ...]:
        return wording.value(estimate), wording.p(estimate)

    lookup = Lookup(results)
    groups = _groups(lookup, dataset.name, model, written)
    if not lookup.found:
        return None
    chance = [cell for metric in CHANCE for _ in LENGTHS for cell in (CHANCE[metric], None)]
    below = (
        (CHANCE_ROW, *_no_mean(model), *map(wording.share, chance)),
        *_beside(lookup, dataset.name, model, written),
    )
    return finished(
        lookup,
        (*method_columns(model), *_columns(P)),
        (*groups, RowGroup(tuple(below), "Baselines")),
        name=table_name("accuracy", dataset.name, model.name),
        title=f"Accuracy of scoring methods for {model.name} on {dataset.name}",
        thesis=_THESIS.get((model.family, dataset.is_winograd), ""),
        is_main=True,
        tests=(EstimateKind.VALUE,),
        notes=_marks(results, dataset.name, model),
    )


def _intervals(
    results: Results, dataset: DatasetSubject, model: ModelSubject
) -> ReportTable | None:
    def written(estimate: Estimate | None) -> tuple[str, ...]:
        return wording.interval(estimate), wording.adjusted_p(estimate)

    lookup = Lookup(results)
    groups = _groups(lookup, dataset.name, model, written)
    if not lookup.found:
        return None
    columns = (
        column
        for metric in SYMBOLS.values()
        for length in LENGTHS
        for column in (symbol(f"{metric}, {length.title()} Length, {INTERVAL.heading}"), ADJUSTED_P)
    )
    below = RowGroup(tuple(_beside(lookup, dataset.name, model, written)), "Baselines")
    return finished(
        lookup,
        (*method_columns(model), *columns),
        (*groups, below),
        name=table_name("accuracy-intervals", dataset.name, model.name),
        title=f"Confidence intervals of the accuracies for {model.name} on {dataset.name}",
        tests=(EstimateKind.VALUE,),
        notes=_marks(results, dataset.name, model),
    )


def _groups(
    lookup: Lookup, dataset: str, model: ModelSubject, written: Cells
) -> tuple[RowGroup, ...]:
    """The methods, and below them the best one, chosen anew in each resample."""
    results, chosen = lookup.profile, standard(model, dataset).method
    best = _best(results, dataset, model)
    rows = []
    for method in methods_in_order(model):
        marks = (STANDARD_MARK if method == chosen else "") + (BEST_MARK if method in best else "")
        at = ResultKey(model.name, dataset, method=method)
        cells_of = _accuracies(lookup, at, written)
        rows.append((*method_cells(model, method, marks), *cells_of))
    at = ResultKey(model.name, dataset, method=BEST)
    if results.value(at, SCHEMA_ACCURACY) is None:
        return (RowGroup(tuple(rows)),)
    # Not looked up: what was chosen by the data is not the standard setup of the notes.
    row = (
        f"best of {len(rows)}{COMMON_MARK}",
        *_no_mean(model),
        *_accuracies(Lookup(results), at, written),
    )
    heading = "Chosen by its accuracy, which overstates it; the choice is repeated in each resample"
    return (RowGroup(tuple(rows)), RowGroup((row,), heading))


def _best(results: Results, dataset: str, model: ModelSubject) -> tuple[str, ...]:
    """The methods with the highest schema accuracy, where there are several to choose from."""
    values = {}
    for method in model.methods:
        key = ResultKey(model.name, dataset, method=method)
        accuracy = results.value(key, SCHEMA_ACCURACY)
        if accuracy and accuracy.value is not None:
            values[method] = accuracy.value
    if len(values) < 2:
        return ()
    highest = max(values.values())
    return tuple(method for method, value in values.items() if value == highest)


def _beside(lookup: Lookup, dataset: str, model: ModelSubject, written: Cells) -> Iterator[Row]:
    """Rows for comparison: baselines, and the model on the controls."""
    results = lookup.profile
    for baseline in baselines(results):
        at = standard(baseline, dataset)
        yield (baseline.name, *_no_mean(model), *_accuracies(lookup, at, written))
    for variant in controls(results, dataset):
        at = standard(model, dataset).replace(variant=variant.name)
        if results.value(at, SCHEMA_ACCURACY):
            yield (variant.name, *_no_mean(model), *_accuracies(lookup, at, written))


def _accuracies(lookup: Lookup, at: ResultKey, written: Cells) -> Row:
    return tuple(
        cell
        for metric in SYMBOLS
        for subset in LENGTHS.values()
        for cell in written(lookup.value(at.replace(subset=subset), metric))
    )


def _columns(second: TableColumn) -> Iterator[TableColumn]:
    for metric in SYMBOLS.values():
        for length in LENGTHS:
            yield symbol(f"{metric}, {length.title()} Length")
            yield second


def _has_means(model: ModelSubject) -> bool:
    """True if the thesis' table has that column, as it has not for sequence-to-sequence models."""
    return model.family in ("causal", "masked")


def method_columns(model: ModelSubject) -> tuple[TableColumn, ...]:
    """The columns in which a method is named."""
    means = (left("Take Mean?"),) if _has_means(model) else ()
    return (left("Scoring Method"), *means)


def _no_mean(model: ModelSubject) -> tuple[str, ...]:
    return (wording.UNDEFINED,) if _has_means(model) else ()


def method_cells(model: ModelSubject, method: str, marks: str = "") -> tuple[str, ...]:
    """A method in these columns, with marks."""
    named = method_name(method, model.family)
    marks = (LOSS if named.is_loss else "") + marks
    if not _has_means(model):
        return (named.scoring + marks,)
    return named.scoring, (named.mean or wording.UNDEFINED) + marks


def _marks(results: Results, dataset: str, model: ModelSubject) -> Iterator[str]:
    if any(method_name(method, model.family).is_loss for method in model.methods):
        yield f"{LOSS} the model's loss"
    yield f"{STANDARD_MARK} the standard method, chosen in advance"
    if _best(results, dataset, model):
        yield f"{BEST_MARK} the highest schema accuracy on this data, picked afterwards"
    best = results.value(ResultKey(model.name, dataset, method=BEST), SCHEMA_ACCURACY)
    if best:
        reason = f"; {best.reason}" if best.reason else ""
        yield f"{COMMON_MARK} on the problems that all methods score{reason}"
    yield from _partly(results, dataset, model)
    yield "baselines: guessing, models that ignore meaning, and controls, with the standard method"


def _partly(results: Results, dataset: str, model: ModelSubject) -> Iterator[str]:
    """Notes on the methods that do not score all problems."""
    accuracies, most = [], 0
    for method in methods_in_order(model):
        key = ResultKey(model.name, dataset, method=method)
        if accuracy := results.value(key, SCHEMA_ACCURACY):
            accuracies.append((method, accuracy))
            most = max(most, accuracy.n_problems)
    for method, accuracy in accuracies:
        if accuracy.n_problems < most:
            schemas = wording.counted(accuracy.n_schemas, "schema")
            yield f"{method}: only {accuracy.n_problems:,} of the {most:,} problems, in {schemas}"


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


def _differences(
    results: Results, dataset: DatasetSubject, model: ModelSubject
) -> ReportTable | None:
    lookup, of = Lookup(results), standard(model, dataset.name)
    rows = []
    for method, (metric, symbol_), (length, subset) in product(
        _others(model, of.method), SYMBOLS.items(), LENGTHS.items()
    ):
        ends = of.replace(subset=subset), of.replace(subset=subset, method=method)
        if difference := lookup.difference(*ends, metric):
            rows.append((f"{of.method} – {method}", symbol_, length, *tested(difference)))
    return finished(
        lookup,
        (left("Methods"), METRIC, ANSWER_LENGTH, TableColumn("Difference"), *TESTED),
        (RowGroup(tuple(rows)),),
        name=table_name("method-differences", dataset.name, model.name),
        title=f"Difference in scoring methods for {model.name} on {dataset.name}",
        thesis=_DIFFERENCE.get(model.family, ""),
    )


def _consistency(
    results: Results, dataset: DatasetSubject, model: ModelSubject
) -> ReportTable | None:
    lookup, of = Lookup(results), standard(model, dataset.name)
    groups = []
    for method in _others(model, of.method):
        rows = []
        for length, subset in LENGTHS.items():
            ends = of.replace(subset=subset), of.replace(subset=subset, method=method)
            changes = [lookup.change(*ends, metric) for metric in CONSISTENCIES]
            if any(changes):
                rows.append((dataset.name, length, *map(wording.value, changes)))
        groups.append(RowGroup(tuple(rows), f"From {method} to {of.method}"))
    return finished(
        lookup,
        (left("Dataset"), ANSWER_LENGTH, *map(symbol, CONSISTENCIES.values())),
        groups,
        name=table_name("method-consistency", dataset.name, model.name),
        title=f"Consistency of {model.name} with respect to scoring method on {dataset.name}",
        thesis=_CONSISTENCY.get(model.family, ""),
    )


def _others(model: ModelSubject, standard: str) -> tuple[str, ...]:
    return tuple(method for method in methods_in_order(model) if method != standard)
