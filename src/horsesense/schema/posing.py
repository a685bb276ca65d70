"""From a dataset and a variant to problems: the one place where problems are made of entries.

A variant is how a dataset is posed: as it is or as a perturbation made it, in a mode, and with its
schemas in a boolean wrapper or without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from horsesense.errors import SchemaError
from horsesense.schema.dataset import Dataset, Entry
from horsesense.schema.problem import Grid, Mode, Problem, mode_to_pose, problems, schema_pairs
from horsesense.schema.problem_tags import problem_tags
from horsesense.schema.schema import Schema
from horsesense.schema.wrapper import BooleanWrapper, wrap


@dataclass(frozen=True)  # without slots, which leave no place for what is computed once
class PosedEntry:
    """The problems of an entry in a variant.

    `grid` is the entry's, or the dyad that a wrapper made of it. `mode` is the one in which the
    grid is read, and `compared_with` another one beside which its schemas are to be set.
    """

    entry: Entry
    grid: Grid
    mode: Mode
    problems: tuple[Problem, ...]
    compared_with: Mode | None = None

    @property
    def id(self) -> str:
        """The id of the entry."""
        return self.entry.id

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Which two of the problems make a schema, by their positions."""
        return schema_pairs(self.grid, self.mode, self.problems, self.compared_with)

    @cached_property
    def tags(self) -> tuple[frozenset[str], ...]:
        """The tags of each problem, with the flags of the entry and the kind of its grid."""
        return problem_tags(self.entry, self.grid, self.mode, len(self.problems))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Entries that pose no problem in a variant, for one and the same reason."""

    reason: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Posed:
    """The problems of a dataset in a variant, entry by entry, and the entries that pose none.

    `as_they_stand` are the ids of loose entries, posed as they are in a dataset that declares
    another mode than by answer.
    """

    entries: tuple[PosedEntry, ...]
    left_out: tuple[LeftOut, ...]
    mode: Mode = Mode.BY_ANSWER
    as_they_stand: tuple[str, ...] = ()

    @property
    def problems(self) -> list[Problem]:
        """All problems, in order."""
        return [problem for entry in self.entries for problem in entry.problems]


def pose(
    dataset: Dataset | Iterable[Entry],
    mode: Mode | None = None,
    *,
    wrapper: BooleanWrapper | None = None,
    limit: int | None = None,
    compared_with: Mode | None = None,
    is_declared: bool | None = None,
) -> Posed:
    """Make the problems of a dataset in a variant.

    Without a `mode` it is the dataset's own; entries by themselves are posed by answer. Where the
    dataset declares the mode, loose entries are posed as they stand; `is_declared` says so of
    entries by themselves. `limit` stops after that many entries with problems. `compared_with` is
    the other mode when two are compared: it decides which problems of a dyad form a schema.
    """
    mode = mode or mode_of(dataset)
    is_declared = declares(dataset, mode) if is_declared is None else is_declared
    posed: list[PosedEntry] = []
    left_out: dict[str, list[str]] = {}
    for entry in dataset:
        if limit is not None and len(posed) >= limit:
            break
        try:
            posed.append(pose_entry(entry, mode, wrapper, compared_with, is_declared=is_declared))
        except SchemaError as error:
            left_out.setdefault(error.problem, []).append(entry.id)
    return Posed(
        tuple(posed),
        tuple(LeftOut(reason, tuple(ids)) for reason, ids in left_out.items()),
        mode,
        tuple(entry.id for entry in posed if entry.mode is not mode),
    )


def pose_entry(
    entry: Entry,
    mode: Mode = Mode.BY_ANSWER,
    wrapper: BooleanWrapper | None = None,
    compared_with: Mode | None = None,
    *,
    is_declared: bool = False,
) -> PosedEntry:
    """Make the problems of one entry, or say in a `SchemaError` why it has none.

    It has none where the grid cannot be solved in that mode, and where its author says so.
    `is_declared` is true where the dataset declares the mode.
    """
    grid = entry.grid if wrapper is None else _wrapped(entry.grid, wrapper)
    mode = mode_to_pose(grid, mode, is_declared=is_declared)
    if mode is Mode.BY_KEY and entry.flag("invertible") is False:
        raise SchemaError("its author says that it is not invertible")
    return PosedEntry(entry, grid, mode, problems(grid, mode), compared_with)


def mode_of(dataset: Dataset | Iterable[Entry]) -> Mode:
    """The mode in which a dataset is posed unless another is named."""
    return dataset.mode if isinstance(dataset, Dataset) else Mode.BY_ANSWER


def declares(dataset: Dataset | Iterable[Entry], mode: Mode) -> bool:
    """True where the dataset itself says that it is in that mode."""
    return isinstance(dataset, Dataset) and dataset.header.mode is mode


def _wrapped(grid: Grid, wrapper: BooleanWrapper) -> Schema:
    if not isinstance(grid, Schema):
        raise SchemaError(f"a {grid.kind} cannot be wrapped; it has no key phrases")
    return wrap(grid, wrapper)
