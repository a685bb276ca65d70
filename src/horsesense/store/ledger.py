"""The validity ledger in the store: accept, reject and edit perturbed entries.

The ledger is append-only; the last judgement of an entry is the valid one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from horsesense.errors import ArgumentError, HorsesenseError, UnknownNameError
from horsesense.perturbations import Ledgered
from horsesense.perturbations.checks import check
from horsesense.perturbations.transformation import (
    VALID,
    NotApplicable,
    Rewriting,
    Validity,
    Voucher,
)
from horsesense.schema import Grid, LooseGrid, Mode, Schema
from horsesense.schema.dataset import check_text
from horsesense.schema.notation import parse_grid, print_grid
from horsesense.store import checksums
from horsesense.store.connection import Store
from horsesense.store.judged import NewJudgement, add_judgements, load_history, load_ledger
from horsesense.store.perturbations import (
    StoredPerturbation,
    check_content,
    check_current,
    unknown_entry,
)
from horsesense.store.perturbing import now


class WordingChanged(HorsesenseError):
    """The wording was changed after the judge has seen it."""


@dataclass(frozen=True, slots=True)
class ReviewVerdict:
    """A person's verdict on a perturbed entry.

    It refers to the current wording, which may have been edited; `seen` is the wording that was
    shown, if any. An edit has a new wording, `grid`. A valid entry counts as accepted if it has the
    wording of the proposal, and as edited otherwise. Setting an entry back to proposed discards all
    edits.
    """

    entry: str
    validity: Validity
    grid: Grid | None = None
    seen: str | None = None
    note: str = ""

    def __post_init__(self) -> None:
        if (self.grid is None) is (self.validity is Validity.EDITED):
            raise ValueError("an edit, and only an edit, brings a grid")
        check_text(self.note, "a note")


def judge(
    store: Store,
    perturbation: StoredPerturbation,
    entry: str,
    validity: Validity,
    by: str,
    *,
    grid: Grid | None = None,
    seen: str | None = None,
    note: str = "",
) -> None:
    """Add a judgement of a perturbed entry to the ledger."""
    judge_together(store, perturbation, [ReviewVerdict(entry, validity, grid, seen, note)], by)


def judge_together(
    store: Store, perturbation: StoredPerturbation, verdicts: Iterable[ReviewVerdict], by: str
) -> None:
    """Add judgements to the ledger: all of them, or none if one is rejected."""
    check_text(by, "the name of who judges")
    if not by:
        raise HorsesenseError("a judgement needs the name of the person who gives it")
    with store.writing() as connection:
        check_current(store, connection, perturbation)
        check_content(store, connection, perturbation)
        for verdict in verdicts:
            validity, wording = _resolve(connection, perturbation, verdict)
            row = NewJudgement(verdict.entry, validity.value, by, now(), wording, verdict.note)
            add_judgements(connection, perturbation.pk, [row])


def _resolve(
    connection: sqlite3.Connection, perturbation: StoredPerturbation, verdict: ReviewVerdict
) -> tuple[Validity, str]:
    """Return the validity that a verdict results in, and the wording it refers to."""
    proposed, before, last = _wordings(connection, perturbation, verdict.entry)
    if verdict.seen is not None and verdict.seen != last:
        raise WordingChanged(f"{verdict.entry} has been changed in the meantime; review it again")
    if verdict.validity is Validity.PROPOSED:
        return verdict.validity, proposed
    wording = last
    if verdict.grid is not None:
        wording = print_grid(verdict.grid)
        _check_edit(perturbation, verdict.entry, before, parse_grid(proposed), verdict.grid)
    if verdict.validity not in VALID:
        return verdict.validity, wording
    return Validity.ACCEPTED if wording == proposed else Validity.EDITED, wording


def _wordings(
    connection: sqlite3.Connection, perturbation: StoredPerturbation, entry: str
) -> tuple[str, Grid, str]:
    """Return the proposed wording, the original, and the wording that was last judged.

    Damaged judgements are ignored, so that the entry can be judged again.
    """
    row = connection.execute(
        "SELECT perturbed.notation, grid.notation"
        " FROM perturbed JOIN entry ON entry.pk = perturbed.original"
        " JOIN grid ON grid.pk = entry.grid"
        " WHERE perturbed.perturbation = ? AND perturbed.entry = ?",
        (perturbation.pk, entry),
    ).fetchone()
    if row is None:
        raise unknown_entry(connection, perturbation, entry)
    proposed, before = row
    rest = "WHERE perturbation = ? AND entry = ? ORDER BY pk DESC LIMIT 1"
    last = checksums.read_unchecked(connection, "judgement", rest, (perturbation.pk, entry))
    intact = [row for row in last if not checksums.fault(connection, "judgement", row)]
    return proposed, parse_grid(before), intact[0]["notation"] if intact else proposed


def _check_edit(
    perturbation: StoredPerturbation, entry: str, before: Grid, proposed: Grid, edited: Grid
) -> None:
    """Raise an error if an edit breaks the rules that transformations have to follow."""
    try:
        if perturbation.mode is not Mode.BY_ANSWER:
            raise NotApplicable("it is the original in another mode")
        if _shape(proposed) != _shape(edited):
            raise NotApplicable("it has another shape than the proposal")
        if _is_turned(proposed, edited) or (
            _is_turned(before, edited) and not _is_turned(before, proposed)
        ):
            raise NotApplicable("another answer would be right")
        rewriting = Rewriting(edited, "edited", Voucher.AUTHOR)  # an editor may change everything
        check(before, rewriting, perturbation)
    except NotApplicable as error:
        raise HorsesenseError(f"{entry} cannot be edited like this: {error}") from error


def _shape(grid: Grid) -> tuple[object, ...]:
    """Return what must not change for the problems to pair, including the right answers."""
    if isinstance(grid, LooseGrid):
        return tuple((len(row.answers), row.right) for row in grid.rows)
    return (type(grid), len(grid.cells))


def _is_turned(before: Grid, after: Grid) -> bool:
    """Return whether the key phrases or the answers are swapped in the same frame."""
    if not isinstance(before, Schema) or not isinstance(after, Schema):
        return False
    axes = ((before.keys, after.keys), (before.answers, after.answers))
    return before.frame == after.frame and any(old.values == new.values[::-1] for old, new in axes)


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
    ledger = {ledgered.entry.id: ledgered for ledgered in load_ledger(store, perturbation)}
    ids = [*accepted, *rejected, *edits]
    for id in ids:
        if id not in ledger:
            raise UnknownNameError(f"entry of {perturbation.name}", id, ledger)
        if ids.count(id) > 1:
            raise ArgumentError(f"{id} is judged twice")
    grids = {id: parse_grid(notation) for id, notation in edits.items()}
    waiting = [
        id
        for id, ledgered in ledger.items()
        if accept_all and id not in ids and ledgered.judgement.validity is Validity.PROPOSED
    ]
    verdicts = [
        *(verdict_on(ledger[id], Validity.EDITED, grid) for id, grid in grids.items()),
        *(verdict_on(ledger[id], Validity.ACCEPTED) for id in (*accepted, *waiting)),
        *(verdict_on(ledger[id], Validity.REJECTED) for id in rejected),
    ]
    judge_together(store, perturbation, verdicts, by)
    return len(verdicts)


def verdict_on(
    ledgered: Ledgered, validity: Validity, grid: Grid | None = None, *, note: str = ""
) -> ReviewVerdict:
    """Make a verdict on the wording that was shown."""
    return ReviewVerdict(ledgered.entry.id, validity, grid, ledgered.judgement.notation, note)


def reload_ledgered(store: Store, perturbation: StoredPerturbation, ledgered: Ledgered) -> Ledgered:
    """Read an entry again, with the last judgement of it."""
    last = load_history(store, perturbation, ledgered.entry.id)[-1]
    entry = replace(ledgered.entry, grid=parse_grid(last.notation))
    return replace(ledgered, entry=entry, judgement=last)
