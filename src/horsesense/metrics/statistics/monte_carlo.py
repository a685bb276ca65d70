"""The thesis' test of an accuracy against a null hypothesis (3.96) to (3.98), kept for comparison.

A null says how likely it is to solve none, one or both problems of a schema, by a reference that
counts as known. The test draws as many schemas by the null, again and again, and counts how often
their accuracy is at least as far from the null's as the observed one. Nothing is paired: for two
models on the same schemas there is the sign flip.

Everything is kept in fractions and nothing is rounded: a distance that equals the observed one is
as far, whatever the last digit says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor, isfinite, sqrt
from typing import TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import (
    Data,
    Floats,
    Integers,
    Metric,
    Rule,
    Sample,
    Values,
    anti_solved_share,
    as_sample,
    half_solved_share,
    problem_accuracy,
    schema_accuracy,
)
from horsesense.metrics.statistics.resampling import SEED, at_least_one, generator, within
from horsesense.scoring import Share

# A float is read as the nearest fraction with a denominator up to this. That is the very fraction
# for any quotient, or difference of two, of counts whose denominators multiply to less.
_LARGEST_DENOMINATOR = 10**7
_NO_SCHEMAS = "the reference has no schemas; the null is made of them"

Number: TypeAlias = Fraction | float
TRIALS = 10_000
# What is less likely than this is left out of exact distributions, which keeps them short.
_SMALLEST = 1e-300
# Many comparisons have the same counts of the same totals.
_KEPT_TESTS = 1 << 12


@dataclass(frozen=True, slots=True)
class Null:
    """The probabilities that none, one or both problems of a schema are solved.

    If schemas are counted, which are solved or not, there are only two: none and one.
    """

    chances: tuple[Fraction, ...]

    @property
    def most(self) -> int:
        """The highest count of each schema: 2 for problems, 1 for schemas."""
        return len(self.chances) - 1

    @property
    def accuracy(self) -> Fraction:
        """The expected accuracy; for problems, (3.97).

        >>> Null((Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))).accuracy
        Fraction(1, 2)
        """
        expected = sum((count * chance for count, chance in enumerate(self.chances)), Fraction())
        return expected / self.most

    @property
    def deviation(self) -> float:
        """The standard deviation of the share of a schema that is solved.

        >>> Null((Fraction(1, 2), Fraction(0), Fraction(1, 2))).deviation
        0.5
        """
        squares = sum((count**2 * chance for count, chance in enumerate(self.chances)), Fraction())
        return sqrt(squares / self.most**2 - self.accuracy**2)


def conditional_null(first: Number, if_solved: Number | None, if_failed: Number | None) -> Null:
    """Return the null of problems from the thesis' a₁, u and v (3.96).

    These are the probabilities to solve the first problem, to solve the second one if the first is
    solved, and to solve it if the first is failed; None for a condition that never holds.

    >>> conditional_null(1, 0.5, None).accuracy
    Fraction(3, 4)
    """
    solved = _chance("to solve the first problem", first)
    then = _chance("if it is solved", if_solved if solved else 0)
    otherwise = _chance("if it is failed", if_failed if solved < 1 else 0)
    both, none = solved * then, (1 - solved) * (1 - otherwise)
    return Null((none, 1 - both - none, both))


def observed_null(reference: Data | Values, *, ties: Rule | None = None) -> Null:
    """Return the null of problems observed in the schemas of a reference; `ties` is for arrays.

    >>> observed_null([[True, True], [False, True]]).chances
    (Fraction(0, 1), Fraction(1, 2), Fraction(1, 2))
    """
    read = as_sample(reference, ties)
    if not len(read.schemas):
        raise MetricError(_NO_SCHEMAS)
    metrics = (anti_solved_share, half_solved_share, schema_accuracy)
    shares = [metric.share(read) for metric in metrics]
    return Null(tuple(exactly(share) for share in shares))


def schema_null(accuracy: Share) -> Null:
    """Return the null of schemas for a schema accuracy: solved or not.

    >>> schema_null(Share(1, 4)).chances
    (Fraction(3, 4), Fraction(1, 4))
    """
    if not accuracy.total:
        raise MetricError(_NO_SCHEMAS)
    solved = exactly(accuracy)
    return Null((1 - solved, solved))


def exactly(share: Share) -> Fraction:
    """Convert a share to a fraction; its counts are whole, or parts that a float holds exactly.

    >>> exactly(Share(0.5, 2))
    Fraction(1, 4)
    """
    return Fraction(share.count) / Fraction(share.total)


def fraction(value: Number) -> Fraction:
    """Return a fraction as it is, and a float as the simple fraction that it stands for.

    >>> fraction(1 / 3)
    Fraction(1, 3)
    """
    if isinstance(value, Fraction):
        return value
    if not isfinite(value):
        raise MetricError(f"a difference of {value}; there is nothing to test")
    largest = _LARGEST_DENOMINATOR
    if isinstance(value, np.floating):  # shorter floats distinguish fewer fractions
        largest = min(largest, int(np.finfo(value.dtype).eps ** -0.5))
    return Fraction(float(value)).limit_denominator(largest)


def _chance(name: str, value: Number | None) -> Fraction:
    if value is None:
        raise MetricError(f"no chance {name}, although that can happen")
    within(value, f"a chance {name}")
    return fraction(value)


@dataclass(frozen=True, slots=True)
class MonteCarlo:
    """The result of the test: how often an accuracy was at least as far from the null's.

    `p` is (3.98), and `exact` its limit for more and more trials.
    """

    null: Null
    difference: Fraction
    schemas: int
    trials: int
    as_far: int
    exact: float

    @property
    def p(self) -> float:
        """The p-value, (as_far + 1) / (trials + 1) (3.98)."""
        return (self.as_far + 1) / (self.trials + 1)


@dataclass(frozen=True, slots=True, eq=False)
class CountDistribution:
    """The probabilities of consecutive counts, from `least` on."""

    chances: Floats
    least: int

    @property
    def counts(self) -> Integers:
        """The counts, one for each probability."""
        return self.least + np.arange(len(self.chances))


def monte_carlo(
    null: Null,
    schemas: int,
    difference: Number | Share,
    *,
    trials: int = TRIALS,
    seed: int = SEED,
) -> MonteCarlo:
    """Test an accuracy on a number of schemas by its difference from the null's, unrounded.

    Instead of the difference, the observed accuracy can be given as a share.

    >>> from horsesense.metrics.statistics.monte_carlo import schema_null
    >>> coin = schema_null(Share(1, 2))
    >>> monte_carlo(coin, 3, Share(3, 3)).exact  # all three solved, or none: 2/8
    0.25
    """
    schemas, trials = at_least_one(schemas, "schemas"), at_least_one(trials, "trials")
    if isinstance(difference, Share):
        if not difference.total:
            raise MetricError("a share with a total of 0 was observed; there is nothing to test")
        difference = exactly(difference) - null.accuracy
    distance, most = abs(fraction(difference)), schemas * null.most
    if distance > 1:
        raise MetricError(
            f"a difference of {float(difference):g}; accuracies differ by -1 to 1. An observed"
            " accuracy is given as a share"
        )
    # Counts up to `low` and from `high` on are at least as far.
    low = floor(most * (null.accuracy - distance))
    high = ceil(most * (null.accuracy + distance))
    counted = repeated([float(chance) for chance in null.chances], schemas)
    is_far = (counted.counts <= low) | (counted.counts >= high)
    exact = min(1.0, float(counted.chances[is_far].sum()))
    solved = _simulated(null, schemas, trials, generator(seed))
    as_far = int(np.count_nonzero((solved <= low) | (solved >= high)))
    return MonteCarlo(null, fraction(difference), schemas, trials, as_far, exact)


@dataclass(frozen=True, slots=True)
class ThesisTerms:
    """The input of the thesis' test of two samples: the null, the schemas and the difference.

    The difference is in the accuracy of problems in schemas, or of schemas. `left_out` counts the
    problems before and after that are in no schema.
    """

    null: Null
    schemas: int
    difference: Fraction
    left_out: tuple[int, int] = (0, 0)

    def test(self, *, trials: int = TRIALS, seed: int = SEED) -> MonteCarlo:
        """Run the test; a repeated one returns the cached result."""
        return _kept_test(self, trials, seed)


@lru_cache(maxsize=_KEPT_TESTS)
def _kept_test(terms: ThesisTerms, trials: int, seed: int) -> MonteCarlo:
    return monte_carlo(terms.null, terms.schemas, terms.difference, trials=trials, seed=seed)


def thesis_terms(metric: Metric, before: Sample, after: Sample) -> ThesisTerms | None:
    """Return the terms on which the thesis compares an accuracy of two samples.

    The null is observed before, and the schemas are those after. As the null is made of schemas,
    problems in no schema are left out of the difference too. Return None for metrics other than
    the two accuracies, and if either side has no schemas.

    >>> from horsesense.metrics import sample, schema_accuracy
    >>> before, after = sample([[True, True], [True, False]]), sample([[True, True]] * 3)
    >>> thesis_terms(schema_accuracy, before, after).test().exact  # all three solved, or none: 2/8
    0.25
    """
    if metric not in (problem_accuracy, schema_accuracy):
        return None
    if not len(before.schemas) or not len(after.schemas):
        return None
    if metric is schema_accuracy:
        old, new = metric.share(before), metric.share(after)
        return ThesisTerms(schema_null(old), len(after.schemas), exactly(new) - exactly(old))
    kept_before, kept_after = _of_schemas(before), _of_schemas(after)
    left_out = (
        len(before.problems) - len(kept_before.problems),
        len(after.problems) - len(kept_after.problems),
    )
    difference = exactly(metric.share(kept_after)) - exactly(metric.share(kept_before))
    return ThesisTerms(observed_null(before), len(after.schemas), difference, left_out)


def _of_schemas(whole: Sample) -> Sample:
    """Keep the problems that belong to schemas, each once."""
    kept = np.zeros(len(whole.problems), bool)
    kept[whole.schemas.ravel()] = True
    return whole.among(kept)


def repeated(chances: Sequence[float], number: int) -> CountDistribution:
    """Return the distribution of a sum of equal counts, from the probabilities of 0, 1, … in each.

    >>> repeated([0.5, 0.5], 2).chances.tolist()
    [0.25, 0.5, 0.25]
    """
    power, total = CountDistribution(np.array(chances), 0), CountDistribution(np.ones(1), 0)
    for place in range(number.bit_length()):
        if place:
            power = _added(power, power)
        if number >> place & 1:
            total = _added(total, power)
    return total


def _added(counts: CountDistribution, other: CountDistribution) -> CountDistribution:
    added = np.convolve(counts.chances, other.chances)
    return _trimmed(CountDistribution(added, counts.least + other.least))


def _simulated(null: Null, schemas: int, trials: int, rng: np.random.Generator) -> Floats:
    """Draw how much is solved in each trial, from the number of schemas with each count."""
    kinds = rng.multinomial(schemas, [float(chance) for chance in null.chances], size=trials)
    return kinds @ np.arange(null.most + 1.0)


def _trimmed(counts: CountDistribution) -> CountDistribution:
    """Drop the counts at either end whose probability is too small for a float to hold well."""
    likely = np.flatnonzero(counts.chances > _SMALLEST)
    kept = counts.chances[likely[0] : likely[-1] + 1]
    return CountDistribution(kept, counts.least + int(likely[0]))
