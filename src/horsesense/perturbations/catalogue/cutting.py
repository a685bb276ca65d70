"""Cutting a sentence: for controls that keep only its end.

Where to cut is found on a rendering, which can be read, and cut is the frame that it came from. A
placeholder or candidate stays whole or goes whole. A key phrase or a truth pair may not go: with
it would go what makes two problems of one sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias, TypeVar

from horsesense.perturbations.checks import sentences
from horsesense.perturbations.rewriting import Rendering, renderings
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import (
    Axis,
    AxisName,
    Candidate,
    Frame,
    Grid,
    LooseGrid,
    Part,
    Row,
    Schema,
    Slot,
    capitalise,
    join_parts,
)

# Where the part begins that is kept, given a rendering and the place of its blank.
FindStart: TypeAlias = Callable[[Rendering, int], int]
Axes: TypeAlias = Mapping[AxisName, Axis]
Line = TypeVar("Line", Schema, Row)

_NOTHING_CUT = "nothing stands before the part that is left"
_LOST = {
    AxisName.KEY: "the key phrase is not in the part that is left",
    AxisName.TRUTH: "the truth pair is not in the part that is left",
}


class _Place(NamedTuple):
    """A place in a frame: a part of it by number, and a character of its text."""

    part: int
    offset: int


def cut_before(grid: Grid, find_start: FindStart) -> Grid:
    """The grid without what stands before the place that is found in each of its sentences."""
    rendered = renderings(grid)
    places = [
        _place(rendering, min(find_start(rendering, blank_of(rendering)), blank_of(rendering)))
        for rendering in rendered
    ]
    if isinstance(grid, Schema):
        for place in places:
            _check_kept(grid.frame, place)
        if places[0] != places[1]:
            raise NotApplicable("the two problems would be cut in different places")
        return _cut(grid, places[0])
    rows = tuple(_cut(row, place) for row, place in zip(grid.rows, places, strict=True))
    if len({(row.frame, row.answers) for row in rows}) < len(rows):
        raise NotApplicable("the problems would be the same")
    return LooseGrid(rows)


def blank_of(rendering: Rendering) -> int:
    """The position where the first blank begins."""
    return min(segment.start for segment in rendering.pieces("target") + rendering.pieces("answer"))


def _place(rendering: Rendering, position: int) -> _Place:
    """The place in the frame of a character of the rendering; spaces are skipped."""
    while rendering.text[position] == " ":
        position += 1
    segment = next(
        segment for segment in rendering.segments if segment.start <= position < segment.end
    )
    is_candidate = segment.piece == "candidate"
    return _Place(segment.part, 0 if is_candidate else position - segment.start)


def _check_kept(frame: Frame, place: _Place) -> None:
    """Refuse to cut off, or through, a placeholder."""
    for number, part in enumerate(frame):
        if isinstance(part, Slot) and _Place(number, 0) < place and part.axis in _LOST:
            raise NotApplicable(_LOST[part.axis])


def _cut(line: Line, place: _Place) -> Line:
    first, *rest = line.frame[place.part :]
    frame = join_parts([first[place.offset :] if isinstance(first, str) else first, *rest])
    if frame == line.frame:
        raise NotApplicable(_NOTHING_CUT)
    return replace(line, frame=frame)


def with_capital(grid: Grid) -> Grid:
    """The grid with a capital at the start, which a verbatim one does not get by being filled."""
    if isinstance(grid, LooseGrid):
        return LooseGrid(tuple(_row_with_capital(row) for row in grid.rows))
    if not grid.verbatim:
        return grid
    return _respelt(grid, *_capitalised(grid.frame, grid.axes))


def _row_with_capital(row: Row) -> Row:
    if not row.verbatim:
        return row
    frame, axes = _capitalised(row.frame, {AxisName.ANSWER: row.answers})
    return replace(row, frame=frame, answers=axes[AxisName.ANSWER])


def _capitalised(frame: Frame, axes: Axes) -> tuple[Frame, Axes]:
    """A capital for whatever stands first, every phrase of it if it is a placeholder."""
    first, *rest = frame
    if isinstance(first, Slot):
        values = tuple(
            (capitalise(phrases[0]), *phrases[1:]) for phrases in axes[first.axis].values
        )
        return frame, {**axes, first.axis: Axis(values)}
    if isinstance(first, Candidate):
        return (Candidate(first.number, capitalise(first.text)), *rest), axes
    return (capitalise(first), *rest), axes


def as_it_stands(grid: Grid) -> Grid:
    """The grid verbatim: its phrases are spelt as they came to stand in the sentences."""
    if isinstance(grid, Schema):
        return grid if grid.verbatim else _schema_as_it_stands(grid)
    return LooseGrid(tuple(_row_as_it_stands(row) for row in grid.rows))


def _schema_as_it_stands(grid: Schema) -> Schema:
    verbatim = replace(_respelt(grid, *_spelt(grid, grid.frame, grid.axes)), verbatim=True)
    _check_same(grid, verbatim)
    return verbatim


def _row_as_it_stands(row: Row) -> Row:
    alone = LooseGrid((row,))
    frame, axes = _spelt(alone, row.frame, {AxisName.ANSWER: row.answers})
    verbatim = replace(row, frame=frame, answers=axes[AxisName.ANSWER], verbatim=True)
    _check_same(alone, LooseGrid((verbatim,)))
    return verbatim


def _spelt(grid: Grid, frame: Frame, axes: Axes) -> tuple[Frame, Axes]:
    """Frame and phrases as the sentences have them."""
    start = grid.cells[0]
    spelt = {
        name: Axis(
            tuple(
                grid.sentence(start.moved(name, value)).phrases_of(name)
                for value in range(len(axis))
            )
        )
        for name, axis in axes.items()
    }
    sentence = grid.sentence(start)
    parts: list[Part] = []
    position = 0
    # Everything but text has a span, in the order of the frame.
    filled = (part for part in frame if not isinstance(part, str))
    for part, span in zip(filled, sentence.spans, strict=True):
        phrase = sentence.text[span.start : span.end]
        parts.append(sentence.text[position : span.start])
        parts.append(Candidate(part.number, phrase) if isinstance(part, Candidate) else part)
        position = span.end
    return join_parts([*parts, sentence.text[position:]]), spelt


def _respelt(grid: Schema, frame: Frame, axes: Axes) -> Schema:
    keys, answers = axes[AxisName.KEY], axes[AxisName.ANSWER]
    return replace(grid, frame=frame, keys=keys, answers=answers, truths=axes.get(AxisName.TRUTH))


def _check_same(before: Grid, after: Grid) -> None:
    if sentences(before) != sentences(after):
        raise NotApplicable("one spelling does not fit all of its sentences")
