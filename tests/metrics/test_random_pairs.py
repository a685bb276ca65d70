from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from math import comb, factorial, sqrt
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import Ties, paired, random_pair_accuracy, randomly_paired, sample
from tests.strategies import brisk

Row: TypeAlias = tuple[bool | None, bool | None]

problem = st.sampled_from([True, False, None])
WORTH = {True: 1.0, False: 0.0, None: 0.5}


def pairings(left: list[float]) -> Iterator[list[tuple[float, float]]]:
    """All ways of putting them into pairs."""
    if not left:
        yield []
        return
    first, *others = left
    for at, other in enumerate(others):
        for rest in pairings(others[:at] + others[at + 1 :]):
            yield [(first, other), *rest]


@given(st.lists(st.tuples(problem, problem), min_size=1, max_size=3))
@brisk
def test_the_expectation_is_the_mean_over_all_pairings(rows: list[Row]) -> None:
    ways = list(pairings([WORTH[one] for row in rows for one in row]))
    means = [sum(one * other for one, other in way) / len(way) for way in ways]
    found = random_pair_accuracy(rows, ties=Ties.HALF).value
    assert found == pytest.approx(sum(means) / len(means), abs=1e-12)


@given(st.lists(st.tuples(problem, problem), min_size=1, max_size=2))
@brisk
def test_half_is_the_mean_over_all_ways_to_decide(rows: list[Row]) -> None:
    flat = [one for row in rows for one in row]
    ways = product(*([True, False] if one is None else [one] for one in flat))
    found = [random_pair_accuracy(np.array(way).reshape(-1, 2)).value for way in ways]
    expected = np.mean(np.array(found, dtype=float))
    assert random_pair_accuracy(rows, ties=Ties.HALF).value == pytest.approx(expected, abs=1e-12)


def test_only_problems_in_schemas_are_paired_and_each_once() -> None:
    """As in a triple with two schemas, beside a problem that is in none."""
    alone = sample([True, True, False, True], clusters=[0, 0, 0, 1])
    triple = replace(alone, schemas=np.array([[0, 1], [1, 2]]))
    assert random_pair_accuracy.columns(triple).tolist() == [[2, 2, 3], [0, 0, 0]]
    assert random_pair_accuracy(triple).value == pytest.approx(1 / 3)
    found = randomly_paired(triple, seed=1, draws=300)
    assert found.observed == 0.5
    assert set(found.drawn.tolist()) == {0.0, 1.0}


def test_without_schemas_there_is_nothing_to_pair() -> None:
    assert random_pair_accuracy([True, False]).value is None
    with pytest.raises(MetricError, match="there are no schemas"):
        randomly_paired([True, False], seed=1)


def test_two_samples_are_one_too_many() -> None:
    with pytest.raises(MetricError, match="two samples where one sample is expected"):
        random_pair_accuracy.columns(paired([[True, False]], [[True, False]]))


def test_at_least_one_draw_and_a_seed_from_0_are_needed() -> None:
    with pytest.raises(MetricError, match="0 draws; give at least 1"):
        randomly_paired([[True, False]], seed=1, draws=0)
    with pytest.raises(MetricError, match="a seed of -1; give a whole number from 0"):
        randomly_paired([[True, False]], seed=-1)


def exact(solved: int, pairs: int) -> dict[int, float]:
    """How likely each number of pairs is solved, as in the exact test of genetics."""
    chances = {}
    for both in range(max(0, solved - pairs), solved // 2 + 1):
        one = solved - 2 * both
        ways = factorial(pairs) // (
            factorial(both) * factorial(one) * factorial(pairs - both - one)
        )
        chances[both] = ways * 2**one / comb(2 * pairs, solved)
    return chances


def test_what_is_drawn_has_the_exact_distribution() -> None:
    pairs, solved, draws = 8, 10, 20_000
    values = np.arange(2 * pairs).reshape(pairs, 2) < solved
    found = randomly_paired(values, seed=7, draws=draws)
    chances = exact(solved, pairs)
    assert sum(chances.values()) == pytest.approx(1)
    mean = sum(both * chance for both, chance in chances.items()) / pairs
    assert found.expected == pytest.approx(mean)
    for both, chance in chances.items():
        share = np.mean(found.drawn == both / pairs)
        assert abs(share - chance) <= 5 * sqrt(chance * (1 - chance) / draws)


def test_where_schemas_are_solved_together_that_is_unusual_and_where_in_halves_too() -> None:
    together = randomly_paired([[True, True], [False, False]] * 15, seed=3, draws=999)
    assert together.p_at_least == 1 / 1000
    assert together.p_at_most == 1
    halves = randomly_paired([[True, False]] * 30, seed=3, draws=999)
    assert halves.p_at_least == 1
    assert halves.p_at_most < 0.01


def test_p_counts_the_draws_that_reach_what_was_observed() -> None:
    found = randomly_paired([[True, True], [True, False], [False, False]], seed=5, draws=50)
    reached = [one >= found.observed for one in found.drawn.tolist()]
    not_above = [one <= found.observed for one in found.drawn.tolist()]
    assert found.p_at_least == (sum(reached) + 1) / 51
    assert found.p_at_most == (sum(not_above) + 1) / 51


def test_the_same_seed_draws_the_same_also_of_many_problems() -> None:
    values = np.random.default_rng(1).random((1000, 2)) < 0.7
    found = randomly_paired(values, seed=11, draws=2500)
    again = randomly_paired(values, seed=np.random.default_rng(11), draws=2500)
    assert np.array_equal(found.drawn, again.drawn)
    assert len(set(found.drawn.tolist())) > 1
    assert found.drawn.mean() == pytest.approx(found.expected, abs=0.002)


def test_the_shares_are_compared_under_the_same_rule() -> None:
    found = randomly_paired([[True, None]] * 4, seed=1, draws=50, ties=Ties.HALF)
    assert found.observed == 0.5
    assert found.expected == pytest.approx((6 * 6 - 5) / 56)


def test_undecided_problems_that_count_half_give_the_average_over_all_pairs() -> None:
    found = random_pair_accuracy([[True, None], [None, False]], ties="half").value
    counts = [1, 0.5, 0.5, 0]
    pairs = [one * other for one, other in combinations(counts, 2)]
    assert found == pytest.approx(sum(pairs) / len(pairs))
    s, q = sum(counts), sum(one**2 for one in counts)
    assert found == pytest.approx((s**2 - q) / (4 * 3))
    assert "(s² − q) / n(n − 1)" in random_pair_accuracy.declared.remark
    assert random_pair_accuracy([[True, None]], ties="half").value == 0.5
