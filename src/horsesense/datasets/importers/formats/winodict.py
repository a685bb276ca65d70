"""WinoDict: Winograd-like problems in which a word is invented, with its definition before them.

    DEFINITION SENTENCE

A definition that does not mention the word becomes a sentence that does. Twins are found as in
WinoGrande. Their definitions usually differ, which makes them loose pairs. This reader follows the
published description of the format.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from horsesense.datasets.importers.columns import UNUSED_ISSUE
from horsesense.datasets.importers.format import (
    Companions,
    Format,
    fit_id,
    fit_tag,
    numbered_label,
    read_rows,
)
from horsesense.datasets.importers.formats.table_rows import split_text
from horsesense.datasets.importers.formats.winogrande import twins_of_rows
from horsesense.datasets.importers.neighbours import unmarked_twins
from horsesense.datasets.importers.roles import Roles, are_columns_for, rows_by_role
from horsesense.datasets.importers.source import BadRow, SourceFile, texts_of
from horsesense.datasets.recovery import (
    BY_ID,
    UNKNOWN_PRONOUN,
    Journal,
    RawEntry,
    RawProblem,
    Twins,
)
from horsesense.schema import with_full_stop

_DEFINED = "definition-as-sentence"
OPTIONS = ("option1", "option2")
_NEEDED = ("definition", "word", "sentence", *OPTIONS)
ANSWERS = ("answer", "label", "correctanswer")
_ROLES: Roles = {
    "id": ("qid", "id"),
    "definition": ("definition",),
    "word": ("fakelemma", "fakeword", "newword", "inventedword", "neologism", "word", "lemma"),
    "sentence": ("sentence", "text"),
    "option1": ("option1",),
    "option2": ("option2",),
    "answer": ANSWERS,
    "part of speech": ("pos", "partofspeech"),
}


def first_label(rows: Iterable[tuple[int, dict[str, Any]]]) -> int:
    """Return 0 if an answer is 0, else 1: the number of the first option."""
    return 0 if any(str(row.get("answer")).strip() == "0" for _, row in rows) else 1


def blanked(name: str, line: int, sentence: str, row: dict[str, Any], first: int) -> RawProblem:
    """The problem of a sentence with one blank and two options."""
    texts = split_text(sentence)
    if len(texts) != 2:
        raise BadRow(f"{len(texts) - 1} blanks where one is expected")
    right = numbered_label(row.get("answer"), 2, first=first)
    options = tuple((phrase,) for phrase in texts_of(row, *OPTIONS))
    return RawProblem(name, line, texts, options, right, UNKNOWN_PRONOUN)


def _looks_like(file: SourceFile) -> bool:
    return are_columns_for(file, _ROLES, _NEEDED)


def _read(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    rows = list(rows_by_role(file, _ROLES, journal))
    first = first_label(rows)
    numbers = {line: number for number, (line, _) in enumerate(rows, start=1)}

    def read(line: int, row: dict[str, Any]) -> RawProblem:
        return _raw_problem(journal, numbers[line], line, row, first)

    raw_problems = list(read_rows(rows, journal, read))
    has_ids = any(row.get("id") for _, row in rows)
    return _grouped(raw_problems, has_ids)


def _grouped(raw_problems: Sequence[RawProblem], has_ids: bool) -> Iterable[RawEntry]:
    return twins_of_rows(raw_problems) if has_ids else unmarked_twins(raw_problems)


def _raw_problem(
    journal: Journal, number: int, line: int, row: dict[str, Any], first: int
) -> RawProblem:
    definition, word, sentence = (
        text.strip() for text in texts_of(row, "definition", "word", "sentence")
    )
    if not definition or not word:
        raise BadRow("the word or its definition is empty")
    name = fit_id(str(row.get("id") or number)) or str(number)
    if word.lower() not in definition.lower():
        journal.step(_DEFINED, line, name, "the word is not in its definition", "put before it")
        definition = f'The word "{word}" means {definition}'
    problem = blanked(name, line, sentence, row, first)
    before, after = problem.texts
    problem = problem._replace(texts=(f"{with_full_stop(definition)} {before}", after))
    part = row.get("part of speech")
    tag = fit_tag(part) if isinstance(part, str) else ""
    return problem._replace(tags=(tag,) if tag else (), extras=(("x-word", word),))


FORMAT = Format(
    name="winodict",
    title="WinoDict, CSV or JSON lines",
    looks_like=_looks_like,
    read=_read,
    twins=Twins(BY_ID, "the stem of their id"),
    issues={
        **UNUSED_ISSUE,
        _DEFINED: "the definition becomes a sentence that says which word it defines",
    },
)
