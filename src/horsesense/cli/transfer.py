"""Getting datasets into the store, and out of it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from horsesense.cli.files import STDIN, opened_schema_file, write_whole
from horsesense.cli.output import counted, json_option, note, show_json, with_count, with_progress
from horsesense.cli.views import saved_json
from horsesense.errors import FileError, HorsesenseError, NotationErrors, SchemaError
from horsesense.notation import READER, READER_VERSION, print_file
from horsesense.store import Saved, Source, Store, find_dataset, load_entries, save_dataset


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--name", help="Keep it under this name, not the one in the file.")
@json_option
@click.pass_context
def import_command(
    ctx: click.Context, files: tuple[str, ...], name: str | None, as_json: bool
) -> None:
    """Read schema files and keep each as a dataset; a file with errors not at all.

    What is stored already is not stored twice; a changed file makes a new version. A file
    with errors does not keep the others from being imported, but the exit code tells.

    Example:

    \b
        horsesense dataset import kitchen.schemas
    """
    if name is not None and len(files) > 1:
        raise click.UsageError("--name goes with one file")
    results: list[dict[str, Any]] = []
    failures: list[HorsesenseError] = []
    for file in files:
        try:
            saved = _import(ctx.obj, file, name)
            results.append(saved_json(saved))
            if not as_json:
                click.echo(_told(saved))
        except (FileError, SchemaError, NotationErrors) as error:
            failures.append(error)
            note(f"Error: {error}")
    if as_json:
        show_json(results)
    if failures:
        ctx.exit(failures[0].exit_code)


def _import(path: Path, file_name: str, name: str | None) -> Saved:
    # The file first: one that cannot be read should not make a store.
    with opened_schema_file(file_name) as file, Store.create_or_open(path) as store:
        header = file.header if name is None else replace(file.header, name=name)

        def source() -> Source:
            reader = file.reader
            return Source(file.source, reader.digest, reader.size, READER, READER_VERSION)

        entries = with_progress(file, f"importing {file_name}", file.reader.position)
        return save_dataset(store, header, entries, source)


def _told(saved: Saved) -> str:
    dataset = saved.dataset
    if not saved.is_new:
        later = "" if saved.latest == dataset.version else f"; the latest is {saved.latest}"
        return f"{dataset.name}: stored already, as version {dataset.version}{later}"
    entries = counted(dataset.entries, "entry", "entries")
    told = f"{dataset.name}: version {dataset.version} stored, {entries}"
    changes = [
        f"{len(ids)} {what} ({', '.join(ids[:5])}{', …' if len(ids) > 5 else ''})"
        for what, ids in (
            ("added", saved.added),
            ("changed", saved.changed),
            ("removed", saved.removed),
        )
        if ids
    ]
    return "; ".join([told, *changes])


@click.command("export")
@click.argument("name")
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Write to this file; - is stdout, the default.",
)
@click.option("--force", is_flag=True, help="Overwrite the file if it is there.")
@click.pass_obj
def export_command(path: Path, name: str, output: Path | None, force: bool) -> None:
    """Write a dataset as a schema file.

    Importing the file again adds nothing: it is the same content.

    Example:

    \b
        horsesense dataset export kitchen --output copy.schemas
    """
    with Store.open(path) as store:
        dataset = find_dataset(store, name)
        entries = load_entries(store, dataset)
        if output is None or str(output) == STDIN:
            for piece in print_file(dataset.header, entries):
                click.echo(piece, nl=False)
        else:
            # No bar beside what is printed: the two would run into each other.
            watched = with_count(entries, f"exporting {name}", dataset.entries)
            write_whole(output, print_file(dataset.header, watched), overwrite=force)
            told = counted(dataset.entries, "entry", "entries")
            note(f"{output}: {told} of {dataset.name}@{dataset.version}")
