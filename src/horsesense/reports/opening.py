"""How every report begins: what was run, when, and by which program."""

from __future__ import annotations

from horsesense.reports.cells import counted, listed
from horsesense.reports.table import ReportTable
from horsesense.results import Results


def opening(profile: Results) -> str:
    """A sentence or two that say what the report is about."""
    record = profile.record
    models = listed([one.name for one in profile.models] or ["no model"])
    datasets = listed([one.name for one in profile.datasets] or ["no data"])
    return (
        f"{models} on {datasets}: run {record.id} of {record.finished_at} by horsesense"
        f" {record.horsesense}, seed {record.plan.seed}, {record.plan.resamples:,} resamples,"
        f" {counted(record.queries, 'query', 'queries')}."
    )


def as_in_thesis(table: ReportTable) -> str:
    """After which table of the thesis it is laid out, to be put behind its title."""
    return f" (as Table {table.thesis})" if table.thesis else ""
