"""Checks of the arguments of statistics: shares, levels, numbers of trials, seeds, data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import index

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Data, Metric, Pairable, Paired, Rule, as_paired, as_sample


def within(number: float | Fraction, what: str) -> float:
    """The number, which must lie in 0 to 1.

    >>> within(1.0, "a chance")
    1.0
    """
    if not 0 <= number <= 1:
        raise MetricError(f"{what} of {float(number):g}; it must lie in 0 to 1")
    return float(number)


def between(number: float, what: str) -> float:
    """The number, which must lie between 0 and 1, and be neither.

    >>> between(0.5, "a power")
    0.5
    """
    if not 0 < number < 1:
        raise MetricError(f"{what} of {float(number):g}; it must lie between 0 and 1")
    return float(number)


def checked_level(level: float) -> float:
    """The level of an interval, which must lie between 0 and 1.

    >>> checked_level(0.95)
    0.95
    """
    return between(level, "a confidence level")


def whole_number(number: int, what: str) -> int:
    """The number of something, which must be whole.

    >>> whole_number(np.int64(3), "trials")
    3
    """
    try:
        return index(number)
    except TypeError:
        raise MetricError(f"{number!r} {what}; give a whole number") from None


def at_least_one(number: int, what: str) -> int:
    """The number of something, of which there must be one or more.

    >>> at_least_one(3, "trials")
    3
    """
    if (count := whole_number(number, what)) < 1:
        raise MetricError(f"{number} {what}; there must be at least one")
    return count


def generator(seed: int) -> np.random.Generator:
    """A random generator, always the same for a seed.

    >>> generator(0).random() == generator(0).random()
    True
    """
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise MetricError(f"a seed of {seed!r}; it must be a whole number, 0 or more")
    return np.random.default_rng(seed)


def read_for(metrics: Sequence[Metric], data: Pairable, ties: Rule | None) -> Data:
    """The data as what these metrics take: one sample, or two, before and after.

    >>> from horsesense.metrics import consistency
    >>> read_for([consistency], ([[True, True]], [[True, False]]), None).cluster_count
    1
    """
    if isinstance(data, Paired) or any(metric.is_paired for metric in metrics):
        return as_paired(data, ties=ties)
    return as_sample(data, ties)
