"""The places where candidates stand in a sentence, and what goes with them there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.rewriting import renderings
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import Candidate, LooseGrid, Row, Schema

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_ATTRIBUTES = frozenset({"compound", "nmod", "amod"})
_ONES = frozenset({"one", "some", "many", "all", "most", "each", "several"})


class Mention(NamedTuple):
    """A place where a candidate stands, in a parsed sentence."""

    number: int
    span: Span


def mentions(part: Schema | Row) -> list[Mention]:
    """Every mark of a candidate, in a sentence with the pronoun in its place."""
    shown = renderings(part if isinstance(part, Schema) else LooseGrid((part,)))[0]
    doc = parse(shown.text)
    found = []
    for segment in shown.pieces("candidate"):
        candidate = part.frame[segment.part]
        span = doc.char_span(segment.start, segment.end, alignment_mode="expand")
        if isinstance(candidate, Candidate) and span is not None:
            found.append(Mention(candidate.number, span))
    return found


def check_place(mention: Mention) -> None:
    """Refuse a candidate that is only the first part of a longer noun."""
    last = mention.span[-1]
    # A name before a noun is as likely to have been taken for a part of it: «gave Ann sweets».
    if last.pos_ != "PROPN" and last.dep_ in _ATTRIBUTES and last.head.i >= mention.span.end:
        raise NotApplicable("a candidate is part of a longer noun")


def check_company(mention: Mention) -> None:
    """Refuse a candidate that a word before it belongs to, or that «there is»."""
    span, doc = mention.span, mention.span.doc
    before = doc[span.start - 1] if span.start else None
    belongs = before is not None and before.head in span and before.lower_ != "the"
    if before is not None and belongs and before.pos_ not in ("PUNCT", "CCONJ", "ADV"):
        raise NotApplicable("a word before a candidate belongs to it")
    if span.root.dep_ == "appos":
        raise NotApplicable("a candidate is an apposition")
    if any(one.dep_ == "expl" and one.head == span.root.head for one in doc):
        raise NotApplicable("there is a candidate")


def is_owner(mention: Mention) -> bool:
    """True where the candidate ends like an owner and something that is owned follows."""
    span = mention.span
    after = span.doc[span.end : span.end + 1]
    owns = span.root.dep_ == "poss" or any(one.pos_ in ("NOUN", "ADJ") for one in after)
    return owns and span.text.endswith(("'s", "’s"))


def noun_of_mention(mention: Mention) -> Token | None:
    """The noun of a candidate; none in «the younger ones» or «Tina's»."""
    head = mention.span.root
    if head.lower_ in _ONES:
        head = next((one for one in mention.span if one.dep_ == "pobj"), head)
    return head if head.pos_ == "NOUN" and head.lower_ not in ("one", "ones") else None
