"""Entries on their way into the store, kept aside until all of them have been read.

Reading a file may take long, and may fail at its last line. So entries are first written to
temporary tables of this connection alone, which hold up nobody, and then moved into the
store all at once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from horsesense.errors import SchemaError
from horsesense.notation import content_id, joined_entry, print_grid, written_fields
from horsesense.schema import Entry, Grid

# Fields that have a column or a table of their own.
_OWN_COLUMNS = ("id", "tags", "note")
_TABLES = {
    "staged_entry": "position INTEGER PRIMARY KEY, id, name, grid, kind, notation, sentences, note",
    "staged_tag": "entry, tag, position",
    "staged_field": "entry, name, value",
}
# Content that the store has already is left as it is.
_MOVES = (
    "INSERT INTO grid (id, kind, notation)"
    " SELECT grid, kind, notation FROM staged_entry WHERE true ORDER BY position"
    " ON CONFLICT (id) DO NOTHING",
    "INSERT INTO entry (id, name, grid, sentences, note)"
    " SELECT staged.id, staged.name, grid.pk, staged.sentences, staged.note"
    " FROM staged_entry AS staged JOIN grid ON grid.id = staged.grid"
    " WHERE true ORDER BY staged.position ON CONFLICT (id) DO NOTHING",
    "INSERT INTO tag (entry, tag, position)"
    " SELECT entry.pk, staged.tag, staged.position"
    " FROM staged_tag AS staged JOIN entry ON entry.id = staged.entry"
    " WHERE true ON CONFLICT (entry, tag) DO NOTHING",
    "INSERT INTO field (entry, name, value)"
    " SELECT entry.pk, staged.name, staged.value"
    " FROM staged_field AS staged JOIN entry ON entry.id = staged.entry"
    " WHERE true ON CONFLICT (entry, name) DO NOTHING",
)


def stage(connection: sqlite3.Connection, entries: Iterable[Entry]) -> list[str]:
    """Write the entries aside, and return their ids in order."""
    for table, columns in _TABLES.items():
        connection.execute(f"DROP TABLE IF EXISTS temp.{table}")
        connection.execute(f"CREATE TEMP TABLE {table} ({columns})")
    ids: list[str] = []
    names: set[str] = set()
    for position, entry in enumerate(entries, start=1):
        if entry.id in names:
            raise SchemaError(f"two entries have the id {entry.id!r}")
        names.add(entry.id)
        ids.append(_stage_entry(connection, position, entry))
    return ids


def move_entries(connection: sqlite3.Connection) -> None:
    """Move what was staged, and is new, into the tables of the store."""
    for move in _MOVES:
        connection.execute(move)


def move_membership(connection: sqlite3.Connection, dataset: int) -> None:
    """Make what was staged the content of a dataset."""
    connection.execute(
        "INSERT INTO membership (dataset, position, entry)"
        " SELECT ?, staged.position, entry.pk FROM staged_entry AS staged"
        " JOIN entry ON entry.id = staged.id",
        (dataset,),
    )


def searched_text(grid: Grid) -> str:
    """The sentences that make sense, one a line; all of them where nobody has said which do."""
    cells = (cell for cell in grid.cells if grid.is_sensible(cell) is not False)
    return "\n".join(grid.sentence(cell).text for cell in cells)


def _stage_entry(connection: sqlite3.Connection, position: int, entry: Entry) -> str:
    """Write an entry aside, and return its id."""
    # Printed once, for the id and for the tables.
    grid, notation, fields = entry.grid, print_grid(entry.grid), [*written_fields(entry)]
    entry_id = content_id("entry", joined_entry(entry.id, notation, fields))
    connection.execute(
        "INSERT INTO staged_entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            position,
            entry_id,
            entry.id,
            content_id("grid", notation),
            grid.kind,
            notation,
            searched_text(grid),
            entry.note,
        ),
    )
    if entry.tags:
        tags = [(entry_id, tag, place) for place, tag in enumerate(entry.tags)]
        connection.executemany("INSERT INTO staged_tag VALUES (?, ?, ?)", tags)
    others = [(entry_id, *field) for field in fields if field[0] not in _OWN_COLUMNS]
    connection.executemany("INSERT INTO staged_field VALUES (?, ?, ?)", others)
    return entry_id
