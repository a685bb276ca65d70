"""`horsesense dataset`: look at the datasets in the store, check them, remove them."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from pathlib import Path

import click

from horsesense.cli.groups import LazyGroup
from horsesense.cli.output import (
    Table,
    counted,
    json_option,
    note,
    note_failures,
    show_json,
    show_table,
    with_count,
)
from horsesense.cli.views import (
    dataset_json,
    entry_json,
    grid_json,
    modes_of,
    show_dataset,
    show_entry,
)
from horsesense.datasets.exporters import EXPORTS
from horsesense.datasets.importers import FORMATS, Format, described_issues, find_format
from horsesense.errors import UnknownNameError
from horsesense.schema import IssueKind
from horsesense.schema.notation import READER
from horsesense.store import (
    Store,
    StoredDataset,
    count_issues,
    find_dataset,
    list_datasets,
    load_entries,
    load_entry,
    load_issues,
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


# Commands in files of their own, which are imported when they are used.
_LAZY = {
    "import": (
        "horsesense.cli.dataset_files:import_command",
        "Read files, and keep each as a dataset in the store.",
    ),
    "export": (
        "horsesense.cli.dataset_files:export_command",
        "Write a dataset as a schema file, or for another program.",
    ),
    "known": (
        "horsesense.cli.dataset_checks:known_command",
        "List the published datasets that horsesense knows, or show one.",
    ),
    "measure": (
        "horsesense.cli.dataset_checks:measure_command",
        "Count a dataset's problems, and those whose form matters to scoring methods.",
    ),
    "audit": (
        "horsesense.cli.dataset_checks:audit_command",
        "Check the quality of a dataset: errors, and what its author should look at.",
    ),
}


@click.group("dataset", cls=LazyGroup, lazy=_LAZY)
def dataset_group() -> None:
    """Manage the datasets in the store.

    NAME is a dataset's name, for its latest version, or NAME@2 for the second.
    """


@dataset_group.command("list")
@click.option("--all", "all_versions", is_flag=True, help="List older versions too.")
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
@click.option("--limit", type=LIMIT, help=f"Show at most N entries. [{SHOWN}; JSON: all]")
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
            show_dataset(store, dataset, limit or SHOWN)


def _show_one(store: Store, dataset: StoredDataset, entry_id: str, *, as_json: bool) -> None:
    entry = load_entry(store, dataset, entry_id)
    if as_json:
        show_json({**entry_json(entry), "content": grid_json(entry.grid, modes_of(entry))})
    else:
        show_entry(entry)


@dataset_group.command("search")
@click.argument("text")
@click.option("--dataset", "name", help="Search only this dataset.")
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
            found |= {
                f"perturbation {n}": message for n, message in verify_perturbations(store).items()
            }
            found |= {f"run {id}": message for id, message in verify_runs(store).items()}
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
@click.option("--yes", is_flag=True, help="Remove without asking.")
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
            f"{version.name}@{version.version} ({counted(version.entries, 'entry', 'entries')})"
            for version in versions
        )
        if not yes:
            click.confirm(f"Remove {shown}?", abort=True, err=True)
        remove_datasets(store, versions)
    click.echo(f"removed: {shown}")


def _versions(store: Store, dataset: StoredDataset) -> list[StoredDataset]:
    listed = list_datasets(store, all_versions=True, is_checked=False)
    return [one for one in listed if one.name == dataset.name]


SHOWN_ISSUES = 50


@dataset_group.command("issues")
@click.argument("name")
@click.option("--issue", "names", multiple=True, help="Show only issues of this name.")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice([kind.value for kind in IssueKind]),
    multiple=True,
    help="Show only issues of this kind.",
)
@click.option("--entry", default="", help="Show only issues of the entry with this id.")
@click.option("--all", "every", is_flag=True, help="List every issue instead of counts.")
@click.option("--limit", type=click.IntRange(min=1), default=SHOWN_ISSUES, show_default=True)
@json_option
@click.pass_obj
def issues_command(
    path: Path,
    name: str,
    names: tuple[str, ...],
    kinds: tuple[str, ...],
    entry: str,
    every: bool,
    limit: int,
    as_json: bool,
) -> None:
    """Show what was odd about a dataset when it was imported, and how it was handled.

    Without a filter, how many there are of each: the entries and problems concerned. A step
    was put right as a matter of course, a repair can be switched off when importing, an oddity
    was left as it is, a fault was left out.

    Example:

    \b
        horsesense dataset issues kitchen
        horsesense dataset issues kitchen --kind repair
    """
    with Store.open(path) as store:
        dataset = find_dataset(store, name)
        counts = count_issues(store, dataset)
        known = {count.name for count in counts}
        for wanted in names:
            if wanted not in known:
                raise UnknownNameError(f"issue of {dataset.name}", wanted, known)
        found = list(load_issues(store, dataset, names=names, kinds=kinds, entry=entry))
    if as_json:
        show_json([asdict(issue) for issue in found])
    elif names or kinds or entry or every:
        rows = [
            (str(i.line or ""), i.entry, i.problem, i.name, i.kind, i.odd, i.done)
            for i in islice(found, limit)
        ]
        show_table(Table(("line", "entry", "problem", "issue", "kind", "what", "done"), rows))
        if len(found) > limit:
            note(f"{len(found) - limit} more; --limit {len(found)} shows all")
    elif counts:
        meanings = described_issues()
        summary = [
            (c.name, c.kind, *map(str, (c.entries, c.problems, c.times)), meanings.get(c.name, ""))
            for c in counts
        ]
        show_table(Table(("issue", "kind", "entries", "problems", "times", "meaning"), summary))
    if not found and not as_json:
        note(f"{dataset.name}@{dataset.version}: no such issues" if counts else "no issues")


@dataset_group.command("formats")
@click.argument("name", required=False, metavar="[NAME]")
@json_option
def formats_command(name: str | None, as_json: bool) -> None:
    """List the formats that can be imported and exported.

    With the NAME of an import format: its repairs, the issues it may report, its recipes, and
    what may be given with it.

    Example:

    \b
        horsesense dataset formats wsc-xml
    """
    if name:
        _show_format(find_format(name), as_json=as_json)
        return
    imported = {READER: "a schema file", **{one.name: one.title for one in FORMATS.values()}}
    exported = {one.name: one.about for one in EXPORTS.values()}
    if as_json:
        show_json({"import": imported, "export": exported})
    else:
        show_table(Table(("import", "what it is"), list(imported.items())))
        click.echo("")
        show_table(Table(("export", "what it is"), list(exported.items())))
    note_failures(FORMATS, EXPORTS)


def _show_format(chosen: Format, *, as_json: bool) -> None:
    about = {
        "name": chosen.name,
        "title": chosen.title,
        "with": chosen.companions,
        "recipes": {name: dict(recipe.repairs) for name, recipe in chosen.recipes.items()},
        "repairs": dict(chosen.repairs),
        "issues": dict(chosen.issues),
    }
    if as_json:
        show_json(about)
        return
    click.echo(f"{chosen.name}: {chosen.title}")
    if chosen.companions:
        click.echo(f"--with: {chosen.companions}")
    for recipe in chosen.recipes:
        click.echo(f"--recipe {recipe}")
    rows = [(name, "repair", text) for name, text in chosen.repairs.items()]
    for recipe, made in chosen.recipes.items():
        rows += [(name, f"repair of {recipe}", text) for name, text in made.repairs.items()]
    rows += [(name, "issue", text) for name, text in chosen.issues.items()]
    if rows:
        click.echo("")
        show_table(Table(("name", "", "what it is"), rows))
