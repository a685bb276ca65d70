"""Checking a whole store: every part of it is sound, damaged, or cannot be verified."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from horsesense.errors import StoreError
from horsesense.store import checksums
from horsesense.store.checksums import Row as CheckedRow
from horsesense.store.checksums import called, printable
from horsesense.store.connection import (
    Store,
    connect,
    is_damage,
    opening,
    structural_faults,
    use_write_ahead_log,
)
from horsesense.store.datasets import (
    check_ids,
    list_datasets,
    load_entries,
    seal_search,
    unreadable_datasets,
)
from horsesense.store.judged import keep_ledger, ledger_checksum
from horsesense.store.migrations import migrate
from horsesense.store.observations import Row, is_damaged, is_whole
from horsesense.store.perturbations import content_faults, load_perturbation
from horsesense.store.runs import remove_rows, run_places, verify_run
from horsesense.store.verification import (
    misnumbered,
    verify_dataset,
    verify_perturbation,
    verify_search,
    verify_structure,
)

# Passes items through, and may draw how far it has come: what is done, and of how many.
Watch: TypeAlias = Callable[[Iterable[Any], str, int], Iterable[Any]]

_FROM_SOURCE = "'horsesense dataset import {file}' mends it, if that is still the same file"
_REPAIRS = (
    "'horsesense store check --repair' removes them, and they are asked for again when needed"
)
_REMOVES = "'horsesense store check --repair' removes it, and 'horsesense run' makes it again"
_APPLY = "'horsesense perturb apply' with the same settings mends all but judgements"
_INDEX = "'horsesense store check --repair' makes it anew"
_FILE = (
    "'horsesense store check --repair' mends it, or writes all that can be read to a new file;"
    " restore it from a copy if you have one"
)


class State(StrEnum):
    """What is known of a part of a store."""

    SOUND = "sound"
    DAMAGED = "damaged"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True)
class Checked:
    """A part of a store, what is wrong with it, and what to do about that.

    `unverified` is how many of its rows were written before there were checksums.
    """

    part: str
    findings: tuple[str, ...] = ()
    unverified: int = 0
    remedy: str = ""

    @property
    def state(self) -> State:
        """Damaged, if anything was found; unverified, if something could not be compared."""
        if self.findings:
            return State.DAMAGED
        return State.UNVERIFIED if self.unverified else State.SOUND


def _unwatched(items: Iterable[Any], label: str, count: int) -> Iterable[Any]:
    return items


def check_store(store: Store, watch: Watch = _unwatched) -> Iterator[Checked]:
    """Check every part of a store that was opened as `Store.open_damaged` does, one by one.

    A part that cannot be read at all is damaged, and the others are checked nevertheless.
    """
    yield Checked("the file", _found(verify_structure(store)), remedy=_FILE)
    yield _search(store)
    for check in (_datasets, _perturbations, _runs, _answers):
        try:
            yield from check(store, watch)
        except StoreError as error:
            name = check.__name__.removeprefix("_")
            yield Checked(f"the {name}", (str(error),), remedy=_FILE)


def _found(findings: Iterator[str]) -> tuple[str, ...]:
    """All findings; if there comes an error among them, that is the last."""
    message: list[str] = []
    try:
        for finding in findings:
            message.append(finding)
    except StoreError as error:
        message.append(str(error))
    return tuple(message)


def _search(store: Store) -> Checked:
    message = _found(verify_search(store))
    with store.reading() as connection:
        unverified = 0 if checksums.is_search_sealed(connection) else 1
    return Checked("the search index", message, unverified, _INDEX)


def _datasets(store: Store, watch: Watch) -> Iterator[Checked]:
    for part, why in unreadable_datasets(store):
        yield Checked(part, (why,), remedy=_FROM_SOURCE.format(file="FILE"))
    for dataset in list_datasets(store, all_versions=True, is_checked=False):
        name = f"{printable(dataset.name)}@{printable(dataset.version)}"
        entries = load_entries(store, dataset, is_checked=False)
        watched = watch(entries, f"checking {name}", dataset.entries)
        message = _found(verify_dataset(store, dataset, watched))
        with store.reading() as connection:
            values = (dataset.pk,)
            rows = checksums.read_unchecked(connection, "dataset", "WHERE pk = ?", values)
            unverified = _unsigned("dataset", rows)
            sources = checksums.read_unchecked(connection, "source", "WHERE dataset = ?", values)
        files = [printable(row["file"]) for row in sources if not row["is_companion"]]
        remedy = _FROM_SOURCE.format(file=files[-1] if files else "FILE")
        unverified += _unsigned("source", sources)
        yield Checked(f"dataset {name}", message, unverified, remedy)


def _perturbations(store: Store, watch: Watch) -> Iterator[Checked]:
    with store.reading() as connection:
        listed = checksums.read_unchecked(connection, "perturbation", "ORDER BY turn")
    for row in watch(listed, "checking perturbations", len(listed)):
        pk = row["pk"]
        message = _found(verify_perturbation(store, pk))
        with store.reading() as connection:
            rest = "WHERE perturbation = ?"
            said = checksums.read_unchecked(connection, "judgement", rest, (pk,))
            frozen = checksums.read_unchecked(connection, "frozen", rest, (pk,))
            message += tuple(_faults(connection, "frozen", frozen))
        unverified = _unsigned("perturbation", [row]) + _unsigned("judgement", said)
        unverified += _unsigned("frozen", frozen)
        yield Checked(f"perturbation {printable(row['name'])}", message, unverified, _APPLY)


def _runs(store: Store, watch: Watch) -> Iterator[Checked]:
    places = run_places(store)
    for id in watch(places, "checking runs", len(places)):
        message = _found(verify_run(store, id))
        yield Checked(f"run {printable(id)}", message, remedy=_REMOVES)


def _answers(store: Store, watch: Watch) -> Iterator[Checked]:
    with store.reading() as connection:
        models = checksums.read_unchecked(connection, "model", "ORDER BY pk")
    for model in models:
        with store.reading() as connection:
            rest = "WHERE model = ?"
            askings = checksums.read_unchecked(connection, "asking", rest, (model["pk"],))
            message = [
                *_faults(connection, "model", [model]),
                *_faults(connection, "asking", askings),
            ]
            query = "SELECT count(*) FROM observation WHERE model = ?"
            (count,) = connection.execute(query, (model["pk"],)).fetchone()
            rows = damaged_rows(connection, model["pk"], model["fingerprint"])
            name = printable(model["name"])
            damaged = sum(bool(one) for one in watch(rows, f"checking answers of {name}", count))
        if damaged:
            message.append(f"{damaged} of {count} answers are not what their checksums say")
        unverified = _unsigned("model", [model]) + _unsigned("asking", askings)
        yield Checked(f"answers of {name}", tuple(message), unverified, _REPAIRS)


def damaged_rows(
    connection: sqlite3.Connection, model: int, fingerprint: str
) -> Iterator[int | None]:
    """For each observation of a model, its key if it is damaged."""
    rows = connection.execute(
        f"SELECT pk, observed_at, {', '.join(Row._fields)} FROM observation WHERE model = ?",
        (model,),
    )
    for pk, at, *values in rows:
        row = Row(*values)
        is_sound = is_whole(row, fingerprint, at) and not is_damaged(row, fingerprint)
        yield None if is_sound else pk


def _faults(
    connection: sqlite3.Connection, table: str, rows: Iterable[CheckedRow]
) -> Iterator[str]:
    for row in rows:
        if why := checksums.fault(connection, table, row):
            yield f"{checksums.called(table, row)}: {why}"


def _unsigned(table: str, rows: Iterable[CheckedRow]) -> int:
    return sum(not checksums.is_signed(table, row) for row in rows)


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
                message = called("dataset", damaged[dataset.pk])
                yield f"taken as it is: {message}; its content is sound, but perhaps not its date"
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
