"""`horsesense runs`: the runs that are kept in the store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import click

from horsesense.cli.groups import LazyGroup
from horsesense.cli.output import Table, json_option, note, show_json, show_table
from horsesense.results import Plan, Record, Results
from horsesense.store import RunSummary, list_runs, load_run, open_runs, remove_run


@click.group("runs", cls=LazyGroup)
def runs_group() -> None:
    """Manage the runs in the store.

    A run is kept under a hash of everything that its numbers depend on: the plan, the data, the
    models and the program. If none of these has changed, it is the same run.
    """


@runs_group.command("list")
@json_option
@click.pass_obj
def list_command(path: Path, as_json: bool) -> None:
    """List the runs, oldest first.

    Example:

    \b
        horsesense runs list
    """
    with open_runs(path) as store:
        found = list_runs(store)
    if as_json:
        show_json([_summary_json(one) for one in found])
    elif found:
        show_table(Table(("id", "finished", "seconds", "models", "data"), [*map(_row, found)]))
    else:
        note("no run is kept yet; 'horsesense run' makes one")


@runs_group.command("show")
@click.argument("run", default="latest")
@json_option
@click.pass_obj
def show_command(path: Path, run: str, as_json: bool) -> None:
    """Show a run: its plan, data, models and versions, and what is missing in it.

    RUN is an id or the beginning of one, by default the latest.

    Example:

    \b
        horsesense runs show latest
    """
    with open_runs(path) as store:
        results = load_run(store, run)
        if as_json:
            show_json(_shown_json(results))
        else:
            show_table(Table(("", ""), [*_lines(results)]))


@runs_group.command("remove")
@click.argument("runs", nargs=-1, required=True, metavar="RUN…")
@json_option
@click.pass_obj
def remove_command(path: Path, runs: tuple[str, ...], as_json: bool) -> None:
    """Remove runs; the answers of their models stay.

    Repeating a run needs no model, unless `horsesense cache prune` has removed the answers too.
    The files of its report stay.

    Example:

    \b
        horsesense runs remove 3fa9
    """
    with open_runs(path) as store:
        for name in dict.fromkeys(runs):
            remove_run(store, name)
            if not as_json:
                click.echo(f"removed: {name}")
    if as_json:
        show_json({"removed": list(dict.fromkeys(runs))})


def record_json(record: Record) -> dict[str, Any]:
    """A record for programs."""
    named = {"versions": dict(record.versions), "machine": dict(record.machine)}
    return {**asdict(record), **named}


def _summary_json(run_summary: RunSummary) -> dict[str, Any]:
    return {
        **record_json(run_summary.record),
        "models": run_summary.models,
        "datasets": run_summary.datasets,
    }


def _row(run_summary: RunSummary) -> tuple[str, ...]:
    record = run_summary.record
    names = ", ".join(run_summary.models), ", ".join(run_summary.datasets)
    return (record.id, record.finished_at, f"{record.seconds:.1f}", *names)


def _shown_json(results: Results) -> dict[str, Any]:
    return {
        **record_json(results.record),
        "models": [{**asdict(model), "standard": dict(model.standard)} for model in results.models],
        "datasets": [asdict(dataset) for dataset in results.datasets],
        "variants": [
            {**asdict(variant), "left_out": dict(variant.left_out)} for variant in results.variants
        ],
        "estimates": len(results.estimates),
        "skipped": [asdict(one) for one in results.skipped],
    }


def _lines(results: Results) -> Iterator[tuple[str, str]]:
    record = results.record
    yield "run", record.id
    yield "key", record.key
    yield "started", record.started_at
    yield "finished", f"{record.finished_at}, after {record.seconds:.1f} s"
    yield "queries", f"{record.queries:,}, of which {record.asked:,} were asked"
    for model in results.models:
        message = f"{model.family}, {model.dtype} on {model.device}, {model.fingerprint}"
        yield "model", f"{model.name} ({'baseline' if model.is_baseline else message})"
    for dataset in results.datasets:
        size = f"{dataset.problems} problems, {dataset.schemas} schemas, {dataset.id}"
        yield "data", f"{dataset.name}@{dataset.version} ({size})"
    yield "forms", ", ".join(dict.fromkeys(variant.name for variant in results.variants))
    yield "measured", f"{len(results.estimates):,} numbers"
    yield from _plan_lines(record.plan)
    yield "program", f"horsesense {record.horsesense}, {record.program}"
    yield "versions", ", ".join(f"{name} {version}" for name, version in record.versions)
    yield "machine", ", ".join(f"{name} {value}" for name, value in record.machine)
    for name in record.in_memory:
        yield "in memory", f"{name}: given by a program, so that no plan can name it"
    for gap in results.skipped:
        yield "gap", f"{gap.where}: {gap.reason}"


def _plan_lines(plan: Plan) -> Iterator[tuple[str, str]]:
    """What was planned, but for models and data."""
    chosen = []
    for field in fields(plan)[2:]:
        value = getattr(plan, field.name)
        shown = ", ".join(value) if isinstance(value, tuple) else value
        chosen.append(f"{field.name} {'–' if shown in (None, '') else shown}")
    yield "plan", "; ".join(chosen)
