"""`horsesense schema` and `horsesense generate`: show, check and generate schemas."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from horsesense.cli.completing import complete_data, complete_files
from horsesense.cli.groups import LazyGroup
from horsesense.cli.layout import TextTable
from horsesense.cli.output import (
    counted,
    json_option,
    note,
    output_width,
    show_json,
    show_table,
    with_count,
    with_progress,
)
from horsesense.cli.place import prepare_store
from horsesense.cli.views import (
    entry_json,
    grid_json,
    modes_of,
    saved_json,
    saved_message,
    show_grid,
)
from horsesense.datasets.checking import CheckedFile, check_schema_file
from horsesense.datasets.files import STDIN, is_built_in, is_file, write_file
from horsesense.errors import FileError, SchemaError, UnknownNameError
from horsesense.generation import (
    AREAS,
    RULES,
    Recipe,
    RequestedDifficulty,
    Rule,
    generate_dataset,
    span,
)
from horsesense.schema import Dataset, Entry, Grid, Mode, Schema, doubts, lowered_word, modes, wrap
from horsesense.schema.notation import parse_grid, parse_wrapper, print_file, print_grid
from horsesense.store import MODES, Store, open_material, refuse_perturbation, save_dataset


@click.group("schema", cls=LazyGroup)
def schema_group() -> None:
    """Show schemas and check schema files."""


# More than that fills the screen several times.
_SHOWN = 5


@schema_group.command("show")
@click.argument(
    "what",
    shell_complete=complete_data,
)
@click.option("--wrapper", help="Wrap the schema: 'It is |true, false| that …'.")
@click.option(
    "--mode",
    "names",
    type=click.Choice(list(MODES)),
    multiple=True,
    help="Show this mode; repeatable.",
)
@click.option("--spans", is_flag=True, help="Show the position of each phrase in each sentence.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"Number of schemas of a file to show. [{_SHOWN}; JSON: all]",
)
@json_option
@click.pass_obj
def show_command(path: Path, /, what: str, limit: int | None, **options: Any) -> None:
    """Show the sentences of a schema, and its problems in every mode.

    WHAT is a schema in notation. It can also be a schema file, a published file in any known
    format or a built-in dataset, whose first schemas are shown.

    Example:

    \b
        horsesense schema show '{owls, voles} <do, do not> eat {voles, owls}'
        horsesense schema show kitchen.schemas --limit 2
    """
    choices = _ShowOptions(**options)
    if what == STDIN or is_file(what) or is_built_in(what):
        _show_file(what, path, limit, choices)
        return
    if not _NO_FILE_NAME & set(what) and (Path(what).suffix or "/" in what):
        raise FileError(f"there is no file {what!r}, and it is not a schema in notation")
    grid = _wrapped(parse_grid(what), choices.wrapper)
    chosen = [MODES[name] for name in choices.names] or modes(grid)
    if choices.as_json:
        show_json(grid_json(grid, chosen))
        return
    show_grid(grid, chosen, spans=choices.spans)
    for doubt in doubts(grid):
        note(f"Warning: {doubt}")


@dataclass(frozen=True, slots=True)
class _ShowOptions:
    """The options of `schema show`, except for the limit."""

    wrapper: str | None
    names: tuple[str, ...]
    spans: bool
    as_json: bool


# Characters that schemas in notation have, and hardly any file name.
_NO_FILE_NAME = frozenset("<>{} ")


def _show_file(name: str, path: Path, limit: int | None, choices: _ShowOptions) -> None:
    """Show the first schemas of a file, and how many more there are."""
    with open_material(name, path, is_dataset=False) as material:
        entries = list(material.entries)
        remarks = material.remarks()
    shown = entries[: limit if limit or choices.as_json else _SHOWN]
    if choices.as_json:
        show_json([_entry_json(entry, choices) for entry in shown])
    else:
        for entry in shown:
            _show_entry(entry, choices)
        if more := len(entries) - len(shown):
            note(f"{more} more; use --limit {len(entries)} to see all")
    for remark in remarks:
        note(remark)


def _show_entry(entry: Entry, choices: _ShowOptions) -> None:
    grid, chosen = _shown_grid(entry, choices)
    click.echo(f"── {entry.id} ".ljust(output_width(), "─"))
    click.echo(f"{print_grid(entry.grid)}\n")
    show_grid(grid, chosen, spans=choices.spans)
    click.echo("")


def _entry_json(entry: Entry, choices: _ShowOptions) -> dict[str, Any]:
    return {**entry_json(entry), "content": grid_json(*_shown_grid(entry, choices))}


def _shown_grid(entry: Entry, choices: _ShowOptions) -> tuple[Grid, list[Mode]]:
    """Return the grid of an entry, wrapped on request, and those of the modes that it has."""
    grid = _wrapped(entry.grid, choices.wrapper)
    possible = modes(grid) if choices.wrapper else modes_of(entry)
    requested = [MODES[name] for name in choices.names] or possible
    return grid, [mode for mode in requested if mode in possible]


def _wrapped(grid: Grid, wrapper: str | None) -> Grid:
    """Wrap a schema on request; warn if a word loses its capital letter."""
    if wrapper is None:
        return grid
    if not isinstance(grid, Schema):
        raise SchemaError(f"a {grid.kind} cannot be wrapped; it has no key phrases")
    if word := lowered_word(grid):
        note(
            f"Warning: {word!r} lost its capital letter; if it is a name, write the schema"
            " without a full stop at the end"
        )
    return wrap(grid, parse_wrapper(wrapper))


@schema_group.command("check")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE...",
    shell_complete=complete_files,
)
@json_option
@click.pass_context
def check_command(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Check schema files, and report errors and warnings.

    Exits with 1 if there are errors, and with 5 if a file cannot be read. Use - for standard
    input.

    Example:

    \b
        horsesense schema check kitchen.schemas
    """
    for name in files:
        if "<" in name and not is_file(name):
            usage = "this is a schema, and `schema check` takes files: use `horsesense schema show`"
            raise click.UsageError(f"{name}: {usage}")
    reports = [check_schema_file(path, watch=with_progress) for path in files]
    if as_json:
        show_json([asdict(report) for report in reports])
    else:
        for report in reports:
            _show(report)
    if any(not report.is_readable for report in reports):
        ctx.exit(FileError.exit_code)
    if any(report.errors for report in reports):
        ctx.exit(1)


def _show(report: CheckedFile) -> None:
    for error in report.errors:
        note(error.text)
    for doubt in report.doubts:
        note(f"{report.file}:{doubt.line}: warning: {doubt.text}")
    errors = counted(len(report.errors), "error")
    warnings = counted(len(report.doubts), "warning")
    click.echo(f"{report.file}: {report.schemas} valid, {errors}, {warnings}")


COUNT = 150


class _Numbers(click.ParamType[range]):
    """A number or a range: `2` or `2-4`."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> range:
        first, dash, last = str(value).partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            self.fail(f"{value!r} is not a number or a range such as 2-4")
        numbers = range(int(first), int(last or first) + 1)
        return numbers or self.fail(f"{value!r} is an empty range; put the smaller number first")


@dataclass(frozen=True, slots=True)
class _GenerateOptions:
    """The options of `generate`."""

    count: int
    seed: int
    day: datetime | None
    areas: tuple[str, ...]
    chain: range | None
    converses: range | None
    negations: range | None
    name: str
    output: str
    force: bool


@click.command("generate")
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=COUNT,
    show_default=True,
    help="Number of schemas.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed."
)
@click.option(
    "--date",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Generate the dataset of this date. [today, UTC]",
)
@click.option("--area", "areas", multiple=True, help="Use only this area; repeatable.")
@click.option("--chain", type=_Numbers(), help="Number of reasoning steps, such as 2 or 2-4. [any]")
@click.option(
    "--converses", type=_Numbers(), help="Number of steps that are stated in reverse. [any]"
)
@click.option("--negations", type=_Numbers(), help="Number of negated steps. [any]")
@click.option("--name", default="", help="Name of the dataset. [fresh-DATE]")
@click.option(
    "--output",
    "-o",
    default="",
    metavar="FILE",
    help="Write a schema file instead of storing the dataset; - is stdout.",
    shell_complete=complete_files,
)
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
@click.option("--rules", "is_listing", is_flag=True, help="List the rules and areas, and exit.")
@json_option
@click.pass_obj
def generate_command(path: Path, /, is_listing: bool, as_json: bool, **options: Any) -> None:
    """Generate a dataset of schemas that no model has seen.

    The schemas are adversarial. Rules derive the answers from small knowledge tables. Each entry
    has its derivation (x-derivation), its rule, and its difficulty (tags such as chain:3). The same
    date, seed and options give the same dataset; no two schemas in it share a problem.

    Example:

    \b
        horsesense generate --count 300 --chain 2-3
        horsesense generate --area kinship --seed 7 --output fresh.schemas
        horsesense generate --rules
    """
    choices = _GenerateOptions(**options)
    _check_areas(choices.areas)
    if is_listing:
        rules = [rule for rule in RULES if not choices.areas or rule.area in choices.areas]
        _list(rules, as_json=as_json)
        return
    if choices.output and as_json:
        raise click.UsageError("--output and --json cannot be used together")
    wanted = RequestedDifficulty(choices.chain, choices.converses, choices.negations)
    day = choices.day.date() if choices.day else datetime.now(UTC).date()
    recipe = Recipe(choices.seed, day, wanted, tuple(dict.fromkeys(choices.areas)))
    _refuse_early(path, choices.name or recipe.name, choices)
    dataset = generate_dataset(
        recipe,
        choices.count,
        RULES,
        name=choices.name,
        watch=lambda schemas: with_count(schemas, "generating", choices.count),
    )
    if choices.output:
        _write(dataset, choices)
        return
    prepare_store(path)
    with Store.create_or_open(path) as store:
        refuse_perturbation(store, dataset.name)
        saved = save_dataset(store, dataset)
    if as_json:
        show_json(saved_json(saved))
    else:
        click.echo(saved_message(saved))


def _check_areas(areas: tuple[str, ...]) -> None:
    for area in areas:
        if area not in AREAS:
            raise UnknownNameError("area", area, AREAS)


def _refuse_early(path: Path, name: str, choices: _GenerateOptions) -> None:
    """Check that the dataset can be written before it is generated."""
    if choices.output:
        exists = choices.output != STDIN and Path(choices.output).is_file()
        if exists and not choices.force:
            raise FileError(f"{choices.output} already exists; use --force to overwrite it")
    elif path.exists():
        with Store.open(path) as store:
            refuse_perturbation(store, name)


def _write(dataset: Dataset, choices: _GenerateOptions) -> None:
    pieces = print_file(dataset.header, dataset)
    if choices.output == STDIN:
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    write_file(Path(choices.output), pieces, overwrite=choices.force)
    note(f"{choices.output}: {counted(len(dataset), 'schema')}")


def _list(rules: list[Rule], *, as_json: bool) -> None:
    rows = [
        (
            rule.name,
            rule.area,
            *map(span, (rule.chain, rule.converses, rule.negations)),
            "yes" if rule.is_open else "",
            rule.title,
        )
        for rule in rules
    ]
    columns = ("rule", "area", "chain", "converses", "negations", "open", "title")
    if as_json:
        show_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        show_table(TextTable(columns, rows))
