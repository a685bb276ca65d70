"""A profile as a JSON document, and back, exactly; whatever is missing or out of place is said.

The document has the tables of a profile, each with the names of its columns and its rows. JSON
has no infinity; `"inf"` stands for it where a number belongs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from math import inf
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from horsesense.errors import FileError
from horsesense.profile.measurement import Kind
from horsesense.profile.packed_sheets import Rows
from horsesense.profile.plan import Plan
from horsesense.profile.profile import Profile
from horsesense.profile.tables import TABLES, columns_of, from_tables, to_tables

FORMAT, VERSION = "horsesense-profile", 1

_INFINITE = {"inf": inf, "-inf": -inf}
_NAMES = {inf: "inf", -inf: "-inf"}
_KINDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    tuple: "a list",
    Kind: "a kind of measurement",
    Plan: "a plan",
}
# Fields of a plan that earlier versions did not have.
_LATER = frozenset({"keep_going"})
_Column: TypeAlias = Sequence[Any]


class _Unfit(Exception):
    """A value that is not what belongs there."""

    def __init__(self, value: Any, kind: Any) -> None:
        super().__init__(f"{str(value)[:40]!r} stands where {_KINDS[kind]} belongs")


def to_document(profile: Profile) -> dict[str, Any]:
    """The document of a profile, which `json.dumps` can write."""
    tables = {
        name: {"columns": list(columns_of(name)), "rows": _plain_rows(name, rows)}
        for name, rows in to_tables(profile).items()
    }
    return {"format": FORMAT, "version": VERSION, "tables": tables}


def from_document(document: Mapping[str, Any]) -> Profile:
    """The profile of a document, equal to the one that it was made of."""
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise FileError(f"this is no profile: a profile says that its format is {FORMAT}")
    if document.get("version") != VERSION:
        raise FileError(
            f"this profile is of version {document.get('version')}, and this program reads version"
            f" {VERSION}; write it again with the horsesense that reads it"
        )
    tables = document.get("tables")
    if not isinstance(tables, Mapping):
        raise _damaged("it has no tables")
    missing = [name for name in TABLES if name not in tables]
    if missing:
        raise _damaged(f"it has no table {', '.join(missing)}")
    rows = {name: _read_table(name, tables[name]) for name in TABLES}
    _check_references(rows)
    return from_tables(rows)


def _damaged(what: str) -> FileError:
    return FileError(f"this profile is damaged: {what}")


def _plain_rows(table: str, rows: Rows) -> list[list[Any]]:
    hints = columns_of(table).values()
    columns = (
        _plain_column(hint, column)
        for hint, column in zip(hints, zip(*rows, strict=True), strict=False)
    )
    return [list(row) for row in zip(*columns, strict=True)]


def _plain_column(hint: Any, column: _Column) -> _Column:
    if _is_optional(hint):
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


def _read_table(name: str, table: Any) -> Rows:
    """The rows of a table, after a look at every value of it."""
    if not isinstance(table, Mapping) or not {"columns", "rows"} <= table.keys():
        raise _damaged(f"the table {name} has no columns or no rows")
    hints = columns_of(name)
    missing = [column for column in hints if column not in table["columns"]]
    if missing:
        raise _damaged(f"the table {name} has no column {', '.join(missing)}")
    if any(len(row) != len(table["columns"]) for row in table["rows"]):
        raise _damaged(f"the table {name} has rows that are shorter or longer than its columns")
    columns = dict(zip(table["columns"], zip(*table["rows"], strict=True), strict=False))
    read = []
    for column, hint in hints.items():
        try:
            read.append(_read_column(hint, columns.get(column, ())))
        except _Unfit as error:
            raise _damaged(f"in {column} of the table {name} {error}") from error
    return list(zip(*read, strict=True))


def _read_column(hint: Any, column: _Column) -> _Column:
    """The values as they were; all of a kind are looked at together, which is quick."""
    if _is_optional(hint):
        present = iter(_read_column(get_args(hint)[0], [one for one in column if one is not None]))
        return [None if one is None else next(present) for one in column]
    if get_origin(hint) is tuple:
        return _read_tuples(get_args(hint), column)
    if hint is Plan:
        return [_read_plan(value) for value in column]
    if hint is Kind:
        _check(hint, [one for one in column if one not in list(Kind)])
        return [Kind(value) for value in column]
    if hint is float:
        column = [_INFINITE.get(one, one) if type(one) is str else one for one in column]
    fitting = {hint, int} if hint is float else {hint}
    if not set(map(type, column)) <= fitting:
        _check(hint, [one for one in column if type(one) not in fitting])
    return column


def _check(hint: Any, strange: _Column) -> None:
    if strange:
        raise _Unfit(strange[0], hint)


def _read_tuples(inner: tuple[Any, ...], column: _Column) -> _Column:
    _check(tuple, [one for one in column if not isinstance(one, (list, tuple))])
    if inner[-1] is Ellipsis:
        values = iter(_read_column(inner[0], list(chain.from_iterable(column))))
        return [tuple(next(values) for _ in one) for one in column]
    _check(tuple, [one for one in column if len(one) != len(inner)])
    return list(zip(*map(_read_column, inner, zip(*column, strict=True)), strict=True))


def _read_plan(value: Any) -> Plan:
    hints = get_type_hints(Plan)
    fits = isinstance(value, Mapping) and hints.keys() - _LATER <= value.keys() <= hints.keys()
    _check(Plan, [] if fits else [value])
    read = {name: hint for name, hint in hints.items() if name in value}
    return Plan(**{name: _read_column(hint, [value[name]])[0] for name, hint in read.items()})


def _is_optional(hint: Any) -> bool:
    return type(None) in get_args(hint)


def _check_references(tables: Mapping[str, Rows]) -> None:
    """Refuse answers to nothing, and schemas of answers that are not there."""
    if len(tables["run"]) != 1:
        raise _damaged(f"it has {len(tables['run'])} records, and should have one")
    sheets = [row[6] for row in tables["sheet"]]
    counted = [at for at, count in enumerate(sheets) for _ in range(count)]
    if [row[0] for row in tables["answer"]] != counted:
        raise _damaged("the answers are not those of its sheets")
    for column, table in ((1, "posed_problem"), (2, "tag_set")):
        if not {row[column] for row in tables["answer"]} <= set(range(len(tables[table]))):
            raise _damaged(f"an answer refers to a row of the table {table} that is not there")
    for _, _, _, _, _, name, count, schemas, *_ in tables["sheet"]:
        if not set(chain.from_iterable(schemas)) <= set(range(count)):
            raise _damaged(f"a schema of the sheet {name} is of answers that are not there")
