"""Issues in the store: what was odd about the files that datasets came from."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass

from horsesense.schema import Issue, IssueKind
from horsesense.store import checksums
from horsesense.store.datasets import StoredDataset
from horsesense.store.store import Store

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
    for column, wanted in (("name", tuple(names)), ("kind", tuple(kinds))):
        if wanted:
            conditions.append(f"issue.{column} IN ({', '.join('?' * len(wanted))})")
            values += wanted
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
