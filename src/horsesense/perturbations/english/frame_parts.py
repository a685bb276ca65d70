"""A frame taken apart where a rendering of it is cut, so that noun phrases can change places.

What stands in a placeholder or a candidate moves as a whole, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from horsesense.perturbations.rewriting import Edit, Rendering
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import Candidate, Frame, Part, Slot

if TYPE_CHECKING:
    from spacy.tokens import Span


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A frame, and the rendering that says which stretch of a text came from which part of it."""

    frame: Frame
    shown: Rendering

    def cut(self, start: int, end: int, edits: Sequence[Edit] = ()) -> list[Part]:
        """The parts of the frame that a stretch of the rendering came from, after the edits."""
        parts: list[Part] = []
        for segment in self.shown.segments:
            first, last = max(start, segment.start), min(end, segment.end)
            if first > last or (first == last and not start <= segment.start == segment.end < end):
                continue
            if segment.piece != "text" and (first, last) != (segment.start, segment.end):
                raise NotApplicable("a candidate is more or less than a noun phrase")
            part, text = self.frame[segment.part], self.shown.text[first:last]
            for edit in edits:
                if first <= edit.start and edit.end <= last:
                    text = text[: edit.start - first] + edit.text + text[edit.end - first :]
            parts.append(part if isinstance(part, Slot) else _with_text(part, text))
        return parts

    def noun_phrase(
        self, whole: Span, cases: Mapping[str, str], edits: Sequence[Edit] = ()
    ) -> list[Part]:
        """The parts of a noun phrase that is to move; a pronoun in its new case."""
        if "," in whole.text or whole[-1].dep_ == "cc":
            raise NotApplicable("where the object ends is not plain")
        for piece in ("target", "answer", "truth"):
            for one in self.shown.pieces(piece):
                if one.start < whole.end_char and whole.start_char < one.end:
                    raise NotApplicable("the target would move")
        if len(whole) == 1 and whole.text.lower() in cases:
            edits = [Edit(whole.start_char, whole.end_char, cases[whole.text.lower()])]
        return self.cut(whole.start_char, whole.end_char, edits)


def with_first_letter(parts: Sequence[Part], *, upper: bool) -> list[Part]:
    """The parts with a capital at their start, or without; a placeholder's comes with filling."""
    first, *rest = parts
    if isinstance(first, Slot):
        return [first, *rest]
    text = first if isinstance(first, str) else first.text
    text = (text[:1].upper() if upper else text[:1].lower()) + text[1:]
    return [_with_text(first, text), *rest]


def count_slots(parts: Sequence[Part]) -> int:
    """How many placeholders there are."""
    return sum(isinstance(part, Slot) for part in parts)


def _with_text(part: str | Candidate, text: str) -> str | Candidate:
    return text if isinstance(part, str) else Candidate(part.number, text)
