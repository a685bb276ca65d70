"""How the first and the second problem of a schema hang together (thesis 3.8.2, Table 3.9).

If they were independent, u = v = a₂ and u′ = v′ = a₁. What is undecided is not solved, and so
failed, unless it counts half.
"""

from __future__ import annotations

from horsesense.metrics.answered import Answered, Floats
from horsesense.metrics.counting import Unit, share
from horsesense.metrics.metric import Applies

_NO_SCHEMAS = "there are no schemas"
_PROBLEMS = ", z₁ and z₂ the problems of w"


@share(
    Unit.SCHEMA,
    symbol="a₁",
    equation="a₁ = |{w : M solves z₁}| / |schemas|, z₁ the first problem of w",
    source="thesis 3.8.2, Table 3.9",
    applies=Applies.OUTCOMES,
    undefined=_NO_SCHEMAS,
    chance=0.5,
)
def first_problem_accuracy(schemas: Answered) -> Floats:
    """The share of schemas of which the first problem is solved.

    >>> first_problem_accuracy([[True, False], [False, False]])
    Share(count=1, total=2)
    """
    return schemas.solved[:, 0]


@share(
    Unit.SCHEMA,
    symbol="a₂",
    equation="a₂ = |{w : M solves z₂}| / |schemas|, z₂ the second problem of w",
    source="thesis 3.8.2, Table 3.9",
    applies=Applies.OUTCOMES,
    undefined=_NO_SCHEMAS,
    chance=0.5,
)
def second_problem_accuracy(schemas: Answered) -> Floats:
    """The share of schemas of which the second problem is solved.

    >>> second_problem_accuracy([[True, False], [False, False]])
    Share(count=0, total=2)
    """
    return schemas.solved[:, 1]


@share(
    Unit.SCHEMA,
    symbol="u",
    equation="u = |{w : M solves z₁ and z₂}| / |{w : M solves z₁}|" + _PROBLEMS,
    source="thesis (3.96), Table 3.9",
    applies=Applies.OUTCOMES,
    undefined="no schema's first problem was solved",
    chance=0.5,
)
def second_given_solved(schemas: Answered) -> tuple[Floats, Floats]:
    """The share of schemas whose second problem is solved, of those whose first is.

    >>> second_given_solved([[True, True], [False, True]])
    Share(count=1, total=1)
    """
    first, second = schemas.solved.T
    return first * second, first


@share(
    Unit.SCHEMA,
    symbol="v",
    equation="v = |{w : M solves z₂ and not z₁}| / |{w : M does not solve z₁}|" + _PROBLEMS,
    source="thesis (3.96), Table 3.9",
    applies=Applies.OUTCOMES,
    undefined="no schema's first problem was failed",
    chance=0.5,
)
def second_given_failed(schemas: Answered) -> tuple[Floats, Floats]:
    """The share of schemas whose second problem is solved, of those whose first is not.

    >>> second_given_failed([[False, True], [False, False]])
    Share(count=1, total=2)
    """
    return schemas.failed[:, 0] * schemas.solved[:, 1], schemas.failed[:, 0]


@share(
    Unit.SCHEMA,
    symbol="u′",
    equation="u′ = |{w : M solves z₁ and z₂}| / |{w : M solves z₂}|" + _PROBLEMS,
    source="thesis (3.96), Table 3.9",
    applies=Applies.OUTCOMES,
    undefined="no schema's second problem was solved",
    chance=0.5,
)
def first_given_solved(schemas: Answered) -> tuple[Floats, Floats]:
    """The share of schemas whose first problem is solved, of those whose second is.

    >>> first_given_solved([[True, True], [False, True]])
    Share(count=1, total=2)
    """
    first, second = schemas.solved.T
    return first * second, second


@share(
    Unit.SCHEMA,
    symbol="v′",
    equation="v′ = |{w : M solves z₁ and not z₂}| / |{w : M does not solve z₂}|" + _PROBLEMS,
    source="thesis (3.96), Table 3.9",
    applies=Applies.OUTCOMES,
    undefined="no schema's second problem was failed",
    chance=0.5,
)
def first_given_failed(schemas: Answered) -> tuple[Floats, Floats]:
    """The share of schemas whose first problem is solved, of those whose second is not.

    >>> first_given_failed([[True, False], [True, True]])
    Share(count=1, total=1)
    """
    return schemas.solved[:, 0] * schemas.failed[:, 1], schemas.failed[:, 1]
