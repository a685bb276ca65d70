"""Candidates of files that say where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from horsesense.recovery import Found, Journal, Mark

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
    blank = Place(len(found.texts[0]), len(found.texts[0]) + len(found.pronoun))
    taken, marks = [blank], []
    known = [(place, number) for number, place in enumerate(places, start=1) if place]
    for (start, end), number in sorted(known, key=lambda one: one[0].start - one[0].end):
        if any(start < other.end and other.start < end for other in taken):
            odd = f"candidate {number}, characters {start} to {end}"
            journal.oddity(OVERLAP, found.line, found.name, odd, "not marked")
            continue
        taken.append(Place(start, end))
        # The blank counts as one character.
        shift = 1 - len(found.pronoun) if start >= blank.end else 0
        marks.append(Mark(number, start + shift, end + shift))
    return replace(found, marks=tuple(sorted(marks, key=lambda mark: mark.start)))
