"""Candidates that differ by an adjective only (thesis 3.4.4).

Persons become a man and a man, or a woman and a woman; of two things the noun of one serves for
both.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from horsesense.perturbations.candidates import (
    begins_with_vowel,
    each_part,
    marked_pair,
    with_candidates,
)
from horsesense.perturbations.english.adjectives import WORD, fitting_pairs, kind_of
from horsesense.perturbations.english.mentions import (
    Mention,
    check_company,
    check_place,
    is_owner,
    mentions,
    noun_of_mention,
)
from horsesense.perturbations.english.people import gender_of_name, is_given_name
from horsesense.perturbations.transformation import NotApplicable, Rewriting, Settings
from horsesense.schema import (
    AxisName,
    Candidate,
    Entry,
    Part,
    Row,
    Schema,
    Slot,
    pair,
)

_GENDERS = {"he": "man", "him": "man", "his": "man"} | {"she": "woman", "her": "woman"}
_PLURAL = frozenset({"they", "them", "their"})


class _Noun(NamedTuple):
    """The noun that is to serve for both candidates, as it is to be spelt."""

    text: str
    kind: str


def propose_adjectival(entry: Entry, settings: Settings) -> Rewriting:
    """Both candidates replaced by phrases that differ by an adjective."""
    if entry.flag("symmetrical") is False:
        raise NotApplicable("not symmetrical")
    phrases: list[str] = []

    def change(part: Schema | Row) -> Schema | Row:
        # Drawn anew for each, so that the rows of a loose pair get the same words.
        phrases[:] = _phrases(part, settings.draw(entry.id, "adjectival"))
        texts = {n: _placed(part, n, _owning(part, n, phrases[n - 1])) for n in (1, 2)}
        answers = [re.sub(r"^an? ", "the ", phrase) for phrase in phrases]
        if _has_article(part, _is_answer):
            answers = [answer.removeprefix("the ") for answer in answers]
        return with_candidates(part, texts, pair(*answers))

    grid = each_part(entry.grid, change)
    return Rewriting(grid, f"candidates → {' and '.join(phrases)}")


def _phrases(part: Schema | Row, chance: random.Random) -> tuple[str, str]:
    before = marked_pair(part)
    found = mentions(part)
    for one in found:
        check_place(one)
        check_company(one)
    noun = _noun(part, found, chance)
    _check_alone(part, found, noun)
    first, second = _adjectives(part, noun.kind, chance)
    are_indefinite = all(re.match(r"an? ", text) for text in before)

    def phrase(adjective: str) -> str:
        article = "the"
        if are_indefinite:
            article = "an" if begins_with_vowel(adjective) else "a"
        return f"{article} {adjective} {noun.text}"

    return phrase(first), phrase(second)


def _noun(part: Schema | Row, found: Sequence[Mention], chance: random.Random) -> _Noun:
    """The noun for both: by the pronoun if that tells a gender, else one of the candidates'."""
    assert part.target is not None  # as candidates are marked
    pronoun = part.target.pronoun.lower()
    if pronoun in _GENDERS:
        return _Noun(_GENDERS[pronoun], "person")
    names = [re.sub(r"['’]s$", "", one.span.text) for one in found]
    if not part.target.is_known and all(map(is_given_name, names)):
        genders = {gender_of_name(name) for name in names}
        shared = genders.pop() if len(genders) == 1 else None
        return _Noun({"male": "man", "female": "woman"}.get(str(shared), "person"), "person")
    heads = [noun for one in found if (noun := noun_of_mention(one)) is not None]
    nouns = [_Noun(head.lower_, kind) for head in heads if (kind := kind_of(head.lemma_))]
    if not nouns or len(nouns) < len(heads):
        raise NotApplicable("of what kind a candidate is, is not known")
    if len({noun.kind for noun in nouns}) > 1:
        raise NotApplicable("the candidates are of different kinds")
    are_plural = {head.tag_ == "NNS" for head in heads}
    if are_plural != {pronoun in _PLURAL} and (part.target.is_known or len(are_plural) > 1):
        raise NotApplicable("the candidates differ in number")
    inside = [
        noun
        for head, noun in zip(heads, nouns, strict=True)
        if head.dep_ == "pobj" and head.head.head not in heads  # not «the road to the farm»
    ]
    # What something is put into, or taken from, can itself be put there more often than it can
    # take the other in; and what chases or eats can be chased.
    is_first = nouns[0].kind == "animal" or any(head.head.head in heads for head in heads)
    choice = inside or (nouns[:1] if is_first else nouns)
    return chance.choice(choice)


def _check_alone(part: Schema | Row, found: Sequence[Mention], noun: _Noun) -> None:
    """Refuse a sentence that names a candidate outside of the marks."""
    named = {one.lower_ for mention in found for one in mention.span if one.pos_ == "PROPN"}
    named |= {head.lower_ for mention in found if (head := noun_of_mention(mention)) is not None}
    texts = [piece for piece in part.frame if isinstance(piece, str)]
    if isinstance(part, Schema):
        texts += [phrase for value in part.keys.values for phrase in value]
    words = {re.sub(r"['’]s?$", "", word.lower()) for text in texts for word in WORD.findall(text)}
    if words & {*named, noun.text}:
        raise NotApplicable("a candidate is named again, or another of its kind")


def _owning(part: Schema | Row, number: int, phrase: str) -> str:
    """The phrase as the owner, where the mark of the candidate held that ending."""
    for one in mentions(part):
        if one.number == number and is_owner(one):
            return f"{phrase}'" if phrase.endswith("s") else f"{phrase}'s"
    return phrase


def _is_answer(piece: Part) -> bool:
    return isinstance(piece, Slot) and piece.axis is AxisName.ANSWER


def _placed(part: Schema | Row, number: int, phrase: str) -> str:
    """The phrase without its article, where one stands before the mark."""
    has_article = _has_article(
        part, lambda piece: isinstance(piece, Candidate) and piece.number == number
    )
    return phrase.removeprefix("the ") if has_article else phrase


def _has_article(part: Schema | Row, is_wanted: Callable[[Part], bool]) -> bool:
    """True where «the» stands before every such part of the frame."""
    before = [
        isinstance(left, str) and re.search(r"\b[Tt]he $", left) is not None
        for left, piece in zip(("", *part.frame), part.frame, strict=False)
        if is_wanted(piece)
    ]
    if any(before) and not all(before):
        raise NotApplicable("a candidate has its article only once")
    return all(before)


def _adjectives(part: Schema | Row, kind: str, chance: random.Random) -> tuple[str, str]:
    pairs = fitting_pairs(part, kind)
    if not pairs:
        raise NotApplicable("no adjectives are neutral enough")
    first, second = chance.choice(pairs)
    return first, second
