"""Power: the smallest difference that a number of schemas would show, and results by luck.

Power is computed by normal approximation, for a two-sided test of the mean of independent schemas:
against a value known beforehand, or of the difference between two models on the same schemas.
Metrics differ only in the standard deviation of what a schema contributes.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, expm1, inf, log1p, sqrt

from horsesense.errors import MetricError
from horsesense.metrics.statistics.interval import normal_quantile
from horsesense.metrics.statistics.monte_carlo import conditional_null
from horsesense.metrics.statistics.resampling import (
    FEW_CLUSTERS,
    at_least_one,
    between,
    whole_number,
    within,
)

SIGNIFICANCE, POWER = 0.05, 0.8


@dataclass(frozen=True, slots=True)
class Noticeable:
    """The smallest difference that is noticed with the stated power, or None if there is none.

    `remark` says why there is none, or why it is unreliable.
    """

    difference: float | None
    clusters: int
    significance: float
    power: float
    remark: str = ""


def problem_deviation(first: float, if_solved: float, if_failed: float) -> float:
    """Return the deviation of the solved share of a schema, for problem accuracy.

    It follows from the thesis' a₁, u and v (3.96): the probability to solve the first problem, to
    solve the second one if the first is solved, and to solve it if the first is failed.

    >>> problem_deviation(0.5, 1.0, 0.0)  # both or none
    0.5
    """
    chances = (within(chance, "a chance") for chance in (first, if_solved, if_failed))
    return conditional_null(*map(Fraction, chances)).deviation


def schema_deviation(accuracy: float) -> float:
    """Return the deviation of whether a schema is solved, for schema accuracy.

    >>> schema_deviation(0.5)
    0.5
    """
    within(accuracy, "a chance")
    return sqrt(accuracy * (1 - accuracy))


def discordant_deviation(discordant: float) -> float:
    """Return the deviation of a paired difference in schema accuracy that is 0 on average.

    It follows from the share of schemas that only one of the two solves.

    >>> discordant_deviation(0.25)
    0.5
    """
    return sqrt(within(discordant, "a chance"))


def noticeable_difference(
    deviation: float, clusters: int, *, significance: float = SIGNIFICANCE, power: float = POWER
) -> Noticeable:
    """Return the smallest difference that this many schemas, or other clusters, show.

    >>> round(noticeable_difference(0.5, 100).difference, 2)  # (1.96 + 0.84) · 0.5 / 10
    0.14
    """
    at_least_one(clusters, "clusters")
    errors = _standard_errors(significance, power)
    least = errors * _checked_deviation(deviation) / sqrt(clusters)
    difference = least if 0 < least <= 1 else None
    return Noticeable(difference, clusters, significance, power, _remark(least, clusters))


def schemas_needed(
    difference: float, deviation: float, *, significance: float = SIGNIFICANCE, power: float = POWER
) -> int:
    """Return the number of schemas needed to show a difference in either direction.

    >>> schemas_needed(0.25, 0.5), schemas_needed(0.125, 0.5)  # (2.8 · 2)², (2.8 · 4)²
    (32, 126)
    """
    if not 0 < abs(difference) <= 1:
        raise MetricError(f"a difference of {difference:g}; it must be from -1 to 1, and not 0")
    errors = _standard_errors(significance, power)
    root = errors * _checked_deviation(deviation) / abs(float(difference))
    try:
        return max(1, ceil(root**2))
    except OverflowError:
        raise MetricError(
            f"a difference of {difference:g} needs more schemas than can be computed"
        ) from None


def lucky_draw(total: int, more_than: int, *, models: int = 1, chance: float = 0.5) -> float:
    """Return how likely the best of several guessers solves more than a number (Trichelair, B).

    By guessing, each problem is solved with a probability of ½, and each schema with ¼.

    >>> round(lucky_draw(2, 1), 4), round(lucky_draw(2, 1, models=2), 4)  # ¼; 1 − (¾)²
    (0.25, 0.4375)
    """
    from scipy.special import bdtrc

    within(chance, "a chance")
    at_least_one(models, "models")
    at_least_one(total, "to solve")
    count = whole_number(more_than, "solved")
    if count >= total:
        return 0.0
    lucky = 1.0 if count < 0 else float(bdtrc(count, total, chance))
    return 1.0 if lucky >= 1 else -expm1(models * log1p(-lucky))


def beyond_luck(
    total: int, *, significance: float = SIGNIFICANCE, models: int = 1, chance: float = 0.5
) -> int | None:
    """Return the smallest count that the best of several guessers reaches with p < significance.

    Return None if even solving all of them could be luck.

    >>> beyond_luck(5), beyond_luck(4)  # 1/32 and 1/16
    (5, None)
    """
    between(significance, "a significance")
    at_least_one(total, "to solve")

    def is_beyond(count: int) -> bool:
        return lucky_draw(total, count - 1, models=models, chance=chance) < significance

    count = bisect_left(range(total + 1), True, key=is_beyond)
    return count if count <= total else None


def _standard_errors(significance: float, power: float) -> float:
    """Return how many standard errors a difference must have."""
    between(significance, "a significance")
    between(power, "a power")
    # With a lower power, the other tail of the test, which is ignored here, would matter.
    if power < 0.5:
        raise MetricError(f"a power of {power:g}; it must be at least one half")
    return normal_quantile(1 - significance / 2) + normal_quantile(power)


def _checked_deviation(deviation: float) -> float:
    if not 0 <= deviation < inf:
        raise MetricError(f"a deviation of {deviation:g}; it must be 0 or more")
    return float(deviation)


def _remark(least: float, clusters: int) -> str:
    if least == 0:
        return "nothing varies, so the normal approximation does not apply"
    if least > 1:
        return "not even a difference of 1 would be noticed"
    if clusters < FEW_CLUSTERS:
        return f"fewer than {FEW_CLUSTERS} clusters; the approximation is doubtful"
    return ""
