"""Candidates of files that say where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from horsesense.datasets.recovery import Found, Journal, Mark

_START = itemgetter(1)
OVERLAP = "candidates-overlap"
ISSUES = {OVERLAP: "a candidate is part of another, or has the pronoun in it, and is not marked"}


class Place(NamedTuple):
    """Characters `start` up to, not including, `end` of a text."""

    start: int
    end: int


def problem_at(
    name: str, line: int, text: str, blank: Place, answers: Sequence[str], right: int | None
) -> Found:
    """The problem that results when the pronoun at `blank` is cut out of the text."""
    start, end = blank
    options = tuple((answer,) for answer in answers)
    return Found(name, line, (text[:start], text[end:]), options, right, text[start:end])


def marked(found: Found, places: Sequence[Place | None], journal: Journal) -> Found:
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
