"""The line format of the files published with the thesis.

`T/SSS/ X/SSS/PPPP/PPPP: STATEMENT&OPTION0&OPTION1&LABEL`: the type of the schema, its number in
the file, the letter of the problem, the number of the schema in the full collection, and the
numbers of the problem in the file and in the collection. What they call `*target*` is the blank,
and `by value` is our by boolean. The last row has no line end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from horsesense.datasets.exporters.exported import (
    MINIMAL_PAIRS,
    NOT_BY_HAND,
    NOT_TWO_OPTIONS,
    UNLABELLED,
    Exported,
    count_header,
    filled,
    fills_by_hand,
    fixed_texts,
    letters,
    named_problems,
)
from horsesense.schema import (
    BooleanWrapper,
    Candidate,
    Dataset,
    Frame,
    Grid,
    Kind,
    Mode,
    Problem,
    Schema,
    Step,
)
from horsesense.schema.notation import WRAPPERS, parse_wrapper

_BLANKS = ("*target*", "*target2*")
_SEPARATOR, _BETWEEN_PHRASES = "&", "¶"
# What would be taken for something else where it stands in a text or a phrase.
_RESERVED = (_SEPARATOR, _BETWEEN_PHRASES, *_BLANKS)
_MODES = {Mode.BY_ANSWER: "by answer", Mode.BY_KEY: "by key", Mode.BY_BOOLEAN: "by value"}


def thesis_text(dataset: Dataset, report: Exported) -> Iterator[str]:
    """The file, piece by piece. The first line tells about all rows, so that they come first."""
    kept_problems = list(named_problems(dataset, report, misfit=_misfit))
    has_ids = _are_numbers(entry.id for entry, _ in kept_problems)
    has_names = _are_numbers(named.source_name for _, kept in kept_problems for named in kept)
    if not has_ids:
        report.leave_out("ids of entries that are not numbers", len(kept_problems))
    rows: list[str] = []
    for number, (entry, kept) in enumerate(kept_problems, start=1):
        schema = entry.id if has_ids else str(number)
        for letter, named in zip(letters(), kept, strict=False):
            here = len(rows) + 1
            problem = named.source_name if has_names else str(here)
            key = f"{_type(entry.grid)}/{number:>3}/{letter:>2}/{schema:>3}/{here:>4}/{problem:>4}"
            rows.append(f"{key}: {_row(named.problem)}")
    yield _first_line(dataset, report, [entry.grid for entry, _ in kept_problems])
    yield f"\n{_MODES[dataset.mode]}"
    for row in rows:
        yield f"\n{row}"


def _are_numbers(names: Iterable[str]) -> bool:
    """Return whether all ids are different numbers; otherwise all are renumbered."""
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
    """Return the shape that all schemas share: Winograd or not, dyads or not."""
    winograd = bool(grids) and all(grid.is_winograd for grid in grids)
    return ("Winograd" if winograd else "adversarial") + (" dyad" if _are_dyads(grids) else "")


def _first_line(dataset: Dataset, report: Exported, grids: Sequence[Grid]) -> str:
    """Return the published line if the dataset has it as its note, or else a line like it.

    If a note about dyads does not name their wrapper, it is taken from the steps that made them, or
    else from the dyads themselves.
    """
    has_line = is_thesis_line(dataset.header.note)
    count_header(dataset.header, report, held=("note",) if has_line else ())
    line = dataset.header.note if has_line else _made_line(dataset, grids)
    if dataset.wrapper is not None:
        # What has been wrapped since is told as it is told of the published dyads.
        return wrapped_line(line, dataset.wrapper)
    if not _are_dyads(grids) or names_wrapper(line):
        return line
    wrapper = made_wrapper(dataset.steps) or shared_wrapper(grids)
    if wrapper is not None:
        return wrapped_line(without_wrapping(line), wrapper)
    report.remarks.append("the wrapper of the dyads is unknown, so the first line does not name it")
    return line


def _made_line(dataset: Dataset, grids: Sequence[Grid]) -> str:
    """The line of a dataset that has none, by how it was made."""
    original = dataset.original or dataset.header
    own = original.note if dataset.original else ""
    line = own if is_thesis_line(own) else original_line(_schema_type(grids), original.name)
    for step in dataset.steps:
        line = perturbed_line(line, step.transformation, step.parameters)
    return line


_FIRST_ITEM = "schema type: "
_BETWEEN = "; "
_PERTURBATION, _BASELINE, _WRAPPER = "perturbation: ", "baseline: ", "wrapper: "
_ORIGINAL, _NO_BASELINE, _NO_CANDIDATES = "original", "no baseline", "remove candidates"
_ONLY_MODES = frozenset({"by-key", "by-boolean"})
_WRAPPING, _REMOVAL = "dyadic", "no-candidate"
_DYAD = " dyad"


def is_thesis_line(note: str) -> bool:
    """Return whether a note is such a line, kept by an importer."""
    return note.startswith(_FIRST_ITEM)


def original_line(schema_type: str, name: str) -> str:
    """The line of a dataset for which none was published."""
    return _BETWEEN.join(
        (
            f"{_FIRST_ITEM}{schema_type}",
            f"dataset name: {name}",
            f"{_PERTURBATION}{_ORIGINAL}",
            f"{_BASELINE}{_NO_BASELINE}",
        )
    )


def published_line(line: str, transformation: str, parameters: Mapping[str, str]) -> str:
    """The same of a perturbation of a published file, as such files are published; or nothing.

    There are files of originals perturbed once, of dyads, and of subsets without candidates.
    """
    needed = ""
    if transformation == _REMOVAL:
        needed = f"{_BASELINE}{_NO_BASELINE}"
    elif transformation not in {*_ONLY_MODES, _WRAPPING}:
        needed = f"{_PERTURBATION}{_ORIGINAL}"
    if not is_thesis_line(line) or (needed and needed not in line.split(_BETWEEN)):
        return ""
    return perturbed_line(line, transformation, parameters)


def perturbed_line(line: str, transformation: str, parameters: Mapping[str, str]) -> str:
    """The line of a perturbation, from that of its original.

    >>> perturbed_line("schema type: Winograd; dataset name: x", "switched", {})
    'schema type: Winograd; dataset name: x; perturbation: switched'
    """
    if transformation in _ONLY_MODES:
        return line
    if transformation == _WRAPPING:
        wrapper = parameters.get("wrapper")
        return wrapped_line(line, None if wrapper is None else parse_wrapper(wrapper))
    if transformation == _REMOVAL:
        return _BETWEEN.join(_with(line.split(_BETWEEN), _BASELINE, _NO_CANDIDATES))
    items = line.split(_BETWEEN)
    before = next((item for item in items if item.startswith(_PERTURBATION)), "")
    earlier = before.removeprefix(_PERTURBATION)
    # Files hold subsets too, such as the associative schemas.
    perturbation = (
        f"{earlier}, {transformation}" if earlier not in ("", _ORIGINAL) else transformation
    )
    return _BETWEEN.join(_with(items, _PERTURBATION, perturbation))


def wrapped_line(line: str, wrapper: BooleanWrapper | None) -> str:
    """The line of dyads, from that of their schemas; the wrapper may not be known."""
    first, *items = line.split(_BETWEEN)
    first = first if first.endswith(_DYAD) else f"{first}{_DYAD}"
    wrapping = () if wrapper is None else (_wrapper_items(wrapper),)
    return _BETWEEN.join((first, *items, *wrapping))


def names_wrapper(line: str) -> bool:
    """Return whether the line gives the wrapper of dyads."""
    return any(item.startswith(_WRAPPER) for item in line.split(_BETWEEN))


def without_wrapping(line: str) -> str:
    """The line of dyads that lists their wrapping as a perturbation, without that.

    >>> without_wrapping("schema type: Winograd; perturbation: switched, dyadic")
    'schema type: Winograd; perturbation: switched'
    """
    items = line.split(_BETWEEN)
    for item in items:
        steps = item.removeprefix(_PERTURBATION).split(", ")
        if item.startswith(_PERTURBATION) and _WRAPPING in steps:
            others = ", ".join(step for step in steps if step != _WRAPPING)
            return _BETWEEN.join(_with(items, _PERTURBATION, others or _ORIGINAL))
    return line


def made_wrapper(steps: Iterable[Step]) -> BooleanWrapper | None:
    """The wrapper that a dataset was put in when it was made, if that is known."""
    wrappers = (
        step.parameters.get("wrapper") for step in steps if step.transformation == _WRAPPING
    )
    return next((parse_wrapper(text) for text in wrappers if text is not None), None)


def shared_wrapper(grids: Iterable[Grid]) -> BooleanWrapper | None:
    """The one of the named wrappers in which all these dyads are; None if that is none."""
    dyads = list(grids)
    candidates = (
        wrapper
        for wrapper in map(parse_wrapper, WRAPPERS)
        if dyads and all(_is_wrapped_in(grid, wrapper) for grid in dyads)
    )
    return next(candidates, None)


def _is_wrapped_in(grid: Grid, wrapper: BooleanWrapper) -> bool:
    if not isinstance(grid, Schema) or grid.truths != wrapper.truths:
        return False
    text, before, after = map(_marked, (grid.frame, wrapper.before, wrapper.after))
    return text.startswith(before) and text.removesuffix(".").endswith(after.removesuffix("."))


def _marked(frame: Frame) -> str:
    """The text of a frame with a mark for each placeholder, by which it can be compared."""
    parts = (part.text if isinstance(part, Candidate) else part for part in frame)
    return "".join(part if isinstance(part, str) else f"\0{part.axis}" for part in parts)


def _with(items: list[str], name: str, value: str) -> list[str]:
    """The items with another value for the one of that name, or with one more."""
    if not any(item.startswith(name) for item in items):
        return [*items, f"{name}{value}"]
    return [f"{name}{value}" if item.startswith(name) else item for item in items]


def _wrapper_items(wrapper: BooleanWrapper) -> str:
    (true,), (false,) = wrapper.truths.values

    def frame_text(frame: Frame) -> str:
        return "".join(part if isinstance(part, str) else f"[{true} ~ {false}]" for part in frame)

    text = f"{frame_text(wrapper.before)}SCHEMA{frame_text(wrapper.after)}"
    stop = "" if text.endswith((".", "!", "?")) else "."
    return f'{_WRAPPER}"{text}{stop}"{_BETWEEN}truth pair: {true}-{false}'
