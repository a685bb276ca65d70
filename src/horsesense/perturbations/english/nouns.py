"""Nouns and pronouns: number, articles, and the sort of thing they denote.

Only nouns that plainly count are put into another number. Masses, groups and unique things, nouns
with one form for both numbers, and nouns after a numeral are refused. `nouns.toml` beside this
module has the lists.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from horsesense.perturbations.english.pipeline import table
from horsesense.perturbations.rewriting import Edit
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    import inflect
    from spacy.tokens import Doc, Token
from horsesense.perturbations.english.people import (
    Gender,
    gender_of_name,
    gender_of_noun,
    noun_of,
)

if TYPE_CHECKING:
    from spacy.tokens import Token
from horsesense.schema import Target


class Number(StrEnum):
    """The number of a noun or a pronoun."""

    SINGULAR = "singular"
    PLURAL = "plural"

    @property
    def other(self) -> Number:
        """The number that a noun gets."""
        return Number.PLURAL if self is Number.SINGULAR else Number.SINGULAR


SINGULAR_TAGS = frozenset({"NN", "NNP"})
_NUMBERS = {"NN": Number.SINGULAR, "NNP": Number.SINGULAR, "NNS": Number.PLURAL}
_DETERMINERS = frozenset({"DT", "PDT", "PRP$", "POS", "WP$", "WDT"})
_INSIDE = frozenset({"JJ", "JJR", "JJS", "NN", "NNP", "VBN", "VBG", "RB", "HYPH", "AFX", ","})
_COUNTING = frozenset(
    str.split(
        "enough few fewer first last less many more most only other same several single various"
    )
)
_BEFORE_ARTICLES = frozenset({"such", "what", "quite", "half", "many", "rather"})
_KEPT = frozenset({"the", "his", "her", "its", "their", "my", "your", "our", "'s", "’s", "'", "’"})
_TO_PLURAL = {"a": "", "an": "", "this": "these", "that": "those", "some": "some"}
_TO_SINGULAR = {"these": "this", "those": "that", "some": "a"}


@cache
def listed(name: str) -> frozenset[str]:
    """The nouns of one of the lists."""
    return frozenset(table("nouns")[name].split())


@cache
def _refused() -> dict[str, str]:
    """The nouns that have one number only, and why."""
    lists = {"masses": "a mass noun", "groups": "a group", "single": "one of its kind"}
    return {noun: reason for name, reason in lists.items() for noun in listed(name)}


@cache
def _engine() -> inflect.engine:
    import inflect

    return inflect.engine()


def root_of(doc: Doc, start: int, end: int) -> Token:
    """The word on which all others of a stretch of text depend."""
    span = doc.char_span(start, end, alignment_mode="expand")
    if span is None:
        raise NotApplicable("a candidate is not a noun phrase")
    return span.root


def number_of(noun: Token) -> Number:
    """The number that a noun has, if it is a noun that counts."""
    number = _NUMBERS.get(noun.tag_)
    if number is None:
        raise NotApplicable(f"{noun.text!r} is not a countable noun")
    return number


def other_form(noun: str, to: Number) -> str:
    """The noun in the other number, if there is no doubt about its form.

    >>> other_form("Shelf", Number.PLURAL), other_form("mice", Number.SINGULAR)
    ('Shelves', 'mouse')
    """
    lower = noun.lower()
    new = _plural(lower) if to is Number.PLURAL else _singular(lower)
    return new.capitalize() if noun[0].isupper() else new


def plural_of(noun: str) -> str:
    """The plural of a noun that is known to have one."""
    return str(_engine().plural_noun(noun))


def _plural(noun: str) -> str:
    from lemminflect import getAllInflections

    _check_counted(noun)
    if noun.endswith("ing") and noun not in listed("counted-in-ing"):
        raise NotApplicable(f"{noun!r} is a mass noun")
    known = getAllInflections(noun, upos="NOUN").get("NNS", ())
    plural = plural_of(noun)
    # Two sources must agree; a plural like the singular is none that anybody would see.
    if plural not in known or plural == noun:
        raise NotApplicable(f"{noun!r} has no unambiguous plural")
    return plural


def _singular(noun: str) -> str:
    from lemminflect import getLemma

    _check_counted(noun)
    lemmas = getLemma(noun, upos="NOUN", lemmatize_oov=False)
    if len(lemmas) != 1 or _plural(lemmas[0]) != noun:
        raise NotApplicable(f"{noun!r} has no unambiguous singular")
    return str(lemmas[0])


def _check_counted(noun: str) -> None:
    if noun in _refused():
        raise NotApplicable(f"{noun!r} is {_refused()[noun]}")


def uncapitalised(phrase: str) -> str:
    """The phrase without the capital of a sentence's first word.

    >>> uncapitalised("Old rugs"), uncapitalised("Persian rugs")
    ('old rugs', 'Persian rugs')
    """
    from lemminflect import getAllLemmas

    opening = phrase.split()[0].lower()
    # The dictionary has no words that are written with a capital wherever they stand.
    return phrase[0].lower() + phrase[1:] if getAllLemmas(opening) else phrase


def with_article(phrase: str) -> str:
    """The phrase after `a` or `an`, as it sounds."""
    return str(_engine().a(phrase))


def renumbered(head: Token, to: Number) -> list[Edit]:
    """The edits that put a noun into the other number, its article or demonstrative with it."""
    new = other_form(head.text, to)
    determiner = determiner_of(head)
    word = determiner.lower_ if determiner is not None else ""
    if word in _KEPT:
        return [replaced(head, new)]
    if to is Number.SINGULAR and not word:
        if head.dep_ == "pobj" and head.head.lower_ == "of":
            raise NotApplicable("'of' before a bare plural")  # «full of holes»
        return _with_new_article(head, new)
    others = _TO_PLURAL if to is Number.PLURAL else _TO_SINGULAR
    if determiner is None or word not in others:
        raise NotApplicable(f"{word!r} before a noun" if word else f"{head.text!r} has no article")
    if determiner.i and determiner.nbor(-1).lower_ in _BEFORE_ARTICLES:
        raise NotApplicable(f"{determiner.nbor(-1).lower_!r} before an article")
    replacement = others[word]
    if replacement == "":
        return _without_article(determiner, head, new)
    if replacement == "a":
        replacement = _article(determiner.i + 1, head, new)
    return [replaced(determiner, replacement), replaced(head, new)]


def determiner_of(head: Token) -> Token | None:
    """The determiner of the noun phrase with that head, if any; numerals are refused."""
    for token in reversed(head.doc[: head.i]):
        if not head.is_ancestor(token):
            return None
        if token.tag_ == "HYPH" and token.i == head.i - 1:
            raise NotApplicable("a word with a hyphen")
        if token.tag_ == "CD" or token.lower_ in _COUNTING:
            raise NotApplicable(f"{token.lower_!r} counts")
        if token.tag_ in _DETERMINERS:
            if token.i and token.nbor(-1).tag_ == "PDT":
                raise NotApplicable(f"{token.nbor(-1).lower_!r} before a noun")
            return token
        if token.tag_ == "CC":  # «the old and new jugs» may be two sorts, and several of each
            raise NotApplicable(f"{token.lower_!r} inside a noun phrase")
        if token.tag_ not in _INSIDE:
            return None
    return None


def _first_word(head: Token) -> Token:
    """The first word of a noun phrase that has no determiner."""
    first = head
    for token in reversed(head.doc[: head.i]):
        if not head.is_ancestor(token) or token.tag_ not in _INSIDE:
            break
        first = token
    return first


def _with_new_article(head: Token, new: str) -> list[Edit]:
    """A bare plural as a singular: `an` or `a` goes in before its first word."""
    first = _first_word(head)
    article = _article(first.i, head, new)
    opening = new if first.i == head.i else first.text
    # Whatever the parser takes it for, a noun that has another form is not a name.
    if first.is_sent_start or (first.i == head.i and first.text[0].isupper()):
        article, opening = article.capitalize(), uncapitalised(opening)
    edits = [Edit(first.idx, first.idx + len(first), f"{article} {opening}")]
    return edits if first.i == head.i else [*edits, replaced(head, new)]


def _without_article(article: Token, head: Token, new: str) -> list[Edit]:
    """A singular with `a` as a bare plural; a capital goes over to the next word."""
    following = article.nbor(1)
    edits = [Edit(article.idx, following.idx, "")]
    if not article.text[0].isupper():
        return [*edits, replaced(head, new)]
    if following.i == head.i:
        return [*edits, replaced(head, new.capitalize())]
    capital = Edit(following.idx, following.idx + 1, following.text[0].upper())
    return [*edits, capital, replaced(head, new)]


def _article(start: int, head: Token, new: str) -> str:
    """The `a` or `an` before a phrase that begins with that word and ends in the new form."""
    words = [token.text for token in head.doc[start : head.i]]
    return with_article(" ".join([*words, new])).partition(" ")[0]


def replaced(token: Token, word: str) -> Edit:
    """Another word in the place of one, with a capital if that had one."""
    new = word[0].upper() + word[1:] if token.text[0].isupper() else word
    return Edit(token.idx, token.idx + len(token), new)


_PEOPLE_ENDINGS = ("er", "or", "ist", "ian", "ee", "ant")


class NounGender(StrEnum):
    """The sort of a noun: a person of one gender or of either, or a thing."""

    MALE = "he"
    FEMALE = "she"
    PERSON = "he or she"
    THING = "it"


_OF_PEOPLE = frozenset({NounGender.MALE, NounGender.FEMALE, NounGender.PERSON})
GENDERS = {NounGender.MALE: Gender.MALE, NounGender.FEMALE: Gender.FEMALE}
SORTS = {gender: sort for sort, gender in GENDERS.items()}


def sort_of(noun: Token) -> NounGender:
    """The sort of a noun: a person if it may be one, else a thing."""
    gendered = noun_of(noun)
    if gendered is not None:
        return SORTS[gender_of_noun(gendered)]
    word = noun.lemma_.lower()
    if word.endswith("woman"):
        return NounGender.FEMALE
    if word.endswith("man") and word != "human":
        return NounGender.MALE
    may_be_person = word.endswith(_PEOPLE_ENDINGS) and word not in listed("things")
    return NounGender.PERSON if word in listed("people") or may_be_person else NounGender.THING


def sort_of_name(name: str) -> NounGender | None:
    """Whom a given name stands for; None where that may be a man or a woman, or is not known."""
    gender = gender_of_name(name)
    return None if gender is None else SORTS[gender]


def goes_with(sort: NounGender, other: NounGender) -> bool:
    """Return True where one and the same may be of both sorts."""
    return sort is other or (NounGender.PERSON in (sort, other) and {sort, other} <= _OF_PEOPLE)


class PronounCase(StrEnum):
    """The role of a pronoun in its sentence."""

    SUBJECT = "subject"
    OBJECT = "object"
    OWNER = "owner"  # before what is owned: «her book»
    OWNER_ALONE = "owner alone"  # «the book is hers»
    REFLEXIVE = "reflexive"


_FORMS = {
    NounGender.MALE: dict(zip(PronounCase, ("he", "him", "his", "his", "himself"), strict=True)),
    NounGender.FEMALE: dict(
        zip(PronounCase, ("she", "her", "her", "hers", "herself"), strict=True)
    ),
    NounGender.THING: dict(zip(PronounCase, ("it", "it", "its", "its", "itself"), strict=True)),
}
_PLURAL_FORMS = dict(
    zip(PronounCase, ("they", "them", "their", "theirs", "themselves"), strict=True)
)


def sort_of_pronoun(word: str) -> NounGender | None:
    """Whom a pronoun of the singular may refer to; None for any other word."""
    return next((sort for sort, forms in _FORMS.items() if word.lower() in forms.values()), None)


def gender_of_pronoun(word: str) -> Gender | None:
    """The gender that a pronoun tells, if it tells one."""
    sort = sort_of_pronoun(word)
    return None if sort is None else GENDERS.get(sort)


def is_plural_pronoun(word: str) -> bool:
    """Return True for `they` in all its forms."""
    return word.lower() in _PLURAL_FORMS.values()


def pronoun(gender: Gender, case: PronounCase) -> str:
    """The pronoun of that gender in that case."""
    return _FORMS[SORTS[gender]][case]


def pronoun_in_number(number: Number, sort: NounGender, case: PronounCase) -> str:
    """The pronoun in that number and case; only in the singular it shows the sort."""
    return (_PLURAL_FORMS if number is Number.PLURAL else _FORMS[sort])[case]


def case_of(token: Token) -> PronounCase:
    """The case of a gendered pronoun in a parsed sentence; `her` and `his` have two."""
    word = token.text.lower()
    cases = [case for gender in Gender for case in PronounCase if pronoun(gender, case) == word]
    if len(cases) == 1:
        return cases[0]
    owns = token.dep_ == "poss"
    if owns != (token.tag_ == "PRP$") and word == "her":
        raise NotApplicable(f"{word!r} may be an object or an owner")
    if owns:
        return PronounCase.OWNER
    if token.i + 1 < len(token.doc) and token.nbor().pos_ in ("NOUN", "PROPN", "ADJ"):
        raise NotApplicable(f"{word!r} may be an object or an owner")
    return PronounCase.OBJECT if word == "her" else PronounCase.OWNER_ALONE


def case_of_target(target: Target) -> PronounCase:
    """The case of a target that tells a gender, as the notation says it."""
    word = target.pronoun.lower()
    if target.is_possessive:
        return PronounCase.OWNER
    return next(
        case for case in PronounCase if word in (pronoun(gender, case) for gender in Gender)
    )
