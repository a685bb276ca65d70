"""Answers spelt for the place in which they are to stand.

Files list answers as they stand elsewhere: «The owl» from the start of the sentence, for a place
in the middle of it; «the owl» where the pronoun is «its». Each kind of change is a repair, so that
the answers can be had as published. A noun or name that opens a sentence keeps its capital, as
nothing tells the two apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from horsesense.datasets.recovery import UNKNOWN_PRONOUN, Found, Journal, is_possessive_place
from horsesense.schema import (
    capitalise,
    is_possessive,
    opens_sentences,
    possessive,
    starts_sentence,
)

LOWERCASE = "answer-lowercase"
CAPITAL = "answer-capital"
POSSESSIVE = "answer-possessive"

CAPITALS = {
    LOWERCASE: "an answer that starts with an article or the like loses its capital in a sentence",
    CAPITAL: "an answer gets a capital where it opens a sentence",
}
REPAIRS = {**CAPITALS, POSSESSIVE: "answers become possessive where the pronoun is"}


def fitted(found: Found, journal: Journal) -> Found:
    """The problem with its answers spelt for their place; one with two blanks as it is."""
    if len(found.texts) != 2:
        return found
    before, after = found.texts
    listed = [phrase for (phrase,) in found.options]
    answers: Sequence[str] = listed
    lowered = list(map(_lowered, answers))
    if lowered != answers and not _opens(found.pronoun, before):
        answers = _asked(LOWERCASE, answers, lowered, found, journal)
    elif any(answer[:1].islower() for answer in answers) and _opens(found.pronoun, before):
        answers = _asked(CAPITAL, answers, list(map(capitalise, answers)), found, journal)
    if is_owner(found.pronoun, after):
        owners = [possessive(answer, found.pronoun) for answer in answers]
        answers = _asked(POSSESSIVE, answers, owners, found, journal)
    if answers is listed:
        return found
    return found._replace(options=tuple((answer,) for answer in answers))


def is_owner(pronoun: str, after: str) -> bool:
    """True for a pronoun that owns what follows; `her` does not always.

    >>> is_owner("its", " nest."), is_owner("her", " nest."), is_owner("her", " to the nest.")
    (True, True, False)
    """
    if pronoun.lower() == "her":
        return is_possessive_place(after)
    return is_possessive(pronoun)


def _opens(pronoun: str, before: str) -> bool:
    """True where the answer opens a sentence: the pronoun tells, or if it cannot, the text."""
    if pronoun in (UNKNOWN_PRONOUN, "I"):
        return starts_sentence(before)
    return pronoun[:1].isupper()


def _lowered(answer: str) -> str:
    """The answer without the capital of an article or pronoun; `IT` and `A. Hill` have neither."""
    if opens_sentences(answer) and answer[1:2] != "." and not answer[1:2].isupper():
        return answer[:1].lower() + answer[1:]
    return answer


def _asked(
    repair: str, answers: Sequence[str], better: Sequence[str], found: Found, journal: Journal
) -> Sequence[str]:
    """The better answers if any differ and the repair is wanted."""
    changed = [(old, new) for old, new in zip(answers, better, strict=True) if old != new]
    if not changed:
        return answers
    odd, done = (", ".join(map(repr, side)) for side in zip(*changed, strict=True))
    return better if journal.repair(repair, found.line, found.name, odd, done) else answers
