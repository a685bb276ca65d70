"""Verify a store: compare datasets, perturbations, ledgers and the search index with their ids."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from horsesense.errors import HorsesenseError, StoreError
from horsesense.perturbations.transformation import Validity
from horsesense.schema import Entry
from horsesense.schema.notation import content_id, dataset_id, grid_id, print_entry
from horsesense.store import checksums
from horsesense.store.connection import Store, structural_faults
from horsesense.store.datasets import StoredDataset, load_entries
from horsesense.store.judged import check_ledger, load_ledger, load_pairs
from horsesense.store.perturbations import content_faults, load_perturbation
from horsesense.store.staging import searched_text

_OF = "WHERE perturbation = ? ORDER BY pk"

# A higher version number means damage.
_MOST_VERSIONS = 2**31


def verify_file(store: Store) -> Iterator[str]:
    """Yield the faults of the file as a whole: its pages, references and search index."""
    yield from verify_structure(store)
    yield from verify_search(store)


def verify_structure(store: Store) -> Iterator[str]:
    """Yield the faults in the pages of the file, and in references between rows."""
    with store.reading() as connection:
        for finding in structural_faults(connection):
            yield f"the file is damaged: {finding}"
        for table, *_ in connection.execute("PRAGMA foreign_key_check"):
            yield f"a row of {table} refers to nothing"
        for name in misnumbered(connection):
            yield f"the last version number of {name} is not one"


def misnumbered(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the names whose last version number is missing or wrong, with its lower bound.

    Damaged records are left out, as their name is unknown.
    """
    numbers: dict[str, int] = {}
    for row in checksums.read_unchecked(connection, "dataset"):
        if not checksums.fault(connection, "dataset", row):
            numbers[row["name"]] = max(row["version"], numbers.get(row["name"], 0))
    last = dict(connection.execute("SELECT name, last_version FROM numbering").fetchall())
    return {
        name: number
        for name, number in numbers.items()
        if not isinstance(last.get(name), int) or not number <= last[name] <= _MOST_VERSIONS
    }


def verify_dataset(
    store: Store, dataset: StoredDataset, entries: Iterable[Entry] | None = None
) -> Iterator[str]:
    """Yield the faults of a dataset: records, entries and ids that do not match.

    To show progress, pass the unchecked entries of `load_entries`.
    """
    with store.reading() as connection:
        for table, rest in (("dataset", "WHERE pk = ?"), ("source", "WHERE dataset = ?")):
            for record in checksums.read_unchecked(connection, table, rest, (dataset.pk,)):
                if problem := checksums.fault(connection, table, record):
                    yield f"{checksums.called(table, record)}: {problem}"
    recorded = _recorded(store, dataset)
    ids: list[str] = []
    entries = entries or load_entries(store, dataset, is_checked=False)
    try:
        for entry, row in zip(entries, recorded, strict=False):
            ids.append(content_id("entry", print_entry(entry)))
            grid = entry.grid
            if row != (ids[-1], grid_id(grid), grid.kind, searched_text(grid)):
                yield f"{entry.id} does not match its id"
    except HorsesenseError as error:
        yield f"entry {len(ids) + 1} cannot be read: {error}"
        return
    if dataset_id(dataset.header, ids) != dataset.id:
        yield "the dataset as a whole does not match its id"


def verify_perturbations(store: Store) -> dict[str, list[str]]:
    """Return the faults of all perturbations by name, including replaced ones."""
    with store.reading() as connection:
        query = "SELECT name, pk FROM perturbation ORDER BY name, turn"
        listed = connection.execute(query).fetchall()
    faults: dict[str, list[str]] = {str(name): [] for name, _ in listed}
    for name, pk in listed:
        faults[str(name)] += verify_perturbation(store, pk)
    return faults


def verify_perturbation(store: Store, pk: int) -> Iterator[str]:
    """Yield the faults of a perturbation and its ledger."""
    try:
        with store.reading() as connection:
            perturbation = load_perturbation(connection, pk)
            for row in checksums.read_unchecked(connection, "judgement", _OF, (pk,)):
                if problem := checksums.fault(connection, "judgement", row):
                    yield f"{checksums.called('judgement', row)}: {problem}"
                elif row["validity"] not in set(Validity):
                    yield f"{checksums.called('judgement', row)} cannot be read"
            yield from content_faults(connection, perturbation)
            check_ledger(connection, pk)
        for _ in load_ledger(store, perturbation):
            pass  # reading raises errors
        load_pairs(store, perturbation)
    except HorsesenseError as error:
        yield f"it cannot be read: {error}"


def verify_search(store: Store) -> Iterator[str]:
    """Yield the faults of the search index."""
    with store.reading() as connection:
        is_changed = checksums.search_fault(connection) != ""
    if is_changed or not (store.is_read_only or _fits_entries(store)):
        yield "the search index does not agree with the entries"


def _fits_entries(store: Store) -> bool:
    """Return whether the search index matches the entries; this needs a write transaction."""
    try:
        with store.writing() as connection:
            connection.execute(
                "INSERT INTO entry_search (entry_search, rank) VALUES ('integrity-check', 1)"
            )
    except StoreError as error:
        cause = error.__cause__
        if isinstance(cause, sqlite3.DatabaseError) and "SQLITE_CORRUPT" in cause.sqlite_errorname:
            return False
        raise
    return True


def _recorded(store: Store, dataset: StoredDataset) -> list[tuple[str, str, str, str]]:
    """Return for each entry its id, the id and kind of its grid, and the indexed text."""
    with store.reading() as connection:
        return connection.execute(
            "SELECT entry.id, grid.id, grid.kind, entry.sentences FROM membership"
            " JOIN entry ON entry.pk = membership.entry JOIN grid ON grid.pk = entry.grid"
            " WHERE membership.dataset = ? ORDER BY membership.position",
            (dataset.pk,),
        ).fetchall()
