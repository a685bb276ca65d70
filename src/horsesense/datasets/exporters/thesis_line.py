"""The first line of the thesis' files, which says what schemas they hold and how these were made.

It is a list of `name: value` with `; ` between them. By key and by boolean are not told in it: the
mode stands in the second line, and an inverted file has the first line of its original.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from horsesense.datasets.exporters.outgoing import Made
from horsesense.schema import BooleanWrapper, Candidate, Frame, Grid, Schema
from horsesense.schema.notation import WRAPPERS, parse_wrapper

_FIRST_ITEM = "schema type: "
_BETWEEN = "; "
_PERTURBATION, _BASELINE, _WRAPPER = "perturbation: ", "baseline: ", "wrapper: "
_ORIGINAL, _NO_BASELINE, _NO_CANDIDATES = "original", "no baseline", "remove candidates"
_ONLY_MODES = frozenset({"by-key", "by-boolean"})
_WRAPPING, _REMOVAL = "dyadic", "no-candidate"
_DYAD = " dyad"


def is_thesis_line(note: str) -> bool:
    """Whether a note is such a line, which importers keep."""
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
    told = f"{earlier}, {transformation}" if earlier not in ("", _ORIGINAL) else transformation
    return _BETWEEN.join(_with(items, _PERTURBATION, told))


def wrapped_line(line: str, wrapper: BooleanWrapper | None) -> str:
    """The line of dyads, from that of their schemas; the wrapper may not be known."""
    first, *items = line.split(_BETWEEN)
    first = first if first.endswith(_DYAD) else f"{first}{_DYAD}"
    told = () if wrapper is None else (_wrapper_items(wrapper),)
    return _BETWEEN.join((first, *items, *told))


def names_wrapper(line: str) -> bool:
    """Whether the line tells what dyads are wrapped in."""
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


def made_wrapper(made: Made | None) -> BooleanWrapper | None:
    """The wrapper that a dataset was put in when it was made, if that is known."""
    steps = made.steps if made else ()
    found = (step.parameters.get("wrapper") for step in steps if step.transformation == _WRAPPING)
    return next((parse_wrapper(one) for one in found if one is not None), None)


def shared_wrapper(grids: Iterable[Grid]) -> BooleanWrapper | None:
    """The one of the named wrappers in which all these dyads are; None if that is none."""
    dyads = list(grids)
    found = (
        wrapper
        for wrapper in map(parse_wrapper, WRAPPERS)
        if dyads and all(_is_wrapped_in(grid, wrapper) for grid in dyads)
    )
    return next(found, None)


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

    def shown(frame: Frame) -> str:
        return "".join(part if isinstance(part, str) else f"[{true} ~ {false}]" for part in frame)

    text = f"{shown(wrapper.before)}SCHEMA{shown(wrapper.after)}"
    stop = "" if text.endswith((".", "!", "?")) else "."
    return f'{_WRAPPER}"{text}{stop}"{_BETWEEN}truth pair: {true}-{false}'
