"""Datasets in the store: list, find, load and remove them, and check their entries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from horsesense.datasets.builtin import BUILT_IN
from horsesense.datasets.catalog import misspelt, published
from horsesense.errors import HorsesenseError, SchemaError, StoreError, UnknownNameError
from horsesense.schema import Entry, Header, Source
from horsesense.schema.notation import (
    Fields,
    content_id,
    dataset_id,
    joined_entry,
    parse_grid,
    written_fields,
)
from horsesense.store import checksums
from horsesense.store.checksums import damage, printable
from horsesense.store.connection import Store


def installed_version(package: str) -> str:
    """Return the version of a package, or an empty string if it is not installed.

    >>> installed_version("a package that nobody has")
    ''
    """
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


_PAGE = 500
_BY_NAME = "ORDER BY name, version"
HEADER_COLUMNS = ("name", "title", "author", "licence", "note", "mode")
_MENDING = (
    "import it again from its source, which repairs it, or restore the store from a backup;"
    " 'horsesense store check' shows what else is damaged"
)


@dataclass(frozen=True, slots=True)
class StoredDataset:
    """The record of one version of a dataset."""

    pk: int
    id: str
    header: Header
    version: int
    entries: int
    stored_at: str

    @property
    def name(self) -> str:
        return self.header.name


def list_datasets(
    store: Store, *, all_versions: bool = False, is_checked: bool = True
) -> list[StoredDataset]:
    """List the datasets by name, the latest version of each or all versions.

    A damaged record is an error, as it could be that of any dataset. Without checks, records that
    cannot be read are left out; `unreadable_datasets` returns them.
    """
    with store.reading() as connection:
        if is_checked:
            rows = checksums.read(connection, "dataset", _BY_NAME)
        else:
            rows = [row for row, problem in _readable(connection) if not problem]
    listed = [_stored(row) for row in rows]
    latest = {dataset.name: dataset for dataset in listed}  # the latest version is last
    return listed if all_versions else list(latest.values())


def unreadable_datasets(store: Store) -> list[tuple[str, str]]:
    """List the records of datasets that cannot be read, each with the reason."""
    with store.reading() as connection:
        return [
            (checksums.called("dataset", row), problem)
            for row, problem in _readable(connection)
            if problem
        ]


def find_dataset(store: Store, name: str, *, is_checked: bool = True) -> StoredDataset:
    """Find the latest version of that name, or with `name@2` the second."""
    listed = list_datasets(store, all_versions=True, is_checked=is_checked)
    by_name = {dataset.name: dataset for dataset in listed}  # the latest version is last
    by_version = {f"{dataset.name}@{dataset.version}": dataset for dataset in listed}
    known = by_version if "@" in name else by_name
    if name not in known:
        similar = misspelt(name, {*known, *BUILT_IN})
        raise UnknownNameError("dataset", name, known, similar=similar, remedy=_where_else(name))
    return known[name]


def _where_else(name: str) -> str:
    """Say how to get a dataset that is not in the store; empty if we know of none.

    The name of a benchmark is no misspelling of another one that is in the store.
    """
    if name in BUILT_IN:
        return f"it is built in: horsesense dataset import {name}"
    if dataset := published(name):
        command = "import" if dataset.can_be_fetched else "known"
        verb = "fetches" if dataset.can_be_fetched else "says how to get"
        return f"horsesense dataset {command} {dataset.name} {verb} it"
    return ""


def load_entries(
    store: Store, dataset: StoredDataset, *, is_checked: bool = True
) -> Iterator[Entry]:
    """Load the entries of a dataset lazily, in order.

    They are read in pages, each in its own transaction, so that a slow reader does not block
    other processes. The content of a dataset never changes; if it is removed in the meantime, an
    error is raised. The same holds for damage: each entry is compared with its id, unless
    `is_checked` is false.
    """
    ids = check_ids(store, dataset) if is_checked else None
    for start in range(1, dataset.entries + 1, _PAGE):
        page = range(start, min(start + _PAGE, dataset.entries + 1))
        with store.reading() as connection:
            rows = _page_rows(connection, dataset, page)
        if len(rows) < len(page):
            raise _incomplete(store, dataset)
        for position, row in zip(page, rows, strict=False):
            yield _entry(row) if ids is None else checked_entry(row, ids[position - 1], dataset)


def load_entry(store: Store, dataset: StoredDataset, name: str) -> Entry:
    """Load one entry of a dataset by the id that its author gave it."""
    ids = check_ids(store, dataset)
    with store.reading() as connection:
        query = (
            "SELECT entry.name, membership.position FROM membership"
            " JOIN entry ON entry.pk = membership.entry WHERE membership.dataset = ?"
        )
        positions = dict(connection.execute(query, (dataset.pk,)).fetchall())
        if name not in positions:
            for _ in load_entries(store, dataset):
                pass  # raises an error if an entry is damaged, which may be the requested one
            raise UnknownNameError(f"entry of {dataset.name}", name, positions)
        position = positions[name]
        rows = _page_rows(connection, dataset, range(position, position + 1))
        if not rows:
            raise damage(f"the entry {name} of {dataset.name}", "its schema is missing", _MENDING)
        (row,) = rows
    return checked_entry(row, ids[position - 1], dataset)


def check_ids(store: Store, dataset: StoredDataset) -> list[str]:
    """Return the ids of a dataset's entries in order, after comparing them with its own id."""
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT membership.position, entry.id FROM membership"
            " JOIN entry ON entry.pk = membership.entry"
            " WHERE membership.dataset = ? ORDER BY membership.position",
            (dataset.pk,),
        ).fetchall()
        query = "SELECT 1 FROM dataset WHERE pk = ?"
        is_there = connection.execute(query, (dataset.pk,)).fetchone() is not None
    if not is_there:
        raise _gone(store, dataset)
    ids = [str(id) for _, id in rows]
    is_numbered = len(rows) == dataset.entries and all(
        position == at for at, (position, _) in enumerate(rows, start=1)
    )
    if not is_numbered or dataset_id(dataset.header, ids) != dataset.id:
        raise damage(
            f"the dataset {dataset.name}@{dataset.version}",
            "its entries or its header do not match its id",
            _MENDING,
        )
    return ids


def sources_of(store: Store, dataset: StoredDataset) -> list[Source]:
    """Return the sources of a dataset, the oldest first."""
    with store.reading() as connection:
        rows = checksums.read(connection, "source", "WHERE dataset = ? ORDER BY pk", (dataset.pk,))
    return [Source(**{name: row[name] for name in Source.__slots__}) for row in rows]


def remove_datasets(store: Store, datasets: Iterable[StoredDataset]) -> None:
    """Remove these versions, and the entries that no other dataset uses.

    The original of a perturbation cannot be removed, so that no judgement is lost.
    """
    with store.writing() as connection:
        checksums.unseal_search(connection)
        for dataset in datasets:
            _check_unperturbed(connection, dataset)
            query = "SELECT pk FROM frozen WHERE dataset = ?"
            frozen = connection.execute(query, (dataset.pk,)).fetchall()
            connection.execute("DELETE FROM dataset WHERE pk = ?", (dataset.pk,))
            for (pk,) in frozen:  # their dataset is NULL now
                checksums.sign(connection, "frozen", pk)
        connection.execute("DELETE FROM entry WHERE pk NOT IN (SELECT entry FROM membership)")
        connection.execute("DELETE FROM grid WHERE pk NOT IN (SELECT grid FROM entry)")
    seal_search(store)


def seal_search(store: Store) -> None:
    """Store a checksum of the search index; if that fails, the index is merely unverified."""
    with suppress(StoreError), store.writing() as connection:
        checksums.seal_search(connection)


def _check_unperturbed(connection: sqlite3.Connection, dataset: StoredDataset) -> None:
    query = "SELECT DISTINCT name FROM perturbation WHERE original = ? ORDER BY name"
    perturbations = [name for (name,) in connection.execute(query, (dataset.pk,))]
    if perturbations:
        raise StoreError(
            f"{dataset.name}@{dataset.version} is the original of {', '.join(perturbations)};"
            f" remove that first, with its judgements: 'horsesense perturb remove"
            f" {perturbations[0]}'"
        )


def find_row(connection: sqlite3.Connection, condition: str, *values: str) -> StoredDataset | None:
    """Return the latest version that meets a condition, if there is one."""
    rest = f"WHERE {condition} ORDER BY version DESC LIMIT 1"
    rows = checksums.read(connection, "dataset", rest, values)
    return _stored(rows[0]) if rows else None


def _readable(connection: sqlite3.Connection) -> Iterator[tuple[checksums.Row, str]]:
    """Yield all records of datasets, each with the reason why it is unreadable, if it is."""
    for row in checksums.read_unchecked(connection, "dataset", _BY_NAME):
        column = checksums.mistyped(connection, "dataset", row)
        try:
            if not column:
                _stored(row)
            yield row, column and f"{column} has a value of the wrong type"
        except StoreError as error:
            yield row, str(error)


def _stored(row: checksums.Row) -> StoredDataset:
    try:
        header = Header(*(row[name] for name in HEADER_COLUMNS))
    except SchemaError as error:
        raise damage(checksums.called("dataset", row), error.problem, _MENDING) from error
    return StoredDataset(
        row["pk"],
        row["id"],
        header,
        row["version"],
        row["entries"],
        row["stored_at"],
    )


def _incomplete(store: Store, dataset: StoredDataset) -> StoreError:
    """Return the error for missing entries: the dataset was removed meanwhile, or is damaged."""
    with store.reading() as connection:
        query = "SELECT 1 FROM dataset WHERE pk = ?"
        is_there = connection.execute(query, (dataset.pk,)).fetchone() is not None
    if not is_there:
        return _gone(store, dataset)
    name = f"the dataset {dataset.name}@{dataset.version}"
    return damage(name, "some of its entries are missing", _MENDING)


def _gone(store: Store, dataset: StoredDataset) -> StoreError:
    return StoreError(f"{dataset.name}@{dataset.version} is no longer in {store.path}")


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry as rows of the tables."""

    pk: int
    name: str
    note: str
    notation: str
    sentences: str
    tags: list[tuple[str]]
    fields: list[tuple[str, str]]


def entry_rows(
    connection: sqlite3.Connection, rest: str, values: Iterable[object]
) -> list[EntryRow]:
    """Return the entries that meet a condition."""
    rows = connection.execute(
        "SELECT entry.pk, entry.name, entry.note, grid.notation, entry.sentences FROM membership"
        " JOIN entry ON entry.pk = membership.entry JOIN grid ON grid.pk = entry.grid"
        f" {rest}",
        tuple(values),
    )
    tags = "SELECT tag FROM tag WHERE entry = ? ORDER BY position"
    fields = "SELECT name, value FROM field WHERE entry = ?"
    return [
        EntryRow(
            *(pk, name, note, notation, sentences),
            tags=connection.execute(tags, (pk,)).fetchall(),
            fields=connection.execute(fields, (pk,)).fetchall(),
        )
        for pk, name, note, notation, sentences in rows.fetchall()
    ]


def _page_rows(
    connection: sqlite3.Connection, dataset: StoredDataset, page: range
) -> list[EntryRow]:
    rest = (
        "WHERE membership.dataset = ? AND membership.position BETWEEN ? AND ?"
        " ORDER BY membership.position"
    )
    return entry_rows(connection, rest, (dataset.pk, page[0], page[-1]))


def checked_entry(row: EntryRow, id: str, dataset: StoredDataset) -> Entry:
    """Return an entry if its content has that id; otherwise raise an error."""
    problem = "its content does not match its id"
    try:
        entry = _entry(row)
        # The fields are printed again, but not the grid, which takes longest.
        fields = written_fields(entry)
        if content_id("entry", joined_entry(entry.id, row.notation, fields)) == id:
            return entry
    except HorsesenseError as error:
        problem = str(error)
    name = printable(row.name)
    raise damage(f"the entry {name} of {dataset.name}@{dataset.version}", problem, _MENDING)


def _entry(row: EntryRow) -> Entry:
    if not all(isinstance(value, str) for value in (row.name, row.note, row.notation)):
        raise StoreError(f"the entry {row.name!r} is damaged: it has bytes instead of text")
    fields = Fields(id=row.name, tags=tuple(str(tag) for (tag,) in row.tags), note=row.note)
    for name, value in row.fields:
        fields.read(f"{name}: {value}")
    return fields.entry(parse_grid(row.notation))
