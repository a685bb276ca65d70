"""Files of logs: unpacked, and read row by row; the first error ends it.

A packed file may be small and hold more than any machine has room for. So what it holds is counted
while it is unpacked, and there is an end to it.
"""

from __future__ import annotations

import csv
import gzip
import re
import zlib
from io import BytesIO
from typing import Any, TypeVar

from horsesense.datasets.importers import SourceFile
from horsesense.datasets.recovery import Journal
from horsesense.errors import FileError

Row = TypeVar("Row")

_GZIP = b"\x1f\x8b"
_SEPARATORS = ",;\t"
# How much a packed log may hold. What Python makes of it takes several times as much memory.
MOST_UNPACKED = 256 * 2**20
# In JSON: a backslash that stands for itself, a pair of surrogates, or half a pair.
_SURROGATES = re.compile(
    rb"(?P<sound>\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    rb"|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_REPLACEMENT = rb"\ufffd"


def unpacked(file: SourceFile) -> SourceFile:
    """The file itself, or what is packed in it by gzip."""
    if not file.data.startswith(_GZIP):
        return file
    try:
        with gzip.GzipFile(fileobj=BytesIO(file.data)) as packed:
            data = packed.read(MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise FileError(f"{file.name}: cannot be unpacked: {error}") from error
    if len(data) > MOST_UNPACKED:
        raise too_large(file)
    return SourceFile(file.name, data)


def too_large(file: SourceFile) -> FileError:
    """The error for a file that holds more than is read."""
    return FileError(
        f"{file.name}: unpacked, it holds more than {MOST_UNPACKED // 2**20} MiB, and no more is "
        "read; unpack it yourself, or log fewer samples at a time"
    )


def mended(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """JSON with no halves of surrogate pairs, which no file can hold as text, and a remark if any.

    >>> mended(b'"a \\\\ud83d"')
    (b'"a \\\\ufffd"', ('1 half of a character, as \\\\ud800 is one, was read as \\\\ufffd',))
    """
    if b"\\ud" not in data and b"\\uD" not in data:
        return data, ()
    halves = 0

    def whole(found: re.Match[bytes]) -> bytes:
        nonlocal halves
        if found["sound"]:
            return found[0]
        halves += 1
        return _REPLACEMENT

    data = _SURROGATES.sub(whole, data)
    noun = "half of a character" if halves == 1 else "halves of characters"
    verb = "was" if halves == 1 else "were"
    remark = rf"{halves} {noun}, as \ud800 is one, {verb} read as \ufffd"
    return data, (remark,) if halves else ()


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
    journal = Journal()
    lines = [(line, fields) for line, fields in file.csv_fields(journal, separator) if fields]
    for fault in journal.faults:
        raise FileError(f"{file.name}:{fault.line}: {fault.odd}")
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
    """The separator that is most frequent in the first line."""
    return max(_SEPARATORS, key=first.count)


def _some_of(file: SourceFile, rows: list[Row]) -> list[Row]:
    if not rows:
        raise FileError(f"{file.name}: there are no samples in it")
    return rows
