"""From a dataset and a variant to problems: the one place where problems are made of entries.

A variant is how a dataset is posed: as it is or as a perturbation made it, in a mode, and with its
schemas in a boolean wrapper or without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from horsesense.errors import SchemaError
from horsesense.schema.axis import Cell
from horsesense.schema.dataset import CLUSTER, Dataset, Entry, Named, check_tags
from horsesense.schema.problem import (
    Grid,
    Mode,
    Problem,
    mode_to_pose,
    problems,
    schema_pairs,
    schemas,
)
from horsesense.schema.schema import Schema
from horsesense.schema.wrapper import BooleanWrapper, wrap

TAGS = "x-tags"
_NAMES = "x-problems"
_BETWEEN = ", "


def problem_tags(entry: Entry, grid: Grid, mode: Mode, count: int) -> tuple[frozenset[str], ...]:
    """Return the tags of each problem: the entry's, its asserted flags, its kind, and its own.

    `grid` is the entry's, or the dyad that a wrapper makes of it.
    """
    flags = [name for name, holds in entry.flags if holds]
    kinds = [f"{grid.kind}".replace(" ", "-"), *(["dyad"] if grid.is_dyad else [])]
    shared = frozenset([*entry.tags, *flags, *kinds])
    own = own_tags(entry, grid, mode) if _fields(entry) else ((),) * count
    denied: list[set[str]] = [set() for _ in range(count)]
    if mode is Mode.BY_ANSWER and not grid.is_dyad:
        for tag in shared:
            for at in _exceptions(tag, dict(entry.extras), count):
                denied[at].add(tag)
    return tuple((shared - no).union(yes) for no, yes in zip(denied, own, strict=True))


def own_tags(entry: Entry, grid: Grid, mode: Mode) -> tuple[tuple[str, ...], ...]:
    """Return for each problem of the grid in that mode the tags that hold for it alone."""
    positions = positions_by_answer(grid, mode)
    fields = dict(extras_in(entry, grid))
    return tuple(_listed(fields.get(_field(at), "")) for at in positions)


def all_tags(entry: Entry) -> tuple[str, ...]:
    """Return the tags of an entry, and then those that only some of its problems have."""
    return tuple(
        dict.fromkeys((*entry.tags, *(tag for tags in _fields(entry).values() for tag in tags)))
    )


def fields_of_tags(entry: Entry) -> frozenset[str]:
    """Return the names of the fields that give tags to single problems."""
    return frozenset(_fields(entry))


def add_own_tags(
    extras: dict[str, str], grid: Grid, mode: Mode, tags: Sequence[tuple[str, ...]]
) -> None:
    """Add the fields that give tags to single problems, which are in the order of that mode."""
    for at, own in zip(positions_by_answer(grid, mode), tags, strict=True):
        if own:
            check_tags(own)
            if _field(at) in extras:
                raise SchemaError(
                    f"the field {_field(at)!r} is reserved for the tags of a problem; "
                    "give the other field another name"
                )
            extras[_field(at)] = _BETWEEN.join(own)


def extras_in(entry: Entry, grid: Grid) -> Named[str]:
    """Return the fields of an entry for a grid derived from the entry's own.

    Problems correspond by position if both grids have the same number of them. A dyad has two for
    each problem of the entry; in any other grid, none corresponds to a problem of the entry.
    """
    fields = _fields(entry)
    if not fields or len(problems(grid)) == len(problems(entry.grid)):
        return entry.extras
    kept = [(name, value) for name, value in entry.extras if name not in fields]
    for at, problem in enumerate(problems(grid) if grid.is_dyad else ()):
        if tags := fields.get(_field(problem.cells[0].key)):
            kept.append((_field(at), _BETWEEN.join(tags)))
    return tuple(kept)


def positions_by_answer(grid: Grid, mode: Mode) -> tuple[int, ...]:
    """Return for each problem in that mode the position by answer of the one it corresponds to."""
    by_answer = problems(grid)
    if mode is Mode.BY_ANSWER:
        return tuple(range(len(by_answer)))
    places = {_right_cell(grid, problem): at for at, problem in enumerate(by_answer)}
    return tuple(places[_right_cell(grid, problem)] for problem in problems(grid, mode))


def _right_cell(grid: Grid, problem: Problem) -> Cell:
    return next(cell for cell in problem.cells if grid.is_sensible(cell))


def _field(at: int) -> str:
    return f"{TAGS}.{at + 1}"


def _fields(entry: Entry) -> dict[str, tuple[str, ...]]:
    """The fields that give tags to single problems, with the tags."""
    if not any(name.startswith(TAGS) for name, _ in entry.extras):
        return {}
    fields = dict(entry.extras)
    names = [_field(at) for at in range(len(problems(entry.grid)))]
    return {name: tags for name in names if (tags := _listed(fields.get(name, "")))}


def _listed(value: str) -> tuple[str, ...]:
    """The tags in a field; none where it holds something else."""
    tags = tuple(tag.strip(" ") for tag in value.split(",")) if value else ()
    try:
        check_tags(tags)
    except SchemaError:
        return ()
    return tags


def _exceptions(tag: str, extras: dict[str, str], count: int) -> Iterator[int]:
    """Yield the positions of problems that don't inherit this tag from their entry."""
    names = extras.get(_NAMES, "").split(_BETWEEN)
    listed = extras.get(f"x-{tag}", "").split(_BETWEEN)
    # A field of this name may hold something else; it lists problems only if every item is one.
    if len(names) == count and set(listed) <= set(names):
        yield from (at for at, name in enumerate(names) if name not in listed)
    yield from (at for at in range(count) if extras.get(f"x-{tag}.{at + 1}") == "0")


@dataclass(frozen=True)  # no slots: cached_property needs `__dict__`
class PosedEntry:
    """The problems of an entry in a variant.

    `grid` is the entry's, or the dyad that a wrapper made of it. `mode` is the mode in which the
    grid is read; `compared_with` is the other mode when two modes are compared.
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

    `as_they_stand` are the ids of loose entries, posed unchanged although the dataset declares a
    mode other than by answer.
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
    compared_with: Mode | None = None,
    is_declared: bool | None = None,
) -> Posed:
    """Make the problems of a dataset in a variant.

    Without a `mode` it is the dataset's own; entries by themselves are posed by answer. Where the
    dataset declares the mode, loose entries are posed as they stand; `is_declared` says so of
    entries by themselves. `compared_with` is the other mode when two are compared: it decides which
    problems of a dyad form a schema.
    """
    mode = mode or mode_of(dataset)
    is_declared = declares(dataset, mode) if is_declared is None else is_declared
    posed: list[PosedEntry] = []
    left_out: dict[str, list[str]] = {}
    for entry in dataset:
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
    """Make the problems of one entry, or raise a `SchemaError` that says why there are none.

    It has none where the grid cannot be solved in that mode, and where its author says so.
    `is_declared` is true where the dataset declares the mode.
    """
    grid = entry.grid if wrapper is None else _wrapped(entry.grid, wrapper)
    mode = mode_to_pose(grid, mode, is_declared=is_declared)
    if mode is Mode.BY_KEY and entry.flag("invertible") is False:
        raise SchemaError("its author says that it is not invertible")
    return PosedEntry(entry, grid, mode, problems(grid, mode), compared_with)


def first_schemas(entries: Iterable[Entry], count: int) -> tuple[Entry, ...]:
    """Return the first entries with that many schemas; a problem without a twin counts as one."""
    taken: list[Entry] = []
    taken_schemas = 0
    for entry in entries:
        if taken_schemas >= count:
            break
        taken.append(entry)
        taken_schemas += _weight(entry)
    return tuple(taken)


def sample_schemas(entries: Sequence[Entry], count: int, seed: int) -> tuple[Entry, ...]:
    """Draw entries with at least that many schemas, and return them in their order.

    A problem without a twin counts as one. Entries of one cluster are drawn together. Each cluster
    gets a random position from its name and the seed, and the first ones are taken. So a smaller
    sample is part of a larger one with the same seed, and the order of the dataset doesn't matter.
    """
    clusters: dict[str, list[int]] = {}
    for position, name in enumerate(_cluster_names(entries)):
        clusters.setdefault(name, []).append(position)
    taken: list[int] = []
    taken_schemas = 0
    for name in sorted(clusters, key=lambda name: sha256(f"{seed} {name}".encode()).digest()):
        if taken_schemas >= count:
            break
        taken += clusters[name]
        taken_schemas += sum(_weight(entries[position]) for position in clusters[name])
    return tuple(entries[position] for position in sorted(taken))


def _weight(entry: Entry) -> int:
    return len(schemas(entry.grid)) or 1


def _cluster_names(entries: Sequence[Entry]) -> list[str]:
    """Return a name for each entry, the same for those of one cluster.

    Entries that share a cluster tag, directly or through others, are one cluster.
    """
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (next_above := above.setdefault(name, name)) != name:
            name = next_above
        return name

    # An id is marked so that it is not taken for a tag.
    names = [f"={entry.id}" for entry in entries]
    for name, entry in zip(names, entries, strict=True):
        for tag in all_tags(entry):
            if tag.startswith(CLUSTER):
                above[top(name)] = top(tag)
    return [top(name) for name in names]


def mode_of(dataset: Dataset | Iterable[Entry]) -> Mode:
    """The mode in which a dataset is posed unless another is named."""
    return dataset.mode if isinstance(dataset, Dataset) else Mode.BY_ANSWER


def declares(dataset: Dataset | Iterable[Entry], mode: Mode) -> bool:
    """Return whether the dataset itself says that it is in that mode."""
    return isinstance(dataset, Dataset) and dataset.header.mode is mode


def _wrapped(grid: Grid, wrapper: BooleanWrapper) -> Schema:
    if not isinstance(grid, Schema):
        raise SchemaError(f"a {grid.kind} cannot be wrapped; it has no key phrases")
    return wrap(grid, wrapper)
