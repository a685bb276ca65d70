"""Another tense for a whole schema, as Abdou et al. (2020) have done by hand.

A story in the past moves to the present: a single event in the continuous form, states and
sequences of events in the simple one. A story in the present moves to the past. Every finite verb
in the tense of the first sentence changes; a present within a past stays, as it is still true.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from horsesense.perturbations.english.verbs import (
    VerbPerson,
    base_form,
    inflected,
    is_event,
    negation_of,
    own_subject,
    subject_of,
    verb_of,
    word_after,
)
from horsesense.perturbations.rewriting import Edit
from horsesense.perturbations.transformation import NotApplicable

if TYPE_CHECKING:
    from spacy.tokens import Token
import re
from functools import partial

from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.english.verbs import (
    Tense,
    auxiliaries,
    check_plain,
    finite_token_of,
    finite_tokens,
    is_reported_event,
    is_told_in_sequence,
    main_verbs,
    marks_of,
    person_of,
    shows_tense,
    tense_of,
)
from horsesense.perturbations.rewriting import Rendering, renderings, rewritten
from horsesense.perturbations.transformation import Rewriting, Settings
from horsesense.schema import Axis, Entry, Schema

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


Agree = Callable[["Token"], VerbPerson]

SHORT_NOT = ("n't", "n’t")
_BE = {VerbPerson.I: "am", VerbPerson.SINGULAR: "is", VerbPerson.PLURAL: "are"}
_TO_PRESENT = {"could": "can", "would": "will", "'d": "'ll", "’d": "’ll"}
_TO_PAST = {"can": "could", "ca": "could", "will": "would", "wo": "would"}
_CONTRACTED = {"can": "ca", "will": "wo"}


def to_present(token: Token, agree: Agree, *, in_story: bool = False) -> list[Edit]:
    """A past word in the present, and what has to go with it."""
    verb, word = verb_of(token), token.lower_
    if token.tag_ == "MD":
        return [_modal_present(token)]
    subject = subject_of(verb)
    assert subject is not None  # finite words without a subject are refused
    if word in ("was", "were"):
        return [_be_present(token, subject, agree)]
    person = agree(subject)
    if word in ("had", "'d", "’d"):
        have = "has" if person is VerbPerson.SINGULAR else "have"
        short = word[0] + ("s" if person is VerbPerson.SINGULAR else "ve")
        return [_replaced(token, have if word == "had" else short)]
    if word == "did" and token is not verb:
        return _did_present(token, verb, person, in_story)
    lemma = base_form(word)
    if in_story or not is_event(verb, lemma):
        return [_replaced(token, _simple_present(lemma, person))]
    going = _continuous(lemma, word)
    if _shares_auxiliary(verb):
        return [_replaced(token, going)]
    first = _first_adverb(verb)
    if first is verb:
        return [_replaced(token, f"{_BE[person]} {going}")]
    return [Edit(first.idx, first.idx, f"{_BE[person]} "), _replaced(token, going)]


def _be_present(token: Token, subject: Token, agree: Agree) -> Edit:
    """`am`, `is` or `are`: the old form knows the number better than any parse."""
    word = subject.lower_
    is_plural = token.lower_ == "were"
    # An unrecorded pronoun, which `it` stands for, may be a plural.
    if is_plural and word in ("i", "he", "she", "it") and agree(subject) is not VerbPerson.PLURAL:
        raise NotApplicable("it contains a condition")
    if word == "i":
        return _am(token)
    return _replaced(token, "are" if is_plural else "is")


def _am(token: Token) -> Edit:
    """`am not` cannot be shortened as `wasn't` and `didn't` are."""
    if word_after(token) in SHORT_NOT:
        return Edit(token.idx, token.nbor().idx + len(token.nbor()), "am not")
    return _replaced(token, "am")


def _did_present(token: Token, verb: Token, person: VerbPerson, in_story: bool) -> list[Edit]:
    """`did not go`: the main verb has to change with the auxiliary."""
    if in_story or not is_event(verb, verb.lower_) or negation_of(verb) is None:
        return [_replaced(token, _simple_present("do", person))]
    be = _am(token) if person is VerbPerson.I else _replaced(token, _BE[person])
    return [be, _replaced(verb, inflected(verb.lower_, "VBG")[0])]


def _modal_present(token: Token) -> Edit:
    """`can` for `could`; what is shortened stays so, and `can not` is one word."""
    new = _TO_PRESENT[token.lower_]
    if word_after(token) in SHORT_NOT:
        return _replaced(token, _CONTRACTED[new])
    if new == "can" and word_after(token) == "not":
        return Edit(token.idx, token.nbor().idx, new)
    return _replaced(token, new)


def _shares_auxiliary(verb: Token) -> bool:
    """Return True for the second verb of «is singing and dancing»."""
    before = verb.head
    if verb.dep_ != "conj" or own_subject(verb) is not None:
        return False
    if before.tag_ == "VBD":
        return is_event(before, base_form(before.lower_)) and negation_of(before) is None
    return before.tag_ == "VBG"


def _first_adverb(verb: Token) -> Token:
    """The first of the adverbs that stand right before a verb, or the verb."""
    first = verb
    while first.i > 0:
        before = first.nbor(-1)
        if before.head != verb or before.dep_ != "advmod" or before.tag_ == "WRB":
            break
        first = before
    subject = own_subject(verb)
    return first if subject is None or subject.i < first.i else verb


def _continuous(lemma: str, past: str) -> str:
    """The continuous form, spelt the way the past was: travelled, travelling."""
    spellings = inflected(lemma, "VBG")
    return spellings[min(inflected(lemma, "VBD").index(past), len(spellings) - 1)]


def _simple_present(lemma: str, person: VerbPerson) -> str:
    return inflected(lemma, "VBZ")[0] if person is VerbPerson.SINGULAR else lemma


def to_past(token: Token) -> Edit:
    """A present word in the past."""
    word = token.lower_
    lemma = token.lemma_ if word in ("'s", "’s") else word
    space = " " if word[0] in "'’" else ""
    if token.tag_ == "MD":
        new = _TO_PAST.get(word, "would")
        cannot = word == "can" and not token.whitespace_ and word_after(token) == "not"
        return _replaced(token, space + new + (" " if cannot else ""))
    if lemma in ("have", "has", "'ve", "’ve"):
        return _replaced(token, f"{space}had")
    if lemma in ("be", "is", "am", "are", "'m", "’m", "'re", "’re"):
        is_plural = word.endswith("re")
        return _replaced(token, f"{space}{'were' if is_plural else 'was'}")
    if space:
        raise NotApplicable(f"it is unknown what {word!r} stands for")
    past = inflected(token.lemma_, "VBD")
    if not past:
        raise NotApplicable(f"the past tense of {word!r} is not known")
    return _replaced(token, past[0])


def _replaced(token: Token, text: str) -> Edit:
    return Edit(token.idx, token.idx + len(token.text), text)


_TIMES = re.compile(
    r"\b(yesterday|tomorrow|ago|nowadays|recently|lately|formerly|previously|originally"
    r"|(last|next) (night|week|month|year|summer|winter|spring|autumn|time|\w+day)"
    r"|as a (child|kid|boy|girl|baby|teenager|student)|(the|this|these) (past|last) \w+"
    r"|at that (time|date)|in [12]\d{3})\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"\b(now|today|tonight|currently|at present|so far|these days|this day and age)\b",
    re.IGNORECASE,
)
_NO_COUNTERPART = re.compile(r"\b(used to|had better)\b|(?<=['’]d) better\b")
_UNREAL = re.compile(r"\bas (if|though)\b|\bif only\b|\bwish(ed|es)?\b", re.IGNORECASE)
_PARTICULAR = frozenset({"the", "this", "that", "these", "those"})


def propose_tense(entry: Entry, settings: Settings) -> Rewriting:
    """The entry in the present if it is told in the past, in the past if in the present."""
    rendered = renderings(entry.grid)
    for rendering in rendered:
        _check_text(rendering.text)
    docs = [parse(rendering.text) for rendering in rendered]
    sources = {_tense_told_in(doc) for doc in docs}
    if len(sources) > 1:
        raise NotApplicable("past and present occur together")
    source = sources.pop()
    # The problems of an entry are told the same way, whichever of them has the second event.
    in_story = source is Tense.PAST and any(map(is_told_in_sequence, docs))
    edits = [
        _edits(doc, source, partial(_person, rendering, _answers(entry, rendering)), in_story)
        for rendering, doc in zip(rendered, docs, strict=True)
    ]
    changes = {
        _described(rendering.text, edit): None
        for rendering, some in zip(rendered, edits, strict=True)
        for edit in some
    }
    return Rewriting(rewritten(entry.grid, edits), ", ".join(changes))


def _check_text(text: str) -> None:
    """Refuse what no verb form can put into another tense."""
    check_plain(text)
    if _TIMES.search(text):
        raise NotApplicable("a time is named that fits one tense only")
    if _UNREAL.search(text):
        raise NotApplicable("it contains a condition")
    if (match := _NO_COUNTERPART.search(text)) is not None:
        raise NotApplicable(f"{match[0].strip()!r} has no counterpart in another tense")


def _described(text: str, edit: Edit) -> str:
    """`couldn't → can't`, though only `could` was edited."""
    rest = text[edit.end : edit.end + 3]
    rest = rest if rest in SHORT_NOT else ""
    return f"{text[edit.start : edit.end].strip()}{rest} → {edit.text.strip()}{rest}".strip()


def _answers(entry: Entry, rendering: Rendering) -> Axis | None:
    """The answers, where they stand for a pronoun that nobody has recorded."""
    owner = entry.grid if isinstance(entry.grid, Schema) else entry.grid.rows[rendering.row]
    if owner.target is None or owner.target.is_known:
        return None
    return owner.answers


def _person(rendering: Rendering, answers: Axis | None, subject: Token) -> VerbPerson:
    """The person a verb agrees with; an unrecorded pronoun has the number of its answers."""
    places = rendering.pieces("target") if answers else ()
    if not answers or not any(place.start == subject.idx for place in places):
        return person_of(subject)
    heads = [next(parse(value[0]).sents).root for value in answers.values]
    numbers = {person_of(head) for head in heads}
    if len(numbers) > 1:
        raise NotApplicable("the answers differ in number")
    return numbers.pop()


def _tense_told_in(doc: Doc) -> Tense:
    """The tense of the first sentence."""
    first = main_verbs(doc)[0]
    finite = finite_token_of(first)
    if finite is None:
        raise NotApplicable("the first sentence has no tense")
    if shows_tense(finite):
        return tense_of(finite)
    subject = subject_of(first)
    if subject is not None and person_of(subject) is VerbPerson.SINGULAR:
        return Tense.PAST  # the present would have its -s
    others = {
        tense_of(token)
        for token in finite_tokens(doc)
        if shows_tense(token) and token.sent == first.sent
    }
    if len(others) != 1:
        raise NotApplicable(f"{finite.lower_!r} may be past or present")
    return others.pop()


def _edits(doc: Doc, source: Tense, agree: Agree, in_story: bool) -> list[Edit]:
    """The edits that put the finite words of a text into the other tense."""
    if source is Tense.PRESENT:
        _check_particular(doc)
    edits: list[Edit] = []
    for token in finite_tokens(doc):
        tense = tense_of(token) if shows_tense(token) else source
        _check_clause(token, tense, source)
        if tense is source is Tense.PAST:
            edits += to_present(token, agree, in_story=in_story)
        elif tense is source:
            edits.append(to_past(token))
    return [edit for edit in edits if edit.text != doc.text[edit.start : edit.end]]


def _check_particular(doc: Doc) -> None:
    """Refuse to put into the past what is always so, or what is said to be so now."""
    if _NOW.search(doc.text):
        raise NotApplicable("a time is named that fits one tense only")
    if not any(
        token.lower_ in _PARTICULAR or token.tag_ in ("PRP", "PRP$", "NNP", "NNPS") for token in doc
    ):
        raise NotApplicable("a general truth stays in the present")


def _check_clause(token: Token, tense: Tense, source: Tense) -> None:
    """Refuse a clause whose tense does not simply say when something is."""
    verb = verb_of(token)
    is_modal = token.tag_ == "MD"
    if is_modal and any(token.lower_ in ("have", "of") for token in auxiliaries(verb)):
        raise NotApplicable("it contains a condition")
    if verb.dep_ == "advcl" and marks_of(verb) & {"if", "unless"}:
        raise NotApplicable("it contains a condition")
    if tense is Tense.PRESENT:
        if is_modal and tense is not source and finite_token_of(token.sent.root) is not token:
            raise NotApplicable("past and present occur together")
        return
    above = [finite_token_of(token) for token in verb.ancestors]
    tenses = {tense_of(finite) for finite in above if finite is not None and shows_tense(finite)}
    if source is Tense.PRESENT or Tense.PRESENT in tenses:
        raise NotApplicable("past and present occur together")
    if is_reported_event(token):
        raise NotApplicable("an event before another is in the same tense")
