"""`horsesense generate`: fresh schemas, made on the day of a test."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from horsesense.cli.files import write_whole
from horsesense.cli.output import (
    Table,
    counted,
    json_option,
    note,
    show_json,
    show_table,
    with_count,
)
from horsesense.cli.saved import refuse_perturbation, saved_json, told_saved
from horsesense.datasets.opening import STDIN
from horsesense.errors import FileError, UnknownNameError
from horsesense.schema import Dataset
from horsesense.schema.notation import print_file
from horsesense.store import Store, save_dataset

if TYPE_CHECKING:
    from horsesense.generation import Rule

COUNT = 150


class _Numbers(click.ParamType[range]):
    """A number, or several from one to another: `2` or `2-4`."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> range:
        first, dash, last = str(value).partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            self.fail(f"{value!r} is no number, and not two with a dash between, such as 2-4")
        numbers = range(int(first), int(last or first) + 1)
        return numbers or self.fail(f"{value!r}: the larger number goes last")


@dataclass(frozen=True, slots=True)
class _Choices:
    """What the user asked for."""

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
@click.option("--count", type=click.IntRange(min=1), default=COUNT, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option(
    "--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="Part of the seed. [today, UTC]"
)
@click.option("--area", "areas", multiple=True, help="Of this area only; may be repeated.")
@click.option("--chain", type=_Numbers(), help="Steps to the answer, such as 2 or 2-4. [any]")
@click.option("--converses", type=_Numbers(), help="Steps told from the other side. [any]")
@click.option("--negations", type=_Numbers(), help="Steps told by a denial. [any]")
@click.option("--name", default="", help="What to call the dataset. [fresh-DATE]")
@click.option("--output", default="", metavar="FILE", help="Write a schema file; - for stdout.")
@click.option("--force", is_flag=True, help="Overwrite that file.")
@click.option("--rules", "is_listing", is_flag=True, help="List the rules and areas, and stop.")
@json_option
@click.pass_obj
def generate_command(path: Path, /, is_listing: bool, as_json: bool, **options: Any) -> None:
    """Make new adversarial schemas that no model has read, and keep them as a dataset.

    They are made from small tables of knowledge by rules that derive the answers; each entry
    says how (x-derivation), by which rule, and how hard it is (tags such as chain:3). The
    same date, seed and options make the same set; no two schemas in it have a problem in common.

    Example:

    \b
        horsesense generate --count 300 --chain 2-3
        horsesense generate --area kinship --seed 7 --output fresh.schemas
        horsesense generate --rules
    """
    from horsesense.generation import RULES, Recipe, Wanted, generate_dataset

    choices = _Choices(**options)
    _check_areas(choices.areas)
    if is_listing:
        of_these = [rule for rule in RULES if not choices.areas or rule.area in choices.areas]
        _list(of_these, as_json=as_json)
        return
    if choices.output and as_json:
        raise click.UsageError("--output writes a schema file; --json is for what is stored")
    wanted = Wanted(choices.chain, choices.converses, choices.negations)
    day = choices.day.date() if choices.day else datetime.now(UTC).date()
    recipe = Recipe(choices.seed, day, wanted, tuple(dict.fromkeys(choices.areas)))
    _refuse_early(path, choices.name or recipe.name, choices)
    dataset = generate_dataset(
        recipe,
        choices.count,
        RULES,
        name=choices.name,
        watch=lambda made: with_count(made, "generating", choices.count),
    )
    if choices.output:
        _write(dataset, choices)
        return
    with Store.create_or_open(path) as store:
        refuse_perturbation(store, dataset.name)
        saved = save_dataset(store, dataset)
    if as_json:
        show_json(saved_json(saved))
    else:
        click.echo(told_saved(saved))


def _check_areas(areas: tuple[str, ...]) -> None:
    from horsesense.generation import AREAS

    for area in areas:
        if area not in AREAS:
            raise UnknownNameError("area", area, AREAS)


def _refuse_early(path: Path, name: str, choices: _Choices) -> None:
    """Refuse what would be refused when all has been made."""
    if choices.output:
        is_there = choices.output != STDIN and Path(choices.output).is_file()
        if is_there and not choices.force:
            raise FileError(f"{choices.output} is there already; --force overwrites it")
    elif path.exists():
        with Store.open(path) as store:
            refuse_perturbation(store, name)


def _write(dataset: Dataset, choices: _Choices) -> None:
    pieces = print_file(dataset.header, dataset)
    if choices.output == STDIN:
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    write_whole(Path(choices.output), pieces, overwrite=choices.force)
    note(f"{choices.output}: {counted(len(dataset), 'schema')}")


def _list(rules: list[Rule], *, as_json: bool) -> None:
    from horsesense.generation import span

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
        show_table(Table(columns, rows))
