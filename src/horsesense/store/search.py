"""Full-text search through the sentences, ids and notes of stored datasets."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass

from horsesense.schema import find_unprintable
from horsesense.store import checksums
from horsesense.store.checksums import damage
from horsesense.store.connection import Store
from horsesense.store.datasets import (
    StoredDataset,
    check_ids,
    checked_entry,
    entry_rows,
    list_datasets,
)
from horsesense.store.staging import searched_text

_REBUILDING = "'horsesense store check --repair' rebuilds it"
# A word, or a phrase in quotation marks.
_TERM = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that matches a search."""

    dataset: str
    version: int
    id: str
    notation: str
    sentences: tuple[str, ...]
    note: str


def search(
    store: Store, text: str, *, within: StoredDataset | None = None, limit: int = 20
) -> list[Hit]:
    """Search the latest versions for entries with every word, the best match first."""
    readable = "".join(" " if find_unprintable(char) else char for char in text)
    terms = [first or second for first, second in _TERM.findall(readable)]
    # Quoted, a term is plain text to the search engine, whatever it consists of.
    query = " ".join('"' + term.replace('"', '""') + '"' for term in terms)
    if not any(char.isalnum() for char in query):
        return []
    condition = (
        "dataset.pk = :within"
        if within
        else "version = (SELECT max(version) FROM dataset AS d WHERE d.name = dataset.name)"
    )
    with store.reading() as connection:
        if problem := checksums.search_fault(connection):
            raise damage("the search index", problem, _REBUILDING)
        matches = connection.execute(
            "SELECT dataset.pk, membership.position FROM entry_search"
            " JOIN entry ON entry.pk = entry_search.rowid"
            " JOIN membership ON membership.entry = entry.pk"
            " JOIN dataset ON dataset.pk = membership.dataset"
            f" WHERE entry_search MATCH :query AND {condition}"
            " ORDER BY entry_search.rank, dataset.name, membership.position LIMIT :limit",
            {"query": query, "within": within.pk if within else None, "limit": limit},
        ).fetchall()
        datasets = {dataset.pk: dataset for dataset in list_datasets(store, all_versions=True)}
        ids = {pk: check_ids(store, datasets[pk]) for pk in {pk for pk, _ in matches}}
        return [
            _hit(connection, datasets[pk], position, ids[pk][position - 1])
            for pk, position in matches
        ]


def _hit(connection: sqlite3.Connection, dataset: StoredDataset, position: int, id: str) -> Hit:
    """Load an entry that matches, and verify it."""
    rest = "WHERE membership.dataset = ? AND membership.position = ?"
    rows = entry_rows(connection, rest, (dataset.pk, position))
    if not rows:
        name = f"entry {position} of {dataset.name}@{dataset.version}"
        raise damage(name, "its schema is missing")
    (row,) = rows
    entry = checked_entry(row, id, dataset)
    if row.sentences != searched_text(entry.grid):
        raise damage(f"the indexed text of {entry.id}", "it is not that of the schema")
    sentences = tuple(row.sentences.split("\n"))
    return Hit(dataset.name, dataset.version, entry.id, row.notation, sentences, entry.note)
