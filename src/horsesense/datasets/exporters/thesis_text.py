"""The line format of the files published with the thesis.

`T/SSS/ X/SSS/PPPP/PPPP: STATEMENT&OPTION0&OPTION1&LABEL`: the type of the schema, its number in
the file, the letter of the problem, the number of the schema in the full collection, and the
numbers of the problem in the file and in the collection. What they call `*target*` is the blank,
and `by value` is our by boolean. The last row has no line end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from horsesense.datasets.exporters.blanks import filled, fills_by_hand, fixed_texts
from horsesense.datasets.exporters.outgoing import Exported, Outgoing, count_header
from horsesense.datasets.exporters.posed import (
    MINIMAL_PAIRS,
    NOT_BY_HAND,
    NOT_TWO_OPTIONS,
    UNLABELLED,
    letters,
    posed,
)
from horsesense.datasets.exporters.thesis_line import (
    is_thesis_line,
    made_wrapper,
    names_wrapper,
    original_line,
    perturbed_line,
    shared_wrapper,
    without_wrapping,
    wrapped_line,
)
from horsesense.schema import Grid, Kind, Mode, Problem

_BLANKS = ("*target*", "*target2*")
_SEPARATOR, _BETWEEN_PHRASES = "&", "¶"
# What would be taken for something else where it stands in a text or a phrase.
_RESERVED = (_SEPARATOR, _BETWEEN_PHRASES, *_BLANKS)
_MODES = {Mode.BY_ANSWER: "by answer", Mode.BY_KEY: "by key", Mode.BY_BOOLEAN: "by value"}


def thesis_text(outgoing: Outgoing, report: Exported) -> Iterator[str]:
    """The file, piece by piece. The first line tells about all rows, so that they come first."""
    found = list(posed(outgoing, report, misfit=_misfit))
    has_ids = _are_numbers(entry.id for entry, _ in found)
    has_names = _are_numbers(one.source_name for _, kept in found for one in kept)
    if not has_ids:
        report.leave_out("ids of entries that are no numbers", len(found))
    rows: list[str] = []
    for number, (entry, kept) in enumerate(found, start=1):
        schema = entry.id if has_ids else str(number)
        for letter, one in zip(letters(), kept, strict=False):
            here = len(rows) + 1
            problem = one.source_name if has_names else str(here)
            key = f"{_type(entry.grid)}/{number:>3}/{letter:>2}/{schema:>3}/{here:>4}/{problem:>4}"
            rows.append(f"{key}: {_row(one.problem)}")
    yield _first_line(outgoing, report, [entry.grid for entry, _ in found])
    yield f"\n{_MODES[outgoing.mode]}"
    for row in rows:
        yield f"\n{row}"


def _are_numbers(names: Iterable[str]) -> bool:
    """True where each is a number of its own; if one is not, they are all counted anew."""
    listed = list(names)
    are_numbers = all(name.isascii() and name.isdigit() and len(name) < 10 for name in listed)
    return are_numbers and len(set(listed)) == len(listed)


def _misfit(problem: Problem) -> str:
    if not problem.blanks:
        return MINIMAL_PAIRS
    if len(problem.options) != 2:
        return NOT_TWO_OPTIONS
    if problem.right is None:
        return UNLABELLED
    phrases = [phrase for option in problem.options for phrase in option]
    if any(mark in text for text in (*fixed_texts(problem), *phrases) for mark in _RESERVED):
        return f"problems with one of {' '.join(_RESERVED)} in their text"
    return "" if fills_by_hand(problem) else NOT_BY_HAND


def _row(problem: Problem) -> str:
    statement = filled(fixed_texts(problem), _BLANKS[: problem.blanks])
    options = (_BETWEEN_PHRASES.join(option) for option in problem.options)
    return _SEPARATOR.join((statement, *options, str(problem.right)))


def _type(grid: Grid) -> str:
    if grid.is_winograd:
        return "w"
    return "t" if grid.kind is Kind.TRANSPOSITION else "s"


def _are_dyads(grids: Sequence[Grid]) -> bool:
    return bool(grids) and all(grid.is_dyad for grid in grids)


def _schema_type(grids: Sequence[Grid]) -> str:
    """What all schemas are: Winograd or not, and dyads or not."""
    winograd = bool(grids) and all(grid.is_winograd for grid in grids)
    return ("Winograd" if winograd else "adversarial") + (" dyad" if _are_dyads(grids) else "")


def _first_line(outgoing: Outgoing, report: Exported, grids: Sequence[Grid]) -> str:
    """The published line where the dataset has kept it as its note, or one of the same kind.

    Where a note about dyads does not name their wrapper, it is told by how they were made; failing
    that, by the dyads themselves.
    """
    has_line = is_thesis_line(outgoing.header.note)
    count_header(outgoing.header, report, held=("note",) if has_line else ())
    line = outgoing.header.note if has_line else _made_line(outgoing, grids)
    if outgoing.wrapper is not None:
        # What has been wrapped since is told as it is told of the published dyads.
        return wrapped_line(line, outgoing.wrapper)
    if not _are_dyads(grids) or names_wrapper(line):
        return line
    wrapper = made_wrapper(outgoing.made) or shared_wrapper(grids)
    if wrapper is not None:
        return wrapped_line(without_wrapping(line), wrapper)
    report.remarks.append("nothing says what the dyads are wrapped in; the first line does not")
    return line


def _made_line(outgoing: Outgoing, grids: Sequence[Grid]) -> str:
    """The line of a dataset that has none, by how it was made."""
    made = outgoing.made
    if made is None:
        return original_line(_schema_type(grids), outgoing.header.name)
    own = made.original.note
    line = own if is_thesis_line(own) else original_line(_schema_type(grids), made.original.name)
    for step in made.steps:
        line = perturbed_line(line, step.transformation, step.parameters)
    return line
