"""Measure how often intervals hold the true value: from resampled schemas, and per problem.

Sets of schemas are drawn under a known hypothesis, and for each kind of interval the script counts
how often it holds the true value. The metrics of a set depend only on how many schemas of each kind
it has, so kinds are drawn instead of schemas, and equal sets share their intervals.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np

from horsesense.metrics import (
    Data,
    Floats,
    Integers,
    Metric,
    consistency,
    paired,
    problem_accuracy,
    sample,
    schema_accuracy,
)
from horsesense.metrics.statistics import LEVEL, wald, wilson
from horsesense.scoring.outcome import Share

SEED = 1
SIZES = (30, 133, 1000)
SETS, RESAMPLES = 4000, 2000
# How often a schema keeps its outcome after a transformation, instead of a newly drawn one.
STEADY = 0.6

METRICS = (problem_accuracy, schema_accuracy, consistency)
KINDS = ("percentile", "empirical", "Wilson", "Wald")

_PATTERNS = tuple(product((True, False), repeat=2))


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A model described by a₁, u and v (thesis 3.96)."""

    name: str
    first: float
    if_solved: float
    if_failed: float

    @property
    def patterns(self) -> Floats:
        """Return how likely it solves both problems, only the first, only the second, or none."""
        a, u, v = self.first, self.if_solved, self.if_failed
        return np.array([a * u, a * (1 - u), (1 - a) * v, (1 - a) * (1 - v)])


HYPOTHESES = (
    Hypothesis("negative (thesis, Table 3.9)", 92 / 133, 66 / 92, 40 / 41),
    Hypothesis("none", 0.7, 0.8, 0.8),
    Hypothesis("positive", 0.7, 0.95, 0.45),
)


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """The kinds of schemas that a metric distinguishes: their probabilities and their counts."""

    chances: Floats
    columns: Floats

    def value(self, metric: Metric) -> float:
        """Return the true value of the metric."""
        return float(metric.combine(self.chances @ self.columns))


@dataclass(frozen=True, slots=True)
class Row:
    """The share of sets in which each kind of interval held the true value of a metric."""

    hypothesis: str
    metric: str
    schemas: int
    coverage: dict[str, float]
    sets: int

    def error(self, kind: str) -> float:
        """Return the standard error of a coverage."""
        return sqrt(self.coverage[kind] * (1 - self.coverage[kind]) / self.sets)


def kinds(hypothesis: Hypothesis, metric: Metric) -> Kinds:
    """List the outcomes that a schema can have, as the metric itself counts them."""
    patterns = hypothesis.patterns
    # Before and after: sixteen schemas, each a cluster of its own.
    old, new = (np.repeat(np.arange(4), 4), np.tile(np.arange(4), 4))
    chances = patterns[old] * (STEADY * (old == new) + (1 - STEADY) * patterns[new])
    both = [[_PATTERNS[index] for index in indices] for indices in (old, new)]
    data: Data = paired(*both) if metric.is_paired else sample(both[0])
    columns, which = np.unique(metric.columns(data), axis=0, return_inverse=True)
    return Kinds(np.bincount(which.ravel(), chances).astype(float), columns)


def intervals(
    metric: Metric, counts: Integers, columns: Floats, rng: np.random.Generator
) -> dict[str, tuple[float, float]]:
    """Compute the intervals of a set, given the number of schemas of each kind."""
    size = int(counts.sum())
    drawn = rng.multinomial(size, counts / size, size=RESAMPLES)
    values = metric.combine(drawn @ columns)
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    count, total = (counts @ columns).tolist()
    estimate, share = count / total, Share(count, total)
    plain = {"Wilson": wilson(share), "Wald": wald(share)}
    return {
        "percentile": (low, high),
        "empirical": (2 * estimate - high, 2 * estimate - low),
        **{kind: (interval.low, interval.high) for kind, interval in plain.items()},
    }


def coverage(hypothesis: Hypothesis, metric: Metric, schemas: int, sets: int) -> Row:
    """Draw sets of schemas, and count which intervals hold the true value."""
    rng = np.random.default_rng(SEED)
    of_metric = kinds(hypothesis, metric)
    true = of_metric.value(metric)
    drawn = rng.multinomial(schemas, of_metric.chances, size=sets)
    held = dict.fromkeys(KINDS, 0)
    distinct, times = np.unique(drawn, axis=0, return_counts=True)
    for counts, number in zip(distinct, times.tolist(), strict=True):
        for kind, (low, high) in intervals(metric, counts, of_metric.columns, rng).items():
            # Allow for rounding: an end that equals the true value holds it.
            held[kind] += number * (low - 1e-9 <= true <= high + 1e-9)
    shares = {kind: count / sets for kind, count in held.items()}
    return Row(hypothesis.name, metric.name, schemas, shares, sets)


def rows(sets: int = SETS) -> Iterator[Row]:
    """Measure every metric under every hypothesis, at every size."""
    for metric, hypothesis, schemas in product(METRICS, HYPOTHESES, SIZES):
        yield coverage(hypothesis, metric, schemas, sets)


def table(rows: Iterator[Row]) -> Iterator[str]:
    """Format the rows as lines of a Markdown table, in per cent with standard errors."""
    yield f"| Metric | Correlation | Schemas | {' | '.join(KINDS)} |"
    yield f"|---|---|---:|{'---:|' * len(KINDS)}"
    for row in rows:
        cells = [f"{row.coverage[kind]:.1%} ± {row.error(kind):.1%}" for kind in KINDS]
        yield f"| {row.metric} | {row.hypothesis} | {row.schemas:,} | {' | '.join(cells)} |"


def main() -> None:
    """Print how often each kind of interval holds the true value."""
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else SETS
    print(
        f"How often an interval of {LEVEL:.0%} holds the true value: {sets:,} sets of schemas each,"
        f" {RESAMPLES:,} resamples of each set, seed {SEED}, ± a standard error. Wilson's and"
        " Wald's intervals treat every problem, or every schema for schema accuracy, as"
        " independent. The percentile interval is used unchanged, also at a share of 0 or 1, where"
        " the program shows Clopper and Pearson's.\n"
    )
    for line in table(rows(sets)):
        print(line, flush=True)


if __name__ == "__main__":
    main()
