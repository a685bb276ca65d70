"""Tests of whether two models, methods or perturbations differ, and a subset from its complement.

On the same schemas the primary test flips signs: if the two are alike, each cluster's difference
could as well have been the other way round. Beside it stand McNemar's test and the sign test, each
with what it ignores. McNemar's test on problems is not offered, because the problems of a schema
hang together. All tests are two-sided.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import (
    Answered,
    Booleans,
    Data,
    Floats,
    Metric,
    Pairable,
    Rule,
    Sample,
    Values,
    as_paired,
    as_sample,
    fully_solved,
)
from horsesense.metrics.statistics.arguments import generator, read_for
from horsesense.metrics.statistics.labels import random_labels
from horsesense.metrics.statistics.monte_carlo import TRIALS
from horsesense.metrics.statistics.resampling import SEED, occupied
from horsesense.metrics.statistics.signs import random_signs


@dataclass(frozen=True, slots=True)
class Significance:
    """What a test of two samples found.

    `units` are what was compared, clusters or schemas, and `unequal` those on which the two differ,
    None where each is on one side only. Where a metric counts schemas, clusters without one are no
    units of a sign flip. `trials` is None where p is exact. `ignores` says what the
    test does not see. `left_out` are clusters that could not be compared, as they are partly on
    either side; neither the difference nor p is theirs.
    """

    test: str
    difference: float
    p: float
    units: int
    unequal: int | None
    trials: int | None = None
    ignores: str = ""
    left_out: int = 0


def sign_flip(
    metric: Metric,
    one: Pairable,
    other: Pairable,
    *,
    ties: Rule | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
) -> Significance:
    """The primary test of two samples on the same clusters, by flipping each one's difference.

    The difference is one minus the other. It takes a share of which each cluster has the same total
    on both sides, such as an accuracy or a consistency; preserved accuracies are none. It is exact,
    unless that takes too long; then so many trials are drawn.

    >>> from horsesense.metrics import problem_accuracy
    >>> better, worse = [[True, True]] * 3, [[True, False]] * 3
    >>> sign_flip(problem_accuracy, better, worse).p  # all three for, or all three against: 2/8
    0.25
    """
    rng = generator(seed)
    both = [read_for([metric], each, ties) for each in (one, other)]
    held = occupied(both, of_schemas=metric.counts_schemas)
    (counts, totals), (counts_of_other, totals_of_other) = (
        _share_columns(metric, each)[held].T for each in both
    )
    if (totals != totals_of_other).any():
        raise MetricError(
            f"{metric.name} has other totals in one sample than in the other; signs are flipped"
            " only where they are equal in each cluster. Take a bootstrap of the difference"
        )
    if not totals.any():
        raise MetricError(f"{metric.name} is undefined: {metric.declared.undefined}")
    differences = counts - counts_of_other
    unequal = differences[differences != 0]
    difference = float(differences.sum() / totals.sum())
    found = random_signs(unequal, trials, rng)
    units = len(differences), len(unequal)
    return Significance("sign flip", difference, found.p, *units, found.trials)


def mcnemar(pair: Pairable, *, ties: Rule | None = None) -> Significance:
    """McNemar's exact test: of the schemas that only one side solved, how many are whose?

    The difference is after minus before. An undecided problem is not solved, whatever it counts
    for. The pair is `paired(before, after)`, or just the two.

    >>> mcnemar(([[True, True]] * 3, [[True, False]] * 3)).p  # 2/8
    0.25
    """
    before, after = _schemas(pair, ties)
    difference = (fully_solved(after) == 1).astype(float) - (fully_solved(before) == 1)
    ignores = (
        "half-solved schemas, and that schemas may hang together; an undecided problem counts as"
        " not solved, whatever the rule for ties"
    )
    return _of_signs("McNemar", difference, 1, ignores)


def sign_test(pair: Pairable, *, ties: Rule | None = None) -> Significance:
    """The sign test: of the schemas of which one side solved more problems, how many are whose?

    The difference is after minus before. The pair is `paired(before, after)`, or just the two.

    >>> sign_test(([[True, False]] * 3, [[False, False]] * 3)).p  # 2/8
    0.25
    """
    before, after = _schemas(pair, ties)
    difference = after.solved.sum(axis=1) - before.solved.sum(axis=1)
    ignores = "how many more problems of a schema are solved, and that schemas may hang together"
    return _of_signs("sign test", difference, 2, ignores)


def permute_labels(
    metric: Metric,
    subset: Sample | Values,
    complement: Sample | Values,
    *,
    ties: Rule | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
) -> Significance:
    """Test a subset against its complement: clusters change sides at random, whole.

    As many clusters as the subset has are drawn as often as there are trials, or in every way if
    these are few; a trial in which the metric is undefined counts against a difference. Clusters
    that are partly on either side are left out. Of plain arrays, each row is a cluster.

    >>> from horsesense.metrics import problem_accuracy
    >>> permute_labels(problem_accuracy, [[True, True]] * 2, [[False, False]] * 2).p  # 2 ways of 6
    0.3333333333333333
    """
    rng = generator(seed)
    one, other = _sides(subset, complement, ties)
    inside, outside = occupied([one]), occupied([other])
    whole, left_out = _whole(inside, outside), int((inside & outside).sum())
    columns = (metric.columns(one) + metric.columns(other))[whole]
    found = random_labels(metric.combine, columns, inside[whole], trials=trials, rng=rng)
    if np.isnan(found.difference):
        without = f", without {left_out} clusters that are partly on either," if left_out else ""
        reason = metric.declared.undefined
        raise MetricError(f"{metric.name} is undefined on one side{without}: {reason}")
    return Significance(
        "permutation of labels",
        found.difference,
        found.p,
        units=len(columns),
        unequal=None,
        trials=found.trials,
        left_out=left_out,
    )


def _share_columns(metric: Metric, data: Data) -> Floats:
    if not metric.is_share:
        raise MetricError(f"{metric.name} is no share; take a bootstrap of the difference")
    return metric.columns(data)


def _schemas(values: Pairable, ties: Rule | None) -> tuple[Answered, Answered]:
    """The schemas that correspond, before and after."""
    pair = as_paired(values, ties=ties)
    if not len(pair.schemas):
        raise MetricError("no schema has a counterpart; there is nothing to compare")
    old, new = pair.schemas.T
    return pair.before.in_schemas[old], pair.after.in_schemas[new]


def _of_signs(test: str, differences: Floats, most: int, ignores: str) -> Significance:
    """How likely a fair coin falls at least as unevenly as the signs of the differences do."""
    from scipy.special import bdtr

    positive, negative = (int(np.count_nonzero(one)) for one in (differences > 0, differences < 0))
    unequal = positive + negative
    p = min(1.0, 2 * float(bdtr(min(positive, negative), unequal, 0.5))) if unequal else 1.0
    difference = float(differences.mean()) / most
    return Significance(test, difference, p, len(differences), unequal, ignores=ignores)


def _sides(
    subset: Sample | Values, complement: Sample | Values, ties: Rule | None
) -> tuple[Sample, Sample]:
    """The two sides, their clusters numbered alike; those of plain arrays one after another."""
    one, other = as_sample(subset, ties), as_sample(complement, ties)
    are_read = isinstance(subset, Sample), isinstance(complement, Sample)
    if all(are_read):
        return one, other
    if any(are_read):
        raise MetricError(
            "a sample against a plain array; give two arrays, or the two sides of split(sample, …)"
        )
    total = one.cluster_count + other.cluster_count
    return (
        replace(one, cluster_count=total),
        replace(other, clusters=other.clusters + one.cluster_count, cluster_count=total),
    )


def _whole(inside: Booleans, outside: Booleans) -> Booleans:
    """Which clusters are on one side only; an error where there are some, and all are on both."""
    whole: Booleans = inside ^ outside
    if not whole.any() and (inside & outside).any():
        raise MetricError(
            "every cluster is partly in the subset and partly in the complement; only whole ones"
            " change sides. Take a bootstrap of the difference"
        )
    return whole
