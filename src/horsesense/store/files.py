"""Import a file into the store as a dataset: a schema file, or one in a published format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias, TypeVar

from horsesense.datasets.catalog import Recognition, recognise
from horsesense.datasets.exporters import Export, Exported, FolderExport, find_export, wrapped
from horsesense.datasets.files import (
    looks_published,
    opened_schema_file,
    published_header,
    read_bytes,
    recognised,
    source_file,
    write_file,
    write_folder,
)
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
    """Load a dataset as it is to be written: in a mode, and wrapped if there is a wrapper."""
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
    """Make the text of an export piece by piece; nothing comes before there is an entry in it."""
    if isinstance(export, FolderExport):
        raise FileError(f"{export.name} is a folder; name one with --output")
    pieces = _not_empty(export.pieces(dataset, report), export, report)
    first: list[str] = []
    for piece in pieces:
        first.append(piece)
        if report.entries:
            yield "".join(first)
            break
    yield from pieces


def _not_empty(items: Iterable[Item], export: Export, report: Exported) -> Iterator[Item]:
    """Pass the items through; if at their end no entry was in them, raise an error."""
    yield from items
    if not report.entries:
        reasons = ", ".join(f"{what}: {count}" for what, count in sorted(report.left_out.items()))
        raise HorsesenseError(f"nothing of the dataset can be written as {export.name} ({reasons})")


Position: TypeAlias = Callable[[], tuple[int, int | None]]
WatchImport: TypeAlias = Callable[[Iterable[Entry], str, Position], Iterable[Entry]]


def _unwatched(entries: Iterable[Entry], label: str, position: Position) -> Iterable[Entry]:
    """Pass entries through without showing progress."""
    return entries


def _ignore(message: str) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported dataset: how it was stored, and for a published file how it was read.

    `known` says which published file it is, if the catalogue has it.
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
    watch: WatchImport = _unwatched,
    note: Callable[[str], None] = _ignore,
) -> Imported:
    """Read a file and keep it as a dataset in a store, which is created if it does not exist.

    `file` is a schema file, a file in a published format, or a built-in dataset. Its format is
    recognised unless one is named. `companions` are files that belong to it, such as a list of
    labels; `recipe` makes an edited dataset of it; `switched_off` names repairs to leave out.
    `keep_going` skips what cannot be used; otherwise that is an error and nothing is stored. The
    same content is not stored twice; a changed file makes a new version.

        from horsesense.store import import_dataset

        import_dataset("horsesense.db", "hs-winograd").saved.dataset
    """
    options = _Options(name, format, tuple(companions), recipe, tuple(switched_off), keep_going)
    path, file_name = Path(store), fspath(file)
    if format == READER:
        return _import_schemas(path, file_name, options, watch)
    # The file first: one that cannot be read should not create a store.
    source = source_file(file_name)
    if format is None:
        _refuse_companion(source)
    if format or looks_published(source):
        return _import_published(path, source, options, watch, note)
    return _import_schemas(path, file_name, options, watch, source.data)


def refuse_perturbation(store: Store, name: str) -> None:
    """Refuse a name for a dataset that a perturbation has."""
    for perturbation in list_perturbations(store):
        if perturbation.name == name:
            of = f"{perturbation.transformation} of {perturbation.original.name}"
            raise HorsesenseError(
                f"{name} is the name of a perturbation ({of}); choose another --name, or remove it"
                f" first: horsesense perturb remove {name}"
            )


@dataclass(frozen=True, slots=True)
class _Options:
    name: str | None
    format: str | None
    companions: tuple[str, ...]
    recipe: str
    switched_off: tuple[str, ...]
    keep_going: bool


def _import_schemas(
    path: Path, file_name: str, options: _Options, watch: WatchImport, data: bytes | None = None
) -> Imported:
    if options.companions or options.recipe or options.switched_off or options.keep_going:
        raise FileError(
            f"{file_name}: a schema file takes no --with, --recipe, --no-repair or --keep-going"
        )
    with opened_schema_file(file_name, data) as file:
        dataset = file.dataset(watch(file, f"importing {file_name}", file.reader.position))
    if options.name is not None:
        dataset = dataset.renamed(options.name)
    with Store.create_or_open(path) as store:
        refuse_perturbation(store, dataset.name)
        return Imported(save_dataset(store, dataset))


def _import_published(
    path: Path, file: SourceFile, options: _Options, watch: WatchImport, note: Callable[[str], None]
) -> Imported:
    companions = [SourceFile(name, read_bytes(name)) for name in options.companions]
    known = recognised(file, options.format)
    # A recipe makes another dataset, which has its name unless one is given.
    name = options.recipe or None if options.name is None else options.name
    reading = open_import(
        file,
        published_header(file, known, name),
        format_name=options.format,
        companions=companions,
        switched_off=options.switched_off,
        keep_going=options.keep_going,
        recipe=options.recipe,
    )
    if known:
        note(f"{file.name}: {known.told}")
    dataset = reading.dataset(watch(reading, f"importing {file.name}", lambda: (0, None)))
    with Store.create_or_open(path) as store:
        refuse_perturbation(store, dataset.name)
        saved = save_dataset(store, dataset)
    return Imported(saved, dataset.issues, reading, known)


def _refuse_companion(file: SourceFile) -> None:
    """Refuse a published file that has no problems, such as a list of labels."""
    known = recognise(file.name, file.digest, len(file.data))
    if known and known.is_as_published and not known.file.format:
        raise FileError(f"{file.name}: {known.told}; no problems are read from this file by itself")
