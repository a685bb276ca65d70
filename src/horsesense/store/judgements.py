"""Judgements on their way into the ledger, each with its checksum, and the ledger with one of all.

The checksum of a ledger is kept with its perturbation. It follows from those of its judgements in
their order, so that one that is gone is noticed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from horsesense.store import checksums
from horsesense.store.checksums import Row, chained, damage


class NewJudgement(NamedTuple):
    """What is said of a perturbed entry, as the table has it."""

    entry: str
    validity: str
    by: str
    at: str
    notation: str
    note: str = ""
    is_signed: bool = True


def add_judgements(
    connection: sqlite3.Connection, perturbation: int, judgements: Iterable[NewJudgement]
) -> None:
    """Add judgements to the ledger of a perturbation."""
    (last,) = connection.execute("SELECT ifnull(max(pk), 0) FROM judgement").fetchone()
    rows: list[Row] = []
    for pk, one in enumerate(judgements, start=last + 1):
        row: Row = {"pk": pk, "perturbation": perturbation, **one._asdict()}
        is_signed = row.pop("is_signed")
        row["checksum"] = checksums.checksum_of(connection, "judgement", row) if is_signed else ""
        rows.append(row)
    connection.executemany(
        'INSERT INTO judgement (pk, perturbation, entry, validity, "by", at, notation, note,'
        " checksum) VALUES (:pk, :perturbation, :entry, :validity, :by, :at, :notation, :note,"
        " :checksum)",
        rows,
    )
    query = "SELECT ledger FROM perturbation WHERE pk = ?"
    (before,) = connection.execute(query, (perturbation,)).fetchone()
    signed = (row["checksum"] for row in rows if row["checksum"])
    keep_ledger(connection, perturbation, chained(signed, before))


def keep_ledger(connection: sqlite3.Connection, perturbation: int, checksum: str) -> None:
    """Keep the checksum of a ledger."""
    query = "UPDATE perturbation SET ledger = ? WHERE pk = ?"
    connection.execute(query, (checksum, perturbation))
    (row,) = checksums.read_unchecked(connection, "perturbation", "WHERE pk = ?", (perturbation,))
    if checksums.is_signed("perturbation", row):
        checksums.sign(connection, "perturbation", perturbation)


def ledger_checksum(connection: sqlite3.Connection, perturbation: int) -> str:
    """The checksum of a ledger as it is now; judgements that have none do not count."""
    query = "SELECT checksum FROM judgement WHERE perturbation = ? ORDER BY pk"
    found = connection.execute(query, (perturbation,))
    return chained(str(one) for (one,) in found if one != "")


def check_ledger(connection: sqlite3.Connection, perturbation: int) -> None:
    """Refuse a ledger in which a judgement is missing."""
    rows = checksums.read(connection, "perturbation", "WHERE pk = ?", (perturbation,))
    for row in rows:
        if row["ledger"] != ledger_checksum(connection, perturbation):
            raise damage(
                f"the ledger of {row['name']}",
                "judgements are missing in it, or are not those that were given",
            )


def last_words(connection: sqlite3.Connection, perturbation: int) -> dict[str, Row]:
    """The judgement of each perturbed entry that counts."""
    last = "WHERE pk IN (SELECT max(pk) FROM judgement WHERE perturbation = ? GROUP BY entry)"
    rows = checksums.read(connection, "judgement", last, (perturbation,))
    return {row["entry"]: row for row in rows}
