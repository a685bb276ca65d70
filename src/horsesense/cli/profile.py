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
    from horsesense.results import Address, ModelSubject, Profile

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


def narrowed(profile: Profile, model: ModelSubject, dataset: str | None) -> Profile:
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

    def is_kept(at: Address | None) -> bool:
        return at is None or (at.model in names and at.dataset in datasets)

    return replace(
        profile,
        models=models,
        datasets=tuple(one for one in profile.datasets if one.name in datasets),
        forms=tuple(one for one in profile.forms if one.dataset in datasets),
        measurements=tuple(
            one for one in profile.measurements if is_kept(one.of) and is_kept(one.against)
        ),
        options=tuple(one for one in profile.options if is_kept(one.of)),
    )


def _show(profile: Profile, *, is_whole: bool) -> None:
    from horsesense.reports import build_report, text

    width = min(shutil.get_terminal_size((_IN_A_PIPE, 0)).columns, _WIDEST)
    report = build_report(profile)
    click.echo(text(report, width=width, all_tables=is_whole), nl=False)
    others = sum(not table.is_main for table in report.tables)
    if others and not is_whole:
        note(f"these are the main tables; --all shows {others} more")


def _json(profile: Profile, *, is_whole: bool) -> dict[str, Any]:
    from horsesense.reports import build_report

    model, report = profile.models[0], build_report(profile)
    return {
        "run": profile.record.id,
        "model": {**asdict(model), "standard": dict(model.standard)},
        "datasets": [asdict(one) for one in profile.datasets],
        "headline": report.summary.headline,
        "verdicts": [asdict(one) for one in report.summary.verdicts],
        "caveats": list(report.summary.caveats),
        "measurements": [asdict(one) for one in profile.measurements],
        "tables": [asdict(one) for one in report.tables if is_whole or one.is_main],
        "gaps": [asdict(one) for one in profile.gaps],
    }
