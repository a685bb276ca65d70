"""Datasets to store, and looks into the file past the store, for the tests beside this file."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from horsesense.schema import Entry, Header, Schema
from horsesense.schema.notation import parse_grid
from horsesense.store import (
    Saved,
    Source,
    Store,
    list_datasets,
    save_entries,
    verify_dataset,
    verify_file,
)
from horsesense.store.migrations import STEPS

KITE = "the kite <climbed, sank> in the {rising, dying} wind"
LADDER = "Olga's ladder <reached, missed> the loft because it was {long, short}"
FERRY = "the harbour froze, so that the ferry <stayed*, sailed>"


def entry(name: str, notation: str = KITE, **fields: Any) -> Entry:
    return Entry(name, parse_grid(notation), **fields)


def full_entry() -> Entry:
    """An entry with a field of every kind."""
    return entry(
        "full",
        tags=("weather", "toys/kites"),
        note="a note: with a colon, “quotes” and #signs",
        flags=(("switchable", False), ("invertible", True)),
        phrases=(("adjectival", ("the red kite", "the large, blue kite")),),
        versions=(("tense", parse_grid("the kite <climbs, sinks> in the {rising, dying} wind")),),
        extras=(("x-reviewed-by", "nobody: yet"), ("x-zero", "")),
    )


def source(file: str = "field.schemas") -> Source:
    return Source(file, "5e" * 32, 123, "notation", "0.1.0")


def save(store: Store, name: str, *entries: Entry, file: str = "field.schemas") -> Saved:
    return save_entries(store, Header(name), entries, lambda: source(file))


def make(path: Path, name: str = "before", *entries: Entry) -> None:
    """A closed store with one dataset."""
    with Store.create_or_open(path) as store:
        save(store, name, *(entries or (entry("kite"), entry("ladder", LADDER))))


def lanterns(count: int, prefix: str = "") -> Iterator[Entry]:
    """As many different schemas as asked for, made quickly."""
    grid = cast(Schema, parse_grid("<went out, burned on> when its oil was {used up, topped up}"))
    for number in range(1, count + 1):
        frame = (f"{prefix}lantern {number} ", *grid.frame)
        yield Entry(f"lantern-{number}", replace(grid, frame=frame))


def put_back(path: Path, step: int) -> None:
    """Make a store one that has seen only the first steps, with the same rows."""
    with closing(sqlite3.connect(path)) as connection, connection:
        (current,) = connection.execute("PRAGMA user_version").fetchone()
        for number in range(current, step, -1):
            for table, column in re.findall(
                r"ALTER TABLE (\w+) ADD COLUMN (\w+)", STEPS[number - 1]
            ):
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
            for table in re.findall(r"CREATE TABLE (\w+)", STEPS[number - 1])[::-1]:
                connection.execute(f"DROP TABLE {table}")
        connection.execute(f"PRAGMA user_version = {step}")


def query(path: Path, sql: str, *values: object) -> list[Any]:
    """Rows of the file as any other program would see them."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql, values).fetchall()


def change(path: Path, sql: str, *values: object) -> None:
    """Change the file behind the back of the store."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(sql, values)


def tables(path: Path) -> dict[str, list[Any]]:
    """The rows of every table, those of the search index among them."""
    every = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return {name: query(path, f"SELECT * FROM {name}") for (name,) in query(path, every)}


def row_counts(path: Path) -> dict[str, int]:
    return {name: len(rows) for name, rows in tables(path).items()}


def content_counts(counts: dict[str, int]) -> dict[str, int]:
    """The counts of all tables that hold content: no pages or seal of an index, no numbering."""
    return {
        name: count
        for name, count in counts.items()
        if "search_" not in name and name not in ("numbering", "seal", "sqlite_sequence")
    }


def findings(store: Store) -> list[str]:
    """All that is wrong with the file and with every dataset in it."""
    every = list_datasets(store, all_versions=True, is_checked=False)
    return [
        *verify_file(store),
        *(one for dataset in every for one in verify_dataset(store, dataset)),
    ]


def names(entries: Iterable[Entry]) -> list[str]:
    return [one.id for one in entries]
