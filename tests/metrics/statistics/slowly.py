"""The slow way to resample, and what is compared with it."""

from __future__ import annotations

from typing import Any

import numpy as np

from horsesense.metrics import Data, Metric
from horsesense.metrics.statistics import Bootstrapped


def made(count: int, seed: int = 0) -> Any:
    """Schemas of a model that solves more second problems than first ones."""
    return np.random.default_rng(seed).random((count, 2)) < (0.6, 0.8)


def loop(metric: Metric, data: Data, resamples: int, seed: int) -> list[float]:
    """The slow way: draw clusters, add up what they count, combine; again and again."""
    rng = np.random.default_rng(seed)
    rows = metric.columns(data).tolist()
    values = []
    for _ in range(resamples):
        drawn = [rows[at] for at in rng.integers(len(rows), size=len(rows)).tolist()]
        sums = np.array([sum(column) for column in zip(*drawn, strict=True)])
        values.append(float(metric.combine(sums)))
    return values


def quantile(values: list[float], share: float) -> float:
    """The slow way, between the two nearest values."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def ends(one: Bootstrapped) -> tuple[float, ...]:
    """The ends of both intervals."""
    assert one.percentile is not None
    assert one.empirical is not None
    return (one.percentile.low, one.percentile.high, one.empirical.low, one.empirical.high)
