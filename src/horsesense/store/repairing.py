"""Repairing a store: what can be asked for or computed again goes, or is made anew.

Datasets and judgements are never removed. A file whose pages are damaged is left as it is, and
all that can be read of it is copied to a new one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from horsesense.errors import StoreError
from horsesense.store import checksums
from horsesense.store.checking import damaged_rows
from horsesense.store.checksums import called, printable
from horsesense.store.connection import (
    connect,
    is_damage,
    opening,
    structural_faults,
    use_write_ahead_log,
)
from horsesense.store.datasets import check_ids, list_datasets, seal_search
from horsesense.store.judgements import keep_ledger, ledger_checksum
from horsesense.store.migrations import migrate
from horsesense.store.perturbations import load_perturbation
from horsesense.store.perturbed_content import content_faults
from horsesense.store.run_rows import remove_rows
from horsesense.store.runs import run_places, verify_run
from horsesense.store.store import Store
from horsesense.store.verification import misnumbered, verify_search

_COPIED = (
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'entry_search%'"
    " AND name NOT LIKE 'sqlite_%' AND name <> 'seal' ORDER BY rootpage"
)
# Rows that belong to nothing, and can be had again with what they belonged to. What is part of a
# dataset is not among them: somebody may put it back in its place.
_ORPHANS = {
    "pair": "(perturbation, entry) NOT IN (SELECT perturbation, entry FROM perturbed)",
    "left_out": "perturbation NOT IN (SELECT pk FROM perturbation)",
    "frozen": "perturbation NOT IN (SELECT pk FROM perturbation)"
    " OR dataset NOT IN (SELECT pk FROM dataset)",
    "asking": "model NOT IN (SELECT pk FROM model)",
    "observation": "model NOT IN (SELECT pk FROM model) OR typeof(asking) <> 'integer'",
    **dict.fromkeys(
        (
            *("answer", "run_model", "run_dataset", "run_form", "posed_problem", "tag_set"),
            *("sheet", "measurement", "option_chosen", "token_cost", "gap"),
        ),
        "run NOT IN (SELECT pk FROM run)",
    ),
}


@dataclass(frozen=True, slots=True)
class Repaired:
    """What a repair did; and if the file was beyond it, where a copy of what is readable is."""

    done: tuple[str, ...]
    copy: Path | None = None


def repair_store(store: Store) -> Repaired:
    """Repair a store that was opened as `Store.open_damaged` does, whole or not at all."""
    if store.is_read_only:
        raise StoreError(f"{store.path} cannot be written to, and so cannot be repaired")
    try:
        with store.writing() as connection:
            done = [*_reindex(connection), *_repair(store, connection)]
    except _BeyondRepair:
        return salvage_store(store.path)
    except StoreError as error:
        if not is_damage(error.__cause__):
            raise  # a full disk, or another process that writes: nothing was changed
        return salvage_store(store.path)
    if any(verify_search(store)):
        with store.writing() as connection:
            checksums.rebuild_search(connection)
        done.append("the search index was made anew")
        seal_search(store)
    return Repaired(tuple(done))


class _BeyondRepair(Exception):
    """Pages of the file are damaged."""


def _reindex(connection: sqlite3.Connection) -> Iterator[str]:
    if not any(structural_faults(connection)):
        return
    try:
        connection.execute("REINDEX")
    except sqlite3.DatabaseError as error:
        raise _BeyondRepair from error
    if any(structural_faults(connection)):
        raise _BeyondRepair
    yield "the indexes of the tables were made anew"


def _repair(store: Store, connection: sqlite3.Connection) -> Iterator[str]:
    for table, condition in _ORPHANS.items():
        count = connection.execute(f"DELETE FROM {table} WHERE {condition}").rowcount
        if count:
            yield f"removed: {count} of the table {table} that belonged to nothing"
    for name, least in misnumbered(connection).items():
        connection.execute("INSERT OR REPLACE INTO numbering VALUES (?, ?)", (name, least))
        yield f"the last version number of {name} is {least} again, if no later one was"
    for id, run in run_places(store).items():
        if any(verify_run(store, id)):
            remove_rows(connection, run)
            yield f"removed: run {printable(id)}; 'horsesense run' makes it again"
    yield from _repair_answers(connection)
    yield from _repair_records(store, connection)


def _repair_answers(connection: sqlite3.Connection) -> Iterator[str]:
    lost = connection.execute(
        "SELECT asking, min(model), min(observed_at) FROM observation"
        " WHERE asking NOT IN (SELECT pk FROM asking) GROUP BY asking"
    ).fetchall()
    for asking, model, at in lost:
        connection.execute(
            "INSERT INTO asking (pk, id, model, name, started_at, horsesense, torch, transformers,"
            " way, why) SELECT ?, 'lost-' || ?, pk, name, ?, '', '', '', '', 'the record was lost'"
            " FROM model WHERE pk = ?",
            (asking, asking, at, model),
        )
        checksums.sign(connection, "asking", asking)
        yield f"made anew, without what it said: the record {asking} of a session with a model"
    for model in checksums.read_unchecked(connection, "model"):
        if checksums.fault(connection, "model", model):
            connection.execute("DELETE FROM model WHERE pk = ?", (model["pk"],))
            yield f"removed: {called('model', model)}, with its answers; they are asked for again"
            continue
        found = damaged_rows(connection, model["pk"], model["fingerprint"])
        doomed = [(pk,) for pk in found if pk is not None]
        connection.executemany("DELETE FROM observation WHERE pk = ?", doomed)
        if doomed:
            name = printable(model["name"])
            yield f"removed: {len(doomed)} damaged answers of {name}; they are asked for again"
    for asking in checksums.read_unchecked(connection, "asking"):
        if checksums.fault(connection, "asking", asking):
            connection.execute(
                "UPDATE asking SET name = (SELECT name FROM model WHERE pk = asking.model),"
                " started_at = ifnull((SELECT min(observed_at) FROM observation"
                " WHERE asking = asking.pk), ''), horsesense = '', torch = '', transformers = '',"
                " way = '', why = 'the record was damaged' WHERE pk = ?",
                (asking["pk"],),
            )
            checksums.sign(connection, "asking", asking["pk"])
            yield f"emptied: {called('asking', asking)}; its answers are kept"


def _repair_records(store: Store, connection: sqlite3.Connection) -> Iterator[str]:
    """Write the checksums of records anew, if what they are about is what its id says."""
    damaged = {
        row["pk"]: row
        for row in checksums.read_unchecked(connection, "dataset")
        if checksums.fault(connection, "dataset", row)
    }
    for dataset in list_datasets(store, all_versions=True, is_checked=False):
        with suppress(StoreError, TypeError, ValueError):
            if dataset.pk in damaged and dataset.version > 0 and check_ids(store, dataset):
                checksums.sign(connection, "dataset", dataset.pk)
                told = called("dataset", damaged[dataset.pk])
                yield f"taken as it is: {told}; its content is sound, but perhaps not its date"
    for row in checksums.read_unchecked(connection, "frozen"):
        if checksums.fault(connection, "frozen", row):
            connection.execute("DELETE FROM frozen WHERE pk = ?", (row["pk"],))
            yield f"removed: {called('frozen', row)}; freeze the perturbation again"
    for row in checksums.read_unchecked(connection, "perturbation", "ORDER BY turn"):
        yield from _repair_perturbation(connection, row)


def _repair_perturbation(connection: sqlite3.Connection, row: checksums.Row) -> Iterator[str]:
    pk, is_damaged = row["pk"], checksums.fault(connection, "perturbation", row) != ""
    if is_damaged:
        connection.execute("SAVEPOINT record")
        checksums.sign(connection, "perturbation", pk)
        try:
            is_sound = not any(content_faults(connection, load_perturbation(connection, pk)))
        except StoreError:
            is_sound = False
        connection.execute("RELEASE record" if is_sound else "ROLLBACK TO record")
        if not is_sound:
            connection.execute("RELEASE record")
            return
        yield f"taken as it is: {called('perturbation', row)}; what it was made of is sound"
    checksum = ledger_checksum(connection, pk)
    if row["ledger"] != checksum:
        keep_ledger(connection, pk, checksum)
        yield (
            f"taken as it is: the ledger of {printable(row['name'])}, in which a judgement is"
            " missing or is not what it was"
        )


def salvage_store(damaged: Path) -> Repaired:
    """Copy all that can be read of a store to a new file beside it, and repair that."""
    path = damaged.with_name(f"{damaged.stem}-repaired{damaged.suffix}")
    if path.exists():
        raise StoreError(f"{path} is there already; move it away first")
    # A connection of its own: on a damaged file, even the end of a transaction can be an error.
    with (
        opening(damaged),
        closing(connect(damaged, "mode=rw")) as source,
        closing(connect(path, "mode=rwc")) as target,
    ):
        # Text that is none is copied too, and found out by its checksum.
        source.text_factory = lambda data: data.decode(errors="replace")
        source.execute("BEGIN")
        use_write_ahead_log(target)
        migrate(target)
        target.execute("PRAGMA foreign_keys = OFF")
        done = [*_copy(source, target)]
    if not done:
        for left in (path, *path.parent.glob(f"{path.name}-*")):
            left.unlink(missing_ok=True)
        raise StoreError(f"{damaged}: nothing of it can be read; restore it from a copy")
    with Store.open_damaged(path) as copied:
        done += repair_store(copied).done
        seal_search(copied)
    return Repaired(tuple(done), path)


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> Iterator[str]:
    tables = [name for (name,) in target.execute(_COPIED).fetchall()]
    for table in tables:
        # A store of an earlier version lacks some.
        columns = _columns(source, table, _columns(target, table))
        if not columns:
            continue
        marks = ", ".join("?" * len(columns))
        names = ", ".join(f'"{name}"' for name in columns)
        target.execute("BEGIN")
        count = 0
        for row in _readable(source, table, names):
            insert = f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({marks})"
            count += target.execute(insert, row).rowcount
        target.execute("COMMIT")
        if count:
            yield f"copied: {count} rows of the table {table}"


def _columns(
    connection: sqlite3.Connection, table: str, wanted: Iterable[str] | None = None
) -> list[str]:
    """The columns of a table, or those of them that are wanted; none if that cannot be read."""
    with suppress(sqlite3.DatabaseError):
        names = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        return names if wanted is None else [name for name in wanted if name in names]
    return []


def _readable(source: sqlite3.Connection, table: str, names: str) -> Iterator[tuple[Any, ...]]:
    """The rows of a table, from its beginning and from its end, as far as pages can be read."""
    for order in ("", *_backwards(source, table)):
        with suppress(sqlite3.DatabaseError):
            yield from source.execute(f"SELECT {names} FROM {table} NOT INDEXED {order}")
            return


def _backwards(source: sqlite3.Connection, table: str) -> Iterator[str]:
    """How to ask for the rows of a table the other way round, by its key."""
    with suppress(sqlite3.DatabaseError):
        info = source.execute(f"PRAGMA table_info({table})").fetchall()
        keys = sorted((at, name) for _, name, _, _, _, at in info if at)
        yield f"ORDER BY {', '.join(f'{name} DESC' for _, name in keys)}"
