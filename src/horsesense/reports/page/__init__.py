"""One self-contained page with everything in it, to be read offline in any browser.

It loads nothing from outside, and its policy forbids it to: no script runs but the two written
here, which are known by their hashes. Text from data is escaped by the template, or stands in
a block of JSON that scripts write as text only.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import asdict, dataclass
from functools import cache, partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from horsesense.errors import HorsesenseError
from horsesense.metrics import METRICS
from horsesense.reports.figures import DrawnFigure, missing_figures_reason
from horsesense.reports.finding import MARKS
from horsesense.reports.page.data import as_element, page_data
from horsesense.reports.page.folds import figure_folds
from horsesense.reports.page.symbols import explained, symbols_of
from horsesense.reports.report import Fact, Report
from horsesense.reports.table import ReportTable, TableColumn
from horsesense.reports.twins import telling_twins
from horsesense.reports.verdict import ModelVerdict
from horsesense.reports.wording import (
    CHANCE,
    SYMBOLS,
    interval,
    is_bound_of_guessing,
    listed,
    percent,
    share,
    standard,
)
from horsesense.results import Estimate, Record, Results

ASSETS = "assets"


@dataclass(frozen=True, slots=True)
class Reproducibility:
    """Facts to reproduce a run with: versions, machine, plan, and the command that repeats it.

    There is no such command if some inputs were Python objects, which `in_memory` lists.
    """

    groups: tuple[tuple[str, tuple[Fact, ...]], ...]
    plan: str
    repeat: str
    in_memory: str


def page(report: Report) -> str:
    """The page of a report, as HTML; without matplotlib it says why it has no figures."""
    from markupsafe import Markup

    results, verdicts = report.results, report.summary.verdicts
    no_figures = missing_figures_reason() if report.figures else ""
    look, theme, script = (_asset(name) for name in ("page.css", "theme.js", "page.js"))
    written: str = _template().render(
        report=report,
        policy=_policy(theme, script),
        look=look,
        theme=theme,
        script=script,
        data=Markup(as_element(page_data(results))),
        twins=[telling_twins(results, finding) for finding in report.summary.findings],
        marks=MARKS,
        is_bound=partial(is_bound_of_guessing, results),
        accuracies=[accuracies(results, verdict) for verdict in verdicts],
        folds=figure_folds(report),
        drawings={} if no_figures else {each.name: _drawing(each) for each in report.figures},
        no_figures=no_figures,
        made=reproducibility(results.record),
        glossary=[metric.declared for metric in METRICS.values()],
    )
    return written


def glance_html(report: Report) -> str:
    """The headline and the tables of the summary, for notebooks and other pages."""
    summary = report.summary
    lines = "".join(f"<p>{escape(line)}</p>" for line in (*summary.warnings, summary.headline))
    return lines + "".join(map(_table, summary.tables))


def _drawing(figure: DrawnFigure) -> Any:
    """A figure as SVG, or a sentence if a plug-in did not draw it."""
    from markupsafe import Markup

    try:
        return Markup(figure.svg())
    except HorsesenseError as error:
        return f"This figure is missing: {error}."


def accuracies(results: Results, verdict: ModelVerdict) -> tuple[Estimate, ...]:
    """The accuracies behind a verdict that have an interval, to be drawn as small bars."""
    model = next(model for model in results.models if model.name == verdict.model)
    key = standard(model, verdict.dataset)
    estimates = (results.value(key, metric) for metric in CHANCE)
    return tuple(
        estimate
        for estimate in estimates
        if estimate is not None and estimate.value is not None and estimate.low is not None
    )


def reproducibility(record: Record) -> Reproducibility:
    """Everything that a run records about itself."""
    from yaml import safe_dump

    run = (
        Fact("run", record.id, is_code=True),
        Fact("key", record.key, is_code=True),
        Fact("started", record.started_at),
        Fact("finished", record.finished_at),
        Fact("took", f"{record.seconds:,.1f} s"),
        Fact("queries", f"{record.queries:,}, of which {record.asked:,} were sent to models"),
        Fact("seed", str(record.plan.seed)),
    )
    versions = (
        Fact("horsesense", record.horsesense),
        Fact("program", record.program, is_code=True),
        *(Fact(*named) for named in record.versions),
    )
    machine = tuple(Fact(*named) for named in record.machine)
    plan = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(record.plan).items()
    }
    return Reproducibility(
        (("Run", run), ("Versions", versions), ("Machine", machine)),
        safe_dump(plan, sort_keys=False, allow_unicode=True),
        f"horsesense run --again {record.id}" if record.is_repeatable else "",
        listed(record.in_memory),
    )


def _table(table: ReportTable) -> str:
    sides = [f"text-align: {column.align}" for column in table.columns]
    headings = (
        f'<th style="{side}">{escape(column.heading)}</th>'
        for side, column in zip(sides, table.columns, strict=True)
    )
    rows = (
        "".join(
            f'<td style="{side}">{escape(text)}</td>' for side, text in zip(sides, row, strict=True)
        )
        for group in table.groups
        for row in group.rows
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(headings)}</tr></thead><tbody>{body}</tbody></table>"


def _policy(*scripts: str) -> str:
    """The content security policy: nothing from outside, and no script but these.

    Figures have style attributes of their own, so styles cannot be listed by their hashes.
    """
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def _hash(script: str) -> str:
    return b64encode(sha256(script.encode()).digest()).decode()


@cache
def _asset(name: str) -> str:
    return (files(__name__) / ASSETS / name).read_text(encoding="utf-8")


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals |= {
        "percent": percent,
        "share": share,
        "interval": interval,
        "CHANCE": CHANCE,
        "SYMBOLS": SYMBOLS,
        "explained": explained,
        "symbols_of": symbols_of,
    }
    environment.filters |= {"notated": _notated, "heading": _heading, "unbroken": _unbroken}
    return environment.from_string(_asset("page.html"))


def _notated(text: str) -> Any:
    """A symbol or equation as print has it: what follows an underline stands below the line."""
    from markupsafe import Markup

    return Markup(re.sub(r"_(\w)", r"<sub>\1</sub>", escape(text)))


def _unbroken(text: str) -> str:
    """Keep numbers and their % in one line."""
    return text.replace(" %", "\u00a0%")


def _heading(column: TableColumn) -> Any:
    """The heading of a column; of `a, equal length` only the symbol is in italics."""
    from markupsafe import Markup

    if not column.is_symbol:
        return column.heading
    symbol, comma, rest = column.heading.partition(", ")
    return Markup('<i class="symbol">{}</i>{}').format(_notated(symbol), comma + rest)
