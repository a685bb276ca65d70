"""Explain a number: a problem token by token, and what each method adds up.

Pure. The command line draws the explanation, or writes it as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from horsesense.evaluation.inference.run import Scored
from horsesense.evaluation.inference.token_grid import Costs, Spell, TokenGrid, line_up
from horsesense.models import (
    CausalObservation,
    FirstToken,
    LabelPart,
    Observation,
    Part,
)
from horsesense.scoring import Outcome, Result, Score, Scores, Undefined, Verdict

_FILLED = (Part.BLANK, LabelPart.PHRASE)
_NO_FIRST = (
    "the first token has no cost: the model reads no BOS before it, and no table of token"
    " frequencies was given"
)


class Mark(StrEnum):
    """Whether a method adds up the tokens of a column: of all options, of some or of none."""

    ALL = "all"
    SOME = "some"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Sum:
    """The tokens that a method adds up, and the sum; `undefined` says why there is none.

    `marks` has one item for each column of the grid, `divisors` and `alone` one for each option:
    what the sum was divided by, and what was taken off it as the cost of the phrase by itself.
    """

    method: str
    marks: tuple[Mark, ...] = ()
    divisors: tuple[int, ...] = ()
    alone: tuple[float, ...] = ()
    outcome: Outcome | None = None
    note: str = ""
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A problem, the tokens of its options, what the methods add up, and what is to be noted.

    `differences` has a value for every column, in as many rows as there are costs: how much more
    the token costs in the option that is not sensible. Where the sensible one is not known, the
    first is taken for it; where there are not two options, there are none.
    """

    statement: str
    options: tuple[str, ...]
    right: int | None
    grid: TokenGrid
    differences: tuple[Costs, ...]
    sums: tuple[Sum, ...]
    remarks: tuple[str, ...]


def explain(scored: Scored, spell: Spell) -> Explanation:
    """Explain what the methods made of a problem.

    `spell` gives a token as its vocabulary spells it.
    """
    problem = scored.problem
    grid = line_up(scored.observations, spell)
    sums = tuple(_sum(name, result, scored, grid) for name, result in scored.results.items())
    options = tuple(" … ".join(phrases) or "(nothing)" for phrases in problem.options)
    remarks = (
        *_token_remarks(grid, options),
        *_first_remarks(scored.observations, sums),
        *_sum_remarks(sums, options),
    )
    right = problem.right or 0
    differences = grid.differences(1 - right, right) if len(options) == 2 else ()
    return Explanation(
        problem.statement.text, options, problem.right, grid, differences, sums, remarks
    )


def _sum(name: str, result: Result, scored: Scored, grid: TokenGrid) -> Sum:
    outcome = scored.outcomes[name]
    if isinstance(result, Undefined) or isinstance(outcome, Undefined):
        return Sum(name, undefined=result.reason if isinstance(result, Undefined) else "")
    return Sum(
        name,
        marks=tuple(_mark(result, grid, at) for at in range(len(grid.columns))),
        divisors=tuple(score.divisor for score in result.scores),
        alone=tuple(map(_alone, scored.observations, result.scores)),
        outcome=outcome,
        note=result.note,
    )


def _alone(observation: Observation, score: Score) -> float:
    """The cost of the phrase by itself, which a method subtracts."""
    is_taken = isinstance(observation, CausalObservation) and observation.alone == score.extra
    return -score.extra if is_taken else 0.0


def _mark(scores: Scores, grid: TokenGrid, column: int) -> Mark:
    found = {
        option.places[column] in score.counted
        for option, score in zip(grid.options, scores.scores, strict=True)
        if option.places[column] is not None
    }
    if found == {True}:
        return Mark.ALL
    return Mark.SOME if True in found else Mark.NONE


def _token_remarks(grid: TokenGrid, options: Sequence[str]) -> Iterator[str]:
    """Remarks on the tokens, before anything is added up."""
    parts = [column.part for column in grid.columns]
    filled = [
        sum(part in _FILLED and at is not None for part, at in zip(parts, one.places, strict=True))
        for one in grid.options
    ]
    if len(set(filled)) > 1:
        lengths = ", ".join(f"{name} {n}" for name, n in zip(options, filled, strict=True))
        yield f"unequal answer lengths in tokens: {lengths}"
    if Part.BLANK in parts:
        after = parts.count(Part.SUFFIX)
        yield f"{after or 'no'} token{'' if after == 1 else 's'} after the blank"
    for name, option in zip(options, grid.options, strict=True):
        for at in option.straddling:
            part = parts[option.places.index(at)]
            across = f"the token {option.texts[at]!r} stands across the edge of a blank"
            yield f"{name}: {across}, and counts as {part}"


def _first_remarks(observations: Sequence[Observation], sums: Sequence[Sum]) -> Iterator[str]:
    """Why the first token has no cost, where no method has said so already."""
    sources = {one.first_from for one in observations if isinstance(one, CausalObservation)}
    if FirstToken.UNDEFINED in sources and not any(one.undefined for one in sums):
        yield _NO_FIRST


def _sum_remarks(sums: Sequence[Sum], options: Sequence[str]) -> Iterator[str]:
    """Say what the methods did where they had a choice, and why some have no sum."""
    for note, names in _grouped((each.note, each.method) for each in sums if each.note):
        yield f"{', '.join(names)}: {note}"
    taken = ((_taken(one, options), one.method) for one in sums if any(one.alone))
    for costs, names in _grouped(taken):
        yield f"{', '.join(names)}: less what the phrase costs alone ({costs})"
    ties = [one.method for one in sums if one.outcome and one.outcome.verdict is Verdict.UNDECIDED]
    if ties:
        yield f"{', '.join(ties)}: a tie, undecided"
    for reason, names in _grouped((one.undefined, one.method) for one in sums if one.undefined):
        yield f"{', '.join(names)}: undefined, for {reason}"


def _taken(one: Sum, options: Sequence[str]) -> str:
    return ", ".join(f"{name} {cost:.2f}" for name, cost in zip(options, one.alone, strict=True))


def _grouped(pairs: Iterator[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Group the methods of which the same is said."""
    groups: dict[str, list[str]] = {}
    for remark, name in pairs:
        groups.setdefault(remark, []).append(name)
    return list(groups.items())
