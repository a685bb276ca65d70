"""Explain the scores of a problem token by token, and which tokens each method adds up.

Pure. The command line draws the explanation or writes it as JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from math import fsum, isclose
from typing import TypeAlias, cast

from horsesense.evaluation.inference.conversations import Conversation, conversations_about
from horsesense.evaluation.inference.run import ObservedProblem
from horsesense.models import (
    CausalObservation,
    Family,
    FirstToken,
    Label,
    LabelPart,
    LanguageModel,
    LogProbs,
    MaskedObservation,
    Model,
    Observation,
    Part,
    SpansObservation,
    TokenSpans,
)
from horsesense.scoring import Outcome, Result, Score, Scores, Undefined, Verdict
from horsesense.scoring.deciding import CountedToken, OptionSum

PartName: TypeAlias = Part | LabelPart
Spell: TypeAlias = Callable[[int], str]
# The prefix of a token that continues a word, as tokens are in separate columns.
CONTINUED = "+"
# The text of a token that is only white space, which would be invisible.
SPACE = "␣"

_FIRST, _LAST = -2, 1_000_000
# How vocabularies spell the space before a word.
_SPACES = "Ġ▁ "


@dataclass(frozen=True, slots=True)
class TokenColumn:
    """The part that a column belongs to; `run` distinguishes two blanks."""

    part: PartName
    run: int


@dataclass(frozen=True, slots=True)
class Costs:
    """The cost of each token of an option by one kind of query; None if it was not queried."""

    name: str
    values: tuple[float | None, ...]

    def at(self, place: int | None) -> float | None:
        """Return the cost of the token at that position, None without a token."""
        return None if place is None else self.values[place]


@dataclass(frozen=True, slots=True)
class OptionTokens:
    """The tokens of one option: the position of the token in each column, or None.

    `texts`, `straddling` and the values of `costs` are in the order of the tokens.
    """

    places: tuple[int | None, ...]
    texts: tuple[str, ...]
    straddling: tuple[int, ...]
    costs: tuple[Costs, ...]


@dataclass(frozen=True, slots=True)
class TokenGrid:
    """The tokens of all options, lined up in columns."""

    columns: tuple[TokenColumn, ...]
    options: tuple[OptionTokens, ...]

    def differences(self, option: int, compared_with: int) -> tuple[Costs, ...]:
        """Return how much more each token of one option costs than the same token of another.

        There is one item per kind of query, with a value for each column. If the two options differ
        in a part, there is one value for all its tokens, at its end.
        """
        first, second = self.options[option], self.options[compared_with]
        columns = range(len(self.columns))
        runs = [list(run) for _, run in groupby(columns, lambda column: self.columns[column])]
        return tuple(
            Costs(
                costs.name,
                tuple(
                    value
                    for run in runs
                    for value in _differences(
                        [_Cell(first, costs, column) for column in run],
                        [_Cell(second, other_costs, column) for column in run],
                    )
                ),
            )
            for costs, other_costs in zip(first.costs, second.costs, strict=False)
        )


@dataclass(frozen=True, slots=True)
class _Cell:
    """The token of an option in a column, if there is one, and its cost."""

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


def _differences(run: Sequence[_Cell], other: Sequence[_Cell]) -> list[float | None]:
    """Return the difference for each token if all texts are equal, else the sum at the end."""
    pairs = list(zip(run, other, strict=True))
    if all(a.text == b.text for a, b in pairs):
        return [None if a.cost is None or b.cost is None else a.cost - b.cost for a, b in pairs]
    is_known = any(cell.cost is not None for cell in (*run, *other))
    total = fsum(cell.cost or 0.0 for cell in run) - fsum(cell.cost or 0.0 for cell in other)
    return [*[None] * (len(run) - 1), total if is_known else None]


def line_up(observations: Sequence[Observation], spell: Spell) -> TokenGrid:
    """Line up the tokens of all options in columns; the grid of a baseline is empty.

    `spell` returns a token as in the vocabulary, for tokens without text in the sentence.
    """
    options = [_tokens(each, spell) for each in _without_repetition(observations)]
    runs = {column.run: column for option in options for column in option.columns}
    columns: list[TokenColumn] = []
    places: list[list[int | None]] = [[] for _ in options]
    for run in sorted(runs):
        in_run = [option.positions(run) for option in options]
        width = max(map(len, in_run))
        columns += [runs[run]] * width
        for row, positions in zip(places, in_run, strict=True):
            padding: list[int | None] = [None] * (width - len(positions))
            # The texts after a blank end in the same words, so they are aligned at the end.
            row += padding + positions if runs[run].part is Part.SUFFIX else positions + padding
    return TokenGrid(
        tuple(columns),
        tuple(
            OptionTokens(tuple(row), option.texts, option.straddling, option.costs)
            for row, option in zip(places, options, strict=True)
        ),
    )


def _without_repetition(observations: Sequence[Observation]) -> Sequence[Observation]:
    """Leave out `within_word` if all words have one token, as it equals `single` then."""
    masked = [
        observation for observation in observations if isinstance(observation, MaskedObservation)
    ]
    if masked and all(each.within_word == each.single for each in masked):
        return [replace(each, within_word=()) for each in masked]
    return observations


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The tokens of one option, before they are lined up with those of the others."""

    columns: tuple[TokenColumn, ...]
    texts: tuple[str, ...]
    straddling: tuple[int, ...]
    costs: tuple[Costs, ...]

    def positions(self, run: int) -> list[int | None]:
        return [at for at, column in enumerate(self.columns) if column.run == run]


def _tokens(observation: Observation, spell: Spell) -> _Tokens:
    match observation:
        case CausalObservation(tokens=tokens):
            return _sentence(tokens, spell, (_costs("", _with_first(observation)),))
        case MaskedObservation(tokens=tokens):
            return _sentence(tokens, spell, _masked_costs(observation))
        case SpansObservation(plain=plain, prefixed=prefixed):
            costs = _costs("", plain.log_probs), _costs("with prefix", prefixed.log_probs)
            return _Tokens(_label_columns(plain), _label_texts(plain, spell), (), costs)
    return _Tokens((), (), (), ())


def _masked_costs(observation: MaskedObservation) -> tuple[Costs, ...]:
    kinds = (
        ("single-mask", observation.single),
        ("within-word", observation.within_word),
        ("multi-mask", observation.multi),
    )
    return tuple(_costs(name, values) for name, values in kinds if set(values) - {None})


def _with_first(observation: CausalObservation) -> LogProbs:
    """Return the log-probabilities with that of the first real token, from any source."""
    real = observation.tokens.real
    return tuple(
        observation.first if real and at == real[0] else value
        for at, value in enumerate(observation.log_probs)
    )


def _costs(name: str, log_probs: LogProbs) -> Costs:
    return Costs(name, tuple(None if value is None else -value for value in log_probs))


def _sentence(tokens: TokenSpans, spell: Spell, costs: tuple[Costs, ...]) -> _Tokens:
    return _Tokens(_columns(tokens.parts), _texts(tokens, spell), tokens.straddling, costs)


def _columns(parts: Sequence[Part]) -> tuple[TokenColumn, ...]:
    """Return the columns of a sentence: odd runs are blanks, even ones the text around them."""
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
        columns.append(TokenColumn(part, run))
    return tuple(columns)


def _label_columns(label: Label) -> tuple[TokenColumn, ...]:
    columns, run = [], _FIRST
    for part in label.parts:
        match part:
            case LabelPart.SENTINEL:
                run = run + 1 if run % 2 else run + 2
            case LabelPart.PHRASE:
                run = run if run % 2 else run + 1
            case LabelPart.EOS:
                run = _LAST
        columns.append(TokenColumn(part, run))
    return tuple(columns)


def _texts(tokens: TokenSpans, spell: Spell) -> tuple[str, ...]:
    text, texts, previous = tokens.tokenization.text, [], (-1, -1)
    for token in tokens.tokenization.tokens:
        offsets = token.start, token.end
        if token.is_special or offsets == previous:  # part of a character has no text of its own
            texts.append(spell(token.id))
        else:
            edge = text[max(token.start - 1, 0) : token.start + 1]
            is_continued = len(edge) == 2 and edge.isalnum()
            texts.append((CONTINUED if is_continued else "") + text[token.start : token.end])
        previous = offsets
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
    "the first token has no cost: the model has no BOS, and there is no table of token frequencies"
)


class Coverage(StrEnum):
    """Whether a method adds up the tokens of a column for all options, some or none."""

    ALL = "all"
    SOME = "some"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Sum:
    """The tokens that a method adds up, and the outcome, or the reason why it is `undefined`.

    `coverage` has one item for each column of the grid, `divisors` and `alone` one for each option:
    the divisor of the sum, and the cost of the phrase by itself that was subtracted from it.
    `added` has the counted tokens of each option; it is empty if no row of costs gives the score.
    """

    method: str
    coverage: tuple[Coverage, ...] = ()
    divisors: tuple[int, ...] = ()
    alone: tuple[float, ...] = ()
    outcome: Outcome | None = None
    added: tuple[OptionSum, ...] = ()
    note: str = ""
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A problem, the tokens of its options, the sums of the methods, and remarks.

    `differences` has one row per kind of cost, with a value for each column: how much more the
    token costs in the wrong option than in the right one. If the right one is not known, the first
    option takes its place; if there are not two options, there are no differences. With a chat
    model, the grid is empty, and there is a conversation for each method.
    """

    statement: str
    options: tuple[str, ...]
    right: int | None
    grid: TokenGrid
    differences: tuple[Costs, ...]
    sums: tuple[Sum, ...]
    remarks: tuple[str, ...]
    conversations: tuple[Conversation, ...] = ()


def spelling_of(model: Model) -> Spell:
    """Return the function that spells a model's tokens; baselines and chat models show none."""
    if model.info.family in (Family.BASELINE, Family.CHAT):
        return str
    return cast(LanguageModel, model).token_text


def explain(scored: ObservedProblem, spell: Spell) -> Explanation:
    """Explain the scores of a problem by each method.

    `spell` returns a token as in the vocabulary.
    """
    problem = scored.problem
    grid = line_up(scored.observations, spell)
    sums = tuple(_sum(name, result, scored, grid) for name, result in scored.results.items())
    options = tuple(" … ".join(phrases) or "(nothing)" for phrases in problem.options)
    conversations = conversations_about(problem, scored.observations, tuple(scored.results))
    remarks = (
        *_token_remarks(grid, options),
        *_first_remarks(scored.observations, sums),
        *_sum_remarks(sums, options, has_replies=bool(conversations)),
    )
    right = problem.right or 0
    differences = grid.differences(1 - right, right) if len(options) == 2 else ()
    return Explanation(
        problem.statement.text,
        options,
        problem.right,
        grid,
        differences,
        sums,
        remarks,
        conversations,
    )


def _sum(name: str, result: Result, scored: ObservedProblem, grid: TokenGrid) -> Sum:
    outcome = scored.outcomes[name]
    if isinstance(result, Undefined) or isinstance(outcome, Undefined):
        return Sum(name, undefined=result.reason if isinstance(result, Undefined) else "")
    return Sum(
        name,
        coverage=tuple(_coverage(result, grid, at) for at in range(len(grid.columns))),
        divisors=tuple(score.divisor for score in result.scores),
        alone=tuple(map(_alone, scored.observations, result.scores)),
        outcome=outcome,
        added=_added(result, grid, [" ".join(phrases) for phrases in scored.problem.options]),
        note=result.note,
    )


def _added(result: Scores, grid: TokenGrid, phrases: Sequence[str]) -> tuple[OptionSum, ...]:
    """Return the tokens that were added up, from the row of costs that gives every score."""
    rows = min((len(option.costs) for option in grid.options), default=0)
    for row in range(rows):
        sums = [
            _option_sum(score, option, row, grid, phrase)
            for score, option, phrase in zip(result.scores, grid.options, phrases, strict=True)
        ]
        found = tuple(sum_ for sum_ in sums if sum_ is not None)
        if len(found) == len(sums):
            return found
    return ()


def _option_sum(
    score: Score, option: OptionTokens, row: int, grid: TokenGrid, phrase: str
) -> OptionSum | None:
    """Return the tokens that the score counts; None if their costs do not give the score."""
    parts = {
        at: column.part
        for at, column in zip(option.places, grid.columns, strict=True)
        if at is not None
    }
    values = option.costs[row].values
    tokens = []
    for at in score.counted:
        if at not in parts or (cost := values[at]) is None:
            return None
        text = option.texts[at]
        is_continued = text.startswith(CONTINUED) and len(text) > 1
        shown = text.removeprefix(CONTINUED) if is_continued else text
        is_across = at in option.straddling
        tokens.append(CountedToken(shown.strip(), str(parts[at]), cost, is_continued, is_across))
    found = OptionSum(phrase, tuple(tokens), score.divisor, score.extra)
    return found if isclose(found.cost, score.cost, rel_tol=1e-6, abs_tol=1e-6) else None


def _alone(observation: Observation, score: Score) -> float:
    """Return the cost of the phrase by itself, if the method subtracts it."""
    is_subtracted = isinstance(observation, CausalObservation) and observation.alone == score.extra
    return -score.extra if is_subtracted else 0.0


def _coverage(scores: Scores, grid: TokenGrid, column: int) -> Coverage:
    is_counted = {
        option.places[column] in score.counted
        for option, score in zip(grid.options, scores.scores, strict=True)
        if option.places[column] is not None
    }
    if is_counted == {True}:
        return Coverage.ALL
    return Coverage.SOME if True in is_counted else Coverage.NONE


def _token_remarks(grid: TokenGrid, options: Sequence[str]) -> Iterator[str]:
    """Yield remarks on the tokens."""
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
            crossing = f"the token {option.texts[at]!r} crosses the edge of a blank"
            yield f"{name}: {crossing}, and counts as {part}"


def _first_remarks(observations: Sequence[Observation], sums: Sequence[Sum]) -> Iterator[str]:
    """Explain why the first token has no cost, unless the reason of a method does."""
    sources = {
        observation.first_from
        for observation in observations
        if isinstance(observation, CausalObservation)
    }
    if FirstToken.UNDEFINED in sources and not any(each.undefined for each in sums):
        yield _NO_FIRST


def _sum_remarks(
    sums: Sequence[Sum], options: Sequence[str], *, has_replies: bool
) -> Iterator[str]:
    """Yield the notes of the methods, ties, and the reasons why some methods are undefined.

    With replies, the conversations say why a problem is undecided.
    """
    for note, names in _grouped((each.note, each.method) for each in sums if each.note):
        yield f"{', '.join(names)}: {note}"
    subtracted = ((_subtracted(each, options), each.method) for each in sums if any(each.alone))
    for costs, names in _grouped(subtracted):
        yield f"{', '.join(names)}: minus the phrase's own cost ({costs})"
    outcomes = ((each.method, each.outcome) for each in sums)
    ties = [name for name, each in outcomes if each and each.verdict is Verdict.UNDECIDED]
    if ties and not has_replies:
        yield f"{', '.join(ties)}: a tie, undecided"
    for reason, names in _grouped((each.undefined, each.method) for each in sums if each.undefined):
        yield f"{', '.join(names)}: undefined: {reason}"


def _subtracted(each: Sum, options: Sequence[str]) -> str:
    return ", ".join(f"{name} {cost:.2f}" for name, cost in zip(options, each.alone, strict=True))


def _grouped(pairs: Iterator[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Group the methods with the same remark."""
    groups: dict[str, list[str]] = {}
    for remark, name in pairs:
        groups.setdefault(remark, []).append(name)
    return list(groups.items())
