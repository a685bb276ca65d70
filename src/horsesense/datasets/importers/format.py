"""What a format is: a name, a look at a file, and a reader of groups of problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from horsesense.datasets.importers.source import (
    BAD_LABEL,
    BAD_ROW,
    NOT_JSON,
    NOT_UTF8,
    BadLabelError,
    BadRow,
    SourceFile,
)
from horsesense.datasets.recovery import Group, Journal, RawProblem, Twins

Companions: TypeAlias = Sequence[SourceFile]
Reader: TypeAlias = Callable[[SourceFile, Journal, Companions], Iterable[Group]]

DUPLICATE_ID = "duplicate-id"
OWN_MODE, SEVERAL_MODES = "own-mode", "several-modes"
# What any format may meet with.
COMMON = {
    NOT_JSON: "a line or element is not JSON",
    NOT_UTF8: "a line is not UTF-8",
    BAD_ROW: "a row or element lacks something, or has too much",
    BAD_LABEL: "a label is missing, out of range, or contradicted",
    DUPLICATE_ID: "an id occurs twice",
    OWN_MODE: "the problems of the file are by key or by boolean; they are posed so by default",
    SEVERAL_MODES: "problems in several modes, or without the twins that their mode takes",
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a file is read into another, edited dataset, and what that is called."""

    title: str
    read: Reader
    repairs: Mapping[str, str]


def _nothing(file: SourceFile) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Format:
    """One way in which problems have been published.

    `repairs` are errors of published files that the reader can put right, each by its name;
    `issues` what else it may report. `twins` is how twins are found, unless a group says that
    it was found otherwise. `contiguous` is how key phrases are found (see Recovery);
    `is_bare` says that schemas of one sentence are to be written bare, fit for wrappers.
    `companions` says what a second file (`--with`) is good for, if anything. `recipes` read
    the same file into another, edited dataset. `describe` is what the file says of itself.
    """

    name: str
    title: str
    looks_like: Callable[[SourceFile], bool]
    read: Reader
    twins: Twins
    repairs: Mapping[str, str] = field(default_factory=dict)
    issues: Mapping[str, str] = field(default_factory=dict)
    companions: str = ""
    contiguous: bool = False
    is_bare: bool = False
    recipes: Mapping[str, Recipe] = field(default_factory=dict)
    describe: Callable[[SourceFile], str] = _nothing


def read_rows(
    rows: Iterable[tuple[int, dict[str, Any]]],
    journal: Journal,
    read: Callable[[int, dict[str, Any]], RawProblem | None],
) -> Iterator[RawProblem]:
    """The problems of rows; a row that cannot be used is a fault, and None is passed over."""
    for line, row in rows:
        try:
            if found := read(line, row):
                yield found
        except BadRow as error:
            journal.fault(error.issue, line, "", str(error))


def numbered_label(label: object, options: int, *, first: int) -> int | None:
    """The position of the right option from a number that counts from `first`; None if absent."""
    if label is None or label == "":
        return None
    text = str(label).strip()
    position = int(text) - first if text.isdecimal() and len(text) <= 4 else -1
    if not 0 <= position < options:
        raise BadLabelError(f"the label {label!r} is not one of {first} to {first + options - 1}")
    return position


def singles(found: Iterable[RawProblem]) -> Iterator[Group]:
    """Each problem for itself."""
    return (Group(one.name, [one]) for one in found)


def twins_by_key(found: Iterable[tuple[str, RawProblem]]) -> Iterator[Group]:
    """Problems with the same key together, in the order in which the keys first occur."""
    groups: dict[str, list[RawProblem]] = {}
    for key, one in found:
        groups.setdefault(key, []).append(one)
    return (Group(key, members) for key, members in groups.items())
