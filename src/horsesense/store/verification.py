"""Whether what is stored is still what was stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from horsesense.errors import HorsesenseError, StoreError
from horsesense.notation import content_id, grid_id, print_entry
from horsesense.schema import Entry
from horsesense.store.datasets import StoredDataset, load_entries
from horsesense.store.saving import dataset_id
from horsesense.store.staging import searched_text
from horsesense.store.store import Store


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
