"""`horsesense metric curve`: does a ranking survive another method, subset or tie rule?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from horsesense.cli.metric import (
    Source,
    named_metrics,
    read_answers,
    source_options,
    told_of,
)
from horsesense.cli.metric_views import UNDEFINED, number, signed
from horsesense.cli.options import TIES, statistics_options
from horsesense.cli.output import Table, counted, json_option, note, show_json, show_table, working
from horsesense.errors import HorsesenseError
from horsesense.metrics import Ties
from horsesense.metrics.robustness import Result, Robustness, Spread, default_choices, robustness
from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.scoring.outcome import AnswerSet


@click.command("curve")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option(
    "--method",
    "methods",
    multiple=True,
    help="Use this scoring method, or «best» for each model's best. [all in common, best]",
)
@click.option(
    "--subset",
    "subsets",
    multiple=True,
    metavar="EXPRESSION",
    help="Use only these problems, or «all»; repeatable. [all]",
)
@click.option(
    "--ties",
    multiple=True,
    type=click.Choice(TIES),
    help="Count an undecided problem as this. [failed; both if any is undecided]",
)
@click.option(
    "--metric", "names", multiple=True, help="Rank by this metric; repeatable. [both accuracies]"
)
@statistics_options
@source_options
@json_option
def curve_command(logs: Sequence[str], as_json: bool, **options: Any) -> None:
    """Rank models under every choice of method, subset, tie rule and metric.

    Each LOG holds the answers of one model to the same problems, as for `metric compute`. The
    first of each choice makes the reference, with which the other rankings are compared. All
    numbers of a specification curve are in what --json prints. «Tau» is Kendall's, of a
    ranking and the reference's; «reversed» is how often two models change places.

    Example:

    \b
        horsesense metric curve gpt2.jsonl opt.jsonl --subset all --subset equal-length
    """
    answer_sets, notes = _answer_sets(logs, Source.taken(options))
    choices = default_choices(
        answer_sets,
        methods=options["methods"],
        subsets=options["subsets"],
        ties=[Ties(name) for name in options["ties"]],
        metrics=named_metrics(options["names"]),
    )
    settings = {key: options[key] for key in ("resamples", "seed", "level")}
    with working("drawing resamples"):
        found = robustness(answer_sets, choices, **settings)
    if not any(curve.points for curve in found.model_curves):
        reasons = "; ".join(dict.fromkeys(one.reason for one in found.left_out))
        raise HorsesenseError(f"there is nothing to rank by: {reasons}")
    notes += _notes(found)
    if as_json:
        show_json({**asdict(found), "notes": notes})
    else:
        _show(found)
    for message in notes:
        note(message)


def _show(robustness: Robustness) -> None:
    show_table(_ranking_table(robustness))
    if robustness.pair_curves:
        click.echo("")
        show_table(_pair_table(robustness))


def _answer_sets(
    logs: Sequence[str], source: Source
) -> tuple[dict[str, dict[str, AnswerSet]], list[str]]:
    """What each model answered, by method; a log names the model that it leaves unnamed."""
    answer_sets: dict[str, dict[str, AnswerSet]] = {}
    notes: list[str] = []
    for log in logs:
        answers = read_answers(log, source)
        model = answers[0].model or log
        if model in answer_sets:
            raise HorsesenseError(f"{log}: there are answers of {model} already; one log a model")
        notes += [f"{log}: {message}" for message in told_of(answers)]
        answer_sets[model] = {answer.method: answer.answer_set for answer in answers}
    return answer_sets, notes


def _ranking_table(robustness: Robustness) -> Table:
    rows = [
        (
            *(result.specification.setup, result.specification.subset),
            *(result.specification.ties.value, result.specification.metric),
            *(number(each.value) for each in result.estimates),
            _ranked(result),
            signed(result.tau, 2),
        )
        for result in robustness.results
    ]
    columns = ("method", "subset", "ties", "metric", *robustness.models, "ranking", "tau")
    return Table(columns, rows)


def _ranked(result: Result) -> str:
    if result.ranking is None:
        return "–"
    return " > ".join(" = ".join(group) for group in result.ranking)


def _pair_table(robustness: Robustness) -> Table:
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
    return Table(("difference", *ends, "positive", "interval without 0", "reversed"), rows)


def _ends(spread: Spread | None) -> tuple[str, str, str]:
    if spread is None:
        return (UNDEFINED,) * 3
    return signed(spread.lowest), signed(spread.median), signed(spread.highest)


def _notes(robustness: Robustness) -> Iterator[str]:
    if robustness.top and robustness.stays_top.total:
        leaders = ", ".join(robustness.top)
        share = f"{robustness.stays_top.count:g} of {robustness.stays_top.total:g}"
        yield f"at the top of the reference and of {share} other rankings: {leaders}"
    reasons = [result.reason for result in robustness.results if result.reason]
    for reason in dict.fromkeys(reasons):
        yield f"no ranking, or no tau, in {counted(reasons.count(reason), 'row')}: {reason}"
    message: dict[str, int] = {}
    for one in robustness.left_out:
        who = f"{one.model}: " if one.model else ""
        message[f"{who}{one.reason}"] = message.get(f"{who}{one.reason}", 0) + 1
    for reason, count in message.items():
        yield f"left out in {counted(count, 'specification')}: {reason}"
    if any(result.is_few for result in robustness.results):
        yield f"fewer than {FEW_CLUSTERS} clusters in some: their intervals are not to be trusted"
