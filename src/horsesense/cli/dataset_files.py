"""`horsesense dataset import` and `export`: read files into the store, and write them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from horsesense.cli.completing import complete_data, complete_datasets, complete_files
from horsesense.cli.offline import offline_option
from horsesense.cli.options import OWN_MODE, as_in_file_messages, wrapper_option
from horsesense.cli.output import counted, json_option, note, show_json, with_count, with_progress
from horsesense.cli.place import prepare_store
from horsesense.cli.views import saved_json, saved_message
from horsesense.datasets.exporters import EXPORTS, Export, Exported, find_export
from horsesense.datasets.files import STDIN
from horsesense.datasets.folders import datasets_in, is_folder, unread_message
from horsesense.datasets.recovery import PairingSummary
from horsesense.errors import FileError, HorsesenseError, StoreError
from horsesense.schema.notation import READER
from horsesense.store import (
    MODES,
    Store,
    export_text,
    find_dataset,
    import_dataset,
    prepare_export,
    write_export,
)


@dataclass(frozen=True, slots=True)
class _ImportOptions:
    """The options of `dataset import`."""

    name: str | None
    format_name: str | None
    companions: tuple[str, ...]
    recipe: str
    switched_off: tuple[str, ...]
    keep_going: bool
    consecutive: bool


@click.command("import")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    shell_complete=complete_data,
)
@click.option("--name", help="Name of the dataset. [the one in the file]")
@click.option(
    "--format", "format_name", help="Format of the file; see `dataset formats`. [recognized]"
)
@click.option(
    "--with",
    "companions",
    multiple=True,
    metavar="FILE",
    help="Additional file that belongs to it, such as a list of labels; repeatable.",
    shell_complete=complete_files,
)
@click.option(
    "--recipe", default="", help="Build an edited version of the dataset, such as wsc266."
)
@click.option(
    "--no-repair",
    "switched_off",
    multiple=True,
    metavar="NAME",
    help="Skip this repair; repeatable.",
)
@click.option("--keep-going", is_flag=True, help="Skip faulty entries, and report them.")
@click.option(
    "--consecutive",
    is_flag=True,
    help="Pair consecutive rows that look like twins, in a table without schema ids.",
)
@offline_option
@json_option
@click.pass_context
def import_command(
    ctx: click.Context, /, files: tuple[str, ...], as_json: bool, **options: Any
) -> None:
    """Import files as datasets into the store.

    Two datasets are built in and need no file: hs-winograd and hs-adversarial. Published datasets
    such as winogrande are fetched by name, and their files are kept; see
    `dataset known`. For a folder, every file in a known format is imported.

    Schema files and the formats of published datasets are recognized by their content. See
    `dataset issues` for the irregularities of a published file. A file with faults is not stored
    unless you use --keep-going. The same content is stored only once; a changed file becomes a
    new version. If one file has faults, the others are still imported, and the exit code is that
    of the first error.

    Example:

    \b
        horsesense dataset import hs-winograd hs-adversarial
        horsesense dataset import winogrande
        horsesense dataset import kitchen.schemas
        horsesense dataset import WSCollection.xml --recipe wsc266
        horsesense dataset import dev.jsonl --with dev-labels.lst
    """
    choices = _ImportOptions(**options)
    named = _files(files)
    if choices.name is not None and len(named) > 1:
        raise click.UsageError("--name works only with a single file")
    prepare_store(ctx.obj)
    results: list[dict[str, Any]] = []
    failures: list[HorsesenseError] = []
    for file, name in named.items():
        try:
            own = name if choices.name is None else choices.name
            result, message = _import(ctx.obj, file, replace(choices, name=own))
            results.append(result)
            if not as_json:
                click.echo(message)
        except StoreError:
            raise  # it affects all files
        except HorsesenseError as error:
            failures.append(error)
            note(f"Error: {error}")
    if as_json:
        show_json(results)
    if failures:
        ctx.exit(failures[0].exit_code)


def _files(given: Iterable[str]) -> dict[str, str | None]:
    """Return the files, those of folders with the names that their datasets shall have."""
    named: dict[str, str | None] = {}
    for file in given:
        if not is_folder(file):
            named[file] = None
            continue
        try:
            names, unread = datasets_in(file)
        except FileError:
            named[file] = None  # importing it raises the error
            continue
        named |= names
        if unread:
            note(unread_message(file, unread))
    return named


def _import(path: Path, file: str, choices: _ImportOptions) -> tuple[dict[str, Any], str]:
    """Import a file; return the result as JSON and as text."""
    imported = import_dataset(
        path,
        file,
        name=choices.name,
        format=choices.format_name,
        companions=choices.companions,
        recipe=choices.recipe,
        switched_off=choices.switched_off,
        keep_going=choices.keep_going,
        consecutive=choices.consecutive,
        watch=with_progress,
        note=note,
    )
    saved, reading, known = imported.saved, imported.reading, imported.known
    if reading is None:
        # The twins of a schema file share an entry already.
        return {**saved_json(saved), "format": READER, "twins": []}, saved_message(saved)
    issues = imported.issues
    parts = [saved_message(saved), *(pairing.message for pairing in reading.paired)]
    if reading.several_modes:
        parts.append(reading.several_modes)
    if reading.left_out:
        parts.append(reading.left_out)
    command = f"horsesense dataset issues {saved.dataset.name}"
    parts.append(f"{counted(len(issues), 'issue')} (see '{command}')")
    result = {
        **saved_json(saved),
        "format": reading.format.name,
        "known": known.told if known else "",
        "issues": len(issues),
        "several_modes": reading.several_modes,
        "left_out": reading.journal.left_out,
        "stopped_at_line": reading.journal.stopped or None,
        "twins": [_twins_json(paired) for paired in reading.paired],
    }
    return result, "; ".join(parts)


def _twins_json(paired: PairingSummary) -> dict[str, Any]:
    return {
        "found": paired.twins.issue,
        "how": paired.twins.how,
        "pairs": paired.pairs,
        "larger": paired.larger,
        "alone": paired.alone,
    }


@click.command("export")
@click.argument(
    "name",
    shell_complete=complete_datasets,
)
@click.option(
    "--format",
    "format_name",
    default="notation",
    show_default=True,
    help=f"Format: {', '.join(EXPORTS)}.",
)
@click.option(
    "--mode",
    "mode_name",
    type=click.Choice(list(MODES)),
    help=f"Mode of the problems, if the format has problems. [{OWN_MODE}]",
)
@wrapper_option
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    help="File or folder to write to; - is stdout, the default for files.",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
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
    """Export a dataset as a schema file, or in another format.

    Importing the file again gives the same content, as far as the format can represent it; what
    it cannot represent is reported on stderr.

    Example:

    \b
        horsesense dataset export kitchen --output copy.schemas
        horsesense dataset export kitchen --format lm-eval --output tasks
        horsesense dataset export kitchen --format thesis-text --mode by-key
    """
    export = find_export(format_name)
    if mode_name and not export.modes:
        raise click.UsageError(f"{export.name} exports whole schemas, so --mode does not apply")
    report = Exported()
    to_stdout = output is None or str(output) == STDIN
    with Store.open(path) as store:
        stored = find_dataset(store, name)
        # No progress bar next to printed output.
        label = f"exporting {name}"
        dataset, chosen = prepare_export(
            store,
            stored,
            report,
            mode=mode_name,
            wrapper=wrapper,
            watch=iter if to_stdout else lambda entries: with_count(entries, label, stored.entries),
        )
        if output is None or to_stdout:
            for piece in export_text(export, dataset, report):
                click.echo(piece, nl=False)
        else:
            write_export(export, dataset, report, output, overwrite=force)
    if not to_stdout:
        note(f"{output}: {_amount(export, report)} of {stored.name}@{stored.version}")
    for what, count in sorted(report.left_out.items()):
        note(f"{export.name} cannot represent {what}: {count} left out")
    as_in_file = as_in_file_messages(report.as_they_stand, chosen.mode)
    for remark in (*chosen.overridden, *as_in_file, *report.remarks):
        note(remark)


def _amount(export: Export, report: Exported) -> str:
    entries = counted(report.entries, "entry", "entries")
    return f"{entries}, {counted(report.problems, 'problem')}" if export.modes else entries
