"""All measures of a dataset that need no language model, in one reading of its entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from horsesense.errors import SchemaError
from horsesense.schema import (
    BooleanWrapper,
    Entry,
    Grid,
    Mode,
    Named,
    Schema,
    mode_to_pose,
    problems,
    schemas,
    wrap,
)
from horsesense.schema.measures.tokenization import equal_length_share, second_last_share
from horsesense.schema.measures.tokenizer import Tokenizer
from horsesense.schema.share import Share

_NOTHING = Share(0, 0)


@dataclass(frozen=True, slots=True)
class EqualLength:
    """The share of problems with equal-length answers, outside and inside their sentences."""

    outside: Share = _NOTHING
    inside: Share = _NOTHING

    def __add__(self, other: EqualLength) -> EqualLength:
        return EqualLength(self.outside + other.outside, self.inside + other.inside)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Entries that could not be measured, for one and the same reason."""

    reason: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measures:
    """What was measured in a dataset.

    `kinds` counts all entries by what they are; `schemas` and `problems` count what the
    entries that are not `left_out` come to in the mode asked for. `equal_length` has one
    item for each tokenizer, in the order given. `as_they_stand` are the ids of loose entries in a
    dataset that declares another mode than by answer.
    """

    kinds: Named[int]
    schemas: int
    problems: int
    second_last: Share
    equal_length: tuple[EqualLength, ...]
    left_out: tuple[LeftOut, ...]
    as_they_stand: tuple[str, ...] = ()

    @property
    def entries(self) -> int:
        """How many entries there are, those that were left out included."""
        return sum(number for _, number in self.kinds)


def measure(
    entries: Iterable[Entry],
    mode: Mode = Mode.BY_ANSWER,
    *,
    wrapper: BooleanWrapper | None = None,
    tokenizers: Sequence[Tokenizer] = (),
    is_declared: bool = False,
) -> Measures:
    """Measure the problems that the entries pose in that mode, wrapped first if asked.

    Where the dataset declares the mode, what is loose is measured as it stands.
    """
    tally = _Tally(equal_length=[EqualLength() for _ in tokenizers])
    for entry in entries:
        tally.kinds[_kind(entry.grid)] += 1
        try:
            grid, posed_mode = grid_to_solve(entry, mode, wrapper, is_declared=is_declared)
            tally.add(grid, posed_mode, tokenizers)
        except SchemaError as error:
            tally.left_out.setdefault(error.problem, []).append(entry.id)
        else:
            if posed_mode is not mode:
                tally.as_they_stand.append(entry.id)
    return Measures(
        kinds=tuple(tally.kinds.items()),
        schemas=tally.schemas,
        problems=tally.problems,
        second_last=tally.second_last,
        equal_length=tuple(tally.equal_length),
        left_out=tuple(LeftOut(reason, tuple(ids)) for reason, ids in tally.left_out.items()),
        as_they_stand=tuple(tally.as_they_stand),
    )


def grid_to_solve(
    entry: Entry, mode: Mode, wrapper: BooleanWrapper | None = None, *, is_declared: bool = False
) -> tuple[Grid, Mode]:
    """The grid of an entry, wrapped first if asked, and the mode in which it is read.

    Refused where its author rules that out.
    """
    grid = entry.grid if wrapper is None else _wrapped(entry.grid, wrapper)
    mode = mode_to_pose(grid, mode, is_declared=is_declared)
    _check_mode(entry, mode)
    return grid, mode


@dataclass(slots=True)
class _Tally:
    """Measures that grow from entry to entry; problems are not kept, there may be many."""

    equal_length: list[EqualLength]
    kinds: Counter[str] = field(default_factory=Counter)
    schemas: int = 0
    problems: int = 0
    second_last: Share = _NOTHING
    left_out: dict[str, list[str]] = field(default_factory=dict)
    as_they_stand: list[str] = field(default_factory=list)

    def add(self, grid: Grid, mode: Mode, tokenizers: Sequence[Tokenizer]) -> None:
        """Add the problems of a grid."""
        posed = problems(grid, mode)
        self.problems += len(posed)
        self.schemas += len(schemas(grid, mode))
        self.second_last += second_last_share(posed)
        for index, tokenizer in enumerate(tokenizers):
            self.equal_length[index] += EqualLength(
                outside=equal_length_share(posed, tokenizer, inside=False),
                inside=equal_length_share(posed, tokenizer, inside=True),
            )


def _kind(grid: Grid) -> str:
    return f"dyad of a {grid.kind}" if grid.is_dyad else str(grid.kind)


def _wrapped(grid: Grid, wrapper: BooleanWrapper) -> Schema:
    if not isinstance(grid, Schema):
        raise SchemaError(f"a {grid.kind} cannot be wrapped; it has no key phrases")
    return wrap(grid, wrapper)


def _check_mode(entry: Entry, mode: Mode) -> None:
    """Refuse to invert what its author calls not invertible; the grid itself knows the rest."""
    if mode is Mode.BY_KEY and entry.flag("invertible") is False:
        raise SchemaError("its author says that it is not invertible")
