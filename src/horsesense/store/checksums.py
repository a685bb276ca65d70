"""Checksums of rows, written with the rows and compared whenever these are read.

A row that was written before there were checksums has none. It is taken as it is, provided that
its columns hold what they should, and `horsesense store check` says that it is unverified.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from horsesense.errors import StoreError

Row: TypeAlias = dict[str, Any]

REMEDY = (
    "restore the store from a copy if you have one; 'horsesense store check' tells what else is"
    " damaged, and what can be saved"
)
# Which column of a table holds the checksum, and the rows of other tables that it covers too.
SIGNED: dict[str, tuple[str, tuple[str, ...]]] = {
    "dataset": ("checksum", ()),
    "source": ("checksum", ("issue",)),
    "perturbation": ("checksum", ()),
    "judgement": ("checksum", ()),
    "frozen": ("checksum", ()),
    "model": ("checksum", ()),
    "asking": ("checksum", ()),
    "run": ("summary", ("run_model", "run_dataset")),
}
_CALLED = {
    "dataset": "the record of the dataset {name}@{version}",
    "source": "the record of the source {file}, or of its issues,",
    "perturbation": "the record of the perturbation {name}",
    "judgement": "a judgement of {entry} by {by}",
    "frozen": "the record of a freezing",
    "model": "the record of the model {name}",
    "asking": "the record of a session with {name}",
    "run": "the record of the run {id}",
}
_TYPES = {"TEXT": str, "INTEGER": int}
_SEARCH_TABLES = ("entry_search_data", "entry_search_idx", "entry_search_docsize")
_DIGITS = 16


class _ReadRow(dict[str, Any]):
    """A row by the names of its columns; that one has another name than it should is damage."""

    def __missing__(self, name: str) -> Any:
        raise damage("the list of tables", f"a table has no column {name!r}")


def damage(what: str, why: str, remedy: str = REMEDY) -> StoreError:
    """The error that says what is damaged, how that is known, and what to do."""
    return StoreError(f"{what} is damaged: {why}; {remedy}")


def read(
    connection: sqlite3.Connection, table: str, rest: str = "", values: Sequence[object] = ()
) -> list[Row]:
    """The rows of a table that meet a condition, each by the names of its columns.

    One that is not what was written is an error.
    """
    rows = read_unchecked(connection, table, rest, values)
    for row in rows:
        check(connection, table, row)
    return rows


def read_unchecked(
    connection: sqlite3.Connection, table: str, rest: str = "", values: Sequence[object] = ()
) -> list[Row]:
    """The same, whatever has become of the rows."""
    try:
        cursor = connection.execute(f"SELECT {table}.* FROM {table} {rest}", values)
    except UnicodeDecodeError as error:
        raise damage("the list of tables", "a column has a name that is no text") from error
    names = [column[0] for column in cursor.description]
    return [_ReadRow(zip(names, row, strict=True)) for row in cursor]


def check(connection: sqlite3.Connection, table: str, row: Row) -> None:
    """Refuse a row that is not what was written."""
    why = fault(connection, table, row)
    if why:
        raise damage(called(table, row), why)


def fault(connection: sqlite3.Connection, table: str, row: Row) -> str:
    """What is wrong with a row; nothing if it is sound, or has no checksum and could be sound."""
    written = row[SIGNED[table][0]]
    if written == "":
        wrong = mistyped(connection, table, row)
        return f"{wrong} holds something else than it should" if wrong else ""
    if written != checksum_of(connection, table, row):
        return "it is not what its checksum says"
    return ""


def is_signed(table: str, row: Row) -> bool:
    """False for a row that was written before there were checksums."""
    return bool(row[SIGNED[table][0]] != "")


def called(table: str, row: Row) -> str:
    """What a row is called when there is something to say of it."""
    return _CALLED[table].format(**{name: printable(value) for name, value in row.items()})


def printable(value: object) -> str:
    """A value as it can be shown, whatever damage has made of it."""
    text = value if isinstance(value, str) else repr(value)
    return text if text.isprintable() else ascii(text)


def sign(connection: sqlite3.Connection, table: str, pk: object) -> None:
    """Write the checksum of a row, when all that it covers has been written."""
    (row,) = read_unchecked(connection, table, "WHERE pk = ?", (pk,))
    connection.execute(
        f"UPDATE {table} SET {SIGNED[table][0]} = ? WHERE pk = ?",
        (checksum_of(connection, table, row), pk),
    )


def checksum_of(connection: sqlite3.Connection, table: str, row: Row) -> str:
    """The checksum of a row as it is now."""
    column, others = SIGNED[table]
    parts = [table, _content({**row, column: None})]
    for other in others:
        rest = f'WHERE "{table}" = ? ORDER BY position'
        parts += map(_content, read_unchecked(connection, other, rest, (row["pk"],)))
    return digest("\n".join(parts))


def digest(text: str) -> str:
    """A short hash of a text, which may hold what no encoding has."""
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:_DIGITS]


def search_checksum(connection: sqlite3.Connection) -> str:
    """The checksum of the search index as it is now."""
    hashed = hashlib.sha256()
    for table in _SEARCH_TABLES:
        for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):
            hashed.update(repr(row).encode())
    return hashed.hexdigest()[:_DIGITS]


def rebuild_search(connection: sqlite3.Connection) -> None:
    """Make the search index anew, from nothing: a damaged one may not even be opened."""
    unseal_search(connection)
    for table in _SEARCH_TABLES:
        connection.execute(f"DELETE FROM {table}")
    connection.execute(
        "INSERT INTO entry_search_data VALUES (1, x''), (10, x'00000000000000')"  # as when new
    )
    connection.execute("INSERT OR REPLACE INTO entry_search_config VALUES ('version', 4)")
    connection.execute("INSERT INTO entry_search (entry_search) VALUES ('rebuild')")


def unseal_search(connection: sqlite3.Connection) -> None:
    """Forget the checksum of the search index, which is about to change."""
    connection.execute("DELETE FROM seal WHERE part = 'entry_search'")


def seal_search(connection: sqlite3.Connection) -> None:
    """Keep the checksum of the search index.

    It is asked for in a transaction of its own: what is written to an index goes into its tables
    with the commit only.
    """
    connection.execute(
        "INSERT OR REPLACE INTO seal (part, checksum) VALUES ('entry_search', ?)",
        (search_checksum(connection),),
    )


def search_fault(connection: sqlite3.Connection) -> str:
    """What is wrong with the search index; nothing if it is sound, or has no checksum."""
    row = connection.execute("SELECT checksum FROM seal WHERE part = 'entry_search'").fetchone()
    if row is None or row[0] == search_checksum(connection):
        return ""
    return "it is not what its checksum says"


def is_search_sealed(connection: sqlite3.Connection) -> bool:
    """False if nothing has been added since there are checksums."""
    query = "SELECT 1 FROM seal WHERE part = 'entry_search'"
    return connection.execute(query).fetchone() is not None


def chained(checksums: Iterator[str], before: str = "") -> str:
    """One checksum of several in their order, which more of them can be added to."""
    for checksum in checksums:
        before = digest(f"{before} {checksum}")
    return before


def _content(row: Row) -> str:
    """A row as text. Empty columns are left out, so that a later version can add some."""
    return repr(sorted((name, value) for name, value in row.items() if value not in (None, "")))


def mistyped(connection: sqlite3.Connection, table: str, row: Row) -> str:
    """The first column that does not hold what it was declared to hold, if there is one."""
    for other in SIGNED[table][1]:
        rest = f'WHERE "{table}" = ?'
        for covered in read_unchecked(connection, other, rest, (row["pk"],)):
            if wrong := _mistyped_in(connection, other, covered):
                return f"{other}.{wrong}"
    return _mistyped_in(connection, table, row)


def _mistyped_in(connection: sqlite3.Connection, table: str, row: Row) -> str:
    for _, name, kind, is_needed, *_ in connection.execute(f"PRAGMA table_info({table})"):
        value = row[name]
        if kind in _TYPES and not (
            value is None and not is_needed or isinstance(value, _TYPES[kind])
        ):
            return str(name)
    return ""
