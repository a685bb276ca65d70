"""Import a file into the store as a dataset: a schema file, or one in a published format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias

from horsesense.datasets.catalog import Recognition, recognise
from horsesense.datasets.importers import FileImport, SourceFile, open_import
from horsesense.datasets.opening import (
    looks_published,
    opened_schema_file,
    published_header,
    read_bytes,
    recognised,
    source_file,
)
from horsesense.errors import FileError, HorsesenseError
from horsesense.schema import Entry, Issue
from horsesense.schema.notation import READER
from horsesense.store.perturbations import list_perturbations
from horsesense.store.saving import Saved, save_dataset
from horsesense.store.store import Store

Position: TypeAlias = Callable[[], tuple[int, int | None]]
Watch: TypeAlias = Callable[[Iterable[Entry], str, Position], Iterable[Entry]]


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
    watch: Watch = _unwatched,
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
    path: Path, file_name: str, options: _Options, watch: Watch, data: bytes | None = None
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
    path: Path, file: SourceFile, options: _Options, watch: Watch, note: Callable[[str], None]
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
