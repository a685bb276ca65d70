"""Whether the entries of a perturbation are still those that its id follows from."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import TypeVar

from horsesense.store.checksums import damage
from horsesense.store.datasets import check_ids
from horsesense.store.perturbations import StoredPerturbation
from horsesense.store.perturbed import (
    DECLARED,
    LeftOutRow,
    PairRow,
    PerturbedRow,
    Row,
    Rows,
    perturbation_id,
)
from horsesense.store.store import Store

_Kept = TypeVar("_Kept", PerturbedRow, LeftOutRow, PairRow)
# Perturbed entries that are not where, or not called what, their originals are.
_STRAY = (
    "SELECT perturbed.entry FROM perturbed"
    " JOIN perturbation ON perturbation.pk = perturbed.perturbation"
    " LEFT JOIN membership ON membership.dataset = perturbation.original"
    " AND membership.position = perturbed.position AND membership.entry = perturbed.original"
    " LEFT JOIN entry ON entry.pk = membership.entry AND entry.name = perturbed.entry"
    " WHERE perturbation.pk = ? AND entry.pk IS NULL ORDER BY perturbed.position"
)


def check_content(
    store: Store, connection: sqlite3.Connection, perturbation: StoredPerturbation
) -> None:
    """Refuse a perturbation whose entries are damaged; this is looked at once."""
    if ("perturbation", perturbation.pk) in store.verified:
        return
    check_ids(store, perturbation.original)
    for finding in content_faults(connection, perturbation):
        again = f"{perturbation.transformation} {perturbation.original.name}"
        raise damage(
            f"the perturbation {perturbation.name}",
            finding,
            f"apply it again ('horsesense perturb apply {again}', with the same settings), which"
            " mends it, or restore the store from a copy;"
            " 'horsesense store check' tells what else is damaged",
        )
    store.verified.add(("perturbation", perturbation.pk))


def content_faults(
    connection: sqlite3.Connection, perturbation: StoredPerturbation
) -> Iterator[str]:
    """What is wrong with the entries of a perturbation."""
    for (entry,) in connection.execute(_STRAY, (perturbation.pk,)):
        yield f"{entry} does not belong to its original"
    if current_id(connection, perturbation.pk, perturbation.original.id) != perturbation.id:
        yield "the perturbation as a whole is not what its id says"


def current_id(connection: sqlite3.Connection, pk: int, original: str) -> str:
    """The id that follows from what the tables say now."""
    declared = connection.execute(f"SELECT {DECLARED} FROM perturbation WHERE pk = ?", (pk,))

    def rows(kind: type[_Kept], table: str) -> list[_Kept]:
        query = f"SELECT {', '.join(kind._fields)} FROM {table} WHERE perturbation = ?"
        return [kind(*row) for row in connection.execute(query, (pk,))]

    entries: list[Row] = [*rows(PerturbedRow, "perturbed"), *rows(LeftOutRow, "left_out")]
    kept = Rows(entries, rows(PairRow, "pair"))
    try:
        return perturbation_id(original, declared.fetchone(), kept)
    except TypeError:  # something stands in a column that cannot have been written
        return ""
