"""Resample clusters, with the same draws for everything that is counted on them.

A resample draws as many clusters as there are, with replacement. The draws depend only on the seed,
the number of clusters and the number of resamples. So two metrics, models, methods or perturbations
on the same clusters have the same resamples, and can be subtracted resample by resample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import index
from threading import Lock
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from horsesense.errors import MetricError
from horsesense.metrics import (
    Booleans,
    Data,
    Floats,
    Metric,
    Pairable,
    Paired,
    Rule,
    as_paired,
    as_sample,
)


def within(number: float | Fraction, what: str) -> float:
    """Check that a number is from 0 to 1, and return it.

    >>> within(1.0, "a chance")
    1.0
    """
    if not 0 <= number <= 1:
        raise MetricError(f"{what} of {float(number):g}; it must be from 0 to 1")
    return float(number)


def between(number: float, what: str) -> float:
    """Check that a number is between 0 and 1, exclusive, and return it.

    >>> between(0.5, "a power")
    0.5
    """
    if not 0 < number < 1:
        raise MetricError(f"{what} of {float(number):g}; it must lie between 0 and 1")
    return float(number)


def checked_level(level: float) -> float:
    """Check the level of an interval, and return it.

    >>> checked_level(0.95)
    0.95
    """
    return between(level, "a confidence level")


def whole_number(number: int, what: str) -> int:
    """Check that a number is whole, and return it.

    >>> whole_number(np.int64(3), "trials")
    3
    """
    try:
        return index(number)
    except TypeError:
        raise MetricError(f"{number!r} {what}; give a whole number") from None


def at_least_one(number: int, what: str) -> int:
    """Check that a number is whole and at least one, and return it.

    >>> at_least_one(3, "trials")
    3
    """
    if (count := whole_number(number, what)) < 1:
        raise MetricError(f"{number} {what}; there must be at least one")
    return count


def generator(seed: int) -> np.random.Generator:
    """Make the random generator of a seed.

    >>> generator(0).random() == generator(0).random()
    True
    """
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise MetricError(f"a seed of {seed!r}; it must be a whole number, 0 or more")
    return np.random.default_rng(seed)


def read_for(metrics: Sequence[Metric], data: Pairable, ties: Rule | None) -> Data:
    """Convert the data to what these metrics take: one sample, or a pair.

    >>> from horsesense.metrics import consistency
    >>> read_for([consistency], ([[True, True]], [[True, False]]), None).cluster_count
    1
    """
    if isinstance(data, Paired) or any(metric.is_paired for metric in metrics):
        return as_paired(data, ties=ties)
    return as_sample(data, ties)


SEED = 0
RESAMPLES = 10_000
# With fewer clusters than this, resampling is flagged as doubtful.
FEW_CLUSTERS = 30
# With fewer independent schemas than this, nothing is concluded.
FEW_SCHEMAS = FEW_CLUSTERS
# All resamples of a single cluster are alike.
FEWEST_CLUSTERS = 2
# This many draws at a time stay in the processor's cache, in three arrays of eight bytes each. But
# a product with few rows is slow, so more are drawn if there are many clusters, up to 24 MB.
_CACHED_DRAWS, _MOST_DRAWS = 1 << 14, 1 << 20
_FEWEST_ROWS = 8
# At most this many draws are cached, and at most half of these for one size. They take four bytes
# each, 128 MB in total.
_KEPT_DRAWS = 1 << 25
# Counts are whole, or halves where undecided problems count half: k parts of 1/1024, k being whole.
# Floats of half the length are multiplied in half the time, and hold every whole number of parts
# up to 2^24 exactly. The weights of a resample are whole and add up to its size; so each product,
# and each sum of some of them in whatever order, is a whole number of parts, and at most
# max|k| · size. Where that is less than 2^24, nothing is ever rounded.
_PARTS, _EXACT = 1 << 10, 1 << 24

_ShortFloats: TypeAlias = npt.NDArray[np.float32]
# Cached draws by number of clusters, number of resamples and seed; those last used come last.
_kept: dict[tuple[int, int, int], _ShortFloats] = {}
_lock = Lock()


def weights(
    size: int, count: int, rng: np.random.Generator, *, at_once: int | None = None
) -> Iterator[Floats]:
    """Draw resamples: how often each of `size` clusters is in each of `count` resamples.

    They come in chunks of `at_once` resamples, by default as many as is fast; the chunk size does
    not change the draws.

    >>> [chunk.sum(axis=1).tolist() for chunk in weights(3, 2, np.random.default_rng(0))]
    [[3.0, 3.0]]
    """
    at_least_one(size, "clusters")
    at_least_one(count, "resamples")
    fast = max(_CACHED_DRAWS // size, min(_FEWEST_ROWS, _MOST_DRAWS // size), 1)
    rows = min(count, at_once or fast)
    # Counting all draws of a chunk at once, with separate numbers for each resample, is faster than
    # counting per resample, and much faster than multinomial draws.
    offsets = np.arange(rows)[:, None] * size
    for start in range(0, count, rows):
        here = min(rows, count - start)
        drawn = rng.integers(size, size=(here, size))
        drawn += offsets[:here]
        counted = np.bincount(drawn.ravel(), minlength=here * size)
        yield counted.reshape(here, size).astype(float)


def resample(columns: Floats, count: int, seed: int) -> Floats:
    """Sum columns, which have a row for each cluster, in each resample.

    With fewer than two clusters there are no resamples, as all would be alike.

    >>> resample(np.ones((3, 1)), 2, seed=0).tolist()
    [[3.0], [3.0]]
    """
    at_least_one(count, "resamples")
    rng = generator(seed)  # raises an error for an invalid seed, before the cache is searched
    if (size := len(columns)) < FEWEST_CLUSTERS:
        return np.empty((0, columns.shape[1]))
    # Many metrics count the same, such as all schemas, so equal columns are summed once.
    places: dict[bytes, int] = {}
    which = [places.setdefault(column.tobytes(), len(places)) for column in columns.T]
    distinct = columns[:, [which.index(place) for place in range(len(places))]]
    if 2 * size * count > _KEPT_DRAWS:
        drawn = weights(size, count, rng)
        return np.concatenate([chunk @ distinct for chunk in drawn])[:, which]
    return _sums(distinct.T, _kept_weights(size, count, seed))[which].T


def _kept_weights(size: int, count: int, seed: int) -> _ShortFloats:
    """Return how often each cluster (row) is in each resample (column).

    The most recent draws are cached, as far as there is room. All callers share them, so they are
    read-only.
    """
    with _lock:
        drawn = _kept.pop((size, count, seed), None)
        if drawn is None:
            drawn = np.empty((size, count), np.float32)
            start = 0
            for chunk in weights(size, count, generator(seed)):
                drawn[:, start : start + len(chunk)] = chunk.T
                start += len(chunk)
            drawn.flags.writeable = False
        _kept[size, count, seed] = drawn
        while sum(cached.size for cached in _kept.values()) > _KEPT_DRAWS:
            del _kept[next(iter(_kept))]
        return drawn


def _sums(rows: Floats, drawn: _ShortFloats) -> Floats:
    """Sum each row of counts in each resample."""
    parts = rows * _PARTS
    is_whole = (parts == np.round(parts)).all()
    if is_whole and np.abs(parts).max(initial=0) * len(drawn) < _EXACT:
        # A contiguous copy is much faster to multiply than a view of columns.
        sums: Floats = (np.ascontiguousarray(rows, np.float32) @ drawn).astype(np.float64)
        return sums
    return rows @ drawn.astype(np.float64)


def occupied(data: Sequence[Data], *, of_schemas: bool = False) -> Booleans:
    """Find the clusters with a problem, or a schema, in any of the data.

    A subset keeps the cluster numbers of the whole, and some of these clusters are empty. They are
    not drawn, as that would vary the size of the subset. If a subset is compared with its
    complement, all clusters of either are drawn.

    >>> from horsesense.metrics import sample
    >>> whole = sample([[True, True], [True, False]])
    >>> occupied([whole.among(np.array([True, True, False, False]))])
    array([ True, False])
    """
    size = data[0].cluster_count
    if any(each.cluster_count != size for each in data):
        sizes = " and ".join(str(each.cluster_count) for each in data)
        raise MetricError(f"{sizes} clusters: what is compared must number its clusters alike")
    held = np.zeros(size, bool)
    for each in data:
        for sample in (each.before, each.after) if isinstance(each, Paired) else (each,):
            held[sample.schema_clusters if of_schemas else sample.clusters] = True
    return held
