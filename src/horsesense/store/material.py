"""Open problems by name: a schema in notation, a file, a published or a stored dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from horsesense.datasets.fetching import fetch
from horsesense.datasets.files import (
    default_name,
    is_data,
    looks_published,
    opened_schema_file,
    source_file,
)
from horsesense.datasets.folders import is_folder, only_file
from horsesense.datasets.importers import FileImport, open_import
from horsesense.errors import ArgumentError, FileError
from horsesense.schema import Entry, Header, Mode
from horsesense.schema.notation import parse_grid
from horsesense.store.connection import Store
from horsesense.store.datasets import StoredDataset, find_dataset, load_entries
from horsesense.store.judged import accepted_in
from horsesense.store.perturbations import (
    MODES,
    ChosenMode,
    StoredPerturbation,
    chosen_mode,
    find_perturbation,
    mode_of,
    perturbation_of,
)

# Characters that every schema in notation has, and hardly any file name.
_PLACEHOLDERS = frozenset("<>{}")
ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Material:
    """The entries to score, which can be read once; `is_one` marks a single schema in notation.

    `mode` is the mode to solve them in, and `is_declared` says whether the data declare it. Call
    `remarks` after reading the entries for messages to the user.
    """

    name: str
    entries: Iterable[Entry]
    mode: Mode = Mode.BY_ANSWER
    is_one: bool = False
    is_declared: bool = False
    remarks: Callable[[], list[str]] = list


@contextmanager
def open_material(
    what: str,
    store: Path,
    *,
    is_dataset: bool,
    only_accepted: bool = False,
    mode_name: str | None = None,
) -> Iterator[Material]:
    """Open a dataset in the store with `is_dataset`, otherwise a file or a schema in notation.

    With `only_accepted`, a perturbation has only the entries that people have accepted.
    """
    if only_accepted and not is_dataset:
        raise ArgumentError("--accepted is for perturbations in the store; add --dataset")
    if is_dataset:
        with Store.open(store) as opened:
            dataset = find_dataset(opened, what)
            chosen = mode_of(opened, dataset, mode_name)
            yield _stored(opened, dataset, chosen, only_accepted=only_accepted)
    elif is_data(what):
        with _opened_file(what, mode_name) as material:
            yield material
    elif _PLACEHOLDERS & set(what):
        mode = MODES[mode_name] if mode_name else Mode.BY_ANSWER
        yield Material(what, [Entry("schema", parse_grid(what))], mode, is_one=True)
    elif is_folder(what):
        with _opened_file(only_file(what), mode_name) as material:
            yield material
    elif fetched := fetch(what):
        yield _imported(what, fetched.open(), mode_name)
    else:
        raise FileError(
            f"there is no file {what!r}, and it is not a schema in notation, which has its answers"
            " in < >, nor a published dataset; for a dataset in the store add --dataset"
        )


def _stored(
    store: Store, dataset: StoredDataset, chosen: ChosenMode, *, only_accepted: bool
) -> Material:
    name = f"{dataset.name}@{dataset.version}"
    entries = load_entries(store, dataset)
    perturbation = perturbation_of(store, dataset)
    if perturbation is None:
        if only_accepted:
            raise ArgumentError(f"{name} is not a perturbation; --accepted does not apply to it")
        mode_remarks = chosen.remarks(name)
        return Material(
            name, entries, chosen.mode, is_declared=chosen.is_declared, remarks=lambda: mode_remarks
        )
    accepted = accepted_in(store, perturbation, dataset)
    entries = (_tag_accepted(entry) if entry.id in accepted else entry for entry in entries)
    summary = f"{name}: {perturbation.transformation} of {perturbation.original.name}"
    if chosen.mode is not Mode.BY_ANSWER:
        summary += f", solved {chosen.mode}"
    total = "1 entry" if dataset.entries == 1 else f"{dataset.entries} entries"
    summary += f"; {len(accepted)} of {total} accepted"
    if only_accepted:
        summary += ", and only these are scored"
        entries = (entry for entry in entries if entry.id in accepted)
    outdated = _outdated(find_perturbation(store, perturbation.name), dataset)
    remarks = [*chosen.overridden, summary, *outdated]
    return Material(
        name, entries, chosen.mode, is_declared=chosen.is_declared, remarks=lambda: remarks
    )


def _tag_accepted(entry: Entry) -> Entry:
    """Tag an entry as accepted, for subsets."""
    return entry if ACCEPTED in entry.tags else replace(entry, tags=(*entry.tags, ACCEPTED))


def _outdated(current: StoredPerturbation, dataset: StoredDataset) -> Iterator[str]:
    """Yield a warning if a dataset is not the one its perturbation was last frozen to."""
    if current.dataset is None:
        yield f"outdated: {current.name} has no dataset now; horsesense perturb show {current.name}"
    elif current.dataset != dataset:
        yield f"outdated: {current.name} is {current.dataset.name}@{current.dataset.version} now"


def _imported(name: str, imported: FileImport, mode_name: str | None) -> Material:
    """The entries of a published file, with the remarks of its import."""
    chosen = chosen_mode(name, imported.header.mode, mode_name)

    def remarks() -> list[str]:
        return [*chosen.remarks(name), *imported.remarks()]

    return Material(name, imported, chosen.mode, is_declared=chosen.is_declared, remarks=remarks)


@contextmanager
def _opened_file(path: str, mode_name: str | None) -> Iterator[Material]:
    file = source_file(path)
    if looks_published(file):
        imported = open_import(file, Header(default_name(path)), keep_going=True)
        yield _imported(file.name, imported, mode_name)
    else:
        with opened_schema_file(path, file.data) as schemas:
            chosen = chosen_mode(file.name, schemas.header.mode, mode_name)
            mode_remarks = chosen.remarks(file.name)
            yield Material(
                file.name,
                schemas,
                chosen.mode,
                is_declared=chosen.is_declared,
                remarks=lambda: mode_remarks,
            )
