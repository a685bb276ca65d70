"""Conclusions about a model on a dataset, by a fixed rule: comparisons first, then the rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from horsesense.metrics.statistics import FEW_SCHEMAS
from horsesense.reports.wording import (
    CHANCE,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    consistency_forms,
    controls,
)
from horsesense.results import SCHEMA_LEVEL, Estimate, ResultKey, Results, Variant

# Rounding may take a share that is nothing a little below it.
_ROUNDING = 1e-9
_CONSISTENCY = "consistency"

Solved = tuple[float, float, float]


def expected(results: Results, of: ResultKey, against: ResultKey, metric: str) -> float | None:
    """A consistency if answers at both addresses, with their accuracies, were independent.

    Chance alone says too little: guessing solves equally many problems before and after in .375 of
    the schemas, but a model that solves one problem of nearly every schema gets far more of that
    without being stable at all. So the expectation takes the accuracies of the model.

    None where accuracies do not tell: neither do they of problem consistency with undecided
    problems, which are consistent with nothing there, unlike failed ones.
    """
    problems = results.difference(of, against, PROBLEM_ACCURACY)
    schemas = results.difference(of, against, SCHEMA_ACCURACY)
    if problems is None or schemas is None:
        return None
    if problems.n_undecided and metric == _CONSISTENCY:
        return None
    before = _solved(problems.before, schemas.before)
    after = _solved(problems.after, schemas.after)
    if before is None or after is None:
        return None
    return expected_by_chance(metric, before, after)


def expected_by_chance(metric: str, before: Solved, after: Solved) -> float:
    """A consistency if answers before and after were independent.

    Of both are given the shares of schemas with two problems solved, one, and none.

    >>> guessing = (0.25, 0.5, 0.25)
    >>> expected_by_chance("schema-consistency", guessing, guessing)
    0.375
    >>> expected_by_chance("consistency", guessing, guessing)
    0.5
    """
    if metric == "consistent-schema-accuracy":
        return before[0] * after[0]
    if metric == "schema-consistency":
        return sum(old * new for old, new in zip(before, after, strict=True))
    a, a_after = before[0] + before[1] / 2, after[0] + after[1] / 2
    return a * a_after + (1 - a) * (1 - a_after)


def _solved(a: float | None, schemas: float | None) -> Solved | None:
    """The shares of schemas with two, one and no problems solved, by both accuracies.

    None where these do not tell: problems that are in no schema, or in two, count otherwise.
    """
    if a is None or schemas is None:
        return None
    shares = (schemas, 2 * (a - schemas), 1 - 2 * a + schemas)
    return shares if min(shares) > -_ROUNDING else None


# A loss of schema accuracy that is surely smaller than this is none that matters.
MARGIN = 0.1


class Survival(StrEnum):
    """The fate of schema accuracy on a perturbation that should not matter."""

    LOST = "lost"
    KEPT = "kept"
    UNKNOWN = "unclear"


@dataclass(frozen=True, slots=True)
class Compared:
    """Schema accuracy in a form, and how it differs from that in the original."""

    form: Variant
    value: Estimate
    difference: Estimate

    @property
    def has_enough(self) -> bool:
        """True if both were measured on enough schemas."""
        return all(is_enough(one) for one in (self.value, self.difference))

    @property
    def is_lower(self) -> bool:
        """True if the whole interval of the difference is below 0."""
        return self.difference.high is not None and self.difference.high < 0

    @property
    def survival(self) -> Survival:
        """Lost in part, kept but for a margin and above chance, or neither can be told."""
        if not self.has_enough:
            return Survival.UNKNOWN
        if self.is_lower:
            return Survival.LOST
        is_near = is_above(self.difference, -MARGIN)
        return Survival.KEPT if is_near and is_beyond_chance(self.value) else Survival.UNKNOWN


def compared_controls(results: Results, at: ResultKey) -> tuple[Compared, ...]:
    """The controls that were measured: no-candidate, part-sent, local-context, others."""
    return tuple(_compared(results, at, controls(results, at.dataset)))


def compared_perturbations(results: Results, at: ResultKey) -> tuple[Compared, ...]:
    """The perturbations that were measured and should not matter."""
    return tuple(_compared(results, at, perturbations(results, at.dataset)))


def compared_other_questions(results: Results, at: ResultKey) -> tuple[Compared, ...]:
    """The forms that were measured and ask for something else."""
    return tuple(_compared(results, at, other_questions(results, at.dataset)))


def perturbations(results: Results, dataset: str) -> tuple[Variant, ...]:
    """The perturbations of which each problem says the same as before, and so should not matter."""
    variants = consistency_forms(results, dataset)
    return tuple(variant for variant in variants if variant.level != SCHEMA_LEVEL)


def other_questions(results: Results, dataset: str) -> tuple[Variant, ...]:
    """Forms that ask for something else of the same schemas, by key or zero-shot.

    Whether answers should be the same there is left open by the thesis (4.3).
    """
    variants = consistency_forms(results, dataset)
    return tuple(variant for variant in variants if variant.level == SCHEMA_LEVEL)


def is_enough(estimate: Estimate) -> bool:
    """True if there are enough schemas for a conclusion, and an interval.

    Schemas that belong together, such as the two of a dyad, count once. This is the one rule for
    whatever is said of schemas.
    """
    return estimate.independent_schemas >= FEW_SCHEMAS and estimate.low is not None


def is_above(one: Estimate | None, bound: float) -> bool:
    """True if the whole interval is above a bound."""
    return one is not None and one.low is not None and one.low > bound


def is_below_chance(one: Estimate | None) -> bool:
    """True if the whole interval of an accuracy is below chance."""
    return one is not None and one.high is not None and one.high < CHANCE[one.metric]


def is_beyond_chance(one: Estimate | None) -> bool:
    """True if the whole interval of an accuracy is above chance."""
    return one is not None and is_above(one, CHANCE[one.metric])


def _compared(results: Results, at: ResultKey, variants: tuple[Variant, ...]) -> Iterator[Compared]:
    for variant in variants:
        of = at.replace(variant=variant.name)
        value = results.value(of, SCHEMA_ACCURACY)
        difference = results.difference(of, at, SCHEMA_ACCURACY)
        if value is not None and difference is not None:
            yield Compared(variant, value, difference)


# So large a share of undecided problems may be all that keeps an accuracy down.
_MANY_UNDECIDED = 0.1


class Conclusion(StrEnum):
    """The conclusion from the evidence, in words."""

    TOO_FEW = "too few schemas to tell"
    FEW_CLUSTERS = "too few schemas to tell, because related schemas count as one"
    UNDECIDED = "too many undecided problems to tell"
    WORSE = "worse than chance"
    NO_BETTER = "no better than chance"
    ONE_OF_TWO = (
        "above chance on single problems, but not on schemas: it mostly solves only one of a"
        " schema’s two problems"
    )
    NEAR_CHANCE = "indistinguishable from chance"
    BY_PROBLEMS = "above chance on single problems; on schemas indistinguishable from chance"
    UNCONTROLLED = "above chance; whether for the right reasons was not tested"
    FEW_CONTROLLED = (
        "above chance, but the controls have too few schemas to tell whether for the right reasons"
    )
    CONTROL_TOO = "above chance, but above chance in the control too, with no demonstrable loss"
    UNEXPLAINED = "above chance, but whether for the right reasons is unclear"
    UNTESTED = "some horse sense; whether it survives perturbations was not tested"
    UNSETTLED = "some horse sense; whether it survives perturbations is unclear"
    BRITTLE = "some horse sense, not all of which survives perturbations"
    STEADY = (
        "some horse sense; no perturbation with enough schemas costs it"
        f" {100 * MARGIN:.0f} points or more"
    )


def concluded(results: Results, at: ResultKey) -> Conclusion:
    """The conclusion, by the standard method and by 95 % intervals of accuracy alone.

    «Above» and «below» say that the whole interval is. The steps are taken in this order:

    1. Schema accuracy A was measured on fewer than 30 schemas, or has no interval: TOO_FEW. Those
       that belong together, such as the two of a dyad, count as one here and below; if there are
       fewer than 30 only by that: FEW_CLUSTERS.
    2. A is not above chance (.25), and a tenth of the problems or more are undecided, which count
       as failed unless the plan says otherwise: UNDECIDED.
    3. A is not above chance. It reaches beyond .25: NEAR_CHANCE, or BY_PROBLEMS where problem
       accuracy a is above .5. It does not: NO_BETTER, or ONE_OF_TWO where a is above .5, for then
       more than half of the schemas must have one problem solved, or WORSE where A is below .25
       and a is below .5, too.
    4. A is above chance. A control takes away what makes problems solvable, so that A should be
       lower there. The first decides that was measured on at least 30 schemas, of no-candidate,
       part-sent, local-context and others. None was measured: UNCONTROLLED; none on as many:
       FEW_CONTROLLED. The difference from the original is not below 0: CONTROL_TOO where the
       control is above chance itself, and UNEXPLAINED otherwise.
    5. The control is lower. Each perturbation that should not matter, measured on at least 30
       schemas, has lost where its difference from the original is below 0; it has kept where the
       difference is above −.10 and A is above chance there, too. One has lost: BRITTLE. All have
       kept: STEADY. Otherwise, or where none has as many schemas: UNSETTLED. None was measured:
       UNTESTED.

    Forms that ask something else (by key, zero-shot) do not count among perturbations: whether
    answers should be the same there is open. The intervals are not adjusted for how many
    perturbations there are: of many, one may have lost by luck. Consistency, response bias, and the
    spread over scoring methods are told and do not decide.
    """
    schemas = results.value(at, SCHEMA_ACCURACY)
    problems = results.value(at, PROBLEM_ACCURACY)
    if schemas is None or not is_enough(schemas):
        is_by_clusters = schemas is not None and is_enough(replace(schemas, n_clusters=FEW_SCHEMAS))
        return Conclusion.FEW_CLUSTERS if is_by_clusters else Conclusion.TOO_FEW
    if is_beyond_chance(schemas):
        return _reasons(results, at) or _survival(results, at)
    if undecided_share(problems) >= _MANY_UNDECIDED:
        return Conclusion.UNDECIDED
    is_by_problems = is_beyond_chance(problems)
    if schemas.high is not None and schemas.high > CHANCE[SCHEMA_ACCURACY]:
        return Conclusion.BY_PROBLEMS if is_by_problems else Conclusion.NEAR_CHANCE
    if is_by_problems:
        return Conclusion.ONE_OF_TWO
    is_worse = is_below_chance(schemas) and is_below_chance(problems)
    return Conclusion.WORSE if is_worse else Conclusion.NO_BETTER


def undecided_share(problems: Estimate | None) -> float:
    """The share of problems that are undecided."""
    return problems.n_undecided / problems.n_problems if problems and problems.n_problems else 0.0


def _reasons(results: Results, at: ResultKey) -> Conclusion | None:
    """The conclusion if the controls speak against the right reasons, or say too little."""
    found = compared_controls(results, at)
    if not found:
        return Conclusion.UNCONTROLLED
    first = next((one for one in found if one.has_enough), None)
    if first is None:
        return Conclusion.FEW_CONTROLLED
    if first.is_lower:
        return None
    return Conclusion.CONTROL_TOO if is_beyond_chance(first.value) else Conclusion.UNEXPLAINED


def _survival(results: Results, at: ResultKey) -> Conclusion:
    found = compared_perturbations(results, at)
    if not found:
        return Conclusion.UNTESTED
    survivals = {one.survival for one in found if one.has_enough}
    if Survival.LOST in survivals:
        return Conclusion.BRITTLE
    return Conclusion.STEADY if survivals == {Survival.KEPT} else Conclusion.UNSETTLED
