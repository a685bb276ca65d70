"""One self-contained page with everything in it, to be read offline in any browser.

It loads nothing from outside, and its policy forbids it to: no script runs but the two written
here, which are known by their hashes. Text from data is escaped by the template, or stands in
a block of JSON that scripts write as text only.
"""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from horsesense.errors import HorsesenseError
from horsesense.metrics import METRICS
from horsesense.reports.cells import interval, listed, share
from horsesense.reports.figures import DrawnFigure, why_none
from horsesense.reports.naming import standard
from horsesense.reports.page.data import as_script, page_data
from horsesense.reports.report import Fact, Report
from horsesense.reports.table import Column, ReportTable
from horsesense.reports.verdict import ModelVerdict
from horsesense.results import Record, Results

ASSETS = "assets"
# The metrics beside a verdict, each with its value for guessing.
_BESIDE_VERDICTS = ("problem-accuracy", "schema-accuracy")


@dataclass(frozen=True, slots=True)
class Span:
    """A value in its interval, with chance, as a small bar shows them. All are shares.

    `interval` is written as tables have it.
    """

    symbol: str
    title: str
    value: float
    low: float
    high: float
    chance: float
    interval: str


@dataclass(frozen=True, slots=True)
class Made:
    """How a run was made: versions, machine, plan, and the command that repeats it.

    No command repeats a run that used things given `in_memory`, which no plan can name.
    """

    groups: tuple[tuple[str, tuple[Fact, ...]], ...]
    plan: str
    repeat: str
    in_memory: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """The symbol of a metric, with its name, meaning and equation."""

    symbol: str
    name: str
    title: str
    equation: str
    source: str


def page(report: Report) -> str:
    """The page of a report, as HTML; without matplotlib it says why it has no figures."""
    results, verdicts = report.results, report.summary.verdicts
    no_figures = why_none() if report.figures else ""
    look, theme, script = (_asset(name) for name in ("page.css", "theme.js", "page.js"))
    written: str = _template().render(
        report=report,
        policy=_policy(theme, script),
        look=look,
        theme=theme,
        script=script,
        data=as_script(page_data(results)),
        spans=[spans(results, verdict) for verdict in verdicts],
        drawings={} if no_figures else {each.name: _drawing(each) for each in report.figures},
        no_figures=no_figures,
        made=how_it_was_made(results.record),
        glossary=glossary(),
    )
    return written


def glance_html(report: Report) -> str:
    """The headline and the table of all at a glance, for notebooks and other pages."""
    summary = report.summary
    return f"<p>{escape(summary.headline)}</p>" + (_table(summary.glance) if summary.glance else "")


def _drawing(figure: DrawnFigure) -> Any:
    """A figure as SVG, or a sentence if a plug-in did not draw it."""
    from markupsafe import Markup

    try:
        return Markup(figure.svg())
    except HorsesenseError as error:
        return f"This figure is missing: {error}."


def spans(profile: Results, verdict: ModelVerdict) -> tuple[Span, ...]:
    """The accuracies behind a verdict, if they were measured."""
    model = next(one for one in profile.models if one.name == verdict.model)
    at = standard(model, verdict.dataset)
    found = []
    for name in _BESIDE_VERDICTS:
        declared, one = METRICS[name].declared, profile.value(at, name)
        if one is None or one.value is None or one.low is None or one.high is None:
            continue
        chance = declared.chance or 0.0
        shares = one.value, one.low, one.high, chance
        found.append(Span(declared.symbol, _words(name), *shares, interval(one)))
    return tuple(found)


def how_it_was_made(record: Record) -> Made:
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
    return Made(
        (("Run", run), ("Versions", versions), ("Machine", machine)),
        safe_dump(plan, sort_keys=False, allow_unicode=True),
        f"horsesense run --again {record.id}" if record.is_repeatable else "",
        listed(record.in_memory),
    )


def glossary() -> tuple[Symbol, ...]:
    """The symbols of all metrics, with their meaning."""
    return tuple(
        Symbol(one.symbol, one.name, one.title, one.equation, one.source)
        for one in (metric.declared for metric in METRICS.values())
    )


def _words(name: str) -> str:
    return name.replace("-", " ")


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
    environment.globals["share"] = share
    environment.filters |= {"notated": _notated, "heading": _heading}
    return environment.from_string(_asset("page.html"))


def _notated(text: str) -> Any:
    """A symbol or equation as print has it: what follows an underline stands below the line."""
    from markupsafe import Markup

    return Markup(re.sub(r"_(\w)", r"<sub>\1</sub>", escape(text)))


def _heading(column: Column) -> Any:
    """The heading of a column; of `a, equal length` only the symbol is in italics."""
    from markupsafe import Markup

    if not column.is_symbol:
        return column.heading
    symbol, comma, rest = column.heading.partition(", ")
    return Markup('<i class="symbol">{}</i>{}').format(_notated(symbol), comma + rest)
