"""Access to a published file as text, lines, JSON or table rows.

A bad line is reported to the journal with its number, and reading continues.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from hashlib import sha256
from io import StringIO
from typing import Any

from horsesense.datasets.recovery import Journal
from horsesense.errors import FileError

NOT_JSON = "not-json"
NOT_UTF8 = "not-utf-8"
BAD_ROW = "bad-row"
BAD_LABEL = "bad-label"
# How a Parquet file begins.
_PARQUET = b"PAR1"
_UNCLOSED = "the list is not closed with ]"
_NO_OBJECT = "not a JSON object"
_LIST_OF_OBJECTS = re.compile(r"\s*\[\s*\{")
# The bytes, and the lines of JSON, that are inspected to recognise a file.
_HEAD, _LINES = 20_000, 20
# Fields of a table may hold whole passages with annotations.
csv.field_size_limit(2**24)


class SourceFile:
    """The name and bytes of a file, with a method for every way to read them."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data

    # Whether line numbers are really numbers of rows.
    counts_rows = False

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return sha256(self.data).hexdigest()

    @cached_property
    def head(self) -> str:
        """The start of the file, for recognising its format."""
        return self.data[:_HEAD].decode("utf-8-sig", errors="replace")

    @cached_property
    def first_object(self) -> dict[str, Any]:
        """The first JSON object of the file, in a list or not, or an empty dictionary."""
        if not self.head.lstrip().startswith(("{", "[")):
            return {}
        first = _first_object(self.head)
        if first is None and len(self.data) > _HEAD:
            first = _first_object(self.data.decode("utf-8-sig", errors="replace"))
        return first or {}

    @cached_property
    def rows_of_parquet(self) -> SourceFile | None:
        """The rows of a Parquet file that has the columns of a published dataset, or None."""
        if not self.data.startswith(_PARQUET):
            return None
        # Imported here, as it tries all formats.
        from horsesense.datasets.importers.rows import published_rows

        return published_rows(self)

    @property
    def is_json_list(self) -> bool:
        """Return whether the file starts like a JSON list."""
        return self.head.lstrip().startswith("[")

    def headings(self, delimiter: str) -> list[str]:
        """Return the headings of a table: the fields of the first line, quoted or not."""
        first = self.head.partition("\n")[0].removesuffix("\r")
        if delimiter == "\t":
            return first.split(delimiter)
        try:
            return next(csv.reader([first], delimiter=delimiter), [])
        except csv.Error:
            return []

    @cached_property
    def text(self) -> str:
        """The whole file decoded as UTF-8, without a byte order mark."""
        try:
            return self.data.removeprefix(b"\xef\xbb\xbf").decode()
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            byte = error.object[error.start]
            raise FileError(f"{self.name}:{line}: byte {byte:#04x} is not UTF-8") from error

    def lines(self, journal: Journal) -> Iterator[tuple[int, str]]:
        """Yield numbers and lines without line ends; report lines that aren't UTF-8 as faults."""
        data = self.data.removeprefix(b"\xef\xbb\xbf")
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return _readable_lines(data, journal)
        return enumerate(text.removesuffix("\r").replace("\r\n", "\n").split("\n"), start=1)

    def json_lines(self, journal: Journal) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects of a file with one JSON object per line; skip blank lines."""
        decode = json.JSONDecoder().raw_decode
        for number, line in self.lines(journal):
            try:
                value, end = decode(line)
                if end < len(line):
                    value = json.loads(line)  # only white space may follow the object
            except (ValueError, RecursionError):
                if not line.strip():
                    continue
                try:
                    value = json.loads(line)  # white space may precede the object
                except (ValueError, RecursionError) as error:
                    journal.fault(NOT_JSON, number, "", f"not JSON: {error}")
                    continue
            if isinstance(value, dict):
                yield number, value
            else:
                journal.fault(NOT_JSON, number, "", _NO_OBJECT)

    def json(self) -> Any:
        """Return the file as one JSON value."""
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", 1)
            raise FileError(f"{self.name}:{line}: not JSON: {error}") from error

    def json_objects(self, journal: Journal) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects of a JSON list or of concatenated JSON, with their first lines."""
        for line, value, fault in _json_values(self.text):
            if fault:
                _report_end(journal, line, fault)
            elif isinstance(value, dict):
                yield line, value
            else:
                journal.fault(NOT_JSON, line, "", _NO_OBJECT)

    @cached_property
    def rows_of_list(self) -> SourceFile | None:
        """The objects of a JSON list as JSON lines; None if the file is not such a list."""
        if _LIST_OF_OBJECTS.match(self.head) is None:
            return None
        values = list(_json_values(self.text))
        if not isinstance(values[0][1], dict):
            return None
        return _RowsOfList(self, values)

    def tsv_rows(
        self, journal: Journal, header: list[str] | None = None
    ) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield tab-separated rows as dictionaries; quotation marks are literal."""
        for number, line in self.lines(journal):
            fields = line.split("\t")
            if header is None:
                header = fields
            elif len(fields) == len(header):
                yield number, dict(zip(header, fields, strict=True))
            elif line:
                odd = f"{len(fields)} fields, but {len(header)} are expected"
                journal.fault(BAD_ROW, number, "", odd)

    def csv_rows(self, journal: Journal) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield comma-separated rows, quoted as by spreadsheets, as dictionaries."""
        header: list[str] | None = None
        for number, fields in self.csv_fields(journal):
            if header is None:
                header = fields
            elif len(fields) == len(header):
                yield number, dict(zip(header, fields, strict=True))
            elif fields:
                odd = f"{len(fields)} fields, but {len(header)} are expected"
                journal.fault(BAD_ROW, number, "", odd)

    def csv_fields(self, journal: Journal, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
        """Yield the fields of each CSV row, including the headings, with the row's last line.

        If a row cannot be read, reading stops and the row's first line is reported.
        """
        reader = csv.reader(StringIO(self.text, newline=""), delimiter=delimiter, strict=True)
        end = 0
        try:
            for fields in reader:
                end = reader.line_num
                yield end, fields
        except csv.Error as error:
            journal.stop(BAD_ROW, end + 1, f"not CSV: {error}")


class _RowsOfList(SourceFile):
    """The objects of a JSON list, one per line, so that line numbers are row numbers.

    Faults of the list are reported when its rows are read.
    """

    counts_rows = True

    def __init__(self, file: SourceFile, values: Iterable[tuple[int, Any, str]]) -> None:
        lines: list[str] = []
        self._faults: list[tuple[int, str]] = []
        self._end: tuple[int, str] | None = None
        for number, (_, value, fault) in enumerate(values, start=1):
            if fault:
                self._end = number, fault
                break
            line = ""
            if not isinstance(value, dict):
                self._faults.append((number, _NO_OBJECT))
            else:
                try:
                    line = json.dumps(value)
                except RecursionError as error:
                    self._faults.append((number, f"not JSON: {error}"))
            lines.append(line)
        super().__init__(file.name, "\n".join(lines).encode())
        self.digest = file.digest

    def json_lines(self, journal: Journal) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects with their row numbers."""
        yield from super().json_lines(journal)
        for number, fault in self._faults:
            journal.fault(NOT_JSON, number, "", fault)
        if self._end:
            _report_end(journal, *self._end)


def _report_end(journal: Journal, line: int, fault: str) -> None:
    """Report why a JSON list could not be read to its end; an unclosed list loses nothing."""
    if fault == _UNCLOSED:
        journal.fault(NOT_JSON, line, "", fault, left_out=0)
    else:
        journal.stop(NOT_JSON, line, fault)


def _json_values(text: str) -> Iterator[tuple[int, Any, str]]:
    """Yield (line, value, "") for the values of a JSON list or of concatenated JSON.

    If the text is invalid, the last item is (line, None, fault).
    """
    decoder = json.JSONDecoder()
    line, counted = 1, 0
    position = _next_value(text, 0, "[")
    while position < len(text) and text[position] != "]":
        line, counted = line + text.count("\n", counted, position), position
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            yield line, None, f"not JSON: {error}"
            return
        yield line, value, ""
        position = _next_value(text, position, ",")
    if text.lstrip().startswith("[") and position >= len(text):
        yield text.count("\n") + 1, None, _UNCLOSED
    elif text[position + 1 :].strip():
        line += text.count("\n", counted, position)
        yield line, None, "unexpected text after the list"


def _readable_lines(data: bytes, journal: Journal) -> Iterator[tuple[int, str]]:
    """Yield the lines of a partly invalid file that are UTF-8."""
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            yield number, line.decode().removesuffix("\r")
        except UnicodeDecodeError as error:
            odd = f"byte {line[error.start]:#04x} at column {error.start + 1} is not UTF-8"
            journal.fault(NOT_UTF8, number, "", odd)


class BadRow(Exception):
    """A row cannot be used; the message says why."""

    issue = BAD_ROW


class BadLabelError(BadRow):
    """The label of a row is not valid."""

    issue = BAD_LABEL


def texts_of(row: dict[str, Any], *names: str) -> list[str]:
    """Return these fields of a row; all of them must be strings."""
    values: list[Any] = [*map(row.get, names)]
    for value in values:
        if not isinstance(value, str):
            name = names[values.index(value)]
            raise BadRow(f"no field {name!r}" if value is None else f"{name!r} is not a string")
    return values


def _first_object(text: str) -> dict[str, Any] | None:
    """Return the first readable object: at the start of the text, or on one of its lines."""
    decode = json.JSONDecoder().raw_decode
    for start in (text, *text.split("\n", _LINES)[:_LINES]):
        try:
            value, _ = decode(start.lstrip("[, \t\r\n"))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value
    return None


def _next_value(text: str, position: int, separator: str) -> int:
    """Return where the next value starts, after white space and one separator."""
    while position < len(text) and text[position].isspace():
        position += 1
    if text.startswith(separator, position):
        position += 1
        while position < len(text) and text[position].isspace():
            position += 1
    return position
