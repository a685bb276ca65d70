"""Rankings: who is ahead of whom, and how far two rankings agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Floats
from horsesense.metrics.answered import check_readable

# From the best to the worst; those that are equal stand together, in the order they were given.
Ranking: TypeAlias = tuple[tuple[str, ...], ...]


def ranking(values: Mapping[str, float]) -> Ranking:
    """Rank by value, the highest first.

    >>> ranking({"ant": 0.5, "bee": 0.75, "cow": 0.5})
    (('bee',), ('ant', 'cow'))
    """
    if any(np.isnan(value) for value in values.values()):
        raise MetricError("an undefined value has no place in a ranking")
    return tuple(
        tuple(name for name, value in values.items() if value == height)
        for height in sorted(set(values.values()), reverse=True)
    )


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's τ-b of two rankings, given as the values that are ranked.

    1 where they order all pairs alike, -1 where they order them the other way round. None where
    it is undefined: with fewer than two values, or where one of the two has only equal ones.

    >>> kendall_tau([0.1, 0.2, 0.3], [0.5, 0.7, 0.6])
    0.3333333333333333
    """
    if len(first) != len(second):
        raise MetricError(f"{len(first)} values against {len(second)}: they do not pair")
    one, other = (_orders(values) for values in (first, second))
    # Each pair is counted twice, above and below the line.
    untied = float((one * one).sum()) * float((other * other).sum())
    return float((one * other).sum()) / float(np.sqrt(untied)) if untied else None


def ranking_tau(one: Ranking, other: Ranking) -> float | None:
    """Kendall's τ-b of two rankings of the same names.

    >>> ranking_tau((("ant",), ("bee",)), (("bee",), ("ant",)))
    -1.0
    """
    places, others = (
        {name: -place for place, group in enumerate(each) for name in group}
        for each in (one, other)
    )
    if places.keys() != others.keys():
        raise MetricError("the rankings are not of the same names")
    return kendall_tau(list(places.values()), [others[name] for name in places])


def _orders(values: Sequence[float]) -> Floats:
    """For each two values 1 where the first is higher, -1 where it is lower, 0 for equal ones."""
    check_readable(values)
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        raise MetricError("an undefined or infinite value has no place in a ranking")
    orders: Floats = np.sign(array[:, None] - array[None, :])
    return orders
