"""Putting phrases into a sentence, and knowing where they came to stand.

What a model reads should be English: one space between words and none before a comma,
a capital where a sentence starts, an owner where the pronoun was possessive, a full stop
at the end. `a` and `an` are left to the author.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from horsesense.schema.axis import AxisName, Slot
from horsesense.schema.english import capitalise, possessive, starts_sentence, with_full_stop
from horsesense.schema.frame import Candidate, Frame, Part, Target

BLANK = "___"
_NO_SPACE_BEFORE = tuple(",.;:?!)")

Role: TypeAlias = AxisName | Literal["candidate"]


@dataclass(frozen=True, slots=True)
class Span:
    """Where a phrase stands in a sentence: characters `start` up to, not including, `end`.

    `index` is the placeholder's place among those of its axis, or the candidate's number.
    """

    role: Role
    index: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A complete sentence, and where every phrase stands that was put in."""

    text: str
    spans: tuple[Span, ...]

    def spans_of(self, role: Role) -> tuple[Span, ...]:
        """The spans of one axis, or of the candidates, in the order of the sentence."""
        return tuple(span for span in self.spans if span.role == role)

    def phrases_of(self, role: Role) -> tuple[str, ...]:
        """What stands in those spans, as it is spelt there."""
        return tuple(self.text[span.start : span.end] for span in self.spans_of(role))


def fill(frame: Frame, choose: Callable[[Slot], str], target: Target | None = None) -> Sentence:
    """The sentence that results when every placeholder gets the phrase chosen for it.

    >>> fill((Slot(AxisName.KEY, 0), " owls sleep"), lambda slot: "three").text
    'Three owls sleep.'
    """
    text, spans = "", list[Span]()
    for part in frame:
        follows_gap = bool(spans) and spans[-1].start == spans[-1].end == len(text)
        piece = _spelt(part, text, choose, target, follows_gap=follows_gap)
        if text.endswith(" ") and _closes_up(piece):
            text = text[:-1]
            spans = [_within(span, len(text)) for span in spans]
        if not text or text.endswith(" "):
            piece = piece.lstrip(" ")
        if isinstance(part, Slot):
            spans.append(Span(part.axis, part.index, len(text), len(text) + len(piece)))
        elif isinstance(part, Candidate):
            spans.append(Span("candidate", part.number, len(text), len(text) + len(piece)))
        text += piece
    text = text.rstrip(" ")
    return Sentence(with_full_stop(text), tuple(_within(span, len(text)) for span in spans))


def _closes_up(piece: str) -> bool:
    """True for punctuation that no space precedes; `.5` is a number."""
    return piece.startswith(_NO_SPACE_BEFORE) and not piece[1:2].isdigit()


def _within(span: Span, length: int) -> Span:
    """The span of an empty phrase may have stood behind a space that was taken away."""
    if span.end <= length:
        return span
    return Span(span.role, span.index, min(span.start, length), length)


def _spelt(
    part: Part,
    before: str,
    choose: Callable[[Slot], str],
    target: Target | None,
    *,
    follows_gap: bool,
) -> str:
    """The part as it is spelt after the text before it."""
    if isinstance(part, str):
        return capitalise(part) if not before or follows_gap and starts_sentence(before) else part
    if isinstance(part, Candidate):
        return capitalise(part.text) if starts_sentence(before) else part.text
    phrase = choose(part)
    if part.axis is not AxisName.ANSWER or part.index or target is None or phrase == BLANK:
        return capitalise(phrase) if starts_sentence(before) else phrase
    if target.is_possessive:
        phrase = possessive(phrase, target.pronoun)
    # The pronoun shows whether a sentence starts here; where it cannot, the text before does.
    starts = target.is_capitalised if before else True
    return capitalise(phrase) if starts or (starts is None and starts_sentence(before)) else phrase
