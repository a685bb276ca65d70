"""Format metrics: their specs, estimates with intervals, and comparisons with tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import click

from horsesense.cli.layout import TextTable, bare_number
from horsesense.cli.options import StatisticsOptions
from horsesense.cli.output import counted, show_table, show_text
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
_NO_WIDTH = (
    "all resamples give the same value, so the interval has no width, which does not mean certainty"
)
# An interval needs at least this many resamples beyond either end.
_BEYOND = 10


def metric_table(metrics: Iterable[Metric]) -> TextTable:
    """List metrics with their specs."""
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
    return TextTable(columns, rows)


def show_metric(metric: Metric) -> None:
    """Print the spec of a metric and its example."""
    declared = metric.declared
    low, high = declared.bounds
    show_text(f"{metric.name} ({declared.symbol}): {declared.title}")
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
        "undefined if": declared.undefined,
    }
    for label, text in lines.items():
        show_text(f"{label}: {text}")
    for text in filter(None, (declared.remark, *_paragraphs(declared.doc))):
        show_text(f"\n{text}")


def metric_json(metric: Metric) -> dict[str, Any]:
    """Return the spec of a metric as JSON."""
    bounds = [bound if isfinite(bound) else None for bound in metric.declared.bounds]
    return {**asdict(metric.declared), "bounds": bounds, "is_share": metric.is_share}


def number(value: float | None, digits: int = 3) -> str:
    """Format a value, or a dash if there is none."""
    return UNDEFINED if value is None else bare_number(f"{value:z.{digits}f}")


def chance_cell(metric: Metric) -> str:
    """Format the value of the metric for random guessing."""
    chance = metric.declared.chance
    return UNDEFINED if chance is None else bare_number(f"{chance:g}")


def signed(value: float | None, digits: int = 3) -> str:
    """Format a difference with its sign; exactly 0 has none."""
    return number(value, digits) if not value else bare_number(f"{value:+.{digits}f}")


def interval_cell(interval: Interval | None, *, is_signed: bool = False) -> str:
    """Format an interval; name its method if it is not the percentile bootstrap."""
    if interval is None:
        return UNDEFINED
    if interval.low == interval.high:
        return "no width"
    show = signed if is_signed else number
    named = "" if interval.method == "percentile" else f" ({interval.method})"
    return f"{show(interval.low)} to {show(interval.high)}{named}"


def metric_row(metric: Metric, share: Share | None, bootstrapped: Bootstrapped) -> tuple[str, ...]:
    """Return a metric's name, symbol, count, value, interval and value by chance."""
    return (
        metric.name,
        metric.declared.symbol,
        f"{share.count:g}/{share.total:g}" if share else "",
        number(bootstrapped.estimate),
        interval_cell(bootstrapped.interval),
        chance_cell(metric),
    )


def estimate_json(
    metric: Metric, share: Share | None, bootstrapped: Bootstrapped
) -> dict[str, Any]:
    """Return the estimate of a metric as JSON, with the `interval` that tables show."""
    return {
        **asdict(bootstrapped),
        "symbol": metric.declared.symbol,
        "chance": metric.declared.chance,
        "share": None if share is None else asdict(share),
        "interval": None if bootstrapped.interval is None else asdict(bootstrapped.interval),
    }


def interval_messages(estimates: Sequence[Bootstrapped]) -> Iterator[str]:
    """Yield caveats about intervals, each once."""
    metrics: dict[str, list[str]] = {}
    for estimate in estimates:
        for caveat in _caveats(estimate):
            metrics.setdefault(caveat, []).append(estimate.metric)
    for caveat, affected in metrics.items():
        yield f"{', '.join(dict.fromkeys(affected))}: {caveat}"
    with_interval = [estimate for estimate in estimates if estimate.interval is not None]
    if few := [estimate for estimate in with_interval if estimate.is_few]:
        least, most = (end(estimate.clusters for estimate in few) for end in (min, max))
        clusters = counted(most, "cluster") if least == most else f"{least} to {most} clusters"
        # A single problem is a cluster for problem accuracy, but not for schema accuracy.
        is_all = len(few) == len(with_interval)
        names = (
            "" if is_all else f"{', '.join(dict.fromkeys(estimate.metric for estimate in few))}: "
        )
        yield f"{names}{clusters}: intervals are unreliable with fewer than {FEW_CLUSTERS}"
    if any(
        estimate.resamples * (1 - estimate.interval.level) / 2 < _BEYOND
        for estimate in with_interval
        if estimate.interval
    ):
        resamples = counted(with_interval[0].resamples, "resample")
        yield f"{resamples}: too few for intervals at this level"


def _caveats(estimate: Bootstrapped) -> Iterator[str]:
    if estimate.reason:
        yield f"undefined: {estimate.reason}"
    elif estimate.no_interval:
        yield f"no interval: {estimate.no_interval}"
    elif estimate.undefined:
        count = f"{estimate.undefined} of {estimate.resamples} resamples"
        yield f"undefined in {count}, which are left out"
    if estimate.interval is not None and estimate.interval.low == estimate.interval.high:
        yield _NO_WIDTH


def sample_line(sample: Sample) -> str:
    """Return the numbers of problems, schemas, clusters and undecided problems."""
    undecided = int(sample.problems.undecided.sum())
    counts = [
        counted(len(sample.problems), "problem"),
        f"{counted(len(sample.schemas), 'schema')}",
        counted(len(set(sample.clusters.tolist())), "cluster"),
    ]
    return f"{counts[0]} in {counts[1]}, {counts[2]}; {undecided} undecided"


def _paragraphs(doc: str) -> list[str]:
    """Return the paragraphs of a docstring after its first line, which is the title."""
    return [part for part in doc.partition("\n")[2].strip().split("\n\n") if part]


def _yes(is_so: bool | None) -> str:
    return UNDEFINED if is_so is None else "yes" if is_so else "no"


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A comparison to print: a description of the two sides, their differences and consistency.

    `beside` are secondary tests, `thesis` has the thesis' test of each accuracy, and `feasible`
    describes the possible range of consistency.
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


def show_comparison(view: ComparisonView, settings: StatisticsOptions) -> None:
    """Print the two sides, their differences, and their consistency."""
    for title, side in zip(view.titles, view.sides, strict=True):
        show_text(f"{title}: {side}")
    if view.table.rows:
        click.echo("")
        columns = ("metric", *view.titles, "difference", settings.interval, "differ", "p")
        adjusted = f"p ({view.table.family.correction})"
        rows = [_difference_row(row) for row in view.table.rows]
        show_table(TextTable((*columns, adjusted, "noticeable"), rows))
    if view.consistency:
        click.echo("")
        estimates = zip(view.metrics, view.shares, view.consistency, strict=True)
        rows = [metric_row(*estimate) for estimate in estimates]
        titles = ("metric", "symbol", "count", "value", settings.interval, "by chance")
        show_table(TextTable(titles, rows))


def _difference_row(row: MetricDifference) -> tuple[str, ...]:
    # If the difference is exactly 0, p is not worth printing.
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
    """Return how many of the clusters differ."""
    return UNDEFINED if test is None or test.unequal is None else f"{test.unequal}/{test.units}"


def _contradictions(rows: Sequence[MetricDifference]) -> Iterator[str]:
    """Explain cases in which an interval excludes 0 but the exact test is not significant."""
    for row in rows:
        interval, test = row.difference.interval, row.test
        if interval is None or test is None or test.unequal is None:
            continue
        if interval.low * interval.high > 0 and test.p > 1 - interval.level:
            yield (
                f"{row.metric}: the interval excludes 0, but only {test.unequal} of {test.units}"
                f" clusters differ; rely on the exact test: {p_sentence(test.p)}"
            )


def comparison_json(view: ComparisonView, settings: StatisticsOptions) -> dict[str, Any]:
    """Return a comparison as JSON."""
    return {
        "sides": dict(zip(view.titles, view.sides, strict=True)),
        **asdict(settings),
        "differences": [asdict(row) for row in view.table.rows],
        "family": asdict(view.table.family),
        "consistency": [
            estimate_json(*estimate)
            for estimate in zip(view.metrics, view.shares, view.consistency, strict=True)
        ],
        "beside": [asdict(test) for test in view.beside],
        "thesis": [_thesis_json(test) for test in view.thesis],
        "notes": list(comparison_messages(view)),
    }


def _thesis_json(test: ThesisTest) -> dict[str, Any]:
    result = test.result
    return {
        "metric": test.metric,
        "p": test.p,
        "exact": result.exact if test.is_of_something else None,
        "difference": float(result.difference),
        "difference_of": "schemas" if result.null.most == 1 else "problems in schemas",
        "in_no_schema": list(test.terms.left_out),
        "schemas": result.schemas,
        "trials": result.trials,
        "as_far": result.as_far,
    }


def _without_singles(test: ThesisTest, titles: tuple[str, str]) -> str:
    """Describe the single problems that the thesis' test leaves out, if any."""
    if not any(test.terms.left_out):
        return ""
    counts = zip(test.terms.left_out, titles, strict=True)
    left_out = " and ".join(f"{number} {title}" for number, title in counts)
    difference = signed(float(test.terms.difference))
    return f" (only problems in schemas, difference {difference}; left out: {left_out})"


def comparison_messages(view: ComparisonView) -> Iterator[str]:
    """Yield caveats about the numbers, and the results of secondary tests."""
    yield from view.notes
    yield from (
        f"{row.metric} is not tested: {row.reason}" for row in view.table.rows if row.reason
    )
    if left_out := {row.test.left_out for row in view.table.rows if row.test} - {0}:
        partly = counted(max(left_out), "cluster")
        yield f"{partly} partly in the subset: included in the estimates, but not in the tests"
    yield from _contradictions(view.table.rows)
    if (size := view.table.family.size) > 1:
        yield f"p values are adjusted for the {counted(size, 'difference')} in the table"
    for test in view.beside:
        p = p_sentence(test.p if test.unequal else None)
        unequal = f"{test.unequal} of {counted(test.units, 'schema')} differ"
        yield f"{test.test} on schemas: {p} ({unequal}); it ignores {test.ignores}"
    for thesis_test in view.thesis:
        left_out_problems = _without_singles(thesis_test, view.titles)
        yield (
            f"the unpaired test of {thesis_test.metric}{left_out_problems}:"
            f" {p_sentence(thesis_test.p)}; it treats {view.titles[0]} as a known null"
            " and ignores the pairing"
        )
    if view.feasible:
        yield view.feasible
    yield from interval_messages([row.difference for row in view.table.rows] + [*view.consistency])
