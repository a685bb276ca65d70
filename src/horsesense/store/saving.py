"""Saving datasets under ids that follow from their content.

Saving the same content twice adds nothing; saving other content under the same name makes
a new version and keeps the old one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import astuple, dataclass
from datetime import UTC, datetime

from horsesense.errors import SchemaError
from horsesense.notation import content_id, print_entry, print_grid, print_header, written_fields
from horsesense.schema import Entry, Grid, Header
from horsesense.store.datasets import Source, StoredDataset, find_row
from horsesense.store.store import Store

# Fields that have a column or a table of their own.
_OWN_COLUMNS = ("id", "tags", "note")


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
    store: Store, header: Header, entries: Iterable[Entry], source: Callable[[], Source]
) -> Saved:
    """Keep a dataset; if reading the entries fails half-way, nothing of it.

    The source is asked for when the entries have been read, because only then are the
    hash and the size of a file known.
    """
    with store.writing() as connection:
        keys: dict[str, int] = {}
        ids: list[str] = []
        for entry in entries:
            if entry.id in keys:
                raise SchemaError(f"two entries have the id {entry.id!r}")
            ids.append(content_id("entry", print_entry(entry)))
            keys[entry.id] = _keep_entry(connection, entry, ids[-1])
        new_id = dataset_id(header, ids)
        known = find_row(connection, "id = ?", new_id)
        dataset = known or _keep_version(connection, header, new_id, list(keys.values()))
        _keep_source(connection, dataset, source())
        if known:
            latest = find_row(connection, "name = ?", dataset.name) or dataset
            return Saved(dataset, is_new=False, latest=latest.version)
        return _compared(connection, dataset)


def dataset_id(header: Header, entry_ids: Iterable[str]) -> str:
    """The id of a dataset: it follows from what it says of itself and its entries in order."""
    return content_id("dataset", "\n".join([print_header(header), *entry_ids]))


def _keep_entry(connection: sqlite3.Connection, entry: Entry, entry_id: str) -> int:
    known = connection.execute("SELECT pk FROM entry WHERE id = ?", (entry_id,)).fetchone()
    if known:
        return int(known[0])
    key = connection.execute(
        "INSERT INTO entry (id, name, grid, sentences, note) VALUES (?, ?, ?, ?, ?)",
        (
            entry_id,
            entry.id,
            _keep_grid(connection, entry.grid),
            searched_text(entry.grid),
            entry.note,
        ),
    ).lastrowid
    tags = [(key, tag, position) for position, tag in enumerate(entry.tags)]
    connection.executemany("INSERT INTO tag (entry, tag, position) VALUES (?, ?, ?)", tags)
    fields = [(key, *field) for field in written_fields(entry) if field[0] not in _OWN_COLUMNS]
    connection.executemany("INSERT INTO field (entry, name, value) VALUES (?, ?, ?)", fields)
    return int(key or 0)


def _keep_grid(connection: sqlite3.Connection, grid: Grid) -> int:
    notation = print_grid(grid)
    new_id = content_id("grid", notation)
    known = connection.execute("SELECT pk FROM grid WHERE id = ?", (new_id,)).fetchone()
    if known:
        return int(known[0])
    insert = "INSERT INTO grid (id, kind, notation) VALUES (?, ?, ?)"
    return int(connection.execute(insert, (new_id, grid.kind, notation)).lastrowid or 0)


def searched_text(grid: Grid) -> str:
    """The sentences that make sense, one a line; all of them where nobody has said which do."""
    cells = (cell for cell in grid.cells if grid.is_sensible(cell) is not False)
    return "\n".join(grid.sentence(cell).text for cell in cells)


def _keep_version(
    connection: sqlite3.Connection, header: Header, new_id: str, keys: list[int]
) -> StoredDataset:
    query = "SELECT coalesce(max(version), 0) + 1 FROM dataset WHERE name = ?"
    (version,) = connection.execute(query, (header.name,)).fetchone()
    connection.execute(
        "INSERT INTO dataset (id, version, entries, stored_at, name, title, author, licence, note)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (new_id, version, len(keys), _now(), *astuple(header)),
    )
    dataset = find_row(connection, "id = ?", new_id)
    assert dataset is not None
    connection.executemany(
        "INSERT INTO membership (dataset, position, entry) VALUES (?, ?, ?)",
        ((dataset.pk, position, key) for position, key in enumerate(keys, start=1)),
    )
    return dataset


def _keep_source(connection: sqlite3.Connection, dataset: StoredDataset, source: Source) -> None:
    connection.execute(
        "INSERT INTO source (dataset, file, sha256, bytes, importer, importer_version, imported_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (
            dataset.pk,
            # A file's name may hold bytes that are no text; a database cannot.
            source.file.encode(errors="backslashreplace").decode(),
            source.sha256,
            source.bytes,
            source.importer,
            source.importer_version,
            _now(),
        ),
    )


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
