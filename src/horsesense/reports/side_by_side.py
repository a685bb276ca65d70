"""Tables of a comparison of models or runs, as `horsesense compare --table` writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from horsesense.metrics import METRICS
from horsesense.metrics.statistics import Bootstrapped, MetricDifference, p_cell
from horsesense.reports.lookup import without_repeats
from horsesense.reports.table import (
    ADJUSTED_P,
    INTERVAL,
    METRIC,
    P,
    ReportTable,
    RowGroup,
    TableColumn,
    left,
    symbol,
)
from horsesense.reports.wording import UNDEFINED, counted, listed, share, signed
from horsesense.results.measuring.across_runs import SideBySide, VariantComparison

_WHERE = (left("Data"), left("Variant"))
_INTERVAL_NOTE = "95 %: percentile bootstrap interval, by resampling whole clusters"


def comparison_tables(comparison: SideBySide) -> tuple[ReportTable, ...]:
    """Return the tables of differences, of consistency and of flipped schemas."""
    return (_differences(comparison), _consistency(comparison), _flips(comparison))


def _differences(comparison: SideBySide) -> ReportTable:
    names = _pairs(comparison)
    first, other = names[0] if len(names) == 1 else ("First", "Other")
    size = comparison.family.size
    return ReportTable(
        name="differences",
        title=f"Accuracy of {_title(comparison)}",
        columns=(
            *(*_WHERE, METRIC, TableColumn(first), TableColumn(other), TableColumn("Difference")),
            *(INTERVAL, TableColumn("Differ"), P, ADJUSTED_P, TableColumn("Noticeable")),
        ),
        groups=_groups(comparison, 3, _difference_rows),
        notes=(
            *_sides(comparison),
            "differences on the problems that both answered",
            _INTERVAL_NOTE,
            "differ: clusters with different outcomes, of all clusters",
            f"p: sign-flip test, adjusted by Holm over {counted(size, 'difference')}",
            "noticeable: the smallest difference that so large a sample detects with 80 % power",
        ),
        is_main=True,
    )


def _difference_rows(variant: VariantComparison) -> Iterable[tuple[str, ...]]:
    for row in variant.differences:
        yield (variant.of.dataset, variant.of.variant, *difference_cells(row))


def difference_cells(row: MetricDifference) -> tuple[str, ...]:
    """Return the symbol of a metric, its values, their difference and its tests."""
    test, interval = row.test, row.difference.interval
    # If the difference is exactly 0, p is not worth printing.
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


def _consistency(comparison: SideBySide) -> ReportTable:
    first = next(iter(comparison.variants), None)
    metrics = [row.metric for row in first.consistency] if first else []
    headings = [symbol(METRICS[metric].declared.symbol) for metric in metrics]
    return ReportTable(
        name="consistency",
        title=f"Consistency between {_title(comparison)}",
        columns=(
            *(*_WHERE, TableColumn("Problems"), TableColumn("Schemas")),
            *(column for heading in headings for column in (heading, INTERVAL)),
            *(TableColumn("Gained"), TableColumn("Lost")),
        ),
        groups=_groups(comparison, 2, _consistency_row),
        notes=(
            *_sides(comparison),
            "gained, lost: schemas that only one of the two solves",
            _INTERVAL_NOTE,
        ),
    )


def _consistency_row(variant: VariantComparison) -> Iterable[tuple[str, ...]]:
    gained = sum(flip.is_gained for flip in variant.flips)
    yield (
        *(variant.of.dataset, variant.of.variant, f"{variant.problems:,}", f"{variant.schemas:,}"),
        *(cell for estimate in variant.consistency for cell in value_cells(estimate)),
        *(str(gained), str(len(variant.flips) - gained)),
    )


def value_cells(bootstrapped: Bootstrapped) -> tuple[str, str]:
    """Return a value and its interval."""
    interval = bootstrapped.interval
    if interval is None:
        return share(bootstrapped.estimate), UNDEFINED
    return share(bootstrapped.estimate), f"{share(interval.low)} to {share(interval.high)}"


def _flips(comparison: SideBySide) -> ReportTable:
    return ReportTable(
        name="flips",
        title=f"Schemas that only one of {_title(comparison)} solves",
        columns=(*_WHERE, left("Schema"), left("Solved by")),
        groups=_groups(comparison, 2, _flip_rows),
        notes=_sides(comparison),
    )


def _flip_rows(variant: VariantComparison) -> Iterable[tuple[str, ...]]:
    first, other = variant.names
    for flip in variant.flips:
        by = other if flip.is_gained else first
        yield (variant.of.dataset, variant.of.variant, flip.schema, by)


def _pairs(comparison: SideBySide) -> Sequence[tuple[str, str]]:
    """The names of the two sides of each comparison."""
    first, *others = (side.name for side in comparison.sides)
    return [(first, other) for other in others]


def _title(comparison: SideBySide) -> str:
    return listed(side.name for side in comparison.sides)


def _groups(
    comparison: SideBySide,
    leading: int,
    rows: Callable[[VariantComparison], Iterable[tuple[str, ...]]],
) -> tuple[RowGroup, ...]:
    """The rows of each pair of sides, under a heading if there are several pairs."""
    pairs = _pairs(comparison)
    groups = []
    for first, other in pairs:
        found = [
            row
            for variant in comparison.variants
            if variant.names == (first, other)
            for row in rows(variant)
        ]
        heading = f"{other} minus {first}" if len(pairs) > 1 else ""
        groups.append(RowGroup(without_repeats(found, leading), heading))
    return tuple(group for group in groups if group.rows)


def _sides(comparison: SideBySide) -> tuple[str, ...]:
    """The run and the scoring method of each side."""
    return tuple(
        f"{side.name}: run {side.results.record.id}, by {side.methods}" for side in comparison.sides
    )
