"""Apply transformations to stored datasets: save, freeze, adopt, name and remove perturbations.

A stored perturbation never changes. Saving the same content again adds nothing. Other content
under the same name is a new perturbation, which takes over the judgements of unchanged wordings.
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
    Perturbed,
    SkippedEntry,
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
    JudgementCounts,
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
    results: Iterable[Perturbed | SkippedEntry],
) -> tuple[StoredPerturbation, bool]:
    """Save a perturbation as the current one of its name; return it and whether it is new.

    Other processes can write until all results are complete. If one fails, nothing is saved.
    """
    _check_can_save(store, name, original)
    declared = declared_values(name, transformation, settings)
    rows = rows_of(_positions(store, original), results)
    with store.writing() as connection:
        pk, is_new = _save(store, connection, original, declared, rows)
        return load_perturbation(connection, pk), is_new


def remove_perturbation(store: Store, perturbation: StoredPerturbation) -> None:
    """Remove all perturbations of that name; the datasets they were frozen to stay."""
    with store.writing() as connection:
        connection.execute("DELETE FROM perturbation WHERE name = ?", (perturbation.name,))


def record_frozen(
    connection: sqlite3.Connection,
    perturbation: int,
    dataset: StoredDataset | None,
    *,
    is_unreviewed: bool = False,
) -> None:
    """Record the dataset that a perturbation was frozen to, unless the last record is the same.

    None records that nothing was valid. If the perturbation or the dataset was removed in the
    meantime, nothing is recorded.
    """
    pk = dataset.pk if dataset else None
    last = "SELECT dataset, unreviewed FROM frozen WHERE perturbation = ? ORDER BY pk DESC"
    if connection.execute(last, (perturbation,)).fetchone() != (pk, is_unreviewed):
        inserted = connection.execute(
            "INSERT INTO frozen (perturbation, dataset, unreviewed, frozen_at)"
            " SELECT pk, ?, ?, ? FROM perturbation WHERE pk = ?"
            " AND (? IS NULL OR EXISTS (SELECT 1 FROM dataset WHERE pk = ?))",
            (pk, is_unreviewed, now(), perturbation, pk, pk),
        )
        if inserted.rowcount:
            checksums.sign(connection, "frozen", inserted.lastrowid)


def now() -> str:
    """Return the current time in the format of the store."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _check_can_save(store: Store, name: str, original: StoredDataset) -> None:
    """Raise an error if the store is read-only, or the name cannot be used."""
    if store.is_read_only:
        raise StoreError(f"{store.path} cannot be written to; choose another with --store")
    check_name(name, "a perturbation's name")
    if name == original.name:
        raise HorsesenseError(f"{name} is the name of the original; choose another name")


def _positions(store: Store, original: StoredDataset) -> dict[str, int]:
    """Return the positions of the original's entries by id, in order."""
    with store.reading() as connection:
        query = (
            "SELECT entry.name, membership.position FROM membership"
            " JOIN entry ON entry.pk = membership.entry WHERE membership.dataset = ?"
            " ORDER BY membership.position"
        )
        return dict(connection.execute(query, (original.pk,)).fetchall())


def _save(
    store: Store,
    connection: sqlite3.Connection,
    original: StoredDataset,
    declared: list[Any],
    rows: Rows,
) -> tuple[int, bool]:
    """Save a perturbation as the current one; return its primary key and whether it is new."""
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
            _repair(connection, pk, original, declared, rows)
        checksums.sign(connection, "perturbation", pk)
    else:
        cursor = connection.execute(
            f"INSERT INTO perturbation (turn, id, original, {DECLARED}, applied_at, horsesense)"
            f" VALUES ({turn}{', ?' * (len(declared) + 4)})",
            (new_id, original.pk, *declared, now(), installed_version("horsesense")),
        )
        assert cursor.lastrowid is not None
        pk = cursor.lastrowid
        _save_rows(connection, pk, original, rows)
        checksums.sign(connection, "perturbation", pk)
    _carry_over(connection, pk)
    return pk, not known


def _save_rows(
    connection: sqlite3.Connection, pk: int, original: StoredDataset, rows: Rows
) -> None:
    perturbed = _save_content(connection, pk, original, rows)
    judgements = (
        NewJudgement(row.entry, _first_validity(row), row.voucher or PROGRAM, now(), row.notation)
        for row in perturbed
    )
    add_judgements(connection, pk, judgements)


def _repair(
    connection: sqlite3.Connection,
    pk: int,
    original: StoredDataset,
    declared: list[Any],
    rows: Rows,
) -> None:
    """Rewrite a damaged perturbation, but keep its judgements."""
    columns = DECLARED.split(", ")
    connection.execute(
        f"UPDATE perturbation SET original = ?, {', '.join(f'{column} = ?' for column in columns)}"
        " WHERE pk = ?",
        (original.pk, *declared, pk),
    )
    connection.execute("PRAGMA defer_foreign_keys = ON")
    connection.execute("DELETE FROM pair WHERE perturbation = ?", (pk,))
    connection.execute("DELETE FROM left_out WHERE perturbation = ?", (pk,))
    _save_content(connection, pk, original, rows)


def _save_content(
    connection: sqlite3.Connection, pk: int, original: StoredDataset, rows: Rows
) -> list[PerturbedRow]:
    perturbed = [row for row in rows.entries if isinstance(row, PerturbedRow)]
    connection.executemany(
        "INSERT INTO perturbed"
        " (perturbation, position, entry, notation, fields, how, voucher, original)"
        " SELECT ?, ?, ?, ?, ?, ?, ?, entry FROM membership WHERE dataset = ? AND position = ?"
        " ON CONFLICT (perturbation, position) DO UPDATE SET entry = excluded.entry,"
        " notation = excluded.notation, fields = excluded.fields, how = excluded.how,"
        " voucher = excluded.voucher, original = excluded.original",
        ((pk, *row, original.pk, row.position) for row in perturbed),
    )
    connection.executemany(
        "INSERT INTO left_out (perturbation, position, entry, reason) VALUES (?, ?, ?, ?)",
        ((pk, *row) for row in rows.entries if isinstance(row, LeftOutRow)),
    )
    connection.executemany(
        f"INSERT INTO pair (perturbation, {', '.join(PairRow._fields)}) VALUES (?, ?, ?, ?, ?)",
        ((pk, *row) for row in rows.pairs),
    )
    return perturbed


def _first_validity(row: PerturbedRow) -> str:
    return first_validity(Voucher(row.voucher)).value


def _carry_over(connection: sqlite3.Connection, pk: int) -> None:
    """Copy people's judgements of entries whose original and perturbed wordings are unchanged.

    The latest perturbation with the same wordings has all judgements, as only the current one is
    judged and each copies those of its predecessors. The first judgement is the program's own.
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
        judgements = checksums.read(connection, "judgement", rest, (source, entry))
        add_judgements(connection, pk, map(_copy, judgements[known:]))


def _copy(row: checksums.Row) -> NewJudgement:
    """Copy a judgement for another ledger; an unsigned one stays unsigned."""
    values = {name: row[name] for name in ("entry", "validity", "by", "at", "notation", "note")}
    return NewJudgement(**values, is_signed=checksums.is_signed("judgement", row))


def freeze(
    store: Store, perturbation: StoredPerturbation, *, unreviewed: bool = False
) -> Saved | None:
    """Make a dataset of the valid entries, and with `unreviewed` also of the proposals.

    If there are no such entries, this is recorded: the previous dataset is outdated. Freezing the
    same entries again adds nothing.
    """
    validities = VALID | {Validity.PROPOSED} if unreviewed else VALID
    with store.reading() as connection:  # one transaction for a consistent state
        check_current(store, connection, perturbation)
        ledger = list(load_ledger(store, perturbation, validities=validities))
    if not ledger:
        with store.writing() as connection:
            record_frozen(connection, perturbation.pk, None)
        return None
    proposals = sum(ledgered.judgement.validity is Validity.PROPOSED for ledgered in ledger)
    original = perturbation.original
    source = Source(
        file=f"{original.name}@{original.version}",
        sha256=perturbation.id,
        bytes=0,
        importer=perturbation.transformation,
        importer_version=str(perturbation.version),
    )
    entries = (ledgered.entry for ledgered in ledger)
    dataset = Dataset(_header(perturbation, proposals), entries, sources=[source])
    saved = save_dataset(store, dataset)
    with store.writing() as connection:
        record_frozen(connection, perturbation.pk, saved.dataset, is_unreviewed=proposals > 0)
    return saved


def _header(perturbation: StoredPerturbation, proposals: int) -> Header:
    original = perturbation.original.header
    transformation, parameters = perturbation.transformation, perturbation.parameters
    note = published_line(original.note, transformation, parameters) or _note(perturbation)
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


def _note(perturbation: StoredPerturbation) -> str:
    original = perturbation.original
    settings = perturbation.parameters | {"seed": str(perturbation.seed)}
    values = ", ".join(
        # A value may contain line breaks, but a note is one line.
        f"{name} {value if value.isprintable() else json.dumps(value)}"
        for name, value in settings.items()
    )
    made_by = f"{perturbation.transformation} {perturbation.version}"
    return f"made from {original.name}@{original.version} by {made_by}: {values}"


def adopt(
    store: Store,
    name: str,
    original: StoredDataset,
    transformation: Transformation,
    settings: Settings,
    dataset: StoredDataset,
) -> StoredPerturbation:
    """Use an existing dataset as a perturbation of another; its author vouches for it.

    Entries match if they have the same id and their problems pair. If all match, the perturbation
    is frozen to that dataset, otherwise to a new dataset of those that match.
    """
    check_other_mode(store, original, transformation)
    entries = {entry.id: entry for entry in load_entries(store, dataset)}
    originals = {entry.id: entry for entry in load_entries(store, original)}
    unknown = [entry for entry in entries if entry not in originals]
    if unknown:
        raise HorsesenseError(
            f"{dataset.name} is not a perturbation of {original.name}, which has no"
            f" {', '.join(unknown[:5])}{' …' if len(unknown) > 5 else ''}"
        )
    results = [
        _adopt_entry(original, entries[original.id], transformation)
        if original.id in entries
        else SkippedEntry(original.id, f"not in {dataset.name}")
        for original in originals.values()
    ]
    _check_some_pair(original, dataset, transformation, results)
    perturbation, _ = save_perturbation(store, name, original, transformation, settings, results)
    if len(accepted_in(store, perturbation, dataset)) == dataset.entries:
        with store.writing() as connection:
            record_frozen(connection, perturbation.pk, dataset)
    else:
        freeze(store, perturbation)
    return find_perturbation(store, name)


def _adopt_entry(
    original: Entry, entry: Entry, transformation: Transformation
) -> Perturbed | SkippedEntry:
    try:
        _check(original.grid, entry.grid, transformation)
    except NotApplicable as error:
        return SkippedEntry(original.id, str(error))
    paired = pairs(original.grid, entry.grid, transformation)
    return Perturbed(entry, "imported", Voucher.AUTHOR, paired)


def _check(before: Grid, after: Grid, transformation: Transformation) -> None:
    """Raise an error if the transformation cannot have this result."""
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
    results: list[Perturbed | SkippedEntry],
) -> None:
    """Raise an error if no entry of the dataset can be used."""
    if any(isinstance(result, Perturbed) for result in results):
        return
    missing = f"not in {dataset.name}"
    reasons = Counter(
        result.reason
        for result in results
        if isinstance(result, SkippedEntry) and result.reason != missing
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
    left_out: tuple[SkippedEntry, ...]
    stored: StoredPerturbation | None = None
    counts: JudgementCounts | None = None
    is_new: bool = False
    replaced: bool = False

    @property
    def perturbed(self) -> int:
        """The number of entries that were perturbed."""
        return self.total - len(self.left_out)

    @property
    def reasons(self) -> list[str]:
        """Why each of the other entries was left out."""
        return [entry.reason for entry in self.left_out]


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
    """Apply a transformation to a stored dataset, both by name, and save the perturbation.

    The default `name` consists of the dataset, the transformation and the parameters that are set.
    Entries vouched for by the author or by a rule become a dataset of that name at once; proposals
    wait for a review, unless `unreviewed` is set.

        from horsesense.store import Store, apply_transformation

        with Store.open("horsesense.db") as store:
            apply_transformation(store, "switched", "kitchen").stored
    """
    chosen, original = find_transformation(transformation), find_dataset(store, dataset)
    settings = chosen.settings(dict(parameters or {}), seed=seed)
    name = name or perturbation_name(original, chosen, settings)
    check_free(store, name, chosen, original)
    check_other_mode(store, original, chosen)
    entries = list(load_entries(store, original))
    return apply_to(store, chosen, settings, name, original, entries, unreviewed=unreviewed)


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
    """Apply a transformation to the entries of a dataset, save the perturbation, and freeze it."""
    results = []
    for done, result in enumerate(perturb(entries, transformation, settings), 1):
        results.append(result)
        on_progress(done, len(entries))
    left_out = tuple(result for result in results if isinstance(result, SkippedEntry))
    perturbed = [result.entry for result in results if not isinstance(result, SkippedEntry)]
    number = sum(len(problems(entry.grid, transformation.mode)) for entry in perturbed)
    if not perturbed:
        return Applied(len(results), number, left_out)
    existed = any(perturbation.name == name for perturbation in list_perturbations(store))
    stored, is_new = save_perturbation(store, name, dataset, transformation, settings, results)
    freeze(store, stored, unreviewed=unreviewed)
    counts = count_validity(store, stored)
    # Load it again, as it has a dataset now.
    stored = find_perturbation(store, name)
    return Applied(len(results), number, left_out, stored, counts, is_new, existed and is_new)


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
    """Raise an error if a name is already used, except by the dataset to be adopted."""
    for known in list_perturbations(store):
        if known.name == name:
            if (known.transformation, known.original.name) == (transformation.name, original.name):
                return
            what = f"{known.transformation} of {known.original.name}"
            raise HorsesenseError(f"{name} is already {what}; choose another --name")
    for dataset in list_datasets(store):
        is_adopted = adopted is not None and adopted.name == name
        if dataset.name == name and not is_adopted and not _is_frozen(store, dataset):
            raise HorsesenseError(f"there is already a dataset {name}; choose another --name")


def _is_frozen(store: Store, dataset: StoredDataset) -> bool:
    """Return whether a dataset was frozen from a perturbation, which may have been removed."""
    return any(source.importer in TRANSFORMATIONS for source in sources_of(store, dataset))


def _slug(value: str) -> str:
    """Make a value part of a name; if it has to be changed, append digits of its hash.

    >>> _slug("short"), _slug("[MASK]"), _slug("<mask>"), _slug("…")
    ('short', 'mask-1762d1', 'mask-da5bb5', 'b49358')
    """
    words = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")
    if words and words == value and len(words) <= _LONGEST_SLUG and not _SEED.fullmatch(words):
        return words
    digits = sha256(value.encode()).hexdigest()[:6]
    return "-".join(filter(None, [words[:_LONGEST_SLUG].strip("-"), digits]))
