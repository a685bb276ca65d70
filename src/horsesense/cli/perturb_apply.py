"""`horsesense perturb apply`: apply transformations to a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import click

from horsesense.cli.completing import complete_datasets, complete_transformations
from horsesense.cli.output import (
    counted,
    counting,
    json_option,
    note,
    show_json,
    show_table,
    with_count,
)
from horsesense.cli.perturb_views import (
    by_frequency,
    counted_judgements,
    named,
    perturbation_json,
    reasons_json,
    reasons_table,
)
from horsesense.perturbations import (
    TRANSFORMATIONS,
    MissingEnglish,
    NotApplicable,
    Settings,
    Transformation,
    find_transformation,
)
from horsesense.schema import Entry, Mode
from horsesense.store import (
    Applied,
    Store,
    StoredDataset,
    apply_to,
    check_free,
    check_other_mode,
    find_dataset,
    load_entries,
    mode_name,
    perturbation_name,
)

ALL = "all"
# Reasons to list at most: some quote a word and are therefore many.
SHOWN_REASONS = 8


# The range of integers in SQLite.
SEED = click.IntRange(min=-(2**63), max=2**63 - 1)


@dataclass(frozen=True, slots=True)
class _Job:
    """A perturbation to make."""

    transformation: Transformation
    settings: Settings
    name: str


@dataclass(frozen=True, slots=True)
class _JobResult:
    """The result of a job; `missing` is the reason why it could not be started."""

    job: _Job
    applied: Applied
    missing: str = ""


def _assignments(
    ctx: click.Context, option: click.Parameter, assignments: tuple[str, ...]
) -> dict[str, list[str]]:
    """Collect the values of each parameter, each once."""
    parameters: dict[str, list[str]] = {}
    for text in assignments:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise click.BadParameter(f"write {text!r} as PARAMETER=VALUE", ctx, option)
        values = parameters.setdefault(name.strip(), [])
        if value not in values:
            values.append(value)
    return parameters


@click.command("apply")
@click.argument(
    "name",
    shell_complete=complete_transformations,
)
@click.argument(
    "dataset_name",
    metavar="DATASET",
    shell_complete=complete_datasets,
)
@click.option(
    "--set",
    "parameters",
    multiple=True,
    metavar="PARAMETER=VALUE",
    callback=_assignments,
    help="Set a parameter; with several values, make a perturbation for each.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Random seed.")
@click.option("--name", "new_name", help="Name of the perturbation.")
@click.option("--unreviewed", is_flag=True, help="Include proposals that nobody has reviewed.")
@json_option
@click.pass_context
def apply_command(
    ctx: click.Context,
    /,
    name: str,
    dataset_name: str,
    parameters: dict[str, list[str]],
    seed: int,
    new_name: str | None,
    unreviewed: bool,
    as_json: bool,
) -> None:
    """Apply a transformation, or all of them, to a dataset.

    NAME is a transformation, or `all` for all that apply. The perturbation is named after the
    dataset, the transformation and its parameters. Entries that the author's material or a rule
    guarantees to be valid are saved immediately as a dataset of that name; proposals need
    `horsesense perturb review`. Exits with 1 if nothing could be perturbed.

    Example:

    \b
        horsesense perturb apply switched kitchen
        horsesense perturb apply all kitchen
    """
    with Store.open(ctx.obj) as store:
        dataset = find_dataset(store, dataset_name)
        jobs = _jobs(name, dataset, parameters, seed, new_name)
        for job in jobs:
            check_free(store, job.name, job.transformation, dataset)
        reading = f"reading {dataset_name}"
        entries = list(with_count(load_entries(store, dataset), reading, dataset.entries))
        results = []
        for job in jobs:
            try:
                check_other_mode(store, dataset, job.transformation)
                results.append(_apply(store, job, dataset, entries, unreviewed=unreviewed))
            except (MissingEnglish, NotApplicable) as error:
                if name != ALL:
                    raise
                results.append(_JobResult(job, Applied(0, 0, ()), str(error)))
            if not as_json:
                _show(results[-1], dataset, unreviewed=unreviewed)
    if as_json:
        show_json([_json(result) for result in results])
    stored = [result for result in results if result.applied.stored]
    if not stored or (name != ALL and len(stored) < len(results)):
        ctx.exit(1)


def _jobs(
    name: str,
    dataset: StoredDataset,
    parameters: dict[str, list[str]],
    seed: int,
    new_name: str | None,
) -> list[_Job]:
    """List the perturbations to make, each with a unique name."""
    if name == ALL and parameters:
        raise click.UsageError("--set works with a single transformation, not with all")
    chosen = list(TRANSFORMATIONS.values()) if name == ALL else [find_transformation(name)]
    jobs = []
    for transformation in chosen:
        for values in product(*parameters.values()):
            setting = dict(zip(parameters, values, strict=True))
            settings = transformation.settings(setting, seed=seed)
            default_name = perturbation_name(dataset, transformation, settings)
            jobs.append(_Job(transformation, settings, new_name or default_name))
    if len({job.name for job in jobs}) < len(jobs):
        raise click.UsageError(
            "several perturbations would get the same name; apply them one at a time, "
            "each with its own --name"
        )
    return jobs


def _apply(
    store: Store, job: _Job, dataset: StoredDataset, entries: Sequence[Entry], *, unreviewed: bool
) -> _JobResult:
    with counting(f"applying {job.transformation.name}") as report:
        applied = apply_to(
            store,
            job.transformation,
            job.settings,
            job.name,
            dataset,
            entries,
            unreviewed=unreviewed,
            on_progress=report,
        )
    return _JobResult(job, applied)


def _show(result: _JobResult, dataset: StoredDataset, *, unreviewed: bool) -> None:
    transformation, done = result.job.transformation.name, result.applied
    if result.missing:
        note(f"{transformation} was not applied: {result.missing}")
        return
    entries = counted(done.total, "entry", "entries")
    if done.stored is None or done.counts is None:
        note(f"{transformation} does not apply to any entry of {named(dataset)} ({entries}):")
        for reason, number in by_frequency(done.reasons)[:SHOWN_REASONS]:
            note(f"  {number}  {reason}")
        return
    name, counts = result.job.name, done.counts
    click.echo(
        f"{name}: {done.perturbed} of {entries} perturbed, {counted(done.problems, 'problem')}"
        f"{'' if done.is_new else ' (unchanged)'}"
    )
    click.echo(f"judged: {counted_judgements(counts)}")
    if done.left_out:
        click.echo(f"left out: {len(done.left_out)}")
        show_table(reasons_table(done.reasons, SHOWN_REASONS))
    click.echo(f"dataset: {named(done.stored.dataset)}")
    if done.stored.mode is not Mode.BY_ANSWER:
        note(f"score, measure and export use --mode {mode_name(done.stored.mode)} for it")
    if done.replaced:
        note(f"{name} was replaced; judgements of unchanged entries were kept")
    if (more := len(set(done.reasons)) - SHOWN_REASONS) > 0:
        note(f"{counted(more, 'more reason')}; see 'horsesense perturb show {name}'")
    if unreviewed and counts.proposed:
        note(f"{name} includes {counted(counts.proposed, 'proposal')} that nobody has reviewed")
    elif counts.proposed:
        proposals = counted(counts.proposed, "proposal")
        note(f"{proposals} to review; use 'horsesense perturb review {name}'")


def _json(result: _JobResult) -> dict[str, Any]:
    done = result.applied
    stored = perturbation_json(done.stored, done.counts) if done.stored and done.counts else None
    return {
        "transformation": result.job.transformation.name,
        "entries": done.total,
        "perturbed": done.perturbed,
        "problems": done.problems,
        "is_new": done.is_new,
        "missing": result.missing,
        "reasons": reasons_json(done.reasons),
        "perturbation": stored,
    }
