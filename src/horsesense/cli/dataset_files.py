"""`horsesense dataset import` and `export`: files into the store, and out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from horsesense.cli.files import write_folder, write_whole
from horsesense.cli.options import MODES, OWN_MODE, mode_of, told_as_they_stand, wrapper_option
from horsesense.cli.output import counted, json_option, note, show_json, with_count, with_progress
from horsesense.cli.views import refuse_perturbation, saved_json, told_saved
from horsesense.datasets.catalog import recognise
from horsesense.datasets.exporters import (
    EXPORTS,
    Export,
    Exported,
    FolderExport,
    find_export,
    wrapped,
)
from horsesense.datasets.importers import (
    SourceFile,
    open_import,
)
from horsesense.datasets.opening import (
    STDIN,
    looks_published,
    opened_schema_file,
    published_header,
    read_bytes,
    recognised,
    source_file,
)
from horsesense.datasets.recovery import Paired
from horsesense.errors import FileError, HorsesenseError, StoreError
from horsesense.schema import Dataset
from horsesense.schema.notation import READER, parse_wrapper
from horsesense.store import (
    Store,
    find_dataset,
    load_entries,
    load_stored,
    save_dataset,
)


@dataclass(frozen=True, slots=True)
class _Choices:
    """What the user asked for."""

    name: str | None
    format_name: str | None
    companions: tuple[str, ...]
    recipe: str
    switched_off: tuple[str, ...]
    keep_going: bool


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--name", help="Keep it under this name, not the one in the file.")
@click.option(
    "--format", "format_name", help="Read it as this; `dataset formats` lists them. [what it is]"
)
@click.option(
    "--with",
    "companions",
    multiple=True,
    metavar="FILE",
    help="A file that belongs to it, such as a list of labels; may be repeated.",
)
@click.option("--recipe", default="", help="Make an edited dataset of it, such as wsc266.")
@click.option(
    "--no-repair",
    "switched_off",
    multiple=True,
    metavar="NAME",
    help="Leave an error of the published file as it is; may be repeated.",
)
@click.option("--keep-going", is_flag=True, help="Leave out what cannot be used, and say so.")
@json_option
@click.pass_context
def import_command(
    ctx: click.Context, /, files: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Read files and keep each as a dataset.

    Two come in the box and need no file: hs-winograd and hs-adversarial.

    Schema files and the formats of published datasets are told apart by looking at them.
    Everything odd about a published file is listed by `dataset issues`. A file with faults is
    not stored, unless it is to keep going. What is stored already is not stored twice; a
    changed file makes a new version. A file with faults does not keep the others from being
    imported, but the exit code tells.

    Example:

    \b
        horsesense dataset import hs-winograd hs-adversarial
        horsesense dataset import kitchen.schemas
        horsesense dataset import WSCollection.xml --recipe wsc266
        horsesense dataset import dev.jsonl --with dev-labels.lst
    """
    choices = _Choices(**options)
    if choices.name is not None and len(files) > 1:
        raise click.UsageError("--name goes with one file")
    results: list[dict[str, Any]] = []
    failures: list[HorsesenseError] = []
    for file in files:
        try:
            result, told = _import(ctx.obj, file, choices)
            results.append(result)
            if not as_json:
                click.echo(told)
        except StoreError:
            raise  # it concerns all of them
        except HorsesenseError as error:
            failures.append(error)
            note(f"Error: {error}")
    if as_json:
        show_json(results)
    if failures:
        ctx.exit(failures[0].exit_code)


def _import(path: Path, file_name: str, choices: _Choices) -> tuple[dict[str, Any], str]:
    """Import one file; what became of it, for programs and in words."""
    if choices.format_name == READER:
        return _import_schemas(path, file_name, choices)
    # The file first: one that cannot be read should not make a store.
    file = source_file(file_name)
    if choices.format_name is None:
        _refuse_companion(file)
    if choices.format_name or looks_published(file):
        return _import_published(path, file, choices)
    return _import_schemas(path, file_name, choices, file.data)


def _import_schemas(
    path: Path, file_name: str, choices: _Choices, data: bytes | None = None
) -> tuple[dict[str, Any], str]:
    if choices.companions or choices.recipe or choices.switched_off or choices.keep_going:
        raise FileError(
            f"{file_name}: a schema file takes no --with, --recipe, --no-repair or --keep-going"
        )
    with opened_schema_file(file_name, data) as file:
        watched = with_progress(file, f"importing {file_name}", file.reader.position)
        dataset = file.dataset(watched)
    if choices.name is not None:
        dataset = dataset.renamed(choices.name)
    with Store.create_or_open(path) as store:
        refuse_perturbation(store, dataset.name)
        saved = save_dataset(store, dataset)
    # Twins stand in one entry there, and need not be found.
    return {**saved_json(saved), "format": READER, "twins": []}, told_saved(saved)


def _import_published(
    path: Path, file: SourceFile, choices: _Choices
) -> tuple[dict[str, Any], str]:
    companions = [SourceFile(name, read_bytes(name)) for name in choices.companions]
    known = recognised(file, choices.format_name)
    reading = open_import(
        file,
        published_header(file, known, _given_name(choices)),
        format_name=choices.format_name,
        companions=companions,
        switched_off=choices.switched_off,
        keep_going=choices.keep_going,
        recipe=choices.recipe,
    )
    if known:
        note(f"{file.name}: {known.told}")
    dataset = reading.dataset(with_progress(reading, f"importing {file.name}", lambda: (0, None)))
    with Store.create_or_open(path) as store:
        refuse_perturbation(store, dataset.name)
        saved = save_dataset(store, dataset)
    issues = dataset.issues
    parts = [told_saved(saved), *(one.told for one in reading.paired)]
    if reading.several_modes:
        parts.append(reading.several_modes)
    if reading.left_out:
        parts.append(reading.left_out)
    parts.append(f"{counted(len(issues), 'issue')}: horsesense dataset issues {saved.dataset.name}")
    result = {
        **saved_json(saved),
        "format": reading.format.name,
        "known": known.told if known else "",
        "issues": len(issues),
        "several_modes": reading.several_modes,
        "left_out": reading.journal.left_out,
        "stopped_at_line": reading.journal.stopped or None,
        "twins": [_twins_json(one) for one in reading.paired],
    }
    return result, "; ".join(parts)


def _twins_json(one: Paired) -> dict[str, Any]:
    return {
        "found": one.twins.issue,
        "how": one.twins.how,
        "pairs": one.pairs,
        "larger": one.larger,
        "alone": one.alone,
    }


def _refuse_companion(file: SourceFile) -> None:
    """Refuse a published file that holds no problems, such as a list of labels."""
    known = recognise(file.name, file.digest, len(file.data))
    if known and known.is_as_published and not known.file.format:
        raise FileError(f"{file.name}: {known.told}; no problems are read from this file by itself")


def _given_name(choices: _Choices) -> str | None:
    """What the dataset is to be called, if anybody says so; a recipe makes another dataset."""
    return choices.recipe or None if choices.name is None else choices.name


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
