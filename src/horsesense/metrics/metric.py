"""Metrics: what each declares of itself, and how it is counted.

A metric is counted cluster by cluster, in a few columns, and computed from the sums of these. So
the same few lines give the metric of a sample and that of ten thousand resamples at once.

Metrics are shares in [0, 1] or differences of shares, and most are better when higher. A score is
a cost, and better when lower; no metric is a score.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.sample import Data, Floats, Pairable, Rule, as_paired, as_sample
from horsesense.scoring import Share

Columns: TypeAlias = Callable[[Data], Floats]
Combine: TypeAlias = Callable[[Floats], Floats]


class Applies(StrEnum):
    """What a metric is a metric of."""

    DATASET = "dataset"
    OUTCOMES = "outcomes"
    PROBLEMS = "problem transformation"
    SCHEMAS = "problem or schema transformation"
    CONTROL = "control"


class Direction(StrEnum):
    """Which way a metric is better."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Value:
    """What a metric that is no share comes to; None where it is undefined, with the reason."""

    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSpec:
    """What a metric says of itself.

    `chance` is what guessing gives on average, None where that depends on the rest.
    `is_symmetric` is None for metrics of one sample. `undefined` says when there is no value.
    `doc` is the docstring of the function that counts, with an example.
    """

    name: str
    symbol: str
    title: str
    equation: str
    source: str
    applies: Applies
    undefined: str
    direction: Direction = Direction.HIGHER
    is_symmetric: bool | None = None
    bounds: tuple[float, float] = (0.0, 1.0)
    chance: float | None = None
    remark: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: a function of plain arrays or samples, with what it declares.

    `columns` counts something in each cluster; `combine` makes values of sums of these columns,
    along the last axis, and NaN of what is undefined. The two columns of a share are what counts,
    and what it is counted among. `counts_schemas` is true where it counts schemas, and so nothing
    in a cluster that has none.
    """

    declared: MetricSpec
    columns: Columns
    combine: Combine
    is_share: bool
    counts_schemas: bool = False

    @property
    def name(self) -> str:
        """What it is called."""
        return self.declared.name

    @property
    def is_paired(self) -> bool:
        """True where it compares two samples, before and after."""
        return self.declared.applies not in (Applies.DATASET, Applies.OUTCOMES)

    def __call__(self, *values: Pairable, ties: Rule | None = None) -> Share | Value:
        """The metric of a sample, or of two, before and after.

        Plain arrays hold True, False, and None for undecided, for which `ties` is the rule, if not
        failed; samples have been made with one.
        """
        if self.is_share:
            return self.share(*values, ties=ties)
        sums = self.columns(self.data(*values, ties=ties)).sum(axis=0)
        value = float(self.combine(sums))
        return Value(None, self.declared.undefined) if np.isnan(value) else Value(value)

    def share(self, *values: Pairable, ties: Rule | None = None) -> Share:
        """The same for a metric that is a share."""
        if not self.is_share:
            raise MetricError(f"{self.name} is no share")
        sums = self.columns(self.data(*values, ties=ties)).sum(axis=0)
        return Share(*map(_whole, sums.tolist()))

    def data(self, *values: Pairable, ties: Rule | None = None) -> Data:
        """The values as what the metric takes; an error where there are too few or too many."""
        if self.is_paired:
            return as_paired(*values, ties=ties)
        if len(values) != 1:
            raise MetricError(f"{self.name} takes one sample, and was given {len(values)}")
        return as_sample(values[0], ties)


def ratio(sums: Floats) -> Floats:
    """The first column over the second; NaN where nothing was counted."""
    return divided(sums[..., 0], sums[..., 1])


def divided(above: Floats, below: Floats) -> Floats:
    """One divided by the other; NaN where the other is zero."""
    result: Floats = np.full(np.broadcast(above, below).shape, np.nan)
    return np.divide(above, below, out=result, where=np.asarray(below) != 0)


def _whole(count: float) -> float:
    """A count as a whole number, unless something counted half."""
    return int(count) if count.is_integer() else count
