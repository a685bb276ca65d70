"""Subsets: the problems of which something holds, said in a few words.

    associative
    not associative
    equal-length and (switchable or not associative)

The names are those of marks: tags, flags, kinds. A schema of which one problem is left counts
among the problems only. A subset is to be compared with its complement, not with the whole.

A mark may hold of a problem before and not after, as equal-length answers do, whose tokens are a
model's own. So an expression holds of a pair of problems where it holds both before and after; a
mark that only one side knows is that of the pair. Where only schemas correspond, what is before
says which are in a subset.
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
_Asked: TypeAlias = Callable[[_Marks], Booleans]

AND, OR, NOT, OPEN, CLOSE, END = "and", "or", "not", "(", ")", ""
_WORDS = re.compile(r"[()]|[^\s()]+")
# Far more than anybody writes, and few enough to be read by functions that call themselves.
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Split(Generic[D]):
    """A subset and its complement, whose clusters are numbered as in the whole.

    Every problem, or pair of problems, is in one of them.
    """

    subset: D
    complement: D


@overload
def subset(data: Sample, expression: str) -> Sample: ...
@overload
def subset(data: Paired | tuple[Sample, Sample], expression: str) -> Paired: ...
def subset(data: Data | tuple[Sample, Sample], expression: str) -> Data:
    """The problems of which it holds, with no cluster but theirs, so only they are resampled.

    Of a pair, it must hold before and after. An empty subset is one: its metrics are undefined.

    >>> from horsesense.metrics.sample import sample
    >>> whole = sample([[True, False], [True, True]], marks={"old": [[True, True], [True, False]]})
    >>> found = subset(whole, "old")
    >>> len(found.problems), len(found.schemas), found.cluster_count
    (3, 1, 2)
    """
    found = split(_marked_data(data), expression).subset
    return _renumbered(found)


@overload
def split(data: Sample, expression: str) -> Split[Sample]: ...
@overload
def split(data: Paired | tuple[Sample, Sample], expression: str) -> Split[Paired]: ...
def split(data: Data | tuple[Sample, Sample], expression: str) -> Split[Sample] | Split[Paired]:
    """The problems of which it holds, and the others.

    >>> from horsesense.metrics.sample import sample
    >>> whole = sample([[True, False], [True, True]], marks={"old": [[True, True], [True, False]]})
    >>> parts = split(whole, "old")
    >>> len(parts.subset.problems), len(parts.complement.problems), parts.complement.cluster_count
    (3, 1, 2)
    """
    whole, asked = _marked_data(data), _read(expression)
    if isinstance(whole, Sample):
        kept = asked(whole.marks)
        return Split(whole.among(kept), whole.among(~kept))
    in_subset, others = _pairs_apart(whole, asked)
    return Split(_pairs_among(whole, in_subset), _pairs_among(whole, others))


def condition(expression: str) -> Condition:
    """The condition that an expression stands for; an error points at what cannot be read.

    >>> from horsesense.metrics.sample import sample
    >>> condition("not old")(sample([[True, False]], marks={"old": [[True, False]]})).tolist()
    [False, True]
    """
    asked = _read(expression)
    return lambda sample: asked(sample.marks)


def _read(expression: str) -> _Asked:
    reader = _Reader(expression)
    asked = reader.alternatives()
    reader.expect(END)
    return asked


class _Reader:
    """Reads an expression word by word; each method reads what it is named after."""

    def __init__(self, expression: str) -> None:
        self.expression = expression
        found = list(_WORDS.finditer(expression))
        self.words = [(word[0], word.start()) for word in found] + [(END, len(expression))]
        self.at = 0
        if len(found) > _LONGEST:
            self.at = _LONGEST
            raise self.error(f"the expression goes on after {_LONGEST} words")

    def alternatives(self) -> _Asked:
        asked = self.conjunction()
        while self.took(OR):
            asked = _either(asked, self.conjunction())
        return asked

    def conjunction(self) -> _Asked:
        asked = self.negation()
        while self.took(AND):
            asked = _both(asked, self.negation())
        return asked

    def negation(self) -> _Asked:
        return _opposite(self.negation()) if self.took(NOT) else self.atom()

    def atom(self) -> _Asked:
        if self.word == OPEN:
            return self.bracketed()
        name = self.word
        if name in (AND, OR, CLOSE, END):
            raise self.error(f"{_shown(name)} stands where a name is expected")
        self.at += 1
        return lambda marks: _held(marks, name)

    def bracketed(self) -> _Asked:
        opening = self.at
        self.at += 1
        asked = self.alternatives()
        if self.word == END:
            self.at = opening
            raise self.error("this bracket is never closed")
        self.expect(CLOSE)
        return asked

    def expect(self, word: str) -> None:
        if not self.took(word):
            wanted = f"and, or, or {_shown(word)}"
            raise self.error(f"{_shown(self.word)} stands where {wanted} is expected")

    @property
    def word(self) -> str:
        return self.words[self.at][0]

    def took(self, word: str) -> bool:
        self.at += (is_next := self.word == word)
        return is_next

    def error(self, problem: str) -> NotationError:
        return NotationError(problem, line=self.expression, column=self.words[self.at][1])


def _shown(word: str) -> str:
    return repr(word) if word else "the end"


def _either(asked: _Asked, other: _Asked) -> _Asked:
    return lambda marks: asked(marks) | other(marks)


def _both(asked: _Asked, other: _Asked) -> _Asked:
    return lambda marks: asked(marks) & other(marks)


def _opposite(asked: _Asked) -> _Asked:
    return lambda marks: ~asked(marks)


def _held(marks: _Marks, name: str) -> Booleans:
    if name not in marks:
        raise UnknownNameError("mark of a problem", name, marks)
    return marks[name]


def _marked_data(data: Data | tuple[Sample, Sample]) -> Data:
    """The data, which must be samples: nothing is marked of the problems of an array."""
    if isinstance(data, Sample | Paired):
        return data
    if isinstance(data, tuple) and all(isinstance(one, Sample) for one in data):
        return as_paired(data)
    raise MetricError(
        "a plain array has no marks to make subsets by; give sample(values, marks=…), or two such"
        " samples as (before, after) or paired(before, after)"
    )


def _pairs_apart(data: Paired, asked: _Asked) -> tuple[Booleans, Booleans]:
    """Which pairs of problems are in the subset, and in its complement; or else of schemas."""
    if data.problems is None:
        held, of_old = asked(data.before.marks), data.schemas[:, 0]
        return _whole(data.before, held)[of_old], _whole(data.before, ~held)[of_old]
    old, new = (
        {name: mark[positions] for name, mark in side.marks.items()}
        for side, positions in zip((data.before, data.after), data.problems.T, strict=True)
    )
    held = asked({**new, **old}) & asked({**old, **new})
    return held, ~held


def _pairs_among(data: Paired, kept: Booleans) -> Paired:
    """The pairs of problems, or else of schemas, that are kept, and nothing that is in none."""
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
    """Which schemas are left with both problems."""
    return left[sample.schemas[:, 0]] & left[sample.schemas[:, 1]]


def _at(positions: Integers, count: int) -> Booleans:
    """True at these positions."""
    there = np.zeros(count, dtype=bool)
    there[positions] = True
    return there


def _places(pairs: Integers, left_old: Booleans, left_new: Booleans) -> Integers:
    """The places of pairs among what is left."""
    places = [np.cumsum(left) - 1 for left in (left_old, left_new)]
    return np.column_stack([places[side][pairs[:, side]] for side in (0, 1)])


def _renumbered(data: Data) -> Data:
    """Clusters without gaps, in their order; those before and after are numbered alike."""
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
