"""Export a dataset of the store: as a schema file, or for another program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TypeAlias, TypeVar

from horsesense.datasets.exporters import (
    Export,
    Exported,
    FolderExport,
    Made,
    Origin,
    Outgoing,
    Step,
    find_export,
    wrapped,
)
from horsesense.datasets.writing import write_file, write_folder
from horsesense.errors import FileError, HorsesenseError
from horsesense.perturbations import known_transformations
from horsesense.schema import Entry, Header
from horsesense.schema.notation import parse_wrapper
from horsesense.store.datasets import StoredDataset, find_dataset, load_entries, sources_of
from horsesense.store.modes import ChosenMode, mode_of
from horsesense.store.perturbations import perturbation_of
from horsesense.store.store import Store

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
        dataset = find_dataset(opened, name)
        outgoing, _ = prepare_export(opened, dataset, report, mode=mode, wrapper=wrapper)
        write_export(find_export(format), outgoing, report, Path(output), overwrite=overwrite)
    return report


def prepare_export(
    store: Store,
    dataset: StoredDataset,
    report: Exported,
    *,
    mode: str | None = None,
    wrapper: str | None = None,
    watch: Watch = iter,
) -> tuple[Outgoing, ChosenMode]:
    """Collect what an exporter needs of a dataset; entries are loaded when they are written."""
    parsed = None if wrapper is None else parse_wrapper(wrapper)
    chosen = mode_of(store, dataset, mode)
    entries = watch(load_entries(store, dataset))
    outgoing = Outgoing(
        dataset.header,
        entries if parsed is None else wrapped(entries, parsed, report),
        chosen.mode,
        parsed,
        _origins(store, dataset),
        _made(store, dataset),
        is_declared=chosen.is_declared,
    )
    return outgoing, chosen


def write_export(
    export: Export, outgoing: Outgoing, report: Exported, output: Path, *, overwrite: bool
) -> None:
    """Write a dataset to a file, or for formats of several files to a folder."""
    if isinstance(export, FolderExport):
        files = _not_empty(export.files(outgoing, report), export, report)
        write_folder(output, files, overwrite=overwrite)
    else:
        pieces = _not_empty(export.pieces(outgoing, report), export, report)
        write_file(output, pieces, overwrite=overwrite)


def export_text(export: Export, outgoing: Outgoing, report: Exported) -> Iterator[str]:
    """Make the text of an export piece by piece; nothing comes before there is an entry in it."""
    if isinstance(export, FolderExport):
        raise FileError(f"{export.name} is a folder; name one with --output")
    pieces = _not_empty(export.pieces(outgoing, report), export, report)
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


def _origins(store: Store, dataset: StoredDataset) -> tuple[Origin, ...]:
    return tuple(
        Origin(source.file, source.sha256, f"{source.importer} {source.importer_version}")
        for source in sources_of(store, dataset)
    )


def _made(store: Store, dataset: StoredDataset) -> Made | None:
    """List the transformations that made a dataset; None if there were none."""
    steps: list[Step] = []
    while perturbation := perturbation_of(store, dataset):
        steps.insert(0, Step(perturbation.transformation, perturbation.parameters))
        dataset = perturbation.original
    original = dataset.header
    # If a perturbation was removed, the source still names the transformation.
    for source in sources_of(store, dataset):
        if not source.bytes and source.importer in known_transformations():
            steps.insert(0, Step(source.importer, {}))
            original = Header(source.file.partition("@")[0])
            break
    return Made(original, tuple(steps)) if steps else None
