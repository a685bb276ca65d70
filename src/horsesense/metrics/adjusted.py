"""The accuracy that a transformation costs, and what is left of it beside a control (thesis 4.4).

In a control such as no-candidate, a model that does better than chance does so by spurious
correlations. Accuracies beside it are adjusted, not corrected: a blind control is right by luck on
half of the problems and a quarter of the schemas.
"""

from __future__ import annotations

from math import inf

from horsesense.metrics.accuracy import fully_solved, problem_accuracy, schema_accuracy
from horsesense.metrics.answered import Answered, Floats
from horsesense.metrics.counting import Unit, after, before, formula, share
from horsesense.metrics.metric import Applies, Direction, divided

_PROBLEMS = before(problem_accuracy), after(problem_accuracy)
_SCHEMAS = before(schema_accuracy), after(schema_accuracy)
_NO_PROBLEMS = "there are no problems before, or none after"
_NO_SCHEMAS = "there are no schemas before, or none after"
_IN_THE_LONG_RUN = "Guessing before and after gives 0 in the long run."


@formula(
    *_PROBLEMS,
    symbol="Δa",
    equation="Δa = a(after) − a(before)",
    source="Abdou et al., section 4; thesis Table 4.26",
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
    source="thesis Table 4.26",
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
    source="thesis 4.4, Tables 4.27 and 4.28",
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
    source="thesis 4.4, Tables 4.27 and 4.28",
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
    source="thesis (4.1), Table 4.27",
    applies=Applies.CONTROL,
    undefined=f"no problem was solved before, or {_NO_PROBLEMS}",
    is_symmetric=False,
    bounds=(-inf, 1.0),
    remark=_IN_THE_LONG_RUN,
)
def relative_loss(old: Floats, new: Floats) -> Floats:
    """How much of problem accuracy is lost in a control.

    >>> relative_loss([[True, True]], [[True, False]])
    Value(value=0.5, reason='')
    """
    return divided(old - new, old)


@formula(
    *_SCHEMAS,
    counts_schemas=True,
    symbol="R₁",
    equation="R₁ = (r − r_B) / r, r = A and r_B = A in the control",
    source="thesis (4.1), Table 4.27",
    applies=Applies.CONTROL,
    undefined=f"no schema was solved before, or {_NO_SCHEMAS}",
    is_symmetric=False,
    bounds=(-inf, 1.0),
    remark=_IN_THE_LONG_RUN,
)
def relative_schema_loss(old: Floats, new: Floats) -> Floats:
    """How much of schema accuracy is lost in a control.

    >>> relative_schema_loss([[True, True], [True, True]], [[True, True], [True, False]])
    Value(value=0.5, reason='')
    """
    return divided(old - new, old)


@formula(
    *_PROBLEMS,
    symbol="r₂",
    equation="r₂ = (r − r_B) / (1 − r_B), r = a and r_B = a in the control",
    source="thesis (4.2), Tables 4.27 and 4.28",
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
    source="thesis (4.2), Tables 4.27 and 4.28",
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
    source="ours; thesis 4.4 leaves it open",
    applies=Applies.CONTROL,
    undefined="no schema has a counterpart",
    is_symmetric=False,
    chance=0.1875,
    remark="A lower bound of what is solved without spurious correlations, and no correction: a"
    " control is right by luck on a quarter of the schemas.",
)
def adjusted_schema_lower_bound(original: Answered, control: Answered) -> Floats:
    """The share of schemas solved in the original and not in the control, a lower bound.

    >>> adjusted_schema_lower_bound([[True, True], [True, True]], [[True, True], [True, False]])
    Share(count=1, total=2)
    """
    return fully_solved(original) * (1 - fully_solved(control))
