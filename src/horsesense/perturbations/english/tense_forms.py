"""A finite verb in the other tense, with all that has to go with it.

In the present an event is in the continuous form, and a state in the simple one; in a story, where
one event comes after another, all are in the simple one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from horsesense.perturbations.english.aspect import is_event
from horsesense.perturbations.english.verbs import (
    Person,
    base_form,
    inflected,
    negation_of,
    own_subject,
    subject_of,
    verb_of,
    word_after,
)
from horsesense.perturbations.rewriting import Edit
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Token

Agree = Callable[["Token"], Person]

SHORT_NOT = ("n't", "n’t")
_BE = {Person.I: "am", Person.SINGULAR: "is", Person.PLURAL: "are"}
_TO_PRESENT = {"could": "can", "would": "will", "'d": "'ll", "’d": "’ll"}
_TO_PAST = {"can": "could", "ca": "could", "will": "would", "wo": "would"}
_CONTRACTED = {"can": "ca", "will": "wo"}


def to_present(token: Token, agree: Agree, *, in_story: bool = False) -> list[Edit]:
    """A past word in the present, and what has to go with it."""
    verb, word = verb_of(token), token.lower_
    if token.tag_ == "MD":
        return [_modal_present(token)]
    subject = subject_of(verb)
    assert subject is not None  # finite words without a subject are refused
    if word in ("was", "were"):
        return [_be_present(token, subject, agree)]
    person = agree(subject)
    if word in ("had", "'d", "’d"):
        have = "has" if person is Person.SINGULAR else "have"
        short = word[0] + ("s" if person is Person.SINGULAR else "ve")
        return [_replaced(token, have if word == "had" else short)]
    if word == "did" and token is not verb:
        return _did_present(token, verb, person, in_story)
    lemma = base_form(word)
    if in_story or not is_event(verb, lemma):
        return [_replaced(token, _simple_present(lemma, person))]
    going = _continuous(lemma, word)
    if _shares_auxiliary(verb):
        return [_replaced(token, going)]
    first = _first_adverb(verb)
    if first is verb:
        return [_replaced(token, f"{_BE[person]} {going}")]
    return [Edit(first.idx, first.idx, f"{_BE[person]} "), _replaced(token, going)]


def _be_present(token: Token, subject: Token, agree: Agree) -> Edit:
    """`am`, `is` or `are`: the old form knows the number better than any parse."""
    word = subject.lower_
    is_plural = token.lower_ == "were"
    # An unrecorded pronoun, which `it` stands for, may be a plural.
    if is_plural and word in ("i", "he", "she", "it") and agree(subject) is not Person.PLURAL:
        raise NotApplicable("there is a condition in it")
    if word == "i":
        return _am(token)
    return _replaced(token, "are" if is_plural else "is")


def _am(token: Token) -> Edit:
    """`am not` cannot be shortened as `wasn't` and `didn't` are."""
    if word_after(token) in SHORT_NOT:
        return Edit(token.idx, token.nbor().idx + len(token.nbor()), "am not")
    return _replaced(token, "am")


def _did_present(token: Token, verb: Token, person: Person, in_story: bool) -> list[Edit]:
    """`did not go`: the main verb has to change with the auxiliary."""
    if in_story or not is_event(verb, verb.lower_) or negation_of(verb) is None:
        return [_replaced(token, _simple_present("do", person))]
    be = _am(token) if person is Person.I else _replaced(token, _BE[person])
    return [be, _replaced(verb, inflected(verb.lower_, "VBG")[0])]


def _modal_present(token: Token) -> Edit:
    """`can` for `could`; what is shortened stays so, and `can not` is one word."""
    new = _TO_PRESENT[token.lower_]
    if word_after(token) in SHORT_NOT:
        return _replaced(token, _CONTRACTED[new])
    if new == "can" and word_after(token) == "not":
        return Edit(token.idx, token.nbor().idx, new)
    return _replaced(token, new)


def _shares_auxiliary(verb: Token) -> bool:
    """True for the second verb of «is singing and dancing»."""
    before = verb.head
    if verb.dep_ != "conj" or own_subject(verb) is not None:
        return False
    if before.tag_ == "VBD":
        return is_event(before, base_form(before.lower_)) and negation_of(before) is None
    return before.tag_ == "VBG"


def _first_adverb(verb: Token) -> Token:
    """The first of the adverbs that stand right before a verb, or the verb."""
    first = verb
    while first.i > 0:
        before = first.nbor(-1)
        if before.head != verb or before.dep_ != "advmod" or before.tag_ == "WRB":
            break
        first = before
    subject = own_subject(verb)
    return first if subject is None or subject.i < first.i else verb


def _continuous(lemma: str, past: str) -> str:
    """The continuous form, spelt the way the past was: travelled, travelling."""
    spellings = inflected(lemma, "VBG")
    return spellings[min(inflected(lemma, "VBD").index(past), len(spellings) - 1)]


def _simple_present(lemma: str, person: Person) -> str:
    return inflected(lemma, "VBZ")[0] if person is Person.SINGULAR else lemma


def to_past(token: Token) -> Edit:
    """A present word in the past."""
    word = token.lower_
    lemma = token.lemma_ if word in ("'s", "’s") else word
    space = " " if word[0] in "'’" else ""
    if token.tag_ == "MD":
        new = _TO_PAST.get(word, "would")
        cannot = word == "can" and not token.whitespace_ and word_after(token) == "not"
        return _replaced(token, space + new + (" " if cannot else ""))
    if lemma in ("have", "has", "'ve", "’ve"):
        return _replaced(token, f"{space}had")
    if lemma in ("be", "is", "am", "are", "'m", "’m", "'re", "’re"):
        is_plural = word.endswith("re")
        return _replaced(token, f"{space}{'were' if is_plural else 'was'}")
    if space:
        raise NotApplicable(f"what {word!r} is short for is not known")
    past = inflected(token.lemma_, "VBD")
    if not past:
        raise NotApplicable(f"the past tense of {word!r} is not known")
    return _replaced(token, past[0])


def _replaced(token: Token, text: str) -> Edit:
    return Edit(token.idx, token.idx + len(token.text), text)
