"""Stage entries in temporary tables until all of them have been read.

Reading a file may take long and may fail at its last line. So entries are first written to
temporary tables of the connection, which block nobody, and then moved into the store at once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from horsesense.errors import SchemaError
from horsesense.schema import Entry, Grid
from horsesense.schema.notation import content_id, joined_entry, print_grid, written_fields

# Fields with their own column or table.
_OWN_COLUMNS = ("id", "tags", "note")
_TABLES = {
    "staged_entry": "position INTEGER PRIMARY KEY, id, name, grid, kind, notation, sentences, note",
    "staged_tag": "entry, tag, position",
    "staged_field": "entry, name, value",
}
# Content that the store already has stays unchanged, unless it does not match its id.
_MEND_GRIDS = (
    "UPDATE grid SET kind = staged.kind, notation = staged.notation FROM staged_entry AS staged"
    " WHERE grid.id = staged.grid"
    " AND (grid.kind, grid.notation) IS NOT (staged.kind, staged.notation)"
)
_MEND_ENTRIES = (
    "UPDATE entry SET name = staged.name, grid = grid.pk, sentences = staged.sentences,"
    " note = staged.note FROM staged_entry AS staged JOIN grid ON grid.id = staged.grid"
    " WHERE entry.id = staged.id AND (entry.name, entry.grid, entry.sentences, entry.note)"
    " IS NOT (staged.name, grid.pk, staged.sentences, staged.note)"
)
_MEND_TAGS = (
    "DELETE FROM tag WHERE entry IN"
    " (SELECT entry.pk FROM staged_entry AS staged JOIN entry ON entry.id = staged.id)"
    " AND (entry, tag, position) NOT IN (SELECT entry.pk, staged.tag, staged.position"
    " FROM staged_tag AS staged JOIN entry ON entry.id = staged.entry)"
)
_MEND_FIELDS = (
    "DELETE FROM field WHERE entry IN"
    " (SELECT entry.pk FROM staged_entry AS staged JOIN entry ON entry.id = staged.id)"
    " AND (entry, name, value) NOT IN (SELECT entry.pk, staged.name, staged.value"
    " FROM staged_field AS staged JOIN entry ON entry.id = staged.entry)"
)
_MOVE_GRIDS = (
    "INSERT INTO grid (id, kind, notation)"
    " SELECT grid, kind, notation FROM staged_entry WHERE true ORDER BY position"
    " ON CONFLICT (id) DO NOTHING"
)
_MOVE_ENTRIES = (
    "INSERT INTO entry (id, name, grid, sentences, note)"
    " SELECT staged.id, staged.name, grid.pk, staged.sentences, staged.note"
    " FROM staged_entry AS staged JOIN grid ON grid.id = staged.grid"
    " WHERE true ORDER BY staged.position ON CONFLICT (id) DO NOTHING"
)
_MOVE_TAGS = (
    "INSERT INTO tag (entry, tag, position)"
    " SELECT entry.pk, staged.tag, staged.position"
    " FROM staged_tag AS staged JOIN entry ON entry.id = staged.entry"
    " WHERE true ON CONFLICT (entry, tag) DO NOTHING"
)
_MOVE_FIELDS = (
    "INSERT INTO field (entry, name, value)"
    " SELECT entry.pk, staged.name, staged.value"
    " FROM staged_field AS staged JOIN entry ON entry.id = staged.entry"
    " WHERE true ON CONFLICT (entry, name) DO NOTHING"
)
_MENDS = (
    (_MEND_GRIDS, _MOVE_GRIDS),
    (_MEND_ENTRIES, _MOVE_ENTRIES),
    (_MEND_TAGS, _MOVE_TAGS),
    (_MEND_FIELDS, _MOVE_FIELDS),
)


def stage(connection: sqlite3.Connection, entries: Iterable[Entry]) -> list[str]:
    """Write entries to the temporary tables, and return their ids in order."""
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


def move_entries(connection: sqlite3.Connection) -> int:
    """Move new staged entries into the tables of the store.

    Damaged rows of known entries are repaired; their number is returned.
    """
    mended = 0
    for mend, move in _MENDS:
        mended += connection.execute(mend).rowcount
        connection.execute(move)
    if mended:
        connection.execute("INSERT INTO entry_search (entry_search) VALUES ('rebuild')")
    return mended


def are_staged(connection: sqlite3.Connection, dataset: int) -> bool:
    """Return whether a dataset consists of the staged entries."""
    query = (
        "SELECT count(*), count(entry.id = staged.id OR NULL) FROM staged_entry AS staged"
        " LEFT JOIN membership ON membership.dataset = ? AND membership.position = staged.position"
        " LEFT JOIN entry ON entry.pk = membership.entry"
    )
    staged, same = connection.execute(query, (dataset,)).fetchone()
    query = "SELECT count(*) FROM membership WHERE dataset = ?"
    return bool(staged == same == connection.execute(query, (dataset,)).fetchone()[0])


def move_membership(connection: sqlite3.Connection, dataset: int) -> None:
    """Make the staged entries the content of a dataset."""
    connection.execute(
        "INSERT INTO membership (dataset, position, entry)"
        " SELECT ?, staged.position, entry.pk FROM staged_entry AS staged"
        " JOIN entry ON entry.id = staged.id",
        (dataset,),
    )


def searched_text(grid: Grid) -> str:
    """Return the sensible sentences, one per line; all sentences if there are no labels."""
    cells = (cell for cell in grid.cells if grid.is_sensible(cell) is not False)
    return "\n".join(grid.sentence(cell).text for cell in cells)


def _stage_entry(connection: sqlite3.Connection, position: int, entry: Entry) -> str:
    """Write an entry to the temporary tables, and return its id."""
    # Printed once for the id and for the tables.
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
        tags = [(entry_id, tag, number) for number, tag in enumerate(entry.tags)]
        connection.executemany("INSERT INTO staged_tag VALUES (?, ?, ?)", tags)
    others = [(entry_id, *field) for field in fields if field[0] not in _OWN_COLUMNS]
    connection.executemany("INSERT INTO staged_field VALUES (?, ?, ?)", others)
    return entry_id
