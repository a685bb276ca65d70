"""The other voice: `the man lifted the box` becomes `the box was lifted by the man`, and back.

Subject and object change places, with whatever is marked in them: a candidate keeps its number. The
clause is found by parsing a rendering, the frame is cut where the rendering says, and it is put
together again in the new order. What is not sure to be English afterwards is left alone.

A clause is refused if others depend on it. «Tom lifted the box and ran»: in the passive the box
would have run. «Tom saw it before Ann did»: `did` means the active verb. And a pronoun is mostly
taken to mean the subject before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horsesense.perturbations.english import passive
from horsesense.perturbations.rewriting import Rendering
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Token
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from horsesense.perturbations.english.passive import (
    Clause,
    child_of,
    phrase_of,
    read_clause,
    tense_of_clause,
    verbs_of_clauses,
)
from horsesense.perturbations.english.promotion import (
    ShownFrame,
    as_subject,
    count_slots,
    promotion,
    with_first_letter,
)
from horsesense.perturbations.english.verbs import Tense
from horsesense.perturbations.rewriting import renderings
from horsesense.perturbations.transformation import Rewriting, Settings
from horsesense.schema import (
    Candidate,
    Entry,
    Frame,
    LooseProblem,
    Part,
    Schema,
    is_finished_text,
    join_parts,
    names_inside,
    opens_sentences,
    starts_sentence,
)

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


_STRANDED = frozenset(
    str.split("do does did is are was were has have had can could will would should")
)
_PRONOUNS = frozenset({"he", "she", "it", "they"})
_HELPING = frozenset({"aux", "auxpass", "amod"})
_OPENING = frozenset(str.split("while when once though although if as"))
_COMPARING = frozenset({"than", "like", "unlike", "instead"})


def check_nothing_leans_on(verb: Token) -> None:
    """Refuse a clause that would lose its subject or get another one."""
    if any(map(_leans_on_verb, verb.doc[verb.i + 1 : verb.sent.end])):
        raise NotApplicable("an ellipsis depends on the verb")
    _check_opening(verb)
    is_while = any(token.lower_ in ("while", "whereas") for token in verb.lefts)
    if verb.dep_ == "conj" or (verb.dep_ == "advcl" and is_while):
        raise NotApplicable("the clause is coordinated with another")
    for child in verb.children:
        _check_subject(child)
        if _is_complement(verb, child):
            raise NotApplicable("the object has a complement")


def _check_opening(verb: Token) -> None:
    """Refuse «feeling tired, Ann called Ben» and «once at home, Ann called Ben»."""
    subjects = [token for token in verb.lefts if token.dep_.startswith("nsubj")]
    if not subjects:
        return
    opening = verb.doc[verb.left_edge.i : subjects[0].left_edge.i]
    verbs = [word for word in opening if word.tag_.startswith("VB") and word.dep_ not in _HELPING]
    is_short = not verbs and "," in opening.text and opening[0].lower_ in _OPENING
    if is_short or not all(map(_has_subject, verbs)):
        raise NotApplicable("a participle depends on the subject")


def _check_subject(child: Token) -> None:
    """Refuse a dependent of the verb that has the subject of the verb."""
    has_subject = _has_subject(child)
    if child.dep_ == "conj" and not has_subject:
        raise NotApplicable("a second verb has the same subject")
    if child.dep_ == "advcl" and not has_subject and not _is_infinitive(child):
        raise NotApplicable("a participle depends on the subject")
    if child.dep_ == "prep" and any(token.dep_ == "pcomp" for token in child.children):
        raise NotApplicable("a participle depends on the subject")
    if child.dep_ == "ccomp" and any(
        token.dep_ == "conj" and not _has_subject(token) for token in child.children
    ):
        raise NotApplicable("a second verb has the same subject")


def _is_complement(verb: Token, child: Token) -> bool:
    """Return True for what is said of the object, other than what it is asked or told to do."""
    if child.dep_ in ("oprd", "acomp", "attr"):
        return True
    if child.dep_ not in ("xcomp", "ccomp", "advcl") or child.i < verb.i:
        return False
    if child.dep_ == "advcl" and _is_infinitive(child) and not _has_subject(child):
        return verb.lemma_ not in passive.OBJECT_CONTROL
    if child.dep_ == "advcl":
        return False
    is_said = _has_subject(child) and any(token.dep_ == "mark" for token in child.lefts)
    return verb.lemma_ not in passive.OBJECT_CONTROL or not (is_said or _is_infinitive(child))


def _has_subject(verb: Token) -> bool:
    return any(token.dep_.startswith(("nsubj", "expl")) for token in verb.children)


def _is_infinitive(verb: Token) -> bool:
    return any(token.tag_ == "TO" for token in verb.lefts)


def _leans_on_verb(word: Token) -> bool:
    """True for `did` in `before Ann did`, `not` in `but not Ann`: they mean the active verb."""
    if word.lower_ in _COMPARING:
        return word.tag_ == "IN" or word.doc[word.i + 1 : word.i + 2].text == "of"
    if word.lower_ in ("before", "after") and word.dep_ == "prep":
        return any(token.tag_ == "NNP" for token in word.children)
    before = word.nbor(-1)
    if word.lower_ == "not" and before.lower_ in ("but", "and", ","):
        return True
    if word.lower_ == "as" and any(token.lower_ == "as" for token in word.doc[word.i - 2 : word.i]):
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


def check_pronouns(rendering: Rendering, verb: Token) -> None:
    """Refuse a pronoun after the verb that would seem to mean another; the target is meant to."""
    targets = {segment.start for segment in rendering.pieces("target")}
    for word in verb.doc[verb.i + 1 :]:
        is_subject = word.lower_ in _PRONOUNS and word.dep_ == "nsubj"
        if (is_subject or _is_owner(verb, word)) and word.idx not in targets:
            raise NotApplicable("a pronoun would seem to refer to another candidate")


def _is_owner(verb: Token, word: Token) -> bool:
    """Return True for `his` in «asked Ben for his book», in no clause with a subject of its own."""
    if word.lower_ not in ("his", "her", "its", "their") or word.dep_ != "poss":
        return False
    for token in word.ancestors:
        if token == verb or _has_subject(token):
            return bool(token == verb)
    return False


class _Order(NamedTuple):
    """The order of a turned clause: new subject, verb, rest, the other noun phrase.

    `end` is where in the rendering all of that ended before.
    """

    front: Sequence[Part]
    verb: str
    after: Sequence[Part]
    back: Sequence[Part]
    end: int


def propose_voice(entry: Entry, settings: Settings) -> Rewriting:
    """The schema in the passive voice, or in the active if it was in the passive."""
    grid = entry.grid
    if not grid.is_winograd:
        raise NotApplicable("there is no target")
    rendered = renderings(grid)
    if isinstance(grid, Schema):
        names = _names(grid)
        (frame, how), other = (_voiced(grid.frame, rendering, names) for rendering in rendered)
        if (frame, how) != other:
            raise NotApplicable("the two problems would differ in more than their key phrases")
        return Rewriting(replace(grid, frame=frame, verbatim=False), how)
    done = [
        _voiced(row.frame, rendering, _names(row))
        for row, rendering in zip(grid.rows, rendered, strict=True)
    ]
    rows = [
        replace(row, frame=frame, verbatim=False)
        for row, (frame, _) in zip(grid.rows, done, strict=True)
    ]
    return Rewriting(replace(grid, rows=tuple(rows)), done[0][1])


def _names(owner: Schema | LooseProblem) -> frozenset[str]:
    """The first words of answers with a capital that an article would not have."""
    answers = [phrase for value in owner.answers.values for phrase in value]
    return frozenset(
        answer.split()[0].removesuffix("'s")
        for answer in answers
        if answer[:1].isupper() and not opens_sentences(answer)
    )


def _voiced(frame: Frame, rendering: Rendering, names: frozenset[str]) -> tuple[Frame, str]:
    """The frame with its first clause that has another voice in that voice, and the two verbs."""
    reasons = []
    for number, verb in enumerate(verbs_of_clauses(rendering.text)):
        try:
            clause = read_clause(rendering, verb)
            return _turned(frame, clause, names, needs_candidate=number > 0)
        except NotApplicable as error:
            reasons.append(error)
    raise reasons[0] if reasons else NotApplicable("no suitable verb was found")


def _turned(
    frame: Frame, clause: Clause, names: frozenset[str], *, needs_candidate: bool
) -> tuple[Frame, str]:
    """The frame with this clause in the other voice, and the old and the new verb."""
    parts = ShownFrame(frame, clause.shown)
    is_passive = child_of(clause.verb, "auxpass") is not None
    order = _active_order(parts, clause) if is_passive else _passive_order(parts, clause)
    check_nothing_leans_on(clause.verb)
    check_pronouns(clause.shown, clause.verb)
    moved = (*order.front, *order.after, *order.back)
    if needs_candidate and not any(isinstance(part, Candidate) for part in moved):
        raise NotApplicable("no candidate is in the clause")
    start, text = clause.subject.start_char, clause.shown.text
    if starts_sentence(text[:start]):
        order = _in_sentence(order, text, _is_name(clause.subject, names | names_inside(text)))
    if text[order.end :].startswith((" and ", " or ")):
        raise NotApplicable(
            "the agent would seem to continue into the next words"
        )  # by Ann and Bea sang
    before, rest = parts.cut(0, start), parts.cut(order.end, len(text) + 1)
    new = [*before, *order.front, f" {order.verb}", *order.after, *order.back, *rest]
    if count_slots(new) != count_slots(frame):
        raise NotApplicable("the verb is a key phrase")
    return join_parts(new), f"{clause.group.words.text} → {order.verb}"


def _in_sentence(order: _Order, text: str, is_name: bool) -> _Order:
    """The order with a capital where the sentence now starts, and without where it started."""
    # A schema that is written bare gets its capital when it is filled.
    is_bare = not is_finished_text(text)
    front = order.front if is_bare else with_first_letter(order.front, upper=True)
    back = order.back if is_name else with_first_letter(order.back, upper=False)
    return order._replace(front=front, back=back)


def _passive_order(parts: ShownFrame, clause: Clause) -> _Order:
    verb, doc = clause.verb, clause.verb.doc
    lemma = verb.lemma_.lower()
    if lemma in passive.HARDLY_PASSIVE:
        raise NotApplicable("the verb has no common passive")
    _check_agent(clause)
    if verb.tag_ != "VBG" and not passive.is_form(verb.text, lemma, verb.tag_):
        raise NotApplicable("the form of the verb is not known")
    head, whole, after, end = promotion(parts, clause)
    front = as_subject(parts, clause, head, whole)
    group = _passive_group(clause, head)
    if head.lower_ == "me" and group.split()[0].removesuffix("n't") in ("is", "has"):
        raise NotApplicable("the new subject would be “I”")
    back = parts.noun_phrase(clause.subject, passive.OBJECTIVE)
    return _Order(front, group, [*after, " by "], back, doc[:end].end_char)


def _check_agent(clause: Clause) -> None:
    """Refuse an agent that is odd after `by`, and a negation that would be about it."""
    if clause.subject.root.tag_ in ("PRP", "DT"):
        raise NotApplicable("the agent would be a pronoun")
    if any(word.tag_ == "IN" and word.lower_ != "of" for word in clause.subject):
        raise NotApplicable(
            "the agent would seem to continue into the next words"
        )  # by the boy with the cap in the hall
    group = clause.group
    words = {word.lower() for word in (*group.leading, *group.auxiliaries, *group.adverbs)}
    if words & {"just", "only", "even", "also"}:
        raise NotApplicable("an adverb would be about the agent")
    is_negated = bool(words & {"not", "n't", "n’t", "never"})
    if is_negated and not words & passive.NEGATED:
        raise NotApplicable("a negation would be about the agent")


def _passive_group(clause: Clause, head: Token) -> str:
    group = clause.group
    tense = Tense.PRESENT if group.auxiliaries else tense_of_clause(clause)
    verb = passive.passive_group(
        clause.verb.lemma_.lower(),
        group.auxiliaries,
        tense,
        passive.is_plural(head),
        adverbs=group.adverbs,
    )
    return " ".join([*group.leading, verb])


def _active_order(parts: ShownFrame, clause: Clause) -> _Order:
    verb, group = clause.verb, clause.group
    by = child_of(verb, "agent")
    agents = list(by.rights) if by is not None else []
    if by is None or len(agents) != 1 or by.i != verb.i + 1:
        raise NotApplicable("a passive without an agent")
    agent = agents[0]
    whole = phrase_of(clause.shown, agent)
    is_person = agent.tag_ in ("NNP", "PRP")
    if verb.lemma_ in passive.PLACING and not is_person or agent.tag_ == "VBG":
        raise NotApplicable("a passive without an agent")
    if agent.lower_ in passive.NOMINATIVE or agent.lower_ == "it":
        raise NotApplicable("the agent would be a pronoun")
    front = parts.noun_phrase(whole, {})
    active = passive.active_group(
        verb.lemma_, group.auxiliaries, passive.is_plural(agent), adverbs=group.adverbs
    )
    back = parts.noun_phrase(clause.subject, passive.OBJECTIVE)
    return _Order(front, " ".join([*group.leading, active]), [" "], back, whole.end_char)


def _is_name(whole: Span, names: frozenset[str]) -> bool:
    """Return True where the first word keeps its capital inside a sentence."""
    first = whole[0]
    if opens_sentences(whole.text):
        return False
    if first.tag_[:3] == "NNP" or first.text in names:
        return True
    is_common = first.tag_ == "NNS" or first.pos_ == "PRON"
    if first.text[:1].isupper() and len(whole) == 1 and not is_common:
        raise NotApplicable("it is unclear whether the subject is a name")
    return False
