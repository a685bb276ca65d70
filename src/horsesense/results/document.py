"""Results as a JSON document, and back, exactly; whatever is missing or out of place is said.

The document has the kept tables, each with the names of its columns and its rows. JSON has no
infinity; `"inf"` stands for it where a number belongs. Documents of the first version have other
names for tables and columns, and are read too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from math import inf
from typing import Any, get_args, get_origin

from horsesense.errors import FileError
from horsesense.results.cells import Column, Misfit, kind_of, nearest, read_column
from horsesense.results.kept import (
    FORMER_COLUMNS,
    FORMER_TABLES,
    TABLES,
    Rows,
    columns_of,
    from_tables,
    to_tables,
)
from horsesense.results.plan import Plan
from horsesense.results.references import check_references
from horsesense.results.results import Results
from horsesense.results.rows import Kind

FORMAT, VERSION = "horsesense-results", 2
_FORMER_FORMAT, _FORMER_VERSION = "horsesense-profile", 1

_NAMES = {inf: "inf", -inf: "-inf"}
# A whole number with more digits is none that results hold, and takes Python long to read.
_MOST_DIGITS = 100


def to_document(results: Results) -> dict[str, Any]:
    """The document of some results, which `json.dumps` can write."""
    tables = {
        name: {"columns": list(columns_of(name)), "rows": _plain_rows(name, rows)}
        for name, rows in to_tables(results).items()
    }
    return {"format": FORMAT, "version": VERSION, "tables": tables}


def read_document(data: bytes) -> Results:
    """The results in the bytes of a file, as `json.dumps(to_document(results))` gives them."""
    try:
        document = _from_json(data)
    except RecursionError as error:
        raise FileError("not a results file: the file is nested too deeply") from error
    except ValueError as error:
        raise FileError(f"this is not JSON: {error}") from error
    return from_document(document)


def from_document(document: Mapping[str, Any]) -> Results:
    """The results of a document, equal to those that it was made of.

    What is wrong is told with its path, such as `tables.answers.rows[3].costs`.
    """
    is_former = _is_former(document)
    tables = document.get("tables")
    if not isinstance(tables, Mapping):
        raise Misfit(("tables",), "an object with the tables", kind_of(tables)).error()
    rows = {}
    for name in TABLES:
        written = FORMER_TABLES[name] if is_former else name
        try:
            rows[name] = _read_table(name, tables.get(written), FORMER_COLUMNS if is_former else {})
        except Misfit as error:
            raise error.error("tables", written) from error
    try:
        check_references(rows)
    except Misfit as error:
        raise error.error("tables") from error
    return from_tables(rows)


def _is_former(document: Mapping[str, Any]) -> bool:
    """Whether it is of the first version; what is neither version is refused."""
    form = document.get("format") if isinstance(document, Mapping) else None
    if form not in (FORMAT, _FORMER_FORMAT):
        raise FileError(f"not a results file: its format is not {FORMAT}")
    version, expected = document.get("version"), VERSION if form == FORMAT else _FORMER_VERSION
    if version != expected:
        raise FileError(
            f"version: expected {expected}, which this program reads, found {kind_of(version)}; "
            "write it again with the horsesense that reads it"
        )
    return bool(form == _FORMER_FORMAT)


def _from_json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except RecursionError:
        raise
    except ValueError:
        # Perhaps for nothing but a number that Python refuses to read; then it has a path.
        return json.loads(data, parse_int=_whole)


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= _MOST_DIGITS else int(digits[:_MOST_DIGITS])


def _plain_rows(table: str, rows: Rows) -> list[list[Any]]:
    hints = columns_of(table).values()
    columns = (
        _plain_column(hint, column)
        for hint, column in zip(hints, zip(*rows, strict=True), strict=False)
    )
    return [list(row) for row in zip(*columns, strict=True)]


def _plain_column(hint: Any, column: Column) -> Column:
    if type(None) in get_args(hint):
        hint = get_args(hint)[0]
    if hint is float:
        return [_NAMES.get(value, value) for value in column]
    if get_origin(hint) is tuple:
        return [_plain_tuple(value) for value in column]
    if hint is Plan:
        return [asdict(value) for value in column]
    return [str(value) for value in column] if hint is Kind else column


def _plain_tuple(value: tuple[Any, ...]) -> list[Any]:
    return [list(one) if isinstance(one, tuple) else _NAMES.get(one, one) for one in value]


def _read_table(name: str, table: Any, former: Mapping[str, str]) -> Rows:
    """The rows of a table, after a look at every value of it; `former` has names of columns."""
    if not isinstance(table, Mapping):
        raise Misfit((), "a table", "nothing" if table is None else kind_of(table))
    for part in ("columns", "rows"):
        if not isinstance(table.get(part), list | tuple):
            found = kind_of(table[part]) if part in table else "nothing"
            raise Misfit((part,), "a list", found)
    names, rows = table["columns"], table["rows"]
    for at, column in enumerate(names):
        if not isinstance(column, str):
            raise Misfit(("columns", at), "a text", kind_of(column))
    written = {former.get(column, column): hint for column, hint in columns_of(name).items()}
    for column in names:
        if column not in written:
            raise Misfit(("columns",), "columns that are known", nearest(column, written))
    for column in written:
        if names.count(column) != 1:
            raise Misfit(("columns",), f"{column} once", f"it {names.count(column)} times")
    for at, row in enumerate(rows):
        if not isinstance(row, list | tuple):
            raise Misfit(("rows", at), "a list", kind_of(row))
        if len(row) != len(names):
            raise Misfit(("rows", at), f"{len(names)} values, one for each column", f"{len(row)}")
    columns = dict(zip(names, zip(*rows, strict=True), strict=False))
    read = []
    for column, hint in written.items():
        try:
            read.append(read_column(hint, columns.get(column, ())))
        except Misfit as error:
            row_at, *rest = error.path
            raise Misfit(("rows", row_at, column, *rest), error.expected, error.found) from error
    return list(zip(*read, strict=True))
