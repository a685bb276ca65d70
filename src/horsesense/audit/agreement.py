"""Agreement: the target could be either candidate, as far as person, number and gender tell.

Where only one candidate agrees with the pronoun, grammar gives the answer away and no common sense
is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from horsesense.audit.candidate_traits import FIRST_OR_SECOND, Traits, traits_of
from horsesense.audit.checked import Case, Checked, Figure, Weight, one_of_each_kind
from horsesense.audit.subject import NO_WINOGRAD, NOT_ENGLISH, Subject
from horsesense.audit.words import parts_of
from horsesense.perturbations.english.mentions import mentions
from horsesense.perturbations.english.nouns import Number
from horsesense.perturbations.english.pronouns import (
    gender_of_pronoun,
    is_plural_pronoun,
    sort_of_pronoun,
)
from horsesense.perturbations.english.sorts import Sort
from horsesense.perturbations.transformation import MissingEnglish
from horsesense.schema import Row, Schema, candidates_of

# Young ones are «it» as well as «he» or «she».
_YOUNG = ("baby", "child", "infant", "toddler")
_QUOTES = frozenset('"“”‘«»')


def check_agreement(subject: Subject) -> Checked:
    """Winograd schemas whose candidates do not both agree with the target, or with each other."""
    name, title = "agreement", "Agreement of candidates and target"
    if not subject.winograd:
        return Checked(name, title, skipped=NO_WINOGRAD)
    if not subject.is_english:
        return Checked(name, title, skipped=NOT_ENGLISH)
    cases: list[Case] = []
    read = 0
    try:
        for entry in subject.winograd:
            parts = parts_of(entry.grid)
            found = [_traits(part) for part in parts]
            read += any(found)
            for part, candidates in zip(parts, found, strict=True):
                cases += _cases(part, candidates, entry.id)
    except MissingEnglish:
        reason = "it needs an English parser: pip install 'horsesense[english]'"
        return Checked(name, title, skipped=reason)
    if not read:
        return Checked(name, title, skipped="no candidate is marked")
    figures = (
        Figure("Winograd entries", len(subject.winograd)),
        Figure("entries with marked candidates", read),
    )
    return Checked(name, title, figures, one_of_each_kind(cases))


def _traits(part: Schema | Row) -> list[Traits]:
    """What each marked candidate tells at its first mention."""
    if not candidates_of(part.frame):
        return []  # to parse takes time
    first = {one.number: one for one in reversed(mentions(part))}
    return [traits_of(first[number].span) for number in sorted(first)]


def _cases(part: Schema | Row, candidates: Sequence[Traits], entry: str) -> Iterator[Case]:
    target = part.target
    assert target is not None
    pronoun = target.pronoun
    if target.is_known and pronoun.lower() in FIRST_OR_SECOND:
        text = "".join(one for one in part.frame if isinstance(one, str))
        if not _QUOTES & set(text):
            said = f"the target {pronoun!r} is not of the third person, as the candidates are"
            yield Case(Weight.LOOK, "person", f"{said}; is it direct speech?", entry)
        return
    is_telling = sort_of_pronoun(pronoun) is not None or is_plural_pronoun(pronoun)
    if target.is_known and is_telling:
        for one in candidates:
            found = _disagreement(one, pronoun)
            if found is not None:
                said = f"{one.text!r} is {found.what}, so that {pronoun!r} would not mean it"
                text = f"{said}; both candidates must agree with the target"
                yield Case(found.weight, found.what, text, entry)
    elif len(candidates) == 2:
        yield from _differences(candidates[0], candidates[1], entry)


@dataclass(frozen=True, slots=True)
class _Disagreement:
    """What a candidate is that a pronoun does not refer to, and how much that weighs."""

    weight: Weight
    what: str


def _disagreement(one: Traits, pronoun: str) -> _Disagreement | None:
    """Why a pronoun of the third person would not refer to a candidate."""
    number, gender = one.number, one.gender
    if not one.is_third_person:
        return _Disagreement(Weight.FAULT, "not of the third person")
    if is_plural_pronoun(pronoun):
        if number is None or number.value is Number.PLURAL:
            return None
        # One person may be «they» too.
        return _Disagreement(_weight(number.is_certain and not one.is_person), "singular")
    if number is not None and number.value is Number.PLURAL:
        return _Disagreement(_weight(number.is_certain), "plural")
    if gender is not None and gender.value is not gender_of_pronoun(pronoun):
        # A ship, a street or an inn may have a person's name.
        may_be_thing = one.is_name and sort_of_pronoun(pronoun) is Sort.THING
        return _Disagreement(_weight(gender.is_certain and not may_be_thing), str(gender.value))
    if sort_of_pronoun(pronoun) is Sort.THING:
        is_person = one.is_person and not one.text.endswith(_YOUNG)
        return _Disagreement(Weight.LOOK, "a person") if is_person else None
    return _Disagreement(Weight.LOOK, "a mass") if one.is_mass else None


def _differences(first: Traits, second: Traits, entry: str) -> Iterator[Case]:
    """In what two candidates differ that a pronoun nobody has recorded would show."""
    for one, other in ((first.number, second.number), (first.gender, second.gender)):
        if one is not None and other is not None and one.value != other.value:
            said = f"{first.text!r} is {one.value}, {second.text!r} {other.value}"
            weight = _weight(one.is_certain and other.is_certain)
            text = f"{said}; a pronoun would tell them apart"
            yield Case(weight, "different", text, entry)


def _weight(certain: bool) -> Weight:
    return Weight.FAULT if certain else Weight.LOOK
