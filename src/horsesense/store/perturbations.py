"""Perturbations in the store, found by name."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from horsesense.errors import StoreError, UnknownNameError
from horsesense.perturbations.transformation import Level, Purpose, Right, Touch
from horsesense.schema import Mode
from horsesense.store import checksums
from horsesense.store.datasets import StoredDataset, find_row
from horsesense.store.perturbed import DECLARED, TOUCHES_JOINED_BY
from horsesense.store.store import Store

# Who has made a proposal, and is the first to say what it is.
PROGRAM = "horsesense"
IS_CURRENT = "turn = (SELECT max(turn) FROM perturbation AS p WHERE p.name = perturbation.name)"
_COLUMNS = f"pk, id, original, applied_at, horsesense, {DECLARED}"


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
        rows = checksums.read(connection, "perturbation", f"WHERE {IS_CURRENT} ORDER BY name")
        listed = [_stored(connection, row) for row in rows]
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
        # All are looked at: one whose name is damaged may be the one that is meant.
        rows = checksums.read(connection, "perturbation", "ORDER BY turn")
        named = {row["name"]: row for row in rows}  # the current one comes last, and stays
        if name in named:
            return _stored(connection, named[name])
    raise UnknownNameError("perturbation", name, named)


def perturbation_of(store: Store, dataset: StoredDataset) -> StoredPerturbation | None:
    """The perturbation that a dataset was frozen from, if it was."""
    with store.reading() as connection:
        rest = "WHERE dataset = ? ORDER BY pk"
        rows = checksums.read(connection, "frozen", rest, (dataset.pk,))
        return load_perturbation(connection, rows[-1]["perturbation"]) if rows else None


def load_perturbation(connection: sqlite3.Connection, pk: int) -> StoredPerturbation:
    """A perturbation that is known to be there, the current one of its name or not."""
    rows = checksums.read(connection, "perturbation", "WHERE pk = ?", (pk,))
    if not rows:
        raise checksums.damage("a perturbation", "its record is gone")
    return _stored(connection, rows[0])


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


def _stored(connection: sqlite3.Connection, row: dict[str, Any]) -> StoredPerturbation:
    values = {name: row[name] for name in (one.strip('"') for one in _COLUMNS.split(", "))}
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
    rows = checksums.read(
        connection,
        "frozen",
        "JOIN perturbation ON perturbation.pk = frozen.perturbation"
        " WHERE perturbation.name = ? ORDER BY frozen.pk",
        (name,),
    )
    own = [row["dataset"] for row in rows if row["perturbation"] == pk]
    former = [row["dataset"] for row in rows if row["dataset"] is not None]
    dataset, outdated = (
        find_row(connection, "pk = ?", str(found[-1])) if found and found[-1] is not None else None
        for found in (own, former)
    )
    return dataset, None if dataset else outdated
