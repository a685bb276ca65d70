"""Reports of profiles for tests, and what is in them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from horsesense.reports import DrawnFigure, Report, ReportTable, build_report
from horsesense.results import Results
from tests.reports.small_profile import small_profile


@cache
def small_report() -> Report:
    """The report of the small profile."""
    return build_report(small_profile())


def small_tables() -> tuple[ReportTable, ...]:
    """Its tables."""
    return small_report().tables


def tables(profile: Results) -> tuple[ReportTable, ...]:
    """The tables of any profile."""
    return build_report(profile).tables


def figures(profile: Results) -> tuple[DrawnFigure, ...]:
    """The figures of any profile."""
    return build_report(profile).figures


def with_figures(report: Report, *figures: DrawnFigure) -> Report:
    """A report with these figures in its first section and no others, as drawing takes time."""
    first, *others = (replace(section, figures=()) for section in report.sections)
    return replace(report, sections=(replace(first, figures=figures), *others))


def without_figures(profile: Results) -> Report:
    """The report of a profile, without its figures."""
    return with_figures(build_report(profile))
