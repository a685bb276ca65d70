"""Saving datasets under ids that follow from their content.

Saving the same content twice adds nothing; saving other content under the same name makes
a new version and keeps the old one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from datetime import UTC, datetime

from horsesense.errors import StoreError
from horsesense.notation import content_id, print_header
from horsesense.schema import Entry, Header, Issue
from horsesense.store.datasets import Source, StoredDataset, find_row
from horsesense.store.issues import keep_issues
from horsesense.store.staging import move_entries, move_membership, stage
from horsesense.store.store import Store


@dataclass(frozen=True, slots=True)
class Saved:
    """What saving did: nothing new, or a version that differs from the one before.

    `latest` is the number of the latest version, which an old one that is saved again is not.
    """

    dataset: StoredDataset
    is_new: bool
    latest: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def save_dataset(
    store: Store,
    header: Header,
    entries: Iterable[Entry],
    source: Callable[[], Source],
    *,
    issues: Callable[[], Iterable[Issue]] = tuple,
    companions: Iterable[Source] = (),
) -> Saved:
    """Keep a dataset; if reading the entries fails half-way, nothing of it.

    Others can write until all entries have been read. The source and the issues are asked for
    then, because only then are they known. Companions are further files that were read with it.
    """
    if store.is_read_only:
        raise StoreError(f"{store.path} cannot be written to; choose another with --store")
    with store.reading() as connection:
        ids = stage(connection, entries)
    with store.writing() as connection:
        new_id = dataset_id(header, ids)
        known = find_row(connection, "id = ?", new_id)
        dataset = known or _keep_version(connection, header, new_id, len(ids))
        kept = _keep_source(connection, dataset, source())
        keep_issues(connection, kept, issues())
        for companion in companions:
            _keep_source(connection, dataset, companion, is_companion=True)
        if known:
            latest = find_row(connection, "name = ?", dataset.name) or dataset
            return Saved(dataset, is_new=False, latest=latest.version)
        return _compared(connection, dataset)


def dataset_id(header: Header, entry_ids: Iterable[str]) -> str:
    """The id of a dataset: it follows from what it says of itself and its entries in order."""
    return content_id("dataset", "\n".join([print_header(header), *entry_ids]))


def _keep_version(
    connection: sqlite3.Connection, header: Header, new_id: str, entries: int
) -> StoredDataset:
    move_entries(connection)
    connection.execute(
        "INSERT INTO dataset (id, version, entries, stored_at, name, title, author, licence, note,"
        " mode) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (new_id, _next_version(connection, header.name), entries, _now(), *astuple(header)),
    )
    dataset = find_row(connection, "id = ?", new_id)
    assert dataset is not None
    move_membership(connection, dataset.pk)
    return dataset


def _next_version(connection: sqlite3.Connection, name: str) -> int:
    """A number that no version of that name has had, removed ones included."""
    connection.execute(
        "INSERT INTO numbering (name, last_version) VALUES (?, 1)"
        " ON CONFLICT (name) DO UPDATE SET last_version = last_version + 1",
        (name,),
    )
    query = "SELECT last_version FROM numbering WHERE name = ?"
    return int(connection.execute(query, (name,)).fetchone()[0])


def _keep_source(
    connection: sqlite3.Connection,
    dataset: StoredDataset,
    source: Source,
    *,
    is_companion: bool = False,
) -> int:
    """Keep where content came from, and return its key; a source that is known stays as it is."""
    row = connection.execute(
        "INSERT INTO source (dataset, file, sha256, bytes, importer, importer_version,"
        " imported_at, is_companion) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        # Nothing changes, but only what was touched is returned.
        " ON CONFLICT DO UPDATE SET file = excluded.file RETURNING pk",
        (
            dataset.pk,
            # A file's name may hold bytes that are no text; a database cannot.
            source.file.encode(errors="backslashreplace").decode(),
            source.sha256,
            source.bytes,
            source.importer,
            source.importer_version,
            _now(),
            is_companion,
        ),
    ).fetchone()
    return int(row[0])


def _compared(connection: sqlite3.Connection, dataset: StoredDataset) -> Saved:
    """How a new version differs from the one before, by the authors' ids."""
    before = find_row(connection, "name = ? AND version < ?", dataset.name, str(dataset.version))
    if before is None:
        return Saved(dataset, is_new=True, latest=dataset.version)
    old, new = _members(connection, before), _members(connection, dataset)
    return Saved(
        dataset,
        is_new=True,
        latest=dataset.version,
        added=tuple(name for name in new if name not in old),
        changed=tuple(name for name in new if name in old and new[name] != old[name]),
        removed=tuple(name for name in old if name not in new),
    )


def _members(connection: sqlite3.Connection, dataset: StoredDataset) -> dict[str, int]:
    query = (
        "SELECT entry.name, entry.pk FROM membership JOIN entry ON entry.pk = membership.entry"
        " WHERE membership.dataset = ? ORDER BY membership.position"
    )
    return dict(connection.execute(query, (dataset.pk,)).fetchall())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
