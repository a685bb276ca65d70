"""The rows of a run: written, read back exactly, removed, and summed up in a checksum.

The tables of the store were named before those of results were, and keep their names: a step
never changes after it was released. What is no plain number or text is written as JSON. Columns
are read as a whole, which is several times as quick as value by value.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any, TypeAlias, get_args, get_origin

from horsesense.results import Plan
from horsesense.results.kept import (
    FORMER_COLUMNS,
    FORMER_TABLES,
    TABLES,
    Rows,
    Tables,
    columns_of,
)
from horsesense.store import checksums

# A number that is valid JSON and too large, for infinity, which is not.
_INFINITE = "1e999"
# What refers to others comes first when rows are removed. The database does not do it by itself:
# it would look through all answers for each sheet that goes.
_REMOVED = ("answers", *(table for table in TABLES if table not in ("answers", "run")))

_NUMBERS = (tuple[float, ...], tuple[float | None, ...])
_CHUNK = 1000
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_Column: TypeAlias = Sequence[Any]


def write_rows(connection: sqlite3.Connection, tables: Tables) -> None:
    """Write all rows of a run, which is not there yet."""
    (record,) = _written("run", tables["run"])
    names, marks = _names("run"), ", ".join("?" * len(record))
    run = connection.execute(f"INSERT INTO run ({names}) VALUES ({marks})", record).lastrowid
    assert run is not None
    for table in list(TABLES)[1:]:
        columns = columns_of(table)
        connection.executemany(
            f"INSERT INTO {FORMER_TABLES[table]} (run, position, {_names(table)})"
            f" VALUES ({run}, ?{', ?' * len(columns)})",
            ((at, *row) for at, row in enumerate(_written(table, tables[table]))),
        )
    checksum = checksum_of(connection, run)
    connection.execute("UPDATE run SET checksum = ? WHERE pk = ?", (checksum, run))
    checksums.sign(connection, "run", run)


def read_rows(
    connection: sqlite3.Connection, run: int, *, is_checked: bool = True
) -> dict[str, Rows]:
    """All rows of a run, with values as they were, but of answers: `read_answers` does those.

    Rows that are not what the checksum of the run says are an error, unless they are not to be
    checked.
    """
    rows = {table: _select(connection, table, run).fetchall() for table in TABLES}
    query = "SELECT checksum FROM run WHERE pk = ?"
    if is_checked and connection.execute(query, (run,)).fetchone() != (_checksum(rows),):
        raise ValueError("it is not what its checksum says")
    return {
        table: found if table == "answers" else _as_they_were(table, found)
        for table, found in rows.items()
    }


def read_table(connection: sqlite3.Connection, table: str, run: int) -> Rows:
    """The rows of a run in one table, with values as they were before they were written."""
    return _as_they_were(table, _select(connection, table, run).fetchall())


def read_answers(rows: Rows) -> Rows:
    """Some answers, with values as they were."""
    return _as_they_were("answers", rows)


def remove_rows(connection: sqlite3.Connection, run: int) -> None:
    """Remove all rows of a run."""
    for table in _REMOVED:
        connection.execute(f"DELETE FROM {FORMER_TABLES[table]} WHERE run = ?", (run,))
    connection.execute("DELETE FROM run WHERE pk = ?", (run,))


def checksum_of(connection: sqlite3.Connection, run: int) -> str:
    """A hash of all that the tables say of a run now."""
    return _checksum({table: _select(connection, table, run) for table in TABLES})


def _checksum(tables: Mapping[str, Iterable[tuple[Any, ...]]]) -> str:
    digest = hashlib.sha256()
    for table, found in tables.items():
        digest.update(f"{FORMER_TABLES[table]}\n".encode())
        rows = iter(found)
        while chunk := list(islice(rows, _CHUNK)):
            digest.update("".join(map(repr, chunk)).encode())
    return digest.hexdigest()


def _select(connection: sqlite3.Connection, table: str, run: int) -> sqlite3.Cursor:
    key, order = ("pk", "pk") if table == "run" else ("run", "position")
    query = f"SELECT {_names(table)} FROM {FORMER_TABLES[table]} WHERE {key} = ? ORDER BY {order}"
    return connection.execute(query, (run,))


def _names(table: str) -> str:
    return ", ".join(f'"{FORMER_COLUMNS.get(name, name)}"' for name in columns_of(table))


def _written(table: str, rows: Rows) -> Rows:
    """The rows with JSON in place of what is no plain number or text."""
    hints = columns_of(table).values()
    columns = [
        _json(hint, column) if _is_packed(hint) else column
        for hint, column in zip(hints, zip(*rows, strict=True), strict=False)
    ]
    return list(zip(*columns, strict=True))


def _json(hint: Any, column: _Column) -> _Column:
    if hint is Plan:
        return [_encode(asdict(plan)) for plan in column]
    texts = map(_encode, column)
    return [one.replace("Infinity", _INFINITE) for one in texts] if hint in _NUMBERS else [*texts]


def _as_they_were(table: str, rows: Rows) -> Rows:
    hints = columns_of(table).values()
    if not any(hint is bool or _is_packed(hint) for hint in hints):
        return rows
    columns = [
        _read(hint, column) for hint, column in zip(hints, zip(*rows, strict=True), strict=False)
    ]
    return list(zip(*columns, strict=True))


def _read(hint: Any, column: _Column) -> _Column:
    if hint is bool:
        return [bool(value) for value in column]
    if not _is_packed(hint):
        return column
    values = json.loads(f"[{','.join(column)}]")
    if hint is Plan:
        return [_plan(value) for value in values]
    if get_origin(get_args(hint)[0]) is tuple:
        return [tuple(map(tuple, value)) for value in values]
    return [tuple(value) for value in values]


def _is_packed(hint: Any) -> bool:
    return hint is Plan or get_origin(hint) is tuple


def _plan(value: Any) -> Plan:
    if not isinstance(value, dict):
        raise ValueError("what stands in the place of the plan is not one")
    fields: dict[str, Any] = {
        name: tuple(one) if isinstance(one, list) else one for name, one in value.items()
    }
    return Plan(**fields)
