"""The bootstrap: intervals of metrics from resampled clusters (thesis 3.8.2).

Everything that is compared is computed on the same resamples, in one matrix product (`draw`).

The percentile interval is the primary one, as in the thesis. At a share of 0 or 1 all resamples are
alike, and it has no width. There, Clopper and Pearson's interval replaces it, on none or all of the
m clusters in which something is counted. With clusters of equal size this is conservative, as the
share of solved problems is at least that of completely solved clusters.
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
    """The estimate of a metric, or of a difference, with its intervals.

    The estimate is None if it is undefined, and `reason` says why; `no_interval` says why a value
    has no interval. `undefined` counts the resamples without a value, which the intervals ignore.
    `exact` replaces a percentile interval without width, if there is something to count. `clusters`
    is the number of resampled clusters; for a metric that counts schemas, only those with one.
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
        """Whether there are too few clusters to trust the intervals."""
        return self.clusters < FEW_CLUSTERS

    @property
    def interval(self) -> Interval | None:
        """The interval to show: the exact one if there is one, else the percentile interval."""
        return self.exact or self.percentile


@dataclass(frozen=True, slots=True)
class BootstrappedBest:
    """The best of several runs, chosen anew in each resample.

    `best` are the best runs in the data. `chosen` is the share of resamples in which each run is
    the best; equally good ones share a resample.
    """

    best: tuple[str, ...]
    chosen: Mapping[str, float]
    value: Bootstrapped


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """The value of a metric in the data and in every resample; NaN where it is undefined.

    `counted` is the number of clusters with something to count; 0 if the metric is not a share.
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
        """Subtract another, resample by resample.

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
    """Compute intervals of several metrics of the same data, from the same resamples.

    The data of metrics that compare two samples are `paired(before, after)`, or just the two.
    `ties` is the rule for plain arrays. Clusters that hold no problem of the data are not drawn.

    >>> from horsesense.metrics import problem_accuracy
    >>> (result,) = bootstrap([problem_accuracy], [[True, False]] * 40)
    >>> result.estimate, result.percentile.low, result.percentile.high
    (0.5, 0.5, 0.5)
    """
    samples = read_for(metrics, data, ties)
    drawn = draw([(metric, samples) for metric in metrics], resamples, seed)
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
    """Compute intervals of the metrics of one minus those of the other, on the same resamples.

    Both use the same cluster numbers: two models, methods or perturbations on the same schemas, or
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
    """Bootstrap the best of several methods or models, chosen anew in each resample.

    >>> from horsesense.metrics import schema_accuracy
    >>> good, bad = [[True, True]] * 9, [[True, False]] * 9
    >>> bootstrap_best(schema_accuracy, {"good": good, "bad": bad}).chosen
    {'good': 1.0, 'bad': 0.0}
    """
    if metric.declared.direction is Direction.NEITHER:
        raise MetricError(f"{metric.name} is neither better high nor low, so no run is the best")
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


def draw(requests: Sequence[tuple[Metric, Data]], resamples: int, seed: int) -> list[Drawn]:
    """Compute each metric of its data and in every resample, all in one matrix product.

    All data use the same cluster numbers.

    >>> from horsesense.metrics import problem_accuracy, sample
    >>> [drawn] = draw([(problem_accuracy, sample([[True, True]] * 3))], resamples=2, seed=0)
    >>> drawn.estimate, drawn.values.tolist()
    (1.0, [1.0, 1.0])
    """
    if not requests:
        return []
    # Several metrics usually share the same data.
    data = list({id(each): each for _, each in requests}.values())
    held = occupied(data)
    clusters = {kind: int(occupied(data, of_schemas=kind).sum()) for kind in (False, True)}
    parts = [metric.columns(each)[held] for metric, each in requests]
    columns = np.hstack(parts)
    sums, total = resample(columns, resamples, seed), columns.sum(axis=0)
    drawn, start = [], 0
    for (metric, _), part in zip(requests, parts, strict=True):
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
    """Take the best of several runs, in the data and in each resample, ignoring undefined values.

    `counted` is the smallest one of the runs that is not 0.

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
    """Compute the intervals of a resampled metric, or say why there are none.

    >>> from horsesense.metrics import problem_accuracy
    >>> drawn = Drawn(0.5, np.arange(101.0) / 100, clusters=40)
    >>> bootstrapped(problem_accuracy, drawn, 0.5).interval.low
    0.25
    """
    level, defined = checked_level(level), drawn.defined
    result = Bootstrapped(
        metric.name,
        None if np.isnan(drawn.estimate) else drawn.estimate,
        percentile=None,
        empirical=None,
        exact=None,
        clusters=drawn.clusters,
        resamples=len(drawn.values),
        undefined=len(drawn.values) - len(defined),
    )
    if result.estimate is None:
        return replace(result, reason=metric.declared.undefined)
    if drawn.clusters < FEWEST_CLUSTERS:
        return replace(result, no_interval=_alike(drawn.clusters))
    exact = None
    if result.estimate in (0.0, 1.0) and drawn.counted:
        exact = _interval_at_end(result.estimate, drawn.counted, level)
    if not defined.size:
        return replace(result, exact=exact, no_interval="" if exact else NEVER_DEFINED)
    percentile = _percentile_interval(defined, level)
    turned = 2 * result.estimate - percentile.high, 2 * result.estimate - percentile.low
    empirical = Interval(*turned, level, "empirical", percentile.remark)
    return replace(result, percentile=percentile, empirical=empirical, exact=exact)


def _counted_clusters(metric: Metric, columns: Floats) -> int:
    """Count the clusters with something to count; 0 if the metric is not a share."""
    return int(np.count_nonzero(columns[:, 1])) if metric.is_share else 0


def _alike(clusters: int) -> str:
    if not clusters:
        return "no cluster; resampling takes at least two"
    return "1 cluster, so all resamples agree; resampling takes at least two"


def _interval_at_end(share: float, clusters: int, level: float) -> Interval:
    """Return Clopper and Pearson's interval of a share of 0 or 1, counted in clusters."""
    count = clusters if share else 0
    interval = clopper_pearson(Share(count, clusters), level)
    return replace(interval, remark=f"on {count} of {clusters} clusters")


def _percentile_interval(values: Floats, level: float) -> Interval:
    """Return the percentile interval of the defined values of all resamples."""
    low, high = (_quantile(values, share) for share in ((1 - level) / 2, (1 + level) / 2))
    remark = "no width: all resamples agree" if low == high else ""
    return Interval(low, high, level, "percentile", remark)


def _quantile(values: Floats, share: float) -> float:
    """Return the same as numpy's quantile, to the last digit, in a quarter of the time."""
    rank = share * (len(values) - 1)
    below = int(rank)
    parted = np.partition(values, below)
    low, part = float(parted[below]), rank - below
    high = float(parted[below + 1 :].min(initial=np.inf)) if part else low
    step = high - low
    return low + step * part if part < 0.5 else high - step * (1 - part)
