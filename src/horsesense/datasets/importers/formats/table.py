"""Tables of your own: a problem on each row, as CSV, JSON lines or Parquet.

A row has a text with a blank, two options or more, the answer, and the id of its schema; rows
with the same schema id belong together. `table_rows` describes the names of columns and the
contents of rows. Our exporters write such tables; the data file for lm-eval has whole sentences,
where the blank is where they differ.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator

from horsesense.datasets.importers.format import Companions, Format
from horsesense.datasets.importers.formats import perturbed_wsc, square_one, winogrande
from horsesense.datasets.importers.formats.table_rows import (
    ISSUES,
    REPAIRS,
    TWINS,
    Columns,
    NumberedRow,
    columns_of,
    groups_of,
    meant_columns,
)
from horsesense.datasets.importers.parquet import parquet_rows
from horsesense.datasets.importers.source import BAD_ROW, SourceFile
from horsesense.datasets.recovery import Journal, RawEntry
from horsesense.schema import OWN

_DELIMITERS = (",", ";", "\t")
_PARQUET = b"PAR1"
_LIKE_TABLES = (winogrande.FORMAT, square_one.FORMAT, perturbed_wsc.FORMAT_JSONL)


def misspelt_columns(file: SourceFile) -> dict[str, str]:
    """Return the columns of a table that look misspelt, each with the name that it should have."""
    columns = _json_columns(file) or columns_of(_headings(file, _delimiter(file)))
    return meant_columns(columns) if columns.roles or columns.options else {}


def _looks_like_csv(file: SourceFile) -> bool:
    return columns_of(_headings(file, _delimiter(file))).has_problems


def _looks_like_json_lines(file: SourceFile) -> bool:
    columns = _json_columns(file)
    # Files of WinoGrande, and what was made of it, have the same columns, and ids of their own.
    is_other = any(format_.looks_like(file) for format_ in _LIKE_TABLES)
    return columns is not None and not is_other and columns.has_problems


def _json_columns(file: SourceFile) -> Columns | None:
    """Return the columns of JSON lines by their first line."""
    try:
        row = json.loads(file.head.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return None
    return columns_of(row) if isinstance(row, dict) else None


def _looks_like_parquet(file: SourceFile) -> bool:
    return file.data.startswith(_PARQUET)


def _read_csv(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    return groups_of(list(_csv_rows(file, journal)), journal, file.name)


def _read_json_lines(
    file: SourceFile, journal: Journal, companions: Companions
) -> Iterable[RawEntry]:
    return groups_of(list(file.json_lines(journal)), journal, file.name)


def _read_parquet(file: SourceFile, journal: Journal, companions: Companions) -> Iterable[RawEntry]:
    return groups_of(list(enumerate(parquet_rows(file), start=1)), journal, file.name)


def _delimiter(file: SourceFile) -> str:
    """Return the delimiter with which most headings are known."""

    def meaning(delimiter: str) -> int:
        columns = columns_of(_headings(file, delimiter))
        return len(columns.roles) + len(columns.options)

    return max(_DELIMITERS, key=meaning)


def _headings(file: SourceFile, delimiter: str) -> list[str]:
    first = file.head.partition("\n")[0].removesuffix("\r")
    try:
        return next(csv.reader([first], delimiter=delimiter), [])
    except csv.Error:
        return []


def _csv_rows(file: SourceFile, journal: Journal) -> Iterator[NumberedRow]:
    """The rows by their headings; a field of the author's own that is empty is none."""
    rows = file.csv_fields(journal, _delimiter(file))
    header = _distinct(next(rows, (0, []))[1])
    own = [heading for heading in header if heading.startswith(OWN)]
    for number, fields in rows:
        if len(fields) == len(header):
            row = dict(zip(header, fields, strict=True))
            for heading in own:
                if not row[heading]:
                    del row[heading]
            yield number, row
        elif fields:
            odd = f"{len(fields)} fields, but {len(header)} are expected"
            journal.fault(BAD_ROW, number, "", odd)


def _distinct(header: list[str]) -> list[str]:
    """The headings, with a number for one that stands there again: option, option 2, …"""
    seen: dict[str, int] = {}
    distinct = []
    for heading in header:
        seen[heading] = seen.get(heading, 0) + 1
        distinct.append(heading if seen[heading] == 1 else f"{heading} {seen[heading]}")
    return distinct


FORMAT = Format(
    name="table-csv",
    title="a table of problems, CSV",
    looks_like=_looks_like_csv,
    read=_read_csv,
    twins=TWINS,
    repairs=REPAIRS,
    issues=ISSUES,
)
FORMAT_JSONL = Format(
    name="table-jsonl",
    title="a table of problems, JSON lines",
    looks_like=_looks_like_json_lines,
    read=_read_json_lines,
    twins=TWINS,
    repairs=REPAIRS,
    issues=ISSUES,
)
FORMAT_PARQUET = Format(
    name="table-parquet",
    title="a table of problems, Parquet",
    looks_like=_looks_like_parquet,
    read=_read_parquet,
    twins=TWINS,
    repairs=REPAIRS,
    issues=ISSUES,
)
