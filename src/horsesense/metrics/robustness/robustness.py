"""Robustness: does a ranking of models survive another scoring method, subset, tie rule or metric?

A specification is one choice of each. It is computed on the problems that all models answered, with
the same resamples for all, so the difference of two models is resampled too. Differences come from
the same bootstrap as in `horsesense.metrics.statistics.compare`; they are not tested, and the best
of several methods is chosen anew in each resample. What is left out is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Direction, Floats, Metric
from horsesense.metrics.answer_sets import SharedProblems, all_tags, share_problems
from horsesense.metrics.robustness.specification import (
    AnswerSets,
    Choices,
    Setup,
    Specification,
    answer_sets_of,
)
from horsesense.metrics.sample import check_readable
from horsesense.metrics.statistics import (
    FEW_CLUSTERS,
    LEVEL,
    RESAMPLES,
    SEED,
    Drawn,
    Interval,
    best_of,
    bootstrapped,
    draw,
)
from horsesense.scoring import Share


@dataclass(frozen=True, slots=True)
class ModelPoint:
    """A point of a model's curve: the value of a metric under a specification.

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
class PairPoint:
    """A point of a pair's curve: by how much the first model is better under a specification.

    It is positive if the first is better, also for metrics that are better when lower. `ahead` and
    `behind` are the shares of resamples in which the first is better and worse. `holds` is the
    share of resamples with the observed order, or None if the two are equal.
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

    `spread` is None if no estimate is defined.
    """

    model: str
    points: tuple[ModelPoint, ...]
    spread: Spread | None


@dataclass(frozen=True, slots=True)
class PairCurve:
    """The differences of two models from the lowest to the highest, where they are defined.

    `positive` and `negative` count the specifications in which the first is better and worse, and
    `clear` those whose interval excludes 0. `reversed_in` are those that put the two in the
    opposite order of the reference; None if they are equal in the reference.
    """

    first: str
    second: str
    points: tuple[PairPoint, ...]
    spread: Spread | None
    positive: Share
    negative: Share
    clear: Share
    reversed_in: tuple[Specification, ...] | None


def model_point(
    specification: Specification,
    model: str,
    metric: Metric,
    drawn: Drawn,
    level: float,
    reason: str,
) -> ModelPoint:
    """Return the value of the metric for a model; `reason` says why it may be undefined.

    >>> from horsesense.metrics import Ties, problem_accuracy
    >>> specification = Specification("full", "all", Ties.FAILED, "problem-accuracy")
    >>> nothing = Drawn(float("nan"), np.empty(0), 0)
    >>> model_point(specification, "ant", problem_accuracy, nothing, 0.95, "no answer").reason
    'no answer'
    """
    result = bootstrapped(metric, drawn, level)
    return ModelPoint(
        specification,
        model,
        value=result.estimate,
        interval=result.interval,
        undefined=result.undefined,
        reason=reason if result.estimate is None else "",
        no_interval=result.no_interval,
    )


def pair_point(
    specification: Specification,
    names: tuple[str, str],
    metric: Metric,
    first: Drawn,
    second: Drawn,
    level: float,
) -> PairPoint:
    """Return by how much the first model is better than the second; both must have a value.

    >>> from horsesense.metrics import Ties, problem_accuracy
    >>> specification = Specification("full", "all", Ties.FAILED, "problem-accuracy")
    >>> bad, good = Drawn(0.0, np.zeros(9), 9), Drawn(1.0, np.ones(9), 9)
    >>> pair_point(specification, ("ant", "bee"), problem_accuracy, bad, good, 0.95).value
    -1.0
    """
    is_lower_better = metric.declared.direction is Direction.LOWER
    drawn = second.minus(first) if is_lower_better else first.minus(second)
    result, value = bootstrapped(metric, drawn, level), drawn.estimate
    ahead = behind = holds = None
    if drawn.defined.size:
        ahead, behind = (float(np.mean(sign * drawn.defined > 0)) for sign in (1, -1))
        holds = (ahead if value > 0 else behind) if value else None
    return PairPoint(
        specification,
        *names,
        value=result.estimate,
        interval=result.interval,
        ahead=ahead,
        behind=behind,
        holds=holds,
        undefined=result.undefined,
        no_interval=result.no_interval,
    )


def model_curve(estimates: Sequence[ModelPoint]) -> ModelCurve:
    """Sort the estimates of a model; equal ones keep their order.

    >>> from horsesense.metrics import Ties
    >>> full = Specification("full", "all", Ties.FAILED, "a")
    >>> partial = replace(full, setup="partial")
    >>> curve = model_curve([ModelPoint(full, "ant", 0.75), ModelPoint(partial, "ant", 0.5)])
    >>> [point.specification.setup for point in curve.points], curve.spread.median
    (['partial', 'full'], 0.625)
    """
    points = sorted((point for point in estimates if point.value is not None), key=_size)
    return ModelCurve(estimates[0].model, tuple(points), _spread(points))


def pair_curve(differences: Sequence[PairPoint]) -> PairCurve:
    """Sort the differences of two models, of which the first is the reference's.

    >>> from horsesense.metrics import Ties
    >>> values = {"full": 0.25, "partial": -0.5}
    >>> specifications = {name: Specification(name, "all", Ties.FAILED, "a") for name in values}
    >>> points = [PairPoint(specifications[name], "ant", "bee", values[name]) for name in values]
    >>> curve = pair_curve(points)
    >>> curve.positive.value, [specification.setup for specification in curve.reversed_in]
    (0.5, ['partial'])
    """
    points = sorted((point for point in differences if point.value is not None), key=_size)
    return PairCurve(
        differences[0].first,
        differences[0].second,
        tuple(points),
        _spread(points),
        positive=Share.of(_size(point) > 0 for point in points),
        negative=Share.of(_size(point) < 0 for point in points),
        clear=Share.of(_excludes_zero(point) for point in points),
        reversed_in=_reversed(differences),
    )


def _size(point: ModelPoint | PairPoint) -> float:
    assert point.value is not None
    return point.value


def _spread(points: Sequence[ModelPoint | PairPoint]) -> Spread | None:
    sizes = [_size(point) for point in points]
    return Spread(min(sizes), float(np.median(sizes)), max(sizes)) if sizes else None


def _excludes_zero(point: PairPoint) -> bool:
    return point.interval is not None and (point.interval.low > 0 or point.interval.high < 0)


def _reversed(differences: Sequence[PairPoint]) -> tuple[Specification, ...] | None:
    """Return the specifications with the opposite order of the first one."""
    reference = differences[0].value
    if not reference:
        return None
    return tuple(point.specification for point in differences if (point.value or 0) * reference < 0)


# From the best to the worst; equal models are in one group, in the order of the arguments.
Ranking: TypeAlias = tuple[tuple[str, ...], ...]


ONE_MODEL = "a ranking needs at least two models"
ALL_EQUAL = "all models are equal, here or in the reference"
NO_REFERENCE = "the reference has no ranking"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one specification.

    `ranking` is None unless all models have a value. `tau` is Kendall's τ-b with the ranking of the
    reference, or None if it is undefined; `reason` says why. `is_few` is true if there are too few
    clusters to trust the intervals. `dropped` problems were not answered by all models.
    """

    specification: Specification
    problems: int
    schemas: int
    clusters: int
    is_few: bool
    dropped: int
    estimates: tuple[ModelPoint, ...]
    differences: tuple[PairPoint, ...]
    ranking: Ranking | None
    tau: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Omission:
    """Something missing under a specification, and why: a model, or problems of all models."""

    specification: Specification
    model: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Robustness:
    """The same models under all specifications, of which the first is the reference.

    `top` are the models that lead the reference's ranking, usually one, and `stays_top` is the
    share of the other rankings that the same models lead.
    """

    models: tuple[str, ...]
    resamples: int
    seed: int
    level: float
    results: tuple[Result, ...]
    model_curves: tuple[ModelCurve, ...]
    pair_curves: tuple[PairCurve, ...]
    top: tuple[str, ...]
    stays_top: Share
    left_out: tuple[Omission, ...]


def robustness(
    answer_sets: AnswerSets,
    choices: Choices,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Robustness:
    """Rank the models under every specification, and compare the rankings.

    >>> from horsesense.scoring import Answer, AnswerSet, decide
    >>> from horsesense.metrics.robustness.specification import same_method
    >>> outcomes = [decide((1, 2), right=0), decide((2, 1), right=0)]
    >>> good, bad = (AnswerSet("", (Answer("w1", 1, outcome),), ()) for outcome in outcomes)
    >>> models = {"ant": {"full": bad}, "bee": {"full": good}}
    >>> robustness(models, Choices(setups=[same_method(models, "full")])).top
    ('bee',)
    """
    if not answer_sets:
        raise MetricError("no model to rank; give the answers of at least one")
    results = list(_results(answer_sets, choices, resamples=resamples, seed=seed, level=level))
    top = results[0].ranking[0] if results[0].ranking else ()
    others = [result.ranking for result in results[1:] if result.ranking and top]
    return Robustness(
        models=tuple(answer_sets),
        resamples=resamples,
        seed=seed,
        level=level,
        results=tuple(results),
        model_curves=tuple(
            map(model_curve, zip(*(result.estimates for result in results), strict=True))
        ),
        pair_curves=tuple(
            map(pair_curve, zip(*(result.differences for result in results), strict=True))
        ),
        top=top,
        stays_top=Share.of(set(other[0]) == set(top) for other in others),
        left_out=tuple(missing for result in results for missing in _left_out(result)),
    )


def ranking(values: Mapping[str, float]) -> Ranking:
    """Rank by value, the highest first.

    >>> ranking({"ant": 0.5, "bee": 0.75, "cow": 0.5})
    (('bee',), ('ant', 'cow'))
    """
    if any(np.isnan(value) for value in values.values()):
        raise MetricError("an undefined value cannot be ranked")
    return tuple(
        tuple(name for name, value in values.items() if value == height)
        for height in sorted(set(values.values()), reverse=True)
    )


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's τ-b of two rankings, given as the values that are ranked.

    It is 1 if they order all pairs alike, -1 if they order all pairs the opposite way, and None if
    it is undefined: with fewer than two values, or if one of the two has only equal ones.

    >>> kendall_tau([0.1, 0.2, 0.3], [0.5, 0.7, 0.6])
    0.3333333333333333
    """
    if len(first) != len(second):
        raise MetricError(f"{len(first)} values against {len(second)}; they cannot be paired")
    orders, other_orders = _orders(first), _orders(second)
    # Each pair is counted twice, above and below the diagonal.
    untied = float((orders * orders).sum()) * float((other_orders * other_orders).sum())
    return float((orders * other_orders).sum()) / float(np.sqrt(untied)) if untied else None


def ranking_tau(ranking: Ranking, other: Ranking) -> float | None:
    """Kendall's τ-b of two rankings of the same names.

    >>> ranking_tau((("ant",), ("bee",)), (("bee",), ("ant",)))
    -1.0
    """
    places, others = (
        {name: -place for place, group in enumerate(each) for name in group}
        for each in (ranking, other)
    )
    if places.keys() != others.keys():
        raise MetricError("the rankings have different names")
    return kendall_tau(list(places.values()), [others[name] for name in places])


def _results(
    answer_sets: AnswerSets, choices: Choices, *, resamples: int, seed: int, level: float
) -> Iterator[Result]:
    """Compute every specification, in their order, with the same resamples for all its models."""
    reference = None
    specifications = iter(choices.specifications())
    tags = all_tags(answer_set for by in answer_sets.values() for answer_set in by.values())
    for setup, subset in product(choices.setups, choices.subsets):
        taken = answer_sets_of(setup, answer_sets)
        shared = share_problems(list(taken.values()), subset, tags)
        samples = {ties: shared.samples(ties) for ties in choices.ties}
        requests = list(product(choices.ties, choices.metrics))
        all_drawn = draw(
            [(metric, sample) for ties, metric in requests for sample in samples[ties]],
            resamples,
            seed,
        )
        owners = [model for model, _ in taken]
        for number, (_, metric) in enumerate(requests):
            own_draws = all_drawn[number * len(taken) : (number + 1) * len(taken)]
            drawn = {
                model: _best(metric, model, owners, own_draws, shared.clusters)
                for model in answer_sets
            }
            reasons = _reasons(setup, shared, metric, answer_sets)
            specification = next(specifications)
            estimates = tuple(
                model_point(specification, model, metric, drawn[model], level, reasons[model])
                for model in drawn
            )
            differences = tuple(
                _difference(specification, pair, metric, drawn, level, reasons)
                for pair in combinations(drawn, 2)
            )
            result = _result(specification, metric, shared, estimates, differences, reference)
            reference = reference or result
            yield result


def _best(
    metric: Metric, model: str, owners: Sequence[str], drawn: Sequence[Drawn], clusters: int
) -> Drawn:
    """Return the values of a model by its best method; NaN if it takes no part."""
    own = [values for owner, values in zip(owners, drawn, strict=True) if owner == model]
    if own:
        return replace(best_of(metric, own), clusters=clusters)
    count = len(drawn[0].values) if drawn else 0
    return Drawn(np.nan, np.full(count, np.nan), clusters)


def _reasons(
    setup: Setup, shared: SharedProblems, metric: Metric, answer_sets: AnswerSets
) -> dict[str, str]:
    """Return the reason for each model that applies if its value is undefined."""
    empty = "" if shared.numbers else "no problem of the subset is answered by all of the models"
    return {
        model: (empty or metric.declared.undefined)
        if setup.methods.get(model)
        else f"there are no answers of {model} in setup {setup.name!r}"
        for model in answer_sets
    }


def _result(
    specification: Specification,
    metric: Metric,
    shared: SharedProblems,
    estimates: tuple[ModelPoint, ...],
    differences: tuple[PairPoint, ...],
    reference: Result | None,
) -> Result:
    """Rank the models under a specification; without a reference it is the reference."""
    order, reason = _ranked(metric, estimates)
    reference_order = order if reference is None else reference.ranking
    tau = ranking_tau(order, reference_order) if order and reference_order else None
    if order and tau is None:
        reason = ALL_EQUAL if reference_order else NO_REFERENCE
    clusters, schemas = shared.clusters, shared.schemas
    return Result(
        specification,
        shared.problems,
        schemas,
        clusters,
        (min(schemas, clusters) if metric.counts_schemas else clusters) < FEW_CLUSTERS,
        shared.dropped,
        estimates,
        differences,
        order,
        tau,
        reason,
    )


def _difference(
    specification: Specification,
    pair: tuple[str, str],
    metric: Metric,
    drawn: Mapping[str, Drawn],
    level: float,
    reasons: Mapping[str, str],
) -> PairPoint:
    for model in pair:
        if np.isnan(drawn[model].estimate):
            return PairPoint(specification, *pair, reason=reasons[model])
    first, second = pair
    return pair_point(specification, pair, metric, drawn[first], drawn[second], level)


def _ranked(metric: Metric, estimates: Sequence[ModelPoint]) -> tuple[Ranking | None, str]:
    """Return the ranking, or why there is none."""
    if len(estimates) == 1:
        return None, ONE_MODEL
    sign = -1 if metric.declared.direction is Direction.LOWER else 1
    values = {}
    for point in estimates:
        if point.value is None:
            return None, point.reason
        values[point.model] = sign * point.value
    return ranking(values), ""


def _left_out(result: Result) -> Iterator[Omission]:
    for point in result.estimates:
        if point.value is None:
            yield Omission(result.specification, point.model, point.reason)
    if result.dropped:
        reason = (
            f"{result.dropped} problems are not answered by all models, or not in the subset of all"
        )
        yield Omission(result.specification, None, reason)


def _orders(values: Sequence[float]) -> Floats:
    """Return for each pair of values 1, -1 or 0 if the first is higher, lower or equal."""
    check_readable(values)
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        raise MetricError("an undefined or infinite value cannot be ranked")
    orders: Floats = np.sign(array[:, None] - array[None, :])
    return orders
