"""How the first and the second problem of a schema depend on each other (thesis 3.8.2, Table 3.9).

If they were independent, u = v = a₂ and u′ = v′ = a₁. What is undecided is not solved, and so
failed, unless it counts half. `randomly_paired` gives what schema accuracy would be if problems
were paired at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.accuracy import schema_accuracy
from horsesense.metrics.counting import Unit, by_cluster, only_sample, share
from horsesense.metrics.metric import Applies, Direction, Metric, MetricSpec, divided
from horsesense.metrics.sample import (
    Data,
    Floats,
    Integers,
    Outcomes,
    Rule,
    Sample,
    Values,
    as_sample,
)

_NO_SCHEMAS = "there are no schemas"
_PROBLEMS = ", z₁ and z₂ the problems of w"
# How many outcomes are shuffled at a time, lest a large dataset fill the memory.
_AT_A_TIME = 1 << 22


@share(
    Unit.SCHEMA,
    symbol="a₁",
    equation="a₁ = |{w : M solves z₁}| / |schemas|, z₁ the first problem of w",
    source="Maler 2023, 3.8.2, Table 3.9",
    applies=Applies.OUTCOMES,
    undefined=_NO_SCHEMAS,
    chance=0.5,
)
def first_problem_accuracy(schemas: Outcomes) -> Floats:
    """The share of schemas whose first problem is solved.

    >>> first_problem_accuracy([[True, False], [False, False]])
    Share(count=1, total=2)
    """
    return schemas.solved[:, 0]


@share(
    Unit.SCHEMA,
    symbol="a₂",
    equation="a₂ = |{w : M solves z₂}| / |schemas|, z₂ the second problem of w",
    source="Maler 2023, 3.8.2, Table 3.9",
    applies=Applies.OUTCOMES,
    undefined=_NO_SCHEMAS,
    chance=0.5,
)
def second_problem_accuracy(schemas: Outcomes) -> Floats:
    """The share of schemas whose second problem is solved.

    >>> second_problem_accuracy([[True, False], [False, False]])
    Share(count=0, total=2)
    """
    return schemas.solved[:, 1]


@share(
    Unit.SCHEMA,
    symbol="u",
    equation="u = |{w : M solves z₁ and z₂}| / |{w : M solves z₁}|" + _PROBLEMS,
    source="Maler 2023, (3.96), Table 3.9",
    applies=Applies.OUTCOMES,
    undefined="no schema's first problem was solved",
    chance=0.5,
)
def second_given_solved(schemas: Outcomes) -> tuple[Floats, Floats]:
    """The share of schemas whose second problem is solved, of those whose first is.

    >>> second_given_solved([[True, True], [False, True]])
    Share(count=1, total=1)
    """
    first, second = schemas.solved.T
    return first * second, first


@share(
    Unit.SCHEMA,
    symbol="v",
    equation="v = |{w : M solves z₂ and not z₁}| / |{w : M does not solve z₁}|" + _PROBLEMS,
    source="Maler 2023, (3.96), Table 3.9",
    applies=Applies.OUTCOMES,
    undefined="no schema's first problem was failed",
    chance=0.5,
)
def second_given_failed(schemas: Outcomes) -> tuple[Floats, Floats]:
    """The share of schemas whose second problem is solved, of those whose first is not.

    >>> second_given_failed([[False, True], [False, False]])
    Share(count=1, total=2)
    """
    return schemas.failed[:, 0] * schemas.solved[:, 1], schemas.failed[:, 0]


@share(
    Unit.SCHEMA,
    symbol="u′",
    equation="u′ = |{w : M solves z₁ and z₂}| / |{w : M solves z₂}|" + _PROBLEMS,
    source="Maler 2023, (3.96), Table 3.9",
    applies=Applies.OUTCOMES,
    undefined="no schema's second problem was solved",
    chance=0.5,
)
def first_given_solved(schemas: Outcomes) -> tuple[Floats, Floats]:
    """The share of schemas whose first problem is solved, of those whose second is.

    >>> first_given_solved([[True, True], [False, True]])
    Share(count=1, total=2)
    """
    first, second = schemas.solved.T
    return first * second, second


@share(
    Unit.SCHEMA,
    symbol="v′",
    equation="v′ = |{w : M solves z₁ and not z₂}| / |{w : M does not solve z₂}|" + _PROBLEMS,
    source="Maler 2023, (3.96), Table 3.9",
    applies=Applies.OUTCOMES,
    undefined="no schema's second problem was failed",
    chance=0.5,
)
def first_given_failed(schemas: Outcomes) -> tuple[Floats, Floats]:
    """The share of schemas whose first problem is solved, of those whose second is not.

    >>> first_given_failed([[True, False], [True, True]])
    Share(count=1, total=1)
    """
    return schemas.solved[:, 0] * schemas.failed[:, 1], schemas.failed[:, 1]


@dataclass(frozen=True, slots=True, eq=False)
class RandomPairs:
    """Schema accuracy as observed, and under pairings drawn at random."""

    observed: float
    expected: float
    drawn: Floats

    @property
    def p_at_least(self) -> float:
        """The probability that random pairs have at least the observed accuracy: (k+1)/(R+1)."""
        return self._p(int((self.drawn >= self.observed).sum()))

    @property
    def p_at_most(self) -> float:
        """The probability that they have at most the observed accuracy."""
        return self._p(int((self.drawn <= self.observed).sum()))

    def _p(self, count: int) -> float:
        return (count + 1) / (len(self.drawn) + 1)


def randomly_paired(
    values: Data | Values,
    *,
    seed: int | np.random.Generator,
    draws: int = 10_000,
    ties: Rule | None = None,
) -> RandomPairs:
    """Draw the distribution of schema accuracy under random pairings of the problems in schemas.

    >>> pairs = randomly_paired([[True, True], [False, False]], seed=1, draws=100)
    >>> pairs.observed, round(pairs.expected, 3), sorted(set(pairs.drawn.tolist()))
    (0.5, 0.167, [0.0, 0.5])
    """
    sample = as_sample(values, ties)
    observed = schema_accuracy.share(sample).value
    if observed is None:
        raise MetricError("there are no schemas whose problems could be paired differently")
    if draws < 1:
        raise MetricError(f"{draws} draws; give at least 1")
    rng = _generator(seed)
    solved = sample.problems.solved[_in_schemas(sample)]
    sums = random_pair_accuracy.columns(sample).sum(axis=0)
    expected = float(random_pair_accuracy.combine(sums))
    return RandomPairs(observed, expected, _drawn(solved, draws, rng))


def _generator(seed: int | np.random.Generator) -> np.random.Generator:
    if isinstance(seed, int) and seed < 0:
        raise MetricError(f"a seed of {seed}; give a whole number from 0")
    return np.random.default_rng(seed)


def _columns(data: Data) -> Floats:
    """Count how much is solved, the same squared, and the number of problems."""
    sample = only_sample(data)
    used = _in_schemas(sample)
    solved = sample.problems.solved[used]
    counts = solved, solved**2, np.ones(len(solved))
    return by_cluster(counts, sample.clusters[used], sample.cluster_count)


def _combine(sums: Floats) -> Floats:
    """Return the mean over all pairs of different problems: the expectation of random pairing."""
    solved, squared, count = sums[..., 0], sums[..., 1], sums[..., 2]
    return divided(solved**2 - squared, count * (count - 1))


random_pair_accuracy = Metric(
    MetricSpec(
        name="random-pair-accuracy",
        symbol="E[A]",
        title="The schema accuracy expected if the problems were paired at random",
        equation="E[A] = s(s − 1) / n(n − 1), for s of n problems in schemas solved",
        source="Abdou et al., footnote 13",
        applies=Applies.OUTCOMES,
        undefined="there are no schemas",
        direction=Direction.NEITHER,
        chance=0.25,
        remark="A schema accuracy above it means that the problems of a schema are solved together"
        " more often than others. It is the average over all pairs of different problems, each pair"
        " solved by the product of its two. So where undecided problems count half, it is"
        " (s² − q) / n(n − 1), for q the sum of the squares of what each counts, which is the"
        " equation where none does. When resampling, a problem drawn twice counts as two.",
        doc="""The schema accuracy expected if the problems were paired at random.

>>> random_pair_accuracy([[True, True], [True, False]])
Value(value=0.5, reason='')
""",
    ),
    _columns,
    _combine,
    is_share=False,
    counts_schemas=True,
)


def _in_schemas(sample: Sample) -> Integers:
    """Return the problems that belong to schemas, each once."""
    return np.unique(sample.schemas)


def _drawn(solved: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Return the schema accuracy of each random pairing."""
    pairs = len(solved) // 2
    drawn = np.empty(draws)
    step = max(1, _AT_A_TIME // len(solved))
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        shuffled = rng.permuted(np.broadcast_to(solved, (rows, len(solved))), axis=1)
        both = shuffled[:, :pairs] * shuffled[:, pairs : 2 * pairs]
        drawn[start : start + rows] = both.mean(axis=1)
    return drawn
