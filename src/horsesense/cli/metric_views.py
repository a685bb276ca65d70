"""Show metrics: their declarations, values with intervals, differences with tests, consistency."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import click

from horsesense.cli.options import Choices
from horsesense.cli.output import Table, counted, show_table
from horsesense.metrics import ALIASES, Metric, Sample
from horsesense.metrics.statistics import (
    FEW_CLUSTERS,
    Bootstrapped,
    DifferenceTable,
    Interval,
    MetricDifference,
    Significance,
    ThesisTest,
    p_cell,
    p_sentence,
)
from horsesense.scoring.outcome import Share

UNDEFINED = "–"
_NO_WIDTH = "all resamples are alike, so there is no interval; that proves nothing"
# So many resamples should lie beyond either end of an interval.
_BEYOND = 10


def metric_table(metrics: Iterable[Metric]) -> Table:
    """The metrics with what they declare."""
    rows = [
        (
            metric.name,
            metric.declared.symbol,
            metric.declared.applies,
            metric.declared.direction,
            _yes(metric.declared.is_symmetric),
            chance_cell(metric),
            metric.declared.title,
        )
        for metric in metrics
    ]
    columns = ("name", "symbol", "applies to", "better", "symmetric", "by chance", "title")
    return Table(columns, rows)


def show_metric(metric: Metric) -> None:
    """Print all that a metric declares, and its example."""
    declared = metric.declared
    low, high = declared.bounds
    click.echo(f"{metric.name} ({declared.symbol}): {declared.title}")
    if others := [alias for alias, name in ALIASES.items() if name == metric.name]:
        click.echo(f"also called: {', '.join(others)}")
    lines = {
        "equation": declared.equation,
        "source": declared.source,
        "applies to": declared.applies,
        "better": declared.direction,
        "symmetric": _yes(declared.is_symmetric),
        "bounds": f"{low:g} to {high:g}",
        "by chance": chance_cell(metric),
        "undefined where": declared.undefined,
    }
    for label, text in lines.items():
        click.echo(f"{label}: {text}")
    for text in filter(None, (declared.remark, *_paragraphs(declared.doc))):
        click.echo(f"\n{text}")


def metric_json(metric: Metric) -> dict[str, Any]:
    """All that a metric declares, for programs."""
    bounds = [bound if isfinite(bound) else None for bound in metric.declared.bounds]
    return {**asdict(metric.declared), "bounds": bounds, "is_share": metric.is_share}


def number(value: float | None, digits: int = 3) -> str:
    """A value as it is shown, or a dash where there is none."""
    return UNDEFINED if value is None else f"{value:.{digits}f}"


def chance_cell(metric: Metric) -> str:
    """What guessing gives, to the last digit."""
    chance = metric.declared.chance
    return UNDEFINED if chance is None else f"{chance:g}"


def signed(value: float | None, digits: int = 3) -> str:
    """A difference as it is shown."""
    return UNDEFINED if value is None else f"{value:+.{digits}f}"


def interval_cell(interval: Interval | None, *, is_signed: bool = False) -> str:
    """An interval as it is shown; one that stands in for another is named."""
    if interval is None:
        return UNDEFINED
    if interval.low == interval.high:
        return "no width"
    show = signed if is_signed else number
    named = "" if interval.method == "percentile" else f" ({interval.method})"
    return f"{show(interval.low)} to {show(interval.high)}{named}"


def metric_row(metric: Metric, share: Share | None, bootstrapped: Bootstrapped) -> tuple[str, ...]:
    """What a metric comes to: symbol, count, value, interval, and what chance would give."""
    return (
        metric.name,
        metric.declared.symbol,
        f"{share.count:g}/{share.total:g}" if share else "",
        number(bootstrapped.estimate),
        interval_cell(bootstrapped.interval),
        chance_cell(metric),
    )


def found_json(metric: Metric, share: Share | None, bootstrapped: Bootstrapped) -> dict[str, Any]:
    """The same for programs; `interval` is the one that is shown."""
    return {
        **asdict(bootstrapped),
        "symbol": metric.declared.symbol,
        "chance": metric.declared.chance,
        "share": None if share is None else asdict(share),
        "interval": None if bootstrapped.interval is None else asdict(bootstrapped.interval),
    }


def resampling_notes(found: Sequence[Bootstrapped]) -> Iterator[str]:
    """What is to be known of intervals, the same thing once."""
    undefined: dict[str, list[str]] = {}
    for bootstrapped in found:
        if bootstrapped.reason:
            undefined.setdefault(f"undefined: {bootstrapped.reason}", []).append(
                bootstrapped.metric
            )
        elif bootstrapped.no_interval:
            undefined.setdefault(f"no interval: {bootstrapped.no_interval}", []).append(
                bootstrapped.metric
            )
        elif bootstrapped.undefined:
            count = f"{bootstrapped.undefined} of {bootstrapped.resamples} resamples"
            share = f"undefined in {count}, which are left out"
            undefined.setdefault(share, []).append(bootstrapped.metric)
        if (
            bootstrapped.interval is not None
            and bootstrapped.interval.low == bootstrapped.interval.high
        ):
            undefined.setdefault(_NO_WIDTH, []).append(bootstrapped.metric)
    for message, metrics in undefined.items():
        yield f"{', '.join(dict.fromkeys(metrics))}: {message}"
    shown = [bootstrapped for bootstrapped in found if bootstrapped.interval is not None]
    if few := [one for one in shown if one.is_few]:
        least, most = (end(one.clusters for one in few) for end in (min, max))
        message = counted(most, "cluster") if least == most else f"{least} to {most} clusters"
        # Single problems are clusters of problems, and none of schemas.
        names = "" if len(few) == len(shown) else f"{', '.join(one.metric for one in few)}: "
        yield f"{names}{message}: with fewer than {FEW_CLUSTERS}, intervals are not to be trusted"
    if any(one.resamples * (1 - one.interval.level) / 2 < _BEYOND for one in shown if one.interval):
        yield f"{counted(shown[0].resamples, 'resample')}: too few for intervals of that level"


def sample_line(sample: Sample) -> str:
    """How much there is to count, and how much of it is undecided."""
    undecided = int(sample.problems.undecided.sum())
    counts = [
        counted(len(sample.problems), "problem"),
        f"{counted(len(sample.schemas), 'schema')}",
        counted(len(set(sample.clusters.tolist())), "cluster"),
    ]
    return f"{counts[0]} in {counts[1]}, {counts[2]}; {undecided} undecided"


def _paragraphs(doc: str) -> list[str]:
    """What a docstring says after its first line, which is the title."""
    return [part for part in doc.partition("\n")[2].strip().split("\n\n") if part]


def _yes(is_so: bool | None) -> str:
    return UNDEFINED if is_so is None else "yes" if is_so else "no"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a comparison came to: the two sides in words, differences, and consistency.

    `beside` are tests beside the primary one, `thesis` is the thesis' of each accuracy, and
    `feasible` says where consistency can lie.
    """

    sides: tuple[str, str]
    table: DifferenceTable
    metrics: tuple[Metric, ...] = ()
    shares: tuple[Share | None, ...] = ()
    consistency: tuple[Bootstrapped, ...] = ()
    beside: tuple[Significance, ...] = ()
    feasible: str = ""
    notes: tuple[str, ...] = ()
    titles: tuple[str, str] = ("before", "after")
    thesis: tuple[ThesisTest, ...] = ()


def show_compared(shown: Shown, choices: Choices) -> None:
    """Print who is compared with whom, the differences, and the consistency."""
    for title, side in zip(shown.titles, shown.sides, strict=True):
        click.echo(f"{title}: {side}")
    if shown.table.rows:
        click.echo("")
        columns = ("metric", *shown.titles, "difference", choices.interval, "differ", "p")
        adjusted = f"p ({shown.table.family.correction})"
        rows = [_difference_row(row) for row in shown.table.rows]
        show_table(Table((*columns, adjusted, "noticeable"), rows))
    if shown.consistency:
        click.echo("")
        found = zip(shown.metrics, shown.shares, shown.consistency, strict=True)
        rows = [metric_row(*one) for one in found]
        titles = ("metric", "symbol", "count", "value", choices.interval, "by chance")
        show_table(Table(titles, rows))


def _difference_row(row: MetricDifference) -> tuple[str, ...]:
    # A difference of exactly nothing has no p worth printing.
    is_tested = row.test is not None and row.test.difference != 0
    return (
        row.metric,
        number(row.one),
        number(row.other),
        signed(row.difference.estimate),
        interval_cell(row.difference.interval, is_signed=True),
        _unequal(row.test),
        p_cell(row.test.p if row.test is not None and is_tested else None),
        p_cell(row.adjusted_p if is_tested else None),
        number(None if row.noticeable is None else row.noticeable.difference),
    )


def _unequal(test: Significance | None) -> str:
    """How many clusters differ, of how many."""
    return UNDEFINED if test is None or test.unequal is None else f"{test.unequal}/{test.units}"


def _contradictions(rows: Sequence[MetricDifference]) -> Iterator[str]:
    """Where an interval leaves out 0 and the test does not reject, which one counts."""
    for row in rows:
        interval, test = row.difference.interval, row.test
        if interval is None or test is None or test.unequal is None:
            continue
        if interval.low * interval.high > 0 and test.p > 1 - interval.level:
            yield (
                f"{row.metric}: the interval leaves out 0, but only {test.unequal} of {test.units}"
                f" clusters differ; the exact test counts: {p_sentence(test.p)}"
            )


def shown_json(shown: Shown, choices: Choices) -> dict[str, Any]:
    """A comparison, for programs."""
    return {
        "sides": dict(zip(shown.titles, shown.sides, strict=True)),
        **asdict(choices),
        "differences": [asdict(row) for row in shown.table.rows],
        "family": asdict(shown.table.family),
        "consistency": [
            found_json(*one)
            for one in zip(shown.metrics, shown.shares, shown.consistency, strict=True)
        ],
        "beside": [asdict(one) for one in shown.beside],
        "thesis": [_thesis_json(one) for one in shown.thesis],
        "notes": list(notes_of(shown)),
    }


def _thesis_json(test: ThesisTest) -> dict[str, Any]:
    found = test.found
    return {
        "metric": test.metric,
        "p": test.p,
        "exact": found.exact if test.is_of_something else None,
        "difference": float(found.difference),
        "difference_of": "schemas" if found.null.most == 1 else "problems in schemas",
        "in_no_schema": list(test.terms.left_out),
        "schemas": found.schemas,
        "trials": found.trials,
        "as_far": found.as_far,
    }


def _without_singles(test: ThesisTest, titles: tuple[str, str]) -> str:
    """Which problems the thesis' test leaves out, if any, and the difference of the others."""
    if not any(test.terms.left_out):
        return ""
    message = zip(test.terms.left_out, titles, strict=True)
    left = " and ".join(f"{number} {title}" for number, title in message)
    difference = signed(float(test.terms.difference))
    return f", of problems in schemas only (a difference of {difference}), without {left}"


def notes_of(shown: Shown) -> Iterator[str]:
    """What is to be known of the numbers."""
    yield from shown.notes
    yield from (
        f"{row.metric} is not tested: {row.reason}" for row in shown.table.rows if row.reason
    )
    if left := {row.test.left_out for row in shown.table.rows if row.test} - {0}:
        partly = counted(max(left), "cluster")
        yield f"{partly} partly in the subset: in the estimates, but not in the tests"
    yield from _contradictions(shown.table.rows)
    if (size := shown.table.family.size) > 1:
        yield f"p is adjusted for the {counted(size, 'difference')} of the table"
    for test in shown.beside:
        said = p_sentence(test.p if test.unequal else None)
        unequal = f"{test.unequal} of {counted(test.units, 'schema')} differ"
        yield f"{test.test} on schemas: {said} ({unequal}); it ignores {test.ignores}"
    for tested in shown.thesis:
        which = _without_singles(tested, shown.titles)
        yield (
            f"the thesis' test of {tested.metric}{which}: {p_sentence(tested.p)}; it takes"
            f" {shown.titles[0]} for a known null and pairs nothing"
        )
    if shown.feasible:
        yield shown.feasible
    yield from resampling_notes([row.difference for row in shown.table.rows] + [*shown.consistency])
