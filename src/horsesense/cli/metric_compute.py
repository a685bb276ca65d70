"""`horsesense metric compute`: what metrics come to for a run, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from horsesense.cli.answers import (
    Source,
    by_method,
    described,
    read_answers,
    source_options,
    told_of,
)
from horsesense.cli.metric_fitting import ACCURACIES, Fitting, named_metrics, that_fit
from horsesense.cli.metric_options import Choices, statistics_options, subset_option, ties_option
from horsesense.cli.output import Table, json_option, note, show_json, show_table, working
from horsesense.errors import MetricError

if TYPE_CHECKING:
    from horsesense.metrics import Metric, Sample
    from horsesense.metrics.statistics import Bootstrapped
    from horsesense.results.logs import Logged
    from horsesense.scoring.outcome import Share


@dataclass(frozen=True, slots=True)
class _Row:
    """A metric of a run: what it comes to, and its interval; or why it has none."""

    method: str
    metric: Metric
    share: Share | None
    found: Bootstrapped


@click.command("compute")
@click.argument("log")
@click.option("--method", help="Of a log of several scoring methods, this one.")
@click.option("--metric", "names", multiple=True, help="A metric; may be repeated. [all that fit]")
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
    from horsesense.cli.metric_views import resampling_notes

    choices = Choices.taken(options)
    answers = read_answers(log, Source.taken(options))
    if method is not None:
        answers = (by_method(answers, method, log),)
    fitting = _fitting(answers, names, choices)
    with working("drawing resamples"):
        rows = [row for one in answers for row in _rows(one, fitting.metrics, choices)]
    notes = [*told_of(answers), *filter(None, [fitting.note])]
    notes += resampling_notes([row.found for row in rows])
    if as_json:
        show_json(_shown_json(log, answers, choices, rows) | {"notes": notes})
    else:
        for line in _heading(answers, choices):
            click.echo(line)
        click.echo("")
        show_table(_table(rows, choices, several=len(answers) > 1))
    for told in notes:
        note(told)


def _heading(answers: Sequence[Logged], choices: Choices) -> Iterator[str]:
    """Whose answers they are, by which methods, and how many there are."""
    from horsesense.cli.metric_views import sample_line

    methods: dict[str, list[str]] = {}
    for one in answers:
        methods.setdefault(sample_line(_sample(one, choices)), []).append(one.method)
    for line, by in methods.items():
        yield f"{described(answers[0])}, by {', '.join(by)}: {line}"


def _fitting(answers: Sequence[Logged], names: Sequence[str], choices: Choices) -> Fitting:
    """The metrics to be computed, and why others are not."""
    from horsesense.metrics import METRICS

    if not names and len(answers) == 1:
        of_one = (one for one in METRICS.values() if not one.is_paired)
        return that_fit(of_one, _sample(answers[0], choices))
    metrics = named_metrics(names or ACCURACIES)
    for metric in metrics:
        if metric.is_paired:
            told = f"{metric.name} compares two runs; `horsesense metric compare` computes it"
            raise MetricError(told)
    return Fitting(tuple(metrics))


def _rows(answers: Logged, metrics: Sequence[Metric], choices: Choices) -> list[_Row]:
    from horsesense.metrics.statistics import bootstrap

    sample = _sample(answers, choices)
    found = bootstrap(metrics, sample, **choices.resampling)
    return [
        _Row(answers.method, metric, metric.share(sample) if metric.is_share else None, one)
        for metric, one in zip(metrics, found, strict=True)
    ]


def _sample(answers: Logged, choices: Choices) -> Sample:
    from horsesense.metrics import Ties, sample_of, subset

    sample = sample_of(answers.sheet, ties=Ties(choices.ties))
    return subset(sample, choices.subset) if choices.subset else sample


def _table(rows: Sequence[_Row], choices: Choices, *, several: bool) -> Table:
    from horsesense.cli.metric_views import metric_row

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
    from horsesense.cli.metric_views import found_json
    from horsesense.metrics import responses

    runs = []
    for one in answers:
        sample = _sample(one, choices)
        runs.append(
            {
                **{"model": one.model, "task": one.task, "mode": one.mode, "method": one.method},
                "problems": len(sample.problems),
                "schemas": len(sample.schemas),
                "clusters": sample.cluster_count,
                "undecided": int(sample.problems.undecided.sum()),
                "responses": asdict(responses(one.sheet)),
            }
        )
    found = [{"method": r.method, **found_json(r.metric, r.share, r.found)} for r in rows]
    return {"log": log, **asdict(choices), "runs": runs, "metrics": found}
