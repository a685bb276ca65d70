"""The tables of a report, chapter by chapter, laid out as the thesis' own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from horsesense.reports.sections.comparison import dataset_tables, model_tables, subset_tables
from horsesense.reports.sections.controls import control_tables
from horsesense.reports.sections.methods import accuracy_tables, method_tables
from horsesense.reports.sections.modes import dyad_tables, inversion_tables
from horsesense.reports.sections.perturbations import form_tables, perturbation_tables
from horsesense.reports.sections.responses import response_tables
from horsesense.reports.sections.setup import setup_tables
from horsesense.reports.table import Group, ReportTable, left
from horsesense.results import Profile

_OF_A_DATASET = (
    accuracy_tables,
    method_tables,
    model_tables,
    perturbation_tables,
    form_tables,
    inversion_tables,
    subset_tables,
    control_tables,
    dyad_tables,
    response_tables,
)


def tables(profile: Profile) -> tuple[ReportTable, ...]:
    """All tables that have something to show, each under a name of its own."""
    names: Counter[str] = Counter()
    found = []
    for one in filter(None, _every(profile)):
        names[one.name] += 1
        again = f"-{names[one.name]}" if names[one.name] > 1 else ""
        found.append(replace(one, name=one.name + again))
    return tuple(found)


def _every(profile: Profile) -> Iterator[ReportTable | None]:
    yield from setup_tables(profile)
    for dataset in profile.datasets:
        for make in _OF_A_DATASET:
            yield from make(profile, dataset)
    yield from dataset_tables(profile)
    if profile.gaps:
        yield _gaps(profile)


def _gaps(profile: Profile) -> ReportTable:
    """What could not be done: first what was asked for by its name."""
    named, others = (
        tuple((one.where, one.reason) for one in profile.gaps if one.is_named == is_named)
        for is_named in (True, False)
    )
    groups = (Group(named), Group(others, "Not by name, but as one of all that may apply"))
    return ReportTable(
        name="gaps",
        title="Gaps: what was asked for and could not be done",
        columns=(left("Where"), left("Reason")),
        groups=tuple(one for one in groups if one.rows),
        is_main=True,
    )
