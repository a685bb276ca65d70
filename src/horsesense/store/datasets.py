"""Datasets in the store: found by name, read back, removed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from horsesense.data import BUILT_IN
from horsesense.errors import StoreError, UnknownNameError
from horsesense.notation import Fields, parse_grid
from horsesense.schema import Entry, Header
from horsesense.store.store import Store

_PAGE = 500
_SELECT = (
    "SELECT pk, id, version, entries, stored_at, name, title, author, licence, note, mode"
    " FROM dataset"
)


@dataclass(frozen=True, slots=True)
class Source:
    """Where content came from, and what read it."""

    file: str
    sha256: str
    bytes: int
    importer: str
    importer_version: str
    imported_at: str = ""


@dataclass(frozen=True, slots=True)
class StoredDataset:
    """A version of a dataset as the store knows it."""

    pk: int
    id: str
    header: Header
    version: int
    entries: int
    stored_at: str

    @property
    def name(self) -> str:
        return self.header.name


def list_datasets(store: Store, *, all_versions: bool = False) -> list[StoredDataset]:
    """The datasets by name; of each the latest version, or all of them."""
    latest = "version = (SELECT max(version) FROM dataset AS d WHERE d.name = dataset.name)"
    with store.reading() as connection:
        rows = connection.execute(
            f"{_SELECT} WHERE {'1' if all_versions else latest} ORDER BY name, version"
        )
        return [_stored(row) for row in rows]


def find_dataset(store: Store, name: str) -> StoredDataset:
    """The latest version of that name, or with `name@2` the second."""
    listed = list_datasets(store, all_versions=True)
    by_name = {one.name: one for one in listed}  # the latest comes last, and stays
    by_version = {f"{one.name}@{one.version}": one for one in listed}
    known = by_version if "@" in name else by_name
    if name not in known:
        remedy = f"it is in the box: horsesense dataset import {name}" if name in BUILT_IN else ""
        raise UnknownNameError("dataset", name, known, remedy=remedy)
    return known[name]


def load_entries(store: Store, dataset: StoredDataset) -> Iterator[Entry]:
    """The entries of a dataset in order, read as they are asked for.

    They are read page by page, each in a transaction of its own, so that a slow reader
    neither holds up others nor keeps them from writing. The content of a dataset does not
    change; that it may be removed meanwhile is noticed.
    """
    for start in range(1, dataset.entries + 1, _PAGE):
        page = range(start, min(start + _PAGE, dataset.entries + 1))
        with store.reading() as connection:
            rows = _page_rows(connection, dataset, page)
        if len(rows) < len(page):
            raise StoreError(f"{dataset.name}@{dataset.version} is no longer in {store.path}")
        yield from map(_entry, rows)


def load_entry(store: Store, dataset: StoredDataset, name: str) -> Entry:
    """One entry of a dataset, by its author's id."""
    with store.reading() as connection:
        query = (
            "SELECT entry.name, membership.position FROM membership"
            " JOIN entry ON entry.pk = membership.entry WHERE membership.dataset = ?"
        )
        places = dict(connection.execute(query, (dataset.pk,)).fetchall())
        if name not in places:
            raise UnknownNameError(f"entry of {dataset.name}", name, places)
        (row,) = _page_rows(connection, dataset, range(places[name], places[name] + 1))
    return _entry(row)


def sources_of(store: Store, dataset: StoredDataset) -> list[Source]:
    """Where the content of a dataset came from, the first time first."""
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT file, sha256, bytes, importer, importer_version, imported_at FROM source"
            " WHERE dataset = ? ORDER BY pk",
            (dataset.pk,),
        )
        return [Source(*row) for row in rows]


def remove_datasets(store: Store, datasets: Iterable[StoredDataset]) -> None:
    """Remove these versions, and what no other dataset uses.

    An original stays as long as there is a perturbation of it, so that no judgement is lost.
    """
    with store.writing() as connection:
        for dataset in datasets:
            _check_unperturbed(connection, dataset)
            connection.execute("DELETE FROM dataset WHERE pk = ?", (dataset.pk,))
        connection.execute("DELETE FROM entry WHERE pk NOT IN (SELECT entry FROM membership)")
        connection.execute("DELETE FROM grid WHERE pk NOT IN (SELECT grid FROM entry)")


def _check_unperturbed(connection: sqlite3.Connection, dataset: StoredDataset) -> None:
    query = "SELECT DISTINCT name FROM perturbation WHERE original = ? ORDER BY name"
    perturbations = [name for (name,) in connection.execute(query, (dataset.pk,))]
    if perturbations:
        raise StoreError(
            f"{dataset.name}@{dataset.version} is the original of {', '.join(perturbations)};"
            f" 'horsesense perturb remove {perturbations[0]}' first removes that,"
            " with all that people have said of it"
        )


def find_row(connection: sqlite3.Connection, condition: str, *values: str) -> StoredDataset | None:
    """The latest version that meets a condition, if there is one."""
    query = f"{_SELECT} WHERE {condition} ORDER BY version DESC"
    row = connection.execute(query, values).fetchone()
    return _stored(row) if row else None


def _stored(row: tuple[Any, ...]) -> StoredDataset:
    key, content, version, entries, stored_at, *header = row
    return StoredDataset(key, content, Header(*header), version, entries, stored_at)


@dataclass(frozen=True, slots=True)
class _Row:
    """An entry as the tables have it."""

    name: str
    note: str
    notation: str
    tags: list[tuple[str]]
    fields: list[tuple[str, str]]


def _page_rows(connection: sqlite3.Connection, dataset: StoredDataset, page: range) -> list[_Row]:
    rows = connection.execute(
        "SELECT entry.pk, entry.name, entry.note, grid.notation FROM membership"
        " JOIN entry ON entry.pk = membership.entry JOIN grid ON grid.pk = entry.grid"
        " WHERE membership.dataset = ? AND membership.position BETWEEN ? AND ?"
        " ORDER BY membership.position",
        (dataset.pk, page[0], page[-1]),
    )
    tags = "SELECT tag FROM tag WHERE entry = ? ORDER BY position"
    fields = "SELECT name, value FROM field WHERE entry = ?"
    return [
        _Row(
            name,
            note,
            notation,
            tags=connection.execute(tags, (key,)).fetchall(),
            fields=connection.execute(fields, (key,)).fetchall(),
        )
        for key, name, note, notation in rows.fetchall()
    ]


def _entry(row: _Row) -> Entry:
    if not all(isinstance(value, str) for value in (row.name, row.note, row.notation)):
        raise StoreError(f"the entry {row.name!r} is damaged: it holds bytes in place of text")
    fields = Fields(id=row.name, tags=tuple(str(tag) for (tag,) in row.tags), note=row.note)
    for name, value in row.fields:
        fields.read(f"{name}: {value}")
    return fields.entry(parse_grid(row.notation))
