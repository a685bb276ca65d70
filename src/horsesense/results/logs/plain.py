"""A table for everybody else, as CSV or JSON lines: what was solved, and what makes a schema.

| Column | Value |
|---|---|
| schema | what two problems have in common; an empty cell for a problem without a schema |
| problem | the number of the problem in its schema, from 1; their order, if there is none |
| solved | 1 or 0, true or false; nothing for undecided |
| chosen, right | the number of the option, from 1, or its letter; they may stand for `solved` |
| tags | words with commas between them; rows with the same `cluster:NAME` are drawn together |
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError
from horsesense.results.logs.document import (
    Arrangement,
    Document,
    LoggedMethod,
    LoggedProblem,
    Task,
    csv_rows,
    heading,
    json_rows,
    only_solved,
    short,
)
from horsesense.results.logs.pairing import by_key, check_distinct
from horsesense.scoring import Outcome, Verdict

# With a missing value in a column, some programs write its integers as 1.0 and 0.0.
_SOLVED = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False, "": None}
_NUMBER = re.compile(r"(?P<digits>\d{1,4})(\.0)?")
_COLUMNS = ("schema", "solved", "chosen", "right")
_VERDICTS = {True: Verdict.SOLVED, False: Verdict.FAILED, None: Verdict.UNDECIDED}


def looks_like(file: SourceFile) -> bool:
    """True for a first line with our columns."""
    first = file.head.lstrip().partition("\n")[0]
    if first.startswith("{"):
        return not lacking_columns(name for name in _COLUMNS if f'"{name}"' in first)
    return not lacking_columns(heading(file))


def read(file: SourceFile) -> list[Task]:
    """The one method of the table."""
    is_json = file.head.lstrip().startswith("{")
    rows = list(json_rows(file) if is_json else csv_rows(file))
    documents = [Document(at, f"{file.name}:{line}", row) for at, (line, row) in enumerate(rows)]
    outcomes = {
        document.number: _outcome(document.place, document.fields) for document in documents
    }
    name = PurePath(file.name).name.partition(".")[0]
    method = LoggedMethod("solved", outcomes)
    return [Task(name, "", tuple(documents), (method,), arrangement=_arrangement(documents))]


def lacking_columns(names: Iterable[str]) -> list[str]:
    """The columns that a table must have and these are not.

    >>> lacking_columns(["schema", "chosen"]), lacking_columns(["schema", "chosen", "right"])
    (['solved'], [])
    """
    there = set(names)
    if {"chosen", "right"} <= there:
        there.add("solved")
    return [name for name in ("schema", "solved") if name not in there]


def _outcome(place: str, row: Mapping[str, Any]) -> Outcome:
    chosen, right = (_position(place, row, column) for column in ("chosen", "right"))
    cell = _text(row, "solved")
    if cell.lower() not in _SOLVED:
        raise FileError(
            f"{place}: solved is {short(cell)}; use 1 or 0, true or false, "
            "or leave it empty for undecided"
        )
    solved = _SOLVED[cell.lower()]
    if right is None or "chosen" not in row:
        return only_solved(solved)
    outcome = Outcome((), chosen, right, 0.0)
    if cell and outcome.verdict is not _VERDICTS[solved]:
        choice = f"{short(row['chosen'])} was chosen and {short(row['right'])} is right"
        raise FileError(f"{place}: {choice}, which is not {_VERDICTS[solved]}")
    return outcome


def _position(place: str, row: Mapping[str, Any], column: str) -> int | None:
    text = _text(row, column)
    if not text:
        return None
    number = _number(text)
    if number:
        return number - 1
    if len(text) == 1 and "A" <= text.upper() <= "Z":
        return ord(text.upper()) - ord("A")
    raise FileError(
        f"{place}: {column} is {short(text)}, where a number from 1 or a letter is expected"
    )


def _number(text: str) -> int | None:
    matched = _NUMBER.fullmatch(text)
    return int(matched["digits"]) if matched else None


def _text(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value).strip()


def _arrangement(documents: list[Document]) -> Arrangement:
    keys = [_text(document.fields, "schema") or None for document in documents]
    numbers = [_problem(document) for document in documents]
    rows = zip(documents, keys, numbers, strict=True)
    check_distinct(
        (one, LoggedProblem(key, number)) for one, key, number in rows if key and number is not None
    )
    found = by_key(documents, keys, "the same schema")
    problems = [
        replace(problem, number=problem.number if number is None else number, tags=_tags(document))
        for document, problem, number in zip(documents, found.problems, numbers, strict=True)
    ]
    return Arrangement(tuple(problems), found.schemas, found.remarks)


def _problem(document: Document) -> int | None:
    text = _text(document.fields, "problem")
    number = _number(text)
    if text and number is None:
        raise FileError(f"{document.place}: problem is {short(text)}, where a number is expected")
    return number


def _tags(document: Document) -> frozenset[str]:
    tags = document.fields.get("tags") or ()
    listed = tags if isinstance(tags, list | tuple) else str(tags).split(",")
    return frozenset(tag.strip() for tag in map(str, listed) if tag.strip())
