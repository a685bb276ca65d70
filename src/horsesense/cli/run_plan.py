"""Show the progress of a run, estimate its cost, and repeat it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars
from rich.text import Text

from horsesense.cli.layout import TextTable
from horsesense.cli.output import after_a_while, counted, note, show_json, show_table
from horsesense.evaluation.progress import Progress, ignore
from horsesense.evaluation.protocol.estimate import RunEstimate, estimate
from horsesense.evaluation.run_folder import Repeated, repeat_run
from horsesense.results import Plan
from horsesense.store import Store

# In stages whose name starts like this, progress counts queries.
_QUERYING, _QUERIES = "querying", "queries"


@contextmanager
def show_progress() -> Iterator[Callable[[Progress], None]]:
    """Provide a function that draws the progress of a run, if it takes a while."""
    if not sys.stderr.isatty():
        yield ignore
        return
    bars, lock = _bars(), Lock()
    bar, latest, is_shown = _StageBar(bars), Progress("preparing", 0, 0), False

    def start() -> None:
        nonlocal is_shown
        with lock:
            bars.start()
            bar.draw(latest)
            is_shown = True

    def draw(progress: Progress) -> None:
        nonlocal latest
        with lock:
            latest = progress
            if is_shown:
                bar.draw(progress)

    with after_a_while(start, bars.stop):
        yield draw


class _StageBar:
    """The progress bar of the current stage."""

    def __init__(self, bars: Bars) -> None:
        self.bars = bars
        self.stage = ""
        self.bar: TaskID | None = None

    def draw(self, progress: Progress) -> None:
        if progress.stage != self.stage or self.bar is None:
            if self.bar is not None:
                self.bars.remove_task(self.bar)
            # Work that was done before the bar appears does not count for the rate.
            self.stage = progress.stage
            self.bar = self.bars.add_task(
                progress.stage,
                total=progress.total or None,
                completed=progress.done,
                unit=_QUERIES if progress.stage.startswith(_QUERYING) else "",
            )
        else:
            self.bars.update(self.bar, completed=progress.done, total=progress.total or None)


class _RateColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(_rate(task.speed, task.fields["unit"]))


def _bars() -> Bars:
    return Bars(
        SpinnerColumn(style="default"),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}"),
        _RateColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    )


def _rate(speed: float | None, unit: str) -> str:
    """Format a rate per second, if it is known.

    >>> _rate(41.6, "queries"), _rate(3.14, ""), _rate(None, "")
    ('42 queries/s', '3.1/s', '')
    """
    if speed is None:
        return ""
    return f"{speed:.{0 if speed >= 10 else 1}f}{' ' if unit else ''}{unit}/s"


def show_estimate(plan: Plan, path: Path, *, as_json: bool) -> None:
    """Print how many queries, tokens and minutes a plan takes, and how much is cached."""
    with Store.open(path) if path.exists() else nullcontext() as store, show_progress() as draw:
        cost = estimate(plan, store, on_progress=draw, note=note)
    if as_json:
        show_json(_json(cost))
        return
    for line in _estimate_lines(cost):
        click.echo(line)
    if cost.models:
        click.echo("")
        show_table(_table(cost))
    for skipped in cost.skipped:
        if skipped.is_named:
            note(f"{skipped.where}: {skipped.reason}")
    for message in _over_budget(cost, plan):
        note(message)


def _over_budget(cost: RunEstimate, plan: Plan) -> Iterator[str]:
    """Yield a message for each limit of the plan that the run may exceed."""
    tokens = sum(model.tokens + model.reply_tokens for model in cost.models if model.requests)
    limits = (
        ("--max-requests", plan.max_requests, cost.requests),
        ("--max-tokens", plan.max_tokens, tokens),
        ("--max-cost", plan.max_cost, cost.cost or 0.0),
    )
    for option, limit, needed in limits:
        if limit is not None and needed > limit:
            yield f"the run may stop early: {option} is {limit:,}, and it may need {needed:,}"


def _estimate_lines(cost: RunEstimate) -> Iterator[str]:
    yield (
        f"{counted(cost.datasets, 'dataset')} in {counted(cost.forms, 'variant')}:"
        f" {counted(cost.problems, 'problem')}, {counted(cost.sentences, 'sentence')}"
    )
    if not cost.models:
        yield "no queries: baselines do not use a model"
    elif cost.cached == cost.queries:
        yield f"{counted(cost.queries, 'query', 'queries')}, all cached"
    else:
        is_local = any(model.seconds for model in cost.models)
        time = f", about {_time(cost.minutes)}" if is_local else ""
        yield (
            f"{counted(cost.queries, 'query', 'queries')}, {cost.cached:,} of them cached;"
            f" {cost.tokens:,} tokens to process{time}"
        )
    if cost.requests:
        price = "" if cost.cost is None else f", at most {cost.cost:,.2f} by the given prices"
        yield f"{counted(cost.requests, 'request')} to servers, without retries{price}"


def _table(cost: RunEstimate) -> TextTable:
    rows = [
        (
            model.name,
            f"{model.queries:,}",
            f"{model.cached:,}",
            f"{'' if model.is_exact else '~'}{model.tokens:,}",
            f"{model.reply_tokens:,}" if model.reply_tokens else "",
            "the server's" if model.seconds is None else _time(model.seconds / 60),
        )
        for model in cost.models
    ]
    has_replies = any(model.reply_tokens for model in cost.models)
    header = ("model", "queries", "cached", "tokens", "reply tokens, at most", "time")
    if has_replies:
        return TextTable(header, rows)
    return TextTable((*header[:4], header[5]), [(*row[:4], row[5]) for row in rows])


def _time(minutes: float) -> str:
    """Format a duration in seconds, minutes or hours.

    >>> _time(0.2), _time(3.21), _time(200)
    ('12 s', '3.2 min', '3.3 h')
    """
    if minutes < 1:
        return f"{60 * minutes:.0f} s"
    return f"{minutes:.1f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _json(cost: RunEstimate) -> dict[str, Any]:
    names = ("queries", "cached", "tokens", "minutes", "requests", "cost")
    totals = {name: getattr(cost, name) for name in names}
    return {**asdict(cost), **totals}


# The exit code if estimates have changed.
_OTHER_NUMBERS = 1
_SHOWN = 10


def run_again(path: Path, run: str, *, as_json: bool) -> int:
    """Repeat a run and print what has changed; return 1 if estimates have, else 0."""
    with show_progress() as draw:
        repeated = repeat_run(path, run, on_progress=draw, note=note)
    if as_json:
        show_json(_repeated_json(repeated))
    else:
        for line in _difference_lines(repeated):
            click.echo(line)
    return 0 if repeated.is_same else _OTHER_NUMBERS


def _repeated_json(repeated: Repeated) -> dict[str, Any]:
    before, after = repeated.before.record, repeated.after.record
    return {
        "run": before.id,
        "now": after.id,
        "changes": repeated.changes,
        "queries": after.queries,
        "asked": after.asked,
        "numbers": len(repeated.after.estimates),
        "is_same": repeated.is_same,
        "others": [
            {"what": number.what, "then": number.before, "now": number.after}
            for number in repeated.numbers
        ],
    }


def _difference_lines(repeated: Repeated) -> Iterator[str]:
    before, after = repeated.before.record, repeated.after.record
    yield f"repeated run {before.id} of {before.finished_at}"
    yield "changed since then:" if repeated.changes else "nothing has changed since then"
    yield from (f"  {change}" for change in repeated.changes)
    queries = counted(after.queries, "query", "queries")
    yield f"{queries}, {after.queries - after.asked:,} of them cached"
    total, changed = counted(len(repeated.after.estimates), "estimate"), repeated.numbers
    if not changed:
        yield f"{total}, all identical to the last digit"
    else:
        yield f"{total}, {len(changed)} of them changed:"
        for number in changed[:_SHOWN]:
            yield f"  {number.what}: {_value(number.before)} before, {_value(number.after)} now"
        if len(changed) > _SHOWN:
            yield f"  and {len(changed) - _SHOWN} more"
    if after.id != before.id:
        yield f"stored as run {after.id}"


def _value(value: float | None) -> str:
    return "–" if value is None else repr(value)
