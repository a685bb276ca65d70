"""Whether filling leaves a statement as it stands, as far as that is quick to see.

To fill every sentence and to compare tells for certain, and takes many times as long. Here a
statement is looked at where something is cut out of it, and at its ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import TypeAlias

from horsesense.datasets.recovery.found import Mark
from horsesense.schema import (
    MAY_OPEN,
    STOPS,
    Candidate,
    Frame,
    Part,
    capitalise,
    is_finished_text,
    starts_sentence,
)

_START = itemgetter(0)
_LEADS = " “‘\"'(["


# A stretch of a statement: its start and end, the placeholder or candidate that it becomes, the
# phrases that are to stand there, what is put there before anything is put right, and whether that
# opens a sentence, None where it is for the text before it to tell.
Stretch: TypeAlias = tuple[int, int, Part, Sequence[str], Sequence[str], bool | None]


def add_marks(
    stretches: list[Stretch], statement: str, marks: Iterable[Mark], answers: int
) -> bool:
    """Put the candidates among the stretches, in order; False where a mark makes no candidate."""
    for number, start, end in marks:
        text = statement[start:end]
        if not 1 <= number <= answers or not text or text[0] == " " or text[-1] == " ":
            return False
        phrases = (text,)
        stretches.append((start, end, Candidate(number, text), phrases, phrases, None))
    stretches.sort(key=_START)
    return True


def laid_out(statement: str, stretches: Iterable[Stretch]) -> tuple[Frame, bool]:
    """The frame that is left, and whether it plainly stands; nothing if stretches overlap."""
    parts: list[Part] = []
    position, size, stands = 0, len(statement), True
    for start, end, part, phrases, filled, opens in stretches:
        if start > position:
            parts.append(statement[position:start])
        elif start < position:
            return (), False
        parts.append(part)
        is_inside = statement[start - 1] == " " and statement[start - 2] not in MAY_OPEN
        if is_inside and not opens and phrases is filled and end < size:
            for phrase in phrases:  # as most are
                if not (phrase[0].isalnum() and phrase[-1].isalnum()):
                    stands = False
        elif stands:
            if not start or opens is None:
                opens = not is_inside and _opens(statement, position, start)
            stands = opens is not None and _fit(phrases, filled, opens, end == size)
        position = end
    if position < size:
        parts.append(statement[position:])
    return tuple(parts), stands


def is_put_right(statement: str, stretches: Sequence[Stretch]) -> bool | None:
    """Whether filling changes the start or the end of a sentence; None where it is not plain."""
    start, _, _, phrases, _, _ = stretches[0]
    _, end, _, last_phrases, _, _ = stretches[-1]
    for text in (statement[:start],) if start else phrases:
        if not (text[0].isupper() and text[0].isalpha()) and capitalise(text) != text:
            return True
    if end == len(statement):
        return any(phrase[-1].isalnum() for phrase in last_phrases)
    if statement[-1] in STOPS or is_finished_text(statement[end:]):
        return False
    return True if statement[-1].isalnum() else None


def _opens(statement: str, position: int, start: int) -> bool | None:
    """Whether a phrase would open a sentence there; None where what is filled before may tell."""
    between = statement[position:start].rstrip(_LEADS)
    if position and " " not in between:
        return None
    return starts_sentence(statement[:start])


def _fit(phrases: Sequence[str], filled: Sequence[str], opens: bool, is_last: bool) -> bool:
    """True where filling gives the phrases as they are to stand, and whatever follows as well."""
    for phrase in phrases:
        if not phrase[0].isalnum():
            return False
        if not (is_finished_text(phrase) if is_last else phrase[-1].isalnum()):
            return False
    if opens:
        return [*map(capitalise, filled)] == [*phrases]
    return phrases is filled or phrases == filled
