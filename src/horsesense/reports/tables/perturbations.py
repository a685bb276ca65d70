"""Accuracy and consistency on perturbations (thesis Tables 4.16, 4.20 and 4.37)."""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.metrics import METRICS
from horsesense.reports import cells
from horsesense.reports.table import Column, Group, ReportTable
from horsesense.reports.tables.columns import (
    INTERVAL,
    METRIC,
    MODEL,
    PERTURBATION,
    TESTED,
    symbol,
    tested,
)
from horsesense.reports.tables.lookup import CHANCE_ROW, Lookup, Row, by_models, finished
from horsesense.reports.tables.methods import CONSISTENCIES
from horsesense.reports.tables.naming import (
    INVERTED,
    SYMBOLS,
    consistency_forms,
    form_name,
    standard,
    table_name,
)
from horsesense.results import DatasetSubject, ModelSubject, Results

_KAPPA = "chance-corrected-consistency"
# Metrics whose intervals are shown: of the others there is no room.
_WITH_INTERVAL = {
    "consistency": "c",
    "schema-consistency": "C",
    "consistent-schema-accuracy": "C_a",
    "preserved-schema-accuracy": "C_p",
    _KAPPA: "κ",
}
_INVERTED_METRICS = (
    "schema-consistency",
    "consistent-schema-accuracy",
    "preserved-schema-accuracy",
)


def perturbation_tables(profile: Results, dataset: DatasetSubject) -> Iterator[ReportTable | None]:
    """Accuracy on the perturbations, and consistency, with its intervals."""
    yield _accuracy(profile, dataset)
    yield _consistency(profile, dataset)
    yield _intervals(profile, dataset)
    if not dataset.is_winograd:
        yield _inverted(profile, dataset)


def _accuracy(profile: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(profile)
    return finished(
        lookup,
        (MODEL, PERTURBATION, METRIC, Column("Value"), INTERVAL,
         Column("Perturbation – Original Subset"), *TESTED),
        by_models(profile, lambda model: _accuracy_rows(lookup, dataset.name, model)),
        name=table_name("perturbations", dataset.name),
        title=f"Accuracy on perturbations of {dataset.name}",
        thesis="4.16",
        is_main=True,
        notes=("the difference is from the same schemas of the original",),
    )  # fmt: skip


def _accuracy_rows(lookup: Lookup, dataset: str, model: ModelSubject) -> Iterator[Row]:
    original = standard(model, dataset)
    forms = consistency_forms(lookup.profile, dataset)
    if not forms:
        return
    for metric, symbol_ in SYMBOLS.items():
        one = lookup.value(original, metric)
        none = (cells.UNDEFINED,) * (1 + len(TESTED))
        yield model.name, original.variant, symbol_, cells.value(one), cells.interval(one), *none
    for form in forms:
        of = original.replace(variant=form.name)
        for metric, symbol_ in SYMBOLS.items():
            one, difference = lookup.value(of, metric), lookup.difference(of, original, metric)
            if one or difference:
                shown = cells.value(one), cells.interval(one)
                yield model.name, form_name(form.name), symbol_, *shown, *tested(difference)


def _consistency(profile: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(profile)
    metrics = (*CONSISTENCIES, _KAPPA)
    chance = Group(
        (
            (
                CHANCE_ROW,
                cells.UNDEFINED,
                *(cells.share(METRICS[one].declared.chance) for one in metrics),
            ),
        )
    )
    rows = by_models(profile, lambda model: _changes(lookup, dataset.name, model, metrics))
    return finished(
        lookup,
        (MODEL, PERTURBATION, *map(symbol, (*CONSISTENCIES.values(), "κ"))),
        (*rows, chance),
        name=table_name("consistency", dataset.name),
        title=f"Consistency on perturbations of {dataset.name}",
        thesis="4.20",
        is_main=True,
        notes=(
            "where only schemas have a counterpart, what is counted in problems does not apply",
            "κ: how much of the agreement that the shares of schema patterns do not give there is;"
            " choosing the first option always makes c = 1",
        ),
    )


def _intervals(profile: Results, dataset: DatasetSubject) -> ReportTable | None:
    lookup = Lookup(profile)

    def rows(model: ModelSubject) -> Iterator[Row]:
        return _changes(lookup, dataset.name, model, tuple(_WITH_INTERVAL), is_interval=True)

    columns = (symbol(f"{one}, {INTERVAL.heading}") for one in _WITH_INTERVAL.values())
    return finished(
        lookup,
        (MODEL, PERTURBATION, *columns),
        by_models(profile, rows),
        name=table_name("consistency-intervals", dataset.name),
        title=f"Intervals of the consistency on perturbations of {dataset.name}",
    )


def _changes(
    lookup: Lookup,
    dataset: str,
    model: ModelSubject,
    metrics: tuple[str, ...],
    *,
    is_interval: bool = False,
) -> Iterator[Row]:
    against = standard(model, dataset)
    write = cells.interval if is_interval else cells.value
    for form in consistency_forms(lookup.profile, dataset):
        found = [lookup.change(against.replace(variant=form.name), against, one) for one in metrics]
        if any(found):
            yield model.name, form_name(form.name), *map(write, found)


def _inverted(profile: Results, dataset: DatasetSubject) -> ReportTable | None:
    """The consistency on the inverted perturbation alone, as in Table 4.37."""
    lookup = Lookup(profile)

    def rows(model: ModelSubject) -> Iterator[Row]:
        against = standard(model, dataset.name)
        of = against.replace(variant=INVERTED)
        found = [lookup.change(of, against, metric) for metric in _INVERTED_METRICS]
        if any(found):
            written = (cell for one in found for cell in (cells.value(one), cells.interval(one)))
            yield model.name, *written

    columns = (
        column
        for metric in _INVERTED_METRICS
        for column in (symbol(CONSISTENCIES[metric]), INTERVAL)
    )
    chance = (
        cell
        for one in _INVERTED_METRICS
        for cell in (cells.share(METRICS[one].declared.chance), cells.UNDEFINED)
    )
    return finished(
        lookup,
        (MODEL, *columns),
        (*by_models(profile, rows), Group(((CHANCE_ROW, *chance),))),
        name=table_name("inverted-consistency", dataset.name),
        title=f"Consistency on the inverted perturbation of {dataset.name}",
        thesis="4.37",
    )
