"""`horsesense cache`: what the store keeps of models' answers, whether it is true, what may go."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import click

from horsesense.cli.asked_model import chosen_model, model_options
from horsesense.cli.groups import NamingGroup
from horsesense.cli.output import Table, counted, json_option, note, show_json, show_table
from horsesense.errors import ModelError
from horsesense.evaluation.inference import Verified, verify_answers
from horsesense.models import Family, LanguageModel
from horsesense.scoring.outcome import DRIFT
from horsesense.store import Pruned, Store, count_kept, fingerprints_of, prune

_SHORT = 8
_MEGABYTE = 1e6
_KILOBYTE = 1e3


@click.group("cache", cls=NamingGroup)
def cache_group() -> None:
    """Look after what models have answered.

    Answers are kept in the store under the model's fingerprint and the exact tokens that it
    read, so that nothing is asked twice.
    """


@cache_group.command("stats")
@json_option
@click.pass_obj
def stats_command(path: Path, as_json: bool) -> None:
    """Show how much is kept, by model and method of observation.

    Example:

    \b
        horsesense cache stats
    """
    with Store.open(path) as store:
        counts = count_kept(store)
    if as_json:
        show_json([asdict(one) for one in counts])
    elif counts:
        columns = ("model", "id", "dtype", "device", "method", "rows", "tokens", "size", "last")
        rows = [
            (
                *(one.model, one.fingerprint[:_SHORT], one.dtype, one.device, one.method),
                *(f"{one.rows:,}", f"{one.tokens:,}", _size(one.bytes), one.last_at),
            )
            for one in counts
        ]
        show_table(Table(columns, rows))
    else:
        note("no answers are kept yet")
    damaged = sum(one.damaged for one in counts)
    if damaged:
        note(
            f"{counted(damaged, 'answer')} damaged, which would not be used but asked again;"
            " 'horsesense cache prune --damaged' removes them"
        )


@cache_group.command("verify")
@click.argument("model_name", metavar="MODEL")
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="How many answers are asked for again.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Which ones.")
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    default=DRIFT,
    show_default=True,
    help="How far a log-probability may be off.",
)
@model_options
@json_option
@click.pass_context
def verify_command(
    ctx: click.Context,
    /,
    model_name: str,
    sample: int,
    seed: int,
    tolerance: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Ask MODEL again for a sample of its answers, one by one, and compare.

    Answers are drawn in pairs that begin alike, most often the options of one problem; which of
    two is the cheaper one is a decision. Exits with 1 if a number is off, a row is damaged or a
    decision is flipped.

    Example:

    \b
        horsesense cache verify smollm2-135m --sample 20
    """
    with Store.open(ctx.obj) as store:
        model = chosen_model(model_name, **options)
        if model.info.family is Family.BASELINE:
            raise ModelError(f"{model_name} is a baseline; nothing of it is kept")
        found = verify_answers(
            cast(LanguageModel, model), store, sample=sample, seed=seed, tolerance=tolerance
        )
    if as_json:
        show_json({**asdict(found), "is_sound": found.is_sound})
    else:
        _show_verified(model_name, found)
    if not found.is_sound:
        ctx.exit(1)


@cache_group.command("prune")
@click.option("--model", "name", help="Of this model, by its name or fingerprint.")
@click.option(
    "--older-than", "days", type=click.IntRange(min=0), metavar="DAYS", help="Older than that."
)
@click.option("--damaged", is_flag=True, help="Damaged ones, which are not used anyway.")
@click.option("--all", "is_all", is_flag=True, help="All of them.")
@click.option("--dry-run", is_flag=True, help="Only say what would go.")
@json_option
@click.pass_obj
def prune_command(
    path: Path,
    /,
    name: str | None,
    days: int | None,
    damaged: bool,
    is_all: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Throw answers away: those that meet every condition that is given.

    They can be had again by asking the model again. The room in the file is used for what is
    kept next.

    Example:

    \b
        horsesense cache prune --older-than 365 --dry-run
    """
    conditions = (name is not None, days is not None, damaged)
    if is_all == any(conditions):
        raise click.UsageError("say what is to go: --all, or --model, --older-than and --damaged")
    with Store.open(path) as store:
        gone = prune(
            store,
            fingerprints=fingerprints_of(store, name) if name is not None else None,
            before=_days_ago(days) if days is not None else None,
            damaged=damaged,
            dry_run=dry_run,
        )
    if as_json:
        show_json([asdict(one) for one in gone])
    else:
        _show_pruned(gone, dry_run=dry_run)


def _show_verified(name: str, found: Verified) -> None:
    for key in found.damaged:
        note(
            f"observation {key[:_SHORT]} is damaged; 'horsesense cache prune --damaged' removes it"
        )
    for one in found.drifted:
        note(f"observation {one.key[:_SHORT]} is off by {one.drift:.2g}: {one.text}")
    click.echo(
        f"{name}: {found.rows:,} of {found.kept:,} answers asked again;"
        f" greatest drift {found.drift:.2g};"
        f" {found.flipped} of {counted(found.decisions, 'decision')} flipped;"
        f" {counted(len(found.drifted) + len(found.damaged), 'finding')}"
    )


def _show_pruned(gone: list[Pruned], *, dry_run: bool) -> None:
    for one in gone:
        click.echo(
            f"{'would go' if dry_run else 'removed'}: {counted(one.rows, 'answer')}"
            f" of {one.model} ({one.fingerprint[:_SHORT]}), {_size(one.bytes)}"
        )
    if not gone:
        click.echo("there is nothing of the kind")


def _days_ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")


def _size(count: int) -> str:
    """Bytes as people read them.

    >>> _size(1500), _size(25_000_000)
    ('1.5 kB', '25.0 MB')
    """
    return f"{count / _MEGABYTE:.1f} MB" if count >= _MEGABYTE else f"{count / _KILOBYTE:.1f} kB"
