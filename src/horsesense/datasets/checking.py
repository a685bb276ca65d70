"""Check schema files: everything that is wrong, and what an author should look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import TypeAlias

from horsesense.datasets.files import STDIN, looks_published, opened_schema_file, source_file
from horsesense.errors import FileError
from horsesense.schema import Entry, doubts
from horsesense.schema.notation import SchemaFile, grid_id

Position: TypeAlias = Callable[[], tuple[int, int | None]]
Watch: TypeAlias = Callable[[Iterable[Entry], str, Position], Iterable[Entry]]


def _unwatched(entries: Iterable[Entry], label: str, position: Position) -> Iterable[Entry]:
    """Pass entries through without showing progress."""
    return entries


@dataclass
class FileFinding:
    """An error or a doubt; line and column are 0 if it concerns the file as a whole."""

    text: str
    line: int = 0
    column: int = 0
    problem: str = ""
    remedy: str = ""


@dataclass
class CheckedFile:
    """The findings about a schema file, and how many of its schemas are sound."""

    file: str
    schemas: int = 0
    is_readable: bool = True
    errors: list[FileFinding] = field(default_factory=list)
    doubts: list[FileFinding] = field(default_factory=list)


def check_schema_file(path: str | PathLike[str], *, watch: Watch = _unwatched) -> CheckedFile:
    """Check a schema file; one that cannot be read has that as its only error.

    >>> check_schema_file("hs-winograd").errors
    []
    """
    checked = CheckedFile(fspath(path))
    try:
        with opened_schema_file(checked.file) as file:
            _check_entries(file, checked, watch)
    except FileError as error:
        checked.errors.append(FileFinding(str(error), problem=str(error)))
        checked.is_readable = False
    if checked.errors and not checked.schemas and _is_of_another_format(checked.file):
        problem = "this is not a schema file"
        remedy = f"`horsesense dataset import {checked.file}` checks and stores it"
        text = f"{checked.file}: {problem}\n  {remedy}"
        checked.errors = [FileFinding(text, problem=problem, remedy=remedy)]
    return checked


def _is_of_another_format(path: str) -> bool:
    return path != STDIN and Path(path).is_file() and looks_published(source_file(path))


def _check_entries(file: SchemaFile, checked: CheckedFile, watch: Watch) -> None:
    first_ids: dict[str, str] = {}
    for entry in watch(file.sound_entries(), file.source, file.reader.position):
        checked.schemas += 1
        texts = list(doubts(entry.grid))
        for name, version in entry.versions:
            texts += [f"{name}: {text}" for text in doubts(version)]
        first = first_ids.setdefault(grid_id(entry.grid), entry.id)
        if first != entry.id:
            texts.append(f"the same schema as {first}")
        line = file.line_of(entry.id)
        checked.doubts += [FileFinding(f"{entry.id}: {text}", line, problem=text) for text in texts]
    checked.errors += [
        FileFinding(str(error), error.line_number, error.column + 1, error.problem, error.remedy)
        for error in file.errors
    ]
