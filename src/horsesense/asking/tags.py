"""What is said of each problem of an entry, of which subsets may be made.

Tags and flags are said of an entry as a whole. Where its fields tell of which problems they hold,
they hold of these only: `x-associative` lists their names, `x-gotcha.2` says it of the second.
"""

from __future__ import annotations

from collections.abc import Iterator

from horsesense.schema import Entry, Grid, Mode

_NAMES = "x-problems"


def problem_tags(entry: Entry, grid: Grid, mode: Mode, count: int) -> tuple[frozenset[str], ...]:
    """The tags of each of an entry's problems: its own, what its author asserts, and its kind."""
    flags = [name for name, holds in entry.flags if holds]
    kinds = [f"{grid.kind}".replace(" ", "-"), *(["dyad"] if grid.is_dyad else [])]
    of_all = frozenset([*entry.tags, *flags, *kinds])
    if mode is not Mode.BY_ANSWER or grid.is_dyad:
        # The names and numbers in the fields are those of problems solved by answer.
        return (of_all,) * count
    denied: list[set[str]] = [set() for _ in range(count)]
    for tag in of_all:
        for at in _exceptions(tag, dict(entry.extras), count):
            denied[at].add(tag)
    return tuple(of_all - each for each in denied)


def _exceptions(tag: str, extras: dict[str, str], count: int) -> Iterator[int]:
    """The positions of the problems of which a tag does not hold, though it does of their entry."""
    names = extras.get(_NAMES, "").split(", ")
    listed = extras.get(f"x-{tag}", "").split(", ")
    # A field of the same name may say something else; names of problems it has only if all are.
    if len(names) == count and set(listed) <= set(names):
        yield from (at for at, name in enumerate(names) if name not in listed)
    yield from (at for at in range(count) if extras.get(f"x-{tag}.{at + 1}") == "0")
