"""The report of an export, and the problems to write with their names.

No format holds everything. What a format cannot hold is counted, so that nothing is lost silently.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from string import ascii_lowercase

from horsesense.errors import SchemaError
from horsesense.schema import (
    BooleanWrapper,
    Dataset,
    Entry,
    Grid,
    Header,
    LooseProblem,
    Mode,
    Named,
    PosedEntry,
    Problem,
    Schema,
    all_tags,
    candidates_of,
    extras_in,
    fields_of_tags,
    modes,
    pose_entry,
    wrap,
)

# The field in which an importer keeps what the problems of an entry are called in their source.
NAMES = "x-problems"
_HEADER_TEXTS = ("title", "author", "licence", "note")


@dataclass(slots=True)
class Exported:
    """The numbers of items written and left out, by kind; complete after writing.

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


def wrapped(dataset: Dataset, wrapper: BooleanWrapper, report: Exported) -> Dataset:
    """Replace the schemas by their dyads, and count what does not go into the wrapper."""
    return dataset.replace(entries=_dyads(dataset, wrapper, report), wrapper=wrapper)


def _dyads(dataset: Dataset, wrapper: BooleanWrapper, report: Exported) -> Iterator[Entry]:
    for entry in dataset:
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
    """Count the texts of the header that the format cannot hold."""
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


MINIMAL_PAIRS = "minimal pairs"
UNLABELLED = "problems without a known answer"
NOT_TWO_OPTIONS = "problems with more than two options"
NOT_BY_HAND = "problems whose sentences are not simply the text with the blank filled in"


@dataclass(frozen=True, slots=True)
class NamedProblem:
    """A problem as exporters write it, with its name.

    `number` counts the problems of its entry from 1; `source_name` is its name in the source, or
    empty; `name` is that name, or the id of its entry with the number. `mode` is the one to write:
    that of the dataset for a problem that is written unchanged.
    """

    problem: Problem
    number: int
    name: str
    source_name: str
    mode: Mode


def named_problems(
    dataset: Dataset,
    report: Exported,
    *,
    misfit: Callable[[Problem], str],
    held: Collection[str] = (),
) -> Iterator[tuple[Entry, tuple[NamedProblem, ...]]]:
    """The entries with those of their problems that a format can hold; the rest is counted.

    `misfit` says what a problem is that cannot be held, in the plural; `held` is what the format
    holds besides problems, in the words of `_material`.
    """
    is_declared = dataset.header.mode is dataset.mode
    for entry in dataset:
        try:
            posed = pose_entry(entry, dataset.mode, is_declared=is_declared)
        except SchemaError:
            report.leave_out(_refusal(entry, dataset.mode))
            continue
        kept: list[NamedProblem] = []
        for named in _named(posed, dataset.mode):
            if misfits := misfit(named.problem):
                report.leave_out(misfits)
            else:
                kept.append(named)
        if kept:
            report.entries += 1
            report.problems += len(kept)
            if posed.mode is not dataset.mode:
                report.as_they_stand.append(entry.id)
            _count_material(entry, kept, report, held)
            yield entry, tuple(kept)


def source_names(entry: Entry, count: int) -> tuple[str, ...]:
    """Return the names of an entry's problems in their source, or nothing if unknown.

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
    """Why an entry has no problems in that mode, as a plural."""
    if mode not in modes(entry.grid):
        return f"grids that cannot be solved {mode}"
    return "schemas that are not invertible"


def _named(posed: PosedEntry, declared: Mode) -> Iterator[NamedProblem]:
    count = len(posed.problems)
    from_source = source_names(posed.entry, count)
    for number, problem in enumerate(posed.problems, 1):
        source_name = from_source[number - 1] if from_source else ""
        default = posed.id if count == 1 else f"{posed.id}-{number}"
        # In other modes than by answer there is a blank, and there are two options.
        mode = declared if problem.blanks and len(problem.options) == 2 else posed.mode
        yield NamedProblem(problem, number, source_name or default, source_name, mode)


def _count_material(
    entry: Entry, kept: list[NamedProblem], report: Exported, held: Collection[str]
) -> None:
    for what, count in _material(entry).items():
        if what not in held:
            report.leave_out(what, count)
    if not kept[0].source_name and NAMES in dict(entry.extras):
        report.leave_out("entries whose problem names do not fit")


def _material(entry: Entry) -> dict[str, int]:
    """Count what an entry holds besides its problems, by a plural noun."""
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


def lines_of(grid: Grid) -> tuple[Schema | LooseProblem, ...]:
    """The lines that a grid is written in: a schema has one, a loose grid one for each problem."""
    return (grid,) if isinstance(grid, Schema) else grid.rows


def fixed_texts(problem: Problem) -> tuple[str, ...]:
    """Return the texts before, between and after the blanks of a statement.

    >>> from horsesense.schema.notation import parse_grid
    >>> from horsesense.schema import problems
    >>> fixed_texts(problems(parse_grid("the <owl*, vole> is hungry"))[0])
    ('The ', ' is hungry.')
    """
    statement = problem.statement
    spans = statement.spans_of(problem.mode.axis)
    starts = [0, *(span.end for span in spans)]
    ends = [*(span.start for span in spans), len(statement.text)]
    return tuple(statement.text[start:end] for start, end in zip(starts, ends, strict=True))


def filled(texts: Iterable[str], phrases: Iterable[str]) -> str:
    """The texts with the phrases between them.

    >>> filled(("The ", " is hungry."), ("owl",))
    'The owl is hungry.'
    """
    return "".join(chain.from_iterable(zip_longest(texts, phrases, fillvalue="")))


def fills_by_hand(problem: Problem) -> bool:
    """Return whether filling the options into the blanks unchanged gives the sentences."""
    texts = fixed_texts(problem)
    return not problem.blanks or all(
        filled(texts, option) == sentence.text
        for option, sentence in zip(problem.options, problem.sentences, strict=True)
    )
