"""The pronouns that follow a candidate into another number, and what becomes of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from horsesense.perturbations.english.nouns import (
    SINGULAR_TAGS,
    Number,
    listed,
    plural_of,
    replaced,
)
from horsesense.perturbations.english.pronouns import (
    Case,
    is_plural_pronoun,
    pronoun_in_number,
    sort_of_pronoun,
)
from horsesense.perturbations.english.sorts import Sort, goes_with, sort_of
from horsesense.perturbations.english.verbs import FINITE_TAGS
from horsesense.perturbations.rewriting import Edit
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# After these an object and what becomes of it look like a clause («get it mended»).
_CAUSING = frozenset({"get", "have", "keep", "let", "make"})
_PERCEIVING = frozenset({"see", "hear", "watch", "find", "leave", "help", "feel"})
_WEATHER = frozenset({"rain", "snow", "hail", "pour", "drizzle", "thunder", "freeze"})


def following_pronouns(
    doc: Doc, mentions: Collection[int], sorts: Collection[Sort], to: Number
) -> list[Token]:
    """The pronouns that refer to what the mentions stand for.

    A pronoun that may refer to something else as well is refused; one that does not go with the
    sorts refers to something else.
    """
    found = []
    for token in doc:
        if token.i in mentions:
            continue
        sort = sort_of_pronoun(token.text)
        if to is Number.PLURAL:
            fits = sort is not None and any(goes_with(one, sort) for one in sorts)
        else:
            fits = is_plural_pronoun(token.text)
        if not fits or _is_empty(token):
            continue
        if _has_rival(token, mentions, sort):
            raise NotApplicable(f"{token.lower_!r} may refer to something else")
        found.append(token)
    return found


def _is_empty(token: Token) -> bool:
    """True for the `it` that refers to nothing («it rains»)."""
    return token.lower_ == "it" and (token.dep_ == "expl" or token.head.lemma_ in _WEATHER)


def _has_rival(pronoun: Token, mentions: Collection[int], sort: Sort | None) -> bool:
    """True where another noun that it may refer to stands before the pronoun.

    If none of the mentions stands before it, a noun after it is a rival too.
    """
    doc = pronoun.doc
    is_forward = not any(one < pronoun.i for one in mentions)
    if is_forward and (sort is None or sort is Sort.THING):
        return True
    reach = doc if is_forward else doc[: pronoun.i]
    return any(_is_rival(token, sort) for token in reach if token.i not in mentions)


def _is_rival(token: Token, sort: Sort | None) -> bool:
    if token.dep_ in ("compound", "npadvmod") or token.lower_ == "lot":
        return False
    if sort is None:
        return token.tag_ in ("NNS", "NNPS") or (token.lower_ == "and" and _joins_nouns(token))
    if token.tag_ not in SINGULAR_TAGS:
        return False
    if token.tag_ == "NNP":
        return sort is not Sort.THING or not token.text.istitle()
    return goes_with(sort_of(token), sort)


def _joins_nouns(conjunction: Token) -> bool:
    return conjunction.head.pos_ in ("NOUN", "PROPN", "PRON")


def pronoun_edit(token: Token, to: Number, sort: Sort, *, is_owner: bool) -> Edit:
    """The pronoun in the other number; the sort says which one of the singular it is."""
    return replaced(token, pronoun_in_number(to, sort, _case(token, is_owner=is_owner)))


def _case(token: Token, *, is_owner: bool) -> Case:
    word = token.lower_
    if word.endswith(("self", "selves")):
        return Case.REFLEXIVE
    if word in ("hers", "theirs"):
        return Case.OWNER_ALONE
    if is_owner or word in ("its", "their"):
        return Case.OWNER
    if word == "his":
        raise NotApplicable("'his' without a noun")
    if word in ("he", "she", "they"):
        return Case.SUBJECT
    if word in ("him", "her", "them"):
        return Case.OBJECT
    return _case_of_it(token)


def _case_of_it(token: Token) -> Case:
    """Whether `it` is a subject: alone among the pronouns it does not show that."""
    if _opens_clause(token):
        return Case.SUBJECT
    if token.dep_ not in ("nsubj", "nsubjpass"):
        return Case.OBJECT
    verb = token.head
    # Only right after its governor it may be the object of that.
    is_next = token.i > 0 and verb.dep_ in ("ccomp", "xcomp") and verb.head.i == token.i - 1
    governor = verb.head.lemma_ if is_next else ""
    auxiliaries = [child for child in verb.children if child.dep_ in ("aux", "auxpass")]
    if governor in _CAUSING or not any(one.tag_ in FINITE_TAGS for one in (verb, *auxiliaries)):
        return Case.OBJECT
    if governor in _PERCEIVING and verb.tag_ == "VBD" and not auxiliaries:
        raise NotApplicable("'it' may be a subject or an object")
    return Case.SUBJECT


def _opens_clause(token: Token) -> bool:
    """True between `and` or a comma and a finite verb, whatever the parser says."""
    before, after = token.doc[: token.i], token.doc[token.i + 1 :]
    verb = next((one for one in after if one.tag_ != "RB"), None)
    is_opening = not before or before[-1].tag_ in ("CC", ",", ".", ":")
    return is_opening and verb is not None and verb.tag_ in FINITE_TAGS


def owned_by_each(doc: Doc, owners: Collection[int], to: Number) -> list[Token]:
    """What these own that has their number: of a head or a hat everybody has one of their own."""
    own = listed("paired") | listed("unpaired") | listed("own")
    if to is Number.SINGULAR:
        own = frozenset(map(plural_of, own - listed("paired")))
    found = []
    for owner in (doc[one] for one in sorted(owners)):
        following = doc[owner.i + 1 :]
        if following and following[0].tag_ == "POS":
            following = following[1:]
        # «Back» right after its owner is a noun, whatever the parser says.
        nearby = [*([owner.head] if owner.dep_ == "poss" else []), *following[:1]]
        nouns = (one for one in nearby if one.dep_ not in ("compound", "amod"))
        found += [one for one in nouns if one.lower_ in own][:1]
    return found


def check_unmentioned(noun: Token, mentions: Collection[int]) -> None:
    """Refuse a pronoun after a noun that may refer to that and does not follow it."""
    for token in noun.doc[noun.i + 1 :]:
        sort = sort_of_pronoun(token.text)
        if token.i not in mentions and sort is not None and goes_with(sort_of(noun), sort):
            raise NotApplicable(f"{token.lower_!r} may refer to something else")
