"""Comparison of two sets of answers, used by every command that compares.

`compare` takes two samples with the same cluster numbers: two models, methods, variants or runs on
the problems they share (as `match` pairs them), or two sets with nothing in common, such as a
subset and its complement. For each metric it returns the value on either side, the difference with
an interval from the same resamples, a test, and the smallest difference that would be noticed.

The p-values of a table are one family, adjusted by Holm's method or by Benjamini and Hochberg's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Floats, Metric, Pairable, Paired, Rule, Sample, Split, as_paired
from horsesense.metrics.statistics.bootstrap import Bootstrapped, bootstrapped, draw
from horsesense.metrics.statistics.interval import LEVEL
from horsesense.metrics.statistics.monte_carlo import MonteCarlo, ThesisTerms, thesis_terms
from horsesense.metrics.statistics.power import Noticeable, noticeable_difference
from horsesense.metrics.statistics.resampling import (
    FEWEST_CLUSTERS,
    RESAMPLES,
    SEED,
    occupied,
    read_for,
)
from horsesense.metrics.statistics.significance import (
    Adjusted,
    Correction,
    Significance,
    adjust,
    checked_correction,
    permute_labels,
    sign_flip,
)


@dataclass(frozen=True, slots=True)
class ThesisTest:
    """The thesis' test of a difference between two accuracies: its terms and its result."""

    metric: str
    terms: ThesisTerms
    result: MonteCarlo

    @property
    def is_of_something(self) -> bool:
        """Whether there is a difference; one of exactly 0 has no p-value."""
        return bool(self.terms.difference)

    @property
    def p(self) -> float | None:
        """The p-value; None for a difference of exactly 0."""
        return self.result.p if self.is_of_something else None


@dataclass(frozen=True, slots=True)
class MetricDifference:
    """A metric on two sides (`one` and `other`), and the difference `other` minus `one`.

    `test` is None if no test applies, and `reason` says why; `adjusted_p` is its p-value adjusted
    over the family. `noticeable` is the smallest difference that so many clusters would show.
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
    """Differences, and the family over which their p-values are adjusted.

    `changes` are metrics of both sides together, such as consistency, from the same resamples.
    `thesis` has the thesis' tests of the accuracies among the metrics, if requested.
    """

    rows: tuple[MetricDifference, ...]
    family: Adjusted
    changes: tuple[Bootstrapped, ...] = ()
    thesis: tuple[ThesisTest, ...] = ()


def compare(
    metrics: Sequence[Metric],
    pair: Pairable,
    *,
    changes: Sequence[Metric] = (),
    is_shared: bool = True,
    with_thesis: bool = False,
    ties: Rule | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    correction: Correction | str = Correction.HOLM,
    family: str = "differences",
) -> DifferenceTable:
    """Compare metrics of one sample before and after, on the same resamples, and test them.

    The pair is `paired(before, after)`, or just the two; `ties` is the rule for plain arrays.
    `changes` are metrics of the pair. Differences are tested by flipping signs, or, where the two
    sides share no problems (`is_shared` is false), by permuting labels. `with_thesis` adds the
    thesis' test, whose null is the sample before.

    >>> from horsesense.metrics import problem_accuracy
    >>> table = compare([problem_accuracy], ([[True, False]] * 9, [[True, True]] * 9))
    >>> table.rows[0].difference.estimate, table.rows[0].test.p  # all nine one way: 2/512
    (0.5, 0.00390625)
    """
    both, rule = as_paired(pair, ties=ties), checked_correction(correction)
    sides = [
        (metric, read_for([metric], side, None))
        for metric in metrics
        for side in (both.after, both.before)
    ]
    drawn = iter(draw([*sides, *((metric, both) for metric in changes)], resamples, seed))
    differences = [
        bootstrapped(metric, next(drawn).minus(next(drawn)), level) for metric in metrics
    ]
    tests = [_tested(metric, both, seed, is_shared=is_shared) for metric in metrics]
    ps = [test.p if isinstance(test, Significance) else None for test in tests]
    adjusted = adjust(ps, rule, family=family)
    columns = zip(metrics, differences, tests, adjusted.ps, strict=True)
    return DifferenceTable(
        tuple(_row(metric, both, difference, test, p) for metric, difference, test, p in columns),
        adjusted,
        tuple(
            bootstrapped(change, values, level)
            for change, values in zip(changes, drawn, strict=True)
        ),
        _thesis_tests(metrics, both, seed) if with_thesis else (),
    )


def compare_subset(
    metrics: Sequence[Metric],
    split: Split[Sample],
    *,
    with_thesis: bool = False,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    correction: Correction | str = Correction.HOLM,
) -> DifferenceTable:
    """Compare a subset with its complement, never with the whole; tested by permuting labels.

    >>> from horsesense.metrics import problem_accuracy, sample, split
    >>> marks = {"tall": [[True, True]] * 4 + [[False, False]] * 4}
    >>> both = sample([[True, True]] * 4 + [[True, False]] * 4, marks=marks)
    >>> compare_subset([problem_accuracy], split(both, "tall")).rows[0].difference.estimate
    0.5
    """
    if not isinstance(split, Split):
        raise MetricError("no subset with its complement; give split(sample(values, marks=…), …)")
    return compare(
        metrics,
        apart(split.complement, split.subset),
        is_shared=False,
        with_thesis=with_thesis,
        resamples=resamples,
        seed=seed,
        level=level,
        correction=correction,
        family="subset against complement",
    )


def apart(before: Sample, after: Sample) -> Paired:
    """Pair two samples with the same cluster numbers, and no problem or schema in common.

    >>> from horsesense.metrics import sample
    >>> len(apart(sample([[True, True]]), sample([[True, False]])).schemas)
    0
    """
    return Paired(before, after, None, np.empty((0, 2), np.intp))


def _tested(
    metric: Metric, both: Paired, seed: int, *, is_shared: bool
) -> Significance | MetricError:
    """Test a difference, or return the error that says why it cannot be tested."""
    test = sign_flip if is_shared else permute_labels
    try:
        return test(metric, both.after, both.before, seed=seed)
    except MetricError as error:
        return error


def _row(
    metric: Metric,
    both: Paired,
    difference: Bootstrapped,
    test: Significance | MetricError,
    adjusted_p: float | None,
) -> MetricDifference:
    before, after = metric(both.before).value, metric(both.after).value
    values = metric.name, before, after, difference
    if isinstance(test, MetricError):
        return MetricDifference(*values, None, adjusted_p, None, str(test))
    noticeable = _noticeable(metric, both) if test.unequal is not None else None
    return MetricDifference(*values, test, adjusted_p, noticeable)


def _noticeable(metric: Metric, both: Paired) -> Noticeable | None:
    """Compute the smallest noticeable difference from the variance between clusters.

    It takes at least two clusters; clusters without a schema do not count for schemas.
    """
    held = occupied([both], of_schemas=metric.counts_schemas)
    (counts, totals), (others, _) = (
        metric.columns(side)[held].T for side in (both.before, both.after)
    )
    if len(totals) < FEWEST_CLUSTERS:
        return None
    parts: Floats = (others - counts) / totals.mean()
    return noticeable_difference(float(np.std(parts, ddof=1)), len(parts))


def _thesis_tests(metrics: Sequence[Metric], both: Paired, seed: int) -> tuple[ThesisTest, ...]:
    on_terms = ((metric.name, thesis_terms(metric, both.before, both.after)) for metric in metrics)
    return tuple(
        ThesisTest(name, terms, terms.test(seed=seed))
        for name, terms in on_terms
        if terms is not None
    )
