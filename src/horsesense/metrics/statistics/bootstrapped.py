"""From the values of resamples to intervals: the one rule for all that is resampled.

The percentile interval is the primary one, as in the thesis (3.8.2). At a share of 0 or 1 all
resamples are alike, and it has no width; there stands Clopper and Pearson's interval, on clusters:
none, or every one, of the m clusters in which something is counted. In clusters of equal size that
is cautious, since the share of problems solved is at least that of clusters solved throughout.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from horsesense.metrics import Floats, Metric
from horsesense.metrics.statistics.arguments import checked_level
from horsesense.metrics.statistics.interval import Interval, clopper_pearson
from horsesense.metrics.statistics.resampling import FEW_CLUSTERS, FEWEST_CLUSTERS
from horsesense.scoring.outcome import Share

NEVER_DEFINED = "it is undefined in every resample"


@dataclass(frozen=True, slots=True)
class Bootstrapped:
    """A metric, or a difference, with its intervals.

    The estimate is None where it is undefined, and `reason` says why; `no_interval` says why a
    value has no interval. `undefined` is how many resamples had no value; the intervals are those
    of the others. `exact` stands in for a percentile interval without width, where there is
    something to count. `clusters` are those that were drawn; for a metric that counts schemas, only
    those that have one.
    """

    metric: str
    estimate: float | None
    percentile: Interval | None
    empirical: Interval | None
    exact: Interval | None
    clusters: int
    resamples: int
    undefined: int
    reason: str = ""
    no_interval: str = ""

    @property
    def is_few(self) -> bool:
        """True where there are too few clusters to trust the intervals."""
        return self.clusters < FEW_CLUSTERS

    @property
    def interval(self) -> Interval | None:
        """The interval to be shown: the percentile interval, or what stands in for it."""
        return self.exact or self.percentile


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A metric of the data, and of every resample; NaN where it is undefined.

    `counted` is in how many clusters there is something to count, 0 for what is no share.
    """

    estimate: float
    values: Floats
    clusters: int
    counted: int = 0

    @property
    def defined(self) -> Floats:
        """The values of the resamples that have one."""
        return self.values[~np.isnan(self.values)]


def bootstrapped(metric: Metric, drawn: Drawn, level: float) -> Bootstrapped:
    """The intervals of a metric that has been resampled, or why there are none.

    >>> from horsesense.metrics import problem_accuracy
    >>> drawn = Drawn(0.5, np.arange(101.0) / 100, clusters=40)
    >>> bootstrapped(problem_accuracy, drawn, 0.5).interval.low
    0.25
    """
    level, defined = checked_level(level), drawn.defined
    found = Bootstrapped(
        metric.name,
        None if np.isnan(drawn.estimate) else drawn.estimate,
        percentile=None,
        empirical=None,
        exact=None,
        clusters=drawn.clusters,
        resamples=len(drawn.values),
        undefined=len(drawn.values) - len(defined),
    )
    if found.estimate is None:
        return replace(found, reason=metric.declared.undefined)
    if drawn.clusters < FEWEST_CLUSTERS:
        return replace(found, no_interval=_alike(drawn.clusters))
    exact = None
    if found.estimate in (0.0, 1.0) and drawn.counted:
        exact = _interval_at_end(found.estimate, drawn.counted, level)
    if not defined.size:
        return replace(found, exact=exact, no_interval="" if exact else NEVER_DEFINED)
    percentile = _percentile_interval(defined, level)
    turned = 2 * found.estimate - percentile.high, 2 * found.estimate - percentile.low
    empirical = Interval(*turned, level, "empirical", percentile.remark)
    return replace(found, percentile=percentile, empirical=empirical, exact=exact)


def counted_clusters(metric: Metric, *columns: Floats) -> int:
    """In how many clusters there is something to count; of several runs, where the fewest are.

    Runs without any have no value, and are passed over. 0 for metrics that are no shares.

    >>> from horsesense.metrics import problem_accuracy
    >>> counted_clusters(problem_accuracy, np.array([[1.0, 2], [0, 2], [0, 0]]))
    2
    """
    if not metric.is_share:
        return 0
    numbers = (int(np.count_nonzero(one[:, 1])) for one in columns)
    return min((number for number in numbers if number), default=0)


def _alike(clusters: int) -> str:
    if not clusters:
        return "no cluster; resampling takes at least two"
    return "1 cluster, all of whose resamples are alike; resampling takes at least two"


def _interval_at_end(share: float, clusters: int, level: float) -> Interval:
    """Clopper and Pearson's interval of a share of 0 or 1, counted in so many clusters."""
    count = clusters if share else 0
    interval = clopper_pearson(Share(count, clusters), level)
    return replace(interval, remark=f"on {count} of {clusters} clusters")


def _percentile_interval(values: Floats, level: float) -> Interval:
    """What lies in the middle of the values of all resamples, none of which is undefined."""
    low, high = (_quantile(values, share) for share in ((1 - level) / 2, (1 + level) / 2))
    remark = "no width: the resamples are alike" if low == high else ""
    return Interval(low, high, level, "percentile", remark)


def _quantile(values: Floats, share: float) -> float:
    """What numpy's quantile gives, to the last digit, in a quarter of the time."""
    place = share * (len(values) - 1)
    at = int(place)
    parted = np.partition(values, at)
    low, part = float(parted[at]), place - at
    high = float(parted[at + 1 :].min(initial=np.inf)) if part else low
    step = high - low
    return low + step * part if part < 0.5 else high - step * (1 - part)
