"""Rankings, and Kendall's τ-b of two of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from horsesense.errors import MetricError
from horsesense.metrics.robustness import kendall_tau, ranking, ranking_tau

# Few values, so that ties are frequent.
heights = st.integers(0, 4).map(lambda number: number / 4)
twice = st.lists(st.tuples(heights, heights), min_size=2, max_size=8)


@given(twice)
def test_tau_is_that_of_scipy(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    ours, theirs = kendall_tau(first, second), kendalltau(first, second).statistic
    assert np.isnan(theirs) if ours is None else ours == pytest.approx(theirs)


@given(twice)
def test_tau_counts_pairs_one_by_one(pairs: list[tuple[float, float]]) -> None:
    agreeing = first_untied = second_untied = 0
    for (a, b), (c, d) in combinations(pairs, 2):
        agreeing += (a > c) - (a < c) if b > d else (a < c) - (a > c) if b < d else 0
        first_untied += a != c
        second_untied += b != d
    first, second = zip(*pairs, strict=True)
    expected = agreeing / np.sqrt(first_untied * second_untied) if agreeing else None
    assert (kendall_tau(first, second) or None) == pytest.approx(expected)


@given(twice)
def test_reversing_one_ranking_turns_tau_round(pairs: list[tuple[float, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    tau, turned = kendall_tau(first, second), kendall_tau(first, [-one for one in second])
    assert turned == (None if tau is None else -tau)


@given(st.lists(heights, min_size=2, max_size=8))
def test_a_ranking_agrees_with_itself_unless_all_are_equal(values: list[float]) -> None:
    assert kendall_tau(values, values) == (1.0 if len(set(values)) > 1 else None)


@given(twice)
def test_tau_of_rankings_is_that_of_their_values(pairs: list[tuple[float, float]]) -> None:
    first, second = ({str(at): pair[side] for at, pair in enumerate(pairs)} for side in (0, 1))
    by_values = kendall_tau(list(first.values()), list(second.values()))
    assert ranking_tau(ranking(first), ranking(second)) == by_values


@pytest.mark.parametrize("values", [[], [0.5]])
def test_tau_of_fewer_than_two_is_undefined(values: list[float]) -> None:
    assert kendall_tau(values, values) is None


@given(st.dictionaries(st.sampled_from("abcdef"), heights))
def test_a_ranking_has_everybody_once_and_goes_down(values: dict[str, float]) -> None:
    found = ranking(values)
    assert sorted(name for group in found for name in group) == sorted(values)
    means = [{values[name] for name in group} for group in found]
    assert all(len(one) == 1 for one in means)
    assert [min(one) for one in means] == sorted(set(values.values()), reverse=True)


def test_an_undefined_value_has_no_place() -> None:
    with pytest.raises(MetricError, match="cannot be ranked"):
        ranking({"ant": 0.5, "bee": float("nan")})
    with pytest.raises(MetricError, match="cannot be ranked"):
        kendall_tau([0.5, float("nan")], [0.5, 0.75])


def test_rankings_of_others_do_not_compare() -> None:
    with pytest.raises(MetricError, match="1 values against 2"):
        kendall_tau([0.5], [0.5, 0.75])
    with pytest.raises(MetricError, match="rankings have different names"):
        ranking_tau((("ant",),), (("bee",),))


@pytest.mark.parametrize("odd", [np.inf, -np.inf, np.nan])
def test_tau_is_of_finite_values(odd: float) -> None:
    for values in ([0.5, odd], [odd, odd]):
        with pytest.raises(MetricError, match="undefined or infinite value cannot be ranked"):
            kendall_tau(values, [0.5, 1.0])
    masked: Any = np.ma.array([0.5, 1.0], mask=[True, False])
    with pytest.raises(MetricError, match="a masked array"):
        kendall_tau(masked, [0.5, 1.0])
