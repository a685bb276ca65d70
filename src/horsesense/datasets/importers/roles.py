"""Read tables whose columns go by several names: CSV, tab-separated or JSON lines.

Formats that we know from their description only accept the likely names of each column, whatever
their capitals and separators. A column that plays no role must not be part of a problem, as in
`columns`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeAlias

from horsesense.datasets.importers.columns import is_part_of_a_problem, reporting_unused
from horsesense.datasets.importers.source import SourceFile
from horsesense.datasets.recovery import Journal

# The names of the column for each role.
Roles: TypeAlias = Mapping[str, Collection[str]]

_SEPARATORS = re.compile(r"[\s_-]+")


def columns_by_role(columns: Collection[str], roles: Roles) -> dict[str, str]:
    """Return the first column for each role that has one.

    >>> columns_by_role(["Context 1", "mood"], {"context": ["context1"], "target": ["target"]})
    {'context': 'Context 1'}
    """
    joined = {_joined(column): column for column in reversed(list(columns))}
    return {
        role: joined[name]
        for role, names in roles.items()
        if (name := next((name for name in names if name in joined), ""))
    }


def are_columns_for(file: SourceFile, roles: Roles, needed: Collection[str]) -> bool:
    """Return whether a table has columns for the needed roles, and no other part of a problem."""
    columns = _columns(file)
    found = columns_by_role(columns, roles)
    others = set(columns) - set(found.values())
    return found.keys() >= set(needed) and not any(map(is_part_of_a_problem, others))


def rows_by_role(
    file: SourceFile, roles: Roles, journal: Journal
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows with their values by role; report columns without a role once."""
    found = columns_by_role(_columns(file), roles)
    if file.first_object:
        rows = file.json_lines(journal)
    else:
        rows = file.csv_rows(journal) if _delimiter(file) == "," else file.tsv_rows(journal)
    for line, row in reporting_unused(rows, found.values(), journal):
        yield line, {role: row[column] for role, column in found.items() if column in row}


def _columns(file: SourceFile) -> list[str]:
    if file.first_object:
        return [] if file.is_json_list else list(file.first_object)
    return file.headings(_delimiter(file))


def _delimiter(file: SourceFile) -> str:
    return max(",", "\t", key=lambda delimiter: len(file.headings(delimiter)))


def _joined(column: str) -> str:
    return _SEPARATORS.sub("", column.strip().lower())
