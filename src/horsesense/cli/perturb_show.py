"""`horsesense perturb show` and `diff`: what a perturbation is, and what became of each entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path

import click

from horsesense.cli.output import Table, counted, json_option, note, show_json, show_table
from horsesense.cli.perturb_diffs import show_ledgered
from horsesense.cli.perturb_json import ledgered_json, perturbation_json, reasons_json
from horsesense.cli.perturb_views import (
    history_table,
    pair_table,
    reasons_table,
    show_perturbation,
)
from horsesense.errors import HorsesenseError, UnknownNameError
from horsesense.perturbations import Ledgered
from horsesense.store import (
    Store,
    StoredPerturbation,
    count_unverified,
    count_validity,
    find_perturbation,
    load_history,
    load_ledger,
    load_left_out,
    load_pairs,
)

SHOWN = 20
LIMIT = click.IntRange(min=1, max=1_000_000_000)


@click.command("show")
@click.argument("name", metavar="PERTURBATION")
@click.argument("entry_id", required=False, metavar="[ENTRY]")
@click.option("--left-out", "is_listed", is_flag=True, help="List every entry that is left out.")
@json_option
@click.pass_obj
def show_command(
    path: Path, name: str, entry_id: str | None, is_listed: bool, as_json: bool
) -> None:
    """Show what a perturbation is, how far it is judged, and why entries were left out.

    With the id of an ENTRY, show which of its problems go together, what has been said of it,
    and by whom.

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
                f"{counted(unverified, 'judgement')} from before there were checksums:"
                " whether they are what was said cannot be verified"
            )
        if entry_id:
            _show_history(store, perturbation, entry_id, as_json=as_json)
            return
        counts = count_validity(store, perturbation)
        left_out = load_left_out(store, perturbation)
    reasons = [one.reason for one in left_out]
    if as_json:
        found = perturbation_json(perturbation, counts)
        listed = [asdict(one) for one in left_out]
        show_json({**found, "reasons": reasons_json(reasons), "entries_left_out": listed})
        return
    show_perturbation(perturbation, counts)
    if left_out:
        click.echo("")
        rows = [(one.id, one.reason) for one in left_out]
        show_table(Table(("entry", "reason"), rows) if is_listed else reasons_table(reasons))


def _show_history(
    store: Store, perturbation: StoredPerturbation, entry_id: str, *, as_json: bool
) -> None:
    one = _ledgered(store, perturbation, entry_id)
    history = load_history(store, perturbation, entry_id)
    pairs = load_pairs(store, perturbation).get(entry_id, ())
    if as_json:
        found = ledgered_json(one, perturbation.mode)
        listed = [asdict(judgement) for judgement in history]
        show_json({**found, "pairs": [pair._asdict() for pair in pairs], "history": listed})
        return
    show_ledgered(one, perturbation.mode)
    click.echo("")
    if pairs:
        show_table(pair_table(pairs))
        click.echo("")
    show_table(history_table(history))


@click.command("diff")
@click.argument("name", metavar="PERTURBATION")
@click.argument("entry_id", required=False, metavar="[ENTRY]")
@click.option("--limit", type=LIMIT, help=f"So many entries [{SHOWN}; JSON: all].")
@json_option
@click.pass_obj
def diff_command(
    path: Path, name: str, entry_id: str | None, limit: int | None, as_json: bool
) -> None:
    """Show the sensible sentences before and after, with the words that differ marked.

    Example:

    \b
        horsesense perturb diff kitchen.switched
        horsesense perturb diff kitchen.switched ladle
    """
    with Store.open(path) as store:
        perturbation = find_perturbation(store, name)
        found: Iterator[Ledgered] = (
            iter([_ledgered(store, perturbation, entry_id)])
            if entry_id
            else load_ledger(store, perturbation)
        )
        if as_json:
            show_json([ledgered_json(one, perturbation.mode) for one in islice(found, limit)])
            return
        for number, one in enumerate(islice(found, limit or SHOWN)):
            if number:
                click.echo("")
            show_ledgered(one, perturbation.mode)
        rest = sum(1 for _ in found)
    if rest:
        note(f"{rest} more; --limit {rest + (limit or SHOWN)} shows all")


def _ledgered(store: Store, perturbation: StoredPerturbation, entry_id: str) -> Ledgered:
    """One entry of a perturbation, or why there is none of that id."""
    known = []
    for one in load_ledger(store, perturbation):
        if one.entry.id == entry_id:
            return one
        known.append(one.entry.id)
    for left_out in load_left_out(store, perturbation):
        if left_out.id == entry_id:
            raise HorsesenseError(f"{entry_id} was left out: {left_out.reason}")
    raise UnknownNameError(f"entry of {perturbation.name}", entry_id, known)
