"""Intervals and tests of a share that is counted in independent units, such as schemas.

The two problems of a schema are not independent, so use resampling for problem accuracy instead. At
a share of 0 or 1, where a percentile interval collapses, Wilson's and Clopper and Pearson's do not.
The tests are against a share that is known beforehand, such as chance (thesis 3.8.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.statistics.resampling import checked_level, within
from horsesense.scoring import Share

LEVEL = 0.95
# With a lower expected count, the χ² approximation is too rough.
FEWEST_EXPECTED = 5
# Outcomes whose probabilities differ by less than this are equally likely.
_ALIKE = 1e-7


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, and the method it was computed by.

    `remark` holds caveats, such as that it was cut off at 1.
    """

    low: float
    high: float
    level: float
    method: str
    remark: str = ""


def wald(share: Share, level: float = LEVEL) -> Interval:
    """Return the thesis' interval (3.94), the share plus and minus z standard errors.

    It is cut off at 0 and 1, and has no width for a share of 0 or 1; the remark says so.

    >>> interval = wald(Share(50, 100))
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.402, 0.598)
    """
    count, total = whole(share)
    value, z = count / total, normal_quantile(0.5 + checked_level(level) / 2)
    half_width = z * sqrt(value * (1 - value) / total)
    low, high = value - half_width, value + half_width
    remark = ""
    if half_width == 0:
        remark = "Wald's interval of a share of 0 or 1 has no width; Wilson's has"
    elif low < 0 or high > 1:
        remark = "cut off: Wald's interval left 0 to 1"
    return Interval(max(0.0, low), min(1.0, high), level, "Wald", remark)


def wilson(share: Share, level: float = LEVEL) -> Interval:
    """Return Wilson's interval: the shares that a score test does not reject.

    >>> interval = wilson(Share(0, 10))
    >>> interval.low, round(interval.high, 3)
    (0.0, 0.278)
    """
    count, total = whole(share)
    z = normal_quantile(0.5 + checked_level(level) / 2)
    value, square = count / total, z * z
    middle = (value + square / (2 * total)) / (1 + square / total)
    spread = sqrt(value * (1 - value) / total + square / (4 * total * total))
    half_width = z * spread / (1 + square / total)
    # At the ends the formula gives 0 and 1, except for rounding.
    low = 0.0 if count == 0 else middle - half_width
    high = 1.0 if count == total else middle + half_width
    return Interval(low, high, level, "Wilson")


def clopper_pearson(share: Share, level: float = LEVEL) -> Interval:
    """Return Clopper and Pearson's interval, which covers the share at least as often as stated.

    >>> interval = clopper_pearson(Share(10, 10))  # the lower end is (1 - level)/2 to the 1/10
    >>> round(interval.low, 3), interval.high
    (0.692, 1.0)
    """
    from scipy.special import betaincinv

    count, total = whole(share)
    tail = (1 - checked_level(level)) / 2
    rest = total - count
    low = float(betaincinv(count, rest + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, rest, 1 - tail)) if rest else 1.0
    return Interval(low, high, level, "Clopper–Pearson")


def whole(share: Share) -> tuple[int, int]:
    """Check that a share counts whole units, at least one, and return its count and total.

    >>> whole(Share(3.0, 4.0))
    (3, 4)
    """
    if not share.total:
        raise MetricError("a share with a total of 0; there must be something to count")
    if not float(share.count).is_integer() or not float(share.total).is_integer():
        raise MetricError(
            f"{share.count:g} out of {share.total:g} counts halves, which a binomial share cannot;"
            " count undecided problems as failed, or resample"
        )
    return int(share.count), int(share.total)


def normal_quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution.

    >>> round(normal_quantile(0.975), 2)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(probability))


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """A test of a hypothesis: its statistic, its p-value, and a caveat if any."""

    method: str
    statistic: float
    p: float
    remark: str = ""


def chi_square(share: Share, expected: float) -> HypothesisTest:
    """Run the thesis' test of a share against an expected one (3.95), with one degree of freedom.

    >>> tested = chi_square(Share(60, 100), 0.5)  # 10²/50 + 10²/50
    >>> tested.statistic, round(tested.p, 4)
    (4.0, 0.0455)
    """
    from scipy.special import chdtrc

    count, total = whole(share)
    if not 0 < expected < 1:
        raise MetricError(
            f"an expected share of {expected:g}; the χ² test needs one between 0 and 1,"
            " the exact test does not"
        )
    solved, failed = expected * total, (1 - expected) * total
    distance = (count - solved) ** 2
    statistic = distance / solved + distance / failed
    fewest = min(solved, failed)
    remark = (
        f"an expected count of {fewest:.1f}, below {FEWEST_EXPECTED}; use the exact test instead"
        if fewest < FEWEST_EXPECTED
        else ""
    )
    return HypothesisTest("χ²", statistic, float(chdtrc(1, statistic)), remark)


def exact_binomial(share: Share, expected: float) -> HypothesisTest:
    """Run the exact binomial test: sum the probabilities of all counts no likelier than this one.

    Its statistic is the count.

    >>> tested = exact_binomial(Share(0, 3), 0.5)  # none or all: 2/8
    >>> tested.statistic, round(tested.p, 4)
    (0, 0.25)
    """
    count, total = whole(share)
    p = _as_unlikely(count, total, within(expected, "an expected share"))
    return HypothesisTest("exact binomial", count, p)


def _as_unlikely(count: int, total: int, expected: float) -> float:
    """Return the probability of all counts that are no likelier than this one."""
    from scipy.special import gammaln, xlog1py, xlogy

    counts = np.arange(total + 1)
    ways = gammaln(total + 1) - gammaln(counts + 1) - gammaln(total - counts + 1)
    chances = xlogy(counts, expected) + xlog1py(total - counts, -expected)
    probabilities = np.exp(ways + chances)
    no_likelier = probabilities <= probabilities[count] * (1 + _ALIKE)
    # Dividing by their sum, which is 1 except for rounding, removes most of the rounding error.
    return float(probabilities[no_likelier].sum() / probabilities.sum())
