"""`horsesense dataset formats`: what can be imported, and what can be written."""

from __future__ import annotations

import click

from horsesense.cli.output import Table, json_option, note_failures, show_json, show_table
from horsesense.datasets.exporters import EXPORTS
from horsesense.datasets.importers import FORMATS, Format, find_format
from horsesense.schema.notation import READER


@click.command("formats")
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
        _show_one(find_format(name), as_json=as_json)
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


def _show_one(chosen: Format, *, as_json: bool) -> None:
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
