"""All measures of a dataset that need no language model, in one reading of its entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from horsesense.errors import SchemaError
from horsesense.schema import (
    BooleanWrapper,
    Dataset,
    Entry,
    Grid,
    LeftOut,
    Mode,
    Named,
    PosedEntry,
    pose_entry,
)
from horsesense.schema.measures.tokenization import equal_length_share, second_last_share
from horsesense.schema.measures.tokenizer import Tokenizer
from horsesense.schema.posing import declares, mode_of
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
    dataset: Dataset | Iterable[Entry],
    mode: Mode | None = None,
    *,
    wrapper: BooleanWrapper | None = None,
    tokenizers: Sequence[Tokenizer] = (),
) -> Measures:
    """Measure the problems of a dataset in a variant, as `pose` makes them."""
    mode = mode or mode_of(dataset)
    is_declared = declares(dataset, mode)
    tally = _Tally(equal_length=[EqualLength() for _ in tokenizers])
    for entry in dataset:
        tally.kinds[_kind(entry.grid)] += 1
        try:
            posed = pose_entry(entry, mode, wrapper, is_declared=is_declared)
        except SchemaError as error:
            tally.left_out.setdefault(error.problem, []).append(entry.id)
            continue
        tally.add(posed, tokenizers)
        if posed.mode is not mode:
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

    def add(self, posed: PosedEntry, tokenizers: Sequence[Tokenizer]) -> None:
        """Add the problems of an entry."""
        problems = posed.problems
        self.problems += len(problems)
        self.schemas += len(posed.pairs)
        self.second_last += second_last_share(problems)
        for index, tokenizer in enumerate(tokenizers):
            self.equal_length[index] += EqualLength(
                outside=equal_length_share(problems, tokenizer, inside=False),
                inside=equal_length_share(problems, tokenizer, inside=True),
            )


def _kind(grid: Grid) -> str:
    return f"dyad of a {grid.kind}" if grid.is_dyad else str(grid.kind)
