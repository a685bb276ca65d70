"""The passive voice of an adversarial schema, or the active of a passive one (thesis 3.61b, 3.66b).

Subject and object change places and take their keys along; the meaning stays, and so does the
order of the answers.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from horsesense.perturbations.english.flat_frame import (
    ANSWER_MARK,
    CLAUSE_END,
    CLAUSE_START,
    check_sides,
    flat,
    lowered,
    number_of,
    rebuilt,
    sides_of,
    span_of,
)
from horsesense.perturbations.english.passive import NO_PASSIVE
from horsesense.perturbations.english.verbs import inflected
from horsesense.perturbations.transformation import (
    NotApplicable,
    Rewriting,
    Settings,
    needs_schema,
)
from horsesense.schema import Entry, Schema, pair

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
    """What the answers decide: an auxiliary or its negation, with the verb if they hold it."""

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
        found = _clause(text, rf" {be}(?P<verb>[a-z-]+) by ")
        verb, participle = _base(found.verb), found.verb
        middle, forms, how = verb, _TO_ACTIVE, f"{participle} by → {verb}"
    else:
        found = _clause(text, " (?P<verb>)" if choice.verb else r" (?P<verb>[a-z-]+) ")
        verb = choice.verb or found.verb
        _check_object(grid, text, found, verb)
        participle = _participle(verb)
        middle, forms, how = f"{be}{participle} by", _TO_PASSIVE, f"{verb} → {participle} by"
    sides = sides_of(text, found.before, found.subject, found.object, found.end)
    check_sides(grid, text, *sides)
    subject = found.subject if found.before else lowered(grid, found.subject)
    new = f"{found.before}{found.object} {ANSWER_MARK} {middle} {subject}{found.end}"
    if is_modal:
        return Rewriting(rebuilt(grid, new, grid.answers), how)
    number = number_of(grid, text, sides[1])
    if number is None:
        raise NotApplicable("the number of the object is uncertain")
    form = forms[choice.auxiliary][number]
    answers = (form, form + choice.negation)
    return Rewriting(
        rebuilt(grid, new, pair(*(answers[::-1] if choice.is_negative_first else answers))), how
    )


def _choice(grid: Schema) -> _Choice:
    (one,), (other,) = ((phrase.lower() for phrase in value) for value in grid.answers.values)
    for positive, negative, is_first in ((one, other, False), (other, one, True)):
        match = _NEGATIVE.fullmatch(negative)
        if match is None or match["auxiliary"] not in {*_MODALS, *_TO_PASSIVE, *_TO_ACTIVE}:
            continue
        auxiliary, verb = match["auxiliary"], match["verb"] or ""
        if positive == auxiliary and not verb:
            return _Choice(auxiliary, match["negation"], "", is_first)
        if verb and auxiliary in _TO_PASSIVE and positive in _finite(verb, auxiliary):
            return _Choice(auxiliary, match["negation"], verb, is_first)
    raise NotApplicable("the answers are no auxiliary and its negation")


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


def _check_object(grid: Schema, text: str, found: _Clause, verb: str) -> None:
    """Refuse a verb that has no object, or none that could become the subject."""
    if verb in NO_PASSIVE:
        raise NotApplicable("the verb has no passive")
    last = len(text) - len(found.end)
    for key in (0, 1):
        head = span_of(grid, text, (last - len(found.object), last), key).root
        if head.dep_ != "dobj" or head.head.lemma_ != verb:
            raise NotApplicable("no object was found")


def _participle(verb: str) -> str:
    found = inflected(verb, "VBN")
    if not found:
        raise NotApplicable("the verb has no participle")
    return found[0]


def _base(participle: str) -> str:
    from lemminflect import getLemma

    for verb in getLemma(participle, "VERB"):
        if participle in inflected(verb, "VBN"):
            return str(verb)
    raise NotApplicable("no participle stands before «by»")
