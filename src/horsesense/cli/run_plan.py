"""Run a plan with progress on the terminal, estimate what it takes, or run it again and compare."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bars
from rich.text import Text

from horsesense.cli import output
from horsesense.cli.output import Table, counted, note, show_json, show_table
from horsesense.cli.runs import opened_runs
from horsesense.errors import HorsesenseError, StoreError
from horsesense.evaluation.protocol import Progress, conduct, differences
from horsesense.evaluation.protocol.estimate import RunEstimate, estimate
from horsesense.results import Estimate, Plan, ResultKey, Results
from horsesense.store import Store, find_run, load_run


def conducted(plan: Plan, path: Path, *, fresh: bool = False, replace: bool = True) -> Results:
    """The profile of a plan, as the store keeps it.

    A run that is kept can be had from a store that cannot be written to; a new one cannot. One in
    which a model could not be asked is not kept.
    """
    with opened_to_keep(path) as store, following() as tell:
        profile = conduct(plan, store, fresh=fresh, replace=replace, on_progress=tell, note=note)
        kept = find_run(store, profile.record.key)
        if kept is None and store.is_read_only:
            raise StoreError(
                f"{path} cannot be written to, and a run is to be kept; choose another with --store"
            )
        # Another process may have been faster; what is kept first is the run.
        is_it = fresh or kept is None or kept == profile.record
        return profile if is_it else load_run(store, profile.record.id)


def opened_to_keep(path: Path) -> Store:
    """The store, to be written to if that is possible; it is made where there is none."""
    return Store.open(path) if path.exists() else Store.create_or_open(path)


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
    for gap in found.gaps:
        if gap.is_named:
            note(f"{gap.where}: {gap.reason}")


def _estimate_lines(found: RunEstimate) -> Iterator[str]:
    yield (
        f"{counted(found.datasets, 'dataset')} in {counted(found.forms, 'form')}:"
        f" {counted(found.problems, 'problem')}, {counted(found.sentences, 'sentence')}"
    )
    if not found.models:
        yield "no model is asked: baselines see no tokens"
    elif found.cached == found.queries:
        yield f"{counted(found.queries, 'query', 'queries')}, all of them in the store"
    else:
        yield (
            f"{counted(found.queries, 'query', 'queries')}, of which {found.cached:,} are in the"
            f" store; {found.tokens:,} tokens to be read, about {_time(found.minutes)}"
        )


def _table(found: RunEstimate) -> Table:
    rows = [
        (
            one.name,
            f"{one.queries:,}",
            f"{one.cached:,}",
            f"{one.tokens:,}",
            _time(one.seconds / 60),
        )
        for one in found.models
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


def _json(found: RunEstimate) -> dict[str, Any]:
    totals = {name: getattr(found, name) for name in ("queries", "cached", "tokens", "minutes")}
    return {**asdict(found), **totals}


_OTHER_NUMBERS = 1
# More would tell nothing new.
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class _Number:
    """A number that is not what it was; None where there is none."""

    what: str
    then: float | None
    now: float | None


def run_again(path: Path, run: str, *, as_json: bool) -> int:
    """Run the plan of a run once more, and say what has changed; 1 if numbers have."""
    with opened_runs(path) as store:
        before = load_run(store, run)
    if not before.record.is_repeatable:
        given = ", ".join(before.record.in_memory)
        raise HorsesenseError(
            f"the run {before.record.id} was made of what a program had in memory ({given}), which"
            " no plan names; only that program can make it again"
        )
    after = conducted(before.record.plan, path, fresh=True, replace=False)
    changes = differences(before.record, after.record)
    others = list(_others(before, after))
    is_same = not others and before.options == after.options
    if as_json:
        show_json(
            {
                "run": before.record.id,
                "now": after.record.id,
                "changes": changes,
                "queries": after.record.queries,
                "asked": after.record.asked,
                "numbers": len(after.estimates),
                "is_same": is_same,
                "others": [{"what": one.what, "then": one.then, "now": one.now} for one in others],
            }
        )
    else:
        for line in _difference_lines(before, after, changes, others):
            click.echo(line)
    return 0 if is_same else _OTHER_NUMBERS


def _others(before: Results, after: Results) -> Iterator[_Number]:
    """Estimates that one has and the other has not, or not to the digit."""
    then, now = _indexed(before), _indexed(after)
    for what in dict.fromkeys((*then, *now)):
        old, new = then.get(what), now.get(what)
        if old != new:
            yield _Number(what, old.value if old else None, new.value if new else None)


def _indexed(profile: Results) -> dict[str, Estimate]:
    return {_name(one): one for one in profile.estimates}


def _name(one: Estimate) -> str:
    against = "" if one.against is None else f" against {_told(one.against)}"
    return f"{one.kind} {one.metric} of {_told(one.key)}{against}"


def _told(at: ResultKey) -> str:
    return ", ".join((at.model, at.dataset, at.variant, at.subset, at.method))


def _difference_lines(
    before: Results, after: Results, changes: list[str], others: list[_Number]
) -> Iterator[str]:
    yield f"run {before.record.id} of {before.record.finished_at}, once more"
    yield "nothing has changed since" if not changes else "what has changed since:"
    yield from (f"  {one}" for one in changes)
    asked, queries = after.record.asked, counted(after.record.queries, "query", "queries")
    yield f"{queries}, of which {asked:,} were asked; the others were answered in the store"
    total = counted(len(after.estimates), "number")
    if not others:
        yield f"{total}: all the same, to the digit"
    else:
        yield f"{total}, of which {len(others)} are not the same:"
        for one in others[:_SHOWN]:
            yield f"  {one.what}: {_shown(one.then)} then, {_shown(one.now)} now"
        if len(others) > _SHOWN:
            yield f"  and {len(others) - _SHOWN} more"
    if after.record.id != before.record.id:
        yield f"kept as run {after.record.id}"


def _shown(value: float | None) -> str:
    return "–" if value is None else repr(value)
