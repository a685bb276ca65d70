"""Schema files: many schemas, each followed by its indented fields.

A file is read to its end, so that all its faults are known at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from typing import BinaryIO

from horsesense.errors import FileError, NotationError, NotationErrors, SchemaError
from horsesense.schema import Dataset, Entry, Header, LooseProblem, Mode, Schema, Source, check_name
from horsesense.schema.notation.fields import Fields, split_field, written_fields
from horsesense.schema.notation.parser import MAX_LINE, check_line, join_rows, parse_line
from horsesense.schema.notation.printer import content_id, print_grid

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# A character takes up to four bytes; what a longer line has more is read and thrown away.
_MAX_BYTES = 4 * MAX_LINE + 2


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end; where it is not readable, what could be made out of it."""

    number: int
    text: str
    faults: tuple[NotationError, ...] = ()
    is_readable: bool = True

    @property
    def is_indented(self) -> bool:
        return self.text.startswith((" ", "\t"))

    @property
    def is_empty(self) -> bool:
        """Return True for blank lines and comments."""
        return not self.text or self.text.lstrip(" ").startswith("#")


class LineReader:
    """The lines of a stream; `digest` and `size` are those of the bytes read so far."""

    def __init__(self, stream: BinaryIO, source: str) -> None:
        self.size = 0
        self._stream = stream
        self._source = source
        self._hash = sha256()
        self._has_carriage_returns = False

    def __iter__(self) -> Iterator[Line]:
        number = 0
        while raw := self._read():
            number += 1
            is_cut = not raw.endswith(b"\n") and len(raw) == _MAX_BYTES
            if is_cut:
                self._skip_rest_of_line()
            yield self._line(number, raw.removesuffix(b"\n"), is_cut=is_cut)

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes that were read."""
        return self._hash.hexdigest()

    def position(self) -> tuple[int, int | None]:
        """Return the bytes read so far and in total; None for a pipe."""
        try:
            return self.size, os.fstat(self._stream.fileno()).st_size or None
        except OSError:
            return self.size, None

    def _read(self) -> bytes:
        try:
            raw = self._stream.readline(_MAX_BYTES)
        except OSError as error:
            raise FileError(f"{self._source} cannot be read: {error.strerror}") from error
        self._hash.update(raw)
        self.size += len(raw)
        return raw

    def _skip_rest_of_line(self) -> None:
        while raw := self._read():
            if raw.endswith(b"\n"):
                break

    def _line(self, number: int, raw: bytes, *, is_cut: bool) -> Line:
        faults: list[NotationError] = []
        if number == 1 and raw.startswith(_BYTE_ORDER_MARK):
            faults.append(_fault("a byte order mark", "save the file as plain UTF-8"))
            raw = raw.removeprefix(_BYTE_ORDER_MARK)
        if raw.endswith(b"\r"):
            if not self._has_carriage_returns:
                faults.append(
                    _fault("the lines end in CR LF", "save the file with Unix line ends (LF)")
                )
            self._has_carriage_returns = True
            raw = raw.removesuffix(b"\r")
        try:
            # A line that was cut may end within a character. It is too long in any case.
            text = _decoded(raw, errors="replace" if is_cut else "strict")
            check_line(text)
            return Line(number, text.rstrip(" "), tuple(faults))
        except NotationErrors as error:
            shown = raw.decode(errors="replace")
            return Line(number, shown, (*faults, *error.errors), is_readable=False)


def _decoded(raw: bytes, *, errors: str) -> str:
    try:
        return raw.decode(errors=errors)
    except UnicodeDecodeError as error:
        shown = raw.decode(errors="replace")
        column = len(raw[: error.start].decode(errors="replace"))
        problem = f"byte {error.start + 1} is not UTF-8"
        raise NotationErrors([NotationError(problem, line=shown, column=column)]) from error


def _fault(problem: str, remedy: str) -> NotationError:
    return NotationError(problem, line="", column=0, remedy=remedy)


# How this reader signs what it has read; the number changes when it reads differently.
READER, READER_VERSION = "notation", "1"
FENCE = "---"
_TEXTS = ("name", "title", "author", "licence", "note")
HEADER_FIELDS = (*_TEXTS, "mode")
INDENT = "    "
# Printing adds quotes, spaces and indents: no more than so many times what was read.
_GROWTH = 4


@dataclass
class _Pending:
    """An entry whose fields may still follow."""

    first: Line
    lines: list[Schema | LooseProblem] = field(default_factory=list)
    fields: Fields = field(default_factory=Fields)
    is_sound: bool = True
    longest: int = 0


class SchemaFile:
    """The entries of a schema file, one after another; `errors` grows while they are read.

    `header` is known from the start; `reader.digest` and `errors` are complete once the
    entries have been read to the end.
    """

    def __init__(self, stream: BinaryIO, source: str, default_name: str) -> None:
        self.source = source
        self.reader = LineReader(stream, source)
        self.errors: list[NotationError] = []
        self._ids: dict[str, int] = {}
        self._lines = iter(self.reader)
        self.header = self._read_header(default_name)

    def __iter__(self) -> Iterator[Entry]:
        """The sound entries, and at the end, if anything was wrong, all of that as one error."""
        yield from self.sound_entries()
        if self.errors:
            raise NotationErrors(self.errors)

    def dataset(self, entries: Iterable[Entry] | None = None) -> Dataset:
        """Read the file to its end; `entries` are its own, if somebody watches them go by."""
        listed = tuple(self if entries is None else entries)
        read = self.reader
        source = Source(self.source, read.digest, read.size, READER, READER_VERSION)
        return Dataset(self.header, listed, sources=[source])

    def sound_entries(self) -> Iterator[Entry]:
        """The entries without a fault; look at `errors` afterwards."""
        pending: _Pending | None = None
        for line in self._lines:
            if line.is_empty and line.is_readable:
                self._note(line, *line.faults)
                continue
            if not line.is_indented and not line.text.startswith("&"):
                yield from self._finish(pending)
                pending = _Pending(line)
            self._read_into(pending, line)
        yield from self._finish(pending)
        if not self._ids and not self.errors:
            self._note(Line(1, ""), SchemaError("the file contains no schema"))
        self.errors.sort(key=lambda error: (error.line_number, error.column))

    def line_of(self, entry_id: str) -> int:
        """The line in which an entry that was read begins."""
        return self._ids[entry_id]

    def _read_into(self, pending: _Pending | None, line: Line) -> None:
        """Take in a line of an entry; a fault in any of its lines makes the entry unsound."""
        self._note(line, *line.faults)
        try:
            if pending is None:
                remedy = "a schema is not indented, and does not begin with '&'"
                raise SchemaError(
                    "this line must follow a schema, but there is none above", remedy=remedy
                )
            pending.is_sound &= line.is_readable
            pending.longest = max(pending.longest, len(line.text))
            if not line.is_readable:
                return
            if line.is_indented:
                pending.fields.read(line.text)
            elif line is not pending.first and pending.fields.seen:
                raise SchemaError("'&' joins a line to the problem right above it")
            else:
                is_first = line is pending.first
                pending.lines.append(parse_line(line.text, is_first=is_first))
        except (NotationErrors, SchemaError) as error:
            if pending:
                pending.is_sound = False
            self._note(line, error)

    def _finish(self, pending: _Pending | None) -> Iterator[Entry]:
        if pending is None or not pending.is_sound:
            return
        try:
            grid = join_rows(pending.lines)
            entry = pending.fields.entry(grid)
            if pending.longest > MAX_LINE // _GROWTH:
                print_entry(entry)
            if entry.id in self._ids:
                before = f"in line {self._ids[entry.id]}"
                if not pending.fields.id:
                    raise SchemaError(
                        f"this schema is already {before}", remedy="remove one of the two"
                    )
                raise SchemaError(f"the id {entry.id!r} is already used {before}")
        except SchemaError as error:
            self._note(pending.first, error)
            return
        self._ids[entry.id] = pending.first.number
        yield entry

    def _read_header(self, default_name: str) -> Header:
        """The front matter between two fences, if the file starts with it."""
        values: dict[str, str] = {}
        first = next(self._lines, Line(1, ""))
        while first.is_empty and first.is_readable and (following := next(self._lines, None)):
            self._note(first, *first.faults)
            first = following
        if first.text != FENCE:
            self._lines = chain([first], self._lines)
            return self._header(first, {"name": default_name})
        self._note(first, *first.faults)
        for line in self._lines:
            if line.text == FENCE:
                return self._header(first, {"name": default_name, **values})
            self._note(line, *line.faults)
            if line.is_readable and not line.is_empty:
                self._read_header_field(line, values)
        # What was taken for front matter was something else; one error says it.
        self.errors.clear()
        self._note(first, SchemaError(f"the front matter is never closed with {FENCE}"))
        return Header("unnamed")

    def _read_header_field(self, line: Line, values: dict[str, str]) -> None:
        try:
            name, value, _ = split_field(line.text)
            if name in values:
                raise SchemaError(f"{name!r} occurs twice in the front matter")
            if name not in HEADER_FIELDS:
                remedy = f"known: {', '.join(HEADER_FIELDS)}"
                raise SchemaError(f"the front matter has no field {name!r}", remedy=remedy)
            if name == "name":
                check_name(value, "a dataset's name")
            if name == "mode" and value not in list(Mode):
                raise SchemaError(f"{value!r} is not a mode", remedy=f"known: {', '.join(Mode)}")
            values[name] = value
        except (NotationErrors, SchemaError) as error:
            self._note(line, error)

    def _header(self, first: Line, values: dict[str, str]) -> Header:
        mode = Mode(values.pop("mode", Mode.BY_ANSWER))
        try:
            return Header(**values, mode=mode)
        except SchemaError as error:
            self._note(first, error)
            return Header("unnamed")

    def _note(self, line: Line, *errors: NotationErrors | NotationError | SchemaError) -> None:
        """Keep errors, with the file and line they are in."""
        for error in errors:
            match error:
                case SchemaError():
                    found = [
                        NotationError(error.problem, line=line.text, column=0, remedy=error.remedy)
                    ]
                case NotationErrors():
                    found = list(error.errors)
                case _:
                    found = [error]
            self.errors += [one.located(self.source, line.number) for one in found]


def read_schemas(stream: BinaryIO, source: str, default_name: str) -> Dataset:
    """Read a whole schema file; all that is wrong with it is one error.

    >>> from io import BytesIO
    >>> read_schemas(BytesIO(b"{owls, mice} <do, do not> hunt {mice, owls}"), "birds", "birds")
    <Dataset birds: 1 schema, 0 single problems, by answer>
    """
    return SchemaFile(stream, source, default_name).dataset()


def print_entry(entry: Entry) -> str:
    """The entry as it stands in a schema file, with a newline at its end."""
    return joined_entry(entry.id, print_grid(entry.grid), written_fields(entry))


def joined_entry(entry: str, notation: str, fields: Iterable[tuple[str, str]]) -> str:
    """The same, of an entry whose grid and fields have been printed already."""
    written = (f"{INDENT}{name}: {value}".rstrip(" ") for name, value in fields)
    lines = [*notation.split("\n"), *written]
    # What could not be read again is not written.
    if max(map(len, lines)) > MAX_LINE:
        raise SchemaError(f"a line of {entry!r} is longer than {MAX_LINE:,} characters")
    return "\n".join(lines) + "\n"


def print_header(header: Header) -> str:
    """The front matter of a schema file; a mode stands there only if it is not by answer."""
    fields = [f"{name}: {getattr(header, name)}" for name in _TEXTS if getattr(header, name)]
    # The ids of datasets are made of this text: those of datasets by answer stay as they were.
    if header.mode is not Mode.BY_ANSWER:
        fields.append(f"mode: {header.mode}")
    return "\n".join((FENCE, *fields, FENCE)) + "\n"


def dataset_id(header: Header, entry_ids: Iterable[str]) -> str:
    """Return the id of a dataset, computed from its header and the ids of its entries in order."""
    return content_id("dataset", "\n".join([print_header(header), *entry_ids]))


def print_file(header: Header, entries: Iterable[Entry]) -> Iterator[str]:
    """A whole schema file, piece by piece."""
    yield print_header(header)
    for entry in entries:
        yield "\n" + print_entry(entry)
