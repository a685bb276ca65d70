"""The `Format` of a file to import, and the functions that many readers share.

A `Format` has a name, a function that recognises a file, and a reader that yields groups of
problems. The shared functions below it read rows and labels, group twins, spell answers to fit the
blank, mark candidates, and turn names into valid ids and tags.
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
    CandidateMark,
    Journal,
    RawEntry,
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
Reader: TypeAlias = Callable[[SourceFile, Journal, Companions], Iterable[RawEntry]]

DUPLICATE_ID = "duplicate-id"
OWN_MODE, SEVERAL_MODES = "own-mode", "several-modes"
# Issues of any format.
COMMON = {
    NOT_JSON: "a line or element is not a JSON object",
    NOT_UTF8: "a line is not valid UTF-8",
    BAD_ROW: "a row or element has missing or unexpected fields",
    BAD_LABEL: "a label is missing, out of range, or contradicts another one",
    DUPLICATE_ID: "an id occurs twice",
    OWN_MODE: "the problems of the file are by key or by boolean; that mode becomes the default",
    SEVERAL_MODES: "the problems have several modes, or lack the twins that their mode needs",
}


@dataclass(frozen=True, slots=True)
class ImportRecipe:
    """A reader that turns a file into an edited dataset, and the title of that dataset."""

    title: str
    read: Reader
    repairs: Mapping[str, str]


def _nothing(file: SourceFile) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format in which problems have been published.

    `repairs` describes, by name, the errors of published files that the reader can repair;
    `issues` describes what else it may report. `twins` is the criterion for finding twins, unless
    a group has its own. `contiguous` is passed to `Recovery`. If `is_bare`, schemas of one
    sentence are written without capital and full stop so that they can be wrapped. `companions`
    says what a second file (`--with`) is used for, if at all. `recipes` read the same file into an
    edited dataset. `describe` returns the file's description of itself.
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
    recipes: Mapping[str, ImportRecipe] = field(default_factory=dict)
    describe: Callable[[SourceFile], str] = _nothing


def read_rows(
    rows: Iterable[tuple[int, dict[str, Any]]],
    journal: Journal,
    read: Callable[[int, dict[str, Any]], RawProblem | None],
) -> Iterator[RawProblem]:
    """Yield the problems of rows; report unusable rows as faults, and skip None."""
    for line, row in rows:
        try:
            if raw_problem := read(line, row):
                yield raw_problem
        except BadRow as error:
            journal.fault(error.issue, line, "", str(error))


def numbered_label(label: object, options: int, *, first: int) -> int | None:
    """Return the position of the right option for a label that counts from `first`, or None."""
    if label is None or label == "":
        return None
    text = str(label).strip()
    position = int(text) - first if text.isdecimal() and len(text) <= 4 else -1
    if not 0 <= position < options:
        raise BadLabelError(f"the label {label!r} is not one of {first} to {first + options - 1}")
    return position


def singles(raw_problems: Iterable[RawProblem]) -> Iterator[RawEntry]:
    """Yield each problem as a group of its own."""
    return (RawEntry(raw_problem.name, [raw_problem]) for raw_problem in raw_problems)


def twins_by_key(keyed: Iterable[tuple[str, RawProblem]]) -> Iterator[RawEntry]:
    """Group the problems by key, in the order in which the keys first occur."""
    groups: dict[str, list[RawProblem]] = {}
    for key, raw_problem in keyed:
        groups.setdefault(key, []).append(raw_problem)
    return (RawEntry(key, members) for key, members in groups.items())


LOWERCASE = "answer-lowercase"
CAPITAL = "answer-capital"
POSSESSIVE = "answer-possessive"

CAPITALS = {
    LOWERCASE: "an answer that starts with a word such as an article is lower-cased in a sentence",
    CAPITAL: "an answer is capitalized at the start of a sentence",
}
REPAIRS = {**CAPITALS, POSSESSIVE: "answers become possessive if the pronoun is"}


def fitted(raw_problem: RawProblem, journal: Journal) -> RawProblem:
    """Return the problem with its answers spelt to fit the blank; two blanks are left alone."""
    if len(raw_problem.texts) != 2:
        return raw_problem
    before, after = raw_problem.texts
    published = [phrase for (phrase,) in raw_problem.options]
    answers: Sequence[str] = published
    lowered = list(map(_lowered, answers))
    if lowered != answers and not _opens(raw_problem.pronoun, before):
        answers = _repaired(LOWERCASE, answers, lowered, raw_problem, journal)
    elif any(answer[:1].islower() for answer in answers) and _opens(raw_problem.pronoun, before):
        answers = _repaired(CAPITAL, answers, list(map(capitalise, answers)), raw_problem, journal)
    if is_owner(raw_problem.pronoun, after):
        owners = [possessive(answer, raw_problem.pronoun) for answer in answers]
        answers = _repaired(POSSESSIVE, answers, owners, raw_problem, journal)
    if answers is published:
        return raw_problem
    return raw_problem._replace(options=tuple((answer,) for answer in answers))


def is_owner(pronoun: str, after: str) -> bool:
    """Return whether a pronoun is possessive; for `her` that depends on the text after it.

    >>> is_owner("its", " nest."), is_owner("her", " nest."), is_owner("her", " to the nest.")
    (True, True, False)
    """
    if pronoun.lower() == "her":
        return is_possessive_place(after)
    return is_possessive(pronoun)


def _opens(pronoun: str, before: str) -> bool:
    """Return whether the answer starts a sentence, judged by the pronoun or else the text."""
    if pronoun in (UNKNOWN_PRONOUN, "I"):
        return starts_sentence(before)
    return pronoun[:1].isupper()


def _lowered(answer: str) -> str:
    """Return the answer without the capital of an article or pronoun; not `IT` or `A. Hill`."""
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
    """Return the better answers if any differ and the repair is not switched off."""
    changed = [(old, new) for old, new in zip(answers, better, strict=True) if old != new]
    if not changed:
        return answers
    odd, done = (", ".join(map(repr, side)) for side in zip(*changed, strict=True))
    return (
        better if journal.repair(repair, raw_problem.line, raw_problem.name, odd, done) else answers
    )


_START = itemgetter(1)
OVERLAP = "candidates-overlap"
ISSUES = {OVERLAP: "a candidate overlaps another one or the pronoun, and is not marked"}


class TextSpan(NamedTuple):
    """The characters of a text from `start` up to, but not including, `end`."""

    start: int
    end: int


def problem_at(
    name: str, line: int, text: str, blank: TextSpan, answers: Sequence[str], right: int | None
) -> RawProblem:
    """Return the problem made by cutting the pronoun at `blank` out of the text."""
    start, end = blank
    options = tuple((answer,) for answer in answers)
    return RawProblem(name, line, (text[:start], text[end:]), options, right, text[start:end])


def marked(
    raw_problem: RawProblem, spans: Sequence[TextSpan | None], journal: Journal
) -> RawProblem:
    """Return the problem with the candidate of each answer marked where its span is known.

    Spans refer to the text with its pronoun. Marks cannot overlap: of «Nora» and «Nora's aunt»
    only the longer one is marked.
    """
    start = len(raw_problem.texts[0])
    end = start + len(raw_problem.pronoun)
    taken, marks = [(start, end)], []
    known = [(span, number) for number, span in enumerate(spans, start=1) if span]
    for (first, last), number in sorted(known, key=_longest_first):
        for taken_start, taken_end in taken:
            if first < taken_end and taken_start < last:
                odd = f"candidate {number}, characters {first} to {last}"
                journal.oddity(OVERLAP, raw_problem.line, raw_problem.name, odd, "not marked")
                break
        else:
            taken.append((first, last))
            # The blank counts as one character.
            shift = 1 - len(raw_problem.pronoun) if first >= end else 0
            marks.append(CandidateMark(number, first + shift, last + shift))
    return raw_problem._replace(marks=tuple(sorted(marks, key=_START)))


def _longest_first(known: tuple[TextSpan, int]) -> int:
    (start, end), _ = known
    return start - end


_NOT_IN_ID = re.compile(r"[^A-Za-z0-9._-]+")
_NOT_IN_TAG = re.compile(r"[^\w./:+-]+")
_BEFORE_TAG = re.compile(r"^[\W_]+")


def fit_id(name: str) -> str:
    """Return the name with a hyphen for characters that an id can't have; may be empty.

    >>> fit_id("clip_7"), fit_id("(lorries & bridges)"), fit_id("?")
    ('clip_7', 'lorries-bridges-', '')
    """
    return _NOT_IN_ID.sub("-", name).lstrip("._-")


def fit_tag(name: str) -> str:
    """Return the name with an underscore for characters that a tag can't have; may be empty.

    >>> fit_tag("syntax/semantics"), fit_tag("_night owls"), fit_tag("!")
    ('syntax/semantics', 'night_owls', '')
    """
    return _NOT_IN_TAG.sub("_", _BEFORE_TAG.sub("", name))
