"""`horsesense perturb`: what transformations there are, and the perturbations they have made."""

from __future__ import annotations

from pathlib import Path

import click

from horsesense.cli.groups import NamingGroup
from horsesense.cli.output import counted, json_option, note, note_failures, show_json, show_table
from horsesense.cli.perturb_apply import apply_command
from horsesense.cli.perturb_json import (
    example_json,
    perturbation_json,
    transformation_json,
)
from horsesense.cli.perturb_names import check_free, perturbation_name
from horsesense.cli.perturb_show import diff_command, show_command
from horsesense.cli.perturb_views import (
    counted_judgements,
    named,
    perturbation_table,
    show_transformation,
    transformation_table,
)
from horsesense.cli.review import review_command
from horsesense.perturbations import TRANSFORMATIONS, find_transformation
from horsesense.store import (
    Store,
    adopt,
    count_judgements,
    count_validity,
    find_dataset,
    find_perturbation,
    list_perturbations,
    remove_perturbation,
)


@click.group("perturb", cls=NamingGroup)
def perturb_group() -> None:
    """Transform datasets, and judge what becomes of them.

    A transformation applied to a dataset yields a perturbation. What is valid of it is frozen
    as a dataset of the same name, which can be scored and exported like any other.
    """


@perturb_group.command("list")
@click.option("--in-store", is_flag=True, help="The perturbations that the store has.")
@json_option
@click.pass_obj
def list_command(path: Path, in_store: bool, as_json: bool) -> None:
    """List the transformations, or with --in-store the perturbations made with them.

    Example:

    \b
        horsesense perturb list
        horsesense perturb list --in-store
    """
    if in_store:
        with Store.open(path) as store:
            found = [(one, count_validity(store, one)) for one in list_perturbations(store)]
        if as_json:
            show_json([perturbation_json(*one) for one in found])
        elif found:
            show_table(perturbation_table(found))
        else:
            note("no perturbations yet; 'horsesense perturb apply NAME DATASET' makes one")
    elif as_json:
        show_json([transformation_json(one) for one in TRANSFORMATIONS.values()])
    else:
        show_table(transformation_table(TRANSFORMATIONS.values()))
    if not in_store:
        note_failures(TRANSFORMATIONS)


@perturb_group.command("explain")
@click.argument("name")
@json_option
def explain_command(name: str, as_json: bool) -> None:
    """Say what the transformation NAME does, and show it at work on an example.

    Example:

    \b
        horsesense perturb explain switched
    """
    transformation = find_transformation(name)
    if as_json:
        example = example_json(transformation)
        show_json({**transformation_json(transformation), "example": example})
    else:
        show_transformation(transformation)


@perturb_group.command("adopt")
@click.argument("transformation_name", metavar="TRANSFORMATION")
@click.argument("original_name", metavar="ORIGINAL")
@click.argument("dataset_name", metavar="DATASET")
@click.option("--name", "new_name", help="What the perturbation is to be called.")
@click.pass_obj
def adopt_command(
    path: Path,
    transformation_name: str,
    original_name: str,
    dataset_name: str,
    new_name: str | None,
) -> None:
    """Take an imported DATASET, such as a published file, for a perturbation of ORIGINAL.

    Entries are paired by their ids. Those of the original that have no counterpart are left
    out, and so are those that are unchanged or whose problems do not pair; an entry of DATASET
    without an original is an error.

    Example:

    \b
        horsesense perturb adopt switched kitchen kitchen-switched
    """
    transformation = find_transformation(transformation_name)
    settings = transformation.settings()
    with Store.open(path) as store:
        original = find_dataset(store, original_name)
        dataset = find_dataset(store, dataset_name)
        name = new_name or perturbation_name(original, transformation, settings)
        check_free(store, name, transformation, original, adopted=dataset)
        adopted = adopt(store, name, original, transformation, settings, dataset)
        counts = count_validity(store, adopted)
    click.echo(f"{name}: {named(dataset)} as {transformation.name} of {named(original)}")
    click.echo(f"judged: {counted_judgements(counts)}; {counts.left_out} left out")
    if adopted.dataset != dataset:
        note(f"not all of {named(dataset)} can be taken; what can is {named(adopted.dataset)}")


@perturb_group.command("remove")
@click.argument("name", metavar="PERTURBATION")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def remove_command(path: Path, name: str, yes: bool) -> None:
    """Remove a perturbation with all that people have said of it.

    Whatever had that name before goes with it: the number of judgements tells. The datasets that
    were frozen of it stay.

    Example:

    \b
        horsesense perturb remove kitchen.switched --yes
    """
    with Store.open(path) as store:
        perturbation = find_perturbation(store, name)
        shown = f"{name} ({counted_judgements(count_validity(store, perturbation))}"
        # Those of former perturbations of the name go with it.
        shown += f"; {counted(count_judgements(store, name), 'judgement')} by people)"
        if not yes:
            click.confirm(f"Remove {shown}?", abort=True, err=True)
        remove_perturbation(store, perturbation)
    click.echo(f"removed: {shown}")
    if perturbation.dataset or perturbation.outdated:
        note(f"the dataset stays; 'horsesense dataset remove {name}' removes it")


for command in (apply_command, show_command, diff_command, review_command):
    perturb_group.add_command(command)
