"""English pronouns of the third person: what they tell, and their forms by case."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from horsesense.perturbations.english.nouns import Number
from horsesense.perturbations.english.people import Gender
from horsesense.perturbations.english.sorts import GENDERS, SORTS, Sort
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import Target

if TYPE_CHECKING:
    from spacy.tokens import Token


class Case(StrEnum):
    """What a pronoun does in its sentence."""

    SUBJECT = "subject"
    OBJECT = "object"
    OWNER = "owner"  # before what is owned: «her book»
    OWNER_ALONE = "owner alone"  # «the book is hers»
    REFLEXIVE = "reflexive"


_FORMS = {
    Sort.MALE: dict(zip(Case, ("he", "him", "his", "his", "himself"), strict=True)),
    Sort.FEMALE: dict(zip(Case, ("she", "her", "her", "hers", "herself"), strict=True)),
    Sort.THING: dict(zip(Case, ("it", "it", "its", "its", "itself"), strict=True)),
}
_PLURAL_FORMS = dict(zip(Case, ("they", "them", "their", "theirs", "themselves"), strict=True))


def sort_of_pronoun(word: str) -> Sort | None:
    """Whom a pronoun of the singular may refer to; None for any other word."""
    return next((sort for sort, forms in _FORMS.items() if word.lower() in forms.values()), None)


def gender_of_pronoun(word: str) -> Gender | None:
    """The gender that a pronoun tells, if it tells one."""
    sort = sort_of_pronoun(word)
    return None if sort is None else GENDERS.get(sort)


def is_plural_pronoun(word: str) -> bool:
    """True for `they` in all its forms."""
    return word.lower() in _PLURAL_FORMS.values()


def pronoun(gender: Gender, case: Case) -> str:
    """The pronoun of that gender in that case."""
    return _FORMS[SORTS[gender]][case]


def pronoun_in_number(number: Number, sort: Sort, case: Case) -> str:
    """The pronoun in that number and case; only in the singular it shows the sort."""
    return (_PLURAL_FORMS if number is Number.PLURAL else _FORMS[sort])[case]


def case_of(token: Token) -> Case:
    """The case of a gendered pronoun in a parsed sentence; `her` and `his` have two."""
    word = token.text.lower()
    cases = [case for one in Gender for case in Case if pronoun(one, case) == word]
    if len(cases) == 1:
        return cases[0]
    owns = token.dep_ == "poss"
    if owns != (token.tag_ == "PRP$") and word == "her":
        raise NotApplicable(f"{word!r} may be an object or an owner")
    if owns:
        return Case.OWNER
    if token.i + 1 < len(token.doc) and token.nbor().pos_ in ("NOUN", "PROPN", "ADJ"):
        raise NotApplicable(f"{word!r} may be an object or an owner")
    return Case.OBJECT if word == "her" else Case.OWNER_ALONE


def case_of_target(target: Target) -> Case:
    """The case of a target that tells a gender, as the notation says it."""
    word = target.pronoun.lower()
    if target.is_possessive:
        return Case.OWNER
    return next(case for case in Case if word in (pronoun(one, case) for one in Gender))
