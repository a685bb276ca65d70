"""`horsesense compare`: how models differ on what they were all asked, and which schemas flip."""

from __future__ import annotations

from pathlib import Path

import click

from horsesense.cli.compare_views import comparison_json, notes_of, show_comparison
from horsesense.cli.output import json_option, note, show_json, working
from horsesense.errors import HorsesenseError
from horsesense.results.measuring.across_runs import compare_sides, losses
from horsesense.store import find_sides

# Where a side is worse, and where not everything could be compared.
NOT_WELL = 1
_SHOWN_FLIPS = 10


@click.command("compare")
@click.argument("names", nargs=-1, required=True, metavar="A B…")
@click.option(
    "--method",
    metavar="METHOD",
    help="Use this scoring method for all, or MODEL=METHOD,… for each. [the standard ones]",
)
@click.option(
    "--flips",
    "shown_flips",
    type=click.IntRange(min=0),
    default=_SHOWN_FLIPS,
    show_default=True,
    help="List at most N flipped schemas of each dataset.",
)
@click.option(
    "--fail-if-worse",
    "delta",
    is_flag=False,
    flag_value=0.0,
    type=click.FloatRange(0, 1),
    metavar="[DELTA]",
    help="Exit with 1 if a later one is worse than A, by more than DELTA, with adjusted p < .05.",
)
@json_option
@click.pass_obj
def compare_command(
    path: Path,
    names: tuple[str, ...],
    method: str | None,
    shown_flips: int,
    delta: float | None,
    as_json: bool,
) -> None:
    """Compare models with the first of them, on all problems that both answered.

    A and B are models in kept runs (the latest that has them; for a baseline, the run of the model
    beside it), runs by their ids, RUN:MODEL, or files of results. Answers to the same problems are
    compared in pairs, with the same resamples for both sides; p is that of the sign flip, adjusted
    over the whole table. A schema flips if one side solves it and the other does not.

    The exit code is 1 where runs cannot be compared in full, and with --fail-if-worse where a
    later one is worse than A; less accuracy in a control is no loss.

    Example:

    \b
        horsesense compare smollm2-135m longer --fail-if-worse=.02
    """
    sides = find_sides(path, names, method)
    with working("drawing resamples"):
        comparison = compare_sides(sides)
    found = () if delta is None else losses(comparison, delta)
    if as_json:
        show_json(comparison_json(comparison, None if delta is None else found))
    else:
        show_comparison(comparison, shown_flips)
        for told in notes_of(comparison, found):
            note(told)
    if not comparison.variants:
        raise HorsesenseError("nothing could be compared")
    if found or comparison.skipped:
        click.get_current_context().exit(NOT_WELL)
