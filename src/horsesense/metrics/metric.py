"""Metrics: their specification, and how they are computed.

A metric counts a few columns in each cluster, and its value is computed from the sums of these. So
the same code computes it for a sample and for ten thousand resamples at once.

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
    """The data that a metric is computed from."""

    DATASET = "dataset"
    OUTCOMES = "outcomes"
    PROBLEMS = "problem transformation"
    SCHEMAS = "problem or schema transformation"
    CONTROL = "control"


class Direction(StrEnum):
    """Whether a higher or lower value is better."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a metric that is not a share; None with a reason if it is undefined."""

    value: float | None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSpec:
    """The name, title, equation and properties of a metric.

    `chance` is the expected value of guessing, or None if it depends on the data. `is_symmetric` is
    None for metrics of one sample. `undefined` says when there is no value. `doc` is the docstring
    of the function that counts, with an example.
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
    """A metric: a function of plain arrays or samples, with its specification.

    `columns` counts something in each cluster; `combine` computes values from sums of these columns
    along the last axis, NaN where undefined. The two columns of a share are the count and the
    total. `counts_schemas` is true if it counts schemas, and so ignores clusters without one.
    """

    declared: MetricSpec
    columns: Columns
    combine: Combine
    is_share: bool
    counts_schemas: bool = False

    @property
    def name(self) -> str:
        """The name of the metric."""
        return self.declared.name

    @property
    def is_paired(self) -> bool:
        """Whether it compares two samples, before and after."""
        return self.declared.applies not in (Applies.DATASET, Applies.OUTCOMES)

    def __call__(self, *values: Pairable, ties: Rule | None = None) -> Share | Value:
        """Compute the metric of a sample, or of two, before and after.

        Plain arrays hold True, False, and None for undecided, which count by the rule `ties`
        (default: failed). Samples already have a rule.
        """
        if self.is_share:
            return self.share(*values, ties=ties)
        sums = self.columns(self.data(*values, ties=ties)).sum(axis=0)
        value = float(self.combine(sums))
        return Value(None, self.declared.undefined) if np.isnan(value) else Value(value)

    def share(self, *values: Pairable, ties: Rule | None = None) -> Share:
        """Compute a metric that is a share; raise an error if it is not."""
        if not self.is_share:
            raise MetricError(f"{self.name} is not a share")
        sums = self.columns(self.data(*values, ties=ties)).sum(axis=0)
        return Share(*map(_whole, sums.tolist()))

    def data(self, *values: Pairable, ties: Rule | None = None) -> Data:
        """Convert the values to the samples that the metric takes; check their number."""
        if self.is_paired:
            return as_paired(*values, ties=ties)
        if len(values) != 1:
            raise MetricError(f"{self.name} takes one sample, and was given {len(values)}")
        return as_sample(values[0], ties)


def ratio(sums: Floats) -> Floats:
    """Divide the first column by the second; NaN where nothing was counted."""
    return divided(sums[..., 0], sums[..., 1])


def divided(above: Floats, below: Floats) -> Floats:
    """Divide two arrays; NaN where the divisor is zero."""
    result: Floats = np.full(np.broadcast(above, below).shape, np.nan)
    return np.divide(above, below, out=result, where=np.asarray(below) != 0)


def _whole(count: float) -> float:
    """Return a count as an int, unless something counted half."""
    return int(count) if count.is_integer() else count
