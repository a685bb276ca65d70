"""Flat frames: adversarial schemas as text, negated or in the other voice.

In a flat frame every placeholder is a single character, so that phrases can change places.

Negated (thesis 3.61c, 3.66c): the same claim with the quantifiers exchanged. If all of them are,
none of them is not; if not all of them are, some are not. In the other voice (thesis 3.61b, 3.66b)
subject and object change places with their keys; meaning and order of the answers stay.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import (
    Axis,
    AxisName,
    Part,
    Schema,
    Slot,
    decapitalise,
    is_finished_text,
    join_parts,
    opens_sentences,
)

if TYPE_CHECKING:
    from spacy.tokens import Span
from typing import NamedTuple

from horsesense.perturbations.english.passive import NO_PASSIVE
from horsesense.perturbations.english.verbs import inflected
from horsesense.perturbations.transformation import (
    Rewriting,
    Settings,
    needs_schema,
)
from horsesense.schema import Entry, capitalise, pair

Number: TypeAlias = Literal["singular", "plural"]
Stretch: TypeAlias = tuple[int, int]

# What stands for each placeholder.
_MARKS = {
    Slot(AxisName.KEY, 0): "\ue000",
    Slot(AxisName.KEY, 1): "\ue001",
    Slot(AxisName.ANSWER, 0): "\ue002",
    Slot(AxisName.TRUTH, 0): "\ue003",
}
_SLOTS = {mark: slot for slot, mark in _MARKS.items()}
_MARK = re.compile("([\ue000-\ue003])")
ANSWER_MARK = _MARKS[Slot(AxisName.ANSWER, 0)]
_TRUTH_MARK = _MARKS[Slot(AxisName.TRUTH, 0)]
_KEY_MARKS = frozenset({_MARKS[Slot(AxisName.KEY, 0)], _MARKS[Slot(AxisName.KEY, 1)]})

CLAUSE_START = re.compile(r"(?:\b(?:then|that|if|because|when|although)|[,;:]) |^")
CLAUSE_END = r"(?P<end>(?:[,;.]| (?:if|because|when|although) ).*|)$"
_ANAPHOR = re.compile(
    r"\b(?:it|its|he|him|his|she|her|they|them|their|ones|its own)\b|\b(?:a|the) one\b", re.I
)
_QUANTIFIERS = frozenset(
    str.split("all any both each every few half many more most no none only some than")
)
_EITHER_NUMBER = frozenset(str.split("fish sheep deer salmon trout shrimp squid species aircraft"))
_IN_PHRASE = frozenset(str.split("DET ADJ NOUN PROPN NUM ADP CCONJ"))
_HEADS = frozenset({"NOUN", "PROPN", "NUM"})


def flat(grid: Schema) -> str:
    """The frame as text, with a mark for each placeholder."""
    if grid.is_winograd:
        raise NotApplicable("a Winograd schema")
    slots = (part if isinstance(part, str | Slot) else part.text for part in grid.frame)
    return "".join(part if isinstance(part, str) else _MARKS[part] for part in slots)


def has_key(text: str) -> bool:
    """Return True where a key placeholder stands in a stretch of a flat frame."""
    return not _KEY_MARKS.isdisjoint(text)


def rebuilt(grid: Schema, text: str, answers: Axis) -> Schema:
    """The schema of a flat frame; key placeholders that have changed places are counted anew."""
    pieces: list[Part] = []
    order: list[int] = []
    for piece in _MARK.split(text):
        slot = _SLOTS.get(piece)
        if slot is not None and slot.axis is AxisName.KEY:
            order.append(slot.index)
            slot = Slot(AxisName.KEY, len(order) - 1)
        pieces.append(slot or piece)
    keys = Axis(tuple(tuple(value[index] for index in order) for value in grid.keys.values))
    return Schema(join_parts(pieces), keys, answers, grid.truths)


def sides_of(text: str, before: str, first: str, second: str, end: str) -> tuple[Stretch, Stretch]:
    """Where the two phrases stand in a flat frame, the first after `before`."""
    last = len(text) - len(end)
    return (len(before), len(before) + len(first)), (last - len(second), last)


def span_of(grid: Schema, text: str, stretch: Stretch, key: int) -> Span:
    """The words of a stretch of a flat frame, parsed in the sentence of that key."""

    def shown(part: str) -> str:
        return _MARK.sub(lambda mark: _phrase(grid, mark[0], key), part)

    start, end = stretch
    doc = parse(shown(text))
    offset = len(shown(text[:start]))
    span = doc.char_span(
        offset, offset + len(shown(text[start:end]).rstrip(" ")), alignment_mode="expand"
    )
    if span is None:
        raise NotApplicable("a side is empty")
    return span


def _phrase(grid: Schema, mark: str, key: int) -> str:
    slot = _SLOTS[mark]
    return grid.axes[slot.axis].phrase(0 if slot.axis is AxisName.TRUTH else key, slot)


def check_sides(grid: Schema, text: str, *stretches: Stretch) -> None:
    """Refuse phrases that cannot swap: not plain noun phrases, or with referring words."""
    if _ANAPHOR.search(text):
        raise NotApplicable("a pronoun may refer to what is moved")
    for start, end in stretches:
        if any(mark in text[start:end] for mark in (ANSWER_MARK, _TRUTH_MARK)):
            raise NotApplicable("an answer or a truth value would move")
        for key in (0, 1):
            _check_phrase(span_of(grid, text, (start, end), key))


def _check_phrase(span: Span) -> None:
    if any(token.lower_ in _QUANTIFIERS for token in span):
        raise NotApplicable("a quantifier would move")
    if len(span) == 1 and _number_of_word(span.text):
        return  # as a noun without an article is easily taken for a verb
    is_plain = all(token.pos_ in _IN_PHRASE or token.tag_ in ("PRP$", "POS") for token in span)
    if not is_plain or span.root.pos_ not in _HEADS:
        raise NotApplicable("a side is not a plain noun phrase")


def number_of(grid: Schema, text: str, stretch: Stretch) -> Number | None:
    """The number of a noun phrase; None where it may be either."""
    first, second = (_number(span_of(grid, text, stretch, key)) for key in (0, 1))
    if None not in (first, second) and first != second:
        raise NotApplicable("the key phrases differ in number")
    return first or second


def _number(span: Span) -> Number | None:
    if len(span) == 1 and (number := _number_of_word(span.text)):
        return number
    head = span.root
    words = {token.lower_ for token in span}
    is_counted = head.pos_ != "NUM" and any(
        token.pos_ == "NUM" and token.lower_ != "one" for token in span
    )
    if head.tag_ in ("NNS", "NNPS") or is_counted or ("and" in words and head.pos_ != "NUM"):
        return "plural"
    is_bare = not words & {"a", "an", "one", "this", "that"}
    return None if head.lower_ in _EITHER_NUMBER and is_bare else "singular"


def _number_of_word(word: str) -> Number | None:
    """Plural for a word that can only be a plural noun or a verb form."""
    from lemminflect import getLemma

    if not word.islower() or not word.isalpha():
        return None
    lemmas = getLemma(word, "NOUN", lemmatize_oov=False)
    return "plural" if lemmas and word not in lemmas else None


def lowered(grid: Schema, phrase: str) -> str:
    """A phrase that leaves the start of the text, without the capital that it had from there."""
    slot = _SLOTS.get(phrase[0])
    starts = [value[slot.index] for value in grid.keys.values] if slot else [phrase]
    last = grid.frame[-1]
    is_bare = not (isinstance(last, str) and is_finished_text(last))
    if is_bare or not any(start[:1].isupper() for start in starts):
        return phrase
    if slot is None and opens_sentences(phrase):
        return decapitalise(phrase)
    raise NotApplicable("a capital letter may belong to a name")


_NEGATIONS = {"all": "no", "not all": "some"}
_AFFIRMATIONS = {negation: plain for plain, negation in _NEGATIONS.items()}
_COPULA = re.compile(r" (?P<subject>.+?) (?P<copula>is|are|was|were) (?P<rest>.+)")
_NEGATIVES = re.compile(r"(?:not|never|no)\b")


def propose_negated(entry: Entry, settings: Settings) -> Rewriting:
    """«No» and «some … not» for «all» and «not all», or the reverse."""
    grid = needs_schema(entry.grid)
    before, _, after = flat(grid).partition(ANSWER_MARK)
    answers = [value[0] for value in grid.answers.values]
    words = {answer.lower() for answer in answers}
    table = next((table for table in (_NEGATIONS, _AFFIRMATIONS) if words == set(table)), None)
    if table is None:
        raise NotApplicable("the answers are not such quantifiers")
    if not any(match.end() == len(before) for match in CLAUSE_START.finditer(before)):
        raise NotApplicable("the quantifier is not at the start of a clause")
    match = _COPULA.fullmatch(after)
    if match is None:
        raise NotApplicable("no copula follows the subject")
    _check_subject(grid, (len(before) + 2, len(before) + 2 + len(match["subject"])))
    rest = _negated(grid, match["rest"]) if table is _NEGATIONS else _affirmed(match["rest"])
    text = f"{before}{ANSWER_MARK} {match['subject']} {match['copula']} {rest}"
    new = [_in_case(table[answer.lower()], answer) for answer in answers]
    how = f"{'/'.join(answers)} → {'/'.join(new)}"
    return Rewriting(rebuilt(grid, text, pair(*new)), how)


def _check_subject(grid: Schema, stretch: tuple[int, int]) -> None:
    """Refuse a subject with a verb of its own: the copula found may not be the sentence's."""
    for key in (0, 1):
        for token in span_of(grid, flat(grid), stretch, key):
            if token.pos_ in ("VERB", "AUX", "PUNCT") or token.tag_ in ("WDT", "WP"):
                raise NotApplicable("the subject is not a plain noun phrase")


def _negated(grid: Schema, rest: str) -> str:
    phrases = [value[-1] for value in grid.keys.values]
    if any(_NEGATIVES.match(text) for text in (rest, *phrases)):
        raise NotApplicable("it is already negated")
    return f"not {rest}"


def _affirmed(rest: str) -> str:
    if not rest.startswith("not "):
        raise NotApplicable("there is no negation to remove")
    return rest.removeprefix("not ")


def _in_case(word: str, like: str) -> str:
    return capitalise(word) if like[:1].isupper() else word


_MODALS = frozenset(str.split("can could may might must shall should will would"))
_TO_PASSIVE = {
    "do": {"singular": "is", "plural": "are"},
    "does": {"singular": "is", "plural": "are"},
    "did": {"singular": "was", "plural": "were"},
}
_TO_ACTIVE = {
    "is": {"singular": "does", "plural": "do"},
    "are": {"singular": "does", "plural": "do"},
    "was": {"singular": "did", "plural": "did"},
    "were": {"singular": "did", "plural": "did"},
}
_NEGATIVE = re.compile(r"(?P<auxiliary>\w+?)(?P<negation> not| never|n't|not)(?: (?P<verb>\w+))?")


class _Choice(NamedTuple):
    """The choice of the answers: an auxiliary or its negation, and the verb if they hold it."""

    auxiliary: str
    negation: str
    verb: str
    is_negative_first: bool


class _Clause(NamedTuple):
    """A clause in a flat frame; its verb as it stands there, or nothing if the answers hold it."""

    before: str
    subject: str
    verb: str
    object: str
    end: str


def propose_adversarial_voice(entry: Entry, settings: Settings) -> Rewriting:
    """Passive for active, or active for passive."""
    grid = needs_schema(entry.grid)
    text = flat(grid)
    choice = _choice(grid)
    is_modal, is_passive = choice.auxiliary in _MODALS, choice.auxiliary in _TO_ACTIVE
    be = "be " if is_modal else ""
    if is_passive or (is_modal and f"{ANSWER_MARK} be " in text):
        clause = _clause(text, rf" {be}(?P<verb>[a-z-]+) by ")
        verb, participle = _base(clause.verb), clause.verb
        middle, forms, how = verb, _TO_ACTIVE, f"{participle} by → {verb}"
    else:
        clause = _clause(text, " (?P<verb>)" if choice.verb else r" (?P<verb>[a-z-]+) ")
        verb = choice.verb or clause.verb
        _check_object(grid, text, clause, verb)
        participle = _participle(verb)
        middle, forms, how = f"{be}{participle} by", _TO_PASSIVE, f"{verb} → {participle} by"
    sides = sides_of(text, clause.before, clause.subject, clause.object, clause.end)
    check_sides(grid, text, *sides)
    subject = clause.subject if clause.before else lowered(grid, clause.subject)
    new = f"{clause.before}{clause.object} {ANSWER_MARK} {middle} {subject}{clause.end}"
    if is_modal:
        return Rewriting(rebuilt(grid, new, grid.answers), how)
    number = number_of(grid, text, sides[1])
    if number is None:
        raise NotApplicable("the number of the object is unclear")
    form = forms[choice.auxiliary][number]
    answers = (form, form + choice.negation)
    return Rewriting(
        rebuilt(grid, new, pair(*(answers[::-1] if choice.is_negative_first else answers))), how
    )


def _choice(grid: Schema) -> _Choice:
    (first,), (second,) = ((phrase.lower() for phrase in value) for value in grid.answers.values)
    for positive, negative, is_first in ((first, second, False), (second, first, True)):
        match = _NEGATIVE.fullmatch(negative)
        if match is None or match["auxiliary"] not in {*_MODALS, *_TO_PASSIVE, *_TO_ACTIVE}:
            continue
        auxiliary, verb = match["auxiliary"], match["verb"] or ""
        if positive == auxiliary and not verb:
            return _Choice(auxiliary, match["negation"], "", is_first)
        if verb and auxiliary in _TO_PASSIVE and positive in _finite(verb, auxiliary):
            return _Choice(auxiliary, match["negation"], verb, is_first)
    raise NotApplicable("the answers are not an auxiliary and its negation")


def _finite(verb: str, auxiliary: str) -> tuple[str, ...]:
    """The verb without its auxiliary."""
    tags = {"do": "VBP", "does": "VBZ", "did": "VBD"}
    return inflected(verb, tags[auxiliary])


def _clause(text: str, verb: str) -> _Clause:
    left, _, right = text.partition(ANSWER_MARK)
    match = re.match(rf"{verb}(?P<object>.+?){CLAUSE_END}", right)
    if match is None:
        raise NotApplicable("no verb with an object follows the answer")
    start = max(match.end() for match in CLAUSE_START.finditer(left))
    subject = left[start:].rstrip(" ")
    return _Clause(left[:start], subject, match["verb"], match["object"], match["end"])


def _check_object(grid: Schema, text: str, clause: _Clause, verb: str) -> None:
    """Refuse a verb that has no object, or none that could become the subject."""
    if verb in NO_PASSIVE:
        raise NotApplicable("the verb has no passive")
    last = len(text) - len(clause.end)
    for key in (0, 1):
        head = span_of(grid, text, (last - len(clause.object), last), key).root
        if head.dep_ != "dobj" or head.head.lemma_ != verb:
            raise NotApplicable("no object was found")


def _participle(verb: str) -> str:
    participle = inflected(verb, "VBN")
    if not participle:
        raise NotApplicable("the verb has no participle")
    return participle[0]


def _base(participle: str) -> str:
    from lemminflect import getLemma

    for verb in getLemma(participle, "VERB"):
        if participle in inflected(verb, "VBN"):
            return str(verb)
    raise NotApplicable("no participle comes before “by”")
