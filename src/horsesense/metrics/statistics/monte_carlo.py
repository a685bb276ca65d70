"""The thesis' test of an accuracy against a null hypothesis (3.97), (3.98), kept for comparison.

So many schemas are made up by the null, again and again, and it is counted how often their accuracy
is at least as far from the null's as what was observed. The null counts as known, and nothing is
paired: for two models on the same schemas there is the sign flip. Differences are not rounded,
which would give another p.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import (
    Floats,
    Integers,
    Metric,
    Sample,
    problem_accuracy,
    schema_accuracy,
)
from horsesense.metrics.statistics.arguments import at_least_one, generator
from horsesense.metrics.statistics.null import (
    Null,
    Number,
    exactly,
    fraction,
    observed_null,
    schema_null,
)
from horsesense.metrics.statistics.resampling import SEED
from horsesense.scoring.outcome import Share

TRIALS = 10_000
# What is less likely than this is left out of exact distributions, which keeps them short.
_SMALLEST = 1e-300
# Many comparisons have the same counts of the same totals.
_KEPT_TESTS = 1 << 12


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """How often an accuracy was at least as far from the null's as the observed one.

    `p` is (3.98); `exact` is what it comes near to with more and more trials.
    """

    null: Null
    difference: Fraction
    schemas: int
    trials: int
    as_far: int
    exact: float

    @property
    def p(self) -> float:
        """One more than came that far, of one more than there were (3.98)."""
        return (self.as_far + 1) / (self.trials + 1)


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How likely each count is, from the least one on that is likely at all."""

    chances: Floats
    least: int

    @property
    def counts(self) -> Integers:
        """The counts themselves."""
        return self.least + np.arange(len(self.chances))


def monte_carlo(
    null: Null,
    schemas: int,
    difference: Number | Share,
    *,
    trials: int = TRIALS,
    seed: int = SEED,
) -> MonteCarlo:
    """Test an accuracy on so many schemas that differs so much from the null's, unrounded.

    In the place of the difference there may be the observed accuracy, as a share.

    >>> from horsesense.metrics.statistics.null import schema_null
    >>> coin = schema_null(Share(1, 2))
    >>> monte_carlo(coin, 3, Share(3, 3)).exact  # all three solved, or none: 2/8
    0.25
    """
    schemas, trials = at_least_one(schemas, "schemas"), at_least_one(trials, "trials")
    if isinstance(difference, Share):
        if not difference.total:
            raise MetricError("a share of nothing was observed; there is nothing to test")
        difference = exactly(difference) - null.accuracy
    distance, most = abs(fraction(difference)), schemas * null.most
    if distance > 1:
        raise MetricError(
            f"a difference of {float(difference):g}; accuracies differ by -1 to 1. An observed"
            " accuracy is given as a share"
        )
    # As far are counts up to `low`, and from `high` on.
    low = floor(most * (null.accuracy - distance))
    high = ceil(most * (null.accuracy + distance))
    counted = repeated([float(one) for one in null.chances], schemas)
    is_far = (counted.counts <= low) | (counted.counts >= high)
    exact = min(1.0, float(counted.chances[is_far].sum()))
    solved = _simulated(null, schemas, trials, generator(seed))
    as_far = int(np.count_nonzero((solved <= low) | (solved >= high)))
    return MonteCarlo(null, fraction(difference), schemas, trials, as_far, exact)


@dataclass(frozen=True, slots=True)
class ThesisTerms:
    """What the thesis' test of two samples is about: the null, how many schemas, and how far.

    The difference is that of the problems in schemas, or of the schemas. `left_out` is how many
    problems, before and after, are in no schema.
    """

    null: Null
    schemas: int
    difference: Fraction
    left_out: tuple[int, int] = (0, 0)

    def test(self, *, trials: int = TRIALS, seed: int = SEED) -> MonteCarlo:
        """The test on these terms."""
        return _kept_test(self, trials, seed)


@lru_cache(maxsize=_KEPT_TESTS)
def _kept_test(terms: ThesisTerms, trials: int, seed: int) -> MonteCarlo:
    return monte_carlo(terms.null, terms.schemas, terms.difference, trials=trials, seed=seed)


def thesis_terms(metric: Metric, before: Sample, after: Sample) -> ThesisTerms | None:
    """The terms on which the thesis compares two samples by an accuracy.

    The null is what is observed before, and the schemas are those after. It is made of schemas, so
    problems in no schema are left out of the difference too. None for other metrics than the two
    accuracies, and where there are no schemas on one side.

    >>> from horsesense.metrics import sample, schema_accuracy
    >>> one, other = sample([[True, True], [True, False]]), sample([[True, True]] * 3)
    >>> thesis_terms(schema_accuracy, one, other).test().exact  # all three solved, or none: 2/8
    0.25
    """
    if metric not in (problem_accuracy, schema_accuracy):
        return None
    if not len(before.schemas) or not len(after.schemas):
        return None
    if metric is schema_accuracy:
        old, new = metric.share(before), metric.share(after)
        return ThesisTerms(schema_null(old), len(after.schemas), exactly(new) - exactly(old))
    sides = [_of_schemas(one) for one in (before, after)]
    old, new = (metric.share(one) for one in sides)
    first, second = (
        len(all_.problems) - len(kept.problems)
        for all_, kept in zip((before, after), sides, strict=True)
    )
    difference = exactly(new) - exactly(old)
    return ThesisTerms(observed_null(before), len(after.schemas), difference, (first, second))


def _of_schemas(whole: Sample) -> Sample:
    """The problems that make schemas; one that is in two counts once."""
    kept = np.zeros(len(whole.problems), bool)
    kept[whole.schemas.ravel()] = True
    return whole.among(kept)


def repeated(chances: Sequence[float], number: int) -> Counts:
    """The distribution of a sum of independent counts, by the chances of 0, 1, … for each.

    >>> repeated([0.5, 0.5], 2).chances.tolist()
    [0.25, 0.5, 0.25]
    """
    power, found = Counts(np.array(chances), 0), Counts(np.ones(1), 0)
    for place in range(number.bit_length()):
        if place:
            power = _added(power, power)
        if number >> place & 1:
            found = _added(found, power)
    return found


def _added(one: Counts, other: Counts) -> Counts:
    added = np.convolve(one.chances, other.chances)
    return _trimmed(Counts(added, one.least + other.least))


def _simulated(null: Null, schemas: int, trials: int, rng: np.random.Generator) -> Floats:
    """How much is solved in each trial; only how many schemas of each kind there are is drawn."""
    kinds = rng.multinomial(schemas, [float(one) for one in null.chances], size=trials)
    return kinds @ np.arange(null.most + 1.0)


def _trimmed(counts: Counts) -> Counts:
    """The counts without those at either end that are too unlikely for a float to hold well."""
    likely = np.flatnonzero(counts.chances > _SMALLEST)
    kept = counts.chances[likely[0] : likely[-1] + 1]
    return Counts(kept, counts.least + int(likely[0]))
