"""The answers that go with candidates in another number: the same words change in both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from horsesense.perturbations.english.nouns import Number, other_form, uncapitalised
from horsesense.perturbations.english.pronouns import sort_of_pronoun
from horsesense.perturbations.english.referents import Referent
from horsesense.perturbations.english.sorts import goes_with
from horsesense.perturbations.rewriting import Rendering
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import Axis, Row, Schema

_ARTICLE = re.compile(r"^an? ", re.IGNORECASE)
_DEFINITE = re.compile(r"^(the|my|your|his|her|its|our|their|these|those) |['’]s? ", re.IGNORECASE)
_OWNER = re.compile(r"\b(his|her|its)\b", re.IGNORECASE)
_BEFORE_TARGET = re.compile(r"\b(the|my|your|our) $", re.IGNORECASE)


def renumbered_answers(row: Schema | Row, shown: Rendering, referents: Sequence[Referent]) -> Axis:
    """The answers with the same words changed as in the sentence."""
    place = shown.pieces("target")[0]
    has_article = _BEFORE_TARGET.search(shown.text[: place.start]) is not None
    phrases = [
        (_answer(value[0], own, referents, has_article=has_article),)
        for value, own in zip(row.answers.values, referents, strict=True)
    ]
    return Axis(tuple(phrases))


def _answer(phrase: str, own: Referent, referents: Sequence[Referent], *, has_article: bool) -> str:
    if len(re.findall(_word(own), phrase, re.IGNORECASE)) != 1:
        raise NotApplicable("an answer is worded in another way than its candidate")
    for one in referents:
        if one is own or one.is_name:
            phrase = re.sub(_word(one), partial(_changed, one), phrase, flags=re.IGNORECASE)
    if own.number is Number.SINGULAR:
        phrase = _OWNER.sub(lambda found: _in_plural(found[0], referents), phrase)
        return _ARTICLE.sub("", phrase)
    return phrase if has_article or _DEFINITE.search(phrase) else f"the {uncapitalised(phrase)}"


def _in_plural(pronoun: str, referents: Sequence[Referent]) -> str:
    """The possessive pronoun of an answer, in the plural if it is one of the candidates'."""
    sort = sort_of_pronoun(pronoun)
    is_theirs = sort is not None and any(goes_with(one.sort, sort) for one in referents)
    return "their" if is_theirs else pronoun


def _word(referent: Referent) -> str:
    return rf"(?<!\w){re.escape(referent.word)}(?!\w)"


def _changed(referent: Referent, found: re.Match[str]) -> str:
    if referent.is_name:
        return referent.new
    return other_form(found[0], referent.number.other)
