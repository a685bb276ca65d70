"""Problems under the names that other programs will know them by, with what is left behind."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from string import ascii_lowercase

from horsesense.datasets.exporters.outgoing import NAMES, Exported, Outgoing
from horsesense.schema import (
    Entry,
    Grid,
    Mode,
    Problem,
    Row,
    Schema,
    all_tags,
    candidates_of,
    fields_of_tags,
    mode_to_pose,
    modes,
    problems,
)

MINIMAL_PAIRS = "minimal pairs"
UNLABELLED = "problems without a known answer"
NOT_TWO_OPTIONS = "problems with more than two options"
NOT_BY_HAND = "problems whose sentences do not result from filling the blank by hand"


@dataclass(frozen=True, slots=True)
class Posed:
    """A problem that is to be written.

    `number` counts the problems of its entry from 1; `source_name` is what it is called in its
    source, or empty; `name` is that, or the id of its entry with the number. `mode` is what is
    said of it: a problem that is written as it stands is in the mode of its dataset.
    """

    problem: Problem
    number: int
    name: str
    source_name: str
    mode: Mode


def posed(
    outgoing: Outgoing,
    report: Exported,
    *,
    misfit: Callable[[Problem], str],
    held: Collection[str] = (),
) -> Iterator[tuple[Entry, tuple[Posed, ...]]]:
    """The entries with those of their problems that a format can hold; the rest is counted.

    `misfit` says what a problem is that cannot be held, in the plural; `held` is what the format
    holds besides problems, in the words of `_material`.
    """
    for entry in outgoing.entries:
        mode = mode_to_pose(entry.grid, outgoing.mode, is_declared=outgoing.is_declared)
        if refusal := _refusal(entry, mode):
            report.leave_out(refusal)
            continue
        kept: list[Posed] = []
        for one in _named(entry, mode, outgoing.mode):
            if why := misfit(one.problem):
                report.leave_out(why)
            else:
                kept.append(one)
        if kept:
            report.entries += 1
            report.problems += len(kept)
            if mode is not outgoing.mode:
                report.as_they_stand.append(entry.id)
            _count_material(entry, kept, report, held)
            yield entry, tuple(kept)


def source_names(entry: Entry, count: int) -> tuple[str, ...]:
    """What so many problems of an entry are called in their source; nothing if that is not known.

    >>> from horsesense.schema.notation import parse_grid
    >>> grid = parse_grid("a lorry <can, cannot> pass under a {high, low} bridge")
    >>> source_names(Entry("lorry", grid, extras=((NAMES, "q7, q8"),)), 2)
    ('q7', 'q8')
    """
    names = tuple(dict(entry.extras).get(NAMES, "").split(", "))
    return names if len(names) == count and all(names) else ()


def letters() -> Iterator[str]:
    """Letters for the problems of an entry, a, b, …, z, aa, ab, …: a loose grid has any number."""
    words = (itertools.product(ascii_lowercase, repeat=length) for length in itertools.count(1))
    return map("".join, itertools.chain.from_iterable(words))


def _refusal(entry: Entry, mode: Mode) -> str:
    """Why an entry has no problems in that mode, as a plural; empty if it has."""
    if mode not in modes(entry.grid):
        return f"grids that cannot be solved {mode}"
    if mode is Mode.BY_KEY and entry.flag("invertible") is False:
        return "schemas that are not invertible"
    return ""


def _named(entry: Entry, mode: Mode, declared: Mode) -> Iterator[Posed]:
    found = problems(entry.grid, mode)
    from_source = source_names(entry, len(found))
    for number, problem in enumerate(found, 1):
        source_name = from_source[number - 1] if from_source else ""
        default = entry.id if len(found) == 1 else f"{entry.id}-{number}"
        # In other modes than by answer there is a blank, and there are two options.
        told = declared if problem.blanks and len(problem.options) == 2 else mode
        yield Posed(problem, number, source_name or default, source_name, told)


def _count_material(
    entry: Entry, kept: list[Posed], report: Exported, held: Collection[str]
) -> None:
    for what, count in _material(entry).items():
        if what not in held:
            report.leave_out(what, count)
    if not kept[0].source_name and NAMES in dict(entry.extras):
        report.leave_out("entries whose names of problems do not fit")


def _material(entry: Entry) -> dict[str, int]:
    """What an entry holds besides its problems, as a plural and how much there is of it."""
    lines = lines_of(entry.grid)
    other = {NAMES, *fields_of_tags(entry)}
    return {
        "tags": len(all_tags(entry)),
        "notes": 1 if entry.note else 0,
        "flags": len(entry.flags),
        "phrases for perturbations": len(entry.phrases),
        "versions": len(entry.versions),
        "fields of the author's own": sum(name not in other for name, _ in entry.extras),
        "marked candidates": sum(len(candidates_of(line.frame)) for line in lines),
        "pronouns": sum(line.target is not None and line.target.is_known for line in lines),
    }


def lines_of(grid: Grid) -> tuple[Schema | Row, ...]:
    """The lines that a grid is written in: a schema has one, a loose grid one for each problem."""
    return (grid,) if isinstance(grid, Schema) else grid.rows
