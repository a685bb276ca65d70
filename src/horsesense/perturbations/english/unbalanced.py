"""One candidate long and odd, the other as it was (thesis 3.4.4).

A noun gets two or three modifiers, a name two surnames.
"""

from __future__ import annotations

import random
import re
from itertools import combinations

from horsesense.perturbations.candidates import (
    begins_with_vowel,
    each_part,
    marked_pair,
    with_candidates,
)
from horsesense.perturbations.english.adjectives import fitting_modifiers, kind_of, surnames
from horsesense.perturbations.english.mentions import check_place, mentions
from horsesense.perturbations.english.people import is_given_name
from horsesense.perturbations.transformation import NotApplicable, Rewriting, Settings
from horsesense.schema import Axis, Candidate, Entry, Row, Schema

_PERSONS = frozenset({"he", "him", "his", "she", "her", "hers"})
# What modifiers come after: articles and the like, owners, numerals.
_DETERMINERS = re.compile(
    r"(?:(?:one|some|all|both|each) of )?"
    r"(?:(?:the|an?|this|that|these|those|my|your|his|her|its|our|their|some|many|several|both|all|"
    r"two|three|four|five|six|[A-Z][\w-]+['’]s|(?:the|my|his|her|their) \w+['’]s?) )+"
)
_NAME = re.compile(r"(?P<name>[A-Z][\w.-]*(?: (?:and )?[A-Z][\w.-]*)*)(?P<rest>['’]s?(?: .*)?|)")


def propose_unbalanced(entry: Entry, settings: Settings) -> Rewriting:
    """The second candidate, or the first, with long and odd words added."""
    number = 1 if settings["candidate"] == "first" else 2
    made: list[str] = []

    def change(part: Schema | Row) -> Schema | Row:
        old = marked_pair(part)[number - 1]
        # Drawn anew for each, so that the rows of a loose pair get the same words.
        chance = settings.draw(entry.id, "unbalanced")
        new = _lengthened(part, number, old, chance)
        made[:] = [new[0]]
        values = list(part.answers.values)
        values[number - 1] = (new[1], *values[number - 1][1:])
        return with_candidates(part, {number: new[0]}, Axis(tuple(values)))

    return Rewriting(each_part(entry.grid, change), f"candidate {number} → {', '.join(made)}")


def _lengthened(
    part: Schema | Row, number: int, old: str, chance: random.Random
) -> tuple[str, str]:
    """The candidate and its answer, both with the same words added."""
    for mention in mentions(part):
        if mention.number == number:
            check_place(mention)
    answer = _in_case(part.answers.values[number - 1][0], old)
    is_name = _is_name(old)
    padding = _two_surnames(chance) if is_name else _modifiers(part, number, chance)
    candidate = _padded(part, old, padding)
    if is_name == _is_name(answer):
        return candidate, _padded(part, answer, padding)
    # «the general Rossi», of whom the answer says «Rossi».
    if not re.match(r"(the|an?|some) ", candidate):
        raise NotApplicable("candidate and answer are too different")
    return candidate, re.sub(r"^(an?|some) ", "the ", candidate)


def _in_case(answer: str, old: str) -> str:
    """The answer without the capital that it has for standing in the place of «They»."""
    is_same = answer.split()[-1].lower() == old.split()[-1]
    if _DETERMINERS.match(answer) or not (old[:1].islower() and is_same):
        return answer
    return answer[:1].lower() + answer[1:]


def _is_name(phrase: str) -> bool:
    return _DETERMINERS.match(phrase) is None and _NAME.fullmatch(phrase) is not None


def _padded(part: Schema | Row, phrase: str, padding: str) -> str:
    """The phrase with the words added where English puts them."""
    determiners = _DETERMINERS.match(phrase)
    if determiners is None and (name := _NAME.fullmatch(phrase)):
        is_owner = bool(name["rest"])
        return _padded_name(part, name["name"], padding, is_owner=is_owner) + name["rest"]
    start = determiners[0] if determiners else ""
    if re.search(r"\ban? $", start, re.IGNORECASE):
        article = "an " if begins_with_vowel(padding) else "a "
        start = re.sub(r"\ban? $", article, start, flags=re.IGNORECASE)
    rest = phrase[determiners.end() if determiners else 0 :]
    return f"{start}{padding} {rest}"


def _padded_name(part: Schema | Row, name: str, surnames: str, *, is_owner: bool) -> str:
    assert part.target is not None  # as candidates are marked
    are_given = all(map(is_given_name, re.split(r" and | ", name)))
    # «Tina's» may be her drawing.
    may_be_other = not part.target.is_known or " and " in name or is_owner
    is_person = part.target.pronoun.lower() in _PERSONS or (may_be_other and are_given)
    if not is_person:
        raise NotApplicable("a name, perhaps of no person")
    first, space, last = name.rpartition(" ")
    if space and not first.endswith(" and"):
        return f"{first} {surnames} {last}"
    return f"{name} {surnames}"


def _two_surnames(chance: random.Random) -> str:
    first, last = surnames()
    return f"{chance.choice(first)} {chance.choice(last)}"


def _modifiers(part: Schema | Row, number: int, chance: random.Random) -> str:
    """Two or three modifiers of the kind in the order of the list, or such as suit anything."""
    assert part.target is not None
    root = next(one.span.root for one in mentions(part) if one.number == number)
    is_person = part.target.pronoun.lower() in _PERSONS
    kind = "person" if is_person else kind_of(root.lemma_) or "any"
    for one in (kind, "any"):
        words = fitting_modifiers(part, one)
        chosen = [" ".join(few) for count in (2, 3) for few in combinations(words, count)]
        if chosen := [text for text in chosen if _suits_article(part, number, text)]:
            return chance.choice(chosen)
    raise NotApplicable("no modifiers are neutral enough")


def _suits_article(part: Schema | Row, number: int, phrase: str) -> bool:
    """False where `a` stands before the mark and `an` would have to, or the reverse."""
    for before, piece in zip(("", *part.frame), part.frame, strict=False):
        if isinstance(piece, Candidate) and piece.number == number and isinstance(before, str):
            article = re.search(r"\b[Aa](n?) $", before)
            if article and bool(article[1]) != begins_with_vowel(phrase):
                return False
    return True
