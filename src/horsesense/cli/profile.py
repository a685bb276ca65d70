"""`horsesense profile`: the performance profile of a model, from the runs that are kept."""

from __future__ import annotations

import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from horsesense.cli.kept_runs import model_in, run_with
from horsesense.cli.output import json_option, note, show_json
from horsesense.cli.runs import opened_runs
from horsesense.errors import UnknownNameError

if TYPE_CHECKING:
    from horsesense.results import ModelSubject, ResultKey, Results

# As wide as a slide, and no wider than what can be read.
_WIDEST = 160
_IN_A_PIPE = 100


@click.command("profile")
@click.argument("model")
@click.option("--run", "run_id", metavar="ID", help="The run. [the latest that has the model]")
@click.option("--data", "dataset", help="This dataset only. [all of the run]")
@click.option("--all", "is_whole", is_flag=True, help="All tables, not only the main ones.")
@json_option
@click.pass_obj
def profile_command(
    path: Path, model: str, run_id: str | None, dataset: str | None, is_whole: bool, as_json: bool
) -> None:
    """Show the performance profile of a model: in words, and then in tables.

    MODEL is one that was evaluated by `horsesense run`. The tables have its accuracy by every
    scoring method, under perturbations, its consistency, the controls and the dyads, with the
    baselines of the run beside it.

    Example:

    \b
        horsesense profile smollm2-135m --data hs-winograd
    """
    with opened_runs(path) as store:
        profile = run_with(store, model, run_id)
        part = narrowed(profile, model_in(profile, model), dataset)
        if as_json:
            show_json(_json(part, is_whole=is_whole))
        else:
            _show(part, is_whole=is_whole)


def narrowed(profile: Results, model: ModelSubject, dataset: str | None) -> Results:
    """What a profile has of one model beside the baselines, and of one dataset if it is named.

    A baseline that is asked for by its name is shown as a model is.
    """
    known = [one.name for one in profile.datasets]
    if dataset is not None and dataset not in known:
        raise UnknownNameError(f"dataset in the run {profile.record.id}", dataset, known)
    datasets = known if dataset is None else [dataset]
    others = [one for one in profile.models if one.is_baseline and one.name != model.name]
    models = (replace(model, is_baseline=False), *others)
    names = {one.name for one in models}

    def is_kept(at: ResultKey | None) -> bool:
        return at is None or (at.model in names and at.dataset in datasets)

    return replace(
        profile,
        models=models,
        datasets=tuple(one for one in profile.datasets if one.name in datasets),
        variants=tuple(one for one in profile.variants if one.dataset in datasets),
        estimates=tuple(
            one for one in profile.estimates if is_kept(one.key) and is_kept(one.against)
        ),
        options=tuple(one for one in profile.options if is_kept(one.key)),
    )


def _show(profile: Results, *, is_whole: bool) -> None:
    from horsesense.reports import tables
    from horsesense.reports.text import text_summary, text_table

    width = min(shutil.get_terminal_size((_IN_A_PIPE, 0)).columns, _WIDEST)
    every = tables(profile)
    shown = [one for one in every if is_whole or one.is_main]
    click.echo(text_summary(profile, width=width), nl=False)
    for one in shown:
        click.echo(f"\n{text_table(one, width=width).rstrip()}")
    if others := len(every) - len(shown):
        note(f"these are the main tables; --all shows {others} more")


def _json(profile: Results, *, is_whole: bool) -> dict[str, Any]:
    from horsesense.reports import summary, tables

    model, told = profile.models[0], summary(profile)
    return {
        "run": profile.record.id,
        "model": {**asdict(model), "standard": dict(model.standard)},
        "datasets": [asdict(one) for one in profile.datasets],
        "headline": told.headline,
        "verdicts": [asdict(one) for one in told.verdicts],
        "caveats": list(told.caveats),
        "estimates": [asdict(one) for one in profile.estimates],
        "tables": [asdict(one) for one in tables(profile) if is_whole or one.is_main],
        "skipped": [asdict(one) for one in profile.skipped],
    }
