"""Answers, candidates and names made fit for where they are to stand.

Files list answers as they stand elsewhere: «The owl» from the start of the sentence, for a place
in the middle of it; «the owl» where the pronoun is «its». Each kind of change is a repair, so that
the answers can be had as published. A noun or name that opens a sentence keeps its capital, as
nothing tells the two apart. Some files say where candidates stand; ids and tags are single words of
few characters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from horsesense.datasets.recovery import (
    UNKNOWN_PRONOUN,
    Journal,
    Mark,
    RawProblem,
    is_possessive_place,
)
from horsesense.schema import (
    capitalise,
    is_possessive,
    opens_sentences,
    possessive,
    starts_sentence,
)

LOWERCASE = "answer-lowercase"
CAPITAL = "answer-capital"
POSSESSIVE = "answer-possessive"

CAPITALS = {
    LOWERCASE: "an answer that starts with an article or the like loses its capital in a sentence",
    CAPITAL: "an answer gets a capital where it opens a sentence",
}
REPAIRS = {**CAPITALS, POSSESSIVE: "answers become possessive where the pronoun is"}


def fitted(found: RawProblem, journal: Journal) -> RawProblem:
    """The problem with its answers spelt for their place; one with two blanks as it is."""
    if len(found.texts) != 2:
        return found
    before, after = found.texts
    listed = [phrase for (phrase,) in found.options]
    answers: Sequence[str] = listed
    lowered = list(map(_lowered, answers))
    if lowered != answers and not _opens(found.pronoun, before):
        answers = _asked(LOWERCASE, answers, lowered, found, journal)
    elif any(answer[:1].islower() for answer in answers) and _opens(found.pronoun, before):
        answers = _asked(CAPITAL, answers, list(map(capitalise, answers)), found, journal)
    if is_owner(found.pronoun, after):
        owners = [possessive(answer, found.pronoun) for answer in answers]
        answers = _asked(POSSESSIVE, answers, owners, found, journal)
    if answers is listed:
        return found
    return found._replace(options=tuple((answer,) for answer in answers))


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


def _asked(
    repair: str, answers: Sequence[str], better: Sequence[str], found: RawProblem, journal: Journal
) -> Sequence[str]:
    """The better answers if any differ and the repair is wanted."""
    changed = [(old, new) for old, new in zip(answers, better, strict=True) if old != new]
    if not changed:
        return answers
    odd, done = (", ".join(map(repr, side)) for side in zip(*changed, strict=True))
    return better if journal.repair(repair, found.line, found.name, odd, done) else answers


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


def marked(found: RawProblem, places: Sequence[Place | None], journal: Journal) -> RawProblem:
    """The problem with its candidates marked, one for each answer, where they are known.

    Places are those of the text with its pronoun. Nothing can be marked twice: of «Nora» in
    «Nora's aunt» only the aunt is.
    """
    start = len(found.texts[0])
    end = start + len(found.pronoun)
    taken, marks = [(start, end)], []
    known = [(place, number) for number, place in enumerate(places, start=1) if place]
    for (first, last), number in sorted(known, key=_longest_first):
        for begun, ended in taken:
            if first < ended and begun < last:
                odd = f"candidate {number}, characters {first} to {last}"
                journal.oddity(OVERLAP, found.line, found.name, odd, "not marked")
                break
        else:
            taken.append((first, last))
            # The blank counts as one character.
            shift = 1 - len(found.pronoun) if first >= end else 0
            marks.append(Mark(number, first + shift, last + shift))
    return found._replace(marks=tuple(sorted(marks, key=_START)))


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
