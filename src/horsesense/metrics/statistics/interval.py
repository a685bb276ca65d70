"""Confidence intervals of a share that is counted in independent units, such as schemas.

The two problems of a schema hang together, so none of these is for problem accuracy: that is what
resampling is for. At a share of 0 or 1, where a percentile interval collapses, Wilson's and
Clopper and Pearson's do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from horsesense.errors import MetricError
from horsesense.metrics.statistics.arguments import checked_level
from horsesense.scoring.outcome import Share

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a value lies with some confidence, and how that was found.

    `remark` is what is to be known of it, such as that it was cut off at 1.
    """

    low: float
    high: float
    level: float
    method: str
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """A share of whole units, of which there is at least one."""

    count: int
    total: int

    @property
    def value(self) -> float:
        """The share itself."""
        return self.count / self.total


def wald(share: Share, level: float = LEVEL) -> Interval:
    """The thesis' interval (3.94), the share plus and minus z standard errors.

    It is cut off at 0 and 1, which it may cross, and has no width there; the remark tells.

    >>> interval = wald(Share(50, 100))
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.402, 0.598)
    """
    counted = whole(share)
    value, z = counted.value, normal_quantile(0.5 + checked_level(level) / 2)
    half_width = z * sqrt(value * (1 - value) / counted.total)
    low, high = value - half_width, value + half_width
    remark = ""
    if half_width == 0:
        remark = "Wald's interval of a share of 0 or 1 has no width; Wilson's has"
    elif low < 0 or high > 1:
        remark = "cut off: Wald's interval left 0 to 1"
    return Interval(max(0.0, low), min(1.0, high), level, "Wald", remark)


def wilson(share: Share, level: float = LEVEL) -> Interval:
    """Wilson's interval: the shares that a score test does not reject.

    >>> interval = wilson(Share(0, 10))
    >>> interval.low, round(interval.high, 3)
    (0.0, 0.278)
    """
    counted = whole(share)
    z = normal_quantile(0.5 + checked_level(level) / 2)
    total, value, square = counted.total, counted.value, z * z
    middle = (value + square / (2 * total)) / (1 + square / total)
    spread = sqrt(value * (1 - value) / total + square / (4 * total * total))
    half_width = z * spread / (1 + square / total)
    # At its ends the formula gives 0 and 1, but for the last digit.
    low = 0.0 if counted.count == 0 else middle - half_width
    high = 1.0 if counted.count == total else middle + half_width
    return Interval(low, high, level, "Wilson")


def clopper_pearson(share: Share, level: float = LEVEL) -> Interval:
    """Clopper and Pearson's interval, which holds at least as often as it says.

    >>> interval = clopper_pearson(Share(10, 10))  # the lower end is (1 - level)/2 to the 1/10
    >>> round(interval.low, 3), interval.high
    (0.692, 1.0)
    """
    from scipy.special import betaincinv

    counted = whole(share)
    tail = (1 - checked_level(level)) / 2
    count, rest = counted.count, counted.total - counted.count
    low = float(betaincinv(count, rest + 1, tail)) if count else 0.0
    high = float(betaincinv(count + 1, rest, 1 - tail)) if rest else 1.0
    return Interval(low, high, level, "Clopper–Pearson")


def whole(share: Share) -> Counted:
    """The share as whole counts; an error where it is empty or something counts half.

    >>> whole(Share(3.0, 4.0))
    Counted(count=3, total=4)
    """
    if not share.total:
        raise MetricError("a share of nothing; there must be something to count")
    if not float(share.count).is_integer() or not float(share.total).is_integer():
        raise MetricError(
            f"{share.count:g} out of {share.total:g} counts halves, and a binomial share has none;"
            " count undecided problems as failed, or resample"
        )
    return Counted(int(share.count), int(share.total))


def normal_quantile(probability: float) -> float:
    """The number that a standard normal variable stays below with this probability.

    >>> round(normal_quantile(0.975), 2)
    1.96
    """
    from scipy.special import ndtri

    return float(ndtri(probability))
