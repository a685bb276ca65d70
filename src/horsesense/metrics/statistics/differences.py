"""Tables of differences: each with its interval, its test, and what could have been noticed.

The p-values of a table are one family, over which Holm's adjustment runs, or Benjamini and
Hochberg's; the family says which.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Floats, Metric, Pairable, Rule, Sample, Split, as_paired
from horsesense.metrics.statistics.bootstrap import bootstrap_difference
from horsesense.metrics.statistics.bootstrapped import Bootstrapped
from horsesense.metrics.statistics.interval import LEVEL
from horsesense.metrics.statistics.multiplicity import (
    Adjusted,
    Correction,
    adjust,
    checked_correction,
)
from horsesense.metrics.statistics.power import Noticeable, noticeable_difference
from horsesense.metrics.statistics.resampling import FEWEST_CLUSTERS, RESAMPLES, SEED, occupied
from horsesense.metrics.statistics.significance import Significance, permute_labels, sign_flip


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """A metric on two sides: what it is on either, and the second minus the first.

    `test` is None where no test applies, and `reason` says why; `adjusted_p` is its p, adjusted for
    the family. `noticeable` is the least difference that so many clusters would have shown.
    """

    metric: str
    one: float | None
    other: float | None
    difference: Bootstrapped
    test: Significance | None
    adjusted_p: float | None
    noticeable: Noticeable | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DifferenceTable:
    """Differences, and the family over which their p-values are adjusted."""

    rows: tuple[MetricDifference, ...]
    family: Adjusted


@dataclass(frozen=True, slots=True)
class _Sides:
    """Two samples with the same clusters, and how the second is tested against the first.

    `family` is what a table of their differences is called, whose p-values are adjusted by the
    correction.
    """

    one: Sample
    other: Sample
    test: Callable[[Metric], Significance]
    family: str
    correction: Correction


def compare(
    metrics: Sequence[Metric],
    pair: Pairable,
    *,
    ties: Rule | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    correction: Correction | str = Correction.HOLM,
) -> DifferenceTable:
    """What metrics of one sample are before and after, on the same resamples; tested in pairs.

    The pair is `paired(before, after)`, or just the two; `ties` is the rule for plain arrays.

    >>> from horsesense.metrics import problem_accuracy
    >>> table = compare([problem_accuracy], ([[True, False]] * 9, [[True, True]] * 9))
    >>> table.rows[0].difference.estimate, table.rows[0].test.p  # all nine one way: 2/512
    (0.5, 0.00390625)
    """
    both, rule = as_paired(pair, ties=ties), checked_correction(correction)

    def test(metric: Metric) -> Significance:
        return sign_flip(metric, both.after, both.before, seed=seed)

    drawn = bootstrap_difference(
        metrics, both.after, both.before, resamples=resamples, seed=seed, level=level
    )
    return _table(metrics, drawn, _Sides(both.before, both.after, test, "differences", rule))


def compare_subset(
    metrics: Sequence[Metric],
    split: Split[Sample],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    correction: Correction | str = Correction.HOLM,
) -> DifferenceTable:
    """A subset against its complement, never against the whole; tested by permuting labels.

    >>> from horsesense.metrics import problem_accuracy, sample, split
    >>> marks = {"tall": [[True, True]] * 4 + [[False, False]] * 4}
    >>> both = sample([[True, True]] * 4 + [[True, False]] * 4, marks=marks)
    >>> compare_subset([problem_accuracy], split(both, "tall")).rows[0].difference.estimate
    0.5
    """
    if not isinstance(split, Split):
        raise MetricError("no subset with its complement; give split(sample(values, marks=…), …)")
    rule = checked_correction(correction)

    def test(metric: Metric) -> Significance:
        return permute_labels(metric, split.subset, split.complement, seed=seed)

    drawn = bootstrap_difference(
        metrics, split.subset, split.complement, resamples=resamples, seed=seed, level=level
    )
    sides = _Sides(split.complement, split.subset, test, "subset against complement", rule)
    return _table(metrics, drawn, sides)


def _table(
    metrics: Sequence[Metric], drawn: Sequence[Bootstrapped], sides: _Sides
) -> DifferenceTable:
    tests = [_tested(sides.test, metric) for metric in metrics]
    ps = [found.p if isinstance(found, Significance) else None for found in tests]
    adjusted = adjust(ps, sides.correction, family=sides.family)
    rows = []
    for metric, difference, found, p in zip(metrics, drawn, tests, adjusted.ps, strict=True):
        one, other = (metric(side).value for side in (sides.one, sides.other))
        if isinstance(found, MetricError):
            reason = str(found)
            rows.append(
                MetricDifference(metric.name, one, other, difference, None, p, None, reason)
            )
            continue
        noticeable = _noticeable(metric, sides) if found.unequal is not None else None
        rows.append(MetricDifference(metric.name, one, other, difference, found, p, noticeable))
    return DifferenceTable(tuple(rows), adjusted)


def _tested(test: Callable[[Metric], Significance], metric: Metric) -> Significance | MetricError:
    try:
        return test(metric)
    except MetricError as error:
        return error


def _noticeable(metric: Metric, sides: _Sides) -> Noticeable | None:
    """The least difference that would be noticed, by how much the clusters' differences vary.

    Of one cluster there is no telling, and a cluster without a schema says nothing of schemas.
    """
    both = (sides.one, sides.other)
    held = occupied(both, of_schemas=metric.counts_schemas)
    (counts, totals), (others, _) = (metric.columns(side)[held].T for side in both)
    if len(totals) < FEWEST_CLUSTERS:
        return None
    parts: Floats = (others - counts) / totals.mean()
    return noticeable_difference(float(np.std(parts, ddof=1)), len(parts))
