"""Perturbations in the store: their rows and ids, finding them by name, checks, and modes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

from horsesense.errors import ArgumentError, SchemaError, StoreError, UnknownNameError
from horsesense.perturbations import TRANSFORMATIONS, NotApplicable
from horsesense.perturbations.catalogue.modes import ONLY_MODES
from horsesense.perturbations.checks import Perturbed, SkippedEntry
from horsesense.perturbations.transformation import (
    Level,
    Purpose,
    Right,
    Settings,
    Touch,
    Transformation,
)
from horsesense.schema import Mode
from horsesense.schema.notation import content_id, print_entry, print_grid, written_fields
from horsesense.store import checksums
from horsesense.store.checksums import damage
from horsesense.store.connection import Store
from horsesense.store.datasets import StoredDataset, check_ids, find_row, sources_of

# The columns that the id of a perturbation covers, besides its original's id and its entries.
DECLARED = (
    "name, transformation, transformation_version, title, parameters, seed, mode, level, purpose,"
    ' touches, "right"'
)
TOUCHES_JOINED_BY = ", "


class PerturbedRow(NamedTuple):
    """A perturbed entry as a row of the table, without its original."""

    position: int
    entry: str
    notation: str
    fields: str
    how: str
    voucher: str


class LeftOutRow(NamedTuple):
    """An entry that was left out, as a row of the table."""

    position: int
    entry: str
    reason: str


class PairRow(NamedTuple):
    """A pair of problems as a row of the table."""

    entry: str
    before: int
    after: int
    options: str


Row: TypeAlias = PerturbedRow | LeftOutRow


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of the entries of a perturbation, and of their pairs."""

    entries: Sequence[Row]
    pairs: Sequence[PairRow]


def perturbation_id(original: str, declared: Sequence[object], rows: Rows) -> str:
    """Compute the id of a perturbation from its settings and its results."""
    entries = sorted(rows.entries, key=lambda row: row.position)
    content = (original, declared, *entries, *sorted(rows.pairs))
    return content_id("perturbation", "\n".join(map(json.dumps, content)))


def declared_values(name: str, transformation: Transformation, settings: Settings) -> list[Any]:
    """Return the values of the columns in `DECLARED`."""
    return [
        name,
        transformation.name,
        transformation.version,
        transformation.title,
        json.dumps(dict(settings.values), sort_keys=True),
        settings.seed,
        transformation.mode.value,
        transformation.level.value,
        transformation.purpose.value,
        TOUCHES_JOINED_BY.join(touch for touch in Touch if touch in transformation.touches),
        transformation.right.value,
    ]


def rows_of(positions: Mapping[str, int], results: Iterable[Perturbed | SkippedEntry]) -> Rows:
    """Turn results into rows, given the positions of the originals by id."""
    rows: dict[str, Row] = {}
    pairs: list[PairRow] = []
    for result in results:
        entry = result.id if isinstance(result, SkippedEntry) else result.entry.id
        if entry not in positions:
            raise SchemaError(f"no entry of the original has the id {entry!r}")
        if entry in rows:
            raise SchemaError(f"two entries have the id {entry!r}")
        rows[entry] = _row(positions[entry], result)
        if isinstance(result, Perturbed):
            pairs += [
                PairRow(entry, before, after, " ".join(map(str, options)))
                for before, after, options in result.pairs
            ]
    return Rows(list(rows.values()), pairs)


def _row(position: int, result: Perturbed | SkippedEntry) -> Row:
    if isinstance(result, SkippedEntry):
        return LeftOutRow(position, result.id, _storable(result.reason))
    entry = result.entry
    print_entry(entry)  # raises an error if the entry could not be read again
    fields = [f"{name}: {value}" for name, value in written_fields(entry) if name != "id"]
    return PerturbedRow(
        position,
        entry.id,
        print_grid(entry.grid),
        "\n".join(fields),
        _storable(result.how),
        result.voucher.value,
    )


def _storable(text: str) -> str:
    """Escape lone surrogates in a text, which SQLite cannot store."""
    return text.encode(errors="backslashreplace").decode()


# The name under which the program makes the first judgement of a proposal.
PROGRAM = "horsesense"
IS_CURRENT = "turn = (SELECT max(turn) FROM perturbation AS p WHERE p.name = perturbation.name)"
_COLUMNS = f"pk, id, original, applied_at, horsesense, {DECLARED}"


@dataclass(frozen=True, slots=True)
class StoredPerturbation:
    """The record of a perturbation: a transformation applied to a dataset.

    `version` and `title` are the transformation's. `dataset` is the dataset it was last frozen to.
    It is None if nothing was valid then, and `outdated` is the previous one.
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
    """List the current perturbations by name, optionally those of a dataset or of one version."""
    with store.reading() as connection:
        rows = checksums.read(connection, "perturbation", f"WHERE {IS_CURRENT} ORDER BY name")
        listed = [_stored(connection, row) for row in rows]
    if original is None:
        return listed
    return [
        perturbation
        for perturbation, dataset in ((row, row.original) for row in listed)
        if original in (dataset.name, f"{dataset.name}@{dataset.version}")
    ]


def find_perturbation(store: Store, name: str) -> StoredPerturbation:
    """Find the current perturbation of that name."""
    with store.reading() as connection:
        # Verify all records, as one with a damaged name may be the requested one.
        rows = checksums.read(connection, "perturbation", "ORDER BY turn")
        by_name = {row["name"]: row for row in rows}  # the current one comes last
        if name in by_name:
            return _stored(connection, by_name[name])
    raise UnknownNameError("perturbation", name, by_name)


def perturbation_of(store: Store, dataset: StoredDataset) -> StoredPerturbation | None:
    """Return the perturbation that a dataset was frozen from, or None."""
    with store.reading() as connection:
        rest = "WHERE dataset = ? ORDER BY pk"
        rows = checksums.read(connection, "frozen", rest, (dataset.pk,))
        return load_perturbation(connection, rows[-1]["perturbation"]) if rows else None


def load_perturbation(connection: sqlite3.Connection, pk: int) -> StoredPerturbation:
    """Load a perturbation by primary key, whether it is current or not."""
    rows = checksums.read(connection, "perturbation", "WHERE pk = ?", (pk,))
    if not rows:
        raise checksums.damage("a perturbation", "its record is missing")
    return _stored(connection, rows[0])


def check_there(
    store: Store, connection: sqlite3.Connection, perturbation: StoredPerturbation
) -> None:
    """Raise an error if the perturbation has been removed in the meantime."""
    query = "SELECT 1 FROM perturbation WHERE pk = ?"
    if not connection.execute(query, (perturbation.pk,)).fetchone():
        raise StoreError(f"the perturbation {perturbation.name} is no longer in {store.path}")


def check_current(
    store: Store, connection: sqlite3.Connection, perturbation: StoredPerturbation
) -> None:
    """Raise an error if the perturbation has been replaced, as judgements would be lost."""
    check_there(store, connection, perturbation)
    query = f"SELECT 1 FROM perturbation WHERE pk = ? AND {IS_CURRENT}"
    if not connection.execute(query, (perturbation.pk,)).fetchone():
        raise StoreError(
            f"{perturbation.name} has been replaced in the meantime; review the new one"
        )


def unknown_entry(
    connection: sqlite3.Connection, perturbation: StoredPerturbation, entry: str
) -> UnknownNameError:
    """Return the error for an unknown entry, with the nearest ids."""
    query = "SELECT entry FROM perturbed WHERE perturbation = ? ORDER BY position"
    known = [str(name) for (name,) in connection.execute(query, (perturbation.pk,))]
    return UnknownNameError(f"entry of {perturbation.name}", entry, known)


def _stored(connection: sqlite3.Connection, row: dict[str, Any]) -> StoredPerturbation:
    values = {name: row[name] for name in (part.strip('"') for part in _COLUMNS.split(", "))}
    original = find_row(connection, "pk = ?", str(values["original"]))
    dataset, outdated = _frozen(connection, values["pk"], values["name"])
    try:
        if original is None:
            raise ValueError("its original is missing")
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
    """Return the dataset a perturbation was last frozen to; if there is none, the previous one."""
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
        find_row(connection, "pk = ?", str(keys[-1])) if keys and keys[-1] is not None else None
        for keys in (own, former)
    )
    return dataset, None if dataset else outdated


_AnyRow = TypeVar("_AnyRow", PerturbedRow, LeftOutRow, PairRow)
# Perturbed entries whose position or id differs from that of their originals.
_STRAY = (
    "SELECT perturbed.entry FROM perturbed"
    " JOIN perturbation ON perturbation.pk = perturbed.perturbation"
    " LEFT JOIN membership ON membership.dataset = perturbation.original"
    " AND membership.position = perturbed.position AND membership.entry = perturbed.original"
    " LEFT JOIN entry ON entry.pk = membership.entry AND entry.name = perturbed.entry"
    " WHERE perturbation.pk = ? AND entry.pk IS NULL ORDER BY perturbed.position"
)


def check_content(
    store: Store, connection: sqlite3.Connection, perturbation: StoredPerturbation
) -> None:
    """Raise an error if the entries of a perturbation are damaged; this is checked once."""
    if ("perturbation", perturbation.pk) in store.verified:
        return
    check_ids(store, perturbation.original)
    for finding in content_faults(connection, perturbation):
        again = f"{perturbation.transformation} {perturbation.original.name}"
        raise damage(
            f"the perturbation {perturbation.name}",
            finding,
            f"apply it again ('horsesense perturb apply {again}', with the same settings), which"
            " repairs it, or restore the store from a backup;"
            " 'horsesense store check' shows what else is damaged",
        )
    store.verified.add(("perturbation", perturbation.pk))


def content_faults(
    connection: sqlite3.Connection, perturbation: StoredPerturbation
) -> Iterator[str]:
    """Yield the faults of the entries of a perturbation."""
    for (entry,) in connection.execute(_STRAY, (perturbation.pk,)):
        yield f"{entry} does not belong to its original"
    if current_id(connection, perturbation.pk, perturbation.original.id) != perturbation.id:
        yield "the perturbation as a whole does not match its id"


def current_id(connection: sqlite3.Connection, pk: int, original: str) -> str:
    """Compute the id of a perturbation from the tables."""
    declared = connection.execute(f"SELECT {DECLARED} FROM perturbation WHERE pk = ?", (pk,))

    def rows(kind: type[_AnyRow], table: str) -> list[_AnyRow]:
        query = f"SELECT {', '.join(kind._fields)} FROM {table} WHERE perturbation = ?"
        return [kind(*row) for row in connection.execute(query, (pk,))]

    entries: list[Row] = [*rows(PerturbedRow, "perturbed"), *rows(LeftOutRow, "left_out")]
    stored = Rows(entries, rows(PairRow, "pair"))
    try:
        return perturbation_id(original, declared.fetchone(), stored)
    except TypeError:  # a column has a value of the wrong type
        return ""


# The modes by the names that users type.
MODES = {mode.value.replace(" ", "-"): mode for mode in Mode}


def own_mode(store: Store, dataset: StoredDataset) -> Mode:
    """Return the mode of a perturbation, or the one that the dataset declares."""
    return fixed_mode(store, dataset) or dataset.header.mode


def check_other_mode(store: Store, dataset: StoredDataset, transformation: Transformation) -> None:
    """Raise an error if a transformation only sets the mode that the dataset already has."""
    mode = transformation.mode
    if transformation.name in ONLY_MODES and mode is own_mode(store, dataset):
        raise NotApplicable(
            f"{dataset.name}@{dataset.version} is already solved {mode}, so this would change"
            " nothing; score, measure and export take --mode by-answer for the other mode"
        )


def fixed_mode(store: Store, dataset: StoredDataset) -> Mode | None:
    """Return the mode of a perturbation that only changes the mode; None for other datasets."""
    perturbation = perturbation_of(store, dataset)
    if perturbation:
        modes = [perturbation.mode]
    else:
        # If the perturbation was removed, the source still names the transformation.
        names = [source.importer for source in sources_of(store, dataset) if not source.bytes]
        modes = [TRANSFORMATIONS[name].mode for name in names if name in TRANSFORMATIONS]
    return next((mode for mode in modes if mode is not Mode.BY_ANSWER), None)


@dataclass(frozen=True, slots=True)
class ChosenMode:
    """The mode in which problems are solved.

    `is_declared` is true if the data declare that mode, and it is not by answer. `overridden` is a
    remark if the user requests another mode than the data declare.
    """

    mode: Mode
    is_declared: bool = False
    overridden: tuple[str, ...] = ()

    def remarks(self, name: str) -> list[str]:
        """Say which mode was used, for output such as scores that does not show it."""
        if self.is_declared:
            return [f"{name} is solved {self.mode}, as it declares"]
        return list(self.overridden)


def mode_of(store: Store, dataset: StoredDataset, name: str | None = None) -> ChosenMode:
    """Choose the mode of a stored dataset: the one requested by name, or its own.

    A perturbation that only changes the mode can be solved in that mode only.
    """
    title = f"{dataset.name}@{dataset.version}"
    fixed = fixed_mode(store, dataset)
    if fixed is None:
        return chosen_mode(title, dataset.header.mode, name)
    if name is not None and MODES[name] is not fixed:
        raise ArgumentError(
            f"{title} can only be solved {fixed}; use --mode {mode_name(fixed)}, not {name}"
        )
    return ChosenMode(fixed, is_declared=True)


def chosen_mode(title: str, declared: Mode, name: str | None) -> ChosenMode:
    """Choose the mode that is requested by name, or the one that the data declare."""
    if name is None or MODES[name] is declared:
        return ChosenMode(declared, is_declared=declared is not Mode.BY_ANSWER)
    if declared is Mode.BY_ANSWER:  # data that declare nothing
        return ChosenMode(MODES[name])
    remark = f"{title} declares that it is solved {declared}; --mode {name} overrides that"
    return ChosenMode(MODES[name], overridden=(remark,))


def mode_name(mode: Mode) -> str:
    """Return the name of a mode that users type, such as by-answer."""
    return mode.value.replace(" ", "-")
