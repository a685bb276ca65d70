"""Loose grids: single problems, or pairs without key phrases, as real data have them.

A row is a problem by itself, a 1×n grid: one sentence, two or more answers, the right one
known or not. A loose grid holds one row (a problem without a twin) or several twins whose
difference is no key phrase: their answers differ, or the difference is scattered over the
sentence or contains the blank. Neighbouring rows form a schema, so that three rows make
two schemas that share a problem.
"""

from __future__ import annotations

from dataclasses import dataclass

from horsesense.errors import SchemaError
from horsesense.schema.axis import (
    ANSWER,
    Axis,
    AxisName,
    Cell,
    Slot,
    check_axis,
    check_distinct,
    looks_alike,
)
from horsesense.schema.filling import BLANK, Sentence, fill, fill_verbatim, stands_as_written
from horsesense.schema.frame import Frame, Target, check_frame
from horsesense.schema.schema import Kind


@dataclass(frozen=True, slots=True)
class LooseProblem:
    """A problem outside a schema; `right` is the position of its right answer, None if unknown.

    An answer may fill two placeholders. Where the frame is nothing but the answer, the
    sentences are compared whole and there is no blank: a minimal pair.
    """

    frame: Frame
    answers: Axis
    right: int | None
    target: Target | None = None
    verbatim: bool = False

    def __post_init__(self) -> None:
        check_axis(self.answers, ANSWER, may_be_empty=False)
        if self.answers.placeholders > 2:
            raise SchemaError("a problem has one or two blanks", axis="answer", index=2)
        if self.right is not None and not 0 <= self.right < len(self.answers):
            raise SchemaError(f"there is no answer {self.right + 1}", axis="answer")
        check_frame(self.frame, {ANSWER: self.answers}, self.target)
        if looks_alike(self.answers):
            texts = [self.sentence(answer).text for answer in range(len(self.answers))]
            check_distinct(texts, ANSWER)

    @property
    def has_blank(self) -> bool:
        return any(not isinstance(part, Slot) for part in self.frame)

    @property
    def stands_as_written(self) -> bool:
        """Return whether it is plain that its sentences come out as if they were verbatim."""
        axes = {ANSWER: self.answers}
        return self.verbatim or stands_as_written(self.frame, axes, self.target)

    def sentence(self, answer: int, *, blank: AxisName | None = None) -> Sentence:
        """The sentence with that answer, or with a blank in its place."""

        def choose(slot: Slot) -> str:
            return BLANK if slot.axis is blank else self.answers.phrase(answer, slot)

        if self.verbatim:
            return fill_verbatim(self.frame, choose)
        return fill(self.frame, choose, self.target)


@dataclass(frozen=True, slots=True)
class LooseGrid:
    """Rows that belong together without sharing key phrases; often a single one."""

    rows: tuple[LooseProblem, ...]

    def __post_init__(self) -> None:
        if not self.rows:
            raise SchemaError("a grid needs at least one problem")
        if len(self.rows) == 1:
            return
        if not all(row.has_blank for row in self.rows):
            raise SchemaError("a minimal pair cannot have a twin", axis="answer")
        # To compare two is much quicker than to look into each for a place in a set.
        first, second, *others = self.rows
        if first == second or others and len(set(self.rows)) < len(self.rows):
            raise SchemaError("the same problem occurs twice")

    @property
    def kind(self) -> Kind:
        if len(self.rows) > 1:
            return Kind.LOOSE
        return Kind.SINGLE if self.rows[0].has_blank else Kind.MINIMAL_PAIR

    @property
    def is_winograd(self) -> bool:
        return all(row.target is not None for row in self.rows)

    @property
    def is_dyad(self) -> bool:
        return False

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, row by row."""
        return tuple(
            Cell(number, answer)
            for number, row in enumerate(self.rows)
            for answer in range(len(row.answers))
        )

    def choices(self, cell: Cell, axis: AxisName) -> int:
        """Return the number of values of an axis at a cell: the answers of the row."""
        return len(self.rows[cell.key].answers) if axis is AxisName.ANSWER else 1

    def is_sensible(self, cell: Cell) -> bool | None:
        """Return whether the answer is the right one; None where that is not known."""
        right = self.rows[cell.key].right
        return None if right is None else right == cell.answer

    def sentence(self, cell: Cell, *, blank: AxisName | None = None) -> Sentence:
        """The sentence of a cell, with the answer left blank if requested."""
        return self.rows[cell.key].sentence(cell.answer, blank=blank)
