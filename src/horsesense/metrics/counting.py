"""Decorators that define metrics: shares of counted units, and formulas of such shares.

A unit is a problem, a schema, or a pair of either, before and after. The function under a
decorator reads like the definition of its metric, and the decorator turns it into the metric.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from inspect import getdoc
from typing import Any, NotRequired, TypeAlias, TypedDict, Unpack

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.metric import Applies, Columns, Direction, Metric, MetricSpec, ratio
from horsesense.metrics.sample import Data, Floats, Integers, Outcomes, Paired, Sample

# How much of every unit counts; if not all units are counted, also which.
Counted: TypeAlias = Floats | tuple[Floats, Floats]


class Unit(StrEnum):
    """The units that a share counts.

    `SAMPLE` counts problems and `CLUSTER` clusters, but the function gets the whole sample, with
    its marks and chosen options.
    """

    PROBLEM = "problem"
    SAMPLE = "problem of the whole sample"
    CLUSTER = "cluster"
    SCHEMA = "schema"
    PROBLEM_PAIR = "pair of problems"
    SCHEMA_PAIR = "pair of schemas"


class MetricFields(TypedDict):
    """The fields of `MetricSpec` that do not come from the name and docstring of the function."""

    symbol: str
    equation: str
    source: str
    applies: Applies
    undefined: str
    direction: NotRequired[Direction]
    is_symmetric: NotRequired[bool]
    bounds: NotRequired[tuple[float, float]]
    chance: NotRequired[float]
    remark: NotRequired[str]


def share(
    unit: Unit, **declared: Unpack[MetricFields]
) -> Callable[[Callable[..., Counted]], Metric]:
    """Define a share of units: the function returns what counts, and optionally among what."""

    def declare(count: Callable[..., Counted]) -> Metric:
        def columns(data: Data) -> Floats:
            if declared["applies"] is Applies.PROBLEMS:
                corresponding(only_pair(data))
            units, clusters = _units_of(data, unit)
            counted = count(*units)
            numbers, among = counted if isinstance(counted, tuple) else (counted, None)
            total = np.ones(len(numbers)) if among is None else among
            return by_cluster((numbers, total), clusters, data.cluster_count)

        spec = _spec(count, declared)
        counts_schemas = unit in (Unit.SCHEMA, Unit.SCHEMA_PAIR)
        return Metric(spec, columns, ratio, is_share=True, counts_schemas=counts_schemas)

    return declare


def formula(
    *terms: Columns, counts_schemas: bool = False, **declared: Unpack[MetricFields]
) -> Callable[[Callable[..., Floats]], Metric]:
    """Define a value computed from shares: the function takes an array of values for each share.

    A term is the `columns` of a share, or that of one side: `before(problem_accuracy)`.
    `counts_schemas` is true if these are shares of schemas.
    """

    def declare(compute: Callable[..., Floats]) -> Metric:
        def columns(data: Data) -> Floats:
            return np.hstack([term(data) for term in terms])

        def combine(sums: Floats) -> Floats:
            starts = range(0, 2 * len(terms), 2)
            values = (ratio(sums[..., start : start + 2]) for start in starts)
            return compute(*values)

        spec = _spec(compute, declared)
        return Metric(spec, columns, combine, is_share=False, counts_schemas=counts_schemas)

    return declare


def before(metric: Metric) -> Columns:
    """Return the columns of a metric of one sample, for the sample before."""
    return lambda data: metric.columns(only_pair(data).before)


def after(metric: Metric) -> Columns:
    """Return the columns of a metric of one sample, for the sample after."""
    return lambda data: metric.columns(only_pair(data).after)


def by_cluster(columns: tuple[Floats, ...], clusters: Integers, size: int) -> Floats:
    """Sum each column in every cluster; the shape is (size, number of columns)."""
    # Without any units, bincount returns whole numbers.
    sums = [np.bincount(clusters, column, size) for column in columns]
    return np.column_stack(sums).astype(np.float64)


def only_sample(data: Data) -> Sample:
    """Return the data; raise an error unless they are one sample."""
    if isinstance(data, Sample):
        return data
    kind = "two samples" if isinstance(data, Paired) else "a plain array"
    raise MetricError(f"{kind} where one sample is expected; give sample(values)")


def only_pair(data: Data) -> Paired:
    """Return the data; raise an error unless they are two samples."""
    if isinstance(data, Paired):
        return data
    kind = "one sample" if isinstance(data, Sample) else "a plain array"
    raise MetricError(f"{kind} where two are expected; give paired(before, after)")


def corresponding(pair: Paired) -> Integers:
    """Return which problems correspond; raise an error if only schemas do."""
    if pair.problems is None:
        raise MetricError("no problem corresponds to another; only the schemas do")
    return pair.problems


def _units_of(data: Data, unit: Unit) -> tuple[tuple[Outcomes | Sample, ...], Integers]:
    """Return the units of the data (before and after, if they are pairs) and their clusters."""
    if unit in (Unit.PROBLEM, Unit.SAMPLE):
        sample = only_sample(data)
        return (sample.problems if unit is Unit.PROBLEM else sample,), sample.clusters
    if unit is Unit.CLUSTER:
        return (only_sample(data),), np.arange(data.cluster_count)
    if unit is Unit.SCHEMA:
        sample = only_sample(data)
        return (sample.in_schemas,), sample.schema_clusters
    pair = only_pair(data)
    if unit is Unit.SCHEMA_PAIR:
        old, new = pair.schemas.T
        schemas = pair.before.in_schemas[old], pair.after.in_schemas[new]
        return schemas, pair.before.schema_clusters[old]
    old, new = corresponding(pair).T
    return (pair.before.problems[old], pair.after.problems[new]), pair.before.clusters[old]


def _spec(function: Callable[..., Any], declared: MetricFields) -> MetricSpec:
    """Name the metric after the function; the first line of its docstring is the title."""
    name = function.__name__.replace("_", "-")
    doc = getdoc(function) or ""
    title = doc.split("\n")[0].removesuffix(".")
    return MetricSpec(name=name, title=title, doc=doc, **declared)
