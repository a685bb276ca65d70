"""`horsesense metric curve`: check whether a ranking depends on method, subset or tie rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from horsesense.cli.completing import complete_files, complete_metrics
from horsesense.cli.layout import TextTable
from horsesense.cli.metric import (
    LogOptions,
    named_metrics,
    read_answers,
    remarks,
    source_options,
)
from horsesense.cli.metric_views import UNDEFINED, number, signed
from horsesense.cli.options import statistics_options
from horsesense.cli.output import (
    counted,
    json_option,
    note,
    show_json,
    show_table,
    working,
)
from horsesense.cli.run import TIES
from horsesense.errors import HorsesenseError
from horsesense.metrics import Ties
from horsesense.metrics.robustness import Result, Robustness, Spread, default_choices, robustness
from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.scoring.outcome import AnswerSet


@click.command("curve")
@click.argument(
    "logs",
    nargs=-1,
    required=True,
    metavar="LOG...",
    shell_complete=complete_files,
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    help="Scoring method, or `best` for each model's best; repeatable. [all common ones, best]",
)
@click.option(
    "--subset",
    "subsets",
    multiple=True,
    metavar="EXPRESSION",
    help="Subset of the problems, or `all`; repeatable. [all]",
)
@click.option(
    "--ties",
    multiple=True,
    type=click.Choice(TIES),
    help="How to count an undecided problem. [failed; both if any is undecided]",
)
@click.option(
    "--metric",
    "names",
    multiple=True,
    help="Metric to rank by; repeatable. [both accuracies]",
    shell_complete=complete_metrics,
)
@statistics_options
@source_options
@json_option
def curve_command(logs: Sequence[str], as_json: bool, **options: Any) -> None:
    """Rank models by every method, subset, tie rule and metric.

    Every combination of these gives a ranking. Each LOG has the answers of one model to the same
    problems, as for `metric compute`. The reference ranking uses the first value of each choice;
    the others are compared with it. “Tau” is Kendall's tau between a ranking and the reference;
    “reversed” is how often two models swap places. Use --json for all numbers of the specification
    curve.

    Example:

    \b
        horsesense metric curve gpt2.jsonl opt.jsonl \\
            --subset all --subset equal-length
    """
    answer_sets, messages = _answer_sets(logs, LogOptions.pop_from(options))
    choices = default_choices(
        answer_sets,
        methods=options["methods"],
        subsets=options["subsets"],
        ties=[Ties(name) for name in options["ties"]],
        metrics=named_metrics(options["names"]),
    )
    settings = {key: options[key] for key in ("resamples", "seed", "level")}
    with working("drawing resamples"):
        curves = robustness(answer_sets, choices, **settings)
    if not any(curve.points for curve in curves.model_curves):
        reasons = "; ".join(dict.fromkeys(left_out.reason for left_out in curves.left_out))
        raise HorsesenseError(f"no metric can be computed: {reasons}")
    messages += _messages(curves)
    if as_json:
        show_json({**asdict(curves), "notes": messages})
    else:
        _show(curves)
    for message in messages:
        note(message)


def _show(robustness: Robustness) -> None:
    show_table(_ranking_table(robustness))
    if robustness.pair_curves:
        click.echo("")
        show_table(_pair_table(robustness))


def _answer_sets(
    logs: Sequence[str], log_options: LogOptions
) -> tuple[dict[str, dict[str, AnswerSet]], list[str]]:
    """Return the answers of each model by method; an unnamed model is named after its log."""
    answer_sets: dict[str, dict[str, AnswerSet]] = {}
    messages: list[str] = []
    for log in logs:
        answers = read_answers(log, log_options)
        model = answers[0].model or log
        if model in answer_sets:
            raise HorsesenseError(f"{log} is a second log of {model}; give one log per model")
        messages += [f"{log}: {remark}" for remark in remarks(answers)]
        answer_sets[model] = {answer.method: answer.answer_set for answer in answers}
    return answer_sets, messages


def _ranking_table(robustness: Robustness) -> TextTable:
    rows = [
        (
            *(result.specification.setup, result.specification.subset),
            *(result.specification.ties.value, result.specification.metric),
            *(number(estimate.value) for estimate in result.estimates),
            _ranking(result),
            signed(result.tau, 2),
        )
        for result in robustness.results
    ]
    columns = ("method", "subset", "ties", "metric", *robustness.models, "ranking", "tau")
    return TextTable(columns, rows)


def _ranking(result: Result) -> str:
    if result.ranking is None:
        return "–"
    return " > ".join(" = ".join(group) for group in result.ranking)


def _pair_table(robustness: Robustness) -> TextTable:
    rows = [
        (
            f"{curve.first} – {curve.second}",
            *_ends(curve.spread),
            f"{curve.positive.count:g}/{curve.positive.total:g}",
            f"{curve.clear.count:g}/{curve.clear.total:g}",
            "–" if curve.reversed_in is None else str(len(curve.reversed_in)),
        )
        for curve in robustness.pair_curves
    ]
    ends = ("lowest", "median", "highest")
    return TextTable(("difference", *ends, "positive", "interval without 0", "reversed"), rows)


def _ends(spread: Spread | None) -> tuple[str, str, str]:
    if spread is None:
        return (UNDEFINED,) * 3
    return signed(spread.lowest), signed(spread.median), signed(spread.highest)


def _messages(robustness: Robustness) -> Iterator[str]:
    if robustness.top and robustness.stays_top.total:
        leaders = ", ".join(robustness.top)
        share = f"{robustness.stays_top.count:g} of {robustness.stays_top.total:g}"
        yield f"first in the reference and in {share} other rankings: {leaders}"
    reasons = [result.reason for result in robustness.results if result.reason]
    for reason in dict.fromkeys(reasons):
        yield f"no ranking or no tau in {counted(reasons.count(reason), 'row')}: {reason}"
    counts: dict[str, int] = {}
    for left_out in robustness.left_out:
        model = f"{left_out.model}: " if left_out.model else ""
        counts[f"{model}{left_out.reason}"] = counts.get(f"{model}{left_out.reason}", 0) + 1
    for reason, count in counts.items():
        yield f"left out in {counted(count, 'specification')}: {reason}"
    if any(result.is_few for result in robustness.results):
        yield f"intervals are unreliable where there are fewer than {FEW_CLUSTERS} clusters"
