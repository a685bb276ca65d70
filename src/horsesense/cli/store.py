"""`horsesense store` and `horsesense cache`: check the store, manage the cached answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import click

from horsesense.cli.completing import complete_models
from horsesense.cli.groups import LazyGroup
from horsesense.cli.layout import TextTable
from horsesense.cli.options import chosen_model, model_options
from horsesense.cli.output import (
    counted,
    json_option,
    note,
    show_json,
    show_table,
    with_count,
    working,
)
from horsesense.errors import ModelError, StoreError
from horsesense.evaluation.inference import Verified, verify_answers
from horsesense.models import Family, LanguageModel
from horsesense.scoring.outcome import DRIFT
from horsesense.store import (
    Pruned,
    Repaired,
    State,
    Store,
    StoreCheck,
    check_store,
    count_kept,
    fingerprints_of,
    is_damage,
    prune,
    repair_store,
    salvage_store,
)


@click.group("store", cls=LazyGroup)
def store_group() -> None:
    """Check and repair the store."""


@store_group.command("check")
@click.option("--repair", is_flag=True, help="Remove or rebuild damaged parts where possible.")
@json_option
@click.pass_context
def check_command(ctx: click.Context, repair: bool, as_json: bool) -> None:
    """Check the integrity of the store.

    Every part is read and compared with its ids and checksums: the file itself, the search
    index, datasets with their sources and issues, perturbations with their ledgers, runs, and
    cached answers. Records that were written by versions without checksums are unverified.

    With --repair, damaged answers and runs are removed, because they can be computed again, and
    indexes are rebuilt. Datasets and judgements are never removed. If the file itself is damaged,
    it is left unchanged, and everything that can be read is copied to a new file,
    NAME-repaired.db. Exits with 1 if anything is damaged and was not repaired.

    Example:

    \b
        horsesense store check
        horsesense store check --repair
    """
    path: Path = ctx.obj
    try:
        with Store.open_damaged(path) as store:
            found = _check(store)
            with working("repairing the store"):
                repaired = repair_store(store) if repair and _is_damaged(found) else None
            if repaired is not None and repaired.copy is None:
                found = _check(store)
    except StoreError as error:
        # An older store whose pages are damaged cannot even be brought up to date.
        if not repair or not is_damage(error.__cause__):
            raise
        with working("copying what can be read"):
            repaired = salvage_store(path)
    if repaired is not None and repaired.copy is not None:
        with Store.open_damaged(repaired.copy) as copy:
            found = _check(copy)
    if as_json:
        show_json(_json(found, repaired))
    else:
        _show(path, found, repaired)
    if _is_damaged(found) or (repaired is not None and repaired.copy is not None):
        ctx.exit(1)


def _check(store: Store) -> list[StoreCheck]:
    return list(check_store(store, _watch))


def _watch(items: Iterable[Any], label: str, count: int) -> Iterable[Any]:
    return with_count(items, label, count)


def _is_damaged(found: list[StoreCheck]) -> bool:
    return any(checked.state is State.DAMAGED for checked in found)


def _json(found: list[StoreCheck], repaired: Repaired | None) -> dict[str, Any]:
    parts = [
        {
            "part": checked.part,
            "state": checked.state.value,
            "findings": checked.findings,
            "unverified": checked.unverified,
            "remedy": checked.remedy if checked.findings else "",
        }
        for checked in found
    ]
    done = repaired.done if repaired else ()
    copy = str(repaired.copy) if repaired and repaired.copy else None
    return {"parts": parts, "repaired": done, "copy": copy}


def _show(path: Path, found: list[StoreCheck], repaired: Repaired | None) -> None:
    if repaired is not None:
        for line in repaired.done:
            click.echo(line)
        if repaired.copy is not None:
            note(
                f"the file {path} is damaged and was left unchanged; {repaired.copy} has everything"
                " that could be read. Replace the damaged file with it if the checks below pass."
            )
    for checked in found:
        for finding in checked.findings:
            note(f"{checked.part}: {finding}")
        if checked.findings:
            note(f"  {checked.remedy}")
        click.echo(f"{checked.part}: {_state(checked)}")


def _state(checked: StoreCheck) -> str:
    if checked.state is State.UNVERIFIED:
        rows = counted(checked.unverified, "record")
        return f"unverified ({rows} without checksums, from an older version)"
    return (
        f"{checked.state} ({counted(len(checked.findings), 'finding')})"
        if checked.findings
        else checked.state
    )


_SHORT = 8
_MEGABYTE = 1e6
_KILOBYTE = 1e3


@click.group("cache", cls=LazyGroup)
def cache_group() -> None:
    """Manage the cached model answers in the store.

    Answers are cached by the fingerprint of the model and the exact tokens of the query, or the
    exact request to a chat model, so that nothing is computed twice.
    """


@cache_group.command("stats")
@json_option
@click.pass_obj
def stats_command(path: Path, as_json: bool) -> None:
    """Show how many answers are cached, by model and query method.

    Replies of chat models are counted under the method chat, with their tokens.

    Example:

    \b
        horsesense cache stats
    """
    with Store.open(path) as store, working("counting answers"):
        counts = count_kept(store)
    if as_json:
        show_json([asdict(count) for count in counts])
    elif counts:
        columns = ("model", "id", "dtype", "device", "method", "rows", "tokens", "size", "last")
        rows = [
            (
                *(count.model, count.fingerprint[:_SHORT], count.dtype, count.device, count.method),
                *(f"{count.rows:,}", f"{count.tokens:,}", _size(count.bytes), count.last_at),
            )
            for count in counts
        ]
        show_table(TextTable(columns, rows))
    else:
        note("no answers are cached yet")
    damaged = sum(count.damaged for count in counts)
    if damaged:
        note(
            f"{counted(damaged, 'damaged answer')}, which will be computed again when needed;"
            " remove with 'horsesense cache prune --damaged'"
        )


@cache_group.command("verify")
@click.argument(
    "model_name",
    metavar="MODEL",
    shell_complete=complete_models,
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="Number of answers to check.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Random seed for drawing the sample."
)
@click.option(
    "--tolerance",
    type=click.FloatRange(min=0),
    default=DRIFT,
    show_default=True,
    help="Largest accepted difference of a log-probability.",
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
    """Compare a sample of MODEL's cached answers with new ones.

    MODEL is queried again, one sentence at a time. Answers are drawn in pairs that start with the
    same words, usually the options of one problem; the cheaper of the two is the model's decision.
    Exits with 1 if a value differs, a row is damaged, or a decision flips.

    Example:

    \b
        horsesense cache verify smollm2-135m --sample 20
    """
    with Store.open(ctx.obj) as store:
        model = chosen_model(model_name, **options)
        if model.info.family is Family.BASELINE:
            raise ModelError(f"{model_name} is a baseline, and baselines are not cached")
        if model.info.family is Family.CHAT:
            raise ModelError(
                f"{model_name} is a chat model, and only log-probabilities are verified;"
                " 'horsesense store check' compares replies with their checksums"
            )
        with working(f"querying {model_name} again"):
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
@click.option(
    "--model",
    "name",
    help="Remove the answers of this model (name or fingerprint).",
    shell_complete=complete_models,
)
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(min=0),
    metavar="DAYS",
    help="Remove answers older than this.",
)
@click.option("--damaged", is_flag=True, help="Remove damaged answers.")
@click.option("--all", "is_all", is_flag=True, help="Remove all answers.")
@click.option("--dry-run", is_flag=True, help="Only show what would be removed.")
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
    """Remove cached answers that meet all given conditions.

    The model computes them again when they are needed. The file keeps its size; the free space
    is used for new answers.

    Example:

    \b
        horsesense cache prune --older-than 365 --dry-run
    """
    conditions = (name is not None, days is not None, damaged)
    if is_all == any(conditions):
        raise click.UsageError(
            "choose what to remove: either --all, or any of --model, --older-than and --damaged"
        )
    with Store.open(path) as store, working("looking for answers"):
        gone = prune(
            store,
            fingerprints=fingerprints_of(store, name) if name is not None else None,
            before=_days_ago(days) if days is not None else None,
            damaged=damaged,
            dry_run=dry_run,
        )
    if as_json:
        show_json([asdict(pruned) for pruned in gone])
    else:
        _show_pruned(gone, dry_run=dry_run)


def _show_verified(name: str, verified: Verified) -> None:
    for key in verified.damaged:
        note(f"answer {key[:_SHORT]} is damaged; remove it with 'horsesense cache prune --damaged'")
    for drifted in verified.drifted:
        note(f"answer {drifted.key[:_SHORT]} differs by {drifted.drift:.2g}: {drifted.text}")
    click.echo(
        f"{name}: {verified.rows:,} of {verified.kept:,} answers checked;"
        f" largest difference {verified.drift:.2g};"
        f" {verified.flipped} of {counted(verified.decisions, 'decision')} flipped;"
        f" {counted(len(verified.drifted) + len(verified.damaged), 'finding')}"
    )


def _show_pruned(gone: list[Pruned], *, dry_run: bool) -> None:
    for pruned in gone:
        click.echo(
            f"{'would be removed' if dry_run else 'removed'}: {counted(pruned.rows, 'answer')}"
            f" of {pruned.model} ({pruned.fingerprint[:_SHORT]}), {_size(pruned.bytes)}"
        )
    if not gone:
        click.echo("no such answers")


def _days_ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")


def _size(count: int) -> str:
    """Format a number of bytes in kB or MB.

    >>> _size(1500), _size(25_000_000)
    ('1.5 kB', '25.0 MB')
    """
    return f"{count / _MEGABYTE:.1f} MB" if count >= _MEGABYTE else f"{count / _KILOBYTE:.1f} kB"
