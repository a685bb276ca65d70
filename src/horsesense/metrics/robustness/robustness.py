"""Robustness: does a ranking of models survive another scoring method, subset, tie rule or metric?

Every specification is computed on the problems that all of its models answered. What could not be
computed, or was left out, is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from horsesense.errors import MetricError
from horsesense.metrics import Direction
from horsesense.metrics.robustness.curves import ModelCurve, PairCurve, model_curve, pair_curve
from horsesense.metrics.robustness.estimates import Difference, Estimate, difference, estimate
from horsesense.metrics.robustness.ranking import Ranking, ranking, ranking_tau
from horsesense.metrics.robustness.resampled import Resampled, resampled
from horsesense.metrics.robustness.specification import Choices, Sheets, Specification
from horsesense.metrics.statistics import FEW_CLUSTERS, LEVEL, RESAMPLES, SEED
from horsesense.scoring.outcome import Share

ONE_MODEL = "one model makes no ranking"
ALL_EQUAL = "all models are equal, here or in the reference"
NO_REFERENCE = "the reference has no ranking"


@dataclass(frozen=True, slots=True)
class Result:
    """What one specification gives.

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
    """What is missing under a specification and why: a model, or problems of all models."""

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

    >>> from horsesense.scoring.outcome import Answer, Sheet, decide
    >>> from horsesense.metrics.robustness.specification import same_method
    >>> good, bad = (Sheet("", (Answer("w1", 1, decide(one, 0)),), ()) for one in [(1, 2), (2, 1)])
    >>> models = {"ant": {"full": bad}, "bee": {"full": good}}
    >>> robustness(models, Choices(setups=[same_method(models, "full")])).top
    ('bee',)
    """
    if not sheets:
        raise MetricError("no model to rank; give the answer sheets of at least one")
    results: list[Result] = []
    for one in resampled(sheets, choices, resamples=resamples, seed=seed):
        results.append(_result(one, level, results[0] if results else None))
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


def _result(one: Resampled, level: float, reference: Result | None) -> Result:
    """What a specification gives; without a reference it is the reference itself."""
    positions = range(len(one.models))
    estimates = tuple(estimate(one, at, level) for at in positions)
    found, reason = _ranked(one, estimates)
    to = found if reference is None else reference.ranking
    tau = ranking_tau(found, to) if found and to else None
    if found and tau is None:
        reason = ALL_EQUAL if to else NO_REFERENCE
    return Result(
        one.specification,
        one.problems,
        one.schemas,
        one.clusters,
        (min(one.schemas, one.clusters) if one.metric.counts_schemas else one.clusters)
        < FEW_CLUSTERS,
        one.dropped,
        estimates,
        tuple(difference(one, *pair, level) for pair in combinations(positions, 2)),
        found,
        tau,
        reason,
    )


def _ranked(one: Resampled, estimates: tuple[Estimate, ...]) -> tuple[Ranking | None, str]:
    """The ranking, or why there is none."""
    if len(estimates) == 1:
        return None, ONE_MODEL
    for each in estimates:
        if each.value is None:
            return None, each.reason
    sign = -1 if one.metric.declared.direction is Direction.LOWER else 1
    return ranking(dict(zip(one.models, (sign * one.observed).tolist(), strict=True))), ""


def _left_out(one: Result) -> Iterator[LeftOut]:
    for each in one.estimates:
        if each.value is None:
            yield LeftOut(one.specification, each.model, each.reason)
    if one.dropped:
        told = f"{one.dropped} problems are not answered by all models, or not in the subset of all"
        yield LeftOut(one.specification, None, told)
