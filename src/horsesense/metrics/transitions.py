"""Transitions: which schemas gained and lost accuracy, and which kept it (thesis 4.2.1).

A schema gains where more of its problems are solved after than before. It keeps its accuracy where
equally many are, which is schema consistency C; and then either the same problems are solved (C*)
or others. Gained, lost and kept schemas make up all. An undecided problem is not solved: a schema
that has one, before or after, and equally many problems solved is kept, and counted as unsettled
beside, since deciding it might change that. If undecided problems count half, nothing is unsettled.
"""

from __future__ import annotations

from dataclasses import dataclass

from horsesense.metrics.accuracy import anti_solved, fully_solved, half_solved
from horsesense.metrics.answered import Answered, Floats, Rule
from horsesense.metrics.consistency import equally_many, schema_consistency
from horsesense.metrics.counting import Unit, share
from horsesense.metrics.metric import Applies, Direction
from horsesense.metrics.sample import Pairable, as_paired
from horsesense.scoring.outcome import Share

_NO_SCHEMAS = "no schema has a counterpart"


@dataclass(frozen=True, slots=True)
class Transitions:
    """What became of the schemas: shares of all that have a counterpart.

    `unsettled` and `kept_with_other_answers` are parts of `kept`. The latter is None where only
    schemas correspond.
    """

    gained: Share
    lost: Share
    kept: Share
    unsettled: Share
    kept_with_other_answers: Share | None


@share(
    Unit.SCHEMA_PAIR,
    symbol="–",
    equation="|{w : M solves more problems of F(w) than of w}| / |schemas|",
    source="thesis 4.2.1",
    applies=Applies.SCHEMAS,
    undefined=_NO_SCHEMAS,
    is_symmetric=False,
    chance=0.3125,
    remark="Exchanging before and after gives the lost share.",
)
def gained_share(before: Answered, after: Answered) -> Floats:
    """The share of schemas with more problems solved after than before.

    >>> gained_share([[True, False], [True, True]], [[True, True], [False, False]])
    Share(count=1, total=2)
    """
    return _gained(before, after)


@share(
    Unit.SCHEMA_PAIR,
    symbol="–",
    equation="|{w : M solves fewer problems of F(w) than of w}| / |schemas|",
    source="thesis 4.2.1",
    applies=Applies.SCHEMAS,
    undefined=_NO_SCHEMAS,
    direction=Direction.LOWER,
    is_symmetric=False,
    chance=0.3125,
    remark="Exchanging before and after gives the gained share.",
)
def lost_share(before: Answered, after: Answered) -> Floats:
    """The share of schemas with fewer problems solved after than before.

    >>> lost_share([[True, False], [True, True]], [[True, True], [False, False]])
    Share(count=1, total=2)
    """
    return _gained(after, before)


@share(
    Unit.SCHEMA_PAIR,
    symbol="C − C*",
    equation="C − C* = |{w : M solves one problem of w and the other of F(w)}| / |schemas|",
    source="thesis 4.2.1",
    applies=Applies.PROBLEMS,
    undefined=_NO_SCHEMAS,
    direction=Direction.LOWER,
    is_symmetric=True,
    chance=0.125,
)
def kept_with_other_answers(before: Answered, after: Answered) -> Floats:
    """The share of schemas with equally many problems solved, but not the same ones.

    >>> kept_with_other_answers([[True, False], [True, True]], [[False, True], [True, True]])
    Share(count=1, total=2)
    """
    gone, come = before.solved * after.failed, before.failed * after.solved
    return gone[:, 0] * come[:, 1] + come[:, 0] * gone[:, 1]


@share(
    Unit.SCHEMA_PAIR,
    symbol="–",
    equation="|{w : M solves equally many problems of w and F(w), and leaves one undecided}|"
    " / |schemas|",
    source="ours",
    applies=Applies.SCHEMAS,
    undefined=_NO_SCHEMAS,
    direction=Direction.LOWER,
    is_symmetric=True,
    chance=0.0,
    remark="A part of the kept schemas: deciding the undecided problems might gain or lose them.",
)
def unsettled_share(before: Answered, after: Answered) -> Floats:
    """The share of schemas with equally many problems solved, but an undecided one.

    >>> unsettled_share([[True, None], [True, True]], [[True, False], [True, True]])
    Share(count=1, total=2)
    """
    decided = before.decided * after.decided
    return (1 - decided[:, 0] * decided[:, 1]) * equally_many(before, after)


def transitions(*values: Pairable, ties: Rule | None = None) -> Transitions:
    """What became of the schemas of two samples, before and after.

    >>> found = transitions([[True, False], [True, False]], [[True, True], [False, True]])
    >>> found.gained, found.kept == found.kept_with_other_answers
    (Share(count=1, total=2), True)
    """
    data = as_paired(*values, ties=ties)
    return Transitions(
        gained_share.share(data),
        lost_share.share(data),
        schema_consistency.share(data),
        unsettled_share.share(data),
        None if data.problems is None else kept_with_other_answers.share(data),
    )


def _gained(before: Answered, after: Answered) -> Floats:
    """1 where more is solved after; by guessing, how likely that is."""
    some_before = half_solved(before) * fully_solved(after)
    return some_before + anti_solved(before) * (1 - anti_solved(after))
