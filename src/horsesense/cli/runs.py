"""`horsesense runs`: list, show and remove the runs in the store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import click

from horsesense.cli.completing import complete_runs
from horsesense.cli.groups import LazyGroup
from horsesense.cli.layout import TextTable
from horsesense.cli.output import json_option, note, show_json, show_table, to_the_minute
from horsesense.results import Estimate, Plan, Record, ResultKey, Results
from horsesense.store import (
    ACCURACIES,
    RunSummary,
    list_runs,
    load_accuracies,
    load_run,
    open_runs,
    remove_run,
)

_UNDEFINED = "–"
_NOTHING = (_UNDEFINED,) * len(ACCURACIES)


@click.group("runs", cls=LazyGroup)
def runs_group() -> None:
    """Manage the runs in the store.

    The id of a run is a hash of everything that its numbers depend on: the plan, the data, the
    models and the program. As long as none of these changes, it is the same run.
    """


@runs_group.command("list")
@json_option
@click.pass_obj
def list_command(path: Path, as_json: bool) -> None:
    """List the runs with their accuracies, oldest first.

    The accuracies are the shares of problems and of schemas that a model solves in the
    unperturbed dataset, by the standard method. Baselines are listed only if the plan names
    them; with --json, always.

    Example:

    \b
        horsesense runs list
    """
    with open_runs(path) as store:
        runs = [
            (summary, load_accuracies(store, summary.record.id)) for summary in list_runs(store)
        ]
    if as_json:
        show_json([_summary_json(*run) for run in runs])
    elif runs:
        columns = ("id", "finished", "model", "data", "problems", "schemas")
        show_table(TextTable(columns, [row for run in runs for row in _rows(*run)]))
    else:
        note("no runs yet; create one with 'horsesense run'")


@runs_group.command("show")
@click.argument(
    "run",
    default="latest",
    shell_complete=complete_runs,
)
@json_option
@click.pass_obj
def show_command(path: Path, run: str, as_json: bool) -> None:
    """Show the plan, data, models and versions of a run.

    What the run skipped is listed, too. RUN is an id or the start of one, by default the latest.

    Example:

    \b
        horsesense runs show latest
    """
    with open_runs(path) as store:
        results = load_run(store, run)
        if as_json:
            show_json(_run_json(results))
        else:
            show_table(TextTable(("", ""), [*_lines(results)]))


@runs_group.command("remove")
@click.argument(
    "runs",
    nargs=-1,
    required=True,
    metavar="RUN…",
    shell_complete=complete_runs,
)
@json_option
@click.pass_obj
def remove_command(path: Path, runs: tuple[str, ...], as_json: bool) -> None:
    """Remove runs; the cached answers of their models stay.

    A removed run can be repeated from these answers, unless you remove them with `horsesense
    cache prune`. The files of its report stay, too.

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
    """Return the record of a run as JSON."""
    mappings = {"versions": dict(record.versions), "machine": dict(record.machine)}
    return {**asdict(record), **mappings}


def _summary_json(run_summary: RunSummary, accuracies: Sequence[Estimate]) -> dict[str, Any]:
    return {
        **record_json(run_summary.record),
        "models": run_summary.models,
        "datasets": run_summary.datasets,
        "accuracies": [
            {
                "model": key.model,
                "dataset": key.dataset,
                "method": key.method,
                **{estimate.metric: _share_json(estimate) for estimate in estimates},
            }
            for key, estimates in _by_key(accuracies).items()
        ],
    }


def _share_json(estimate: Estimate) -> dict[str, Any]:
    names = ("value", "low", "high", "count", "total", "reason")
    return {name: getattr(estimate, name) for name in names}


def _by_key(accuracies: Sequence[Estimate]) -> dict[ResultKey, list[Estimate]]:
    """Group accuracies by model and dataset."""
    grouped: dict[ResultKey, list[Estimate]] = {}
    for estimate in accuracies:
        grouped.setdefault(estimate.key, []).append(estimate)
    return grouped


def _rows(run_summary: RunSummary, accuracies: Sequence[Estimate]) -> Iterator[tuple[str, ...]]:
    """Yield a row for each model and dataset of a run; the first one names the run."""
    record = run_summary.record
    first = (record.id, to_the_minute(record.finished_at))
    for key, estimates in _by_key(accuracies).items():
        if key.model in run_summary.evaluated:
            shares = {estimate.metric: _percent(estimate.value) for estimate in estimates}
            shown = (shares.get(metric, _UNDEFINED) for metric in ACCURACIES)
            yield (*first, key.model, key.dataset, *shown)
            first = ("", "")
    if first[0]:  # nothing was measured
        yield (*first, ", ".join(run_summary.models), ", ".join(run_summary.datasets), *_NOTHING)


def _percent(share: float | None) -> str:
    return _UNDEFINED if share is None else f"{100 * share:.0f} %"


def _run_json(results: Results) -> dict[str, Any]:
    return {
        **record_json(results.record),
        "models": [{**asdict(model), "standard": dict(model.standard)} for model in results.models],
        "datasets": [asdict(dataset) for dataset in results.datasets],
        "variants": [
            {**asdict(variant), "left_out": dict(variant.left_out)} for variant in results.variants
        ],
        "estimates": len(results.estimates),
        "skipped": [asdict(skipped) for skipped in results.skipped],
    }


def _lines(results: Results) -> Iterator[tuple[str, str]]:
    record = results.record
    yield "run", record.id
    yield "key", record.key
    yield "started", record.started_at
    yield "finished", f"{record.finished_at}, after {record.seconds:.1f} s"
    yield "queries", f"{record.queries:,}, {record.queries - record.asked:,} of them cached"
    for model in results.models:
        where = f"behind {model.server}" if model.server else f"{model.dtype} on {model.device}"
        details = f"{model.family}, {where}, {model.fingerprint}"
        yield "model", f"{model.name} ({'baseline' if model.is_baseline else details})"
    for dataset in results.datasets:
        size = f"{dataset.problems} problems, {dataset.schemas} schemas, {dataset.id}"
        yield "data", f"{dataset.name}@{dataset.version} ({size})"
    yield "variants", ", ".join(dict.fromkeys(variant.name for variant in results.variants))
    yield "estimates", f"{len(results.estimates):,}"
    yield from _plan_lines(record.plan)
    yield "program", f"horsesense {record.horsesense}, {record.program}"
    yield "versions", ", ".join(f"{name} {version}" for name, version in record.versions)
    yield "machine", ", ".join(f"{name} {value}" for name, value in record.machine)
    for name in record.in_memory:
        yield "in memory", f"{name}: passed in by a Python program, so no plan can name it"
    for skipped in results.skipped:
        yield "skipped", f"{skipped.where}: {skipped.reason}"


def _plan_lines(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the settings of a plan, except for models and data."""
    settings = []
    for field in fields(plan)[2:]:
        value = getattr(plan, field.name)
        text = ", ".join(value) if isinstance(value, tuple) else value
        settings.append(f"{field.name} {'–' if text in (None, '') else text}")
    yield "plan", "; ".join(settings)
