"""A row of a plain table as a problem: its blanks, its options, its answer.

A blank is `___` or a longer line, `[MASK]`, `<blank>` or `<mask>`, or, where there is none of
these, a single `_`. Phrases for two blanks have `¶` between them. A row without text is a minimal
pair. The answer is the number of an option or its text; no answer is an unknown one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from horsesense.datasets.importers.formats.table_columns import Columns
from horsesense.datasets.importers.source import BadRow
from horsesense.datasets.recovery import Journal, RawProblem, difference, trimmed
from horsesense.schema import BLANK, Mode, Phrases, capitalise, find_unprintable, is_finished_text

DOUBLE_STOP, AMBIGUOUS = "double-full-stop", "ambiguous-answer"
BETWEEN_PHRASES = "¶"

_NEXT_WORD = re.compile(r" ([\w'’-]+)")


@dataclass(frozen=True, slots=True)
class RowReader:
    """Reads rows under their headings; `first` is the number of the first option in answers."""

    columns: Columns
    journal: Journal
    first: int

    def found(self, name: str, line: int, row: Mapping[str, Any], values: Values) -> RawProblem:
        """The problem of a row; raises BadRow where it has none."""
        mode = mode_of(values)
        options = self._options(row, values, mode)
        phrases = options
        if text := text_in(values, "text"):
            texts = split_text(text, are_two=all(map(_are_two_phrases, options)))
        elif mode is not Mode.BY_ANSWER:
            raise BadRow("no text")
        elif self.has_whole_sentences:
            texts, phrases = split_sentences(options)
        else:
            texts = ("", "")
        found = RawProblem(
            name=name,
            line=line,
            texts=texts,
            options=tuple(_phrases(option, len(texts) - 1) for option in phrases),
            right=self._right(name, line, values, options),
            pronoun=text_in(values, "pronoun") if len(texts) == 2 else "",
        )
        if own := self.columns.own:
            found = found._replace(extras=tuple(self._extras(own, row, found)))
        if "" in options:
            return self._with_next_word(found)
        if found.texts[-1] != "." or flag_in(values, "verbatim"):
            return found
        return self._with_one_stop(found)

    @property
    def has_whole_sentences(self) -> bool:
        """True where sentences are given instead of a text and options."""
        return not self.columns.options and "options" not in self.columns.roles

    def _options(self, row: Mapping[str, Any], values: Values, mode: Mode) -> list[str]:
        headings = self.columns.options
        if not headings:
            role = "sentences" if self.has_whole_sentences else "options"
            listed = values.get(role)
            if not isinstance(listed, list):
                raise BadRow(f"no list of {role}")
            options = [text_of(option, role) for option in listed]
        else:
            options = [text_of(row.get(heading), heading) for heading in headings]
        if mode is not Mode.BY_ANSWER:  # there are two, and a key phrase may be empty
            options = options[:2]
        else:
            while options and not options[-1]:
                options.pop()
            if not all(options):
                raise BadRow(f"option {options.index('') + 1} is empty")
        if len(options) < 2:
            raise BadRow("fewer than two options")
        return options

    def _right(self, name: str, line: int, values: Values, options: list[str]) -> int | None:
        role = "answer" if "answer" in self.columns.roles else "label"
        answer = text_in(values, role).strip()
        number = number_of(answer)
        if not answer or (number == -1 and self.first == 0):
            return None
        as_text = [n for n, option in enumerate(options) if option.strip() == answer]
        if number is not None and 0 <= number - self.first < len(options):
            if as_text and as_text != [number - self.first]:
                odd = f"{answer!r} is the number of an option and the text of another"
                self.journal.oddity(AMBIGUOUS, line, name, odd, "taken for the number")
            return number - self.first
        letters = self.columns.letters[: len(options)]
        as_letter = [n for n, letter in enumerate(letters) if letter == answer.lower()]
        if not as_text and not as_letter:
            last = self.first + len(options) - 1
            raise BadRow(f"the answer {answer!r} is no option, nor one of {self.first} to {last}")
        return (as_text or as_letter)[0]

    def _extras(
        self, own: Iterable[str], row: Mapping[str, Any], found: RawProblem
    ) -> Iterator[tuple[str, str]]:
        for heading in own:
            if (value := row.get(heading)) is not None:
                yield heading, one_line(text_of(value, heading), found, self.journal)

    def _with_next_word(self, found: RawProblem) -> RawProblem:
        """The problem with a word more in its options, for one of them is empty."""
        before, after = found.texts[0], found.texts[-1]
        word = _NEXT_WORD.match(after)
        if word is None or len(found.texts) != 2:
            raise BadRow("an option is empty, and no word follows the blank")
        phrases = [f"{phrase} {word[1]}".strip() for (phrase,) in found.options]
        if not before:
            phrases = list(map(capitalise, phrases))
        odd, done = "an option is empty", f"{word[1]!r} is part of the options"
        self.journal.step("key-widened", found.line, found.name, odd, done)
        options = tuple((phrase,) for phrase in phrases)
        return found._replace(texts=(before, after[word.end() :]), options=options)

    def _with_one_stop(self, found: RawProblem) -> RawProblem:
        """The problem without the full stop behind its last blank, if options bring their own."""
        finished = [is_finished_text(option[-1]) for option in found.options]
        if not any(finished):
            return found
        odd = "a full stop stands behind the blank, and options end in their own"
        done = "one full stop for each sentence"
        if not self.journal.repair(DOUBLE_STOP, found.line, found.name, odd, done):
            return found
        options = tuple(
            option if is_done else (*option[:-1], option[-1] + ".")
            for option, is_done in zip(found.options, finished, strict=True)
        )
        return found._replace(texts=(*found.texts[:-1], ""), options=options)


def first_number(columns: Columns, rows: Iterable[Mapping[str, Any]]) -> int:
    """The number of the first option: 1 for answers and 0 for labels, unless others tell."""
    role = "answer" if "answer" in columns.roles else "label"
    heading = columns.roles.get(role, "")
    answers = {
        str(answer).strip() for row in rows if not isinstance(answer := row.get(heading), list)
    }
    numbers = {number for answer in answers if (number := number_of(answer)) is not None}
    if not numbers.isdisjoint((0, -1)):
        return 0
    if role == "answer" or not numbers:
        return 1
    return 1 if columns.options and max(numbers) >= len(columns.options) else 0


def _are_two_phrases(option: str) -> bool:
    return option.count(BETWEEN_PHRASES) == 1


def _phrases(option: str, blanks: int) -> Phrases:
    if blanks == 1:
        return (option,)
    phrases = tuple(phrase.strip() for phrase in option.split(BETWEEN_PHRASES))
    if len(phrases) != blanks:
        raise BadRow(f"{option!r} has {len(phrases)} phrases for {blanks} blanks")
    return phrases


# What a row has, by role.
Values: TypeAlias = Mapping[str, Any]

# The first that occurs in a text is its blank.
_BLANKS = (re.compile("_{3,}"), re.compile(r"\[MASK\]|<blank>|<mask>", re.IGNORECASE))
_SHORT_BLANK = re.compile("_+")
# Spreadsheets and data frames write whole numbers as 2.0 where others are missing.
_NUMBER = re.compile(r"(-?[0-9]{1,9})(?:\.0+)?")
_MODES = {mode.value: mode for mode in Mode}
_YES, _NO = frozenset({"yes", "true", "1"}), frozenset({"no", "false", "0"})


def mode_of(values: Values) -> Mode:
    """What is guessed; the answer, where nothing is said."""
    mode = values.get("mode", Mode.BY_ANSWER)
    found = _MODES.get(mode) if isinstance(mode, str) else None
    if found is None:
        raise BadRow(f"the mode {mode!r} is not one of {', '.join(Mode)}")
    return found


def flag_in(values: Values, role: str) -> bool | None:
    """Yes or no, or neither."""
    value = text_in(values, role).strip().lower()
    if value and value not in _YES | _NO:
        raise BadRow(f"{role} is {value!r}, which is neither yes nor no")
    return value in _YES if value else None


def text_in(values: Values, role: str) -> str:
    """The text that a row has in a role; empty for none."""
    return text_of(values[role], role) if role in values else ""


def split_text(text: str, *, are_two: bool = False) -> tuple[str, ...]:
    """What stands around the blanks, of which there are one or two.

    A line of double length is two blanks where the options have two phrases.

    >>> split_text("A ___ is under the _low_ bridge."), split_text("_ is under [mask].")
    (('A ', ' is under the _low_ bridge.'), ('_ is under ', '.'))
    """
    blank = next((blank for blank in _BLANKS if blank.search(text)), _SHORT_BLANK)
    texts = tuple(blank.split(text))
    if are_two and len(texts) == 2 and 2 * BLANK in text:
        texts = tuple(text.split(BLANK))
    if not 1 < len(texts) < 4:
        raise BadRow(f"{len(texts) - 1} blanks where one or two are expected")
    return texts


def split_sentences(sentences: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """The text that whole sentences have in common, and the stretch in which they differ.

    >>> split_sentences(["The owl sleeps.", "The vole sleeps."])
    (('The ', ' sleeps.'), ['owl', 'vole'])
    >>> split_sentences(["Owls can hunt well.", "Owls hunt well."])
    (('Owls ', ' well.'), ['can hunt', 'hunt'])
    """
    first = sentences[0]
    places = [difference(first, other) for other in sentences[1:]]
    start, end = min(place.start for place in places), max(place.end for place in places)
    while True:
        tail = len(first) - end
        options = [sentence[start : len(sentence) - tail] for sentence in sentences]
        if not tail or all(option and option == option.strip(" ") for option in options):
            return (first[:start], first[end:]), options
        # An option that would be empty gets the next word.
        end = first.find(" ", end + 1)
        end = end if end >= 0 else len(first)


def one_line(text: str, found: RawProblem, journal: Journal) -> str:
    """The text as a field can hold it."""
    if text == text.strip() and not find_unprintable(text):
        return text
    return trimmed(text, lambda step: journal.step(step, found.line, found.name, "", "put right"))


def text_of(value: Any, what: str) -> str:
    """The value as text; nothing where it is missing."""
    if value is None or value != value:  # not a number
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, (int, float)):
        return str(value)
    raise BadRow(f"{what!r} is no text")


def number_of(answer: str) -> int | None:
    """The whole number that an answer is, if it is one."""
    number = _NUMBER.fullmatch(answer)
    return int(number[1]) if number else None
