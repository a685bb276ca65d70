"""Whether what is stored is still what was stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import TypeVar

from horsesense.errors import HorsesenseError, StoreError
from horsesense.notation import content_id, grid_id, print_entry
from horsesense.perturbations.ledger import Validity
from horsesense.schema import Entry
from horsesense.store.datasets import StoredDataset, load_entries
from horsesense.store.judged import load_ledger, load_pairs
from horsesense.store.perturbations import load_perturbation
from horsesense.store.perturbed import (
    DECLARED,
    LeftOutRow,
    PairRow,
    PerturbedRow,
    Row,
    Rows,
    perturbation_id,
)
from horsesense.store.saving import dataset_id
from horsesense.store.staging import searched_text
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
_UNREADABLE = (
    "SELECT entry FROM judgement WHERE perturbation = ?"
    f" AND validity NOT IN ({', '.join('?' * len(Validity))}) ORDER BY pk"
)


def verify_file(store: Store) -> Iterator[str]:
    """What is wrong with the file as a whole: its pages, its references, its search index."""
    with store.reading() as connection:
        for (finding,) in connection.execute("PRAGMA integrity_check"):
            if finding != "ok":
                yield f"the file is damaged: {finding}"
        for table, *_ in connection.execute("PRAGMA foreign_key_check"):
            yield f"a row of {table} refers to nothing"
    if not store.is_read_only:
        yield from _verify_search(store)


def verify_dataset(
    store: Store, dataset: StoredDataset, entries: Iterable[Entry] | None = None
) -> Iterator[str]:
    """What does not agree with the ids that were derived from the content.

    Whoever wants to watch the entries go by hands over those of `load_entries`.
    """
    recorded = _recorded(store, dataset)
    ids: list[str] = []
    try:
        for entry, row in zip(entries or load_entries(store, dataset), recorded, strict=False):
            ids.append(content_id("entry", print_entry(entry)))
            grid = entry.grid
            if row != (ids[-1], grid_id(grid), grid.kind, searched_text(grid)):
                yield f"{entry.id} is not what its id says"
    except HorsesenseError as error:
        yield f"entry {len(ids) + 1} cannot be read: {error}"
        return
    if dataset_id(dataset.header, ids) != dataset.id:
        yield "the dataset as a whole is not what its id says"


def verify_perturbations(store: Store) -> dict[str, list[str]]:
    """What is wrong with the perturbations, by their names; those that are not current too."""
    with store.reading() as connection:
        query = "SELECT name, pk FROM perturbation ORDER BY name, turn"
        listed = connection.execute(query).fetchall()
    found: dict[str, list[str]] = {str(name): [] for name, _ in listed}
    for name, pk in listed:
        found[str(name)] += _verify_perturbation(store, pk)
    return found


def _verify_perturbation(store: Store, pk: int) -> Iterator[str]:
    try:
        with store.reading() as connection:
            perturbation = load_perturbation(connection, pk)
            for (entry,) in connection.execute(_STRAY, (pk,)):
                yield f"{entry} does not belong to its original"
            for (entry,) in connection.execute(_UNREADABLE, (pk, *Validity)):
                yield f"a judgement of {entry} cannot be read"
            if _perturbation_id(connection, pk, perturbation.original.id) != perturbation.id:
                yield "the perturbation as a whole is not what its id says"
        for _ in load_ledger(store, perturbation):
            pass  # whatever cannot be read is an error
        load_pairs(store, perturbation)
    except (HorsesenseError, TypeError) as error:
        yield f"it cannot be read: {error}"


def _perturbation_id(connection: sqlite3.Connection, pk: int, original: str) -> str:
    """The id that follows from what the tables say now."""
    declared = connection.execute(f"SELECT {DECLARED} FROM perturbation WHERE pk = ?", (pk,))

    def rows(kind: type[_Kept], table: str) -> list[_Kept]:
        query = f"SELECT {', '.join(kind._fields)} FROM {table} WHERE perturbation = ?"
        return [kind(*row) for row in connection.execute(query, (pk,))]

    entries: list[Row] = [*rows(PerturbedRow, "perturbed"), *rows(LeftOutRow, "left_out")]
    kept = Rows(entries, rows(PairRow, "pair"))
    return perturbation_id(original, declared.fetchone(), kept)


def _verify_search(store: Store) -> Iterator[str]:
    try:
        with store.writing() as connection:
            connection.execute(
                "INSERT INTO entry_search (entry_search, rank) VALUES ('integrity-check', 1)"
            )
    except StoreError as error:
        cause = error.__cause__
        if isinstance(cause, sqlite3.DatabaseError) and "SQLITE_CORRUPT" in cause.sqlite_errorname:
            yield "the search index does not agree with the entries"
        else:
            raise


def _recorded(store: Store, dataset: StoredDataset) -> list[tuple[str, str, str, str]]:
    """What the tables say of each entry: two ids, the kind, the text that is searched."""
    with store.reading() as connection:
        return connection.execute(
            "SELECT entry.id, grid.id, grid.kind, entry.sentences FROM membership"
            " JOIN entry ON entry.pk = membership.entry JOIN grid ON grid.pk = entry.grid"
            " WHERE membership.dataset = ? ORDER BY membership.position",
            (dataset.pk,),
        ).fetchall()
