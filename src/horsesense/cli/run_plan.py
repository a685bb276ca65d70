"""Show the progress of a run, the estimate of one, and the repetition of one."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.text import Text

from horsesense.cli import output
from horsesense.cli.output import Table, counted, note, show_json, show_table
from horsesense.evaluation.protocol import Progress
from horsesense.evaluation.protocol.estimate import RunEstimate, estimate
from horsesense.evaluation.run_folder import Repeated, repeat_run
from horsesense.results import Plan
from horsesense.store import Store

# What `done` counts while a model is asked; elsewhere it has no name.
_ASKING, _QUERIES = "asking", "queries"


@contextmanager
def following() -> Iterator[Callable[[Progress], None]]:
    """A function that is told how far a run has come, and draws it once it takes a while."""
    if not sys.stderr.isatty():
        yield lambda progress: None
        return
    started = time.monotonic()
    with ExitStack() as drawn:
        shown: _Shown | None = None

        def tell(progress: Progress) -> None:
            nonlocal shown
            if shown is None and time.monotonic() - started > output.QUIET_SECONDS:
                shown = _Shown(drawn.enter_context(_bars()))
            if shown is not None:
                shown.tell(progress)

        yield tell


class _Shown:
    """The bar of the current stage; one at a time, as stages follow each other."""

    def __init__(self, bars: Bars) -> None:
        self.bars = bars
        self.stage = ""
        self.bar: TaskID | None = None

    def tell(self, progress: Progress) -> None:
        if progress.stage != self.stage or self.bar is None:
            if self.bar is not None:
                self.bars.remove_task(self.bar)
            # What was done before the bar is drawn says nothing about the rate.
            self.stage = progress.stage
            self.bar = self.bars.add_task(
                progress.stage,
                total=progress.total or None,
                completed=progress.done,
                unit=_QUERIES if progress.stage.startswith(_ASKING) else "",
            )
        else:
            self.bars.update(self.bar, completed=progress.done, total=progress.total or None)


class _RateColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        return Text(_rate(task.speed, task.fields["unit"]))


def _bars() -> Bars:
    return Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}"),
        _RateColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


def _rate(speed: float | None, unit: str) -> str:
    """So many a second, if that is known.

    >>> _rate(41.6, "queries"), _rate(3.14, ""), _rate(None, "")
    ('42 queries/s', '3.1/s', '')
    """
    if speed is None:
        return ""
    return f"{speed:.{0 if speed >= 10 else 1}f}{' ' if unit else ''}{unit}/s"


def show_estimate(plan: Plan, path: Path, *, as_json: bool) -> None:
    """Say how many sentences, tokens and minutes a plan takes, and what of it is cached."""
    with Store.open(path) if path.exists() else nullcontext() as store, following() as tell:
        found = estimate(plan, store, on_progress=tell, note=note)
    if as_json:
        show_json(_json(found))
        return
    for line in _estimate_lines(found):
        click.echo(line)
    if found.models:
        click.echo("")
        show_table(_table(found))
    for gap in found.skipped:
        if gap.is_named:
            note(f"{gap.where}: {gap.reason}")


def _estimate_lines(cost: RunEstimate) -> Iterator[str]:
    yield (
        f"{counted(cost.datasets, 'dataset')} in {counted(cost.forms, 'variant')}:"
        f" {counted(cost.problems, 'problem')}, {counted(cost.sentences, 'sentence')}"
    )
    if not cost.models:
        yield "no model is asked: baselines see no tokens"
    elif cost.cached == cost.queries:
        yield f"{counted(cost.queries, 'query', 'queries')}, all of them in the store"
    else:
        yield (
            f"{counted(cost.queries, 'query', 'queries')}, of which {cost.cached:,} are in the"
            f" store; {cost.tokens:,} tokens to be read, about {_time(cost.minutes)}"
        )


def _table(cost: RunEstimate) -> Table:
    rows = [
        (
            model.name,
            f"{model.queries:,}",
            f"{model.cached:,}",
            f"{model.tokens:,}",
            _time(model.seconds / 60),
        )
        for model in cost.models
    ]
    return Table(("model", "queries", "in the store", "tokens", "time"), rows)


def _time(minutes: float) -> str:
    """A time as people say it.

    >>> _time(0.2), _time(3.21), _time(200)
    ('12 s', '3.2 min', '3.3 h')
    """
    if minutes < 1:
        return f"{60 * minutes:.0f} s"
    return f"{minutes:.1f} min" if minutes < 90 else f"{minutes / 60:.1f} h"


def _json(cost: RunEstimate) -> dict[str, Any]:
    totals = {name: getattr(cost, name) for name in ("queries", "cached", "tokens", "minutes")}
    return {**asdict(cost), **totals}


# The exit code if numbers have changed.
_OTHER_NUMBERS = 1
_SHOWN = 10


def run_again(path: Path, run: str, *, as_json: bool) -> int:
    """Run the plan of a run once more, and show what has changed; 1 if numbers have."""
    with following() as tell:
        repeated = repeat_run(path, run, on_progress=tell, note=note)
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
    yield f"run {before.id} of {before.finished_at}, once more"
    yield "nothing has changed since" if not repeated.changes else "changed since then:"
    yield from (f"  {change}" for change in repeated.changes)
    queries = counted(after.queries, "query", "queries")
    yield f"{queries}, of which {after.asked:,} went to the model; the store answered the others"
    total, changed = counted(len(repeated.after.estimates), "number"), repeated.numbers
    if not changed:
        yield f"{total}: all the same, to the digit"
    else:
        yield f"{total}, of which {len(changed)} are not the same:"
        for number in changed[:_SHOWN]:
            yield f"  {number.what}: {_shown(number.before)} then, {_shown(number.after)} now"
        if len(changed) > _SHOWN:
            yield f"  and {len(changed) - _SHOWN} more"
    if after.id != before.id:
        yield f"kept as run {after.id}"


def _shown(value: float | None) -> str:
    return "–" if value is None else repr(value)
