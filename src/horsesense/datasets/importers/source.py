"""A published file, read whole: its text, its lines, its JSON, its rows of a table.

What is wrong with a line goes into the journal with its number, and the reading goes on.
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
_UNCLOSED = "the list is never closed with ]"
_NO_OBJECT = "not a JSON object"
_LIST_OF_OBJECTS = re.compile(r"\s*\[\s*\{")
# So many bytes are looked at to see what a file is, and so many lines of JSON.
_HEAD, _LINES = 20_000, 20
# Fields of a table may be long: a whole passage, and annotations.
csv.field_size_limit(2**24)


class SourceFile:
    """The bytes of a file under its name, and every way to look at them."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data = name, data

    # Whether what stands for the number of a line is that of a row.
    counts_rows = False

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the file."""
        return sha256(self.data).hexdigest()

    @cached_property
    def head(self) -> str:
        """The start of the file, for a look at what it is."""
        return self.data[:_HEAD].decode("utf-8-sig", errors="replace")

    @cached_property
    def first_object(self) -> dict[str, Any]:
        """The first JSON object, of a list or by itself, for a look at its keys; empty if none."""
        if not self.head.lstrip().startswith(("{", "[")):
            return {}
        found = _first_object(self.head)
        if found is None and len(self.data) > _HEAD:
            found = _first_object(self.data.decode("utf-8-sig", errors="replace"))
        return found or {}

    @property
    def is_json_list(self) -> bool:
        """Whether it begins as a JSON list does."""
        return self.head.lstrip().startswith("[")

    def headings(self, delimiter: str) -> list[str]:
        """The headings of a table: the fields of the first line, quoted or not."""
        first = self.head.partition("\n")[0].removesuffix("\r")
        if delimiter == "\t":
            return first.split(delimiter)
        try:
            return next(csv.reader([first], delimiter=delimiter), [])
        except csv.Error:
            return []

    @cached_property
    def text(self) -> str:
        """The whole file as UTF-8, a byte order mark left out."""
        try:
            return self.data.removeprefix(b"\xef\xbb\xbf").decode()
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            byte = error.object[error.start]
            raise FileError(f"{self.name}:{line}: byte {byte:#04x} is not UTF-8") from error

    def lines(self, journal: Journal) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, without their ends; one that is no UTF-8 is a fault."""
        data = self.data.removeprefix(b"\xef\xbb\xbf")
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return _readable_lines(data, journal)
        return enumerate(text.removesuffix("\r").replace("\r\n", "\n").split("\n"), start=1)

    def json_lines(self, journal: Journal) -> Iterator[tuple[int, dict[str, Any]]]:
        """The objects of a file that has one on each line; blank lines are free."""
        decode = json.JSONDecoder().raw_decode
        for number, line in self.lines(journal):
            try:
                value, end = decode(line)
                if end < len(line):
                    value = json.loads(line)  # white space behind it is free, and more is not
            except (ValueError, RecursionError):
                if not line.strip():
                    continue
                try:
                    value = json.loads(line)  # white space before it is free too
                except (ValueError, RecursionError) as error:
                    journal.fault(NOT_JSON, number, "", f"not JSON: {error}")
                    continue
            if isinstance(value, dict):
                yield number, value
            else:
                journal.fault(NOT_JSON, number, "", _NO_OBJECT)

    def json(self) -> Any:
        """The file as one JSON value."""
        try:
            return json.loads(self.text)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", 1)
            raise FileError(f"{self.name}:{line}: not JSON: {error}") from error

    def json_objects(self, journal: Journal) -> Iterator[tuple[int, dict[str, Any]]]:
        """The objects of a JSON list, or of one after another, with the lines they start on."""
        for line, value, fault in _json_values(self.text):
            if fault:
                _report_end(journal, line, fault)
            elif isinstance(value, dict):
                yield line, value
            else:
                journal.fault(NOT_JSON, line, "", _NO_OBJECT)

    @cached_property
    def rows_of_list(self) -> SourceFile | None:
        """The objects of a JSON list as JSON lines; None where the file is no such list."""
        if _LIST_OF_OBJECTS.match(self.head) is None:
            return None
        values = list(_json_values(self.text))
        if not isinstance(values[0][1], dict):
            return None
        return _RowsOfList(self, values)

    def tsv_rows(
        self, journal: Journal, header: list[str] | None = None
    ) -> Iterator[tuple[int, dict[str, str]]]:
        """Rows with tabs between their fields and literal quotation marks, by their headings."""
        for number, line in self.lines(journal):
            fields = line.split("\t")
            if header is None:
                header = fields
            elif len(fields) == len(header):
                yield number, dict(zip(header, fields, strict=True))
            elif line:
                odd = f"{len(fields)} fields where {len(header)} are expected"
                journal.fault(BAD_ROW, number, "", odd)

    def csv_rows(self, journal: Journal) -> Iterator[tuple[int, dict[str, str]]]:
        """Rows with commas and quoting as spreadsheets write them, by their headings."""
        header: list[str] | None = None
        for number, fields in self.csv_fields(journal):
            if header is None:
                header = fields
            elif len(fields) == len(header):
                yield number, dict(zip(header, fields, strict=True))
            elif fields:
                odd = f"{len(fields)} fields where {len(header)} are expected"
                journal.fault(BAD_ROW, number, "", odd)

    def csv_fields(self, journal: Journal, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
        """The fields of each row of CSV, the headings too, with the line on which the row ends.

        What cannot be read from some row on is reported with the line on which that row begins.
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
    """The objects of a JSON list, each on a line of its own, whose number is that of the row.

    Where the list breaks off, or has something else in it, is told when the rows are read.
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
        """The objects with the numbers of their rows."""
        yield from super().json_lines(journal)
        for number, fault in self._faults:
            journal.fault(NOT_JSON, number, "", fault)
        if self._end:
            _report_end(journal, *self._end)


def _report_end(journal: Journal, line: int, fault: str) -> None:
    """Report why a JSON list could not be read to its end; one without a bracket was read whole."""
    if fault == _UNCLOSED:
        journal.fault(NOT_JSON, line, "", fault, left_out=0)
    else:
        journal.stop(NOT_JSON, line, fault)


def _json_values(text: str) -> Iterator[tuple[int, Any, str]]:
    """The values of a JSON list, or of one after another, with the lines they start on.

    The last has no value but a fault, where the text is not what it should be.
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
        yield line, None, "more follows behind the list"


def _readable_lines(data: bytes, journal: Journal) -> Iterator[tuple[int, str]]:
    """The lines of a file that is not UTF-8 throughout."""
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            yield number, line.decode().removesuffix("\r")
        except UnicodeDecodeError as error:
            odd = f"byte {line[error.start]:#04x} at column {error.start + 1} is not UTF-8"
            journal.fault(NOT_UTF8, number, "", odd)


class BadRow(Exception):
    """A row that cannot be used, and why."""

    issue = BAD_ROW


class BadLabelError(BadRow):
    """A row whose label is none of those there are."""

    issue = BAD_LABEL


def texts_of(row: dict[str, Any], *names: str) -> list[str]:
    """These fields of a row, all of which must be texts."""
    values: list[Any] = [*map(row.get, names)]
    for value in values:
        if not isinstance(value, str):
            name = names[values.index(value)]
            raise BadRow(f"no field {name!r}" if value is None else f"{name!r} is no text")
    return values


def _first_object(text: str) -> dict[str, Any] | None:
    """The first object that can be read: at the start, or else on a line of its own."""
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
    """Where the next value starts, white space and one separator skipped."""
    while position < len(text) and text[position].isspace():
        position += 1
    if text.startswith(separator, position):
        position += 1
        while position < len(text) and text[position].isspace():
            position += 1
    return position
