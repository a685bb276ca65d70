"""Export a dataset of the store: as a schema file, or for another program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TypeAlias, TypeVar

from horsesense.datasets.exporters import Export, Exported, FolderExport, find_export, wrapped
from horsesense.datasets.writing import write_file, write_folder
from horsesense.errors import FileError, HorsesenseError
from horsesense.schema import Dataset, Entry
from horsesense.schema.notation import parse_wrapper
from horsesense.store.datasets import StoredDataset, find_dataset, load_entries
from horsesense.store.loading import load_stored
from horsesense.store.modes import ChosenMode, mode_of
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
