"""The tables of a report, chapter by chapter, laid out as the thesis' own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from horsesense.reports.table import Group, ReportTable
from horsesense.reports.tables.accuracy import accuracy_tables
from horsesense.reports.tables.columns import left
from horsesense.reports.tables.controls import control_tables
from horsesense.reports.tables.datasets import dataset_tables
from horsesense.reports.tables.dyads import dyad_tables
from horsesense.reports.tables.forms import form_tables
from horsesense.reports.tables.inversion import inversion_tables
from horsesense.reports.tables.methods import method_tables
from horsesense.reports.tables.models import model_tables
from horsesense.reports.tables.perturbations import perturbation_tables
from horsesense.reports.tables.responses import response_tables
from horsesense.reports.tables.setup import setup_tables
from horsesense.reports.tables.subsets import subset_tables
from horsesense.results import Results

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


def tables(profile: Results) -> tuple[ReportTable, ...]:
    """All tables that have something to show, each under a name of its own."""
    names: Counter[str] = Counter()
    found = []
    for one in filter(None, _every(profile)):
        names[one.name] += 1
        again = f"-{names[one.name]}" if names[one.name] > 1 else ""
        found.append(replace(one, name=one.name + again))
    return tuple(found)


def _every(profile: Results) -> Iterator[ReportTable | None]:
    yield from setup_tables(profile)
    for dataset in profile.datasets:
        for make in _OF_A_DATASET:
            yield from make(profile, dataset)
    yield from dataset_tables(profile)
    if profile.skipped:
        yield _gaps(profile)


def _gaps(profile: Results) -> ReportTable:
    """What could not be done: first what was asked for by its name."""
    named, others = (
        tuple((one.where, one.reason) for one in profile.skipped if one.is_named == is_named)
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
