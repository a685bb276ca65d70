"""Everything at a glance: a row for each model and dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from horsesense.metrics.statistics import FEW_SCHEMAS
from horsesense.reports import cells
from horsesense.reports.expected import expected
from horsesense.reports.survival import is_enough, other_questions, perturbations
from horsesense.reports.table import Group, ReportTable
from horsesense.reports.tables.columns import INTERVAL, MODEL, left, symbol
from horsesense.reports.tables.lookup import CHANCE_ROW, Lookup, Row, by_models, finished
from horsesense.reports.tables.naming import (
    CHANCE,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    controls,
    standard,
)
from horsesense.results import DatasetSubject, Estimate, Kind, ModelSubject, ResultKey, Results

_CONSISTENCY, _CONSISTENT_BY_GUESSING = "schema-consistency", 0.375
_COLUMNS = (
    MODEL,
    left("Dataset"),
    symbol("a"),
    symbol("A"),
    INTERVAL,
    left("Worst Perturbation"),
    symbol("ΔA"),
    symbol("C"),
    symbol("C, Expected"),
    symbol("A, Control"),
)
_ON_THE_WORST = (
    "worst perturbation: where schema accuracy falls most, or rises least; among many, that"
    " looks worse than it is",
    f"forms that ask the other way round, and those of fewer than {FEW_SCHEMAS} schemas, stand"
    " there only where there are no others",
    "C: the consistency there; expected: what it would be, with the accuracies before and after,"
    " if the answers had nothing to do with each other",
)


def overview(profile: Results) -> ReportTable | None:
    """A row for each model and dataset: accuracies, the worst perturbation, and a control."""
    lookup = Lookup(profile)

    def rows(model: ModelSubject) -> Iterator[Row]:
        for dataset in profile.datasets:
            if row := _row(lookup, model, dataset):
                yield row

    accuracies = (cells.share(CHANCE[one]) for one in (PROBLEM_ACCURACY, SCHEMA_ACCURACY))
    consistency = (cells.share(_CONSISTENT_BY_GUESSING),) * 2
    none = (cells.UNDEFINED,) * 3
    chance = (CHANCE_ROW, cells.UNDEFINED, *accuracies, *none, *consistency, cells.UNDEFINED)
    groups = (*by_models(profile, rows), Group((chance,)))
    return finished(
        lookup,
        _COLUMNS,
        groups,
        name="glance",
        title="At a glance",
        is_main=True,
        notes=(
            *(_ON_THE_WORST if any(one.kind is Kind.DIFFERENCE for one in lookup.found) else ()),
            *_which_controls(profile),
        ),
    )


def _row(lookup: Lookup, model: ModelSubject, dataset: DatasetSubject) -> Row | None:
    at = standard(model, dataset.name)
    problems, schemas = (lookup.value(at, one) for one in (PROBLEM_ACCURACY, SCHEMA_ACCURACY))
    if not problems and not schemas:
        return None
    worst, control = _worst(lookup, at), _control(lookup.profile, at)
    consistency = lookup.change(worst.key, at, _CONSISTENCY) if worst else None
    by_chance = expected(lookup.profile, worst.key, at, _CONSISTENCY) if worst else None
    return (
        model.name,
        dataset.name,
        cells.value(problems),
        cells.value(schemas),
        cells.interval(schemas),
        worst.key.variant if worst else cells.UNDEFINED,
        cells.difference(worst),
        cells.value(consistency),
        cells.share(by_chance),
        _with_number_if_few(lookup.value(control.key, SCHEMA_ACCURACY) if control else None),
    )


def _worst(lookup: Lookup, at: ResultKey) -> Estimate | None:
    """The perturbation on which schema accuracy falls most, among those that tell most."""
    profile = lookup.profile
    for forms in (perturbations, other_questions):
        found = [
            one
            for form in forms(profile, at.dataset)
            if (one := profile.difference(at.replace(variant=form.name), at, SCHEMA_ACCURACY))
            and one.value is not None
        ]
        if found:
            worst = min(_enough_or_all(found), key=lambda one: one.value or 0.0)
            return lookup.difference(worst.key, at, SCHEMA_ACCURACY)
    return None


def _control(profile: Results, at: ResultKey) -> Estimate | None:
    """The first control on enough schemas, which decides; or else the first there is."""
    forms = controls(profile, at.dataset)
    values = (profile.value(at.replace(variant=form.name), SCHEMA_ACCURACY) for form in forms)
    found = _enough_or_all([one for one in values if one])
    return found[0] if found else None


def _enough_or_all(found: Sequence[Estimate]) -> Sequence[Estimate]:
    return [one for one in found if is_enough(one)] or found


def _with_number_if_few(one: Estimate | None) -> str:
    """An accuracy, with the number of schemas where there are too few to rely on."""
    if one is None or is_enough(one):
        return cells.value(one)
    return f"{cells.value(one)} (n = {one.n_schemas})"


def _which_controls(profile: Results) -> Iterator[str]:
    """What stands under «A, Control»."""
    found = [
        one
        for model in profile.evaluated
        for dataset in profile.datasets
        if (one := _control(profile, standard(model, dataset.name)))
    ]
    if not found:
        return
    names = dict.fromkeys(f"{one.key.variant} of {one.key.dataset}" for one in found)
    told = f"control, where what sense needs is taken away: {cells.listed(names)}"
    if not all(map(is_enough, found)):
        told += "; n where there are too few schemas to rely on"
    yield told
