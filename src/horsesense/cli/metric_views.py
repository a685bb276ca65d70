"""How metrics are shown: what they declare of themselves, what they come to, and the intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

import click

from horsesense.cli.output import Table, counted
from horsesense.metrics import ALIASES, Metric, Sample
from horsesense.metrics.statistics import FEW_CLUSTERS, Bootstrapped, Interval
from horsesense.scoring.outcome import Share

UNDEFINED = "–"
_NO_WIDTH = "all resamples are alike, so there is no interval; that proves nothing"
# So many resamples should lie beyond either end of an interval.
_BEYOND = 10


def metric_table(metrics: Iterable[Metric]) -> Table:
    """The metrics with what they declare."""
    rows = [
        (
            one.name,
            one.declared.symbol,
            one.declared.applies,
            one.declared.direction,
            _yes(one.declared.is_symmetric),
            chance_cell(one),
            one.declared.title,
        )
        for one in metrics
    ]
    columns = ("name", "symbol", "applies to", "better", "symmetric", "by chance", "title")
    return Table(columns, rows)


def show_metric(one: Metric) -> None:
    """Print all that a metric declares, and its example."""
    declared = one.declared
    low, high = declared.bounds
    click.echo(f"{one.name} ({declared.symbol}): {declared.title}")
    if others := [alias for alias, name in ALIASES.items() if name == one.name]:
        click.echo(f"also called: {', '.join(others)}")
    lines = {
        "equation": declared.equation,
        "source": declared.source,
        "applies to": declared.applies,
        "better": declared.direction,
        "symmetric": _yes(declared.is_symmetric),
        "bounds": f"{low:g} to {high:g}",
        "by chance": chance_cell(one),
        "undefined where": declared.undefined,
    }
    for label, text in lines.items():
        click.echo(f"{label}: {text}")
    for text in filter(None, (declared.remark, *_paragraphs(declared.doc))):
        click.echo(f"\n{text}")


def metric_json(one: Metric) -> dict[str, Any]:
    """All that a metric declares, for programs."""
    bounds = [bound if isfinite(bound) else None for bound in one.declared.bounds]
    return {**asdict(one.declared), "bounds": bounds, "is_share": one.is_share}


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


def metric_row(metric: Metric, share: Share | None, found: Bootstrapped) -> tuple[str, ...]:
    """What a metric comes to: symbol, count, value, interval, and what chance would give."""
    return (
        metric.name,
        metric.declared.symbol,
        f"{share.count:g}/{share.total:g}" if share else "",
        number(found.estimate),
        interval_cell(found.interval),
        chance_cell(metric),
    )


def found_json(metric: Metric, share: Share | None, found: Bootstrapped) -> dict[str, Any]:
    """The same for programs; `interval` is the one that is shown."""
    return {
        **asdict(found),
        "symbol": metric.declared.symbol,
        "chance": metric.declared.chance,
        "share": None if share is None else asdict(share),
        "interval": None if found.interval is None else asdict(found.interval),
    }


def resampling_notes(found: Sequence[Bootstrapped]) -> Iterator[str]:
    """What is to be known of intervals, the same thing once."""
    undefined: dict[str, list[str]] = {}
    for one in found:
        if one.reason:
            undefined.setdefault(f"undefined: {one.reason}", []).append(one.metric)
        elif one.no_interval:
            undefined.setdefault(f"no interval: {one.no_interval}", []).append(one.metric)
        elif one.undefined:
            share = f"undefined in {one.undefined} of {one.resamples} resamples, which are left out"
            undefined.setdefault(share, []).append(one.metric)
        if one.interval is not None and one.interval.low == one.interval.high:
            undefined.setdefault(_NO_WIDTH, []).append(one.metric)
    for told, metrics in undefined.items():
        yield f"{', '.join(dict.fromkeys(metrics))}: {told}"
    shown = [one for one in found if one.interval is not None]
    if few := [one for one in shown if one.is_few]:
        least, most = (end(one.clusters for one in few) for end in (min, max))
        told = counted(most, "cluster") if least == most else f"{least} to {most} clusters"
        # Single problems are clusters of problems, and none of schemas.
        names = "" if len(few) == len(shown) else f"{', '.join(one.metric for one in few)}: "
        yield f"{names}{told}: with fewer than {FEW_CLUSTERS}, intervals are not to be trusted"
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
