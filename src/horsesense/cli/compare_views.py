"""How a comparison of models is shown: differences, consistency, and the schemas that flipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

import click

from horsesense.cli.metric_views import resampling_notes
from horsesense.cli.output import Table, counted, show_table
from horsesense.cli.why_views import margin_cell
from horsesense.metrics import METRICS
from horsesense.metrics.statistics import Bootstrapped, MetricDifference, p_cell, p_sentence
from horsesense.reports.cells import UNDEFINED, share, signed
from horsesense.results import ORIGINAL
from horsesense.results.measuring.across_runs import (
    ALPHA,
    Loss,
    SchemaFlip,
    SideBySide,
    VariantComparison,
)


def show_comparison(comparison: SideBySide, shown_flips: int) -> None:
    """Print who is compared with whom, and all that came of it."""
    for side in comparison.sides:
        by = side.method or ", ".join(dict.fromkeys(dict(side.model.standard).values()))
        click.echo(f"{side.name}: run {side.profile.record.id}, by {by}")
    for first, second in dict.fromkeys(one.names for one in comparison.variants):
        forms = [one for one in comparison.variants if one.names == (first, second)]
        click.echo(f"\n{second} minus {first}")
        show_table(_difference_table(forms))
        click.echo(f"\nconsistency between {first} and {second}")
        show_table(_consistency_table(forms))
        for form in forms:
            if form.of.variant == ORIGINAL:
                _show_flips(form, shown_flips)


def _difference_table(forms: Sequence[VariantComparison]) -> Table:
    columns = ("data", "form", "", *forms[0].names, "difference", "95 % interval")
    rows = [(*_place(form), *_difference_row(row)) for form in forms for row in form.differences]
    return Table((*columns, "differ", "p", "p (Holm)", "noticeable"), _without_repeats(rows))


def _place(form: VariantComparison) -> tuple[str, str]:
    return form.of.dataset, form.of.variant


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


def _consistency_table(forms: Sequence[VariantComparison]) -> Table:
    symbols = [METRICS[one.metric].declared.symbol for one in forms[0].consistency]
    headings = [each for symbol in symbols for each in (symbol, "95 % interval")]
    rows = [
        (
            *_place(form),
            str(form.problems),
            str(form.schemas),
            *(cell for one in form.consistency for cell in _value_cells(one)),
            str(sum(one.is_gained for one in form.flips)),
            str(sum(not one.is_gained for one in form.flips)),
        )
        for form in forms
    ]
    columns = ("data", "form", "problems", "schemas", *headings, "gained", "lost")
    return Table(columns, _without_repeats(rows))


def _value_cells(found: Bootstrapped) -> tuple[str, str]:
    interval = found.interval
    if interval is None:
        return share(found.estimate), UNDEFINED
    return share(found.estimate), f"{share(interval.low)} to {share(interval.high)}"


def _show_flips(form: VariantComparison, shown: int) -> None:
    first, second = form.names
    gained = sum(one.is_gained for one in form.flips)
    of = f"of {counted(form.schemas, 'schema')} of {form.of.dataset}"
    lost = len(form.flips) - gained
    click.echo(f"\nflipped {of}: {gained} solved by {second} only, {lost} by {first} only")
    if form.flips[:shown]:
        rows = [
            (
                _schema_name(one),
                second if one.is_gained else first,
                margin_cell(one.margin_before),
                margin_cell(one.margin_after),
            )
            for one in form.flips[:shown]
        ]
        show_table(Table(("schema", "solved by", f"margin {first}", f"margin {second}"), rows))
    if len(form.flips) > shown:
        click.echo(f"… and {len(form.flips) - shown} more; --flips {len(form.flips)} lists all")


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
    for form in comparison.variants:
        for row in form.differences:
            if row.reason:
                yield f"{', '.join(_place(form))}: {row.metric} is not tested: {row.reason}"
    yield from _few(comparison)
    if (size := comparison.family.size) > 1:
        yield f"p is adjusted by Holm for the {size} differences of the table"
    for gap in comparison.skipped:
        yield f"not compared: {gap.where}: {gap.reason}"
    for loss in losses:
        yield f"worse: {_loss_sentence(loss)}"


def _few(comparison: SideBySide) -> Iterator[str]:
    """What there is to be said of the intervals, the same thing once."""
    drawn = [row.difference for form in comparison.variants for row in form.differences]
    found = [one for form in comparison.variants for one in form.consistency]
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
        "forms": [_form_json(one) for one in comparison.variants],
        "family": asdict(comparison.family),
        "gaps": [asdict(one) for one in comparison.skipped],
        "remarks": list(comparison.remarks),
    }
    if losses is not None:
        found["alpha"] = ALPHA
        found["worse"] = [
            {
                "names": one.variant.names,
                "of": asdict(one.variant.of),
                "metric": one.difference.metric,
            }
            for one in losses
        ]
    return found


def _form_json(form: VariantComparison) -> dict[str, Any]:
    drawn = (
        {**asdict(one), "interval": asdict(one.interval) if one.interval else None}
        for one in form.consistency
    )
    return {
        **asdict(form),
        "consistency": list(drawn),
        "flips": [
            {name: _finite(value) for name, value in asdict(one).items()} for one in form.flips
        ],
    }


def _finite(value: Any) -> Any:
    """JSON has no infinite numbers; an option that is impossible has no margin there."""
    return None if isinstance(value, float) and not isfinite(value) else value
