"""A schema is a square of four sentences, a dyad a cube of eight (thesis 3.5).

The axes are the key, the answer and, in a dyad, the truth value. A cell is sensible where
the sum of its coordinates is even: the first key phrase calls for the first answer, the
second for the second, and the second truth value turns that round.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from horsesense.errors import SchemaError
from horsesense.schema.axis import (
    ANSWER,
    KEY,
    TRUTH,
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


class Kind(StrEnum):
    """The kind of a grid, by its shape."""

    SUBSTITUTION = "substitution schema"
    TRANSPOSITION = "transposition schema"
    LOOSE = "loose pair"
    SINGLE = "single problem"
    MINIMAL_PAIR = "minimal pair"


@dataclass(frozen=True, slots=True)
class Schema:
    """A sentence whose key decides which of two answers fits; with a truth axis, a dyad.

    Keys and answers are paired by position (3.5.2, 3.5.3). A Winograd schema is one whose
    answer stands in the place of a target pronoun; its frame may mark the candidates.
    In a verbatim schema the phrases are spelt as they stand in the sentence.
    """

    frame: Frame
    keys: Axis
    answers: Axis
    truths: Axis | None = None
    target: Target | None = None
    verbatim: bool = False

    def __post_init__(self) -> None:
        axes = self.axes
        for name, axis in axes.items():
            if len(axis.values) != 2:
                raise SchemaError(
                    f"expected two {name} phrases, found {len(axis)}",
                    axis=name,
                    remedy="put a comma between the two, and quote a phrase that contains a comma",
                )
            check_axis(axis, name, may_be_empty=name is KEY)
        if self.answers.placeholders != 1:
            raise SchemaError("a schema has one answer placeholder", axis="answer", index=1)
        if self.keys.placeholders > 2:
            raise SchemaError("a schema has one or two key placeholders", axis="key", index=2)
        if self.truths is not None and self.truths.placeholders != 1:
            raise SchemaError("a dyad has one truth placeholder", axis="truth", index=1)
        self._check_transposition()
        check_frame(self.frame, axes, self.target)
        for name, axis in axes.items():
            if looks_alike(axis):
                for cell in self.cells:
                    choices = (cell.moved(name, 0), cell.moved(name, 1))
                    check_distinct([self.sentence(choice).text for choice in choices], name)

    def _check_transposition(self) -> None:
        if self.keys.placeholders == 1:
            return
        (first, second_too), (second, first_too) = self.keys.values
        if not (_same_word(first, first_too) and _same_word(second, second_too)):
            raise SchemaError(
                "two key placeholders hold the same two phrases in opposite order",
                axis="key",
                index=1,
                remedy=f"that would be: {second}, {first}",
            )
        if self.target is not None:
            raise SchemaError("a Winograd schema has one key placeholder", axis="key", index=1)

    @property
    def axes(self) -> dict[AxisName, Axis]:
        """The axes it has, by name."""
        axes = {KEY: self.keys, ANSWER: self.answers}
        if self.truths is not None:
            axes[TRUTH] = self.truths
        return axes

    @property
    def kind(self) -> Kind:
        """Count the key placeholders (3.5.3)."""
        return Kind.SUBSTITUTION if self.keys.placeholders == 1 else Kind.TRANSPOSITION

    @property
    def is_dyad(self) -> bool:
        return self.truths is not None

    @property
    def is_winograd(self) -> bool:
        return self.target is not None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, key by key and answer by answer."""
        return tuple(
            Cell(key, answer, truth)
            for key, answer, truth in product((0, 1), (0, 1), (0, 1) if self.is_dyad else (0,))
        )

    def choices(self, cell: Cell, axis: AxisName) -> int:
        """Return the number of values of an axis at a cell."""
        return len(self.axes[axis])

    def is_sensible(self, cell: Cell) -> bool:
        """Return whether the sentence is the one that common sense prefers."""
        return sum(cell) % 2 == 0

    @property
    def stands_as_written(self) -> bool:
        """Return whether it is plain that its sentences come out as if they were verbatim."""
        return self.verbatim or stands_as_written(self.frame, self.axes, self.target)

    def sentence(self, cell: Cell, *, blank: AxisName | None = None) -> Sentence:
        """The sentence of a cell, with the placeholders of one axis left blank if requested."""
        axes = self.axes

        def choose(slot: Slot) -> str:
            if slot.axis is blank:
                return BLANK
            return axes[slot.axis].phrase(cell.along(slot.axis), slot)

        if self.verbatim:
            return fill_verbatim(self.frame, choose)
        return fill(self.frame, choose, self.target)


def _same_word(first: str, second: str) -> bool:
    """Equal but for a capital at the start, which may be the sentence's."""
    return first[1:] == second[1:] and first[:1].lower() == second[:1].lower()
