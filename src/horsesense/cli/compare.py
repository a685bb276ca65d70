"""`horsesense compare`: how models differ on what they were all asked, and which schemas flip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

import click

from horsesense.cli.metric_views import resampling_notes
from horsesense.cli.output import Table, counted, json_option, note, show_json, show_table, working
from horsesense.cli.why_views import margin_cell
from horsesense.errors import HorsesenseError
from horsesense.metrics import METRICS
from horsesense.metrics.statistics import Bootstrapped, MetricDifference, p_cell, p_sentence
from horsesense.reports.wording import UNDEFINED, share, signed
from horsesense.results import ORIGINAL
from horsesense.results.measuring.across_runs import (
    ALPHA,
    Loss,
    SchemaFlip,
    SideBySide,
    VariantComparison,
    compare_sides,
    losses,
)
from horsesense.store import find_sides


def show_comparison(comparison: SideBySide, shown_flips: int) -> None:
    """Print who is compared with whom, and all that came of it."""
    for side in comparison.sides:
        by = side.method or ", ".join(dict.fromkeys(dict(side.model.standard).values()))
        click.echo(f"{side.name}: run {side.profile.record.id}, by {by}")
    for first, second in dict.fromkeys(variant.names for variant in comparison.variants):
        variants = [variant for variant in comparison.variants if variant.names == (first, second)]
        click.echo(f"\n{second} minus {first}")
        show_table(_difference_table(variants))
        click.echo(f"\nconsistency between {first} and {second}")
        show_table(_consistency_table(variants))
        for form in variants:
            if form.of.variant == ORIGINAL:
                _show_flips(form, shown_flips)


def _difference_table(variants: Sequence[VariantComparison]) -> Table:
    columns = ("data", "form", "", *variants[0].names, "difference", "95 % interval")
    rows = [
        (*_place(variant), *_difference_row(row))
        for variant in variants
        for row in variant.differences
    ]
    return Table((*columns, "differ", "p", "p (Holm)", "noticeable"), _without_repeats(rows))


def _place(variant: VariantComparison) -> tuple[str, str]:
    return variant.of.dataset, variant.of.variant


def _without_repeats(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The rows with a dataset and a form only where it is another than above."""
    found = []
    before: tuple[str, ...] = ("", "")
    for row in rows:
        same_data, same_form = row[0] == before[0], row[:2] == before[:2]
        found.append(("" if same_data else row[0], "" if same_form else row[1], *row[2:]))
        before = row
    return found


def _difference_row(row: MetricDifference) -> tuple[str, ...]:
    test, interval = row.test, row.difference.interval
    # A difference of exactly nothing has no p worth printing.
    is_tested = test is not None and test.difference != 0
    return (
        METRICS[row.metric].declared.symbol,
        share(row.one),
        share(row.other),
        signed(row.difference.estimate),
        UNDEFINED if interval is None else f"{signed(interval.low)} to {signed(interval.high)}",
        UNDEFINED if test is None else f"{test.unequal}/{test.units}",
        p_cell(test.p if test is not None and is_tested else None),
        p_cell(row.adjusted_p if is_tested else None),
        share(None if row.noticeable is None else row.noticeable.difference),
    )


def _consistency_table(variants: Sequence[VariantComparison]) -> Table:
    symbols = [METRICS[one.metric].declared.symbol for one in variants[0].consistency]
    headings = [each for symbol in symbols for each in (symbol, "95 % interval")]
    rows = [
        (
            *_place(variant),
            str(variant.problems),
            str(variant.schemas),
            *(cell for one in variant.consistency for cell in _value_cells(one)),
            str(sum(flip.is_gained for flip in variant.flips)),
            str(sum(not flip.is_gained for flip in variant.flips)),
        )
        for variant in variants
    ]
    columns = ("data", "form", "problems", "schemas", *headings, "gained", "lost")
    return Table(columns, _without_repeats(rows))


def _value_cells(bootstrapped: Bootstrapped) -> tuple[str, str]:
    interval = bootstrapped.interval
    if interval is None:
        return share(bootstrapped.estimate), UNDEFINED
    return share(bootstrapped.estimate), f"{share(interval.low)} to {share(interval.high)}"


def _show_flips(variant: VariantComparison, shown: int) -> None:
    first, second = variant.names
    gained = sum(flip.is_gained for flip in variant.flips)
    of = f"of {counted(variant.schemas, 'schema')} of {variant.of.dataset}"
    lost = len(variant.flips) - gained
    click.echo(f"\nflipped {of}: {gained} solved by {second} only, {lost} by {first} only")
    if variant.flips[:shown]:
        rows = [
            (
                _schema_name(flip),
                second if flip.is_gained else first,
                margin_cell(flip.margin_before),
                margin_cell(flip.margin_after),
            )
            for flip in variant.flips[:shown]
        ]
        show_table(Table(("schema", "solved by", f"margin {first}", f"margin {second}"), rows))
    if len(variant.flips) > shown:
        click.echo(
            f"… and {len(variant.flips) - shown} more; --flips {len(variant.flips)} lists all"
        )


def _schema_name(flip: SchemaFlip) -> str:
    """The entry, and of one that makes several schemas the numbers of the problems.

    >>> _schema_name(SchemaFlip("roses", (1, 2), -1.0, 2.0, True))
    'roses'
    """
    return (
        flip.entry
        if flip.numbers == (1, 2)
        else f"{flip.entry}.{flip.numbers[0]}+{flip.numbers[1]}"
    )


def notes_of(comparison: SideBySide, losses: Sequence[Loss]) -> Iterator[str]:
    """What is to be known of the numbers, what could not be compared, and where one is worse."""
    yield from comparison.remarks
    for variant in comparison.variants:
        for row in variant.differences:
            if row.reason:
                yield f"{', '.join(_place(variant))}: {row.metric} is not tested: {row.reason}"
    yield from _few(comparison)
    if (size := comparison.family.size) > 1:
        yield f"p is adjusted by Holm for the {size} differences of the table"
    for gap in comparison.skipped:
        yield f"not compared: {gap.where}: {gap.reason}"
    for loss in losses:
        yield f"worse: {_loss_sentence(loss)}"


def _few(comparison: SideBySide) -> Iterator[str]:
    """What there is to be said of the intervals, the same thing once."""
    drawn = [row.difference for variant in comparison.variants for row in variant.differences]
    found = [one for variant in comparison.variants for one in variant.consistency]
    yield from resampling_notes([*drawn, *found])


def _loss_sentence(loss: Loss) -> str:
    first, second = loss.variant.names
    row = loss.difference
    return (
        f"{second} than {first} on {', '.join(_place(loss.variant))}: {row.metric}"
        f" {signed(row.difference.estimate)}, adjusted {p_sentence(row.adjusted_p)}"
    )


def comparison_json(comparison: SideBySide, losses: Sequence[Loss] | None) -> dict[str, Any]:
    """A comparison, for programs; `worse` is there where it was asked for."""
    found: dict[str, Any] = {
        "sides": [
            {
                "name": side.name,
                "run": side.profile.record.id,
                "model": side.model.name,
                "fingerprint": side.model.fingerprint,
                "method": side.method or dict(side.model.standard),
            }
            for side in comparison.sides
        ],
        "forms": [_form_json(variant) for variant in comparison.variants],
        "family": asdict(comparison.family),
        "gaps": [asdict(one) for one in comparison.skipped],
        "remarks": list(comparison.remarks),
    }
    if losses is not None:
        found["alpha"] = ALPHA
        found["worse"] = [
            {
                "names": loss.variant.names,
                "of": asdict(loss.variant.of),
                "metric": loss.difference.metric,
            }
            for loss in losses
        ]
    return found


def _form_json(variant: VariantComparison) -> dict[str, Any]:
    drawn = (
        {**asdict(one), "interval": asdict(one.interval) if one.interval else None}
        for one in variant.consistency
    )
    return {
        **asdict(variant),
        "consistency": list(drawn),
        "flips": [
            {name: _finite(value) for name, value in asdict(flip).items()} for flip in variant.flips
        ],
    }


def _finite(value: Any) -> Any:
    """JSON has no infinite numbers; an option that is impossible has no margin there."""
    return None if isinstance(value, float) and not isfinite(value) else value


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
        for message in notes_of(comparison, found):
            note(message)
    if not comparison.variants:
        raise HorsesenseError("nothing could be compared")
    if found or comparison.skipped:
        click.get_current_context().exit(NOT_WELL)
