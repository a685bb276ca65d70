"""Tests of whether two samples differ."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels

from horsesense.errors import MetricError
from horsesense.metrics import (
    Applies,
    Data,
    Floats,
    Metric,
    MetricSpec,
    Sample,
    Ties,
    after,
    before,
    consistency,
    formula,
    paired,
    preserved_accuracy,
    problem_accuracy,
    sample,
    schema_accuracy,
)
from horsesense.metrics.metric import ratio
from horsesense.metrics.statistics import (
    Significance,
    mcnemar,
    permute_labels,
    sign_flip,
    sign_test,
)

OUTCOMES = st.sampled_from([True, False, None])
SCHEMAS = st.lists(st.tuples(OUTCOMES, OUTCOMES), min_size=8, max_size=8)


def _made(count: int, seed: int, chance: float = 0.7) -> Any:
    return np.random.default_rng(seed).random((count, 2)) < chance


def _all_signs(differences: list[float]) -> float:
    """The slow way: every sign for every difference, in fractions."""
    exact = [Fraction(one) for one in differences]
    observed = abs(sum(exact, Fraction()))
    sums = [
        abs(sum((sign * one for sign, one in zip(signs, exact, strict=True)), Fraction()))
        for signs in product((1, -1), repeat=len(exact))
    ]
    return sum(one >= observed for one in sums) / len(sums)


@given(SCHEMAS, SCHEMAS, st.sampled_from([Ties.FAILED, Ties.HALF]))
def test_sign_flip_is_what_all_signs_give(old: Any, new: Any, ties: Ties) -> None:
    one, other = sample(old, ties=ties), sample(new, ties=ties)
    for metric in (problem_accuracy, schema_accuracy):
        found = sign_flip(metric, one, other)
        differences = (metric.columns(one) - metric.columns(other))[:, 0].tolist()
        assert found.p == pytest.approx(_all_signs(differences), abs=1e-12)
        assert found.difference == pytest.approx(sum(differences) / metric.share(one).total)
        assert (found.units, found.trials) == (8, None)
        assert found.unequal == sum(one != 0 for one in differences)


def test_sign_flip_agrees_with_scipy() -> None:
    one, other = _made(12, 1), _made(12, 2, 0.4)
    expected = stats.permutation_test(
        (one.sum(axis=1), other.sum(axis=1)),
        lambda first, second, axis: np.mean(first - second, axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    )
    found = sign_flip(problem_accuracy, sample(one), sample(other))
    assert found.p == pytest.approx(expected.pvalue, abs=1e-12)
    assert found.difference == pytest.approx(expected.statistic / 2)


def test_sign_flip_of_solved_schemas_is_mcnemars_test() -> None:
    one, other = _made(2500, 1), _made(2500, 2, 0.68)
    flipped = sign_flip(schema_accuracy, sample(other), sample(one))
    expected = mcnemar(paired(one, other))
    assert flipped.p == pytest.approx(expected.p, rel=1e-9)
    assert (flipped.difference, flipped.unequal) == (expected.difference, expected.unequal)


def test_sign_flip_of_many_schemas_comes_near_the_normal_distribution() -> None:
    one, other = sample(_made(20_000, 1)), sample(_made(20_000, 2, 0.697))
    differences = (problem_accuracy.columns(one) - problem_accuracy.columns(other))[:, 0]
    z = (abs(differences.sum()) - 0.5) / np.sqrt((differences**2).sum())
    found = sign_flip(problem_accuracy, one, other)
    assert found.p == pytest.approx(2 * stats.norm.sf(z), rel=0.01)
    assert found.trials is None


def test_sign_flip_treats_both_sides_alike() -> None:
    one, other = sample(_made(50, 1)), sample(_made(50, 2))
    forth, back = (sign_flip(problem_accuracy, *pair) for pair in ((one, other), (other, one)))
    assert (forth.p, forth.difference) == (back.p, -back.difference)


@pytest.mark.parametrize("metric", [problem_accuracy, schema_accuracy])
def test_where_nothing_differs_p_is_1_and_the_difference_0(metric: Metric) -> None:
    one = sample(_made(50, 1))
    found = sign_flip(metric, one, one)
    assert (found.p, found.difference, found.unequal) == (1.0, 0.0, 0)


def test_differences_that_cancel_out_have_a_p_of_1() -> None:
    found = sign_flip(problem_accuracy, sample([[1, 1], [0, 0]]), sample([[0, 0], [1, 1]]))
    assert (found.p, found.difference, found.unequal) == (1.0, 0.0, 2)


def test_p_is_never_0() -> None:
    found = sign_flip(problem_accuracy, sample([[1, 1]] * 3000), sample([[0, 1]] * 3000))
    assert 0 < found.p < 1e-300


def test_consistencies_of_two_perturbations_are_compared() -> None:
    original, one, other = (_made(9, seed) for seed in (1, 2, 3))
    pairs = paired(original, one), paired(original, other)
    found = sign_flip(consistency, *pairs)
    rows = [consistency.columns(pair)[:, 0] for pair in pairs]
    assert found.p == pytest.approx(_all_signs((rows[0] - rows[1]).tolist()))


def test_the_schemas_of_a_dyad_change_signs_together() -> None:
    dyads = np.repeat(np.arange(5), 2)
    one, other = sample([[1, 1]] * 10, clusters=dyads), sample([[0, 1]] * 10, clusters=dyads)
    found = sign_flip(problem_accuracy, one, other)
    assert (found.p, found.units) == (2 / 2**5, 5)


def test_sign_flip_takes_only_shares_with_equal_totals() -> None:
    pairs = paired(_made(9, 1), _made(9, 2)), paired(_made(9, 3), _made(9, 2))
    with pytest.raises(MetricError, match="preserved-accuracy has different totals"):
        sign_flip(preserved_accuracy, *pairs)
    with pytest.raises(MetricError, match="is not a share"):
        sign_flip(_difference_of_accuracies, *pairs)
    with pytest.raises(MetricError, match="undefined: there are no schemas"):
        sign_flip(schema_accuracy, sample([True, False]), sample([True, True]))
    with pytest.raises(MetricError, match="9 and 8 clusters"):
        sign_flip(problem_accuracy, sample(_made(9, 1)), sample(_made(8, 1)))


def _counting(counts: Any) -> Metric:
    """A share with such counts in one sample, and none in the other, which has no marks."""
    declared = MetricSpec(
        name="odd",
        symbol="–",
        title="odd",
        equation="–",
        source="a test",
        applies=Applies.OUTCOMES,
        undefined="never",
    )

    def columns(data: Data) -> Floats:
        assert isinstance(data, Sample)
        numbers = np.asarray(counts, float) * ("counted" in data.marks)
        return np.column_stack([numbers, np.full(len(numbers), 1e9)])

    return Metric(declared, columns, ratio, is_share=True)


@pytest.mark.parametrize(
    "counts",
    [
        [1 / 3] * 6 + [-1 / 3],
        [0.3, 0.7, -0.1, 0.2],
        list(range(999_991, 1_000_000)),
        [1, 10**8 + 1],
    ],
)
def test_where_it_is_not_exact_trials_are_drawn(counts: list[float]) -> None:
    problems = [True] * len(counts)
    one = sample(problems, marks={"counted": problems})
    found = sign_flip(_counting(counts), one, sample(problems), trials=20_000, seed=3)
    assert found.trials == 20_000
    assert found.p * 20_001 == pytest.approx(round(found.p * 20_001))
    expected = _all_signs([round(one * 30) for one in counts])
    assert found.p == pytest.approx(expected, abs=4 * np.sqrt(0.25 / 20_000))
    again = sign_flip(_counting(counts), one, sample(problems), trials=20_000, seed=3)
    assert again == found


def test_so_many_and_so_different_differences_are_drawn_too() -> None:
    counts = [(1 if number % 5 < 3 else -1) * (20_001 + 97 * number) for number in range(80)]
    problems = [True] * 80
    one = sample(problems, marks={"counted": problems})
    found = sign_flip(_counting(counts), one, sample(problems), trials=20_000)
    z = abs(sum(counts)) / np.sqrt(sum(count**2 for count in counts))
    assert found.trials == 20_000
    assert found.p == pytest.approx(2 * stats.norm.sf(z), rel=0.1)


@given(SCHEMAS, SCHEMAS)
def test_mcnemar_agrees_with_statsmodels(old: Any, new: Any) -> None:
    found = mcnemar(paired(old, new))
    solved = [[row == (True, True) for row in rows] for rows in (old, new)]
    table = np.zeros((2, 2))
    np.add.at(table, tuple(np.array(solved, int)), 1)
    if table[0, 1] + table[1, 0]:
        assert found.p == pytest.approx(mcnemar_of_statsmodels(table, exact=True).pvalue)
    else:
        assert found.p == 1
    assert found.difference == pytest.approx((table[0, 1] - table[1, 0]) / 8)
    assert found.ignores.startswith("half-solved schemas")


@given(SCHEMAS, SCHEMAS, st.sampled_from([Ties.FAILED, Ties.HALF]))
def test_the_sign_test_agrees_with_scipy(old: Any, new: Any, ties: Ties) -> None:
    found = sign_test(paired(old, new, ties=ties))
    worth = {True: 1, False: 0, None: 0.5 if ties is Ties.HALF else 0}
    differences = [
        sum(worth[one] for one in second) - sum(worth[one] for one in first)
        for first, second in zip(old, new, strict=True)
    ]
    more, fewer = sum(one > 0 for one in differences), sum(one < 0 for one in differences)
    expected = stats.binomtest(more, more + fewer).pvalue if more + fewer else 1
    assert found.p == pytest.approx(expected)
    assert (found.units, found.unequal) == (8, more + fewer)
    assert found.difference == pytest.approx(sum(differences) / 16)


def test_an_undecided_problem_is_not_solved_for_mcnemar_under_either_rule() -> None:
    old, new = [[True, None]] * 4, [[True, False]] * 4
    found = [mcnemar(paired(old, new, ties=ties)) for ties in Ties]
    assert [one.unequal for one in found] == [0, 0]
    said = "an undecided problem counts as not solved, whatever the rule for ties"
    assert all(said in one.ignores for one in found)


def test_plain_arrays_are_as_good_as_samples() -> None:
    old, new = [[True, None]] * 3 + [[False, True]] * 2, [[None, True]] * 2 + [[True, True]] * 3
    for ties in Ties:
        pair = paired(old, new, ties=ties)
        assert mcnemar((old, new), ties=ties) == mcnemar(pair)
        assert sign_test((old, new), ties=ties) == sign_test(pair)
        assert sign_flip(problem_accuracy, old, new, ties=ties) == sign_flip(
            problem_accuracy, pair.before, pair.after
        )
        assert sign_flip(consistency, (old, new), (old, old), ties=ties) == sign_flip(
            consistency, pair, paired(old, old, ties=ties)
        )
    for test in (mcnemar, sign_test):
        with pytest.raises(MetricError, match=r"paired\(before, after\)"):
            test(old)


def test_labels_of_plain_arrays_are_permuted_as_those_of_samples() -> None:
    rows = [[True, True]] * 4 + [[True, None]] * 3
    expected = permute_labels(
        problem_accuracy, *_split(sample(rows, ties=Ties.HALF), [True] * 4 + [False] * 3)
    )
    assert permute_labels(problem_accuracy, rows[:4], rows[4:], ties=Ties.HALF) == expected
    for sides in ((sample(rows), rows), (rows, sample(rows))):
        with pytest.raises(MetricError, match="a sample against a plain array; give"):
            permute_labels(problem_accuracy, *sides)


@pytest.mark.parametrize("test", [sign_flip, permute_labels])
def test_trials_and_seeds_are_checked(test: Callable[..., Significance]) -> None:
    for trials in (0, -1):
        with pytest.raises(MetricError, match=f"{trials} trials; there must be at least one"):
            test(problem_accuracy, [[True, True]] * 2, [[True, False]] * 2, trials=trials)
    with pytest.raises(MetricError, match="a seed of -1"):
        test(problem_accuracy, [[True, True]] * 2, [[True, False]] * 2, seed=-1)


def test_schemas_are_needed_for_tests_on_schemas() -> None:
    for test in (mcnemar, sign_test):
        with pytest.raises(MetricError, match="no schema has a counterpart"):
            test(paired([True, False], [True, True]))


def _split(whole: Sample, inside: list[bool]) -> tuple[Sample, Sample]:
    kept = np.repeat(inside, 2)
    return whole.among(kept), whole.among(~kept)


@formula(
    before(problem_accuracy),
    after(problem_accuracy),
    symbol="–",
    equation="a - a′",
    source="a test",
    applies=Applies.PROBLEMS,
    undefined="there are no problems",
    is_symmetric=False,
)
def _difference_of_accuracies(old: Floats, new: Floats) -> Floats:
    """A difference."""
    return old - new
