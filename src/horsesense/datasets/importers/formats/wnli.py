"""WNLI of GLUE: a premise, a hypothesis, and whether the one entails the other.

A hypothesis is a clause of its premise with a candidate in the place of the pronoun. Neither is
marked. They are found by laying the hypothesis over the premise: what stands around the pronoun
begins and ends the hypothesis, and what is left of it is the candidate. Hypotheses about the same
pronoun make a problem by answer. A hypothesis without a partner, and those of which none or
several are entailed, become problems of true or false:

    PREMISE It is ___ that HYPOTHESIS

where the hypothesis loses its capital unless it starts with `I` or a name, which is a word that is
never written small in the file, or has a capital inside a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from os.path import commonprefix
from typing import Any, NamedTuple

from horsesense.datasets.importers.claims import ISSUES, Claim, by_pronoun, groups_of, read_claims
from horsesense.datasets.importers.columns import UNUSED_ISSUE, are_columns_of, reporting_unused
from horsesense.datasets.importers.fitting import REPAIRS, Place
from horsesense.datasets.importers.format import Companions, Format, numbered_label
from horsesense.datasets.importers.source import BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import LIKENESS, Group, Journal, names_in
from horsesense.schema import decapitalise, opens_sentences

_HEADER = ["index", "sentence1", "sentence2", "label"]
_ROW_WITHOUT_HEADER = re.compile(r"\d+\t[^\t]+\t[^\t]+\t[01]\r?(\n|$)")
_TOKEN = re.compile(r"\w+|[^\w\s]")
_PRONOUNS = frozenset(
    str.split(
        "he him his she her hers it its they them their theirs this that these those one who whom "
        "whose himself herself itself themselves"
    )
)
# More is no candidate, but a clause that could not be laid over the premise.
_LONGEST_CANDIDATE = 8


class _Overlay(NamedTuple):
    """How a hypothesis lies over its premise: the pronoun, and the words that are in both."""

    pronoun: int
    head: int
    tail: int


def _looks_like(file: SourceFile) -> bool:
    is_headed = are_columns_of(file.headings("\t"), _HEADER[:3], _HEADER[3:])
    return is_headed or bool(_ROW_WITHOUT_HEADER.match(file.head))


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    has_header = _HEADER[0] in file.headings("\t")
    rows = file.tsv_rows(journal, None if has_header else _HEADER)
    claims = read_claims(list(reporting_unused(rows, _HEADER, journal)), journal, _claim)
    names = _names(claims)
    together = [
        [_spelt(claim, names) for claim in _without_shared_head(same)]
        for same in by_pronoun(claims)
    ]
    return groups_of(together, journal)


def _claim(line: int, row: dict[str, Any]) -> Claim:
    """The row with its candidate as it stands in the hypothesis."""
    name, premise, hypothesis = texts_of(row, *_HEADER[:3])
    label = numbered_label(row.get("label"), 2, first=0)
    is_right = None if label is None else bool(label)
    if not premise.strip() or not hypothesis.strip():
        raise BadRow("a sentence is empty")
    text, clause = _words(premise), _words(hypothesis)
    while clause and not clause[-1][0].isalnum():
        clause.pop()
    overlays = _overlays(text, clause)
    overlay = max(overlays, key=lambda one: (one.head + one.tail, one.tail), default=None)
    if overlay is None:
        return Claim(name, line, premise, hypothesis, "", None, None, is_right)
    found = _spans(hypothesis)[overlay.head : len(clause) - overlay.tail]
    candidate = hypothesis[found[0][0] : found[-1][1]]
    blank = Place(*_spans(premise)[overlay.pronoun])
    return Claim(name, line, premise, hypothesis, candidate, blank, None, is_right)


def _words(text: str) -> list[str]:
    """The words and punctuation marks of a text, without capitals."""
    return [*map(str.lower, _TOKEN.findall(text))]


def _spans(text: str) -> list[tuple[int, int]]:
    """Where they stand."""
    return [token.span() for token in _TOKEN.finditer(text)]


def _overlays(text: Sequence[str], clause: Sequence[str]) -> Iterator[_Overlay]:
    """Every way to lay the hypothesis over a pronoun of the premise."""
    size = len(clause)
    for place, word in enumerate(text):
        if word not in _PRONOUNS:
            continue
        head = tail = 0
        # Most pronouns stand beside words that the hypothesis does not have.
        if place and text[place - 1] in clause:
            heads = range(min(place, size - 1), 0, -1)
            head = next((n for n in heads if clause[:n] == text[place - n : place]), 0)
        after = text[place + 1 : place + size - head]
        if after and after[0] in clause:
            tail = next((n for n in range(len(after), 0, -1) if clause[-n:] == after[:n]), 0)
        if head + tail and clause[head : size - tail] != [word]:
            yield _Overlay(place, head, tail)


def _without_shared_head(claims: Sequence[Claim]) -> Sequence[Claim]:
    """The claims with candidates that start after the word before the pronoun.

    A hypothesis may begin in words of its own, which then seem to be part of the candidate. But
    the others of the same pronoun begin in the same words.
    """
    first = claims[0]
    if first.blank is None:
        return claims
    if len(claims) > 1 and all(claim.wording.startswith(claim.candidate) for claim in claims):
        shared = commonprefix([_words(claim.candidate)[:-1] for claim in claims])
        before = _word_before(first.text, first.blank)
        cut = max((n for n, word in enumerate(shared, 1) if _same_stem(word, before)), default=0)
        if cut:
            claims = [_without_head(claim, cut) for claim in claims]
    if any(claim.candidate.count(" ") >= _LONGEST_CANDIDATE for claim in claims):
        return [claim._replace(blank=None) for claim in claims]
    return claims


def _without_head(claim: Claim, cut: int) -> Claim:
    return claim._replace(candidate=claim.candidate[_spans(claim.candidate)[cut][0] :])


def _word_before(text: str, place: Place) -> str:
    words = _words(text[: place.start])
    return words[-1] if words else ""


def _same_stem(one: str, other: str) -> bool:
    """Equal, or forms of one word, such as «hunting» and «hunts»."""
    return one[:4] == other[:4]


def _names(claims: Iterable[Claim]) -> Collection[str]:
    """Words of the file that keep their capital wherever they stand."""
    texts = {text for claim in claims for text in (claim.text, claim.wording)}
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    names = {word for word in words if word[0].isupper() and word.lower() not in words}
    return {name for name in names | names_in(texts) if not opens_sentences(name)}


def _spelt(claim: Claim, names: Collection[str]) -> Claim:
    """The claim with the capitals that it has inside a sentence."""
    candidate, blank = claim.candidate, claim.blank
    if blank and claim.wording.startswith(candidate) and not claim.text[blank.start].isupper():
        candidate = decapitalise(candidate, names)
    return claim._replace(candidate=candidate, wording=decapitalise(claim.wording, names))


FORMAT = Format(
    name="wnli",
    title="WNLI of GLUE, tab-separated",
    looks_like=_looks_like,
    read=_read,
    twins=LIKENESS,
    repairs=REPAIRS,
    issues={**ISSUES, **UNUSED_ISSUE},
)
