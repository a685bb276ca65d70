"""`horsesense store`: whether the store is what was stored, and how to get it right again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from horsesense.cli.groups import NamingGroup
from horsesense.cli.output import counted, json_option, note, show_json, with_count
from horsesense.errors import StoreError
from horsesense.store import (
    Checked,
    Repaired,
    State,
    Store,
    check_store,
    is_damage,
    repair_store,
    salvage_store,
)


@click.group("store", cls=NamingGroup)
def store_group() -> None:
    """Look after the file in which everything is kept."""


@store_group.command("check")
@click.option("--repair", is_flag=True, help="Drop or make anew what can be had again.")
@json_option
@click.pass_context
def check_command(ctx: click.Context, repair: bool, as_json: bool) -> None:
    """Check that everything in the store is what was stored.

    Every part is read back and compared with its ids and checksums: the file itself, the search
    index, datasets with their sources and issues, perturbations with their ledgers, runs, and
    what models answered. What was written before there were checksums is unverified.

    With --repair, damaged answers and runs are removed, as they can be asked for and made again,
    and indexes are made anew. Datasets and judgements are never removed. If the file itself is
    damaged it stays as it is, and all that can be read is copied to a new one, NAME-repaired.db.
    Exits with 1 if anything is damaged and was not repaired.

    Example:

    \b
        horsesense store check
        horsesense store check --repair
    """
    path: Path = ctx.obj
    try:
        with Store.open_damaged(path) as store:
            found = _check(store)
            repaired = repair_store(store) if repair and _is_damaged(found) else None
            if repaired is not None and repaired.copy is None:
                found = _check(store)
    except StoreError as error:
        # An older store whose pages are damaged cannot even be brought up to date.
        if not repair or not is_damage(error.__cause__):
            raise
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


def _check(store: Store) -> list[Checked]:
    return list(check_store(store, _watch))


def _watch(items: Iterable[Any], label: str, count: int) -> Iterable[Any]:
    return with_count(items, label, count)


def _is_damaged(found: list[Checked]) -> bool:
    return any(one.state is State.DAMAGED for one in found)


def _json(found: list[Checked], repaired: Repaired | None) -> dict[str, Any]:
    parts = [
        {
            "part": one.part,
            "state": one.state.value,
            "findings": one.findings,
            "unverified": one.unverified,
            "remedy": one.remedy if one.findings else "",
        }
        for one in found
    ]
    done = repaired.done if repaired else ()
    copy = str(repaired.copy) if repaired and repaired.copy else None
    return {"parts": parts, "repaired": done, "copy": copy}


def _show(path: Path, found: list[Checked], repaired: Repaired | None) -> None:
    if repaired is not None:
        for line in repaired.done:
            click.echo(line)
        if repaired.copy is not None:
            note(
                f"{path} itself is damaged and was left as it is; {repaired.copy} has what could be"
                " read of it. Put that in its place if what follows suits you."
            )
    for one in found:
        for finding in one.findings:
            note(f"{one.part}: {finding}")
        if one.findings:
            note(f"  {one.remedy}")
        click.echo(f"{one.part}: {_state(one)}")


def _state(one: Checked) -> str:
    if one.state is State.UNVERIFIED:
        rows = counted(one.unverified, "record")
        return f"unverified ({rows} from before there were checksums)"
    return f"{one.state} ({counted(len(one.findings), 'finding')})" if one.findings else one.state
