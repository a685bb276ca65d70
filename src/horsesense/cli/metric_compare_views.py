"""How comparisons are shown: differences with their tests, and consistency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import click

from horsesense.cli.metric_options import Choices
from horsesense.cli.metric_views import (
    UNDEFINED,
    found_json,
    interval_cell,
    metric_row,
    number,
    resampling_notes,
    signed,
)
from horsesense.cli.output import Table, counted, show_table
from horsesense.metrics import Metric
from horsesense.metrics.statistics import (
    Bootstrapped,
    DifferenceTable,
    MetricDifference,
    Significance,
    ThesisTest,
    p_cell,
    p_sentence,
)
from horsesense.scoring.outcome import Share


@dataclass(frozen=True, slots=True)
class Shown:
    """What a comparison came to: the two sides in words, differences, and consistency.

    `beside` are tests beside the primary one, `thesis` is the thesis' of each accuracy, and
    `feasible` says where consistency can lie.
    """

    sides: tuple[str, str]
    table: DifferenceTable
    metrics: tuple[Metric, ...] = ()
    shares: tuple[Share | None, ...] = ()
    consistency: tuple[Bootstrapped, ...] = ()
    beside: tuple[Significance, ...] = ()
    feasible: str = ""
    notes: tuple[str, ...] = ()
    titles: tuple[str, str] = ("before", "after")
    thesis: tuple[ThesisTest, ...] = ()


def show_compared(shown: Shown, choices: Choices) -> None:
    """Print who is compared with whom, the differences, and the consistency."""
    for title, side in zip(shown.titles, shown.sides, strict=True):
        click.echo(f"{title}: {side}")
    if shown.table.rows:
        click.echo("")
        columns = ("metric", *shown.titles, "difference", choices.interval, "differ", "p")
        adjusted = f"p ({shown.table.family.correction})"
        rows = [_difference_row(row) for row in shown.table.rows]
        show_table(Table((*columns, adjusted, "noticeable"), rows))
    if shown.consistency:
        click.echo("")
        found = zip(shown.metrics, shown.shares, shown.consistency, strict=True)
        rows = [metric_row(*one) for one in found]
        titles = ("metric", "symbol", "count", "value", choices.interval, "by chance")
        show_table(Table(titles, rows))


def _difference_row(row: MetricDifference) -> tuple[str, ...]:
    # A difference of exactly nothing has no p worth printing.
    is_tested = row.test is not None and row.test.difference != 0
    return (
        row.metric,
        number(row.one),
        number(row.other),
        signed(row.difference.estimate),
        interval_cell(row.difference.interval, is_signed=True),
        _unequal(row.test),
        p_cell(row.test.p if row.test is not None and is_tested else None),
        p_cell(row.adjusted_p if is_tested else None),
        number(None if row.noticeable is None else row.noticeable.difference),
    )


def _unequal(test: Significance | None) -> str:
    """How many clusters differ, of how many."""
    return UNDEFINED if test is None or test.unequal is None else f"{test.unequal}/{test.units}"


def _contradictions(rows: Sequence[MetricDifference]) -> Iterator[str]:
    """Where an interval leaves out 0 and the test does not reject, which one counts."""
    for row in rows:
        interval, test = row.difference.interval, row.test
        if interval is None or test is None or test.unequal is None:
            continue
        if interval.low * interval.high > 0 and test.p > 1 - interval.level:
            yield (
                f"{row.metric}: the interval leaves out 0, but only {test.unequal} of {test.units}"
                f" clusters differ; the exact test counts: {p_sentence(test.p)}"
            )


def shown_json(shown: Shown, choices: Choices) -> dict[str, Any]:
    """A comparison, for programs."""
    return {
        "sides": dict(zip(shown.titles, shown.sides, strict=True)),
        **asdict(choices),
        "differences": [asdict(row) for row in shown.table.rows],
        "family": asdict(shown.table.family),
        "consistency": [
            found_json(*one)
            for one in zip(shown.metrics, shown.shares, shown.consistency, strict=True)
        ],
        "beside": [asdict(one) for one in shown.beside],
        "thesis": [_thesis_json(one) for one in shown.thesis],
        "notes": list(notes_of(shown)),
    }


def _thesis_json(test: ThesisTest) -> dict[str, Any]:
    found = test.found
    return {
        "metric": test.metric,
        "p": test.p,
        "exact": found.exact if test.is_of_something else None,
        "difference": float(found.difference),
        "difference_of": "schemas" if found.null.most == 1 else "problems in schemas",
        "in_no_schema": list(test.terms.left_out),
        "schemas": found.schemas,
        "trials": found.trials,
        "as_far": found.as_far,
    }


def _without_singles(test: ThesisTest, titles: tuple[str, str]) -> str:
    """Which problems the thesis' test leaves out, if any, and the difference of the others."""
    if not any(test.terms.left_out):
        return ""
    told = zip(test.terms.left_out, titles, strict=True)
    left = " and ".join(f"{number} {title}" for number, title in told)
    difference = signed(float(test.terms.difference))
    return f", of problems in schemas only (a difference of {difference}), without {left}"


def notes_of(shown: Shown) -> Iterator[str]:
    """What is to be known of the numbers."""
    yield from shown.notes
    yield from (
        f"{one.metric} is not tested: {one.reason}" for one in shown.table.rows if one.reason
    )
    if left := {row.test.left_out for row in shown.table.rows if row.test} - {0}:
        partly = counted(max(left), "cluster")
        yield f"{partly} partly in the subset: in the estimates, but not in the tests"
    yield from _contradictions(shown.table.rows)
    if (size := shown.table.family.size) > 1:
        yield f"p is adjusted for the {counted(size, 'difference')} of the table"
    for test in shown.beside:
        said = p_sentence(test.p if test.unequal else None)
        unequal = f"{test.unequal} of {counted(test.units, 'schema')} differ"
        yield f"{test.test} on schemas: {said} ({unequal}); it ignores {test.ignores}"
    for tested in shown.thesis:
        which = _without_singles(tested, shown.titles)
        yield (
            f"the thesis' test of {tested.metric}{which}: {p_sentence(tested.p)}; it takes"
            f" {shown.titles[0]} for a known null and pairs nothing"
        )
    if shown.feasible:
        yield shown.feasible
    yield from resampling_notes([row.difference for row in shown.table.rows] + [*shown.consistency])
