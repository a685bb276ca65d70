"""XWINO: Winograd problems in six languages, seven tab-separated columns without a header.

Language, origin, the English sentence or `?`, the sentence, its tokens, the pronoun and the
candidates with the tokens that they cover. Answers in English are spelt for their place; those in
other languages, whose grammar we do not know, stay to the letter as they are. Twins are not
marked: they are problems of one language and origin with the same answers that are much alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from horsesense.datasets.importers.format import (
    ISSUES,
    REPAIRS,
    Companions,
    Format,
    Place,
    fitted,
    marked,
    problem_at,
)
from horsesense.datasets.importers.neighbours import alike_pairs
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile
from horsesense.datasets.recovery import EXTERIOR, LIKENESS, Group, Journal, RawProblem, trimmed

EXCHANGED = "splits-exchanged"
PUNCTUATION = "punctuation-in-pronoun"
TOKENS = "tokens-beyond-candidate"
_COLUMNS = ["language", "origin", "reference", "sentence", "tokens", "pronoun", "candidates"]
_FIRST_ROW = re.compile(r"[a-z]{2}\t[^\t]*\t[^\t]*\t[^\t]*\t\[[^\t]*\]\t\[[^\t]*\]\t\[\[")
# The larger English part is the training set of the DPR, whatever its name.
_RENAMED = {"wsc_naive.test": "wsc_naive.train", "wsc_naive.train": "wsc_naive.test"}
_MARKS = ".,;:!?"
# How the tokenizer wrote quotation marks.
_QUOTES = {"``": '"', "''": '"'}


class _Row(NamedTuple):
    language: str
    origin: str
    reference: str
    found: RawProblem


def _looks_like(file: SourceFile) -> bool:
    is_whole = len(file.headings("\t")) == len(_COLUMNS)
    return is_whole and _FIRST_ROW.match(file.head) is not None


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[Group]:
    parts: dict[tuple[str, str], dict[str, _Row]] = {}
    for row in _rows(file, journal):
        parts.setdefault((row.language, row.origin), {})[row.found.name] = row
    renamed = _renamed({part: len(rows) for part, rows in parts.items()}, journal)
    groups: list[Group] = []
    for (language, origin), rows in parts.items():
        tags = (language, renamed.get((language, origin), origin))
        for twins in alike_pairs(row.found for row in rows.values()):
            references = [rows[twin.name].reference for twin in twins]
            shown = " / ".join(reference for reference in references if reference)
            extras = {"x-reference": shown} if shown else {}
            groups.append(Group(twins[0].name, twins, tags=tags, extras=extras))
    return sorted(groups, key=lambda group: group.problems[0].line)


def _renamed(sizes: dict[tuple[str, str], int], journal: Journal) -> dict[tuple[str, str], str]:
    """The origins that other parts of the file should have."""
    wrong = {part: _RENAMED[part[1]] for part in sizes if part[0] == "en" and part[1] in _RENAMED}
    odd = ", ".join(f"{sizes[part]} rows are called {part[1]}" for part in wrong)
    done = "the two names are exchanged: what is called test is DPR's training set"
    return wrong if wrong and journal.repair(EXCHANGED, 0, "", odd, done) else {}


def _rows(file: SourceFile, journal: Journal) -> Iterator[_Row]:
    for line, row in file.tsv_rows(journal, _COLUMNS):
        try:
            yield _row(line, row, journal)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))


def _row(line: int, row: dict[str, str], journal: Journal) -> _Row:
    language, name, sentence = row["language"], f"{row['language']}-{line}", row["sentence"]
    places = _walk(sentence, _parsed(row, "tokens"))
    blank = _pronoun(_parsed(row, "pronoun"), sentence, places)
    bare = Place(blank.start, blank.start + len(sentence[blank.start : blank.end].rstrip(_MARKS)))
    if bare != blank:
        odd, done = (repr(sentence[place.start : place.end]) for place in (blank, bare))
        journal.step(PUNCTUATION, line, name, odd, done)
    candidates = [_candidate(one, sentence, places) for one in _parsed(row, "candidates")]
    rights = [is_right for _, _, is_right in candidates]
    if rights.count(True) != 1:
        raise BadRow(f"{rights.count(True)} of {len(rights)} candidates are right")
    for answer, tokens, _ in candidates:
        if tokens.end > tokens.start + len(answer):
            odd = f"the tokens of {answer!r} say {sentence[tokens.start : tokens.end]!r}"
            journal.step(TOKENS, line, name, odd, "the words are right")
    answers = [answer for answer, _, _ in candidates]
    stand = [Place(at.start, at.start + len(answer)) for answer, at, _ in candidates]
    text = sentence.rstrip()
    if text != sentence:
        journal.step(EXTERIOR, line, name, "", "put right")
    found = marked(problem_at(name, line, text, bare, answers, rights.index(True)), stand, journal)
    reference = "" if row["reference"] == "?" else trimmed(row["reference"], lambda step: None)
    return _Row(
        language, row["origin"], reference, fitted(found, journal) if language == "en" else found
    )


def _parsed(row: dict[str, str], column: str) -> list[Any]:
    try:
        value = json.loads(row[column])
    except (ValueError, RecursionError) as error:
        raise BadRow(f"the {column} are not JSON: {error}") from error
    if not isinstance(value, list) or not value:
        raise BadRow(f"the {column} are no JSON list")
    return value


def _walk(sentence: str, tokens: Sequence[object]) -> list[tuple[int, int]]:
    """Where each token stands in the sentence."""
    places: list[tuple[int, int]] = []
    end = 0
    for token in tokens:
        if not isinstance(token, str) or not token:
            raise BadRow(f"the token {token!r} is no text")
        start = sentence.find(token, end)
        if start < 0 and token in _QUOTES:
            token = _QUOTES[token]
            start = sentence.find(token, end)
        if start != end and (start < 0 or not sentence[end:start].isspace()):
            raise BadRow(f"the token {token!r} does not follow {sentence[:end][-20:]!r}")
        end = start + len(token)
        places.append((start, end))
    return places


def _covered(span: object, places: Sequence[tuple[int, int]]) -> Place:
    """The characters of tokens `[first, end]`, the end not included."""
    match span:
        case [int(first), int(end)] if 0 <= first < end <= len(places):
            return Place(places[first][0], places[end - 1][1])
    raise BadRow(f"{span!r} are not the first and the last of {len(places)} tokens")


def _pronoun(value: Sequence[Any], sentence: str, places: Sequence[tuple[int, int]]) -> Place:
    if len(value) != 3:
        raise BadRow("the pronoun is not [text, [start, end], tokens]")
    place = _covered(value[1], places)
    if sentence[place.start : place.end] != value[0] or not value[0].rstrip(_MARKS):
        raise BadRow(f"the pronoun {value[0]!r} does not stand at {value[1]}")
    return place


def _candidate(
    value: object, sentence: str, places: Sequence[tuple[int, int]]
) -> tuple[str, Place, bool]:
    if not isinstance(value, list) or len(value) != 4 or not isinstance(value[3], bool):
        raise BadRow("a candidate is not [text, [start, end], tokens, true or false]")
    text, place = value[0], _covered(value[1], places)
    if not isinstance(text, str) or not text or not sentence.startswith(text, place.start):
        raise BadRow(f"the candidate {text!r} does not stand at {value[1]}")
    return text, place, value[3]


FORMAT = Format(
    name="xwino",
    title="XWINO, tab-separated",
    looks_like=_looks_like,
    read=_read,
    twins=LIKENESS,
    repairs={
        EXCHANGED: "the names of the English training and test parts are exchanged",
        **REPAIRS,
    },
    issues={
        PUNCTUATION: "a comma or full stop beside the pronoun is counted to it; the blank is not",
        TOKENS: "the tokens of a candidate go beyond it",
        **ISSUES,
    },
)
