"""The problems that entries pose to a model, entry by entry. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from horsesense.errors import SchemaError
from horsesense.evaluation.inference.run import Scored
from horsesense.schema import (
    BooleanWrapper,
    Entry,
    Mode,
    Problem,
    problem_tags,
    problems,
    schemas,
)
from horsesense.schema.measures import LeftOut, grid_to_solve


@dataclass(frozen=True, slots=True)
class PosedEntry:
    """The problems of an entry, which two of them make a schema, and what is said of each."""

    id: str
    problems: tuple[Problem, ...]
    pairs: tuple[tuple[int, int], ...]
    tags: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Posed:
    """What entries come to in a mode, and those that pose nothing in it.

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
    entries: Iterable[Entry],
    mode: Mode = Mode.BY_ANSWER,
    *,
    wrapper: BooleanWrapper | None = None,
    limit: int | None = None,
    compared_with: Mode | None = None,
    is_declared: bool = False,
) -> Posed:
    """The problems of the entries in that mode, wrapped first if asked; of the first few only.

    `compared_with` is another mode beside which the schemas of dyads are to be set. Where the
    dataset itself declares the mode, what is loose is posed as it stands.
    """
    posed: list[PosedEntry] = []
    left_out: dict[str, list[str]] = {}
    as_they_stand: list[str] = []
    for entry in entries:
        if limit is not None and len(posed) >= limit:
            break
        try:
            grid, posed_mode = grid_to_solve(entry, mode, wrapper, is_declared=is_declared)
            found = problems(grid, posed_mode)
        except SchemaError as error:
            left_out.setdefault(error.problem, []).append(entry.id)
            continue
        if posed_mode is not mode:
            as_they_stand.append(entry.id)
        made = schemas(grid, posed_mode, compared_with=compared_with)
        pairs = tuple((found.index(a), found.index(b)) for a, b in made)
        tags = problem_tags(entry, grid, posed_mode, len(found))
        posed.append(PosedEntry(entry.id, found, pairs, tags))
    reasons = tuple(LeftOut(reason, tuple(ids)) for reason, ids in left_out.items())
    return Posed(tuple(posed), reasons, mode, tuple(as_they_stand))


def by_entry(
    posed: Posed, scored: Iterable[Scored]
) -> Iterator[tuple[PosedEntry, tuple[Scored, ...]]]:
    """What came of the problems, entry by entry; it comes in their order."""
    source = iter(scored)
    for entry in posed.entries:
        yield entry, tuple(next(source) for _ in entry.problems)
