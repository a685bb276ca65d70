"""Runs in the store: save, find, load, verify and remove the results of evaluations.

The first part writes and reads the rows of a run, the second part works with runs by key, id or
model.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from functools import partial
from itertools import chain, islice
from math import isclose
from pathlib import Path
from typing import Any, TypeAlias, get_args, get_origin

from horsesense.errors import FileError, HorsesenseError, StoreError, UnknownNameError
from horsesense.results import (
    ALL,
    ORIGINAL,
    Estimate,
    EstimateKind,
    ModelSubject,
    Plan,
    Record,
    Results,
)
from horsesense.results.kept import (
    FORMER_COLUMNS,
    FORMER_TABLES,
    LATER_COLUMNS,
    LATER_TABLES,
    TABLES,
    Rows,
    Tables,
    columns_of,
    estimates_from,
    from_tables,
    to_tables,
)
from horsesense.results.record import FORMER_FIELDS
from horsesense.store import checksums
from horsesense.store.connection import Store

# Infinity in JSON: a valid number that is too large for a float.
_INFINITE = "1e999"
# Tables in the order in which rows are removed, referring tables first. Cascading deletes would be
# slow, as they scan all answers for each answer set.
_REMOVED = ("answers", *(table for table in TABLES if table not in ("answers", "run")))

_NUMBERS = (tuple[float, ...], tuple[float | None, ...])
_CHUNK = 1000
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode

_Column: TypeAlias = Sequence[Any]


def write_rows(connection: sqlite3.Connection, tables: Tables) -> None:
    """Write all rows of a new run."""
    (record,) = _encode_rows("run", tables["run"])
    names, marks = _names("run"), ", ".join("?" * len(record))
    run = connection.execute(f"INSERT INTO run ({names}) VALUES ({marks})", record).lastrowid
    assert run is not None
    for table in list(TABLES)[1:]:
        columns = columns_of(table)
        connection.executemany(
            f"INSERT INTO {FORMER_TABLES[table]} (run, position, {_names(table)})"
            f" VALUES ({run}, ?{', ?' * len(columns)})",
            ((at, *row) for at, row in enumerate(_encode_rows(table, tables[table]))),
        )
    checksum = checksum_of(connection, run)
    connection.execute("UPDATE run SET checksum = ? WHERE pk = ?", (checksum, run))
    checksums.sign(connection, "run", run)


def read_rows(
    connection: sqlite3.Connection, run: int, *, is_checked: bool = True
) -> dict[str, Rows]:
    """Read all rows of a run and decode them, except answers; see `read_answers`.

    Rows that do not match the checksum of the run are an error, unless `is_checked` is false.
    """
    rows = {table: _select(connection, table, run).fetchall() for table in TABLES}
    query = "SELECT checksum FROM run WHERE pk = ?"
    if is_checked and connection.execute(query, (run,)).fetchone() != (_checksum(rows),):
        raise ValueError("it does not match its checksum")
    return {
        table: encoded if table == "answers" else _decode(table, encoded)
        for table, encoded in rows.items()
    }


def read_table(connection: sqlite3.Connection, table: str, run: int) -> Rows:
    """Read and decode the rows of a run in one table."""
    return _decode(table, _select(connection, table, run).fetchall())


def read_answers(rows: Rows) -> Rows:
    """Decode some answers."""
    return _decode("answers", rows)


def remove_rows(connection: sqlite3.Connection, run: int) -> None:
    """Remove all rows of a run."""
    for table in _REMOVED:
        connection.execute(f"DELETE FROM {FORMER_TABLES[table]} WHERE run = ?", (run,))
    connection.execute("DELETE FROM run WHERE pk = ?", (run,))


def checksum_of(connection: sqlite3.Connection, run: int) -> str:
    """Compute the checksum of a run from all its rows."""
    return _checksum({table: _select(connection, table, run) for table in TABLES})


def _checksum(tables: Mapping[str, Iterable[tuple[Any, ...]]]) -> str:
    digest = hashlib.sha256()
    for table, rows in tables.items():
        remaining = _as_before(table, rows)
        if table in LATER_TABLES:
            first = [*islice(remaining, 1)]
            if not first:
                continue
            remaining = chain(first, remaining)
        digest.update(f"{FORMER_TABLES[table]}\n".encode())
        while chunk := list(islice(remaining, _CHUNK)):
            digest.update("".join(map(repr, chunk)).encode())
    return digest.hexdigest()


def _as_before(table: str, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Leave out columns that earlier versions do not have where they are empty.

    The checksums of earlier versions thus stay valid.
    """
    if table not in LATER_COLUMNS:
        return iter(rows)
    missing = [LATER_COLUMNS[table].get(name) for name in columns_of(table)]
    return (
        tuple(
            value
            for value, empty in zip(row, missing, strict=True)
            if empty is None or value != empty
        )
        for row in rows
    )


def _select(connection: sqlite3.Connection, table: str, run: int) -> sqlite3.Cursor:
    key, order = ("pk", "pk") if table == "run" else ("run", "position")
    query = f"SELECT {_names(table)} FROM {FORMER_TABLES[table]} WHERE {key} = ? ORDER BY {order}"
    return connection.execute(query, (run,))


def _names(table: str) -> str:
    return ", ".join(f'"{FORMER_COLUMNS.get(name, name)}"' for name in columns_of(table))


def _encode_rows(table: str, rows: Rows) -> Rows:
    """Encode values that are not plain numbers or text as JSON."""
    hints = columns_of(table).values()
    columns = [
        _encode_column(hint, column) if _is_packed(hint) else column
        for hint, column in zip(hints, zip(*rows, strict=True), strict=False)
    ]
    return list(zip(*columns, strict=True))


def _encode_column(hint: Any, column: _Column) -> _Column:
    if hint is Plan:
        return [_encode(asdict(plan)) for plan in column]
    texts = map(_encode, column)
    return [text.replace("Infinity", _INFINITE) for text in texts] if hint in _NUMBERS else [*texts]


def _decode(table: str, rows: Rows) -> Rows:
    """Decode rows to the values they had before they were written."""
    hints = columns_of(table).values()
    if not any(hint is bool or _is_packed(hint) for hint in hints):
        return rows
    columns = [
        _decode_column(hint, column)
        for hint, column in zip(hints, zip(*rows, strict=True), strict=False)
    ]
    return list(zip(*columns, strict=True))


def _decode_column(hint: Any, column: _Column) -> _Column:
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
        raise ValueError("its plan is not a JSON object")
    fields: dict[str, Any] = {
        FORMER_FIELDS.get(name, name): tuple(field) if isinstance(field, list) else field
        for name, field in value.items()
    }
    return Plan(**fields)


# Stands for the id of the latest run.
LATEST = "latest"
# The metrics that `load_accuracies` loads.
ACCURACIES = ("problem-accuracy", "schema-accuracy")


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The record of a run, with the names of its models, datasets and baselines."""

    record: Record
    models: tuple[str, ...]
    datasets: tuple[str, ...]
    baselines: tuple[str, ...] = ()

    @property
    def evaluated(self) -> tuple[str, ...]:
        """The models except for baselines that the plan does not name; all if that leaves none."""
        unnamed = set(self.baselines).difference(self.record.plan.models)
        return tuple(model for model in self.models if model not in unnamed) or self.models


def keep_run(store: Store, results: Results, *, replace: bool = False) -> None:
    """Save the results of a run in one transaction.

    A run that is already stored under the same key is kept, unless `replace` is set.
    """
    if not replace and find_run(store, results.record.key) is not None:
        return
    tables = to_tables(results)
    with store.writing() as connection:
        # Checked under the lock, as another process may have been faster.
        former = _find_key(connection, results.record.key)
        if former is not None and replace:
            remove_rows(connection, former)
        if former is None or replace:
            write_rows(connection, tables)


def find_run(store: Store, key: str) -> Record | None:
    """Find the record of the run with that key, or return None."""
    with store.reading() as connection:
        run = _find_key(connection, key)
        return None if run is None else _record(connection, run)


def load_run(store: Store, id: str = LATEST) -> Results:
    """Load the results of a run by its id, a unique prefix of it, or `latest`."""
    with store.reading() as connection:
        run = _find_id(connection, id)
        with _damage_of(id):
            return _results(connection, id, run)


def list_runs(store: Store) -> tuple[RunSummary, ...]:
    """List all runs, in the order in which they were saved."""
    with store.reading() as connection:
        return tuple(_summary(connection, run) for run in _keys(connection).values())


def load_accuracies(store: Store, id: str) -> tuple[Estimate, ...]:
    """Load the accuracies of each model on each unperturbed dataset by the standard method.

    Unlike `load_run`, this reads only these numbers, so it compares them with their counts instead
    of the whole run with its checksum.
    """
    condition = (
        "run = ? AND kind = ? AND form = ? AND subset = ? AND metric IN (?, ?) ORDER BY position"
    )
    query = f"SELECT {_names('estimates')} FROM {FORMER_TABLES['estimates']} WHERE {condition}"
    with store.reading() as connection:
        run = _find_id(connection, id)
        wanted = (run, EstimateKind.VALUE, ORIGINAL, ALL, *ACCURACIES)
        with _damage_of(id):
            estimates = estimates_from(
                _decode("estimates", connection.execute(query, wanted).fetchall())
            )
            models = read_table(connection, "models", run)
            _check_shares(estimates)
    at = {name: position for position, name in enumerate(columns_of("models"))}
    standard = {model[at["name"]]: dict(model[at["standard"]]) for model in models}
    return tuple(
        estimate
        for estimate in estimates
        if standard.get(estimate.key.model, {}).get(estimate.key.dataset) == estimate.key.method
    )


def _check_shares(estimates: Iterable[Estimate]) -> None:
    """Raise an error if a share is not its count out of its total."""
    for estimate in estimates:
        value, count, total = estimate.value, estimate.count, estimate.total
        if value is None or count is None or not total:
            continue
        if not isclose(value, count / total):
            raise ValueError(f"{estimate.metric} of {estimate.key.model} does not match its count")


def remove_run(store: Store, id: str) -> None:
    """Remove a run with all its rows; the answers of its models stay."""
    with store.writing() as connection:
        remove_rows(connection, _find_id(connection, id))


def verify_runs(store: Store) -> dict[str, list[str]]:
    """Return the faults of all runs by id."""
    with store.reading() as connection:
        keys = _keys(connection)
        return {id: list(_verify(connection, id, run)) for id, run in keys.items()}


def verify_run(store: Store, id: str) -> Iterator[str]:
    """Yield the faults of a run."""
    with store.reading() as connection:
        yield from _verify(connection, id, _keys(connection)[id])


def run_keys(store: Store) -> dict[str, int]:
    """Return the primary keys of the runs by id, in the order in which they were saved."""
    with store.reading() as connection:
        return _keys(connection)


def _verify(connection: sqlite3.Connection, id: str, run: int) -> Iterator[str]:
    query = "SELECT checksum FROM run WHERE pk = ?"
    if connection.execute(query, (run,)).fetchone() != (checksum_of(connection, run),):
        yield "the run as a whole does not match its checksum"
    else:
        for row in checksums.read_unchecked(connection, "run", "WHERE pk = ?", (run,)):
            if checksums.fault(connection, "run", row):
                yield "the summary of the run does not match its checksum"
    try:
        with _damage_of(id):
            for _ in _results(connection, id, run, is_checked=False).answer_sets.values():
                pass  # reading raises errors
    except StoreError as error:
        yield f"it cannot be read: {error}"


def _results(
    connection: sqlite3.Connection, id: str, run: int, *, is_checked: bool = True
) -> Results:
    rows = read_rows(connection, run, is_checked=is_checked)
    return from_tables(rows, partial(_answers, id))


def _answers(id: str, rows: Rows) -> Rows:
    """Decode the answers of an answer set, which is done when they are used."""
    with _damage_of(id):
        return read_answers(rows)


def _summary(connection: sqlite3.Connection, run: int) -> RunSummary:
    names = (
        tuple(name for (name,) in connection.execute(query, (run,)))
        for query in (
            "SELECT name FROM run_model WHERE run = ? ORDER BY position",
            "SELECT name FROM run_dataset WHERE run = ? ORDER BY position",
            "SELECT name FROM run_model WHERE run = ? AND is_baseline ORDER BY position",
        )
    )
    return RunSummary(_record(connection, run), *names)


def _record(connection: sqlite3.Connection, run: int) -> Record:
    checksums.read(connection, "run", "WHERE pk = ?", (run,))
    with _damage_of(run):
        ((*values,),) = read_table(connection, "run", run)
    return Record(**dict(zip(Record.__slots__, values, strict=True)))


def _find_key(connection: sqlite3.Connection, key: str) -> int | None:
    row = connection.execute("SELECT pk FROM run WHERE key = ?", (key,)).fetchone()
    return None if row is None else int(row[0])


def _keys(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT id, pk FROM run ORDER BY pk").fetchall())


def _find_id(connection: sqlite3.Connection, id: str) -> int:
    keys = _keys(connection)
    if id == LATEST and keys:
        return max(keys.values())
    if id in keys:
        return keys[id]
    matches = [known for known in keys if known.startswith(id)] if id else []
    if len(matches) > 1:
        listed = ", ".join(matches)
        raise StoreError(
            f"several runs start with {id!r}: {listed}; give more characters of the id"
        )
    if not matches:
        remedy = "" if keys else "there is none yet; 'horsesense run' creates one"
        raise UnknownNameError("run", id, keys, remedy=remedy)
    return keys[matches[0]]


@contextmanager
def _damage_of(run: object) -> Iterator[None]:
    """Turn errors about inconsistent rows into an error that names the run."""
    try:
        yield
    except (ValueError, TypeError, LookupError) as error:
        raise StoreError(
            f"the run {run} is damaged ({error}); remove it ('horsesense runs remove {run}'),"
            " and the next run creates it again"
        ) from error


# How to make a file of results.
_MAKES = "'horsesense report --format json' makes a file of results"


@contextmanager
def open_runs(path: Path) -> Iterator[Store]:
    """Open the store with the runs; if it does not exist, the error says how to create it."""
    if not path.exists():
        raise StoreError(f"there is no store at {path}; 'horsesense run' creates one")
    with Store.open(path) as store:
        yield store


def load_results(store: Store, *, model: str | None = None, run: str | None = None) -> Results:
    """Load the results of a run, or of the latest run, or of the latest that has a model.

    `run` is an id, or the beginning of one.
    """
    if run is not None or model is None:
        return load_run(store, run or LATEST)
    runs = list_runs(store)
    for summary in reversed(runs):
        if model in summary.models:
            return load_run(store, summary.record.id)
    raise unknown_model(model, runs)


def find_model(results: Results, name: str | None) -> ModelSubject:
    """Find the model of that name in results; without a name, the first one evaluated."""
    if not results.models:
        raise HorsesenseError(f"the run {results.record.id} has no models; evaluate one with it")
    if name is None:
        return results.evaluated[0]
    for model in results.models:
        if model.name == name:
            return model
    known = [model.name for model in results.models]
    raise UnknownNameError(f"model in the run {results.record.id}", name, known)


def read_results(source: str) -> Results:
    """Read a file of results, as `horsesense report --format json` writes it."""
    # Imported here, as these imports take a while.
    from horsesense.datasets.files import read_bytes
    from horsesense.results.document import read_document

    if Path(source).is_dir():
        raise FileError(f"{source} is a folder; {_MAKES}")
    data = read_bytes(source)
    if not data.strip():
        raise FileError(f"{source} is empty; {_MAKES}")
    try:
        return read_document(data)
    except FileError as error:
        raise FileError(f"{source}: {error}; {_MAKES}") from error


def unknown_model(name: str, runs: tuple[RunSummary, ...]) -> UnknownNameError:
    """Return the error for a model that no run has: the nearest names, or how to evaluate it."""
    known = list(dict.fromkeys(model for run in runs for model in run.models))
    if get_close_matches(name, known, n=1):
        return UnknownNameError("model in any run", name, known)
    if name and any(run.record.id.startswith(name) for run in runs):
        remedy = f"it is the id of a run: use --run {name}"
        return UnknownNameError("model in any run", name, known, remedy=remedy)
    listed = f"the runs have {', '.join(known)}" if known else "there is no run yet"
    remedy = f"{listed}; 'horsesense run --model {name}' evaluates it"
    return UnknownNameError("model in any run", name, known, remedy=remedy)
