"""The WSC as Trinh and Le released it: a JSON list of whole sentences, two for each question.

Each sentence has one of the candidates in the pronoun's place, which is not marked and must be
found by comparing the two. The capitals are as published, in one file those of the XML and in the
other mostly lower case, names included; and possessive pronouns were replaced by plain answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.neighbours import twins_of_neighbours
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.importers.substitutions import Substitution, substitution
from horsesense.datasets.recovery import NEIGHBOURS, UNKNOWN_PRONOUN, Journal, RawEntry, RawProblem

STRAY_SPACES = "stray-spaces"
LABELS_EXCHANGED = "labels-exchanged"
_MARK = re.compile(r"[.,;:?!]")
_SPACE_BEFORE_MARK = re.compile(r" +(?=[.,;:?!])")
_FIELDS = ("question_id", "substitution", "correctness")
# Questions whose labels contradict the WSC itself, by the SHA-256 of the file.
_EXCHANGED = {
    "fd76e5f12e39": frozenset({46, 47, 132, 133, 196, 197}),
}


class _SubstitutedSentence(NamedTuple):
    line: int
    question: int
    text: str
    is_right: bool


def _looks_like(file: SourceFile) -> bool:
    return file.is_json_list and are_columns_of(file.first_object, _FIELDS)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    return twins_of_neighbours(_problems(file, journal))


def _problems(file: SourceFile, journal: Journal) -> Iterator[RawProblem]:
    exchanged = _EXCHANGED.get(file.digest[:12], frozenset())
    lost: set[int] = set()
    sentences = _sentences(file, journal, lost)
    for question, rows in groupby(sentences, key=lambda sentence: sentence.question):
        members = list(rows)
        line, name = members[0].line, str(question)
        try:
            raw_problem = _raw_problem(members, journal)
        except BadRow as error:
            _fault(journal, line, name, str(error), question, lost)
            continue
        odd = "the labels contradict the WSC"
        if question in exchanged and journal.repair(LABELS_EXCHANGED, line, name, odd, "exchanged"):
            raw_problem = raw_problem._replace(right=1 - (raw_problem.right or 0))
        yield raw_problem


def _sentences(
    file: SourceFile, journal: Journal, lost: set[int]
) -> Iterator[_SubstitutedSentence]:
    for line, row in file.json_objects(journal):
        try:
            yield _sentence(line, row)
        except BadRow as error:
            _fault(journal, line, "", str(error), row.get("question_id"), lost)


def _fault(
    journal: Journal, line: int, name: str, odd: str, question: object, lost: set[int]
) -> None:
    """Report a fault; a question with several of them is one problem that is left out.

    A sentence that does not say to which question it belongs leaves that without its second
    sentence, which is a fault of its own.
    """
    is_new = type(question) is int and question not in lost
    journal.fault(BAD_ROW, line, name, odd, left_out=int(is_new))
    if type(question) is int:
        lost.add(question)


def _sentence(line: int, row: dict[str, Any]) -> _SubstitutedSentence:
    (text,) = texts_of(row, "substitution")
    question, is_right = row.get("question_id"), row.get("correctness")
    if type(question) is not int or question < 0:
        raise BadRow(f"the question id {question!r} is not a number from 0")
    if not isinstance(is_right, bool):
        raise BadRow(f"'correctness' is {is_right!r}, where true or false is expected")
    return _SubstitutedSentence(line, question, text, is_right)


def _raw_problem(sentences: Sequence[_SubstitutedSentence], journal: Journal) -> RawProblem:
    first = sentences[0]
    labels = [sentence.is_right for sentence in sentences]
    if len(labels) != 2:
        raise BadRow(f"{len(labels)} sentences for question {first.question}; two are expected")
    if labels.count(True) != 1:
        raise BadRow(f"{labels.count(True)} of the two sentences are right; one is expected")
    place = _place(sentences, journal)
    if not place.first or not place.second:
        raise BadRow("the two sentences do not differ in a phrase that both have")
    options = ((place.first,), (place.second,))
    texts, right = (place.before, place.after), labels.index(True)
    return RawProblem(str(first.question), first.line, texts, options, right, UNKNOWN_PRONOUN)


def _place(sentences: Sequence[_SubstitutedSentence], journal: Journal) -> Substitution:
    """Return the substituted phrases and the text around; extra spaces are ignored."""
    first, second = (sentence.text for sentence in sentences)
    place = substitution(first, second)
    if not _MARK.search(place.first + place.second):
        return place
    closed = substitution(_SPACE_BEFORE_MARK.sub("", first), _SPACE_BEFORE_MARK.sub("", second))
    if len(closed.first) < len(place.first):
        odd, done = "one sentence has spaces before punctuation marks, the other not", "removed"
        name = str(sentences[0].question)
        if journal.repair(STRAY_SPACES, sentences[0].line, name, odd, done):
            return closed
    return place


FORMAT = Format(
    name="trinh-le",
    title="the substituted sentences of Trinh and Le",
    looks_like=_looks_like,
    read=_read,
    twins=NEIGHBOURS,
    repairs={
        STRAY_SPACES: "spaces before punctuation marks are removed if only one sentence has them",
        LABELS_EXCHANGED: "labels known to contradict the WSC are swapped",
    },
    contiguous=True,
)
