"""How a metric is declared: what is counted of every unit, or which metrics it is computed from.

A unit is a problem, a schema, or a pair of either, before and after. The function under a
decorator reads like the definition of its metric; the result of the decorator is the metric.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from inspect import getdoc
from typing import Any, NotRequired, TypeAlias, TypedDict, Unpack

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.metric import Applies, Columns, Direction, Metric, MetricSpec, ratio
from horsesense.metrics.sample import Answered, Data, Floats, Integers, Paired, Sample

# What counts of every unit; where not all units are counted, also which.
Counted: TypeAlias = Floats | tuple[Floats, Floats]


class Unit(StrEnum):
    """What is counted.

    `SAMPLE` counts problems too, and `CLUSTER` clusters; but then the function is given the whole
    sample, with its marks and what was chosen.
    """

    PROBLEM = "problem"
    SAMPLE = "problem of the whole sample"
    CLUSTER = "cluster"
    SCHEMA = "schema"
    PROBLEM_PAIR = "pair of problems"
    SCHEMA_PAIR = "pair of schemas"


class Declared(TypedDict):
    """What a metric declares, but for what its function tells: see `MetricSpec`."""

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


def share(unit: Unit, **declared: Unpack[Declared]) -> Callable[[Callable[..., Counted]], Metric]:
    """Declare a share of units: the function says what counts, and among what."""

    def declare(count: Callable[..., Counted]) -> Metric:
        def columns(data: Data) -> Floats:
            if declared["applies"] is Applies.PROBLEMS:
                corresponding(only_pair(data))
            units, clusters = _units_of(data, unit)
            counted = count(*units)
            numbers, among = counted if isinstance(counted, tuple) else (counted, None)
            total = np.ones(len(numbers)) if among is None else among
            return by_cluster((numbers, total), clusters, data.cluster_count)

        declaration = _declaration(count, declared)
        counts_schemas = unit in (Unit.SCHEMA, Unit.SCHEMA_PAIR)
        return Metric(declaration, columns, ratio, is_share=True, counts_schemas=counts_schemas)

    return declare


def formula(
    *terms: Columns, counts_schemas: bool = False, **declared: Unpack[Declared]
) -> Callable[[Callable[..., Floats]], Metric]:
    """Declare a value computed from shares: the function takes one array of values for each.

    A term is the `columns` of a share, or that of one side: `before(problem_accuracy)`.
    `counts_schemas` says that these are shares of schemas.
    """

    def declare(compute: Callable[..., Floats]) -> Metric:
        def columns(data: Data) -> Floats:
            return np.hstack([term(data) for term in terms])

        def combine(sums: Floats) -> Floats:
            values = (ratio(sums[..., at : at + 2]) for at in range(0, 2 * len(terms), 2))
            return compute(*values)

        declaration = _declaration(compute, declared)
        return Metric(declaration, columns, combine, is_share=False, counts_schemas=counts_schemas)

    return declare


def before(metric: Metric) -> Columns:
    """What a metric of one sample counts before."""
    return lambda data: metric.columns(only_pair(data).before)


def after(metric: Metric) -> Columns:
    """What a metric of one sample counts after."""
    return lambda data: metric.columns(only_pair(data).after)


def by_cluster(columns: tuple[Floats, ...], clusters: Integers, size: int) -> Floats:
    """The sums of each column in every cluster, (size, number of columns)."""
    # Of no units at all, bincount makes whole numbers.
    sums = [np.bincount(clusters, column, size) for column in columns]
    return np.column_stack(sums).astype(np.float64)


def only_sample(data: Data) -> Sample:
    """The data, which must be one sample."""
    if isinstance(data, Sample):
        return data
    found = "two samples" if isinstance(data, Paired) else "a plain array"
    raise MetricError(f"{found} where one sample is expected; give sample(values)")


def only_pair(data: Data) -> Paired:
    """The data, which must be two samples."""
    if isinstance(data, Paired):
        return data
    found = "one sample" if isinstance(data, Sample) else "a plain array"
    raise MetricError(f"{found} where two are expected; give paired(before, after)")


def corresponding(pair: Paired) -> Integers:
    """Which problems correspond; an error where only schemas do."""
    if pair.problems is None:
        raise MetricError("no problem corresponds to another; only the schemas do")
    return pair.problems


def _units_of(data: Data, unit: Unit) -> tuple[tuple[Answered | Sample, ...], Integers]:
    """The units of the data, before and after where there are pairs, and their clusters."""
    if unit in (Unit.PROBLEM, Unit.SAMPLE):
        one = only_sample(data)
        return (one.problems if unit is Unit.PROBLEM else one,), one.clusters
    if unit is Unit.CLUSTER:
        return (only_sample(data),), np.arange(data.cluster_count)
    if unit is Unit.SCHEMA:
        one = only_sample(data)
        return (one.in_schemas,), one.schema_clusters
    pair = only_pair(data)
    if unit is Unit.SCHEMA_PAIR:
        old, new = pair.schemas.T
        schemas = pair.before.in_schemas[old], pair.after.in_schemas[new]
        return schemas, pair.before.schema_clusters[old]
    old, new = corresponding(pair).T
    return (pair.before.problems[old], pair.after.problems[new]), pair.before.clusters[old]


def _declaration(function: Callable[..., Any], declared: Declared) -> MetricSpec:
    """What is declared, under the function's name; its docstring's first line is the title."""
    name = function.__name__.replace("_", "-")
    doc = getdoc(function) or ""
    title = doc.split("\n")[0].removesuffix(".")
    return MetricSpec(name=name, title=title, doc=doc, **declared)
