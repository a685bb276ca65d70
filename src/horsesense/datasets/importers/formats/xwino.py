"""XWINO: Winograd problems in six languages, seven tab-separated columns without a header.

Language, origin, the English sentence or `?`, the sentence, its tokens, the pronoun and the
candidates with the tokens that they cover. English answers are spelt to fit the blank; answers
in other languages are kept exactly as published. Twins are not marked: they are similar problems
of one language and origin with the same answers.
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
    TextSpan,
    fitted,
    marked,
    problem_at,
)
from horsesense.datasets.importers.neighbours import alike_pairs
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile
from horsesense.datasets.recovery import EXTERIOR, LIKENESS, Journal, RawEntry, RawProblem, trimmed

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


class _XwinoRow(NamedTuple):
    language: str
    origin: str
    reference: str
    raw_problem: RawProblem


def _looks_like(file: SourceFile) -> bool:
    is_whole = len(file.headings("\t")) == len(_COLUMNS)
    return is_whole and _FIRST_ROW.match(file.head) is not None


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    parts: dict[tuple[str, str], dict[str, _XwinoRow]] = {}
    for row in _rows(file, journal):
        parts.setdefault((row.language, row.origin), {})[row.raw_problem.name] = row
    renamed = _renamed({part: len(rows) for part, rows in parts.items()}, journal)
    groups: list[RawEntry] = []
    for (language, origin), rows in parts.items():
        tags = (language, renamed.get((language, origin), origin))
        for twins in alike_pairs(row.raw_problem for row in rows.values()):
            references = [rows[twin.name].reference for twin in twins]
            reference_text = " / ".join(reference for reference in references if reference)
            extras = {"x-reference": reference_text} if reference_text else {}
            groups.append(RawEntry(twins[0].name, twins, tags=tags, extras=extras))
    return sorted(groups, key=lambda group: group.problems[0].line)


def _renamed(sizes: dict[tuple[str, str], int], journal: Journal) -> dict[tuple[str, str], str]:
    """The origins that other parts of the file should have."""
    wrong = {part: _RENAMED[part[1]] for part in sizes if part[0] == "en" and part[1] in _RENAMED}
    odd = ", ".join(f"{sizes[part]} rows are called {part[1]}" for part in wrong)
    done = "the two names are swapped: what is called test is DPR's training set"
    return wrong if wrong and journal.repair(EXCHANGED, 0, "", odd, done) else {}


def _rows(file: SourceFile, journal: Journal) -> Iterator[_XwinoRow]:
    for line, row in file.tsv_rows(journal, _COLUMNS):
        try:
            yield _row(line, row, journal)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))


def _row(line: int, row: dict[str, str], journal: Journal) -> _XwinoRow:
    language, name, sentence = row["language"], f"{row['language']}-{line}", row["sentence"]
    spans = _walk(sentence, _parsed(row, "tokens"))
    blank = _pronoun(_parsed(row, "pronoun"), sentence, spans)
    bare = TextSpan(
        blank.start, blank.start + len(sentence[blank.start : blank.end].rstrip(_MARKS))
    )
    if bare != blank:
        odd, done = (repr(sentence[place.start : place.end]) for place in (blank, bare))
        journal.step(PUNCTUATION, line, name, odd, done)
    candidates = [
        _candidate(candidate, sentence, spans) for candidate in _parsed(row, "candidates")
    ]
    rights = [is_right for _, _, is_right in candidates]
    if rights.count(True) != 1:
        raise BadRow(f"{rights.count(True)} of {len(rights)} candidates are right")
    for answer, tokens, _ in candidates:
        if tokens.end > tokens.start + len(answer):
            odd = f"the tokens of {answer!r} say {sentence[tokens.start : tokens.end]!r}"
            journal.step(TOKENS, line, name, odd, "the words are right")
    answers = [answer for answer, _, _ in candidates]
    stand = [TextSpan(at.start, at.start + len(answer)) for answer, at, _ in candidates]
    text = sentence.rstrip()
    if text != sentence:
        journal.step(EXTERIOR, line, name, "", "cleaned")
    raw_problem = marked(
        problem_at(name, line, text, bare, answers, rights.index(True)), stand, journal
    )
    reference = "" if row["reference"] == "?" else trimmed(row["reference"], lambda step: None)
    return _XwinoRow(
        language,
        row["origin"],
        reference,
        fitted(raw_problem, journal) if language == "en" else raw_problem,
    )


def _parsed(row: dict[str, str], column: str) -> list[Any]:
    try:
        value = json.loads(row[column])
    except (ValueError, RecursionError) as error:
        raise BadRow(f"the {column} are not JSON: {error}") from error
    if not isinstance(value, list) or not value:
        raise BadRow(f"the {column} are not a JSON list")
    return value


def _walk(sentence: str, tokens: Sequence[object]) -> list[tuple[int, int]]:
    """Return the span of each token in the sentence."""
    spans: list[tuple[int, int]] = []
    end = 0
    for token in tokens:
        if not isinstance(token, str) or not token:
            raise BadRow(f"the token {token!r} is not a string")
        start = sentence.find(token, end)
        if start < 0 and token in _QUOTES:
            token = _QUOTES[token]
            start = sentence.find(token, end)
        if start != end and (start < 0 or not sentence[end:start].isspace()):
            raise BadRow(f"the token {token!r} does not follow {sentence[:end][-20:]!r}")
        end = start + len(token)
        spans.append((start, end))
    return spans


def _covered(span: object, spans: Sequence[tuple[int, int]]) -> TextSpan:
    """The characters of tokens `[first, end]`, the end not included."""
    match span:
        case [int(first), int(end)] if 0 <= first < end <= len(spans):
            return TextSpan(spans[first][0], spans[end - 1][1])
    raise BadRow(f"{span!r} are not the first and the last of {len(spans)} tokens")


def _pronoun(value: Sequence[Any], sentence: str, spans: Sequence[tuple[int, int]]) -> TextSpan:
    if len(value) != 3:
        raise BadRow("the pronoun is not [text, [start, end], tokens]")
    place = _covered(value[1], spans)
    if sentence[place.start : place.end] != value[0] or not value[0].rstrip(_MARKS):
        raise BadRow(f"the pronoun {value[0]!r} does not stand at {value[1]}")
    return place


def _candidate(
    value: object, sentence: str, spans: Sequence[tuple[int, int]]
) -> tuple[str, TextSpan, bool]:
    if not isinstance(value, list) or len(value) != 4 or not isinstance(value[3], bool):
        raise BadRow("a candidate is not [text, [start, end], tokens, true or false]")
    text, place = value[0], _covered(value[1], spans)
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
        EXCHANGED: "the names of the English training and test parts are swapped",
        **REPAIRS,
    },
    issues={
        PUNCTUATION: "a comma or full stop beside the pronoun is in its span, but not in the blank",
        TOKENS: "the tokens of a candidate go beyond it",
        **ISSUES,
    },
)
