"""Files of logs: unpacked, and read row by row; the first thing that is wrong ends it."""

from __future__ import annotations

import csv
import gzip
import zlib
from io import StringIO
from typing import Any, TypeVar

from horsesense.errors import FileError
from horsesense.importers import SourceFile
from horsesense.recovery import Journal

Row = TypeVar("Row")

_GZIP = b"\x1f\x8b"
_SEPARATORS = ",;\t"


def unpacked(file: SourceFile) -> SourceFile:
    """The file itself, or what is packed in it by gzip."""
    if not file.data.startswith(_GZIP):
        return file
    try:
        return SourceFile(file.name, gzip.decompress(file.data))
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"{file.name}: cannot be unpacked: {error}") from error


def json_rows(file: SourceFile) -> list[tuple[int, dict[str, Any]]]:
    """The objects of JSON lines, or of a JSON list, with their lines; there must be one."""
    journal = Journal()
    rows = list(file.json_objects(journal))
    for fault in journal.faults:
        raise FileError(f"{file.name}:{fault.line}: {fault.odd}")
    return _some_of(file, rows)


def csv_rows(file: SourceFile) -> list[tuple[int, dict[str, str]]]:
    """The rows of a table with headings, with their lines; there must be one.

    Fields are quoted as spreadsheets do it, with commas, semicolons or tabs between them.
    """
    names, separator = heading(file), _separator(_first_line(file))
    reader = csv.reader(StringIO(file.text, newline=""), delimiter=separator, strict=True)
    try:
        lines = [(reader.line_num, fields) for fields in reader if fields]
    except csv.Error as error:
        raise FileError(f"{file.name}:{reader.line_num}: not CSV: {error}") from error
    rows: list[tuple[int, dict[str, str]]] = []
    for line, fields in lines[1:]:
        if len(fields) != len(names):
            odd = f"{len(fields)} fields where {len(names)} are expected"
            raise FileError(f"{file.name}:{line}: {odd}")
        rows.append((line, dict(zip(names, fields, strict=True))))
    return _some_of(file, rows)


def heading(file: SourceFile) -> list[str]:
    """The names of the columns, by the first line; none where it cannot be one of a table.

    >>> heading(SourceFile("owls.csv", b"schema; solved"))
    ['schema', 'solved']
    """
    first = _first_line(file)
    return [name.strip() for name in _fields(first, _separator(first))]


def is_table(file: SourceFile) -> bool:
    """True where the second line has as many fields as the first."""
    first, _, rest = file.head.lstrip("\r\n").partition("\n")
    second = rest.partition("\n")[0]
    return len(_fields(second, _separator(first))) == len(_fields(first, _separator(first)))


def _first_line(file: SourceFile) -> str:
    return file.head.lstrip("\r\n").partition("\n")[0]


def _fields(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line.rstrip("\r")], delimiter=separator), [])
    except csv.Error:
        return []


def _separator(first: str) -> str:
    """What there is most of in the first line."""
    return max(_SEPARATORS, key=first.count)


def _some_of(file: SourceFile, rows: list[Row]) -> list[Row]:
    if not rows:
        raise FileError(f"{file.name}: there are no samples in it")
    return rows
