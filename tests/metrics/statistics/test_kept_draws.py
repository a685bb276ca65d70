"""Draws that are kept, and short floats, change no digit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horsesense.metrics.statistics import resample, resampling
from horsesense.metrics.statistics.bootstrap import _quantile
from tests.strategies import brisk


def slowly(columns: np.ndarray, count: int, seed: int) -> list[list[float]]:
    rng = np.random.default_rng(seed)
    size = len(columns)
    return [columns[rng.integers(size, size=size)].sum(axis=0).tolist() for _ in range(count)]


@brisk
@given(st.integers(2, 30), st.integers(1, 20), st.integers(0, 3), st.sampled_from([1, 2, 16]))
def test_whole_and_half_counts_are_added_up_exactly(
    size: int, count: int, seed: int, parts: int
) -> None:
    columns = np.random.default_rng(9).integers(0, 3 * parts, (size, 3)) / parts
    for _ in range(2):  # the second time the draws are kept
        assert resample(columns, count, seed).tolist() == slowly(columns, count, seed)


@pytest.mark.parametrize("scale", [1 / 3, 2.0**30])
def test_what_short_floats_cannot_hold_is_added_up_in_long_ones(scale: float) -> None:
    columns = np.random.default_rng(9).integers(1, 9, (20, 3)).astype(float) * scale
    expected = np.array(slowly(columns, 9, 1))
    np.testing.assert_allclose(resample(columns, 9, 1), expected, rtol=1e-14)


def test_what_was_asked_for_long_ago_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resampling, "_kept", {})
    monkeypatch.setattr(resampling, "_KEPT_DRAWS", 100)
    for size in (4, 5, 4, 2):
        resample(np.ones((size, 1)), 10, 0)
    assert [size for size, _, _ in resampling._kept] == [4, 2]
    resample(np.ones((6, 1)), 10, 0)  # more than half of the room
    assert [size for size, _, _ in resampling._kept] == [4, 2]


def test_nobody_may_write_to_draws_that_are_kept_for_all() -> None:
    resample(np.ones((7, 1)), 10, 3)
    with pytest.raises(ValueError, match="read-only"):
        resampling._kept[7, 10, 3][0, 0] = 9.0


def test_draws_that_are_too_many_to_keep_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = np.random.default_rng(9).integers(0, 3, (20, 3)).astype(float)
    kept = resample(columns, 50, 1)
    monkeypatch.setattr(resampling, "_KEPT_DRAWS", 0)
    assert resample(columns, 50, 1).tolist() == kept.tolist()


@brisk
@given(
    st.lists(st.floats(-2, 2), min_size=1, max_size=40),
    st.floats(0, 1) | st.sampled_from([0.025, 0.975]),
)
def test_quantiles_are_those_of_numpy_to_the_last_digit(values: list[float], share: float) -> None:
    array = np.array(values)
    assert _quantile(array, share) == float(np.quantile(array, share))
