"""Keeping perturbations.

One that is kept never changes: the same content again adds nothing, other content under the same
name is a new perturbation, which takes over what people have said of the wordings that stayed.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from horsesense.datasets.exporters.thesis_text import published_line
from horsesense.errors import HorsesenseError, StoreError
from horsesense.perturbations import TRANSFORMATIONS, find_transformation, perturb
from horsesense.perturbations.checks import (
    LeftOut,
    Perturbed,
    check_changed,
    check_shape,
    sentences,
)
from horsesense.perturbations.transformation import (
    VALID,
    NotApplicable,
    Settings,
    Transformation,
    Validity,
    Voucher,
    first_validity,
    mode_after,
    pairs,
)
from horsesense.schema import (
    Dataset,
    Entry,
    Grid,
    Header,
    Mode,
    Source,
    check_name,
    modes,
    problems,
)
from horsesense.store import checksums
from horsesense.store.connection import Store
from horsesense.store.datasets import (
    StoredDataset,
    find_dataset,
    find_row,
    installed_version,
    list_datasets,
    load_entries,
    sources_of,
)
from horsesense.store.judged import (
    Counts,
    NewJudgement,
    accepted_in,
    add_judgements,
    count_validity,
    load_ledger,
)
from horsesense.store.perturbations import (
    DECLARED,
    IS_CURRENT,
    PROGRAM,
    LeftOutRow,
    PairRow,
    PerturbedRow,
    Rows,
    StoredPerturbation,
    check_current,
    check_other_mode,
    current_id,
    declared_values,
    find_perturbation,
    list_perturbations,
    load_perturbation,
    perturbation_id,
    rows_of,
)
from horsesense.store.saving import Saved, save_dataset


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
        f"UPDATE perturbation SET original = ?, {', '.join(f'{column} = ?' for column in columns)}"
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
    message = {name: row[name] for name in ("entry", "validity", "by", "at", "notation", "note")}
    return NewJudgement(**message, is_signed=checksums.is_signed("judgement", row))


def freeze(
    store: Store, perturbation: StoredPerturbation, *, unreviewed: bool = False
) -> Saved | None:
    """Make a dataset of the valid entries, and if asked for of the proposals too.

    If there are none there is no dataset, which is kept too: the one before is outdated. What is
    the same as before adds nothing.
    """
    wanted = VALID | {Validity.PROPOSED} if unreviewed else VALID
    with store.reading() as connection:  # so that all judgements are of one moment
        check_current(store, connection, perturbation)
        ledger = list(load_ledger(store, perturbation, validities=wanted))
    if not ledger:
        with store.writing() as connection:
            keep_frozen(connection, perturbation.pk, None)
        return None
    proposals = sum(one.judgement.validity is Validity.PROPOSED for one in ledger)
    original = perturbation.original
    source = Source(
        file=f"{original.name}@{original.version}",
        sha256=perturbation.id,
        bytes=0,
        importer=perturbation.transformation,
        importer_version=str(perturbation.version),
    )
    header, entries = _header(perturbation, proposals), (one.entry for one in ledger)
    saved = save_dataset(store, Dataset(header, entries, sources=[source]))
    with store.writing() as connection:
        keep_frozen(connection, perturbation.pk, saved.dataset, is_unreviewed=proposals > 0)
    return saved


def _header(perturbation: StoredPerturbation, proposals: int) -> Header:
    original = perturbation.original.header
    transformation, parameters = perturbation.transformation, perturbation.parameters
    note = published_line(original.note, transformation, parameters) or _told(perturbation)
    if proposals:
        note += f"; unreviewed: {proposals}"
    return Header(
        name=perturbation.name,
        title=f"{original.title or original.name}, {perturbation.title}",
        author=original.author,
        licence=original.licence,
        note=note,
        mode=mode_after(original.mode, perturbation.level, perturbation.mode),
    )


def _told(perturbation: StoredPerturbation) -> str:
    original = perturbation.original
    settings = perturbation.parameters | {"seed": str(perturbation.seed)}
    shown = ", ".join(
        # A value may be anything; a note is one line.
        f"{name} {value if value.isprintable() else json.dumps(value)}"
        for name, value in settings.items()
    )
    made_by = f"{perturbation.transformation} {perturbation.version}"
    return f"made from {original.name}@{original.version} by {made_by}: {shown}"


def adopt(
    store: Store,
    name: str,
    original: StoredDataset,
    transformation: Transformation,
    settings: Settings,
    dataset: StoredDataset,
) -> StoredPerturbation:
    """Take a dataset that somebody else has made for the perturbation; its author vouches for it.

    Entries belong together if they have the same id, and problems that pair. If all of them do, the
    dataset is what the perturbation is frozen to; otherwise those that do are frozen.
    """
    check_other_mode(store, original, transformation)
    entries = {entry.id: entry for entry in load_entries(store, dataset)}
    originals = {entry.id: entry for entry in load_entries(store, original)}
    strange = [entry for entry in entries if entry not in originals]
    if strange:
        raise HorsesenseError(
            f"{dataset.name} is no perturbation of {original.name}, which has no"
            f" {', '.join(strange[:5])}{' …' if len(strange) > 5 else ''}"
        )
    results = [
        _adopted(original, entries[original.id], transformation)
        if original.id in entries
        else LeftOut(original.id, f"not in {dataset.name}")
        for original in originals.values()
    ]
    _check_some_pair(original, dataset, transformation, results)
    kept, _ = save_perturbation(store, name, original, transformation, settings, results)
    if len(accepted_in(store, kept, dataset)) == dataset.entries:
        with store.writing() as connection:
            keep_frozen(connection, kept.pk, dataset)
    else:
        freeze(store, kept)
    return find_perturbation(store, name)


def _adopted(original: Entry, entry: Entry, transformation: Transformation) -> Perturbed | LeftOut:
    try:
        _check(original.grid, entry.grid, transformation)
    except NotApplicable as error:
        return LeftOut(original.id, str(error))
    found = pairs(original.grid, entry.grid, transformation)
    return Perturbed(entry, "imported", Voucher.AUTHOR, found)


def _check(before: Grid, after: Grid, transformation: Transformation) -> None:
    """Refuse what cannot be what the transformation makes, whoever has made it."""
    mode = transformation.mode
    if mode not in modes(after):
        raise NotApplicable(f"a {after.kind} cannot be solved {mode}")
    if mode is Mode.BY_ANSWER:
        check_changed(before, after)
    elif sentences(before) != sentences(after):
        raise NotApplicable(f"it is not the original, which is to be solved {mode}")
    check_shape(before, after, transformation)


def _check_some_pair(
    original: StoredDataset,
    dataset: StoredDataset,
    transformation: Transformation,
    results: list[Perturbed | LeftOut],
) -> None:
    """Refuse a dataset nothing of which can be taken."""
    if any(isinstance(result, Perturbed) for result in results):
        return
    missing = f"not in {dataset.name}"
    reasons = Counter(
        result.reason
        for result in results
        if isinstance(result, LeftOut) and result.reason != missing
    )
    message = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
    raise HorsesenseError(
        f"{dataset.name} is not {transformation.name} of {original.name}:"
        f" {message or 'it has no entries'}"
    )


_LONGEST_SLUG = 40
_SEED = re.compile(r"seed-?\d+")  # a value must not look like a seed


def _ignore(done: int, total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Applied:
    """The result of applying a transformation; if nothing was perturbed, nothing was stored."""

    total: int
    problems: int
    left_out: tuple[LeftOut, ...]
    stored: StoredPerturbation | None = None
    counts: Counts | None = None
    is_new: bool = False
    replaced: bool = False

    @property
    def perturbed(self) -> int:
        """The number of entries that were perturbed."""
        return self.total - len(self.left_out)

    @property
    def reasons(self) -> list[str]:
        """Why each of the other entries was left out."""
        return [one.reason for one in self.left_out]


def apply_transformation(
    store: Store,
    transformation: str,
    dataset: str,
    *,
    parameters: Mapping[str, str] | None = None,
    seed: int = 0,
    name: str | None = None,
    unreviewed: bool = False,
) -> Applied:
    """Apply a transformation to a stored dataset, both by name, and keep the perturbation.

    Without a `name`, it is called after the dataset, the transformation and the parameters that are
    set. What the author's material or a rule vouches for becomes a dataset of that name at once;
    proposals wait for a review, unless `unreviewed` is set.

        from horsesense.store import Store, apply_transformation

        with Store.open("horsesense.db") as store:
            apply_transformation(store, "switched", "kitchen").stored
    """
    found, original = find_transformation(transformation), find_dataset(store, dataset)
    settings = found.settings(dict(parameters or {}), seed=seed)
    called = name or perturbation_name(original, found, settings)
    check_free(store, called, found, original)
    check_other_mode(store, original, found)
    entries = list(load_entries(store, original))
    return apply_to(store, found, settings, called, original, entries, unreviewed=unreviewed)


def apply_to(
    store: Store,
    transformation: Transformation,
    settings: Settings,
    name: str,
    dataset: StoredDataset,
    entries: Sequence[Entry],
    *,
    unreviewed: bool = False,
    on_progress: Callable[[int, int], None] = _ignore,
) -> Applied:
    """Apply a transformation to the entries of a dataset, keep the perturbation, and freeze it."""
    results = []
    for done, result in enumerate(perturb(entries, transformation, settings), 1):
        results.append(result)
        on_progress(done, len(entries))
    left_out = tuple(result for result in results if isinstance(result, LeftOut))
    made = [result.entry for result in results if not isinstance(result, LeftOut)]
    number = sum(len(problems(entry.grid, transformation.mode)) for entry in made)
    if not made:
        return Applied(len(results), number, left_out)
    was_there = any(perturbation.name == name for perturbation in list_perturbations(store))
    stored, is_new = save_perturbation(store, name, dataset, transformation, settings, results)
    freeze(store, stored, unreviewed=unreviewed)
    counts = count_validity(store, stored)
    # Read again, as it has a dataset now.
    stored = find_perturbation(store, name)
    return Applied(len(results), number, left_out, stored, counts, is_new, was_there and is_new)


def perturbation_name(
    dataset: StoredDataset, transformation: Transformation, settings: Settings
) -> str:
    """Name a perturbation: dataset, transformation, values that are not the default, and seed."""
    values = [
        _slug(settings[parameter.name])
        for parameter in transformation.parameters
        if settings[parameter.name] != parameter.default
    ]
    seed = [f"seed{settings.seed}"] if settings.seed else []
    return ".".join([dataset.name, transformation.name, *values, *seed])


def check_free(
    store: Store,
    name: str,
    transformation: Transformation,
    original: StoredDataset,
    *,
    adopted: StoredDataset | None = None,
) -> None:
    """Refuse a name that something else has, unless it is the dataset that is to be adopted."""
    for known in list_perturbations(store):
        if known.name == name:
            if (known.transformation, known.original.name) == (transformation.name, original.name):
                return
            what = f"{known.transformation} of {known.original.name}"
            raise HorsesenseError(f"{name} is {what} already; choose another --name")
    for dataset in list_datasets(store):
        is_adopted = adopted is not None and adopted.name == name
        if dataset.name == name and not is_adopted and not _is_frozen(store, dataset):
            raise HorsesenseError(f"a dataset is called {name} already; choose another --name")


def _is_frozen(store: Store, dataset: StoredDataset) -> bool:
    """Say whether a dataset was frozen from a perturbation, which may have been removed since."""
    return any(source.importer in TRANSFORMATIONS for source in sources_of(store, dataset))


def _slug(value: str) -> str:
    """Make a value part of a name; one that is not spelt out in full gets digits of its hash.

    >>> _slug("short"), _slug("[MASK]"), _slug("<mask>"), _slug("…")
    ('short', 'mask-1762d1', 'mask-da5bb5', 'b49358')
    """
    words = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")
    if words and words == value and len(words) <= _LONGEST_SLUG and not _SEED.fullmatch(words):
        return words
    digits = sha256(value.encode()).hexdigest()[:6]
    return "-".join(filter(None, [words[:_LONGEST_SLUG].strip("-"), digits]))
