"""Checksums of rows and of the search index, written with the rows and verified on reading.

Rows of early versions have no checksum. They are accepted if their columns have the right types,
and `horsesense store check` reports them as unverified.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from horsesense.errors import StoreError

Row: TypeAlias = dict[str, Any]

REMEDY = (
    "restore the store from a backup if you have one; 'horsesense store check' shows what else is"
    " damaged, and what can be saved"
)
# For each table the column with the checksum, and other tables whose rows it covers as well.
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
    """A row by column name; a missing column raises an error about damage."""

    def __missing__(self, name: str) -> Any:
        raise damage("the list of tables", f"a table has no column {name!r}")


def damage(what: str, why: str, remedy: str = REMEDY) -> StoreError:
    """Return the error that says what is damaged, why, and what to do."""
    return StoreError(f"{what} is damaged: {why}; {remedy}")


def read(
    connection: sqlite3.Connection, table: str, rest: str = "", values: Sequence[object] = ()
) -> list[Row]:
    """Return the rows of a table that meet a condition, by column name.

    A row that does not match its checksum raises an error.
    """
    rows = read_unchecked(connection, table, rest, values)
    for row in rows:
        check(connection, table, row)
    return rows


def read_unchecked(
    connection: sqlite3.Connection, table: str, rest: str = "", values: Sequence[object] = ()
) -> list[Row]:
    """Return the rows of a table like `read`, but without verifying them."""
    try:
        cursor = connection.execute(f"SELECT {table}.* FROM {table} {rest}", values)
    except UnicodeDecodeError as error:
        raise damage("the list of tables", "a column has a name that is not text") from error
    names = [column[0] for column in cursor.description]
    return [_ReadRow(zip(names, row, strict=True)) for row in cursor]


def check(connection: sqlite3.Connection, table: str, row: Row) -> None:
    """Raise an error if a row is damaged."""
    problem = fault(connection, table, row)
    if problem:
        raise damage(called(table, row), problem)


def fault(connection: sqlite3.Connection, table: str, row: Row) -> str:
    """Return the fault of a row; an empty string if it is intact, or unsigned and well-typed."""
    written = row[SIGNED[table][0]]
    if written == "":
        column = mistyped(connection, table, row)
        return f"{column} has a value of the wrong type" if column else ""
    if written != checksum_of(connection, table, row):
        return "it does not match its checksum"
    return ""


def is_signed(table: str, row: Row) -> bool:
    """Return False for a row without a checksum, written by an early version."""
    return bool(row[SIGNED[table][0]] != "")


def called(table: str, row: Row) -> str:
    """Return the name of a row for messages."""
    return _CALLED[table].format(**{name: printable(value) for name, value in row.items()})


def printable(value: object) -> str:
    """Return a value as printable text, even if it is damaged."""
    text = value if isinstance(value, str) else repr(value)
    return text if text.isprintable() else ascii(text)


def sign(connection: sqlite3.Connection, table: str, pk: object) -> None:
    """Write the checksum of a row; call this after writing everything it covers."""
    (row,) = read_unchecked(connection, table, "WHERE pk = ?", (pk,))
    connection.execute(
        f"UPDATE {table} SET {SIGNED[table][0]} = ? WHERE pk = ?",
        (checksum_of(connection, table, row), pk),
    )


def checksum_of(connection: sqlite3.Connection, table: str, row: Row) -> str:
    """Compute the checksum of a row."""
    column, others = SIGNED[table]
    parts = [table, _content({**row, column: None})]
    for other in others:
        rest = f'WHERE "{table}" = ? ORDER BY position'
        parts += map(_content, read_unchecked(connection, other, rest, (row["pk"],)))
    return digest("\n".join(parts))


def digest(text: str) -> str:
    """Return a short hash of a text, which may contain lone surrogates."""
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:_DIGITS]


def search_checksum(connection: sqlite3.Connection) -> str:
    """Compute the checksum of the search index."""
    hashed = hashlib.sha256()
    for table in _SEARCH_TABLES:
        for row in connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2"):
            hashed.update(repr(row).encode())
    return hashed.hexdigest()[:_DIGITS]


def rebuild_search(connection: sqlite3.Connection) -> None:
    """Rebuild the search index from scratch, as a damaged one may not even open."""
    unseal_search(connection)
    for table in _SEARCH_TABLES:
        connection.execute(f"DELETE FROM {table}")
    connection.execute(
        "INSERT INTO entry_search_data VALUES (1, x''), (10, x'00000000000000')"  # an empty index
    )
    connection.execute("INSERT OR REPLACE INTO entry_search_config VALUES ('version', 4)")
    connection.execute("INSERT INTO entry_search (entry_search) VALUES ('rebuild')")


def unseal_search(connection: sqlite3.Connection) -> None:
    """Remove the checksum of the search index before it changes."""
    connection.execute("DELETE FROM seal WHERE part = 'entry_search'")


def seal_search(connection: sqlite3.Connection) -> None:
    """Store the checksum of the search index.

    This needs its own transaction, as SQLite writes the tables of the index on commit only.
    """
    connection.execute(
        "INSERT OR REPLACE INTO seal (part, checksum) VALUES ('entry_search', ?)",
        (search_checksum(connection),),
    )


def search_fault(connection: sqlite3.Connection) -> str:
    """Return the fault of the search index; an empty string if it is intact or has no checksum."""
    row = connection.execute("SELECT checksum FROM seal WHERE part = 'entry_search'").fetchone()
    if row is None or row[0] == search_checksum(connection):
        return ""
    return "it does not match its checksum"


def is_search_sealed(connection: sqlite3.Connection) -> bool:
    """Return whether the search index has a checksum."""
    query = "SELECT 1 FROM seal WHERE part = 'entry_search'"
    return connection.execute(query).fetchone() is not None


def chained(checksums: Iterator[str], before: str = "") -> str:
    """Combine checksums in order into one, which can be extended later."""
    for checksum in checksums:
        before = digest(f"{before} {checksum}")
    return before


def _content(row: Row) -> str:
    """Return a row as text, without empty columns, so that later versions can add columns."""
    return repr(sorted((name, value) for name, value in row.items() if value not in (None, "")))


def mistyped(connection: sqlite3.Connection, table: str, row: Row) -> str:
    """Return the first column whose value has the wrong type, or an empty string."""
    for other in SIGNED[table][1]:
        rest = f'WHERE "{table}" = ?'
        for covered in read_unchecked(connection, other, rest, (row["pk"],)):
            if column := _mistyped_in(connection, other, covered):
                return f"{other}.{column}"
    return _mistyped_in(connection, table, row)


def _mistyped_in(connection: sqlite3.Connection, table: str, row: Row) -> str:
    for _, name, kind, is_needed, *_ in connection.execute(f"PRAGMA table_info({table})"):
        value = row[name]
        if kind in _TYPES and not (
            value is None and not is_needed or isinstance(value, _TYPES[kind])
        ):
            return str(name)
    return ""
