"""`horsesense dataset measure`: what can be said of a dataset without asking a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from horsesense.cli.modes import mode_of, mode_option, told_as_they_stand, wrapper_option
from horsesense.cli.output import (
    Table,
    counted,
    json_option,
    note,
    show_json,
    show_table,
    with_count,
)
from horsesense.schema import Mode
from horsesense.schema.measures import Measures, load_tokenizer, measure
from horsesense.schema.notation import parse_wrapper
from horsesense.scoring.outcome import Share
from horsesense.store import Store, find_dataset, load_entries, load_stored

SHOWN_IDS = 5
UNDEFINED = "–"


@click.command("measure")
@click.argument("name")
@mode_option
@wrapper_option
@click.option(
    "--tokenizer",
    "files",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A model's tokenizer.json, to count tokens; may be repeated.",
)
@json_option
@click.pass_context
def measure_command(
    ctx: click.Context,
    name: str,
    mode_name: str | None,
    wrapper: str | None,
    files: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Count what a dataset holds, and the problems whose form matters to scoring methods.

    Those are the problems whose blank is second-last, so that one token follows it, and for
    each tokenizer those whose answers have equally many tokens: by themselves (outside), and
    in their sentences (inside). Entries that cannot be solved in that mode are left out and
    named; exits with 1 if nothing is left.

    Example:

    \b
        horsesense dataset measure kitchen --mode by-key
    """
    parsed = None if wrapper is None else parse_wrapper(wrapper)
    tokenizers = [load_tokenizer(file) for file in files]
    with Store.open(ctx.obj) as store:
        stored = find_dataset(store, name)
        chosen = mode_of(store, stored, mode_name)
        entries = with_count(load_entries(store, stored), f"measuring {name}", stored.entries)
        dataset = load_stored(store, stored, entries).replace(mode=chosen.mode)
    mode = dataset.mode
    found = measure(dataset, wrapper=parsed, tokenizers=tokenizers)
    about = {"dataset": dataset.name, "version": stored.version, "mode": mode, "wrapper": wrapper}
    remarks = [*chosen.overridden, *told_as_they_stand(found.as_they_stand, mode)]
    if as_json:
        show_json({**about, **_measures_json(found, files), "notes": remarks})
    else:
        wrapped = f", wrapped in {wrapper!r}" if wrapper else ""
        click.echo(f"{dataset.name}@{stored.version}, {mode}{wrapped}\n")
        show_table(Table(("measure", "count", "share"), list(_rows(found, mode, files))))
    for remark in remarks:
        note(remark)
    _tell_left_out(ctx, found)


def _rows(found: Measures, mode: Mode, files: Sequence[Path]) -> Iterator[tuple[str, str, str]]:
    yield "entries", str(found.entries), ""
    for kind, number in found.kinds:
        yield f"entries: {kind}", str(number), ""
    yield f"schemas {mode}", str(found.schemas), ""
    yield f"problems {mode}", str(found.problems), ""
    yield "blank second-last", *_shown(found.second_last)
    for file, lengths in zip(files, found.equal_length, strict=True):
        yield f"equal-length answers outside, {file}", *_shown(lengths.outside)
        yield f"equal-length answers inside, {file}", *_shown(lengths.inside)


def _shown(share: Share) -> tuple[str, str]:
    value = share.value
    return f"{share.count}/{share.total}", UNDEFINED if value is None else f"{value:.3f}"


def _tell_left_out(ctx: click.Context, found: Measures) -> None:
    for left_out in found.left_out:
        entries = counted(len(left_out.ids), "entry", "entries")
        more = ", …" if len(left_out.ids) > SHOWN_IDS else ""
        ids = ", ".join(left_out.ids[:SHOWN_IDS]) + more
        note(f"{entries} left out ({ids}): {left_out.reason}")
    if found.left_out and not found.problems:
        ctx.exit(1)


def _measures_json(found: Measures, files: Sequence[Path]) -> dict[str, Any]:
    return {
        "entries": found.entries,
        "kinds": dict(found.kinds),
        "schemas": found.schemas,
        "problems": found.problems,
        "second_last": _share_json(found.second_last),
        "equal_length": [
            {
                "tokenizer": str(file),
                "outside": _share_json(lengths.outside),
                "inside": _share_json(lengths.inside),
            }
            for file, lengths in zip(files, found.equal_length, strict=True)
        ],
        "left_out": [asdict(left_out) for left_out in found.left_out],
        "as_they_stand": list(found.as_they_stand),
    }


def _share_json(share: Share) -> dict[str, float | None]:
    return {**asdict(share), "value": share.value}
