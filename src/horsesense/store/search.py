"""Full-text search through the sentences, ids and notes of stored datasets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from horsesense.schema import find_unprintable
from horsesense.store.datasets import StoredDataset
from horsesense.store.store import Store

# A word, or several in quotation marks that must stand side by side.
_TERM = re.compile(r'"([^"]+)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that holds what was searched for."""

    dataset: str
    version: int
    id: str
    notation: str
    sentences: tuple[str, ...]
    note: str


def search(
    store: Store, text: str, *, within: StoredDataset | None = None, limit: int = 20
) -> list[Hit]:
    """Entries of the latest versions that hold every word, the best match first."""
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
        rows = connection.execute(
            "SELECT dataset.name, dataset.version, entry.name, grid.notation, entry.sentences,"
            " entry.note FROM entry_search JOIN entry ON entry.pk = entry_search.rowid"
            " JOIN grid ON grid.pk = entry.grid JOIN membership ON membership.entry = entry.pk"
            " JOIN dataset ON dataset.pk = membership.dataset"
            f" WHERE entry_search MATCH :query AND {condition}"
            " ORDER BY entry_search.rank, dataset.name, membership.position LIMIT :limit",
            {"query": query, "within": within.pk if within else None, "limit": limit},
        )
        return [
            Hit(name, version, entry, notation, tuple(str(sentences).split("\n")), note)
            for name, version, entry, notation, sentences, note in rows
        ]
