"""Candidates of Winograd schemas: marked, meant by one answer each, agreeing with the target.

The noun of an answer is found without a parser: it is the last word before a preposition or a
relative pronoun, which is where an English noun phrase has its noun.

If only one candidate agrees with the pronoun in person, number and gender, grammar gives the
answer away. Number is read from the parser's tag and from the spelling, and is certain if the two
agree; gender is read from lists of given names and nouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from horsesense.audit.findings import (
    NO_WINOGRAD,
    NOT_ENGLISH,
    CheckResult,
    Concern,
    EntryConcern,
    Figure,
    Weight,
    is_english,
    one_of_each_kind,
    winograd_schemas,
)
from horsesense.audit.words import parts_of, same_words, without_determiner
from horsesense.perturbations.english.nouns import (
    NounGender,
    Number,
    gender_of_pronoun,
    is_plural_pronoun,
    listed,
    sort_of_pronoun,
)
from horsesense.perturbations.english.people import (
    Gender,
    gender_of_name,
    gender_of_noun,
    is_given_name,
    noun_of,
)
from horsesense.perturbations.english.replacing import mentions
from horsesense.perturbations.transformation import MissingEnglish
from horsesense.schema import Dataset, LooseProblem, Schema, candidates_of

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

# What follows a noun and says more about it.
_AFTER_NOUN = frozenset(
    str.split(
        "about above after against among around at before behind below beneath beside between by "
        "for from in inside into near of off on onto outside over than that through to towards "
        "under until up whereby which who whom whose with within without"
    )
)
_POSSESSIVE_ENDING = re.compile(r"'s?$")
_UNMARKED = "no candidate is marked; put both in square brackets"
_NAMELESS = "the target is written '_'; name the pronoun that it replaces"


def check_candidates(dataset: Dataset) -> CheckResult:
    """Winograd schemas whose candidates are not marked, or with answers that mean neither."""
    name, title = "candidates", "Candidates and target of Winograd schemas"
    winograd = winograd_schemas(dataset)
    if not winograd:
        return CheckResult(name, title, skipped=NO_WINOGRAD)
    unmarked: list[str] = []
    nameless: list[str] = []
    cases: list[EntryConcern] = []
    for entry in winograd:
        parts = parts_of(entry.grid)
        if not any(candidates_of(part.frame) for part in parts):
            unmarked.append(entry.id)
        else:
            cases += (case for part in parts for case in _cases(part, entry.id))
        if not all(part.target is not None and part.target.is_known for part in parts):
            nameless.append(entry.id)
    concerns = list(one_of_each_kind(cases))
    if unmarked:
        concerns.insert(0, Concern(Weight.FAULT, _UNMARKED, tuple(unmarked)))
    if nameless:
        concerns.append(Concern(Weight.LOOK, _NAMELESS, tuple(nameless)))
    figures = (
        Figure("Winograd entries", len(winograd)),
        Figure("entries without a marked candidate", len(unmarked)),
        Figure("entries whose target is not named", len(nameless)),
    )
    return CheckResult(name, title, figures, tuple(concerns))


def head_word(phrase: str) -> str:
    """The noun or name of a noun phrase, as far as the order of its words tells.

    >>> [head_word(one) for one in ("the old oak by the river", "Ann's uncle", "Ann's", "Ada Berg")]
    ['oak', 'uncle', 'ann', 'berg']
    """
    words = without_determiner(phrase).split()
    end = next((i for i, word in enumerate(words) if i and word in _AFTER_NOUN), len(words))
    return _POSSESSIVE_ENDING.sub("", words[end - 1]) if words else ""


def _cases(part: Schema | LooseProblem, entry: str) -> Iterator[EntryConcern]:
    """Problems with the candidates of a schema or of a row."""
    texts: dict[int, list[str]] = {}
    for candidate in candidates_of(part.frame):
        texts.setdefault(candidate.number, []).append(candidate.text)
    answers = [value[0] for value in part.answers.values]
    for number, answer in enumerate(answers, start=1):
        if number not in texts:
            problem = f"the candidate of the answer {answer!r} is not marked; put it in brackets"
            # Whoever imports data may not find a candidate that is worded otherwise.
            yield EntryConcern(Weight.LOOK, "unmarked", problem, entry)
    if len(texts) == len(answers):
        yield from _wrong_answers(answers, texts, entry)


def _wrong_answers(
    answers: Sequence[str], texts: dict[int, list[str]], entry: str
) -> Iterator[EntryConcern]:
    """The answers that do not seem to mean the candidate of their number."""
    for number, answer in enumerate(answers, start=1):
        own = texts[number]
        others = [text for other, some in texts.items() if other != number for text in some]
        if any(_bare(answer) == _bare(text) for text in own):
            continue
        meant = [text for text in others if _bare(answer) == _bare(text)]
        if not meant and any(_may_mean(answer, text) for text in own):
            continue
        meant = meant or [text for text in others if _may_mean(answer, text)]
        if meant:
            problem = f"the answer {answer!r} goes with {own[0]!r}, but means {meant[0]!r}"
            yield EntryConcern(Weight.FAULT, "exchanged", f"{problem}; swap the numbers", entry)
        else:
            problem = f"the answer {answer!r} has no noun or name of its candidate {own[0]!r}"
            yield EntryConcern(Weight.LOOK, "other", f"{problem}; do they mean the same?", entry)


def _may_mean(answer: str, candidate: str) -> bool:
    """Return whether one of them has the noun or name of the other."""
    answer_words, candidate_words = (
        {_POSSESSIVE_ENDING.sub("", word) for word in same_words(phrase).split()}
        for phrase in (answer, candidate)
    )
    return head_word(answer) in candidate_words or head_word(candidate) in answer_words


def _bare(phrase: str) -> str:
    return _POSSESSIVE_ENDING.sub("", without_determiner(phrase))


# Pronouns of the first and second person, the owner's too.
FIRST_OR_SECOND = frozenset(
    str.split("i me my mine myself we us our ours ourselves you your yours yourself yourselves")
)
# What is mine is of the third person, like the noun that is left out.
_POSSESSIVES = frozenset(str.split("mine ours yours"))
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
class TraitValue:
    """The number or gender of a candidate, and whether it is certain."""

    value: Number | Gender
    is_certain: bool


@dataclass(frozen=True, slots=True)
class Traits:
    """Traits of a candidate as its words show them; None if they do not show it.

    `is_person` is true of somebody who is known to be a person, and `is_name` of a given name.
    """

    text: str
    number: TraitValue | None
    gender: TraitValue | None
    is_third_person: bool
    is_person: bool
    is_name: bool
    is_mass: bool


def traits_of(span: Span) -> Traits:
    """The traits of a candidate, read from its words in their sentence."""
    head = _head(span)
    word = head.lemma_.lower()
    is_name = is_given_name(head.text) and span[0].i == head.i
    return Traits(
        text=span.text,
        number=_number(span, head),
        gender=_gender(span, head),
        is_third_person=span.text.lower() not in FIRST_OR_SECOND - _POSSESSIVES,
        is_person=is_name or noun_of(head) is not None or word in listed("people"),
        is_name=is_name,
        is_mass=word in listed("masses"),
    )


def _head(span: Span) -> Token:
    """The noun of a candidate, without a possessive ending."""
    root = span.root
    return span[-2] if root.tag_ == "POS" and len(span) > 1 else root


def _number(span: Span, head: Token) -> TraitValue | None:
    if any(token.lower_ == "and" and token.head.i == head.i for token in span):
        return TraitValue(Number.PLURAL, True)
    before = {token.lower_ for token in span[: max(0, head.i - span.start)]}
    word = head.lower_
    if head.lemma_.lower() in listed("groups"):
        return None  # a team does, and do
    if before & _SINGULAR and head.tag_ in ("NN", "NNP"):
        return TraitValue(Number.SINGULAR, True)
    if before & _PLURAL and (head.tag_ in ("NNS", "NNPS") or word in _SAME_FORM):
        return TraitValue(Number.PLURAL, True)
    if word in _SAME_FORM:
        return None
    if head.text[:1].isupper() and head.i > span.start and word.endswith("s"):
        return TraitValue(Number.PLURAL, False)  # «the Bergs», but «the Thames»
    if head.pos_ == "PROPN" or (head.text[:1].isupper() and len(span) == 1):
        return TraitValue(Number.SINGULAR, is_given_name(head.text))
    if head.tag_ == "NNS":
        return TraitValue(Number.PLURAL, word != head.lemma_.lower())
    if head.tag_ == "NN":
        return TraitValue(Number.SINGULAR, not word.endswith("s") or word.endswith(("ss", "us")))
    return None


def _gender(span: Span, head: Token) -> TraitValue | None:
    """The gender that the noun, the given name or a title before a name shows."""
    noun = noun_of(head)
    if noun is not None:
        return TraitValue(gender_of_noun(noun), noun not in _LOOSELY_GENDERED)
    if head.pos_ != "PROPN" and len(span) > 1:
        return None
    for token in span:
        title = noun_of(token)
        if title is not None and token.i < head.i:
            return TraitValue(gender_of_noun(title), True)
    gender = gender_of_name(span[0].text)
    return None if gender is None else TraitValue(gender, True)


# Young ones are «it» as well as «he» or «she».
_YOUNG = ("baby", "child", "infant", "toddler")
_QUOTES = frozenset('"“”‘«»')


def check_agreement(dataset: Dataset) -> CheckResult:
    """Winograd schemas whose candidates do not both agree with the target, or with each other."""
    name, title = "agreement", "Agreement of candidates and target"
    winograd = winograd_schemas(dataset)
    if not winograd:
        return CheckResult(name, title, skipped=NO_WINOGRAD)
    if not is_english(dataset):
        return CheckResult(name, title, skipped=NOT_ENGLISH)
    cases: list[EntryConcern] = []
    read = 0
    try:
        for entry in winograd:
            parts = parts_of(entry.grid)
            traits = [_traits(part) for part in parts]
            read += any(traits)
            for part, candidates in zip(parts, traits, strict=True):
                cases += _disagreements(part, candidates, entry.id)
    except MissingEnglish:
        reason = "it needs an English parser: pip install 'horsesense[english]'"
        return CheckResult(name, title, skipped=reason)
    if not read:
        return CheckResult(name, title, skipped="no candidate is marked")
    figures = (
        Figure("Winograd entries", len(winograd)),
        Figure("entries with marked candidates", read),
    )
    return CheckResult(name, title, figures, one_of_each_kind(cases))


def _traits(part: Schema | LooseProblem) -> list[Traits]:
    """The traits of each marked candidate at its first mention."""
    if not candidates_of(part.frame):
        return []  # to parse takes time
    first = {mention.number: mention for mention in reversed(mentions(part))}
    return [traits_of(first[number].span) for number in sorted(first)]


def _disagreements(
    part: Schema | LooseProblem, candidates: Sequence[Traits], entry: str
) -> Iterator[EntryConcern]:
    target = part.target
    assert target is not None
    pronoun = target.pronoun
    if target.is_known and pronoun.lower() in FIRST_OR_SECOND:
        text = "".join(piece for piece in part.frame if isinstance(piece, str))
        if not _QUOTES & set(text):
            problem = f"the target {pronoun!r} is not in the third person, unlike the candidates"
            yield EntryConcern(Weight.LOOK, "person", f"{problem}; is it direct speech?", entry)
        return
    is_telling = sort_of_pronoun(pronoun) is not None or is_plural_pronoun(pronoun)
    if target.is_known and is_telling:
        for candidate in candidates:
            disagreement = _disagreement(candidate, pronoun)
            if disagreement is not None:
                weight, what = disagreement
                text = (
                    f"{candidate.text!r} is {what}, so {pronoun!r} would not "
                    "refer to it; both candidates must agree with the target"
                )
                yield EntryConcern(weight, what, text, entry)
    elif len(candidates) == 2:
        yield from _differences(candidates[0], candidates[1], entry)


def _disagreement(candidate: Traits, pronoun: str) -> tuple[Weight, str] | None:
    """The reason why a third-person pronoun would not refer to a candidate, if there is one."""
    number, gender = candidate.number, candidate.gender
    if not candidate.is_third_person:
        return (Weight.FAULT, "not in the third person")
    if is_plural_pronoun(pronoun):
        if number is None or number.value is Number.PLURAL:
            return None
        # One person may be «they» too.
        return (_weight(number.is_certain and not candidate.is_person), "singular")
    if number is not None and number.value is Number.PLURAL:
        return (_weight(number.is_certain), "plural")
    if gender is not None and gender.value is not gender_of_pronoun(pronoun):
        # A ship, a street or an inn may have a person's name.
        may_be_thing = candidate.is_name and sort_of_pronoun(pronoun) is NounGender.THING
        return (_weight(gender.is_certain and not may_be_thing), str(gender.value))
    if sort_of_pronoun(pronoun) is NounGender.THING:
        is_person = candidate.is_person and not candidate.text.endswith(_YOUNG)
        return (Weight.LOOK, "a person") if is_person else None
    return (Weight.LOOK, "a mass noun") if candidate.is_mass else None


def _differences(first: Traits, second: Traits, entry: str) -> Iterator[EntryConcern]:
    """Differences between two candidates that an unrecorded pronoun would show."""
    for trait, other in ((first.number, second.number), (first.gender, second.gender)):
        if trait is not None and other is not None and trait.value != other.value:
            difference = f"{first.text!r} is {trait.value}, {second.text!r} {other.value}"
            weight = _weight(trait.is_certain and other.is_certain)
            text = f"{difference}; a pronoun would tell them apart"
            yield EntryConcern(weight, "different", text, entry)


def _weight(certain: bool) -> Weight:
    return Weight.FAULT if certain else Weight.LOOK
