"""`horsesense metric curve`: does a ranking survive another method, subset or tie rule?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from horsesense.cli.metric import (
    ACCURACIES,
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
from horsesense.metrics.robustness import (
    ALL,
    BEST,
    Choices,
    Result,
    Robustness,
    Setup,
    Spread,
    all_methods,
    best_methods,
    robustness,
    same_method,
)
from horsesense.metrics.statistics import FEW_CLUSTERS
from horsesense.scoring.outcome import Sheet, Verdict


@click.command("curve")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option(
    "--method",
    "methods",
    multiple=True,
    help="A scoring method, or «best» for each model's own best. [all in common, best]",
)
@click.option(
    "--subset",
    "subsets",
    multiple=True,
    metavar="EXPRESSION",
    help="Only these problems, or «all»; may be repeated. [all]",
)
@click.option(
    "--ties",
    multiple=True,
    type=click.Choice(TIES),
    help="What an undecided problem counts for. [failed; both where any is undecided]",
)
@click.option(
    "--metric", "names", multiple=True, help="A metric; may be repeated. [both accuracies]"
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
    sheets, notes = _sheets(logs, Source.taken(options))
    choices = Choices(
        setups=_setups(sheets, options["methods"]),
        subsets=options["subsets"] or (ALL,),
        ties=[Ties(name) for name in options["ties"] or _ties(sheets)],
        metrics=named_metrics(options["names"] or ACCURACIES),
    )
    settings = {key: options[key] for key in ("resamples", "seed", "level")}
    with working("drawing resamples"):
        found = robustness(sheets, choices, **settings)
    if not any(one.points for one in found.model_curves):
        reasons = "; ".join(dict.fromkeys(one.reason for one in found.left_out))
        raise HorsesenseError(f"there is nothing to rank by: {reasons}")
    notes += _notes(found)
    if as_json:
        show_json({**asdict(found), "notes": notes})
    else:
        _show(found)
    for told in notes:
        note(told)


def _show(found: Robustness) -> None:
    show_table(_ranking_table(found))
    if found.pair_curves:
        click.echo("")
        show_table(_pair_table(found))


def _sheets(logs: Sequence[str], source: Source) -> tuple[dict[str, dict[str, Sheet]], list[str]]:
    """What each model answered, by method; a log names the model that it leaves unnamed."""
    sheets: dict[str, dict[str, Sheet]] = {}
    notes: list[str] = []
    for log in logs:
        answers = read_answers(log, source)
        model = answers[0].model or log
        if model in sheets:
            raise HorsesenseError(f"{log}: there are answers of {model} already; one log a model")
        notes += [f"{log}: {told}" for told in told_of(answers)]
        sheets[model] = {one.method: one.sheet for one in answers}
    return sheets, notes


def _setups(sheets: Mapping[str, Mapping[str, Sheet]], names: Sequence[str]) -> list[Setup]:
    """The methods asked for, or all that the models have in common, and the best of each."""
    if not names:
        common = [one for one in all_methods(sheets) if all(one in by for by in sheets.values())]
        is_choice = not common or any(len(by) > 1 for by in sheets.values())
        names = [*common, *([BEST] if is_choice else [])]
    return [best_methods(sheets) if name == BEST else same_method(sheets, name) for name in names]


def _ties(sheets: Mapping[str, Mapping[str, Sheet]]) -> Sequence[str]:
    """Both rules, or one where nothing is undecided: they would come to the same."""
    verdicts = (
        one.outcome.verdict
        for by in sheets.values()
        for sheet in by.values()
        for one in sheet.answers
    )
    return TIES if Verdict.UNDECIDED in verdicts else TIES[:1]


def _ranking_table(found: Robustness) -> Table:
    rows = [
        (
            *(one.specification.setup, one.specification.subset),
            *(one.specification.ties.value, one.specification.metric),
            *(number(each.value) for each in one.estimates),
            _ranked(one),
            signed(one.tau, 2),
        )
        for one in found.results
    ]
    columns = ("method", "subset", "ties", "metric", *found.models, "ranking", "tau")
    return Table(columns, rows)


def _ranked(one: Result) -> str:
    if one.ranking is None:
        return "–"
    return " > ".join(" = ".join(group) for group in one.ranking)


def _pair_table(found: Robustness) -> Table:
    rows = [
        (
            f"{one.first} – {one.second}",
            *_ends(one.spread),
            f"{one.positive.count:g}/{one.positive.total:g}",
            f"{one.clear.count:g}/{one.clear.total:g}",
            "–" if one.reversed_in is None else str(len(one.reversed_in)),
        )
        for one in found.pair_curves
    ]
    ends = ("lowest", "median", "highest")
    return Table(("difference", *ends, "positive", "interval without 0", "reversed"), rows)


def _ends(spread: Spread | None) -> tuple[str, str, str]:
    if spread is None:
        return (UNDEFINED,) * 3
    return signed(spread.lowest), signed(spread.median), signed(spread.highest)


def _notes(found: Robustness) -> Iterator[str]:
    if found.top and found.stays_top.total:
        leaders = ", ".join(found.top)
        share = f"{found.stays_top.count:g} of {found.stays_top.total:g}"
        yield f"at the top of the reference and of {share} other rankings: {leaders}"
    reasons = [one.reason for one in found.results if one.reason]
    for reason in dict.fromkeys(reasons):
        yield f"no ranking, or no tau, in {counted(reasons.count(reason), 'row')}: {reason}"
    told: dict[str, int] = {}
    for one in found.left_out:
        who = f"{one.model}: " if one.model else ""
        told[f"{who}{one.reason}"] = told.get(f"{who}{one.reason}", 0) + 1
    for reason, count in told.items():
        yield f"left out in {counted(count, 'specification')}: {reason}"
    if any(one.is_few for one in found.results):
        yield f"fewer than {FEW_CLUSTERS} clusters in some: their intervals are not to be trusted"
