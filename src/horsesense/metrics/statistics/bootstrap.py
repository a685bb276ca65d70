"""The bootstrap: how much metrics vary when clusters are drawn anew (thesis 3.8.2).

Everything that is compared is computed on the same resamples, in one matrix product (`draw`).

The percentile interval is the primary one, as in the thesis. At a share of 0 or 1 all resamples are
alike, and it has no width; there Clopper and Pearson's interval takes its place, on clusters: none,
or every one, of the m clusters in which something is counted. In clusters of equal size that is
cautious, since the share of problems solved is at least that of clusters solved throughout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Data, Direction, Floats, Metric, Pairable, Rule
from horsesense.metrics.statistics.interval import LEVEL, Interval, clopper_pearson
from horsesense.metrics.statistics.resampling import (
    FEW_CLUSTERS,
    FEWEST_CLUSTERS,
    RESAMPLES,
    SEED,
    checked_level,
    occupied,
    read_for,
    resample,
)
from horsesense.scoring import Share

NEVER_DEFINED = "it is undefined in every resample"


@dataclass(frozen=True, slots=True)
class Bootstrapped:
    """A metric, or a difference, with its intervals.

    The estimate is None where it is undefined, and `reason` says why; `no_interval` says why a
    value has no interval. `undefined` is how many resamples had no value; the intervals are those
    of the others. `exact` replaces a percentile interval without width, where there is something
    to count. `clusters` are those that were drawn; for a metric that counts schemas, only those
    that have one.
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
        """The interval to be shown: the exact one if there is one, else the percentile interval."""
        return self.exact or self.percentile


@dataclass(frozen=True, slots=True)
class BootstrappedBest:
    """The best of several runs, chosen anew in each resample.

    `best` are the runs that are best in the data; `chosen` is in which share of the resamples each
    run was, equally good ones sharing a resample.
    """

    best: tuple[str, ...]
    chosen: Mapping[str, float]
    value: Bootstrapped


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A metric of the data, and of every resample; NaN where it is undefined.

    `counted` is in how many clusters there is something to count, 0 for what is not a share.
    """

    estimate: float
    values: Floats
    clusters: int
    counted: int = 0

    @property
    def defined(self) -> Floats:
        """The values of the resamples that have one."""
        return self.values[~np.isnan(self.values)]

    def minus(self, other: Drawn) -> Drawn:
        """The difference from another, resample by resample.

        >>> Drawn(0.5, np.array([1.0]), 2).minus(Drawn(0.25, np.array([0.5]), 2)).values.tolist()
        [0.5]
        """
        return Drawn(self.estimate - other.estimate, self.values - other.values, self.clusters)


def bootstrap(
    metrics: Sequence[Metric],
    data: Pairable,
    *,
    ties: Rule | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> tuple[Bootstrapped, ...]:
    """The intervals of some metrics of the same data, all from the same resamples.

    The data of metrics that compare two samples are `paired(before, after)`, or just the two.
    `ties` is the rule for plain arrays. Clusters that hold no problem of the data are not drawn.

    >>> from horsesense.metrics import problem_accuracy
    >>> (found,) = bootstrap([problem_accuracy], [[True, False]] * 40)
    >>> found.estimate, found.percentile.low, found.percentile.high
    (0.5, 0.5, 0.5)
    """
    given = read_for(metrics, data, ties)
    drawn = draw([(metric, given) for metric in metrics], resamples, seed)
    return tuple(
        bootstrapped(metric, values, level) for metric, values in zip(metrics, drawn, strict=True)
    )


def bootstrap_difference(
    metrics: Sequence[Metric],
    pairable: Pairable,
    other: Pairable,
    *,
    ties: Rule | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> tuple[Bootstrapped, ...]:
    """The intervals of the metrics of one minus those of the other, on the same resamples.

    Both number their clusters alike: two models, methods or perturbations on the same schemas, or
    a subset and its complement.

    >>> from horsesense.metrics import problem_accuracy
    >>> better, worse = [[True, True]] * 40, [[True, False]] * 40
    >>> bootstrap_difference([problem_accuracy], better, worse)[0].estimate
    0.5
    """
    first, second = (read_for(metrics, each, ties) for each in (pairable, other))
    drawn = iter(
        draw([(metric, data) for metric in metrics for data in (first, second)], resamples, seed)
    )
    return tuple(bootstrapped(metric, next(drawn).minus(next(drawn)), level) for metric in metrics)


def bootstrap_best(
    metric: Metric,
    runs: Mapping[str, Pairable],
    *,
    ties: Rule | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> BootstrappedBest:
    """The best of several methods or models, the choice repeated inside each resample.

    >>> from horsesense.metrics import schema_accuracy
    >>> good, bad = [[True, True]] * 9, [[True, False]] * 9
    >>> bootstrap_best(schema_accuracy, {"good": good, "bad": bad}).chosen
    {'good': 1.0, 'bad': 0.0}
    """
    if metric.declared.direction is Direction.NEITHER:
        raise MetricError(f"{metric.name} is better neither higher nor lower; none is the best")
    if not runs:
        raise MetricError("no runs to choose from; give at least one")
    drawn = draw(
        [(metric, read_for([metric], run, ties)) for run in runs.values()], resamples, seed
    )
    best = best_of(metric, drawn)
    is_chosen = np.column_stack([run.values for run in drawn]) == best.values[:, None]
    shared = is_chosen / np.maximum(is_chosen.sum(axis=1, keepdims=True), 1)
    chosen = np.divide(shared.sum(axis=0), is_chosen.any(axis=1).sum() or 1)
    return BootstrappedBest(
        tuple(name for name, run in zip(runs, drawn, strict=True) if run.estimate == best.estimate),
        dict(zip(runs, chosen.tolist(), strict=True)),
        bootstrapped(metric, best, level),
    )


def draw(asked: Sequence[tuple[Metric, Data]], resamples: int, seed: int) -> list[Drawn]:
    """Compute each metric of its data and in every resample, all in one matrix product.

    All data number their clusters alike.

    >>> from horsesense.metrics import problem_accuracy, sample
    >>> [drawn] = draw([(problem_accuracy, sample([[True, True]] * 3))], resamples=2, seed=0)
    >>> drawn.estimate, drawn.values.tolist()
    (1.0, [1.0, 1.0])
    """
    if not asked:
        return []
    # Several metrics are mostly of the same data.
    data = list({id(each): each for _, each in asked}.values())
    held = occupied(data)
    clusters = {kind: int(occupied(data, of_schemas=kind).sum()) for kind in (False, True)}
    parts = [metric.columns(each)[held] for metric, each in asked]
    columns = np.hstack(parts)
    sums, total = resample(columns, resamples, seed), columns.sum(axis=0)
    drawn, start = [], 0
    for (metric, _), part in zip(asked, parts, strict=True):
        own = slice(start, start + part.shape[1])
        drawn.append(
            Drawn(
                float(metric.combine(total[own])),
                metric.combine(sums[:, own]),
                clusters[metric.counts_schemas],
                _counted_clusters(metric, part),
            )
        )
        start = own.stop
    return drawn


def best_of(metric: Metric, runs: Sequence[Drawn]) -> Drawn:
    """The best of several runs, in the data and in each resample; what is undefined is ignored.

    `counted` is that of the run in which the fewest clusters are counted, if any is.

    >>> from horsesense.metrics import problem_accuracy
    >>> runs = [Drawn(0.5, np.array([0.5, np.nan]), 2), Drawn(0.25, np.array([0.75, 0]), 2)]
    >>> best_of(problem_accuracy, runs).values.tolist()
    [0.75, 0.0]
    """
    better = np.fmin if metric.declared.direction is Direction.LOWER else np.fmax
    return Drawn(
        float(better.reduce([run.estimate for run in runs])),
        better.reduce([run.values for run in runs]),
        runs[0].clusters,
        min((run.counted for run in runs if run.counted), default=0),
    )


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


def _counted_clusters(metric: Metric, columns: Floats) -> int:
    """In how many clusters there is something to count; 0 for metrics that are no shares."""
    return int(np.count_nonzero(columns[:, 1])) if metric.is_share else 0


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
    """The interval in the middle of the values of all resamples, none of which is undefined."""
    low, high = (_quantile(values, share) for share in ((1 - level) / 2, (1 + level) / 2))
    remark = "no width: the resamples are alike" if low == high else ""
    return Interval(low, high, level, "percentile", remark)


def _quantile(values: Floats, share: float) -> float:
    """The same as numpy's quantile, to the last digit, in a quarter of the time."""
    place = share * (len(values) - 1)
    at = int(place)
    parted = np.partition(values, at)
    low, part = float(parted[at]), place - at
    high = float(parted[at + 1 :].min(initial=np.inf)) if part else low
    step = high - low
    return low + step * part if part < 0.5 else high - step * (1 - part)
