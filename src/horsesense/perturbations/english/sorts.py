"""What nouns and names denote, as far as a pronoun of the singular shows it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from horsesense.perturbations.english.nouns import listed
from horsesense.perturbations.english.people import (
    Gender,
    gender_of_name,
    gender_of_noun,
    noun_of,
)

if TYPE_CHECKING:
    from spacy.tokens import Token

_PEOPLE_ENDINGS = ("er", "or", "ist", "ian", "ee", "ant")


class Sort(StrEnum):
    """What a noun denotes: somebody of one gender or of either, or something."""

    MALE = "he"
    FEMALE = "she"
    PERSON = "he or she"
    THING = "it"


_OF_PEOPLE = frozenset({Sort.MALE, Sort.FEMALE, Sort.PERSON})
GENDERS = {Sort.MALE: Gender.MALE, Sort.FEMALE: Gender.FEMALE}
SORTS = {gender: sort for sort, gender in GENDERS.items()}


def sort_of(noun: Token) -> Sort:
    """What a noun denotes: a person, if it may be one, else a thing."""
    gendered = noun_of(noun)
    if gendered is not None:
        return SORTS[gender_of_noun(gendered)]
    word = noun.lemma_.lower()
    if word.endswith("woman"):
        return Sort.FEMALE
    if word.endswith("man") and word != "human":
        return Sort.MALE
    may_be_person = word.endswith(_PEOPLE_ENDINGS) and word not in listed("things")
    return Sort.PERSON if word in listed("people") or may_be_person else Sort.THING


def sort_of_name(name: str) -> Sort | None:
    """Whom a given name stands for; None where that may be a man or a woman, or is not known."""
    gender = gender_of_name(name)
    return None if gender is None else SORTS[gender]


def goes_with(sort: Sort, other: Sort) -> bool:
    """True where one and the same may be of both sorts."""
    return sort is other or (Sort.PERSON in (sort, other) and {sort, other} <= _OF_PEOPLE)
