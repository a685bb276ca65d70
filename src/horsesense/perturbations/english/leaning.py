"""What leans on a clause: other clauses that take their subject from it, or their verb.

«Tom lifted the box and ran»: in the passive the box would have run. «Tom saw it before Ann did»:
`did` means the active verb. And a pronoun is mostly taken to mean the subject before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horsesense.perturbations.english import passive
from horsesense.perturbations.rewriting import Rendering
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Token

_STRANDED = frozenset(
    str.split("do does did is are was were has have had can could will would should")
)
_PRONOUNS = frozenset({"he", "she", "it", "they"})
_HELPING = frozenset({"aux", "auxpass", "amod"})
_OPENING = frozenset(str.split("while when once though although if as"))
_COMPARING = frozenset({"than", "like", "unlike", "instead"})


def check_nothing_leans_on(verb: Token) -> None:
    """Refuse what would lose its subject, or would get another one."""
    if any(map(_leans_on_verb, verb.doc[verb.i + 1 : verb.sent.end])):
        raise NotApplicable("an ellipsis leans on the verb")
    _check_opening(verb)
    is_while = any(one.lower_ in ("while", "whereas") for one in verb.lefts)
    if verb.dep_ == "conj" or (verb.dep_ == "advcl" and is_while):
        raise NotApplicable("the clause is told beside another")
    for child in verb.children:
        _check_subject(child)
        if _is_complement(verb, child):
            raise NotApplicable("the object has a complement")


def _check_opening(verb: Token) -> None:
    """Refuse «feeling tired, Ann called Ben» and «once at home, Ann called Ben»."""
    subjects = [one for one in verb.lefts if one.dep_.startswith("nsubj")]
    if not subjects:
        return
    opening = verb.doc[verb.left_edge.i : subjects[0].left_edge.i]
    verbs = [word for word in opening if word.tag_.startswith("VB") and word.dep_ not in _HELPING]
    is_short = not verbs and "," in opening.text and opening[0].lower_ in _OPENING
    if is_short or not all(map(_has_subject, verbs)):
        raise NotApplicable("a participle leans on the subject")


def _check_subject(child: Token) -> None:
    """Refuse a dependent of the verb that has the subject of the verb."""
    has_subject = _has_subject(child)
    if child.dep_ == "conj" and not has_subject:
        raise NotApplicable("a second verb has the same subject")
    if child.dep_ == "advcl" and not has_subject and not _is_infinitive(child):
        raise NotApplicable("a participle leans on the subject")
    if child.dep_ == "prep" and any(one.dep_ == "pcomp" for one in child.children):
        raise NotApplicable("a participle leans on the subject")
    if child.dep_ == "ccomp" and any(
        one.dep_ == "conj" and not _has_subject(one) for one in child.children
    ):
        raise NotApplicable("a second verb has the same subject")


def _is_complement(verb: Token, child: Token) -> bool:
    """True for what is said of the object, other than what it is asked or told to do."""
    if child.dep_ in ("oprd", "acomp", "attr"):
        return True
    if child.dep_ not in ("xcomp", "ccomp", "advcl") or child.i < verb.i:
        return False
    if child.dep_ == "advcl" and _is_infinitive(child) and not _has_subject(child):
        return verb.lemma_ not in passive.OBJECT_CONTROL
    if child.dep_ == "advcl":
        return False
    is_said = _has_subject(child) and any(one.dep_ == "mark" for one in child.lefts)
    return verb.lemma_ not in passive.OBJECT_CONTROL or not (is_said or _is_infinitive(child))


def _has_subject(verb: Token) -> bool:
    return any(one.dep_.startswith(("nsubj", "expl")) for one in verb.children)


def _is_infinitive(verb: Token) -> bool:
    return any(one.tag_ == "TO" for one in verb.lefts)


def _leans_on_verb(word: Token) -> bool:
    """True for `did` in `before Ann did`, `not` in `but not Ann`: they mean the active verb."""
    if word.lower_ in _COMPARING:
        return word.tag_ == "IN" or word.doc[word.i + 1 : word.i + 2].text == "of"
    if word.lower_ in ("before", "after") and word.dep_ == "prep":
        return any(one.tag_ == "NNP" for one in word.children)
    before = word.nbor(-1)
    if word.lower_ == "not" and before.lower_ in ("but", "and", ","):
        return True
    if word.lower_ == "as" and any(one.lower_ == "as" for one in word.doc[word.i - 2 : word.i]):
        return True
    if word.lower_ not in _STRANDED or word.tag_[:2] not in ("VB", "MD"):
        return False
    following = word.doc[word.i + 1 : word.i + 3]
    is_negated = len(following) == 2 and following[0].dep_ == "neg"
    after = following[1 if is_negated else 0 :]
    return (
        not after
        or after[0].is_punct
        or after[0].lower_ == "because"
        or (is_negated and after[0].lower_ in ("so", "since", "as", "but", "and"))
    )


def check_pronouns(shown: Rendering, verb: Token) -> None:
    """Refuse a pronoun after the verb that would seem to mean another; the target is meant to."""
    targets = {one.start for one in shown.pieces("target")}
    for word in verb.doc[verb.i + 1 :]:
        is_subject = word.lower_ in _PRONOUNS and word.dep_ == "nsubj"
        if (is_subject or _is_owner(verb, word)) and word.idx not in targets:
            raise NotApplicable("a pronoun would seem to mean another")


def _is_owner(verb: Token, word: Token) -> bool:
    """True for `his` in «asked Ben for his book», in no clause with a subject of its own."""
    if word.lower_ not in ("his", "her", "its", "their") or word.dep_ != "poss":
        return False
    for one in word.ancestors:
        if one == verb or _has_subject(one):
            return bool(one == verb)
    return False
