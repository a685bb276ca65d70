"""From problems as found to grids that give back their sentences to the letter.

What a model is to read is what the file says. So a grid is first built as one would write
it by hand, to be put right when it is filled; where that does not give the published
sentences back, it is built verbatim.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from operator import itemgetter
from typing import TypeAlias

from horsesense.datasets.recovery.candidates import base_form
from horsesense.datasets.recovery.differences import Difference
from horsesense.datasets.recovery.found import BLANK_CHARACTERS, UNKNOWN_PRONOUN, Mark, RawProblem
from horsesense.datasets.recovery.plain import plain_row, plain_square
from horsesense.datasets.recovery.spelling import bare_frame, lowered_answer
from horsesense.errors import SchemaError
from horsesense.schema import (
    Axis,
    AxisName,
    Candidate,
    Cell,
    Frame,
    LooseGrid,
    Part,
    Row,
    Schema,
    Slot,
    Target,
)

# A stretch of a statement, from its start to its end, that becomes a placeholder or a candidate.
Cut: TypeAlias = tuple[int, int, Part]

_START = itemgetter(0)
# No schema has more of them.
_ANSWER = Slot(AxisName.ANSWER, 0)
_KEYS = (Slot(AxisName.KEY, 0), Slot(AxisName.KEY, 1))


def build_row(found: RawProblem, marks: Sequence[Mark]) -> Row:
    """The problem by itself."""
    return plain_row(found, marks) or careful_row(found, marks)


def careful_row(found: RawProblem, marks: Sequence[Mark]) -> Row:
    """The problem by itself, every spelling tried and every part checked."""
    statement, options = found.statement, found.options
    cuts = [*blank_cuts(statement, AxisName.ANSWER), *mark_cuts(statement, marks)]
    frame = cut_frame(statement, cuts)
    surface = Axis(options)
    target = _target(found, surface)
    *by_hand, _ = spellings(surface, target)
    for answers, _ in by_hand:
        try:
            row = Row(frame, answers, found.right, target)
        except SchemaError:
            continue
        # Cut out of the statement, the parts give it back unless filling puts something right.
        is_plain = answers.values == options and row.stands_as_written
        if is_plain or all(row.sentence(n).text == found.sentence(n) for n in range(len(options))):
            return row
    return Row(frame, surface, found.right, target, verbatim=True)


def build_loose(found: Sequence[RawProblem], marks: Sequence[Sequence[Mark]]) -> LooseGrid:
    """The problems side by side, without key phrases."""
    return LooseGrid(tuple(map(build_row, found, marks)))


def build_square(
    first: RawProblem,
    second: RawProblem,
    keys: Sequence[Difference],
    marks: Sequence[Mark],
    names: Collection[str] | None = None,
) -> Schema | None:
    """The schema of two problems that differ in their key phrases, if it gives both back.

    The first problem's right answer is its first option. With the names of the whole file
    known, a schema of one sentence is written bare, fit for a wrapper.
    """
    plain = plain_square(first, second, keys, marks) if names is None else None
    return plain or careful_square(first, second, keys, marks, names)


def careful_square(
    first: RawProblem,
    second: RawProblem,
    keys: Sequence[Difference],
    marks: Sequence[Mark],
    names: Collection[str] | None,
) -> Schema | None:
    """The schema of two problems, every spelling tried and every part checked."""
    statement, blank = first.statement, len(first.texts[0])
    cuts: list[Cut] = [(blank, blank + 1, _ANSWER)]
    cuts += [(key.start, key.end, slot) for key, slot in zip(keys, _KEYS, strict=False)]
    cuts += mark_cuts(statement, marks)
    frame = cut_frame(statement, cuts)
    key_axis = Axis((tuple([key.first for key in keys]), tuple([key.second for key in keys])))
    surface = Axis(first.options)
    target = _target(first, surface)
    is_exact = _is_exact(keys, statement, second.statement)
    for answers, verbatim in spellings(surface, target):
        schema = _made(frame, key_axis, answers, target, verbatim)
        if schema is None:
            continue
        if names is not None and not verbatim:
            schema = bare_frame(schema, names)
        is_plain = is_exact and answers.values == first.options and schema.stands_as_written
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
    places = enumerate(map(statement.find, BLANK_CHARACTERS))
    return [(start, start + 1, Slot(axis, number)) for number, start in places if start >= 0]


def cut_frame(statement: str, cuts: Iterable[Cut]) -> Frame:
    """The frame that is left when these stretches are cut out of a tidy statement."""
    parts: list[Part] = []
    position = 0
    for start, end, part in sorted(cuts, key=_START):
        if start > position:
            parts += statement[position:start], part
        else:
            parts.append(part)
        position = end
    if position < len(statement):
        parts.append(statement[position:])
    return tuple(parts)


def mark_cuts(statement: str, marks: Sequence[Mark]) -> list[Cut]:
    """The marks of a statement as candidates."""
    return [(start, end, Candidate(number, statement[start:end])) for number, start, end in marks]


def spellings(surface: Axis, target: Target | None) -> list[tuple[Axis, bool]]:
    """Answers as one would write them by hand, then as they stand, and at last verbatim."""
    as_they_stand = [(surface, False), (surface, True)]
    if target is None:
        return as_they_stand
    phrases = [phrase for (phrase,) in surface.values]
    if target.is_possessive:
        phrases = [base_form(phrase) for phrase in phrases]
    if target.is_capitalised is not False:
        phrases = [lowered_answer(phrase) for phrase in phrases]
    soft = tuple([(phrase,) for phrase in phrases])
    return as_they_stand if soft == surface.values else [(Axis(soft), False), *as_they_stand]


def _target(found: RawProblem, answers: Axis) -> Target | None:
    """The pronoun as the notation writes it; possessive where its place or the answers say so."""
    pronoun = found.pronoun
    if not pronoun or len(found.texts) != 2:
        return None
    if pronoun == UNKNOWN_PRONOUN:
        return unknown_target(answers)
    if pronoun.lower() == "her" and _are_owners(answers):
        pronoun += "'s"
    return _written_target(pronoun)


@cache
def _written_target(written: str) -> Target:
    """Targets are few, and made again and again."""
    return Target(written)


def unknown_target(answers: Axis) -> Target:
    """A pronoun that nobody has recorded; possessive if all answers are."""
    return _written_target("_'s" if _are_owners(answers) else "_")


def _are_owners(answers: Axis) -> bool:
    """True where all answers have a possessive ending."""
    return all(base_form(phrase) != phrase for (phrase,) in answers.values)


def _made(
    frame: Frame, keys: Axis, answers: Axis, target: Target | None, verbatim: bool
) -> Schema | None:
    try:
        return Schema(frame, keys, answers, None, target, verbatim)
    except SchemaError:
        return None


def _gives_back(schema: Schema, first: RawProblem, second: RawProblem) -> bool:
    """True where the four sentences of the square are those of the file."""
    return all(
        schema.sentence(Cell(key, answer)).text == found.sentence(answer)
        for key, found in enumerate((first, second))
        for answer in (0, 1)
    )
