"""The frame of an adversarial schema as text, in which phrases can change places.

Every placeholder is a single character there. Whether two phrases may change places is told here,
and what number a verb has after them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import (
    Axis,
    AxisName,
    Part,
    Schema,
    Slot,
    decapitalise,
    is_finished_text,
    join_parts,
    opens_sentences,
)

if TYPE_CHECKING:
    from spacy.tokens import Span

Number: TypeAlias = Literal["singular", "plural"]
Stretch: TypeAlias = tuple[int, int]

# What stands for each placeholder.
_MARKS = {
    Slot(AxisName.KEY, 0): "\ue000",
    Slot(AxisName.KEY, 1): "\ue001",
    Slot(AxisName.ANSWER, 0): "\ue002",
    Slot(AxisName.TRUTH, 0): "\ue003",
}
_SLOTS = {mark: slot for slot, mark in _MARKS.items()}
_MARK = re.compile("([\ue000-\ue003])")
ANSWER_MARK = _MARKS[Slot(AxisName.ANSWER, 0)]
_TRUTH_MARK = _MARKS[Slot(AxisName.TRUTH, 0)]
_KEY_MARKS = frozenset({_MARKS[Slot(AxisName.KEY, 0)], _MARKS[Slot(AxisName.KEY, 1)]})

CLAUSE_START = re.compile(r"(?:\b(?:then|that|if|because|when|although)|[,;:]) |^")
CLAUSE_END = r"(?P<end>(?:[,;.]| (?:if|because|when|although) ).*|)$"
_ANAPHOR = re.compile(
    r"\b(?:it|its|he|him|his|she|her|they|them|their|ones|its own)\b|\b(?:a|the) one\b", re.I
)
_QUANTIFIERS = frozenset(
    str.split("all any both each every few half many more most no none only some than")
)
_EITHER_NUMBER = frozenset(str.split("fish sheep deer salmon trout shrimp squid species aircraft"))
_IN_PHRASE = frozenset(str.split("DET ADJ NOUN PROPN NUM ADP CCONJ"))
_HEADS = frozenset({"NOUN", "PROPN", "NUM"})


def flat(grid: Schema) -> str:
    """The frame as text, with a mark for each placeholder."""
    if grid.is_winograd:
        raise NotApplicable("a Winograd schema")
    slots = (part if isinstance(part, str | Slot) else part.text for part in grid.frame)
    return "".join(part if isinstance(part, str) else _MARKS[part] for part in slots)


def has_key(text: str) -> bool:
    """True where a key placeholder stands in a stretch of a flat frame."""
    return not _KEY_MARKS.isdisjoint(text)


def rebuilt(grid: Schema, text: str, answers: Axis) -> Schema:
    """The schema of a flat frame; key placeholders that have changed places are counted anew."""
    pieces: list[Part] = []
    order: list[int] = []
    for piece in _MARK.split(text):
        slot = _SLOTS.get(piece)
        if slot is not None and slot.axis is AxisName.KEY:
            order.append(slot.index)
            slot = Slot(AxisName.KEY, len(order) - 1)
        pieces.append(slot or piece)
    keys = Axis(tuple(tuple(value[index] for index in order) for value in grid.keys.values))
    return Schema(join_parts(pieces), keys, answers, grid.truths)


def sides_of(text: str, before: str, first: str, second: str, end: str) -> tuple[Stretch, Stretch]:
    """Where the two phrases stand in a flat frame, the first after `before`."""
    last = len(text) - len(end)
    return (len(before), len(before) + len(first)), (last - len(second), last)


def span_of(grid: Schema, text: str, stretch: Stretch, key: int) -> Span:
    """The words of a stretch of a flat frame, parsed in the sentence of that key."""

    def shown(part: str) -> str:
        return _MARK.sub(lambda mark: _phrase(grid, mark[0], key), part)

    start, end = stretch
    doc = parse(shown(text))
    offset = len(shown(text[:start]))
    span = doc.char_span(
        offset, offset + len(shown(text[start:end]).rstrip(" ")), alignment_mode="expand"
    )
    if span is None:
        raise NotApplicable("a side is empty")
    return span


def _phrase(grid: Schema, mark: str, key: int) -> str:
    slot = _SLOTS[mark]
    return grid.axes[slot.axis].phrase(0 if slot.axis is AxisName.TRUTH else key, slot)


def check_sides(grid: Schema, text: str, *stretches: Stretch) -> None:
    """Refuse phrases that cannot change places: no plain noun phrases, or with words that refer."""
    if _ANAPHOR.search(text):
        raise NotApplicable("a pronoun may refer to what is moved")
    for start, end in stretches:
        if any(mark in text[start:end] for mark in (ANSWER_MARK, _TRUTH_MARK)):
            raise NotApplicable("an answer or a truth value would move")
        for key in (0, 1):
            _check_phrase(span_of(grid, text, (start, end), key))


def _check_phrase(span: Span) -> None:
    if any(token.lower_ in _QUANTIFIERS for token in span):
        raise NotApplicable("a quantifier would move")
    if len(span) == 1 and _number_of_word(span.text):
        return  # as a noun without an article is easily taken for a verb
    is_plain = all(one.pos_ in _IN_PHRASE or one.tag_ in ("PRP$", "POS") for one in span)
    if not is_plain or span.root.pos_ not in _HEADS:
        raise NotApplicable("a side is no plain noun phrase")


def number_of(grid: Schema, text: str, stretch: Stretch) -> Number | None:
    """The number of a noun phrase; None where it may be either."""
    first, second = (_number(span_of(grid, text, stretch, key)) for key in (0, 1))
    if None not in (first, second) and first != second:
        raise NotApplicable("the key phrases differ in number")
    return first or second


def _number(span: Span) -> Number | None:
    if len(span) == 1 and (number := _number_of_word(span.text)):
        return number
    head = span.root
    words = {token.lower_ for token in span}
    is_counted = head.pos_ != "NUM" and any(
        token.pos_ == "NUM" and token.lower_ != "one" for token in span
    )
    if head.tag_ in ("NNS", "NNPS") or is_counted or ("and" in words and head.pos_ != "NUM"):
        return "plural"
    is_bare = not words & {"a", "an", "one", "this", "that"}
    return None if head.lower_ in _EITHER_NUMBER and is_bare else "singular"


def _number_of_word(word: str) -> Number | None:
    """Plural for a word that is nothing but the plural of a noun or the form of a verb."""
    from lemminflect import getLemma

    if not word.islower() or not word.isalpha():
        return None
    lemmas = getLemma(word, "NOUN", lemmatize_oov=False)
    return "plural" if lemmas and word not in lemmas else None


def lowered(grid: Schema, phrase: str) -> str:
    """A phrase that leaves the start of the text, without the capital that it had from there."""
    slot = _SLOTS.get(phrase[0])
    starts = [value[slot.index] for value in grid.keys.values] if slot else [phrase]
    last = grid.frame[-1]
    is_bare = not (isinstance(last, str) and is_finished_text(last))
    if is_bare or not any(start[:1].isupper() for start in starts):
        return phrase
    if slot is None and opens_sentences(phrase):
        return decapitalise(phrase)
    raise NotApplicable("a capital may be a name's")
