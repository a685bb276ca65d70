"""`horsesense metric`: list the metrics, explain them, and compute them from a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from horsesense.cli.groups import LazyGroup
from horsesense.cli.metric_views import (
    found_json,
    metric_json,
    metric_row,
    metric_table,
    resampling_notes,
    sample_line,
    show_metric,
)
from horsesense.cli.options import Choices, statistics_options, subset_option, ties_option
from horsesense.cli.output import (
    Table,
    json_option,
    note,
    note_failures,
    show_json,
    show_table,
    working,
)
from horsesense.datasets.files import STDIN, read_bytes
from horsesense.datasets.importers import SourceFile
from horsesense.errors import HorsesenseError, MetricError, UnknownNameError
from horsesense.metrics import (
    METRICS,
    Data,
    Metric,
    Sample,
    Ties,
    find_metric,
    responses,
    sample_of,
    subset,
)
from horsesense.metrics.statistics import Bootstrapped, bootstrap
from horsesense.results.logs import Logged, read_log, read_log_file
from horsesense.schema import Mode
from horsesense.scoring.outcome import AnswerSet, Share


@dataclass(frozen=True, slots=True)
class Source:
    """What is meant of a log, and how its documents make schemas."""

    task: str | None
    group_by: str | None
    consecutive: bool

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Source:
        """Take these out of a command's options."""
        return cls(options.pop("task"), options.pop("group_by"), options.pop("consecutive"))


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a `Source`."""
    for option in (
        click.option(
            "--consecutive", is_flag=True, help="Take each two documents of a log as a schema."
        ),
        click.option(
            "--group-by",
            metavar="FIELD",
            help="Group a log's documents into schemas by this field.",
        ),
        click.option("--task", help="Use this task of a log with several."),
    ):
        command = option(command)
    return command


def read_answers(path: str, source: Source) -> tuple[Logged, ...]:
    """What a log, or a folder of logs, holds of one task; one for each method."""
    how: Any = {"group_by": source.group_by or "", "consecutive": source.consecutive}
    with working(f"reading {path}"):
        if path == STDIN:
            found = read_log_file(SourceFile("<stdin>", read_bytes(path)), **how)
        else:
            found = read_log(Path(path), **how)
    tasks = list(dict.fromkeys(one.task for one in found))
    if source.task is not None and source.task not in tasks:
        raise UnknownNameError(f"task in {path}", source.task, tasks)
    if source.task is None and len(tasks) > 1:
        raise HorsesenseError(f"{path} holds several tasks; --task names one: {', '.join(tasks)}")
    chosen = tuple(one for one in found if one.task == (source.task or tasks[0]))
    return _answered(chosen, path) or chosen


def _answered(answers: Sequence[Logged], path: str) -> tuple[Logged, ...]:
    """Those that hold any answers: without BOS, a model has none by full scoring."""
    empty = [answer for answer in answers if not answer.answer_set.answers]
    if empty and len(empty) < len(answers):
        for message in told_of(empty):
            note(f"{path}: nothing by {message}")
    return tuple(answer for answer in answers if answer.answer_set.answers)


def by_method(answers: Sequence[Logged], method: str | None, path: str) -> Logged:
    """The answers by that method, or the only ones there are."""
    methods = {answer.method: answer for answer in answers}
    if method is not None:
        if method not in methods:
            raise UnknownNameError(f"method in {path}", method, methods)
        return methods[method]
    if len(methods) > 1:
        listed = ", ".join(methods)
        raise HorsesenseError(f"{path}: answers by several methods; --method names one: {listed}")
    return answers[0]


def described(answers: Logged) -> str:
    """Whose answers they are, and to what."""
    model = answers.model or "an unnamed model"
    mode = f", {answers.mode}" if answers.mode not in ("", Mode.BY_ANSWER) else ""
    return f"{model} on {answers.task}{mode}"


def told_of(answers: Iterable[Logged]) -> tuple[str, ...]:
    """What is to be known of the answers, the same thing once."""
    methods: dict[str, list[str]] = {}
    for answer in answers:
        for remark in answer.answer_set.remarks:
            methods.setdefault(remark, []).append(answer.method)
    return tuple(f"{', '.join(dict.fromkeys(by))}: {message}" for message, by in methods.items())


# What is shown first, and where there is no room for more.
ACCURACIES = ("problem-accuracy", "schema-accuracy")


@dataclass(frozen=True, slots=True)
class Fitting:
    """The metrics that fit, and a word on the others."""

    metrics: tuple[Metric, ...]
    note: str = ""


def that_fit(metrics: Iterable[Metric], data: Data) -> Fitting:
    """Those of the metrics that can be counted in the data."""
    fitting: list[Metric] = []
    reasons: dict[str, list[str]] = {}
    for metric in metrics:
        try:
            metric.columns(data)
        except MetricError as error:
            reasons.setdefault(str(error), []).append(metric.name)
        else:
            fitting.append(metric)
    return Fitting(tuple(fitting), _told(reasons))


def _told(reasons: dict[str, list[str]]) -> str:
    """Which metrics do not fit, and why, unless that would take several lines."""
    names = ", ".join(name for listed in reasons.values() for name in listed)
    if len(reasons) > 1:
        return f"not shown, as they do not fit (--metric NAME tells why): {names}"
    return "".join(f"not shown: {names}: {reason}" for reason in reasons)


def named_metrics(names: Sequence[str]) -> list[Metric]:
    """The metrics of these names, each once."""
    return list({metric.name: metric for metric in map(find_metric, names)}.values())


# Commands in files of their own, which are imported when they are used.
_LAZY = {
    "compare": (
        "horsesense.cli.metric_compare:compare_command",
        "Compare two runs, with the same resamples for both, and measure their consistency.",
    ),
    "curve": (
        "horsesense.cli.metric_curve:curve_command",
        "Rank models under every choice of method, subset, tie rule and metric.",
    ),
}


@click.group("metric", cls=LazyGroup, lazy=_LAZY)
def metric_group() -> None:
    """Measure accuracy and consistency, with intervals and tests that respect schemas.

    The answers may come from `horsesense score --output`, from the logs of other programs
    (lm-evaluation-harness, lighteval, inspect), or from a plain table.
    """


@metric_group.command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the metrics.

    Example:

    \b
        horsesense metric list
    """
    metrics = METRICS.values()
    if as_json:
        show_json([metric_json(metric) for metric in metrics])
    else:
        show_table(metric_table(metrics))
    note_failures(METRICS)


@metric_group.command("explain")
@click.argument("name")
@json_option
def explain_command(name: str, as_json: bool) -> None:
    """Explain the metric NAME: its equation, its source, and an example.

    Example:

    \b
        horsesense metric explain schema-consistency
    """
    metric = find_metric(name)
    if as_json:
        show_json(metric_json(metric))
    else:
        show_metric(metric)


@dataclass(frozen=True, slots=True)
class _Row:
    """A metric of a run: what it comes to, and its interval; or why it has none."""

    method: str
    metric: Metric
    share: Share | None
    found: Bootstrapped


@metric_group.command("compute")
@click.argument("log")
@click.option("--method", help="Use this scoring method of a log with several.")
@click.option(
    "--metric", "names", multiple=True, help="Compute this metric; repeatable. [all that fit]"
)
@subset_option
@ties_option
@statistics_options
@source_options
@json_option
def compute_command(
    log: str, method: str | None, names: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Compute metrics of the answers in LOG, each with an interval that respects schemas.

    LOG is a file that `horsesense score --output` has written, a log of
    lm-evaluation-harness, lighteval or inspect, or a table with the columns `schema` and
    `solved`. Where it has several scoring methods, the accuracies of all are shown, or every
    metric of the one named. «By chance» is what guessing gives on average.

    Example:

    \b
        horsesense metric compute run.jsonl --method partial --subset 'not equal-length'
    """
    choices = Choices.taken(options)
    answers = read_answers(log, Source.taken(options))
    if method is not None:
        answers = (by_method(answers, method, log),)
    fitting = _fitting(answers, names, choices)
    with working("drawing resamples"):
        rows = [row for answer in answers for row in _rows(answer, fitting.metrics, choices)]
    notes = [*told_of(answers), *filter(None, [fitting.note])]
    notes += resampling_notes([row.found for row in rows])
    if as_json:
        show_json(_shown_json(log, answers, choices, rows) | {"notes": notes})
    else:
        for line in _heading(answers, choices):
            click.echo(line)
        click.echo("")
        show_table(_table(rows, choices, several=len(answers) > 1))
    for message in notes:
        note(message)


def _heading(answers: Sequence[Logged], choices: Choices) -> Iterator[str]:
    """Whose answers they are, by which methods, and how many there are."""
    methods: dict[str, list[str]] = {}
    for answer in answers:
        methods.setdefault(sample_line(_sample(answer, choices)), []).append(answer.method)
    for line, by in methods.items():
        yield f"{described(answers[0])}, by {', '.join(by)}: {line}"


def _fitting(answers: Sequence[Logged], names: Sequence[str], choices: Choices) -> Fitting:
    """The metrics to be computed, and why others are not."""
    if not names and len(answers) == 1:
        of_one = (one for one in METRICS.values() if not one.is_paired)
        return that_fit(of_one, _sample(answers[0], choices))
    metrics = named_metrics(names or ACCURACIES)
    for metric in metrics:
        if metric.is_paired:
            message = f"{metric.name} compares two runs; `horsesense metric compare` computes it"
            raise MetricError(message)
    return Fitting(tuple(metrics))


def _rows(answers: Logged, metrics: Sequence[Metric], choices: Choices) -> list[_Row]:
    sample = _sample(answers, choices)
    found = bootstrap(metrics, sample, **choices.resampling)
    return [
        _Row(answers.method, metric, metric.share(sample) if metric.is_share else None, one)
        for metric, one in zip(metrics, found, strict=True)
    ]


def _sample(answers: Logged, choices: Choices) -> Sample:
    sample = sample_of(answers.answer_set, ties=Ties(choices.ties))
    return subset(sample, choices.subset) if choices.subset else sample


def _table(rows: Sequence[_Row], choices: Choices, *, several: bool) -> Table:
    cells = [
        (*([row.method] if several else []), *metric_row(row.metric, row.share, row.found))
        for row in rows
    ]
    titles = ("metric", "symbol", "count", "value", choices.interval, "by chance")
    return Table((*(["method"] if several else []), *titles), cells)


def _shown_json(
    log: str, answers: Sequence[Logged], choices: Choices, rows: Sequence[_Row]
) -> dict[str, Any]:
    """Everything but the notes, for programs."""
    runs = []
    for answer in answers:
        sample = _sample(answer, choices)
        runs.append(
            {
                **{
                    "model": answer.model,
                    "task": answer.task,
                    "mode": answer.mode,
                    "method": answer.method,
                },
                "problems": len(sample.problems),
                "schemas": len(sample.schemas),
                "clusters": sample.cluster_count,
                "undecided": int(sample.problems.undecided.sum()),
                "responses": _responses_json(answer.answer_set),
            }
        )
    found = [{"method": r.method, **found_json(r.metric, r.share, r.found)} for r in rows]
    return {"log": log, **asdict(choices), "runs": runs, "metrics": found}


def _responses_json(answer_set: AnswerSet) -> dict[str, Any]:
    """How often each option was chosen, as JSON."""
    counts = responses(answer_set)
    shares = {"positions": counts.positions, "texts": counts.texts}
    listed = {
        name: [{"option": option, "share": asdict(share)} for option, share in by_option.items()]
        for name, by_option in shares.items()
    }
    return {**listed, "decided": counts.decided, "undecided": counts.undecided}
