"""People in English sentences: given names, titles, and nouns that tell a gender.

What is known stands in `names.toml` and `people.toml` beside this module.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from horsesense.perturbations.english.pipeline import table
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Token

# Titles that are not nouns, or other nouns, without a name after them.
_FORMAL = frozenset({"mr", "mrs", "ms", "miss"})
_ONLY_TITLES = _FORMAL | {"sir"}


class Gender(StrEnum):
    """The genders that English pronouns distinguish."""

    MALE = "male"
    FEMALE = "female"

    @property
    def other(self) -> Gender:
        return Gender.FEMALE if self is Gender.MALE else Gender.MALE


@cache
def _genders_of_names() -> dict[str, Gender]:
    names = table("names")
    return {
        name: gender
        for gender in Gender
        for listed in (names[gender]["frequent"], names[gender]["others"])
        for name in listed
    }


@cache
def _names_of_either() -> frozenset[str]:
    return frozenset(table("names")["either"])


@cache
def _nouns() -> dict[str, tuple[Gender, str | None]]:
    """Every gendered noun with its gender and its counterpart, if it has one."""
    people = table("people")
    nouns: dict[str, tuple[Gender, str | None]] = {}
    for male, female in (*people["nouns"], *(map(str.lower, pair) for pair in people["titles"])):
        nouns.setdefault(male, (Gender.MALE, female))
        nouns.setdefault(female, (Gender.FEMALE, male))
    for gender in Gender:
        for noun in people[gender]:
            nouns.setdefault(noun, (gender, None))
    return nouns


@cache
def _titles() -> frozenset[str]:
    people = table("people")
    paired = (title for pair in people["titles"] for title in pair)
    return frozenset((*paired, *people["neutral_titles"]))


def is_given_name(word: str) -> bool:
    """Return True for a name on the list, whatever its gender."""
    return word in _genders_of_names() or word in _names_of_either()


def gender_of_name(word: str) -> Gender | None:
    """The gender of a given name; None where it is of either, or not known."""
    return _genders_of_names().get(word)


def frequent_names(gender: Gender) -> tuple[str, ...]:
    """The names that may be drawn."""
    return tuple(table("names")[gender]["frequent"])


def noun_of(token: Token) -> str | None:
    """The gendered noun that a word of a sentence is, in the singular and in lower case."""
    if token.pos_ not in ("NOUN", "PROPN"):
        return None
    # «Mrs.» is one word to the parser, «Mrs» and a full stop in text that was taken apart.
    word = token.text.rstrip(".").lower()
    if word in _ONLY_TITLES and token.text[:1].islower():
        return None  # «a miss»
    return next((noun for noun in (word, token.lemma_.lower()) if noun in _nouns()), None)


def gender_of_noun(noun: str) -> Gender:
    """The gender that a gendered noun tells."""
    return _nouns()[noun][0]


def counterpart(noun: str) -> str:
    """The noun of the other gender."""
    other = _nouns()[noun][1]
    if other is None:
        raise NotApplicable(f"{noun!r} has no counterpart")
    return other


def is_partner(noun: str) -> bool:
    """Return True for a noun whose gender depends on the person it belongs to, such as a wife's."""
    return noun in table("people")["partners"]


def bound_word(words: Iterable[str]) -> str | None:
    """The first word that makes sense of one gender only."""
    bound = table("people")["bound"]
    return next((word for word in words if word in bound), None)


@dataclass(frozen=True, slots=True)
class Names:
    """The names in a phrase: given names, and words that are names of nobody knows what."""

    given: tuple[str, ...]
    unknown: tuple[str, ...]


def names_in(tokens: Iterable[Token]) -> Names:
    """The names in a phrase; a surname after a given name or a title is left out."""
    given: list[str] = []
    unknown: list[str] = []
    words = [token for token in tokens if token.text != "."]
    for before, token in zip([None, *words], words, strict=False):
        word = token.text
        is_surname = before is not None and _precedes_surname(before, given)
        if not word[:1].isupper() or word.isupper() or is_surname or _is_title(token):
            continue
        if is_given_name(word) and (token.pos_ == "PROPN" or len(words) == 1):
            given.append(word)
        elif token.pos_ == "PROPN" and noun_of(token) is None:
            unknown.append(word)
    return Names(tuple(given), tuple(unknown))


def _precedes_surname(token: Token, given: Collection[str]) -> bool:
    """Return True for a given name, and for a title that goes with surnames, unlike «Uncle»."""
    title = token.text.rstrip(".")
    is_formal = title in table("people")["neutral_titles"] or title.lower() in _FORMAL
    return token.text in given or (is_formal and _is_title(token))


def _is_title(token: Token) -> bool:
    """Return True for a title that a name follows."""
    if token.text.rstrip(".") not in _titles() or token.i + 1 >= len(token.doc):
        return False
    after = next((word for word in token.doc[token.i + 1 :] if word.text != "."), None)
    return after is not None and after.pos_ == "PROPN"


def genders_of_names(tokens: Iterable[Token], of_target: Gender | None) -> dict[str, Gender]:
    """The given names in a phrase; the target tells the gender of a name that does not."""
    names = names_in(tokens)
    if names.unknown:
        raise NotApplicable("a name of unknown gender")
    genders = {}
    for name in names.given:
        gender = gender_of_name(name) or of_target
        if gender is None:
            raise NotApplicable("a name of either gender")
        genders[name] = gender
    return genders


def draw_names(
    chance: random.Random, genders: Iterable[Gender], taken: Collection[str]
) -> list[str]:
    """A frequent name for each gender, with first letters of their own; `taken` are not drawn."""
    drawn: list[str] = []
    for gender in genders:
        initials = {name[0] for name in drawn}
        left = [
            name for name in frequent_names(gender) if name[0] not in initials and name not in taken
        ]
        if not left:
            raise NotApplicable("the list of names is too short")
        drawn.append(chance.choice(left))
    return drawn


def renamed(
    chance: random.Random, genders: Mapping[str, Gender], words: Collection[str]
) -> dict[str, str]:
    """A new name of the gender given for each old one; `words` are all there are, in lower case.

    A name that also stands there in another form, «Idas», would not be replaced everywhere.
    """
    if any(f"{name.lower()}s" in words for name in genders):
        raise NotApplicable("a name also occurs in another form")
    taken = {word.capitalize() for word in words}
    return dict(zip(genders, draw_names(chance, genders.values(), taken), strict=True))
