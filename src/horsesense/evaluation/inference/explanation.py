"""Explain a number: a problem token by token, and what each method adds up.

Pure. The command line draws the explanation, or writes it as JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from math import fsum
from typing import TypeAlias

from horsesense.evaluation.inference.run import Scored
from horsesense.models import (
    CausalObservation,
    FirstToken,
    Label,
    LabelPart,
    LogProbs,
    MaskedObservation,
    Observation,
    Part,
    SpansObservation,
    TokenSpans,
)
from horsesense.scoring import Outcome, Result, Score, Scores, Undefined, Verdict

PartName: TypeAlias = Part | LabelPart
Spell: TypeAlias = Callable[[int], str]
# What goes before a token that carries on the word before it, as the columns part them.
CONTINUED = "+"
# A token of white space alone, which would not be seen.
SPACE = "␣"

_FIRST, _LAST = -2, 1_000_000
# How vocabularies spell the space before a word.
_SPACES = "Ġ▁ "


@dataclass(frozen=True, slots=True)
class Column:
    """The part that a column belongs to; `run` tells two blanks apart."""

    part: PartName
    run: int


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of each token of an option, in one way of asking; None where it was not asked."""

    name: str
    values: tuple[float | None, ...]

    def at(self, place: int | None) -> float | None:
        """The cost of the token at that place, if there is one."""
        return None if place is None else self.values[place]


@dataclass(frozen=True, slots=True)
class OptionTokens:
    """The tokens of one option: in each column the position of one, or None.

    `texts`, `straddling` and the values of `costs` are in the order of the tokens.
    """

    places: tuple[int | None, ...]
    texts: tuple[str, ...]
    straddling: tuple[int, ...]
    costs: tuple[Costs, ...]


@dataclass(frozen=True, slots=True)
class TokenGrid:
    """Columns, and the tokens of each option in them."""

    columns: tuple[Column, ...]
    options: tuple[OptionTokens, ...]

    def differences(self, dearer: int, cheaper: int) -> tuple[Costs, ...]:
        """How much more each token of one option costs than that of the other beside it.

        There are as many of them as there are ways of asking, each with a value for every column.
        Where the two options differ, there is one value for all tokens of the part, at its end.
        """
        one, other = self.options[dearer], self.options[cheaper]
        runs = [
            list(run) for _, run in groupby(range(len(self.columns)), lambda at: self.columns[at])
        ]
        return tuple(
            Costs(
                costs.name,
                tuple(
                    value
                    for run in runs
                    for value in _differences(
                        [_Beside(one, costs, at) for at in run],
                        [_Beside(other, less, at) for at in run],
                    )
                ),
            )
            for costs, less in zip(one.costs, other.costs, strict=False)
        )


@dataclass(frozen=True, slots=True)
class _Beside:
    """The token of an option in a column, if there is one, and what it costs."""

    option: OptionTokens
    costs: Costs
    column: int

    @property
    def text(self) -> str | None:
        place = self.option.places[self.column]
        return None if place is None else self.option.texts[place]

    @property
    def cost(self) -> float | None:
        return self.costs.at(self.option.places[self.column])


def _differences(run: Sequence[_Beside], other: Sequence[_Beside]) -> list[float | None]:
    """The difference of each two tokens if they are the same, else that of all at the end."""
    pairs = list(zip(run, other, strict=True))
    if all(one.text == two.text for one, two in pairs):
        return [None if a.cost is None or b.cost is None else a.cost - b.cost for a, b in pairs]
    known = [one.cost is not None for one in (*run, *other)]
    total = fsum(beside.cost or 0.0 for beside in run) - fsum(
        beside.cost or 0.0 for beside in other
    )
    return [*[None] * (len(run) - 1), total if any(known) else None]


def line_up(observations: Sequence[Observation], spell: Spell) -> TokenGrid:
    """The tokens of all options in common columns; none for what was observed without tokens.

    `spell` gives a token as its vocabulary spells it, for those that stand nowhere in the text.
    """
    options = [_tokens(one, spell) for one in _without_repetition(observations)]
    runs = {column.run: column for option in options for column in option.columns}
    columns: list[Column] = []
    places: list[list[int | None]] = [[] for _ in options]
    for run in sorted(runs):
        found = [option.positions(run) for option in options]
        width = max(map(len, found))
        columns += [runs[run]] * width
        for row, positions in zip(places, found, strict=True):
            padding: list[int | None] = [None] * (width - len(positions))
            # What follows a blank ends in the same words, and is lined up by them.
            row += padding + positions if runs[run].part is Part.SUFFIX else positions + padding
    return TokenGrid(
        tuple(columns),
        tuple(
            OptionTokens(tuple(row), option.texts, option.straddling, option.costs)
            for row, option in zip(places, options, strict=True)
        ),
    )


def _without_repetition(observations: Sequence[Observation]) -> Sequence[Observation]:
    """The observations, less what says the same twice: words of one token each are masked alone."""
    masked = [
        observation for observation in observations if isinstance(observation, MaskedObservation)
    ]
    if masked and all(one.within_word == one.single for one in masked):
        return [replace(one, within_word=()) for one in masked]
    return observations


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The tokens of one option by itself."""

    columns: tuple[Column, ...]
    texts: tuple[str, ...]
    straddling: tuple[int, ...]
    costs: tuple[Costs, ...]

    def positions(self, run: int) -> list[int | None]:
        return [at for at, column in enumerate(self.columns) if column.run == run]


def _tokens(observation: Observation, spell: Spell) -> _Tokens:
    match observation:
        case CausalObservation(tokens=placed):
            return _placed(placed, spell, (_costs("", _with_first(observation)),))
        case MaskedObservation(tokens=placed):
            return _placed(placed, spell, _masked_costs(observation))
        case SpansObservation(plain=plain, prefixed=prefixed):
            costs = _costs("", plain.log_probs), _costs("with prefix", prefixed.log_probs)
            return _Tokens(_label_columns(plain), _label_texts(plain, spell), (), costs)
    return _Tokens((), (), (), ())


def _masked_costs(observation: MaskedObservation) -> tuple[Costs, ...]:
    asked = (
        ("single-mask", observation.single),
        ("within-word", observation.within_word),
        ("multi-mask", observation.multi),
    )
    return tuple(_costs(name, values) for name, values in asked if set(values) - {None})


def _with_first(observation: CausalObservation) -> LogProbs:
    """The log-probabilities, with that of the first real token wherever it is from."""
    real = observation.tokens.real
    return tuple(
        observation.first if real and at == real[0] else value
        for at, value in enumerate(observation.log_probs)
    )


def _costs(name: str, log_probs: LogProbs) -> Costs:
    return Costs(name, tuple(None if value is None else -value for value in log_probs))


def _placed(placed: TokenSpans, spell: Spell, costs: tuple[Costs, ...]) -> _Tokens:
    return _Tokens(_columns(placed.parts), _texts(placed, spell), placed.straddling, costs)


def _columns(parts: Sequence[Part]) -> tuple[Column, ...]:
    """The columns of a sentence: odd runs are blanks, even ones what stands around them."""
    columns, run = [], _FIRST
    for part in parts:
        match part:
            case Part.SPECIAL:
                run = _FIRST if run == _FIRST else _LAST
            case Part.PREFIX:
                run = 0
            case Part.BLANK:
                run = run if run % 2 else max(run, 0) + 1
            case Part.BETWEEN:
                run = run + 1 if run % 2 else max(run, 2)
            case Part.SUFFIX:
                run = _LAST - 2
        columns.append(Column(part, run))
    return tuple(columns)


def _label_columns(label: Label) -> tuple[Column, ...]:
    columns, run = [], _FIRST
    for part in label.parts:
        match part:
            case LabelPart.SENTINEL:
                run = run + 1 if run % 2 else run + 2
            case LabelPart.PHRASE:
                run = run if run % 2 else run + 1
            case LabelPart.EOS:
                run = _LAST
        columns.append(Column(part, run))
    return tuple(columns)


def _texts(placed: TokenSpans, spell: Spell) -> tuple[str, ...]:
    reading, texts, before = placed.reading, [], (-1, -1)
    for token in reading.tokens:
        place = token.start, token.end
        if token.is_special or place == before:  # a piece of a character has no text of its own
            texts.append(spell(token.id))
        else:
            glued = reading.text[max(token.start - 1, 0) : token.start + 1]
            continued = len(glued) == 2 and glued.isalnum()
            texts.append((CONTINUED if continued else "") + reading.text[token.start : token.end])
        before = place
    return tuple(text or SPACE for text in texts)


def _label_texts(label: Label, spell: Spell) -> tuple[str, ...]:
    texts, before = [], ""
    for token, part in zip(label.ids, label.parts, strict=True):
        spelt = spell(token)
        bare = spelt.lstrip(_SPACES)
        if part is LabelPart.PHRASE and bare == spelt and before.isalnum() and bare[:1].isalnum():
            bare = CONTINUED + bare
        texts.append(bare or SPACE)
        before = bare[-1:] if part is LabelPart.PHRASE else ""
    return tuple(texts)


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
        sum(
            part in _FILLED and at is not None
            for part, at in zip(parts, option.places, strict=True)
        )
        for option in grid.options
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
    sources = {
        observation.first_from
        for observation in observations
        if isinstance(observation, CausalObservation)
    }
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
