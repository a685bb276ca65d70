"""Conclusions about a model on a dataset, by a fixed rule: comparisons first, then the rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from horsesense.metrics.statistics import FEW_SCHEMAS
from horsesense.reports.wording import (
    CHANCE,
    PROBLEM_ACCURACY,
    SCHEMA_ACCURACY,
    consistency_variants,
    controls,
    is_bound_of_guessing,
)
from horsesense.results import SCHEMA_LEVEL, Estimate, ResultKey, Results, Variant

# Rounding may push a share of 0 slightly below 0.
_ROUNDING = 1e-9
_CONSISTENCY = "consistency"

Solved = tuple[float, float, float]


def expected(results: Results, of: ResultKey, against: ResultKey, metric: str) -> float | None:
    """Return the consistency expected of independent answers with the accuracies under both keys.

    Chance is a poor reference: guessing solves equally many problems before and after in .375 of
    the schemas, but a model that solves one problem of nearly every schema gets far more of that
    without being stable at all. So the expectation takes the accuracies of the model.

    None where the accuracies do not determine it, as for problem consistency with undecided
    problems, which are never consistent, unlike failed ones.
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
    return expected_if_independent(metric, before, after)


def expected_if_independent(metric: str, before: Solved, after: Solved) -> float:
    """Return the consistency expected if answers before and after were independent.

    Both arguments are the shares of schemas with two, one and no problems solved.

    >>> guessing = (0.25, 0.5, 0.25)
    >>> expected_if_independent("schema-consistency", guessing, guessing)
    0.375
    >>> expected_if_independent("consistency", guessing, guessing)
    0.5
    """
    if metric == "consistent-schema-accuracy":
        return before[0] * after[0]
    if metric == "schema-consistency":
        return sum(old * new for old, new in zip(before, after, strict=True))
    a, a_after = before[0] + before[1] / 2, after[0] + after[1] / 2
    return a * a_after + (1 - a) * (1 - a_after)


def _solved(a: float | None, schemas: float | None) -> Solved | None:
    """The shares of schemas with two, one and no problems solved, from both accuracies.

    None where these do not determine them: with problems in no schema, or in two.
    """
    if a is None or schemas is None:
        return None
    shares = (schemas, 2 * (a - schemas), 1 - 2 * a + schemas)
    return shares if min(shares) > -_ROUNDING else None


# A loss of schema accuracy that is clearly smaller than this does not matter.
MARGIN = 0.1


class Survival(StrEnum):
    """Whether schema accuracy survives a perturbation that should not matter."""

    LOST = "lost"
    KEPT = "kept"
    UNKNOWN = "unclear"


@dataclass(frozen=True, slots=True)
class Compared:
    """Schema accuracy on a variant, and its difference from the original."""

    variant: Variant
    value: Estimate
    difference: Estimate

    @property
    def has_enough(self) -> bool:
        """True if both were measured on enough schemas."""
        return is_enough(self.value) and is_enough(self.difference)

    @property
    def is_lower(self) -> bool:
        """True if the whole interval of the difference is below 0."""
        return self.difference.high is not None and self.difference.high < 0

    @property
    def survival(self) -> Survival:
        """Lost in part, kept within the margin and above chance, or unclear."""
        if not self.has_enough:
            return Survival.UNKNOWN
        if self.is_lower:
            return Survival.LOST
        is_near = is_above(self.difference, -MARGIN)
        return Survival.KEPT if is_near and is_beyond_chance(self.value) else Survival.UNKNOWN


def compare_with_original(
    results: Results, original: ResultKey, variants: Iterable[Variant]
) -> tuple[Compared, ...]:
    """Compare schema accuracy on variants with the original, where both were measured."""
    compared = []
    for variant in variants:
        of = original.replace(variant=variant.name)
        value = results.value(of, SCHEMA_ACCURACY)
        difference = results.difference(of, original, SCHEMA_ACCURACY)
        if value is not None and difference is not None:
            compared.append(Compared(variant, value, difference))
    return tuple(compared)


def perturbations(results: Results, dataset: str) -> tuple[Variant, ...]:
    """The perturbations that keep the meaning of each problem, and so should not matter."""
    variants = consistency_variants(results, dataset)
    return tuple(variant for variant in variants if variant.level != SCHEMA_LEVEL)


def reversed_tasks(results: Results, dataset: str) -> tuple[Variant, ...]:
    """Variants that reverse the task on the same schemas, by key or zero-shot.

    Whether answers should be the same there is left open by the thesis (4.3).
    """
    variants = consistency_variants(results, dataset)
    return tuple(variant for variant in variants if variant.level == SCHEMA_LEVEL)


def is_enough(estimate: Estimate) -> bool:
    """True if there are enough schemas for a conclusion, and an interval.

    Related schemas, such as the two of a dyad, count once. All statements about schemas use this
    rule.
    """
    return estimate.independent_schemas >= FEW_SCHEMAS and estimate.low is not None


def is_above(estimate: Estimate | None, bound: float) -> bool:
    """True if the whole interval is above a bound."""
    return estimate is not None and estimate.low is not None and estimate.low > bound


def is_below_chance(accuracy: Estimate | None) -> bool:
    """True if the whole interval of an accuracy is below chance."""
    if accuracy is None or accuracy.high is None:
        return False
    return accuracy.high < CHANCE[accuracy.metric]


def is_beyond_chance(accuracy: Estimate | None) -> bool:
    """True if the whole interval of an accuracy is above chance."""
    return accuracy is not None and is_above(accuracy, CHANCE[accuracy.metric])


# With this share of undecided problems, they alone may keep an accuracy down.
_MANY_UNDECIDED = 0.1


class Conclusion(StrEnum):
    """The conclusion from the evidence, in words."""

    TOO_FEW = "too few schemas to tell"
    FEW_CLUSTERS = "too few independent schemas to tell (related schemas count once)"
    UNDECIDED = "too many undecided problems to tell"
    WORSE = "it solves fewer schemas and fewer problems than guessing would"
    FEWER = "it solves fewer schemas than guessing would"
    ONE_OF_TWO = (
        "it solves more single problems than guessing would, but fewer schemas: mostly only one"
        " of the two twins"
    )
    NEAR_CHANCE = "it does not clearly solve more schemas than guessing would"
    BY_PROBLEMS = "it solves more single problems than guessing would, but not clearly more schemas"
    UNCONTROLLED = "above chance; no control was run"
    FEW_CONTROLLED = "above chance, but the controls have too few schemas to be conclusive"
    CONTROL_TOO = "above chance, but also on the control, and not clearly lower there"
    UNEXPLAINED = "above chance, but the control is inconclusive"
    UNTESTED = (
        "above chance, and clearly lower on the control; whether accuracy survives perturbations"
        " was not tested"
    )
    UNSETTLED = (
        "above chance, and clearly lower on the control; whether accuracy survives perturbations"
        " is unclear"
    )
    BRITTLE = (
        "above chance, and clearly lower on the control; but accuracy drops under at least one"
        " perturbation"
    )
    STEADY = (
        "above chance, and clearly lower on the control; accuracy drops by less than"
        f" {100 * MARGIN:.0f} points, if at all, under every perturbation with enough schemas"
    )


def conclude(results: Results, at: ResultKey) -> Conclusion:
    """Draw the conclusion, by the standard method and by 95 % intervals of accuracy alone.

    “Above” and “below” say that the whole interval is. The steps are taken in this order:

    1. Schema accuracy A was measured on fewer than 30 schemas, or has no interval: TOO_FEW. Those
       that belong together, such as the two of a dyad, count as one here and below; if there are
       fewer than 30 only by that: FEW_CLUSTERS.
    2. A is not above chance (.25), and a tenth of the problems or more are undecided, which count
       as failed unless the plan says otherwise: UNDECIDED.
    3. A is not above chance. Its interval reaches .25: NEAR_CHANCE, or BY_PROBLEMS where problem
       accuracy a is above .5. It does not: FEWER, or ONE_OF_TWO where a is above .5, for then more
       than half of the schemas must have one problem solved, or WORSE where a is below .5.
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

    A chat model is asked in both orders, where guessing leaves problems undecided and solves less
    than chance. If any problem is undecided and counts as failed, chance is only the most that
    guessing gives. So “above chance” is as above, and step 3 is NEAR_CHANCE or BY_PROBLEMS.

    Variants that reverse the task (by key, zero-shot) do not count as perturbations: whether
    answers should be the same there is open. The intervals are not adjusted for how many
    perturbations there are: of many, one may have lost by luck. Consistency, response bias, and the
    spread over scoring methods are reported but do not decide.
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
    is_bound = is_bound_of_guessing(results, schemas)
    if is_bound or (schemas.high is not None and schemas.high >= CHANCE[SCHEMA_ACCURACY]):
        return Conclusion.BY_PROBLEMS if is_by_problems else Conclusion.NEAR_CHANCE
    if is_by_problems:
        return Conclusion.ONE_OF_TWO
    return Conclusion.WORSE if is_below_chance(problems) else Conclusion.FEWER


def undecided_share(problems: Estimate | None) -> float:
    """The share of problems that are undecided."""
    return problems.n_undecided / problems.n_problems if problems and problems.n_problems else 0.0


def _reasons(results: Results, at: ResultKey) -> Conclusion | None:
    """The conclusion if the controls suggest wrong reasons, or are not conclusive."""
    measured = compare_with_original(results, at, controls(results, at.dataset))
    if not measured:
        return Conclusion.UNCONTROLLED
    first = next((control for control in measured if control.has_enough), None)
    if first is None:
        return Conclusion.FEW_CONTROLLED
    if first.is_lower:
        return None
    return Conclusion.CONTROL_TOO if is_beyond_chance(first.value) else Conclusion.UNEXPLAINED


def _survival(results: Results, at: ResultKey) -> Conclusion:
    measured = compare_with_original(results, at, perturbations(results, at.dataset))
    if not measured:
        return Conclusion.UNTESTED
    survivals = {compared.survival for compared in measured if compared.has_enough}
    if Survival.LOST in survivals:
        return Conclusion.BRITTLE
    return Conclusion.STEADY if survivals == {Survival.KEPT} else Conclusion.UNSETTLED
