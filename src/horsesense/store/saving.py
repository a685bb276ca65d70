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
from horsesense.schema import Dataset, Entry, Header, Issue, Source
from horsesense.schema.notation import dataset_id
from horsesense.store import checksums
from horsesense.store.connection import Store
from horsesense.store.datasets import HEADER_COLUMNS, StoredDataset, find_row, seal_search
from horsesense.store.loading import keep_issues
from horsesense.store.staging import are_staged, move_entries, move_membership, stage

# What stands for the importer of a dataset that was not read from a file.
IN_PYTHON = "python"
# Perturbed entries refer to their originals, which may have been written anew.
_POINT_TO_ORIGINALS = (
    "UPDATE perturbed SET original = membership.entry FROM membership, perturbation"
    " WHERE perturbation.pk = perturbed.perturbation AND perturbation.original = ?"
    " AND membership.dataset = perturbation.original AND membership.position = perturbed.position"
)


@dataclass(frozen=True, slots=True)
class Saved:
    """What saving did: nothing new, or a version that differs from the one before.

    `latest` is the number of the latest version, which an old one that is saved again is not.
    `is_mended` is true if what the store had of it was damaged, and is no longer.
    """

    dataset: StoredDataset
    is_new: bool
    latest: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    is_mended: bool = False


def save_dataset(store: Store, dataset: Dataset) -> Saved:
    """Keep a dataset with its issues, its file and the files that were read with it."""
    made = dataset.sources or (Source(dataset.name, dataset.version, 0, IN_PYTHON, "1"),)
    source, *companions = made
    return save_entries(
        store,
        dataset.header,
        dataset.entries,
        lambda: source,
        issues=lambda: dataset.issues,
        companions=companions,
    )


def save_entries(
    store: Store,
    header: Header,
    entries: Iterable[Entry],
    source: Callable[[], Source],
    *,
    issues: Callable[[], Iterable[Issue]] = tuple,
    companions: Iterable[Source] = (),
) -> Saved:
    """Keep a dataset while its entries are read; if reading fails half-way, nothing of it.

    Others can write until all entries have been read. The source and the issues are asked for
    then, because only then are they known. Companions are further files that were read with it.
    """
    if store.is_read_only:
        raise StoreError(f"{store.path} cannot be written to; choose another with --store")
    with store.reading() as connection:
        ids = stage(connection, entries)
    with store.writing() as connection:
        checksums.unseal_search(connection)
        new_id = dataset_id(header, ids)
        is_mended = move_entries(connection) > 0
        is_known = _is_known(connection, new_id)
        if is_known:
            is_mended |= _mend(connection, header, new_id, len(ids))
        else:
            _keep_version(connection, header, new_id, len(ids))
        dataset = find_row(connection, "id = ?", new_id)
        assert dataset is not None
        kept = _keep_source(connection, dataset, source())
        keep_issues(connection, kept, issues())
        checksums.sign(connection, "source", kept)
        for companion in companions:
            beside = _keep_source(connection, dataset, companion, is_companion=True)
            checksums.sign(connection, "source", beside)
        if is_known:
            latest = find_row(connection, "name = ?", dataset.name) or dataset
            saved = Saved(dataset, is_new=False, latest=latest.version, is_mended=is_mended)
        else:
            saved = _compared(connection, dataset)
    seal_search(store)
    return saved


def _is_known(connection: sqlite3.Connection, id: str) -> bool:
    return connection.execute("SELECT 1 FROM dataset WHERE id = ?", (id,)).fetchone() is not None


def _keep_version(
    connection: sqlite3.Connection, header: Header, new_id: str, entries: int
) -> None:
    cursor = connection.execute(
        "INSERT INTO dataset (id, version, entries, stored_at, name, title, author, licence, note,"
        " mode) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (new_id, _next_version(connection, header.name), entries, _now(), *astuple(header)),
    )
    assert cursor.lastrowid is not None
    move_membership(connection, cursor.lastrowid)
    checksums.sign(connection, "dataset", cursor.lastrowid)


def _mend(connection: sqlite3.Connection, header: Header, id: str, entries: int) -> bool:
    """Put right what is damaged of a dataset that is saved again, and say whether anything was."""
    (row,) = checksums.read_unchecked(connection, "dataset", "WHERE id = ?", (id,))
    pk, is_mended = row["pk"], False
    for source in checksums.read_unchecked(connection, "source", "WHERE dataset = ?", (pk,)):
        if checksums.fault(connection, "source", source):
            connection.execute("DELETE FROM source WHERE pk = ?", (source["pk"],))
            is_mended = True
    recorded = [row[name] for name in (*HEADER_COLUMNS, "entries")]
    if checksums.fault(connection, "dataset", row) or recorded != [*astuple(header), entries]:
        version = row["version"]
        query = "SELECT 1 FROM numbering WHERE name = ? AND ? BETWEEN 1 AND last_version"
        if not connection.execute(query, (header.name, version)).fetchone():
            version = _next_version(connection, header.name)
        connection.execute(
            "UPDATE dataset SET name = ?, title = ?, author = ?, licence = ?, note = ?, mode = ?,"
            " version = ?, entries = ?, stored_at = ? WHERE pk = ?",
            (*astuple(header), version, entries, _now(), pk),
        )
        checksums.sign(connection, "dataset", pk)
        is_mended = True
    if not are_staged(connection, pk):
        connection.execute("DELETE FROM membership WHERE dataset = ?", (pk,))
        move_membership(connection, pk)
        connection.execute(_POINT_TO_ORIGINALS, (pk,))
        connection.execute(
            "DELETE FROM entry WHERE pk NOT IN (SELECT entry FROM membership)"
            " AND pk NOT IN (SELECT original FROM perturbed)"
        )
        is_mended = True
    return is_mended


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
