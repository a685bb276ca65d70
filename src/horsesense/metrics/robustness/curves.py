"""Specification curves: an estimate, or a difference, under every specification, sorted by size.

A curve shows how much of a finding is owed to the choices that led to it. Intervals are those that
`bootstrap`, `bootstrap_best` and `bootstrap_difference` give, digit by digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from horsesense.metrics import Direction, Metric
from horsesense.metrics.robustness.specification import Specification
from horsesense.metrics.statistics import Drawn, Interval, bootstrapped
from horsesense.scoring import Share


@dataclass(frozen=True, slots=True)
class Estimate:
    """The value of a metric for a model under a specification.

    `undefined` counts the resamples without a value. `reason` says why there is no value, and
    `no_interval` why a value has no interval.
    """

    specification: Specification
    model: str
    value: float | None = None
    interval: Interval | None = None
    undefined: int = 0
    reason: str = ""
    no_interval: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """By how much the first model is better than the second under a specification.

    It is positive where the first is better, also for metrics that are better when lower. `ahead`
    and `behind` are the shares of resamples in which the first is better and worse; in the others
    the two are equal. `holds` is the share that has the order observed, None where there is none.
    """

    specification: Specification
    first: str
    second: str
    value: float | None = None
    interval: Interval | None = None
    ahead: float | None = None
    behind: float | None = None
    holds: float | None = None
    undefined: int = 0
    reason: str = ""
    no_interval: str = ""


@dataclass(frozen=True, slots=True)
class Spread:
    """The range of some values, and their median."""

    lowest: float
    median: float
    highest: float


@dataclass(frozen=True, slots=True)
class ModelCurve:
    """A model's estimates from the lowest to the highest, where they are defined.

    `spread` is None where none is.
    """

    model: str
    points: tuple[Estimate, ...]
    spread: Spread | None


@dataclass(frozen=True, slots=True)
class PairCurve:
    """The differences of two models from the lowest to the highest, where they are defined.

    `positive` and `negative` count the specifications in which the first is better and worse, and
    `clear` those whose interval excludes 0. `reversed_in` are those that put the two in the
    opposite order of the reference; None where the reference puts them in no order.
    """

    first: str
    second: str
    points: tuple[Difference, ...]
    spread: Spread | None
    positive: Share
    negative: Share
    clear: Share
    reversed_in: tuple[Specification, ...] | None


def estimate(metric: Metric, drawn: Drawn, of: Estimate, level: float) -> Estimate:
    """Fill in what the metric comes to; `of` names the model, and why it may be undefined.

    >>> from horsesense.metrics import Ties, problem_accuracy
    >>> at = Specification("full", "all", Ties.FAILED, "problem-accuracy")
    >>> nothing = Drawn(float("nan"), np.empty(0), 0)
    >>> estimate(problem_accuracy, nothing, Estimate(at, "ant", reason="no answer"), 0.95).reason
    'no answer'
    """
    found = bootstrapped(metric, drawn, level)
    return replace(
        of,
        value=found.estimate,
        interval=found.interval,
        undefined=found.undefined,
        reason=of.reason if found.estimate is None else "",
        no_interval=found.no_interval,
    )


def difference(
    metric: Metric, first: Drawn, second: Drawn, of: Difference, level: float
) -> Difference:
    """Fill in by how much the first is better than the second; both must have a value.

    >>> from horsesense.metrics import Ties, problem_accuracy
    >>> at = Specification("full", "all", Ties.FAILED, "problem-accuracy")
    >>> bad, good = Drawn(0.0, np.zeros(9), 9), Drawn(1.0, np.ones(9), 9)
    >>> difference(problem_accuracy, bad, good, Difference(at, "ant", "bee"), 0.95).value
    -1.0
    """
    is_lower_better = metric.declared.direction is Direction.LOWER
    drawn = second.minus(first) if is_lower_better else first.minus(second)
    found, value = bootstrapped(metric, drawn, level), drawn.estimate
    ahead = behind = holds = None
    if drawn.defined.size:
        ahead, behind = (float(np.mean(sign * drawn.defined > 0)) for sign in (1, -1))
        holds = (ahead if value > 0 else behind) if value else None
    return replace(
        of,
        value=found.estimate,
        interval=found.interval,
        ahead=ahead,
        behind=behind,
        holds=holds,
        undefined=found.undefined,
        no_interval=found.no_interval,
    )


def model_curve(estimates: Sequence[Estimate]) -> ModelCurve:
    """Sort the estimates of a model; equal ones keep their order.

    >>> from horsesense.metrics import Ties
    >>> one, other = (Specification(name, "all", Ties.FAILED, "a") for name in ("full", "partial"))
    >>> curve = model_curve([Estimate(one, "ant", 0.75), Estimate(other, "ant", 0.5)])
    >>> [point.specification.setup for point in curve.points], curve.spread.median
    (['partial', 'full'], 0.625)
    """
    points = sorted((one for one in estimates if one.value is not None), key=_size)
    return ModelCurve(estimates[0].model, tuple(points), _spread(points))


def pair_curve(differences: Sequence[Difference]) -> PairCurve:
    """Sort the differences of two models, of which the first is the reference's.

    >>> from horsesense.metrics import Ties
    >>> one, other = (Specification(name, "all", Ties.FAILED, "a") for name in ("full", "partial"))
    >>> values = [(one, 0.25), (other, -0.5)]
    >>> curve = pair_curve([Difference(at, "ant", "bee", value) for at, value in values])
    >>> curve.positive.value, [one.setup for one in curve.reversed_in]
    (0.5, ['partial'])
    """
    points = sorted((one for one in differences if one.value is not None), key=_size)
    return PairCurve(
        differences[0].first,
        differences[0].second,
        tuple(points),
        _spread(points),
        positive=Share.of(_size(one) > 0 for one in points),
        negative=Share.of(_size(one) < 0 for one in points),
        clear=Share.of(_excludes_zero(one) for one in points),
        reversed_in=_reversed(differences),
    )


def _size(one: Estimate | Difference) -> float:
    assert one.value is not None
    return one.value


def _spread(points: Sequence[Estimate | Difference]) -> Spread | None:
    sizes = [_size(one) for one in points]
    return Spread(min(sizes), float(np.median(sizes)), max(sizes)) if sizes else None


def _excludes_zero(one: Difference) -> bool:
    return one.interval is not None and (one.interval.low > 0 or one.interval.high < 0)


def _reversed(differences: Sequence[Difference]) -> tuple[Specification, ...] | None:
    """Where the order is not that of the first one, in the order of the specifications."""
    reference = differences[0].value
    if not reference:
        return None
    return tuple(one.specification for one in differences if (one.value or 0) * reference < 0)
