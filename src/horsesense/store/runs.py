"""Runs in the store: whole profiles, kept once, found by what they depend on, read back exactly."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from horsesense.errors import StoreError, UnknownNameError
from horsesense.results import Record, Results
from horsesense.results.kept import Rows, from_tables, to_tables
from horsesense.store import checksums
from horsesense.store.run_rows import (
    checksum_of,
    read_answers,
    read_rows,
    read_table,
    remove_rows,
    write_rows,
)
from horsesense.store.store import Store

# In place of an id: the run that was kept last.
LATEST = "latest"


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run, and the names of what it is about."""

    record: Record
    models: tuple[str, ...]
    datasets: tuple[str, ...]


def keep_run(store: Store, profile: Results, *, replace: bool = False) -> None:
    """Keep a profile, whole or not at all.

    One that is there already under its key stays as it is, unless this is to replace it.
    """
    if not replace and find_run(store, profile.record.key) is not None:
        return
    tables = to_tables(profile)
    with store.writing() as connection:
        # Asked under the lock: another process may have been faster.
        former = _place(connection, profile.record.key)
        if former is not None and replace:
            remove_rows(connection, former)
        if former is None or replace:
            write_rows(connection, tables)


def find_run(store: Store, key: str) -> Record | None:
    """The record of the run with that key, if it is kept."""
    with store.reading() as connection:
        run = _place(connection, key)
        return None if run is None else _record(connection, run)


def load_run(store: Store, id: str = LATEST) -> Results:
    """The profile of a run, by its id, the beginning of it that no other has, or `latest`."""
    with store.reading() as connection:
        run = _named(connection, id)
        with _whole(id):
            return _profile(connection, id, run)


def list_runs(store: Store) -> tuple[RunSummary, ...]:
    """All runs, in the order in which they were kept."""
    with store.reading() as connection:
        return tuple(_summary(connection, run) for run in _known(connection).values())


def remove_run(store: Store, id: str) -> None:
    """Remove a run with all its rows; the answers of models that it was made of stay."""
    with store.writing() as connection:
        remove_rows(connection, _named(connection, id))


def verify_runs(store: Store) -> dict[str, list[str]]:
    """What is wrong with the runs, by their ids."""
    with store.reading() as connection:
        known = _known(connection)
        return {id: list(_verify(connection, id, run)) for id, run in known.items()}


def verify_run(store: Store, id: str) -> Iterator[str]:
    """What is wrong with a run."""
    with store.reading() as connection:
        yield from _verify(connection, id, _known(connection)[id])


def run_places(store: Store) -> dict[str, int]:
    """The keys of the runs by their ids, in the order in which they were kept."""
    with store.reading() as connection:
        return _known(connection)


def _verify(connection: sqlite3.Connection, id: str, run: int) -> Iterator[str]:
    query = "SELECT checksum FROM run WHERE pk = ?"
    if connection.execute(query, (run,)).fetchone() != (checksum_of(connection, run),):
        yield "the run as a whole is not what its checksum says"
    else:
        for row in checksums.read_unchecked(connection, "run", "WHERE pk = ?", (run,)):
            if checksums.fault(connection, "run", row):
                yield "what lists show of the run is not what its checksum says"
    try:
        with _whole(id):
            for _ in _profile(connection, id, run, is_checked=False).sheets.values():
                pass  # whatever cannot be read is an error
    except StoreError as error:
        yield f"it cannot be read: {error}"


def _profile(
    connection: sqlite3.Connection, id: str, run: int, *, is_checked: bool = True
) -> Results:
    rows = read_rows(connection, run, is_checked=is_checked)
    return from_tables(rows, partial(_answers, id))


def _answers(id: str, rows: Rows) -> Rows:
    """The answers of a sheet, which are read long after the others."""
    with _whole(id):
        return read_answers(rows)


def _summary(connection: sqlite3.Connection, run: int) -> RunSummary:
    names = (
        tuple(name for (name,) in connection.execute(query, (run,)))
        for query in (
            "SELECT name FROM run_model WHERE run = ? ORDER BY position",
            "SELECT name FROM run_dataset WHERE run = ? ORDER BY position",
        )
    )
    return RunSummary(_record(connection, run), *names)


def _record(connection: sqlite3.Connection, run: int) -> Record:
    checksums.read(connection, "run", "WHERE pk = ?", (run,))
    with _whole(run):
        ((*values,),) = read_table(connection, "run", run)
    return Record(**dict(zip(Record.__slots__, values, strict=True)))


def _place(connection: sqlite3.Connection, key: str) -> int | None:
    found = connection.execute("SELECT pk FROM run WHERE key = ?", (key,)).fetchone()
    return None if found is None else int(found[0])


def _known(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT id, pk FROM run ORDER BY pk").fetchall())


def _named(connection: sqlite3.Connection, id: str) -> int:
    known = _known(connection)
    if id == LATEST and known:
        return max(known.values())
    if id in known:
        return known[id]
    meant = [one for one in known if one.startswith(id)] if id else []
    if len(meant) > 1:
        raise StoreError(f"several runs begin with {id!r}: {', '.join(meant)}; give more of the id")
    if not meant:
        remedy = "" if known else "there is none yet; 'horsesense run' makes one"
        raise UnknownNameError("run", id, known, remedy=remedy)
    return known[meant[0]]


@contextmanager
def _whole(run: object) -> Iterator[None]:
    """Say of rows that do not fit together whose they are."""
    try:
        yield
    except (ValueError, TypeError, LookupError) as error:
        raise StoreError(
            f"the run {run} is damaged ({error}); remove it ('horsesense runs remove {run}'),"
            " and the next run makes it again"
        ) from error
