"""Check a whole store, repair it, and salvage the readable rows of a damaged file."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

from horsesense.errors import StoreError
from horsesense.store import cache, checksums
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
from horsesense.store.perturbations import content_faults, load_perturbation
from horsesense.store.runs import remove_rows, run_keys, verify_run
from horsesense.store.verification import (
    misnumbered,
    verify_dataset,
    verify_perturbation,
    verify_search,
    verify_structure,
)

# A function that passes items through to show progress; it takes a label and the number of items.
Watch: TypeAlias = Callable[[Iterable[Any], str, int], Iterable[Any]]

_FROM_SOURCE = "'horsesense dataset import {file}' repairs it, if the file is still the same"
_REPAIRS = "'horsesense store check --repair' removes them, and they are queried again when needed"
_REMOVES = "'horsesense store check --repair' removes it, and 'horsesense run' creates it again"
_APPLY = "'horsesense perturb apply' with the same settings repairs all but judgements"
_INDEX = "'horsesense store check --repair' rebuilds it"
_FILE = (
    "'horsesense store check --repair' repairs it, or writes all that can be read to a new file;"
    " restore it from a backup if you have one"
)


class State(StrEnum):
    """The state of a part of a store."""

    SOUND = "sound"
    DAMAGED = "damaged"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True)
class StoreCheck:
    """The result of checking a part of a store: its faults, and what to do about them.

    `unverified` is the number of rows without a checksum, written by early versions.
    """

    part: str
    findings: tuple[str, ...] = ()
    unverified: int = 0
    remedy: str = ""

    @property
    def state(self) -> State:
        """Damaged if there are faults, unverified if a row has no checksum, otherwise sound."""
        if self.findings:
            return State.DAMAGED
        return State.UNVERIFIED if self.unverified else State.SOUND


def _unwatched(items: Iterable[Any], label: str, count: int) -> Iterable[Any]:
    return items


def check_store(store: Store, watch: Watch = _unwatched) -> Iterator[StoreCheck]:
    """Check every part of a store that was opened with `Store.open_damaged`.

    A part that cannot be read at all is damaged; the others are still checked.
    """
    yield StoreCheck("the file", _collect(verify_structure(store)), remedy=_FILE)
    yield _search(store)
    for check in (_datasets, _perturbations, _runs, _answers):
        try:
            yield from check(store, watch)
        except StoreError as error:
            name = check.__name__.removeprefix("_")
            yield StoreCheck(f"the {name}", (str(error),), remedy=_FILE)


def _collect(findings: Iterator[str]) -> tuple[str, ...]:
    """Collect all findings; an error ends them and is the last one."""
    collected: list[str] = []
    try:
        for finding in findings:
            collected.append(finding)
    except StoreError as error:
        collected.append(str(error))
    return tuple(collected)


def _search(store: Store) -> StoreCheck:
    findings = _collect(verify_search(store))
    with store.reading() as connection:
        has_entries = connection.execute("SELECT 1 FROM entry LIMIT 1").fetchone() is not None
        unverified = 1 if has_entries and not checksums.is_search_sealed(connection) else 0
    return StoreCheck("the search index", findings, unverified, _INDEX)


def _datasets(store: Store, watch: Watch) -> Iterator[StoreCheck]:
    for part, problem in unreadable_datasets(store):
        yield StoreCheck(part, (problem,), remedy=_FROM_SOURCE.format(file="FILE"))
    for dataset in list_datasets(store, all_versions=True, is_checked=False):
        name = f"{printable(dataset.name)}@{printable(dataset.version)}"
        entries = load_entries(store, dataset, is_checked=False)
        watched = watch(entries, f"checking {name}", dataset.entries)
        findings = _collect(verify_dataset(store, dataset, watched))
        with store.reading() as connection:
            values = (dataset.pk,)
            rows = checksums.read_unchecked(connection, "dataset", "WHERE pk = ?", values)
            unverified = _unsigned("dataset", rows)
            sources = checksums.read_unchecked(connection, "source", "WHERE dataset = ?", values)
        files = [printable(row["file"]) for row in sources if not row["is_companion"]]
        remedy = _FROM_SOURCE.format(file=files[-1] if files else "FILE")
        unverified += _unsigned("source", sources)
        yield StoreCheck(f"dataset {name}", findings, unverified, remedy)


def _perturbations(store: Store, watch: Watch) -> Iterator[StoreCheck]:
    with store.reading() as connection:
        listed = checksums.read_unchecked(connection, "perturbation", "ORDER BY turn")
    for row in watch(listed, "checking perturbations", len(listed)):
        pk = row["pk"]
        findings = _collect(verify_perturbation(store, pk))
        with store.reading() as connection:
            rest = "WHERE perturbation = ?"
            judgements = checksums.read_unchecked(connection, "judgement", rest, (pk,))
            frozen = checksums.read_unchecked(connection, "frozen", rest, (pk,))
            findings += tuple(_faults(connection, "frozen", frozen))
        unverified = _unsigned("perturbation", [row]) + _unsigned("judgement", judgements)
        unverified += _unsigned("frozen", frozen)
        yield StoreCheck(f"perturbation {printable(row['name'])}", findings, unverified, _APPLY)


def _runs(store: Store, watch: Watch) -> Iterator[StoreCheck]:
    runs = run_keys(store)
    for id in watch(runs, "checking runs", len(runs)):
        findings = _collect(verify_run(store, id))
        yield StoreCheck(f"run {printable(id)}", findings, remedy=_REMOVES)


def _answers(store: Store, watch: Watch) -> Iterator[StoreCheck]:
    with store.reading() as connection:
        models = checksums.read_unchecked(connection, "model", "ORDER BY pk")
    for model in models:
        with store.reading() as connection:
            rest = "WHERE model = ?"
            query_runs = checksums.read_unchecked(connection, "asking", rest, (model["pk"],))
            findings = [
                *_faults(connection, "model", [model]),
                *_faults(connection, "asking", query_runs),
            ]
            query = (
                "SELECT (SELECT count(*) FROM observation WHERE model = model_pk)"
                " + (SELECT count(*) FROM reply WHERE model = model_pk) FROM (SELECT ? AS model_pk)"
            )
            (count,) = connection.execute(query, (model["pk"],)).fetchone()
            rows = cached_rows(connection, model["pk"])
            name = printable(model["name"])
            watched = watch(rows, f"checking answers of {name}", count)
            damaged = sum(not row.is_intact for _, row in watched)
        if damaged:
            findings.append(f"{damaged} of {count} answers do not match their checksums")
        unverified = _unsigned("model", [model]) + _unsigned("asking", query_runs)
        yield StoreCheck(f"answers of {name}", tuple(findings), unverified, _REPAIRS)


def cached_rows(
    connection: sqlite3.Connection, model: int
) -> Iterator[tuple[str, cache.CachedRow]]:
    """Yield all observations and replies of a model, with the names of their tables."""
    for table in cache.TABLES:
        for row in cache.cached_rows(connection, table, "model.pk = ?", (model,)):
            yield table, row


def _faults(
    connection: sqlite3.Connection, table: str, rows: Iterable[CheckedRow]
) -> Iterator[str]:
    for row in rows:
        if problem := checksums.fault(connection, table, row):
            yield f"{checksums.called(table, row)}: {problem}"


def _unsigned(table: str, rows: Iterable[CheckedRow]) -> int:
    return sum(not checksums.is_signed(table, row) for row in rows)


_COPIED = (
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'entry_search%'"
    " AND name NOT LIKE 'sqlite_%' AND name <> 'seal' ORDER BY rootpage"
)
# Orphaned rows that can be computed again. Parts of datasets are not among them, as importing the
# dataset again may need them.
_ORPHANS = {
    "pair": "(perturbation, entry) NOT IN (SELECT perturbation, entry FROM perturbed)",
    "left_out": "perturbation NOT IN (SELECT pk FROM perturbation)",
    "frozen": "perturbation NOT IN (SELECT pk FROM perturbation)"
    " OR dataset NOT IN (SELECT pk FROM dataset)",
    "asking": "model NOT IN (SELECT pk FROM model)",
    **dict.fromkeys(
        cache.TABLES, "model NOT IN (SELECT pk FROM model) OR typeof(asking) <> 'integer'"
    ),
    **dict.fromkeys(
        (
            *("answer", "run_model", "run_dataset", "run_form", "posed_problem", "tag_set"),
            *("sheet", "measurement", "option_chosen", "token_cost", "gap"),
            *("reply_count", "server_usage"),
        ),
        "run NOT IN (SELECT pk FROM run)",
    ),
}


@dataclass(frozen=True, slots=True)
class Repaired:
    """The steps of a repair, and the path of the copy if the file itself was beyond repair."""

    done: tuple[str, ...]
    copy: Path | None = None


def repair_store(store: Store) -> Repaired:
    """Repair a store that was opened with `Store.open_damaged`, in one transaction."""
    if store.is_read_only:
        raise StoreError(f"{store.path} cannot be written to, and so cannot be repaired")
    try:
        with store.writing() as connection:
            done = [*_reindex(connection), *_repair(store, connection)]
    except _BeyondRepair:
        return salvage_store(store.path)
    except StoreError as error:
        if not is_damage(error.__cause__):
            raise  # for example a full disk or a locked file; nothing was changed
        return salvage_store(store.path)
    if any(verify_search(store)):
        with store.writing() as connection:
            checksums.rebuild_search(connection)
        done.append("the search index was rebuilt")
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
    yield "the indexes of the tables were rebuilt"


def _repair(store: Store, connection: sqlite3.Connection) -> Iterator[str]:
    for table, condition in _ORPHANS.items():
        count = connection.execute(f"DELETE FROM {table} WHERE {condition}").rowcount
        if count:
            yield f"removed: {count} orphaned rows of the table {table}"
    for name, least in misnumbered(connection).items():
        connection.execute("INSERT OR REPLACE INTO numbering VALUES (?, ?)", (name, least))
        yield f"the last version number of {name} was reset to {least}"
    for id, run in run_keys(store).items():
        if any(verify_run(store, id)):
            remove_rows(connection, run)
            yield f"removed: run {printable(id)}; 'horsesense run' creates it again"
    yield from _repair_answers(connection)
    yield from _repair_records(store, connection)


def _repair_answers(connection: sqlite3.Connection) -> Iterator[str]:
    answers = " UNION ALL ".join(
        f"SELECT asking, model, {at} AS at FROM {table}" for table, at in cache.TABLES.items()
    )
    lost = connection.execute(
        f"SELECT asking, min(model), min(at) FROM ({answers})"
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
        yield f"recreated, without its details: the record {asking} of a session with a model"
    for model in checksums.read_unchecked(connection, "model"):
        if checksums.fault(connection, "model", model):
            connection.execute("DELETE FROM model WHERE pk = ?", (model["pk"],))
            yield f"removed: {called('model', model)}, with its answers; they are queried again"
            continue
        damaged = [
            (table, row.pk)
            for table, row in cached_rows(connection, model["pk"])
            if not row.is_intact
        ]
        for table, pk in damaged:
            connection.execute(f"DELETE FROM {table} WHERE pk = ?", (pk,))
        if damaged:
            name = printable(model["name"])
            yield f"removed: {len(damaged)} damaged answers of {name}; they are queried again"
    for asking in checksums.read_unchecked(connection, "asking"):
        if checksums.fault(connection, "asking", asking):
            connection.execute(
                "UPDATE asking SET name = (SELECT name FROM model WHERE pk = asking.model),"
                f" started_at = ifnull((SELECT min(at) FROM ({answers})"
                " WHERE asking = asking.pk), ''), horsesense = '', torch = '', transformers = '',"
                " way = '', why = 'the record was damaged' WHERE pk = ?",
                (asking["pk"],),
            )
            checksums.sign(connection, "asking", asking["pk"])
            yield f"emptied: {called('asking', asking)}; its answers are kept"


def _repair_records(store: Store, connection: sqlite3.Connection) -> Iterator[str]:
    """Renew the checksums of records whose content matches its id."""
    damaged = {
        row["pk"]: row
        for row in checksums.read_unchecked(connection, "dataset")
        if checksums.fault(connection, "dataset", row)
    }
    for dataset in list_datasets(store, all_versions=True, is_checked=False):
        with suppress(StoreError, TypeError, ValueError):
            if dataset.pk in damaged and dataset.version > 0 and check_ids(store, dataset):
                checksums.sign(connection, "dataset", dataset.pk)
                record = called("dataset", damaged[dataset.pk])
                yield f"accepted: {record}; its content is intact, but its date may be wrong"
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
        yield f"accepted: {called('perturbation', row)}; its content is intact"
    checksum = ledger_checksum(connection, pk)
    if row["ledger"] != checksum:
        keep_ledger(connection, pk, checksum)
        yield (
            f"accepted: the ledger of {printable(row['name'])}, in which a judgement is missing"
            " or was changed"
        )


def salvage_store(damaged: Path) -> Repaired:
    """Copy all readable rows of a store to a new file next to it, and repair that."""
    path = damaged.with_name(f"{damaged.stem}-repaired{damaged.suffix}")
    if path.exists():
        raise StoreError(f"{path} already exists; move it elsewhere first")
    # A separate connection: on a damaged file, even ending a transaction may fail.
    with (
        opening(damaged),
        closing(connect(damaged, "mode=rw")) as source,
        closing(connect(path, "mode=rwc")) as target,
    ):
        # Undecodable text is copied as well; its checksum reveals it.
        source.text_factory = lambda data: data.decode(errors="replace")
        source.execute("BEGIN")
        use_write_ahead_log(target)
        migrate(target)
        target.execute("PRAGMA foreign_keys = OFF")
        done = [*_copy(source, target)]
    if not done:
        for left in (path, *path.parent.glob(f"{path.name}-*")):
            left.unlink(missing_ok=True)
        raise StoreError(f"{damaged}: nothing in it can be read; restore it from a backup")
    with Store.open_damaged(path) as copy:
        done += repair_store(copy).done
        seal_search(copy)
    return Repaired(tuple(done), path)


def _copy(source: sqlite3.Connection, target: sqlite3.Connection) -> Iterator[str]:
    tables = [name for (name,) in target.execute(_COPIED).fetchall()]
    for table in tables:
        # A store of an earlier version lacks some columns.
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
    connection: sqlite3.Connection, table: str, requested: Iterable[str] | None = None
) -> list[str]:
    """Return the columns of a table, or the requested ones; none if the table is unreadable."""
    with suppress(sqlite3.DatabaseError):
        names = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
        return names if requested is None else [name for name in requested if name in names]
    return []


def _readable(source: sqlite3.Connection, table: str, names: str) -> Iterator[tuple[Any, ...]]:
    """Yield the readable rows of a table, from its start and then from its end."""
    for order in ("", *_backwards(source, table)):
        with suppress(sqlite3.DatabaseError):
            yield from source.execute(f"SELECT {names} FROM {table} NOT INDEXED {order}")
            return


def _backwards(source: sqlite3.Connection, table: str) -> Iterator[str]:
    """Yield the SQL clause for the reverse order of a table, by its primary key."""
    with suppress(sqlite3.DatabaseError):
        info = source.execute(f"PRAGMA table_info({table})").fetchall()
        keys = sorted((at, name) for _, name, _, _, _, at in info if at)
        yield f"ORDER BY {', '.join(f'{name} DESC' for _, name in keys)}"
