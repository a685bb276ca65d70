"""Grids of problems that are plain at a glance: most of what is published.

A plain problem has one blank, printable characters and single spaces, and it is quick to see
whether filling leaves it as it stands. One look at the text as a whole proves what a grid's own
checks would ask part by part, so that the grid is made without them. Whatever is not plain is left
to `building` and `modes`, which would make the same grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import TypeAlias

from horsesense.datasets.recovery.candidates import base_form
from horsesense.datasets.recovery.differences import Difference, plain_difference
from horsesense.datasets.recovery.found import UNKNOWN_PRONOUN, Mark, RawProblem
from horsesense.datasets.recovery.spelling import lowered_answer
from horsesense.errors import SchemaError
from horsesense.schema import (
    MAY_OPEN,
    STOPS,
    Axis,
    AxisName,
    Candidate,
    Frame,
    Part,
    Row,
    Schema,
    Slot,
    Target,
    capitalise,
    is_finished_text,
    is_plain,
    possessive,
    proved_row,
    proved_schema,
    starts_sentence,
)

_ANSWER = Slot(AxisName.ANSWER, 0)
_KEY = Slot(AxisName.KEY, 0)
# With one of these an owner ends.
_OWNING = "s'’"
# A minimal pair has no blank: its options are the sentences.
_WHOLE = (_ANSWER,)


def plain_row(found: RawProblem, marks: Iterable[Mark]) -> Row | None:
    """The problem by itself, if it is plain."""
    options, right = found.options, found.right
    phrases = _phrases(found)
    if not phrases or not (right is None or 0 <= right < len(phrases)):
        return None
    before, after = found.texts
    # Both texts are clean then, and so is every phrase, and none is empty.
    if not is_plain(f" {before}|{after} {' '.join(phrases)} "):
        return None
    if not before and not after and not found.pronoun and all(map(_is_sentence, phrases)):
        return proved_row(_WHOLE, Axis(options), right, None, verbatim=False)
    spelt = _spelt(found.pronoun, phrases)
    if spelt is None:
        return None
    target, by_hand, filled, opens = spelt
    statement, blank = f"{before}\0{after}", len(before)
    stretches: list[Stretch] = [(blank, blank + 1, _ANSWER, phrases, filled, opens)]
    settled = _settled(statement, stretches, marks, len(phrases))
    if settled is None:
        return None
    frame, verbatim = settled
    is_as_published = verbatim or by_hand is phrases
    answers = Axis(options if is_as_published else tuple([(phrase,) for phrase in by_hand]))
    return proved_row(frame, answers, right, target, verbatim=verbatim)


def plain_square(
    first: RawProblem, second: RawProblem, keys: Sequence[Difference], marks: Iterable[Mark]
) -> Schema | None:
    """The schema of two problems that differ in one key phrase alone, if it is plain."""
    if len(keys) != 1:
        return None
    return _schema(first, second, keys[0], first.pronoun, marks, is_by_key=False)


def plain_by_key(first: RawProblem, second: RawProblem) -> Schema | None:
    """The schema of two problems by key that differ in their answer alone, if it is plain."""
    if first.options != second.options or (first.right, second.right) != (0, 1):
        return None
    if len(first.texts) != 2 or len(second.texts) != 2:
        return None
    answer = plain_difference(first.texts, second.texts)
    if answer is None:
        return None
    pronoun = first.pronoun and UNKNOWN_PRONOUN
    return _schema(first, second, answer, pronoun, (), is_by_key=True)


def _schema(
    first: RawProblem,
    second: RawProblem,
    place: Difference,
    pronoun: str,
    marks: Iterable[Mark],
    *,
    is_by_key: bool,
) -> Schema | None:
    """The schema of two problems whose statements differ in one place."""
    phrases, (start, end, one, other) = _phrases(first), place
    if len(phrases) != 2 or one == other:
        return None
    before, after = first.texts
    if not is_plain(f" {before}|{after} {' '.join(phrases)} {one} {other} "):
        return None
    statement, blank = f"{before}\0{after}", len(before)
    if f"{statement[:start]}{other}{statement[end:]}" != "\0".join(second.texts):
        return None
    keys, answers = (phrases, [one, other]) if is_by_key else ([one, other], phrases)
    spelt = _spelt(pronoun, answers)
    if spelt is None:
        return None
    target, by_hand, filled, opens = spelt
    at_blank, elsewhere = (blank, blank + 1), (start, end)
    key_place, answer_place = (at_blank, elsewhere) if is_by_key else (elsewhere, at_blank)
    stretches: list[Stretch] = [
        (*answer_place, _ANSWER, answers, filled, opens),
        (*key_place, _KEY, keys, keys, None),
    ]
    settled = _settled(statement, stretches, marks, 2)
    if settled is None:
        return None
    frame, verbatim = settled
    left, right = answers if verbatim else by_hand
    key_axis, answer_axis = Axis(((keys[0],), (keys[1],))), Axis(((left,), (right,)))
    return proved_schema(frame, key_axis, answer_axis, target, verbatim=verbatim)


def _settled(
    statement: str, stretches: list[Stretch], marks: Iterable[Mark], answers: int
) -> tuple[Frame, bool] | None:
    """The frame, and whether it has to be verbatim, if that is plain."""
    if not add_marks(stretches, statement, marks, answers):
        return None
    frame, stands = laid_out(statement, stretches)
    put_right = is_put_right(statement, stretches) if frame else None
    if put_right is None or not (put_right or stands):
        return None
    return frame, put_right


def _is_sentence(phrase: str) -> bool:
    """True for what plainly begins with a letter's capital and ends with a full stop."""
    return phrase[0].isupper() and phrase[0].isalpha() and phrase[-1] in STOPS


def _phrases(found: RawProblem) -> list[str]:
    """What may fill the one blank, if there is one and something to choose."""
    phrases = [option[0] for option in found.options if len(option) == 1]
    count = len(phrases)
    is_choice = count == len(found.options) == len(set(phrases)) > 1 and len(found.texts) == 2
    return phrases if is_choice else []


def _spelt(
    pronoun: str, phrases: Sequence[str]
) -> tuple[Target | None, Sequence[str], Sequence[str], bool | None] | None:
    """The target, the answers by hand and as they are put in, and whether they open a sentence."""
    if not pronoun:
        return None, phrases, phrases, None
    may_own = pronoun == UNKNOWN_PRONOUN or pronoun.lower() == "her"
    if may_own and phrases[0][-1] in _OWNING and all(base_form(one) != one for one in phrases):
        pronoun += "'s"
    target, is_possessive, opens = _role(pronoun)
    if target is None:
        return None
    by_hand = phrases
    if is_possessive:
        by_hand = [*map(base_form, by_hand)]
    if opens is not False:
        by_hand = [*map(lowered_answer, by_hand)]
    if by_hand == phrases:
        by_hand = phrases
    elif not all(by_hand) or len(set(by_hand)) < len(by_hand):
        return None
    filled = [possessive(one, target.pronoun) for one in by_hand] if is_possessive else by_hand
    return target, by_hand, filled, opens


@lru_cache(maxsize=256)
def _role(written: str) -> tuple[Target | None, bool, bool | None]:
    """A target, whether it is possessive, and whether it opens a sentence. There are few."""
    try:
        target = Target(written)
    except SchemaError:
        return None, False, None
    return target, target.is_possessive, target.is_capitalised


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
