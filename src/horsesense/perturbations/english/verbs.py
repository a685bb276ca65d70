"""Verbs of a parsed sentence: tense, subject, and whether they tell events or states.

spaCy's parse is checked: if a verb's form and its place in the sentence do not fit together, the
parse is wrong and nothing is proposed.

Only events may be in the continuous form: no «is knowing» and no «is noticing». A habit, or an
event tied to another in time, is not going on either, and a sequence of events in the present is
told in the simple form.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


class Tense(StrEnum):
    """The tense of a finite verb."""

    PAST = "past"
    PRESENT = "present"


class VerbPerson(StrEnum):
    """The person and number a verb agrees with; `you` counts as a plural."""

    I = "I"  # noqa: E741
    SINGULAR = "singular"
    PLURAL = "plural"


# Of the words that have a tense.
FINITE_TAGS = frozenset({"VBD", "VBZ", "VBP", "MD"})
_AUX = frozenset({"aux", "auxpass"})
_SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj", "csubjpass")
_PAST_MODALS = frozenset({"could", "would", "'d", "’d"})
_PRESENT_MODALS = frozenset({"can", "ca", "will", "wo", "'ll", "’ll"})
_PLURALS = frozenset(
    str.split("you we they these those both few many several others people police")
)
_OF_WHAT = frozenset(str.split("all some most half any none lot lots number majority rest couple"))
# Verbs after which another has a subject and no tense: «saw him fall», «let her go».
_BARE = frozenset(str.split("see hear feel watch notice make let help have get want with bid"))
_CLAUSES = frozenset({"ROOT", "conj", "advcl", "relcl", "ccomp"})
_QUOTES = re.compile(r"[\"“”«»„]|(?<!\w)[‘'](?!s\b)\w+[^‘’']*[’'](?!\w)")


def check_plain(text: str) -> None:
    """Refuse a text in which verbs do not stand in statements."""
    if "?" in text:
        raise NotApplicable("it asks a question")
    if _QUOTES.search(text):
        raise NotApplicable("it contains direct speech")


def verb_of(token: Token) -> Token:
    """The verb that an auxiliary goes with; any other verb itself."""
    return token.head if token.dep_ in _AUX else token


def auxiliaries(verb: Token) -> list[Token]:
    """The auxiliaries of a verb, in their order."""
    return [child for child in verb.children if child.dep_ in _AUX and child.tag_ != "TO"]


def word_after(token: Token) -> str:
    """The next word of the text, in lower case; nothing after the last."""
    return str(token.nbor().lower_) if token.i + 1 < len(token.doc) else ""


def negation_of(verb: Token) -> Token | None:
    """The `not` of a verb, whichever way it is written."""
    return next((child for child in verb.children if child.dep_ == "neg"), None)


def own_subject(verb: Token) -> Token | None:
    """The subject that stands with a verb itself."""
    subjects = [child for child in verb.children if child.dep_ in _SUBJECTS]
    return min(subjects, key=lambda child: _SUBJECTS.index(child.dep_)) if subjects else None


def subject_of(verb: Token) -> Token | None:
    """The subject of a verb, if need be the one it shares with the verb before it."""
    subject = own_subject(verb)
    if subject is None and verb.dep_ == "conj" and verb.head.pos_ in ("VERB", "AUX"):
        return subject_of(verb.head)
    if subject is not None and subject.tag_ in ("WDT", "WP") and verb.dep_ == "relcl":
        return verb.head
    return subject


def person_of(subject: Token) -> VerbPerson:
    """The person that a verb with this subject agrees with."""
    word = subject.lower_
    if subject.dep_ == "expl":
        things = [child for child in subject.head.children if child.dep_ in ("attr", "nsubj")]
        if word != "there" or not things:
            return VerbPerson.SINGULAR
        return person_of(things[0])
    if any(child.dep_ == "cc" and child.lower_ == "and" for child in subject.children):
        return VerbPerson.PLURAL
    if word in _OF_WHAT:
        parts = [
            part for child in subject.children if child.lower_ == "of" for part in child.children
        ]
        if not parts:
            raise NotApplicable(f"{word!r} may be singular or plural")
        return person_of(parts[0])
    if word == "i":
        return VerbPerson.I
    if word in _PLURALS or subject.tag_ in ("NNS", "NNPS"):
        return VerbPerson.PLURAL
    if subject.tag_ == "CD" and word not in ("one", "1"):
        return VerbPerson.PLURAL
    return VerbPerson.SINGULAR


def finite_tokens(doc: Doc) -> tuple[Token, ...]:
    """The words of a text that have a tense, main verbs and auxiliaries alike."""
    for token in doc:
        _check_form(token)
    return tuple(token for token in doc if token.tag_ in FINITE_TAGS)


def _check_form(token: Token) -> None:
    """Refuse a verb whose form does not fit its place."""
    if token.tag_ in FINITE_TAGS:
        if subject_of(verb_of(token)) is None:
            raise NotApplicable("the subject of a verb was not found")
        if token.lemma_ == "do" and token.dep_ == "aux" and token.head.tag_ != "VB":
            raise NotApplicable("a verb form does not fit its position")
        if token.text[0].isupper():
            raise NotApplicable("a verb comes before its subject")
        return
    if token.tag_ not in ("VB", "VBN") or token.dep_ not in _CLAUSES or auxiliaries(token):
        return
    if any(child.tag_ == "TO" for child in token.children):
        return
    if token.dep_ == "conj":
        is_odd = token.head.tag_ != token.tag_ and token.head.tag_ in {
            "VB",
            "VBN",
            "VBG",
            *FINITE_TAGS,
        }
    elif token.dep_ == "ccomp":
        is_odd = token.tag_ == "VBN" and token.head.lemma_ not in _BARE
    else:
        is_odd = token.dep_ == "ROOT" or own_subject(token) is not None
    if is_odd:
        raise NotApplicable("a verb form does not fit its position")


def tense_of(token: Token) -> Tense:
    """The tense of a finite word; a form that does not show it is taken as spaCy takes it."""
    if token.tag_ == "MD":
        if token.lower_ in _PAST_MODALS:
            return Tense.PAST
        if token.lower_ in _PRESENT_MODALS:
            return Tense.PRESENT
        raise NotApplicable(f"{token.lower_!r} has no counterpart in another tense")
    return Tense.PAST if token.tag_ == "VBD" else Tense.PRESENT


def shows_tense(token: Token) -> bool:
    """False for `put` and the like, where past and present are spelt alike."""
    return token.tag_ not in ("VBD", "VBP") or token.lower_ not in inflected(token.lower_, "VBD")


def finite_token_of(verb: Token) -> Token | None:
    """The word that carries the tense of a verb: its first auxiliary, or the verb itself."""
    return next((token for token in [*auxiliaries(verb), verb] if token.tag_ in FINITE_TAGS), None)


def main_verbs(doc: Doc) -> tuple[Token, ...]:
    """The verb of every sentence, and the verbs that are coordinated with it, in their order."""
    chain: list[Token] = []
    for sentence in doc.sents:
        queue = [sentence.root]
        while queue:
            verb = queue.pop(0)
            if verb.pos_ not in ("VERB", "AUX"):
                raise NotApplicable("the main verb of a sentence was not found")
            chain.append(verb)
            queue += [
                child
                for child in verb.children
                if child.pos_ in ("VERB", "AUX")
                and (child.dep_ == "conj" or (child.dep_ == "ccomp" and _stands_alone(child)))
            ]
    return tuple(sorted(chain, key=lambda verb: verb.i))


def _stands_alone(clause: Token) -> bool:
    """Return True for the first of two clauses that only a comma or a semicolon joins."""
    return clause.i < clause.head.i and own_subject(clause) is not None


@cache
def inflected(lemma: str, tag: str) -> tuple[str, ...]:
    """The forms of a word for a tag of the Penn treebank, the usual one first."""
    from lemminflect import getInflection

    forms: tuple[str, ...] = getInflection(lemma, tag)
    return forms


@cache
def base_form(word: str) -> str:
    """The infinitive of a past tense, such as `find` for `found`."""
    from lemminflect import getLemma

    for lemma in getLemma(word, "VERB"):
        if word in inflected(lemma, "VBD"):
            return str(lemma)
    raise NotApplicable(f"the infinitive of {word!r} is not known")


# Verbs that say what is so.
_STATES = frozenset(
    str.split(
        "be have know believe think understand remember forget doubt suppose mean matter seem "
        "appear sound look like dislike love hate prefer want need wish fear envy admire respect "
        "trust regret suspect own possess belong contain include consist depend deserve resemble "
        "equal weigh cost fit lack owe see hear feel smell taste concern involve require remain "
        "agree disagree stay keep live exist last advocate expect intend excel suit tend figure "
        "assume guess consider care mind enjoy appreciate stand differ excite energize annoy bore "
        "scare please interest surprise impress disgust amaze"
    )
)
# Verbs that say what is over as soon as it happens.
_MOMENTS = frozenset(
    str.split(
        "notice recognize recognise find realize realise let win lose reach decide discover spot "
        "accept manage fail happen become say get fall drop collapse crash break slip trip faint "
        "explode die kill receive catch hit steal forget end"
    )
)
# A clause that these introduce says when something is, and English has no continuous form there.
_WHEN = frozenset(str.split("when whenever after before until till once"))
_SUBORDINATE = _WHEN | frozenset(str.split("as while if unless whether though"))
# Words that put one thing after another.
_SEQUENCE = _WHEN | frozenset(
    str.split("then now soon later afterwards eventually finally suddenly immediately instantly")
)
_HABIT = frozenset(
    str.split("always never often usually rarely seldom sometimes regularly every each")
)


def is_event(verb: Token, lemma: str) -> bool:
    """Return True if the continuous form is natural: a single event, not a habit."""
    if not _happens(verb, lemma) or lemma in _MOMENTS:
        return False
    if lemma == "do" and not _has_object(verb):
        return False  # it stands for another verb
    if lemma == "turn" and _has_child(verb, "prt", ("out",)):
        return False
    if any(child.dep_ == "xcomp" and child.tag_ == "VBG" for child in verb.children):
        return False  # no «is starting falling»
    return not _is_dated(verb)


def is_told_in_sequence(doc: Doc) -> bool:
    """True where events of the past come one after another, or one is told with its outcome."""
    happening = [
        (verb, lemma)
        for token in finite_tokens(doc)
        if token.tag_ == "VBD"
        for verb, lemma in [_verb_and_lemma(token)]
        if _happens(verb, lemma)
    ]
    words = {token.lower_ for token in doc}
    lemmas = {lemma for _, lemma in happening}
    return (
        len(happening) > 1
        or bool(happening and words & _SEQUENCE)
        or bool(lemmas & {"try", "attempt"} and "but" in words)
        or any(verb.dep_ == "conj" and negation_of(verb) is not None for verb, _ in happening)
        # «is dancing and Ben does too» would not do
        or any(lemma == "do" and not _has_object(verb) for verb, lemma in happening)
    )


def _verb_and_lemma(token: Token) -> tuple[Token, str]:
    """The verb of a finite past word, and its infinitive; that of the auxiliary for a state."""
    verb = verb_of(token)
    if token is verb:
        return verb, base_form(token.lower_)
    if token.lower_ == "did":
        return verb, str(verb.lower_)
    is_told = token.dep_ == "auxpass" and verb.dep_ in ("ROOT", "conj")
    return verb, str(verb.lemma_) if is_told else "be"


def _happens(verb: Token, lemma: str) -> bool:
    """Return True for an action or event, rather than a state."""
    return lemma not in _STATES or (
        lemma == "look" and _has_child(verb, "prep", ("at", "for", "into"))
    )


def _has_object(verb: Token) -> bool:
    return any(child.dep_ == "dobj" for child in verb.children)


def _is_dated(verb: Token) -> bool:
    """Return True where a habit is told, or the event is tied to another in time."""
    chain = [verb]
    while chain[-1].dep_ == "conj":
        chain.append(chain[-1].head)
    clause = chain[-1]
    for link in chain:
        for child in link.children:
            is_adverb = child.dep_ in ("advmod", "npadvmod")
            if is_adverb and any(word.lower_ in _HABIT for word in child.subtree):
                return True
            if child.dep_ == "advcl" and child.i < link.i and marks_of(child) & _WHEN:
                return True
    if clause.dep_ == "relcl" and clause.head.lemma_ in ("time", "moment", "day"):
        return True
    return clause.dep_ == "advcl" and bool(marks_of(clause) & _SUBORDINATE)


def marks_of(verb: Token) -> set[str]:
    """The words that introduce a clause, among others."""
    return {child.lower_ for child in verb.children if child.dep_ in ("mark", "advmod")}


def _has_child(verb: Token, dep: str, words: tuple[str, ...]) -> bool:
    return any(child.dep_ == dep and child.lower_ in words for child in verb.children)


def is_reported_event(token: Token) -> bool:
    """True for «that he broke it» after «said»: it is past even when the saying is present."""
    return (
        token.dep_ == "ccomp"
        and token.i > token.head.i
        and token.tag_ == "VBD"
        and base_form(token.lower_) not in _STATES
    )
