"""Everything this package raises on purpose.

HorsesenseError
├── SchemaError       a schema breaks its own format; knows which placeholder
├── NotationError     text is not schema notation; knows where
├── NotationErrors    all that is wrong with one text or file
├── ImportFaults      what could not be used of a published file, line by line
├── UnknownNameError  nothing of that name; offers the nearest ones
├── MetricError       outcomes that do not fit together, or a metric that does not fit them
├── GenerationError   a rule that contradicts itself, or has nothing more to give
├── FileError         a file cannot be read or written
├── StoreError        the database is missing, foreign, newer than us, or busy
└── ModelError        a model cannot be had, loaded or asked
    ├── LibraryError      a library failed on a model
    └── UnreadableError   a model cannot read a sentence; it may read others

The exit code tells a script which kind it was: 1 for what is wrong with the data, and one
of its own for each of the last four.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar

# The part of a long line that is shown around the caret.
EXCERPT_BEFORE, EXCERPT_AFTER = 60, 40
# A file in the wrong format is wrong in every line; so many of them will do.
SHOWN_NAMES = 24
SHOWN_FAULTS = 20
# Of a long sentence so much is quoted.
_QUOTED = 80


class HorsesenseError(Exception):
    """Base of every error shown to a user without a traceback."""

    exit_code: ClassVar[int] = 1


class SchemaError(HorsesenseError, ValueError):
    """A schema that breaks its own format, and the placeholder that is to blame.

    `axis` and `index` name the placeholder (its axis and its place among those of the
    axis), so that whoever read the schema from text can point at it.
    """

    def __init__(
        self, problem: str, *, axis: str | None = None, index: int = 0, remedy: str = ""
    ) -> None:
        super().__init__(problem)
        self.problem, self.remedy = problem, remedy
        self.axis, self.index = axis, index

    def __str__(self) -> str:
        return f"{self.problem}\n  {self.remedy}" if self.remedy else self.problem


class NotationError(HorsesenseError, ValueError):
    """Schema notation that cannot be read: where it went wrong, and what would be right."""

    def __init__(self, problem: str, *, line: str, column: int, remedy: str = "") -> None:
        super().__init__(problem, line, column, remedy)
        self.problem, self.line, self.column, self.remedy = problem, line, column, remedy
        self.source, self.line_number = "", 1

    def placed(self, source: str, line_number: int) -> NotationError:
        """The same error, with the file and line it was found in."""
        self.source, self.line_number = source, line_number
        return self

    @property
    def place(self) -> str:
        """`file:line:column`, the form that editors follow; columns count from 1."""
        if not self.source:
            return f"column {self.column + 1}"
        return f"{self.source}:{self.line_number}:{self.column + 1}"

    def __str__(self) -> str:
        shown = [f"{self.place}: {self.problem}"]
        if self.line:
            excerpt, caret = _excerpt(self.line, self.column)
            shown += [excerpt, " " * caret + "^"]
        return "\n  ".join([*shown, self.remedy] if self.remedy else shown)


class NotationErrors(HorsesenseError, ValueError):
    """Everything wrong with one text or file, in the order of the text."""

    def __init__(self, errors: Iterable[NotationError]) -> None:
        self.errors = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(map(str, self.errors))


class ImportFaults(HorsesenseError, ValueError):
    """Everything that keeps a published file from being imported whole."""

    def __init__(self, source: str, faults: Iterable[tuple[int, str]]) -> None:
        self.source, self.faults = source, tuple(faults)
        super().__init__(source, self.faults)

    def __str__(self) -> str:
        shown = [
            f"{self.source}{f':{line}' if line else ''}: {problem}"  # 0 is the file as a whole
            for line, problem in self.faults[:SHOWN_FAULTS]
        ]
        if len(self.faults) > SHOWN_FAULTS:
            shown.append(f"{self.source}: and {len(self.faults) - SHOWN_FAULTS} more")
        return "\n".join([*shown, "  nothing was stored; --keep-going stores the rest"])


class MetricError(HorsesenseError, ValueError):
    """Outcomes that do not fit together, or a metric or statistic that does not fit them."""


class UnknownNameError(HorsesenseError, KeyError):
    """Nothing is called that; the message offers what comes nearest.

    `remarks` are lines below it, such as why a plug-in that may have the name cannot be used.
    """

    exit_code = 3

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        *,
        remedy: str = "",
        remarks: Iterable[str] = (),
    ) -> None:
        super().__init__(kind, name)
        self.kind, self.name, self.known = kind, name, sorted(known)
        self.remedy, self.remarks = remedy, tuple(remarks)

    def __str__(self) -> str:
        return "\n  ".join((self._answer(), *self.remarks))

    def _answer(self) -> str:
        if self.remedy:
            return f"no {self.kind} is called {self.name!r}; {self.remedy}"
        near = get_close_matches(self.name, self.known, n=3)
        if near:
            return f"no {self.kind} is called {self.name!r}; did you mean {' or '.join(near)}?"
        listed = ", ".join(self.known[:SHOWN_NAMES]) if self.known else "there is none"
        if len(self.known) > SHOWN_NAMES:
            listed += ", …"
        return f"no {self.kind} is called {self.name!r} (known: {listed})"


class StoreError(HorsesenseError):
    """The store cannot be used, and why."""

    exit_code = 4


class GenerationError(HorsesenseError, ValueError):
    """A rule of the generator that contradicts itself, or has nothing more to give."""


class FileError(HorsesenseError):
    """A file cannot be read or written, and why."""

    exit_code = 5


class ModelError(HorsesenseError):
    """A model cannot be had, loaded or asked, and what would help."""

    exit_code = 6


class LibraryError(ModelError):
    """A library failed while it loaded, read for or asked a model; its error is the cause."""


class UnreadableError(ModelError):
    """A sentence that a model cannot read, such as one with a character it has no token for."""


def quoted(text: str) -> str:
    """The text in quotes, or its beginning.

    >>> quoted("The kite sank.")
    "'The kite sank.'"
    """
    return repr(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…")


def _excerpt(line: str, column: int) -> tuple[str, int]:
    """The part of the line around the column, and how far right its caret stands."""
    start = max(0, column - EXCERPT_BEFORE)
    end = column + EXCERPT_AFTER
    before = ("…" if start else "") + _printable(line[start:column])
    after = _printable(line[column:end]) + ("…" if end < len(line) else "")
    return before + after, sum(map(_width, before))


def _printable(text: str) -> str:
    """One visible character for each character, so that the caret still points right."""
    return "".join(char if char.isprintable() else "·" for char in text)


def _width(char: str) -> int:
    """Columns that a character takes in a terminal."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
