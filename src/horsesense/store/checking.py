"""Checking a whole store: every part of it is sound, damaged, or cannot be verified."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from horsesense.errors import StoreError
from horsesense.store import checksums
from horsesense.store.checksums import Row as CheckedRow
from horsesense.store.checksums import printable
from horsesense.store.datasets import list_datasets, load_entries, unreadable_datasets
from horsesense.store.kept import is_damaged
from horsesense.store.observations import Row, is_whole
from horsesense.store.runs import run_places, verify_run
from horsesense.store.store import Store
from horsesense.store.verification import (
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
    told: list[str] = []
    try:
        for one in findings:
            told.append(one)
    except StoreError as error:
        told.append(str(error))
    return tuple(told)


def _search(store: Store) -> Checked:
    told = _found(verify_search(store))
    with store.reading() as connection:
        unverified = 0 if checksums.is_search_sealed(connection) else 1
    return Checked("the search index", told, unverified, _INDEX)


def _datasets(store: Store, watch: Watch) -> Iterator[Checked]:
    for part, why in unreadable_datasets(store):
        yield Checked(part, (why,), remedy=_FROM_SOURCE.format(file="FILE"))
    for dataset in list_datasets(store, all_versions=True, is_checked=False):
        name = f"{printable(dataset.name)}@{printable(dataset.version)}"
        entries = load_entries(store, dataset, is_checked=False)
        watched = watch(entries, f"checking {name}", dataset.entries)
        told = _found(verify_dataset(store, dataset, watched))
        with store.reading() as connection:
            values = (dataset.pk,)
            rows = checksums.read_unchecked(connection, "dataset", "WHERE pk = ?", values)
            unverified = _unsigned("dataset", rows)
            sources = checksums.read_unchecked(connection, "source", "WHERE dataset = ?", values)
        files = [printable(row["file"]) for row in sources if not row["is_companion"]]
        remedy = _FROM_SOURCE.format(file=files[-1] if files else "FILE")
        unverified += _unsigned("source", sources)
        yield Checked(f"dataset {name}", told, unverified, remedy)


def _perturbations(store: Store, watch: Watch) -> Iterator[Checked]:
    with store.reading() as connection:
        listed = checksums.read_unchecked(connection, "perturbation", "ORDER BY turn")
    for row in watch(listed, "checking perturbations", len(listed)):
        pk = row["pk"]
        told = _found(verify_perturbation(store, pk))
        with store.reading() as connection:
            rest = "WHERE perturbation = ?"
            said = checksums.read_unchecked(connection, "judgement", rest, (pk,))
            frozen = checksums.read_unchecked(connection, "frozen", rest, (pk,))
            told += tuple(_faults(connection, "frozen", frozen))
        unverified = _unsigned("perturbation", [row]) + _unsigned("judgement", said)
        unverified += _unsigned("frozen", frozen)
        yield Checked(f"perturbation {printable(row['name'])}", told, unverified, _APPLY)


def _runs(store: Store, watch: Watch) -> Iterator[Checked]:
    places = run_places(store)
    for id in watch(places, "checking runs", len(places)):
        told = _found(verify_run(store, id))
        yield Checked(f"run {printable(id)}", told, remedy=_REMOVES)


def _answers(store: Store, watch: Watch) -> Iterator[Checked]:
    with store.reading() as connection:
        models = checksums.read_unchecked(connection, "model", "ORDER BY pk")
    for model in models:
        with store.reading() as connection:
            rest = "WHERE model = ?"
            askings = checksums.read_unchecked(connection, "asking", rest, (model["pk"],))
            told = [*_faults(connection, "model", [model]), *_faults(connection, "asking", askings)]
            query = "SELECT count(*) FROM observation WHERE model = ?"
            (count,) = connection.execute(query, (model["pk"],)).fetchone()
            rows = damaged_rows(connection, model["pk"], model["fingerprint"])
            name = printable(model["name"])
            damaged = sum(bool(one) for one in watch(rows, f"checking answers of {name}", count))
        if damaged:
            told.append(f"{damaged} of {count} answers are not what their checksums say")
        unverified = _unsigned("model", [model]) + _unsigned("asking", askings)
        yield Checked(f"answers of {name}", tuple(told), unverified, _REPAIRS)


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
