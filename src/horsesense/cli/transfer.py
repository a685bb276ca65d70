"""Getting datasets into the store, and out of it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from horsesense.cli.files import opened_schema_file, write_whole
from horsesense.cli.output import json_option, note, show_json, with_progress
from horsesense.cli.views import saved_json
from horsesense.notation import READER, READER_VERSION, print_file
from horsesense.store import Saved, Source, Store, find_dataset, load_entries, save_dataset


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--name", help="Keep it under this name, not the one in the file.")
@json_option
@click.pass_obj
def import_command(path: Path, files: tuple[str, ...], name: str | None, as_json: bool) -> None:
    """Read schema files and keep each as a dataset; a file with errors not at all.

    What is stored already is not stored twice; a changed file makes a new version.

    Example:

    \b
        horsesense dataset import kitchen.schemas
    """
    if name and len(files) > 1:
        raise click.UsageError("--name goes with one file")
    with Store.create_or_open(path) as store:
        results = [_import(store, file, name) for file in files]
    if as_json:
        show_json([saved_json(saved) for saved in results])
        return
    for saved in results:
        click.echo(_told(saved))


def _import(store: Store, path: str, name: str | None) -> Saved:
    with opened_schema_file(path) as file:
        header = replace(file.header, name=name) if name else file.header

        def source() -> Source:
            return Source(file.source, file.reader.digest, file.reader.size, READER, READER_VERSION)

        entries = with_progress(file, f"importing {path}", file.reader.position)
        return save_dataset(store, header, entries, source)


def _told(saved: Saved) -> str:
    dataset = saved.dataset
    if not saved.is_new:
        later = "" if saved.latest == dataset.version else f"; the latest is {saved.latest}"
        return f"{dataset.name}: stored already, as version {dataset.version}{later}"
    told = f"{dataset.name}: version {dataset.version} stored, {dataset.entries} entries"
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
@click.option("--output", type=click.Path(path_type=Path), help="Write to this file, not stdout.")
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
        pieces = print_file(dataset.header, load_entries(store, dataset))
        if output is None:
            for piece in pieces:
                click.echo(piece, nl=False)
        else:
            write_whole(output, pieces, overwrite=force)
            note(f"{output}: {dataset.entries} entries of {dataset.name}@{dataset.version}")
