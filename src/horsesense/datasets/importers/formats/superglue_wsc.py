"""The WSC of SuperGLUE: JSON lines, one for each candidate, with the words where spans start.

Rows with the same text and pronoun make a problem by answer. One that has no partner, and those
of which none or several are right, become problems of true or false:

    TEXT It is ___ that "PRONOUN" means "CANDIDATE".

Where the pronoun occurs more than once, enough of what follows it is quoted to tell which is meant:
`"it" in "it sank" means …`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from horsesense.datasets.importers import claims, fitting
from horsesense.datasets.importers.claims import Claim, by_pronoun, groups_of, read_claims
from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.fitting import REPAIRS, Place
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.source import BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import ISSUES as RECOVERY_ISSUES
from horsesense.datasets.recovery import LIKENESS, Group, Journal, trimmed

SEARCHED = "span-searched"
STOP = "stop-in-candidate"
PUNCTUATION = "punctuation-in-pronoun"
MISSING = "candidate-missing"
_FIELDS = ("text", "target", "idx")
_TARGET = ("span1_text", "span1_index", "span2_text", "span2_index")
_MARKS = ".,;:!?"
_WORD = re.compile(r"\w+")
_NOT_BLANK = re.compile(r"\S+")
_LABELS: dict[object, bool | None] = {None: None, "true": True, "false": False}


def _looks_like(file: SourceFile) -> bool:
    first = file.first_object
    target = first.get("target")
    return (
        not file.is_json_list
        and isinstance(target, dict)
        and are_columns_of(first, _FIELDS, ["label"])
        and are_columns_of(target, _TARGET)
    )


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    found = read_claims(file.json_lines(journal), journal, partial(_claim, journal))
    return groups_of(by_pronoun(found), journal)


def _claim(journal: Journal, line: int, row: dict[str, Any]) -> Claim:
    (text,) = texts_of(row, "text")
    target = row.get("target")
    if not isinstance(target, dict):
        raise BadRow("no field 'target'")
    name = str(_number(row, "idx"))
    candidate, pronoun = texts_of(target, "span1_text", "span2_text")
    words = [word.start() for word in _NOT_BLANK.finditer(text)]
    spans = _Spans(text, words, name, line, journal)
    blank = spans.pronoun(pronoun, _number(target, "span2_index"))
    candidate, place = spans.candidate(candidate, _number(target, "span1_index"))
    claim = f'{_quoted(text, blank)} means "{candidate}".'
    return Claim(name, line, text, claim, candidate, blank, place, _label(row.get("label")))


def _number(row: dict[str, Any], field: str) -> int:
    value = row.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise BadRow(f"no field {field!r}" if value is None else f"{field!r} is no number")
    return value


def _label(label: object) -> bool | None:
    """True and false, which some copies write as texts."""
    known = str(label).lower() if isinstance(label, bool | str) else label
    if isinstance(known, list | dict) or known not in _LABELS:
        raise BadRow(f"the label {label!r} is neither true nor false")
    return _LABELS[known]


class _Spans:
    """The spans of one row, which are given as a text and the word with which it starts."""

    def __init__(
        self, text: str, words: Sequence[int], name: str, line: int, journal: Journal
    ) -> None:
        self.text, self.words = text, words
        self.name, self.line, self.journal = name, line, journal

    def pronoun(self, published: str, word: int) -> Place:
        """Where the pronoun stands, without punctuation marks that the file counts to it."""
        pronoun = published.strip().strip(_MARKS)
        if pronoun != published:
            self._step(PUNCTUATION, repr(published), repr(pronoun))
        place = self._at(pronoun, word) or self._searched(pronoun, word)
        if place is None:
            raise BadRow(f"the pronoun {pronoun!r} does not stand at word {word}")
        return place

    def candidate(self, published: str, word: int) -> tuple[str, Place | None]:
        """The candidate and where it stands; not every one occurs in the text."""
        phrase = trimmed(published, lambda step: self._step(step, "", "put right"))
        if place := self._at(phrase, word):
            return phrase, place
        bare = phrase.rstrip(_MARKS)
        if bare != phrase and self._at(bare, word):
            if not self._repair(STOP, repr(phrase), repr(bare)):
                return phrase, None
            return bare, self._at(bare, word)
        place = self._searched(phrase, word)
        if place is None:
            self.journal.oddity(MISSING, self.line, self.name, repr(phrase), "not marked")
        return phrase, place

    def _at(self, phrase: str, word: int) -> Place | None:
        """The place of the phrase if it starts with that word, quotation marks aside."""
        if not phrase or word >= len(self.words):
            return None
        start = self.words[word]
        while not self.text[start].isalnum() and self.text[start] != phrase[0]:
            start += 1
            if start == len(self.text):
                return None
        end = start + len(phrase)
        is_there = self.text[start:end].lower() == phrase.lower()
        return Place(start, end) if is_there and not self.text[end : end + 1].isalnum() else None

    def _searched(self, phrase: str, word: int) -> Place | None:
        """The nearest place where the phrase does stand, if that is wanted."""
        given = self.words[min(word, len(self.words) - 1)] if self.words else 0
        pattern = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)", re.IGNORECASE)
        places = [Place(*found.span()) for found in pattern.finditer(self.text)] if phrase else []
        if not places:
            return None
        nearest = min(places, key=lambda place: abs(place.start - given))
        odd, done = f"{phrase!r} is not at word {word}", f"found at character {nearest.start}"
        return nearest if self._repair(SEARCHED, odd, done) else None

    def _step(self, step: str, odd: str, done: str) -> None:
        self.journal.step(step, self.line, self.name, odd, done)

    def _repair(self, repair: str, odd: str, done: str) -> bool:
        return self.journal.repair(repair, self.line, self.name, odd, done)


def _quoted(text: str, blank: Place) -> str:
    """The pronoun in quotation marks; if it occurs again, with what follows or precedes it."""
    pronoun = text[blank.start : blank.end]
    if _WORD.findall(text).count(pronoun) == 1:
        return f'"{pronoun}"'
    ends = (word.end() for word in _WORD.finditer(text, blank.end))
    starts = (word.start() for word in reversed(list(_WORD.finditer(text, 0, blank.start))))
    stretches = [text[blank.start : end] for end in ends]
    stretches += [text[start : blank.end] for start in starts]
    stretch = next((one for one in stretches if text.count(one) == 1), text)
    return f'"{pronoun}" in "{stretch}"'


FORMAT = Format(
    name="superglue-wsc",
    title="the WSC of SuperGLUE, JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=LIKENESS,
    repairs={
        SEARCHED: "a span that does not start where the file says is looked for nearby",
        STOP: "a full stop at the end of a candidate, where the text has none, is removed",
        **REPAIRS,
    },
    issues={
        **claims.ISSUES,
        **fitting.ISSUES,
        PUNCTUATION: "a comma or full stop beside the pronoun is counted to it; the blank is not",
        MISSING: RECOVERY_ISSUES[MISSING],
    },
)
