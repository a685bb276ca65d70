"""Candidates with adjectives: adjectival and unbalanced proposals (thesis 3.4.4).

Adjectival: the candidates differ by an adjective only. Persons become a man and a man, or a woman
and a woman; of two things the noun of one serves for both. Unbalanced: one candidate becomes long
and odd; a noun gets two or three modifiers, a name two surnames.

`adjectives.toml` lists the adjectives, each with a kind of noun and the topics it would affect.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from horsesense.perturbations.candidates import (
    begins_with_vowel,
    each_part,
    marked_pair,
    with_candidates,
)
from horsesense.perturbations.english.people import gender_of_name, is_given_name
from horsesense.perturbations.english.pipeline import table
from horsesense.perturbations.english.replacing import (
    CandidateMention,
    check_company,
    check_place,
    is_owner,
    mentions,
    noun_of_mention,
)
from horsesense.perturbations.rewriting import renderings
from horsesense.perturbations.transformation import NotApplicable, Rewriting, Settings
from horsesense.schema import (
    Axis,
    AxisName,
    Candidate,
    Entry,
    LooseGrid,
    LooseProblem,
    Part,
    Schema,
    Slot,
    pair,
)

WORD = re.compile(r"[\w'’-]+")


def kind_of(noun: str) -> str | None:
    """The kind of a listed noun: a person, an animal, a thing, …"""
    return _kinds().get(noun.lower())


def fitting_pairs(part: Schema | LooseProblem, kind: str) -> list[list[str]]:
    """Pairs of adjectives for nouns of that kind that do not affect the sentence."""
    return list(_fitting("pairs", part, kind))


def fitting_modifiers(part: Schema | LooseProblem, kind: str) -> list[str]:
    """Long and odd modifiers for nouns of that kind that do not affect the sentence."""
    return [word for words in _fitting("modifiers", part, kind) for word in words]


def surnames() -> tuple[list[str], list[str]]:
    """The surnames that come first and those that come last where there are two."""
    names = _table()["surnames"]
    return names["first"], names["last"]


def _fitting(name: str, part: Schema | LooseProblem, kind: str) -> Iterator[list[str]]:
    listed = (row for row in _table()[name] if row["kind"] == kind)
    return (row["words"] for row in listed if _fits(part, row["words"], row["topics"]))


def _fits(part: Schema | LooseProblem, adjectives: list[str], topics: list[str]) -> bool:
    """Return True if the sentence is unrelated to an adjective and does not contain it."""
    grid = part if isinstance(part, Schema) else LooseGrid((part,))
    words = {
        word.lower() for rendering in renderings(grid) for word in WORD.findall(rendering.text)
    }
    stems = tuple(stem for topic in topics for stem in _table()["topics"][topic].split())
    return not any(word.startswith(stems) for word in words) and not words & set(adjectives)


@cache
def _kinds() -> dict[str, str]:
    return {noun: kind for kind, nouns in _table()["kinds"].items() for noun in nouns.split()}


def _table() -> dict[str, Any]:
    return table("adjectives")


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

    def change(part: Schema | LooseProblem) -> Schema | LooseProblem:
        # Drawn anew for each, so that the rows of a loose pair get the same words.
        phrases[:] = _phrases(part, settings.draw(entry.id, "adjectival"))
        texts = {n: _placed(part, n, _owning(part, n, phrases[n - 1])) for n in (1, 2)}
        answers = [re.sub(r"^an? ", "the ", phrase) for phrase in phrases]
        if _has_article(part, _is_answer):
            answers = [answer.removeprefix("the ") for answer in answers]
        return with_candidates(part, texts, pair(*answers))

    grid = each_part(entry.grid, change)
    return Rewriting(grid, f"candidates → {' and '.join(phrases)}")


def _phrases(part: Schema | LooseProblem, chance: random.Random) -> tuple[str, str]:
    before = marked_pair(part)
    mentioned = mentions(part)
    for mention in mentioned:
        check_place(mention)
        check_company(mention)
    noun = _noun(part, mentioned, chance)
    _check_alone(part, mentioned, noun)
    first, second = _adjectives(part, noun.kind, chance)
    are_indefinite = all(re.match(r"an? ", text) for text in before)

    def phrase(adjective: str) -> str:
        article = "the"
        if are_indefinite:
            article = "an" if begins_with_vowel(adjective) else "a"
        return f"{article} {adjective} {noun.text}"

    return phrase(first), phrase(second)


def _noun(
    part: Schema | LooseProblem, mentioned: Sequence[CandidateMention], chance: random.Random
) -> _Noun:
    """The noun for both: by the pronoun if that tells a gender, else one of the candidates'."""
    assert part.target is not None  # as candidates are marked
    pronoun = part.target.pronoun.lower()
    if pronoun in _GENDERS:
        return _Noun(_GENDERS[pronoun], "person")
    names = [re.sub(r"['’]s$", "", mention.span.text) for mention in mentioned]
    if not part.target.is_known and all(map(is_given_name, names)):
        genders = {gender_of_name(name) for name in names}
        shared = genders.pop() if len(genders) == 1 else None
        return _Noun({"male": "man", "female": "woman"}.get(str(shared), "person"), "person")
    heads = [noun for mention in mentioned if (noun := noun_of_mention(mention)) is not None]
    nouns = [_Noun(head.lower_, kind) for head in heads if (kind := kind_of(head.lemma_))]
    if not nouns or len(nouns) < len(heads):
        raise NotApplicable("the kind of a candidate is unknown")
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


def _check_alone(
    part: Schema | LooseProblem, mentioned: Sequence[CandidateMention], noun: _Noun
) -> None:
    """Refuse a sentence that names a candidate outside of the marks."""
    named = {
        token.lower_ for mention in mentioned for token in mention.span if token.pos_ == "PROPN"
    }
    named |= {
        head.lower_ for mention in mentioned if (head := noun_of_mention(mention)) is not None
    }
    texts = [piece for piece in part.frame if isinstance(piece, str)]
    if isinstance(part, Schema):
        texts += [phrase for value in part.keys.values for phrase in value]
    words = {re.sub(r"['’]s?$", "", word.lower()) for text in texts for word in WORD.findall(text)}
    if words & {*named, noun.text}:
        raise NotApplicable("a candidate is named again, or another of its kind")


def _owning(part: Schema | LooseProblem, number: int, phrase: str) -> str:
    """The phrase as the owner, where the mark of the candidate held that ending."""
    for mention in mentions(part):
        if mention.number == number and is_owner(mention):
            return f"{phrase}'" if phrase.endswith("s") else f"{phrase}'s"
    return phrase


def _is_answer(piece: Part) -> bool:
    return isinstance(piece, Slot) and piece.axis is AxisName.ANSWER


def _placed(part: Schema | LooseProblem, number: int, phrase: str) -> str:
    """The phrase without its article, where one stands before the mark."""
    has_article = _has_article(
        part, lambda piece: isinstance(piece, Candidate) and piece.number == number
    )
    return phrase.removeprefix("the ") if has_article else phrase


def _has_article(part: Schema | LooseProblem, is_wanted: Callable[[Part], bool]) -> bool:
    """Return True where «the» stands before every such part of the frame."""
    before = [
        isinstance(left, str) and re.search(r"\b[Tt]he $", left) is not None
        for left, piece in zip(("", *part.frame), part.frame, strict=False)
        if is_wanted(piece)
    ]
    if any(before) and not all(before):
        raise NotApplicable("a candidate is not always used with its article")
    return all(before)


def _adjectives(part: Schema | LooseProblem, kind: str, chance: random.Random) -> tuple[str, str]:
    pairs = fitting_pairs(part, kind)
    if not pairs:
        raise NotApplicable("no adjectives are neutral enough")
    first, second = chance.choice(pairs)
    return first, second


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

    def change(part: Schema | LooseProblem) -> Schema | LooseProblem:
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
    part: Schema | LooseProblem, number: int, old: str, chance: random.Random
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


def _padded(part: Schema | LooseProblem, phrase: str, padding: str) -> str:
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


def _padded_name(part: Schema | LooseProblem, name: str, surnames: str, *, is_owner: bool) -> str:
    assert part.target is not None  # as candidates are marked
    are_given = all(map(is_given_name, re.split(r" and | ", name)))
    # «Tina's» may be her drawing.
    may_be_other = not part.target.is_known or " and " in name or is_owner
    is_person = part.target.pronoun.lower() in _PERSONS or (may_be_other and are_given)
    if not is_person:
        raise NotApplicable("the name may not be a person’s")
    first, space, last = name.rpartition(" ")
    if space and not first.endswith(" and"):
        return f"{first} {surnames} {last}"
    return f"{name} {surnames}"


def _two_surnames(chance: random.Random) -> str:
    first, last = surnames()
    return f"{chance.choice(first)} {chance.choice(last)}"


def _modifiers(part: Schema | LooseProblem, number: int, chance: random.Random) -> str:
    """Two or three modifiers of the kind in the order of the list, or such as suit anything."""
    assert part.target is not None
    root = next(mention.span.root for mention in mentions(part) if mention.number == number)
    is_person = part.target.pronoun.lower() in _PERSONS
    kind = "person" if is_person else kind_of(root.lemma_) or "any"
    for listed_kind in (kind, "any"):
        words = fitting_modifiers(part, listed_kind)
        chosen = [" ".join(few) for count in (2, 3) for few in combinations(words, count)]
        if chosen := [text for text in chosen if _suits_article(part, number, text)]:
            return chance.choice(chosen)
    raise NotApplicable("no modifiers are neutral enough")


def _suits_article(part: Schema | LooseProblem, number: int, phrase: str) -> bool:
    """False where `a` stands before the mark and `an` would have to, or the reverse."""
    for before, piece in zip(("", *part.frame), part.frame, strict=False):
        if isinstance(piece, Candidate) and piece.number == number and isinstance(before, str):
            article = re.search(r"\b[Aa](n?) $", before)
            if article and bool(article[1]) != begins_with_vowel(phrase):
                return False
    return True
