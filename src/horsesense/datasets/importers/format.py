"""Formats to import: their declaration, and what their readers have in common.

A `Format` has a name, a function that recognises a file, and a reader of groups of problems. Below
it stand the steps that many readers share: rows and labels, twins, answers spelt for their place,
marked candidates, and names fit for ids and tags.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from horsesense.datasets.importers.source import (
    BAD_LABEL,
    BAD_ROW,
    NOT_JSON,
    NOT_UTF8,
    BadLabelError,
    BadRow,
    SourceFile,
)
from horsesense.datasets.recovery import (
    UNKNOWN_PRONOUN,
    Group,
    Journal,
    Mark,
    RawProblem,
    Twins,
    is_possessive_place,
)
from horsesense.schema import (
    capitalise,
    is_possessive,
    opens_sentences,
    possessive,
    starts_sentence,
)

Companions: TypeAlias = Sequence[SourceFile]
Reader: TypeAlias = Callable[[SourceFile, Journal, Companions], Iterable[Group]]

DUPLICATE_ID = "duplicate-id"
OWN_MODE, SEVERAL_MODES = "own-mode", "several-modes"
# What any format may meet with.
COMMON = {
    NOT_JSON: "a line or element is not JSON",
    NOT_UTF8: "a line is not UTF-8",
    BAD_ROW: "a row or element lacks something, or has too much",
    BAD_LABEL: "a label is missing, out of range, or contradicted",
    DUPLICATE_ID: "an id occurs twice",
    OWN_MODE: "the problems of the file are by key or by boolean; they are posed so by default",
    SEVERAL_MODES: "problems in several modes, or without the twins that their mode takes",
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a file is read into another, edited dataset, and what that is called."""

    title: str
    read: Reader
    repairs: Mapping[str, str]


def _nothing(file: SourceFile) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Format:
    """One way in which problems have been published.

    `repairs` are errors of published files that the reader can put right, each by its name;
    `issues` what else it may report. `twins` is how twins are found, unless a group says that
    it was found otherwise. `contiguous` is how key phrases are found (see Recovery);
    `is_bare` says that schemas of one sentence are to be written bare, fit for wrappers.
    `companions` says what a second file (`--with`) is good for, if anything. `recipes` read
    the same file into another, edited dataset. `describe` is what the file says of itself.
    """

    name: str
    title: str
    looks_like: Callable[[SourceFile], bool]
    read: Reader
    twins: Twins
    repairs: Mapping[str, str] = field(default_factory=dict)
    issues: Mapping[str, str] = field(default_factory=dict)
    companions: str = ""
    contiguous: bool = False
    is_bare: bool = False
    recipes: Mapping[str, Recipe] = field(default_factory=dict)
    describe: Callable[[SourceFile], str] = _nothing


def read_rows(
    rows: Iterable[tuple[int, dict[str, Any]]],
    journal: Journal,
    read: Callable[[int, dict[str, Any]], RawProblem | None],
) -> Iterator[RawProblem]:
    """The problems of rows; a row that cannot be used is a fault, and None is passed over."""
    for line, row in rows:
        try:
            if raw_problem := read(line, row):
                yield raw_problem
        except BadRow as error:
            journal.fault(error.issue, line, "", str(error))


def numbered_label(label: object, options: int, *, first: int) -> int | None:
    """The position of the right option from a number that counts from `first`; None if absent."""
    if label is None or label == "":
        return None
    text = str(label).strip()
    position = int(text) - first if text.isdecimal() and len(text) <= 4 else -1
    if not 0 <= position < options:
        raise BadLabelError(f"the label {label!r} is not one of {first} to {first + options - 1}")
    return position


def singles(raw_problems: Iterable[RawProblem]) -> Iterator[Group]:
    """Each problem for itself."""
    return (Group(raw_problem.name, [raw_problem]) for raw_problem in raw_problems)


def twins_by_key(keyed: Iterable[tuple[str, RawProblem]]) -> Iterator[Group]:
    """Problems with the same key together, in the order in which the keys first occur."""
    groups: dict[str, list[RawProblem]] = {}
    for key, raw_problem in keyed:
        groups.setdefault(key, []).append(raw_problem)
    return (Group(key, members) for key, members in groups.items())


LOWERCASE = "answer-lowercase"
CAPITAL = "answer-capital"
POSSESSIVE = "answer-possessive"

CAPITALS = {
    LOWERCASE: "an answer that starts with an article or the like loses its capital in a sentence",
    CAPITAL: "an answer gets a capital where it opens a sentence",
}
REPAIRS = {**CAPITALS, POSSESSIVE: "answers become possessive where the pronoun is"}


def fitted(raw_problem: RawProblem, journal: Journal) -> RawProblem:
    """The problem with its answers spelt for their place; one with two blanks as it is."""
    if len(raw_problem.texts) != 2:
        return raw_problem
    before, after = raw_problem.texts
    listed = [phrase for (phrase,) in raw_problem.options]
    answers: Sequence[str] = listed
    lowered = list(map(_lowered, answers))
    if lowered != answers and not _opens(raw_problem.pronoun, before):
        answers = _repaired(LOWERCASE, answers, lowered, raw_problem, journal)
    elif any(answer[:1].islower() for answer in answers) and _opens(raw_problem.pronoun, before):
        answers = _repaired(CAPITAL, answers, list(map(capitalise, answers)), raw_problem, journal)
    if is_owner(raw_problem.pronoun, after):
        owners = [possessive(answer, raw_problem.pronoun) for answer in answers]
        answers = _repaired(POSSESSIVE, answers, owners, raw_problem, journal)
    if answers is listed:
        return raw_problem
    return raw_problem._replace(options=tuple((answer,) for answer in answers))


def is_owner(pronoun: str, after: str) -> bool:
    """True for a pronoun that owns what follows; `her` does not always.

    >>> is_owner("its", " nest."), is_owner("her", " nest."), is_owner("her", " to the nest.")
    (True, True, False)
    """
    if pronoun.lower() == "her":
        return is_possessive_place(after)
    return is_possessive(pronoun)


def _opens(pronoun: str, before: str) -> bool:
    """True where the answer opens a sentence: the pronoun tells, or if it cannot, the text."""
    if pronoun in (UNKNOWN_PRONOUN, "I"):
        return starts_sentence(before)
    return pronoun[:1].isupper()


def _lowered(answer: str) -> str:
    """The answer without the capital of an article or pronoun; `IT` and `A. Hill` have neither."""
    if opens_sentences(answer) and answer[1:2] != "." and not answer[1:2].isupper():
        return answer[:1].lower() + answer[1:]
    return answer


def _repaired(
    repair: str,
    answers: Sequence[str],
    better: Sequence[str],
    raw_problem: RawProblem,
    journal: Journal,
) -> Sequence[str]:
    """The better answers if any differ and the repair is not switched off."""
    changed = [(old, new) for old, new in zip(answers, better, strict=True) if old != new]
    if not changed:
        return answers
    odd, done = (", ".join(map(repr, side)) for side in zip(*changed, strict=True))
    return (
        better if journal.repair(repair, raw_problem.line, raw_problem.name, odd, done) else answers
    )


_START = itemgetter(1)
OVERLAP = "candidates-overlap"
ISSUES = {OVERLAP: "a candidate is part of another, or has the pronoun in it, and is not marked"}


class Place(NamedTuple):
    """Characters `start` up to, not including, `end` of a text."""

    start: int
    end: int


def problem_at(
    name: str, line: int, text: str, blank: Place, answers: Sequence[str], right: int | None
) -> RawProblem:
    """The problem that results when the pronoun at `blank` is cut out of the text."""
    start, end = blank
    options = tuple((answer,) for answer in answers)
    return RawProblem(name, line, (text[:start], text[end:]), options, right, text[start:end])


def marked(raw_problem: RawProblem, places: Sequence[Place | None], journal: Journal) -> RawProblem:
    """The problem with its candidates marked, one for each answer, where they are known.

    Places are those of the text with its pronoun. Nothing can be marked twice: of «Nora» in
    «Nora's aunt» only the aunt is.
    """
    start = len(raw_problem.texts[0])
    end = start + len(raw_problem.pronoun)
    taken, marks = [(start, end)], []
    known = [(place, number) for number, place in enumerate(places, start=1) if place]
    for (first, last), number in sorted(known, key=_longest_first):
        for begun, ended in taken:
            if first < ended and begun < last:
                odd = f"candidate {number}, characters {first} to {last}"
                journal.oddity(OVERLAP, raw_problem.line, raw_problem.name, odd, "not marked")
                break
        else:
            taken.append((first, last))
            # The blank counts as one character.
            shift = 1 - len(raw_problem.pronoun) if first >= end else 0
            marks.append(Mark(number, first + shift, last + shift))
    return raw_problem._replace(marks=tuple(sorted(marks, key=_START)))


def _longest_first(known: tuple[Place, int]) -> int:
    (start, end), _ = known
    return start - end


_NOT_IN_ID = re.compile(r"[^A-Za-z0-9._-]+")
_NOT_IN_TAG = re.compile(r"[^\w./:+-]+")
_BEFORE_TAG = re.compile(r"^[\W_]+")


def fit_id(name: str) -> str:
    """The name with a hyphen for what an id cannot hold; empty if nothing is left.

    >>> fit_id("clip_7"), fit_id("(lorries & bridges)"), fit_id("?")
    ('clip_7', 'lorries-bridges-', '')
    """
    return _NOT_IN_ID.sub("-", name).lstrip("._-")


def fit_tag(name: str) -> str:
    """The name with an underscore for what a tag cannot hold; empty if nothing is left.

    >>> fit_tag("syntax/semantics"), fit_tag("_night owls"), fit_tag("!")
    ('syntax/semantics', 'night_owls', '')
    """
    return _NOT_IN_TAG.sub("_", _BEFORE_TAG.sub("", name))
