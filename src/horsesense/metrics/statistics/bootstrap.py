"""The bootstrap: how much metrics vary when clusters are drawn anew (thesis 3.8.2).

All metrics, and all that is compared, are computed on the same resamples, in one matrix product.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Data, Direction, Metric, Pairable, Rule
from horsesense.metrics.statistics.arguments import read_for
from horsesense.metrics.statistics.bootstrapped import (
    Bootstrapped,
    Drawn,
    bootstrapped,
    counted_clusters,
)
from horsesense.metrics.statistics.interval import LEVEL
from horsesense.metrics.statistics.resampling import RESAMPLES, SEED, occupied, resample


@dataclass(frozen=True, slots=True)
class BootstrappedBest:
    """The best of several runs, chosen anew in each resample.

    `best` are the runs that are best in the data; `chosen` is in which share of the resamples each
    run was, equally good ones sharing a resample.
    """

    best: tuple[str, ...]
    chosen: Mapping[str, float]
    value: Bootstrapped


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
    drawn = _drawn(metrics, [read_for(metrics, data, ties)], resamples, seed)
    return tuple(
        bootstrapped(metric, one, level) for metric, (one,) in zip(metrics, drawn, strict=True)
    )


def bootstrap_difference(
    metrics: Sequence[Metric],
    one: Pairable,
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
    both = [read_for(metrics, each, ties) for each in (one, other)]
    drawn = _drawn(metrics, both, resamples, seed)
    differences = [
        Drawn(first.estimate - second.estimate, first.values - second.values, first.clusters)
        for first, second in drawn
    ]
    return tuple(
        bootstrapped(metric, difference, level)
        for metric, difference in zip(metrics, differences, strict=True)
    )


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
    data = [read_for([metric], one, ties) for one in runs.values()]
    (drawn,) = _drawn([metric], data, resamples, seed)
    sign = 1.0 if metric.declared.direction is Direction.HIGHER else -1.0
    estimates = sign * np.array([one.estimate for one in drawn])
    values = sign * np.column_stack([one.values for one in drawn])
    # fmax passes over what is undefined.
    best, highest = np.fmax.reduce(estimates), np.fmax.reduce(values, axis=1)
    is_chosen = values == highest[:, None]
    shared = is_chosen / np.maximum(is_chosen.sum(axis=1, keepdims=True), 1)
    chosen = np.divide(shared.sum(axis=0), is_chosen.any(axis=1).sum() or 1)
    counted = counted_clusters(metric, *(metric.columns(one) for one in data))
    value = Drawn(float(sign * best), sign * highest, drawn[0].clusters, counted)
    return BootstrappedBest(
        tuple(name for name, one in zip(runs, estimates, strict=True) if one == best),
        dict(zip(runs, chosen.tolist(), strict=True)),
        bootstrapped(metric, value, level),
    )


def _drawn(
    metrics: Sequence[Metric], data: Sequence[Data], resamples: int, seed: int
) -> list[list[Drawn]]:
    """For each metric, what it comes to for each of the data; all in one matrix product."""
    held = occupied(data)
    clusters = {kind: int(occupied(data, of_schemas=kind).sum()) for kind in (False, True)}
    parts = [[metric.columns(one)[held] for one in data] for metric in metrics]
    columns = np.hstack([part for row in parts for part in row] or [np.empty((held.sum(), 0))])
    sums, total = resample(columns, resamples, seed), columns.sum(axis=0)
    found, at = [], 0
    for metric, row in zip(metrics, parts, strict=True):
        here = []
        for part in row:
            own = slice(at, at + part.shape[1])
            estimate, values = float(metric.combine(total[own])), metric.combine(sums[:, own])
            of_its_kind = clusters[metric.counts_schemas]
            here.append(Drawn(estimate, values, of_its_kind, counted_clusters(metric, part)))
            at = own.stop
        found.append(here)
    return found
