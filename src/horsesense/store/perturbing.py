"""Keeping perturbations.

One that is kept never changes: the same content again adds nothing, other content under the same
name is a new perturbation, which takes over what people have said of the wordings that stayed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from horsesense.errors import HorsesenseError, StoreError
from horsesense.perturbations.checks import LeftOut, Perturbed
from horsesense.perturbations.transformation import (
    Settings,
    Transformation,
    Voucher,
    first_validity,
)
from horsesense.schema import check_name
from horsesense.store import checksums
from horsesense.store.datasets import StoredDataset, find_row
from horsesense.store.judgements import NewJudgement, add_judgements
from horsesense.store.perturbations import (
    IS_CURRENT,
    PROGRAM,
    StoredPerturbation,
    load_perturbation,
)
from horsesense.store.perturbed import (
    DECLARED,
    LeftOutRow,
    PairRow,
    PerturbedRow,
    Rows,
    declared_values,
    perturbation_id,
    rows_of,
)
from horsesense.store.perturbed_content import current_id
from horsesense.store.store import Store
from horsesense.store.versions import installed_version


def save_perturbation(
    store: Store,
    name: str,
    original: StoredDataset,
    transformation: Transformation,
    settings: Settings,
    results: Iterable[Perturbed | LeftOut],
) -> tuple[StoredPerturbation, bool]:
    """Keep what has become of a dataset, and say whether that is new; it is current in any case.

    Others can write until all results have come. If they fail half-way, nothing is kept.
    """
    _check_keepable(store, name, original)
    declared = declared_values(name, transformation, settings)
    rows = rows_of(_places(store, original), results)
    with store.writing() as connection:
        pk, is_new = _keep(store, connection, original, declared, rows)
        return load_perturbation(connection, pk), is_new


def remove_perturbation(store: Store, perturbation: StoredPerturbation) -> None:
    """Remove all that was ever kept under that name; the datasets it was frozen to stay."""
    with store.writing() as connection:
        connection.execute("DELETE FROM perturbation WHERE name = ?", (perturbation.name,))


def keep_frozen(
    connection: sqlite3.Connection,
    perturbation: int,
    dataset: StoredDataset | None,
    *,
    is_unreviewed: bool = False,
) -> None:
    """Keep what a perturbation was frozen to, unless that is the last that is known of it.

    That nothing was valid is kept, too. If one of the two was removed meanwhile, there is nothing
    to keep.
    """
    pk = dataset.pk if dataset else None
    last = "SELECT dataset, unreviewed FROM frozen WHERE perturbation = ? ORDER BY pk DESC"
    if connection.execute(last, (perturbation,)).fetchone() != (pk, is_unreviewed):
        kept = connection.execute(
            "INSERT INTO frozen (perturbation, dataset, unreviewed, frozen_at)"
            " SELECT pk, ?, ?, ? FROM perturbation WHERE pk = ?"
            " AND (? IS NULL OR EXISTS (SELECT 1 FROM dataset WHERE pk = ?))",
            (pk, is_unreviewed, now(), perturbation, pk, pk),
        )
        if kept.rowcount:
            checksums.sign(connection, "frozen", kept.lastrowid)


def now() -> str:
    """The time in the form in which the store keeps it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _check_keepable(store: Store, name: str, original: StoredDataset) -> None:
    """Refuse a store that cannot be written to, and a name that cannot be a perturbation's."""
    if store.is_read_only:
        raise StoreError(f"{store.path} cannot be written to; choose another with --store")
    check_name(name, "a perturbation's name")
    if name == original.name:
        raise HorsesenseError(f"{name} is what the original is called; choose another name")


def _places(store: Store, original: StoredDataset) -> dict[str, int]:
    """The positions of the entries of the original by their ids, in order."""
    with store.reading() as connection:
        query = (
            "SELECT entry.name, membership.position FROM membership"
            " JOIN entry ON entry.pk = membership.entry WHERE membership.dataset = ?"
            " ORDER BY membership.position"
        )
        return dict(connection.execute(query, (original.pk,)).fetchall())


def _keep(
    store: Store,
    connection: sqlite3.Connection,
    original: StoredDataset,
    declared: list[Any],
    rows: Rows,
) -> tuple[int, bool]:
    """The key of a perturbation, and whether it is new; it is made the current one of its name."""
    if find_row(connection, "pk = ?", str(original.pk)) is None:
        raise StoreError(f"{original.name}@{original.version} is no longer in {store.path}")
    new_id = perturbation_id(original.id, declared, rows)
    known = connection.execute("SELECT pk FROM perturbation WHERE id = ?", (new_id,)).fetchone()
    turn = "(SELECT ifnull(max(turn), 0) + 1 FROM perturbation)"
    if known:
        pk = int(known[0])
        past = f"pk = ? AND NOT {IS_CURRENT}"
        connection.execute(f"UPDATE perturbation SET turn = {turn} WHERE {past}", (pk,))
        if current_id(connection, pk, original.id) != new_id:
            _mend(connection, pk, original, declared, rows)
        checksums.sign(connection, "perturbation", pk)
    else:
        cursor = connection.execute(
            f"INSERT INTO perturbation (turn, id, original, {DECLARED}, applied_at, horsesense)"
            f" VALUES ({turn}{', ?' * (len(declared) + 4)})",
            (new_id, original.pk, *declared, now(), installed_version("horsesense")),
        )
        assert cursor.lastrowid is not None
        pk = cursor.lastrowid
        _keep_rows(connection, pk, original, rows)
        checksums.sign(connection, "perturbation", pk)
    _carry_over(connection, pk)
    return pk, not known


def _keep_rows(
    connection: sqlite3.Connection, pk: int, original: StoredDataset, rows: Rows
) -> None:
    made = _keep_content(connection, pk, original, rows)
    said = (
        NewJudgement(row.entry, _first(row), row.voucher or PROGRAM, now(), row.notation)
        for row in made
    )
    add_judgements(connection, pk, said)


def _mend(
    connection: sqlite3.Connection,
    pk: int,
    original: StoredDataset,
    declared: list[Any],
    rows: Rows,
) -> None:
    """Write a damaged perturbation anew; what was said of its entries stays."""
    columns = DECLARED.split(", ")
    connection.execute(
        f"UPDATE perturbation SET original = ?, {', '.join(f'{one} = ?' for one in columns)}"
        " WHERE pk = ?",
        (original.pk, *declared, pk),
    )
    connection.execute("PRAGMA defer_foreign_keys = ON")
    connection.execute("DELETE FROM pair WHERE perturbation = ?", (pk,))
    connection.execute("DELETE FROM left_out WHERE perturbation = ?", (pk,))
    _keep_content(connection, pk, original, rows)


def _keep_content(
    connection: sqlite3.Connection, pk: int, original: StoredDataset, rows: Rows
) -> list[PerturbedRow]:
    made = [row for row in rows.entries if isinstance(row, PerturbedRow)]
    connection.executemany(
        "INSERT INTO perturbed"
        " (perturbation, position, entry, notation, fields, how, voucher, original)"
        " SELECT ?, ?, ?, ?, ?, ?, ?, entry FROM membership WHERE dataset = ? AND position = ?"
        " ON CONFLICT (perturbation, position) DO UPDATE SET entry = excluded.entry,"
        " notation = excluded.notation, fields = excluded.fields, how = excluded.how,"
        " voucher = excluded.voucher, original = excluded.original",
        ((pk, *row, original.pk, row.position) for row in made),
    )
    connection.executemany(
        "INSERT INTO left_out (perturbation, position, entry, reason) VALUES (?, ?, ?, ?)",
        ((pk, *row) for row in rows.entries if isinstance(row, LeftOutRow)),
    )
    connection.executemany(
        f"INSERT INTO pair (perturbation, {', '.join(PairRow._fields)}) VALUES (?, ?, ?, ?, ?)",
        ((pk, *row) for row in rows.pairs),
    )
    return made


def _first(row: PerturbedRow) -> str:
    return first_validity(Voucher(row.voucher)).value


def _carry_over(connection: sqlite3.Connection, pk: int) -> None:
    """Take over what people have said of entries that had the same wording before, and after.

    Of the perturbations that agree in this the last one has heard it all: only the current one
    is judged, and each has taken over what there was. The first judgement is the program's own.
    """
    sources = connection.execute(
        "SELECT new.entry, theirs.pk, max(theirs.turn) FROM perturbed AS new"
        " JOIN perturbation AS ours ON ours.pk = new.perturbation"
        " JOIN perturbation AS theirs ON theirs.name = ours.name AND theirs.pk <> ours.pk"
        " AND theirs.transformation = ours.transformation AND theirs.mode = ours.mode"
        " JOIN perturbed AS old ON old.perturbation = theirs.pk AND old.entry = new.entry"
        " AND old.notation = new.notation"
        " JOIN entry AS original ON original.pk = new.original"
        " JOIN entry AS before ON before.pk = old.original AND before.grid = original.grid"
        " WHERE new.perturbation = ? GROUP BY new.entry",
        (pk,),
    ).fetchall()
    for entry, source, _ in sources:
        query = "SELECT count(*) FROM judgement WHERE perturbation = ? AND entry = ?"
        (known,) = connection.execute(query, (pk, entry)).fetchone()
        rest = "WHERE perturbation = ? AND entry = ? ORDER BY pk"
        said = checksums.read(connection, "judgement", rest, (source, entry))
        add_judgements(connection, pk, (_again(row) for row in said[known:]))


def _again(row: checksums.Row) -> NewJudgement:
    """The same judgement for another ledger; one that cannot be verified stays so."""
    told = {name: row[name] for name in ("entry", "validity", "by", "at", "notation", "note")}
    return NewJudgement(**told, is_signed=checksums.is_signed("judgement", row))
