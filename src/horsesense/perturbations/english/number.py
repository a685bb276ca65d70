"""Number switch: the candidates in the other number, and all that goes with them.

After Abdou et al. (2020): singular nouns become plural and plural ones singular; a name gets a
second one («Vera» becomes «Vera and Nell»). Both candidates change, in the same direction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from horsesense.perturbations.english.nouns import Number, is_plural_pronoun, renumbered, replaced
from horsesense.perturbations.english.verbs import FINITE_TAGS
from horsesense.perturbations.rewriting import Edit
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token
import re
from collections.abc import Sequence
from functools import partial

from horsesense.perturbations.english.nouns import (
    NounGender,
    determiner_of,
    goes_with,
    other_form,
    sort_of_pronoun,
    uncapitalised,
)
from horsesense.perturbations.english.people import is_given_name
from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.referents import (
    Referent,
    SecondNames,
    check_unmentioned,
    following_pronouns,
    owned_by_each,
    pronoun_edit,
    referents_of,
)
from horsesense.perturbations.rewriting import Rendering, renderings, rewritten
from horsesense.perturbations.transformation import Rewriting, Settings
from horsesense.schema import Axis, Entry, LooseGrid, LooseProblem, Schema

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
                raise NotApplicable(f"it is unclear whom {token.lower_!r} describes")
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
    """Return True for a noun that has the number which the subject had; «a Dane» is one too."""
    if to is Number.SINGULAR or noun.tag_ == "NN":
        return noun.tag_ == ("NNS" if to is Number.SINGULAR else "NN")
    return noun.tag_ == "NNP" and any(child.lower_ in ("a", "an") for child in noun.children)


def _agreeing_form(token: Token, to: Number) -> str | None:
    """The verb for a subject in the other number; None if it does not change."""
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
            late = [token for token in verb.children if token.dep_ in ("attr", "nsubj", "dobj")]
            return late[0] if late else None
        if _is_relative(child):
            return _antecedent(verb)
        return child
    if verb.dep_ == "conj" and verb.head.pos_ in _VERBS:
        return _subject(verb.head)
    return None


def _is_relative(subject: Token) -> bool:
    """Return True for a subject that stands for the noun before its clause.

    A second `that` («that lives here and that sleeps there») often is something else to the parser.
    """
    if subject.lower_ not in _RELATIVES:
        return False
    if subject.lower_ != "that" or subject.tag_ != "DT":
        return True
    before = subject.doc[subject.sent.start : subject.i]
    return bool(before) and before[-1].tag_ == "CC" and any(token.tag_ == "WDT" for token in before)


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
    """Return True for a subject of several nouns, whose number does not depend on one of them."""
    joins = [child.lower_ for child in subject.children if child.dep_ == "cc"]
    if joins and joins[0] != "and":
        raise NotApplicable(f"{joins[0]!r} joins two subjects")
    return bool(joins)


_ARTICLE = re.compile(r"^an? ", re.IGNORECASE)
_DEFINITE = re.compile(r"^(the|my|your|his|her|its|our|their|these|those) |['’]s? ", re.IGNORECASE)
_OWNER = re.compile(r"\b(his|her|its)\b", re.IGNORECASE)
_BEFORE_TARGET = re.compile(r"\b(the|my|your|our) $", re.IGNORECASE)


def renumbered_answers(
    row: Schema | LooseProblem, rendering: Rendering, referents: Sequence[Referent]
) -> Axis:
    """The answers with the same words changed as in the sentence."""
    place = rendering.pieces("target")[0]
    has_article = _BEFORE_TARGET.search(rendering.text[: place.start]) is not None
    phrases = [
        (_answer(value[0], own, referents, has_article=has_article),)
        for value, own in zip(row.answers.values, referents, strict=True)
    ]
    return Axis(tuple(phrases))


def _answer(phrase: str, own: Referent, referents: Sequence[Referent], *, has_article: bool) -> str:
    if len(re.findall(_word(own), phrase, re.IGNORECASE)) != 1:
        raise NotApplicable("an answer is worded differently from its candidate")
    for referent in referents:
        if referent is own or referent.is_name:
            phrase = re.sub(
                _word(referent), partial(_changed, referent), phrase, flags=re.IGNORECASE
            )
    if own.number is Number.SINGULAR:
        phrase = _OWNER.sub(lambda pair: _in_plural(pair[0], referents), phrase)
        return _ARTICLE.sub("", phrase)
    return phrase if has_article or _DEFINITE.search(phrase) else f"the {uncapitalised(phrase)}"


def _in_plural(pronoun: str, referents: Sequence[Referent]) -> str:
    """The possessive pronoun of an answer, in the plural if it is one of the candidates'."""
    sort = sort_of_pronoun(pronoun)
    is_theirs = sort is not None and any(goes_with(referent.sort, sort) for referent in referents)
    return "their" if is_theirs else pronoun


def _word(referent: Referent) -> str:
    return rf"(?<!\w){re.escape(referent.word)}(?!\w)"


def _changed(referent: Referent, referents: re.Match[str]) -> str:
    if referent.is_name:
        return referent.new
    return other_form(referents[0], referent.number.other)


# What may stand before a noun of either number.
_ARTICLES = frozenset({"the", "my", "your", "our"})
_SHOWING = frozenset({"this", "that", "these", "those"})
# Words that say how many there are of what they stand for.
_COUNTING = frozenset({"each", "both", "either", "neither", "another", "latter", "former", "one"})


def propose_number(entry: Entry, settings: Settings) -> Rewriting:
    """The entry with both candidates in the other number."""
    grid, rendered = entry.grid, renderings(entry.grid)
    chance = settings.draw(entry.id, "number")
    he_or_she = chance.choice((NounGender.MALE, NounGender.FEMALE))
    names = SecondNames(
        chance, {word for rendering in rendered for word in re.findall(r"\w+", rendering.text)}
    )
    rows: Sequence[Schema | LooseProblem] = (
        grid.rows if isinstance(grid, LooseGrid) else (grid, grid)
    )
    edits, answers, how = [], [], []
    for row, sentence in zip(rows, rendered, strict=True):
        referents = referents_of(row, sentence, names)
        sort = _common_sort(referents, he_or_she)
        edits.append(_edits(row, sentence, referents, sort))
        answers.append(renumbered_answers(row, sentence, referents))
        how += [f"{referent.word} → {referent.new}" for referent in referents]
    return Rewriting(rewritten(grid, edits, answers=answers), ", ".join(dict.fromkeys(how)))


def _common_sort(referents: Sequence[Referent], he_or_she: NounGender) -> NounGender:
    """The sort that the singular target shows for both candidates.

    Of people whose gender nobody knows it says what was drawn, `he` or `she`.
    """
    if referents[0].number is Number.SINGULAR:
        return referents[0].sort  # the plural does not show it
    sorts = {referent.sort for referent in referents}
    if NounGender.THING in sorts and len(sorts) > 1:
        raise NotApplicable("one candidate is a person, the other is not")
    if {NounGender.MALE, NounGender.FEMALE} <= sorts:
        raise NotApplicable("the candidates differ in gender")
    known = sorts - {NounGender.PERSON}
    return known.pop() if known else he_or_she


def _edits(
    row: Schema | LooseProblem,
    rendering: Rendering,
    referents: Sequence[Referent],
    sort: NounGender,
) -> list[Edit]:
    """All edits of one sentence."""
    doc, to = parse(rendering.text), referents[0].number.other
    for token in doc:
        if token.lower_ in _COUNTING and token.dep_ != "nummod":
            raise NotApplicable(f"{token.lower_!r} counts")
    edits: list[Edit] = []
    mentions: set[int] = set()
    for referent in referents:
        for head in referent.heads:
            mentions.add(head.i)
            edits += _head_edits(head, referent, mentions)
    edits += _target_edits(row, rendering, doc, mentions, to, sort)
    for pronoun in following_pronouns(doc, mentions, {referent.sort for referent in referents}, to):
        mentions.add(pronoun.i)
        edits.append(pronoun_edit(pronoun, to, sort, is_owner=pronoun.tag_ == "PRP$"))
    for noun in owned_by_each(doc, _owners(row, rendering, doc, mentions), to):
        mentions.add(noun.i)
        check_unmentioned(noun, mentions)
        edits.append(replaced(noun, other_form(noun.text, to)))
    edits += predicate_edits(doc, mentions, to)
    edits += agreeing_edits(doc, mentions, to)
    return list(dict.fromkeys(edits))


def _head_edits(head: Token, referent: Referent, mentions: set[int]) -> list[Edit]:
    if not referent.is_name:
        return renumbered(head, referent.number.other)
    edits = [replaced(head, referent.new)]
    before = head.nbor(-1) if head.i else None
    if before is not None and before.tag_ == "NNP":
        raise NotApplicable("a name of several words")
    if before is not None and before.tag_ == "NN":  # «her friend Vera»
        determiner = determiner_of(before) or determiner_of(head)
        if determiner is None or determiner.lower_ in ("a", "an", "this", "that"):
            raise NotApplicable(f"{before.lower_!r} before a name")
        mentions.add(before.i)
        edits.append(replaced(before, other_form(before.text, Number.PLURAL)))
    return edits


def _target_edits(
    row: Schema | LooseProblem,
    rendering: Rendering,
    doc: Doc,
    mentions: set[int],
    to: Number,
    sort: NounGender,
) -> list[Edit]:
    """The edits of the target."""
    assert row.target is not None
    place = rendering.pieces("target")[0]
    token = next((token for token in doc if token.idx == place.start), None)
    if token is None or len(token) != place.end - place.start:
        raise NotApplicable("the target is not one word")
    mentions.add(token.i)
    before = determiner_of(token)
    if before is not None and before.lower_ not in _ARTICLES:
        raise NotApplicable(f"{before.lower_!r} before the target")
    if not row.target.is_known:
        _check_before(row, token, to)
        return []
    return [pronoun_edit(token, to, sort, is_owner=row.target.is_possessive)]


def _check_before(row: Schema | LooseProblem, target: Token, to: Number) -> None:
    """Refuse what stands before a bare noun in the place of the target: it may show its number."""
    answers = [value[0] for value in row.answers.values]
    is_bare = any(" " not in answer and not is_given_name(answer) for answer in answers)
    before = target.nbor(-1) if target.i else None
    if before is None or not is_bare or before.lower_ in _ARTICLES:
        return
    # A bare plural may stand anywhere, a bare singular only after what belongs to it.
    if to is Number.PLURAL or before.pos_ in ("ADJ", "DET") or before.lower_ in _SHOWING:
        raise NotApplicable(f"{before.lower_!r} before the target")


def _owners(
    row: Schema | LooseProblem, rendering: Rendering, doc: Doc, mentions: set[int]
) -> set[int]:
    """The places of the mentions that own what follows them."""
    assert row.target is not None
    start = rendering.pieces("target")[0].start if row.target.is_possessive else None
    return {
        mention
        for mention in mentions
        if doc[mention].tag_ == "PRP$"
        or doc[mention].idx == start
        or any(following.tag_ == "POS" for following in doc[mention + 1 : mention + 2])
    }
