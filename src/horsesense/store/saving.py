"""Save datasets under ids derived from their content.

Saving the same content again adds nothing. Saving other content under the same name creates a new
version and keeps the old one.
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
from horsesense.store.loading import save_issues
from horsesense.store.staging import are_staged, move_entries, move_membership, stage

# The importer of a dataset that was not read from a file.
IN_PYTHON = "python"
# Perturbed entries refer to their originals, which may have been rewritten.
_POINT_TO_ORIGINALS = (
    "UPDATE perturbed SET original = membership.entry FROM membership, perturbation"
    " WHERE perturbation.pk = perturbed.perturbation AND perturbation.original = ?"
    " AND membership.dataset = perturbation.original AND membership.position = perturbed.position"
)


@dataclass(frozen=True, slots=True)
class Saved:
    """The result of saving a dataset: its record, and how it differs from the previous version.

    `latest` is the number of the latest version, which is higher than that of the dataset if an
    old version was saved again. `is_mended` is true if a damaged dataset was repaired.
    """

    dataset: StoredDataset
    is_new: bool
    latest: int
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    is_mended: bool = False


def save_dataset(store: Store, dataset: Dataset) -> Saved:
    """Save a dataset with its issues and sources."""
    sources = dataset.sources or (Source(dataset.name, dataset.version, 0, IN_PYTHON, "1"),)
    source, *companions = sources
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
    """Save a dataset while its entries are read; if reading fails, nothing is saved.

    Other processes can write until all entries have been read. `source` and `issues` are called
    afterwards, as they are complete only then. `companions` are further files read with it.
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
            is_mended |= _repair(connection, header, new_id, len(ids))
        else:
            _save_version(connection, header, new_id, len(ids))
        dataset = find_row(connection, "id = ?", new_id)
        assert dataset is not None
        source_pk = _save_source(connection, dataset, source())
        save_issues(connection, source_pk, issues())
        checksums.sign(connection, "source", source_pk)
        for companion in companions:
            companion_pk = _save_source(connection, dataset, companion, is_companion=True)
            checksums.sign(connection, "source", companion_pk)
        if is_known:
            latest = find_row(connection, "name = ?", dataset.name) or dataset
            saved = Saved(dataset, is_new=False, latest=latest.version, is_mended=is_mended)
        else:
            saved = _compare(connection, dataset)
    seal_search(store)
    return saved


def _is_known(connection: sqlite3.Connection, id: str) -> bool:
    return connection.execute("SELECT 1 FROM dataset WHERE id = ?", (id,)).fetchone() is not None


def _save_version(
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


def _repair(connection: sqlite3.Connection, header: Header, id: str, entries: int) -> bool:
    """Repair a damaged dataset that is saved again; return whether anything was damaged."""
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
    """Return a version number that was never used for that name, not even by a removed version."""
    connection.execute(
        "INSERT INTO numbering (name, last_version) VALUES (?, 1)"
        " ON CONFLICT (name) DO UPDATE SET last_version = last_version + 1",
        (name,),
    )
    query = "SELECT last_version FROM numbering WHERE name = ?"
    return int(connection.execute(query, (name,)).fetchone()[0])


def _save_source(
    connection: sqlite3.Connection,
    dataset: StoredDataset,
    source: Source,
    *,
    is_companion: bool = False,
) -> int:
    """Save a source and return its primary key; a known source stays unchanged."""
    row = connection.execute(
        "INSERT INTO source (dataset, file, sha256, bytes, importer, importer_version,"
        " imported_at, is_companion) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        # The update changes nothing; it makes SQLite return the key of the existing row.
        " ON CONFLICT DO UPDATE SET file = excluded.file RETURNING pk",
        (
            dataset.pk,
            # SQLite cannot store a file name with undecodable bytes.
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


def _compare(connection: sqlite3.Connection, dataset: StoredDataset) -> Saved:
    """Compare a new version with the previous one by the authors' ids."""
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
