"""What the numbers of a model on a dataset come to, by a rule that is written down."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from horsesense.metrics.statistics import FEW_SCHEMAS
from horsesense.reports.survival import (
    MARGIN,
    Survival,
    compared_controls,
    compared_perturbations,
    is_below_chance,
    is_beyond_chance,
    is_enough,
)
from horsesense.reports.tables.naming import CHANCE, PROBLEM_ACCURACY, SCHEMA_ACCURACY
from horsesense.results import Estimate, ResultKey, Results

# So large a share of undecided problems may be all that keeps an accuracy down.
_MANY_UNDECIDED = 0.1


class Conclusion(StrEnum):
    """What the evidence comes to, in words."""

    TOO_FEW = "too few schemas to tell"
    FEW_CLUSTERS = "too few schemas to tell, as those that hang together count as one"
    UNDECIDED = "too many problems left undecided to tell"
    WORSE = "worse than chance"
    NO_BETTER = "no better than chance"
    ONE_OF_TWO = (
        "right beyond chance problem by problem, yet no better than chance by schemas, of which it"
        " mostly solves one problem of the two"
    )
    NEAR_CHANCE = "cannot be told from chance"
    BY_PROBLEMS = "right beyond chance problem by problem; by schemas it cannot be told from chance"
    UNCONTROLLED = "right beyond chance; whether for the right reasons was not tested"
    FEW_CONTROLLED = (
        "right beyond chance, but too few schemas in the controls to tell whether for the right"
        " reasons"
    )
    CONTROL_TOO = "right beyond chance, but so it is in the control, and no loss there can be shown"
    UNEXPLAINED = "right beyond chance, but whether for the right reasons cannot be told"
    UNTESTED = "some horse sense; whether it survives perturbations was not tested"
    UNSETTLED = "some horse sense; whether it survives perturbations cannot be told"
    BRITTLE = "some horse sense, not all of which survives perturbations"
    STEADY = (
        "some horse sense, of which no perturbation with enough schemas takes"
        f" {100 * MARGIN:.0f} points or more"
    )


def concluded(profile: Results, at: ResultKey) -> Conclusion:
    """The conclusion, by the standard method and by 95 % intervals of accuracy alone.

    «Above» and «below» say that the whole interval is. The steps are taken in this order:

    1. Schema accuracy A was measured on fewer than 30 schemas, or has no interval: TOO_FEW. Those
       that hang together, such as the two of a dyad, count as one here and below; if there are
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
    schemas = profile.value(at, SCHEMA_ACCURACY)
    problems = profile.value(at, PROBLEM_ACCURACY)
    if schemas is None or not is_enough(schemas):
        is_by_clusters = schemas is not None and is_enough(replace(schemas, n_clusters=FEW_SCHEMAS))
        return Conclusion.FEW_CLUSTERS if is_by_clusters else Conclusion.TOO_FEW
    if is_beyond_chance(schemas):
        return _reasons(profile, at) or _survival(profile, at)
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


def _reasons(profile: Results, at: ResultKey) -> Conclusion | None:
    """What speaks against the reasons, if anything does."""
    found = compared_controls(profile, at)
    if not found:
        return Conclusion.UNCONTROLLED
    first = next((one for one in found if one.has_enough), None)
    if first is None:
        return Conclusion.FEW_CONTROLLED
    if first.is_lower:
        return None
    return Conclusion.CONTROL_TOO if is_beyond_chance(first.value) else Conclusion.UNEXPLAINED


def _survival(profile: Results, at: ResultKey) -> Conclusion:
    found = compared_perturbations(profile, at)
    if not found:
        return Conclusion.UNTESTED
    survivals = {one.survival for one in found if one.has_enough}
    if Survival.LOST in survivals:
        return Conclusion.BRITTLE
    return Conclusion.STEADY if survivals == {Survival.KEPT} else Conclusion.UNSETTLED
