"""`horsesense dataset export`: datasets out of the store, for other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import click

from horsesense.cli.files import write_folder, write_whole
from horsesense.cli.modes import MODES, OWN_MODE, mode_of, told_as_they_stand, wrapper_option
from horsesense.cli.output import counted, note, with_count
from horsesense.datasets.exporters import (
    EXPORTS,
    Export,
    Exported,
    FolderExport,
    find_export,
    wrapped,
)
from horsesense.datasets.opening import STDIN
from horsesense.errors import FileError, HorsesenseError
from horsesense.schema import Dataset
from horsesense.schema.notation import parse_wrapper
from horsesense.store import Store, find_dataset, load_entries, load_stored

Item = TypeVar("Item")


@click.command("export")
@click.argument("name")
@click.option(
    "--format", "format_name", default="notation", show_default=True, help=", ".join(EXPORTS) + "."
)
@click.option(
    "--mode",
    "mode_name",
    type=click.Choice(list(MODES)),
    help=f"What is guessed, in formats that hold problems. [{OWN_MODE}]",
)
@wrapper_option
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Write to this file or folder; - is stdout, the default for files.",
)
@click.option("--force", is_flag=True, help="Overwrite what is there.")
@click.pass_obj
def export_command(
    path: Path,
    name: str,
    format_name: str,
    mode_name: str | None,
    wrapper: str | None,
    output: Path | None,
    force: bool,
) -> None:
    """Write a dataset as a schema file, or for another program.

    Importing the file again gives the same content, as far as the format can hold it; what it
    cannot hold is counted on stderr.

    Example:

    \b
        horsesense dataset export kitchen --output copy.schemas
        horsesense dataset export kitchen --format lm-eval --output tasks
        horsesense dataset export kitchen --format thesis-text --mode by-key
    """
    export = find_export(format_name)
    if mode_name and not export.modes:
        raise click.UsageError(f"{export.name} holds whole schemas; --mode does not apply to it")
    report = Exported()
    to_stdout = output is None or str(output) == STDIN
    with Store.open(path) as store:
        stored = find_dataset(store, name)
        # No bar beside what is printed: the two would run into each other.
        entries = load_entries(store, stored)
        if not to_stdout:
            entries = with_count(entries, f"exporting {name}", stored.entries)
        chosen = mode_of(store, stored, mode_name)
        dataset = load_stored(store, stored, entries).replace(mode=chosen.mode)
    if wrapper is not None:
        dataset = wrapped(dataset, parse_wrapper(wrapper), report)
    _write(export, dataset, report, None if to_stdout else output, force=force)
    if not to_stdout:
        note(f"{output}: {_amount(export, report)} of {stored.name}@{stored.version}")
    for what, count in sorted(report.left_out.items()):
        note(f"{export.name} cannot hold {what}: {count} left out")
    as_they_stand = told_as_they_stand(report.as_they_stand, chosen.mode)
    for remark in (*chosen.overridden, *as_they_stand, *report.remarks):
        note(remark)


def _write(
    export: Export, dataset: Dataset, report: Exported, output: Path | None, *, force: bool
) -> None:
    if isinstance(export, FolderExport):
        if output is None:
            raise FileError(f"{export.name} is a folder; name one with --output")
        files = _something(export.files(dataset, report), export, report)
        write_folder(output, files, overwrite=force)
        return
    pieces = _something(export.pieces(dataset, report), export, report)
    if output is None:
        for piece in _held_back(pieces, report):
            click.echo(piece, nl=False)
    else:
        write_whole(output, pieces, overwrite=force)


def _held_back(pieces: Iterator[str], report: Exported) -> Iterator[str]:
    """The pieces, once there is an entry among them: a heading alone is not worth printing."""
    first: list[str] = []
    for piece in pieces:
        first.append(piece)
        if report.entries:
            yield "".join(first)
            break
    yield from pieces


def _something(items: Iterable[Item], export: Export, report: Exported) -> Iterator[Item]:
    """The items; that nothing was in them is known at their end, and is an error then."""
    yield from items
    if not report.entries:
        told = ", ".join(f"{what}: {count}" for what, count in sorted(report.left_out.items()))
        raise HorsesenseError(f"nothing of the dataset can be written as {export.name} ({told})")


def _amount(export: Export, report: Exported) -> str:
    entries = counted(report.entries, "entry", "entries")
    return f"{entries}, {counted(report.problems, 'problem')}" if export.modes else entries
