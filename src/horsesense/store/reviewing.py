"""Judge entries of a perturbation by their ids, all at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from horsesense.errors import ArgumentError, UnknownNameError
from horsesense.perturbations import Ledgered, Validity
from horsesense.schema import Grid
from horsesense.schema.notation import parse_grid
from horsesense.store.judged import load_history, load_ledger
from horsesense.store.ledger import Verdict, judge_together
from horsesense.store.perturbations import StoredPerturbation
from horsesense.store.store import Store


def judge_entries(
    store: Store,
    perturbation: StoredPerturbation,
    by: str,
    *,
    accepted: Sequence[str] = (),
    rejected: Sequence[str] = (),
    edited: Mapping[str, str] | None = None,
    accept_all: bool = False,
) -> int:
    """Accept, reject and edit entries by their ids, and return the number of judgements.

    `edited` has the new notation of each entry. `accept_all` accepts all proposals that are not
    named. If an id or a notation is wrong, nothing is stored. Call `freeze` afterwards to make the
    dataset of what is valid.
    """
    edits = dict(edited or {})
    ledger = {one.entry.id: one for one in load_ledger(store, perturbation)}
    ids = [*accepted, *rejected, *edits]
    for id in ids:
        if id not in ledger:
            raise UnknownNameError(f"entry of {perturbation.name}", id, ledger)
        if ids.count(id) > 1:
            raise ArgumentError(f"{id} is judged twice")
    grids = {id: parse_grid(notation) for id, notation in edits.items()}
    waiting = [
        id
        for id, one in ledger.items()
        if accept_all and id not in ids and one.judgement.validity is Validity.PROPOSED
    ]
    verdicts = [
        *(verdict_on(ledger[id], Validity.EDITED, grid) for id, grid in grids.items()),
        *(verdict_on(ledger[id], Validity.ACCEPTED) for id in (*accepted, *waiting)),
        *(verdict_on(ledger[id], Validity.REJECTED) for id in rejected),
    ]
    judge_together(store, perturbation, verdicts, by)
    return len(verdicts)


def verdict_on(
    shown: Ledgered, validity: Validity, grid: Grid | None = None, *, note: str = ""
) -> Verdict:
    """Make a verdict on the wording that was shown."""
    return Verdict(shown.entry.id, validity, grid, shown.judgement.notation, note)


def reload_ledgered(store: Store, perturbation: StoredPerturbation, shown: Ledgered) -> Ledgered:
    """Read an entry again, with the last judgement of it."""
    last = load_history(store, perturbation, shown.entry.id)[-1]
    entry = replace(shown.entry, grid=parse_grid(last.notation))
    return replace(shown, entry=entry, judgement=last)
