"""Tests of whether two models, methods or perturbations differ, or a subset from its complement.

On the same schemas the primary test flips signs: if the two are alike, each cluster's difference
could as well have been the other way round. McNemar's test and the sign test are given beside it,
each with what it ignores. McNemar's test on problems is not offered, because the problems of a
schema are not independent. A subset and its complement share no clusters; there, labels are
permuted. All tests are two-sided, and exact where differences are few, or of few sizes.
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
    Answered,
    Booleans,
    Data,
    Floats,
    Integers,
    Metric,
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

# What is written where there is nothing to test, such as a difference of exactly 0.
NO_P = "–"
# Below this a value is only said to be below it.
SMALLEST = Decimal("0.001")


def p_cell(p: float | None) -> str:
    """A p-value as it stands in a table; None where there is nothing to test.

    >>> p_cell(0.414), p_cell(0.0849), p_cell(0.0004), p_cell(0.97), p_cell(None)
    ('.4', '.08', '< .001', '> .9', '–')
    """
    if p is None:
        return NO_P
    # The shortest digits that give the number, so that .15 is a half and not a bit less.
    exact = Decimal(repr(within(p, "a p-value")))
    if exact < SMALLEST:
        return f"< {_bare(SMALLEST)}"
    rounded = exact.quantize(Decimal(1).scaleb(exact.adjusted()), ROUND_HALF_UP)
    return "> .9" if rounded >= 1 else _bare(rounded)


def p_sentence(p: float | None) -> str:
    """A p-value as it stands in a sentence.

    >>> p_sentence(0.414), p_sentence(0.0004), p_sentence(None)
    ('p = .4', 'p < .001', 'no p')
    """
    cell = p_cell(p)
    if p is None:
        return "no p"
    return f"p {cell}" if cell[0] in "<>" else f"p = {cell}"


def _bare(number: Decimal) -> str:
    """The number without the zero before its point, and none at its end."""
    return f"{number.normalize():f}".removeprefix("0")


class Correction(StrEnum):
    """How p-values are adjusted."""

    HOLM = "Holm"
    BENJAMINI_HOCHBERG = "Benjamini–Hochberg"


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Adjusted p-values in the order given; None stays None, and is not in the family.

    `size` is the number of tests in the family, and `family` what a table calls it.
    """

    ps: tuple[float | None, ...]
    size: int
    correction: Correction
    family: str = ""


def holm(ps: Sequence[float | None], *, family: str = "") -> Adjusted:
    """The smallest times n, the next times n − 1, and so on; none smaller than one before it.

    >>> holm([0.25, 0.125]).ps
    (0.25, 0.25)
    """
    return adjust(ps, Correction.HOLM, family=family)


def benjamini_hochberg(ps: Sequence[float | None], *, family: str = "") -> Adjusted:
    """The largest times n/n, the next times n/(n − 1), and so on; none larger than one before it.

    >>> benjamini_hochberg([0.25, 0.125, None]).ps
    (0.25, 0.25, None)
    """
    return adjust(ps, Correction.BENJAMINI_HOCHBERG, family=family)


def adjust(
    ps: Sequence[float | None], correction: Correction | str, *, family: str = ""
) -> Adjusted:
    """The p-values adjusted by either correction, which may be given by its name.

    >>> adjust([0.25, 0.125], "Holm") == holm([0.25, 0.125])
    True
    """
    rule = checked_correction(correction)
    places = [place for place, p in enumerate(ps) if p is not None]
    known = np.array([within(p, "a p-value") for p in ps if p is not None])
    order = np.argsort(known, kind="stable")
    steps = _holm_steps if rule is Correction.HOLM else _benjamini_hochberg_steps
    adjusted: list[float | None] = [None] * len(ps)
    for at, p in zip(order.tolist(), steps(known[order]).tolist(), strict=True):
        adjusted[places[at]] = p
    return Adjusted(tuple(adjusted), len(known), rule, family)


def checked_correction(correction: Correction | str) -> Correction:
    """The correction, which may be given by its name.

    >>> checked_correction("Holm").name
    'HOLM'
    """
    try:
        return Correction(correction)
    except ValueError:
        known = " or ".join(repr(one.value) for one in Correction)
        raise MetricError(f"{correction!r} is not a correction of p-values; give {known}") from None


def _holm_steps(rising: Floats) -> Floats:
    times = np.arange(len(rising), 0, -1)
    return np.minimum(1.0, np.maximum.accumulate(rising * times))


def _benjamini_hochberg_steps(rising: Floats) -> Floats:
    times = len(rising) / np.arange(1, len(rising) + 1)
    falling = np.minimum.accumulate((rising * times)[::-1])
    return np.minimum(1.0, falling[::-1])


# Counts are whole, or halves and their products where undecided problems count half; times this
# they are whole.
_PARTS = 1 << 10
# Beyond so many multiplications, about a second's, or so many sums, trials are drawn instead.
_MOST_WORK, _LONGEST = 1e9, 1e7
_SIGNS_AT_ONCE = 1 << 20
_SMALLEST = float(np.finfo(float).tiny)
# Up to so many ways, all are tried.
_MOST_WAYS = 10_000
# Trials that come this close to what was observed are as far: they differ by rounding only.
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class Significance:
    """The result of a test of two samples.

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
    pairable: Pairable,
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
    both = [read_for([metric], each, ties) for each in (pairable, other)]
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
    p, drawn = _random_signs(unequal, trials, rng)
    units = len(differences), len(unequal)
    return Significance("sign flip", difference, p, *units, drawn)


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
        "half-solved schemas, and that schemas may depend on each other; an undecided problem"
        " counts as not solved, whatever the rule for ties"
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
        raise MetricError(f"{metric.name} is not a share; take a bootstrap of the difference")
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


def _random_signs(
    differences: Floats, trials: int, rng: np.random.Generator
) -> tuple[float, int | None]:
    """How likely differences with random signs add up to at least as much, either way.

    The second is the number of trials, None where p is exact.

    >>> _random_signs(np.array([1.0, 1, 2]), 100, np.random.default_rng(0))  # + + +, - - -
    (0.25, None)
    """
    at_least_one(trials, "trials")
    exact = _exact(differences)
    if exact is not None:
        return exact, None
    return _drawn(differences, trials, rng), trials


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
    return min(1.0, max(p, _SMALLEST))  # it may be too small for a float, but never 0


def _spread(chances: Floats, others: Floats, step: int) -> Floats:
    """The distribution of a sum, the second part of which comes in steps."""
    found = np.zeros(len(chances) + step * (len(others) - 1))
    for number, other in enumerate(others):
        found[number * step : number * step + len(chances)] += other * chances
    return found


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
    """The difference between the clusters inside and the rest, and how likely one as large is.

    The difference is NaN if undefined; the third is the number of trials, None where p is exact.
    As many clusters are labelled as there are inside: in every way if these are few, and otherwise
    at random.

    There is a row of columns for each cluster, and `combine` makes a value of their sums. A trial
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
    # Which of several equal clusters is drawn makes no difference, so kinds are drawn.
    kinds, sizes = np.unique(columns, axis=0, return_counts=True)
    drawn = rng.multivariate_hypergeometric(sizes, number, size=trials, method="marginals")
    return observed, (as_far(drawn @ kinds) + 1) / (trials + 1), trials


def _all_sums(columns: Floats, number: int) -> Floats:
    """The sums of one side in every way to choose it.

    It is the smaller side; which of the two it is makes no difference to how far apart they are.
    """
    smaller = min(number, len(columns) - number)
    listed = list(combinations(range(len(columns)), smaller))
    sums: Floats = columns[np.array(listed, dtype=np.intp)].sum(axis=1)
    return sums
