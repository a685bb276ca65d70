"""`horsesense dataset known`: the published datasets, their traps, and where to get them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import click

from horsesense.cli.output import Table, json_option, show_json, show_table
from horsesense.datasets.catalog import KnownDataset, KnownFile, find_known, known_datasets


@click.command("known")
@click.argument("name", required=False, metavar="[NAME]")
@json_option
@click.option("--bibtex", "as_bibtex", is_flag=True, help="Print the BibTeX entries alone.")
def known_command(name: str | None, as_json: bool, as_bibtex: bool) -> None:
    """List the published datasets that this program knows, or tell all about one.

    None of them comes with it: their files are yours to get, and are known by their hashes.

    Example:

    \b
        horsesense dataset known winogrande
    """
    if as_json and as_bibtex:
        raise click.UsageError("--json holds the BibTeX entries already; leave one of the two out")
    chosen = known_datasets() if name is None else (find_known(name),)
    if as_bibtex:
        click.echo("\n\n".join(_entries(chosen)))
    elif as_json:
        shown = [asdict(dataset) for dataset in chosen]
        show_json(shown if name is None else shown[0])
    elif name is not None:
        _show_dataset(chosen[0])
    else:
        rows = [(d.name, d.title, d.size, d.licence, str(len(d.files))) for d in chosen]
        show_table(Table(("name", "title", "size", "licence", "files"), rows))


def _entries(datasets: Iterable[KnownDataset]) -> list[str]:
    """Each entry once: datasets share papers, and BibTeX refuses a key that comes twice."""
    return list(dict.fromkeys(entry for dataset in datasets for entry in dataset.bibtex))


def _show_dataset(dataset: KnownDataset) -> None:
    click.echo(f"{dataset.name}: {dataset.title}")
    for label in ("paper", "licence", "size", "get", "note"):
        click.echo(f"{label}: {getattr(dataset, label)}")
    click.echo("")
    columns = ("file", "format", "rows", "bytes", "sha256")
    show_table(Table(columns, [_row(file) for file in dataset.files]))
    click.echo("\n" + "\n\n".join(_entries([dataset])))


def _row(file: KnownFile) -> tuple[str, ...]:
    rows = "–" if file.rows is None else f"{file.rows:,}"
    hash_shown = file.sha256 or f"{file.sha256_start}…"
    return file.path, file.format or "–", rows, f"{file.bytes:,}", hash_shown
