"""What verbs tell: events, which may be in the continuous form, states, and habits.

No «is knowing» and no «is noticing»; and what is told of every day, or tied to another event in
time, is not going on either. Where one event comes after another none of them is going on: a story
in the present is told in its simple form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horsesense.perturbations.english.verbs import base_form, finite_tokens, negation_of, verb_of

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

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
    """True where the continuous form is natural: an event, told for itself, that is no habit."""
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
    """True for what is done or comes about, rather than is so."""
    return lemma not in _STATES or (
        lemma == "look" and _has_child(verb, "prep", ("at", "for", "into"))
    )


def _has_object(verb: Token) -> bool:
    return any(child.dep_ == "dobj" for child in verb.children)


def _is_dated(verb: Token) -> bool:
    """True where a habit is told, or the event is tied to another in time."""
    chain = [verb]
    while chain[-1].dep_ == "conj":
        chain.append(chain[-1].head)
    clause = chain[-1]
    for one in chain:
        for child in one.children:
            is_adverb = child.dep_ in ("advmod", "npadvmod")
            if is_adverb and any(word.lower_ in _HABIT for word in child.subtree):
                return True
            if child.dep_ == "advcl" and child.i < one.i and marks_of(child) & _WHEN:
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
