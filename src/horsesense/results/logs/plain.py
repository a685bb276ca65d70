"""Read a simple table, as CSV or JSON lines, for programs without a format of their own.

| Column | Value |
|---|---|
| schema | the same for two problems of a schema; empty for a problem without a schema |
| problem | number of the problem in its schema, from 1; by default, in the order of the rows |
| solved | 1 or 0, true or false; empty for undecided |
| chosen, right | number of the option, from 1, or its letter; may replace `solved` |
| tags | words separated by commas; rows with the same `cluster:NAME` are resampled together |
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
    """Whether the first line has the required columns."""
    first = file.head.lstrip().partition("\n")[0]
    if first.startswith("{"):
        return not missing_columns(name for name in _COLUMNS if f'"{name}"' in first)
    return not missing_columns(heading(file))


def read(file: SourceFile) -> list[Task]:
    """Read the table, which has one method."""
    is_json = file.head.lstrip().startswith("{")
    rows = list(json_rows(file) if is_json else csv_rows(file))
    documents = [
        Document(position, f"{file.name}:{line}", row) for position, (line, row) in enumerate(rows)
    ]
    outcomes = {
        document.number: _outcome(document.location, document.fields) for document in documents
    }
    name = PurePath(file.name).name.partition(".")[0]
    method = LoggedMethod("solved", outcomes)
    return [Task(name, "", tuple(documents), (method,), arrangement=_arrangement(documents))]


def missing_columns(names: Iterable[str]) -> list[str]:
    """List the required columns that are missing.

    >>> missing_columns(["schema", "chosen"]), missing_columns(["schema", "chosen", "right"])
    (['solved'], [])
    """
    present = set(names)
    if {"chosen", "right"} <= present:
        present.add("solved")
    return [name for name in ("schema", "solved") if name not in present]


def _outcome(location: str, row: Mapping[str, Any]) -> Outcome:
    chosen, right = (_position(location, row, column) for column in ("chosen", "right"))
    cell = _text(row, "solved")
    if cell.lower() not in _SOLVED:
        raise FileError(
            f"{location}: solved is {short(cell)}; use 1 or 0, true or false, "
            "or leave it empty for undecided"
        )
    solved = _SOLVED[cell.lower()]
    if right is None or "chosen" not in row:
        return only_solved(solved)
    outcome = Outcome((), chosen, right, 0.0)
    if cell and outcome.verdict is not _VERDICTS[solved]:
        choice = f"{short(row['chosen'])} was chosen and {short(row['right'])} is right"
        raise FileError(f"{location}: {choice}, which is not {_VERDICTS[solved]}")
    return outcome


def _position(location: str, row: Mapping[str, Any], column: str) -> int | None:
    text = _text(row, column)
    if not text:
        return None
    number = _number(text)
    if number:
        return number - 1
    if len(text) == 1 and "A" <= text.upper() <= "Z":
        return ord(text.upper()) - ord("A")
    raise FileError(
        f"{location}: {column} is {short(text)}, where a number from 1 or a letter is expected"
    )


def _number(text: str) -> int | None:
    matched = _NUMBER.fullmatch(text)
    return int(matched["digits"]) if matched else None


def _text(row: Mapping[str, Any], column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value).strip()


def _arrangement(documents: list[Document]) -> Arrangement:
    schemas = [_text(document.fields, "schema") or None for document in documents]
    numbers = [_problem(document) for document in documents]
    rows = zip(documents, schemas, numbers, strict=True)
    check_distinct(
        (document, (schema, number))
        for document, schema, number in rows
        if schema and number is not None
    )
    arrangement = by_key(documents, schemas, "the same schema")
    problems = tuple(
        (entry, default if number is None else number)
        for (entry, default), number in zip(arrangement.problems, numbers, strict=True)
    )
    tags = {position: _tags(document) for position, document in enumerate(documents)}
    return replace(arrangement, problems=problems, tags=tags)


def _problem(document: Document) -> int | None:
    text = _text(document.fields, "problem")
    number = _number(text)
    if text and number is None:
        raise FileError(
            f"{document.location}: problem is {short(text)}, where a number is expected"
        )
    return number


def _tags(document: Document) -> frozenset[str]:
    tags = document.fields.get("tags") or ()
    listed = tags if isinstance(tags, list | tuple) else str(tags).split(",")
    return frozenset(tag.strip() for tag in map(str, listed) if tag.strip())
