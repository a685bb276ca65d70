"""Robustness: does a ranking of models survive another scoring method, subset, tie rule or metric?

Every specification is computed on the problems that all of its models answered, with the same
resamples for all, so that the difference of two models is resampled too. What could not be
computed, or was left out, is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TypeAlias

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics import Direction, Floats, Metric
from horsesense.metrics.answer_sets import Shared, all_tags, share_problems
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
    points = sorted((estimate for estimate in estimates if estimate.value is not None), key=_size)
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
    points = sorted(
        (difference for difference in differences if difference.value is not None), key=_size
    )
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


def _size(one: Estimate | Difference) -> float:
    assert one.value is not None
    return one.value


def _spread(points: Sequence[Estimate | Difference]) -> Spread | None:
    sizes = [_size(point) for point in points]
    return Spread(min(sizes), float(np.median(sizes)), max(sizes)) if sizes else None


def _excludes_zero(difference: Difference) -> bool:
    return difference.interval is not None and (
        difference.interval.low > 0 or difference.interval.high < 0
    )


def _reversed(differences: Sequence[Difference]) -> tuple[Specification, ...] | None:
    """Where the order is not that of the first one, in the order of the specifications."""
    reference = differences[0].value
    if not reference:
        return None
    return tuple(
        difference.specification
        for difference in differences
        if (difference.value or 0) * reference < 0
    )


# From the best to the worst; those that are equal stand together, in the order they were given.
Ranking: TypeAlias = tuple[tuple[str, ...], ...]


ONE_MODEL = "one model makes no ranking"
ALL_EQUAL = "all models are equal, here or in the reference"
NO_REFERENCE = "the reference has no ranking"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one specification.

    `ranking` is None unless all models have a value, and `tau`, Kendall's τ-b with the reference's
    ranking, is None where it is undefined; `reason` says why. `is_few` is true where there are too
    few clusters to trust the intervals. `dropped` problems were not answered by all models.
    """

    specification: Specification
    problems: int
    schemas: int
    clusters: int
    is_few: bool
    dropped: int
    estimates: tuple[Estimate, ...]
    differences: tuple[Difference, ...]
    ranking: Ranking | None
    tau: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class LeftOut:
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
    left_out: tuple[LeftOut, ...]


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
    results: list[Result] = []
    for drawn in _resampled(answer_sets, choices, resamples=resamples, seed=seed):
        results.append(_result(drawn, level, results[0] if results else None))
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
        raise MetricError("an undefined value has no place in a ranking")
    return tuple(
        tuple(name for name, value in values.items() if value == height)
        for height in sorted(set(values.values()), reverse=True)
    )


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's τ-b of two rankings, given as the values that are ranked.

    1 where they order all pairs alike, -1 where they order them the other way round. None where
    it is undefined: with fewer than two values, or where one of the two has only equal ones.

    >>> kendall_tau([0.1, 0.2, 0.3], [0.5, 0.7, 0.6])
    0.3333333333333333
    """
    if len(first) != len(second):
        raise MetricError(f"{len(first)} values against {len(second)}: they do not pair")
    one, other = (_orders(values) for values in (first, second))
    # Each pair is counted twice, above and below the line.
    untied = float((one * one).sum()) * float((other * other).sum())
    return float((one * other).sum()) / float(np.sqrt(untied)) if untied else None


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
        raise MetricError("the rankings are not of the same names")
    return kendall_tau(list(places.values()), [others[name] for name in places])


@dataclass(frozen=True, slots=True, eq=False)
class _Resampled:
    """The values of all models under one specification, and why one may be undefined."""

    specification: Specification
    metric: Metric
    drawn: Mapping[str, Drawn]
    reasons: Mapping[str, str]
    shared: Shared


def _resampled(
    answer_sets: AnswerSets, choices: Choices, *, resamples: int, seed: int
) -> Iterator[_Resampled]:
    """Compute every specification, in their order, with the same resamples for all its models."""
    specifications = iter(choices.specifications())
    tags = all_tags(answer_set for by in answer_sets.values() for answer_set in by.values())
    for setup, subset in product(choices.setups, choices.subsets):
        taken = answer_sets_of(setup, answer_sets)
        shared = share_problems(list(taken.values()), subset, tags)
        samples = {ties: shared.samples(ties) for ties in choices.ties}
        asked = list(product(choices.ties, choices.metrics))
        drawn = draw(
            [(metric, sample) for ties, metric in asked for sample in samples[ties]],
            resamples,
            seed,
        )
        for number, (_, metric) in enumerate(asked):
            here = drawn[number * len(taken) : (number + 1) * len(taken)]
            owners = [model for model, _ in taken]
            yield _Resampled(
                next(specifications),
                metric,
                {
                    model: _best(metric, model, owners, here, shared.clusters)
                    for model in answer_sets
                },
                _reasons(setup, shared, metric, answer_sets),
                shared,
            )


def _best(
    metric: Metric, model: str, owners: Sequence[str], drawn: Sequence[Drawn], clusters: int
) -> Drawn:
    """The values of a model by the best of its methods; NaN where it takes no part."""
    own = [values for owner, values in zip(owners, drawn, strict=True) if owner == model]
    if own:
        return replace(best_of(metric, own), clusters=clusters)
    count = len(drawn[0].values) if drawn else 0
    return Drawn(np.nan, np.full(count, np.nan), clusters)


def _reasons(
    setup: Setup, shared: Shared, metric: Metric, answer_sets: AnswerSets
) -> dict[str, str]:
    """Why the value of each model is undefined, if it is."""
    empty = "" if shared.numbers else "no problem of the subset is answered by all of the models"
    return {
        model: (empty or metric.declared.undefined)
        if setup.methods.get(model)
        else f"there are no answers of {model} in setup {setup.name!r}"
        for model in answer_sets
    }


def _result(resampled: _Resampled, level: float, reference: Result | None) -> Result:
    """The result of a specification; without a reference it is the reference itself."""
    estimates = tuple(
        estimate(
            resampled.metric, drawn, Estimate(resampled.specification, model, reason=reason), level
        )
        for (model, drawn), reason in zip(
            resampled.drawn.items(), resampled.reasons.values(), strict=True
        )
    )
    order, reason = _ranked(resampled.metric, estimates)
    to = order if reference is None else reference.ranking
    tau = ranking_tau(order, to) if order and to else None
    if order and tau is None:
        reason = ALL_EQUAL if to else NO_REFERENCE
    clusters, schemas = resampled.shared.clusters, resampled.shared.schemas
    return Result(
        resampled.specification,
        resampled.shared.problems,
        schemas,
        clusters,
        (min(schemas, clusters) if resampled.metric.counts_schemas else clusters) < FEW_CLUSTERS,
        resampled.shared.dropped,
        estimates,
        tuple(_difference(resampled, *pair, level) for pair in combinations(resampled.drawn, 2)),
        order,
        tau,
        reason,
    )


def _difference(resampled: _Resampled, first: str, second: str, level: float) -> Difference:
    of = Difference(resampled.specification, first, second)
    for model in (first, second):
        if np.isnan(resampled.drawn[model].estimate):
            return replace(of, reason=resampled.reasons[model])
    return difference(resampled.metric, resampled.drawn[first], resampled.drawn[second], of, level)


def _ranked(metric: Metric, estimates: Sequence[Estimate]) -> tuple[Ranking | None, str]:
    """The ranking, or why there is none."""
    if len(estimates) == 1:
        return None, ONE_MODEL
    sign = -1 if metric.declared.direction is Direction.LOWER else 1
    values = {}
    for each in estimates:
        if each.value is None:
            return None, each.reason
        values[each.model] = sign * each.value
    return ranking(values), ""


def _left_out(result: Result) -> Iterator[LeftOut]:
    for each in result.estimates:
        if each.value is None:
            yield LeftOut(result.specification, each.model, each.reason)
    if result.dropped:
        reason = (
            f"{result.dropped} problems are not answered by all models, or not in the subset of all"
        )
        yield LeftOut(result.specification, None, reason)


def _orders(values: Sequence[float]) -> Floats:
    """For each two values 1 where the first is higher, -1 where it is lower, 0 for equal ones."""
    check_readable(values)
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        raise MetricError("an undefined or infinite value has no place in a ranking")
    orders: Floats = np.sign(array[:, None] - array[None, :])
    return orders
