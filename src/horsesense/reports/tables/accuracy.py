"""Accuracy of scoring methods (thesis Tables 4.3, 4.7, 4.11, 4.29 to 4.31), baselines below."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from horsesense.reports import cells
from horsesense.reports.table import Column, Group, ReportTable
from horsesense.reports.tables.columns import ADJUSTED_P, INTERVAL, P, left, symbol
from horsesense.reports.tables.lookup import CHANCE_ROW, Lookup, Row, finished
from horsesense.reports.tables.naming import (
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
from horsesense.results import DatasetSubject, Estimate, Kind, ModelSubject, ResultKey, Results
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


def accuracy_tables(profile: Results, dataset: DatasetSubject) -> Iterator[ReportTable | None]:
    """For each model the accuracy of its methods as the thesis has it, and the intervals."""
    for model in profile.evaluated:
        yield _table(profile, dataset, model)
        yield _intervals(profile, dataset, model)


def _table(profile: Results, dataset: DatasetSubject, model: ModelSubject) -> ReportTable | None:
    def written(one: Estimate | None) -> tuple[str, ...]:
        return cells.value(one), cells.p(one)

    lookup = Lookup(profile)
    groups = _groups(lookup, dataset.name, model, written)
    if not lookup.found:
        return None
    chance = [cell for metric in CHANCE for _ in LENGTHS for cell in (CHANCE[metric], None)]
    below = (
        (CHANCE_ROW, *_no_mean(model), *map(cells.share, chance)),
        *_beside(lookup, dataset.name, model, written),
    )
    return finished(
        lookup,
        (*method_columns(model), *_columns(P)),
        (*groups, Group(tuple(below), "Baselines")),
        name=table_name("accuracy", dataset.name, model.name),
        title=f"Accuracy of scoring methods for {model.name} on {dataset.name}",
        thesis=_THESIS.get((model.family, dataset.is_winograd), ""),
        is_main=True,
        tests=(Kind.VALUE,),
        notes=_marks(profile, dataset.name, model),
    )


def _intervals(
    profile: Results, dataset: DatasetSubject, model: ModelSubject
) -> ReportTable | None:
    def written(one: Estimate | None) -> tuple[str, ...]:
        return cells.interval(one), cells.adjusted_p(one)

    lookup = Lookup(profile)
    groups = _groups(lookup, dataset.name, model, written)
    if not lookup.found:
        return None
    columns = (
        column
        for metric in SYMBOLS.values()
        for length in LENGTHS
        for column in (symbol(f"{metric}, {length.title()} Length, {INTERVAL.heading}"), ADJUSTED_P)
    )
    below = Group(tuple(_beside(lookup, dataset.name, model, written)), "Baselines")
    return finished(
        lookup,
        (*method_columns(model), *columns),
        (*groups, below),
        name=table_name("accuracy-intervals", dataset.name, model.name),
        title=f"Intervals of the accuracies for {model.name} on {dataset.name}",
        tests=(Kind.VALUE,),
        notes=_marks(profile, dataset.name, model),
    )


def _groups(lookup: Lookup, dataset: str, model: ModelSubject, written: Cells) -> tuple[Group, ...]:
    """The methods, and below them the best one, chosen anew in each resample."""
    profile, chosen = lookup.profile, standard(model, dataset).method
    best = _best(profile, dataset, model)
    rows = []
    for method in methods_in_order(model):
        marks = (STANDARD_MARK if method == chosen else "") + (BEST_MARK if method in best else "")
        at = ResultKey(model.name, dataset, method=method)
        cells_of = _accuracies(lookup, at, written)
        rows.append((*method_cells(model, method, marks), *cells_of))
    at = ResultKey(model.name, dataset, method=BEST)
    if profile.value(at, SCHEMA_ACCURACY) is None:
        return (Group(tuple(rows)),)
    # Not looked up: what was chosen by the data is not the standard setup of the notes.
    row = (
        f"best of {len(rows)}{COMMON_MARK}",
        *_no_mean(model),
        *_accuracies(Lookup(profile), at, written),
    )
    heading = (
        "Chosen by looking at the accuracy, which flatters; the choice repeated in each resample"
    )
    return (Group(tuple(rows)), Group((row,), heading))


def _best(profile: Results, dataset: str, model: ModelSubject) -> tuple[str, ...]:
    """The methods with the highest schema accuracy, where there are several to choose from."""
    found = {
        method: one.value
        for method in model.methods
        if (one := profile.value(ResultKey(model.name, dataset, method=method), SCHEMA_ACCURACY))
        and one.value is not None
    }
    if len(found) < 2:
        return ()
    highest = max(found.values())
    return tuple(method for method, value in found.items() if value == highest)


def _beside(lookup: Lookup, dataset: str, model: ModelSubject, written: Cells) -> Iterator[Row]:
    """What stands beside: baselines, and the model without what makes the problems solvable."""
    profile = lookup.profile
    for one in baselines(profile):
        at = standard(one, dataset)
        yield (one.name, *_no_mean(model), *_accuracies(lookup, at, written))
    for form in controls(profile, dataset):
        at = standard(model, dataset).replace(variant=form.name)
        if profile.value(at, SCHEMA_ACCURACY):
            yield (form.name, *_no_mean(model), *_accuracies(lookup, at, written))


def _accuracies(lookup: Lookup, at: ResultKey, written: Cells) -> Row:
    return tuple(
        cell
        for metric in SYMBOLS
        for subset in LENGTHS.values()
        for cell in written(lookup.value(at.replace(subset=subset), metric))
    )


def _columns(second: Column) -> Iterator[Column]:
    for metric in SYMBOLS.values():
        for length in LENGTHS:
            yield symbol(f"{metric}, {length.title()} Length")
            yield second


def _has_means(model: ModelSubject) -> bool:
    """Whether the thesis' table has a column for it: of sequence-to-sequence models it has not."""
    return model.family in ("causal", "masked")


def method_columns(model: ModelSubject) -> tuple[Column, ...]:
    """The columns in which a method is named."""
    means = (left("Take Mean?"),) if _has_means(model) else ()
    return (left("Scoring Method"), *means)


def _no_mean(model: ModelSubject) -> tuple[str, ...]:
    return (cells.UNDEFINED,) if _has_means(model) else ()


def method_cells(model: ModelSubject, method: str, marks: str = "") -> tuple[str, ...]:
    """A method in these columns, with marks."""
    named = method_name(method, model.family)
    marks = (LOSS if named.is_loss else "") + marks
    if not _has_means(model):
        return (named.scoring + marks,)
    return named.scoring, (named.mean or cells.UNDEFINED) + marks


def _marks(profile: Results, dataset: str, model: ModelSubject) -> Iterator[str]:
    if any(method_name(one, model.family).is_loss for one in model.methods):
        yield f"{LOSS} the model's loss"
    yield f"{STANDARD_MARK} the standard method, chosen beforehand"
    if _best(profile, dataset, model):
        yield f"{BEST_MARK} the highest schema accuracy on these very data: chosen by looking"
    best = profile.value(ResultKey(model.name, dataset, method=BEST), SCHEMA_ACCURACY)
    if best:
        reason = f"; {best.reason}" if best.reason else ""
        yield f"{COMMON_MARK} among the problems that all methods answer{reason}"
    yield from _partly(profile, dataset, model)
    yield "baselines: guessing, what sees no meaning, and controls, by the standard method"


def _partly(profile: Results, dataset: str, model: ModelSubject) -> Iterator[str]:
    """Which methods do not score all problems."""
    found = [
        (method, one)
        for method in methods_in_order(model)
        if (one := profile.value(ResultKey(model.name, dataset, method=method), SCHEMA_ACCURACY))
    ]
    most = max((one.n_problems for _, one in found), default=0)
    for method, one in found:
        if one.n_problems < most:
            schemas = cells.counted(one.n_schemas, "schema")
            yield f"{method}: on {one.n_problems:,} of the {most:,} problems only, in {schemas}"
