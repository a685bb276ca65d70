"""How clusters are drawn: the same way for whatever is counted on them.

A resample draws as many clusters as there are, with replacement. What is drawn depends on the
seed, the number of clusters and the number of resamples, and on nothing else: so two metrics,
models, methods or perturbations on the same clusters are resampled alike, and their differences
may be taken resample by resample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Booleans, Data, Floats, Paired
from horsesense.statistics.arguments import at_least_one, generator

SEED = 0
RESAMPLES = 10_000
# With fewer clusters than this, resampling is flagged as doubtful.
FEW_CLUSTERS = 30
# All resamples of a single cluster are alike.
FEWEST_CLUSTERS = 2
# So many draws at a time stay in the processor's cache, in three arrays of eight bytes each; but a
# product with few rows is slow, so there are some more where clusters are many, up to 24 MB.
_CACHED_DRAWS, _MOST_DRAWS = 1 << 14, 1 << 20
_FEWEST_ROWS = 8


def weights(
    size: int, count: int, rng: np.random.Generator, *, at_once: int | None = None
) -> Iterator[Floats]:
    """How often each of `size` clusters was drawn in each of `count` resamples.

    They come in chunks of some resamples, `at_once` or what is fast, which changes no digit.

    >>> [chunk.sum(axis=1).tolist() for chunk in weights(3, 2, np.random.default_rng(0))]
    [[3.0, 3.0]]
    """
    at_least_one(size, "clusters")
    at_least_one(count, "resamples")
    fast = max(_CACHED_DRAWS // size, min(_FEWEST_ROWS, _MOST_DRAWS // size), 1)
    rows = min(count, at_once or fast)
    # One count of all draws of a chunk, each resample with numbers of its own, is faster than one
    # for each resample, and much faster than multinomial draws.
    offsets = np.arange(rows)[:, None] * size
    for start in range(0, count, rows):
        here = min(rows, count - start)
        drawn = rng.integers(size, size=(here, size))
        drawn += offsets[:here]
        counted = np.bincount(drawn.ravel(), minlength=here * size)
        yield counted.reshape(here, size).astype(float)


def resample(columns: Floats, count: int, seed: int) -> Floats:
    """The sums of some columns, one row for each cluster, in each resample.

    There are no resamples of fewer than two clusters, for all would be alike.

    >>> resample(np.ones((3, 1)), 2, seed=0).tolist()
    [[3.0], [3.0]]
    """
    at_least_one(count, "resamples")
    rng = generator(seed)
    if (size := len(columns)) < FEWEST_CLUSTERS:
        return np.empty((0, columns.shape[1]))
    # Many metrics count the same, such as all schemas; what is counted twice is added up once.
    places: dict[bytes, int] = {}
    which = [places.setdefault(column.tobytes(), len(places)) for column in columns.T]
    distinct = columns[:, [which.index(place) for place in range(len(places))]]
    drawn = weights(size, count, rng)
    return np.concatenate([chunk @ distinct for chunk in drawn])[:, which]


def occupied(data: Sequence[Data]) -> Booleans:
    """Which clusters hold a problem of any of the data, which number their clusters alike.

    A subset keeps the numbers of the clusters it was taken from, and holds nothing of some. These
    are not drawn: it would vary the size of the subset. Where a subset and its complement are
    compared, they are.

    >>> from horsesense.metrics import sample
    >>> whole = sample([[True, True], [True, False]])
    >>> occupied([whole.among(np.array([True, True, False, False]))])
    array([ True, False])
    """
    size = data[0].cluster_count
    if any(one.cluster_count != size for one in data):
        sizes = " and ".join(str(one.cluster_count) for one in data)
        raise MetricError(f"{sizes} clusters: what is compared must number its clusters alike")
    held = np.zeros(size, bool)
    for one in data:
        for sample in (one.before, one.after) if isinstance(one, Paired) else (one,):
            held[sample.clusters] = True
    return held
