"""Putting phrases into a sentence, and knowing where they came to stand.

What a model reads should be English: one space between words and none before a comma,
a capital where a sentence starts, an owner where the pronoun was possessive, a full stop
at the end. `a` and `an` are left to the author. What others have published is to be read as
it stands, though: a verbatim sentence is put together and nothing in it is put right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from horsesense.schema.axis import Axis, AxisName, Slot
from horsesense.schema.english import capitalise, possessive, starts_sentence, with_full_stop
from horsesense.schema.frame import Candidate, Frame, Part, Target

BLANK = "___"
_NO_SPACE_BEFORE = tuple(",.;:?!)")
# After nothing, and after a space, no space follows.
_GAPS = ("", " ")
STOPS = frozenset(".?!")
# A sentence may start after these, or after what they close.
MAY_OPEN = frozenset(".?!…。？！:\"'“”‘’()[]「」『』")
_TARGET_SLOT = Slot(AxisName.ANSWER, 0)

Role: TypeAlias = AxisName | Literal["candidate"]


@dataclass(frozen=True, slots=True)
class Span:
    """The span of a phrase in a sentence: characters from `start` up to `end`, exclusive.

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
        """Return the texts of those spans."""
        return tuple(self.text[span.start : span.end] for span in self.spans_of(role))


def fill(frame: Frame, choose: Callable[[Slot], str], target: Target | None = None) -> Sentence:
    """The sentence that results when every placeholder gets the phrase chosen for it.

    >>> fill((Slot(AxisName.KEY, 0), " owls sleep"), lambda slot: "three").text
    'Three owls sleep.'
    """
    filling = _Filling()
    for part in frame:
        if isinstance(part, str):
            filling.add_text(part)
        elif isinstance(part, Candidate):
            filling.add_phrase(part.text, "candidate", part.number)
        elif target is None or part != _TARGET_SLOT:
            filling.add_phrase(choose(part), part.axis, part.index)
        else:
            phrase = choose(part)
            if target.is_possessive and phrase != BLANK:
                phrase = possessive(phrase, target.pronoun)
            # The pronoun shows whether it opens a sentence.
            filling.add_phrase(phrase, part.axis, part.index, opens=target.is_capitalised)
    return filling.sentence()


def fill_verbatim(frame: Frame, choose: Callable[[Slot], str]) -> Sentence:
    """The sentence that results when every phrase goes in as it stands, and nothing else is done.

    >>> fill_verbatim((Slot(AxisName.KEY, 0), " owls sleep"), lambda slot: "three").text
    'three owls sleep'
    """
    text, spans = "", []
    for part in frame:
        start = len(text)
        if isinstance(part, str):
            text += part
        elif isinstance(part, Candidate):
            text += part.text
            spans.append(Span("candidate", part.number, start, len(text)))
        else:
            text += choose(part)
            spans.append(Span(part.axis, part.index, start, len(text)))
    return Sentence(text, tuple(spans))


def stands_as_written(frame: Frame, axes: Mapping[AxisName, Axis], target: Target | None) -> bool:
    """Return whether it is plain at a glance that filling puts nothing right, whatever is chosen.

    Much quicker than filling every sentence and comparing. Where it is not plain, False.
    """
    if target is not None and target.is_possessive:
        return False
    if not all(text[-1:] in STOPS for text in _choices(frame[-1], axes)):
        return False
    if isinstance(frame[0], str) and not _is_capital(frame[0][0]):
        return False
    opens_target = target is not None and target.is_capitalised
    before = ""  # the last two characters so far, as far as they matter
    for part in frame:
        if isinstance(part, str):
            before = (before + part)[-2:]
            continue
        is_inside = before[-1:] == " " and before[0] not in MAY_OPEN
        if opens_target and part == _TARGET_SLOT:
            is_inside = False
        before = "x"
        for phrase in _choices(part, axes):
            if is_inside and phrase.replace(" ", "").isalnum():
                continue  # as most are
            # A capital is right anywhere. Without one, a phrase must stand inside a sentence.
            if not (is_inside and phrase[:1].isalnum()) and not _is_capital(phrase[:1]):
                return False
            if not phrase[-1].isalnum():
                before = "."
    return True


def _is_capital(char: str) -> bool:
    """Return True for a capital letter; `Ⓐ` is a capital, but no letter of a word."""
    return char.isupper() and char.isalpha()


def _choices(part: Part, axes: Mapping[AxisName, Axis]) -> Sequence[str]:
    """Return the phrases that a part may be replaced by."""
    if isinstance(part, str):
        return (part,)
    if isinstance(part, Candidate):
        return (part.text,)
    return list(zip(*axes[part.axis].values, strict=True))[part.index]


class _Filling:
    """A sentence that grows from left to right."""

    def __init__(self) -> None:
        self.text = ""
        self.spans: list[Span] = []

    def add_text(self, text: str) -> None:
        """Add fixed text; it has its capitals, except where it has come to open a sentence."""
        opens = not self.text or (self._ends_in_gap() and starts_sentence(self.text))
        self._add(capitalise(text) if opens else text)

    def add_phrase(self, phrase: str, role: Role, index: int, *, opens: bool | None = None) -> None:
        """Add a phrase; where nobody says whether it opens a sentence, the text before does."""
        if opens is None or not self.text:
            opens = starts_sentence(self.text)
        added = self._add(capitalise(phrase) if opens else phrase)
        self.spans.append(Span(role, index, len(self.text) - len(added), len(self.text)))

    def sentence(self) -> Sentence:
        """Return the filled text, ended like a sentence."""
        self._cut(len(self.text.rstrip(" ")))
        return Sentence(with_full_stop(self.text), tuple(self.spans))

    def _add(self, piece: str) -> str:
        if self.text[-1:] == " " and _closes_up(piece):
            self._cut(len(self.text) - 1)
        if self.text[-1:] in _GAPS:
            piece = piece.lstrip(" ")
        self.text += piece
        return piece

    def _cut(self, length: int) -> None:
        """Take spaces away at the end. The span of an empty phrase may have stood behind them."""
        if length < len(self.text):
            self.text = self.text[:length]
            self.spans = [
                Span(s.role, s.index, min(s.start, length), min(s.end, length)) for s in self.spans
            ]

    def _ends_in_gap(self) -> bool:
        """True right after an empty phrase."""
        return bool(self.spans) and self.spans[-1].start == self.spans[-1].end == len(self.text)


def _closes_up(piece: str) -> bool:
    """Return True for punctuation that no space precedes; `.5` is a number."""
    return piece.startswith(_NO_SPACE_BEFORE) and not piece[1:2].isdigit()
