"""GAP: passages with a pronoun and two names, tab-separated, with characters where they start.

Neither name need be right, so that the published task has three answers. Passages where neither
is right make no problem of two answers, and are left out and counted. There are no twins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from horsesense.datasets.importers.columns import are_columns_of
from horsesense.datasets.importers.format import (
    ISSUES,
    POSSESSIVE,
    REPAIRS,
    Companions,
    Format,
    TextSpan,
    is_owner,
    marked,
    problem_at,
)
from horsesense.datasets.importers.source import BAD_ROW, BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import SINGLES, Journal, RawEntry, RawProblem
from horsesense.schema import possessive

NEITHER = "neither-is-right"
SEARCHED = "offset-searched"
_COLUMNS = ("ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "B", "B-offset", "URL")
_LABELS = {"TRUE": True, "FALSE": False}
_GENDERS = {
    **dict.fromkeys(("he", "him", "his"), "masculine"),
    **dict.fromkeys(("she", "her", "hers"), "feminine"),
}


def _looks_like(file: SourceFile) -> bool:
    return are_columns_of(file.headings("\t"), _COLUMNS, ["A-coref", "B-coref"])


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterator[RawEntry]:
    left_out = 0
    for line, row in file.tsv_rows(journal):
        try:
            name, text, url = texts_of(row, "ID", "Text", "URL")
            labels = _label(row, "A-coref"), _label(row, "B-coref")
            if labels == (False, False):
                journal.oddity(NEITHER, line, name, "neither A nor B", "left out", left_out=1)
                left_out += 1
                continue
            raw_problem = _problem(name, line, text, row, labels, journal)
        except BadRow as error:
            journal.fault(BAD_ROW, line, "", str(error))
            continue
        gender = _GENDERS.get(raw_problem.pronoun.lower())
        extras = {"x-page": url.strip()} if url.strip() else {}
        yield RawEntry(name, [raw_problem], tags=(gender,) if gender else (), extras=extras)
    if left_out:
        odd = f"{left_out} passages in which neither name is right"
        journal.oddity(NEITHER, 0, "", odd, "left out: they have no answer of two")


def _label(row: dict[str, Any], field: str) -> bool | None:
    """Return whether a name is right; a file without labels has no such column."""
    label = row.get(field)
    if label is None:
        return None
    if label.upper() not in _LABELS:
        raise BadRow(f"{field} is {label!r}, neither TRUE nor FALSE")
    return _LABELS[label.upper()]


def _problem(
    name: str,
    line: int,
    text: str,
    row: dict[str, Any],
    labels: tuple[bool | None, bool | None],
    journal: Journal,
) -> RawProblem:
    right = None
    if labels != (None, None):
        if labels.count(True) != 1 or labels.count(False) != 1:
            raise BadRow("both A and B are right" if all(labels) else "A or B has no label")
        right = labels.index(True)
    blank, *spans = (_span(text, row, f, name, line, journal) for f in ("Pronoun", "A", "B"))
    answers = texts_of(row, "A", "B")
    raw_problem = problem_at(name, line, text, blank, answers, right)
    return _owned(marked(raw_problem, spans, journal), journal)


def _span(
    text: str, row: dict[str, Any], field: str, name: str, line: int, journal: Journal
) -> TextSpan:
    """Return the span of a name or pronoun: at its offset, or else its only occurrence."""
    word, offset = texts_of(row, field, f"{field}-offset")
    if not offset.isdecimal() or len(offset) > 9:
        raise BadRow(f"{field}-offset is {offset!r}, not a number")
    if not word:
        raise BadRow(f"{field} is empty")
    start = int(offset)
    if text.startswith(word, start):
        return TextSpan(start, start + len(word))
    odd = f"{field} {word!r} is not at {offset}"
    if text.count(word) != 1:
        raise BadRow(f"{odd}, and occurs {text.count(word)} times")
    start = text.find(word)
    if not journal.repair(SEARCHED, line, name, odd, f"found at {start}, and nowhere else"):
        raise BadRow(odd)
    return TextSpan(start, start + len(word))


def _owned(raw_problem: RawProblem, journal: Journal) -> RawProblem:
    """The problem with possessive answers where the pronoun is. Names keep their capitals."""
    if not is_owner(raw_problem.pronoun, raw_problem.texts[1]):
        return raw_problem
    names = [phrase for (phrase,) in raw_problem.options]
    owners = [possessive(phrase, raw_problem.pronoun) for phrase in names]
    odd, done = (", ".join(map(repr, side)) for side in (names, owners))
    if not journal.repair(POSSESSIVE, raw_problem.line, raw_problem.name, odd, done):
        return raw_problem
    return raw_problem._replace(options=tuple((owner,) for owner in owners))


FORMAT = Format(
    name="gap",
    title="GAP, tab-separated",
    looks_like=_looks_like,
    read=_read,
    twins=SINGLES,
    repairs={
        SEARCHED: "a word that is not at its offset is searched for, if it occurs only once",
        POSSESSIVE: REPAIRS[POSSESSIVE],
    },
    issues={NEITHER: "neither name is right; the passage is left out", **ISSUES},
)
