"""`horsesense metric`: list metrics, explain them, and compute them from a log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click

from horsesense.cli.completing import complete_files, complete_metrics
from horsesense.cli.groups import LazyGroup
from horsesense.cli.layout import TextTable
from horsesense.cli.metric_views import (
    estimate_json,
    interval_messages,
    metric_json,
    metric_row,
    metric_table,
    sample_line,
    show_metric,
)
from horsesense.cli.options import (
    StatisticsOptions,
    statistics_options,
    subset_option,
    ties_option,
)
from horsesense.cli.output import (
    json_option,
    note,
    show_json,
    show_table,
    show_text,
    warn_of_plugins,
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
from horsesense.results.logs import Logged, of_one_task, read_log, read_log_file
from horsesense.schema import Mode
from horsesense.scoring.outcome import AnswerSet, Share


@dataclass(frozen=True, slots=True)
class LogOptions:
    """The task to read from a log, and how to group its documents into schemas."""

    task: str | None
    group_by: str | None
    consecutive: bool

    @classmethod
    def pop_from(cls, options: dict[str, Any]) -> LogOptions:
        """Remove these from a command's options and return them."""
        return cls(options.pop("task"), options.pop("group_by"), options.pop("consecutive"))


def source_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `LogOptions`."""
    for option in (
        click.option(
            "--consecutive",
            is_flag=True,
            help="Treat every two consecutive documents of a log as a schema.",
        ),
        click.option(
            "--group-by",
            metavar="FIELD",
            help="Field that groups the documents of a log into schemas.",
        ),
        click.option("--task", help="Task to use, if a log has several."),
    ):
        command = option(command)
    return command


def read_answers(path: str, options: LogOptions) -> tuple[Logged, ...]:
    """Read the answers to one task from a log or a folder of logs, one result per method."""
    grouping: Any = {"group_by": options.group_by or "", "consecutive": options.consecutive}
    with working(f"reading {path}"):
        if path == STDIN:
            logged = read_log_file(SourceFile("<stdin>", read_bytes(path)), **grouping)
        else:
            logged = read_log(Path(path), **grouping)
    of_task = of_one_task(logged, path, options.task)
    return _without_empty(of_task, path) or of_task


def _without_empty(logged: Sequence[Logged], path: str) -> tuple[Logged, ...]:
    """Drop methods without answers, such as full scoring with a model that has no BOS."""
    empty = [answers for answers in logged if not answers.answer_set.answers]
    if empty and len(empty) < len(logged):
        for remark in remarks(empty):
            note(f"{path}: no answers by {remark}")
    return tuple(answers for answers in logged if answers.answer_set.answers)


def with_method(logged: Sequence[Logged], method: str | None, path: str) -> Logged:
    """Return the answers of a method; None means the only one in the log."""
    methods = {answers.method: answers for answers in logged}
    if method is not None:
        if method not in methods:
            raise UnknownNameError(f"method in {path}", method, methods)
        return methods[method]
    if len(methods) > 1:
        names = ", ".join(methods)
        raise HorsesenseError(f"{path} has several methods; choose one with --method: {names}")
    return logged[0]


def description(answers: Logged) -> str:
    """Describe answers by their model, task and mode."""
    model = answers.model or "an unnamed model"
    mode = f", {answers.mode}" if answers.mode not in ("", Mode.BY_ANSWER) else ""
    return f"{model} on {answers.task}{mode}"


def remarks(logged: Iterable[Logged]) -> tuple[str, ...]:
    """Collect the remarks on answers, each once, with the methods that it is about."""
    methods: dict[str, list[str]] = {}
    for answers in logged:
        for remark in answers.answer_set.remarks:
            methods.setdefault(remark, []).append(answers.method)
    return tuple(f"{', '.join(dict.fromkeys(by))}: {remark}" for remark, by in methods.items())


# The default metrics.
ACCURACIES = ("problem-accuracy", "schema-accuracy")


@dataclass(frozen=True, slots=True)
class ApplicableMetrics:
    """The metrics that apply to some data, and a message about those that do not."""

    metrics: tuple[Metric, ...]
    message: str = ""


def applicable(metrics: Iterable[Metric], data: Data) -> ApplicableMetrics:
    """Select the metrics that can be computed from the data."""
    selected: list[Metric] = []
    reasons: dict[str, list[str]] = {}
    for metric in metrics:
        try:
            metric.columns(data)
        except MetricError as error:
            reasons.setdefault(str(error), []).append(metric.name)
        else:
            selected.append(metric)
    return ApplicableMetrics(tuple(selected), _not_applicable(reasons))


def _not_applicable(reasons: dict[str, list[str]]) -> str:
    """Name the metrics that do not apply, with the reason if there is only one."""
    names = ", ".join(name for group in reasons.values() for name in group)
    if len(reasons) > 1:
        return f"metrics that do not apply (see --metric NAME for the reason): {names}"
    return "".join(f"metrics that do not apply: {names}: {reason}" for reason in reasons)


def named_metrics(names: Sequence[str]) -> list[Metric]:
    """Return the metrics of these names, each once."""
    return list({metric.name: metric for metric in map(find_metric, names)}.values())


# Commands in files of their own, imported when they are used.
_LAZY = {
    "compare": (
        "horsesense.cli.metric_compare:compare_command",
        "Compare two runs, and measure their consistency.",
    ),
    "curve": (
        "horsesense.cli.metric_curve:curve_command",
        "Rank models by every method, subset, tie rule and metric.",
    ),
}


@click.group("metric", cls=LazyGroup, lazy=_LAZY)
def metric_group() -> None:
    """Compute metrics with confidence intervals and tests.

    Metrics are accuracies and consistencies; intervals resample whole schemas. The answers can come
    from `horsesense score --output`, from logs of lm-evaluation-harness, lighteval or inspect, or
    from a plain table.
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
    warn_of_plugins(METRICS)


@metric_group.command("explain")
@click.argument(
    "name",
    shell_complete=complete_metrics,
)
@json_option
def explain_command(name: str, as_json: bool) -> None:
    """Explain a metric, with its equation and an example.

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
class _MetricRow:
    """The estimate of a metric by one scoring method."""

    method: str
    metric: Metric
    share: Share | None
    estimate: Bootstrapped


@metric_group.command("compute")
@click.argument(
    "log",
    shell_complete=complete_files,
)
@click.option("--method", help="Scoring method to use, if a log has several.")
@click.option(
    "--metric",
    "names",
    multiple=True,
    help="Metric to compute; repeatable. [all that apply]",
    shell_complete=complete_metrics,
)
@subset_option
@ties_option
@statistics_options
@source_options
@json_option
def compute_command(
    log: str, method: str | None, names: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Compute metrics of the answers in a log, with intervals.

    LOG is a file written by `horsesense score --output`, a log of lm-evaluation-harness,
    lighteval or inspect, or a table with the columns `schema` and `solved`. If it has several
    scoring methods, the accuracies by each method are shown; use --method to see all metrics of
    one. “By chance” is the expected value for random guessing.

    Example:

    \b
        horsesense metric compute run.jsonl --method partial \\
            --subset 'not equal-length'
    """
    settings = StatisticsOptions.pop_from(options)
    logged = read_answers(log, LogOptions.pop_from(options))
    if method is not None:
        logged = (with_method(logged, method, log),)
    chosen = _chosen_metrics(logged, names, settings)
    with working("drawing resamples"):
        rows = [row for answers in logged for row in _rows(answers, chosen.metrics, settings)]
    messages = [*remarks(logged), *filter(None, [chosen.message])]
    messages += interval_messages([row.estimate for row in rows])
    if as_json:
        show_json(_json(log, logged, settings, rows) | {"notes": messages})
    else:
        for line in _heading(logged, settings):
            show_text(line)
        click.echo("")
        show_table(_table(rows, settings, several=len(logged) > 1))
    for message in messages:
        note(message)


def _heading(logged: Sequence[Logged], settings: StatisticsOptions) -> Iterator[str]:
    """Describe the answers: model, task, methods and sample size."""
    methods: dict[str, list[str]] = {}
    for answers in logged:
        methods.setdefault(sample_line(_sample(answers, settings)), []).append(answers.method)
    for line, by in methods.items():
        yield f"{description(logged[0])}, by {', '.join(by)}: {line}"


def _chosen_metrics(
    logged: Sequence[Logged], names: Sequence[str], settings: StatisticsOptions
) -> ApplicableMetrics:
    """Select the metrics to compute: the requested ones, or by default all that apply."""
    if not names and len(logged) == 1:
        unpaired = (metric for metric in METRICS.values() if not metric.is_paired)
        return applicable(unpaired, _sample(logged[0], settings))
    metrics = named_metrics(names or ACCURACIES)
    for metric in metrics:
        if metric.is_paired:
            raise MetricError(f"{metric.name} needs two runs; use `horsesense metric compare`")
    return ApplicableMetrics(tuple(metrics))


def _rows(
    answers: Logged, metrics: Sequence[Metric], settings: StatisticsOptions
) -> list[_MetricRow]:
    sample = _sample(answers, settings)
    estimates = bootstrap(metrics, sample, **settings.resampling)
    return [
        _MetricRow(
            answers.method, metric, metric.share(sample) if metric.is_share else None, estimate
        )
        for metric, estimate in zip(metrics, estimates, strict=True)
    ]


def _sample(answers: Logged, settings: StatisticsOptions) -> Sample:
    sample = sample_of(answers.answer_set, ties=Ties(settings.ties))
    return subset(sample, settings.subset) if settings.subset else sample


def _table(rows: Sequence[_MetricRow], settings: StatisticsOptions, *, several: bool) -> TextTable:
    cells = [
        (*([row.method] if several else []), *metric_row(row.metric, row.share, row.estimate))
        for row in rows
    ]
    titles = ("metric", "symbol", "count", "value", settings.interval, "by chance")
    return TextTable((*(["method"] if several else []), *titles), cells)


def _json(
    log: str, logged: Sequence[Logged], settings: StatisticsOptions, rows: Sequence[_MetricRow]
) -> dict[str, Any]:
    """Return everything but the messages as JSON."""
    runs = []
    for answers in logged:
        sample = _sample(answers, settings)
        runs.append(
            {
                "model": answers.model,
                "task": answers.task,
                "mode": answers.mode,
                "method": answers.method,
                "problems": len(sample.problems),
                "schemas": len(sample.schemas),
                "clusters": sample.cluster_count,
                "undecided": int(sample.problems.undecided.sum()),
                "responses": _responses_json(answers.answer_set),
            }
        )
    metrics = [
        {"method": row.method, **estimate_json(row.metric, row.share, row.estimate)} for row in rows
    ]
    return {"log": log, **asdict(settings), "runs": runs, "metrics": metrics}


def _responses_json(answer_set: AnswerSet) -> dict[str, Any]:
    """Return how often each option was chosen, as JSON."""
    counts = responses(answer_set)
    shares = {"positions": counts.positions, "texts": counts.texts}
    by_name = {
        name: [{"option": option, "share": asdict(share)} for option, share in by_option.items()]
        for name, by_option in shares.items()
    }
    return {**by_name, "decided": counts.decided, "undecided": counts.undecided}
