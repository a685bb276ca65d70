"""`horsesense dataset`: look at the datasets in the store, check them, remove them."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from pathlib import Path

import click

from horsesense.cli.audit import audit_command
from horsesense.cli.exporting import export_command
from horsesense.cli.formats import formats_command
from horsesense.cli.groups import NamingGroup
from horsesense.cli.importing import import_command
from horsesense.cli.issues import issues_command
from horsesense.cli.known import known_command
from horsesense.cli.measure import measure_command
from horsesense.cli.output import (
    Table,
    counted,
    json_option,
    note,
    show_json,
    show_table,
    with_count,
)
from horsesense.cli.views import (
    dataset_json,
    entry_json,
    grid_json,
    modes_of,
    show_entry,
    tags_shown,
)
from horsesense.schema import Mode
from horsesense.schema.notation import print_grid
from horsesense.store import (
    Store,
    StoredDataset,
    find_dataset,
    list_datasets,
    load_entries,
    load_entry,
    own_mode,
    remove_datasets,
    search,
    sources_of,
    unreadable_datasets,
    verify_dataset,
    verify_file,
    verify_perturbations,
    verify_runs,
)

SHOWN = 20
LIMIT = click.IntRange(min=1, max=1_000_000_000)


@click.group("dataset", cls=NamingGroup)
def dataset_group() -> None:
    """Keep datasets of schemas in the store, and get them out again.

    NAME is a dataset's name, for its latest version, or NAME@2 for the second.
    """


@dataset_group.command("list")
@click.option("--all", "all_versions", is_flag=True, help="Older versions too.")
@json_option
@click.pass_obj
def list_command(path: Path, all_versions: bool, as_json: bool) -> None:
    """List the datasets.

    Example:

    \b
        horsesense dataset list
    """
    with Store.open(path) as store:
        datasets = list_datasets(store, all_versions=all_versions)
    if as_json:
        show_json([dataset_json(dataset) for dataset in datasets])
        return
    rows = [
        (d.name, str(d.version), str(d.entries), d.header.licence, d.stored_at, d.header.title)
        for d in datasets
    ]
    show_table(Table(("name", "version", "entries", "licence", "stored", "title"), rows))


@dataset_group.command("show")
@click.argument("name")
@click.argument("entry_id", required=False, metavar="[ID]")
@click.option("--limit", type=LIMIT, help=f"So many entries [{SHOWN}; JSON: all].")
@json_option
@click.pass_obj
def show_command(
    path: Path, name: str, entry_id: str | None, limit: int | None, as_json: bool
) -> None:
    """Show a dataset: what it says of itself, where it came from, its entries.

    With the ID of an entry, show that one with its sentences and problems.

    Example:

    \b
        horsesense dataset show kitchen
    """
    with Store.open(path) as store:
        dataset = find_dataset(store, name)
        if entry_id:
            _show_one(store, dataset, entry_id, as_json=as_json)
        elif as_json:
            entries = with_count(load_entries(store, dataset), f"reading {name}", dataset.entries)
            listed = [entry_json(entry) for entry in islice(entries, limit)]
            sources = [asdict(source) for source in sources_of(store, dataset)]
            show_json({**dataset_json(dataset), "sources": sources, "content": listed})
        else:
            _show_dataset(store, dataset, limit or SHOWN)


def _show_one(store: Store, dataset: StoredDataset, entry_id: str, *, as_json: bool) -> None:
    entry = load_entry(store, dataset, entry_id)
    if as_json:
        show_json({**entry_json(entry), "content": grid_json(entry.grid, modes_of(entry))})
    else:
        show_entry(entry)


def _show_dataset(store: Store, dataset: StoredDataset, limit: int) -> None:
    header = dataset.header
    entries = counted(dataset.entries, "entry", "entries")
    click.echo(f"{dataset.name}, version {dataset.version}, {entries}")
    for label in ("title", "author", "licence", "note"):
        if text := getattr(header, label):
            click.echo(f"{label}: {text}")
    if (mode := own_mode(store, dataset)) is not Mode.BY_ANSWER:
        click.echo(f"mode: {mode}")
    for source in sources_of(store, dataset):
        read_by = f"{source.importer} {source.importer_version}, {source.imported_at}"
        click.echo(f"from: {source.file} (SHA-256 {source.sha256[:12]}…), read by {read_by}")
    click.echo("")
    shown = list(islice(load_entries(store, dataset), limit))
    rows = [(e.id, e.grid.kind, tags_shown(e), print_grid(e.grid)) for e in shown]
    show_table(Table(("id", "kind", "tags", "notation"), rows))
    if dataset.entries > len(shown):
        note(f"{dataset.entries - len(shown)} more; --limit {dataset.entries} shows all")


@dataset_group.command("search")
@click.argument("text")
@click.option("--dataset", "name", help="Only in this dataset.")
@click.option("--limit", type=LIMIT, default=SHOWN, show_default=True)
@json_option
@click.pass_context
def search_command(
    ctx: click.Context, text: str, name: str | None, limit: int, as_json: bool
) -> None:
    """Find entries whose sentences, id or note hold every word of TEXT.

    Words in double quotes must stand side by side. Exits with 1 if nothing is found.

    Example:

    \b
        horsesense dataset search 'kettle sink'
    """
    with Store.open(ctx.obj) as store:
        within = find_dataset(store, name) if name else None
        # One more than asked for tells whether there are more.
        found = search(store, text, within=within, limit=limit + 1)
    hits = found[:limit]
    if as_json:
        show_json([asdict(hit) for hit in hits])
    elif hits:
        rows = [(f"{hit.dataset}@{hit.version}", hit.id, hit.notation) for hit in hits]
        show_table(Table(("dataset", "id", "notation"), rows))
    if not hits:
        note(f"nothing holds {text!r}")
        ctx.exit(1)
    if len(found) > limit:
        note(f"the first {limit}; --limit shows more")


@dataset_group.command("check")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
@click.pass_context
def check_command(ctx: click.Context, names: tuple[str, ...], as_json: bool) -> None:
    """Check that datasets (all, if none is named) are what was stored.

    Every entry is read back and compared with the id that was derived from its content, and
    the file is checked as a whole. If none is named, perturbations with their ledgers and runs
    are, too; `horsesense store check` looks at everything else as well, and can repair.
    Exits with 1 if anything is wrong.

    Example:

    \b
        horsesense dataset check kitchen
    """
    with Store.open_damaged(ctx.obj) as store:
        chosen = [find_dataset(store, name, is_checked=False) for name in names] or list_datasets(
            store, all_versions=True, is_checked=False
        )
        found = {"the store": list(verify_file(store))}
        if not names:
            found |= {called: [why] for called, why in unreadable_datasets(store)}
        for dataset in chosen:
            name = f"{dataset.name}@{dataset.version}"
            loaded = load_entries(store, dataset, is_checked=False)
            entries = with_count(loaded, f"checking {name}", dataset.entries)
            found[name] = list(verify_dataset(store, dataset, entries))
        if not names:
            found |= {f"perturbation {n}": told for n, told in verify_perturbations(store).items()}
            found |= {f"run {id}": told for id, told in verify_runs(store).items()}
    if as_json:
        show_json(found)
    else:
        for name, findings in found.items():
            for finding in findings:
                note(f"{name}: {finding}")
            click.echo(
                f"{name}: {counted(len(findings), 'finding') if findings else 'as it was stored'}"
            )
    if any(found.values()):
        ctx.exit(1)


@dataset_group.command("remove")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def remove_command(path: Path, name: str, yes: bool) -> None:
    """Remove a dataset with all its versions, or with NAME@2 that one alone.

    Example:

    \b
        horsesense dataset remove kitchen --yes
    """
    with Store.open(path) as store:
        found = find_dataset(store, name, is_checked=False)
        versions = [found] if "@" in name else _versions(store, found)
        shown = ", ".join(
            f"{one.name}@{one.version} ({counted(one.entries, 'entry', 'entries')})"
            for one in versions
        )
        if not yes:
            click.confirm(f"Remove {shown}?", abort=True, err=True)
        remove_datasets(store, versions)
    click.echo(f"removed: {shown}")


def _versions(store: Store, dataset: StoredDataset) -> list[StoredDataset]:
    listed = list_datasets(store, all_versions=True, is_checked=False)
    return [one for one in listed if one.name == dataset.name]


for command in (
    import_command,
    export_command,
    issues_command,
    formats_command,
    known_command,
    measure_command,
    audit_command,
):
    dataset_group.add_command(command)
