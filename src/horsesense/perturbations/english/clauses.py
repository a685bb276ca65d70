"""A clause as the parser reads it: its verb, its subject, its object, and where they end.

What is not sure to be read rightly is refused, and so is a clause on which others lean: those
that have no subject, or no verb, of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from horsesense.perturbations.english import passive
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.verbs import Tense
from horsesense.perturbations.rewriting import Rendering
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

# Prepositions that go with the verb, whatever noun the parser gives them to.
_DIRECTIONS = frozenset(str.split("to into onto from through toward towards off across at"))
_RELATIVES = frozenset({"WP", "WDT", "WP$", "WRB"})
_NO_SUBJECTS = frozenset({"WP", "WDT", "EX", "WP$"})
_AUXILIARIES = frozenset({"aux", "auxpass", "neg"})
_CLAUSES = frozenset({"conj", "advcl", "ccomp"})
_INNER_CLAUSES = frozenset({"relcl", "acl", "appos"})


class VerbGroup(NamedTuple):
    """A verb with its auxiliaries; `leading` are adverbs before all of them."""

    words: Span
    leading: tuple[str, ...]
    auxiliaries: tuple[str, ...]
    adverbs: tuple[str, ...]


class Clause(NamedTuple):
    """A clause in a rendering: a verb, its subject, and all that stands between the two."""

    shown: Rendering
    verb: Token
    subject: Span
    group: VerbGroup


def verbs_of_clauses(text: str) -> Iterator[Token]:
    """The main verbs, then those of other clauses that may have a subject of their own."""
    doc = parse(text)
    yield from (token for token in doc if token.dep_ == "ROOT")
    yield from (token for token in doc if token.dep_ in _CLAUSES and token.tag_.startswith("VB"))


def read_clause(shown: Rendering, verb: Token) -> Clause:
    """The clause of a verb, if it has a subject and the verb is one that could have an object."""
    subjects = [one for one in verb.lefts if one.dep_ in ("nsubj", "nsubjpass")]
    if len(subjects) != 1 or subjects[0].tag_ in _NO_SUBJECTS:
        raise NotApplicable("the clause has no subject of its own")
    if not verb.tag_.startswith("VB") or verb.lemma_ == "be":
        raise NotApplicable("not transitive")
    subject = _whole(subjects[0])
    group = _group(shown, verb, subject)
    if not group.auxiliaries and verb.tag_ not in ("VBD", "VBZ", "VBP"):
        raise NotApplicable("the form of the verb is not known")
    return Clause(shown, verb, subject, group)


def _whole(head: Token) -> Span:
    """A noun phrase with all that the parser gives to it, if that is simple."""
    whole = head.doc[head.left_edge.i : head.right_edge.i + 1]
    if any(word.text in ",;:()" or word.dep_ in _INNER_CLAUSES for word in whole):
        raise NotApplicable("a clause stands in the subject")
    return whole


def _group(shown: Rendering, verb: Token, subject: Span) -> VerbGroup:
    """The verb and all that stands between it and its subject."""
    leading: list[str] = []
    auxiliaries: list[str] = []
    adverbs: list[str] = []
    words = verb.doc[subject.end : verb.i + 1]
    for word in words[:-1]:
        is_adverb = word.dep_ == "advmod" or word.lower_ == "never"
        if word.head == verb and word.dep_ in _AUXILIARIES and not is_adverb:
            auxiliaries.append(word.text)
        elif word.head == verb and is_adverb and word.tag_ == "RB":
            (adverbs if auxiliaries else leading).append(word.text)
        else:
            raise NotApplicable("something stands between subject and verb")
    held = shown.segment_at(words.start_char, words.end_char)
    if held is None or held.piece != "text":
        raise NotApplicable("the verb is a key phrase")
    if any(one.dep_ in _AUXILIARIES and one.i < words.start for one in verb.lefts):
        raise NotApplicable("a question")
    if not auxiliaries:
        leading, adverbs = [], leading
    return VerbGroup(words, tuple(leading), tuple(auxiliaries), tuple(adverbs))


def tense_of_clause(clause: Clause) -> Tense:
    """The tense of a verb without auxiliaries; `they put` could be either."""
    verb, head = clause.verb, clause.subject.root
    is_open = verb.lower_ == verb.lemma_ and passive.is_form(verb.text, verb.lemma_, "VBD")
    if not is_open:
        return Tense.PAST if verb.tag_ == "VBD" else Tense.PRESENT
    if head.lower_ not in ("i", "you") and not passive.is_plural(head):
        return Tense.PAST  # without an -s
    if any(one.tag_ == "VBD" and one != verb for one in verb.doc):
        return Tense.PAST
    raise NotApplicable("the tense of the verb is not plain")


def object_of(clause: Clause) -> Token:
    """The head of the object, which may be that of a preposition."""
    verb = clause.verb
    objects = [one for one in verb.rights if one.dep_ == "dobj"]
    if not objects:
        word = verb.doc[min(verb.i + 1, len(verb.doc) - 1)]
        if (verb.lemma_, word.lower_) in passive.PREPOSITIONAL and word.head == verb:
            objects = [one for one in word.rights if one.dep_ == "pobj"]
    if len(objects) != 1:
        raise NotApplicable("not transitive")
    return objects[0]


def phrase_of(shown: Rendering, head: Token) -> Span:
    """The noun phrase of a head, as far as it is sure to belong to it."""
    return head.doc[head.left_edge.i : _last_word(shown, head) + 1]


def _last_word(shown: Rendering, head: Token) -> int:
    marked = shown.segment_at(head.idx, head.idx + len(head))
    bound = marked.end if marked is not None and marked.piece == "candidate" else 0
    end = head.i
    for word in head.rights:
        if word.idx < bound:
            end = word.right_edge.i
        elif word.dep_ in ("cc", "case"):
            end = word.i
        elif word.lower_ == "of" or word.dep_ == "conj":
            kids = list(word.rights) if word.lower_ == "of" else [word]
            end = max([word.i, *(_last_word(shown, kid) for kid in kids)])
        elif word.lower_ not in _DIRECTIONS and word.dep_ != "punct":
            raise NotApplicable("where the object ends is not plain")
        else:
            break
    following = [word for word in head.doc[end + 1 : end + 3] if not word.is_punct]
    if following and following[0].tag_ in _RELATIVES:
        raise NotApplicable("where the object ends is not plain")
    return end


def child_of(word: Token, dependency: str) -> Token | None:
    """The first of the words that depend on a word in that way."""
    return next((one for one in word.children if one.dep_ == dependency), None)


def is_particle(verb: Token, word: Token) -> bool:
    """True for `away` in `threw the rag away`; `out of the box` and `up the hill` go on."""
    if word.head != verb or word.lower_ not in passive.PARTICLES:
        return False
    following = word.nbor() if word.i + 1 < len(word.doc) else None
    if following is None or following.is_punct:
        return True
    return following.tag_ in ("IN", "TO", "CC", "RB", "WRB") and following.lower_ != "of"


def may_precede_object(lemma: str, word: Token) -> bool:
    """True for `out` in `took out the bin`, not for `off` in `ran off the road`."""
    if (lemma, word.lower_) in passive.PREPOSITIONAL:
        return True
    if word.dep_ != "prt" or lemma in passive.MOTION:
        return False
    return word.lower_ in ("out", "up", "away", "back") or lemma in ("turn", "switch", "take")
