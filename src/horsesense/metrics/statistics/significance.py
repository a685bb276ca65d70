"""Tests of whether two models, methods or perturbations differ, or a subset from its complement.

On the same schemas the primary test flips signs: if the two are alike, each cluster's difference
could as well have been the other way round. McNemar's test and the sign test are available too,
each with a note on what it ignores. There is no McNemar's test on problems, because the problems of
a schema are not independent. A subset and its complement share no clusters, so labels are permuted
instead. All tests are two-sided, and exact if there are few differences or few sizes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum
from itertools import combinations
from math import comb

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import (
    Booleans,
    Data,
    Floats,
    Integers,
    Metric,
    Outcomes,
    Pairable,
    Rule,
    Sample,
    Values,
    as_paired,
    as_sample,
    fully_solved,
)
from horsesense.metrics.statistics.monte_carlo import TRIALS, repeated
from horsesense.metrics.statistics.resampling import (
    SEED,
    at_least_one,
    generator,
    occupied,
    read_for,
    within,
)

# Shown if there is nothing to test, such as a difference of exactly 0.
NO_P = "–"
# Smaller p-values are shown as less than this.
SMALLEST = Decimal("0.001")


def p_cell(p: float | None) -> str:
    """Format a p-value for a table; None means that there is nothing to test.

    >>> p_cell(0.414), p_cell(0.0849), p_cell(0.0004), p_cell(0.97), p_cell(None)
    ('.4', '.08', '< .001', '> .9', '–')
    """
    if p is None:
        return NO_P
    # Use the shortest digits that give the number, so that .15 is not rounded as .1499….
    exact = Decimal(repr(within(p, "a p-value")))
    if exact < SMALLEST:
        return f"< {_bare(SMALLEST)}"
    rounded = exact.quantize(Decimal(1).scaleb(exact.adjusted()), ROUND_HALF_UP)
    return "> .9" if rounded >= 1 else _bare(rounded)


def p_sentence(p: float | None) -> str:
    """Format a p-value for a sentence.

    >>> p_sentence(0.414), p_sentence(0.0004), p_sentence(None)
    ('p = .4', 'p < .001', 'no p')
    """
    cell = p_cell(p)
    if p is None:
        return "no p"
    return f"p {cell}" if cell[0] in "<>" else f"p = {cell}"


def _bare(number: Decimal) -> str:
    """Format a number without the zero before its point and without zeros at its end."""
    return f"{number.normalize():f}".removeprefix("0")


class Correction(StrEnum):
    """The methods of adjusting p-values."""

    HOLM = "Holm"
    BENJAMINI_HOCHBERG = "Benjamini–Hochberg"


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Adjusted p-values in the order of the arguments; None stays None and is not in the family.

    `size` is the number of tests in the family, and `family` its name in tables.
    """

    ps: tuple[float | None, ...]
    size: int
    correction: Correction
    family: str = ""


def holm(ps: Sequence[float | None], *, family: str = "") -> Adjusted:
    """Multiply the smallest by n, the next by n − 1, and so on, without ever decreasing.

    >>> holm([0.25, 0.125]).ps
    (0.25, 0.25)
    """
    return adjust(ps, Correction.HOLM, family=family)


def benjamini_hochberg(ps: Sequence[float | None], *, family: str = "") -> Adjusted:
    """Multiply the largest by n/n, the next by n/(n − 1), and so on, without ever increasing.

    >>> benjamini_hochberg([0.25, 0.125, None]).ps
    (0.25, 0.25, None)
    """
    return adjust(ps, Correction.BENJAMINI_HOCHBERG, family=family)


def adjust(
    ps: Sequence[float | None], correction: Correction | str, *, family: str = ""
) -> Adjusted:
    """Adjust p-values by a correction or its name.

    >>> adjust([0.25, 0.125], "Holm") == holm([0.25, 0.125])
    True
    """
    rule = checked_correction(correction)
    places = [place for place, p in enumerate(ps) if p is not None]
    known = np.array([within(p, "a p-value") for p in ps if p is not None])
    order = np.argsort(known, kind="stable")
    steps = _holm_steps if rule is Correction.HOLM else _benjamini_hochberg_steps
    adjusted: list[float | None] = [None] * len(ps)
    for rank, p in zip(order.tolist(), steps(known[order]).tolist(), strict=True):
        adjusted[places[rank]] = p
    return Adjusted(tuple(adjusted), len(known), rule, family)


def checked_correction(correction: Correction | str) -> Correction:
    """Return a correction by its name; raise an error for unknown names.

    >>> checked_correction("Holm").name
    'HOLM'
    """
    try:
        return Correction(correction)
    except ValueError:
        known = " or ".join(repr(known.value) for known in Correction)
        raise MetricError(f"{correction!r} is not a correction of p-values; give {known}") from None


def _holm_steps(rising: Floats) -> Floats:
    times = np.arange(len(rising), 0, -1)
    return np.minimum(1.0, np.maximum.accumulate(rising * times))


def _benjamini_hochberg_steps(rising: Floats) -> Floats:
    times = len(rising) / np.arange(1, len(rising) + 1)
    falling = np.minimum.accumulate((rising * times)[::-1])
    return np.minimum(1.0, falling[::-1])


# Counts are whole, or halves and their products if undecided problems count half. Multiplied by
# this they are whole.
_PARTS = 1 << 10
# With more multiplications (about a second's worth) or more sums than this, trials are drawn.
_MOST_WORK, _LONGEST = 1e9, 1e7
_SIGNS_AT_ONCE = 1 << 20
_SMALLEST = float(np.finfo(float).tiny)
# Up to this many ways, all are tried.
_MOST_WAYS = 10_000
# Trials this close to the observed difference are equally far: they differ only by rounding.
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class Significance:
    """The result of a test of two samples.

    `units` counts what was compared, clusters or schemas, and `unequal` those on which the two
    differ; it is None if each is only on one side. If a metric counts schemas, the units of a sign
    flip are the clusters with a schema. `trials` is None if p is exact. `ignores` says what the
    test does not take into account. `left_out` counts clusters that are partly on either side;
    neither the difference nor p includes them.
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
    pairable: Pairable,
    other: Pairable,
    *,
    ties: Rule | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
) -> Significance:
    """Run the primary test of two samples on the same clusters: flip the sign of each difference.

    The difference is the first minus `other`. The metric must be a share with the same total in
    each cluster on both sides, such as an accuracy or a consistency, but not a preserved accuracy.
    The test is exact unless that takes too long; then trials are drawn.

    >>> from horsesense.metrics import problem_accuracy
    >>> better, worse = [[True, True]] * 3, [[True, False]] * 3
    >>> sign_flip(problem_accuracy, better, worse).p  # all three for, or all three against: 2/8
    0.25
    """
    rng = generator(seed)
    both = [read_for([metric], each, ties) for each in (pairable, other)]
    held = occupied(both, of_schemas=metric.counts_schemas)
    (counts, totals), (counts_of_other, totals_of_other) = (
        _share_columns(metric, each)[held].T for each in both
    )
    if (totals != totals_of_other).any():
        raise MetricError(
            f"{metric.name} has different totals in the two samples; signs are flipped"
            " only where they are equal in each cluster; bootstrap the difference instead"
        )
    if not totals.any():
        raise MetricError(f"{metric.name} is undefined: {metric.declared.undefined}")
    differences = counts - counts_of_other
    unequal = differences[differences != 0]
    difference = float(differences.sum() / totals.sum())
    p, drawn = _random_signs(unequal, trials, rng)
    units = len(differences), len(unequal)
    return Significance("sign flip", difference, p, *units, drawn)


def mcnemar(pair: Pairable, *, ties: Rule | None = None) -> Significance:
    """Run McNemar's exact test: compare how many schemas only one side and only the other solved.

    The difference is after minus before. An undecided problem is not solved, whatever the rule for
    ties. The pair is `paired(before, after)`, or just the two.

    >>> mcnemar(([[True, True]] * 3, [[True, False]] * 3)).p  # 2/8
    0.25
    """
    before, after = _schemas(pair, ties)
    difference = (fully_solved(after) == 1).astype(float) - (fully_solved(before) == 1)
    ignores = (
        "half-solved schemas, and that schemas may depend on each other; an undecided problem"
        " counts as not solved, whatever the rule for ties"
    )
    return _of_signs("McNemar", difference, 1, ignores)


def sign_test(pair: Pairable, *, ties: Rule | None = None) -> Significance:
    """Run the sign test: compare in how many schemas either side solved more problems.

    The difference is after minus before. The pair is `paired(before, after)`, or just the two.

    >>> sign_test(([[True, False]] * 3, [[False, False]] * 3)).p  # 2/8
    0.25
    """
    before, after = _schemas(pair, ties)
    difference = after.solved.sum(axis=1) - before.solved.sum(axis=1)
    ignores = (
        "how many more problems of a schema are solved, and that schemas may depend on each other"
    )
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
    """Test a subset against its complement by moving whole clusters between them at random.

    Each trial draws as many clusters as the subset has; if there are only a few ways to do so, all
    are tried. A trial in which the metric is undefined counts against a difference. Clusters that
    are partly on either side are left out. In plain arrays, each row is a cluster.

    >>> from horsesense.metrics import problem_accuracy
    >>> permute_labels(problem_accuracy, [[True, True]] * 2, [[False, False]] * 2).p  # 2 ways of 6
    0.3333333333333333
    """
    rng = generator(seed)
    sides = _sides(subset, complement, ties)
    inside, outside = (occupied([side]) for side in sides)
    whole, left_out = _whole(inside, outside), int((inside & outside).sum())
    columns = (metric.columns(sides[0]) + metric.columns(sides[1]))[whole]
    difference, p, drawn = _random_labels(
        metric.combine, columns, inside[whole], trials=trials, rng=rng
    )
    if np.isnan(difference):
        without = f", without {left_out} clusters that are partly on either," if left_out else ""
        reason = metric.declared.undefined
        raise MetricError(f"{metric.name} is undefined on one side{without}: {reason}")
    return Significance(
        "permutation of labels",
        difference,
        p,
        units=len(columns),
        unequal=None,
        trials=drawn,
        left_out=left_out,
    )


def _share_columns(metric: Metric, data: Data) -> Floats:
    if not metric.is_share:
        raise MetricError(f"{metric.name} is not a share; bootstrap the difference instead")
    return metric.columns(data)


def _schemas(values: Pairable, ties: Rule | None) -> tuple[Outcomes, Outcomes]:
    """Return the corresponding schemas, before and after."""
    pair = as_paired(values, ties=ties)
    if not len(pair.schemas):
        raise MetricError("no schema has a counterpart; there is nothing to compare")
    old, new = pair.schemas.T
    return pair.before.in_schemas[old], pair.after.in_schemas[new]


def _of_signs(test: str, differences: Floats, most: int, ignores: str) -> Significance:
    """Return how likely a fair coin falls at least as unevenly as the signs of the differences."""
    from scipy.special import bdtr

    positive, negative = (int((sign * differences > 0).sum()) for sign in (1, -1))
    unequal = positive + negative
    p = min(1.0, 2 * float(bdtr(min(positive, negative), unequal, 0.5))) if unequal else 1.0
    difference = float(differences.mean()) / most
    return Significance(test, difference, p, len(differences), unequal, ignores=ignores)


def _sides(
    subset: Sample | Values, complement: Sample | Values, ties: Rule | None
) -> tuple[Sample, Sample]:
    """Convert the two sides to samples; clusters of plain arrays are numbered consecutively."""
    inside, outside = as_sample(subset, ties), as_sample(complement, ties)
    are_samples = isinstance(subset, Sample), isinstance(complement, Sample)
    if all(are_samples):
        return inside, outside
    if any(are_samples):
        raise MetricError(
            "a sample against a plain array; give two arrays, or the two sides of split(sample, …)"
        )
    total = inside.cluster_count + outside.cluster_count
    return (
        replace(inside, cluster_count=total),
        replace(outside, clusters=outside.clusters + inside.cluster_count, cluster_count=total),
    )


def _whole(inside: Booleans, outside: Booleans) -> Booleans:
    """Find the clusters that are on one side only; raise an error if all are on both sides."""
    whole: Booleans = inside ^ outside
    if not whole.any() and (inside & outside).any():
        raise MetricError(
            "every cluster is partly in the subset and partly in the complement; only whole ones"
            " change sides; bootstrap the difference instead"
        )
    return whole


def _random_signs(
    differences: Floats, trials: int, rng: np.random.Generator
) -> tuple[float, int | None]:
    """Return how likely differences with random signs have a sum at least as far from 0.

    The second value is the number of trials, or None if p is exact.

    >>> _random_signs(np.array([1.0, 1, 2]), 100, np.random.default_rng(0))  # + + +, - - -
    (0.25, None)
    """
    at_least_one(trials, "trials")
    exact = _exact(differences)
    if exact is not None:
        return exact, None
    return _drawn(differences, trials, rng), trials


def _exact(differences: Floats) -> float | None:
    """Return exactly how likely random signs have a sum as far from 0; None if it takes too long.

    Among m differences of the same size v, the number with a plus is binomial. So the sum is a sum
    of a few binomial counts, each multiplied by its v.
    """
    parts = np.abs(differences) * _PARTS
    if (parts != np.round(parts)).any():
        return None
    whole = parts.astype(np.int64)
    whole //= max(np.gcd.reduce(whole), 1)
    sizes, numbers = (array.tolist() for array in np.unique(whole, return_counts=True))
    binomials = [repeated([0.5, 0.5], number) for number in numbers]
    terms = sum(len(binomial.chances) for binomial in binomials)
    longest = sum(
        2 * size * len(binomial.chances) for size, binomial in zip(sizes, binomials, strict=True)
    )
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
    return min(1.0, max(p, _SMALLEST))  # a p-value too small for a float is still not 0


def _spread(chances: Floats, others: Floats, step: int) -> Floats:
    """Return the distribution of the sum of a count and of a second count times `step`."""
    total = np.zeros(len(chances) + step * (len(others) - 1))
    for number, other in enumerate(others):
        total[number * step : number * step + len(chances)] += other * chances
    return total


def _drawn(differences: Floats, trials: int, rng: np.random.Generator) -> float:
    sums = np.concatenate([signs @ differences for signs in _signs(len(differences), trials, rng)])
    least = abs(differences.sum()) - _SAME * np.abs(differences).sum()
    return float((np.count_nonzero(np.abs(sums) >= least) + 1) / (trials + 1))


def _signs(size: int, count: int, rng: np.random.Generator) -> Iterator[Integers]:
    rows = max(1, _SIGNS_AT_ONCE // size)
    for start in range(0, count, rows):
        yield 2 * rng.integers(2, size=(min(rows, count - start), size)) - 1


def _random_labels(
    combine: Callable[[Floats], Floats],
    columns: Floats,
    inside: Booleans,
    *,
    trials: int,
    rng: np.random.Generator,
) -> tuple[float, float, int | None]:
    """Return the difference between the clusters inside and the rest, its p-value and the trials.

    The difference is NaN if it is undefined; the number of trials is None if p is exact. Each trial
    labels as many clusters as there are inside, in every way if there are few ways, or at random.

    `columns` has a row for each cluster, and `combine` computes a value from their sums. A trial
    without a value counts against a difference.

    >>> rows, rng = np.array([[2.0], [2], [0], [0]]), np.random.default_rng(0)
    >>> inside = np.array([True, True, False, False])
    >>> _random_labels(lambda sums: sums[..., 0], rows, inside, trials=9, rng=rng)[1]  # 2 ways of 6
    0.3333333333333333
    """
    at_least_one(trials, "trials")
    total, size, number = columns.sum(axis=0), len(columns), int(inside.sum())

    def differences(sums: Floats) -> Floats:
        return combine(sums) - combine(total - sums)

    observed = float(differences(columns[inside].sum(axis=0)))

    def as_far(sums: Floats) -> int:
        return int(np.count_nonzero(~(np.abs(differences(sums)) < abs(observed) - _SAME)))

    if (ways := comb(size, number)) <= _MOST_WAYS:
        return observed, as_far(_all_sums(columns, number)) / ways, None
    # It makes no difference which of several equal clusters is drawn, so kinds are drawn.
    kinds, sizes = np.unique(columns, axis=0, return_counts=True)
    drawn = rng.multivariate_hypergeometric(sizes, number, size=trials, method="marginals")
    return observed, (as_far(drawn @ kinds) + 1) / (trials + 1), trials


def _all_sums(columns: Floats, number: int) -> Floats:
    """Sum the columns of the smaller side, for every way to choose it.

    How far apart the sides are does not depend on which of the two is summed.
    """
    smaller = min(number, len(columns) - number)
    listed = list(combinations(range(len(columns)), smaller))
    sums: Floats = columns[np.array(listed, dtype=np.intp)].sum(axis=1)
    return sums
