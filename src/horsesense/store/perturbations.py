"""Perturbations in the store, found by name."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

from horsesense.errors import ArgumentError, SchemaError, StoreError, UnknownNameError
from horsesense.perturbations import TRANSFORMATIONS, NotApplicable
from horsesense.perturbations.catalogue.modes import ONLY_MODES
from horsesense.perturbations.checks import LeftOut, Perturbed
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

# All that the id of a perturbation follows from, besides its original's id and its entries.
DECLARED = (
    "name, transformation, transformation_version, title, parameters, seed, mode, level, purpose,"
    ' touches, "right"'
)
TOUCHES_JOINED_BY = ", "


class PerturbedRow(NamedTuple):
    """A perturbed entry as the tables have it, but for its original."""

    position: int
    entry: str
    notation: str
    fields: str
    how: str
    voucher: str


class LeftOutRow(NamedTuple):
    """An entry that was left out, as the tables have it."""

    position: int
    entry: str
    reason: str


class PairRow(NamedTuple):
    """A pair of problems as the tables have it."""

    entry: str
    before: int
    after: int
    options: str


Row: TypeAlias = PerturbedRow | LeftOutRow


@dataclass(frozen=True, slots=True)
class Rows:
    """All that the tables have of the entries of a perturbation."""

    entries: Sequence[Row]
    pairs: Sequence[PairRow]


def perturbation_id(original: str, declared: Sequence[object], rows: Rows) -> str:
    """The id of a perturbation: it follows from how it was made and from what came of it."""
    entries = sorted(rows.entries, key=lambda row: row.position)
    content = (original, declared, *entries, *sorted(rows.pairs))
    return content_id("perturbation", "\n".join(map(json.dumps, content)))


def declared_values(name: str, transformation: Transformation, settings: Settings) -> list[Any]:
    """The values of the columns in `DECLARED`."""
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


def rows_of(places: Mapping[str, int], results: Iterable[Perturbed | LeftOut]) -> Rows:
    """What is to be kept of the results, given the positions of the originals by their ids."""
    rows: dict[str, Row] = {}
    paired: list[PairRow] = []
    for result in results:
        entry = result.id if isinstance(result, LeftOut) else result.entry.id
        if entry not in places:
            raise SchemaError(f"no entry of the original has the id {entry!r}")
        if entry in rows:
            raise SchemaError(f"two entries have the id {entry!r}")
        rows[entry] = _row(places[entry], result)
        if isinstance(result, Perturbed):
            paired += [
                PairRow(entry, before, after, " ".join(map(str, options)))
                for before, after, options in result.pairs
            ]
    return Rows(list(rows.values()), paired)


def _row(position: int, result: Perturbed | LeftOut) -> Row:
    if isinstance(result, LeftOut):
        return LeftOutRow(position, result.id, _storable(result.reason))
    entry = result.entry
    print_entry(entry)  # which refuses what could not be read again
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
    """A text may quote bytes that are no text; a database cannot hold them."""
    return text.encode(errors="backslashreplace").decode()


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
        perturbation
        for perturbation, dataset in ((row, row.original) for row in listed)
        if original in (dataset.name, f"{dataset.name}@{dataset.version}")
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
    values = {name: row[name] for name in (part.strip('"') for part in _COLUMNS.split(", "))}
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
        find_row(connection, "pk = ?", str(keys[-1])) if keys and keys[-1] is not None else None
        for keys in (own, former)
    )
    return dataset, None if dataset else outdated


_Kept = TypeVar("_Kept", PerturbedRow, LeftOutRow, PairRow)
# Perturbed entries that are not where, or not called what, their originals are.
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
    """Refuse a perturbation whose entries are damaged; this is looked at once."""
    if ("perturbation", perturbation.pk) in store.verified:
        return
    check_ids(store, perturbation.original)
    for finding in content_faults(connection, perturbation):
        again = f"{perturbation.transformation} {perturbation.original.name}"
        raise damage(
            f"the perturbation {perturbation.name}",
            finding,
            f"apply it again ('horsesense perturb apply {again}', with the same settings), which"
            " mends it, or restore the store from a copy;"
            " 'horsesense store check' tells what else is damaged",
        )
    store.verified.add(("perturbation", perturbation.pk))


def content_faults(
    connection: sqlite3.Connection, perturbation: StoredPerturbation
) -> Iterator[str]:
    """What is wrong with the entries of a perturbation."""
    for (entry,) in connection.execute(_STRAY, (perturbation.pk,)):
        yield f"{entry} does not belong to its original"
    if current_id(connection, perturbation.pk, perturbation.original.id) != perturbation.id:
        yield "the perturbation as a whole is not what its id says"


def current_id(connection: sqlite3.Connection, pk: int, original: str) -> str:
    """The id that follows from what the tables say now."""
    declared = connection.execute(f"SELECT {DECLARED} FROM perturbation WHERE pk = ?", (pk,))

    def rows(kind: type[_Kept], table: str) -> list[_Kept]:
        query = f"SELECT {', '.join(kind._fields)} FROM {table} WHERE perturbation = ?"
        return [kind(*row) for row in connection.execute(query, (pk,))]

    entries: list[Row] = [*rows(PerturbedRow, "perturbed"), *rows(LeftOutRow, "left_out")]
    kept = Rows(entries, rows(PairRow, "pair"))
    try:
        return perturbation_id(original, declared.fetchone(), kept)
    except TypeError:  # something stands in a column that cannot have been written
        return ""


# The modes by the names that users type.
MODES = {mode.value.replace(" ", "-"): mode for mode in Mode}


def own_mode(store: Store, dataset: StoredDataset) -> Mode:
    """The mode that a perturbation was made for, or the one that the dataset declares."""
    return fixed_mode(store, dataset) or dataset.header.mode


def check_other_mode(store: Store, dataset: StoredDataset, transformation: Transformation) -> None:
    """Refuse a transformation into the mode in which the dataset is posed already."""
    mode = transformation.mode
    if transformation.name in ONLY_MODES and mode is own_mode(store, dataset):
        raise NotApplicable(
            f"{dataset.name}@{dataset.version} is solved {mode} already, so that this would change"
            " nothing; score, measure and export take --mode by-answer for the other"
        )


def fixed_mode(store: Store, dataset: StoredDataset) -> Mode | None:
    """The mode without which a perturbation would be its original; None for all other datasets."""
    perturbation = perturbation_of(store, dataset)
    if perturbation:
        modes = [perturbation.mode]
    else:
        # Where the perturbation was removed, the source still tells what has made the dataset.
        known = TRANSFORMATIONS
        makers = [source.importer for source in sources_of(store, dataset) if not source.bytes]
        modes = [known[maker].mode for maker in makers if maker in known]
    return next((mode for mode in modes if mode is not Mode.BY_ANSWER), None)


@dataclass(frozen=True, slots=True)
class ChosenMode:
    """The mode in which problems are posed.

    `is_declared` is true if the data declare that mode, and it is not by answer. `overridden` is a
    remark if the user asks for another mode than the data declare.
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
    """Choose the mode of a stored dataset: the one asked for by its name, or its own.

    A perturbation that is nothing but its original in another mode is posed in that mode only.
    """
    called = f"{dataset.name}@{dataset.version}"
    fixed = fixed_mode(store, dataset)
    if fixed is None:
        return chosen_mode(called, dataset.header.mode, name)
    if name is not None and MODES[name] is not fixed:
        raise ArgumentError(
            f"{called} is to be solved {fixed}: --mode {mode_name(fixed)}, and not {name}"
        )
    return ChosenMode(fixed, is_declared=True)


def chosen_mode(called: str, declared: Mode, name: str | None) -> ChosenMode:
    """Choose the mode that is asked for by its name, or the one that the data declare."""
    if name is None or MODES[name] is declared:
        return ChosenMode(declared, is_declared=declared is not Mode.BY_ANSWER)
    if declared is Mode.BY_ANSWER:  # data that declare nothing
        return ChosenMode(MODES[name])
    remark = f"{called} declares that it is solved {declared}; --mode {name} overrides that"
    return ChosenMode(MODES[name], overridden=(remark,))


def mode_name(mode: Mode) -> str:
    """The name of a mode that users type, such as by-answer."""
    return mode.value.replace(" ", "-")
