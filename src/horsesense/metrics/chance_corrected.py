"""Consistency beyond what is to be expected from the accuracies alone.

Choosing the first answer always is perfectly consistent and solves no schema. So expected agreement
follows from the patterns of schemas: which of their two problems are solved. It is that of schemas
before with schemas after at random, where only the shares of the four patterns are kept. An
undecided problem is not solved; if it counts half, its schema has each pattern by half.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.answered import Answered, Floats, Rule
from horsesense.metrics.consistency import strict_schema_consistency
from horsesense.metrics.counting import by_cluster, corresponding, formula, only_pair
from horsesense.metrics.metric import Applies, Columns, Direction, divided
from horsesense.metrics.sample import Data, Pairable, as_paired

_PATTERNS = ", q and q′ the shares of schemas with a pattern before and after"


@dataclass(frozen=True, slots=True)
class Feasible:
    """From where to where a consistency can lie."""

    low: float
    high: float


def _pattern(side: int, first: bool, second: bool) -> Columns:
    """Count the schemas of one side of which just these problems are solved."""

    def columns(data: Data) -> Floats:
        pair = only_pair(data)
        corresponding(pair)
        schemas = (pair.before, pair.after)[side].in_schemas[pair.schemas[:, side]]
        alike = np.where([first, second], schemas.solved, schemas.failed)
        clusters = pair.before.schema_clusters[pair.schemas[:, 0]]
        return by_cluster(
            (alike[:, 0] * alike[:, 1], np.ones(len(alike))), clusters, pair.cluster_count
        )

    return columns


# The shares q and q′ of the four patterns, each before and after.
_SHARES = [
    _pattern(side, first, second)
    for first in (True, False)
    for second in (True, False)
    for side in (0, 1)
]


@formula(
    *_SHARES,
    counts_schemas=True,
    symbol="E",
    equation="E = Σ q(pattern) · q′(pattern)" + _PATTERNS,
    source="ours, after Cohen's kappa",
    applies=Applies.PROBLEMS,
    undefined="no schema has a counterpart",
    direction=Direction.NEITHER,
    is_symmetric=True,
    chance=0.25,
)
def expected_strict_consistency(*shares: Floats) -> Floats:
    """The strict schema consistency to be expected from the shares of the patterns.

    >>> expected_strict_consistency([[True, True], [True, False]], [[True, True], [True, False]])
    Value(value=0.5, reason='')
    """
    return _expected(shares)


@formula(
    strict_schema_consistency.columns,
    *_SHARES,
    counts_schemas=True,
    symbol="κ",
    equation="κ = (C* − E) / (1 − E), E = Σ q(pattern) · q′(pattern)" + _PATTERNS,
    source="ours, after Cohen's kappa",
    applies=Applies.PROBLEMS,
    undefined="all schemas have the same pattern before and after, or no schema has a counterpart",
    is_symmetric=True,
    bounds=(-1.0, 1.0),
    chance=0.0,
    remark="To be read with C_a: a model that fails everything it failed before is consistent.",
)
def chance_corrected_consistency(strict: Floats, *shares: Floats) -> Floats:
    """How much of the agreement that is not to be expected there is.

    >>> chance_corrected_consistency([[True, True], [True, False]], [[True, True], [True, False]])
    Value(value=1.0, reason='')
    """
    expected = _expected(shares)
    return divided(strict - expected, 1 - expected)


def consistency_range(*values: Pairable, ties: Rule | None = None) -> Feasible | None:
    """Where consistency c can lie, given how many problems are solved and failed on either side.

    None where no problem has a counterpart, or where undecided problems are failed on one side and
    count half on the other.

    >>> consistency_range([True, True, None], [True, False, False])
    Feasible(low=0.0, high=0.3333333333333333)
    """
    pair = as_paired(*values, ties=ties)
    if pair.problems is None or not len(pair.problems):
        return None
    old, new = pair.problems.T
    before, after = pair.before.problems[old], pair.after.problems[new]
    if before.decided.all() and after.decided.all():
        return _range_by_order(before, after)
    if 0.5 in before.solved or 0.5 in after.solved:
        return None
    return _range_by_counts(before, after)


def feasible_consistency(accuracy: float, accuracy_after: float) -> Feasible:
    """Where the consistency c of decided problems can lie, given the accuracies a before and after.

    >>> feasible_consistency(0.75, 0.5)
    Feasible(low=0.25, high=0.75)
    """
    for share in (accuracy, accuracy_after):
        if not 0 <= share <= 1:
            raise MetricError(f"{share} is not an accuracy; give a share between 0 and 1")
    return Feasible(abs(accuracy + accuracy_after - 1), 1 - abs(accuracy - accuracy_after))


def _range_by_order(before: Answered, after: Answered) -> Feasible:
    """The range where everything is solved, failed, or counts half.

    With 1, -1 and 0 for these, c is (1 + mean product) / 2, and a sum of products is highest where
    both sides are in the same order, and lowest where they are in opposite ones.
    """
    old, new = (np.sort(2 * side.solved - 1) for side in (before, after))
    low, high = ((len(old) + old @ other) / (2 * len(old)) for other in (new[::-1], new))
    return Feasible(float(low), float(high))


def _range_by_counts(before: Answered, after: Answered) -> Feasible:
    """The range where something is undecided, and consistent with nothing."""
    count = len(before)
    solved = [float(side.solved.sum()) for side in (before, after)]
    failed = [float((side.failed * side.decided).sum()) for side in (before, after)]
    # What is solved before has to meet what is solved after only where nothing else is left.
    low = max(0.0, sum(solved) - count, sum(failed) - count)
    return Feasible(low / count, (min(solved) + min(failed)) / count)


def _expected(shares: Iterable[Floats]) -> Floats:
    """The sum over patterns of their share before times that after."""
    listed = list(shares)
    terms = [old * new for old, new in zip(listed[::2], listed[1::2], strict=True)]
    total: Floats = np.sum(terms, axis=0)
    return total
