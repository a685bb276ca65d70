"""Models side by side, across runs: paired differences on whatever two of them were both asked.

Answers are compared, and not the numbers that results made of them. So all is counted and drawn
alike on both sides, by the tie rule, seed and number of resamples of the first results.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from horsesense.errors import MetricError, UnknownNameError
from horsesense.metrics import METRICS, Matched, Ties, match
from horsesense.metrics.statistics import (
    Adjusted,
    Bootstrapped,
    MetricDifference,
    compare,
    holm,
)
from horsesense.results import CONTROL, ResultKey, Skipped, Variant
from horsesense.results.measuring.across_runs.sides import (
    Pair,
    Side,
    limited,
    picked,
    remarks_on,
    reworded,
)
from horsesense.results.measuring.noteworthy import signed_margin
from horsesense.scoring.outcome import Sheet, Verdict

ALPHA = 0.05
DIFFERENCES = ("problem-accuracy", "schema-accuracy")
CONSISTENCIES = ("consistency", "schema-consistency")


@dataclass(frozen=True, slots=True)
class SchemaFlip:
    """A schema that is solved by one side only; `numbers` are those of its two problems.

    A margin is the lesser of those of the two problems, and so positive where both are solved.
    """

    entry: str
    numbers: tuple[int, int]
    margin_before: float
    margin_after: float
    is_gained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantComparison:
    """One side against the first on a variant of a dataset, on the problems that both answered.

    Differences are those of `of` minus `against`. Flips come with the largest change of margin
    first.
    """

    of: ResultKey
    against: ResultKey
    names: tuple[str, str]
    purpose: str
    problems: int
    schemas: int
    differences: tuple[MetricDifference, ...]
    consistency: tuple[Bootstrapped, ...]
    flips: tuple[SchemaFlip, ...]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """All sides against the first; `family` is the table over which p-values are adjusted.

    `skipped` is what should have been comparable and is not, `remarks` what is to be known besides.
    """

    sides: tuple[Side, ...]
    variants: tuple[VariantComparison, ...]
    family: Adjusted
    skipped: tuple[Skipped, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loss:
    """A difference to the worse that is more than noise."""

    variant: VariantComparison
    difference: MetricDifference


def compare_sides(sides: Sequence[Side]) -> SideBySide:
    """Compare every side with the first, on all variants of all datasets that both were asked."""
    if len(sides) < 2:
        raise MetricError("a comparison takes two models, and there is one")
    for one in sides:
        if one.method and one.method not in one.model.methods:
            raise UnknownNameError(f"method of {one.name}", one.method, one.model.methods)
    variants: list[VariantComparison] = []
    skipped: list[Skipped] = []
    remarks = [*picked(sides)]
    for other in sides[1:]:
        pair = Pair(sides[0], other)
        remarks += remarks_on(pair)
        skipped += limited(pair)
        for found in _compared(pair):
            if isinstance(found, VariantComparison):
                variants.append(found)
            elif isinstance(found, Skipped):
                skipped.append(found)
            else:
                remarks.append(found)
    rows = [row for variant in variants for row in variant.differences]
    family = holm([row.test.p if row.test else None for row in rows], family="differences")
    return SideBySide(
        tuple(sides),
        tuple(_adjusted(variants, family)),
        family,
        tuple(dict.fromkeys(skipped)),
        tuple(dict.fromkeys(remarks)),
    )


def losses(comparison: SideBySide, delta: float = 0.0) -> tuple[Loss, ...]:
    """Where a side is worse than the first by more than delta, with an adjusted p below .05.

    Controls do not count: less accuracy there is no loss.
    """
    return tuple(
        Loss(variant, row)
        for variant in comparison.variants
        if variant.purpose != CONTROL
        for row in variant.differences
        if _is_significant(row) and (row.difference.estimate or 0.0) < -delta
    )


def _is_significant(row: MetricDifference) -> bool:
    return row.adjusted_p is not None and row.adjusted_p < ALPHA


_Found: TypeAlias = VariantComparison | Skipped | str


def _compared(pair: Pair) -> Iterator[_Found]:
    """What comes of every variant that both have, and of what one has alone."""
    one, other = ({data.name: data.id for data in each.datasets} for each in pair.profiles)
    yield from _alone(pair, (one, other), "dataset")
    for name in (name for name in one if name in other):
        if one[name] == other[name]:
            yield from _on_dataset(pair, name)
        else:
            first, second = (f"{side.name} was asked" for side in (pair.first, pair.other))
            yield Skipped(name, f"other data: {first} {one[name]}, {second} {other[name]}")


def _on_dataset(pair: Pair, dataset: str) -> Iterator[_Found]:
    one, other = (
        {variant.name: variant for variant in each.variants_of(dataset)} for each in pair.profiles
    )
    yield from _alone(pair, (one, other), f"form of {dataset}")
    for name in one:
        if name in other:
            yield from _on_form(pair, one[name])


def _alone(pair: Pair, asked: tuple[Iterable[str], Iterable[str]], what: str) -> Iterator[str]:
    """What one of the two was asked and the other was not."""
    one, other = map(list, asked)
    for name, mine, theirs in ((pair.names[0], one, other), (pair.names[1], other, one)):
        if lone := [each for each in mine if each not in theirs]:
            yield f"only {name} was asked this {what}: {', '.join(lone)}"


def _on_form(pair: Pair, variant: Variant) -> Iterator[_Found]:
    where = f"{variant.dataset}, {variant.name}"
    sheets = [one.sheet(variant) for one in (pair.first, pair.other)]
    for side, sheet in zip((pair.first, pair.other), sheets, strict=True):
        if not sheet.answers:
            method = side.address(variant.dataset, variant.name).method
            yield Skipped(where, f"{side.name} has no answers by {method or 'any method'}")
            return
        if not sheet.labelled().answers:
            yield f"{where}: no option is right, so that there is no accuracy to compare"
            return
    if others := reworded(pair, variant):
        number = len(others)
        yield Skipped(where, f"entries worded otherwise in the two runs, and left out: {number}")
        sheets = [one.among(each.entry not in others for each in one.answers) for one in sheets]
    try:
        matched = match(*sheets, ties=Ties(pair.first.profile.record.plan.ties))
    except MetricError:
        yield Skipped(where, "no problem was answered by both")
        return
    if (lone := matched.only_before + matched.only_after) and not any(limited(pair)):
        yield f"{where}: problems answered by one of the two only, and left out: {lone}"
    yield _form_comparison(pair, variant, matched, _flips(*sheets))


def _form_comparison(
    pair: Pair, variant: Variant, matched: Matched, flips: tuple[SchemaFlip, ...]
) -> VariantComparison:
    both, plan = matched.paired, pair.first.profile.record.plan
    table = compare(
        [METRICS[name] for name in DIFFERENCES],
        both,
        changes=[METRICS[name] for name in CONSISTENCIES],
        resamples=plan.resamples,
        seed=plan.seed,
    )
    return VariantComparison(
        of=pair.other.address(variant.dataset, variant.name),
        against=pair.first.address(variant.dataset, variant.name),
        names=pair.names,
        purpose=variant.purpose,
        problems=len(both.before.problems),
        schemas=len(both.before.schemas),
        differences=table.rows,
        consistency=table.changes,
        flips=flips,
    )


def _flips(before: Sheet, after: Sheet) -> tuple[SchemaFlip, ...]:
    """The schemas of both sheets that one of them solves, the largest change of margin first."""
    one, other = _solutions(before), _solutions(after)
    found = [
        SchemaFlip(*schema, was.margin, now.margin, now.is_solved)
        for schema, was in one.items()
        if (now := other.get(schema)) is not None and was.is_solved != now.is_solved
    ]
    return tuple(sorted(found, key=lambda one: -abs(one.margin_after - one.margin_before)))


@dataclass(frozen=True, slots=True)
class _Solution:
    """Whether both problems of a schema are solved, and the lesser margin of the two."""

    is_solved: bool
    margin: float


def _solutions(sheet: Sheet) -> dict[tuple[str, tuple[int, int]], _Solution]:
    """What became of the schemas, by their entry and the numbers of their problems."""
    known = sheet.labelled()
    found = {}
    for pair in known.schemas:
        one, other = sorted((known.answers[at] for at in pair), key=lambda each: each.number)
        margins = [signed_margin(each.outcome) or 0.0 for each in (one, other)]
        is_solved = all(each.outcome.verdict is Verdict.SOLVED for each in (one, other))
        found[one.entry, (one.number, other.number)] = _Solution(is_solved, min(margins))
    return found


def _adjusted(
    variants: Iterable[VariantComparison], family: Adjusted
) -> Iterator[VariantComparison]:
    """The same with their p-values adjusted over all of them."""
    ps = iter(family.ps)
    for variant in variants:
        rows = tuple(replace(row, adjusted_p=next(ps)) for row in variant.differences)
        yield replace(variant, differences=rows)
