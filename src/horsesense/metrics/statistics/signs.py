"""How likely random signs take a sum of differences as far from 0 as it is.

It is exact where differences are few, or of few sizes; otherwise signs are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from horsesense.metrics import Floats, Integers
from horsesense.metrics.statistics.arguments import at_least_one
from horsesense.metrics.statistics.monte_carlo import repeated

# Counts are whole, or halves and their products where undecided problems count half; times this
# they are whole.
_PARTS = 1 << 10
# Beyond so many multiplications, about a second's, or so many sums, trials are drawn instead.
_MOST_WORK, _LONGEST = 1e9, 1e7
# Trials that come this close to what was observed are as far: they differ by rounding only.
_ALIKE = 1e-12
_SIGNS_AT_ONCE = 1 << 20
_SMALLEST = float(np.finfo(float).tiny)


@dataclass(frozen=True, slots=True)
class RandomSigns:
    """How likely a sum at least as far from 0 is; `trials` is None where p is exact."""

    p: float
    trials: int | None = None


def random_signs(differences: Floats, trials: int, rng: np.random.Generator) -> RandomSigns:
    """The chance that differences with random signs add up to at least as much, either way.

    >>> random_signs(np.array([1.0, 1, 2]), 100, np.random.default_rng(0)).p  # + + +, - - -
    0.25
    """
    at_least_one(trials, "trials")
    exact = _exact(differences)
    if exact is not None:
        return RandomSigns(exact)
    return RandomSigns(_drawn(differences, trials, rng), trials)


def _exact(differences: Floats) -> float | None:
    """How likely random signs give a sum at least as far from 0; None if that takes too long.

    Of m differences of the same size v, those with a plus are binomially many. So the distribution
    of the sum is that of a few binomial ones, each spread by its v, added up.
    """
    parts = np.abs(differences) * _PARTS
    if (parts != np.round(parts)).any():
        return None
    whole = parts.astype(np.int64)
    whole //= max(np.gcd.reduce(whole), 1)
    sizes, numbers = (one.tolist() for one in np.unique(whole, return_counts=True))
    binomials = [repeated([0.5, 0.5], number) for number in numbers]
    terms = sum(len(one.chances) for one in binomials)
    longest = sum(2 * size * len(one.chances) for size, one in zip(sizes, binomials, strict=True))
    if longest > _LONGEST or longest * terms > _MOST_WORK:
        return None
    chances, lowest = np.ones(1), 0
    for size, number, binomial in zip(sizes, numbers, binomials, strict=True):
        # With b plusses the sum of the group is size × (2b - number).
        chances = _spread(chances, binomial.chances, 2 * size)
        lowest += size * (2 * binomial.least - number)
    observed = abs(int(whole @ np.sign(differences).astype(np.int64)))
    sums = lowest + np.arange(len(chances))
    p = float(chances[np.abs(sums) >= observed].sum())
    return min(1.0, max(p, _SMALLEST))  # it may be too small for a float, but never 0


def _spread(chances: Floats, others: Floats, step: int) -> Floats:
    """The distribution of a sum, the second part of which comes in steps."""
    found = np.zeros(len(chances) + step * (len(others) - 1))
    for number, other in enumerate(others):
        found[number * step : number * step + len(chances)] += other * chances
    return found


def _drawn(differences: Floats, trials: int, rng: np.random.Generator) -> float:
    sums = np.concatenate([signs @ differences for signs in _signs(len(differences), trials, rng)])
    least = abs(differences.sum()) - _ALIKE * np.abs(differences).sum()
    return float((np.count_nonzero(np.abs(sums) >= least) + 1) / (trials + 1))


def _signs(size: int, count: int, rng: np.random.Generator) -> Iterator[Integers]:
    rows = max(1, _SIGNS_AT_ONCE // size)
    for start in range(0, count, rows):
        yield 2 * rng.integers(2, size=(min(rows, count - start), size)) - 1
