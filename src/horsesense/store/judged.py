"""The entries of a perturbation, each with what has been said of it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from horsesense.errors import HorsesenseError, StoreError
from horsesense.perturbations.checks import LeftOut
from horsesense.perturbations.transformation import (
    VALID,
    Judgement,
    Ledgered,
    Pair,
    Validity,
    Voucher,
)
from horsesense.schema import Entry
from horsesense.schema.notation import Fields, content_id, joined_entry, parse_grid, written_fields
from horsesense.scoring.outcome import Share
from horsesense.store import checksums
from horsesense.store.checksums import Row, chained, damage
from horsesense.store.connection import Store
from horsesense.store.datasets import StoredDataset
from horsesense.store.perturbations import (
    PROGRAM,
    StoredPerturbation,
    check_content,
    check_there,
    unknown_entry,
)


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
    for pk, judgement in enumerate(judgements, start=last + 1):
        row: Row = {"pk": pk, "perturbation": perturbation, **judgement._asdict()}
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
    rows = connection.execute(query, (perturbation,))
    return chained(str(checksum) for (checksum,) in rows if checksum != "")


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


_PAGE = 500
_LAST_WORD = (
    "(SELECT max(pk) FROM judgement AS j"
    " WHERE j.perturbation = perturbed.perturbation AND j.entry = perturbed.entry)"
)
# The fields of an original, put together as those of a perturbed entry are kept.
_ORIGINAL = (
    "entry.id, entry.name, grid.notation,"
    " ifnull((SELECT 'tags: ' || group_concat(tag, ', ') || char(10)"
    " FROM (SELECT tag FROM tag WHERE tag.entry = entry.pk ORDER BY position)), '')"
    " || iif(entry.note = '', '', 'note: ' || entry.note || char(10))"
    " || ifnull((SELECT group_concat(name || ': ' || value, char(10)) FROM field"
    " WHERE field.entry = entry.pk), '')"
)


@dataclass(frozen=True, slots=True)
class Counts:
    """How many perturbed entries there are by the last word on them, and how many were left out."""

    proposed: int
    accepted: int
    edited: int
    rejected: int
    left_out: int

    @property
    def share(self) -> Share:
        """How many of the perturbed entries are valid."""
        valid = self.accepted + self.edited
        return Share(valid, valid + self.proposed + self.rejected)


def count_validity(store: Store, perturbation: StoredPerturbation) -> Counts:
    """How far the entries of a perturbation have been judged."""
    with store.reading() as connection:
        _check(store, connection, perturbation)
        words = last_words(connection, perturbation.pk).values()
        counts = Counter(_judgement(row).validity.value for row in words)
        query = "SELECT count(*) FROM left_out WHERE perturbation = ?"
        (left_out,) = connection.execute(query, (perturbation.pk,)).fetchone()
    return Counts(**{state.value: counts[state.value] for state in Validity}, left_out=left_out)


def count_judgements(store: Store, name: str) -> int:
    """How many judgements of people there are of all that ever had that name."""
    others = ", ".join(f"'{name}'" for name in (PROGRAM, *Voucher))
    with store.reading() as connection:
        (count,) = connection.execute(
            "SELECT count(*) FROM judgement JOIN perturbation"
            " ON perturbation.pk = judgement.perturbation"
            f' WHERE perturbation.name = ? AND judgement."by" NOT IN ({others})',
            (name,),
        ).fetchone()
    return int(count)


def count_unverified(store: Store, perturbation: StoredPerturbation) -> int:
    """How many judgements of a perturbation were given before there were checksums."""
    query = "SELECT count(*) FROM judgement WHERE perturbation = ? AND checksum = ''"
    with store.reading() as connection:
        return int(connection.execute(query, (perturbation.pk,)).fetchone()[0])


def load_ledger(
    store: Store, perturbation: StoredPerturbation, *, validities: Collection[Validity] = ()
) -> Iterator[Ledgered]:
    """The perturbed entries in order, or those of some validities, each with the last word on it.

    They are read page by page, as those of a dataset are; what is said meanwhile of an entry on
    a later page is in it.
    """
    position = 0
    while True:
        with store.reading() as connection:
            check_there(store, connection, perturbation)
            _check(store, connection, perturbation)
            rows = _ledger_rows(connection, perturbation, position, validities)
            said = _said(connection, [row[1] for row in rows])
        for position, pk, *row in rows:  # noqa: B007, the last is where the next page starts
            yield _ledgered(row, said.get(pk))
        if len(rows) < _PAGE:
            return


def load_pairs(store: Store, perturbation: StoredPerturbation) -> dict[str, tuple[Pair, ...]]:
    """The pairs of problems of each perturbed entry; an edited one has those it had."""
    loaded: dict[str, tuple[Pair, ...]] = {}
    with store.reading() as connection:
        check_there(store, connection, perturbation)
        check_content(store, connection, perturbation)
        rows = connection.execute(
            "SELECT pair.entry, before, after, options FROM pair JOIN perturbed"
            " ON perturbed.perturbation = pair.perturbation AND perturbed.entry = pair.entry"
            " WHERE pair.perturbation = ? ORDER BY position, before, after",
            (perturbation.pk,),
        )
        for entry, before, after, options in rows:
            try:
                pair = Pair(before, after, tuple(map(int, options.split(" "))))
            except (ValueError, TypeError, AttributeError) as error:
                raise StoreError(f"the pairs of {entry!r} are damaged: {error}") from error
            loaded[entry] = (*loaded.get(entry, ()), pair)
    return loaded


def accepted_in(store: Store, perturbation: StoredPerturbation, dataset: StoredDataset) -> set[str]:
    """The entries of a dataset that are valid in the very wording that they have there."""
    with store.reading() as connection:
        _check(store, connection, perturbation)
        words = last_words(connection, perturbation.pk).values()
        judged = {row["entry"]: row["notation"] for row in words if row["validity"] in VALID}
        rows = connection.execute(
            "SELECT entry.name, grid.notation FROM membership"
            " JOIN entry ON entry.pk = membership.entry JOIN grid ON grid.pk = entry.grid"
            " WHERE membership.dataset = ?",
            (dataset.pk,),
        )
        return {name for name, notation in rows if judged.get(name) == notation}


def load_left_out(store: Store, perturbation: StoredPerturbation) -> list[LeftOut]:
    """The entries to which the transformation does not apply, in order, with the reasons."""
    with store.reading() as connection:
        check_content(store, connection, perturbation)
        query = "SELECT entry, reason FROM left_out WHERE perturbation = ? ORDER BY position"
        return [LeftOut(*row) for row in connection.execute(query, (perturbation.pk,))]


def load_history(store: Store, perturbation: StoredPerturbation, entry: str) -> list[Judgement]:
    """All that was said of a perturbed entry, the last word last.

    What people had said of the same wording before the transformation was applied again follows
    what the program says of it now.
    """
    with store.reading() as connection:
        _check(store, connection, perturbation)
        rest = "WHERE perturbation = ? AND entry = ? ORDER BY pk"
        rows = checksums.read(connection, "judgement", rest, (perturbation.pk, entry))
        if not rows:
            raise unknown_entry(connection, perturbation, entry)
    return [_judgement(row) for row in rows]


def _ledger_rows(
    connection: sqlite3.Connection,
    perturbation: StoredPerturbation,
    after: int,
    validities: Collection[Validity],
) -> list[tuple[Any, ...]]:
    chosen = f" AND judgement.validity IN ({', '.join('?' * len(validities))})"
    return connection.execute(
        "SELECT perturbed.position, judgement.pk, perturbed.entry, perturbed.notation,"
        f" perturbed.fields, perturbed.how, perturbed.voucher, {_ORIGINAL} FROM perturbed"
        # What is missing is to be noticed, and not passed over.
        " LEFT JOIN entry ON entry.pk = perturbed.original LEFT JOIN grid ON grid.pk = entry.grid"
        f" LEFT JOIN judgement ON judgement.pk = {_LAST_WORD}"
        " WHERE perturbed.perturbation = ? AND perturbed.position > ?"
        f"{chosen if validities else ''} ORDER BY perturbed.position LIMIT {_PAGE}",
        (perturbation.pk, after, *validities),
    ).fetchall()


def _check(store: Store, connection: sqlite3.Connection, perturbation: StoredPerturbation) -> None:
    check_content(store, connection, perturbation)
    check_ledger(connection, perturbation.pk)


def _said(connection: sqlite3.Connection, places: list[int | None]) -> dict[int | None, Row]:
    """The judgements in those places of the ledger."""
    marks = ", ".join("?" * len(places))
    rows = checksums.read(connection, "judgement", f"WHERE pk IN ({marks})", places)
    return {row["pk"]: row for row in rows}


def _ledgered(row: list[Any], said: Row | None) -> Ledgered:
    name, notation, fields, how, voucher, original, *before = row
    try:
        if said is None or not all(isinstance(value, str) for value in row):
            raise ValueError("something is missing, or bytes stand in place of text")
        judgement = _judgement(said)
        entry = _entry(name, notation, fields)
        if judgement.notation != notation:
            entry = replace(entry, grid=parse_grid(judgement.notation))
        return Ledgered(_original(original, *before), entry, how, Voucher(voucher), judgement)
    except (HorsesenseError, ValueError) as error:
        raise StoreError(f"the perturbed entry {name!r} is damaged: {error}") from error


def _judgement(row: Row) -> Judgement:
    try:
        return Judgement(
            row["entry"],
            Validity(row["validity"]),
            row["by"],
            row["at"],
            row["notation"],
            row["note"],
        )
    except ValueError as error:
        raise damage(f"a judgement of {row['entry']!r}", str(error)) from error


def _original(id: str, name: str, notation: str, lines: str) -> Entry:
    entry = _entry(name, notation, lines)
    if content_id("entry", joined_entry(name, notation, written_fields(entry))) != id:
        raise ValueError("its original is not what its id says; import that again, to mend it")
    return entry


def _entry(name: str, notation: str, lines: str) -> Entry:
    fields = Fields(id=name)
    for line in lines.split("\n"):
        if line:
            fields.read(line)
    return fields.entry(parse_grid(notation))
