"""Loading datasets by their names, from a store, the box or a file.

It lives above `horsesense.datasets`, which reads files and knows no store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple, dataclass
from os import PathLike, fspath
from pathlib import Path

from horsesense.datasets.builtin import BUILT_IN
from horsesense.datasets.files import STDIN, is_built_in, is_file, read_dataset
from horsesense.errors import FileError, UnknownNameError
from horsesense.perturbations import TRANSFORMATIONS
from horsesense.schema import Dataset, Entry, Header, Issue, IssueKind, Mode, Step
from horsesense.store import checksums
from horsesense.store.connection import Store
from horsesense.store.datasets import (
    StoredDataset,
    find_dataset,
    list_datasets,
    load_entries,
    sources_of,
)
from horsesense.store.perturbations import own_mode, perturbation_of

_COLUMNS = "name, kind, line, entry, problem, odd, done"
_OF_THE_LAST_SOURCE = (
    "issue.source = (SELECT max(pk) FROM source WHERE dataset = ? AND NOT is_companion)"
)


@dataclass(frozen=True, slots=True)
class IssueCount:
    """How often an issue occurred: in how many entries, and in how many problems."""

    name: str
    kind: IssueKind
    entries: int
    problems: int
    times: int


def keep_issues(connection: sqlite3.Connection, source: int, issues: Iterable[Issue]) -> None:
    """Keep the issues of a source, in the place of those that were kept before."""
    connection.execute("DELETE FROM issue WHERE source = ?", (source,))
    connection.executemany(
        f"INSERT INTO issue (source, position, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (source, position, *(_storable(value) for value in astuple(issue)))
            for position, issue in enumerate(issues, start=1)
        ),
    )


def load_issues(
    store: Store,
    dataset: StoredDataset,
    *,
    names: Iterable[str] = (),
    kinds: Iterable[str] = (),
    entry: str = "",
) -> Iterator[Issue]:
    """The issues of a dataset, all or those of some names, of some kinds, of one entry.

    The same content may come from several files; the issues are those of the one added last.
    """
    conditions, values = [_OF_THE_LAST_SOURCE], [str(dataset.pk)]
    for column, selected in (("name", tuple(names)), ("kind", tuple(kinds))):
        if selected:
            conditions.append(f"issue.{column} IN ({', '.join('?' * len(selected))})")
            values += selected
    if entry:
        conditions.append("issue.entry = ?")
        values.append(entry)
    columns = ", ".join(f"issue.{column}" for column in _COLUMNS.split(", "))
    query = f"SELECT {columns} FROM issue WHERE {' AND '.join(conditions)} ORDER BY issue.position"
    with store.reading() as connection:
        _check_sources(connection, dataset)
        rows = connection.execute(query, values).fetchall()
    for name, kind, *rest in rows:
        yield Issue(name, _kind(kind), *rest)


def count_issues(store: Store, dataset: StoredDataset) -> list[IssueCount]:
    """The issues of a dataset by name, the most frequent first."""
    query = (
        "SELECT issue.name, issue.kind, count(DISTINCT nullif(issue.entry, '')),"
        " count(DISTINCT nullif(issue.problem, '')), count(*)"
        f" FROM issue WHERE {_OF_THE_LAST_SOURCE}"
        " GROUP BY issue.name, issue.kind ORDER BY count(*) DESC, issue.name, issue.kind"
    )
    with store.reading() as connection:
        _check_sources(connection, dataset)
        rows = connection.execute(query, (dataset.pk,)).fetchall()
    return [IssueCount(name, _kind(kind), *counts) for name, kind, *counts in rows]


def _check_sources(connection: sqlite3.Connection, dataset: StoredDataset) -> None:
    """Refuse issues that are not what was written; they are verified with their sources."""
    checksums.read(connection, "source", "WHERE dataset = ?", (dataset.pk,))


def _kind(text: str) -> IssueKind:
    try:
        return IssueKind(text)
    except ValueError as error:
        raise checksums.damage("an issue", f"{text!r} is no kind of issue") from error


def _storable(value: object) -> object:
    """A text may quote bytes that are no text; a database cannot hold them."""
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def load_dataset(
    name_or_path: str | PathLike[str],
    *,
    format: str | None = None,
    mode: str | None = None,
    name: str | None = None,
    store: Store | str | PathLike[str] | None = None,
) -> Dataset:
    """Load a dataset: one in the box, a file in any known format, or one in a store.

    A dataset in the `store` (an open one, or its path) comes first, then one in the box such as
    `hs-winograd`, then a file; `-` is the standard input. The `format` of a file is guessed unless
    you name it. `mode` says what a model is to guess: `by answer`, `by key` or `by boolean`; by
    itself it is the dataset's own. `name` is what the dataset is called from now on.

    What a published file holds that cannot be used is left out; see the `issues` and `remarks` of
    the dataset.

    >>> load_dataset("hs-winograd", mode="by key").mode
    <Mode.BY_KEY: 'by key'>
    """
    requested = fspath(name_or_path)
    with _opened(store) as opened:
        stored = None if opened is None or format else find_stored(opened, requested)
        if opened is not None and stored is not None:
            dataset = load_stored(opened, stored)
        elif requested == STDIN or is_built_in(requested) or is_file(requested):
            dataset = read_dataset(requested, format=format)
        else:
            raise unknown_dataset(requested, opened)
    if name is not None:
        dataset = dataset.renamed(name)
    return dataset if mode is None else dataset.replace(mode=_mode(mode))


def load_stored(
    store: Store, stored: StoredDataset, entries: Iterable[Entry] | None = None
) -> Dataset:
    """Load a dataset of the store; `entries` are its own, if somebody watches them go by."""
    original, steps = _history(store, stored)
    return Dataset(
        stored.header,
        load_entries(store, stored) if entries is None else entries,
        mode=own_mode(store, stored),
        issues=load_issues(store, stored),
        sources=sources_of(store, stored),
        original=original,
        steps=steps,
        stored_id=stored.id,
    )


def find_stored(store: Store, name: str) -> StoredDataset | None:
    """The dataset of that name in the store; None if it has none."""
    try:
        return find_dataset(store, name)
    except UnknownNameError:
        return None


def unknown_dataset(name: str, store: Store | None) -> FileError | UnknownNameError:
    """The error for a name that nothing has, with the nearest names that something has."""
    if Path(name).suffix or "/" in name:
        return FileError(f"there is no file {name}, and no dataset of that name")
    known = [] if store is None else [dataset.name for dataset in list_datasets(store)]
    return UnknownNameError("dataset", name, {*known, *BUILT_IN})


def _opened(store: Store | str | PathLike[str] | None) -> AbstractContextManager[Store | None]:
    """The store for as long as it is needed; one that was given open stays so."""
    if store is None or isinstance(store, Store):
        return nullcontext(store)
    return Store.open(Path(store))


def _mode(name: str) -> Mode:
    known = {mode.value: mode for mode in Mode}
    spelled = name.replace("-", " ")
    if spelled not in known:
        raise UnknownNameError("mode", name, known)
    return known[spelled]


def _history(store: Store, stored: StoredDataset) -> tuple[Header | None, list[Step]]:
    """What a dataset was made from, and by which transformations, one after the other."""
    steps: list[Step] = []
    while perturbation := perturbation_of(store, stored):
        steps.insert(0, Step(perturbation.transformation, perturbation.parameters))
        stored = perturbation.original
    original = stored.header
    # Where a perturbation was removed, the source still tells what has made the dataset.
    for source in sources_of(store, stored):
        if not source.bytes and source.importer in TRANSFORMATIONS:
            steps.insert(0, Step(source.importer, {}))
            original = Header(source.file.partition("@")[0])
            break
    return (original if steps else None), steps
