"""From problems as found to grids that give back their sentences to the letter.

What a model is to read is what the file says. So a grid is first built as one would write
it by hand, to be put right when it is filled; where that does not give the published
sentences back, it is built verbatim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from horsesense.errors import SchemaError
from horsesense.recovery.candidates import base_form
from horsesense.recovery.differences import Difference
from horsesense.recovery.found import BLANK_CHARACTERS, UNKNOWN_PRONOUN, Found, Mark
from horsesense.recovery.spelling import bare_frame, lowered_answer
from horsesense.schema import (
    Axis,
    AxisName,
    Candidate,
    Cell,
    Frame,
    LooseGrid,
    Part,
    Phrases,
    Row,
    Schema,
    Slot,
    Target,
)


class Cut(NamedTuple):
    """A stretch of a statement that becomes a placeholder or a candidate."""

    start: int
    end: int
    part: Part


def build_row(found: Found, marks: Sequence[Mark]) -> Row:
    """The problem by itself."""
    statement = found.statement
    frame = cut_frame(
        statement, [*blank_cuts(statement, AxisName.ANSWER), *mark_cuts(statement, marks)]
    )
    *by_hand, (surface, target, _) = _spellings(found)
    for answers, _, _ in by_hand:
        try:
            row = Row(frame, answers, found.right, target)
        except SchemaError:
            continue
        # Cut out of the statement, the parts give it back unless filling puts something right.
        is_plain = answers.values == found.options and row.stands_as_written
        if is_plain or all(row.sentence(n).text == found.sentence(n) for n in range(len(answers))):
            return row
    return Row(frame, surface, found.right, target, verbatim=True)


def build_loose(found: Sequence[Found], marks: Sequence[Sequence[Mark]]) -> LooseGrid:
    """The problems side by side, without key phrases."""
    return LooseGrid(tuple(map(build_row, found, marks)))


def build_square(
    first: Found,
    second: Found,
    keys: Sequence[Difference],
    marks: Sequence[Mark],
    names: Collection[str] | None = None,
) -> Schema | None:
    """The schema of two problems that differ in their key phrases, if it gives both back.

    The first problem's right answer is its first option. With the names of the whole file
    known, a schema of one sentence is written bare, fit for a wrapper.
    """
    statement = first.statement
    cuts = [
        *blank_cuts(statement, AxisName.ANSWER),
        *(Cut(key.start, key.end, Slot(AxisName.KEY, n)) for n, key in enumerate(keys)),
        *mark_cuts(statement, marks),
    ]
    key_axis = Axis((tuple(key.first for key in keys), tuple(key.second for key in keys)))
    frame = cut_frame(statement, cuts)
    for answers, target, verbatim in _spellings(first):
        schema = _made(frame, key_axis, answers, target, verbatim)
        if schema is None:
            continue
        if names is not None and not verbatim:
            schema = bare_frame(schema, names)
        is_plain = answers.values == first.options and schema.stands_as_written
        is_plain = is_plain and _is_exact(keys, statement, second.statement)
        if is_plain or _gives_back(schema, first, second):
            return schema
    return None


def _is_exact(keys: Sequence[Difference], first: str, second: str) -> bool:
    """True where exchanging one key phrase turns the first statement into the second."""
    if len(keys) != 1:
        return False
    start, end, _, phrase = keys[0]
    return f"{first[:start]}{phrase}{first[end:]}" == second


def blank_cuts(statement: str, axis: AxisName) -> list[Cut]:
    """The blanks of a statement as placeholders of that axis."""
    places = [(number, statement.find(blank)) for number, blank in enumerate(BLANK_CHARACTERS)]
    return [Cut(start, start + 1, Slot(axis, number)) for number, start in places if start >= 0]


def cut_frame(statement: str, cuts: Iterable[Cut]) -> Frame:
    """The frame that is left when these stretches are cut out of a tidy statement."""
    parts: list[Part] = []
    position = 0
    for start, end, part in sorted(cuts, key=itemgetter(0)):
        if start > position:
            parts.append(statement[position:start])
        parts.append(part)
        position = end
    if position < len(statement):
        parts.append(statement[position:])
    return tuple(parts)


def mark_cuts(statement: str, marks: Sequence[Mark]) -> list[Cut]:
    """The marks of a statement as candidates."""
    return [
        Cut(start, end, Candidate(number, statement[start:end])) for number, start, end in marks
    ]


def _spellings(found: Found) -> Iterator[tuple[Axis, Target | None, bool]]:
    """Answers and target as one would write them by hand, and then as they stand."""
    target = _target(found)
    for answers, verbatim in spellings(Axis(found.options), target):
        yield answers, target, verbatim


def spellings(surface: Axis, target: Target | None) -> Iterator[tuple[Axis, bool]]:
    """Answers as one would write them by hand, then as they stand, and at last verbatim."""
    if target is not None:
        opens = target.is_capitalised is not False
        phrases = [phrase for (phrase,) in surface.values]
        if target.is_possessive:
            phrases = [base_form(phrase) for phrase in phrases]
        if opens:
            phrases = [lowered_answer(phrase) for phrase in phrases]
        soft = tuple((phrase,) for phrase in phrases)
        if soft != surface.values:
            yield Axis(soft), False
    yield surface, False
    yield surface, True


def _target(found: Found) -> Target | None:
    """The pronoun as the notation writes it; possessive where its place or the answers say so."""
    pronoun = found.pronoun
    if not pronoun or len(found.texts) != 2:
        return None
    if pronoun == UNKNOWN_PRONOUN:
        return unknown_target(Axis(found.options))
    if pronoun.lower() == "her" and _are_owners(found.options):
        pronoun += "'s"
    return _written_target(pronoun)


@cache
def _written_target(written: str) -> Target:
    """Targets are few, and made again and again."""
    return Target(written)


def unknown_target(answers: Axis) -> Target:
    """A pronoun that nobody has recorded; possessive if all answers are."""
    return _written_target("_'s" if _are_owners(answers.values) else "_")


def _are_owners(answers: Iterable[Phrases]) -> bool:
    """True where all answers have a possessive ending."""
    return all(base_form(phrase) != phrase for (phrase,) in answers)


def _made(
    frame: Frame, keys: Axis, answers: Axis, target: Target | None, verbatim: bool
) -> Schema | None:
    try:
        return Schema(frame, keys, answers, None, target, verbatim)
    except SchemaError:
        return None


def _gives_back(schema: Schema, first: Found, second: Found) -> bool:
    """True where the four sentences of the square are those of the file."""
    return all(
        schema.sentence(Cell(key, answer)).text == found.sentence(answer)
        for key, found in enumerate((first, second))
        for answer in (0, 1)
    )
