"""A dataset on its way out, and the account of what became of it.

No format holds everything. What one cannot hold is counted, so that nothing is lost in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from horsesense.errors import SchemaError
from horsesense.schema import (
    BooleanWrapper,
    Entry,
    Grid,
    Header,
    Mode,
    Named,
    Schema,
    extras_in,
    wrap,
)

# The field in which an importer keeps what the problems of an entry are called in their source.
NAMES = "x-problems"
_HEADER_TEXTS = ("title", "author", "licence", "note")


class Origin(NamedTuple):
    """A file that a dataset was read from, its SHA-256, and what read it."""

    file: str
    sha256: str
    importer: str


class Step(NamedTuple):
    """A transformation that has made a dataset; its parameters, as far as they are known."""

    transformation: str
    parameters: Mapping[str, str]


class Made(NamedTuple):
    """What a perturbation was made from, and by which transformations, one after the other."""

    original: Header
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What is to be written: entries, what their dataset says of itself, what is guessed.

    `wrapper` is the one in which the entries have been put; see `wrapped`. `made` tells how a
    perturbation came about. `is_declared` is true where the mode is the dataset's own: what is
    loose is written as it stands then.
    """

    header: Header
    entries: Iterable[Entry]
    mode: Mode = Mode.BY_ANSWER
    wrapper: BooleanWrapper | None = None
    sources: tuple[Origin, ...] = ()
    made: Made | None = None
    is_declared: bool = False


@dataclass(slots=True)
class Exported:
    """How much was written, and what was left out, by kind; complete once all has been written.

    A format that holds whole grids counts entries alone. `remarks` tell what was not made, such as
    a task that would make no sense. `as_they_stand` are the ids of loose entries in a dataset that
    declares another mode than by answer.
    """

    entries: int = 0
    problems: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    remarks: list[str] = field(default_factory=list)
    as_they_stand: list[str] = field(default_factory=list)

    def leave_out(self, what: str, count: int = 1) -> None:
        """Count something that the format cannot hold; `what` is a plural."""
        if count:
            self.left_out[what] += count


def wrapped(entries: Iterable[Entry], wrapper: BooleanWrapper, report: Exported) -> Iterator[Entry]:
    """The entries with the dyads of their schemas; what does not go into the wrapper is counted."""
    for entry in entries:
        try:
            dyad = _dyad(entry.grid, wrapper)
        except SchemaError:
            report.leave_out("grids that cannot be wrapped")
            continue
        versions = _wrapped_versions(entry.versions, wrapper, report)
        # Its problems are others now, and more of them, than those that had names.
        extras = tuple(pair for pair in extras_in(entry, dyad) if pair[0] != NAMES)
        yield replace(entry, grid=dyad, versions=versions, extras=extras)


def count_header(header: Header, report: Exported, *, held: Collection[str] = ()) -> None:
    """Count what a dataset says of itself, all but the texts that the format holds."""
    for name in _HEADER_TEXTS:
        if name not in held and getattr(header, name):
            report.leave_out(f"{name}s of the dataset")


def _dyad(grid: Grid, wrapper: BooleanWrapper) -> Schema:
    if not isinstance(grid, Schema):
        raise SchemaError("only a schema goes into a wrapper")
    return wrap(grid, wrapper)


def _wrapped_versions(
    versions: Named[Grid], wrapper: BooleanWrapper, report: Exported
) -> Named[Grid]:
    """A version must have the shape of its schema, so that it becomes a dyad too or is dropped."""
    kept: list[tuple[str, Grid]] = []
    for name, version in versions:
        try:
            kept.append((name, _dyad(version, wrapper)))
        except SchemaError:
            report.leave_out("versions that cannot be wrapped")
    return tuple(kept)
