"""Controls, on associative problems and others (thesis Tables 4.25 to 4.28).

Without an associative subset there is one row for all problems.
"""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.reports import wording
from horsesense.reports.figures.changes import control_figures
from horsesense.reports.lookup import Lookup, Row, finished, for_guessing, tested, with_intervals
from horsesense.reports.sections import Part, section
from horsesense.reports.table import (
    INTERVAL,
    METRIC,
    MODEL,
    SUBSET,
    TESTED,
    P,
    ReportTable,
    RowGroup,
    TableColumn,
    beside_intervals,
    symbol,
)
from horsesense.reports.wording import (
    ASSOCIATIVE,
    NOT_ASSOCIATIVE,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    SYMBOLS,
    controls,
    standard,
    table_name,
)
from horsesense.results import (
    ALL,
    ORIGINAL,
    DatasetSubject,
    EstimateKind,
    ModelSubject,
    ResultKey,
    Results,
)

_SHORT = {NOT_ASSOCIATIVE: "non-assoc.", ASSOCIATIVE: "assoc.", ALL: "all"}
_LOSSES = {
    PROBLEM_ACCURACY: ("adjusted-accuracy", "relative-loss", "relative-gain"),
    SCHEMA_ACCURACY: ("adjusted-schema-accuracy", "relative-schema-loss", "relative-schema-gain"),
}
_LOWER_BOUND = "adjusted-schema-lower-bound"
_LOSS, _RELATIVE_LOSS, _RELATIVE_GAIN = "r − r_B", "(r − r_B)/r", "(r − r_B)/(1 − r_B)"


@section("controls", title="Associations and controls", position=60)
def control_section(results: Results) -> Iterator[Part]:
    """Accuracies on the controls; then for each its effect, losses, and adjusted accuracies."""
    for dataset in results.datasets:
        yield _accuracy(results, dataset)
        for variant in controls(results, dataset.name):
            yield _effect(results, dataset, variant.name)
            yield _losses(results, dataset, variant.name)
            yield _adjusted(results, dataset, variant.name)
    yield from control_figures(results)


def _accuracy(results: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(results)
    is_split = _is_split(dataset)
    names = [control.name for control in controls(results, dataset.name)]
    groups = [
        RowGroup(
            tuple(_accuracy_rows(lookup, dataset, variant)),
            "Original Problems" if variant == ORIGINAL else f"{variant.title()} Perturbation",
        )
        for variant in (ORIGINAL, *names)
        if names
    ]
    if is_split:
        columns: tuple[TableColumn, ...] = (TableColumn("Non-Assoc."), P, TableColumn("Assoc."), P,
                                       TableColumn("Assoc. – Non-Assoc."), *TESTED)  # fmt: skip
        title = f"Accuracy on associative and non-associative subsets of {dataset.name}"
    else:
        columns = (TableColumn("All"), INTERVAL, P)
        title = f"Accuracy on controls of {dataset.name}"
    return finished(
        lookup,
        (MODEL, METRIC, *columns),
        groups,
        name=table_name("controls", dataset.name),
        title=title,
        thesis="4.25",
        is_main=True,
        tests=(EstimateKind.VALUE, EstimateKind.DIFFERENCE),
        notes=()
        if is_split
        else ("no problems are tagged as associative, so all are shown together",),
    )


def _accuracy_rows(lookup: Lookup, dataset: DatasetSubject, variant: str) -> Iterator[Row]:
    for model in lookup.profile.models:
        key = standard(model, dataset.name).replace(variant=variant)
        for metric, symbol_ in SYMBOLS.items():
            if not _is_split(dataset):
                if estimate := lookup.value(key, metric):
                    yield model.name, symbol_, *with_intervals([estimate]), wording.p(estimate)
                continue
            ends = key.replace(subset=NOT_ASSOCIATIVE), key.replace(subset=ASSOCIATIVE)
            others, marked = (lookup.value(end, metric) for end in ends)
            if others or marked:
                difference = lookup.difference(ends[1], ends[0], metric)
                values = wording.value(others), wording.p(others), wording.value(marked)
                yield model.name, symbol_, *values, wording.p(marked), *tested(difference)


def _effect(results: Results, dataset: DatasetSubject, variant: str) -> ReportTable | None:
    lookup = Lookup(results)
    short = "No Cand." if variant == "no-candidate" else variant.title()
    rows = []
    for model, metric, subset in _each(results, dataset):
        of, against = _ends(results, model, dataset.name, variant, subset)
        if difference := lookup.difference(of, against, metric):
            names = model.name, SYMBOLS[metric], _SHORT[subset]
            sides = wording.share(difference.before), wording.share(difference.after)
            rows.append((*names, *sides, *tested(difference)))
    return finished(
        lookup,
        (
            MODEL,
            METRIC,
            SUBSET,
            TableColumn("Original"),
            TableColumn(short),
            TableColumn(f"{short} – Original"),
            *TESTED,
        ),
        (RowGroup(tuple(rows)),),
        name=table_name("effect", variant, dataset.name),
        title=f"Effect of {variant} on the accuracy on {dataset.name}",
        thesis="4.26",
    )


def _losses(results: Results, dataset: DatasetSubject, variant: str) -> ReportTable | None:
    lookup = Lookup(results)
    rows = []
    for model, metric, subset in _each(results, dataset):
        ends = _ends(results, model, dataset.name, variant, subset)
        losses = [lookup.change(*ends, loss) for loss in _LOSSES[metric]]
        if any(losses):
            names = model.name, SYMBOLS[metric], _SHORT[subset]
            rows.append((*names, *with_intervals(losses)))
    columns = beside_intervals(map(symbol, (_LOSS, _RELATIVE_LOSS, _RELATIVE_GAIN)))
    return finished(
        lookup,
        (MODEL, METRIC, SUBSET, *columns),
        (RowGroup(tuple(rows)),),
        name=table_name("losses", variant, dataset.name),
        title=f"Relative loss of accuracy from the {variant} perturbation of {dataset.name}",
        thesis="4.27",
        notes=("r: accuracy on the original; r_B: accuracy on the control",),
    )


def _adjusted(results: Results, dataset: DatasetSubject, variant: str) -> ReportTable | None:
    lookup = Lookup(results)
    rows = []
    for model in results.models:
        of, against = _ends(results, model, dataset.name, variant, ALL)
        for metric, symbol_ in SYMBOLS.items():
            loss, _, gain = _LOSSES[metric]
            adjusted = [lookup.change(of, against, metric_) for metric_ in (loss, gain)]
            if not any(adjusted):
                continue
            # On the schemas that the control applies to, like everything else in the row.
            difference = lookup.difference(of, against, metric)
            bound = lookup.change(of, against, _LOWER_BOUND) if metric == SCHEMA_ACCURACY else None
            before = wording.share(difference.before if difference else None)
            rows.append((model.name, symbol_, before, *with_intervals([*adjusted, bound])))
    columns = beside_intervals(map(symbol, (_LOSS, _RELATIVE_GAIN, "A − C_a")))
    return finished(
        lookup,
        (MODEL, METRIC, symbol("r"), *columns),
        (RowGroup(tuple(rows)),),
        name=table_name("adjusted", variant, dataset.name),
        title=f"Accuracies on {dataset.name} adjusted for spurious correlations by {variant}",
        thesis="4.28",
        notes=(
            "r: accuracy on those problems of the original that the control applies to",
            "A − C_a: the schemas solved in the original but not in the control, a lower bound"
            f" rather than a correction; {for_guessing(lookup)} .188",
        ),
    )


def _each(results: Results, dataset: DatasetSubject) -> Iterator[tuple[ModelSubject, str, str]]:
    """Models, metrics and subsets, in the order of rows."""
    subsets = (NOT_ASSOCIATIVE, ASSOCIATIVE) if _is_split(dataset) else (ALL,)
    for model in results.models:
        for metric in SYMBOLS:
            for subset in subsets:
                yield model, metric, subset


def _ends(
    results: Results, model: ModelSubject, dataset: str, variant: str, subset: str
) -> tuple[ResultKey, ResultKey]:
    """A control and the original."""
    against = standard(model, dataset).replace(subset=subset)
    return against.replace(variant=variant), against


def _is_split(dataset: DatasetSubject) -> bool:
    return ASSOCIATIVE in dataset.tags
