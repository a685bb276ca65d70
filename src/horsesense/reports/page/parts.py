"""What the page says around figures, tables and problems: facts, verdicts, record and glossary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

from horsesense.metrics import METRICS
from horsesense.reports.cells import interval, listed
from horsesense.reports.table import ReportTable
from horsesense.reports.tables.naming import baselines, standard
from horsesense.reports.verdict import ModelVerdict
from horsesense.results import Record, Results

# The table of gaps.
GAPS = "gaps"
# The metrics that stand beside a verdict, each with what guessing gives.
_BESIDE_VERDICTS = ("problem-accuracy", "schema-accuracy")


@dataclass(frozen=True, slots=True)
class Fact:
    """A name and what is to be said of it; `is_code` where it is to be copied."""

    name: str
    text: str
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A value in its interval, with chance beside it: what a small bar shows. All are shares.

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
class Chapter:
    """Tables that are read together."""

    name: str
    title: str
    tables: tuple[ReportTable, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """How a run was made: what it was made with, where, of what, and how to repeat it.

    There is nothing to repeat it by where things were given `in_memory`, which no plan names.
    """

    groups: tuple[tuple[str, tuple[Fact, ...]], ...]
    plan: str
    repeat: str
    in_memory: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol of a metric, its name and what it says."""

    symbol: str
    name: str
    title: str
    equation: str
    source: str


def title(profile: Results) -> str:
    """What the page is about, baselines left aside where there is a model beside them."""
    names = [one.name for one in profile.evaluated]
    return f"{listed(names)} on {listed([one.name for one in profile.datasets])}"


def facts(profile: Results) -> tuple[Fact, ...]:
    """What is to be known of a run at once."""
    record = profile.record
    models, beside = (
        [one.name for one in listed] for listed in (profile.evaluated, baselines(profile))
    )
    data = [f"{one.name} ({one.problems:,} problems)" for one in profile.datasets]
    found = [
        Fact("Model" if len(models) == 1 else "Models", listed(models)),
        Fact("Baseline" if len(beside) == 1 else "Baselines", listed(beside)),
        Fact("Data", listed(data)),
        Fact("Date", _date(record.finished_at)),
        Fact("Run", record.id, is_code=True),
    ]
    return tuple(one for one in found if one.text)


def spans(profile: Results, verdict: ModelVerdict) -> tuple[Span, ...]:
    """The accuracies that a verdict is about, as far as they were measured."""
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


def chapters(tables: Iterable[ReportTable]) -> tuple[Chapter, ...]:
    """The tables by what they are about; gaps have a place of their own in the page."""
    found: dict[str, list[ReportTable]] = {subject: [] for subject in (*_SUBJECTS, _OTHER)}
    for one in tables:
        if one.name != GAPS:
            found[_subject(one)].append(one)
    full = [(subject, put) for subject, put in found.items() if put]
    return tuple(
        Chapter(f"chapter-{at}", subject, tuple(put))
        for at, (subject, put) in enumerate(full, start=1)
    )


def how_it_was_made(record: Record) -> Made:
    """All that a run records of itself."""
    from yaml import safe_dump

    run = (
        Fact("run", record.id, is_code=True),
        Fact("key", record.key, is_code=True),
        Fact("started", record.started_at),
        Fact("finished", record.finished_at),
        Fact("took", f"{record.seconds:,.1f} s"),
        Fact("queries", f"{record.queries:,}, of which {record.asked:,} were put to models"),
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
    """The symbols of metrics, and what they say."""
    return tuple(
        Symbol(one.symbol, one.name, one.title, one.equation, one.source)
        for one in (metric.declared for metric in METRICS.values())
    )


# What tables are about, by the first word of their names, in the order of the page.
_SUBJECTS = {
    "Models and data": ("models", "data", "left", "unscored"),
    "Scoring methods": ("accuracy", "method"),
    "Models and datasets compared": ("model", "datasets"),
    "Subsets": ("subsets",),
    "Perturbations": ("perturbations", "consistency", "ranking", "forms"),
    "Solved by key": ("inverted",),
    "Associations and controls": ("controls", "effect", "losses", "adjusted"),
    "Dyads": ("dyads",),
    "Response bias": ("responses",),
}
_OTHER = "Further tables"


def _subject(table: ReportTable) -> str:
    first = table.name.partition("-")[0]
    return next((subject for subject, words in _SUBJECTS.items() if first in words), _OTHER)


def _date(written: str) -> str:
    """The day and minute of a time, as people write it."""
    try:
        at = datetime.fromisoformat(written)
    except ValueError:
        return written
    return f"{at.day} {at:%B %Y, %H:%M %Z}".strip()


def _words(name: str) -> str:
    return name.replace("-", " ")
