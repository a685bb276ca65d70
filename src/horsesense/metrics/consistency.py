"""How steady a model is under a transformation (thesis 3.7.2 and 3.7.3, Table 3.6).

Each metric compares outcomes before and after. With two scoring methods, or two models, in the
place of before and after it is consistency with respect to that change (thesis 3.7.2).

Metrics of schemas ask only which problems are solved, and an undecided problem is not, unless it
counts half. Consistency c compares outcomes: an undecided one is consistent with nothing, not even
with an undecided one.
"""

from __future__ import annotations

from dataclasses import dataclass

from horsesense.metrics.accuracy import anti_solved, fully_solved, half_solved
from horsesense.metrics.counting import Unit, share
from horsesense.metrics.metric import Applies, Direction
from horsesense.metrics.sample import Floats, Outcomes, Pairable, Rule, as_paired
from horsesense.scoring import Share

_NO_PAIRS = "no problem has a counterpart"
_NO_SCHEMAS = "no schema has a counterpart"


@share(
    Unit.PROBLEM_PAIR,
    symbol="c",
    equation="c = |{x : M solves x and f(x), or neither}| / |problems|",
    source="Maler 2023, (3.81); stability S: Abdou et al., section 4; Trichelair et al., section 4",
    applies=Applies.PROBLEMS,
    undefined=_NO_PAIRS,
    is_symmetric=True,
    chance=0.5,
    remark="On problems with two options it is the stability S of Abdou et al.: the same option"
    " is chosen before and after exactly where both are solved or both failed. An undecided problem"
    " is consistent with nothing, not even another undecided one, unless it counts half.",
)
def consistency(before: Outcomes, after: Outcomes) -> Floats:
    """The share of problems solved both before and after, or neither.

    >>> consistency([[True, False]], [[True, True]])
    Share(count=1, total=2)
    """
    return before.decided * after.decided * _same(before, after)


@share(
    Unit.PROBLEM_PAIR,
    symbol="c_a",
    equation="c_a = |{x : M solves x and f(x)}| / |problems|",
    source="Maler 2023, (3.82)",
    applies=Applies.PROBLEMS,
    undefined=_NO_PAIRS,
    is_symmetric=True,
    chance=0.25,
    remark="It is exact match over two samples, before and after. Exact match over"
    " several perturbations is `exact_match(original, one, other, …)`, of any number of samples.",
)
def consistent_accuracy(before: Outcomes, after: Outcomes) -> Floats:
    """The share of problems solved before and after.

    >>> consistent_accuracy([[True, False]], [[True, False]])
    Share(count=1, total=2)
    """
    return before.solved * after.solved


@share(
    Unit.PROBLEM_PAIR,
    symbol="c_p",
    equation="c_p = |{x : M solves x and f(x)}| / |{x : M solves x}|",
    source="Maler 2023, (3.83)",
    applies=Applies.PROBLEMS,
    undefined="no problem was solved before",
    is_symmetric=False,
    chance=0.5,
)
def preserved_accuracy(before: Outcomes, after: Outcomes) -> tuple[Floats, Floats]:
    """The share of problems solved after, of those solved before.

    >>> preserved_accuracy([[True, False]], [[True, True]])
    Share(count=1, total=1)
    """
    return before.solved * after.solved, before.solved


@share(
    Unit.PROBLEM_PAIR,
    symbol="ĉ_p",
    equation="ĉ_p = |{x : M solves x and f(x)}| / |{x : M solves f(x)}|",
    source="Maler 2023, (3.84)",
    applies=Applies.PROBLEMS,
    undefined="no problem was solved after",
    is_symmetric=False,
    chance=0.5,
)
def inversely_preserved_accuracy(before: Outcomes, after: Outcomes) -> tuple[Floats, Floats]:
    """The share of problems solved before, of those solved after.

    >>> inversely_preserved_accuracy([[True, False]], [[True, True]])
    Share(count=1, total=2)
    """
    return before.solved * after.solved, after.solved


@share(
    Unit.SCHEMA_PAIR,
    symbol="C̃",
    equation="C̃ = |{w : M solves w and F(w), or neither}| / |schemas|",
    source="Maler 2023, (3.87)",
    applies=Applies.SCHEMAS,
    undefined=_NO_SCHEMAS,
    is_symmetric=True,
    chance=0.625,
)
def weak_schema_consistency(before: Outcomes, after: Outcomes) -> Floats:
    """The share of schemas solved both before and after, or neither.

    >>> weak_schema_consistency([[True, False]], [[False, False]])
    Share(count=1, total=1)
    """
    old, new = fully_solved(before), fully_solved(after)
    return old * new + (1 - old) * (1 - new)


@share(
    Unit.SCHEMA_PAIR,
    symbol="C",
    equation="C = |{w : M solves equally many problems of w and F(w)}| / |schemas|",
    source="Maler 2023, (3.88)",
    applies=Applies.SCHEMAS,
    undefined=_NO_SCHEMAS,
    is_symmetric=True,
    chance=0.375,
)
def schema_consistency(before: Outcomes, after: Outcomes) -> Floats:
    """The share of schemas with equally many problems solved before and after.

    It does not ask which problem was solved, so it also serves inversion, where the problems
    of the two schemas do not correspond.

    >>> schema_consistency([[True, False]], [[False, True]])
    Share(count=1, total=1)
    """
    return equally_many(before, after)


@share(
    Unit.SCHEMA_PAIR,
    symbol="C*",
    equation="C* = |{w : M solves w and F(w) identically}| / |schemas|",
    source="Maler 2023, (3.86), (3.89)",
    applies=Applies.PROBLEMS,
    undefined=_NO_SCHEMAS,
    is_symmetric=True,
    chance=0.25,
    remark="Identically: of each problem, M solves x and f(x), or neither. It is at most c where"
    " no problem is undecided.",
)
def strict_schema_consistency(before: Outcomes, after: Outcomes) -> Floats:
    """The share of schemas with the same problems solved before and after.

    >>> strict_schema_consistency([[True, False]], [[False, True]])
    Share(count=0, total=1)
    """
    same = _same(before, after)
    return same[:, 0] * same[:, 1]


@share(
    Unit.SCHEMA_PAIR,
    symbol="C_a",
    equation="C_a = |{w : M solves w and F(w)}| / |schemas|",
    source="Maler 2023, (3.90)",
    applies=Applies.SCHEMAS,
    undefined=_NO_SCHEMAS,
    is_symmetric=True,
    chance=0.0625,
)
def consistent_schema_accuracy(before: Outcomes, after: Outcomes) -> Floats:
    """The share of schemas solved before and after.

    >>> consistent_schema_accuracy([[True, True]], [[True, True]])
    Share(count=1, total=1)
    """
    return fully_solved(before) * fully_solved(after)


@share(
    Unit.SCHEMA_PAIR,
    symbol="C_p",
    equation="C_p = |{w : M solves w and F(w)}| / |{w : M solves w}|",
    source="Maler 2023, (3.91)",
    applies=Applies.SCHEMAS,
    undefined="no schema was solved before",
    is_symmetric=False,
    chance=0.25,
)
def preserved_schema_accuracy(before: Outcomes, after: Outcomes) -> tuple[Floats, Floats]:
    """The share of schemas solved after, of those solved before.

    >>> preserved_schema_accuracy([[True, True]], [[True, False]])
    Share(count=0, total=1)
    """
    return fully_solved(before) * fully_solved(after), fully_solved(before)


@share(
    Unit.SCHEMA_PAIR,
    symbol="Ĉ_p",
    equation="Ĉ_p = |{w : M solves w and F(w)}| / |{w : M solves F(w)}|",
    source="Maler 2023, (3.92)",
    applies=Applies.SCHEMAS,
    undefined="no schema was solved after",
    is_symmetric=False,
    chance=0.25,
)
def inversely_preserved_schema_accuracy(before: Outcomes, after: Outcomes) -> tuple[Floats, Floats]:
    """The share of schemas solved before, of those solved after.

    >>> inversely_preserved_schema_accuracy([[True, True]], [[True, False]])
    Share(count=0, total=0)
    """
    return fully_solved(before) * fully_solved(after), fully_solved(after)


def equally_many(before: Outcomes, after: Outcomes) -> Floats:
    """1 where equally many problems of a schema are solved; by guessing, how likely that is."""
    return (
        fully_solved(before) * fully_solved(after)
        + half_solved(before) * half_solved(after)
        + anti_solved(before) * anti_solved(after)
    )


def _same(before: Outcomes, after: Outcomes) -> Floats:
    """1 where both problems are solved, or neither is; by guessing, how likely that is."""
    return before.solved * after.solved + before.failed * after.failed


@dataclass(frozen=True, slots=True)
class Transitions:
    """Transitions of the schemas: shares of all that have a counterpart.

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
    source="Maler 2023, 4.2.1",
    applies=Applies.SCHEMAS,
    undefined=_NO_SCHEMAS,
    is_symmetric=False,
    chance=0.3125,
    remark="Exchanging before and after gives the lost share.",
)
def gained_share(before: Outcomes, after: Outcomes) -> Floats:
    """The share of schemas with more problems solved after than before.

    >>> gained_share([[True, False], [True, True]], [[True, True], [False, False]])
    Share(count=1, total=2)
    """
    return _gained(before, after)


@share(
    Unit.SCHEMA_PAIR,
    symbol="–",
    equation="|{w : M solves fewer problems of F(w) than of w}| / |schemas|",
    source="Maler 2023, 4.2.1",
    applies=Applies.SCHEMAS,
    undefined=_NO_SCHEMAS,
    direction=Direction.LOWER,
    is_symmetric=False,
    chance=0.3125,
    remark="Exchanging before and after gives the gained share.",
)
def lost_share(before: Outcomes, after: Outcomes) -> Floats:
    """The share of schemas with fewer problems solved after than before.

    >>> lost_share([[True, False], [True, True]], [[True, True], [False, False]])
    Share(count=1, total=2)
    """
    return _gained(after, before)


@share(
    Unit.SCHEMA_PAIR,
    symbol="C − C*",
    equation="C − C* = |{w : M solves one problem of w and the other of F(w)}| / |schemas|",
    source="Maler 2023, 4.2.1",
    applies=Applies.PROBLEMS,
    undefined=_NO_SCHEMAS,
    direction=Direction.LOWER,
    is_symmetric=True,
    chance=0.125,
)
def kept_with_other_answers(before: Outcomes, after: Outcomes) -> Floats:
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
def unsettled_share(before: Outcomes, after: Outcomes) -> Floats:
    """The share of schemas with equally many problems solved, but an undecided one.

    >>> unsettled_share([[True, None], [True, True]], [[True, False], [True, True]])
    Share(count=1, total=2)
    """
    decided = before.decided * after.decided
    return (1 - decided[:, 0] * decided[:, 1]) * equally_many(before, after)


def transitions(*values: Pairable, ties: Rule | None = None) -> Transitions:
    """The transitions of the schemas of two samples, before and after.

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


def _gained(before: Outcomes, after: Outcomes) -> Floats:
    """1 where more is solved after; by guessing, how likely that is."""
    some_before = half_solved(before) * fully_solved(after)
    return some_before + anti_solved(before) * (1 - anti_solved(after))
