"""`horsesense dataset issues`: what was odd about a dataset's files, and what was done."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from pathlib import Path

import click

from horsesense.cli.output import Table, json_option, note, show_json, show_table
from horsesense.datasets.importers import described_issues
from horsesense.errors import UnknownNameError
from horsesense.schema import IssueKind
from horsesense.store import Store, count_issues, find_dataset, load_issues

SHOWN = 50


@click.command("issues")
@click.argument("name")
@click.option("--issue", "names", multiple=True, help="Only issues of this name.")
@click.option(
    "--kind",
    "kinds",
    type=click.Choice([kind.value for kind in IssueKind]),
    multiple=True,
    help="Only of this kind.",
)
@click.option("--entry", default="", help="Only about the entry with this id.")
@click.option("--all", "every", is_flag=True, help="List each, not how many there are.")
@click.option("--limit", type=click.IntRange(min=1), default=SHOWN, show_default=True)
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
    """Show what was odd about a dataset when it was imported, and what was done about it.

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
