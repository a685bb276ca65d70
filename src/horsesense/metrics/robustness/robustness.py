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
from horsesense.metrics.answered import check_readable
from horsesense.metrics.robustness.curves import (
    Difference,
    Estimate,
    ModelCurve,
    PairCurve,
    difference,
    estimate,
    model_curve,
    pair_curve,
)
from horsesense.metrics.robustness.specification import (
    Choices,
    Setup,
    Sheets,
    Specification,
    sheets_of,
)
from horsesense.metrics.sheets import Shared, all_tags, share_problems
from horsesense.metrics.statistics import (
    FEW_CLUSTERS,
    LEVEL,
    RESAMPLES,
    SEED,
    Drawn,
    best_of,
    draw,
)
from horsesense.scoring import Share

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
    sheets: Sheets,
    choices: Choices,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Robustness:
    """Rank the models under every specification, and compare the rankings.

    >>> from horsesense.scoring import Answer, Sheet, decide
    >>> from horsesense.metrics.robustness.specification import same_method
    >>> good, bad = (Sheet("", (Answer("w1", 1, decide(one, 0)),), ()) for one in [(1, 2), (2, 1)])
    >>> models = {"ant": {"full": bad}, "bee": {"full": good}}
    >>> robustness(models, Choices(setups=[same_method(models, "full")])).top
    ('bee',)
    """
    if not sheets:
        raise MetricError("no model to rank; give the answer sheets of at least one")
    results: list[Result] = []
    for drawn in _resampled(sheets, choices, resamples=resamples, seed=seed):
        results.append(_result(drawn, level, results[0] if results else None))
    top = results[0].ranking[0] if results[0].ranking else ()
    others = [one.ranking for one in results[1:] if one.ranking and top]
    return Robustness(
        models=tuple(sheets),
        resamples=resamples,
        seed=seed,
        level=level,
        results=tuple(results),
        model_curves=tuple(map(model_curve, zip(*(one.estimates for one in results), strict=True))),
        pair_curves=tuple(map(pair_curve, zip(*(one.differences for one in results), strict=True))),
        top=top,
        stays_top=Share.of(set(one[0]) == set(top) for one in others),
        left_out=tuple(missing for one in results for missing in _left_out(one)),
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


def ranking_tau(one: Ranking, other: Ranking) -> float | None:
    """Kendall's τ-b of two rankings of the same names.

    >>> ranking_tau((("ant",), ("bee",)), (("bee",), ("ant",)))
    -1.0
    """
    places, others = (
        {name: -place for place, group in enumerate(each) for name in group}
        for each in (one, other)
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
    sheets: Sheets, choices: Choices, *, resamples: int, seed: int
) -> Iterator[_Resampled]:
    """Compute every specification, in their order, with the same resamples for all its models."""
    specifications = iter(choices.specifications())
    tags = all_tags(sheet for by in sheets.values() for sheet in by.values())
    for setup, subset in product(choices.setups, choices.subsets):
        taken = sheets_of(setup, sheets)
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
                {model: _best(metric, model, owners, here, shared.clusters) for model in sheets},
                _reasons(setup, shared, metric, sheets),
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


def _reasons(setup: Setup, shared: Shared, metric: Metric, sheets: Sheets) -> dict[str, str]:
    """Why the value of each model is undefined, if it is."""
    empty = "" if shared.numbers else "no problem of the subset is answered by all of the models"
    return {
        model: (empty or metric.declared.undefined)
        if setup.methods.get(model)
        else f"there are no answers of {model} in setup {setup.name!r}"
        for model in sheets
    }


def _result(one: _Resampled, level: float, reference: Result | None) -> Result:
    """The result of a specification; without a reference it is the reference itself."""
    estimates = tuple(
        estimate(one.metric, drawn, Estimate(one.specification, model, reason=reason), level)
        for (model, drawn), reason in zip(one.drawn.items(), one.reasons.values(), strict=True)
    )
    order, reason = _ranked(one.metric, estimates)
    to = order if reference is None else reference.ranking
    tau = ranking_tau(order, to) if order and to else None
    if order and tau is None:
        reason = ALL_EQUAL if to else NO_REFERENCE
    clusters, schemas = one.shared.clusters, one.shared.schemas
    return Result(
        one.specification,
        one.shared.problems,
        schemas,
        clusters,
        (min(schemas, clusters) if one.metric.counts_schemas else clusters) < FEW_CLUSTERS,
        one.shared.dropped,
        estimates,
        tuple(_difference(one, *pair, level) for pair in combinations(one.drawn, 2)),
        order,
        tau,
        reason,
    )


def _difference(one: _Resampled, first: str, second: str, level: float) -> Difference:
    of = Difference(one.specification, first, second)
    for model in (first, second):
        if np.isnan(one.drawn[model].estimate):
            return replace(of, reason=one.reasons[model])
    return difference(one.metric, one.drawn[first], one.drawn[second], of, level)


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


def _left_out(one: Result) -> Iterator[LeftOut]:
    for each in one.estimates:
        if each.value is None:
            yield LeftOut(one.specification, each.model, each.reason)
    if one.dropped:
        reason = (
            f"{one.dropped} problems are not answered by all models, or not in the subset of all"
        )
        yield LeftOut(one.specification, None, reason)


def _orders(values: Sequence[float]) -> Floats:
    """For each two values 1 where the first is higher, -1 where it is lower, 0 for equal ones."""
    check_readable(values)
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        raise MetricError("an undefined or infinite value has no place in a ranking")
    orders: Floats = np.sign(array[:, None] - array[None, :])
    return orders
