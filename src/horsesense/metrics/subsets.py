"""Subsets: problems selected by an expression over their marks.

    associative
    not associative
    equal-length and (switchable or not associative)

The names are those of marks: tags, flags, kinds. If only one problem of a schema is in a subset,
the problem counts but not the schema. Compare a subset with its complement, not with the whole.

A problem may have a mark before and not after: `equal-length` depends on the tokenizer of a model.
So a pair of problems is in a subset if the expression holds both before and after; a mark that only
one side knows applies to the pair. If only schemas correspond, the marks before decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar, overload

import numpy as np

from horsesense.errors import MetricError, NotationError, UnknownNameError
from horsesense.metrics.sample import Booleans, Data, Integers, Paired, Sample, as_paired

Condition: TypeAlias = Callable[[Sample], Booleans]
D = TypeVar("D", Sample, Paired)
_Marks: TypeAlias = Mapping[str, Booleans]
_MarkCondition: TypeAlias = Callable[[_Marks], Booleans]

AND, OR, NOT, OPEN, CLOSE, END = "and", "or", "not", "(", ")", ""
_WORDS = re.compile(r"[()]|[^\s()]+")
# Far longer than any real expression, and short enough for a recursive parser.
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Split(Generic[D]):
    """A subset and its complement, with the same cluster numbers as the whole.

    Every problem, or pair of problems, is in exactly one of them.
    """

    subset: D
    complement: D


@overload
def subset(data: Sample, expression: str) -> Sample: ...
@overload
def subset(data: Paired | tuple[Sample, Sample], expression: str) -> Paired: ...
def subset(data: Data | tuple[Sample, Sample], expression: str) -> Data:
    """Select the problems for which an expression holds; only their clusters are resampled.

    For a pair, it must hold before and after. A subset may be empty; then metrics are undefined.

    >>> from horsesense.metrics.sample import sample
    >>> whole = sample([[True, False], [True, True]], marks={"old": [[True, True], [True, False]]})
    >>> old = subset(whole, "old")
    >>> len(old.problems), len(old.schemas), old.cluster_count
    (3, 1, 2)
    """
    return _renumbered(split(_marked_data(data), expression).subset)


@overload
def split(data: Sample, expression: str) -> Split[Sample]: ...
@overload
def split(data: Paired | tuple[Sample, Sample], expression: str) -> Split[Paired]: ...
def split(data: Data | tuple[Sample, Sample], expression: str) -> Split[Sample] | Split[Paired]:
    """Split the problems into those for which an expression holds, and the others.

    >>> from horsesense.metrics.sample import sample
    >>> whole = sample([[True, False], [True, True]], marks={"old": [[True, True], [True, False]]})
    >>> parts = split(whole, "old")
    >>> len(parts.subset.problems), len(parts.complement.problems), parts.complement.cluster_count
    (3, 1, 2)
    """
    whole, holds = _marked_data(data), _read(expression)
    if isinstance(whole, Sample):
        kept = holds(whole.marks)
        return Split(whole.among(kept), whole.among(~kept))
    in_subset, others = _pairs_apart(whole, holds)
    return Split(_pairs_among(whole, in_subset), _pairs_among(whole, others))


def condition(expression: str) -> Condition:
    """Parse an expression to a condition; an error points at the part that is not valid.

    >>> from horsesense.metrics.sample import sample
    >>> condition("not old")(sample([[True, False]], marks={"old": [[True, False]]})).tolist()
    [False, True]
    """
    holds = _read(expression)
    return lambda sample: holds(sample.marks)


def _read(expression: str) -> _MarkCondition:
    reader = _Reader(expression)
    holds = reader.alternatives()
    reader.expect(END)
    return holds


class _Reader:
    """A recursive parser of expressions; each method parses what it is named after."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        words = list(_WORDS.finditer(expression))
        self.words = [(word[0], word.start()) for word in words] + [(END, len(expression))]
        self.position = 0
        if len(words) > _LONGEST:
            self.position = _LONGEST
            raise self.error(f"the expression has more than {_LONGEST} words")

    def alternatives(self) -> _MarkCondition:
        holds = self.conjunction()
        while self.took(OR):
            holds = _either(holds, self.conjunction())
        return holds

    def conjunction(self) -> _MarkCondition:
        holds = self.negation()
        while self.took(AND):
            holds = _both(holds, self.negation())
        return holds

    def negation(self) -> _MarkCondition:
        return _opposite(self.negation()) if self.took(NOT) else self.atom()

    def atom(self) -> _MarkCondition:
        if self.word == OPEN:
            return self.bracketed()
        name = self.word
        if name in (AND, OR, CLOSE, END):
            raise self.error(f"{_shown(name)} stands where a name is expected")
        self.position += 1
        return lambda marks: _held(marks, name)

    def bracketed(self) -> _MarkCondition:
        opening = self.position
        self.position += 1
        holds = self.alternatives()
        if self.word == END:
            self.position = opening
            raise self.error("this bracket is never closed")
        self.expect(CLOSE)
        return holds

    def expect(self, word: str) -> None:
        if not self.took(word):
            expected = f"and, or, or {_shown(word)}"
            raise self.error(f"{_shown(self.word)} stands where {expected} is expected")

    @property
    def word(self) -> str:
        return self.words[self.position][0]

    def took(self, word: str) -> bool:
        self.position += (is_next := self.word == word)
        return is_next

    def error(self, problem: str) -> NotationError:
        return NotationError(problem, line=self.expression, column=self.words[self.position][1])


def _shown(word: str) -> str:
    return repr(word) if word else "the end"


def _either(holds: _MarkCondition, other: _MarkCondition) -> _MarkCondition:
    return lambda marks: holds(marks) | other(marks)


def _both(holds: _MarkCondition, other: _MarkCondition) -> _MarkCondition:
    return lambda marks: holds(marks) & other(marks)


def _opposite(holds: _MarkCondition) -> _MarkCondition:
    return lambda marks: ~holds(marks)


def _held(marks: _Marks, name: str) -> Booleans:
    if name not in marks:
        raise UnknownNameError("mark of a problem", name, marks)
    return marks[name]


def _marked_data(data: Data | tuple[Sample, Sample]) -> Data:
    """Return the data; raise an error unless they are samples, as arrays have no marks."""
    if isinstance(data, Sample | Paired):
        return data
    if isinstance(data, tuple) and all(isinstance(side, Sample) for side in data):
        return as_paired(data)
    raise MetricError(
        "a plain array has no marks to make subsets by; give sample(values, marks=…), or two such"
        " samples as (before, after) or paired(before, after)"
    )


def _pairs_apart(data: Paired, holds: _MarkCondition) -> tuple[Booleans, Booleans]:
    """Find which pairs of problems, or else of schemas, are in the subset and in its complement."""
    if data.problems is None:
        held, of_old = holds(data.before.marks), data.schemas[:, 0]
        return _whole(data.before, held)[of_old], _whole(data.before, ~held)[of_old]
    old, new = (
        {name: mark[positions] for name, mark in side.marks.items()}
        for side, positions in zip((data.before, data.after), data.problems.T, strict=True)
    )
    held = holds({**new, **old}) & holds({**old, **new})
    return held, ~held


def _pairs_among(data: Paired, kept: Booleans) -> Paired:
    """Keep some pairs of problems, or else of schemas, and only what belongs to them."""
    old, new = data.before, data.after
    if data.problems is None:
        pairs = data.schemas[kept]
        in_old, in_new = old.schemas[pairs[:, 0]], new.schemas[pairs[:, 1]]
    else:
        pairs = data.problems[kept]
        in_old, in_new = pairs.T
    left_old, left_new = _at(in_old, len(old.problems)), _at(in_new, len(new.problems))
    whole_old, whole_new = _whole(old, left_old), _whole(new, left_new)
    is_whole = whole_old[data.schemas[:, 0]] & whole_new[data.schemas[:, 1]]
    return Paired(
        old.among(left_old),
        new.among(left_new),
        None if data.problems is None else _places(pairs, left_old, left_new),
        _places(data.schemas[is_whole], whole_old, whole_new),
    )


def _whole(sample: Sample, left: Booleans) -> Booleans:
    """Find the schemas of which both problems are left."""
    return left[sample.schemas[:, 0]] & left[sample.schemas[:, 1]]


def _at(positions: Integers, count: int) -> Booleans:
    """Return an array that is true at these positions."""
    there = np.zeros(count, dtype=bool)
    there[positions] = True
    return there


def _places(pairs: Integers, left_old: Booleans, left_new: Booleans) -> Integers:
    """Convert pairs of positions in the whole to positions in what is left."""
    places = [np.cumsum(left) - 1 for left in (left_old, left_new)]
    return np.column_stack([places[side][pairs[:, side]] for side in (0, 1)])


def _renumbered(data: Data) -> Data:
    """Number the clusters consecutively, in their order and alike before and after."""
    if isinstance(data, Sample):
        return _with_numbers(data, np.unique(data.clusters))
    numbers = np.unique(np.concatenate([data.before.clusters, data.after.clusters]))
    return replace(
        data,
        before=_with_numbers(data.before, numbers),
        after=_with_numbers(data.after, numbers),
    )


def _with_numbers(sample: Sample, numbers: Integers) -> Sample:
    return replace(
        sample, clusters=np.searchsorted(numbers, sample.clusters), cluster_count=len(numbers)
    )
