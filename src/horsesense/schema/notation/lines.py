"""From the bytes of a file to its lines, with whatever is wrong with the bytes.

A file is read as a stream, so that its size does not matter. Nothing is repaired in
silence: a byte order mark or a carriage return is taken away so that reading can go on,
and is a fault all the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import BinaryIO

from horsesense.errors import FileError, NotationError, NotationErrors
from horsesense.schema.notation.parser import MAX_LINE, check_line

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
        """True for blank lines and comments."""
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
        """How many bytes were read, and how many there are; None in a pipe."""
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
