"""The report of a run: built once from its results, and shown by every writer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from horsesense.reports.figures.drawing import DrawnFigure
from horsesense.reports.sections import Section, make_sections
from horsesense.reports.summary import Summary, summarize
from horsesense.reports.table import ReportTable
from horsesense.reports.wording import baselines, counted, listed
from horsesense.results import DatasetSubject, Results

Item = TypeVar("Item", ReportTable, DrawnFigure)


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and its value; `is_code` for what readers copy, such as an id."""

    name: str
    text: str
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """A report: title, opening sentence, facts and summary, and then its sections in order.

    `results` are what it was built from. Names of tables and of figures are unique in it.
    """

    results: Results
    title: str
    opening: str
    facts: tuple[Fact, ...]
    summary: Summary
    sections: tuple[Section, ...]

    @property
    def tables(self) -> tuple[ReportTable, ...]:
        """The tables of the summary and of all sections."""
        in_sections = (table for section in self.sections for table in section.tables)
        return (*self.summary.tables, *in_sections)

    @property
    def figures(self) -> tuple[DrawnFigure, ...]:
        """The figures of all sections."""
        return tuple(figure for section in self.sections for figure in section.figures)


def build_report(results: Results) -> Report:
    """Build the report that all writers show."""
    return Report(
        results,
        report_title(results),
        opening(results),
        facts(results),
        summarize(results),
        _with_unique_names(make_sections(results)),
    )


def report_title(results: Results) -> str:
    """The models and datasets; baselines only if there is no other model."""
    names = [model.name for model in results.evaluated]
    return f"{listed(names)} on {listed([dataset.name for dataset in results.datasets])}"


def opening(results: Results) -> str:
    """One sentence with everything that identifies the run."""
    record = results.record
    models = listed([model.name for model in results.models] or ["no model"])
    datasets = listed([dataset.name for dataset in results.datasets] or ["no data"])
    return (
        f"{models} on {datasets}: run {record.id} of {record.finished_at} with horsesense"
        f" {record.horsesense}, seed {record.plan.seed}, {record.plan.resamples:,} resamples,"
        f" {counted(record.queries, 'query', 'queries')}."
    )


def _size(dataset: DatasetSubject) -> str:
    problems = counted(dataset.problems, "problem")
    return f"{problems}, {counted(dataset.schemas, 'schema')}" if dataset.schemas else problems


def facts(results: Results) -> tuple[Fact, ...]:
    """The facts that a reader wants first: models, data, date and run."""
    models = [model.name for model in results.evaluated]
    others = [model.name for model in baselines(results)]
    data = [f"{dataset.name} ({_size(dataset)})" for dataset in results.datasets]
    known = [
        Fact("Model" if len(models) == 1 else "Models", listed(models)),
        Fact("Baseline" if len(others) == 1 else "Baselines", listed(others)),
        Fact("Data", listed(data)),
        Fact("Date", _date(results.record.finished_at)),
        Fact("Run", results.record.id, is_code=True),
    ]
    return tuple(fact for fact in known if fact.text)


def _date(written: str) -> str:
    """The day and minute of a time, as people write it."""
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        return written
    return f"{at.day} {at:%B %Y, %H:%M %Z}".strip()


def _with_unique_names(sections: Iterable[Section]) -> tuple[Section, ...]:
    tables: set[str] = set()
    figures: set[str] = set()
    return tuple(
        replace(
            section,
            tables=tuple(_renamed(table, tables) for table in section.tables),
            figures=tuple(_renamed(figure, figures) for figure in section.figures),
        )
        for section in sections
    )


def _renamed(item: Item, taken: set[str]) -> Item:
    """The item, with a number behind its name if an earlier one is called the same."""
    name, number = item.name, 1
    while name in taken:
        number += 1
        name = f"{item.name}-{number}"
    taken.add(name)
    return replace(item, name=name)
