"""Problems: all axes of a grid fixed but one, and how they are grouped into schemas.

Which axis is left open is the mode of solution (thesis, Tables 3.4 and 3.5). By key is
inversion: not a rewriting of the text but another reading of the same square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TypeAlias

from horsesense.errors import SchemaError
from horsesense.schema.axis import AxisName, Cell, Phrases
from horsesense.schema.filling import Sentence
from horsesense.schema.loose import LooseGrid
from horsesense.schema.schema import Kind, Schema

Grid: TypeAlias = Schema | LooseGrid


class Mode(StrEnum):
    """The axis that is guessed."""

    BY_ANSWER = "by answer"
    BY_KEY = "by key"
    BY_BOOLEAN = "by boolean"

    @property
    def axis(self) -> AxisName:
        """The axis that the mode leaves open."""
        return _OPEN[self]


_OPEN = {
    Mode.BY_ANSWER: AxisName.ANSWER,
    Mode.BY_KEY: AxisName.KEY,
    Mode.BY_BOOLEAN: AxisName.TRUTH,
}
# In which order the fixed axes run through a dyad's problems: that of the thesis' own files.
_ORDER = {
    Mode.BY_ANSWER: (AxisName.KEY, AxisName.TRUTH),
    Mode.BY_KEY: (AxisName.TRUTH, AxisName.ANSWER),
    Mode.BY_BOOLEAN: (AxisName.KEY, AxisName.ANSWER),
}
# What a mode fixes to make schemas of a dyad where it is compared with no other mode.
_FIXED_ALONE = {
    Mode.BY_ANSWER: AxisName.TRUTH,
    Mode.BY_KEY: AxisName.TRUTH,
    Mode.BY_BOOLEAN: AxisName.KEY,
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A fill-in-the-blank question: one line of cells through the grid.

    `statement` shows the blank to people; `options` are what may fill it, spelt as they stand
    there, each with a phrase for every blank; `sentences` are the complete ones, in that order,
    and what a model is to read; `right` is the position of the sensible one, None where it is
    not known. A minimal pair has no blank: its statement is empty and its options are the
    sentences.
    """

    mode: Mode
    cells: tuple[Cell, ...]
    statement: Sentence
    options: tuple[Phrases, ...]
    sentences: tuple[Sentence, ...]
    right: int | None

    @property
    def blanks(self) -> int:
        """The number of blanks: none, one or two."""
        return len(self.statement.spans_of(self.mode.axis))


def modes(grid: Grid) -> tuple[Mode, ...]:
    """The modes in which the grid can be solved."""
    if isinstance(grid, LooseGrid):
        return (Mode.BY_ANSWER,)
    return tuple(mode for mode in Mode if mode.axis in grid.axes)


def problems(grid: Grid, mode: Mode = Mode.BY_ANSWER) -> tuple[Problem, ...]:
    """The problems of a grid in that mode, in the order of the published files."""
    if mode not in modes(grid):
        raise SchemaError(f"a {grid.kind} cannot be solved {mode}: {_why_not(grid, mode)}")
    starts = [cell for cell in grid.cells if cell.along(mode.axis) == 0]
    first, second = fixed_order(mode)
    starts.sort(key=lambda cell: (cell.along(first), cell.along(second)))
    return tuple(_problem(grid, mode, start) for start in starts)


def mode_to_pose(grid: Grid, mode: Mode, *, is_declared: bool) -> Mode:
    """The mode in which a grid is read where its dataset is posed in that mode.

    A loose grid has one reading: its rows are the problems as their file has them. Where the
    dataset itself declares the mode, its rows are in that mode already, and are posed as they
    stand.
    """
    return Mode.BY_ANSWER if is_declared and isinstance(grid, LooseGrid) else mode


def fixed_order(mode: Mode) -> tuple[AxisName, AxisName]:
    """The axes that a mode fixes in a dyad: the slower one, and the one that runs inside it."""
    return _ORDER[mode]


def fixed_axis(mode: Mode, other: Mode | None = None) -> AxisName:
    """Return what is fixed to make schemas of a dyad, for a comparison of the two modes.

    A schema is the face of the cube that the two open axes span, so the third is fixed;
    only then can the same schema be solved in both modes (3.5.6).

    >>> fixed_axis(Mode.BY_ANSWER, Mode.BY_BOOLEAN).value, fixed_axis(Mode.BY_ANSWER).value
    ('key', 'truth')
    """
    if other is None or other is mode:
        return _FIXED_ALONE[mode]
    return next(axis for axis in AxisName if axis not in (mode.axis, other.axis))


def schemas(
    grid: Grid, mode: Mode = Mode.BY_ANSWER, *, compared_with: Mode | None = None
) -> tuple[tuple[Problem, Problem], ...]:
    """The problems grouped into schemas: none for a problem without a twin.

    A square is one schema, a dyad two (the faces where `fixed_axis` is constant), a loose
    grid one for each pair of neighbours.
    """
    all_problems = problems(grid, mode)
    positions = schema_pairs(grid, mode, all_problems, compared_with)
    return tuple((all_problems[first], all_problems[second]) for first, second in positions)


def schema_pairs(
    grid: Grid, mode: Mode, found: Sequence[Problem], compared_with: Mode | None = None
) -> tuple[tuple[int, int], ...]:
    """Which two of the problems of a grid make a schema, by their positions."""
    if not grid.is_dyad:
        return tuple(pairwise(range(len(found))))
    fixed = fixed_axis(mode, compared_with)
    coordinates = [problem.cells[0].along(fixed) for problem in found]
    faces = [
        [at for at, coordinate in enumerate(coordinates) if coordinate == value] for value in (0, 1)
    ]
    return tuple((face[0], face[1]) for face in faces)


def _problem(grid: Grid, mode: Mode, start: Cell) -> Problem:
    axis = mode.axis
    cells = tuple(start.moved(axis, value) for value in range(grid.choices(start, axis)))
    sentences = tuple(grid.sentence(cell) for cell in cells)
    sensible = [position for position, cell in enumerate(cells) if grid.is_sensible(cell)]
    right = sensible[0] if sensible else None
    if grid.kind is Kind.MINIMAL_PAIR:
        options = tuple((sentence.text,) for sentence in sentences)
        return Problem(mode, cells, Sentence("", ()), options, sentences, right)
    return Problem(
        mode=mode,
        cells=cells,
        statement=grid.sentence(start, blank=axis),
        options=tuple(sentence.phrases_of(axis) for sentence in sentences),
        sentences=sentences,
        right=right,
    )


def _why_not(grid: Grid, mode: Mode) -> str:
    if mode is Mode.BY_KEY:
        return "it has no key phrases"
    return "it has no truth pair" + ("; wrap it first" if isinstance(grid, Schema) else "")
