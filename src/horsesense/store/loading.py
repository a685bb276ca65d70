"""Load datasets by name from a store, a file or those built in, with their import issues.

It is in the store package because `horsesense.datasets`, which reads files, knows no store.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import astuple, dataclass
from os import PathLike, fspath
from pathlib import Path

from horsesense.datasets.builtin import BUILT_IN
from horsesense.datasets.catalog import known_datasets, misspelt
from horsesense.datasets.fetching import fetch, fetching
from horsesense.datasets.files import WHERE_LISTED, is_data, read_dataset
from horsesense.datasets.folders import is_folder, no_datasets, only_file
from horsesense.errors import FileError, UnknownNameError, quoted
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
# Signs of a schema in notation, which are in no name.
_NOTATION = ("{", "}", "<", ">", "\n")
_OF_THE_LAST_SOURCE = (
    "issue.source = (SELECT max(pk) FROM source WHERE dataset = ? AND NOT is_companion)"
)


@dataclass(frozen=True, slots=True)
class IssueCount:
    """The number of entries and problems that have an issue, and of its occurrences."""

    name: str
    kind: IssueKind
    entries: int
    problems: int
    times: int


def save_issues(connection: sqlite3.Connection, source: int, issues: Iterable[Issue]) -> None:
    """Save the issues of a source, replacing earlier ones."""
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
    """Load the issues of a dataset, optionally of some names or kinds, or of one entry.

    If the same content came from several files, the issues are those of the last one.
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
    """Count the issues of a dataset by name, the most frequent first."""
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
    """Raise an error if the issues are damaged; the checksums of sources cover them."""
    checksums.read(connection, "source", "WHERE dataset = ?", (dataset.pk,))


def _kind(text: str) -> IssueKind:
    try:
        return IssueKind(text)
    except ValueError as error:
        raise checksums.damage("an issue", f"{text!r} is not a kind of issue") from error


def _storable(value: object) -> object:
    """Escape lone surrogates in a text, which SQLite cannot store."""
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def load_dataset(
    name_or_path: str | PathLike[str],
    *,
    format: str | None = None,
    mode: str | None = None,
    name: str | None = None,
    store: Store | str | PathLike[str] | None = None,
    offline: bool | None = None,
    progress: Callable[[str], None] | None = None,
) -> Dataset:
    """Load a built-in dataset, a file in any known format, a published or a stored dataset.

    Names are looked up in the `store` (an open one, or its path) first, then among the built-in
    datasets such as `hs-winograd`, then as a file, then among the published datasets such as
    `winogrande`, whose files are fetched once and kept; `-` reads standard input, and a folder
    must hold a single dataset. The `format` of a file is detected unless you name it. `mode` says
    what a model has to guess: `by answer`, `by key` or `by boolean`; the default is the dataset's
    own mode. `name` renames the dataset. With `offline`, nothing is fetched. `progress` is called
    with a message about each file that is fetched.

    Problems of a published file that cannot be used are left out; see the `issues` and `remarks` of
    the dataset.

    >>> load_dataset("hs-winograd", mode="by key").mode
    <Mode.BY_KEY: 'by key'>
    """
    requested = fspath(name_or_path)
    with _opened(store) as opened:
        stored = None if opened is None or format else find_stored(opened, requested)
        if opened is not None and stored is not None:
            dataset = load_stored(opened, stored)
        elif is_data(requested):
            dataset = read_dataset(requested, format=format)
        elif is_folder(requested):
            dataset = read_dataset(only_file(requested), format=format)
        else:
            with fetching(offline=offline, note=progress):
                fetched = fetch(requested)
            if fetched is None:
                raise unknown_dataset(requested, opened)
            dataset = fetched.open(format_name=format).dataset()
    if name is not None:
        dataset = dataset.renamed(name)
    return dataset if mode is None else dataset.replace(mode=_mode(mode))


def load_stored(
    store: Store, stored: StoredDataset, entries: Iterable[Entry] | None = None
) -> Dataset:
    """Load a dataset of the store; to show progress, pass its own `entries`."""
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
    """Find the dataset of that name in the store; return None if there is none."""
    try:
        return find_dataset(store, name)
    except UnknownNameError:
        return None


def unknown_dataset(name: str, store: Store | None) -> FileError | UnknownNameError:
    """Return the error for an unknown name, with the nearest known names."""
    if is_folder(name):
        return no_datasets(name)
    if any(sign in name for sign in _NOTATION):
        return FileError(
            f"{quoted(name)} is neither a file nor the name of a dataset; save schemas in a file,"
            " such as my.schemas, or pass text with answers in < > to horsesense.evaluate"
        )
    if Path(name).suffix or "/" in name:
        return FileError(f"there is no file {name}, and no dataset of that name")
    known = [] if store is None else [dataset.name for dataset in list_datasets(store)]
    fetchable = (dataset.name for dataset in known_datasets() if dataset.can_be_fetched)
    names = {*known, *BUILT_IN, *fetchable}
    similar = misspelt(name, names)
    return UnknownNameError(
        "dataset", name, names, similar=similar, remedy="" if similar else WHERE_LISTED
    )


def _opened(store: Store | str | PathLike[str] | None) -> AbstractContextManager[Store | None]:
    """Open a store by path; a store that is open already is not closed afterwards."""
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
    """Return the original of a dataset, and the transformations that were applied to it."""
    steps: list[Step] = []
    while perturbation := perturbation_of(store, stored):
        steps.insert(0, Step(perturbation.transformation, perturbation.parameters))
        stored = perturbation.original
    original = stored.header
    # If a perturbation was removed, the source still names the transformation.
    for source in sources_of(store, stored):
        if not source.bytes and source.importer in TRANSFORMATIONS:
            steps.insert(0, Step(source.importer, {}))
            original = Header(source.file.partition("@")[0])
            break
    return (original if steps else None), steps
