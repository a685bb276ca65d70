"""Rules that learn from some problems and give the options of others a cost, without any sense."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from horsesense.audit.exercises import Exercise
from horsesense.audit.features import Features, Table, table_of
from horsesense.audit.words import same_words
from horsesense.metrics import Floats

# How much errors weigh against large coefficients: scikit-learn's default, for to choose another
# would take problems that are used for nothing else.
ERRORS_WEIGH = 1.0
# Far more than it takes: some hundred problems are fitted in ten steps or so.
MOST_STEPS = 1000
# As many as a line has room for.
_SHOWN = 3
# The last digits of coefficients differ from machine to machine.
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Learnt:
    """What was learnt: the costs of the options of any exercise, and what weighs most in them."""

    costs: Callable[[int], tuple[float, ...]]
    strongest: Callable[[], tuple[str, ...]]  # which takes a while, and is seldom asked


# From the positions of the exercises to learn from to what is learnt of them.
Learn: TypeAlias = Callable[[Sequence[int]], Learnt]


def by_frequency(exercises: Sequence[Exercise]) -> Learn:
    """Prefer the answer that is more often right than by chance, counted as it is worded."""
    offered = [[same_words(option.phrase) for option in one.options] for one in exercises]

    def learn(positions: Sequence[int]) -> Learnt:
        excess: defaultdict[str, float] = defaultdict(float)
        for at in positions:
            for place, answer in enumerate(offered[at]):
                excess[answer] += (place == exercises[at].right) - 1 / len(offered[at])

        def costs(at: int) -> tuple[float, ...]:
            return tuple(-excess.get(answer, 0.0) for answer in offered[at])

        return Learnt(costs, lambda: _strongest(list(excess), list(excess.values())))

    return learn


def by_features(exercises: Sequence[Exercise], features: Features) -> Learn:
    """Prefer the option whose features speak for it, by logistic regression."""
    table = table_of(exercises, features)
    differences = _differences_of(table, [one.right for one in exercises])

    def learn(positions: Sequence[int]) -> Learnt:
        weights = _weights(differences, positions)
        values = (table.rows @ weights).tolist()

        def costs(at: int) -> tuple[float, ...]:
            start = table.starts[at]
            return tuple(-value for value in values[start : start + len(exercises[at].options)])

        return Learnt(costs, lambda: _strongest(table.names, weights.tolist()))

    return learn


@dataclass(frozen=True, slots=True, eq=False)
class _Differences:
    """The differences between right options and the others, a row for each, problem by problem.

    `starts` is the first row of each problem, and after the last one the number of rows.
    """

    rows: Any  # a sparse matrix of scipy, which has no types
    starts: tuple[int, ...]


def _differences_of(table: Table, right: Sequence[int]) -> _Differences:
    ends = (*table.starts[1:], table.rows.shape[0])
    better: list[int] = []
    worse: list[int] = []
    starts = [0]
    for start, end, place in zip(table.starts, ends, right, strict=True):
        others = [row for row in range(start, end) if row != start + place]
        better += [start + place] * len(others)
        worse += others
        starts.append(len(worse))
    return _Differences((table.rows[better] - table.rows[worse]).tocsr(), tuple(starts))


def _weights(differences: _Differences, positions: Sequence[int]) -> Floats:
    """The coefficients that are learnt from the differences in some problems.

    Without an intercept a difference and its opposite teach the same. Every other one is turned
    round, as scikit-learn wants to see two classes.
    """
    from sklearn.linear_model import LogisticRegression

    if not differences.rows.shape[1]:
        return np.zeros(0)
    starts = differences.starts
    rows = differences.rows[[row for at in positions for row in range(starts[at], starts[at + 1])]]
    signs = np.where(np.arange(rows.shape[0]) % 2, -1.0, 1.0)
    rows.data *= np.repeat(signs, np.diff(rows.indptr))
    model = LogisticRegression(C=ERRORS_WEIGH, fit_intercept=False, max_iter=MOST_STEPS)
    weights: Any = model.fit(rows, signs).coef_[0]
    return np.asarray(weights, dtype=np.float64)


def _strongest(names: Sequence[str], values: Sequence[float]) -> tuple[str, ...]:
    """What weighs most, for or against an option."""
    order = sorted(range(len(names)), key=lambda at: (-abs(round(values[at], _DIGITS)), names[at]))
    told = (f"{names[at]} ({'for' if values[at] > 0 else 'against'})" for at in order[:_SHOWN])
    return tuple(told)
