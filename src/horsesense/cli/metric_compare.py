"""`horsesense metric compare`: compare two runs, or a subset of one with its complement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from horsesense.cli.completing import complete_files, complete_metrics
from horsesense.cli.metric import (
    ACCURACIES,
    ApplicableMetrics,
    LogOptions,
    applicable,
    description,
    named_metrics,
    read_answers,
    remarks,
    source_options,
    with_method,
)
from horsesense.cli.metric_views import (
    ComparisonView,
    comparison_json,
    comparison_messages,
    number,
    sample_line,
    show_comparison,
)
from horsesense.cli.options import (
    StatisticsOptions,
    statistics_options,
    subset_option,
    ties_option,
)
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
class _CompareOptions:
    """The methods and metrics to compare."""

    method: str | None
    after_method: str | None
    is_by_schemas: bool
    is_control: bool
    names: tuple[str, ...]
    correction: str


@click.command("compare")
@click.argument(
    "before",
    shell_complete=complete_files,
)
@click.argument(
    "after",
    required=False,
    shell_complete=complete_files,
)
@click.option(
    "--method", help="Scoring method for BEFORE, and for AFTER unless --after-method is given."
)
@click.option("--after-method", help="Scoring method for AFTER.")
@click.option(
    "--schemas",
    "is_by_schemas",
    is_flag=True,
    help="Pair schemas instead of problems, as needed for inversion.",
)
@click.option(
    "--control",
    "is_control",
    is_flag=True,
    help="Treat AFTER as a control, and compute the metrics that adjust for it.",
)
@click.option(
    "--metric",
    "names",
    multiple=True,
    help="Metric to compute; repeatable. [accuracies; all that apply]",
    shell_complete=complete_metrics,
)
@click.option(
    "--correction",
    type=click.Choice(list(CORRECTIONS)),
    default="holm",
    show_default=True,
    help="Correction of the p values for multiple tests.",
)
@subset_option
@ties_option
@statistics_options
@source_options
@json_option
def compare_command(before: str, after: str | None, as_json: bool, **options: Any) -> None:
    """Compare two runs, and measure their consistency.

    Both use the same resamples. BEFORE and AFTER are logs, as for `metric compute`: of a dataset
    and its perturbation, or of two models on the same problems. With --after-method and no AFTER,
    two methods in one log are compared. With --subset and no AFTER, a subset is compared with its
    complement. Differences are AFTER minus BEFORE, or subset minus complement.

    Columns: “differ” is the number of clusters (schemas or dyads) that differ; “noticeable” is
    the smallest difference that a sample of this size detects with 80 % power; “by chance” is the
    value for random guessing. Below the tables are McNemar's test, the sign test, and an unpaired
    test of both accuracies (Maler 2023, 3.8), with BEFORE or the complement as its null hypothesis.

    Example:

    \b
        horsesense metric compare run.jsonl --method full --after-method partial
    """
    log_options = LogOptions.pop_from(options)
    settings = StatisticsOptions.pop_from(options)
    choices = _CompareOptions(**options)
    if choices.is_control and choices.names:
        raise click.UsageError("--control and --metric both choose metrics; use only one of them")
    if before == after == STDIN:
        raise click.UsageError("standard input can be read only once; give a file for one side")
    first = read_answers(before, log_options)
    if after is None and choices.after_method is None:
        view = _compare_subset(with_method(first, choices.method, before), choices, settings)
    else:
        second = first if after is None else read_answers(after, log_options)
        other = with_method(second, choices.after_method or choices.method, after or before)
        view = _compare_runs((with_method(first, choices.method, before), other), choices, settings)
    if as_json:
        show_json(comparison_json(view, settings))
    else:
        show_comparison(view, settings)
    for message in comparison_messages(view):
        note(message)


def _compare_subset(
    answers: Logged, choices: _CompareOptions, settings: StatisticsOptions
) -> ComparisonView:
    if settings.subset is None:
        raise click.UsageError("nothing to compare with; give AFTER, --after-method or --subset")
    if choices.is_by_schemas or choices.is_control:
        raise click.UsageError("--schemas and --control need two runs; give AFTER as well")
    metrics = named_metrics(choices.names or ACCURACIES)
    for metric in metrics:
        if metric.is_paired:
            raise click.UsageError(f"{metric.name} needs two runs; give AFTER as well")
    parts = split(sample_of(answers.answer_set, ties=Ties(settings.ties)), settings.subset)
    sizes = [sample_line(part) for part in (parts.complement, parts.subset)]
    with working("drawing resamples"):
        table = compare_subset(
            metrics,
            parts,
            with_thesis=True,
            correction=CORRECTIONS[choices.correction],
            **settings.resampling,
        )
    return ComparisonView(
        (f"not ({settings.subset}): {sizes[0]}", f"{settings.subset}: {sizes[1]}"),
        table,
        notes=remarks([answers]),
        titles=("complement", "subset"),
        thesis=table.thesis,
    )


def _compare_runs(
    pair: tuple[Logged, Logged], choices: _CompareOptions, settings: StatisticsOptions
) -> ComparisonView:
    matched, messages = _match(pair, choices, settings)
    both = subset(matched, settings.subset) if settings.subset else matched
    unpaired = [
        metric for metric in named_metrics(choices.names or ACCURACIES) if not metric.is_paired
    ]
    paired = _paired_metrics(both, choices)
    with working("drawing resamples"):
        table = compare(
            unpaired,
            both,
            changes=paired.metrics,
            with_thesis=True,
            correction=CORRECTIONS[choices.correction],
            **settings.resampling,
        )
    sides = zip(pair, (both.before, both.after), strict=True)
    before, after = (
        f"{description(answers)}, by {answers.method}: {sample_line(side)}"
        for answers, side in sides
    )
    return ComparisonView(
        (before, after),
        table,
        paired.metrics,
        tuple(metric.share(both) if metric.is_share else None for metric in paired.metrics),
        table.changes,
        (mcnemar(both), sign_test(both)) if table.rows and len(both.schemas) else (),
        _feasible(both),
        (*remarks(pair), *messages, *filter(None, [paired.message])),
        thesis=table.thesis,
    )


def _match(
    pair: tuple[Logged, Logged], choices: _CompareOptions, settings: StatisticsOptions
) -> tuple[Paired, list[str]]:
    """Pair the problems of two runs, or their schemas if the problems do not correspond."""
    modes = {answers.mode for answers in pair if answers.mode}
    messages = []
    if len(modes) > 1 and not choices.is_by_schemas:
        messages = [
            f"the modes differ ({' and '.join(sorted(modes))}), so only schemas can be paired"
        ]
    pairing = match_schemas if choices.is_by_schemas or messages else match
    matched = pairing(pair[0].answer_set, pair[1].answer_set, ties=Ties(settings.ties))
    return matched, [*messages, *_unmatched(matched), *_identical(matched)]


def _paired_metrics(both: Paired, choices: _CompareOptions) -> ApplicableMetrics:
    """Return the requested metrics of two runs, or all that apply; control metrics on request."""
    if choices.names:
        metrics = named_metrics(choices.names)
        return ApplicableMetrics(tuple(metric for metric in metrics if metric.is_paired))
    return applicable(
        (
            metric
            for metric in METRICS.values()
            if metric.is_paired
            and metric.name not in _IN_THE_FIRST_TABLE
            and (choices.is_control or metric.declared.applies is not Applies.CONTROL)
        ),
        both,
    )


def _feasible(both: Paired) -> str:
    """Describe the range that consistency can have given the two accuracies."""
    feasible = consistency_range(both)
    if feasible is None:
        return ""
    return (
        "given the two accuracies, c can only lie between"
        f" {number(feasible.low)} and {number(feasible.high)}"
    )


def _unmatched(matched: Paired) -> Iterator[str]:
    counts = (
        (matched.only_before, "problem", "before"),
        (matched.only_after, "problem", "after"),
        (matched.schemas_only_before, "schema", "before"),
        (matched.schemas_only_after, "schema", "after"),
    )
    for count, what, where in counts:
        if count:
            yield f"left out {counted(count, what)} {where} without a counterpart"


def _identical(both: Paired) -> Iterator[str]:
    if both.problems is None:
        return
    before, after = both.problems.T
    old, new = both.before.problems[before], both.after.problems[after]
    if (old.solved == new.solved).all() and (old.decided == new.decided).all():
        yield "both sides solve exactly the same problems"
