"""Import files into the store as datasets, and export stored datasets to files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias, TypeVar

from horsesense.datasets.catalog import Recognition, recognise
from horsesense.datasets.exporters import Export, Exported, FolderExport, find_export, wrapped
from horsesense.datasets.fetching import fetch, fetch_companion
from horsesense.datasets.files import (
    is_data,
    looks_published,
    opened_schema_file,
    published_header,
    read_bytes,
    recognised,
    source_file,
    write_file,
    write_folder,
)
from horsesense.datasets.folders import is_folder, only_file
from horsesense.datasets.importers import FileImport, SourceFile, open_import
from horsesense.errors import FileError, HorsesenseError
from horsesense.schema import Dataset, Entry, Issue
from horsesense.schema.notation import READER, parse_wrapper
from horsesense.store.connection import Store
from horsesense.store.datasets import StoredDataset, find_dataset, load_entries
from horsesense.store.loading import load_stored
from horsesense.store.perturbations import ChosenMode, list_perturbations, mode_of
from horsesense.store.saving import Saved, save_dataset

Item = TypeVar("Item")
Watch: TypeAlias = Callable[[Iterable[Entry]], Iterable[Entry]]


def export_dataset(
    store: str | PathLike[str],
    name: str,
    output: str | PathLike[str],
    *,
    format: str = "notation",
    mode: str | None = None,
    wrapper: str | None = None,
    overwrite: bool = False,
) -> Exported:
    """Write a stored dataset to a file or folder, and return what was and was not written.

    `mode` is the name of a mode (by-answer, by-key, …) for formats that hold problems; without it
    the dataset's own is used. `wrapper` wraps every schema first.

        from horsesense.store import export_dataset

        export_dataset("horsesense.db", "kitchen", "copy.schemas")
    """
    report = Exported()
    with Store.open(Path(store)) as opened:
        stored = find_dataset(opened, name)
        dataset, _ = prepare_export(opened, stored, report, mode=mode, wrapper=wrapper)
    write_export(find_export(format), dataset, report, Path(output), overwrite=overwrite)
    return report


def prepare_export(
    store: Store,
    stored: StoredDataset,
    report: Exported,
    *,
    mode: str | None = None,
    wrapper: str | None = None,
    watch: Watch = iter,
) -> tuple[Dataset, ChosenMode]:
    """Load a dataset for an export, in a mode, and wrapped if there is a wrapper."""
    chosen = mode_of(store, stored, mode)
    entries = watch(load_entries(store, stored))
    dataset = load_stored(store, stored, entries).replace(mode=chosen.mode)
    if wrapper is not None:
        dataset = wrapped(dataset, parse_wrapper(wrapper), report)
    return dataset, chosen


def write_export(
    export: Export, dataset: Dataset, report: Exported, output: Path, *, overwrite: bool
) -> None:
    """Write a dataset to a file, or for formats of several files to a folder."""
    if isinstance(export, FolderExport):
        files = _not_empty(export.files(dataset, report), export, report)
        write_folder(output, files, overwrite=overwrite)
    else:
        pieces = _not_empty(export.pieces(dataset, report), export, report)
        write_file(output, pieces, overwrite=overwrite)


def export_text(export: Export, dataset: Dataset, report: Exported) -> Iterator[str]:
    """Yield the text of an export in pieces; the first piece contains an entry."""
    if isinstance(export, FolderExport):
        raise FileError(f"{export.name} writes a folder; name one with --output")
    pieces = _not_empty(export.pieces(dataset, report), export, report)
    first: list[str] = []
    for piece in pieces:
        first.append(piece)
        if report.entries:
            yield "".join(first)
            break
    yield from pieces


def _not_empty(items: Iterable[Item], export: Export, report: Exported) -> Iterator[Item]:
    """Pass the items through, and raise an error if they contained no entry."""
    yield from items
    if not report.entries:
        reasons = ", ".join(f"{what}: {count}" for what, count in sorted(report.left_out.items()))
        raise HorsesenseError(f"nothing in the dataset can be written as {export.name} ({reasons})")


Position: TypeAlias = Callable[[], tuple[int, int | None]]
WatchEntries: TypeAlias = Callable[[Iterable[Entry], str, Position], Iterable[Entry]]


def _unwatched(entries: Iterable[Entry], label: str, position: Position) -> Iterable[Entry]:
    """Pass entries through without showing progress."""
    return entries


def _ignore(message: str) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import: the saved dataset, its issues, and for a published file its reader.

    `known` is the published file in the catalogue, if it is one.
    """

    saved: Saved
    issues: tuple[Issue, ...] = ()
    reading: FileImport | None = None
    known: Recognition | None = None


def import_dataset(
    store: str | PathLike[str],
    file: str | PathLike[str],
    *,
    name: str | None = None,
    format: str | None = None,
    companions: Sequence[str] = (),
    recipe: str = "",
    switched_off: Sequence[str] = (),
    keep_going: bool = False,
    consecutive: bool = False,
    watch: WatchEntries = _unwatched,
    note: Callable[[str], None] = _ignore,
) -> Imported:
    """Import a file as a dataset into a store, which is created if it does not exist.

    `file` is a schema file, a file in a published format, a built-in dataset, or the name of a
    published one such as `winogrande`, which is fetched. The format of a file is
    recognised unless one is named. `companions` are files that belong to it, such as a list of
    labels; `recipe` makes an edited dataset of it; `switched_off` names repairs to leave out.
    `keep_going` skips what cannot be used; otherwise that is an error and nothing is stored. The
    same content is not stored twice; a changed file makes a new version. `consecutive` pairs
    consecutive rows that look like twins, in a table without a column for schemas.

        from horsesense.store import import_dataset

        import_dataset("horsesense.db", "hs-winograd").saved.dataset
    """
    path, file_name = Path(store), fspath(file)
    if is_folder(file_name):
        file_name = only_file(file_name)
    if not is_data(file_name) and (fetched := fetch(file_name)):
        note(f"{file_name}: {fetched.report}")
        reading = fetched.open(
            name=name,
            format_name=format,
            companions=_companions(companions),
            recipe=recipe,
            switched_off=tuple(switched_off),
            keep_going=keep_going,
        )
        return _save_reading(path, reading, watch, recognised(reading.file, reading.format.name))
    # Read the file first: an unreadable one should not create a store.
    source = None if format == READER else source_file(file_name)
    if source is not None and format is None:
        _refuse_companion(source)
    if source is None or not (format or looks_published(source)):
        if companions or recipe or switched_off or keep_going or consecutive:
            raise FileError(
                f"{file_name}: a schema file takes no --with, --recipe, --no-repair, --keep-going "
                "or --consecutive"
            )
        data = None if source is None else source.data
        with opened_schema_file(file_name, data) as schemas:
            entries = watch(schemas, f"importing {file_name}", schemas.reader.position)
            dataset = schemas.dataset(entries)
        return Imported(_save_new(path, dataset if name is None else dataset.renamed(name)))
    known = recognised(source, format)
    # A recipe makes another dataset, which is named after it by default.
    reading = open_import(
        source,
        published_header(source, known, recipe or None if name is None else name),
        format_name=format,
        companions=_companions(companions),
        switched_off=tuple(switched_off),
        keep_going=keep_going,
        recipe=recipe,
        consecutive=consecutive,
    )
    if known:
        note(f"{source.name}: {known.told}")
    return _save_reading(path, reading, watch, known)


def _companions(names: Iterable[str]) -> list[SourceFile]:
    """The files that belong to another; those of published datasets are fetched."""
    return [
        (None if is_data(name) else fetch_companion(name)) or SourceFile(name, read_bytes(name))
        for name in names
    ]


def _save_reading(
    path: Path, reading: FileImport, watch: WatchEntries, known: Recognition | None = None
) -> Imported:
    label = f"importing {reading.file.name}"
    dataset = reading.dataset(watch(reading, label, lambda: (0, None)))
    return Imported(_save_new(path, dataset), dataset.issues, reading, known)


def _save_new(path: Path, dataset: Dataset) -> Saved:
    with Store.create_or_open(path) as store:
        refuse_perturbation(store, dataset.name)
        return save_dataset(store, dataset)


def refuse_perturbation(store: Store, name: str) -> None:
    """Raise an error if a perturbation has that name."""
    for perturbation in list_perturbations(store):
        if perturbation.name == name:
            of = f"{perturbation.transformation} of {perturbation.original.name}"
            raise HorsesenseError(
                f"{name} is the name of a perturbation ({of}); choose another --name, or remove it"
                f" first: horsesense perturb remove {name}"
            )


def _refuse_companion(file: SourceFile) -> None:
    """Raise an error for a published file without problems, such as a list of labels."""
    known = recognise(file.name, file.digest, len(file.data))
    if known and known.is_as_published and not known.file.format:
        raise FileError(f"{file.name}: {known.told}; no problems are read from this file by itself")
