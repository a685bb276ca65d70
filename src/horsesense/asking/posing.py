"""The problems that entries pose to a model, and what came of them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from horsesense.asking.run import Scored
from horsesense.errors import SchemaError
from horsesense.metrics import (
    LeftOut,
    Share,
    grid_to_solve,
    problem_accuracy,
    schema_accuracy,
    undecided_share,
)
from horsesense.outcome import Outcome
from horsesense.schema import BooleanWrapper, Entry, Mode, Named, Problem, problems, schemas
from horsesense.scoring import Undefined


@dataclass(frozen=True, slots=True)
class PosedEntry:
    """The problems of an entry, and which two of them make a schema."""

    id: str
    problems: tuple[Problem, ...]
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Posed:
    """What entries come to in a mode, and those that pose nothing in it."""

    entries: tuple[PosedEntry, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def problems(self) -> list[Problem]:
        """All problems, in order."""
        return [problem for entry in self.entries for problem in entry.problems]


@dataclass(frozen=True, slots=True)
class Summary:
    """What a method made of all problems.

    `undefined` counts those that it gives no scores, by the reason; they are in no share. Nor is
    a schema of which one of the problems is not.
    """

    method: str
    problems: Share
    schemas: Share
    undecided: Share
    undefined: Named[int]


def pose(
    entries: Iterable[Entry],
    mode: Mode = Mode.BY_ANSWER,
    *,
    wrapper: BooleanWrapper | None = None,
    limit: int | None = None,
) -> Posed:
    """The problems of the entries in that mode, wrapped first if asked; of the first few only."""
    posed: list[PosedEntry] = []
    left_out: dict[str, list[str]] = {}
    for entry in entries:
        if limit is not None and len(posed) >= limit:
            break
        try:
            grid = grid_to_solve(entry, mode, wrapper)
            found = problems(grid, mode)
        except SchemaError as error:
            left_out.setdefault(error.problem, []).append(entry.id)
            continue
        pairs = tuple((found.index(a), found.index(b)) for a, b in schemas(grid, mode))
        posed.append(PosedEntry(entry.id, found, pairs))
    reasons = tuple(LeftOut(reason, tuple(ids)) for reason, ids in left_out.items())
    return Posed(tuple(posed), reasons)


def by_entry(
    posed: Posed, scored: Iterable[Scored]
) -> Iterator[tuple[PosedEntry, tuple[Scored, ...]]]:
    """What came of the problems, entry by entry; it comes in their order."""
    source = iter(scored)
    for entry in posed.entries:
        yield entry, tuple(next(source) for _ in entry.problems)


def summarize(method: str, scored: Sequence[tuple[PosedEntry, tuple[Scored, ...]]]) -> Summary:
    """What a method made of all problems, and of the schemas that they make."""
    outcomes: list[Outcome] = []
    pairs: list[tuple[Outcome, Outcome]] = []
    undefined: Counter[str] = Counter()
    for entry, results in scored:
        found = [one.outcomes[method] for one in results]
        outcomes += [one for one in found if isinstance(one, Outcome)]
        undefined.update(one.reason for one in found if isinstance(one, Undefined))
        for first, second in entry.pairs:
            one, other = found[first], found[second]
            if isinstance(one, Outcome) and isinstance(other, Outcome):
                pairs.append((one, other))
    return Summary(
        method,
        problem_accuracy(outcomes),
        schema_accuracy(pairs),
        undecided_share(outcomes),
        tuple(undefined.most_common()),
    )
