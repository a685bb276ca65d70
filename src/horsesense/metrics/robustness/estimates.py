"""Estimates and differences of models under one specification, with what resampling says of them.

Intervals are those that `bootstrap`, `bootstrap_best` and `bootstrap_difference` give, digit by
digit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from horsesense.metrics import Direction
from horsesense.metrics.robustness.resampled import Resampled
from horsesense.metrics.robustness.specification import Specification
from horsesense.metrics.statistics import Drawn, Interval, bootstrapped


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a metric comes to for a model under a specification.

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


def estimate(one: Resampled, at: int, level: float) -> Estimate:
    """What the metric comes to for the model at that position.

    >>> from horsesense.scoring.outcome import Sheet
    >>> from horsesense.metrics.robustness.resampled import resampled
    >>> from horsesense.metrics.robustness.specification import Choices, same_method
    >>> sheets = {"ant": {"full": Sheet("run 1", (), ())}}
    >>> choices = Choices(setups=[same_method(sheets, "full")])
    >>> estimate(next(resampled(sheets, choices, resamples=9, seed=0)), 0, 0.95).reason
    'no problem of the subset is answered by all of the models'
    """
    drawn = Drawn(float(one.observed[at]), one.drawn[:, at], one.clusters, one.counted[at])
    found = bootstrapped(one.metric, drawn, level)
    return Estimate(
        one.specification,
        one.models[at],
        found.estimate,
        found.interval,
        found.undefined,
        reason=one.reasons[at] if found.estimate is None else "",
        no_interval=found.no_interval,
    )


def difference(one: Resampled, first: int, second: int, level: float) -> Difference:
    """By how much the model at the first position is better than the one at the second.

    >>> from horsesense.scoring.outcome import Answer, Sheet, decide
    >>> from horsesense.metrics.robustness.resampled import resampled
    >>> from horsesense.metrics.robustness.specification import Choices, best_methods
    >>> good, bad = (Sheet("", (Answer("w1", 1, decide(one, 0)),), ()) for one in [(1, 2), (2, 1)])
    >>> sheets = {"ant": {"full": bad}, "bee": {"full": good}}
    >>> found = resampled(sheets, Choices(setups=[best_methods(sheets)]), resamples=9, seed=0)
    >>> difference(next(found), 0, 1, 0.95).value
    -1.0
    """
    names = one.models[first], one.models[second]
    for at in (first, second):
        if np.isnan(one.observed[at]):
            return Difference(one.specification, *names, reason=one.reasons[at])
    is_lower_better = one.metric.declared.direction is Direction.LOWER
    up, down = (second, first) if is_lower_better else (first, second)
    value, drawn = (each[..., up] - each[..., down] for each in (one.observed, one.drawn))
    taken = Drawn(float(value), drawn, one.clusters)
    found = bootstrapped(one.metric, taken, level)
    ahead = behind = holds = None
    if taken.defined.size:
        ahead, behind = (float(np.mean(sign * taken.defined > 0)) for sign in (1, -1))
        holds = (ahead if value > 0 else behind) if value else None
    return Difference(
        one.specification,
        *names,
        found.estimate,
        found.interval,
        ahead=ahead,
        behind=behind,
        holds=holds,
        undefined=found.undefined,
        no_interval=found.no_interval,
    )
