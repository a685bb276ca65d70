"""What is said of a noun that has another number: its verbs, and the nouns that name it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horsesense.perturbations.english.nouns import Number, renumbered, replaced
from horsesense.perturbations.english.pronouns import is_plural_pronoun
from horsesense.perturbations.english.verbs import FINITE_TAGS
from horsesense.perturbations.rewriting import Edit
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "csubjpass", "expl"})
_VERBS = frozenset({"VERB", "AUX"})
_TO_PLURAL = {"is": "are", "was": "were", "has": "have", "does": "do"}
_TO_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_RELATIVES = frozenset({"which", "who", "that"})


def agreeing_edits(doc: Doc, changed: set[int], to: Number) -> list[Edit]:
    """The edits of the verbs whose subject has changed, and of what it is said to be."""
    edits: list[Edit] = []
    for token in doc:
        if to is Number.SINGULAR:
            _check_coordinated(token)
        new = _agreeing_form(token, to)
        if new is None:
            continue
        verb = token.head if token.dep_ in ("aux", "auxpass") else token
        subject = _subject(verb)
        if subject is None:
            raise NotApplicable(f"the subject of {token.lower_!r} is not clear")
        if subject.i not in changed:
            _check_neighbour(token, changed)
            continue
        if _is_coordinated(subject):
            continue
        if token.text.startswith(("'", "’")):
            raise NotApplicable(f"{token.text!r} is a contraction")
        edits.append(replaced(token, new))
    return edits


def predicate_edits(doc: Doc, changed: set[int], to: Number) -> list[Edit]:
    """The edits of the nouns that say what a changed subject is, or name it once more."""
    edits: list[Edit] = []
    for token in doc:
        if token.i in changed or not _may_follow(token, to):
            continue
        if token.dep_ == "pobj" and token.head.lower_ in ("as", "like"):
            raise NotApplicable(f"{token.head.lower_!r} before a noun")
        if token.dep_ == "attr":
            subject = _remote_subject(token.head)
            if subject is None:
                raise NotApplicable(f"of whom {token.lower_!r} is said is not clear")
        elif token.dep_ == "appos":
            subject = token.head
        else:
            continue
        # Of one person of whom «they» is said it may be one already.
        if subject.i not in changed and not is_plural_pronoun(subject.text):
            continue
        has_determiner = any(child.dep_ in ("det", "poss") for child in token.children)
        if has_determiner or to is Number.SINGULAR:
            edits += renumbered(token, to)
    return edits


def _may_follow(noun: Token, to: Number) -> bool:
    """True for a noun that has the number which the subject had; «a Dane» is one too."""
    if to is Number.SINGULAR or noun.tag_ == "NN":
        return noun.tag_ == ("NNS" if to is Number.SINGULAR else "NN")
    return noun.tag_ == "NNP" and any(child.lower_ in ("a", "an") for child in noun.children)


def _agreeing_form(token: Token, to: Number) -> str | None:
    """What a verb would be if its subject had the other number; None where it would not change."""
    table = _TO_PLURAL if to is Number.PLURAL else _TO_SINGULAR
    word = token.lower_
    if token.pos_ not in _VERBS or token.tag_ not in FINITE_TAGS:
        return None
    if word in table:
        return table[word]
    if word in ("'s", "’s", "'re", "’re", "'ve", "’ve"):
        return word
    if token.tag_ != ("VBZ" if to is Number.PLURAL else "VBP") or word == "am":
        return None
    from lemminflect import getInflection, getLemma

    lemma = getLemma(word, upos="VERB")[0]
    return lemma if to is Number.PLURAL else str(getInflection(lemma, "VBZ")[0])


def _subject(verb: Token) -> Token | None:
    """The noun or pronoun that a verb agrees with."""
    for child in verb.children:
        if child.dep_ not in _SUBJECTS:
            continue
        if child.dep_ == "expl" and child.lower_ == "there":
            late = [one for one in verb.children if one.dep_ in ("attr", "nsubj", "dobj")]
            return late[0] if late else None
        if _is_relative(child):
            return _antecedent(verb)
        return child
    if verb.dep_ == "conj" and verb.head.pos_ in _VERBS:
        return _subject(verb.head)
    return None


def _is_relative(subject: Token) -> bool:
    """True for a subject that stands for the noun before its clause.

    A second `that` («that lives here and that sleeps there») often is something else to the parser.
    """
    if subject.lower_ not in _RELATIVES:
        return False
    if subject.lower_ != "that" or subject.tag_ != "DT":
        return True
    before = subject.doc[subject.sent.start : subject.i]
    return bool(before) and before[-1].tag_ == "CC" and any(one.tag_ == "WDT" for one in before)


def _remote_subject(verb: Token) -> Token | None:
    """The subject of a verb, or of the verb that it depends on («wants to be a nurse»)."""
    while (subject := _subject(verb)) is None and verb.dep_ in ("xcomp", "advcl", "conj"):
        verb = verb.head
        if any(child.dep_ == "dobj" for child in verb.children):
            return None
    return subject


def _antecedent(verb: Token) -> Token | None:
    """The noun that a relative clause belongs to; any other `who` is a question."""
    while verb.dep_ == "conj":
        verb = verb.head
    return verb.head if verb.dep_ == "relcl" else None


def _check_coordinated(verb: Token) -> None:
    """Refuse a verb after `and` that looks like an infinitive and may be a plural."""
    if verb.tag_ == "VB" and verb.dep_ == "conj" and verb.head.tag_ in ("VBN", "VBD", "VBP"):
        raise NotApplicable(f"the form of {verb.lower_!r} is not clear")


def _check_neighbour(verb: Token, changed: set[int]) -> None:
    """Refuse a verb right after a changed noun whose subject seems to be another: who knows?"""
    before = verb.nbor(-1) if verb.i else verb
    if before.i in changed and before.tag_ != "PRP$":
        raise NotApplicable(f"the subject of {verb.lower_!r} is not clear")


def _is_coordinated(subject: Token) -> bool:
    """True for a subject of several nouns, whose number does not hang on one of them."""
    joins = [child.lower_ for child in subject.children if child.dep_ == "cc"]
    if joins and joins[0] != "and":
        raise NotApplicable(f"{joins[0]!r} joins two subjects")
    return bool(joins)
