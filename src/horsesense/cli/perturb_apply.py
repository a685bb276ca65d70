"""`horsesense perturb apply`: perturbations of a dataset, and what was left out of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import Any

import click

from horsesense.cli.options import mode_name
from horsesense.cli.output import counted, counting, json_option, note, show_json, show_table
from horsesense.cli.perturb_views import (
    by_frequency,
    counted_judgements,
    named,
    perturbation_json,
    reasons_json,
    reasons_table,
)
from horsesense.errors import HorsesenseError
from horsesense.perturbations import (
    TRANSFORMATIONS,
    LeftOut,
    MissingEnglish,
    NotApplicable,
    Settings,
    Transformation,
    find_transformation,
    perturb,
)
from horsesense.schema import Entry, Mode, problems
from horsesense.store import (
    Counts,
    Store,
    StoredDataset,
    StoredPerturbation,
    check_other_mode,
    count_validity,
    find_dataset,
    find_perturbation,
    freeze,
    list_datasets,
    list_perturbations,
    load_entries,
    save_perturbation,
    sources_of,
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
class _Applied:
    """What came of it; without anything perturbed, nothing was stored.

    `missing` says what would have to be installed to try it.
    """

    job: _Job
    total: int
    problems: int
    left_out: tuple[LeftOut, ...]
    stored: StoredPerturbation | None = None
    counts: Counts | None = None
    is_new: bool = False
    replaced: bool = False
    missing: str = ""

    @property
    def perturbed(self) -> int:
        return self.total - len(self.left_out)

    @property
    def reasons(self) -> list[str]:
        return [one.reason for one in self.left_out]


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
    help="Set a parameter; one given twice makes a perturbation for each value.",
)
@click.option("--seed", type=SEED, default=0, show_default=True, help="For what is drawn.")
@click.option("--name", "new_name", help="What the perturbation is to be called.")
@click.option("--unreviewed", is_flag=True, help="Freeze proposals too that nobody has judged.")
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
    """Apply the transformation NAME to a dataset; `all` applies every one that does apply.

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
                done.append(_Applied(job, 0, 0, (), missing=str(error)))
            if not as_json:
                _show(done[-1], dataset, unreviewed=unreviewed)
    if as_json:
        show_json([_json(one) for one in done])
    stored = [one for one in done if one.stored]
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
) -> _Applied:
    """Make one perturbation, keep it, and freeze what may be frozen."""
    results = []
    # An entry may have to be parsed, which takes a moment: the bar moves with each.
    with counting(f"applying {job.transformation.name}") as tell:
        for done, result in enumerate(perturb(entries, job.transformation, job.settings), 1):
            results.append(result)
            tell(done, len(entries))
    left_out = tuple(one for one in results if isinstance(one, LeftOut))
    made = [one.entry for one in results if not isinstance(one, LeftOut)]
    number = sum(len(problems(entry.grid, job.transformation.mode)) for entry in made)
    if not made:
        return _Applied(job, len(results), number, left_out)
    was_there = any(one.name == job.name for one in list_perturbations(store))
    stored, is_new = save_perturbation(
        store, job.name, dataset, job.transformation, job.settings, results
    )
    freeze(store, stored, unreviewed=unreviewed)
    counts = count_validity(store, stored)
    # Read again, as it now has a dataset.
    stored = find_perturbation(store, job.name)
    replaced = was_there and is_new
    return _Applied(job, len(results), number, left_out, stored, counts, is_new, replaced)


def _show(done: _Applied, dataset: StoredDataset, *, unreviewed: bool) -> None:
    transformation = done.job.transformation.name
    if done.missing:
        note(f"{transformation} was not applied: {done.missing}")
        return
    entries = counted(done.total, "entry", "entries")
    if done.stored is None or done.counts is None:
        note(f"{transformation} applies to nothing in {named(dataset)} ({entries}):")
        for reason, number in by_frequency(done.reasons)[:SHOWN_REASONS]:
            note(f"  {number}  {reason}")
        return
    name, counts = done.job.name, done.counts
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


def _json(done: _Applied) -> dict[str, Any]:
    stored = perturbation_json(done.stored, done.counts) if done.stored and done.counts else None
    return {
        "transformation": done.job.transformation.name,
        "entries": done.total,
        "perturbed": done.perturbed,
        "problems": done.problems,
        "is_new": done.is_new,
        "missing": done.missing,
        "reasons": reasons_json(done.reasons),
        "perturbation": stored,
    }


_LONGEST_SLUG = 40
_SEED = re.compile(r"seed-?\d+")  # which a value is not to be taken for


def perturbation_name(
    dataset: StoredDataset, transformation: Transformation, settings: Settings
) -> str:
    """The dataset, the transformation, the values that are not the default, and such a seed."""
    values = [
        _slug(settings[one.name])
        for one in transformation.parameters
        if settings[one.name] != one.default
    ]
    seed = [f"seed{settings.seed}"] if settings.seed else []
    return ".".join([dataset.name, transformation.name, *values, *seed])


def _slug(value: str) -> str:
    """A value as part of a name; one that is not spelt out in full gets digits of its hash.

    >>> _slug("short"), _slug("[MASK]"), _slug("<mask>"), _slug("…")
    ('short', 'mask-1762d1', 'mask-da5bb5', 'b49358')
    """
    words = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")
    if words and words == value and len(words) <= _LONGEST_SLUG and not _SEED.fullmatch(words):
        return words
    digits = sha256(value.encode()).hexdigest()[:6]
    return "-".join(filter(None, [words[:_LONGEST_SLUG].strip("-"), digits]))


def check_free(
    store: Store,
    name: str,
    transformation: Transformation,
    original: StoredDataset,
    *,
    adopted: StoredDataset | None = None,
) -> None:
    """Refuse a name that something else has, unless it is the dataset that is to be adopted."""
    for known in list_perturbations(store):
        if known.name == name:
            if (known.transformation, known.original.name) == (transformation.name, original.name):
                return
            what = f"{known.transformation} of {known.original.name}"
            raise HorsesenseError(f"{name} is {what} already; choose another --name")
    for dataset in list_datasets(store):
        is_adopted = adopted is not None and adopted.name == name
        if dataset.name == name and not is_adopted and not _is_frozen(store, dataset):
            raise HorsesenseError(f"a dataset is called {name} already; choose another --name")


def _is_frozen(store: Store, dataset: StoredDataset) -> bool:
    """Whether it was frozen of a perturbation, which may have been removed since."""
    known = TRANSFORMATIONS
    return any(source.importer in known for source in sources_of(store, dataset))
