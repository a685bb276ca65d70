"""`horsesense perturb apply`: perturbations of a dataset, and what was left out of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import click

from horsesense.cli.output import counted, counting, json_option, note, show_json, show_table
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
# Some reasons quote a word each.
SHOWN_REASONS = 8


# As large as the store's integers may be.
SEED = click.IntRange(min=-(2**63), max=2**63 - 1)


@dataclass(frozen=True, slots=True)
class _Job:
    """One perturbation that is asked for."""

    transformation: Transformation
    settings: Settings
    name: str


@dataclass(frozen=True, slots=True)
class _Done:
    """What came of a job; `missing` says why it could not be tried."""

    job: _Job
    applied: Applied
    missing: str = ""


def _assignments(
    ctx: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> dict[str, list[str]]:
    """The values given for each parameter, each once."""
    found: dict[str, list[str]] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise click.BadParameter(f"{text!r} is not of the form PARAMETER=VALUE", ctx, option)
        values = found.setdefault(name.strip(), [])
        if value not in values:
            values.append(value)
    return found


@click.command("apply")
@click.argument("name")
@click.argument("dataset_name", metavar="DATASET")
@click.option(
    "--set",
    "given",
    multiple=True,
    metavar="PARAMETER=VALUE",
    callback=_assignments,
    help="Set a parameter; several values make a perturbation each.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed the random choices.")
@click.option("--name", "new_name", help="Give the perturbation this name.")
@click.option("--unreviewed", is_flag=True, help="Freeze proposals that nobody has reviewed too.")
@json_option
@click.pass_context
def apply_command(
    ctx: click.Context,
    /,
    name: str,
    dataset_name: str,
    given: dict[str, list[str]],
    seed: int,
    new_name: str | None,
    unreviewed: bool,
    as_json: bool,
) -> None:
    """Apply the transformation NAME to a dataset; `all` applies all that fit.

    The perturbation is called after the dataset, the transformation and the parameters that
    are set. What the author's material or a rule vouches for is frozen at once as a dataset of
    that name; proposals wait for `horsesense perturb review`. Exits with 1 if nothing applies.

    Example:

    \b
        horsesense perturb apply switched kitchen
        horsesense perturb apply all kitchen
    """
    with Store.open(ctx.obj) as store:
        dataset = find_dataset(store, dataset_name)
        jobs = _jobs(name, dataset, given, seed, new_name)
        for job in jobs:
            check_free(store, job.name, job.transformation, dataset)
        entries = list(load_entries(store, dataset))
        done = []
        for job in jobs:
            try:
                check_other_mode(store, dataset, job.transformation)
                done.append(_apply(store, job, dataset, entries, unreviewed=unreviewed))
            except (MissingEnglish, NotApplicable) as error:
                if name != ALL:
                    raise
                done.append(_Done(job, Applied(0, 0, ()), str(error)))
            if not as_json:
                _show(done[-1], dataset, unreviewed=unreviewed)
    if as_json:
        show_json([_json(one) for one in done])
    stored = [one for one in done if one.applied.stored]
    if not stored or (name != ALL and len(stored) < len(done)):
        ctx.exit(1)


def _jobs(
    name: str,
    dataset: StoredDataset,
    given: dict[str, list[str]],
    seed: int,
    new_name: str | None,
) -> list[_Job]:
    """Every perturbation that is asked for, under a name of its own."""
    if name == ALL and given:
        raise click.UsageError("--set is for one transformation, not for all")
    chosen = list(TRANSFORMATIONS.values()) if name == ALL else [find_transformation(name)]
    jobs = []
    for transformation in chosen:
        for values in product(*given.values()):
            setting = dict(zip(given, values, strict=True))
            settings = transformation.settings(setting, seed=seed)
            default_name = perturbation_name(dataset, transformation, settings)
            jobs.append(_Job(transformation, settings, new_name or default_name))
    if len({job.name for job in jobs}) < len(jobs):
        raise click.UsageError(
            "several perturbations would have the same name; apply one after the other, "
            "each with a --name of its own"
        )
    return jobs


def _apply(
    store: Store, job: _Job, dataset: StoredDataset, entries: Sequence[Entry], *, unreviewed: bool
) -> _Done:
    # An entry may have to be parsed, which takes a moment: the bar moves with each.
    with counting(f"applying {job.transformation.name}") as tell:
        applied = apply_to(
            store,
            job.transformation,
            job.settings,
            job.name,
            dataset,
            entries,
            unreviewed=unreviewed,
            on_progress=tell,
        )
    return _Done(job, applied)


def _show(tried: _Done, dataset: StoredDataset, *, unreviewed: bool) -> None:
    transformation, done = tried.job.transformation.name, tried.applied
    if tried.missing:
        note(f"{transformation} was not applied: {tried.missing}")
        return
    entries = counted(done.total, "entry", "entries")
    if done.stored is None or done.counts is None:
        note(f"{transformation} applies to nothing in {named(dataset)} ({entries}):")
        for reason, number in by_frequency(done.reasons)[:SHOWN_REASONS]:
            note(f"  {number}  {reason}")
        return
    name, counts = tried.job.name, done.counts
    click.echo(
        f"{name}: {done.perturbed} of {entries} perturbed, {counted(done.problems, 'problem')}"
        f"{'' if done.is_new else ', as before'}"
    )
    click.echo(f"judged: {counted_judgements(counts)}")
    if done.left_out:
        click.echo(f"left out: {len(done.left_out)}")
        show_table(reasons_table(done.reasons, SHOWN_REASONS))
    click.echo(f"dataset: {named(done.stored.dataset)}")
    if done.stored.mode is not Mode.BY_ANSWER:
        note(f"score, measure and export solve it with --mode {mode_name(done.stored.mode)}")
    if done.replaced:
        note(f"{name} was there before; judgements of what is still the same were carried over")
    if (more := len(set(done.reasons)) - SHOWN_REASONS) > 0:
        note(f"{counted(more, 'more reason')}: horsesense perturb show {name}")
    if unreviewed and counts.proposed:
        note(f"{counted(counts.proposed, 'proposal')} in {name} nobody has reviewed")
    elif counts.proposed:
        waiting = "1 waits" if counts.proposed == 1 else f"{counts.proposed} wait"
        note(f"{waiting} for review: horsesense perturb review {name}")


def _json(tried: _Done) -> dict[str, Any]:
    done = tried.applied
    stored = perturbation_json(done.stored, done.counts) if done.stored and done.counts else None
    return {
        "transformation": tried.job.transformation.name,
        "entries": done.total,
        "perturbed": done.perturbed,
        "problems": done.problems,
        "is_new": done.is_new,
        "missing": tried.missing,
        "reasons": reasons_json(done.reasons),
        "perturbation": stored,
    }
