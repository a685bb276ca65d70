"""The accuracy that a transformation costs, and what is left of it beside a control (thesis 4.4).

In a control such as no-candidate, a model that does better than chance does so by spurious
correlations. Accuracies beside it are adjusted, not corrected: a blind control is right by luck on
half of the problems and a quarter of the schemas.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

import numpy as np

from horsesense.errors import MetricError
from horsesense.metrics.accuracy import fully_solved, problem_accuracy, schema_accuracy
from horsesense.metrics.consistency import strict_schema_consistency
from horsesense.metrics.counting import (
    Unit,
    after,
    before,
    by_cluster,
    corresponding,
    formula,
    only_pair,
    share,
)
from horsesense.metrics.metric import Applies, Columns, Direction, divided
from horsesense.metrics.sample import Data, Floats, Outcomes, Pairable, Rule, as_paired

_PROBLEMS = before(problem_accuracy), after(problem_accuracy)
_SCHEMAS = before(schema_accuracy), after(schema_accuracy)
_NO_PROBLEMS = "there are no problems before, or none after"
_NO_SCHEMAS = "there are no schemas before, or none after"
_IN_THE_LONG_RUN = "Guessing before and after gives 0 in the long run."


@formula(
    *_PROBLEMS,
    symbol="Δa",
    equation="Δa = a(after) − a(before)",
    source="Abdou et al., section 4; Maler 2023, Table 4.26",
    applies=Applies.SCHEMAS,
    undefined=_NO_PROBLEMS,
    direction=Direction.NEITHER,
    is_symmetric=False,
    bounds=(-1.0, 1.0),
    chance=0.0,
    remark="Exchanging before and after changes the sign.",
)
def accuracy_difference(old: Floats, new: Floats) -> Floats:
    """How much higher problem accuracy is after than before.

    >>> accuracy_difference([[True, True]], [[True, False]])
    Value(value=-0.5, reason='')
    """
    return new - old


@formula(
    *_SCHEMAS,
    counts_schemas=True,
    symbol="ΔA",
    equation="ΔA = A(after) − A(before)",
    source="Maler 2023, Table 4.26",
    applies=Applies.SCHEMAS,
    undefined=_NO_SCHEMAS,
    direction=Direction.NEITHER,
    is_symmetric=False,
    bounds=(-1.0, 1.0),
    chance=0.0,
    remark="Exchanging before and after changes the sign.",
)
def schema_accuracy_difference(old: Floats, new: Floats) -> Floats:
    """How much higher schema accuracy is after than before.

    >>> schema_accuracy_difference([[True, True]], [[True, False]])
    Value(value=-1.0, reason='')
    """
    return new - old


@formula(
    *_PROBLEMS,
    symbol="a − a_B",
    equation="a − a_B, for a in the original and a_B in the control",
    source="Maler 2023, 4.4, Tables 4.27 and 4.28",
    applies=Applies.CONTROL,
    undefined=_NO_PROBLEMS,
    is_symmetric=False,
    bounds=(-1.0, 1.0),
    chance=0.0,
    remark="It gives no credit for what the control solves by luck, and does not ask which"
    " problems it solves.",
)
def adjusted_accuracy(old: Floats, new: Floats) -> Floats:
    """How much problem accuracy is lost in a control.

    >>> adjusted_accuracy([[True, True]], [[True, False]])
    Value(value=0.5, reason='')
    """
    return old - new


@formula(
    *_SCHEMAS,
    counts_schemas=True,
    symbol="A − A_B",
    equation="A − A_B, for A in the original and A_B in the control",
    source="Maler 2023, 4.4, Tables 4.27 and 4.28",
    applies=Applies.CONTROL,
    undefined=_NO_SCHEMAS,
    is_symmetric=False,
    bounds=(-1.0, 1.0),
    chance=0.0,
    remark="It gives no credit for what the control solves by luck, and does not ask which"
    " schemas it solves.",
)
def adjusted_schema_accuracy(old: Floats, new: Floats) -> Floats:
    """How much schema accuracy is lost in a control.

    >>> adjusted_schema_accuracy([[True, True]], [[True, False]])
    Value(value=1.0, reason='')
    """
    return old - new


@formula(
    *_PROBLEMS,
    symbol="r₁",
    equation="r₁ = (r − r_B) / r, r = a and r_B = a in the control",
    source="Maler 2023, (4.1), Table 4.27",
    applies=Applies.CONTROL,
    undefined=f"no problem was solved before, or {_NO_PROBLEMS}",
    is_symmetric=False,
    bounds=(-inf, 1.0),
    remark=_IN_THE_LONG_RUN,
)
def relative_loss(old: Floats, new: Floats) -> Floats:
    """How much of the problem accuracy is lost in a control.

    >>> relative_loss([[True, True]], [[True, False]])
    Value(value=0.5, reason='')
    """
    return divided(old - new, old)


@formula(
    *_SCHEMAS,
    counts_schemas=True,
    symbol="R₁",
    equation="R₁ = (r − r_B) / r, r = A and r_B = A in the control",
    source="Maler 2023, (4.1), Table 4.27",
    applies=Applies.CONTROL,
    undefined=f"no schema was solved before, or {_NO_SCHEMAS}",
    is_symmetric=False,
    bounds=(-inf, 1.0),
    remark=_IN_THE_LONG_RUN,
)
def relative_schema_loss(old: Floats, new: Floats) -> Floats:
    """How much of the schema accuracy is lost in a control.

    >>> relative_schema_loss([[True, True], [True, True]], [[True, True], [True, False]])
    Value(value=0.5, reason='')
    """
    return divided(old - new, old)


@formula(
    *_PROBLEMS,
    symbol="r₂",
    equation="r₂ = (r − r_B) / (1 − r_B), r = a and r_B = a in the control",
    source="Maler 2023, (4.2), Tables 4.27 and 4.28",
    applies=Applies.CONTROL,
    undefined=f"every problem was solved in the control, or {_NO_PROBLEMS}",
    is_symmetric=False,
    bounds=(-inf, 1.0),
    remark=_IN_THE_LONG_RUN,
)
def relative_gain(old: Floats, new: Floats) -> Floats:
    """How much of what a control leaves unsolved is solved in the original, in problems.

    >>> relative_gain([[True, True], [True, False]], [[True, False], [True, False]])
    Value(value=0.5, reason='')
    """
    return divided(old - new, 1 - new)


@formula(
    *_SCHEMAS,
    counts_schemas=True,
    symbol="R₂",
    equation="R₂ = (r − r_B) / (1 − r_B), r = A and r_B = A in the control",
    source="Maler 2023, (4.2), Tables 4.27 and 4.28",
    applies=Applies.CONTROL,
    undefined=f"every schema was solved in the control, or {_NO_SCHEMAS}",
    is_symmetric=False,
    bounds=(-inf, 1.0),
    remark=_IN_THE_LONG_RUN,
)
def relative_schema_gain(old: Floats, new: Floats) -> Floats:
    """How much of what a control leaves unsolved is solved in the original, in schemas.

    >>> relative_schema_gain([[True, True], [True, False]], [[True, False], [True, False]])
    Value(value=0.5, reason='')
    """
    return divided(old - new, 1 - new)


@share(
    Unit.SCHEMA_PAIR,
    symbol="A − C_a",
    equation="A − C_a = |{w : M solves w, and not its control}| / |schemas|",
    source="ours; Maler 2023, 4.4 leaves it open",
    applies=Applies.CONTROL,
    undefined="no schema has a counterpart",
    is_symmetric=False,
    chance=0.1875,
    remark="A lower bound of what is solved without spurious correlations, not a correction: a"
    " control is right by luck on a quarter of the schemas.",
)
def adjusted_schema_lower_bound(original: Outcomes, control: Outcomes) -> Floats:
    """The share of schemas solved in the original and not in the control, a lower bound.

    >>> adjusted_schema_lower_bound([[True, True], [True, True]], [[True, True], [True, False]])
    Share(count=1, total=2)
    """
    return fully_solved(original) * (1 - fully_solved(control))


_PATTERNS = ", q and q′ the shares of schemas with a pattern before and after"


@dataclass(frozen=True, slots=True)
class Feasible:
    """The lowest and highest possible consistency."""

    low: float
    high: float


def _pattern(side: int, first: bool, second: bool) -> Columns:
    """Count the schemas of one side of which exactly these problems are solved."""

    def columns(data: Data) -> Floats:
        pair = only_pair(data)
        corresponding(pair)
        schemas = (pair.before, pair.after)[side].in_schemas[pair.schemas[:, side]]
        alike = np.where([first, second], schemas.solved, schemas.failed)
        clusters = pair.before.schema_clusters[pair.schemas[:, 0]]
        return by_cluster(
            (alike[:, 0] * alike[:, 1], np.ones(len(alike))), clusters, pair.cluster_count
        )

    return columns


# The shares q and q′ of the four patterns, each before and after.
_SHARES = [
    _pattern(side, first, second)
    for first in (True, False)
    for second in (True, False)
    for side in (0, 1)
]


@formula(
    *_SHARES,
    counts_schemas=True,
    symbol="E",
    equation="E = Σ q(pattern) · q′(pattern)" + _PATTERNS,
    source="ours, after Cohen's kappa",
    applies=Applies.PROBLEMS,
    undefined="no schema has a counterpart",
    direction=Direction.NEITHER,
    is_symmetric=True,
    chance=0.25,
)
def expected_strict_consistency(*shares: Floats) -> Floats:
    """The strict schema consistency expected from the shares of the patterns.

    >>> expected_strict_consistency([[True, True], [True, False]], [[True, True], [True, False]])
    Value(value=0.5, reason='')
    """
    return _expected(shares)


@formula(
    strict_schema_consistency.columns,
    *_SHARES,
    counts_schemas=True,
    symbol="κ",
    equation="κ = (C* − E) / (1 − E), E = Σ q(pattern) · q′(pattern)" + _PATTERNS,
    source="ours, after Cohen's kappa",
    applies=Applies.PROBLEMS,
    undefined="all schemas have the same pattern before and after, or no schema has a counterpart",
    is_symmetric=True,
    bounds=(-1.0, 1.0),
    chance=0.0,
    remark="Read it with C_a: a model that fails everything it failed before is consistent.",
)
def chance_corrected_consistency(strict: Floats, *shares: Floats) -> Floats:
    """How much of the agreement beyond chance is reached.

    >>> chance_corrected_consistency([[True, True], [True, False]], [[True, True], [True, False]])
    Value(value=1.0, reason='')
    """
    expected = _expected(shares)
    return divided(strict - expected, 1 - expected)


def consistency_range(*values: Pairable, ties: Rule | None = None) -> Feasible | None:
    """Return the range of consistency c, given how many problems each side solves and fails.

    Return None if no problem has a counterpart, or if undecided problems are failed on one side and
    count half on the other.

    >>> consistency_range([True, True, None], [True, False, False])
    Feasible(low=0.0, high=0.3333333333333333)
    """
    pair = as_paired(*values, ties=ties)
    if pair.problems is None or not len(pair.problems):
        return None
    old, new = pair.problems.T
    before, after = pair.before.problems[old], pair.after.problems[new]
    if before.decided.all() and after.decided.all():
        return _range_by_order(before, after)
    if 0.5 in before.solved or 0.5 in after.solved:
        return None
    return _range_by_counts(before, after)


def feasible_consistency(accuracy: float, accuracy_after: float) -> Feasible:
    """Return the range of consistency c of decided problems, given the accuracies before and after.

    >>> feasible_consistency(0.75, 0.5)
    Feasible(low=0.25, high=0.75)
    """
    for each in (accuracy, accuracy_after):
        if not 0 <= each <= 1:
            raise MetricError(f"{each} is not an accuracy; give a share between 0 and 1")
    return Feasible(abs(accuracy + accuracy_after - 1), 1 - abs(accuracy - accuracy_after))


def _range_by_order(before: Outcomes, after: Outcomes) -> Feasible:
    """Return the range if every problem is solved, failed, or counts half.

    With 1, -1 and 0 for these, c is (1 + mean product) / 2. A sum of products is highest if both
    sides are in the same order, and lowest if they are in opposite orders.
    """
    old, new = (np.sort(2 * side.solved - 1) for side in (before, after))
    low, high = ((len(old) + old @ other) / (2 * len(old)) for other in (new[::-1], new))
    return Feasible(float(low), float(high))


def _range_by_counts(before: Outcomes, after: Outcomes) -> Feasible:
    """Return the range if some problems are undecided and consistent with nothing."""
    count = len(before)
    solved = [float(side.solved.sum()) for side in (before, after)]
    failed = [float((side.failed * side.decided).sum()) for side in (before, after)]
    # Problems solved before and after overlap only if there are too few others.
    low = max(0.0, sum(solved) - count, sum(failed) - count)
    return Feasible(low / count, (min(solved) + min(failed)) / count)


def _expected(shares: Iterable[Floats]) -> Floats:
    """Multiply the shares of each pattern before and after, and sum over patterns."""
    listed = list(shares)
    terms = [old * new for old, new in zip(listed[::2], listed[1::2], strict=True)]
    total: Floats = np.sum(terms, axis=0)
    return total
