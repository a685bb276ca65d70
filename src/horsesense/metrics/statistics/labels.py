"""How likely random labels take a subset and its complement as far apart as they are.

As many clusters are labelled as the subset has: in every way if these are few, and otherwise at
random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from horsesense.metrics import Booleans, Floats
from horsesense.metrics.statistics.arguments import at_least_one

# Up to so many ways, all are tried.
_MOST_WAYS = 10_000
# Trials that come this close to what was observed are as far: they differ by rounding only.
_ALIKE = 1e-12


@dataclass(frozen=True, slots=True)
class RandomLabels:
    """The difference, NaN if undefined, and how likely one as far from 0 is.

    `trials` is None where p is exact.
    """

    difference: float
    p: float
    trials: int | None = None


def random_labels(
    combine: Callable[[Floats], Floats],
    columns: Floats,
    inside: Booleans,
    *,
    trials: int,
    rng: np.random.Generator,
) -> RandomLabels:
    """How often other clusters than those inside differ as much from the rest.

    There is a row of columns for each cluster, and `combine` makes a value of their sums. A trial
    without a value counts against a difference.

    >>> rows, rng = np.array([[2.0], [2], [0], [0]]), np.random.default_rng(0)
    >>> inside = np.array([True, True, False, False])
    >>> random_labels(lambda sums: sums[..., 0], rows, inside, trials=9, rng=rng).p  # 2 ways of 6
    0.3333333333333333
    """
    at_least_one(trials, "trials")
    total, size, number = columns.sum(axis=0), len(columns), int(inside.sum())

    def differences(sums: Floats) -> Floats:
        return combine(sums) - combine(total - sums)

    observed = float(differences(columns[inside].sum(axis=0)))

    def as_far(sums: Floats) -> int:
        return int(np.count_nonzero(~(np.abs(differences(sums)) < abs(observed) - _ALIKE)))

    if (ways := comb(size, number)) <= _MOST_WAYS:
        return RandomLabels(observed, as_far(_all_sums(columns, number)) / ways)
    # Which of several equal clusters is drawn makes no difference, so kinds are drawn.
    kinds, sizes = np.unique(columns, axis=0, return_counts=True)
    drawn = rng.multivariate_hypergeometric(sizes, number, size=trials, method="marginals")
    return RandomLabels(observed, (as_far(drawn @ kinds) + 1) / (trials + 1), trials)


def _all_sums(columns: Floats, number: int) -> Floats:
    """The sums of one side in every way to choose it.

    It is the smaller side; which of the two it is makes no difference to how far apart they are.
    """
    smaller = min(number, len(columns) - number)
    listed = list(combinations(range(len(columns)), smaller))
    sums: Floats = columns[np.array(listed, dtype=np.intp)].sum(axis=1)
    return sums
