"""Read files of `horsesense score --output FILE`: a line for each problem, with all methods.

`schemas` holds the numbers of the schemas of the entry that a problem belongs to. In files without
it, two problems make a schema if their entry has no others.
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
    Task,
    counted,
    json_rows,
    short,
    some,
)
from horsesense.scoring import Outcome

_FIELDS = ('"entry"', '"problem"', '"methods"')


def looks_like(file: SourceFile) -> bool:
    """Whether the first line is one of `horsesense score`."""
    first = file.head.lstrip().partition("\n")[0]
    return first.startswith("{") and all(field in first for field in _FIELDS)


def read(file: SourceFile) -> list[Task]:
    """Read the run of the file."""
    rows = [(f"{file.name}:{line}", row) for line, row in json_rows(file)]
    for location, row in rows:
        if (field := _wrong_field(row)) is not None:
            fault = (
                f"{field} is {short(row.get(field))}" if field in row else f"there is no {field}"
            )
            raise FileError(f"{location}: not a valid line of `horsesense score --output`: {fault}")
    documents = [_document(number, location, row) for number, (location, row) in enumerate(rows)]
    names = dict.fromkeys(name for _, row in rows for name in row["methods"])
    methods = tuple(_method(name, rows) for name in names)
    name = _common(rows, "dataset") or PurePath(file.name).name.partition(".")[0]
    return [
        Task(
            name,
            _common(rows, "model"),
            tuple(documents),
            methods,
            arrangement=_arrangement([row for _, row in rows]),
            mode=_common(rows, "mode"),
        )
    ]


def _common(rows: Sequence[tuple[str, Mapping[str, Any]]], what: str) -> str:
    """Return the model, dataset or mode of the file; raise an error for several."""
    values = {str(row.get(what, "")): location for location, row in reversed(rows)}
    if len(values) > 1:
        (_, first), (other, _) = sorted((location, value) for value, location in values.items())[:2]
        raise MetricError(f"{other}: its {what} is not {some([first])}; give one {what} at a time")
    return next(iter(values))


def _wrong_field(row: Mapping[str, Any]) -> str | None:
    """Return the first field with a wrong type, or None."""
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
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)


def _document(number: int, location: str, row: Mapping[str, Any]) -> Document:
    options = tuple(" / ".join(option) for option in row.get("options", ()))
    return Document(
        number, location, row, options, tuple(row.get("sentences", ())), row.get("right")
    )


def _method(name: str, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> LoggedMethod:
    outcomes: dict[int, Outcome] = {}
    reasons: dict[str, int] = {}
    for position, (location, row) in enumerate(rows):
        result = row["methods"].get(name, {"undefined": "not asked"})
        if isinstance(result, dict) and "undefined" in result:
            reason = str(result["undefined"])
            reasons[reason] = reasons.get(reason, 0) + 1
            continue
        try:
            outcomes[position] = _outcome(result, row.get("right"))
        except (KeyError, OverflowError, TypeError, ValueError) as error:
            raise FileError(
                f"{location}: no outcome of {short(name)}: {short(str(error))}"
            ) from error
    remarks = tuple(f"{counted(count, 'problem')}: {reason}" for reason, count in reasons.items())
    return LoggedMethod(name, outcomes, remarks, explained=sum(reasons.values()))


def _outcome(result: Mapping[str, Any], right: int | None) -> Outcome:
    costs, margin = tuple(float(cost) for cost in result["costs"]), float(result["margin"])
    if any(map(math.isnan, (*costs, margin))):
        raise ValueError("NaN is not a cost")
    for position in (result["chosen"], right):
        if position not in (None, *range(len(costs))):
            raise ValueError(f"there is no option {short(position)}")
    if margin < 0:  # the sign says that a wrong option is preferred
        lowest, next_lowest = sorted(costs)[:2]
        margin = next_lowest - lowest
    return Outcome(costs, result["chosen"], right, margin)


def _arrangement(rows: Sequence[Mapping[str, Any]]) -> Arrangement:
    problems = tuple((str(row["entry"]), row["problem"]) for row in rows)
    members: dict[tuple[str, int], list[int]] = {}
    by_entry: dict[str, list[int]] = {}
    for position, row in enumerate(rows):
        entry = problems[position][0]
        by_entry.setdefault(entry, []).append(position)
        for number in row.get("schemas", ()):
            members.setdefault((entry, number), []).append(position)
    has_schemas = any("schemas" in row for row in rows)
    groups = list(members.values()) if has_schemas else list(by_entry.values())
    odd = sum(len(group) > 2 or (has_schemas and len(group) < 2) for group in groups)
    remark = (
        f"{counted(odd, 'schema')} with a problem missing from the file"
        if has_schemas
        else f"{counted(odd, 'larger group')} of problems: the file does not say which are twins"
    )
    return Arrangement(
        problems,
        tuple(pair for group in groups if len(group) == 2 for pair in pairwise(group)),
        (remark,) if odd else (),
        {position: frozenset(row.get("tags", ())) for position, row in enumerate(rows)},
        frozenset().union(*(row.get("marks", ()) for row in rows)),
    )
