"""One self-contained page with everything in it, to be read offline in any browser.

It loads nothing from outside, and its policy forbids it to: no script runs but the two written
here, which are known by their hashes. Text from data is escaped by the template, or stands in
a block of JSON that scripts write as text only.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from math import isinf
from typing import Any, TypeAlias

from horsesense.errors import HorsesenseError
from horsesense.metrics import METRICS
from horsesense.reports.figures import DrawnFigure, why_none
from horsesense.reports.report import Fact, Report
from horsesense.reports.table import Column, ReportTable
from horsesense.reports.verdict import ModelVerdict
from horsesense.reports.wording import interval, listed, share, standard
from horsesense.results import (
    ORIGINAL,
    PROBLEM_LEVEL,
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
from horsesense.scoring.outcome import Answer, AnswerSet

# In place of an option: a problem that was left undecided, and one that was not answered.
UNDECIDED, UNANSWERED = "-", "."
# In place of a margin or cost: infinite, which JSON cannot write.
INFINITE = -1
# Margins are shown with three digits, the costs of tokens with two.
MARGIN_UNIT, COST_UNIT = 1000, 100

Problem: TypeAlias = tuple[str, int]


@dataclass
class Listed:
    """Texts, each once, in the order in which they were first met."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """The number of a text; a new one is added."""
        return self.numbers.setdefault(text, len(self.numbers))

    def all(self) -> list[str]:
        """The texts themselves."""
        return list(self.numbers)


def page_data(results: Results) -> dict[str, Any]:
    """All problems, answers and tokens of a profile, as plain lists and numbers."""
    entries, tags, texts, parts = Listed(), Listed(), Listed(), Listed()
    rows = _rows(results.problems)
    return {
        "models": [_model(results, model) for model in results.models],
        "datasets": [
            {"name": dataset.name, "title": dataset.title} for dataset in results.datasets
        ],
        "forms": [
            _form(results, variant, rows[variant.dataset, variant.name], entries)
            for variant in results.variants
        ],
        "answers": list(_answers(results, rows, tags)),
        "tokens": list(_tokens(results, rows, texts, parts)),
        "entries": entries.all(),
        "tags": tags.all(),
        "texts": texts.all(),
        "parts": parts.all(),
    }


def as_script(data: Mapping[str, Any]) -> str:
    """The data as JSON that may stand in a page: nothing in it can end the element it stands in.

    >>> as_script({"id": "</script>"})
    '{"id":"\\\\u003c/script>"}'
    """
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return written.replace("<", "\\u003c")


@dataclass(frozen=True)
class _Rows:
    """The problems of a form in order, and the place of each."""

    problems: tuple[ProblemRow, ...]
    places: Mapping[Problem, int]


class _RowsByForm(dict[tuple[str, str], _Rows]):
    """A form none of whose problems were kept has no rows."""

    def __missing__(self, variant: tuple[str, str]) -> _Rows:
        return _Rows((), {})


def _rows(problems: Iterable[ProblemRow]) -> _RowsByForm:
    by_form: dict[tuple[str, str], list[ProblemRow]] = {}
    for problem in problems:
        by_form.setdefault((problem.dataset, problem.variant), []).append(problem)
    return _RowsByForm(
        (
            variant,
            _Rows(tuple(found), {(one.entry, one.number): at for at, one in enumerate(found)}),
        )
        for variant, found in by_form.items()
    )


def _model(results: Results, model: ModelSubject) -> dict[str, Any]:
    standard = dict(model.standard)
    return {
        "name": model.name,
        "isBaseline": model.is_baseline,
        "methods": model.methods,
        "standard": [standard.get(dataset.name) for dataset in results.datasets],
    }


def _form(results: Results, variant: Variant, rows: _Rows, entries: Listed) -> dict[str, Any]:
    return {
        "dataset": [dataset.name for dataset in results.datasets].index(variant.dataset),
        "name": variant.name,
        "title": variant.title,
        "purpose": variant.purpose,
        "mode": variant.mode,
        "isOriginal": variant.name == ORIGINAL,
        "corresponds": (variant.level, variant.compared) == (PROBLEM_LEVEL, ORIGINAL),
        "canFlip": can_flip(variant),
        "rows": [_row(problem, entries) for problem in rows.problems],
    }


def _row(problem: ProblemRow, entries: Listed) -> list[Any]:
    right = -1 if problem.label is None else problem.label
    row = [entries.number(problem.entry), problem.number, problem.statement, problem.options, right]
    return row if _is_filled_in(problem) else [*row, problem.sentences]


def _is_filled_in(problem: ProblemRow) -> bool:
    """True where the browser can make the sentences of the statement and the options."""
    return problem.sentences == tuple(
        problem.statement.replace(BLANK, option) for option in problem.options
    )


def _answers(results: Results, rows: _RowsByForm, tags: Listed) -> Iterator[dict[str, Any]]:
    """The answers by every method to the original, and by the standard one to other forms."""
    for model_at, model in enumerate(results.models):
        standard = dict(model.standard)
        for form_at, variant in enumerate(results.variants):
            is_original = variant.name == ORIGINAL
            for method in model.methods if is_original else [standard.get(variant.dataset, "")]:
                at = ResultKey(model.name, variant.dataset, variant.name, method=method)
                if (answer_set := results.answer_sets.get(at)) is None:
                    continue
                found = _in_rows(answer_set, rows[variant.dataset, variant.name])
                shown = {"model": model_at, "form": form_at, "method": method, **_coded(found)}
                if is_original and method == standard.get(variant.dataset):
                    shown |= _noteworthy(results, at, tags)
                yield shown


def _noteworthy(results: Results, at: ResultKey, tags: Listed) -> dict[str, Any]:
    """Agreement of methods and tests with the standard method; twins; tags."""
    views = problem_views(results, at.model, at.dataset, at.method)
    return {
        "agreement": [[view.agreement.count, view.agreement.total] for view in views],
        "flips": [[len(view.flips), len(view.tests)] for view in views],
        "twins": [[view.twin, view.schema_solved] for view in views],
        "tags": [[tags.number(tag) for tag in sorted(view.tags)] for view in views],
    }


def _in_rows(answer_set: AnswerSet, rows: _Rows) -> list[Answer | None]:
    """The answers in the order of the form's problems, None where there is none."""
    given = {answer.problem: answer for answer in answer_set.answers}
    return [given.get(problem) for problem in rows.places]


def _coded(answers: Sequence[Answer | None]) -> dict[str, Any]:
    return {
        "chosen": "".join(_letter(answer) for answer in answers),
        "margins": [
            _number(answer.outcome.margin if answer else None, MARGIN_UNIT) for answer in answers
        ],
    }


def _letter(answer: Answer | None) -> str:
    if answer is None:
        return UNANSWERED
    chosen = answer.outcome.chosen
    return UNDECIDED if chosen is None else chr(ord("0") + chosen)


def _number(value: float | None, unit: int) -> int | None:
    if value is None:
        return None
    scaled = value * unit
    return INFINITE if isinf(scaled) else round(scaled)


def _tokens(
    results: Results, rows: _RowsByForm, texts: Listed, parts: Listed
) -> Iterator[dict[str, Any]]:
    """The tokens of the original, option by option, for each model that was asked for any."""
    places = {
        variant.dataset: at
        for at, variant in enumerate(results.variants)
        if variant.name == ORIGINAL
    }
    models = {model.name: at for at, model in enumerate(results.models)}
    found: dict[tuple[str, str], dict[int, dict[int, list[Any]]]] = {}
    for token in results.tokens:
        row = rows[token.dataset, token.variant].places.get((token.entry, token.number))
        if token.variant == ORIGINAL and row is not None:
            of_row = found.setdefault((token.model, token.dataset), {}).setdefault(row, {})
            of_row[token.option] = _costs(token, texts, parts)
    for (model, dataset), options in found.items():
        yield {"model": models[model], "form": places[dataset], "rows": options}


def _costs(token_costs: TokenCosts, texts: Listed, parts: Listed) -> list[Any]:
    return [
        [texts.number(text) for text in token_costs.texts],
        [_number(cost, COST_UNIT) for cost in token_costs.costs],
        "".join(chr(ord("0") + parts.number(part)) for part in token_costs.parts),
    ]


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


def spans(results: Results, verdict: ModelVerdict) -> tuple[Span, ...]:
    """The accuracies behind a verdict, if they were measured."""
    model = next(model for model in results.models if model.name == verdict.model)
    at = standard(model, verdict.dataset)
    found = []
    for name in _BESIDE_VERDICTS:
        declared, one = METRICS[name].declared, results.value(at, name)
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
