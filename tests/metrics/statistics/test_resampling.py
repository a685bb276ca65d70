"""How clusters are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.errors import MetricError
from horsesense.metrics import paired, problem_accuracy, sample
from horsesense.metrics.statistics import bootstrap, resample, weights
from horsesense.metrics.statistics.resampling import occupied


def _all(size: int, count: int, seed: int, at_once: int | None = None) -> np.ndarray:
    chunks = weights(size, count, np.random.default_rng(seed), at_once=at_once)
    return np.concatenate(list(chunks))


def _one_by_one(size: int, count: int, seed: int) -> list[list[int]]:
    """The slow way: draw a cluster, count it, and so on."""
    rng = np.random.default_rng(seed)
    counted = []
    for _ in range(count):
        row = [0] * size
        for _ in range(size):
            row[int(rng.integers(size))] += 1
        counted.append(row)
    return counted


@given(st.integers(1, 40), st.integers(1, 30), st.integers(0, 9))
def test_they_are_what_drawing_one_by_one_gives(size: int, count: int, seed: int) -> None:
    assert _all(size, count, seed).tolist() == _one_by_one(size, count, seed)


@given(st.integers(1, 40), st.integers(1, 30), st.integers(1, 40))
def test_the_size_of_the_chunks_changes_no_digit(size: int, count: int, at_once: int) -> None:
    assert (_all(size, count, 3, at_once) == _all(size, count, 3)).all()


def test_each_resample_draws_as_many_clusters_as_there_are() -> None:
    drawn = _all(133, 500, 0)
    assert drawn.shape == (500, 133)
    assert (drawn.sum(axis=1) == 133).all()


def test_every_cluster_is_as_likely_as_any_other() -> None:
    drawn = _all(7, 20_000, 0)
    # 20,000 × 7 draws; a mean of 1 with a standard error of √(6/7/20,000) = .0065.
    assert np.abs(drawn.mean(axis=0) - 1).max() < 4 * 0.0065
    assert drawn.var(axis=0) == pytest.approx(6 / 7, rel=0.05)


@pytest.mark.parametrize(("size", "count"), [(133, 2000), (10_000, 25), (300_000, 5)])
def test_a_chunk_holds_no_more_than_it_may(size: int, count: int) -> None:
    chunks = [one.size for one in weights(size, count, np.random.default_rng(0))]
    assert sum(chunks) == size * count
    assert max(chunks) <= 1 << 20


def test_what_is_counted_twice_is_added_up_once_and_given_twice() -> None:
    columns = np.arange(12.0).reshape(6, 2)
    doubled = columns[:, [0, 1, 1, 0, 0]]
    assert (resample(doubled, 9, seed=5) == resample(columns, 9, seed=5)[:, [0, 1, 1, 0, 0]]).all()


def test_more_resamples_begin_like_fewer() -> None:
    assert (_all(20, 50, 1)[:10] == _all(20, 10, 1)).all()


def test_sums_are_those_of_the_clusters_drawn() -> None:
    columns = np.arange(12.0).reshape(6, 2)
    rng = np.random.default_rng(5)
    expected = [columns[rng.integers(6, size=6)].sum(axis=0).tolist() for _ in range(9)]
    assert resample(columns, 9, seed=5).tolist() == expected


@pytest.mark.parametrize("size", [0, 1])
def test_there_are_no_resamples_of_one_cluster_or_none(size: int) -> None:
    assert resample(np.ones((size, 2)), 10, seed=0).shape == (0, 2)
    assert resample(np.ones((2, 2)), 10, seed=0).shape == (10, 2)


@pytest.mark.parametrize("count", [0, -1])
@pytest.mark.parametrize("size", [1, 5])
def test_there_must_be_resamples(size: int, count: int) -> None:
    with pytest.raises(MetricError, match=f"{count} resamples; there must be at least one"):
        resample(np.ones((size, 2)), count, seed=0)
    with pytest.raises(MetricError, match=f"{count} resamples; there must be at least one"):
        next(weights(size, count, np.random.default_rng(0)))


def test_there_must_be_clusters_to_draw() -> None:
    with pytest.raises(MetricError, match="0 clusters; there must be at least one"):
        next(weights(0, 3, np.random.default_rng(0)))


@pytest.mark.parametrize("seed", [-1, 0.5, "x", None])
@pytest.mark.parametrize("size", [1, 5])
def test_a_seed_is_a_whole_number(size: int, seed: Any) -> None:
    with pytest.raises(MetricError, match="a seed of .*; it must be a whole number, 0 or more"):
        resample(np.ones((size, 2)), 9, seed=seed)


def test_a_cluster_is_occupied_if_any_of_the_data_holds_something_of_it() -> None:
    whole = sample([[True, True]] * 3)
    one = whole.among(np.array([True, False, False, False, False, False]))
    other = whole.among(np.array([False, False, True, True, False, False]))
    assert occupied([one]).tolist() == [True, False, False]
    assert occupied([one, other]).tolist() == [True, True, False]
    assert occupied([paired(whole, whole)]).all()


def test_what_is_compared_has_the_same_clusters() -> None:
    with pytest.raises(MetricError, match="3 and 2 clusters"):
        occupied([sample([[True, True]] * 3), sample([[True, True]] * 2)])


def test_resamples_are_whole_numbers() -> None:
    count: Any = 10.5
    with pytest.raises(MetricError, match=r"10\.5 resamples; give a whole number"):
        resample(np.ones((3, 1)), count, seed=0)
    with pytest.raises(MetricError, match=r"10\.5 resamples; give a whole number"):
        bootstrap([problem_accuracy], [[True, False]] * 3, resamples=count)
