"""The object of an active verb as the subject of the passive: which one, and in what form.

Of two objects one is promoted and the other stays, and so does a goal. Nothing in the promoted
object may depend on the old subject, which then comes after it; and it has to be known already,
as subjects are: not «a cup was washed by Ann», not «TV was watched by Ann».

The frame is cut where its rendering is; a placeholder or a candidate moves as a whole, or not at
all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from horsesense.perturbations.rewriting import Edit, Rendering
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import Candidate, Frame, Part, Slot

if TYPE_CHECKING:
    from spacy.tokens import Span
from typing import TYPE_CHECKING, NamedTuple

from horsesense.perturbations.english import passive
from horsesense.perturbations.english.passive import (
    Clause,
    child_of,
    is_particle,
    may_precede_object,
    object_of,
    phrase_of,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A frame, and the rendering that says which stretch of a text came from which part of it."""

    frame: Frame
    shown: Rendering

    def cut(self, start: int, end: int, edits: Sequence[Edit] = ()) -> list[Part]:
        """The parts of the frame that a stretch of the rendering came from, after the edits."""
        parts: list[Part] = []
        for segment in self.shown.segments:
            first, last = max(start, segment.start), min(end, segment.end)
            if first > last or (first == last and not start <= segment.start == segment.end < end):
                continue
            if segment.piece != "text" and (first, last) != (segment.start, segment.end):
                raise NotApplicable("a candidate is not exactly one noun phrase")
            part, text = self.frame[segment.part], self.shown.text[first:last]
            for edit in edits:
                if first <= edit.start and edit.end <= last:
                    text = text[: edit.start - first] + edit.text + text[edit.end - first :]
            parts.append(part if isinstance(part, Slot) else _with_text(part, text))
        return parts

    def noun_phrase(
        self, whole: Span, cases: Mapping[str, str], edits: Sequence[Edit] = ()
    ) -> list[Part]:
        """The parts of a noun phrase that is to move; a pronoun in its new case."""
        if "," in whole.text or whole[-1].dep_ == "cc":
            raise NotApplicable("it is unclear where the object ends")
        for piece in ("target", "answer", "truth"):
            for segment in self.shown.pieces(piece):
                if segment.start < whole.end_char and whole.start_char < segment.end:
                    raise NotApplicable("the target would move")
        if len(whole) == 1 and whole.text.lower() in cases:
            edits = [Edit(whole.start_char, whole.end_char, cases[whole.text.lower()])]
        return self.cut(whole.start_char, whole.end_char, edits)


def with_first_letter(parts: Sequence[Part], *, upper: bool) -> list[Part]:
    """The parts with a capital at their start, or without; a placeholder's comes with filling."""
    first, *rest = parts
    if isinstance(first, Slot):
        return [first, *rest]
    text = first if isinstance(first, str) else first.text
    text = (text[:1].upper() if upper else text[:1].lower()) + text[1:]
    return [_with_text(first, text), *rest]


def count_slots(parts: Sequence[Part]) -> int:
    """How many placeholders there are."""
    return sum(isinstance(part, Slot) for part in parts)


def _with_text(part: str | Candidate, text: str) -> str | Candidate:
    return text if isinstance(part, str) else Candidate(part.number, text)


_THIRD_PERSON = frozenset(str.split("his her its their he she it they him them"))
_PARTNERS = frozenset({"me", "us", "you"})
# What these introduce after the object belongs to the verb.
_GOALS = frozenset(str.split("to into onto from toward towards through across off up down"))
# What these introduce may belong to the verb or to the object.
_PLACES = frozenset(str.split("in on inside under behind near beside above below as over at"))
_NEW = frozenset(str.split("a an some several another many few two three four five"))
# A negation or a change of order would change what these say.
_QUANTIFIERS = frozenset(
    str.split(
        "any anything anyone anybody no nothing nobody none every everything everyone everybody "
        "all each either neither both few only much many most"
    )
)
_UNKNOWN = frozenset(
    str.split("no nothing nobody none any anyone anything someone somebody something")
)
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "PRP", "DT", "CD"})
# A noun phrase starts with one of these.
_STARTS = frozenset({"DT", "PRP$", "CD", "JJ", "NN", "NNS", "NNP"})


class Promotion(NamedTuple):
    """The new subject, the text after the verb, and the end of the moved part.

    `end` counts words.
    """

    head: Token
    whole: Span
    after: list[Part]
    end: int


def promotion(parts: ShownFrame, clause: Clause) -> Promotion:
    """The object that is promoted, and what else belongs to the verb."""
    promoted = _promotion(parts, clause)
    doc, end = clause.verb.doc, promoted.end
    after = [*promoted.after]
    while end < len(doc) and doc[end].lower_ in _GOALS and doc[end].dep_ in ("prep", "dative"):
        goal = doc[end : doc[end].right_edge.i + 1]
        # «the gift from Ann»: what someone gives may be said to be from them.
        is_giver = goal[0].lower_ == "from" and goal[-1].tag_ == "NNP"
        if is_giver or any(_is_odd_in_goal(word) for word in goal):
            raise NotApplicable("it is unclear where the agent would go")
        after += [" ", *parts.cut(goal.start_char, goal.end_char)]
        end = goal.end
    if end < len(doc) and _would_be_cut_off(clause, promoted.head, doc[end]):
        raise NotApplicable("it is unclear where the agent would go")
    return promoted._replace(after=after, end=end)


def _would_be_cut_off(clause: Clause, head: Token, word: Token) -> bool:
    """Return True for a word after the object that the agent would part from where it belongs."""
    if word.head == clause.verb and word.tag_ in ("RB", "RBR"):
        return word.dep_ != "neg"
    if word.dep_ != "prep":
        return False
    if clause.verb.lemma_ in passive.PLACING:
        return True
    is_of_verb = (
        head.text.istitle()
        or head.pos_ == "PRON"
        or any(token.lower_ in _THIRD_PERSON or token.tag_ == "CD" for token in word.subtree)
    )
    return word.lower_ in _PLACES and not is_of_verb


def _is_odd_in_goal(word: Token) -> bool:
    """True for a pronoun, which would come before the agent, and for more than a noun phrase."""
    return word.lower_ in _THIRD_PERSON or word.is_punct or word.tag_[:2] in ("VB", "WD", "WP")


def _promotion(parts: ShownFrame, clause: Clause) -> Promotion:
    verb = clause.verb
    head, doc = object_of(clause), verb.doc
    whole = phrase_of(clause.shown, head)
    receiver = child_of(verb, "dative")
    if receiver is not None:
        return _of_two_objects(parts, verb, receiver, whole)
    lemma, between = verb.lemma_.lower(), doc[verb.i + 1 : whole.start]
    if len(between) == 1 and may_precede_object(lemma, between[0]):
        return Promotion(head, whole, [f" {between.text}"], whole.end)
    if between:
        raise NotApplicable("something comes between verb and object")
    following = doc[whole.end] if whole.end < len(doc) else None
    if following is not None and is_particle(verb, following):
        return Promotion(head, whole, [f" {following.text}"], whole.end + 1)
    if following is not None and following.tag_ in _STARTS and lemma in passive.GIVING:
        raise NotApplicable("two objects")  # of which the parser has seen one
    return Promotion(head, whole, [], whole.end)


def _of_two_objects(parts: ShownFrame, verb: Token, receiver: Token, gift: Span) -> Promotion:
    lemma, doc = verb.lemma_, verb.doc
    whole = doc[receiver.left_edge.i : receiver.right_edge.i + 1]
    if (whole.start, whole.end) != (verb.i + 1, gift.start):
        if receiver.tag_ in ("IN", "TO"):
            return Promotion(gift.root, gift, [], gift.end)  # «gave a ring to Ann»
        raise NotApplicable("two objects")
    if lemma in passive.PROMOTES_RECEIVER:
        return Promotion(receiver, whole, [" ", *parts.noun_phrase(gift, {})], gift.end)
    following = doc[gift.end].lower_ if gift.end < len(doc) else ""
    if lemma in passive.PROMOTES_GIFT and following != "to":
        return Promotion(gift.root, gift, [" to ", *parts.noun_phrase(whole, {})], gift.end)
    raise NotApplicable("two objects")


def as_subject(parts: ShownFrame, clause: Clause, head: Token, whole: Span) -> list[Part]:
    """The object as the new subject; nothing in it may depend on the old one."""
    _check_object(clause, head, whole)
    if len(whole) == 1 and head.lower_ in _PARTNERS:
        return parts.noun_phrase(whole, passive.NOMINATIVE)
    if any(word.lower_ in _THIRD_PERSON for word in whole):
        raise NotApplicable("a pronoun would come before what it refers to")
    if _is_new(clause.shown, head):
        if head.tag_ != "NNS" and not _is_counted(head):
            raise NotApplicable("the object has no article")
        agent = clause.subject.root
        if agent.tag_[:3] == "NNP" or not _is_new(clause.shown, agent):
            raise NotApplicable("something new would be the subject")
    return parts.noun_phrase(whole, {})


def _is_new(rendering: Rendering, head: Token) -> bool:
    """Return True for something new to the reader: `a cup`, `cups`, `tea`; not for a name."""
    if _is_counted(head):
        return True
    if any(child.dep_ in ("det", "poss", "predet") for child in head.lefts):
        return False
    if head.tag_ in ("DT", "CD", "PRP") or head.pos_ == "PRON":
        return False
    is_candidate = any(
        segment.start <= head.idx < segment.end for segment in rendering.pieces("candidate")
    )
    return not (is_candidate and head.text.istitle() and head.tag_ != "NNS")


def _is_counted(head: Token) -> bool:
    return any(child.lower_ in _NEW for child in head.lefts)


def _check_object(clause: Clause, head: Token, whole: Span) -> None:
    """Refuse a word that is not an object, or that changes its meaning as the subject."""
    words = {word.lower_ for word in whole}
    if head.lower_.endswith(("self", "selves")) or head.lower_ in ("other", "another"):
        raise NotApplicable("a reflexive object")
    if "n't" in clause.group.auxiliaries or "not" in clause.group.auxiliaries:
        words |= {word.lower_ for word in clause.subject}
        if words & _QUANTIFIERS:
            raise NotApplicable("a quantifier and a negation")
    if words & _UNKNOWN:
        raise NotApplicable("something new would be the subject")
    names = {word.text for word in whole if word.tag_[:3] == "NNP"}
    if names & {word.text for word in clause.subject}:
        raise NotApplicable("a name would occur twice")
    if head.lemma_ in passive.MEASURES or head.tag_ not in _NOUNS or whole.text == "one":
        raise NotApplicable("not transitive")
    if any(_ends_candidate(clause.shown, word) for word in whole if word.i < head.i):
        raise NotApplicable("two objects")


def _ends_candidate(rendering: Rendering, word: Token) -> bool:
    """Return True for the end of a candidate that owns nothing: `Ann` in `gave Ann flowers`."""
    end = word.idx + len(word)
    return any(segment.end == end for segment in rendering.pieces("candidate")) and (
        word.nbor().tag_ not in ("POS", "CC", "IN")
    )
