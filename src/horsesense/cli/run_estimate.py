"""`horsesense run --dry-run`: what a run would take, before anything is asked or stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from horsesense.cli.output import Table, counted, note, show_json, show_table
from horsesense.cli.run_progress import following
from horsesense.store import Store

if TYPE_CHECKING:
    from horsesense.evaluation.protocol.estimate import Estimate
    from horsesense.results import Plan


def show_estimate(plan: Plan, path: Path, *, as_json: bool) -> None:
    """Say how many sentences, tokens and minutes a plan takes, and what of it is cached."""
    from horsesense.evaluation.protocol.estimate import estimate

    with Store.open(path) if path.exists() else nullcontext() as store, following() as tell:
        found = estimate(plan, store, on_progress=tell, note=note)
    if as_json:
        show_json(_json(found))
        return
    for line in _lines(found):
        click.echo(line)
    if found.models:
        click.echo("")
        show_table(_table(found))
    for gap in found.gaps:
        if gap.is_named:
            note(f"{gap.where}: {gap.reason}")


def _lines(found: Estimate) -> Iterator[str]:
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


def _table(found: Estimate) -> Table:
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


def _json(found: Estimate) -> dict[str, Any]:
    totals = {name: getattr(found, name) for name in ("queries", "cached", "tokens", "minutes")}
    return {**asdict(found), **totals}
