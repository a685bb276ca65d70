"""`horsesense perturb`: list, explain, show, adopt, review and remove perturbations."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import click

from horsesense.cli.completing import (
    complete_datasets,
    complete_perturbations,
    complete_transformations,
)
from horsesense.cli.groups import LazyGroup
from horsesense.cli.layout import TextTable
from horsesense.cli.output import (
    counted,
    json_option,
    note,
    show_json,
    show_table,
    warn_of_plugins,
)
from horsesense.cli.perturb_views import (
    counted_judgements,
    example_json,
    history_table,
    ledgered_json,
    named,
    pair_table,
    perturbation_json,
    perturbation_table,
    reasons_json,
    reasons_table,
    show_ledgered,
    show_perturbation,
    show_transformation,
    transformation_json,
    transformation_table,
)
from horsesense.cli.reviewing import Review, ReviewInterrupted
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.perturbations import TRANSFORMATIONS, Ledgered, find_transformation
from horsesense.store import (
    Store,
    StoredPerturbation,
    adopt,
    check_free,
    count_judgements,
    count_unverified,
    count_validity,
    find_dataset,
    find_perturbation,
    list_perturbations,
    load_history,
    load_ledger,
    load_left_out,
    load_pairs,
    perturbation_name,
    remove_perturbation,
)

# Commands in files of their own, imported when they are used.
_LAZY = {
    "apply": (
        "horsesense.cli.perturb_apply:apply_command",
        "Apply a transformation, or all of them, to a dataset.",
    ),
}


@click.group("perturb", cls=LazyGroup, lazy=_LAZY)
def perturb_group() -> None:
    """Perturb datasets and review the results.

    A transformation applied to a dataset gives a perturbation. Its valid entries are saved as a
    dataset of the same name, which can be scored and exported like any other.
    """


@perturb_group.command("list")
@click.option("--in-store", is_flag=True, help="List the perturbations in the store.")
@json_option
@click.pass_obj
def list_command(path: Path, in_store: bool, as_json: bool) -> None:
    """List the transformations, or the perturbations in the store.

    Example:

    \b
        horsesense perturb list
        horsesense perturb list --in-store
    """
    if in_store:
        with Store.open(path) as store:
            perturbations = [
                (perturbation, count_validity(store, perturbation))
                for perturbation in list_perturbations(store)
            ]
        if as_json:
            show_json([perturbation_json(*perturbation) for perturbation in perturbations])
        elif perturbations:
            show_table(perturbation_table(perturbations))
        else:
            note("no perturbations yet; create one with 'horsesense perturb apply NAME DATASET'")
    elif as_json:
        show_json([transformation_json(known) for known in TRANSFORMATIONS.values()])
    else:
        show_table(transformation_table(TRANSFORMATIONS.values()))
    if not in_store:
        warn_of_plugins(TRANSFORMATIONS)


@perturb_group.command("explain")
@click.argument(
    "name",
    shell_complete=complete_transformations,
)
@json_option
def explain_command(name: str, as_json: bool) -> None:
    """Explain the transformation NAME, with an example.

    Example:

    \b
        horsesense perturb explain switched
    """
    transformation = find_transformation(name)
    if as_json:
        example = example_json(transformation)
        show_json({**transformation_json(transformation), "example": example})
    else:
        show_transformation(transformation)


@perturb_group.command("adopt")
@click.argument(
    "transformation_name",
    metavar="TRANSFORMATION",
    shell_complete=complete_transformations,
)
@click.argument(
    "original_name",
    metavar="ORIGINAL",
    shell_complete=complete_datasets,
)
@click.argument(
    "dataset_name",
    metavar="DATASET",
    shell_complete=complete_datasets,
)
@click.option("--name", "new_name", help="Name of the perturbation.")
@click.pass_obj
def adopt_command(
    path: Path,
    transformation_name: str,
    original_name: str,
    dataset_name: str,
    new_name: str | None,
) -> None:
    """Use an imported dataset as a perturbation of another.

    DATASET, for instance a published one, becomes a perturbation of ORIGINAL. Entries are paired by
    their ids. Entries of the original without a counterpart are left out, as are entries that are
    unchanged or whose problems cannot be paired. An entry of DATASET without an original is an
    error.

    Example:

    \b
        horsesense perturb adopt switched kitchen kitchen-switched
    """
    transformation = find_transformation(transformation_name)
    settings = transformation.settings()
    with Store.open(path) as store:
        original = find_dataset(store, original_name)
        dataset = find_dataset(store, dataset_name)
        name = new_name or perturbation_name(original, transformation, settings)
        check_free(store, name, transformation, original, adopted=dataset)
        adopted = adopt(store, name, original, transformation, settings, dataset)
        counts = count_validity(store, adopted)
    click.echo(f"{name}: {named(dataset)} as {transformation.name} of {named(original)}")
    click.echo(f"judged: {counted_judgements(counts)}; {counts.left_out} left out")
    if adopted.dataset != dataset:
        note(
            f"some entries of {named(dataset)} cannot be used; the others are"
            f" {named(adopted.dataset)}"
        )


@perturb_group.command("remove")
@click.argument(
    "name",
    metavar="PERTURBATION",
    shell_complete=complete_perturbations,
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def remove_command(path: Path, name: str, yes: bool) -> None:
    """Remove a perturbation with all its judgements.

    Judgements of earlier perturbations with that name are removed, too. The datasets that were
    frozen from it stay.

    Example:

    \b
        horsesense perturb remove kitchen.switched --yes
    """
    with Store.open(path) as store:
        perturbation = find_perturbation(store, name)
        description = f"{name} ({counted_judgements(count_validity(store, perturbation))}"
        # Includes the judgements of earlier perturbations with that name.
        description += f"; {counted(count_judgements(store, name), 'judgement')} by people)"
        if not yes:
            click.confirm(f"Remove {description}?", abort=True, err=True)
        remove_perturbation(store, perturbation)
    click.echo(f"removed: {description}")
    if perturbation.dataset or perturbation.outdated:
        note(f"the dataset stays; remove it with 'horsesense dataset remove {name}'")


SHOWN = 20
LIMIT = click.IntRange(min=1, max=1_000_000_000)


@perturb_group.command("show")
@click.argument(
    "name",
    metavar="PERTURBATION",
    shell_complete=complete_perturbations,
)
@click.argument("entry_id", required=False, metavar="[ENTRY]")
@click.option("--left-out", "is_listed", is_flag=True, help="List every skipped entry.")
@json_option
@click.pass_obj
def show_command(
    path: Path, name: str, entry_id: str | None, is_listed: bool, as_json: bool
) -> None:
    """Show a perturbation, its judgements, and why entries were left out.

    With the id of an ENTRY, show how its problems are paired, and the history of its judgements.

    Example:

    \b
        horsesense perturb show kitchen.switched
        horsesense perturb show kitchen.switched ladle
    """
    with Store.open(path) as store:
        perturbation = find_perturbation(store, name)
        unverified = count_unverified(store, perturbation)
        if unverified:
            note(
                f"{counted(unverified, 'judgement')} cannot be verified:"
                " an older version stored them without checksums"
            )
        if entry_id:
            _show_history(store, perturbation, entry_id, as_json=as_json)
            return
        counts = count_validity(store, perturbation)
        left_out = load_left_out(store, perturbation)
    reasons = [entry.reason for entry in left_out]
    if as_json:
        content = perturbation_json(perturbation, counts)
        entries = [asdict(entry) for entry in left_out]
        show_json({**content, "reasons": reasons_json(reasons), "entries_left_out": entries})
        return
    show_perturbation(perturbation, counts)
    if left_out:
        click.echo("")
        rows = [(entry.id, entry.reason) for entry in left_out]
        show_table(TextTable(("entry", "reason"), rows) if is_listed else reasons_table(reasons))


def _show_history(
    store: Store, perturbation: StoredPerturbation, entry_id: str, *, as_json: bool
) -> None:
    ledgered = _ledgered(store, perturbation, entry_id)
    history = load_history(store, perturbation, entry_id)
    pairs = load_pairs(store, perturbation).get(entry_id, ())
    if as_json:
        content = ledgered_json(ledgered, perturbation.mode)
        judgements = [asdict(judgement) for judgement in history]
        show_json({**content, "pairs": [pair._asdict() for pair in pairs], "history": judgements})
        return
    show_ledgered(ledgered, perturbation.mode)
    click.echo("")
    if pairs:
        show_table(pair_table(pairs))
        click.echo("")
    show_table(history_table(history))


@perturb_group.command("diff")
@click.argument(
    "name",
    metavar="PERTURBATION",
    shell_complete=complete_perturbations,
)
@click.argument("entry_id", required=False, metavar="[ENTRY]")
@click.option("--limit", type=LIMIT, help=f"Number of entries to show. [{SHOWN}; JSON: all]")
@json_option
@click.pass_obj
def diff_command(
    path: Path, name: str, entry_id: str | None, limit: int | None, as_json: bool
) -> None:
    """Show the sensible sentences before and after.

    The words that differ are marked.

    Example:

    \b
        horsesense perturb diff kitchen.switched
        horsesense perturb diff kitchen.switched ladle
    """
    with Store.open(path) as store:
        perturbation = find_perturbation(store, name)
        ledger: Iterator[Ledgered] = (
            iter([_ledgered(store, perturbation, entry_id)])
            if entry_id
            else load_ledger(store, perturbation)
        )
        if as_json:
            mode = perturbation.mode
            show_json([ledgered_json(ledgered, mode) for ledgered in islice(ledger, limit)])
            return
        for number, ledgered in enumerate(islice(ledger, limit or SHOWN)):
            if number:
                click.echo("")
            show_ledgered(ledgered, perturbation.mode)
        rest = sum(1 for _ in ledger)
    if rest:
        note(f"{rest} more; use --limit {rest + (limit or SHOWN)} to see all")


def _ledgered(store: Store, perturbation: StoredPerturbation, entry_id: str) -> Ledgered:
    """Return an entry of a perturbation, or raise an error with the reason why it is missing."""
    known = []
    for ledgered in load_ledger(store, perturbation):
        if ledgered.entry.id == entry_id:
            return ledgered
        known.append(ledgered.entry.id)
    for left_out in load_left_out(store, perturbation):
        if left_out.id == entry_id:
            raise HorsesenseError(f"{entry_id} was left out: {left_out.reason}")
    raise UnknownNameError(f"entry of {perturbation.name}", entry_id, known)


def _user() -> str:
    """Return the user name from the environment."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError) as error:
        raise click.UsageError("cannot determine your user name; give a name with --by") from error


@perturb_group.command("review")
@click.argument(
    "name",
    metavar="PERTURBATION",
    shell_complete=complete_perturbations,
)
@click.option(
    "--by",
    default=_user,
    show_default="your user name",
    metavar="NAME",
    help="Name to record with each judgement.",
)
@click.option("--all", "every", is_flag=True, help="Include entries that have been judged.")
@click.option(
    "--accept", "accepted", multiple=True, metavar="ID", help="Accept this entry; repeatable."
)
@click.option(
    "--reject", "rejected", multiple=True, metavar="ID", help="Reject this entry; repeatable."
)
@click.option(
    "--edit",
    "edited",
    type=(str, str),
    multiple=True,
    metavar="ID NOTATION",
    help="Accept this entry with a new wording; repeatable.",
)
@click.option("--accept-all", is_flag=True, help="Accept all remaining proposals.")
@click.pass_obj
def review_command(
    path: Path,
    /,
    name: str,
    by: str,
    every: bool,
    accepted: tuple[str, ...],
    rejected: tuple[str, ...],
    edited: tuple[tuple[str, str], ...],
    accept_all: bool,
) -> None:
    """Review proposals, and judge each with a keystroke.

    Every judgement is stored immediately. At the end, all valid entries are saved again. Scripts
    can judge with --accept, --reject, --edit and --accept-all instead; if one of these judgements
    cannot be stored, none is.

    Example:

    \b
        horsesense perturb review kitchen.switched
        horsesense perturb review kitchen.tense --by nora \\
            --accept ladle --reject pot
    """
    if not by.strip():
        raise click.UsageError("--by is empty; every judgement needs a name")
    is_script = bool(accepted or rejected or edited or accept_all)
    if not is_script and not _in_terminal():
        raise click.UsageError(
            "reviewing needs a terminal; in a script use --accept, --reject, --edit or --accept-all"
        )
    with Store.open(path) as store:
        review = Review(store, find_perturbation(store, name), by.strip())
        try:
            if is_script:
                review.judge_named(accepted, rejected, edited, accept_all=accept_all)
            else:
                review.walk(every=every)
            review.finish()
        except KeyboardInterrupt as error:
            raise ReviewInterrupted(review.judged, name) from error


def _in_terminal() -> bool:
    """Return whether both input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()
