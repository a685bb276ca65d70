"""Perturbations in the store, found by name."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from horsesense.errors import StoreError, UnknownNameError
from horsesense.perturbations.transformation import Level, Purpose, Right, Touch
from horsesense.schema import Mode
from horsesense.store.datasets import StoredDataset, find_row
from horsesense.store.perturbed import DECLARED, TOUCHES_JOINED_BY
from horsesense.store.store import Store

# Who has made a proposal, and is the first to say what it is.
PROGRAM = "horsesense"
IS_CURRENT = "turn = (SELECT max(turn) FROM perturbation AS p WHERE p.name = perturbation.name)"
_COLUMNS = f"pk, id, original, applied_at, horsesense, {DECLARED}"
_SELECT = f"SELECT {_COLUMNS} FROM perturbation"


@dataclass(frozen=True, slots=True)
class StoredPerturbation:
    """What a transformation has made of a dataset, as the store knows it.

    `version` and `title` are the transformation's. `dataset` is what it was frozen to last; where
    nothing was valid then there is none, and `outdated` is the one before.
    """

    pk: int
    id: str
    name: str
    original: StoredDataset
    transformation: str
    version: int
    title: str
    parameters: dict[str, str]
    seed: int
    mode: Mode
    level: Level
    purpose: Purpose
    touches: frozenset[Touch]
    right: Right
    applied_at: str
    horsesense: str
    dataset: StoredDataset | None
    outdated: StoredDataset | None = None


def list_perturbations(store: Store, *, original: str | None = None) -> list[StoredPerturbation]:
    """The current perturbations by name: all, or those of a dataset or of one version of it."""
    with store.reading() as connection:
        query = f"{_SELECT} WHERE {IS_CURRENT} ORDER BY name"
        listed = [_stored(connection, row) for row in connection.execute(query).fetchall()]
    if original is None:
        return listed
    return [
        one
        for one in listed
        if original in (one.original.name, f"{one.original.name}@{one.original.version}")
    ]


def find_perturbation(store: Store, name: str) -> StoredPerturbation:
    """The current perturbation of that name."""
    with store.reading() as connection:
        query = f"{_SELECT} WHERE name = ? AND {IS_CURRENT}"
        row = connection.execute(query, (name,)).fetchone()
        if row:
            return _stored(connection, row)
        known = connection.execute("SELECT DISTINCT name FROM perturbation").fetchall()
    raise UnknownNameError("perturbation", name, [one for (one,) in known])


def perturbation_of(store: Store, dataset: StoredDataset) -> StoredPerturbation | None:
    """The perturbation that a dataset was frozen from, if it was."""
    query = "SELECT perturbation FROM frozen WHERE dataset = ? ORDER BY pk DESC"
    with store.reading() as connection:
        row = connection.execute(query, (dataset.pk,)).fetchone()
        return load_perturbation(connection, row[0]) if row else None


def load_perturbation(connection: sqlite3.Connection, pk: int) -> StoredPerturbation:
    """A perturbation that is known to be there, the current one of its name or not."""
    row = connection.execute(f"{_SELECT} WHERE pk = ?", (pk,)).fetchone()
    return _stored(connection, row)


def check_there(
    store: Store, connection: sqlite3.Connection, perturbation: StoredPerturbation
) -> None:
    """Refuse a perturbation that somebody has removed meanwhile."""
    query = "SELECT 1 FROM perturbation WHERE pk = ?"
    if not connection.execute(query, (perturbation.pk,)).fetchone():
        raise StoreError(f"the perturbation {perturbation.name} is no longer in {store.path}")


def check_current(
    store: Store, connection: sqlite3.Connection, perturbation: StoredPerturbation
) -> None:
    """Refuse one in whose place another has come, where what is said would be lost."""
    check_there(store, connection, perturbation)
    query = f"SELECT 1 FROM perturbation WHERE pk = ? AND {IS_CURRENT}"
    if not connection.execute(query, (perturbation.pk,)).fetchone():
        raise StoreError(f"{perturbation.name} has been made anew meanwhile; look at it again")


def unknown_entry(
    connection: sqlite3.Connection, perturbation: StoredPerturbation, entry: str
) -> UnknownNameError:
    """The error that tells which entries of that name would be near."""
    query = "SELECT entry FROM perturbed WHERE perturbation = ? ORDER BY position"
    known = [str(name) for (name,) in connection.execute(query, (perturbation.pk,))]
    return UnknownNameError(f"entry of {perturbation.name}", entry, known)


def _stored(connection: sqlite3.Connection, row: tuple[Any, ...]) -> StoredPerturbation:
    columns = (column.strip('"') for column in _COLUMNS.split(", "))
    values = dict(zip(columns, row, strict=True))
    original = find_row(connection, "pk = ?", str(values["original"]))
    dataset, outdated = _frozen(connection, values["pk"], values["name"])
    try:
        if original is None:
            raise ValueError("its original is gone")
        values |= {
            "original": original,
            "version": values.pop("transformation_version"),
            "parameters": json.loads(values["parameters"]),
            "mode": Mode(values["mode"]),
            "level": Level(values["level"]),
            "purpose": Purpose(values["purpose"]),
            "touches": frozenset(
                map(Touch, filter(None, values["touches"].split(TOUCHES_JOINED_BY)))
            ),
            "right": Right(values["right"]),
            "dataset": dataset,
            "outdated": outdated,
        }
    except (ValueError, TypeError, AttributeError) as error:
        raise StoreError(f"the perturbation {values['name']!r} is damaged: {error}") from error
    return StoredPerturbation(**values)


def _frozen(
    connection: sqlite3.Connection, pk: int, name: str
) -> tuple[StoredDataset | None, StoredDataset | None]:
    """What a perturbation was frozen to last; if to nothing, what there was before of that name."""
    last = "SELECT dataset FROM frozen WHERE perturbation = ? ORDER BY pk DESC"
    former = (
        "SELECT dataset FROM frozen JOIN perturbation ON perturbation.pk = frozen.perturbation"
        " WHERE perturbation.name = ? AND dataset IS NOT NULL ORDER BY frozen.pk DESC"
    )
    found = [connection.execute(*one).fetchone() for one in ((last, (pk,)), (former, (name,)))]
    dataset, outdated = (
        find_row(connection, "pk = ?", str(row[0])) if row and row[0] is not None else None
        for row in found
    )
    return dataset, None if dataset else outdated
