"""Perturbed entries and their judgements: add, count and load them, and verify the ledger."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from horsesense.errors import HorsesenseError, StoreError
from horsesense.perturbations.checks import SkippedEntry
from horsesense.perturbations.transformation import (
    VALID,
    Judgement,
    Ledgered,
    ProblemPair,
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
    """A judgement of a perturbed entry, as a row of the table."""

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
    """Store the checksum of a ledger."""
    query = "UPDATE perturbation SET ledger = ? WHERE pk = ?"
    connection.execute(query, (checksum, perturbation))
    (row,) = checksums.read_unchecked(connection, "perturbation", "WHERE pk = ?", (perturbation,))
    if checksums.is_signed("perturbation", row):
        checksums.sign(connection, "perturbation", perturbation)


def ledger_checksum(connection: sqlite3.Connection, perturbation: int) -> str:
    """Compute the checksum of a ledger; judgements without a checksum are left out."""
    query = "SELECT checksum FROM judgement WHERE perturbation = ? ORDER BY pk"
    rows = connection.execute(query, (perturbation,))
    return chained(str(checksum) for (checksum,) in rows if checksum != "")


def check_ledger(connection: sqlite3.Connection, perturbation: int) -> None:
    """Raise an error if a judgement is missing in a ledger."""
    rows = checksums.read(connection, "perturbation", "WHERE pk = ?", (perturbation,))
    for row in rows:
        if row["ledger"] != ledger_checksum(connection, perturbation):
            raise damage(
                f"the ledger of {row['name']}",
                "judgements are missing or were changed",
            )


def last_words(connection: sqlite3.Connection, perturbation: int) -> dict[str, Row]:
    """Return the last judgement of each perturbed entry, which is the valid one."""
    last = "WHERE pk IN (SELECT max(pk) FROM judgement WHERE perturbation = ? GROUP BY entry)"
    rows = checksums.read(connection, "judgement", last, (perturbation,))
    return {row["entry"]: row for row in rows}


_PAGE = 500
_LAST_WORD = (
    "(SELECT max(pk) FROM judgement AS j"
    " WHERE j.perturbation = perturbed.perturbation AND j.entry = perturbed.entry)"
)
# The fields of an original, joined as in the table of perturbed entries.
_ORIGINAL = (
    "entry.id, entry.name, grid.notation,"
    " ifnull((SELECT 'tags: ' || group_concat(tag, ', ') || char(10)"
    " FROM (SELECT tag FROM tag WHERE tag.entry = entry.pk ORDER BY position)), '')"
    " || iif(entry.note = '', '', 'note: ' || entry.note || char(10))"
    " || ifnull((SELECT group_concat(name || ': ' || value, char(10)) FROM field"
    " WHERE field.entry = entry.pk), '')"
)


@dataclass(frozen=True, slots=True)
class JudgementCounts:
    """The number of perturbed entries by their last judgement, and of those left out."""

    proposed: int
    accepted: int
    edited: int
    rejected: int
    left_out: int

    @property
    def share(self) -> Share:
        """The share of valid entries among the perturbed ones."""
        valid = self.accepted + self.edited
        return Share(valid, valid + self.proposed + self.rejected)


def count_validity(store: Store, perturbation: StoredPerturbation) -> JudgementCounts:
    """Count the entries of a perturbation by validity."""
    with store.reading() as connection:
        _check(store, connection, perturbation)
        words = last_words(connection, perturbation.pk).values()
        counts = Counter(_judgement(row).validity.value for row in words)
        query = "SELECT count(*) FROM left_out WHERE perturbation = ?"
        (left_out,) = connection.execute(query, (perturbation.pk,)).fetchone()
    return JudgementCounts(
        **{state.value: counts[state.value] for state in Validity}, left_out=left_out
    )


def count_judgements(store: Store, name: str) -> int:
    """Count the judgements of people on all perturbations of that name."""
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
    """Count the judgements of a perturbation that have no checksum."""
    query = "SELECT count(*) FROM judgement WHERE perturbation = ? AND checksum = ''"
    with store.reading() as connection:
        return int(connection.execute(query, (perturbation.pk,)).fetchone()[0])


def load_ledger(
    store: Store, perturbation: StoredPerturbation, *, validities: Collection[Validity] = ()
) -> Iterator[Ledgered]:
    """Load the perturbed entries in order, optionally of some validities, with the last judgement.

    They are read in pages, like those of a dataset, so judgements that are added in the meantime
    may be included.
    """
    position = 0
    while True:
        with store.reading() as connection:
            check_there(store, connection, perturbation)
            _check(store, connection, perturbation)
            rows = _ledger_rows(connection, perturbation, position, validities)
            judgements = _judgements(connection, [row[1] for row in rows])
        for position, pk, *row in rows:  # noqa: B007, the next page starts at the last position
            yield _ledgered(row, judgements.get(pk))
        if len(rows) < _PAGE:
            return


def load_pairs(
    store: Store, perturbation: StoredPerturbation
) -> dict[str, tuple[ProblemPair, ...]]:
    """Load the pairs of problems of each perturbed entry; edits do not change them."""
    loaded: dict[str, tuple[ProblemPair, ...]] = {}
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
                pair = ProblemPair(before, after, tuple(map(int, options.split(" "))))
            except (ValueError, TypeError, AttributeError) as error:
                raise StoreError(f"the pairs of {entry!r} are damaged: {error}") from error
            loaded[entry] = (*loaded.get(entry, ()), pair)
    return loaded


def accepted_in(store: Store, perturbation: StoredPerturbation, dataset: StoredDataset) -> set[str]:
    """Return the ids of entries that were judged valid in exactly the wording of the dataset."""
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


def load_left_out(store: Store, perturbation: StoredPerturbation) -> list[SkippedEntry]:
    """Load the entries to which the transformation does not apply, with the reasons."""
    with store.reading() as connection:
        check_content(store, connection, perturbation)
        query = "SELECT entry, reason FROM left_out WHERE perturbation = ? ORDER BY position"
        return [SkippedEntry(*row) for row in connection.execute(query, (perturbation.pk,))]


def load_history(store: Store, perturbation: StoredPerturbation, entry: str) -> list[Judgement]:
    """Load all judgements of a perturbed entry, the last one last.

    The first judgement is the program's; those carried over from an earlier application follow.
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
        # Left joins, so that missing rows are noticed.
        " LEFT JOIN entry ON entry.pk = perturbed.original LEFT JOIN grid ON grid.pk = entry.grid"
        f" LEFT JOIN judgement ON judgement.pk = {_LAST_WORD}"
        " WHERE perturbed.perturbation = ? AND perturbed.position > ?"
        f"{chosen if validities else ''} ORDER BY perturbed.position LIMIT {_PAGE}",
        (perturbation.pk, after, *validities),
    ).fetchall()


def _check(store: Store, connection: sqlite3.Connection, perturbation: StoredPerturbation) -> None:
    check_content(store, connection, perturbation)
    check_ledger(connection, perturbation.pk)


def _judgements(connection: sqlite3.Connection, keys: list[int | None]) -> dict[int | None, Row]:
    """Load judgements by primary key."""
    marks = ", ".join("?" * len(keys))
    rows = checksums.read(connection, "judgement", f"WHERE pk IN ({marks})", keys)
    return {row["pk"]: row for row in rows}


def _ledgered(row: list[Any], judged: Row | None) -> Ledgered:
    name, notation, fields, how, voucher, original, *before = row
    try:
        if judged is None or not all(isinstance(value, str) for value in row):
            raise ValueError("something is missing, or there are bytes instead of text")
        judgement = _judgement(judged)
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
        raise ValueError("its original does not match its id; import that again to repair it")
    return entry


def _entry(name: str, notation: str, lines: str) -> Entry:
    fields = Fields(id=name)
    for line in lines.split("\n"):
        if line:
            fields.read(line)
    return fields.entry(parse_grid(notation))
