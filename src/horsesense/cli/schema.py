"""`horsesense schema`: look at schemas, and check files of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

import click

from horsesense.cli.groups import NamingGroup
from horsesense.cli.modes import MODES
from horsesense.cli.output import counted, json_option, note, show_json, with_progress
from horsesense.cli.views import grid_json, show_grid
from horsesense.datasets.opening import opened_schema_file
from horsesense.errors import FileError, SchemaError
from horsesense.schema import Schema, doubts, lowered_word, modes, wrap
from horsesense.schema.notation import SchemaFile, grid_id, parse_grid, parse_wrapper


@click.group("schema", cls=NamingGroup)
def schema_group() -> None:
    """Look at schemas, and check files of them."""


@schema_group.command("show")
@click.argument("notation")
@click.option("--wrapper", help="Wrap it first: 'It is |true, false| that …'.")
@click.option("--mode", "names", type=click.Choice(list(MODES)), multiple=True, help="Only these.")
@click.option("--spans", is_flag=True, help="Say where each phrase stands in each sentence.")
@json_option
def show_command(
    notation: str, wrapper: str | None, names: tuple[str, ...], spans: bool, as_json: bool
) -> None:
    """Show the sentences of the schema written in NOTATION, and its problems in every mode.

    Example:

    \b
        horsesense schema show '{owls, voles} <do, do not> eat {voles, owls}'
    """
    grid = parse_grid(notation)
    if wrapper is not None:
        if not isinstance(grid, Schema):
            raise SchemaError(f"a {grid.kind} cannot be wrapped; it has no key phrases")
        schema, grid = grid, wrap(grid, parse_wrapper(wrapper))
        if word := lowered_word(schema):
            note(f"Look again: {word!r} lost its capital; write the schema bare if it is a name")
    chosen = [MODES[name] for name in names] or modes(grid)
    if as_json:
        show_json(grid_json(grid, chosen))
        return
    show_grid(grid, chosen, spans=spans)
    for doubt in doubts(grid):
        note(f"Look again: {doubt}")


@schema_group.command("check")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@json_option
@click.pass_context
def check_command(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Report everything that is wrong with schema files, and what an author should look at.

    Exits with 1 if there are errors, with 5 if a file cannot be read. A - stands for the
    standard input.

    Example:

    \b
        horsesense schema check kitchen.schemas
    """
    reports = [_check(path) for path in files]
    if as_json:
        show_json([asdict(report) for report in reports])
    else:
        for report in reports:
            _show(report)
    if any(not report.is_readable for report in reports):
        ctx.exit(FileError.exit_code)
    if any(report.errors for report in reports):
        ctx.exit(1)


@dataclass
class Finding:
    """Something to mend or to look at; line and column are 0 for the file as a whole."""

    text: str
    line: int = 0
    column: int = 0
    problem: str = ""
    remedy: str = ""


@dataclass
class Report:
    """What there is to say about one schema file."""

    file: str
    schemas: int = 0
    is_readable: bool = True
    errors: list[Finding] = field(default_factory=list)
    doubts: list[Finding] = field(default_factory=list)


def _check(path: str) -> Report:
    """Check one file; one that cannot be read does not hide what is in the others."""
    report = Report(path)
    try:
        with opened_schema_file(path) as file:
            _check_entries(file, report)
    except FileError as error:
        report.errors.append(Finding(str(error), problem=str(error)))
        report.is_readable = False
    return report


def _check_entries(file: SchemaFile, report: Report) -> None:
    seen: dict[str, str] = {}
    for entry in with_progress(file.sound_entries(), file.source, file.reader.position):
        report.schemas += 1
        found = list(doubts(entry.grid))
        for name, version in entry.versions:
            found += [f"{name}: {text}" for text in doubts(version)]
        first = seen.setdefault(grid_id(entry.grid), entry.id)
        if first != entry.id:
            found.append(f"the same schema as {first}")
        line = file.line_of(entry.id)
        report.doubts += [Finding(f"{entry.id}: {text}", line, problem=text) for text in found]
    report.errors += [
        Finding(str(error), error.line_number, error.column + 1, error.problem, error.remedy)
        for error in file.errors
    ]


def _show(report: Report) -> None:
    for error in report.errors:
        note(error.text)
    for doubt in report.doubts:
        note(f"{report.file}:{doubt.line}: look again at {doubt.text}")
    errors, doubted = counted(len(report.errors), "error"), counted(len(report.doubts), "doubt")
    click.echo(f"{report.file}: {report.schemas} sound, {errors}, {doubted}")
