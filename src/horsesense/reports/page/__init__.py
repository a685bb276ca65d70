"""One self-contained page with everything in it, to be read offline in any browser.

It loads nothing from outside, and its policy forbids it to: no script runs but the two written
here, which are known by their hashes. Text from data is escaped by the template, or stands in
a block of JSON that scripts write as text only.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from math import isinf
from typing import Any, TypeAlias

from horsesense.errors import HorsesenseError
from horsesense.metrics import METRICS
from horsesense.reports.figures import DrawnFigure, missing_figures_reason
from horsesense.reports.finding import MARKS
from horsesense.reports.report import Fact, Report
from horsesense.reports.table import ReportTable, TableColumn
from horsesense.reports.twins import telling_twins
from horsesense.reports.verdict import ModelVerdict
from horsesense.reports.wording import CHANCE, SYMBOLS, interval, listed, percent, share, standard
from horsesense.results import (
    ORIGINAL,
    PROBLEM_LEVEL,
    Estimate,
    ModelSubject,
    ProblemRow,
    Record,
    ResultKey,
    Results,
    TokenCosts,
    Variant,
)
from horsesense.results.measuring.noteworthy import can_flip, problem_views
from horsesense.schema.filling import BLANK
from horsesense.scoring.outcome import Answer

# In place of an option: a problem that was left undecided, and one that was not answered.
UNDECIDED, UNANSWERED = "-", "."
# In place of a margin or cost: infinite, which JSON cannot write.
INFINITE = -1
# Margins are shown with three digits, the costs of tokens with two.
MARGIN_UNIT, COST_UNIT = 1000, 100

# The problems of each dataset and variant, by entry and number; a variant may have none stored.
ProblemRows: TypeAlias = Mapping[tuple[str, str], Mapping[tuple[str, int], ProblemRow]]
# Unique texts, numbered in the order in which they first occur.
Numbers: TypeAlias = dict[str, int]


def page_data(results: Results) -> dict[str, Any]:
    """Return all problems, answers and tokens of a run, as plain lists and numbers."""
    entries, tags, texts, parts = Numbers(), Numbers(), Numbers(), Numbers()
    rows: defaultdict[tuple[str, str], dict[tuple[str, int], ProblemRow]] = defaultdict(dict)
    for problem in results.problems:
        rows[problem.dataset, problem.variant][problem.entry, problem.number] = problem
    return {
        "models": [_model(results, model) for model in results.models],
        "datasets": [
            {"name": dataset.name, "title": dataset.title} for dataset in results.datasets
        ],
        "forms": [
            _form(results, variant, rows[variant.dataset, variant.name].values(), entries)
            for variant in results.variants
        ],
        "answers": list(_answers(results, rows, tags)),
        "tokens": list(_tokens(results, rows, texts, parts)),
        "entries": list(entries),
        "tags": list(tags),
        "texts": list(texts),
        "parts": list(parts),
    }


def as_script(data: Mapping[str, Any]) -> str:
    """The data as JSON that may stand in a page: nothing in it can end the element it stands in.

    >>> as_script({"id": "</script>"})
    '{"id":"\\\\u003c/script>"}'
    """
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return written.replace("<", "\\u003c")


def _number(numbers: Numbers, text: str) -> int:
    """Return the number of a text; a new one is added."""
    return numbers.setdefault(text, len(numbers))


def _model(results: Results, model: ModelSubject) -> dict[str, Any]:
    standard = dict(model.standard)
    return {
        "name": model.name,
        "isBaseline": model.is_baseline,
        "methods": model.methods,
        "standard": [standard.get(dataset.name) for dataset in results.datasets],
    }


def _form(
    results: Results, variant: Variant, problems: Iterable[ProblemRow], entries: Numbers
) -> dict[str, Any]:
    return {
        "dataset": [dataset.name for dataset in results.datasets].index(variant.dataset),
        "name": variant.name,
        "title": variant.title,
        "purpose": variant.purpose,
        "mode": variant.mode,
        "isOriginal": variant.name == ORIGINAL,
        "corresponds": (variant.level, variant.compared) == (PROBLEM_LEVEL, ORIGINAL),
        "canFlip": can_flip(variant),
        "rows": [_row(problem, entries) for problem in problems],
    }


def _row(problem: ProblemRow, entries: Numbers) -> list[Any]:
    right = -1 if problem.label is None else problem.label
    entry = _number(entries, problem.entry)
    row = [entry, problem.number, problem.statement, problem.options, right]
    # The browser can fill the options into the statement itself, unless that gives other sentences.
    filled = tuple(problem.statement.replace(BLANK, option) for option in problem.options)
    return row if problem.sentences == filled else [*row, problem.sentences]


def _answers(results: Results, rows: ProblemRows, tags: Numbers) -> Iterator[dict[str, Any]]:
    """Yield answers: by every method to the original, by the standard one to other variants."""
    for model_at, model in enumerate(results.models):
        standard = dict(model.standard)
        for variant_at, variant in enumerate(results.variants):
            is_original = variant.name == ORIGINAL
            for method in model.methods if is_original else [standard.get(variant.dataset, "")]:
                key = ResultKey(model.name, variant.dataset, variant.name, method=method)
                if (answer_set := results.answer_sets.get(key)) is None:
                    continue
                by_problem = {answer.problem: answer for answer in answer_set.answers}
                problems = rows[variant.dataset, variant.name]
                coded = _coded([by_problem.get(problem) for problem in problems])
                shown = {"model": model_at, "form": variant_at, "method": method, **coded}
                if is_original and method == standard.get(variant.dataset):
                    shown |= _noteworthy(results, key, tags)
                yield shown


def _noteworthy(results: Results, key: ResultKey, tags: Numbers) -> dict[str, Any]:
    """Return agreement of methods and tests with the standard method; twins; tags."""
    views = problem_views(results, key.model, key.dataset, key.method)
    return {
        "agreement": [[view.agreement.count, view.agreement.total] for view in views],
        "flips": [[len(view.flips), len(view.tests)] for view in views],
        "twins": [[view.twin, view.schema_solved] for view in views],
        "tags": [[_number(tags, tag) for tag in sorted(view.tags)] for view in views],
    }


def _coded(answers: Sequence[Answer | None]) -> dict[str, Any]:
    """Return a letter and a margin for each problem; None is a missing answer."""
    return {
        "chosen": "".join(_letter(answer) for answer in answers),
        "margins": [
            _scaled(answer.outcome.margin if answer else None, MARGIN_UNIT) for answer in answers
        ],
    }


def _letter(answer: Answer | None) -> str:
    if answer is None:
        return UNANSWERED
    chosen = answer.outcome.chosen
    return UNDECIDED if chosen is None else chr(ord("0") + chosen)


def _scaled(value: float | None, unit: int) -> int | None:
    if value is None:
        return None
    scaled = value * unit
    return INFINITE if isinf(scaled) else round(scaled)


def _tokens(
    results: Results, rows: ProblemRows, texts: Numbers, parts: Numbers
) -> Iterator[dict[str, Any]]:
    """Yield the tokens of the original, option by option, for each model that has any."""
    forms, positions = {}, {}
    for at, variant in enumerate(results.variants):
        if variant.name == ORIGINAL:
            forms[variant.dataset] = at
            problems = rows[variant.dataset, ORIGINAL]
            positions[variant.dataset] = {problem: row for row, problem in enumerate(problems)}
    models = {model.name: at for at, model in enumerate(results.models)}
    tokens: dict[tuple[str, str], dict[int, dict[int, list[Any]]]] = {}
    for token in results.tokens:
        if token.variant != ORIGINAL or token.dataset not in positions:
            continue
        row = positions[token.dataset].get((token.entry, token.number))
        if row is not None:
            of_row = tokens.setdefault((token.model, token.dataset), {}).setdefault(row, {})
            of_row[token.option] = _costs(token, texts, parts)
    for (model, dataset), options in tokens.items():
        yield {"model": models[model], "form": forms[dataset], "rows": options}


def _costs(token_costs: TokenCosts, texts: Numbers, parts: Numbers) -> list[Any]:
    return [
        [_number(texts, text) for text in token_costs.texts],
        [_scaled(cost, COST_UNIT) for cost in token_costs.costs],
        "".join(chr(ord("0") + _number(parts, part)) for part in token_costs.parts),
    ]


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
    results, verdicts = report.results, report.summary.verdicts
    no_figures = missing_figures_reason() if report.figures else ""
    look, theme, script = (_asset(name) for name in ("page.css", "theme.js", "page.js"))
    written: str = _template().render(
        report=report,
        policy=_policy(theme, script),
        look=look,
        theme=theme,
        script=script,
        data=as_script(page_data(results)),
        twins=[telling_twins(results, finding) for finding in report.summary.findings],
        marks=MARKS,
        accuracies=[accuracies(results, verdict) for verdict in verdicts],
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
