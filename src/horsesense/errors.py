"""Every error that this package raises on purpose.

HorsesenseError
├── SchemaError       a schema is malformed; has the placeholder
├── NotationError     text is not valid schema notation; has the position
├── NotationErrors    all notation errors of one text or file
├── ImportFaults      lines of a published file that cannot be imported
├── ArgumentError     arguments are contradictory or incomplete
├── UnknownNameError  a name does not exist; suggests similar ones
├── MetricError       outcomes cannot be paired, or a metric does not apply to them
├── GenerationError   a generator rule contradicts itself or is exhausted
├── FileError         a file cannot be read or written
├── StoreError        the database is missing, not ours, too new, or locked
└── ModelError        a model cannot be found, loaded or queried
    ├── LibraryError      a library failed on a model
    ├── ServerError       a server cannot be reached, refuses a request, or answers wrongly
    ├── BudgetError       the next request would exceed the budget of the run
    └── UnreadableError   a model cannot tokenize a sentence; others may work

Each error has an exit code for scripts: 1 for invalid data, 2 for wrong usage, and codes of their
own for UnknownNameError, StoreError, FileError and ModelError.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from typing import ClassVar

# Characters of a long line to show before and after the caret.
EXCERPT_BEFORE, EXCERPT_AFTER = 60, 40
# Names and faults to list at most: a file in the wrong format has a fault in every line.
SHOWN_NAMES = 24
SHOWN_FAULTS = 20
# Characters of a long sentence to quote.
_QUOTED = 80


class HorsesenseError(Exception):
    """Base class of all errors that users see without a traceback."""

    exit_code: ClassVar[int] = 1


class ArgumentError(HorsesenseError, ValueError):
    """Arguments are contradictory or incomplete."""

    exit_code = 2


class SchemaError(HorsesenseError, ValueError):
    """A schema is malformed.

    `axis` and `index` identify the placeholder at fault (its axis, and its position among the
    placeholders of that axis), so that the parser can point at it in the text.
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
    """Text is not valid schema notation; has the position of the error and a remedy."""

    def __init__(self, problem: str, *, line: str, column: int, remedy: str = "") -> None:
        super().__init__(problem, line, column, remedy)
        self.problem, self.line, self.column, self.remedy = problem, line, column, remedy
        self.source, self.line_number = "", 1

    def located(self, source: str, line_number: int) -> NotationError:
        """Record the file and line of this error, and return it."""
        self.source, self.line_number = source, line_number
        return self

    @property
    def location(self) -> str:
        """`file:line:column`, which editors can open; columns count from 1."""
        if not self.source:
            return f"column {self.column + 1}"
        return f"{self.source}:{self.line_number}:{self.column + 1}"

    def __str__(self) -> str:
        lines = [f"{self.location}: {self.problem}"]
        if self.line:
            excerpt, caret = _excerpt(self.line, self.column)
            lines += [excerpt, " " * caret + "^"]
        return "\n  ".join([*lines, self.remedy] if self.remedy else lines)


class NotationErrors(HorsesenseError, ValueError):
    """All notation errors of one text or file, in order."""

    def __init__(self, errors: Iterable[NotationError]) -> None:
        self.errors = tuple(errors)
        super().__init__(self.errors)

    def __str__(self) -> str:
        return "\n".join(map(str, self.errors))


class ImportFaults(HorsesenseError, ValueError):
    """All lines of a published file that cannot be imported, with the reasons."""

    def __init__(self, source: str, faults: Iterable[tuple[int, str]]) -> None:
        self.source, self.faults = source, tuple(faults)
        super().__init__(source, self.faults)

    def __str__(self) -> str:
        lines = [
            f"{self.source}{f':{line}' if line else ''}: {problem}"  # 0 is the file as a whole
            for line, problem in self.faults[:SHOWN_FAULTS]
        ]
        if len(self.faults) > SHOWN_FAULTS:
            lines.append(f"{self.source}: and {len(self.faults) - SHOWN_FAULTS} more")
        return "\n".join([*lines, "  nothing was stored; use --keep-going to store the rest"])


class MetricError(HorsesenseError, ValueError):
    """Outcomes cannot be paired, or a metric or test does not apply to them."""


class UnknownNameError(HorsesenseError, KeyError):
    """A name does not exist; the message suggests similar ones.

    `similar` are the names to suggest, if they are not just those that are spelled alike. `remarks`
    are shown below the message, such as why a plug-in that may have the name failed to load.
    """

    exit_code = 3

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        *,
        remedy: str = "",
        similar: Iterable[str] | None = None,
        remarks: Iterable[str] = (),
    ) -> None:
        super().__init__(kind, name)
        self._similar = None if similar is None else list(similar)
        self.kind, self.name, self.known = kind, name, sorted(known)
        self.remedy, self.remarks = remedy, tuple(remarks)

    def __str__(self) -> str:
        return "\n  ".join((self._message(), *self.remarks))

    def _message(self) -> str:
        unknown = f"no {self.kind} named {self.name!r}"
        if self.remedy:
            return f"{unknown}; {self.remedy}"
        similar = self._similar
        if similar is None:
            similar = get_close_matches(self.name, self.known, n=3) or self._beginning_alike()
        if similar:
            return f"{unknown}; did you mean {' or '.join(similar)}?"
        known = ", ".join(self.known[:SHOWN_NAMES]) if self.known else "none"
        if len(self.known) > SHOWN_NAMES:
            known += ", …"
        return f"{unknown} (known: {known})"

    def _beginning_alike(self) -> list[str]:
        """Return the first names that the given one is the beginning of, such as `acc`."""
        return [known for known in self.known if self.name and known.startswith(self.name)][:3]


class StoreError(HorsesenseError):
    """The store cannot be used."""

    exit_code = 4


class GenerationError(HorsesenseError, ValueError):
    """A rule of the generator contradicts itself or is exhausted."""


class FileError(HorsesenseError):
    """A file cannot be read or written."""

    exit_code = 5


class ModelError(HorsesenseError):
    """A model cannot be found, loaded or queried."""

    exit_code = 6


class LibraryError(ModelError):
    """A library failed to load, tokenize for or query a model; its error is the cause."""


class ServerError(ModelError):
    """A server cannot be reached, refuses a request, or returns something that cannot be used."""


class BudgetError(ModelError):
    """The next request to a server would exceed the budget of the run."""


class UnreadableError(ModelError):
    """A model cannot tokenize a sentence, for example because it lacks a character."""


def quoted(text: str) -> str:
    """Quote a text, shortened if it is long.

    >>> quoted("The kite sank.")
    "'The kite sank.'"
    """
    return repr(text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…")


def _excerpt(line: str, column: int) -> tuple[str, int]:
    """Return the part of the line around the column, and the indentation of its caret."""
    start = max(0, column - EXCERPT_BEFORE)
    end = column + EXCERPT_AFTER
    before = ("…" if start else "") + _printable(line[start:column])
    after = _printable(line[column:end]) + ("…" if end < len(line) else "")
    return before + after, sum(map(_width, before))


def _printable(text: str) -> str:
    """Replace unprintable characters one by one, so that the caret stays aligned."""
    return "".join(char if char.isprintable() else "·" for char in text)


def _width(char: str) -> int:
    """Return the number of terminal columns that a character takes."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
