"""Files of `horsesense score --output FILE`: a line for each problem, with all methods.

`schemas` are the numbers of the schemas of its entry that a problem belongs to. Files without it
are read as well: there, two problems make a schema if they are all that an entry has.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from horsesense.datasets.importers import SourceFile
from horsesense.errors import FileError, MetricError
from horsesense.results.logs.document import (
    Arrangement,
    Document,
    LoggedMethod,
    LoggedProblem,
    Task,
    counted,
    json_rows,
    short,
    some,
)
from horsesense.scoring import Outcome

_FIELDS = ('"entry"', '"problem"', '"methods"')


def looks_like(file: SourceFile) -> bool:
    """True for the lines that we write."""
    first = file.head.lstrip().partition("\n")[0]
    return first.startswith("{") and all(field in first for field in _FIELDS)


def read(file: SourceFile) -> list[Task]:
    """The one run of the file."""
    rows = [(f"{file.name}:{line}", row) for line, row in json_rows(file)]
    for place, row in rows:
        if (field := _wrong_field(row)) is not None:
            fault = (
                f"{field} is {short(row.get(field))}" if field in row else f"there is no {field}"
            )
            raise FileError(f"{place}: no line of `horsesense score --output`: {fault}")
    documents = [_document(at, place, row) for at, (place, row) in enumerate(rows)]
    names = dict.fromkeys(name for _, row in rows for name in row["methods"])
    methods = tuple(_method(name, rows) for name in names)
    name = _common(rows, "dataset") or PurePath(file.name).name.partition(".")[0]
    found = _arrangement([row for _, row in rows])
    return [
        Task(
            name,
            _common(rows, "model"),
            tuple(documents),
            methods,
            arrangement=found,
            mode=_common(rows, "mode"),
        )
    ]


def _common(rows: Sequence[tuple[str, Mapping[str, Any]]], what: str) -> str:
    """The one model or dataset of the file."""
    values = {str(row.get(what, "")): place for place, row in reversed(rows)}
    if len(values) > 1:
        (_, first), (other, _) = sorted((place, one) for one, place in values.items())[:2]
        raise MetricError(f"{other}: another {what} than {some([first])}; give one at a time")
    return next(iter(values))


def _wrong_field(row: Mapping[str, Any]) -> str | None:
    """The first field that is not what we write; None if all are."""
    options = row.get("options", [])
    is_fit = {
        "methods": isinstance(row.get("methods"), dict),
        "entry": isinstance(row.get("entry"), str),
        "problem": type(row.get("problem")) is int,
        "options": isinstance(options, list)
        and all(_is_list_of(str, option) for option in options),
        "sentences": _is_list_of(str, row.get("sentences", [])),
        "tags": _is_list_of(str, row.get("tags", [])),
        "marks": _is_list_of(str, row.get("marks", [])),
        "schemas": _is_list_of(int, row.get("schemas", [])),
    }
    return next((field for field, fits in is_fit.items() if not fits), None)


def _is_list_of(kind: type, value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)


def _document(at: int, place: str, row: Mapping[str, Any]) -> Document:
    options = tuple(" / ".join(option) for option in row.get("options", ()))
    return Document(at, place, row, options, tuple(row.get("sentences", ())), row.get("right"))


def _method(name: str, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> LoggedMethod:
    outcomes: dict[int, Outcome] = {}
    reasons: dict[str, int] = {}
    for at, (place, row) in enumerate(rows):
        result = row["methods"].get(name, {"undefined": "not asked"})
        if isinstance(result, dict) and "undefined" in result:
            reason = str(result["undefined"])
            reasons[reason] = reasons.get(reason, 0) + 1
            continue
        try:
            outcomes[at] = _outcome(result, row.get("right"))
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise FileError(f"{place}: no outcome of {short(name)}: {short(str(error))}") from error
    remarks = tuple(f"{counted(few, 'problem')}: {why}" for why, few in reasons.items())
    return LoggedMethod(name, outcomes, remarks, explained=sum(reasons.values()))


def _outcome(result: Mapping[str, Any], right: int | None) -> Outcome:
    costs, margin = tuple(float(cost) for cost in result["costs"]), float(result["margin"])
    if any(map(math.isnan, (*costs, margin))):
        raise ValueError("NaN says nothing")
    for position in (result["chosen"], right):
        if position not in (None, *range(len(costs))):
            raise ValueError(f"there is no option {short(position)}")
    return Outcome(costs, result["chosen"], right, margin)


def _arrangement(rows: Sequence[Mapping[str, Any]]) -> Arrangement:
    problems = tuple(
        LoggedProblem(str(row["entry"]), row["problem"], frozenset(row.get("tags", ())))
        for row in rows
    )
    members: dict[tuple[str, int], list[int]] = {}
    by_entry: dict[str, list[int]] = {}
    for at, row in enumerate(rows):
        by_entry.setdefault(problems[at].entry, []).append(at)
        for number in row.get("schemas", ()):
            members.setdefault((problems[at].entry, number), []).append(at)
    has_schemas = any("schemas" in row for row in rows)
    groups = list(members.values()) if has_schemas else list(by_entry.values())
    odd = sum(len(group) > 2 or (has_schemas and len(group) < 2) for group in groups)
    remark = (
        f"{counted(odd, 'schema')} of which not both problems are in the file"
        if has_schemas
        else f"{counted(odd, 'larger group')} of problems: the file does not say which two pair"
    )
    return Arrangement(
        problems,
        tuple(pair for group in groups if len(group) == 2 for pair in pairwise(group)),
        (remark,) if odd else (),
        frozenset().union(*(row.get("marks", ()) for row in rows)),
    )
