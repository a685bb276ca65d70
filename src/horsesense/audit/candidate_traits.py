"""What the words of a candidate tell: its person, its number and its gender, and how surely.

Number is told by the parser's tag and by the spelling; where the two tell the same it is certain.
Gender is told by lists of given names and of nouns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from horsesense.perturbations.english.nouns import Number, listed
from horsesense.perturbations.english.people import (
    Gender,
    gender_of_name,
    gender_of_noun,
    is_given_name,
    noun_of,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

# Pronouns of the first and second person, the owner's too.
FIRST_OR_SECOND = frozenset(
    str.split("i me my mine myself we us our ours ourselves you your yours yourself yourselves")
)
# What is mine is of the third person, like the noun that is left out.
_OWNED = frozenset(str.split("mine ours yours"))
_SINGULAR = frozenset(str.split("a an this that each every another one"))
_PLURAL = frozenset(str.split("these those both several many few two three four five six ten"))
# Nouns with one form for both numbers: only a determiner tells.
_SAME_FORM = frozenset(
    str.split("aircraft bison cod deer fish means moose salmon series sheep shrimp species trout")
)
# Nouns that people use of both sexes, or of animals and pieces on a board too.
_LOOSELY_GENDERED = frozenset(
    str.split(
        "actor bachelor bartender fellow female god guy heir hero host king landlord lord male "
        "priest queen steward tailor waiter witch wizard"
    )
)


@dataclass(frozen=True, slots=True)
class Told:
    """A number or a gender, and whether it is certain."""

    value: Number | Gender
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Traits:
    """What the words of a candidate tell of it; None where they tell nothing.

    `is_person` is true of somebody who is known to be a person, and `is_name` of a given name.
    """

    text: str
    number: Told | None
    gender: Told | None
    is_third_person: bool
    is_person: bool
    is_name: bool
    is_mass: bool


def traits_of(span: Span) -> Traits:
    """What the words of a candidate tell, in their sentence."""
    head = _head(span)
    word = head.lemma_.lower()
    is_name = is_given_name(head.text) and span[0].i == head.i
    return Traits(
        text=span.text,
        number=_number(span, head),
        gender=_gender(span, head),
        is_third_person=span.text.lower() not in FIRST_OR_SECOND - _OWNED,
        is_person=is_name or noun_of(head) is not None or word in listed("people"),
        is_name=is_name,
        is_mass=word in listed("masses"),
    )


def _head(span: Span) -> Token:
    """The noun of a candidate; an owner's ending is no noun."""
    root = span.root
    return span[-2] if root.tag_ == "POS" and len(span) > 1 else root


def _number(span: Span, head: Token) -> Told | None:
    if any(one.lower_ == "and" and one.head.i == head.i for one in span):
        return Told(Number.PLURAL, True)
    before = {one.lower_ for one in span[: max(0, head.i - span.start)]}
    word = head.lower_
    if head.lemma_.lower() in listed("groups"):
        return None  # a team does, and do
    if before & _SINGULAR and head.tag_ in ("NN", "NNP"):
        return Told(Number.SINGULAR, True)
    if before & _PLURAL and (head.tag_ in ("NNS", "NNPS") or word in _SAME_FORM):
        return Told(Number.PLURAL, True)
    if word in _SAME_FORM:
        return None
    if head.text[:1].isupper() and head.i > span.start and word.endswith("s"):
        return Told(Number.PLURAL, False)  # «the Bergs», but «the Thames»
    if head.pos_ == "PROPN" or (head.text[:1].isupper() and len(span) == 1):
        return Told(Number.SINGULAR, is_given_name(head.text))
    if head.tag_ == "NNS":
        return Told(Number.PLURAL, word != head.lemma_.lower())
    if head.tag_ == "NN":
        return Told(Number.SINGULAR, not word.endswith("s") or word.endswith(("ss", "us")))
    return None


def _gender(span: Span, head: Token) -> Told | None:
    """The gender that the noun, the given name or a title before a name tells."""
    noun = noun_of(head)
    if noun is not None:
        return Told(gender_of_noun(noun), noun not in _LOOSELY_GENDERED)
    if head.pos_ != "PROPN" and len(span) > 1:
        return None
    for token in span:
        title = noun_of(token)
        if title is not None and token.i < head.i:
            return Told(gender_of_noun(title), True)
    gender = gender_of_name(span[0].text)
    return None if gender is None else Told(gender, True)
