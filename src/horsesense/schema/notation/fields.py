"""The fields that may follow a schema in a schema file, and how their values are written.

Unknown names are refused, so that a misspelt one is not lost; names that begin with `x-`
are the author's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches

from horsesense.errors import NotationError, NotationErrors, SchemaError
from horsesense.schema import (
    FLAGS,
    OWN,
    PHRASES,
    VERSIONS,
    Entry,
    Grid,
    Phrases,
    check_name,
    check_own_name,
    check_tags,
)
from horsesense.schema.notation.lexer import Lexer, single_spaces
from horsesense.schema.notation.parser import join_rows, parse_line
from horsesense.schema.notation.printer import grid_id, print_grid, print_phrases

_YES_NO = {"yes": True, "no": False}
KNOWN = ("id", "tags", "note", *FLAGS, *PHRASES, *VERSIONS)


@dataclass
class Fields:
    """The fields of one entry while they are being read, one line at a time."""

    id: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    flags: dict[str, bool] = field(default_factory=dict)
    phrases: dict[str, Phrases] = field(default_factory=dict)
    versions: dict[str, Grid] = field(default_factory=dict)
    extras: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def read(self, line: str) -> None:
        """Take in one line, `name: value`."""
        name, value, column = split_field(line)
        name_column = len(line) - len(line.lstrip(" "))
        if name in self.seen:
            raise _fault(f"{name!r} occurs twice", line, name_column)
        self.seen.add(name)
        if name in ("id", "tags", "note"):
            try:
                self._read_common(name, value)
            except SchemaError as error:
                raise _fault(error.problem, line, column) from error
        elif name in FLAGS:
            if value not in _YES_NO:
                raise _fault(f"{name!r} must be yes or no, not {value!r}", line, column)
            self.flags[name] = _YES_NO[value]
        elif name in PHRASES:
            self.phrases[name] = _phrases(name, line, column)
        elif name in VERSIONS:
            self.versions[name] = join_rows([parse_line(line, start=column)])
        elif name.startswith(OWN):
            self._read_own(name, value, line, name_column)
        else:
            raise _fault(f"no field named {name!r}", line, name_column, _nearest(name))

    def _read_common(self, name: str, value: str) -> None:
        if name == "tags":
            self.tags = tuple(tag.strip(" ") for tag in value.split(",")) if value else ()
            check_tags(self.tags)
        elif name == "id":
            check_name(value, "an id")
            self.id = value
        else:
            self.note = value

    def _read_own(self, name: str, value: str, line: str, column: int) -> None:
        try:
            check_own_name(name)
        except SchemaError as error:
            raise _fault(error.problem, line, column) from error
        self.extras[name] = value

    def entry(self, grid: Grid) -> Entry:
        """The finished entry; without an id of its own it gets one from its content."""
        return Entry(
            id=self.id or grid_id(grid)[:12],
            grid=grid,
            tags=self.tags,
            note=self.note,
            flags=tuple(self.flags.items()),
            phrases=tuple(self.phrases.items()),
            versions=tuple(self.versions.items()),
            extras=tuple(self.extras.items()),
        )


def written_fields(entry: Entry) -> Iterator[tuple[str, str]]:
    """The fields of an entry as they are written, the id first."""
    yield "id", entry.id
    if entry.tags:
        yield "tags", ", ".join(entry.tags)
    if entry.note:
        yield "note", entry.note
    for name, flag in entry.flags:
        yield name, "yes" if flag else "no"
    for name, phrases in entry.phrases:
        yield name, phrases[0] if len(phrases) == 1 else print_phrases(phrases)
    for name, version in entry.versions:
        yield name, print_grid(version)
    yield from entry.extras


def split_field(line: str) -> tuple[str, str, int]:
    """The name of a field, its value, and the column where the value starts."""
    name, colon, value = line.partition(":")
    if not colon or not name.strip(" "):
        column = len(line) - len(line.lstrip(" "))
        raise _fault("expected a field, «name: value»", line, column, "a schema is not indented")
    start = len(name) + 1
    column = start + len(value) - len(value.lstrip(" "))
    return name.strip(" "), value.strip(" "), column


def _phrases(name: str, line: str, column: int) -> Phrases:
    """The phrases of a field. A single one may hold commas and brackets as they are."""
    expected, _ = PHRASES[name]
    if expected == 1:
        found: Phrases = (single_spaces(line[column:]),)
    else:
        lexer = Lexer(line, column)
        found = tuple(phrase.value for phrase in lexer.phrases())
        if lexer.errors:
            raise NotationErrors(lexer.errors)
    if len(found) != expected or not all(found):
        needed = "a phrase" if expected == 1 else f"{expected} phrases with a comma between"
        raise _fault(f"{name!r} takes {needed}", line, column)
    return found


def _nearest(name: str) -> str:
    near = get_close_matches(name, KNOWN, n=2)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"known fields: {', '.join(KNOWN)}; start the name of a field of your own with {OWN}"


def _fault(problem: str, line: str, column: int, remedy: str = "") -> NotationErrors:
    return NotationErrors([NotationError(problem, line=line, column=column, remedy=remedy)])
