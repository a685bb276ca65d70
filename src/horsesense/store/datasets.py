"""Datasets in the store: found by name, read back, removed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from horsesense.datasets.builtin import BUILT_IN
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
    """The version of a package, or nothing where it is not installed.

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
    "import it again from its source, which mends it, or restore the store from a copy;"
    " 'horsesense store check' tells what else is damaged"
)


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


def list_datasets(
    store: Store, *, all_versions: bool = False, is_checked: bool = True
) -> list[StoredDataset]:
    """The datasets by name; of each the latest version, or all of them.

    A damaged record is an error, as it could be of any dataset. Where they are not to be checked,
    `unreadable_datasets` has those that are not listed.
    """
    with store.reading() as connection:
        if is_checked:
            rows = checksums.read(connection, "dataset", _BY_NAME)
        else:
            rows = [row for row, why in _readable(connection) if not why]
    listed = [_stored(row) for row in rows]
    latest = {dataset.name: dataset for dataset in listed}  # the latest version is last
    return listed if all_versions else list(latest.values())


def unreadable_datasets(store: Store) -> list[tuple[str, str]]:
    """The records of datasets that nothing can be made of: what they are called, and why not."""
    with store.reading() as connection:
        return [
            (checksums.called("dataset", row), why) for row, why in _readable(connection) if why
        ]


def find_dataset(store: Store, name: str, *, is_checked: bool = True) -> StoredDataset:
    """The latest version of that name, or with `name@2` the second."""
    listed = list_datasets(store, all_versions=True, is_checked=is_checked)
    by_name = {dataset.name: dataset for dataset in listed}  # the latest version is last
    by_version = {f"{dataset.name}@{dataset.version}": dataset for dataset in listed}
    known = by_version if "@" in name else by_name
    if name not in known:
        remedy = f"it is in the box: horsesense dataset import {name}" if name in BUILT_IN else ""
        raise UnknownNameError("dataset", name, known, remedy=remedy)
    return known[name]


def load_entries(
    store: Store, dataset: StoredDataset, *, is_checked: bool = True
) -> Iterator[Entry]:
    """The entries of a dataset in order, read as they are asked for.

    They are read page by page, each in a transaction of its own, so that a slow reader
    neither holds up others nor keeps them from writing. The content of a dataset does not
    change; that it may be removed meanwhile is noticed. So is damage: what an entry says is
    compared with its id, unless entries are not to be checked.
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
    """One entry of a dataset, by its author's id."""
    ids = check_ids(store, dataset)
    with store.reading() as connection:
        query = (
            "SELECT entry.name, membership.position FROM membership"
            " JOIN entry ON entry.pk = membership.entry WHERE membership.dataset = ?"
        )
        places = dict(connection.execute(query, (dataset.pk,)).fetchall())
        if name not in places:
            for _ in load_entries(store, dataset):
                pass  # a damaged entry may be the one that is meant
            raise UnknownNameError(f"entry of {dataset.name}", name, places)
        position = places[name]
        rows = _page_rows(connection, dataset, range(position, position + 1))
        if not rows:
            raise damage(f"the entry {name} of {dataset.name}", "its schema is missing", _MENDING)
        (row,) = rows
    return checked_entry(row, ids[position - 1], dataset)


def check_ids(store: Store, dataset: StoredDataset) -> list[str]:
    """The ids of a dataset's entries in order, if its own id follows from them."""
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
            "its entries, or what it says of itself, are not what its id says",
            _MENDING,
        )
    return ids


def sources_of(store: Store, dataset: StoredDataset) -> list[Source]:
    """Where the content of a dataset came from, the first time first."""
    with store.reading() as connection:
        rows = checksums.read(connection, "source", "WHERE dataset = ? ORDER BY pk", (dataset.pk,))
    return [Source(**{name: row[name] for name in Source.__slots__}) for row in rows]


def remove_datasets(store: Store, datasets: Iterable[StoredDataset]) -> None:
    """Remove these versions, and what no other dataset uses.

    An original stays as long as there is a perturbation of it, so that no judgement is lost.
    """
    with store.writing() as connection:
        checksums.unseal_search(connection)
        for dataset in datasets:
            _check_unperturbed(connection, dataset)
            query = "SELECT pk FROM frozen WHERE dataset = ?"
            frozen = connection.execute(query, (dataset.pk,)).fetchall()
            connection.execute("DELETE FROM dataset WHERE pk = ?", (dataset.pk,))
            for (pk,) in frozen:  # which have no dataset now
                checksums.sign(connection, "frozen", pk)
        connection.execute("DELETE FROM entry WHERE pk NOT IN (SELECT entry FROM membership)")
        connection.execute("DELETE FROM grid WHERE pk NOT IN (SELECT grid FROM entry)")
    seal_search(store)


def seal_search(store: Store) -> None:
    """Keep a checksum of the search index as it is now; without one it is merely unverified."""
    with suppress(StoreError), store.writing() as connection:
        checksums.seal_search(connection)


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
    rest = f"WHERE {condition} ORDER BY version DESC LIMIT 1"
    rows = checksums.read(connection, "dataset", rest, values)
    return _stored(rows[0]) if rows else None


def _readable(connection: sqlite3.Connection) -> Iterator[tuple[checksums.Row, str]]:
    """All records of datasets, each with the reason why it cannot be read, or nothing."""
    for row in checksums.read_unchecked(connection, "dataset", _BY_NAME):
        wrong = checksums.mistyped(connection, "dataset", row)
        try:
            if not wrong:
                _stored(row)
            yield row, wrong and f"{wrong} holds something else than it should"
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
    """The error for entries that are missing: the dataset was removed meanwhile, or is damaged."""
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
    """An entry as the tables have it."""

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
    """The entries that meet a condition."""
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
    """An entry whose content has that id; anything else is damage."""
    why = "its content is not what its id says"
    try:
        entry = _entry(row)
        # Printed from what was read, but for the grid, which takes longest: its text is at hand.
        fields = written_fields(entry)
        if content_id("entry", joined_entry(entry.id, row.notation, fields)) == id:
            return entry
    except HorsesenseError as error:
        why = str(error)
    name = printable(row.name)
    raise damage(f"the entry {name} of {dataset.name}@{dataset.version}", why, _MENDING)


def _entry(row: EntryRow) -> Entry:
    if not all(isinstance(value, str) for value in (row.name, row.note, row.notation)):
        raise StoreError(f"the entry {row.name!r} is damaged: it holds bytes in place of text")
    fields = Fields(id=row.name, tags=tuple(str(tag) for (tag,) in row.tags), note=row.note)
    for name, value in row.fields:
        fields.read(f"{name}: {value}")
    return fields.entry(parse_grid(row.notation))
