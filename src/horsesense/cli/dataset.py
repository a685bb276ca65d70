"""`horsesense dataset`: list, show, search, check and remove the datasets in the store."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import click

from horsesense.cli.completing import complete_datasets
from horsesense.cli.groups import LazyGroup
from horsesense.cli.layout import TextTable
from horsesense.cli.output import (
    counted,
    json_option,
    note,
    show_json,
    show_table,
    show_text,
    to_the_minute,
    warn_of_plugins,
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
from horsesense.datasets.builtin import BUILT_IN
from horsesense.datasets.exporters import EXPORTS
from horsesense.datasets.files import read_dataset
from horsesense.datasets.importers import FORMATS, Format, described_issues, find_format
from horsesense.errors import UnknownNameError
from horsesense.schema import Dataset, IssueKind
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


# Commands in files of their own, imported when they are used.
_LAZY = {
    "import": (
        "horsesense.cli.dataset_files:import_command",
        "Import files as datasets into the store.",
    ),
    "export": (
        "horsesense.cli.dataset_files:export_command",
        "Export a dataset as a schema file, or in another format.",
    ),
    "known": (
        "horsesense.cli.dataset_checks:known_command",
        "List the published datasets that horsesense knows, or show one.",
    ),
    "measure": (
        "horsesense.cli.dataset_checks:measure_command",
        "Count problems, and those with properties that affect scoring.",
    ),
    "audit": (
        "horsesense.cli.dataset_checks:audit_command",
        "Check a dataset for errors and likely quality problems.",
    ),
}


@click.group("dataset", cls=LazyGroup, lazy=_LAZY)
def dataset_group() -> None:
    """Manage the datasets in the store.

    NAME is the name of a dataset and means its latest version; NAME@2 is its second version.
    """


@dataset_group.command("list")
@click.option("--all", "all_versions", is_flag=True, help="List older versions too.")
@json_option
@click.pass_obj
def list_command(path: Path, all_versions: bool, as_json: bool) -> None:
    """List the datasets in the store, and the built-in ones.

    A stored dataset hides the built-in one of the same name. The command `dataset import` stores
    a built-in dataset.

    Example:

    \b
        horsesense dataset list
    """
    datasets: list[StoredDataset] = []
    if path.exists():
        with Store.open(path) as store:
            datasets = list_datasets(store, all_versions=all_versions)
    else:
        note(f"there is no store at {path}; 'horsesense dataset import FILE' creates one")
    stored_names = {dataset.name for dataset in datasets}
    built_in = [read_dataset(name) for name in BUILT_IN if name not in stored_names]
    if as_json:
        listed = [{**dataset_json(dataset), "is_built_in": False} for dataset in datasets]
        show_json([*listed, *map(_built_in_json, built_in)])
        return
    rows = [
        (
            d.name,
            str(d.version),
            str(d.entries),
            d.header.licence,
            to_the_minute(d.stored_at),
            d.header.title,
        )
        for d in datasets
    ]
    rows += [
        (d.name, "–", str(len(d.entries)), d.header.licence, "built in", d.header.title)
        for d in built_in
    ]
    show_table(TextTable(("name", "version", "entries", "licence", "stored", "title"), rows))


def _built_in_json(dataset: Dataset) -> dict[str, Any]:
    """Return a built-in dataset with the keys of a stored one."""
    return {
        **asdict(dataset.header),
        "id": dataset.version,
        "version": None,
        "entries": len(dataset.entries),
        "stored_at": None,
        "is_built_in": True,
    }


@dataset_group.command("show")
@click.argument(
    "name",
    shell_complete=complete_datasets,
)
@click.argument("entry_id", required=False, metavar="[ID]")
@click.option("--limit", type=LIMIT, help=f"Number of entries to show. [{SHOWN}; JSON: all]")
@json_option
@click.pass_obj
def show_command(
    path: Path, name: str, entry_id: str | None, limit: int | None, as_json: bool
) -> None:
    """Show a dataset: its header, its sources and its entries.

    With the ID of an entry, show that entry with its sentences and problems.

    Example:

    \b
        horsesense dataset show kitchen
    """
    with Store.open(path) as store:
        dataset = find_dataset(store, name)
        if entry_id:
            _show_entry(store, dataset, entry_id, as_json=as_json)
        elif as_json:
            entries = with_count(load_entries(store, dataset), f"reading {name}", dataset.entries)
            content = [entry_json(entry) for entry in islice(entries, limit)]
            sources = [asdict(source) for source in sources_of(store, dataset)]
            show_json({**dataset_json(dataset), "sources": sources, "content": content})
        else:
            show_dataset(store, dataset, limit or SHOWN)


def _show_entry(store: Store, dataset: StoredDataset, entry_id: str, *, as_json: bool) -> None:
    entry = load_entry(store, dataset, entry_id)
    if as_json:
        show_json({**entry_json(entry), "content": grid_json(entry.grid, modes_of(entry))})
    else:
        show_entry(entry)


@dataset_group.command("search")
@click.argument("text")
@click.option(
    "--data",
    "--dataset",
    "name",
    help="Search only this dataset.",
    shell_complete=complete_datasets,
)
@click.option(
    "--limit", type=LIMIT, default=SHOWN, show_default=True, help="Number of entries to show."
)
@json_option
@click.pass_context
def search_command(
    ctx: click.Context, text: str, name: str | None, limit: int, as_json: bool
) -> None:
    """Find entries that contain every word of TEXT.

    Sentences, ids and notes are searched. Words in double quotes must be adjacent. Exits with 1 if
    nothing is found.

    Example:

    \b
        horsesense dataset search 'kettle sink'
    """
    with Store.open(ctx.obj) as store:
        within = find_dataset(store, name) if name else None
        # One more than requested, to see whether there are more.
        matches = search(store, text, within=within, limit=limit + 1)
    hits = matches[:limit]
    if as_json:
        show_json([asdict(hit) for hit in hits])
    elif hits:
        rows = [(f"{hit.dataset}@{hit.version}", hit.id, hit.notation) for hit in hits]
        show_table(TextTable(("dataset", "id", "notation"), rows))
    if not hits:
        note(f"no entry contains {text!r}")
        ctx.exit(1)
    if len(matches) > limit:
        note(f"only the first {limit} are shown; use --limit to see more")


@dataset_group.command("check")
@click.argument(
    "names",
    nargs=-1,
    metavar="[NAME]...",
    shell_complete=complete_datasets,
)
@json_option
@click.pass_context
def check_command(ctx: click.Context, names: tuple[str, ...], as_json: bool) -> None:
    """Check the integrity of datasets, by default of all.

    Every entry is read and compared with its id, which is a hash of its content, and the file is
    checked as a whole. Without a NAME, perturbations with their ledgers and runs are checked too.
    `horsesense store check` checks everything and can repair damage. Exits with 1 if anything is
    damaged.

    Example:

    \b
        horsesense dataset check kitchen
    """
    with Store.open_damaged(ctx.obj) as store:
        chosen = [find_dataset(store, name, is_checked=False) for name in names] or list_datasets(
            store, all_versions=True, is_checked=False
        )
        findings = {"the store": list(verify_file(store))}
        if not names:
            findings |= {name: [reason] for name, reason in unreadable_datasets(store)}
        for dataset in chosen:
            name = f"{dataset.name}@{dataset.version}"
            loaded = load_entries(store, dataset, is_checked=False)
            entries = with_count(loaded, f"checking {name}", dataset.entries)
            findings[name] = list(verify_dataset(store, dataset, entries))
        if not names:
            findings |= {
                f"perturbation {name}": damage
                for name, damage in verify_perturbations(store).items()
            }
            findings |= {f"run {id}": damage for id, damage in verify_runs(store).items()}
    if as_json:
        show_json(findings)
    else:
        for name, damage in findings.items():
            for finding in damage:
                note(f"{name}: {finding}")
            click.echo(f"{name}: {counted(len(damage), 'finding') if damage else 'ok'}")
    if any(findings.values()):
        ctx.exit(1)


@dataset_group.command("remove")
@click.argument(
    "name",
    shell_complete=complete_datasets,
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.pass_obj
def remove_command(path: Path, name: str, yes: bool) -> None:
    """Remove all versions of a dataset, or with NAME@2 only that version.

    Example:

    \b
        horsesense dataset remove kitchen --yes
    """
    with Store.open(path) as store:
        dataset = find_dataset(store, name, is_checked=False)
        versions = [dataset] if "@" in name else _versions(store, dataset)
        names = ", ".join(
            f"{version.name}@{version.version} ({counted(version.entries, 'entry', 'entries')})"
            for version in versions
        )
        if not yes:
            click.confirm(f"Remove {names}?", abort=True, err=True)
        remove_datasets(store, versions)
    click.echo(f"removed: {names}")


def _versions(store: Store, dataset: StoredDataset) -> list[StoredDataset]:
    datasets = list_datasets(store, all_versions=True, is_checked=False)
    return [version for version in datasets if version.name == dataset.name]


SHOWN_ISSUES = 50


@dataset_group.command("issues")
@click.argument(
    "name",
    shell_complete=complete_datasets,
)
@click.option("--issue", "names", multiple=True, help="Show only issues with this name.")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice([kind.value for kind in IssueKind]),
    multiple=True,
    help="Show only issues of this kind.",
)
@click.option("--entry", default="", help="Show only issues of the entry with this id.")
@click.option("--all", "every", is_flag=True, help="List every issue instead of counts.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=SHOWN_ISSUES,
    show_default=True,
    help="Number of issues to show.",
)
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
    """Show the issues that were found when a dataset was imported.

    The list says how each was handled. Without a filter, the issues are counted by name. There are
    four kinds: a step is routine clean-up, a repair can be switched off when importing, an oddity
    was left unchanged, and a fault was skipped.

    Example:

    \b
        horsesense dataset issues kitchen
        horsesense dataset issues kitchen --kind repair
    """
    with Store.open(path) as store:
        dataset = find_dataset(store, name)
        counts = count_issues(store, dataset)
        known = {count.name for count in counts}
        for requested in names:
            if requested not in known:
                raise UnknownNameError(f"issue of {dataset.name}", requested, known)
        issues = list(load_issues(store, dataset, names=names, kinds=kinds, entry=entry))
    if as_json:
        show_json([asdict(issue) for issue in issues])
    elif names or kinds or entry or every:
        rows = [
            (str(i.line or ""), i.entry, i.problem, i.name, i.kind, i.odd, i.done)
            for i in islice(issues, limit)
        ]
        show_table(TextTable(("line", "entry", "problem", "issue", "kind", "what", "done"), rows))
        if len(issues) > limit:
            note(f"{len(issues) - limit} more; use --limit {len(issues)} to see all")
    elif counts:
        meanings = described_issues()
        summary = [
            (c.name, c.kind, *map(str, (c.entries, c.problems, c.times)), meanings.get(c.name, ""))
            for c in counts
        ]
        show_table(TextTable(("issue", "kind", "entries", "problems", "times", "meaning"), summary))
    if not issues and not as_json:
        note(f"{dataset.name}@{dataset.version}: no matching issues" if counts else "no issues")


@dataset_group.command("formats")
@click.argument("name", required=False, metavar="[NAME]")
@json_option
def formats_command(name: str | None, as_json: bool) -> None:
    """List the formats that can be imported and exported.

    With the NAME of an import format, show its repairs, the issues it can report, its recipes,
    and the files that --with accepts.

    Example:

    \b
        horsesense dataset formats wsc-xml
    """
    if name:
        _show_format(find_format(name), as_json=as_json)
        return
    imports = {READER: "a schema file"}
    imports |= {importer.name: importer.title for importer in FORMATS.values()}
    exports = {export.name: export.about for export in EXPORTS.values()}
    if as_json:
        show_json({"import": imports, "export": exports})
    else:
        show_table(TextTable(("import", "description"), list(imports.items())))
        click.echo("")
        show_table(TextTable(("export", "description"), list(exports.items())))
    warn_of_plugins(FORMATS, EXPORTS)


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
        show_text(f"--with: {chosen.companions}")
    for recipe in chosen.recipes:
        click.echo(f"--recipe {recipe}")
    rows = [(name, "repair", text) for name, text in chosen.repairs.items()]
    for recipe, steps in chosen.recipes.items():
        rows += [(name, f"repair of {recipe}", text) for name, text in steps.repairs.items()]
    rows += [(name, "issue", text) for name, text in chosen.issues.items()]
    if rows:
        click.echo("")
        show_table(TextTable(("name", "", "description"), rows))
