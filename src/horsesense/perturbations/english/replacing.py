"""Candidates in parsed sentences, and words replaced wherever a grid has them.

Candidates, answers, frame and key phrases are changed alike. A word keeps its number and its
capital, and the article before it follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from horsesense.perturbations.english.pipeline import parse
from horsesense.perturbations.rewriting import renderings
from horsesense.perturbations.transformation import NotApplicable
from horsesense.schema import Candidate, LooseGrid, LooseProblem, Schema

if TYPE_CHECKING:
    from spacy.tokens import Span, Token
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from horsesense.perturbations.english.nouns import with_article
from horsesense.perturbations.rewriting import Edit, Rendering, rewritten
from horsesense.schema import Axis, Grid

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token


_ATTRIBUTES = frozenset({"compound", "nmod", "amod"})
_ONES = frozenset({"one", "some", "many", "all", "most", "each", "several"})


class CandidateMention(NamedTuple):
    """A place where a candidate stands, in a parsed sentence."""

    number: int
    span: Span


def mentions(part: Schema | LooseProblem) -> list[CandidateMention]:
    """Every mark of a candidate, in a sentence with the pronoun in its place."""
    rendering = renderings(part if isinstance(part, Schema) else LooseGrid((part,)))[0]
    doc = parse(rendering.text)
    listed = []
    for segment in rendering.pieces("candidate"):
        candidate = part.frame[segment.part]
        span = doc.char_span(segment.start, segment.end, alignment_mode="expand")
        if isinstance(candidate, Candidate) and span is not None:
            listed.append(CandidateMention(candidate.number, span))
    return listed


def check_place(mention: CandidateMention) -> None:
    """Refuse a candidate that is only the first part of a longer noun."""
    last = mention.span[-1]
    # A name before a noun is as likely to have been taken for a part of it: «gave Ann sweets».
    if last.pos_ != "PROPN" and last.dep_ in _ATTRIBUTES and last.head.i >= mention.span.end:
        raise NotApplicable("a candidate is part of a longer noun")


def check_company(mention: CandidateMention) -> None:
    """Refuse a candidate that a word before it belongs to, or that «there is»."""
    span, doc = mention.span, mention.span.doc
    before = doc[span.start - 1] if span.start else None
    belongs = before is not None and before.head in span and before.lower_ != "the"
    if before is not None and belongs and before.pos_ not in ("PUNCT", "CCONJ", "ADV"):
        raise NotApplicable("a word before a candidate belongs to it")
    if span.root.dep_ == "appos":
        raise NotApplicable("a candidate is an apposition")
    if any(token.dep_ == "expl" and token.head == span.root.head for token in doc):
        raise NotApplicable("there is a candidate")


def is_owner(mention: CandidateMention) -> bool:
    """Return True where the candidate ends like an owner and something that is owned follows."""
    span = mention.span
    after = span.doc[span.end : span.end + 1]
    owns = span.root.dep_ == "poss" or any(token.pos_ in ("NOUN", "ADJ") for token in after)
    return owns and span.text.endswith(("'s", "’s"))


def noun_of_mention(mention: CandidateMention) -> Token | None:
    """The noun of a candidate; none in «the younger ones» or «Tina's»."""
    head = mention.span.root
    if head.lower_ in _ONES:
        head = next((token for token in mention.span if token.dep_ == "pobj"), head)
    return head if head.pos_ == "NOUN" and head.lower_ not in ("one", "ones") else None


EditSentence: TypeAlias = Callable[[Rendering], Sequence[Edit]]
EditPhrase: TypeAlias = Callable[[str], Sequence[Edit]]

_ARTICLE = re.compile(r"(?<![\w'’-])(an?) $", re.IGNORECASE)
_PLURAL_TAGS = ("NNS", "NNPS")
_WORD = re.compile(r"[\w'’-]+")


def owners(grid: Grid) -> tuple[Schema | LooseProblem, ...]:
    """The owners of frames and answers: the schema, or every row of a loose grid."""
    return (grid,) if isinstance(grid, Schema) else grid.rows


def replaced(grid: Grid, in_sentence: EditSentence, in_answer: EditPhrase) -> Grid:
    """The grid after the edits of its renderings and of its answers, articles included."""
    edits = []
    for rendering in renderings(grid):
        edits.append(with_articles(rendering.text, in_sentence(rendering)))
    answers = [
        Axis(
            tuple(
                tuple(edited(phrase, in_answer(phrase)) for phrase in value)
                for value in owner.answers.values
            )
        )
        for owner in owners(grid)
    ]
    return rewritten(grid, edits, answers=answers)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """A phrase after its edits, articles included."""
    for edit in sorted(with_articles(text, list(edits)), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def with_articles(text: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, and those of the articles before them that no longer fit."""
    all_edits = list(edits)
    for edit in edits:
        article = _ARTICLE.search(text[: edit.start])
        if article is None:
            continue
        right = with_article(edit.text).split()[0]
        if article[1].lower() != right:
            spelled = right.capitalize() if article[1][0].isupper() else right
            all_edits.append(Edit(article.start(1), article.end(1), spelled))
    return all_edits


def replacement(token: Token, word: str, *, first: Token | None = None) -> Edit:
    """The edit that puts a word in the place of another, with its capital.

    Where the old one consists of several words, `first` is the first of them.
    """
    first = first or token
    if first.text[:1].isupper() and not first.text[1:2].isupper():
        word = word[:1].upper() + word[1:]
    return Edit(first.idx, token.idx + len(token), word)


def in_number_of(token: Token, noun: str) -> str:
    """A noun given in the singular, in the number that a noun of the sentence has."""
    return plural(noun) if token.tag_ in _PLURAL_TAGS else noun


def plural(word: str) -> str:
    """The plural of a noun; of several words the last one changes."""
    from lemminflect import getInflection

    rest, space, last = word.rpartition(" ")
    forms = getInflection(last, "NNS")
    if not forms:
        raise NotApplicable(f"the plural of {word!r} is not known")
    return f"{rest}{space}{forms[0]}"


def candidate_tokens(
    owner: Schema | LooseProblem, rendering: Rendering, doc: Doc, number: int
) -> list[Token]:
    """The words of the first mark of a candidate, or none where it is not marked."""
    for segment in rendering.pieces("candidate"):
        part = owner.frame[segment.part]
        if isinstance(part, Candidate) and part.number == number:
            return [token for token in doc if segment.start <= token.idx < segment.end]
    return []


def head_of(tokens: Sequence[Token]) -> Token:
    """The word of a phrase that governs the others; «one of the tellers» are tellers."""
    inside = {token.i for token in tokens}
    head = next(token for token in tokens if token.head.i not in inside or token.head == token)
    if head.lower_ in ("one", "some", "many", "all", "most", "each", "several"):
        below = [token for token in tokens if token.dep_ == "pobj" and token.head.head.i == head.i]
        return below[0] if below else head
    return head


def words_of(grid: Grid) -> frozenset[str]:
    """Every word of a grid, in lower case."""
    texts = [rendering.text for rendering in renderings(grid)]
    texts += [text for owner in owners(grid) for value in owner.answers.values for text in value]
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


def shown_changes(edits: Iterable[tuple[str, str]]) -> str:
    """The replacements, each once: «Tom → Ada, he → she»."""
    return ", ".join(dict.fromkeys(f"{old} → {new}" for old, new in edits))
