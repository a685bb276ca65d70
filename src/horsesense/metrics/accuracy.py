"""How many problems, and how many schemas, are solved (thesis 3.7.1)."""

from __future__ import annotations

from horsesense.metrics.counting import Unit, share
from horsesense.metrics.metric import Applies, Direction
from horsesense.metrics.sample import Floats, Outcomes

_NO_PROBLEMS = "there are no problems"
_NO_SCHEMAS = "there are no schemas"


@share(
    Unit.PROBLEM,
    symbol="a",
    equation="a = |{x : M solves x}| / |problems| = A + A′/2",
    source="Maler 2023, 3.7.1, (3.80)",
    applies=Applies.OUTCOMES,
    undefined=_NO_PROBLEMS,
    chance=0.5,
    remark="It is A + A′/2 if every problem is in exactly one schema, but not if some are in none"
    " or in two, as in a triple.",
)
def problem_accuracy(problems: Outcomes) -> Floats:
    """The share of problems that are solved.

    >>> problem_accuracy([[True, True], [True, False]])
    Share(count=3, total=4)
    """
    return problems.solved


@share(
    Unit.SCHEMA,
    symbol="A",
    equation="A = |{w : M solves both problems of w}| / |schemas|",
    source="Maler 2023, 3.7.1; pair accuracy: Abdou et al., section 4",
    applies=Applies.OUTCOMES,
    undefined=_NO_SCHEMAS,
    chance=0.25,
)
def schema_accuracy(schemas: Outcomes) -> Floats:
    """The share of schemas with both problems solved.

    >>> schema_accuracy([[True, True], [True, False]])
    Share(count=1, total=2)
    """
    return fully_solved(schemas)


@share(
    Unit.SCHEMA,
    symbol="A′",
    equation="A′ = |{w : M solves one problem of w}| / |schemas|",
    source="Maler 2023, 3.7.1",
    applies=Applies.OUTCOMES,
    undefined=_NO_SCHEMAS,
    direction=Direction.NEITHER,
    chance=0.5,
)
def half_solved_share(schemas: Outcomes) -> Floats:
    """The share of schemas with one problem solved.

    >>> half_solved_share([[True, True], [True, False]])
    Share(count=1, total=2)
    """
    return half_solved(schemas)


@share(
    Unit.SCHEMA,
    symbol="A″",
    equation="A″ = |{w : M solves no problem of w}| / |schemas|",
    source="Maler 2023, 3.7.1",
    applies=Applies.OUTCOMES,
    undefined=_NO_SCHEMAS,
    direction=Direction.LOWER,
    chance=0.25,
)
def anti_solved_share(schemas: Outcomes) -> Floats:
    """The share of schemas with no problem solved.

    >>> anti_solved_share([[True, True], [False, False]])
    Share(count=1, total=2)
    """
    return anti_solved(schemas)


def fully_solved(schemas: Outcomes) -> Floats:
    """1 for schemas of which both problems are solved; by guessing, how likely that is."""
    return schemas.solved[:, 0] * schemas.solved[:, 1]


def half_solved(schemas: Outcomes) -> Floats:
    """The same for one problem of the two."""
    solved, failed = schemas.solved, schemas.failed
    return solved[:, 0] * failed[:, 1] + failed[:, 0] * solved[:, 1]


def anti_solved(schemas: Outcomes) -> Floats:
    """The same for neither."""
    return schemas.failed[:, 0] * schemas.failed[:, 1]
