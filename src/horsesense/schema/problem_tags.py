"""Tags of single problems, of which subsets may be made.

Tags and flags are given for an entry and hold for all its problems, unless a field says more:

- `x-tags.2: hard` gives tags to the second problem only.
- `x-associative: q7` restricts the flag `associative` to the problems of these names (the names
  are in `x-problems`), and `x-gotcha.2: 0` says that the tag `gotcha` does not hold for the second.

Problems are counted by answer. In another mode, `x-tags.2` belongs to the problem in which the
same sentence is right. Names, and numbers with a 0, are used by answer only. A perturbed problem
has the tags of the one it corresponds to by position; in the dyad of a schema, two problems have
those of the problem with their key phrase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from horsesense.errors import SchemaError
from horsesense.schema.axis import Cell
from horsesense.schema.dataset import Entry, Named, check_tags
from horsesense.schema.problem import Grid, Mode, Problem, problems

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
                    f"the field {_field(at)!r} is taken, and it is where tags of a problem go; "
                    "give the other field another name"
                )
            extras[_field(at)] = _BETWEEN.join(own)


def extras_in(entry: Entry, grid: Grid) -> Named[str]:
    """Return the fields of an entry for a grid that was made of its own.

    Its problems correspond by position, unless it has another number of them: a dyad has two for
    each, and in any other grid none corresponds to a problem of the entry.
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
    """The positions of the problems of which a tag does not hold, though it does of their entry."""
    names = extras.get(_NAMES, "").split(_BETWEEN)
    listed = extras.get(f"x-{tag}", "").split(_BETWEEN)
    # A field of the same name may say something else; names of problems it has only if all are.
    if len(names) == count and set(listed) <= set(names):
        yield from (at for at, name in enumerate(names) if name not in listed)
    yield from (at for at in range(count) if extras.get(f"x-{tag}.{at + 1}") == "0")
