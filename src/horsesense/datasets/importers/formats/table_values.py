"""Values of a plain table: texts, numbers, yes and no, and the texts around blanks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from horsesense.datasets.importers.source import BadRow
from horsesense.datasets.recovery import Found, Journal, difference, trimmed
from horsesense.schema import BLANK, Mode, find_unprintable

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


def one_line(text: str, found: Found, journal: Journal) -> str:
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
