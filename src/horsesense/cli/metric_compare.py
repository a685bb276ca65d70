"""`horsesense metric compare`: how two runs differ, or a subset of one from its complement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from horsesense.cli.metric import (
    ACCURACIES,
    Fitting,
    Source,
    by_method,
    described,
    named_metrics,
    read_answers,
    source_options,
    that_fit,
    told_of,
)
from horsesense.cli.metric_views import (
    Shown,
    notes_of,
    sample_line,
    show_compared,
    shown_json,
)
from horsesense.cli.options import Choices, statistics_options, subset_option, ties_option
from horsesense.cli.output import counted, json_option, note, show_json, working
from horsesense.datasets.files import STDIN
from horsesense.metrics import (
    METRICS,
    Applies,
    Paired,
    Ties,
    consistency_range,
    match,
    match_schemas,
    sample_of,
    split,
    subset,
)
from horsesense.metrics.statistics import (
    Correction,
    compare,
    compare_subset,
    mcnemar,
    sign_test,
)
from horsesense.results.logs import Logged

CORRECTIONS = {"holm": Correction.HOLM, "benjamini-hochberg": Correction.BENJAMINI_HOCHBERG}
_IN_THE_FIRST_TABLE = ("accuracy-difference", "schema-accuracy-difference")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be compared, and by which metrics."""

    method: str | None
    after_method: str | None
    is_by_schemas: bool
    is_control: bool
    names: tuple[str, ...]
    correction: str


@click.command("compare")
@click.argument("before")
@click.argument("after", required=False)
@click.option(
    "--method", help="Use this scoring method, for AFTER too unless --after-method is given."
)
@click.option("--after-method", help="Use this scoring method for AFTER.")
@click.option(
    "--schemas",
    "is_by_schemas",
    is_flag=True,
    help="Match schemas, not problems, as under inversion.",
)
@click.option(
    "--control",
    "is_control",
    is_flag=True,
    help="Treat AFTER as a control, and adjust accuracies for it.",
)
@click.option(
    "--metric",
    "names",
    multiple=True,
    help="Compute this metric; repeatable. [accuracies; all that fit]",
)
@click.option(
    "--correction",
    type=click.Choice(list(CORRECTIONS)),
    default="holm",
    show_default=True,
    help="Adjust the p-values of the table by this method.",
)
@subset_option
@ties_option
@statistics_options
@source_options
@json_option
def compare_command(before: str, after: str | None, as_json: bool, **options: Any) -> None:
    """Compare two runs, with the same resamples for both, and measure their consistency.

    BEFORE and AFTER are logs, as for `metric compute`: of a dataset and its perturbation, or
    of two models on the same problems. With --after-method alone, two methods in one log are
    compared. With --subset alone, a subset is compared with its complement. Differences are
    those of AFTER minus BEFORE, or of the subset minus its complement.

    «Differ» is how many clusters (schemas, dyads) do, «noticeable» the least difference that
    so many would have shown four times out of five, «by chance» what guessing gives. Below
    stand McNemar's test, the sign test, and the thesis' test of either accuracy, whose null
    is BEFORE, or the complement.

    Example:

    \b
        horsesense metric compare run.jsonl --method full --after-method partial
    """
    source, choices = Source.taken(options), Choices.taken(options)
    asked = _Asked(**options)
    if asked.is_control and asked.names:
        raise click.UsageError("--control chooses metrics, and so does --metric; give one of them")
    if before == after == STDIN:
        raise click.UsageError("standard input can be read once")
    first = read_answers(before, source)
    if after is None and asked.after_method is None:
        shown = _against_complement(by_method(first, asked.method, before), asked, choices)
    else:
        second = first if after is None else read_answers(after, source)
        other = by_method(second, asked.after_method or asked.method, after or before)
        shown = _compared((by_method(first, asked.method, before), other), asked, choices)
    if as_json:
        show_json(shown_json(shown, choices))
    else:
        show_compared(shown, choices)
    for message in notes_of(shown):
        note(message)


def _against_complement(answers: Logged, asked: _Asked, choices: Choices) -> Shown:
    if choices.subset is None:
        raise click.UsageError("nothing to compare with: give AFTER, --after-method or --subset")
    if asked.is_by_schemas or asked.is_control:
        raise click.UsageError("--schemas and --control are for two runs, and there is one")
    metrics = named_metrics(asked.names or ACCURACIES)
    for metric in metrics:
        if metric.is_paired:
            raise click.UsageError(f"{metric.name} compares two runs, and there is one")
    parts = split(sample_of(answers.answer_set, ties=Ties(choices.ties)), choices.subset)
    sizes = [sample_line(part) for part in (parts.complement, parts.subset)]
    with working("drawing resamples"):
        table = compare_subset(
            metrics,
            parts,
            with_thesis=True,
            correction=CORRECTIONS[asked.correction],
            **choices.resampling,
        )
    return Shown(
        (f"not ({choices.subset}): {sizes[0]}", f"{choices.subset}: {sizes[1]}"),
        table,
        notes=told_of([answers]),
        titles=("complement", "subset"),
        thesis=table.thesis,
    )


def _compared(pair: tuple[Logged, Logged], asked: _Asked, choices: Choices) -> Shown:
    matched, notes = _matched(pair, asked, choices)
    both = subset(matched, choices.subset) if choices.subset else matched
    of_one = [metric for metric in named_metrics(asked.names or ACCURACIES) if not metric.is_paired]
    fitting = _of_two(both, asked)
    with working("drawing resamples"):
        table = compare(
            of_one,
            both,
            changes=fitting.metrics,
            with_thesis=True,
            correction=CORRECTIONS[asked.correction],
            **choices.resampling,
        )
    sides = zip(pair, (both.before, both.after), strict=True)
    before, after = (
        f"{described(one)}, by {one.method}: {sample_line(side)}" for one, side in sides
    )
    return Shown(
        (before, after),
        table,
        fitting.metrics,
        tuple(metric.share(both) if metric.is_share else None for metric in fitting.metrics),
        table.changes,
        (mcnemar(both), sign_test(both)) if table.rows and len(both.schemas) else (),
        _feasible(both),
        (*told_of(pair), *notes, *filter(None, [fitting.note])),
        thesis=table.thesis,
    )


def _matched(
    pair: tuple[Logged, Logged], asked: _Asked, choices: Choices
) -> tuple[Paired, list[str]]:
    """The two runs problem by problem, or where that has no meaning schema by schema."""
    modes = {one.mode for one in pair if one.mode}
    notes = []
    if len(modes) > 1 and not asked.is_by_schemas:
        notes = [f"solved {' and '.join(sorted(modes))}: only the schemas correspond"]
    pairing = match_schemas if asked.is_by_schemas or notes else match
    matched = pairing(pair[0].answer_set, pair[1].answer_set, ties=Ties(choices.ties))
    return matched, [*notes, *_unmatched(matched), *_identical(matched)]


def _of_two(both: Paired, asked: _Asked) -> Fitting:
    """The metrics of two runs that were asked for, or all that fit; of controls on request."""
    if asked.names:
        return Fitting(tuple(metric for metric in named_metrics(asked.names) if metric.is_paired))
    return that_fit(
        (
            metric
            for metric in METRICS.values()
            if metric.is_paired
            and metric.name not in _IN_THE_FIRST_TABLE
            and (asked.is_control or metric.declared.applies is not Applies.CONTROL)
        ),
        both,
    )


def _feasible(both: Paired) -> str:
    """Between what consistency can lie, whichever problems are solved."""
    found = consistency_range(both)
    if found is None:
        return ""
    return (
        "given how many problems are solved before and after, c can lie between"
        f" {found.low:.3f} and {found.high:.3f}"
    )


def _unmatched(matched: Paired) -> Iterator[str]:
    counts = (
        (matched.only_before, "problem", "before"),
        (matched.only_after, "problem", "after"),
        (matched.schemas_only_before, "schema", "before"),
        (matched.schemas_only_after, "schema", "after"),
    )
    for number, what, where in counts:
        if number:
            yield f"{counted(number, what)} {where} without a counterpart, left out"


def _identical(both: Paired) -> Iterator[str]:
    if both.problems is None:
        return
    before, after = both.problems.T
    one, other = both.before.problems[before], both.after.problems[after]
    if (one.solved == other.solved).all() and (one.decided == other.decided).all():
        yield "the two sides solve the very same problems"
